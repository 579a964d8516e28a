"""The panel of one run, from its opening to its end: who is on it, whose votes count, and what is asked of it."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Final, Generic, NamedTuple

from raggate_action.core.comparison.panel_changes import panel_changes
from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.fold_items import nobody_armed
from raggate_action.core.panel.item_card import item_terms_under
from raggate_action.core.panel.items import gates_used
from raggate_action.core.panel.scorecard import terms_under
from raggate_action.core.panel.trial_cost import trial_cost
from raggate_action.judges.answer_judge import ANSWER
from raggate_action.judges.asking import Judge, Task
from raggate_action.judges.claims_judge import CLAIMS
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.interface import Chat, ChatOutcome, ChatRequest
from raggate_action.judges.item_plants import ITEM_PLANTS, answer_task_of
from raggate_action.judges.plants import PLANTS
from raggate_action.pipeline.calibration import cards_of, claims_asked, could_arm, member_of
from raggate_action.pipeline.item_calibration import could_arm_for, item_cards_of
from raggate_action.pipeline.judge_budget import Budget
from raggate_action.pipeline.judgement_reuse import EarlierJudgements, Source, Subject
from raggate_action.pipeline.judges_at_work import JudgesAtWork
from raggate_action.pipeline.panel_desk import DeskTerms, PanelDesk
from raggate_action.pipeline.panel_source import PanelSource, PastSource, Terms
from raggate_action.pipeline.progress import Progress
from raggate_action.pipeline.request import Plan
from raggate_action.pipeline.session import SuiteChecks
from raggate_action.run_store import RunDirectory, usable_judgements
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.judgement import ItemGate, Judgement
from raggate_action.schema.judges import Judges, Member
from raggate_action.schema.outcome import GateName
from raggate_action.schema.panel import Panel, PanelRules
from raggate_action.suite_files.calibration_file import judged_labels_path
from raggate_action.suite_files.judges_checks import keys_of

# Above this nobody is asked about labels: whoever changes a judge decides at the terminal.
LABELS_USD_AT_MOST: Final = 5.0


class RunPanel:
    """The judges of a run. Until they were put on trial none is armed.

    Attributes:
        record: The panel as the run keeps it.
        notes: What a reader of the run has to know of it, one sentence each.
    """

    def __init__(self, plan: Plan, judges: Judges, directory: RunDirectory, progress: Progress) -> None:
        """Prepare. Nobody is asked, and nothing of the client is loaded.

        Args:
            plan: The run.
            judges: What its suite says of judges.
            directory: Where it is written.
            progress: Hears what is said and what it cost.
        """
        self._plan, self._judges, self._progress = plan, judges, progress
        self._trial_path = judged_labels_path(plan.loaded.directory / judges.calibration)
        self._chats = _Chats(judges.panel, os.environ, progress.tell)
        panel = [Judge(member, self._chats.of(member.name), CLAIMS) for member in judges.panel]
        self.record = Panel(
            members=tuple(map(member_of, panel)),
            prompt=panel[0].prompt,
            unavailable=self._why_nobody_is_asked(),
            rules=PanelRules(arming=judges.arming, quorum=judges.quorum),
            trial_file=_digest_of(self._trial_path),
            demanded=self._is_demanded(),
        )
        answering = [Judge(member, self._chats.of(member.name), ANSWER) for member in judges.panel]
        made_by = {(judge.fingerprint, judge.prompt) for judge in panel}
        made_by |= {(judge.fingerprint, judge.prompt) for judge in answering}
        origin = plan.request.origin
        self._is_scheduled = origin is not None and origin.event == "schedule"
        self._earlier = EarlierJudgements(
            directory.judgements, self._sources(), made_by=made_by, labels_anew=self._is_scheduled
        )
        self.notes = tuple(self._earlier.unbelieved)
        self._said = directory.judgements
        # Pairs of answers have a budget of their own.
        spent = (each for each in directory.judgements if each.job != "pair")
        self._budget = Budget(judges.budget, spent, answers=plan.cases, labels_apart=True)
        self._work = self._at_work(panel)
        self._answers = self._at_work(answering)
        names = tuple(member.name for member in judges.panel)
        self._terms = PanelTerms(names)
        self._items = nobody_armed(names)
        self._told = 0
        self._tell_problems()
        if self.record.unavailable is not None:
            progress.tell(self.record.unavailable)

    def _at_work(self, judges: Sequence[Judge[Task]]) -> JudgesAtWork[Task]:
        """The judges at one job; all jobs have one budget and one file."""
        return JudgesAtWork(
            judges,
            self._budget,
            self._earlier,
            self._said,
            secrets=self._plan.loaded.secrets,
            hear=self._progress.judged,
        )

    def _tell_problems(self) -> None:
        """Tell what could not be used of earlier judgements, as far as it was not told."""
        for line in self._earlier.problems[self._told :]:
            self._progress.tell(line)
        self._told = len(self._earlier.problems)

    async def arm(self) -> None:
        """Put the judges on trial; labels that were not judged yet are judged first.

        In a run of a part of the suite only for what judges counted for on the baseline: one that nobody misses is
        tried where all is. A scheduled run asks about every label again: a judge that drifted below the bar counts no
        more. Where all labels together would cost too much, nobody is asked and what was said before stands.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        if self.record.unavailable is not None:
            return
        baseline = self._plan.request.baseline
        gates = gates_used(each.case for each in self._plan.loaded.cases)
        claims, items = self._may_ask("faithfulness"), any(map(self._may_ask, gates))
        would_cost = self._would_cost(gates, claims=claims, items=items)
        is_dear = would_cost > LABELS_USD_AT_MOST
        if is_dear:
            claims = items = self._earlier.labels_anew = False
        earlier = baseline.cards if baseline is not None else ()
        try:
            found = await cards_of(
                self._plan.loaded.calibration,
                PLANTS,
                _OnTrial(self._work),
                self._judges,
                may_ask=claims,
                earlier=earlier,
            )
            of_items = await item_cards_of(
                self._plan.loaded.held,
                ITEM_PLANTS,
                _OnTrial(self._answers),
                self._judges,
                gates,
                may_ask=items,
                earlier=earlier,
            )
        finally:
            await self._chats.close()
            self._tell_problems()
        self._terms, self._items = found.terms, of_items.terms
        quorum = found.terms.quorum if found.terms.deciding else 0
        self.record = self.record.model_copy(
            update={
                "cards": self._sourced(found.cards, earlier),
                "item_cards": self._sourced(of_items.cards, earlier),
                "quorum": quorum,
                "sample": found.sample,
                "trial": trial_cost(self._said),
                "labels_usd": would_cost if is_dear else None,
            }
        )

    def _sourced(self, cards: Sequence[JudgeCard], earlier: Sequence[JudgeCard]) -> tuple[JudgeCard, ...]:
        """The cards, with a mark on those that rest on the file beside the labels.

        Where that file is another one than the baseline's run found, a note says whose trial it is.
        """
        said = [each for each in self._said if each.about == "label" and each.reused]
        read = {(each.fingerprint, each.prompt) for each in said if self._earlier.is_of_labels_file(each)}
        then = {(each.fingerprint, each.prompt) for each in earlier if each.from_file}
        then &= {(each.fingerprint, each.prompt) for each in said}
        baseline = self._plan.request.baseline
        panel = baseline.suite.panel if baseline is not None else None
        if baseline is not None and (panel is None or panel.trial_file != self.record.trial_file):
            named = [card for card in cards if (card.fingerprint, card.prompt) in read]
            self.notes += tuple([_changed_trial(card, self._trial_path.name) for card in named])
        return tuple(
            [each.model_copy(update={"from_file": (each.fingerprint, each.prompt) in read | then}) for each in cards]
        )

    def _may_ask(self, gate: GateName) -> bool:
        """Whether labels may be judged for a gate: in a run of the whole suite, and where judges counted for it."""
        baseline = self._plan.request.baseline
        before = baseline.suite.panel if baseline is not None else None
        is_whole = self._plan.positions is None or self._is_scheduled
        return is_whole or (before is not None and before.counts_for(gate))

    def _would_cost(self, gates: Collection[ItemGate], *, claims: bool, items: bool) -> float:
        """US dollars that judging the labels nobody has judged yet comes to, a call each, as far as prices tell."""
        loaded, arming = self._plan.loaded, self._judges.arming
        plants = [each.answer for each in PLANTS] if could_arm(loaded.calibration, arming) else []
        asked = claims_asked([*plants, *loaded.calibration]) if claims else []
        costs = [self._work.dearest(task, Subject("label", name), calls=1) for name, task in asked]
        held = [each for each in loaded.held if each.job in gates] if items else []
        shows = any(could_arm_for([each for each in held if each.job == gate], self._judges) for gate in gates)
        of_items = [(each.id, answer_task_of(each)) for each in held]
        of_items += [(each.id, each.task) for each in ITEM_PLANTS] if shows else []
        costs += [self._answers.dearest(task, Subject("label", name), calls=1) for name, task in of_items]
        return fsum(cost.usd for cost in costs if cost is not None)

    def source(self, checks: SuiteChecks, *, cases_left: int) -> PanelSource | None:
        """Who gives the verdicts of the cases that are left to be judged; None where nobody is asked."""
        if self.record.unavailable is not None:
            return None
        baseline = self._plan.request.baseline
        past = baseline.cases if baseline is not None else {}
        terms = Terms(self._budget.share(cases_left), past)
        return PanelSource(checks, self._desk(self._rules_before()), terms)

    def _desk(self, before: PanelRules | None = None) -> PanelDesk:
        """Both jobs; `before` are the baseline's rules, where those asked for more."""
        today = self.record
        terms = DeskTerms(
            self._terms,
            self._items,
            self._judges.claims.which,
            self._judges.relevance,
            None if before is None else terms_under(before, today.cards, self._terms),
            None if before is None else item_terms_under(before, today.item_cards, self._items),
        )
        return PanelDesk(self._work, self._answers, terms)

    def past_source(self) -> PastSource | None:
        """Who judges the baseline's answers again; None where nobody is asked."""
        if self.record.unavailable is not None:
            return None
        return PastSource(self._desk())

    def note_again(self) -> None:
        """Note in the record what judging the baseline's answers again took."""
        self.record = self.record.model_copy(update={"again": trial_cost(self._said, "baseline")})

    def _rules_before(self) -> PanelRules | None:
        """What the baseline's suite said of who decides, where that asked for more; None where it did not."""
        baseline = self._plan.request.baseline
        panel, today = baseline.suite.panel if baseline is not None else None, self.record
        if panel is None or panel.rules is None or not panel_changes(panel, today).weaker:
            return None
        return panel.rules

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._chats.close()

    def close(self) -> None:
        """Let go of what was kept of earlier runs."""
        self._earlier.close()

    def _sources(self) -> Iterator[Source]:
        """Where judgements of earlier runs are; none where they are not to be used again, or nobody is asked."""
        request = self._plan.request
        if not request.reuse or self.record.unavailable is not None:
            return
        if request.baseline is not None and request.baseline.judgements is not None:
            yield Source("the baseline's judgements.jsonl", request.baseline.judgements)
        path = self._trial_path
        yield Source(path.name, lambda: usable_judgements(path.parent, path.name), labels_only=True)

    def _why_nobody_is_asked(self) -> str | None:
        """Why no judge is asked at all; None where they are.

        Where a stranger's change gets no secrets, and on a laptop, an unset key is nobody's fault: rules decide. In a
        workflow that is given secrets it is one, and the judge's calls are lost like those with a key that is refused.
        """
        keys = keys_of(self._judges, os.environ)
        named = dict.fromkeys(member.api_key_env for member in self._judges.panel if member.api_key_env is not None)
        unset = [name for name in named if name not in keys]
        if not unset or self._is_demanded():
            return None
        are = "is" if len(unset) == 1 else "are"
        return f"No judge was asked, for {', '.join(unset)} {are} not set: what rules leave open stays open."

    def _is_demanded(self) -> bool:
        """See `Panel.demanded`."""
        origin = self._plan.request.origin
        return not origin.fork if origin is not None else os.environ.get("GITHUB_ACTIONS") == "true"


def _digest_of(path: Path) -> str | None:
    """Digest of a file; None where there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _changed_trial(card: JudgeCard, name: str) -> str:
    counts = "counts" if card.armed else "does not count"
    job = "" if card.job == "claims" else f" on {card.job}"
    return (
        f"{name} is not the file that the baseline's run found, and judge {card.judge} {counts}{job} by what it says:"
        " nobody was asked. Review that file's change as code, or ask the judge: `raggate-action run --no-reuse`."
    )


class _OnTrial(NamedTuple, Generic[Task]):
    """The judges as a trial asks them: what they said before goes into this run's judgements, asked or not."""

    work: JudgesAtWork[Task]

    @property
    def judges(self) -> tuple[Judge[Task], ...]:
        """The panel, in order."""
        return self.work.judges

    def known(self, judge: Judge[Task], task: Task, subject: Subject) -> Judgement | None:
        """What a judge has said to this before."""
        return self.work.recalled(judge, task, subject)

    def see_whole(self, tasks: Sequence[Task]) -> None:
        """Use what is kept beside the labels only where it is of all of these."""
        self.work.see_whole(tasks)

    async def ask(self, task: Task, subject: Subject) -> tuple[Judgement, ...]:
        """Ask every judge."""
        return await self.work.ask(task, subject)


class _Chats:
    """The endpoints, opened by the first call in an event loop and closed at its end."""

    def __init__(
        self, members: tuple[Member, ...], environment: Mapping[str, str], tell: Callable[[str], object]
    ) -> None:
        self._members, self._environment, self._tell = members, environment, tell
        self._told: set[str] = set()
        self._open: dict[str, Chat] = {}

    def of(self, name: str) -> Chat:
        """The chat of one judge."""
        return _LateChat(self, name)

    def opened(self, name: str) -> Chat:
        """The same, ready to be asked."""
        if not self._open:
            draw = random.Random()  # noqa: S311 - jitter, not a secret
            self._open = open_chats(self._members, self._environment, draw=draw, tell=self._tell_once)
        return self._open[name]

    async def close(self) -> None:
        """Close every chat; the next call opens them anew."""
        chats, self._open = self._open, {}
        await close_chats(chats)

    def _tell_once(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            self._tell(line)


class _LateChat:
    """A chat that is opened by its first call; a `Chat`."""

    def __init__(self, chats: _Chats, name: str) -> None:
        self._chats, self._name = chats, name

    async def complete(self, request: ChatRequest) -> ChatOutcome:
        """Make one call."""
        return await self._chats.opened(self._name).complete(request)

    async def aclose(self) -> None:
        """Nothing: all chats are closed together."""


def opened_panel(plan: Plan, directory: RunDirectory, progress: Progress) -> RunPanel | None:
    """The panel of a run; None where its suite has no judges."""
    judges = plan.loaded.suite.judges
    return RunPanel(plan, judges, directory, progress) if judges is not None else None
