"""The baseline run, kept small: what a comparison and a choice of cases need of each case, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date
from typing import Literal, NamedTuple

from raggate_action.core.claims.false_claim_identity import MATCHED_AT_MOST, ClaimMeaning, statement_in, statement_of
from raggate_action.core.comparison.own_rate import FalseAnswers
from raggate_action.core.comparison.same_judges import JudgedBy, measured_gates
from raggate_action.core.counting.case_state import (
    citation_faults,
    hundredths,
    known_as,
    suspects_in,
    was_answered,
    was_run,
)
from raggate_action.core.counting.chunk_sources import sources_of
from raggate_action.core.counting.waivers import Standing, StandingState, Waivers
from raggate_action.core.text.text import words_alone
from raggate_action.schema.case_run import (
    CaseRun,
    Claim,
    Finding,
    Hallucination,
    LabelPassage,
    answers_of,
    is_certainly_false,
)
from raggate_action.schema.history import HistoryLine
from raggate_action.schema.later import (
    Judgement,
    MainAnswers,
    NotJudgedAgain,
    StoredSuite,
)
from raggate_action.schema.outcome import GateName, StageName
from raggate_action.schema.run import Policy, Run, SuiteCase
from raggate_action.schema.trace import Trace
from raggate_action.strings.visible_text import cut

# Only fixed hallucinations are shown from here; the others are shown from the head's rows.
_TEXT_LENGTH = 200
# Kept of every case, since any may get worse: what a reader takes in at a glance.
_ANSWER_LENGTH = 300
_NOTHING_FOUND: frozenset[int] = frozenset()
# A flaky case's own answer passed.
HAD_PASSED = frozenset({"passed", "flaky"})
_RIGHT, _NO_ANSWER = FalseAnswers(0, 1), FalseAnswers()


class Then(NamedTuple):
    """How a case stood on the baseline, the baseline's own waivers considered. Few differ, so they are shared.

    Attributes:
        state: State after waivers.
        stage: First failed stage that was not waived.
        answered: The target gave an answer, or did not have to.
        asserted: The answer is known to say something, or to decline as expected; see `says_nothing`.
        admissible: The admissibility gate passed.
        ran: See `was_run`.
        hallucinating: A hallucination that is not waived.
        score: In hundredths; None without one.
        kept_time: It was measured against a limit of its time, and kept it.
        passed: See `passes`.
    """

    state: StandingState
    stage: StageName | None
    answered: bool
    asserted: bool
    admissible: bool
    ran: bool
    hallucinating: bool
    score: int | None
    kept_time: bool = False
    passed: bool = False


class PastHallucination(NamedTuple):
    """A hallucination of the baseline: its key, the text that reports quote when it is fixed, and its meaning."""

    key: str
    kind: Literal["claim", "phrase", "answered"]
    text: str
    chunk_id: str | None
    said: ClaimMeaning = ClaimMeaning()


class PastCase(NamedTuple):
    """A case of the baseline's suite.

    Attributes:
        digest: Digest of the case.
        in_scope: It was to be run.
        then: How it stood; None for a case that was not run, for a known-bad one, and for one that is not comparable.
        hallucinations: Those found, waived or not.
        suspects: Keys of the findings that made a claim suspect.
        met: Numbers of the demands on phrases and tools that it met; see `Musts`.
        recalled: Numbers of the required sources and quotes that were found and kept; see `CaseRun`.
        citation_faults: See `citation_faults`.
        doubtful: What the suspect claims say that are no hallucinations.
        answer: The beginning of the answer, for display; None where there was none, or no words are kept.
        is_comparable: It is judged by what the head is judged by.
        flagged: A must_not_contain hit, waived or not: the suite's own words, which all rules find alike.
        measured: See `measured_gates`; of the run itself, whoever judged the answer again.
        unread: The fault of ours that keeps its row from being compared with; None where it can be.
        false: How many of its answers, those to asks again included, have a certain hallucination.
        says: Its claims, each by `sentence_key`.
        sources: What the chunks that it showed come from; see `sources_of`.
        passages: Where its labels stood in them.
        latency_ms: How long its answer took; None where that is not known.
    """

    digest: str
    in_scope: bool
    then: Then | None = None
    hallucinations: tuple[PastHallucination, ...] = ()
    suspects: tuple[str, ...] = ()
    met: tuple[int, ...] = ()
    recalled: frozenset[int] = frozenset()
    citation_faults: frozenset[str] = frozenset()
    doubtful: tuple[ClaimMeaning, ...] = ()
    answer: str | None = None
    is_comparable: bool = True
    flagged: bool = False
    measured: frozenset[GateName] = frozenset()
    unread: Exception | None = None
    false: FalseAnswers = _NO_ANSWER
    says: tuple[int, ...] = ()
    sources: frozenset[str] = frozenset()
    passages: tuple[LabelPassage, ...] = ()
    latency_ms: float | None = None


class BaselineIndex(NamedTuple):
    """A baseline run, indexed by case id.

    Attributes:
        run: The run.
        counted: The same, as its rows are counted by the demands of the run that is compared with it.
        cases: Every case of its suite, in suite order.
        suite: Reads its `suite.json`; None where that is not at hand.
        rows: Its rows once more, read from where it is stored; None where that is not at hand.
        judgements: What judges said of its answers, likewise, None for each that cannot be read.
        traces: What is stored of its answers, in the order of its rows, likewise: case id, trace, and whether the
            answer was kept out.
        main_answers: What its app, and that of earlier runs, answered, likewise, in the order of its rows.
        own: It by its own suite, where it is counted by another; None where it is that.
        again: Its cases whose answer was evaluated again by the head's suite, judges and rules.
        left: Why others could not be, by case id: they compare with nothing.
        history: The runs of its branch, the baseline last.
    """

    run: Run
    counted: Run
    cases: Mapping[str, PastCase]
    suite: Callable[[], StoredSuite] | None = None
    rows: Callable[[], Iterable[CaseRun]] | None = None
    judgements: Callable[[], Iterator[Judgement | None]] | None = None
    traces: Callable[[], Iterator[tuple[str, Trace, bool]]] | None = None
    main_answers: Callable[[], Iterator[MainAnswers]] | None = None
    own: BaselineIndex | None = None
    again: Container[str] = frozenset()
    left: Mapping[str, NotJudgedAgain] = {}
    history: tuple[HistoryLine, ...] = ()

    @property
    def judged_by(self) -> JudgedBy:
        """What its cases were judged by."""
        return JudgedBy.of(self.run.provenance, self.run.panel)


def past_cases(
    suite_cases: Iterable[SuiteCase],
    rows: Iterable[CaseRun],
    policy: Policy,
    *,
    decided_on: date,
    not_comparable: Container[str] = frozenset(),
    known: Mapping[str, PastCase] = {},
) -> dict[str, PastCase]:
    """Every case of a finished run's suite by id, in suite order; `rows` is read once and no row is kept.

    Args:
        suite_cases: The cases of its suite. Rows of cases it does not list are indexed as well.
        rows: Its rows, in any order.
        policy: What it was judged by.
        decided_on: The day that decides which waivers hold.
        not_comparable: Cases that are judged by something else than the run they are compared with.
        known: The same by another policy: what is equal is shared.
    """
    cases = {case_id: PastCase(digest, in_scope) for case_id, digest, in_scope in suite_cases}
    waivers = Waivers(policy, decided_on=decided_on)
    shared: dict[Then, Then] = {}
    gates: dict[frozenset[GateName], frozenset[GateName]] = {}
    rules_tell = policy.gates.new_suspects.level != "off"
    for row in rows:
        measured = measured_gates(row, labelled=policy.labelled)
        measured = gates.setdefault(measured, measured)
        if row.kind == "known_bad":
            cases[row.case_id] = PastCase(row.digest, in_scope=True, measured=measured)
            continue
        if row.case_id in not_comparable:
            cases[row.case_id] = PastCase(row.digest, in_scope=True, is_comparable=False, flagged=row.flagged)
            continue
        try:
            then = _then(row, waivers, rules_tell=rules_tell)
            past = _past_case(row, shared.setdefault(then, then))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours at this case; it is raised again where it is compared
            past = PastCase(row.digest, in_scope=True, unread=error)
        past = past._replace(measured=measured)
        cases[row.case_id] = before if (before := known.get(row.case_id)) == past else past
    return cases


def _past_case(row: CaseRun, then: Then) -> PastCase:
    suspects = tuple(suspects_in(row.claims))
    return PastCase(
        digest=row.digest,
        in_scope=True,
        then=then,
        hallucinations=tuple([_past(h, row, place) for place, h in enumerate(row.hallucinations)]),
        suspects=tuple([finding.key for _claim, finding in suspects]),
        met=row.musts.met if row.musts is not None else (),
        recalled=frozenset(row.recalled.met) if row.recalled is not None else _NOTHING_FOUND,
        citation_faults=citation_faults(row),
        doubtful=_doubtful(row, suspects) if suspects else (),
        answer=kept_answer(row.answer) if row.answer is not None else None,
        flagged=row.flagged,
        false=_false_answers(row) if row.asks or row.hallucinations else _RIGHT if then.answered else _NO_ANSWER,
        says=tuple([sentence_key(claim.text) for claim in row.claims]),
        sources=sources_of(row),
        passages=row.passages,
        latency_ms=row.latency_ms if then.answered else None,
    )


def sentence_key(sentence: str) -> int:
    """Equal within this process for sentences that differ in case, spaces and marks alone."""
    return hash(words_alone(sentence))


def is_same_answer(row: CaseRun, past: PastCase) -> bool:
    """Whether an answer is the baseline's, as far as its beginning and its claims tell."""
    if row.answer is None or kept_answer(row.answer) != past.answer:
        return False
    return tuple([sentence_key(claim.text) for claim in row.claims]) == past.says


def versions_moved(row: CaseRun, past: PastCase) -> tuple[tuple[str, str, str], ...]:
    """The chunks that held labels of a case and are shown in another version: their ids, and both versions."""
    now = dict(zip(row.context, row.context_versions, strict=False))
    held = {each.chunk_id: each.version for each in past.passages if each.version}
    return tuple([(name, then, now[name]) for name, then in held.items() if now.get(name, then) != then])


def _false_answers(row: CaseRun) -> FalseAnswers:
    answers = [each for each in answers_of(row) if was_answered(each)]
    return FalseAnswers(sum(map(is_certainly_false, answers)), len(answers))


def kept_answer(answer: str) -> str:
    """The beginning of an answer, as an index keeps it."""
    return cut(answer, _ANSWER_LENGTH)


def is_compared(row: CaseRun, baseline: BaselineIndex) -> bool:
    """Whether the baseline ran the same case, unchanged; never a known-bad one."""
    past = baseline.cases.get(row.case_id)
    return row.kind != "known_bad" and past is not None and past.then is not None and past.digest == row.digest


def passes(row: CaseRun, standing: Standing, *, rules_tell: bool) -> bool:
    """Whether a case passed with nothing to look at; a flaky one's own answer did.

    Args:
        row: The case.
        standing: How it stands.
        rules_tell: As in `known_as`.
    """
    return standing.state in HAD_PASSED and known_as(row, standing, rules_tell=rules_tell) != "to_look_at"


def _then(row: CaseRun, waivers: Waivers, *, rules_tell: bool) -> Then:
    standing = waivers.standing(row)
    admissibility = row.outcomes.get("admissibility")
    answer = row.outcomes.get("answered")
    slow = row.outcomes.get("slow")
    return Then(
        state=standing.state,
        stage=standing.stage,
        answered=was_answered(row),
        asserted=answer is not None and answer.kind == "passed",
        admissible=admissibility is not None and admissibility.kind == "passed",
        ran=was_run(row),
        hallucinating=bool(standing.hallucinations),
        score=hundredths(row.score),
        kept_time=slow is not None and slow.kind == "passed",
        passed=passes(row, standing, rules_tell=rules_tell),
    )


def _past(hallucination: Hallucination, row: CaseRun, place: int) -> PastHallucination:
    text = cut(hallucination.text, _TEXT_LENGTH)
    meaning = statement_in(hallucination, row) if place < MATCHED_AT_MOST else ClaimMeaning()
    return PastHallucination(hallucination.key, hallucination.kind, text, hallucination.chunk_id, meaning)


def _doubtful(row: CaseRun, suspects: Iterable[tuple[Claim, Finding]]) -> tuple[ClaimMeaning, ...]:
    found = {claim.claim_id: claim for claim, _finding in suspects}
    false = {hallucination.text for hallucination in row.hallucinations}
    doubted = [claim for claim in found.values() if claim.text not in false]
    return tuple([statement_of(claim) for claim in doubted[:MATCHED_AT_MOST]])
