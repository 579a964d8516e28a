"""A run as it is asked for, and the plan it comes to before anybody is asked."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.isolation.child_user import ChildUser
from raggate_action.run.case_selection import chosen_positions
from raggate_action.run.clock import moment_now
from raggate_action.run.run_session import judging_digest
from raggate_action.run.stored_runs import refuse_own_traces
from raggate_action.schema.base import parse_moment
from raggate_action.schema.history import HistoryLine
from raggate_action.schema.later import BaselineNote, Member, Origin
from raggate_action.schema.run import Invocation, Policy, Provenance, StartedRun, SuiteCase
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.ab_section import RunArm
from raggate_action.suite_files.secret_values import keys_of_members
from raggate_action.targets.interface import Target
from raggate_action.version import __version__

# With its mark a commit is as long as texts show of it.
_COMMIT = 11
_GIT_S = 1.0


class RunRequest(NamedTuple):
    """What is to be run.

    Attributes:
        loaded: The suite.
        suite_file: Its file as the user gave it.
        scope: Which scope of it.
        case_ids: Only these cases; empty is the whole scope.
        invocation: What else the command line said, for whoever repeats the run.
        baseline: The run to compare with; None compares with nothing.
        out: The run directory.
        resume: Go on with the unfinished run in `out`.
        enforce: Fail on block and inconclusive, or only advise; None is as the suite says.
        target: Asked instead of the suite's; None asks the suite's.
        notes: What a reader has to know of how the run came about, one sentence each.
        origin: The workflow run it is made in; None on a laptop.
        baseline_note: How the baseline was found; None where nobody looked for one.
        child_user: Whom the suite's programs run as; ourselves when None.
        reuse: What judges said in earlier runs is used again.
        history: The runs before it, of one that is compared with nothing.
        quiet: Nothing is said while it goes on.
        arms: Asked side by side instead of the suite's app, control first; none asks the app.
    """

    loaded: LoadedSuite
    suite_file: str
    scope: str
    out: Path
    case_ids: tuple[str, ...] = ()
    invocation: Invocation = Invocation()
    baseline: BaselineIndex | None = None
    resume: bool = False
    enforce: bool | None = None
    target: Target | None = None
    notes: tuple[str, ...] = ()
    origin: Origin | None = None
    baseline_note: BaselineNote | None = None
    child_user: ChildUser | None = None
    reuse: bool = True
    history: tuple[HistoryLine, ...] = ()
    quiet: bool = False
    arms: tuple[RunArm, ...] = ()

    @property
    def before(self) -> tuple[HistoryLine, ...]:
        """The runs of its branch before it."""
        return self.baseline.history if self.baseline is not None else self.history

    @property
    def demands_keys(self) -> bool:
        """Whether a judge's key that is not set is a fault: in a workflow, unless its change is a stranger's.

        A stranger's change gets no secrets, and a laptop need not have them.
        """
        if self.origin is not None:
            return not self.origin.fork
        return os.environ.get("GITHUB_ACTIONS") == "true"

    def lacking_keys(self, members: Collection[Member]) -> str | None:
        """The keys for which none of the judges is asked, as in `A_KEY is not set`; None where they are asked.

        Where keys are demanded all are asked, and the calls of a judge without its key are lost like those of a judge
        whose key is refused.
        """
        named = dict.fromkeys(each.api_key_env for each in members if each.api_key_env is not None)
        keys = keys_of_members(members, os.environ)
        unset = [name for name in named if name not in keys]
        if not unset or self.demands_keys:
            return None
        return f"{', '.join(unset)} {'is' if len(unset) == 1 else 'are'} not set"


class Plan(NamedTuple):
    """What a request comes to.

    Attributes:
        request: What was asked for.
        policy: What it is decided by.
        positions: Cases to run; None is all.
    """

    request: RunRequest
    policy: Policy
    positions: tuple[int, ...] | None

    @property
    def loaded(self) -> LoadedSuite:
        """The suite."""
        return self.request.loaded

    @property
    def asked(self) -> tuple[LoadedSuite, ...]:
        """The suite for everybody who is asked: with its own app, or with each arm as if that were its app."""
        return tuple(map(self.of_arm, self.request.arms)) or (self.loaded,)

    def of_arm(self, arm: RunArm) -> LoadedSuite:
        """The suite as if the arm were its app."""
        suite = self.loaded.suite.model_copy(update={"target": arm.target})
        return self.loaded._replace(suite=suite, target_digest=arm.digest, written_target=arm.written)

    @property
    def cases(self) -> int:
        """How many cases are in scope."""
        return len(self.loaded.cases) if self.positions is None else len(self.positions)

    def suite_cases(self) -> Iterator[SuiteCase]:
        """Every case of the suite: id, digest, whether it is in scope."""
        chosen = None if self.positions is None else frozenset(self.positions)
        for position, (case_id, digest) in enumerate(self.loaded.cases.index()):
            yield case_id, digest, chosen is None or position in chosen

    def notes(self) -> Iterator[str]:
        """What a reader has to know of what was not looked at, one sentence each."""
        if self.policy.no_context:
            yield (
                "The suite says that the app reports no context: of an answer without it, neither what was retrieved "
                "nor whether it is made up nor what it cites was judged; declines, phrases, tools and time were."
            )
        elif self.loaded.evidence is None:
            yield (
                "No evidence store was given: permission, freshness, versions and unknown ids were not checked, and "
                "the traces' own text was taken as the evidence."
            )


def planned(request: RunRequest) -> Plan:
    """What a request comes to.

    Raises:
        UsageError: A scope or case that the suite does not have, or traces that lie in the run directory itself.
    """
    suite = request.loaded.suite
    positions = chosen_positions(request.loaded, request.scope, case_ids=request.case_ids, baseline=request.baseline)
    policy = Policy(
        gates=suite.gates,
        slices=suite.slices,
        waivers=suite.waivers,
        texts=suite.texts,
        enforce=suite.enforce,
        overruled=request.enforce,
        citations=suite.pipeline is not None and suite.pipeline.citations,
        no_context=suite.pipeline is not None and suite.pipeline.has_no_context,
        language=suite.language,
        citation_markers=suite.citation_markers,
        target=request.loaded.written_target.kind,
        labelled=isinstance(request.loaded.written_target, RecordedTarget) and request.loaded.written_target.labelled,
    )
    plan = Plan(request, policy, positions)
    if request.target is None:
        for loaded in plan.asked:
            refuse_own_traces(loaded, request.out)
    return plan


def _commit(folder: Path) -> str | None:
    """The commit that a folder is at, with a `+` where tracked files have changed since; None where git cannot say.

    It is known in a moment or not at all: no run fails or waits for it.
    """
    here = folder.resolve()
    if not any((each / ".git").exists() for each in (here, *here.parents)):
        return None
    import subprocess  # outside a repository nobody needs it

    # No hook of a file watcher, and no lock that a commit of the user would meet.
    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "describe", "--always", "--dirty=+"]
    command += ["--exclude=*", f"--abbrev={_COMMIT}"]
    try:
        done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True, timeout=_GIT_S)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout.strip() or None


def started_run(plan: Plan) -> StartedRun:
    """The run as it begins, at this moment."""
    loaded = plan.loaded
    return StartedRun(
        **begun(plan, moment_now()),
        provenance=Provenance(
            raggate_version=__version__,
            suite_digest=loaded.suite_digest,
            cases_digest=loaded.cases.cases_digest,
            evidence_digest=loaded.evidence.digest if loaded.evidence is not None else None,
            target_digest=loaded.target_digest,
            judging_digest=judging_digest(loaded.suite),
            git_sha=os.environ.get("GITHUB_SHA") or _commit(loaded.directory),
        ),
        policy=plan.policy,
        by_suite=plan.request.baseline.run.suite_digest if plan.request.baseline is not None else None,
    )


def begun(plan: Plan, now: str) -> dict[str, Any]:
    """What every run begins with, of one arm or of two: what was asked, and when."""
    return {
        "suite": plan.loaded.suite.suite,
        "suite_file": plan.request.suite_file,
        "scope": plan.request.scope,
        "case_filter": tuple(sorted(plan.request.case_ids)),
        "started_at": now,
        "as_of": now,
    }


def run_id_of(suite: str, started_at: str) -> str:
    """A run as the rows of its judges name it."""
    return f"{suite}-{parse_moment(started_at):%Y%m%dT%H%M%SZ}"
