"""What a case no longer demands, and whether it is still the same case: its demands on two runs beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, cast

from raggate_action.schema.base import digest_of
from raggate_action.schema.case import RequiredPoint
from raggate_action.schema.criteria import MustNot
from raggate_action.schema.demands import Demands, SourceState
from raggate_action.schema.phrase import Phrase, phrase_in_words
from raggate_action.schema.policy_change import Relief, SourceUpdate
from raggate_action.strings.passages import folded_quote

PHRASES = ("must_contain", "must_not_contain")
QUOTES = "required_quotes"
_LISTS = (
    *PHRASES, "expected_tools", "forbidden_tools", "required_source_ids", "required_quotes", "required_points",
    "criteria",
)  # fmt: skip
_UPDATES: tuple[Literal["version", "valid_from", "valid_until"], ...] = ("version", "valid_from", "valid_until")


class CaseChange(NamedTuple):
    """What became of a case's demands.

    Attributes:
        reliefs: What it demands no more.
        asks_otherwise: Its question changed.
        chunks: Required chunks whose text changed, or that are gone, or out of date.
        unknown: Some of what it demanded may not be written, so no answer can be judged by it.
    """

    reliefs: tuple[Relief, ...]
    asks_otherwise: bool = False
    chunks: tuple[str, ...] = ()
    unknown: bool = False

    @property
    def is_another_case(self) -> bool:
        """Whether it asks something else, or rests on another text: then the old demands are not its own."""
        return self.asks_otherwise or bool(self.chunks)


def case_change(before: Demands, after: Demands) -> CaseChange:
    """Hold the demands of one case beside each other.

    Args:
        before: On the baseline.
        after: On the head.
    """
    lost = set(before.withheld or ()) - set(after.withheld or ())
    return CaseChange(
        tuple(_reliefs(before, after, lost)), before.asked != after.asked, _other_texts(before, after), bool(lost)
    )


def source_updates(before: Demands, after: Demands) -> Iterator[SourceUpdate]:
    """Versions and validity of required chunks that changed while the text did not."""
    now = {source.chunk_id: source for source in after.sources or ()}
    for source in before.sources or ():
        other = now.get(source.chunk_id)
        if other is None or other.text is None or other.text != source.text:
            continue
        if source.superseded != other.superseded:
            yield SourceUpdate(
                chunk_id=source.chunk_id, field="current", before=_current(source), after=_current(other)
            )
        for field in _UPDATES:
            old, new = getattr(source, field), getattr(other, field)
            if old != new:
                yield SourceUpdate(chunk_id=source.chunk_id, field=field, before=old, after=new)


def content_of(demands: Demands) -> str:
    """Equal for two cases that ask and demand the same under different ids."""
    return demands.model_copy(update={"sources": None}).model_dump_json(exclude_none=True)


def _current(source: SourceState) -> str:
    return "false" if source.superseded else "true"


def _other_texts(before: Demands, after: Demands) -> tuple[str, ...]:
    """Required chunks with another text, and those that no answer may rest on any more: another stands for them."""
    now = {source.chunk_id: source for source in after.sources or ()}
    known = [(each, now[each.chunk_id]) for each in before.sources or () if each.text and each.chunk_id in now]
    return tuple([was.chunk_id for was, is_ in known if was.text != is_.text or (_holds(was) and not _holds(is_))])


def _holds(source: SourceState) -> bool:
    return not (source.superseded or source.expired)


def _reliefs(before: Demands, after: Demands, lost: set[tuple[str, str]]) -> Iterator[Relief]:
    for field in _LISTS:
        old, new = _items(before, field), _items(after, field)
        gone = [word for key, word in old.items() if key not in new]
        withheld = any(name == field for name, _digest in lost)
        if gone or withheld:
            come = [word for key, word in new.items() if key not in old]
            yield Relief(field=field, before=tuple(gone), after=tuple(come), withheld=withheld)
    was, now = before.expect or "answer", after.expect or "answer"
    if was != now:
        yield Relief(field="expect", before=(was,), after=(now,))
    if before.max_latency_ms is not None and (
        after.max_latency_ms is None or after.max_latency_ms > before.max_latency_ms
    ):
        yield Relief(
            field="max_latency_ms", before=(_number(before.max_latency_ms),), after=_if_any(after.max_latency_ms)
        )
    if before.custom_check is not None and before.custom_check != after.custom_check:
        now_checked = (after.custom_check,) if after.custom_check is not None else ()
        yield Relief(field="custom_check", before=(before.custom_check,), after=now_checked)
    if before.released is True and after.released is not True:
        yield Relief(field="released", before=("true",))
    if wider := [who for who in after.principals or () if who not in (before.principals or ())]:
        yield Relief(field="principals", before=before.principals or (), after=tuple(wider))


def _items(demands: Demands, field: str) -> dict[str, str]:
    """The items of a list of demands: what makes each the same on both runs, and how people are shown it."""
    found = cast("Sequence[Phrase | RequiredPoint | MustNot] | None", getattr(demands, field)) or ()
    if field in PHRASES:
        return {demand_digest(each): phrase_in_words(cast("Phrase", each)) for each in found}
    if field == QUOTES:
        return {demand_digest(each, field): str(each) for each in found}
    return {demand_digest(each): _shown(each) for each in found}


def _shown(item: Phrase | RequiredPoint | MustNot) -> str:
    if isinstance(item, MustNot):
        return f"must not: {item.must_not}"
    return item.id if isinstance(item, RequiredPoint) else str(item)


def demand_digest(item: Phrase | RequiredPoint | MustNot, field: str = "") -> str:
    """What an item of a list of demands is told apart by; a point of which only the name is given is its name.

    A quote is the same however its lines are broken.
    """
    if field == QUOTES and isinstance(item, str):
        item = folded_quote(item)
    if isinstance(item, RequiredPoint) and not (item.answer_phrases or item.support_phrases):
        item = item.id
    return digest_of(item if isinstance(item, str) else item.model_dump(mode="json"))[:16]


def _number(amount: float) -> str:
    return f"{amount:.12g}"


def _if_any(amount: float | None) -> tuple[str, ...]:
    return () if amount is None else (_number(amount),)
