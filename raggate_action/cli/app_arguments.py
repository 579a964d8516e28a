"""How a suite, or an app that no suite names yet, is given on the command line. Loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path

DEFAULT_SUITE = Path("raggate.yaml")


def suite_argument(parser: argparse.ArgumentParser) -> None:
    """The suite file, which may be left out."""
    parser.add_argument(
        "suite", nargs="?", type=Path, default=DEFAULT_SUITE, metavar="SUITE", help="suite file (default: raggate.yaml)"
    )


def init_arguments(parser: argparse.ArgumentParser) -> None:
    """What `init` takes."""
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="where to write (default: here)"
    )
    _app(parser)
    parser.add_argument("--traces", type=Path, metavar="F", help="recorded answers, with their questions, to judge")
    parser.add_argument(
        "--from",
        dest="questions",
        type=Path,
        metavar="FILE",
        help="your own questions, as JSON, JSON lines or CSV; goldens of other tools are read as they are",
    )
    parser.add_argument(
        "--evidence",
        choices=("markdown", "faiss", "chroma", "qdrant", "pgvector"),
        help="where your chunks are kept: a script that exports them is written as well",
    )
    parser.add_argument("--dry-run", action="store_true", help="ask the app and show the files; nothing is written")


def ask_arguments(parser: argparse.ArgumentParser) -> None:
    """What `ask` takes."""
    parser.add_argument("question", metavar="QUESTION", help="what to ask, or the id of a case of the suite")
    suite_argument(parser)
    _app(parser)


def _app(parser: argparse.ArgumentParser) -> None:
    """An app named on the command line, without a suite."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--url", metavar="URL", help="the app's address")
    which.add_argument("--function", metavar="M:F", help="the app as a Python function, module:callable")
    parser.add_argument("--body", metavar="JSON", help='what is posted to --url, as in {"query": "{{question}}"}')
    parser.add_argument(
        "--header", action="append", default=[], metavar="H", help="request header of --url; a key in it as ${VAR}"
    )
    parser.add_argument("--python", metavar="P", help="the interpreter of --function (default: raggate's own)")
    parser.add_argument(
        "--env", action="append", default=[], metavar="VAR", help="environment variable that --function needs"
    )
