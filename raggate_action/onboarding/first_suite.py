"""A first suite for an app, made from its replies to one or two questions. Nothing is invented."""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.core.text.languages.common_words import language_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.errors import TargetError
from raggate_action.onboarding.app_probe import (
    FirstReply,
    ReadReply,
    asked_case,
    command_target,
    first_reply,
    reply_parts,
)
from raggate_action.onboarding.git_ignore import repository_top
from raggate_action.onboarding.known_bad_cases import known_bad_cases
from raggate_action.onboarding.one_question import rules_without_suite
from raggate_action.onboarding.reply_choice import response_section, taken_lines
from raggate_action.onboarding.setup import Setup
from raggate_action.onboarding.starter_cases import DECLINED, DECLINING, OPENING, StarterCase, from_evidence
from raggate_action.onboarding.suite_text import (
    GATE,
    JUDGE_KEY,
    KNOWN_BAD,
    SCRIPT,
    SUITE,
    cases_file,
    export_script,
    known_bad_text,
    suite_text,
    workflow_text,
)
from raggate_action.replies.place_choice import AskedReply, Choice, Understanding, understand
from raggate_action.replies.reply_forms import text_id
from raggate_action.replies.stated_errors import stated_error
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.strings.numbers import count, milliseconds
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.target_section import REFERENCE
from raggate_action.targets.reply_mapping import ReplyMapping, shape_of
from raggate_action.targets.target_factory import LiveTarget
from raggate_action.version import SUITE_KEYS

TRACES = "gate/traces.jsonl"
_WORKFLOWS = Path(".github/workflows")
# Of many cases a few are enough to see what the gates of the suite block.
_TRIAL_CASES = 20
# What an app says stands in for what it shows, where it shows nothing.
_ANSWER = "the answer itself"
# Asked where nothing tells what the app knows; its answer only has to differ.
_GENERAL = "Where can I find help?"


async def ask_three_questions(app: LiveTarget, setup: Setup) -> None:
    """Find out how an app is asked and read, by three questions: what changes with them can be its answer.

    Raises:
        TargetError: It cannot be asked, or nothing in its reply is an answer.
        UsageError: What was named cannot be used, or several places of its reply could be one field.
    """
    cases = setup.file.cases if setup.file is not None else setup.cases
    named = setup.question if setup.file is None and setup.question else cases[0].question if cases else None
    declines = partial(_declines, setup)
    setup.target = app
    first = await _reply(app, named or OPENING, setup)
    second = _second_question(first, cases, declines)
    replies = [first]
    for question in (second, DECLINED):
        # A failure is the first run's to report.
        with contextlib.suppress(TargetError):
            replies.append(await _reply(app, question, setup))
    found = understand([AskedReply(each.question, each.reply) for each in replies], declines)
    setup.paths = response_section(found, setup.response, shape=shape_of(first.reply), ask=setup.ask)
    _take(setup, first, found)
    setup.declined = declines(setup.trace.reply.text)
    if not setup.chunks and not setup.declined:
        setup.chunks = (TracedChunk(chunk_id=_ANSWER, text=setup.trace.reply.text),)
    for each in replies[1:2] if named is None and not _of_evidence(setup) else ():
        if each.question == second and not declines(_read(setup, each)[1].reply.text):
            _take(setup, each, found)
    for each in replies[1:]:
        # Whatever a reply shows can be asked about, also where the app makes nothing of it.
        with contextlib.suppress(TargetError):
            setup.chunks = setup.chunks or _with_texts(_read(setup, each)[1])
    if setup.declined:
        asks = (
            "the questions are made of the evidence that it showed" if setup.chunks else "it showed no evidence either"
        )
        setup.lines.append(f"it declined “{first.question}”; {asks}")
    if isinstance(first.target, CommandTarget):
        setup.target = await command_target(first.target, setup, first.latency_ms)
    setup.cases = _cases(setup)


def read_recorded(setup: Setup) -> None:
    """Take a file of recorded answers for the app; nobody is asked."""
    assert setup.file is not None  # noqa: S101
    answered = [(each.question, each.trace) for each in setup.file.cases if each.trace is not None]
    setup.asked, trace = next(((asked, trace) for asked, trace in answered if trace.context), answered[0])
    setup.target = RecordedTarget(kind="recorded", traces=TRACES)
    setup.trace = trace.model_copy(update={"case_id": None})
    setup.chunks, setup.paths = _with_texts(trace), dict(setup.file.paths)
    setup.has_context = any(trace.context is not None for _, trace in answered)
    setup.lines += _reading(setup, None)
    setup.files[setup.folder / TRACES] = setup.file.trace_lines
    setup.cases = list(setup.file.cases)


async def _reply(app: LiveTarget, question: str, setup: Setup) -> FirstReply:
    found = await first_reply(app, question, setup)
    error = stated_error(found.reply)
    if error is not None and understand([AskedReply(question, found.reply)]).answer == Choice():
        raise TargetError(f"the app replied with an error: {error.text}", hint="Its own log says more.")
    return found


def _second_question(first: FirstReply, cases: Sequence[StarterCase], declines: Callable[[str], bool]) -> str:
    """A question that the app should be able to answer."""
    if answered := [case.question for case in cases[1:] if not case.declines]:
        return answered[0]
    found = understand([AskedReply(first.question, first.reply)])
    taken = found.context.taken if found.context.taken and found.context.taken.texts else found.answer.taken
    # A decline is about nothing.
    texts = [text for text in (taken.texts if taken is not None else ()) if not declines(text)]
    chunks = [TracedChunk(chunk_id=text_id(text), text=text) for text in texts]
    new = [case.question for case in from_evidence(chunks, question=None, own_ids=False)]
    return next((each for each in new if each != first.question), _GENERAL)


def _read(setup: Setup, replied: FirstReply) -> tuple[ReadReply, Trace]:
    """A reply, read, and its trace."""
    read = reply_parts(replied.reply, ReplyMapping(dict(setup.paths)), replied.question)
    if read.trace is None:
        raise TargetError(
            f"the app replied, and no answer could be read from it: {read.problem}; a reply is {read.shape}",
            hint=f"Let it reply with {{answer: text, contexts: [text]}}, or write the suite by hand: {SUITE_KEYS}",
        )
    return read, read.trace


def _take(setup: Setup, replied: FirstReply, found: Understanding) -> None:
    """Take a reply for what the suite is made of."""
    read, setup.trace = _read(setup, replied)
    setup.asked, setup.target, setup.paths = replied.question, replied.target, read.paths
    setup.has_context = "context" in read.paths or (not read.paths and found.context.taken is not None)
    setup.chunks = _with_texts(setup.trace)
    took = f" in {milliseconds(replied.latency_ms)}" if replied.latency_ms is not None else ""
    setup.lines += [f"asked the app “{replied.question}”: it answered{took}", *_reading(setup, found)]


def _with_texts(trace: Trace) -> tuple[TracedChunk, ...]:
    return tuple([chunk for chunk in trace.context_chunks if chunk.text])


def _judged(setup: Setup, trace: Trace) -> CaseRun:
    """An answer, judged without a suite."""
    assert setup.target is not None  # noqa: S101
    rules = rules_without_suite(setup.target, setup.now, has_context=trace.context is not None)
    answered = Answered(trace.model_copy(update={"case_id": None}))
    return evaluate_reply(asked_case(OPENING), answered, rules, custom=None, finished_at=setup.now).row


def _declines(setup: Setup, text: str) -> bool:
    """Whether an answer says that it does not know, or nothing."""
    return _judged(setup, Trace(answer=text)).outcomes["answered"].kind != "passed"


def _reading(setup: Setup, found: Understanding | None) -> Iterator[str]:
    if setup.paths:
        yield f"took {', '.join(f'{field} from `{path}`' for field, path in setup.paths.items())}"
    if found is not None:
        yield from taken_lines(found, setup.paths)
    if not setup.has_context:
        yield "it does not show what its answers rest on: no claim of them can be checked against evidence"
    else:
        yield f"its answer rests on {count(len(setup.trace.context or ()), 'chunk')}"


def _cases(setup: Setup) -> list[StarterCase]:
    """A team's own questions, or some of the evidence; those of documents; one to be declined."""
    if setup.file is not None:
        found = list(setup.file.cases)
    else:
        found = _of_evidence(setup, setup.question) if not setup.cases else []
    known = {case.case_id for case in found}
    found += [each for each in setup.cases if each.case_id not in known]
    if not _with_texts(setup.trace):
        found = [each.without_quotes for each in found]
    return [*[case for case in found if case.case_id != DECLINING.case_id], DECLINING]


def _of_evidence(setup: Setup, question: str | None = None) -> list[StarterCase]:
    """Questions about the app's context or its answer: more where nothing else tells whether it answers at all."""
    own_ids = _has_own_ids(setup.trace)
    return from_evidence(setup.chunks, question=question, own_ids=own_ids, most=3 if setup.declined else 2)


def _has_own_ids(trace: Trace) -> bool:
    """Whether the app names its chunks, so that a case may: an id made from a text is gone with the next cut."""
    chunks = trace.context_chunks
    return bool(chunks) and all(chunk.text is None or chunk.chunk_id != text_id(chunk.text) for chunk in chunks)


def plan_suite(setup: Setup) -> None:
    """Make the files of the suite, and say what they are and what is left to do."""
    recorded = setup.file.traces if setup.file is not None else []
    looked_at = recorded[:_TRIAL_CASES] or [setup.trace]
    rows = [row for row in (_judged(setup, trace) for trace in looked_at) if row.claims]
    texts = [text for each in looked_at for text in (each.reply.text, *[one.text for one in each.context_chunks])]
    told = {language_of(text) for text in texts if text} - {None}
    text = partial(
        suite_text,
        setup,
        # Each answer that claims anything cites.
        cites={any(claim.citations for claim in row.claims) for row in rows} == {True},
        # Of all answers and passages that tell one; of several none has rules for all.
        language=next((each for each in KNOWN if told == {each}), ""),
    )
    name, cases = cases_file("cases", setup.cases)
    trial_name, trial = cases_file("cases", setup.cases[:_TRIAL_CASES])
    bad = _known_bad(setup, {SUITE: text(cases=trial_name, has_known_bad=False), trial_name: trial})
    files = {SUITE: text(cases=name, has_known_bad=bool(bad)), name: cases}
    if bad:
        files[KNOWN_BAD] = known_bad_text(bad)
    if setup.evidence is not None:
        files[SCRIPT] = export_script(setup.evidence)
    setup.files = {**{setup.folder / each: held for each, held in files.items()}, **setup.files}
    setup.lines.append(_kinds(setup.cases, bad))
    setup.todo += [*_only_one(setup), *_workflow(setup)]


def _known_bad(setup: Setup, files: dict[str, str]) -> list[Case]:
    """Known-bad cases that the gates of this very suite block."""
    with tempfile.TemporaryDirectory(prefix="raggate-") as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        loaded = load_suite(Path(folder) / SUITE, environment=setup.environment)
        asked = setup.asked if setup.asked != OPENING else setup.cases[0].question
        evidence = [chunk for chunk in setup.chunks if chunk.chunk_id != _ANSWER]
        own_ids = _has_own_ids(setup.trace)
        return known_bad_cases(loaded, asked, setup.trace, evidence, own_ids=own_ids, now=setup.now)


def _kinds(cases: Sequence[StarterCase], bad: Sequence[Case]) -> str:
    declines = sum(case.declines for case in cases)
    of_them = f", {declines} that the app should decline" if declines else ""
    blocked = f"; {count(len(bad), 'known-bad answer')} made of a good one" if bad else ""
    return f"{count(len(cases), 'case')}{of_them}{blocked}"


def _only_one(setup: Setup) -> Iterator[str]:
    """What makes a suite of one question a real one."""
    if len(setup.cases) > 1:
        return
    why = "the app declined what it was asked and shows no evidence" if setup.declined else "the app shows no evidence"
    init = "raggate-action init"
    if setup.folder.resolve() != Path.cwd():
        init += f" {shlex.quote(str(setup.folder))}"
    yield (
        f"{why}, so this suite is one question, which an app that declines everything passes: "
        f"`{init} --documents FOLDER` makes questions of your documents, `{init} --from questions.txt` takes your own"
    )


def _workflow(setup: Setup) -> Iterator[str]:
    """Add the workflow to the files, and tell what it needs of people."""
    target, top = setup.target, repository_top(setup.folder)
    texts: list[str] = []
    requirements = answers = ""
    if isinstance(target, HttpTarget):
        texts = [target.url, *target.headers.values()]
        yield "the workflow starts your app by ./start-app.sh: write that script, or your own command there"
    elif isinstance(target, RecordedTarget):
        answers = target.traces
        yield (
            "the workflow makes the answers of its revision by ./answer-cases.sh: write that script, with lines of "
            f'{{"question": ..., "answer": ..., "contexts": [...]}} into {answers}, or `raggate-action record` '
            "of a suite that asks your app; without it every pull request judges the same file"
        )
    elif isinstance(target, FunctionTarget | CommandTarget):
        texts = [*(target.command if isinstance(target, CommandTarget) else ()), *target.env.values()]
        requirements = "requirements.txt" if (setup.folder / "requirements.txt").is_file() else ""
        if not requirements:
            yield "the workflow needs your app's packages: name them in a file, and it by `requirements:`"
    if isinstance(target, FunctionTarget) and target.python:
        yield "`python:` of the suite is an interpreter of this machine: in the workflow leave it out"
    secrets = dict.fromkeys(found for text in texts for found in REFERENCE.findall(text) if found)
    secrets |= {JUDGE_KEY: None} if setup.judges else {}
    if secrets:
        yield f"the workflow reads {', '.join(secrets)} from the repository's secrets"
    if setup.judges:
        yield "`judges:` in the suite names a sample: write your own model, its lab and its price"
    if setup.evidence is not None:
        yield f"python {SCRIPT} writes your chunks; then take `evidence:` in the suite out of its comment"
    inside = Path(os.path.relpath(setup.folder.resolve(), top)).as_posix()
    # Shown from where the command is given.
    place = setup.folder if top == setup.folder.resolve() else Path(os.path.relpath(top))
    setup.files[place / _WORKFLOWS / GATE] = workflow_text(
        starts_app=isinstance(target, HttpTarget),
        answers=answers,
        folder="" if inside == "." else inside,
        requirements=requirements,
        secrets=tuple(secrets),
    )
