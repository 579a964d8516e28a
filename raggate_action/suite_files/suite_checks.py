"""What no single record can check: patterns, names, dates, judges, required cases; and remarks on a sound suite."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby

from raggate_action.replies.mapping import half_placeholders, has_placeholder
from raggate_action.schema.arm_names import ARMS
from raggate_action.schema.case import Case, Criterion
from raggate_action.schema.later import Ab, JudgeBudget, Member, Waiver
from raggate_action.schema.outcome import GATES
from raggate_action.schema.policy import (
    JUDGES_LOST,
    NEW_SUSPECTS,
    POLICY_WEAKENED,
    POORER,
    REMOVED,
    Gates,
    is_past,
)
from raggate_action.schema.slices import slice_names
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import HttpTarget, RecordedTarget
from raggate_action.suite_files.ab_section import lab_of, members_of, shared_lab_text, shared_labs, synthesizer_of
from raggate_action.suite_files.cases import CaseReading, faults_in_criteria
from raggate_action.suite_files.located_tree import Loc, Node, PlacedFault, key_mark, mark_at
from raggate_action.suite_files.problems import name_text, nearest_word, nearest_word_or, value_text, word_list
from raggate_action.suite_files.target_section import OF_THE_RUNNER

_WAIVABLE = (*GATES, REMOVED, POLICY_WEAKENED, JUDGES_LOST, POORER, NEW_SUSPECTS)
# How ids of hallucinations begin, and the gate they are part of.
_HALLUCINATIONS = {"claim:": "faithfulness", "answered": "faithfulness", "phrase:": "behaviour"}
_FULL = "full"
_LISTED = 5
# A token for the repository, and what tells of the machine: a key is sent to whatever address the suite names.
_NO_KEYS = frozenset(
    {
        "GITHUB_TOKEN", "GH_TOKEN", "PATH", "HOME", "USER", "LOGNAME", "HOSTNAME", "PWD", "OLDPWD", "SHELL", "LANG",
        "TERM", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SSH_AUTH_SOCK",
    }
)  # fmt: skip
# Keys of some providers consist of what a variable's name may consist of.
_LIKE_A_KEY = re.compile(r"(?=.*[a-z])(?=.*[0-9])\w{20,}")
_NAME_OF_ONE = "write the name of a variable that holds it, as in OPENAI_API_KEY; a key itself stands in no file"


def suite_faults(root: Node, suite: Suite, *, today: date | None) -> Iterator[PlacedFault]:
    """What is wrong in a suite file and needs no other file and no environment.

    Args:
        root: The suite file, for the places.
        suite: The record of it.
        today: Waivers past their date are wrong too; None leaves their dates alone.
    """
    for index, marker in enumerate(suite.citation_markers):
        if text := _marker_fault(marker):
            yield mark_at(root, "citation_markers", index), text
    if _FULL in suite.scopes:
        text = "scope `full` is always every case, so that what stands here would not be looked at"
        yield key_mark(root, "scopes", _FULL), f"{text}; give this choice of cases another name"
    for index, text in faults_in_criteria(suite.criteria):
        yield mark_at(root, "criteria", index), text
    for index, waiver in enumerate(suite.waivers):
        yield from ((mark_at(root, "waivers", index, key), text) for key, text in _waiver_faults(waiver, today))
    panel = {}
    if suite.judges is not None:
        panel = {each.name: (("judges", "panel", at), each) for at, each in enumerate(suite.judges.panel)}
        yield from _member_faults(root, panel.values())
    if suite.ab is not None:
        yield from _pair_faults(root, suite, suite.ab, panel)


def _marker_fault(marker: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            groups = re.compile(marker).groupindex
    except (re.error, OverflowError, RecursionError) as error:
        text = f"{value_text(marker)} is not a regular expression: {name_text(str(error))}"
        return f"{text}; correct it, or put a backslash before characters meant as they are"
    if "ids" not in groups:
        return f"{value_text(marker)} has no group `ids`; write (?P<ids>...) around what is cited"
    return ""


def _member_faults(root: Node, members: Iterable[tuple[Loc, Member]]) -> Iterator[PlacedFault]:
    """Check the judges of one panel: the variables of their keys, and that none votes twice.

    Of one model asked in one way a second vote says nothing new.
    """
    seen: dict[str, str] = {}
    for path, member in members:
        key = member.api_key_env or ""
        if _LIKE_A_KEY.fullmatch(key):
            yield mark_at(root, *path, "api_key_env"), f"`api_key_env` looks like a key itself; {_NAME_OF_ONE}"
        elif key.upper() in _NO_KEYS or key.upper().startswith(OF_THE_RUNNER):
            text = f"`api_key_env` names `{name_text(key)}`, which belongs to the workflow's runner or to the machine"
            end = "give the judge a variable of its own by `env:`, as in JUDGE_API_KEY"
            yield mark_at(root, *path, "api_key_env"), f"{text}; {end}"
        what = repr((member.base_url, member.model, member.parameters, member.structured))
        other = seen.setdefault(what, member.name)
        if other != member.name:
            text = f"judge `{name_text(member.name)}` is `{name_text(other)}` once more: the same model, asked alike"
            yield mark_at(root, *path, "model"), f"{text}; take one of them out, or name another model"


def _pair_faults(root: Node, suite: Suite, ab: Ab, panel: Mapping[str, tuple[Loc, Member]]) -> Iterator[PlacedFault]:
    """Check the arms, and the judges of `ab:`: those that are named, and those written there."""
    own = {each.name: each for each in ab.judges if not isinstance(each, str)}
    chosen: list[tuple[Loc, Member]] = []
    for path, named in [*((("ab", "judges", at), each) for at, each in enumerate(ab.judges)),
                        (("ab", "synthesizer"), ab.synthesizer)]:  # fmt: skip
        # Whoever writes the findings may be one of the comparison's own judges.
        known = {**panel, **(own if path[-1] == "synthesizer" else {})}
        if isinstance(named, str) and named not in known:
            otherwise = "the suite has no `judges: panel`: write the judge itself"
            otherwise = f"`judges: panel` has {word_list(known)}" if known else otherwise
            end = nearest_word_or(named, known, otherwise=otherwise)
            yield mark_at(root, *path), f"there is no judge `{name_text(named)}`; {end}"
        elif path[-1] == "synthesizer":
            yield from () if named is None or isinstance(named, str) else _member_faults(root, [(path, named)])
        elif isinstance(named, str):
            chosen.append(panel[named])
        elif named is not None:
            chosen.append((path, named))
            if named.name in panel:
                text = f"judge `{name_text(named.name)}` stands in `judges: panel` already"
                yield mark_at(root, *path, "name"), f"{text}; write its name alone, or give this one a name of its own"
    yield from _member_faults(root, chosen)
    arms = [(arm.model, arm.lab, arm.target or suite.target) for arm in (ab.control, ab.treatment)]
    if arms[0] == arms[1]:
        text = "`treatment:` says nothing that differs from `control:`; write the one thing that does"
        yield mark_at(root, "ab", "treatment"), text
    for shared in shared_labs(suite) if ab.same_lab == "refuse" else ():
        text = f"{shared_lab_text(shared)}, which `same_lab: refuse` forbids"
        yield mark_at(root, "ab", "same_lab"), f"{text}; name another judge, or write `same_lab: disclose`"


def _waiver_faults(waiver: Waiver, today: date | None) -> Iterator[tuple[str, str]]:
    """What is wrong with a waiver, by its key: its gate, its date, the gate of a hallucination."""
    gate, found = waiver.gate, waiver.hallucination
    if gate not in _WAIVABLE:
        known = f"known are {word_list(_WAIVABLE)}"
        fault = f"which there is not; {nearest_word_or(gate, _WAIVABLE, otherwise=known)}"
        if gate in Gates.model_fields:
            fault = f"which judges the whole run: no case can be waived there; {known}"
        yield "gate", f"waiver for gate `{name_text(gate)}`, {fault}"
    if found is not None:
        gates = [name for beginning, name in _HALLUCINATIONS.items() if found.startswith(beginning)]
        if not gates:
            text = f"{value_text(found)} is no hallucination's id"
            yield "hallucination", f"{text}; copy it from the comment, as in claim:3f9a2b7c1d4e5f60"
        elif gate in _WAIVABLE and gate != gates[0]:
            text = f"hallucination {value_text(found)} is no matter of gate `{name_text(gate)}`"
            yield "gate", f"{text}; write `gate: {gates[0]}`"
    if today is not None and is_past(waiver.expires, today):
        of_case = f" for case `{name_text(waiver.case)}`" if waiver.case else ""
        text = f"the waiver{of_case} expired on {waiver.expires}"
        yield "expires", f"{text}; repair the case and take the waiver out, or renew it"


def name_faults(root: Node, suite: Suite, cases: CaseReading) -> Iterator[PlacedFault]:
    """Names in the suite file that no case has. Every case has to have been read."""
    for index, waiver in enumerate(suite.waivers):
        if not waiver.case or waiver.gate == REMOVED:
            continue
        named, mark = f"waiver for case `{name_text(waiver.case)}`, which", mark_at(root, "waivers", index, "case")
        if waiver.case not in cases.by_id:
            end = f"write the id of a case, or `gate: {REMOVED}` if it was taken out"
            if near := nearest_word(waiver.case, cases.by_id):
                end = f"did you mean `{name_text(near)}`? If it was taken out, write `gate: {REMOVED}`"
            yield mark, f"{named} the suite does not have; {end}"
        elif cases.by_id[waiver.case].case.known_bad:
            yield mark, f"{named} is known bad and has to fail: nothing can be waived; take the waiver out"
    by, protected = suite.slices.by, suite.slices.protected
    cut_by = [*((name, mark_at(root, "slices", "by", at)) for at, name in enumerate(by)),
              *((name, key_mark(root, "slices", "protected", name)) for name in protected)]  # fmt: skip
    in_inputs = {key for case in cases.seen if isinstance(case.input, dict) for key in case.input}
    unknown = {name for name, _mark in cut_by} - Case.model_fields.keys() - in_inputs
    for name, mark in cut_by:
        if name in unknown:
            otherwise = "write workflow, category, expect or tags"
            end = nearest_word_or(name, tuple(Case.model_fields), otherwise=otherwise)
            yield mark, f"slices are cut by `{name_text(name)}`, which is no case field and in no case's `input`; {end}"
    values: list[tuple[str, str, str, Loc]] = [
        (field, value, "`protected`", ("slices", "protected", field, at))
        for field, own in protected.items()
        for at, value in enumerate(own)
    ]
    for name, scope in suite.scopes.items():
        by_scope = f"scope `{name_text(name)}`"
        values += [("tags", tag, by_scope, ("scopes", name, "tags", at)) for at, tag in enumerate(scope.tags)]
    ordinary = [case for case in cases.seen if not case.known_bad]
    for field, value, said_by, path in values:
        # A field that is unknown as a whole has been reported.
        if field not in unknown and not has_value(cases.seen, field, value):
            known = {name[len(field) + 1 :] for case in ordinary for name in slice_names(case, (field,))}
            some = [name_text(each) for each in sorted(known)[:_LISTED]]
            more = " and others" if len(known) > len(some) else ""
            otherwise = f"there are {word_list(some)}{more}" if some else "no case has any"
            end = nearest_word_or(value, known, otherwise=otherwise)
            what = "a tag that no case has" if field == "tags" else f"a `{name_text(field)}` that no case has"
            yield mark_at(root, *path), f"{said_by} names `{name_text(value)}`, {what}; {end}"


def has_value(cases: Iterable[Case], field: str, value: str) -> bool:
    """Whether any case has this value of a field, or of a key of its `input`, that distinguishes cases."""
    return any(f"{field}={value}" in slice_names(case, (field,)) for case in cases)


# In English, as most are written.
_LEFT_OUT = re.compile(
    r"\s*(?:it )?(?:(?:does|do|must|should|may|will) not|(?:doesn|don|mustn|shouldn)['’]t|never|avoids)\b",
    re.IGNORECASE,
)


def remarks_on(suite: Suite, cases: Sequence[Case]) -> Iterator[str]:
    """All remarks on a sound suite and its cases, in order."""
    yield from _on_request(suite)
    yield from _on_cases(suite, cases)
    yield from _on_judges(suite)
    yield from _on_ab(suite)
    yield from _on_criteria(suite, cases)
    yield from _on_texts(suite)


def _on_request(suite: Suite) -> Iterator[str]:
    body = suite.target.request.body if isinstance(suite.target, HttpTarget) else None
    if body is None:
        return
    for name in dict.fromkeys(name for name, alone in half_placeholders(body) if not alone):
        yield f"`request: body` says `{{{name}}}`, which is sent as it stands; `{{{{{name}}}}}` would be filled in"
    if not has_placeholder(body):
        yield "`request: body` holds no placeholder such as {{question}}: the app is asked the same for every case"


def _on_cases(suite: Suite, cases: Sequence[Case]) -> Iterator[str]:
    """Settings about cases without effect, and kinds of cases that are missing."""
    for field in dict.fromkeys(suite.slices.by):
        if field in Case.model_fields and not any(slice_names(case, (field,)) for case in cases):
            yield f"slices are cut by `{field}`, which no case has"
    # Without labels in the trace nothing tells an answer that makes a point which is only a name.
    if not (isinstance(suite.target, RecordedTarget) and suite.target.labelled):
        bare = [
            (case.case_id, names[0])
            for case in cases
            if case.required_points and case.trace is None
            if (names := [point.id for point in case.points if not point.is_recognisable])
        ]
        if bare:
            case_id, point = bare[0]
            more = f" (and in {len(bare) - 1} more cases)" if len(bare) > 1 else ""
            yield (
                f"required point `{name_text(point)}` of case `{name_text(case_id)}`{more} has no `answer_phrases`: "
                "rules cannot tell whether an answer makes it, and the gate on points stays unmeasured; write "
                "{value: 6 people}, {id: ..., answer_phrases: [...]}, or what the answer must say as `must_contain`"
            )
    known_bad = [case for case in cases if case.known_bad]
    for field, values in suite.slices.protected.items():
        for value in dict.fromkeys(values):
            if has_value(known_bad, field, value) and not has_value(
                (case for case in cases if not case.known_bad), field, value
            ):
                yield (
                    f"protected slice `{name_text(field)}={name_text(value)}` holds known-bad cases alone, "
                    "which are in no slice: it judges nothing"
                )
    if not known_bad:
        yield "no known-bad case: nothing shows that this suite can block; write one with `released: false`"
    if not any(case.released for case in cases):
        yield (
            "no case that must be released: nothing shows that this suite lets good answers pass; add `released: true` "
            "to one"
        )


def _on_judges(suite: Suite) -> Iterator[str]:
    if suite.judges is None:
        return
    yield from _price_warnings("judges", suite.judges.panel, suite.judges.budget)
    by_lab = sorted(suite.judges.panel, key=lambda member: member.lab.casefold())
    for lab, of_lab in groupby(by_lab, key=lambda member: member.lab.casefold()):
        names = [member.name for member in of_lab]
        if len(names) > 1:
            yield f"judges: {', '.join(names)} are of one lab ({name_text(lab)}): judges of one lab share their faults"


def _on_ab(suite: Suite) -> Iterator[str]:
    if suite.ab is None:
        return
    panel = {member.name for member in suite.judges.panel} if suite.judges is not None else set()
    paid = {member.name: member for member in (*members_of(suite), *filter(None, [synthesizer_of(suite)]))}
    yield from _price_warnings("ab", [each for name, each in paid.items() if name not in panel], suite.ab.budget)
    for shared in shared_labs(suite):
        yield f"ab: {shared_lab_text(shared)}: every headline is told without them as well"
    unnamed = [name for name in ARMS if lab_of(suite.ab, name) is None]
    if unnamed:
        text = f"ab: nobody says who trained the model of {' and '.join(unnamed)}"
        yield f"{text}; write `lab:`, or a judge of the same lab goes unnoticed"


def _on_texts(suite: Suite) -> Iterator[str]:
    """What people and judges cannot do later because a run keeps no whole chunk."""
    if suite.texts == "full" or (suite.texts == "quotes" and suite.evidence is not None):
        return
    other = "give the suite an evidence store" if suite.evidence is None else "`texts: quotes`"
    if suite.texts == "ids" and suite.evidence is None:
        other = "`texts: quotes` and an evidence store"
    way = f"write `texts: full` (the run directory then holds every chunk), or {other}"
    if suite.judges is not None:
        yield f"judges: a run keeps no whole chunk (`texts: {suite.texts}`), so no claim of it can be labelled: {way}"


def _price_warnings(section: str, members: Iterable[Member], budget: JudgeBudget) -> Iterator[str]:
    """That prices are unknown, where they are."""
    unpriced = [member.name for member in members if member.price is None]
    if unpriced:
        text = f"{section}: the price of {', '.join(unpriced)} is unknown, so that what is paid is not counted"
        bound = budget.usd is not None and budget.tokens is None
        yield f"{text} and no budget in dollars binds; write `price:`, or a budget in tokens" if bound else text


def _on_criteria(suite: Suite, cases: Sequence[Case]) -> Iterator[str]:
    """Criteria that judge nothing.

    Without judges nobody can tell whether answers meet them. And whoever says that one does has to quote words of it,
    while none of them show that something is left out.
    """
    having = [case for case in cases if case.criteria]
    if having and suite.judges is None:
        yield f"criteria of {_named(having)} are judged by nobody; name judges (`judges:`)"
    denying = [case for case in having if any(map(_denies, case.criteria))]
    if denying:
        first = next(each for each in denying[0].criteria if _denies(each))
        text = (
            f"criteria of {_named(denying)} ask that something is left out, as {value_text(first)}, which no words show"
        )
        yield f"{text}; write it as `{{must_not: ...}}`"


def _named(cases: Sequence[Case]) -> str:
    more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
    return f"case `{name_text(cases[0].case_id)}`{more}"


def _denies(criterion: Criterion) -> bool:
    return isinstance(criterion, str) and _LEFT_OUT.match(criterion) is not None
