"""What a person who labels sees, as lines for a terminal. Nothing a rule or a judge said stands beside a claim."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from raggate_action.report.escape import clean
from raggate_action.schema.answer_votes import JudgedItem
from raggate_action.schema.calibration import Drawn, LabelledSaid
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import ItemGate, JudgedVerdict
from raggate_action.strings.numbers import count

KEYS: Mapping[str, JudgedVerdict] = {"s": "supported", "p": "partial", "u": "unsupported", "c": "contradicted"}
MEANINGS: Mapping[JudgedVerdict, str] = {
    "supported": "the chunks say all of it",
    "partial": "they say some of it, and nothing against the rest",
    "unsupported": "they say nothing of it, true or not",
    "contradicted": "a chunk says otherwise",
}
ITEM_KEYS: Mapping[ItemGate, Mapping[str, LabelledSaid]] = {
    "agreement": {"s": "stated", "l": "lacking", "c": "contradicted"},
    "criteria": {"y": "yes", "x": "no"},
}
ITEM_MEANINGS: Mapping[LabelledSaid, str] = {
    "stated": "the answer says all of it, in whatever words",
    "lacking": "it does not, or only a part, or leaves it open",
    "contradicted": "it says what cannot be true together with it",
    "yes": "the answer does it, wanted or not",
    "no": "it does not",
}
_OTHER_KEYS = "? skip  b back  n note  e all of the evidence  q quit"
_ITEM_OTHER_KEYS = "? skip  b back  n note  q quit"
_NEXT_JOB = "  j other job"
_OF_CLAIMS = "Claims: what the chunks say decides, not what is known of the world."
_LABELLING: Mapping[ItemGate, str] = {
    "agreement": "Facts of the reference answer: what the answer says decides, and what it adds is no fault.",
    "criteria": "Criteria: say whether the answer does what stands there, not whether it should.",
}
_HOW: Mapping[Drawn, str] = {
    "random": "drawn at random",
    "chosen": "chosen, for it teaches more than others",
    "made": "made: a right claim with something changed. Is it faulty now, or still right?",
}
_HOW_MADE = "made: an answer beside what another case asks for. It will hardly have it: say whether it does"
_INDENT = 10
_WIDEST = 100
# Characters of a long answer before and behind its claim, and of a question.
_AROUND = 300
_QUESTION = 600
# Lines of evidence, however low the terminal is.
_FEWEST = 8
# Stand for the ends of what is highlighted while lines are broken; no foreign text keeps them.
_ON, _OFF = "\ue000", "\ue001"


class Screen(NamedTuple):
    """The terminal.

    Attributes:
        width, height: In characters and lines.
        colour: It can show bold and underlined text, and is to.
    """

    width: int = 80
    height: int = 24
    colour: bool = False

    @property
    def line(self) -> int:
        """Characters of a line of text: longer ones are hard to read."""
        return max(40, min(self.width, _WIDEST))


class ClaimOnScreen(NamedTuple):
    """A claim that is shown.

    Attributes:
        number: Which one of this session.
        drawn: How it came to be offered.
        case_id: The case; None where that is not known.
        question, answer, text: As in a labelled answer.
        span: Where it stands in the answer; None where its words are not there.
        evidence: Chunk id, what is shown of it, and whether that is all, in the order to be shown.
    """

    number: int
    drawn: Drawn
    case_id: str | None
    question: str
    answer: str
    text: str
    span: tuple[int, int] | None
    evidence: Sequence[tuple[str, tuple[str, ...], bool]]


def head_lines(look: Screen, sentences: Iterable[str]) -> list[str]:
    """What stands above all claims: sentences of ours, and what the keys mean."""
    lines = [line for sentence in sentences for line in _wrapped(sentence, look.line)]
    keys = [f"  {key} {verdict:<13} {MEANINGS[verdict]}" for key, verdict in KEYS.items()]
    return [*lines, *keys, "  Every label is written at once; b undoes the last one."]


class ItemOnScreen(NamedTuple):
    """A fact or criterion that is shown.

    Attributes:
        number: Which one of this session.
        drawn: How it came to be offered.
        case_id: The case; None where that is not known.
        gate: The gate it is of.
        question, answer: As in a labelled answer.
        items: All facts, or all criteria, in their order.
        place: Which of them it is.
    """

    number: int
    drawn: Drawn
    case_id: str | None
    gate: ItemGate
    question: str
    answer: str
    items: Sequence[str]
    place: int


def job_lines(gate: ItemGate | None, look: Screen) -> list[str]:
    """What is labelled from here on, and with which keys; None for claims."""
    if gate is None:
        meant = [f"  {key} {verdict:<13} {MEANINGS[verdict]}" for key, verdict in KEYS.items()]
        return [
            "",
            *_wrapped("Claims: what the chunks say decides, not what is known of the world.", look.line),
            *meant,
        ]
    keys = [f"  {key} {meaning:<13} {ITEM_MEANINGS[meaning]}" for key, meaning in ITEM_KEYS[gate].items()]
    return ["", *_wrapped(_LABELLING[gate], look.line), *keys]


def item_lines(item: ItemOnScreen, look: Screen) -> list[str]:
    """A fact or criterion below the answer it is held against; before a fact those that it may lean on."""
    case = f" · {_plain(item.case_id)}" if item.case_id else ""
    what = "fact" if item.gate == "agreement" else "criterion"
    rule = f"── {what} {item.number}{case} "
    how = _HOW_MADE if item.drawn == "made" else _HOW[item.drawn]
    lines = ["", _strong(f"{rule}{'─' * max(0, look.line - len(rule))}", look), *_wrapped(how, look.line)]
    lines += _field("asked", _cut(item.question), look)
    lines += _field("answer", _plain_lines(item.answer), look)
    if item.gate == "agreement" and item.place:
        lines += _field("before it", " ".join(map(_plain, item.items[: item.place])), look)
    return [*lines, *_field(what, f"{_ON}{_plain(item.items[item.place])}{_OFF}", look)]


def claim_lines(on_screen: ClaimOnScreen, look: Screen) -> list[str]:
    """A claim in its answer, and its evidence, as much of it as fits."""
    case = f" · {_plain(on_screen.case_id)}" if on_screen.case_id else ""
    rule = f"── claim {on_screen.number}{case} "
    lines = [
        "",
        _strong(f"{rule}{'─' * max(0, look.line - len(rule))}", look),
        *_wrapped(_HOW[on_screen.drawn], look.line),
    ]
    lines += _field("asked", _cut(on_screen.question), look)
    lines += _field("answer", _around(on_screen.answer, on_screen.span), look)
    if on_screen.span is None or on_screen.answer[slice(*on_screen.span)] != on_screen.text:
        # It stands there in other words: behind a lead-in, or with a citation in it.
        lines += _field("claim", f"{_ON}{_plain(on_screen.text)}{_OFF}", look)
    lines.append("its chunks:" if on_screen.evidence else "it has no chunks")
    room = max(_FEWEST, look.height - len(lines) - 6)
    return [*lines, *_evidence(on_screen.evidence, look, room)]


def whole_lines(on_screen: ClaimOnScreen, chunks: Iterable[tuple[str, str]], look: Screen) -> list[str]:
    """The answer and every chunk whole, in context order, and the claim again below them."""
    lines = ["", *_field("answer", _marked(on_screen.answer, on_screen.span), look)]
    for chunk_id, text in chunks:
        lines += _chunk(chunk_id, [text], look)
    return [*lines, *_field("claim", f"{_ON}{_plain(on_screen.text)}{_OFF}", look)]


def keys_lines(gate: ItemGate | None = None, *, others: bool = False) -> list[str]:
    """What can be pressed now; `others`: there is another job to go to."""
    keys: Mapping[str, str] = KEYS if gate is None else ITEM_KEYS[gate]
    more = _OTHER_KEYS if gate is None else _ITEM_OTHER_KEYS
    return ["", "  ".join(f"{key} {verdict}" for key, verdict in keys.items()), more + _NEXT_JOB * others]


def item_votes_line(item: JudgedItem | None, look: Screen) -> str:
    """What judges say of a fact or criterion that is labelled by now."""
    votes = [] if item is None else [f"{vote.judge}: {vote.said}" for vote in item.votes]
    return _quiet(f"  {_plain(' · '.join(votes) or 'no judge was asked')}", look)


def others_line(claim: Claim | None, before: str | None, look: Screen) -> str:
    """What others say of a claim that is labelled by now: rules, authors and judges; of a made fault, what it was."""
    if claim is None:
        return _quiet(f"  it was: {_plain(before or '')}", look)
    by = "a label" if claim.labelled else "the panel" if claim.judged else "rules"
    found = ", ".join(sorted({f"{each.kind} ({each.code})" for each in claim.findings}))
    verdicts = [f"{by}: {claim.verdict}" + (f", {found}" if found else "")]
    verdicts += [f"{vote.judge}: {vote.verdict}" for vote in claim.votes]
    return _quiet(f"  {_plain(' · '.join(verdicts))}", look)


def progress_line(right: int, faulty: int, made: int, missing: tuple[int, int, int]) -> str:
    """How far the file is from what arms a judge; `missing` counts labels, and right and faulty claims among them."""
    labels, missing_right, missing_faults = missing
    of_made = f", {made} of them made" if made else ""
    held = f"{count(right + faulty, 'label')}: {right} right, {faulty} faulty{of_made}"
    if not labels:
        return f"{held}; enough for a judge to be armed, if it agrees with them"
    kinds = ((missing_faults, "faulty"), (missing_right, "right"))
    # Of both kinds the one tells the other.
    kind = next((f", {'all' if n == labels else n} of them {kind}" for n, kind in kinds if n), "")
    return f"{held}; {labels} more until a judge can be armed{kind}"


def _field(name: str, text: str, look: Screen) -> list[str]:
    """A name, and behind it a text whose lines are kept."""
    lines = [line for part in text.split("\n") for line in _wrapped(part, look.line - _INDENT)] or [""]
    first, *rest = _highlighted(lines, look)
    return [f"{name:<{_INDENT}}{first}", *(f"{'':<{_INDENT}}{line}".rstrip() for line in rest)]


def _evidence(evidence: Sequence[tuple[str, tuple[str, ...], bool]], look: Screen, room: int) -> Iterator[str]:
    for place, (chunk_id, parts, whole) in enumerate(evidence):
        lines = _chunk(chunk_id, parts if whole else [*(f"… {part}" for part in parts)], look)
        if place and len(lines) > room:
            left = len(evidence) - place
            yield f"  and {count(left, 'chunk')} farther from the claim: e shows them"
            return
        room -= len(lines)
        yield from lines
    if not all(whole for _, _, whole in evidence):
        yield "  of a long chunk the nearest sentences are shown: e shows all of it"


def _chunk(chunk_id: str, parts: Iterable[str], look: Screen) -> list[str]:
    lines = [f"  {_strong(_plain(chunk_id), look)}"]
    for part in parts:
        for line in part.split("\n"):
            lines += [f"    {each}" for each in _wrapped(_plain(line), look.line - 4)]
    return lines


def _around(answer: str, span: tuple[int, int] | None) -> str:
    """An answer with its claim marked, of a long one what stands beside the claim."""
    if span is None:
        return _plain_lines(answer if len(answer) <= 2 * _AROUND else f"{answer[: 2 * _AROUND]} …")
    start, end = max(0, span[0] - _AROUND), span[1] + _AROUND
    before = "… " if start else ""
    behind = " …" if end < len(answer) else ""
    return before + _marked(answer[start:end], (span[0] - start, span[1] - start)) + behind


def _marked(answer: str, span: tuple[int, int] | None) -> str:
    if span is None:
        return _plain_lines(answer)
    parts = (answer[: span[0]], answer[span[0] : span[1]], answer[span[1] :])
    before, inside, behind = map(_plain_lines, parts)
    return f"{before}{_ON}{inside}{_OFF}{behind}"


def _highlighted(lines: Iterable[str], look: Screen) -> Iterator[str]:
    """The marks as a terminal shows them; what runs over a line's end begins anew on the next."""
    on, off = ("\x1b[1;4m", "\x1b[0m") if look.colour else (">>", "<<")
    inside = False
    for line in lines:
        begun = look.colour and inside
        inside = line.rfind(_ON) > line.rfind(_OFF) or (inside and _OFF not in line)
        ended = look.colour and inside
        marked = line.replace(_ON, on).replace(_OFF, off)
        yield f"{on if begun and line else ''}{marked}{off if ended and line else ''}"


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def _cut(text: str) -> str:
    plain = _plain_lines(text)
    return plain if len(plain) <= _QUESTION else f"{plain[:_QUESTION]} …"


def _plain(text: str) -> str:
    """Foreign text on one line, without what a terminal would obey."""
    return clean(text).replace(_ON, "\ufffd").replace(_OFF, "\ufffd")


def _plain_lines(text: str) -> str:
    return "\n".join(map(_plain, text.splitlines())) + ("\n" if text.endswith("\n") else "")


def _strong(text: str, look: Screen) -> str:
    return f"\x1b[1m{text}\x1b[0m" if look.colour else text


def _quiet(text: str, look: Screen) -> str:
    return f"\x1b[2m{text}\x1b[0m" if look.colour else text
