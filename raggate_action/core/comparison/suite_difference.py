"""How two suites differ: a walk through both as JSON, which gives each key and case with another value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.schema.base import canonical_json
from raggate_action.schema.later import Waiver
from raggate_action.schema.policy import POLICY_WEAKENED, REMOVED
from raggate_action.schema.stored_suite import StoredSuite
from raggate_action.schema.suite_comparison import SuiteChange, Unknown
from raggate_action.strings.visible_text import cut

_LONGEST = 200


class SuiteDifference(NamedTuple):
    """Two suites compared.

    Attributes:
        before, after: The baseline's, and the head's.
        changes: What differs.
        waivers: Those that the head has and the baseline had not.
        answered_for: Waivers of the changed suite, by case; as a whole under the empty id.
        renamed: Cases that ask and demand the same under another id now: old and new.
        gone: The other cases that the baseline's suite has and the head's has not, or only as known bad.
        let_go: Those of them that a waiver names.
        unknown: See `SuiteComparison`.
        still_enforced: Likewise.
    """

    before: StoredSuite
    after: StoredSuite
    changes: tuple[SuiteChange, ...]
    waivers: tuple[Waiver, ...]
    answered_for: Mapping[str, Waiver]
    renamed: Mapping[str, str]
    gone: tuple[str, ...]
    let_go: frozenset[str]
    unknown: Unknown | None
    still_enforced: bool


def suite_difference(before: StoredSuite, after: StoredSuite, *, decided_on: date) -> SuiteDifference:
    """Compare the suites of two runs.

    Args:
        before: The baseline's.
        after: The head's.
        decided_on: The day that decides which waivers hold.
    """
    was, now = _cases(before), _cases(after)
    new = {canonical_json(case): case_id for case_id, case in now.items() if case_id not in was}
    contents = {case_id: canonical_json(case) for case_id, case in was.items() if new and case_id not in now}
    renamed = {case_id: new[content] for case_id, content in contents.items() if content in new}
    gone = [case_id for case_id in was if case_id not in now and case_id not in renamed]
    holding = [waiver for waiver in after.waivers if waiver.holds_on(decided_on)]
    answered_for = {waiver.case: waiver for waiver in holding if waiver.gate == POLICY_WEAKENED}
    let_go = {waiver.case for waiver in holding if waiver.gate == REMOVED} | answered_for.keys()
    for old, name in renamed.items():
        was[name] = was.pop(old)
    rest = {"cases", "waivers", "schema_version"}
    keys, keys_now = (suite.model_dump(mode="json", exclude=rest) for suite in (before, after))
    bad, bad_now = keys.pop("known_bad"), keys_now.pop("known_bad")
    withheld, withheld_now = keys.pop("withheld"), keys_now.pop("withheld")
    digests, digests_now = keys.pop("digests"), keys_now.pop("digests")
    changes = [
        *_differing("", keys, keys_now),
        *_in_digests(digests, digests_now),
        *[SuiteChange(key="case_id", case_id=name, before=old, after=name) for old, name in renamed.items()],
        *_in_cases(bad, bad_now, "known_bad"),
        *[each for each in _in_cases(was, now) if each.key or each.case_id not in {**bad, **bad_now}],
        *_in_cases(withheld, withheld_now, "withheld"),
    ]
    return SuiteDifference(
        before=before,
        after=after,
        changes=tuple(changes),
        waivers=tuple([each for each in holding if each not in before.waivers]),
        answered_for=answered_for,
        renamed=renamed,
        gone=tuple(gone),
        let_go=frozenset(let_go),
        unknown=_unknown(before, after),
        still_enforced=before.enforce and not after.enforce,
    )


def _unknown(before: StoredSuite, after: StoredSuite) -> Unknown | None:
    if before.kind != after.kind == "recorded":
        return "target.kind"
    return "evidence" if before.readers and after.readers is None else None


def _cases(suite: StoredSuite) -> dict[str, JsonValue]:
    """Its cases by id, each without what demands nothing."""
    rest = {"case_id", "name", "weight"}
    return {case.case_id: case.model_dump(mode="json", exclude_defaults=True, exclude=rest) for case in suite.cases}


def _in_cases(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue], key: str = "") -> Iterator[SuiteChange]:
    for case_id in {**before, **after}:
        for change in _differing(key, before.get(case_id), after.get(case_id)):
            yield change.model_copy(update={"case_id": case_id})


def _in_digests(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[SuiteChange]:
    """What changed, without the digests; of a judge its model is told."""
    for key in {**before, **after}:
        was, now = before.get(key), after.get(key)
        if was == now:
            continue
        if key.startswith("judges."):
            yield SuiteChange(key=key, before=was, after=now)
        else:
            is_both = was is not None and now is not None
            yield SuiteChange(key=key, before="set" if now is None else None, after=None if was or is_both else "set")


def _differing(key: str, before: JsonValue, after: JsonValue) -> Iterator[SuiteChange]:
    """Each key with another value; of a list the entries that are gone, beside those that have come."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from _differing(f"{key}.{name}" if key else name, before.get(name), after.get(name))
        return
    if isinstance(before, list) and isinstance(after, list):
        was, now = before, after
        before = [each for each in was if each not in now] or None
        after = [each for each in now if each not in was] or None
        if before == after:
            return
    yield SuiteChange(key=key, before=_text(before), after=_text(after))


def _text(value: JsonValue) -> str | None:
    if isinstance(value, list):
        return cut(", ".join([_text(each) or "null" for each in value]), _LONGEST) or "nobody"
    if value is None or isinstance(value, str):
        return value if value is None else cut(value, _LONGEST)
    return cut(json.dumps(value, ensure_ascii=False), _LONGEST)
