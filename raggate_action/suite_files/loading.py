"""A suite file and everything it names, read and checked before anything is asked of the app."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import SuiteError
from raggate_action.schema.ab import Rubric
from raggate_action.schema.base import digest_of
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files import case_names, criteria_checks, suite_checks
from raggate_action.suite_files.ab_arms import with_whole_treatment
from raggate_action.suite_files.ab_checks import check_arms, remarks_on_ab, rubric_of, secrets_of_suite
from raggate_action.suite_files.asked_targets import Beside, asked_target, check_asked, modules_of
from raggate_action.suite_files.calibration_file import Labelled, labelled_answers
from raggate_action.suite_files.case_loading import CaseLoading
from raggate_action.suite_files.case_survey import LabelCounts
from raggate_action.suite_files.cases import Cases
from raggate_action.suite_files.evidence_files import EvidenceLoading
from raggate_action.suite_files.file_reading import CASE_SUFFIXES, CHUNK_SUFFIXES, matching_files, read_text
from raggate_action.suite_files.json_file import read_json
from raggate_action.suite_files.judges_checks import remarks_on_judges
from raggate_action.suite_files.nodes import Node, Scalar, Sequence, child, texts_of
from raggate_action.suite_files.problems import START, FileProblems, Problems, name_text, path_text
from raggate_action.suite_files.records import read_record
from raggate_action.suite_files.yaml_file import read_yaml

_NO_KNOWN_BAD = "no known-bad case: nothing shows that this suite can block; write one with `released: false`"
_NO_MUST_RELEASE = (
    "no case that must be released: nothing shows that this suite lets good answers pass; add `released: true` to one"
)


class LoadedSuite(NamedTuple):
    """A suite, ready to be run.

    Attributes:
        suite: The suite file; `${VARS}` of the target are replaced by their values.
        path: The suite file's path.
        directory: Its folder; relative paths in it are relative to this.
        suite_digest: Digest of the suite file as parsed; no value of the environment is in it.
        target_digest: Digest of the target that is asked; no value of the environment is in it.
        evidence: The evidence store; None when the suite names none.
        cases: The cases.
        secrets: What of the environment's values no output may show.
        remarks: What the author should know and what is no mistake.
        written_target: The target as the file has it, no variable read, whether or not it is the one that is asked.
        labels: How many of its cases say what is right.
        calibration: Answers whose claims people have labelled; empty where the suite has no judges.
        held: Answers of which people say how they stand to facts and criteria; the same.
        rubric: What pairs of answers are scored by; None where the suite compares nothing.
    """

    suite: Suite
    path: Path
    directory: Path
    suite_digest: str
    target_digest: str
    evidence: EvidenceStore | None
    cases: Cases
    secrets: tuple[str, ...]
    remarks: tuple[str, ...]
    written_target: TargetSection
    labels: LabelCounts
    calibration: tuple[LabelledAnswer, ...] = ()
    rubric: Rubric | None = None
    held: tuple[HeldAnswer, ...] = ()


def load_suite(
    path: Path,
    *,
    environment: Mapping[str, str],
    today: date | None = None,
    target: TargetSection | None = None,
    target_url: str | None = None,
    on_this_machine: bool = False,
    arms: bool = False,
) -> LoadedSuite:
    """Read a suite file with its cases and its evidence.

    Args:
        path: The suite file.
        environment: Where `${VARS}` of the target's section come from.
        today: Waivers past this date are problems too; None (a run) leaves them to the decision.
        target: Asked instead of the file's target, whose unset variables are no problem then.
        target_url: Address asked instead of that of the file's http target.
        on_this_machine: Programs, modules and recorded traces that are not there are problems too; a run finds out
            when it asks for them, and decides.
        arms: The two arms are asked instead of the file's target, and unset variables of theirs are problems.

    Raises:
        SuiteError: Everything that is wrong in all files, one line each: `file:line:column: what; what to write`.
        UsageError: `target_url` for a target that has no address, or one that cannot be asked.
    """
    if not path.is_file():
        raise _no_suite(path)
    problems = Problems()
    beside = Beside(today, environment if target is None else None, target_url is None, on_this_machine, arms)
    parts = _parts(path, problems, beside)
    problems.stop_if_any(path)
    if parts is None or parts.suite is None:
        raise SuiteError(f"{path_text(path)} cannot be read", hint="Write a mapping with suite, cases and target.")
    is_read = target is None and not arms
    asked, digest = asked_target(target or parts.suite.target, target_url, environment if is_read else None)
    return LoadedSuite(
        suite=parts.suite.model_copy(update={"target": asked}),
        path=path,
        directory=path.parent,
        suite_digest=digest_of(parts.suite.model_dump(mode="json", exclude_defaults=True)),
        target_digest=digest,
        evidence=parts.evidence,
        cases=Cases(parts.cases),
        secrets=secrets_of_suite(parts.suite, environment),
        remarks=parts.remarks,
        written_target=parts.suite.target,
        labels=parts.labels,
        calibration=tuple([each for each in parts.calibration if isinstance(each, LabelledAnswer)]),
        rubric=parts.rubric,
        held=tuple([each for each in parts.calibration if isinstance(each, HeldAnswer)]),
    )


def _no_suite(path: Path) -> SuiteError:
    """Most who meet this have no suite yet: they are told how to get one."""
    if path.is_dir():
        return SuiteError(
            f"{path_text(path)} is a folder", hint="Name the suite file, as in `check-suite raggate.yaml`."
        )
    init = "`raggate-action init` writes one, with cases and workflows"
    return SuiteError(
        f"{path_text(path)} does not exist",
        hint=f"No suite yet? {init}. Else name its file, as in `check-suite eval/raggate.yaml`.",
    )


class _Parts(NamedTuple):
    """What came of the files; used only when no problem was found."""

    suite: Suite | None
    evidence: EvidenceStore | None
    cases: dict[str, PlacedCase]
    remarks: tuple[str, ...]
    labels: LabelCounts
    calibration: tuple[Labelled, ...]
    rubric: Rubric | None


def calibration_path(suite: Suite, directory: Path) -> Path | None:
    """Where the suite's labelled answers are kept; None where it has no judges."""
    return None if suite.judges is None else directory / suite.judges.calibration


def case_files(path: Path) -> list[Path]:
    """The case files that a suite file names, in its order; none where it cannot be read."""
    own = Problems().within(path)
    root = _suite_node(path, own)
    patterns = texts_of(child(root, "cases"))
    return matching_files(patterns, directory=path.parent, suffixes=CASE_SUFFIXES, problems=own)


def _parts(path: Path, problems: Problems, beside: Beside) -> _Parts | None:
    own = problems.within(path)
    root = with_whole_treatment(_suite_node(path, own))
    if root is None:
        return None
    suite = read_record(Suite, root, own)
    suite_checks.check_suite(root, own, today=beside.today)
    if suite is not None:
        criteria_checks.check_criteria(suite.criteria, child(root, "criteria"), own)
        check_arms(suite, root, own)
    check_asked(root, path.parent, own, beside)
    modules = modules_of(child(root, "target"), path.parent) if beside.on_this_machine else None
    evidence, whole, remarks = _evidence(root, path, problems)
    survey = case_names.survey_of(root)
    criteria = suite.criteria if suite is not None else ()
    loading = CaseLoading(evidence, survey, problems, store_is_whole=whole, modules=modules, criteria=criteria)
    cases = _cases(root, path, problems, loading)
    remarks += (*suite_checks.remarks_on(child(root, "target")), *case_names.remarks_on(survey, root))
    if not survey.known_bad:
        remarks += (_NO_KNOWN_BAD,)
    if not survey.must_release:
        remarks += (_NO_MUST_RELEASE,)
    labels_file = calibration_path(suite, path.parent) if suite is not None else None
    calibration = labelled_answers(labels_file, problems.within(labels_file)) if labels_file is not None else ()
    remarks += (*remarks_on_judges(suite.judges if suite is not None else None), *remarks_on_ab(suite))
    remarks += tuple(criteria_checks.remarks_on(suite, cases.values()))
    rubric = rubric_of(suite, root, path, problems) if suite is not None else None
    return _Parts(suite, evidence, cases, remarks, survey.labels, calibration, rubric)


def _suite_node(path: Path, own: FileProblems) -> Node | None:
    text = read_text(path, own)
    if text is None:
        return None
    if not text.strip():
        own.add(START, "the suite file is empty; write `suite:`, `cases:` and `target:`")
        return None
    return read_json(text, own) if path.suffix.lower() == ".json" else read_yaml(text, own)


def _evidence(root: Node, path: Path, problems: Problems) -> tuple[EvidenceStore | None, bool, tuple[str, ...]]:
    """The store, whether it has every chunk there is, and remarks."""
    section = child(root, "evidence")
    if section is None or (isinstance(section, Scalar) and section.value is None):
        return None, True, ()
    own = problems.within(path)
    patterns = texts_of(section) or texts_of(child(section, "files"))
    if isinstance(section, Sequence) and not section.items:
        own.add(section.mark, "`evidence` names no file; write `evidence: [evidence/*.jsonl]`, or leave it out")
    before = len(problems)
    paths = matching_files(patterns, directory=path.parent, suffixes=CHUNK_SUFFIXES, problems=own)
    all_found = bool(paths) and len(problems) == before
    fields = texts_of(child(section, "text"))
    loading = EvidenceLoading([field.text for field in fields], problems)
    store = loading.read(paths)
    meant = dict(loading.unknown_fields())
    for field in fields:
        if field.text in meant:
            text = f"`text` names `{name_text(field.text)}`, a field that no chunk has"
            own.add(field.mark, f"{text}; did you mean `{name_text(meant[field.text])}`?")
    return store, all_found and loading.all_named, loading.remarks


def _cases(root: Node, path: Path, problems: Problems, loading: CaseLoading) -> dict[str, PlacedCase]:
    section = child(root, "cases")
    own = problems.within(path)
    if isinstance(section, Sequence) and not section.items:
        own.add(section.mark, "`cases` names no file, so the suite is empty; write `cases: [cases/*.yaml]`")
    before = len(problems)
    paths = matching_files(texts_of(section), directory=path.parent, suffixes=CASE_SUFFIXES, problems=own)
    all_found = bool(paths) and len(problems) == before
    cases = loading.read(paths)
    if all_found and loading.all_named:
        case_names.tell_unknown(loading.survey, root, own)
    return cases
