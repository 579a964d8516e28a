"""Every command: its line in `--help`, its three examples, its exit codes and its options. Loads nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from raggate_action.version import WORKFLOW

DEFAULT_SUITE: Final = Path("raggate.yaml")

Declare: TypeAlias = Callable[[argparse.ArgumentParser], None]
# Workflows call the unlisted commands; no person types them.
Place: TypeAlias = Literal["commands", "more", "judges", "unlisted"]

_GATE_EXITS: Final = "exit codes: 0 release, 1 block, 2 usage, 3 inconclusive, 4 bug in raggate"
_SHOWN_EXITS: Final = "exit codes: 0 shown, 2 usage, 4 bug in raggate"


class ListedCommand(NamedTuple):
    """A command as `--help` shows it.

    Attributes:
        name: The words that are typed.
        module: Its file without `_command.py`.
        place: The part of `raggate-action --help`, or of `judges --help`, that lists it.
        summary: One line for the list.
        text: What its own help says first, in lines of at most 80 columns.
        examples: Lines that run as written.
        exits: Its exit codes.
        declare: Declares its options.
    """

    name: str
    module: str
    place: Place
    summary: str
    text: str
    examples: str
    exits: str
    declare: Declare


COMMANDS: Final[dict[str, ListedCommand]] = {}


def _command(
    name: str,
    summary: str,
    *,
    examples: str = "",
    text: str = "",
    exits: str = _GATE_EXITS,
    place: Place = "commands",
) -> Callable[[Declare], Declare]:
    """Enter a command whose options the decorated function declares."""

    def enter(declare: Declare) -> Declare:
        module = name.replace(" ", "_")
        COMMANDS[name] = ListedCommand(name, module, place, summary, text, examples, exits, declare)
        return declare

    return enter


@_command(
    "init",
    "write a first suite for your app, and run it",
    text="""\
Asks your app one question, or reads recorded answers, writes a suite, known-bad
answers and a GitHub workflow, and runs the suite. Overwrites nothing. At a
terminal it asks for what you leave out.""",
    examples="""\
  raggate-action init --url http://localhost:8000/ask
  raggate-action init --command 'python app.py {{question}}'
  raggate-action init --traces answers.jsonl       # recorded answers""",
    exits="""\
exit codes: 0 files written and the first run decided (release or block),
2 usage, 3 the app could not be asked or its reply not read, or the first run
was inconclusive, 4 bug in raggate""",
)
def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="where to write (default: here)"
    )
    _app(parser)
    parser.add_argument("--traces", type=Path, metavar="F", help="recorded answers with their questions")
    parser.add_argument(
        "--from",
        dest="questions",
        type=Path,
        metavar="FILE",
        help="your own questions, or a file of another tool as it is; beside a suite its new cases are added",
    )
    parser.add_argument(
        "--documents",
        type=Path,
        metavar="FOLDER",
        help="what your app answers from (.md, .txt, .html): rules, or your suite's judge, write questions",
    )
    parser.add_argument("--count", type=_positive, metavar="N", help="how many questions (default: 20)")
    parser.add_argument(
        "--evidence",
        choices=("markdown", "qdrant"),
        help="where you keep your chunks: init also writes a script that exports them",
    )
    parser.add_argument(
        "--judges",
        action="store_true",
        help="with a section for judges",
    )
    parser.add_argument("--dry-run", action="store_true", help="ask the app and show the files, but write nothing")


@_command(
    "ask",
    "ask the app one question, and show what every gate says",
    text="Shows the reply, what raggate reads from it, and every gate. Writes nothing.",
    examples="""\
  raggate-action ask "How long do I have to return a parcel?"
  raggate-action ask cannot-be-answered            # a case of the suite
  raggate-action ask "When is a refund paid?" --url http://localhost:8000/ask""",
)
def _ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="QUESTION", help="a question, or the id of a case of the suite")
    _suite(parser)
    _app(parser)


@_command(
    "run",
    "run the suite and decide: release or block",
    examples="""\
  raggate-action run                               # into raggate-run/
  raggate-action run --baseline main-run           # what has changed since?
  raggate-action run --case cannot-be-answered     # one case, by its id""",
)
def _run(parser: argparse.ArgumentParser) -> None:
    _suite(parser)
    _scope(parser)
    _case(parser, "run only this case; may be repeated")
    _target(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="run directory (default: raggate-run; with --case: raggate-case)"
    )
    parser.add_argument("--baseline", type=Path, metavar="DIR", help="compare with this run")
    parser.add_argument("--resume", action="store_true", help="go on with the unfinished run in --out")
    _no_reuse(parser)
    parser.add_argument(
        "--enforce",
        action=argparse.BooleanOptionalAction,
        help="exit 1 on block and 3 on inconclusive, or 0 always (default: what the suite says)",
    )


@_command(
    "explain",
    "show which cases fail and why, or one case in full",
    text="""\
Without CASE it lists the cases that fail. With CASE it shows question, answer,
claims, evidence and every gate of that case. A single word that names no run
directory is a case of the last run.""",
    examples="""\
  raggate-action explain                           # the last run
  raggate-action explain cannot-be-answered        # a case of the last run
  raggate-action explain main-run cannot-be-answered""",
    exits=_SHOWN_EXITS,
)
def _explain(parser: argparse.ArgumentParser) -> None:
    _last_run(parser)
    parser.add_argument("case", nargs="?", metavar="CASE", help="case id (default: list the cases that fail)")


@_command(
    "report",
    "print a run in another format, or compare two runs",
    text="""\
Prints a run's comment, summary or page, or a file for other tools, without
asking the app. With --baseline it compares the two runs and decides again.""",
    examples="""\
  raggate-action report                            # the last run
  raggate-action report --format junit > junit.xml
  raggate-action report raggate-run --baseline main-run""",
    exits="""\
exit codes: 0 printed, 2 usage, 4 bug in raggate; with --baseline as `run`:
0 release, 1 block, 3 inconclusive""",
)
def _report(parser: argparse.ArgumentParser) -> None:
    _last_run(parser)
    parser.add_argument("--baseline", type=Path, metavar="DIR", help="compare with this run and decide again")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--open", action="store_true", help="open its page in the browser")
    form.add_argument("--history", action="store_true", help="print the runs of its branch, one a line")
    form.add_argument(
        "--format",
        choices=("comment", "summary", "html", "junit", "sarif", "badge", "json"),
        default="comment",
        metavar="F",
        help="comment (default), summary, html, junit, sarif, badge or json",
    )


@_command(
    "accept",
    "propose labels from the answers of a good run",
    text="""\
Shows, as labels, what the answers of a run rest on. You decide whether that is
right.""",
    examples="""\
  raggate-action accept                            # show the labels
  raggate-action accept --from-main main-run       # of main's answers
  raggate-action accept --write                    # write them""",
    exits=_SHOWN_EXITS.replace("shown", "shown or written"),
)
def _accept(parser: argparse.ArgumentParser) -> None:
    _last_run(parser)
    _case(parser, "only this case, even if it failed; may be repeated")
    parser.add_argument("--write", action="store_true", help="write the labels to gate/accepted.yaml beside the suite")
    parser.add_argument(
        "--from-main", action="store_true", help="from the answers of the baseline that the run has kept"
    )
    _suite_of_run(parser)


@_command(
    "check",
    "find mistakes in the suite; with --faults, test its gates",
    text="""\
Reads suite, case and evidence files and lists every mistake, without asking the
app. With --faults it puts faults into answers that pass, and counts how many of
them the gates catch.""",
    examples="""\
  raggate-action check
  raggate-action check --faults
  raggate-action check --faults --show cannot-be-answered""",
    exits="""\
exit codes: 0 no mistakes, 2 mistakes or usage, 4 bug in raggate; with --faults:
0 all caught, 1 some not caught, 3 no answer passes; faults that only labels
tell are advice and change no exit code""",
)
def _check(parser: argparse.ArgumentParser) -> None:
    _suite(parser)
    parser.add_argument("--faults", action="store_true", help="put faults into passing answers")
    faults = parser.add_argument_group("with --faults")
    faults.add_argument("--scope", metavar="S", help="which cases: a scope of the suite (default: full)")
    faults.add_argument("--show", metavar="CASE", help="print the faults put into this case, each with its trace")
    _target(faults)


@_command(
    "judges",
    "label claims, and test judges against the labels",
    examples="""\
  raggate-action judges label                      # claims to fill in
  raggate-action judges check                      # which judges count now?
  raggate-action run                               # they judge this run""",
)
def _judges(parser: argparse.ArgumentParser) -> None:
    """It is two commands, which have the options."""


@_command(
    "judges label",
    "write claims of a run into a file, for people to label",
    text="""\
Writes answers of a run, their chunks and claims into labels.yaml, with every
`verdict:` left empty. Fill them in: they decide which judges count. What the
file holds stays as it is, byte for byte.""",
    place="judges",
    examples="""\
  raggate-action judges label                      # as many as arm a judge
  raggate-action judges label --count 20
  raggate-action judges label --out second.yaml    # for a second person""",
    exits="""\
exit codes: 0 written, or nothing to write, 2 usage (no finished run, a mistake
in the file), 4 bug in raggate""",
)
def _judges_label(parser: argparse.ArgumentParser) -> None:
    _last_run(parser)
    _suite_of_run(parser)
    where = "file of labels (default: `judges: calibration` of the suite, else labels.yaml beside it)"
    parser.add_argument("--out", type=Path, metavar="FILE", help=where)
    parser.add_argument(
        "--count", type=_positive, metavar="N", help="so many (default: what a judge lacks to be armed)"
    )


@_command(
    "judges check",
    "test the suite's judges against the labels",
    text="""\
Asks every judge of the suite about the labelled claims and shows which of them
agree often enough to count. With two files of labels it asks nobody, and shows
where the two people differ.""",
    place="judges",
    examples="""\
  raggate-action judges check                      # the labels of the suite
  raggate-action judges check labels.yaml second.yaml
  raggate-action judges check --no-reuse           # has a judge drifted?""",
    exits="""\
exit codes: 0 shown, 1 a judge that counted no longer does, 2 usage, 3 no judge
could be asked, or one that counted could not be asked again, 4 bug in raggate""",
)
def _judges_check(parser: argparse.ArgumentParser) -> None:
    where = "file of labels (default: `judges: calibration` of the suite)"
    parser.add_argument("labels", nargs="?", type=Path, metavar="FILE", help=where)
    parser.add_argument("second", nargs="?", type=Path, metavar="FILE", help="the labels of a second person")
    which = "suite file (default: raggate.yaml)"
    parser.add_argument("--suite", type=Path, default=DEFAULT_SUITE, metavar="SUITE", help=which)
    parser.add_argument("--no-reuse", action="store_true", help="ask again what the judges have answered before")


@_command(
    "ab",
    "compare two versions of the app, blind",
    text="""\
Asks both arms of the suite's `ab:` section the same questions. Judges score the
answers without knowing which arm gave them. With --rows it reads scores from a
CSV file and asks nobody.""",
    examples="""\
  raggate-action ab                                # into raggate-ab/
  raggate-action ab --case cannot-be-answered      # into raggate-ab-case/
  raggate-action ab --rows raggate-ab/judge_rows.csv""",
    exits="""\
exit codes: 0 compared, 1 the gate `ab` blocks and the control is preferred,
2 usage, 3 nothing could be judged, or an arm answered nothing, 4 bug in raggate""",
)
def _ab(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", nargs="?", type=Path, metavar="SUITE", help="suite file (default: raggate.yaml)")
    parser.add_argument("--scope", metavar="S", help="which cases: a scope of the suite (default: full)")
    _case(parser, "compare only this case; may be repeated")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where to write (default: raggate-ab; with --case: raggate-ab-case; with --rows: nowhere)",
    )
    _no_reuse(parser)
    rows = parser.add_argument_group("scores that exist already")
    rows.add_argument(
        "--rows",
        type=Path,
        metavar="FILE",
        help="CSV file of this program or of another: question_id, judge_name, and X_A and X_B for each score",
    )
    rows.add_argument("--control-lab", metavar="L", help="with --rows: the lab that trained the control's model (A)")
    rows.add_argument("--treatment-lab", metavar="L", help="with --rows: the lab of the treatment's model (B)")


@_command(
    "audit",
    "check one answer against its chunks",
    text="""\
Checks every claim of one answer against the chunks it was made from, and prints
the result as JSON.""",
    examples="""\
  raggate-action audit --answer a.txt --chunks c.jsonl
  cat a.txt | raggate-action audit --answer - --chunks c.jsonl
  raggate-action audit --answer a.txt --chunks c.jsonl --judge raggate.yaml""",
    exits="""\
not for: composing or rewriting answers, retrieving chunks, style, facts that
are in no chunk. Rules find faults and recognise quotations. A claim in other
words stays `unverified`, unless --judge asks models about it.

exit codes: 0 faithful, 1 partial or unfaithful, 2 usage, 3 unverified, 4 bug in
raggate""",
)
def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--answer", type=Path, required=True, metavar="FILE", help="the answer as text; - for stdin")
    parser.add_argument(
        "--chunks",
        type=Path,
        required=True,
        metavar="FILE",
        help='the chunks it was made from, lines of {"id": ..., "text": ...} or {"chunk_id": ..., "text": ...}',
    )
    parser.add_argument("--language", default="en", metavar="L", help="of the answer, ISO 639-1 (default: en)")
    parser.add_argument(
        "--judge", type=Path, metavar="SUITE", help="ask the judges of this suite about what rules leave open"
    )


@_command(
    "record",
    "ask the app and save its answers, to judge them elsewhere",
    place="more",
    examples="""\
  raggate-action record --out traces.jsonl
  raggate-action record --out t.jsonl --target-url http://localhost:8000/ask
  raggate-action run --traces traces.jsonl         # judge them, anywhere""",
    exits="exit codes: 0 written, 2 usage, 3 the app answered no case, 4 bug in raggate",
)
def _record(parser: argparse.ArgumentParser) -> None:
    _suite(parser)
    _scope(parser)
    parser.add_argument("--target-url", metavar="U", help="ask this address instead of the suite's")
    parser.add_argument("--out", type=Path, required=True, metavar="F", help="JSONL file to write")


@_command(
    "schema",
    "print a file format as JSON Schema",
    text="For editors and for other tools.",
    place="more",
    examples="""\
  raggate-action schema                            # list the formats
  raggate-action schema suite
  raggate-action schema trace > trace.schema.json""",
    exits=_SHOWN_EXITS,
)
def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="which format (default: list them)")


_FOR_WORKFLOWS = f"It takes no options: the environment says everything. The workflow, ready to copy:\n  {WORKFLOW}"


@_command("action", "in a GitHub workflow: do what the event asks for", text=_FOR_WORKFLOWS, place="unlisted")
@_command("publish", "in a workflow on workflow_run: comment on a fork's pull", text=_FOR_WORKFLOWS, place="unlisted")
def _no_options(parser: argparse.ArgumentParser) -> None:
    """No option."""


def _suite(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "suite", nargs="?", type=Path, default=DEFAULT_SUITE, metavar="SUITE", help="suite file (default: raggate.yaml)"
    )


def _last_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="?", type=Path, metavar="RUN", help="run directory (default: the last run)")


def _suite_of_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--suite", type=Path, metavar="SUITE", help="suite file (default: the suite of the run)")


def _scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scope", default="full", metavar="S", help="which cases: a scope of the suite (default: full)"
    )


def _case(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--case", action="append", default=[], metavar="ID", help=text)


def _no_reuse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-reuse", dest="reuse", action="store_false", help="ask judges again what they have answered before"
    )


def _target(parser: argparse._ActionsContainer) -> None:
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--traces", type=Path, metavar="F", help="judge recorded traces instead of asking the app")
    instead.add_argument("--target-url", metavar="U", help="ask this address instead of the suite's")


def _app(parser: argparse.ArgumentParser) -> None:
    """An app named on the command line, without a suite."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--url", metavar="URL", help="the app's address")
    which.add_argument("--function", metavar="M:F", help="the app as a Python function, module:callable")
    which.add_argument(
        "--command",
        dest="program",
        metavar="LINE",
        help="the app as a program, as in 'python app.py {{question}}' (no shell)",
    )
    parser.add_argument("--body", metavar="JSON", help='what to post to --url, as in {"query": "{{question}}"}')
    parser.add_argument(
        "--header", action="append", default=[], metavar="H", help="request header of --url; write a key as ${VAR}"
    )
    parser.add_argument("--python", metavar="P", help="the interpreter of --function (default: raggate's own)")
    parser.add_argument(
        "--env", action="append", default=[], metavar="VAR", help="environment variable that the app needs"
    )
    parser.add_argument(
        "--response",
        action="append",
        default=[],
        metavar="PATHS",
        help="where a reply has them, as in answer=output.text,context=docs (JMESPath); context=none for no evidence",
    )


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count: write 1 or more")
    return number
