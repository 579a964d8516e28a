"""What can be typed. Loads nothing heavy, so that `--help` answers at once."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

from raggate_action.cli.ab_arguments import (
    AB_EXAMPLES,
    AB_EXITS,
    AGGREGATE_EXAMPLES,
    AGGREGATE_EXITS,
    ab_arguments,
    aggregate_arguments,
)
from raggate_action.cli.app_arguments import ask_arguments, init_arguments, suite_argument
from raggate_action.cli.judging_arguments import (
    AUDIT_EXITS,
    CALIBRATE_EXITS,
    LABEL_EXAMPLES,
    LABEL_EXITS,
    audit_arguments,
    calibrate_arguments,
    label_arguments,
)
from raggate_action.cli.stored_run_arguments import (
    accept_arguments,
    compare_arguments,
    explain_arguments,
    report_arguments,
)
from raggate_action.version import WORKFLOW, __version__

_EXITS = "exit codes: 0 release, 1 block, 2 usage, 3 inconclusive, 4 bug in raggate"


class _Command(NamedTuple):
    name: str
    module: str
    summary: str
    examples: str
    exits: str = _EXITS


_COMMANDS = (
    _Command(
        "init",
        "init",
        "write a first suite for your app, and run it: nothing is overwritten",
        """\
  raggate-action init --url http://localhost:8000/ask
  raggate-action init --url https://rag.example/ask --header 'Authorization: Bearer ${APP_KEY}'
  raggate-action init --function rag:answer --python .venv/bin/python --evidence faiss
  raggate-action init --url http://localhost:8000/ask --from goldens.jsonl
  raggate-action init --traces answers.jsonl          judge recorded answers; the app is not asked
  raggate-action init --url http://localhost:8000/ask --dry-run""",
    ),
    _Command(
        "ask",
        "ask",
        "ask the app one question: its reply, what is read from it, what every gate would say",
        """\
  raggate-action ask "How long do I have to return a parcel?"     the app of ./raggate.yaml
  raggate-action ask refund-window suites/menu.yaml               a case of that suite, by its id
  raggate-action ask "What is the fee?" --url http://localhost:8000/ask
  raggate-action ask "What is the fee?" --function rag:answer""",
    ),
    _Command(
        "run",
        "run",
        "run a suite against the app and decide: may this ship?",
        """\
  raggate-action run                                  the suite in ./raggate.yaml, every case
  raggate-action run suites/menu.yaml --scope pr      only the cases of scope `pr`
  raggate-action run --case refund-7 --case refund-9  two cases, by id
  raggate-action run --baseline raggate-run/main      and say what moved since that run
  raggate-action run --traces traces.jsonl            judge recorded traces instead of asking the app
  raggate-action run --resume                         go on after an interruption""",
    ),
    _Command(
        "compare",
        "compare",
        "compare two stored runs and decide again, offline",
        "  raggate-action compare raggate-run raggate-run/main",
    ),
    _Command(
        "report",
        "report",
        "print a stored run's comment or summary again, byte for byte, offline",
        """\
  raggate-action report raggate-run
  raggate-action report raggate-run --format summary --baseline main-run""",
    ),
    _Command(
        "explain",
        "explain",
        "show one case of a stored run: answers, claims, evidence, every gate; or list the failing ones",
        """\
  raggate-action explain raggate-run
  raggate-action explain raggate-run refund-7""",
    ),
    _Command(
        "accept",
        "accept",
        "make labels of a good run: show what its answers rest on as a change of the case files, or write it",
        """\
  raggate-action accept raggate-run                   show the change
  raggate-action accept raggate-run --write           and write it, each label marked as proposed
  raggate-action accept raggate-run --case refund-7   this case alone, whatever the run says of it""",
    ),
    _Command(
        "label",
        "label",
        "say of a run's claims, one key each, whether their chunks support them: what judges are held against",
        LABEL_EXAMPLES,
        LABEL_EXITS,
    ),
    _Command(
        "check-suite",
        "check_suite",
        "find every mistake in suite, case and evidence files, without asking the app",
        """\
  raggate-action check-suite
  raggate-action check-suite suites/menu.yaml""",
    ),
    _Command(
        "record",
        "record",
        "ask the app every case and write its traces, for `run --traces` elsewhere",
        "  raggate-action record --out traces.jsonl",
    ),
    _Command(
        "self-test",
        "self_test",
        "put faults into the suite's passing traces: can its gates fail at all?",
        """\
  raggate-action self-test
  raggate-action self-test suites/menu.yaml --traces traces.jsonl
  raggate-action self-test --show refund-window""",
    ),
    _Command(
        "calibrate",
        "calibrate",
        "hold the suite's judges against claims that people have labelled: which of them may count?",
        """\
  raggate-action calibrate                     the judges of ./raggate.yaml
  raggate-action calibrate suites/menu.yaml
  raggate-action calibrate --no-reuse          ask about every label again: has a judge drifted?""",
        CALIBRATE_EXITS,
    ),
    _Command(
        "audit",
        "audit",
        "hold one answer against its chunks, claim by claim, and print what is found as JSON",
        """\
  raggate-action audit --answer answer.txt --chunks chunks.jsonl
  cat answer.txt | raggate-action audit --answer - --chunks chunks.jsonl
  raggate-action audit --answer answer.txt --chunks chunks.jsonl --judge raggate.yaml""",
        AUDIT_EXITS,
    ),
    _Command(
        "ab",
        "ab",
        "ask two arms the same questions, and let judges that know of no arms compare their answers",
        AB_EXAMPLES,
        AB_EXITS,
    ),
    _Command(
        "aggregate",
        "aggregate",
        "work out judge rows of an A/B comparison anew, from a CSV file of this program or of another",
        AGGREGATE_EXAMPLES,
        AGGREGATE_EXITS,
    ),
    _Command(
        "action",
        "action",
        "in a GitHub workflow: do what the event asks for",
        f"  raggate-action action\n\nthe workflow, ready to copy:\n  {WORKFLOW}",
    ),
    _Command(
        "publish",
        "publish",
        "in a workflow on workflow_run: publish what a fork's pull request has measured",
        "  raggate-action publish",
    ),
    _Command(
        "schema",
        "schema",
        "print a file format as JSON Schema, for editors and for other tools",
        """\
  raggate-action schema              the names
  raggate-action schema suite > raggate.schema.json""",
    ),
)


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="raggate-action",
        description="A release gate for RAG applications: may this ship, and if not, what do I repair first?",
        epilog=f"start here:\n  raggate-action init\n  raggate-action run\n\n{_EXITS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"raggate-action {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for command in _COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.summary,
            epilog=f"examples:\n{command.examples}\n\n{command.exits}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(module=command.module)
        _ARGUMENTS[command.name](sub)
    return parser


def _run(parser: argparse.ArgumentParser) -> None:
    suite_argument(parser)
    parser.add_argument(
        "--scope", default="full", metavar="S", help="which cases: a scope of the suite (default: full)"
    )
    parser.add_argument("--case", action="append", default=[], metavar="ID", help="only this case; may be repeated")
    _target(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="run directory (default: raggate-run; raggate-case with --case)"
    )
    parser.add_argument("--baseline", type=Path, metavar="DIR", help="run directory to compare with")
    parser.add_argument(
        "--cites", choices=("yes", "no"), help="whether the app's answers cite, as a run of the whole suite has found"
    )
    parser.add_argument("--resume", action="store_true", help="continue the unfinished run in --out")
    parser.add_argument(
        "--no-reuse", dest="reuse", action="store_false", help="ask judges again what they have said in earlier runs"
    )
    parser.add_argument(
        "--enforce",
        action=argparse.BooleanOptionalAction,
        help="fail on block and inconclusive, or only advise (default: as the suite says)",
    )


def _record(parser: argparse.ArgumentParser) -> None:
    suite_argument(parser)
    parser.add_argument("--scope", default="full", metavar="S", help="which cases (default: full)")
    parser.add_argument("--target-url", metavar="U", help="ask this address instead of the suite's")
    parser.add_argument("--out", type=Path, required=True, metavar="F", help="JSONL file to write")


def _self_test(parser: argparse.ArgumentParser) -> None:
    suite_argument(parser)
    parser.add_argument("--scope", default="full", metavar="S", help="which cases (default: full)")
    parser.add_argument("--show", metavar="CASE", help="print the faults put into this case, each with its trace")
    _target(parser)


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="which format; without it the names are listed")


def _nothing(parser: argparse.ArgumentParser) -> None:
    """No argument: the environment says everything."""


def _target(parser: argparse.ArgumentParser) -> None:
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--traces", type=Path, metavar="F", help="judge recorded traces instead of asking the app")
    instead.add_argument("--target-url", metavar="U", help="ask this address instead of the suite's")


_ARGUMENTS = {
    "init": init_arguments,
    "ask": ask_arguments,
    "run": _run,
    "compare": compare_arguments,
    "report": report_arguments,
    "explain": explain_arguments,
    "accept": accept_arguments,
    "label": label_arguments,
    "check-suite": suite_argument,
    "record": _record,
    "self-test": _self_test,
    "calibrate": calibrate_arguments,
    "audit": audit_arguments,
    "ab": ab_arguments,
    "aggregate": aggregate_arguments,
    "action": _nothing,
    "publish": _nothing,
    "schema": _schema,
}
