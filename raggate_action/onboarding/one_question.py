"""One question to an app, judged: the request, the reply, the trace read from it, and the gates' outcomes."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.case_row import Evaluated, evaluate_diagnosis, evaluate_drafted
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft, rule_verdicts
from raggate_action.errors import UsageError
from raggate_action.onboarding.app_probe import ReadReply, asked_case, first_reply, reply_parts, target_error
from raggate_action.onboarding.reply_choice import response_section
from raggate_action.onboarding.setup import Setup
from raggate_action.replies.mapping import request_body
from raggate_action.replies.place_choice import AskedReply, understand
from raggate_action.run.run_session import SuiteChecks, reading, rulebook
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.suite import Pipeline, Suite
from raggate_action.schema.target import HttpTarget, RecordedTarget, TargetSection
from raggate_action.schema.trace import Answered, Trace
from raggate_action.suite_files import LoadedSuite
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.reply_mapping import ReplyMapping, shape_of
from raggate_action.targets.target_factory import LiveTarget, ask_once


class JudgedQuestion(NamedTuple):
    """One question, judged.

    Attributes:
        called_with: What the app was given.
        reply: What it said; None where that may not be shown.
        read: How the reply was read; its `shape` may always be shown.
        judged: The answer through the gates; None where no answer could be read.
        rules: What it was judged by.
        trace: The trace as far as it may be shown; None as for `judged`.
    """

    called_with: JsonValue
    reply: JsonValue
    read: ReadReply
    judged: Evaluated | None
    rules: Rulebook
    trace: Trace | None


async def ask_app(question: str, target: LiveTarget, setup: Setup) -> JudgedQuestion:
    """Ask an app that no suite names, and judge it by the gates as they are without one.

    Raises:
        TargetError: It cannot be asked, or its reply has no answer.
        UsageError: What was named cannot be used, or several places of its reply could be one field.
    """
    placed = asked_case(question)
    first = await first_reply(target, question, setup)
    body = first.target.request.body if isinstance(first.target, HttpTarget) else None
    found = understand([AskedReply(question, first.reply)])
    paths = response_section(found, setup.response, shape=shape_of(first.reply), ask=setup.ask)
    read = reply_parts(first.reply, ReplyMapping(paths), question)._replace(found=found)
    rules = rules_without_suite(target, setup.now, has_context=read.has_context)
    called_with = request_body(body, placed.case)
    return await _judged(placed, called_with, first.reply, read, first.latency_ms, rules, now=setup.now)


def rules_without_suite(target: TargetSection, now: str, *, has_context: bool) -> Rulebook:
    """The gates with their defaults."""
    suite = Suite(suite="ask", cases=(), target=target)
    return Rulebook(
        gates=suite.gates,
        pipeline=Pipeline() if has_context else Pipeline(context="none"),
        store=None,
        restricted=RestrictedText(None),
        reading=reading(suite),
        as_of=parse_moment(now),
    )


async def ask_suite(question: str, loaded: LoadedSuite, setup: Setup) -> JudgedQuestion:
    """Ask the app of a suite. A question that is one of its cases, by id or word for word, is judged by that case.

    Raises:
        TargetError: The app cannot be asked, or fails.
        UsageError: The suite's target is recorded.
    """
    target = loaded.suite.target
    if isinstance(target, RecordedTarget):
        raise UsageError(
            "the suite's answers are recorded, so there is no app to ask",
            hint="Name the app: --url http://..., --function module:callable or --command '...'.",
        )
    placed = _case_of(question, loaded)
    surroundings = Surroundings(loaded.directory, setup.environment, None, loaded.secrets, setup.tell)
    attempt = await ask_once(target, placed, surroundings)
    if attempt.failure is not None:
        raise target_error(attempt.failure, target)
    written = loaded.written_target
    body = written.request.body if isinstance(written, HttpTarget) else None
    read = reply_parts(attempt.reply, ReplyMapping(target.response, loaded.evidence), placed.case.asked)
    rules = rulebook(loaded, parse_moment(setup.now))
    called_with = request_body(body, placed.case)
    checks = SuiteChecks(loaded)
    try:
        return await _judged(
            placed, called_with, attempt.reply, read, attempt.latency_ms, rules, now=setup.now, checks=checks
        )
    finally:
        await checks.aclose()


def _case_of(question: str, loaded: LoadedSuite) -> PlacedCase:
    for placed in loaded.cases:
        if not placed.case.known_bad and question in {placed.case.case_id, placed.case.asked}:
            return placed
    return asked_case(question, "asked")


async def _judged(
    placed: PlacedCase,
    called_with: JsonValue,
    reply: JsonValue,
    read: ReadReply,
    latency_ms: float | None,
    rules: Rulebook,
    *,
    now: str,
    checks: SuiteChecks | None = None,
) -> JudgedQuestion:
    """Through the gates; a reply of which something had to be withheld is not shown as it came."""
    if read.trace is None:
        # Nobody can tell what of it may be read by whom.
        answer = reply if rules.store is None else None
        return JudgedQuestion(called_with, answer, read, None, rules, None)
    reply_read = Answered(read.trace, latency_ms)
    drafted = draft(placed.case, reply_read, rules)
    if isinstance(drafted, Drafted):
        asks = checks is not None and checks.asks(drafted)
        verdicts = await checks.of(drafted) if checks is not None and asks else rule_verdicts(drafted, None)
        done = evaluate_drafted(placed, drafted, verdicts, rules, finished_at=now)
    else:
        done = evaluate_diagnosis(placed, reply_read, drafted, rules, finished_at=now)
    whole = done.trace is not None and done.trace == read.trace and not done.withheld
    return JudgedQuestion(called_with, reply if whole else None, read, done, rules, done.trace)
