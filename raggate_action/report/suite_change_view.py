"""How the suite differs from the baseline's, in the open and on top, and what the baseline's suite decides."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.decision_words import problem_in_words
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Item, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.report.waiver_to_copy import waiver_to_copy
from raggate_action.schema.later import RemovedCase, SuiteChange, SuiteComparison, Waiver
from raggate_action.schema.policy import POLICY_WEAKENED, REMOVED
from raggate_action.strings.visible_text import cut

_NAMED = 3
_LONGEST = 80


def suite_change_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """What the suite demands otherwise than on the base branch, what that suite decides, and the way out."""
    policy = _policy(reporting)
    if policy is None:
        return
    # A case that is new demands nothing less.
    told = list(_items(policy, reporting, with_new=False))
    if not told:
        return
    more = len(told) - _NAMED + policy.changed - len(policy.changes)
    base = reporting.base_name
    words = (
        Strong(f"The suite is not the {base}'s:" if policy.changes else f"Waived since the {base}:"),
        " ",
        (joined("; ", [each.text for each in told[:_NAMED]]), f"; and {more:,} more" if more > 0 else ""),
        ".",
        _outcome(policy, reporting),
        *_way_out(policy, reporting),
    )
    yield FaultLine(words, tuple([row.case_id for row in policy.failing]), "open")


def suite_change_items(reporting: Reporting) -> list[Item]:
    """Everything in which the two suites differ."""
    policy = _policy(reporting)
    if policy is None:
        return []
    return list(_items(policy, reporting, with_new=True))


def suite_change_total(reporting: Reporting) -> int:
    """How much that is, with what the comparison does not list."""
    policy = _policy(reporting)
    return len(suite_change_items(reporting)) + policy.changed - len(policy.changes) if policy is not None else 0


def _policy(reporting: Reporting) -> SuiteComparison | None:
    return reporting.comparison.policy if reporting.comparison is not None else None


def _items(policy: SuiteComparison, reporting: Reporting, *, with_new: bool) -> Iterator[Item]:
    """The cases taken out, by how they come out today; who answers for what; then the other changes."""
    yield from (_removed(each, reporting) for each in policy.removed)
    known = [policy.waiver] if policy.waiver is not None and policy.waiver not in policy.waivers else []
    for waiver in (*known, *policy.waivers):
        yield Item(("waived: ", *_waived(waiver)))
    told = {each.case_id for each in policy.removed}
    for change in policy.changes:
        is_new, is_gone = (not change.key and each is None for each in (change.before, change.after))
        if (with_new or not is_new) and not (is_gone and change.case_id in told):
            yield _change(change, reporting)


def _outcome(policy: SuiteComparison, reporting: Reporting) -> str:
    """The decision by the baseline's suite."""
    base = reporting.base_name
    match policy.decision:
        case None:
            return f" What the {base}'s suite would decide is not known."
        case "release" if policy.unknown is not None:
            return f" What the {base}'s suite would decide is not known."
        case "release" if reporting.run.decision.kind == "release":
            return f" By the {base}'s suite this is released as well."
        case "release":
            return f" By the {base}'s suite this would be released."
        case _:
            return f" By the {base}'s suite this is {'a block' if policy.decision == 'block' else 'inconclusive'}."


def _way_out(policy: SuiteComparison, reporting: Reporting) -> Iterator[Text]:
    """What to do where the gate on a weaker suite blocks a release.

    A waiver of the suite as a whole lets no case go that fails; where such cases are all, their lines say what does.
    """
    gates = [gate for gate in reporting.run.gates if gate.gate == POLICY_WEAKENED and gate.level == "block"]
    if policy.waiver is not None or not any(gate.status in {"failed", "unmeasured"} for gate in gates):
        return
    lost = policy.failing_removed
    if policy.changed <= len(lost):
        return
    yield from (" ", Strong("Way out:"), " put it back, or copy ")
    yield from (waiver_to_copy(POLICY_WEAKENED, reporting), " into the suite")
    waived = {each.case for each in policy.waivers if each.gate == POLICY_WEAKENED}
    changed = {each.case_id for each in policy.changes if each.key} - waived
    if alone := [row.case_id for row in policy.failing if row.case_id in changed]:
        yield from (", with ", Code(f"case: {cut(alone[0], _LONGEST)}"), " in it for that case alone")
    yield "; what fails asked once more has a waiver of its own." if lost else "."


def _removed(case: RemovedCase, reporting: Reporting) -> Item:
    words: list[Text] = [Code(cut(case.case_id, _LONGEST)), " no longer tests the app"]
    if not case.asked:
        words.append(", passed on the baseline and could not be asked once more")
    elif case.fails is None:
        words.append(f"; asked once more, it passes by the {reporting.base_name}'s suite")
    else:
        why = problem_in_words(case.fails, reporting.base_name) if reporting.shows_texts else ""
        words += [
            f"; asked once more, it fails by the {reporting.base_name}'s suite: ",
            Foreign(cut(why, 2 * _LONGEST)),
            "; put it back, or copy ",
            waiver_to_copy(REMOVED, reporting, case=case.case_id),
        ]
    return Item(tuple(words))


def _waived(waiver: Waiver) -> tuple[Text, ...]:
    what: tuple[Text, ...] = (Foreign(cut(waiver.gate, 40).replace("_", " ")),)
    what += (" of ", Code(cut(waiver.case, _LONGEST))) if waiver.case else ()
    if waiver.gate == REMOVED:
        what = (Code(cut(waiver.case, _LONGEST)), " taken out")
    owner, reason = Foreign(cut(waiver.owner, _LONGEST)), Foreign(cut(waiver.reason, _LONGEST))
    return (*what, ", by ", owner, f" until {waiver.expires.isoformat()}: ", reason)


def _change(change: SuiteChange, reporting: Reporting) -> Item:
    """`gates.behaviour.min` 0.95 → 0.8; of a case its id first, and no word of it under `texts: ids`."""
    key: list[Text] = [Code(cut(change.case_id or change.key, _LONGEST))]
    if change.case_id is not None and change.key:
        key.append(f": {change.key}")
    if change.case_id is not None and not change.key and change.after is None:
        return Item((*key, " was taken out"))
    if change.case_id is not None and not change.key and change.before is None:
        return Item((*key, " is new"))
    is_unsaid = change.case_id is not None and not reporting.shows_texts
    if is_unsaid or (change.before is None and change.after is None):
        return Item((*key, " changed"))
    return Item((*key, " ", _value(change.before), " → ", _value(change.after)))


def _value(value: str | None) -> Text:
    return "not set" if value is None else Code(cut(value, _LONGEST))
