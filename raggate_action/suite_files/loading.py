"""A suite file and the files it names, read and checked before the app is called."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import SuiteError
from raggate_action.schema.base import digest_of
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.later import HeldAnswer, LabelledAnswer, Rubric
from raggate_action.schema.policy import Texts
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files.ab_section import with_whole_treatment
from raggate_action.suite_files.accepted_labels import ACCEPTED, AcceptedLabels
from raggate_action.suite_files.callable_check import Modules
from raggate_action.suite_files.cases import CaseReading, Cases
from raggate_action.suite_files.evidence_files import EvidenceReader
from raggate_action.suite_files.file_reading import matching_files, read_text
from raggate_action.suite_files.json_file import read_json
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.located_tree import Node, SequenceNode, child, texts_at
from raggate_action.suite_files.problems import START, FileProblems, Problems, path_text
from raggate_action.suite_files.rubric_file import rubric_of
from raggate_action.suite_files.secret_values import secrets_of_suite
from raggate_action.suite_files.suite_checks import name_faults, remarks_on, suite_faults
from raggate_action.suite_files.target_section import run_target, target_faults
from raggate_action.suite_files.yaml_file import read_yaml


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
        accepted: The labels beside the cases, which are merged into them.
        remarks: What the author should know and what is no mistake.
        written_target: The target as the file has it, no variable read, whether or not it is the one that is asked.
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
    accepted: AcceptedLabels
    secrets: tuple[str, ...]
    remarks: tuple[str, ...]
    written_target: TargetSection
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
    top: Path | None = None,
    labels: Path | None = None,
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
        top: Files below it are called by their path from there; None calls them as people see them from here.
        labels: Read instead of the file of labels that the suite names.

    Raises:
        SuiteError: Everything that is wrong in all files, one line each: `file:line:column: what; what to write`.
        UsageError: `target_url` for a target that has no address, or one that cannot be asked.
    """
    if not path.is_file():
        raise _no_suite(path)
    problems = Problems(top)
    own = problems.within(path)
    root = _suite_node(path, own)
    if root is None:
        raise problems.error(path)
    root = with_whole_treatment(root)
    suite = read_record(Suite, root, own)
    if suite is not None:
        # Variables of the file's targets are looked up where these are asked.
        of_targets, used = environment if target is None else None, {"with_url": target_url is None, "arms": arms}
        own.extend(suite_faults(root, suite, today=today))
        own.extend(target_faults(root, suite, path.parent, of_targets, on_this_machine=on_this_machine, **used))
    evidence = EvidenceReader(problems)
    evidence.read(root, path)
    modules = Modules(path.parent, ours=child(root, "target", "python") is None) if on_this_machine else None
    criteria = suite.criteria if suite is not None else ()
    accepted = AcceptedLabels(path, problems)
    store = evidence.store if evidence.is_whole else None
    cases = CaseReading(accepted, store, problems, modules=modules, criteria=criteria)
    _read_cases(root, suite, path, cases, own)
    labelled = _Labels()
    if suite is not None and suite.judges is not None:
        labelled = _labels(labels or path.parent / suite.judges.calibration, problems)
    rubric = None if suite is None else rubric_of(suite, root, path, problems)
    if suite is None or len(problems):
        raise problems.error(path)
    of_target = environment if target is None and not arms else None
    run_section, digest = run_target(target or suite.target, target_url, of_target)
    return LoadedSuite(
        suite=suite.model_copy(update={"target": run_section, "texts": _texts_here(suite, environment)}),
        path=path,
        directory=path.parent,
        suite_digest=digest_of(suite.model_dump(mode="json", exclude_defaults=True)),
        target_digest=digest,
        evidence=evidence.store,
        cases=Cases(cases.by_id.values()),
        accepted=accepted,
        secrets=secrets_of_suite(suite, environment),
        remarks=(*evidence.remarks, *cases.remarks, *accepted.unknown(cases.by_id), *remarks_on(suite, [*cases.seen])),
        written_target=suite.target,
        calibration=labelled.calibration,
        rubric=rubric,
        held=labelled.held,
    )


def _texts_here(suite: Suite, environment: Mapping[str, str]) -> Texts:
    """The texts a run may hold: as the suite says, else all but where anybody may download them."""
    return "quotes" if "texts" not in suite.model_fields_set and is_public(environment) else suite.texts


def is_public(environment: Mapping[str, str]) -> bool:
    """Whether anybody may download what a workflow stores; where its event does not tell, it may be so."""
    if not environment.get("GITHUB_ACTIONS"):
        return False
    try:
        event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_bytes())
        return bool(event["repository"]["private"] is not True)
    except (KeyError, OSError, TypeError, ValueError):
        return True


class _Labels(NamedTuple):
    """What people labelled; see `LoadedSuite`."""

    calibration: tuple[LabelledAnswer, ...] = ()
    held: tuple[HeldAnswer, ...] = ()


def _labels(file: Path, problems: Problems) -> _Labels:
    from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
    from raggate_action.suite_files.calibration_file import labelled_answers

    read = labelled_answers(file, problems.within(file))
    return _Labels(
        tuple([each for each in read if isinstance(each, LabelledAnswer)]),
        tuple([each for each in read if isinstance(each, HeldAnswer)]),
    )


def _no_suite(path: Path) -> SuiteError:
    """The error without a suite file: it says how to get one."""
    if path.is_dir():
        return SuiteError(f"{path_text(path)} is a folder", hint="Name the suite file, as in `check raggate.yaml`.")
    init = "`raggate-action init` writes one, with cases and workflows"
    return SuiteError(
        f"{path_text(path)} does not exist",
        hint=f"No suite yet? {init}. Else name its file, as in `check eval/raggate.yaml`.",
    )


def _suite_node(path: Path, own: FileProblems) -> Node | None:
    text = read_text(path, own)
    if text is None:
        return None
    if not text.strip():
        own.add(START, "the suite file is empty; write `suite:`, `cases:` and `target:`")
        return None
    return read_json(text, own) if path.suffix.lower() == ".json" else read_yaml(text, own)


def _read_cases(root: Node, suite: Suite | None, path: Path, cases: CaseReading, own: FileProblems) -> None:
    section = child(root, "cases")
    if isinstance(section, SequenceNode) and not section.items:
        own.add(section.mark, "`cases` names no file, so the suite is empty; write `cases: [cases/*.yaml]`")
    before = len(own)
    paths = _case_paths(section, path, own)
    all_found = bool(paths) and len(own) == before
    cases.read(paths)
    if suite is not None and all_found and cases.is_whole:
        own.extend(name_faults(root, suite, cases))


def case_files(path: Path) -> list[Path]:
    """The case files that a suite file names, in its order; empty where it cannot be read."""
    own = Problems().within(path)
    return _case_paths(child(_suite_node(path, own), "cases"), path, own)


def _case_paths(section: Node | None, path: Path, own: FileProblems) -> list[Path]:
    found = matching_files(texts_at(section), directory=path.parent, problems=own)
    accepted = (path.parent / ACCEPTED).resolve()
    return [each for each in found if each.resolve() != accepted]
