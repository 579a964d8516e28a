"""`calibrate`: the suite's judges held against claims that people have labelled. Prints how each of them stands."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Sequence

from raggate_action.errors import ExitCode
from raggate_action.judges.plants import PLANTS
from raggate_action.pipeline.calibrating import Outcome, calibrate
from raggate_action.pipeline.decision_lines import say
from raggate_action.report.card_view import Labelled, Spent, card_lines, head
from raggate_action.report.plain import plain
from raggate_action.report.text import Text
from raggate_action.schema.calibration import JudgeCard, LabelledAnswer
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges, Member
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.problems import path_text


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
        say(map(plain, _lines(outcome, judges, loaded.calibration)))
    return _exit_code(outcome)


def _lines(outcome: Outcome, judges: Judges, labels: Sequence[LabelledAnswer]) -> Iterator[Text]:
    members = {member.name: member for member in judges.panel}
    yield "raggate: ", head(_labelled(labels), len(members), len(PLANTS))
    for card in outcome.found.cards:
        yield ""
        member = members.get(card.judge)
        spent = _spent(outcome, member) if member is not None else None
        yield from card_lines(card, judges.arming, spent)
    yield ""
    if outcome.kept_in.is_file():
        yield f"what they said is in {path_text(outcome.kept_in)}: commit it beside the labels, and no run asks again"
    else:
        yield "nothing was said, and nothing written"


def _labelled(labels: Sequence[LabelledAnswer]) -> Labelled:
    claims = [claim for answer in labels for claim in answer.claims]
    right = sum(claim.verdict == "supported" for claim in claims)
    drawn = Counter(claim.drawn for claim in claims)
    return Labelled(right, len(claims) - right, drawn["made"], drawn["random"])


def _spent(outcome: Outcome, member: Member) -> Spent:
    own = [judgement for judgement in outcome.asked if judgement.judge == member.name]
    lost = Counter(judgement.lost.code for judgement in own if judgement.lost is not None)
    return Spent(
        judged=sum(judgement.lost is None and not judgement.reused for judgement in own),
        reused=sum(judgement.reused for judgement in own),
        lost=dict(lost.most_common()),
        calls=sum(judgement.calls for judgement in own),
        cost_usd=None if member.price is None else sum(judgement.cost_usd or 0.0 for judgement in own),
        worked=outcome.worked[member.name],
    )


def _exit_code(outcome: Outcome) -> ExitCode:
    asked: Sequence[Judgement] = outcome.asked
    if all(judgement.lost is not None for judgement in asked):
        return ExitCode.INCONCLUSIVE
    now = {card.judge: card for card in outcome.found.cards}
    gone: list[JudgeCard] = [
        now[card.judge]
        for card in outcome.before.cards
        if card.armed and card.judge in now and not now[card.judge].armed
    ]
    if not gone:
        return ExitCode.RELEASE
    return ExitCode.INCONCLUSIVE if all(card.why_not == "not-judged" for card in gone) else ExitCode.BLOCK
