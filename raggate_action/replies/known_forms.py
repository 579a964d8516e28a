"""Forms of replies that need no choice: traces, plain text, stated errors, and what providers and frameworks write.

One form of a provider is one entry of `forms.yaml`; nothing else names a provider. A path is JMESPath, as a suite's
`response:` has it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pydantic import JsonValue

from raggate_action.replies.machine_values import holds_json, is_machine_value
from raggate_action.replies.mapping import finder
from raggate_action.replies.reply_forms import is_answer_form, items_of, read_answer, read_chunk
from raggate_action.replies.stated_errors import stated_error
from raggate_action.schema.trace import Answer, TraceLine
from raggate_action.strings.data_tables import read_table


class Form(NamedTuple):
    """One form of replies.

    Attributes:
        name: Whose it is.
        mark: Finds something true in replies of this form, and in no other form's.
        answer: Finds the answer: a string, a message or blocks of text.
        contexts: Find the evidence, the likeliest first; the first that finds a text is taken.
        is_talk: The evidence stands among the turns of a talk, where that of earlier questions may stand too.
    """

    name: str
    mark: str
    answer: str
    contexts: tuple[str, ...] = ()
    is_talk: bool = False


_TABLE = read_table(__package__, "forms.yaml")
FORMS = tuple(
    [
        Form(each["name"], each["mark"], each["answer"], tuple(each.get("contexts", ())), is_talk="is_talk" in each)
        for each in _TABLE["forms"]
    ]
)
ENVELOPES: tuple[tuple[str, str], ...] = tuple(_TABLE["envelopes"].items())


class FormPlace(NamedTuple):
    """What a form finds in a reply.

    Attributes:
        form: The form.
        answer: Path and text of the answer.
        context: Path and value of the evidence; None where the reply shows none.
        holder: The key under which it stands, beside keys of the app's own; empty where all of the reply has the form.
    """

    form: Form
    answer: tuple[str, str]
    context: tuple[str, Any] | None
    holder: str = ""

    def below(self, path: str) -> FormPlace:
        """The same, its paths seen from outside what stands around it."""
        context = None if self.context is None else (below(path, self.context[0]), self.context[1])
        return self._replace(answer=(below(path, self.answer[0]), self.answer[1]), context=context)


def own_trace(reply: JsonValue) -> dict[str, Any] | None:
    """The trace of a reply that is one, of a plain text, or of a reply that is marked as failed; None for any other."""
    if isinstance(reply, str):
        return {"answer": reply}
    if not isinstance(reply, dict):
        return None
    error = stated_error(reply)
    if error is not None and error.is_flagged:
        return {"error": error.text}
    answer = reply.get("answer")
    is_providers = "answer" not in reply and "candidates" in reply and known_form(reply) is not None
    if not reply.keys() <= TraceLine.model_fields.keys() or is_providers or _holds_evidence(answer):
        return None
    message = None if is_answer_form(answer) else read_answer(answer)
    if error is not None and not isinstance(reply.get("error"), str) and not (message or answer):
        return {"error": error.text}
    return reply if message is None else {**reply, "answer": message}


def _holds_evidence(answer: JsonValue) -> bool:
    """Whether an answer is an object of the app's own, with the evidence in it."""
    held = answer if isinstance(answer, dict) else {}
    return any(isinstance(value, list | dict) and key not in Answer.model_fields for key, value in held.items())


def known_form(reply: JsonValue, *, first: Form | None = None, to_choose: bool = False) -> FormPlace | None:
    """What the form finds that a reply has inside all that stands around it; None where it has none of them.

    A reply of a form whose answer is no text, as of a call of tools, is of no form; nor is one with an answer of the
    app's own beside the form's.

    Args:
        reply: The reply.
        first: The form that is tried first, as that of the reply before.
        to_choose: The whole app is chosen for by more than this reply: the form may stand among the turns of a talk, or
            under one key beside others of the app's own.
    """
    within = ""
    for _ in range(_ENVELOPES):
        path = envelope_of(finder(within)(reply) if within else reply)
        if path is None:
            break
        within = below(within, path)
    inner = finder(within)(reply) if within else reply
    if isinstance(inner, str):
        return FormPlace(_TEXT, (within, inner), None)
    if not isinstance(inner, dict):
        return None
    if (place := _in_form(inner, first)) is not None:
        own = inner.get("answer")
        is_other = isinstance(own, str) and own != place.answer[1]
        return None if is_other or (place.form.is_talk and not to_choose) else place.below(within)
    if not to_choose:
        return None
    held = [(key, value) for key, value in inner.items() if isinstance(value, dict) and _PLAIN.fullmatch(key)]
    found = [place.below(key)._replace(holder=key) for key, value in held if (place := _in_form(value, first))]
    return found[0].below(within) if len(found) == 1 else None


# One inside the other: JSON-RPC, MCP, and a tool's own.
_ENVELOPES = 3
_TEXT = Form("text in an envelope", "@", "@")


def _in_form(part: dict[str, Any], first: Form | None) -> FormPlace | None:
    form = first if first is not None and finder(first.mark)(part) else None
    form = form or next((form for form in FORMS if finder(form.mark)(part)), None)
    answer = read_answer(finder(form.answer)(part)) if form is not None else None
    if form is None or answer is None or is_machine_value(answer):
        return None
    found = ((path, finder(path)(part)) for path in form.contexts)
    context = next(((path, value) for path, value in found if _has_text(value)), None)
    return FormPlace(form, (form.answer, answer), context)


def envelope_of(reply: JsonValue) -> str | None:
    """The path to the reply proper inside what stands around it; None where nothing does."""
    if isinstance(reply, list):
        # n8n answers a webhook with the items of its last node.
        only = reply[0] if len(reply) == 1 else None
        return None if not isinstance(only, dict) else "[0].json" if only.keys() == {"json"} else "[0]"
    if not isinstance(reply, dict):
        return None
    path = next((path for mark, path in ENVELOPES if finder(mark)(reply)), None)
    if path is None or "{only}" not in path:
        return path
    data = reply["data"]
    only = next(iter(data)) if isinstance(data, dict) and len(data) == 1 else None
    return None if only is None else path.replace("{only}", only if _PLAIN.fullmatch(only) else f'"{only}"')


_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# What can follow a dot: a path that begins with a key, and no function.
_PATH = re.compile(r"(?![\w]+\()[A-Za-z_*\"][^|&]*(?:\|[^|].*)?")


def below(path: str, inner: str) -> str:
    """A path inside what another finds."""
    if not path or inner == "@":
        return path or inner
    if inner.startswith("["):
        return f"{path}{inner}"
    return f"{path}.{inner}" if _PATH.fullmatch(inner) else f"{path} | {inner}"


def _has_text(value: Any) -> bool:
    chunks = [read_chunk(item) for item in items_of(value) or ()]
    texts = [chunk.text for chunk in chunks if chunk is not None and chunk.text is not None]
    # JSON is looked into: `place_choice` finds what it holds.
    return any(text.strip() for text in texts) and not any(map(holds_json, texts))
