"""A first suite for an app, made from its replies to one or two questions. Nothing is invented."""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import JsonValue

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.core.text.languages.common_words import language_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.errors import TargetError
from raggate_action.onboarding import starter_cases
from raggate_action.onboarding.app_address import AppOptions, target_of_options
from raggate_action.onboarding.app_probe import FirstQuestion, ReadReply, command_target, first_answer, reply_parts
from raggate_action.onboarding.document_files import own_documents
from raggate_action.onboarding.git_ignore import repository_top
from raggate_action.onboarding.one_question import rules_without_suite
from raggate_action.onboarding.question_files import TRACES, QuestionFile, case_line
from raggate_action.onboarding.reply_choice import response_section, taken_lines
from raggate_action.onboarding.starter_cases import AppAnswer, KnownBad, StarterCase, known_bad_cases
from raggate_action.onboarding.suite_text import (
    CASES,
    JUDGE_KEY,
    KNOWN_BAD,
    MANY_CASES,
    SCRIPT,
    SUITE,
    EvidenceKind,
    FileText,
    cases_text,
    copy_text,
    export_script,
    known_bad_text,
    suite_name,
    suite_text,
)
from raggate_action.replies.place_choice import AskedReply, Choice, Understanding, understand
from raggate_action.replies.reply_forms import text_id
from raggate_action.replies.stated_errors import stated_error
from raggate_action.report.render import render_scaffold
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget, TargetSection
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.strings.numbers import count, milliseconds
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.target_section import REFERENCE
from raggate_action.targets.reply_mapping import ReplyMapping, shape_of
from raggate_action.targets.target_factory import LiveTarget
from raggate_action.version import SUITE_KEYS

_TRIAL_CASES = 20
GATE = "release-gate.yml"


class WorkflowNeeds(NamedTuple):
    """What a suite needs of a workflow.

    Attributes:
        suite: Its name, which the artifact is called by.
        starts_app: An app has to be started before it is asked.
        answers: The file of recorded answers, which every revision has to write anew; empty where an app is asked.
        folder: The suite's folder, seen from the top of the repository; empty for the top itself.
        requirements: A requirements file for an app that is a function; empty for none.
        secrets: Environment variables that the suite reads.
    """

    suite: str
    starts_app: bool = True
    answers: str = ""
    folder: str = ""
    requirements: str = ""
    secrets: tuple[str, ...] = ()


def workflow(needs: WorkflowNeeds) -> str:
    """The text of the workflow file."""
    return render_scaffold(GATE, needs._asdict())


# What an app says stands in for what it shows, where it shows nothing.
_ANSWER = "the answer itself"


class Wishes(NamedTuple):
    """What a first suite is made for.

    Attributes:
        folder: Where it will be.
        question: A question that a person named; None for none.
        questions: A team's own questions; None for none.
        evidence: Where the app's chunks are kept; None for no export.
        environment: Where variables come from.
        now: The moment, ISO 8601 UTC.
        tell: Shows a line while the app is waited for.
        proposed: Questions that were made of the documents the app answers from.
        response: Paths into a reply that somebody named.
        ask: Asks a person; None where nobody is there.
        judges: The suite is to have judges.
    """

    folder: Path
    question: str | None
    questions: QuestionFile | None
    evidence: EvidenceKind | None
    environment: Mapping[str, str]
    now: str
    tell: Callable[[str], object]
    proposed: tuple[StarterCase, ...] = ()
    response: Mapping[str, str] = {}
    ask: Callable[[str], str] | None = None
    judges: bool = False


class FirstSuite(NamedTuple):
    """A suite, not yet written.

    Attributes:
        files: Path from the suite's folder -> text.
        workflow: The text of `.github/workflows/release-gate.yml` at the top of the repository.
        findings: What the app showed, a line each.
        todo: What only people can do, a line each.
        cases: Its ordinary cases; of many the first.
    """

    files: dict[str, FileText]
    workflow: str
    findings: tuple[str, ...]
    todo: tuple[str, ...]
    cases: tuple[StarterCase, ...]


class _AppFacts(NamedTuple):
    """What the replies showed of an app; `declined`: what it was asked first, so that only its evidence tells much."""

    target: TargetSection
    read: ReadReply
    trace: Trace
    evidence: tuple[TracedChunk, ...]
    question: str
    extra: dict[str, FileText]
    findings: tuple[str, ...]
    declined: bool = False


async def for_app(options: AppOptions, wishes: Wishes) -> FirstSuite:
    """A suite for an app that answers now, which is asked three questions: what changes with them can be its answer.

    Where nobody named a question, and neither the reply nor its answer tells what the app knows, the second is about
    the documents that lie beside it.

    Raises:
        TargetError: It cannot be asked, or nothing in its reply is an answer.
        UsageError: What was named cannot be used, or several places of its reply could be one field.
    """
    app = target_of_options(options)
    own = wishes.questions.questions[0].question if wishes.questions else wishes.question
    if own is None and wishes.proposed:
        own = wishes.proposed[0].question
    first = await _first_reply(app, own or starter_cases.OPENING, wishes)
    documents = own_documents(wishes.folder) if own is None else ()
    declines = partial(_declines, app, wishes)
    second, of_documents = _second_question(first, documents, wishes, declines)
    replies = [first]
    for question in (second, starter_cases.DECLINED):
        # A failure is the first run's to report.
        with contextlib.suppress(TargetError):
            replies.append(await _first_reply(app, question, wishes))
    found = understand([AskedReply(each.question, each.reply) for each in replies], declines)
    paths = response_section(found, wishes.response, shape=shape_of(first.reply), ask=wishes.ask)
    facts = _facts(first, found, paths)
    facts = facts._replace(declined=declines(facts.trace.reply.text))
    if not facts.evidence and not facts.declined:
        facts = facts._replace(evidence=(TracedChunk(chunk_id=_ANSWER, text=facts.trace.reply.text),))
    if own is None and not _from_evidence(facts) and len(replies) > 1 and replies[1].question == second:
        again = _facts(replies[1], found, paths)
        if not declines(again.trace.reply.text):
            evidence = documents if of_documents else again.evidence
            findings = (*facts.findings, *again.findings)
            facts = again._replace(evidence=evidence, findings=findings, declined=facts.declined)
    if not facts.evidence:
        # Whatever a reply shows can be asked about, also where the app makes nothing of it.
        facts = facts._replace(evidence=_shown_by_others(replies[1:], found, paths))
    if facts.declined:
        asks = (
            "the questions are made of the evidence that it showed"
            if facts.evidence
            else "it showed no evidence either"
        )
        facts = facts._replace(findings=(*facts.findings, f"it declined “{first.question}”; {asks}"))
    if wishes.questions is not None:
        facts = facts._replace(findings=(*wishes.questions.table, *facts.findings))
    if isinstance(facts.target, CommandTarget):
        asking = FirstQuestion(first.question, wishes.folder, wishes.environment, wishes.tell)
        facts = facts._replace(target=await command_target(facts.target, asking, paths, first.latency_ms))
    return _suite(facts, _cases(facts, wishes), wishes, wishes.questions)


class _FirstReply(NamedTuple):
    """An app's reply to one question, and how the app is asked."""

    question: str
    reply: JsonValue
    target: TargetSection
    latency_ms: float | None


async def _first_reply(app: LiveTarget, question: str, wishes: Wishes) -> _FirstReply:
    """Ask an app one question."""
    asking = FirstQuestion(question, wishes.folder, wishes.environment, wishes.tell)
    answer = await first_answer(app, asking)
    replied = _FirstReply(question, answer.reply, answer.target, answer.latency_ms)
    error = stated_error(replied.reply)
    if error is not None and understand([AskedReply(question, replied.reply)]).answer == Choice():
        raise TargetError(f"the app replied with an error: {error.text}", hint="Its own log says more.")
    return replied


def _second_question(
    first: _FirstReply, documents: Sequence[TracedChunk], wishes: Wishes, declines: Callable[[str], bool]
) -> tuple[str, bool]:
    """A question that the app should be able to answer, and whether it is about the documents beside it."""
    if wishes.questions is not None and len(wishes.questions.questions) > 1:
        return wishes.questions.questions[1].question, False
    if answered := [case.question for case in wishes.proposed[1:] if not case.declines]:
        return answered[0], False
    found = understand([AskedReply(first.question, first.reply)])
    taken = found.context.taken if found.context.taken and found.context.taken.texts else found.answer.taken
    # A decline is about nothing.
    texts = [text for text in (taken.texts if taken is not None else ()) if not declines(text)]
    of_reply = [TracedChunk(chunk_id=text_id(text), text=text) for text in texts]
    for chunks in (of_reply, documents):
        cases = starter_cases.from_evidence(chunks, question=None, own_ids=False)
        if new := [case.question for case in cases if case.question != first.question]:
            return new[0], chunks is documents
    return _GENERAL, False


# Where nothing tells what the app knows; its answer only has to differ.
_GENERAL = "Where can I find help?"


def _facts(replied: _FirstReply, found: Understanding, paths: dict[str, str]) -> _AppFacts:
    read = reply_parts(replied.reply, ReplyMapping(paths), replied.question)
    if read.trace is None:
        raise TargetError(
            f"the app replied, and no answer could be read from it: {read.problem}; a reply is {read.shape}",
            hint=f"Let it reply with {{answer: text, contexts: [text]}}, or write the suite by hand: {SUITE_KEYS}",
        )
    trace, read = read.trace, read._replace(found=found, has_context=_has_context(found, paths))
    took = f" in {milliseconds(replied.latency_ms)}" if replied.latency_ms is not None else ""
    findings = (f"asked the app “{replied.question}”: it answered{took}", *_reading(read))
    chunks = tuple([chunk for chunk in trace.context_chunks if chunk.text])
    return _AppFacts(replied.target, read, trace, chunks, replied.question, {}, findings)


def _shown_by_others(
    replies: Sequence[_FirstReply], found: Understanding, paths: dict[str, str]
) -> tuple[TracedChunk, ...]:
    """The chunks that the first of these replies shows which shows any."""
    for each in replies:
        with contextlib.suppress(TargetError):
            if chunks := _facts(each, found, paths).evidence:
                return chunks
    return ()


def _has_context(found: Understanding, paths: Mapping[str, str]) -> bool:
    return "context" in paths or (not paths and found.context.taken is not None)


def _judged(target: TargetSection, wishes: Wishes, trace: Trace) -> CaseRun:
    """An answer, judged without a suite."""
    rules = rules_without_suite(target, wishes.now, has_context=trace.context is not None)
    placed = FirstQuestion(starter_cases.OPENING, wishes.folder, wishes.environment).placed_case
    answered = Answered(trace.model_copy(update={"case_id": None}))
    return evaluate_reply(placed, answered, rules, custom=None, finished_at=wishes.now).row


def _declines(app: LiveTarget, wishes: Wishes, text: str) -> bool:
    """Whether an answer says that it does not know, or nothing."""
    return _judged(app, wishes, Trace(answer=text)).outcomes["answered"].kind != "passed"


def _looked_at(facts: _AppFacts, source: QuestionFile | None) -> list[Trace]:
    recorded = [each.trace for each in source.questions if each.trace is not None] if source is not None else []
    return recorded[:_TRIAL_CASES] or [facts.trace]


def _language(traces: Iterable[Trace]) -> str:
    """The language of all answers and passages that tell one; empty where they tell several, or one without rules."""
    texts = [text for trace in traces for text in (trace.reply.text, *[each.text for each in trace.context_chunks])]
    told = {language_of(text) for text in texts if text} - {None}
    return next((each for each in KNOWN if told == {each}), "")


def _cites(facts: _AppFacts, wishes: Wishes, source: QuestionFile | None) -> bool:
    """Whether each answer that was looked at and claims anything cites."""
    rows = [_judged(facts.target, wishes, trace) for trace in _looked_at(facts, source)]
    return {any(claim.citations for claim in row.claims) for row in rows if row.claims} == {True}


def recorded_suite(file: QuestionFile, wishes: Wishes) -> FirstSuite:
    """A suite for recorded answers; no app is called."""
    answered = [(each.question, each.trace) for each in file.questions if each.trace is not None]
    question, trace = next(((asked, trace) for asked, trace in answered if trace.context), answered[0])
    bare = trace.model_copy(update={"case_id": None})
    has_context = any(trace.context is not None for _, trace in answered)
    read = ReadReply(bare, dict(file.paths), "", "", has_context)
    target = RecordedTarget(kind="recorded", traces=TRACES)
    findings = (*file.table, *_reading(read))
    evidence = tuple([chunk for chunk in bare.context_chunks if chunk.text])
    facts = _AppFacts(target, read, bare, evidence, question, {TRACES: file.trace_lines}, findings)
    return _suite(facts, starter_cases.from_questions(file.questions), wishes, file)


def _reading(read: ReadReply) -> tuple[str, ...]:
    trace = read.trace
    paths = ", ".join(f"{field} from `{path}`" for field, path in read.paths.items())
    lines = [f"took {paths}"] if paths else []
    if read.found is not None:
        lines += taken_lines(read.found, read.paths)
    if not read.has_context:
        lines.append("it does not show what its answers rest on: no claim of them can be checked against evidence")
    elif trace is not None:
        lines.append(f"its answer rests on {count(len(trace.context or ()), 'chunk')}")
    return tuple(lines)


def _cases(facts: _AppFacts, wishes: Wishes) -> tuple[StarterCase, ...]:
    if wishes.questions is not None:
        found = starter_cases.from_questions(wishes.questions.questions)
    else:
        found = _from_evidence(facts, wishes.question) if not wishes.proposed else ()
    shows_texts = any(chunk.text for chunk in facts.trace.context_chunks)
    known = {case.case_id for case in found}
    found = (*found, *[each for each in wishes.proposed if each.case_id not in known])
    found = found if shows_texts else tuple([each.without_quotes for each in found])
    declining = starter_cases.declining_case()
    return (*[case for case in found if case.case_id != declining.case_id], declining)


def _from_evidence(facts: _AppFacts, question: str | None = None) -> tuple[StarterCase, ...]:
    """Questions about the app's context, its answer, or documents next to it."""
    most = starter_cases.FROM_EVIDENCE_OF_A_DECLINE if facts.declined else starter_cases.FROM_EVIDENCE
    own_ids = _has_own_ids(facts.trace)
    return starter_cases.from_evidence(facts.evidence, question=question, own_ids=own_ids, most=most)


def _has_own_ids(trace: Trace) -> bool:
    """Whether the app names its chunks, so that a case may: an id made from a text is gone with the next cut."""
    chunks = trace.context_chunks
    return bool(chunks) and all(chunk.text is None or chunk.chunk_id != text_id(chunk.text) for chunk in chunks)


def _suite(facts: _AppFacts, cases: tuple[StarterCase, ...], wishes: Wishes, source: QuestionFile | None) -> FirstSuite:
    name = suite_name(wishes.folder)
    read = facts.read
    many = source is not None and source.cases is not None
    text = partial(
        suite_text,
        facts.target,
        name=name,
        paths=read.paths,
        has_context=read.has_context,
        evidence=wishes.evidence,
        judge_key=JUDGE_KEY if wishes.judges else None,
        cites=_cites(facts, wishes, source),
        language=_language(_looked_at(facts, source)),
    )
    about = facts.question if facts.question != starter_cases.OPENING else cases[0].question
    # Of many cases a few are enough to see what the gates of the suite block.
    trial = {SUITE: text(cases=CASES, has_known_bad=False), CASES: cases_text(cases[:_TRIAL_CASES])}
    bad = _known_bad(trial, facts._replace(question=about), wishes)
    files: dict[str, FileText] = {SUITE: text(cases=MANY_CASES if many else CASES, has_known_bad=bool(bad))}
    if source is not None and source.cases is not None:
        files[MANY_CASES] = _with_cases(source.cases, cases[len(source.questions) :])
    else:
        files[CASES] = cases_text(cases)
    files |= facts.extra
    if bad:
        files[KNOWN_BAD] = known_bad_text(bad)
    if wishes.evidence is not None:
        files[SCRIPT] = export_script(wishes.evidence)
    top = repository_top(wishes.folder)
    needs = _needs(name, facts.target, wishes.folder, top)
    if wishes.judges:
        needs = needs._replace(secrets=tuple(dict.fromkeys([*needs.secrets, JUDGE_KEY])))
    size = len(cases) if source is None else source.size + len(cases) - len(source.questions)
    findings = (*facts.findings, _kinds(cases, size, bad))
    todo = [*_only_one(facts, cases, wishes), *_todo(facts, needs, wishes)]
    return FirstSuite(files, workflow(needs), findings, tuple(todo), cases)


def _only_one(facts: _AppFacts, cases: Sequence[StarterCase], wishes: Wishes) -> Iterator[str]:
    """What makes a suite of one question a real one."""
    if len(cases) > 1:
        return
    why = "the app declined what it was asked and shows no evidence" if facts.declined else "the app shows no evidence"
    init = "raggate-action init"
    if wishes.folder.resolve() != Path.cwd():
        init += f" {shlex.quote(str(wishes.folder))}"
    yield (
        f"{why}, so this suite is one question, which an app that declines everything passes: "
        f"`{init} --documents FOLDER` makes questions of your documents, `{init} --from questions.txt` takes your own"
    )


def _with_cases(lines: IO[bytes], more: tuple[StarterCase, ...]) -> IO[bytes]:
    """A file of cases with more of them at its end."""
    lines.seek(0, os.SEEK_END)
    for case in more:
        labels: dict[str, JsonValue] = {**case.labels, **({"expect": "abstain"} if case.declines else {})}
        lines.write(case_line(case.case_id, case.question, labels).encode())
    return lines


def _known_bad(files: Mapping[str, FileText], facts: _AppFacts, wishes: Wishes) -> tuple[KnownBad, ...]:
    """Known-bad cases that the gates of this very suite block."""
    with tempfile.TemporaryDirectory(prefix="raggate-") as folder:
        write_all(Path(folder), files)
        loaded = load_suite(Path(folder) / SUITE, environment=wishes.environment)
        evidence = tuple([chunk for chunk in facts.evidence if chunk.chunk_id != _ANSWER])
        answer = AppAnswer(facts.question, facts.trace, evidence, _has_own_ids(facts.trace))
        return known_bad_cases(loaded, answer, now=wishes.now)


def write_all(folder: Path, files: Mapping[str, FileText]) -> None:
    """Write files below a folder, whatever is there."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as stream:
            copy_text(text, stream)


def _kinds(cases: tuple[StarterCase, ...], size: int, bad: tuple[KnownBad, ...]) -> str:
    declines = sum(case.declines for case in cases)
    of_them = f", {declines} that the app should decline" if declines else ""
    blocked = f"; {count(len(bad), 'known-bad answer')} made of a good one" if bad else ""
    return f"{count(size, 'case')}{of_them}{blocked}"


def _needs(name: str, target: TargetSection, folder: Path, top: Path) -> WorkflowNeeds:
    texts = []
    requirements = ""
    if isinstance(target, HttpTarget):
        texts = [target.url, *target.headers.values()]
    elif isinstance(target, FunctionTarget | CommandTarget):
        texts = [*(target.command if isinstance(target, CommandTarget) else ()), *target.env.values()]
        requirements = "requirements.txt" if (folder / "requirements.txt").is_file() else ""
    secrets = dict.fromkeys(found for text in texts for found in REFERENCE.findall(text) if found)
    inside = Path(os.path.relpath(folder.resolve(), top)).as_posix()
    return WorkflowNeeds(
        suite=name,
        starts_app=isinstance(target, HttpTarget),
        answers=target.traces if isinstance(target, RecordedTarget) else "",
        folder="" if inside == "." else inside,
        requirements=requirements,
        secrets=tuple(secrets),
    )


def _todo(facts: _AppFacts, needs: WorkflowNeeds, wishes: Wishes) -> list[str]:
    todo = []
    if needs.starts_app:
        todo.append("the workflow starts your app by ./start-app.sh: write that script, or your own command there")
    if needs.answers:
        todo.append(
            "the workflow makes the answers of its revision by ./answer-cases.sh: write that script, with lines of "
            f'{{"question": ..., "answer": ..., "contexts": [...]}} into {needs.answers}, or `raggate-action record` '
            "of a suite that asks your app; without it every pull request judges the same file"
        )
    if isinstance(facts.target, FunctionTarget | CommandTarget) and not needs.requirements:
        todo.append("the workflow needs your app's packages: name them in a file, and it by `requirements:`")
    if isinstance(facts.target, FunctionTarget) and facts.target.python:
        todo.append("`python:` of the suite is an interpreter of this machine: in the workflow leave it out")
    if needs.secrets:
        todo.append(f"the workflow reads {', '.join(needs.secrets)} from the repository's secrets")
    if wishes.judges:
        todo.append("`judges:` in the suite names a sample: write your own model, its lab and its price")
    if wishes.evidence is not None:
        todo.append(f"python {SCRIPT} writes your chunks; then take `evidence:` in the suite out of its comment")
    return todo
