"""What a case demands, as its row keeps it; and the case again as the baseline's suite had it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.comparison.baseline_index import PastCase
from raggate_action.core.comparison.case_changes import PHRASES, QUOTES, demand_digest
from raggate_action.core.comparison.setting_changes import OF_A_CASE
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.schema.base import canonical_json, digest_of, digest_of_text, parse_moment
from raggate_action.schema.case import Case, Message, MustNot, Phrase, PlacedCase, RequiredPoint, phrase_in_words
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.demands import Demands
from raggate_action.schema.main_answers import MainAnswers
from raggate_action.schema.policy import Gates

_WORD = re.compile(r"\w+")
# What is no part of a word, made a space; ASCII.
_PARTING = {code: " " for code in range(128) if not _WORD.match(chr(code))}
_MAY_REPEAT = (*PHRASES, QUOTES, "required_points", "criteria")
# The other demands, each with the value that demands nothing. Who asks is none of them: the evidence store says who may
# read what now, and it may have other names for the same people.
_NOTHING: Mapping[str, Any] = {
    demand.key: Case.model_fields[demand.key].default for demand in OF_A_CASE if demand.key != "principals"
}
_AS_THEY_ARE = tuple([demand.key for demand in OF_A_CASE if demand.key not in _MAY_REPEAT])


def _nothing_kept(_case_id: str) -> None:
    return None


class BaselineRules(NamedTuple):
    """What the baseline judged by, where it demanded more than the head does.

    Attributes:
        cases: Every case of its suite.
        gates: Its levels and bars.
        slices_by: Fields its results were cut by.
        every_case: Its gates judge single cases more strictly, so that every answer is put through them as well.
        readers: Chunks that not everybody might be shown, with those who might; nobody is empty.
        loosened: Some of them more people may be shown now.
        reading: How it read answers; None as the head does.
        main: What its app, and that of earlier runs of its branch, answered to a case; None where nothing is at hand.
        decided_at: When it was decided.
        is_recorded: The head run's answers are recorded, so that nobody can be asked again.
    """

    cases: Mapping[str, PastCase]
    gates: Gates
    slices_by: tuple[str, ...] = ()
    every_case: bool = False
    readers: Mapping[str, frozenset[str]] = {}
    loosened: bool = False
    reading: Reading | None = None
    main: Callable[[str], MainAnswers | None] = _nothing_kept
    decided_at: str = ""
    is_recorded: bool = False


def demands_of(case: Case, restricted: RestrictedText) -> Demands:
    """What a case demands, without what repeats text that its asker may not read: of that a digest.

    Args:
        case: The case.
        restricted: The forbidden texts.
    """
    values = vars(case)
    kept: dict[str, Any] = {name: value for name in _AS_THEY_ARE if (value := values[name]) or value is False}
    if case.expect == "answer":
        del kept["expect"]
    withheld: list[tuple[str, str]] = []
    open_to_all = restricted.is_empty
    for field in _MAY_REPEAT:
        if items := values[field]:
            if not open_to_all:
                secret = [item for item in items if restricted.repeated_in((_words(item),), case)]
                withheld += [(field, demand_digest(item, field)) for item in secret]
                items = tuple([item for item in items if item not in secret])
            kept[field] = items or None
    return Demands(
        asked=_question_digest(case),
        as_of=case.as_of.isoformat() if case.as_of is not None else None,
        **kept,
        withheld=tuple(withheld) or None,
    )


def demands_before(placed: PlacedCase, baseline: BaselineRules | None) -> Demands | None:
    """What a case demanded on the baseline; None if it demanded the same, is new, or no row kept it."""
    past = baseline.cases.get(placed.case.case_id) if baseline is not None else None
    if past is None or past.digest == placed.digest or past.demanded is None or past.demanded.demands is None:
        return None
    return Demands.model_validate_json(past.demanded.demands)


def case_with_demands(case: Case, before: Demands) -> Case:
    """The case with the baseline's demands; of those that may not be written, the ones that the head makes as well."""
    demanded = {name: getattr(before, name) or nothing for name, nothing in _NOTHING.items()}
    for field in _MAY_REPEAT:
        secret = {digest for name, digest in before.withheld or () if name == field}
        kept = [item for item in getattr(case, field) if demand_digest(item, field) in secret] if secret else []
        demanded[field] = (*demanded[field], *kept)
    return case.model_copy(update=demanded)


def case_of(row: CaseRun) -> Case | None:
    """A case that its suite no longer has, as its row keeps it; None where that is not the whole of it.

    A question is whole where it has the digest of what was asked. Turns before it and an `input` are not kept.
    """
    demands = row.demands
    if demands is None or demands.withheld or not row.question:
        return None
    turn = Message(role="user", content=row.question)
    as_of = parse_moment(demands.as_of) if demands.as_of is not None else None
    asker = {"principals": demands.principals or (), "as_of": as_of}
    for case in (Case(case_id=row.case_id, question=row.question), Case(case_id=row.case_id, messages=(turn,))):
        if _question_digest(case) == demands.asked:
            return case_with_demands(case.model_copy(update=asker), demands)
    return None


def asks_the_same(case: Case, before: Demands) -> bool:
    """Whether a case asks what it asked when it demanded `before`."""
    return _question_digest(case) == before.asked


def _question_digest(case: Case) -> str:
    question = _folded(case.question or "")
    if not case.messages and case.input is None:
        # As below, put together by hand: one text is spelled in a tenth of the time that a list takes.
        return digest_of_text(f"[{canonical_json(question).decode()},[],null]")[:16]
    turns = [(turn.role, _folded(turn.content)) for turn in case.messages]
    return digest_of([question, turns, case.input])[:16]


def _folded(text: str) -> str:
    """The words alone: a comma more or less asks nothing else."""
    if text.isascii():
        return " ".join(text.lower().translate(_PARTING).split())
    return " ".join(_WORD.findall(text.casefold()))


def _words(item: Phrase | RequiredPoint | MustNot) -> str:
    if isinstance(item, MustNot):
        return item.must_not
    if isinstance(item, RequiredPoint):
        return " ".join((item.id, *item.said, *item.support_phrases))
    return phrase_in_words(item)
