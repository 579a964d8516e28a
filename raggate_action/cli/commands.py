"""Every command: its help, its three examples, its exit codes and its options. Loads nothing heavy."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Literal

from raggate_action.cli.options import Options, Place, option, repeated

DEFAULT_SUITE: Final = Path("raggate.yaml")
# What several commands take.
_SUITE = option("SUITE", "suite file (default: raggate.yaml)", default=DEFAULT_SUITE, positional=True)
_LAST_RUN = option("RUN", "run directory (default: the last run)", positional=True)
_SUITE_OF_RUN = option("SUITE", "suite file (default: the suite of the run)")
_TRACES = "judge recorded traces instead of asking the app"
_URL = "ask this address instead of the suite's"
_SCOPE = "which cases: a scope of the suite (default: full)"
_REUSE = "ask judges again what they have answered before"
_FAULTS = {"group": "with --faults"}
_ROWS = {"group": "scores that exist already"}


@dataclass(kw_only=True)
class App(Options):
    """An app named on the command line, without a suite: one of url, function and program, or none of them."""

    url: str | None = option("URL", "the app's address", only_one="app")
    function: str | None = option("M:F", "the app as a Python function, module:callable", only_one="app")
    program: str | None = option(
        "LINE",
        "the app as a program, as in 'python app.py {{question}}' (no shell)",
        flag="--command",
        only_one="app",
    )
    body: str | None = option("JSON", 'what to post to --url, as in {"query": "{{question}}"}')
    header: list[str] = repeated("H", "request header of --url; write a key as ${VAR}")
    python: str | None = option("P", "the interpreter of --function (default: raggate's own)")
    env: list[str] = repeated("VAR", "environment variable that the app needs")
    response: list[str] = repeated(
        "PATHS",
        "where a reply has them, as in answer=output.text,context=docs (JMESPath); context=none for no evidence",
    )

    @property
    def names_an_app(self) -> bool:
        """Whether an app is named at all."""
        return any(named is not None for named in (self.url, self.function, self.program))


@dataclass(kw_only=True)
class Init(App):
    """Write a first suite for your app, and run it.

    Asks your app one question, or reads recorded answers, writes a suite, known-bad
    answers and a GitHub workflow, and runs the suite. Overwrites nothing. At a
    terminal it asks for what you leave out.

    examples:
      raggate-action init --url http://localhost:8000/ask
      raggate-action init --command 'python app.py {{question}}'
      raggate-action init --traces answers.jsonl       # recorded answers

    exit codes: 0 files written and the first run decided (release or block),
    2 usage, 3 the app could not be asked or its reply not read, or the first run
    was inconclusive, 4 bug in raggate
    """

    folder: Path = option("FOLDER", "where to write (default: here)", default=Path(), positional=True)
    traces: Path | None = option("F", "recorded answers with their questions")
    questions: Path | None = option(
        "FILE",
        "your own questions, or a file of another tool as it is; beside a suite its new cases are added",
        flag="--from",
    )
    documents: Path | None = option(
        "FOLDER", "what your app answers from (.md, .txt, .html): rules, or your suite's judge, write questions"
    )
    count: int | None = option("N", "how many questions (default: 20)")
    evidence: Literal["markdown", "qdrant"] | None = option(
        "", "where you keep your chunks: init also writes a script that exports them", choices=("markdown", "qdrant")
    )
    judges: bool = option("", "with a section for judges", default=False)
    dry_run: bool = option("", "ask the app and show the files, but write nothing", default=False)


@dataclass(kw_only=True)
class Ask(App):
    """Ask the app one question, and show what every gate says.

    Shows the reply, what raggate reads from it, and every gate. Writes nothing.

    examples:
      raggate-action ask "How long do I have to return a parcel?"
      raggate-action ask cannot-be-answered            # a case of the suite
      raggate-action ask "When is a refund paid?" --url http://localhost:8000/ask

    exit codes: 0 release, 1 block, 2 usage, 3 inconclusive, 4 bug in raggate
    """

    question: str = option("QUESTION", "a question, or the id of a case of the suite", positional=True, nargs=None)
    suite: Path = _SUITE


@dataclass(kw_only=True)
class Run(Options):
    """Run the suite and decide: release or block.

    examples:
      raggate-action run                               # into raggate-run/
      raggate-action run --baseline main-run           # what has changed since?
      raggate-action run --case cannot-be-answered     # one case, by its id

    exit codes: 0 release, 1 block, 2 usage, 3 inconclusive, 4 bug in raggate
    """

    suite: Path = _SUITE
    scope: str = option("S", _SCOPE, default="full")
    case: list[str] = repeated("ID", "run only this case; may be repeated")
    traces: Path | None = option("F", _TRACES, only_one="target")
    target_url: str | None = option("U", _URL, only_one="target")
    out: Path | None = option("DIR", "run directory (default: raggate-run; with --case: raggate-case)")
    baseline: Path | None = option("DIR", "compare with this run")
    resume: bool = option("", "go on with the unfinished run in --out", default=False)
    reuse: bool = option("", _REUSE, default=True, flag="--no-reuse")
    enforce: bool | None = option(
        "",
        "exit 1 on block and 3 on inconclusive, or 0 always (default: what the suite says)",
        action=argparse.BooleanOptionalAction,
    )


@dataclass(kw_only=True)
class Explain(Options):
    """Show which cases fail and why, or one case in full.

    Without CASE it lists the cases that fail. With CASE it shows question, answer,
    claims, evidence and every gate of that case. A single word that names no run
    directory is a case of the last run.

    examples:
      raggate-action explain                           # the last run
      raggate-action explain cannot-be-answered        # a case of the last run
      raggate-action explain main-run cannot-be-answered

    exit codes: 0 shown, 2 usage, 4 bug in raggate
    """

    directory: Path | None = _LAST_RUN
    case: str | None = option("CASE", "case id (default: list the cases that fail)", positional=True)


@dataclass(kw_only=True)
class Report(Options):
    """Print a run in another format, or compare two runs.

    Prints a run's comment, summary or page, or a file for other tools, without
    asking the app. With --baseline it compares the two runs and decides again.

    examples:
      raggate-action report                            # the last run
      raggate-action report --format junit > junit.xml
      raggate-action report raggate-run --baseline main-run

    exit codes: 0 printed, 2 usage, 4 bug in raggate; with --baseline as `run`:
    0 release, 1 block, 3 inconclusive
    """

    directory: Path | None = _LAST_RUN
    baseline: Path | None = option("DIR", "compare with this run and decide again")
    open: bool = option("", "open its page in the browser", default=False, only_one="form")
    history: bool = option("", "print the runs of its branch, one a line", default=False, only_one="form")
    format: str = option(
        "F",
        "comment (default), summary, html, junit, sarif, badge or json",
        default="comment",
        only_one="form",
        choices=("comment", "summary", "html", "junit", "sarif", "badge", "json"),
    )


@dataclass(kw_only=True)
class Accept(Options):
    """Propose labels from the answers of a good run.

    Shows, as labels, what the answers of a run rest on. You decide whether that is
    right.

    examples:
      raggate-action accept                            # show the labels
      raggate-action accept --from-main main-run       # of main's answers
      raggate-action accept --write                    # write them

    exit codes: 0 shown or written, 2 usage, 4 bug in raggate
    """

    directory: Path | None = _LAST_RUN
    case: list[str] = repeated("ID", "only this case, even if it failed; may be repeated")
    write: bool = option("", "write the labels to gate/accepted.yaml beside the suite", default=False)
    from_main: bool = option("", "from the answers of the baseline that the run has kept", default=False)
    suite: Path | None = _SUITE_OF_RUN


@dataclass(kw_only=True)
class Check(Options):
    """Find mistakes in the suite; with --faults, test its gates.

    Reads suite, case and evidence files and lists every mistake, without asking the
    app. With --faults it puts faults into answers that pass, and counts how many of
    them the gates catch.

    examples:
      raggate-action check
      raggate-action check --faults
      raggate-action check --faults --show cannot-be-answered

    exit codes: 0 no mistakes, 2 mistakes or usage, 4 bug in raggate; with --faults:
    0 all caught, 1 some not caught, 3 no answer passes; faults that only labels
    tell are advice and change no exit code
    """

    suite: Path = _SUITE
    faults: bool = option("", "put faults into passing answers", default=False)
    scope: str | None = option("S", _SCOPE, **_FAULTS)
    show: str | None = option("CASE", "print the faults put into this case, each with its trace", **_FAULTS)
    traces: Path | None = option("F", _TRACES, only_one="target", **_FAULTS)
    target_url: str | None = option("U", _URL, only_one="target", **_FAULTS)


class Judges(Options):
    """Label claims, and test judges against the labels.

    Models can judge what rules leave open. A judge counts once it agrees often
    enough with your labels; until then it only advises.

    examples:
      raggate-action judges label                      # claims to fill in
      raggate-action judges check                      # which judges count now?
      raggate-action run                               # they judge this run
    """


@dataclass(kw_only=True)
class JudgesLabel(Options):
    """Write claims of a run into a file, for people to label.

    Writes answers of a run, their chunks and claims into labels.yaml, with every
    `verdict:` left empty. Fill them in: they decide which judges count. What the
    file holds stays as it is, byte for byte.

    examples:
      raggate-action judges label                      # as many as arm a judge
      raggate-action judges label --count 20
      raggate-action judges label --out second.yaml    # for a second person

    exit codes: 0 written, or nothing to write, 2 usage (no finished run, a mistake
    in the file), 4 bug in raggate
    """

    place: ClassVar[Place] = "judges"
    directory: Path | None = _LAST_RUN
    suite: Path | None = _SUITE_OF_RUN
    out: Path | None = option(
        "FILE", "file of labels (default: `judges: calibration` of the suite, else labels.yaml beside it)"
    )
    count: int | None = option("N", "so many (default: what a judge lacks to be armed)")


@dataclass(kw_only=True)
class JudgesCheck(Options):
    """Test the suite's judges against the labels.

    Asks every judge of the suite about the labelled claims and shows which of them
    agree often enough to count. With two files of labels it asks nobody, and shows
    where the two people differ.

    examples:
      raggate-action judges check                      # the labels of the suite
      raggate-action judges check labels.yaml second.yaml
      raggate-action judges check --no-reuse           # has a judge drifted?

    exit codes: 0 shown, 1 a judge that counted no longer does, 2 usage, 3 no judge
    could be asked, or one that counted could not be asked again, 4 bug in raggate
    """

    place: ClassVar[Place] = "judges"
    labels: Path | None = option(
        "FILE", "file of labels (default: `judges: calibration` of the suite)", positional=True
    )
    second: Path | None = option("FILE", "the labels of a second person", positional=True)
    suite: Path = option("SUITE", "suite file (default: raggate.yaml)", default=DEFAULT_SUITE)
    reuse: bool = option("", "ask again what the judges have answered before", default=True, flag="--no-reuse")


@dataclass(kw_only=True)
class Ab(Options):
    """Compare two versions of the app, blind.

    Asks both arms of the suite's `ab:` section the same questions. Judges score the
    answers without knowing which arm gave them. With --rows it reads scores from a
    CSV file and asks nobody.

    examples:
      raggate-action ab                                # into raggate-ab/
      raggate-action ab --case cannot-be-answered      # into raggate-ab-case/
      raggate-action ab --rows raggate-ab/judge_rows.csv

    exit codes: 0 compared, 1 the gate `ab` blocks and the control is preferred,
    2 usage, 3 nothing could be judged, or an arm answered nothing, 4 bug in raggate
    """

    suite: Path | None = option("SUITE", "suite file (default: raggate.yaml)", positional=True)
    scope: str | None = option("S", _SCOPE)
    case: list[str] = repeated("ID", "compare only this case; may be repeated")
    out: Path | None = option(
        "DIR", "where to write (default: raggate-ab; with --case: raggate-ab-case; with --rows: nowhere)"
    )
    reuse: bool = option("", _REUSE, default=True, flag="--no-reuse")
    rows: Path | None = option(
        "FILE",
        "CSV file of this program or of another: question_id, judge_name, and X_A and X_B for each score",
        **_ROWS,
    )
    control_lab: str | None = option("L", "with --rows: the lab that trained the control's model (A)", **_ROWS)
    treatment_lab: str | None = option("L", "with --rows: the lab of the treatment's model (B)", **_ROWS)


@dataclass(kw_only=True)
class AuditAnswer(Options):
    """Check one answer against its chunks.

    Checks every claim of one answer against the chunks it was made from, and prints
    the result as JSON.

    examples:
      raggate-action audit --answer a.txt --chunks c.jsonl
      cat a.txt | raggate-action audit --answer - --chunks c.jsonl
      raggate-action audit --answer a.txt --chunks c.jsonl --judge raggate.yaml

    not for: composing or rewriting answers, retrieving chunks, style, facts that
    are in no chunk. Rules find faults and recognise quotations. A claim in other
    words stays `unverified`, unless --judge asks models about it.

    exit codes: 0 faithful, 1 partial or unfaithful, 2 usage, 3 unverified, 4 bug in
    raggate
    """

    answer: Path = option("FILE", "the answer as text; - for stdin", required=True)
    chunks: Path = option(
        "FILE",
        'the chunks it was made from, lines of {"id": ..., "text": ...} or {"chunk_id": ..., "text": ...}',
        required=True,
    )
    language: str = option("L", "of the answer, ISO 639-1 (default: en)", default="en")
    judge: Path | None = option("SUITE", "ask the judges of this suite about what rules leave open")


@dataclass(kw_only=True)
class Record(Options):
    """Ask the app and save its answers, to judge them elsewhere.

    examples:
      raggate-action record --out traces.jsonl
      raggate-action record --out t.jsonl --target-url http://localhost:8000/ask
      raggate-action run --traces traces.jsonl         # judge them, anywhere

    exit codes: 0 written, 2 usage, 3 the app answered no case, 4 bug in raggate
    """

    place: ClassVar[Place] = "more"
    suite: Path = _SUITE
    scope: str = option("S", _SCOPE, default="full")
    target_url: str | None = option("U", _URL)
    out: Path = option("F", "JSONL file to write", required=True)


@dataclass(kw_only=True)
class Schema(Options):
    """Print a file format as JSON Schema.

    For editors and for other tools.

    examples:
      raggate-action schema                            # list the formats
      raggate-action schema suite
      raggate-action schema trace > trace.schema.json

    exit codes: 0 shown, 2 usage, 4 bug in raggate
    """

    place: ClassVar[Place] = "more"
    name: str | None = option("NAME", "which format (default: list them)", positional=True)


@dataclass(kw_only=True)
class Action(Options):
    """In a GitHub workflow: do what the event asks for.

    It takes no options: the environment says everything. The workflow, ready to copy,
    is in the README.
    """

    place: ClassVar[Place] = "unlisted"


@dataclass(kw_only=True)
class Publish(Action):
    """In a workflow on workflow_run: comment on a fork's pull.

    It takes no options: the environment says everything. The workflow, ready to copy,
    is in docs/pull-requests.md.
    """


COMMANDS: Final[dict[str, type[Options]]] = {
    "init": Init,
    "ask": Ask,
    "run": Run,
    "explain": Explain,
    "report": Report,
    "accept": Accept,
    "check": Check,
    "judges": Judges,
    "judges label": JudgesLabel,
    "judges check": JudgesCheck,
    "ab": Ab,
    "audit": AuditAnswer,
    "record": Record,
    "schema": Schema,
    "action": Action,
    "publish": Publish,
}
