"""`calibrate`: the suite's judges held against what people have labelled. Prints how each stands, job by job."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from raggate_action.core.panel.item_trial import labelled_verdicts
from raggate_action.core.panel.trial import is_good
from raggate_action.errors import ExitCode
from raggate_action.judges.item_plants import ITEM_PLANTS
from raggate_action.judges.plants import PLANTS
from raggate_action.pipeline.calibrating import Outcome, calibrate
from raggate_action.pipeline.decision_lines import say
from raggate_action.report.card_view import Labelled, Spent, card_lines, head
from raggate_action.report.plain import plain
from raggate_action.report.text import Text
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import HeldAnswer, JudgeCard, LabelledAnswer, TrialJob
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges, Member
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.suite_files.problems import path_text

_NONE = Rate(hits=0, total=0)
_OF_PLANTS = frozenset(plant.id for plant in ITEM_PLANTS)


def run(options: argparse.Namespace) -> int:
    """Print a block of lines per judge, and keep what they said beside the labels.

    Returns:
        0 once it is printed; 1 where a judge that counted does no longer; 3 where none could be asked, or one that
        counted could not be judged again.
    """
    loaded = load_suite(options.suite, environment=os.environ)
    outcome = asyncio.run(calibrate(loaded, os.environ, reuse=not options.no_reuse))
    judges = loaded.suite.judges
    if judges is not None:
        say(map(plain, _lines(outcome, judges, loaded)))
    return _exit_code(outcome)


def _lines(outcome: Outcome, judges: Judges, loaded: LoadedSuite) -> Iterator[Text]:
    members = {member.name: member for member in judges.panel}
    yield "raggate: ", head(_labelled(loaded.calibration), len(members), len(PLANTS))
    for card in outcome.found.cards:
        yield ""
        member = members.get(card.judge)
        spent = _spent(outcome.asked, member, outcome.worked[member.name]) if member is not None else None
        yield from card_lines(card, judges.arming, spent)
    for gate in dict.fromkeys(card.job for card in outcome.items):
        yield ""
        labels = [each for each in loaded.held if each.job == gate]
        yield f"{gate}: ", head(_held(gate, labels), len(members), len(ITEM_PLANTS))
        asked = [each for each in outcome.items_asked if _is_of(each, labels)]
        for card in outcome.items:
            if card.job != gate:
                continue
            yield ""
            member = members.get(card.judge)
            yield from card_lines(card, judges.arming, _spent(asked, member) if member is not None else None)
    yield ""
    if outcome.kept_in.is_file():
        yield f"what they said is in {path_text(outcome.kept_in)}: commit it beside the labels, and no run asks again"
    else:
        yield "nothing was said, and nothing written"


def _is_of(judgement: Judgement, labels: Sequence[HeldAnswer]) -> bool:
    """Whether a judgement is of one of these labels, or of a planted instruction, which serves all."""
    return judgement.id in {each.id for each in labels} or judgement.id in _OF_PLANTS


def _held(gate: TrialJob, labels: Sequence[HeldAnswer]) -> Labelled:
    found = labelled_verdicts(labels)
    right = sum(is_good(people) for people, _item in found)
    drawn = Counter(item.drawn for _people, item in found)
    return Labelled(right, len(found) - right, drawn["made"], drawn["random"], gate)


def _labelled(labels: Sequence[LabelledAnswer]) -> Labelled:
    claims = [claim for answer in labels for claim in answer.claims]
    right = sum(claim.verdict == "supported" for claim in claims)
    drawn = Counter(claim.drawn for claim in claims)
    return Labelled(right, len(claims) - right, drawn["made"], drawn["random"])


def _spent(asked: Iterable[Judgement], member: Member, worked: Rate = _NONE) -> Spent:
    own = [judgement for judgement in asked if judgement.judge == member.name]
    lost = Counter(judgement.lost.code for judgement in own if judgement.lost is not None)
    return Spent(
        judged=sum(judgement.lost is None and not judgement.reused for judgement in own),
        reused=sum(judgement.reused for judgement in own),
        lost=dict(lost.most_common()),
        calls=sum(judgement.calls for judgement in own),
        cost_usd=None if member.price is None else sum(judgement.cost_usd or 0.0 for judgement in own),
        worked=worked,
    )


def _exit_code(outcome: Outcome) -> ExitCode:
    asked: Sequence[Judgement] = (*outcome.asked, *outcome.items_asked)
    if all(judgement.lost is not None for judgement in asked):
        return ExitCode.INCONCLUSIVE
    now = {(card.job, card.judge): card for card in (*outcome.found.cards, *outcome.items)}
    gone: list[JudgeCard] = []
    for card in (*outcome.before.cards, *outcome.items_before):
        today = now.get((card.job, card.judge))
        if card.armed and today is not None and not today.armed:
            gone.append(today)
    if not gone:
        return ExitCode.RELEASE
    return ExitCode.INCONCLUSIVE if all(card.why_not == "not-judged" for card in gone) else ExitCode.BLOCK
