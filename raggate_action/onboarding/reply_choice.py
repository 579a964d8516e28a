"""The paths by which an app's replies are read: clear ones, or those that a person chooses among all that could be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from raggate_action.errors import TargetError, UsageError
from raggate_action.replies.mapping import expression_problem
from raggate_action.replies.place_choice import Choice, FoundPath, Understanding
from raggate_action.schema.trace import RESPONSE_FIELDS
from raggate_action.strings.visible_text import cut
from raggate_action.version import SUITE_KEYS

NONE = "none"
_FIELDS = ("answer", "context")
_MEANS = {"answer": "the answer", "context": "what the answer rests on"}
_SHOWN = 60
_MOST_SHOWN = 6
_NEXT_FIELD = re.compile(rf",(?=\s*(?:{'|'.join(RESPONSE_FIELDS)})\s*=)")


def named_paths(options: Sequence[str]) -> dict[str, str]:
    """What `--response answer=PATH,context=PATH` says; `context=none` stands as it is.

    Raises:
        UsageError: A field that no trace has, or a path that is no JMESPath.
    """
    paths: dict[str, str] = {}
    for part in (part for option in options for part in _NEXT_FIELD.split(option)):
        field, equals, path = (each.strip() for each in part.partition("="))
        if not equals or field not in RESPONSE_FIELDS:
            raise UsageError(
                f"--response says {cut(part, _SHOWN)!r}",
                hint="Write paths into a reply, as in --response answer=output.text,context=docs",
            )
        if (problem := expression_problem(path)) is not None:
            raise UsageError(
                f"--response {field}: {problem}", hint="Write a path into a reply, such as output.text or docs[].text."
            )
        paths[field] = path
    return paths


def response_section(
    found: Understanding, named: Mapping[str, str], *, shape: str, ask: Callable[[str], str] | None
) -> dict[str, str]:
    """What a suite says under `response`; empty where the replies need nothing.

    Args:
        found: What the replies show.
        named: Paths that somebody named.
        shape: Keys and types of a reply.
        ask: Asks a person; None where nobody is there.

    Raises:
        UsageError: Several places could be one field, and nobody says which.
        TargetError: Nothing in the replies is an answer.
    """
    if found.needs_nothing and not named:
        return {}
    answer = named.get("answer") or _field_path("answer", found.answer, ask)
    if answer is None:
        raise TargetError(
            f"the app replied, and no answer could be read from it: nothing in it is an answer; a reply is {shape}",
            hint=f"Let it reply with {{answer: text, contexts: [text]}}, or write the suite by hand: {SUITE_KEYS}",
        )
    context = named.get("context") or _field_path("context", found.context, ask)
    further = {} if named else found.further
    rest = {field: path for field, path in named.items() if field not in _FIELDS}
    evidence = {} if context is None or context == NONE else {"context": context}
    return {"answer": answer, **evidence, **further, **rest}


def _field_path(field: str, choice: Choice, ask: Callable[[str], str] | None) -> str | None:
    if choice.taken is not None:
        return choice.taken.path
    if not choice.others:
        return None
    if ask is not None and (path := _of_a_person(field, choice, ask)) is not None:
        return path
    places = "; ".join(_place(each) for each in choice.others[:_MOST_SHOWN])
    none = ", or --response context=none to be judged without evidence" if field == "context" else ""
    raise UsageError(
        f"{_MEANS[field]} is not clear in the app's reply ({choice.doubt}): {places}",
        hint=f"Say which is meant: --response {field}={_shell(choice.others[0].path)}{none}.",
    )


def _of_a_person(field: str, choice: Choice, ask: Callable[[str], str]) -> str | None:
    places = choice.others[:_MOST_SHOWN]
    lines = [f"  {number}  {_place(each)}" for number, each in enumerate(places, 1)]
    none = ", or 0 for none of them" if field == "context" else ""
    typed = ask("\n".join([f"Where in the reply is {_MEANS[field]}?", *lines, f"Its number{none}"]))
    if field == "context" and typed == "0":
        return NONE
    return places[int(typed) - 1].path if typed.isdecimal() and 0 < int(typed) <= len(places) else None


def _place(found: FoundPath) -> str:
    return f"`{found.path}` (“{cut(_one_line(found.texts[0]), _SHOWN)}”)" if found.texts else f"`{found.path}`"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shell(path: str) -> str:
    return path if re.fullmatch(r"[\w.]+", path) else f"'{path}'" if "'" not in path else f'"{path}"'


def taken_lines(found: Understanding, paths: Mapping[str, str]) -> Iterator[str]:
    """What was taken, two lines of each, and what else could be."""
    for field, choice in (("answer", found.answer), ("context", found.context)):
        known = [each for each in (choice.taken, *choice.others) if each is not None]
        # Replies that need no paths have each field under its own name.
        path = paths.get(field) if paths else field
        taken = next((each for each in known if each.path == path), None)
        if taken is not None:
            yield from (f"  {field}: “{cut(_one_line(text), _SHOWN)}”" for text in taken.texts[:2])
        others = [each for each in known if each is not taken]
        if others:
            yield f"  {field} could be as well: {'; '.join(map(_place, others[:_MOST_SHOWN]))}"
