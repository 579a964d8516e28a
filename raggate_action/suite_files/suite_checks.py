"""What no single record can check: patterns, names, dates, judges, required cases; and remarks on a sound suite."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby

from raggate_action.replies.mapping import half_placeholders, has_placeholder
from raggate_action.schema.arm_names import ARMS
from raggate_action.schema.case import Case, Criterion
from raggate_action.schema.later import JudgeBudget, Member
from raggate_action.schema.outcome import GATES
from raggate_action.schema.policy import JUDGES_LOST, NEW_SUSPECTS, POLICY_WEAKENED, POORER, REMOVED, Gates, is_past
from raggate_action.schema.slices import slice_names
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import HttpTarget, RecordedTarget
from raggate_action.suite_files.ab_section import lab_of, members_of, shared_lab_text, shared_labs, synthesizer_of
from raggate_action.suite_files.cases import CaseReading, faults_in_criteria
from raggate_action.suite_files.located_tree import (
    MappingNode,
    Node,
    WrittenText,
    child,
    children,
    json_value,
    mark_at,
    members,
    texts_at,
    written_text,
)
from raggate_action.suite_files.problems import (
    FileProblems,
    name_text,
    nearest_word,
    nearest_word_or,
    value_text,
    word_list,
)
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


def check_suite(root: Node, suite: Suite | None, problems: FileProblems, *, today: date | None) -> None:
    """Check everything that needs no other file and no environment.

    Args:
        root: The suite file.
        suite: The record of it; None where none could be made.
        problems: Where mistakes are reported.
        today: Waivers past their date are problems too; None leaves their dates alone.
    """
    _check_citation_markers(root, problems)
    for name, entry in members(root, "scopes"):
        if name == _FULL:
            text = "scope `full` is always every case, so that what stands here would not be looked at"
            problems.add(entry.key_mark, f"{text}; give this choice of cases another name")
    _check_members(children(root, "judges", "panel"), problems)
    _check_judges_of_pairs(root, problems)
    for waiver in _waivers(root):
        _check_waiver(waiver, problems, today)
    if suite is not None:
        for index, text in faults_in_criteria(suite.criteria):
            problems.add(mark_at(root, "criteria", index), text)
        _check_arms(suite, root, problems)


def _check_citation_markers(suite: Node, problems: FileProblems) -> None:
    for marker in texts_at(suite, "citation_markers"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                groups = re.compile(marker.text).groupindex
        except (re.error, OverflowError, RecursionError) as error:
            text = f"{value_text(marker.text)} is not a regular expression: {name_text(str(error))}"
            problems.add(marker.mark, f"{text}; correct it, or put a backslash before characters meant as they are")
            continue
        if "ids" not in groups:
            text = f"{value_text(marker.text)} has no group `ids`; write (?P<ids>...) around what is cited"
            problems.add(marker.mark, text)


def _check_members(members: Iterable[Node], problems: FileProblems) -> None:
    """Check the judges of one panel: the variables of their keys, and that none votes twice.

    Of one model asked in one way a second vote says nothing new.
    """
    seen: dict[str, str] = {}
    for member in members:
        if key := written_text(member, "api_key_env"):
            if _LIKE_A_KEY.fullmatch(key.text):
                problems.add(key.mark, f"`api_key_env` looks like a key itself; {_NAME_OF_ONE}")
            elif key.text.upper() in _NO_KEYS or key.text.upper().startswith(OF_THE_RUNNER):
                text = f"`api_key_env` names `{name_text(key.text)}`, which belongs to the workflow's runner or to the"
                end = "give the judge a variable of its own by `env:`, as in JUDGE_API_KEY"
                problems.add(key.mark, f"{text} machine; {end}")
        name, model = written_text(member, "name"), written_text(member, "model")
        if name is None or model is None:
            continue
        keys = ("base_url", "model", "parameters", "structured")
        what = repr([json_value(node) if (node := child(member, key)) is not None else None for key in keys])
        if what in seen and seen[what] != name.text:
            text = f"judge `{name_text(name.text)}` is `{name_text(seen[what])}` once more: the same model, asked alike"
            problems.add(model.mark, f"{text}; take one of them out, or name another model")
        seen.setdefault(what, name.text)


def _check_judges_of_pairs(suite: Node, problems: FileProblems) -> None:
    """Check the judges of `ab:`: those that are named, and those written there."""
    panel = children(suite, "judges", "panel")
    known = {name.text: each for each in panel if (name := written_text(each, "name")) is not None}
    judges, synthesizer = children(suite, "ab", "judges"), child(suite, "ab", "synthesizer")
    own = [each for each in judges if isinstance(each, MappingNode)]
    here = {name.text: each for each in own if (name := written_text(each, "name")) is not None}
    chosen = []
    for node in (*judges, synthesizer):
        name = written_text(node)
        if name is None or not name.text:
            continue
        # Whoever writes the findings may be one of the comparison's own judges.
        all_known = {**known, **(here if node is synthesizer else {})}
        if name.text not in all_known:
            otherwise = "the suite has no `judges: panel`: write the judge itself"
            end = nearest_word_or(
                name.text,
                all_known,
                otherwise=f"`judges: panel` has {word_list(all_known)}" if all_known else otherwise,
            )
            problems.add(name.mark, f"there is no judge `{name_text(name.text)}`; {end}")
        elif node is not synthesizer:
            chosen.append(known[name.text])
    for each in own:
        name = written_text(each, "name")
        if name is not None and name.text in known:
            text = f"judge `{name_text(name.text)}` stands in `judges: panel` already"
            problems.add(name.mark, f"{text}; write its name alone, or give this one a name of its own")
    _check_members([*chosen, *own], problems)
    if isinstance(synthesizer, MappingNode):
        _check_members([synthesizer], problems)


def _check_arms(suite: Suite, root: Node, problems: FileProblems) -> None:
    """Check what a sound suite says of its arms and labs."""
    ab = suite.ab
    if ab is None:
        return
    differing = [(arm.model, arm.lab, arm.target or suite.target) for arm in (ab.control, ab.treatment)]
    if differing[0] == differing[1]:
        text = "`treatment:` says nothing that differs from `control:`; write the one thing that does"
        problems.add(mark_at(root, "ab", "treatment"), text)
    for shared in shared_labs(suite) if ab.same_lab == "refuse" else ():
        text = f"{shared_lab_text(shared)}, which `same_lab: refuse` forbids"
        problems.add(mark_at(root, "ab", "same_lab"), f"{text}; name another judge, or write `same_lab: disclose`")


def _waivers(suite: Node) -> list[MappingNode]:
    return [item for item in children(suite, "waivers") if isinstance(item, MappingNode)]


def _check_waiver(waiver: MappingNode, problems: FileProblems, today: date | None) -> None:
    gate = written_text(waiver, "gate")
    if gate and gate.text not in _WAIVABLE:
        known = f"known are {word_list(_WAIVABLE)}"
        if gate.text in Gates.model_fields:
            fault = f"which judges the whole run: no case can be waived there; {known}"
        else:
            fault = f"which there is not; {nearest_word_or(gate.text, _WAIVABLE, otherwise=known)}"
        problems.add(gate.mark, f"waiver for gate `{name_text(gate.text)}`, {fault}")
    _check_hallucination(waiver, problems)
    expires = written_text(waiver, "expires")
    last_day = _day(expires.text) if expires else None
    if expires and last_day and today and is_past(last_day, today):
        case = written_text(waiver, "case")
        of_case = f" for case `{name_text(case.text)}`" if case else ""
        text = f"the waiver{of_case} expired on {last_day}; repair the case and take the waiver out, or renew it"
        problems.add(expires.mark, text)


def _check_hallucination(waiver: MappingNode, problems: FileProblems) -> None:
    """That a hallucination is named by an id, and waived at the gate that it is part of."""
    found, gate = written_text(waiver, "hallucination"), written_text(waiver, "gate")
    if found is None:
        return
    gates = [name for beginning, name in _HALLUCINATIONS.items() if found.text.startswith(beginning)]
    if not gates:
        text = (
            f"{value_text(found.text)} is no hallucination's id; copy it from the comment, as in claim:3f9a2b7c1d4e5f60"
        )
        problems.add(found.mark, text)
    elif gate and gate.text in _WAIVABLE and gate.text != gates[0]:
        text = f"hallucination {value_text(found.text)} is no matter of gate `{name_text(gate.text)}`"
        problems.add(gate.mark, f"{text}; write `gate: {gates[0]}`")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def check_names(suite: Node, cases: CaseReading, problems: FileProblems) -> None:
    """Report names in the suite file that no case has. Every case has to have been read."""
    for waiver in _waivers(suite):
        gate, case = written_text(waiver, "gate"), written_text(waiver, "case")
        if case is None or (gate and gate.text == REMOVED):
            continue
        named = f"waiver for case `{name_text(case.text)}`, which"
        if case.text not in cases.by_id:
            end = f"write the id of a case, or `gate: {REMOVED}` if it was taken out"
            if near := nearest_word(case.text, cases.by_id):
                end = f"did you mean `{name_text(near)}`? If it was taken out, write `gate: {REMOVED}`"
            problems.add(case.mark, f"{named} the suite does not have; {end}")
        elif cases.by_id[case.text].case.known_bad:
            problems.add(case.mark, f"{named} is known bad and has to fail: nothing can be waived; take the waiver out")
    protected = list(members(suite, "slices", "protected"))
    cut_by = [*texts_at(suite, "slices", "by"), *[WrittenText(name, entry.key_mark) for name, entry in protected]]
    known_keys = {
        *Case.model_fields,
        *(key for case in cases.seen if isinstance(case.input, dict) for key in case.input),
    }
    unknown = {name.text for name in cut_by} - known_keys
    for name in cut_by:
        if name.text in unknown:
            end = nearest_word_or(
                name.text, tuple(Case.model_fields), otherwise="write workflow, category, expect or tags"
            )
            text = f"slices are cut by `{name_text(name.text)}`, which is no case field and in no case's `input`"
            problems.add(name.mark, f"{text}; {end}")
    values = [(field, each, "`protected`") for field, entry in protected for each in texts_at(entry.node)]
    for scope, entry in members(suite, "scopes"):
        by = f"scope `{name_text(scope)}`"
        values += [("tags", tag, by) for tag in texts_at(entry.node, "tags")]
    for field, value, by in values:
        # A field that is unknown as a whole has been reported.
        if field not in unknown and not has_value(cases.seen, field, value.text):
            known = {
                name[len(field) + 1 :]
                for case in cases.seen
                if not case.known_bad
                for name in slice_names(case, (field,))
            }
            some = [name_text(each) for each in sorted(known)[:_LISTED]]
            more = " and others" if len(known) > len(some) else ""
            end = nearest_word_or(
                value.text, known, otherwise=f"there are {word_list(some)}{more}" if some else "no case has any"
            )
            what = "a tag that no case has" if field == "tags" else f"a `{name_text(field)}` that no case has"
            problems.add(value.mark, f"{by} names `{name_text(value.text)}`, {what}; {end}")


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
