"""Where the suite itself demands less than the baseline's, in the open and on top; where it demands more, below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent, names
from raggate_action.report.decision_words import problem_in_words
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Item, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.report.waiver_to_copy import waiver_to_copy
from raggate_action.schema.policy import POLICY_WEAKENED, Waiver
from raggate_action.strings.numbers import count, share
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.policy_change import (
        ChangedCase,
        JudgeChange,
        LostCase,
        PolicyComparison,
        Relief,
        SettingChange,
        Weakening,
    )

_NAMED = 3
_LONGEST = 80
_NOW = {"removed": "was taken out", "known-bad": "is known bad now", "ordinary": "is no longer known bad"}
_NOT_SET = "not set"
_VALUE = re.compile(r"\d+(?:[.,]\d+)*")


def weaker_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """That the suite demands less than on the base branch, what that suite would decide, and the way out."""
    policy = _policy(reporting)
    changes = list(_changes(policy, reporting)) if policy is not None else []
    if policy is None or not changes:
        return
    more = _total(policy, changes) - len(changes[:_NAMED])
    listed = joined("; ", [each.text for each in changes[:_NAMED]]), f"; and {more:,} more" if more else ""
    words = (
        Strong(_heading(policy, reporting.base_name)),
        " ",
        listed,
        ".",
        _outcome(policy, reporting),
        *_way_out(policy, reporting),
    )
    yield FaultLine(words, tuple([row.case_id for row in policy.failing]), "open")


def weaker_items(reporting: Reporting) -> list[Item]:
    """Everything that demands less than on the base branch, where the line under the verdict has no room for all."""
    policy = _policy(reporting)
    changes = list(_changes(policy, reporting)) if policy is not None else []
    return changes if len(changes) > _NAMED else []


def weaker_total(reporting: Reporting) -> int:
    """How many changes there are, with those that the comparison does not list."""
    policy, changes = _policy(reporting), weaker_items(reporting)
    return _total(policy, changes) if policy is not None and changes else 0


def _changes(policy: PolicyComparison, reporting: Reporting) -> Iterator[Item]:
    """Everything that demands less, or other things; what nobody can tell and what waives a case first."""
    from raggate_action.schema.policy_change import LostCase

    first = [each for each in policy.weaker if isinstance(each, LostCase) and (each.unasked or each.fails is not None)]
    weaker = [each for each in policy.weaker if each not in policy.not_comparable and each not in first]
    yield from map(_setting, policy.not_comparable)
    yield from (_weakening(each, policy, reporting) for each in first)
    yield from _waivers(policy)
    yield from (_weakening(each, policy, reporting) for each in weaker)
    yield from (_changed(each, reporting) for each in policy.changed)
    yield from _unknown(policy, reporting.base_name)
    yield from _neutral(policy)


def _total(policy: PolicyComparison, changes: Sequence[Item]) -> int:
    """How many changes there are, with those that the comparison does not list."""
    return len(changes) + policy.weakenings - len(policy.weaker) + policy.other_cases - len(policy.changed)


def stricter_items(reporting: Reporting) -> list[Item]:
    """Settings that demand more than on the base branch."""
    policy = _policy(reporting)
    return list(map(_setting, policy.stricter)) if policy is not None else []


def _policy(reporting: Reporting) -> PolicyComparison | None:
    return reporting.comparison.policy if reporting.comparison is not None else None


def _heading(policy: PolicyComparison, base: str) -> str:
    if _exchanged(policy):
        return f"The suite demands something else than on the {base}:"
    if policy.weakenings or _judges_out(policy):
        return f"The suite demands less than on the {base}:"
    return f"Waived since the {base}:" if policy.waivers else "Changed in the suite:"


def _exchanged(policy: PolicyComparison) -> tuple[str, ...]:
    """The cases that demand other values than before, and as much; empty where anything demands less besides."""
    from raggate_action.schema.policy_change import RelievedCase

    cases = [each for each in policy.weaker if isinstance(each, RelievedCase)]
    are_all = len(cases) == policy.weakenings and not (_judges_out(policy) or policy.not_comparable)
    reliefs = [relief for each in cases for relief in each.reliefs]
    return tuple([each.case_id for each in cases]) if are_all and all(map(_is_exchange, reliefs)) else ()


def _is_exchange(relief: Relief) -> bool:
    """Whether each demand is the same one with another value; other words, a shorter phrase say, may be easier to meet.

    Of a bound one value is stricter than another.
    """
    if relief.withheld or relief.field not in {"must_contain", "required_points", "required_quotes"}:
        return False
    before, after = ([_VALUE.sub("0", each) for each in side] for side in (relief.before, relief.after))
    return before == after and all(map(_VALUE.search, relief.before))


def _outcome(policy: PolicyComparison, reporting: Reporting) -> str:
    """The decision by the baseline's demands, where those are stricter."""
    base = reporting.base_name
    match policy.decision:
        case None:
            return ""
        case "release" if not _is_measured(policy):
            return f" What the {base}'s suite would decide is not known."
        case "release" if reporting.run.decision.kind == "release":
            return f" By the {base}'s suite this is released as well."
        case "release":
            return f" By the {base}'s suite this would be released."
        case _:
            return f" By the {base}'s suite this is {'a block' if policy.decision == 'block' else 'inconclusive'}."


def _is_measured(policy: PolicyComparison) -> bool:
    """Whether every case was judged by the baseline's demands, by those who judged there."""
    from raggate_action.schema.policy_change import LostCase

    unknown = (
        policy.not_comparable,
        policy.unjudged,
        policy.unjudged_settings,
        policy.unknown_permissions,
        policy.checks,
    )
    unheard = [each for each in policy.judges_changed if not each.armed]
    unasked = [each for each in policy.weaker if isinstance(each, LostCase) and each.unasked]
    return not any((*unknown, unheard, unasked))


def _way_out(policy: PolicyComparison, reporting: Reporting) -> Iterator[Text]:
    """What to do where the gate on a weaker suite blocks a release.

    A waiver of the suite as a whole lets no case go that fails; where such cases are all, their lines say what does.
    """
    from raggate_action.schema.policy_change import RelievedCase

    gates = [gate for gate in reporting.run.gates if gate.gate == "policy_weakened" and gate.level == "block"]
    is_red = any(gate.status in {"failed", "unmeasured"} for gate in gates)
    if not is_red or policy.waiver is not None or policy.weakenings <= len(policy.lost_and_wrong):
        return
    relieved = [each.case_id for each in policy.weaker if isinstance(each, RelievedCase) and each.fails]
    open_yet = [each for each in relieved if not _answered_for(each, policy)]
    yield from (" ", Strong("Way out:"), " put it back, or copy ")
    yield from (waiver_to_copy(POLICY_WEAKENED, reporting), " into the suite")
    if open_yet:
        yield from (", with ", Code(f"case: {cut(open_yet[0], _LONGEST)}"), " in it for that case alone")
    yield "; what fails asked once more has a waiver of its own." if policy.lost_and_wrong else "."


def _answered_for(case_id: str, policy: PolicyComparison) -> bool:
    return any(each.case == case_id and each.gate == POLICY_WEAKENED for each in policy.waivers)


def _waivers(policy: PolicyComparison) -> Iterator[Item]:
    known = [policy.waiver] if policy.waiver is not None and policy.waiver not in policy.waivers else []
    for waiver in (*known, *policy.waivers):
        yield Item(("waived: ", *_waived(waiver)))


def _waived(waiver: Waiver) -> tuple[Text, ...]:
    what: tuple[Text, ...] = (Foreign(cut(waiver.gate, 40).replace("_", " ")),)
    what += (" of ", Code(cut(waiver.case, _LONGEST))) if waiver.case else ()
    if waiver.gate == "removed":
        what = (Code(cut(waiver.case, _LONGEST)), " taken out")
    owner, reason = Foreign(cut(waiver.owner, _LONGEST)), Foreign(cut(waiver.reason, _LONGEST))
    return (*what, ", by ", owner, f" until {waiver.expires.isoformat()}: ", reason)


def _weakening(each: Weakening, policy: PolicyComparison, reporting: Reporting) -> Item:
    from raggate_action.schema.policy_change import LeftSlice, LoosenedChunk, LostCase, RelievedCase, SettingChange

    match each:
        case SettingChange():
            return _setting(each)
        case RelievedCase():
            base = reporting.base_name
            how = f"; its answer fails by the {base}'s suite" if each.fails else ""
            how = how if each.judged else f" (not judged by the {base}'s suite)"
            how += "; waived" if _answered_for(each.case_id, policy) else ""
            return Item((Code(cut(each.case_id, _LONGEST)), ": ", _reliefs(each.reliefs, reporting), how))
        case LostCase():
            return Item((Code(cut(each.case_id, _LONGEST)), f" {_NOW[each.now]}", *_lost(each, policy, reporting)))
        case LeftSlice():
            left = names([Code(cut(name, _LONGEST)) for name in each.slices[:_NAMED]], len(each.slices))
            return Item((Code(cut(each.case_id, _LONGEST)), " left the protected slice ", left))
        case LoosenedChunk():
            readers = names([Code(cut(who, 40)) for who in each.before[:_NAMED]], len(each.before), "reader")
            before: Text = readers if each.before else "nobody"
            return Item(("more people may read ", Code(cut(each.chunk_id, _LONGEST)), ": before ", before))


def _lost(lost: LostCase, policy: PolicyComparison, reporting: Reporting) -> Iterator[Text]:
    if lost.unasked:
        yield ", passed on the baseline and could not be asked once more"
        if lost.answer is not None and reporting.shows_texts:
            yield from ("; its last answer: “", Foreign(cut(lost.answer, 2 * _LONGEST)), "”")
    elif lost.fails is not None:
        yield f"; asked once more, it fails by the {reporting.base_name}'s suite: "
        yield Foreign(
            cut(problem_in_words(lost.fails, reporting.base_name), 2 * _LONGEST) if reporting.shows_texts else ""
        )
        yield from ("; put it back, or copy ", waiver_to_copy("removed", reporting, case=lost.case_id))
    elif lost.asked:
        yield f"; asked once more, it passes by the {reporting.base_name}'s suite"
    if lost.failed:
        yield ", and stood wrong on the baseline" if lost.now == "ordinary" else ", and failed on the baseline"
    if lost.waiver in policy.waivers:
        yield "; waived"
    elif lost.waiver is not None:
        yield from ("; waived: ", *_waived(lost.waiver))


def _setting(change: SettingChange) -> Item:
    name = change.setting.replace("_", " ").replace(".", ": ", 1)
    return Item((Foreign(name), " ", _value(change.before, change), " → ", _value(change.after, change)))


def _value(value: str | None, change: SettingChange) -> Text:
    if value is None:
        return "none" if change.setting.startswith("slices.") else _NOT_SET
    return share(Decimal(value)) if change.share else Code(cut(value, _LONGEST))


def _reliefs(reliefs: tuple[Relief, ...], reporting: Reporting) -> Text:
    return joined("; ", [_relief(each, reporting) for each in reliefs])


def _relief(relief: Relief, reporting: Reporting) -> Text:
    field = Foreign(relief.field.replace("_", " "))
    if not reporting.shows_texts:
        return field, f" {len(relief.before)} → {len(relief.after)}"
    before = [_words(relief.before)] if relief.before or not relief.withheld else []
    before += ["words that may not be written"] if relief.withheld else []
    return field, " ", joined(", ", before), " → ", _words(relief.after)


def _words(items: tuple[str, ...]) -> Text:
    if not items:
        return "none"
    return names([Foreign(cut(item, _LONGEST)) for item in items[:_NAMED]], len(items))


def _changed(changed: ChangedCase, reporting: Reporting) -> Item:
    what = Code(cut(changed.case_id, _LONGEST)), " became another case, judged by its new demands alone: "
    return Item((*what, *_other(changed, reporting)))


def _other(changed: ChangedCase, reporting: Reporting) -> Iterator[Text]:
    """The question before and now, and what is no longer demanded."""
    if not reporting.shows_texts:
        yield "another question; "
    else:
        before, after = changed.question_before, changed.question_after
        yield from ("“", Foreign(cut(before, _LONGEST)), "” → “", Foreign(cut(after, _LONGEST)), "”; ")
    yield _reliefs(changed.reliefs, reporting)


def _unknown(policy: PolicyComparison, base: str) -> Iterator[Item]:
    """What cannot be compared with the baseline."""
    if policy.unjudged:
        cases = count(policy.unjudged, "changed case")
        yield Item(f"not comparable: {cases} could not be judged by the {base}'s suite")
    if policy.unjudged_settings:
        yield Item("not comparable: no answer was judged by the baseline's settings for single cases")
    if policy.unknown_permissions:
        yield Item("not comparable: the evidence changed, and who might read what on the baseline is not known")


def _neutral(policy: PolicyComparison) -> Iterator[Item]:
    """Changes that are neither weaker nor stricter, a line for each kind."""
    for change in policy.judges_changed[:_NAMED]:
        yield Item(_judge_change(change))
    if len(policy.judges_changed) > _NAMED:
        yield Item(f"and {count(len(policy.judges_changed) - _NAMED, 'more judge')} changed")
    if policy.checks:
        files = names([_id(file) for file in policy.checks[:_NAMED]], len(policy.checks))
        yield Item(("changed files of custom checks: ", files, "; what they said before was not asked again"))
    if policy.renamed:
        moved = [(_id(old), " → ", _id(new)) for old, new in policy.renamed[:_NAMED]]
        yield Item(("under another id now: ", names(moved, len(policy.renamed))))


def _judges_out(policy: PolicyComparison) -> bool:
    """Whether a judge that counted is gone."""
    return any(each.after is None for each in policy.judges_changed)


def _judge_change(change: JudgeChange) -> tuple[Text, ...]:
    """`ada`, model `a` → `b`; and whether the one there now counts."""
    if change.after is None:
        return "judge taken out: ", _id(change.before)
    before, after = change.models
    is_same = change.before == change.after
    name: tuple[Text, ...] = (_id(change.before),) if is_same else (_id(change.before), " → ", _id(change.after))
    model = (_id(before), " → ", _id(after)) if before != after else (_id(after), ", other parameters or endpoint")
    return "judge changed: ", *name, ", model ", *model, "" if change.armed else "; it only advises now"


def _id(name: str) -> Text:
    return Code(cut(name, _LONGEST))
