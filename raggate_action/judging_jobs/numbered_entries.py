"""What is asked about by number: the form of a reply's entries, their reading, and what all entries on one come to.

Nothing is guessed. A number stands for what was shown under it or for nothing; each entry stands or falls alone: what
was not asked, or names what does not exist, is left out and takes nothing else with it.

JSON Schemas of such replies come in a few sizes, since hosted endpoints compile each one they are sent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import JsonValue

from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.reply_form import LoosePart, entries
from raggate_action.judging_jobs.numbered_sentences import NumberedSentence, SentenceNumber, passages
from raggate_action.schema.base import Positive

_Key = TypeVar("_Key")
_SMALLEST: Final = 4
# More values than this in a choice are refused by some endpoints, and any whole number is taken instead.
_MOST_CHOICES: Final = 256


class NumberedText(NamedTuple):
    """A claim, a point, a fact or a criterion that a judge is asked about, by an id that is unique among its kind."""

    id: str
    text: str


class Entry(LoosePart):
    """What a reply says of one of them, and the numbers of the sentences that decide."""

    number: Positive
    sentences: tuple[SentenceNumber, ...] = ()
    verdict: str
    note: str | None = None


def entries_by_number(
    values: Iterable[JsonValue] | None, name: str, verdicts: Collection[str]
) -> Mapping[int, Sequence[Entry]]:
    """The entries of a list that are in the form, by the number under `name`."""
    found: defaultdict[int, list[Entry]] = defaultdict(list)
    named: list[JsonValue] = [{**each, "number": each.get(name)} for each in values or () if isinstance(each, dict)]
    for entry in entries(named, Entry):
        if entry.verdict in verdicts:
            found[entry.number].append(entry)
    return found


def opinion_in(
    said: Sequence[Entry], here: str, sentences: Mapping[int, NumberedSentence], quoted: Collection[str]
) -> tuple[Entry, list[NumberedSentence]] | str:
    """What all entries on one thing say together, with the passages they name; or why it has no vote.

    No other verdict is put in the place of one that lacks what it rests on.

    Args:
        said: The entries.
        here: The thing, as the judge was shown it: `claim 1`.
        sentences: What was shown, by number.
        quoted: The verdicts that rest on words.
    """
    if not said:
        return f"nothing was said of {here}"
    first = said[0]
    if any(each.verdict != first.verdict for each in said[1:]):
        return f"two entries give {here} different verdicts"
    deciding = passages([number for each in said for number in each.sentences], sentences)
    if first.verdict in quoted and not deciding:
        return f'{here} is called "{first.verdict}", and no sentence is named'
    return first, deciding


def votes_of_both(
    first: ReplyReading, again: ReplyReading, name: str, order: Iterable[_Key], key: Callable[[Any], _Key]
) -> tuple[Any, ...]:
    """The votes of two readings, each thing's once and in order: where both have one, that of the first counts."""
    votes = {key(each): each for each in (*again.fields[name], *first.fields[name])}
    return tuple([votes[place] for place in dict.fromkeys(order) if place in votes])


def size_for(number: int) -> int:
    """How many a schema has room for: 4, 8, 16, 32 and so on."""
    size = _SMALLEST
    while size < number:
        size *= 2
    return size


def number_up_to(number: int) -> JsonValue:
    """A number that something was shown under."""
    size = size_for(number)
    return {"type": "integer", "enum": list(range(1, size + 1))} if size <= _MOST_CHOICES else {"type": "integer"}


def list_of(item: JsonValue) -> JsonValue:
    """The form of a list of such items, as many as there are."""
    return {"type": "array", "items": item}


def strict_object(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """An object with all of these keys and no other, in this order: strict endpoints take no key that may be absent."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of_entries(name: str, number: int, sentences: int, verdicts: Iterable[str]) -> JsonValue:
    """The form of a list of entries about so many things and sentences."""
    parts: dict[str, JsonValue] = {name: number_up_to(number), "sentences": list_of(number_up_to(sentences))}
    parts["verdict"] = {"type": "string", "enum": [*verdicts]}
    return list_of(strict_object({**parts, "note": {"type": "string"}}))
