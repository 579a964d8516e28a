"""`audit`: one answer against its chunks, as one JSON object."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from raggate_action.cli.commands import AuditAnswer
from raggate_action.cli.named_app import tell
from raggate_action.errors import ExitCode, UsageError
from raggate_action.run.audit.keyless_audit import Audit, Ground, Source, audit_report, by_rules, ground_of
from raggate_action.schema.audit import AuditVerdict
from raggate_action.schema.judgement import Judgement
from raggate_action.suite_files.file_reading import decode, unreadable
from raggate_action.suite_files.json_file import read_json
from raggate_action.suite_files.problems import START, FileProblems, Mark, name_text, path_text

_STDIN = Path("-")
EXITS: dict[AuditVerdict, ExitCode] = {
    "faithful": ExitCode.RELEASE,
    "partial": ExitCode.BLOCK,
    "unfaithful": ExitCode.BLOCK,
    "unverified": ExitCode.INCONCLUSIVE,
}


def run(options: AuditAnswer) -> int:
    """Print the audit and nothing else."""
    answer = _text(options.answer)
    ground = ground_of(_sources(options.chunks), options.language)
    if options.judge is None:
        report = audit_report(answer, by_rules(answer, ground), ground)
    else:
        report = asyncio.run(_judged_report(answer, ground, options.judge))
    # What is absent is left out. Half a surrogate pair, which no encoding holds, is printed as `?`.
    found = json.dumps(report.model_dump(exclude_none=True), indent=2, ensure_ascii=False)
    sys.stdout.write(found.encode(errors="replace").decode() + "\n")
    return EXITS[report.verdict]


async def _judged_report(answer: str, ground: Ground, suite: Path) -> Audit:
    """The audit by the judges of a suite; remarks about the judges go to standard error."""
    from raggate_action.report.judge_messages import why_it_advises
    from raggate_action.run.audit.judged_audit import audit_by_judges, cards_beside_labels, load_panel

    panel, heard = load_panel(suite), list[Judgement]()
    report = await audit_by_judges(answer, ground, panel, os.environ, hear=heard.append, tell=tell)
    for card in await cards_beside_labels(panel):
        if not card.armed:
            tell(f"judge {card.judge} is not armed ({why_it_advises(card)}); this audit counts it all the same")
    for name, lost in dict.fromkeys((each.judge, each.lost) for each in heard if each.lost is not None):
        tell(f"judge {name} is not heard: {lost.detail}")
    return report


def _text(path: Path) -> str:
    """The text of a file, or of standard input for `-`; line ends stay as they are."""
    problems = FileProblems("standard input" if path == _STDIN else path_text(path))
    text = None
    try:
        raw = sys.stdin.buffer.read() if path == _STDIN else path.read_bytes()
        text = decode(raw.removeprefix(b"\xef\xbb\xbf"), problems)
    except OSError as error:
        problems.add(START, unreadable(error))
    if text is None:
        raise _unusable(problems)
    return text


def _sources(path: Path) -> list[Source]:
    problems = FileProblems("standard input" if path == _STDIN else path_text(path))
    sources: dict[str, Source] = {}
    for mark, fields in _lines(_text(path), problems):
        chunk_id = fields.get("chunk_id", fields.get("id"))
        text = fields.get("text")
        if not isinstance(chunk_id, str) or not chunk_id.strip():
            problems.add(mark, "this chunk has no id; write `id` (or `chunk_id`) as text")
        elif not isinstance(text, str):
            problems.add(mark, f"chunk `{name_text(chunk_id)}` has no text; write `text` as text, empty if need be")
        elif chunk_id in sources:
            problems.add(mark, f"chunk `{name_text(chunk_id)}` is written twice; give each an id of its own")
        else:
            sources[chunk_id] = Source(chunk_id, text)
    if not sources and not len(problems):
        problems.add(START, 'there are no chunks here; write one JSON object per line, as {"id": "c1", "text": "..."}')
    if len(problems):
        raise _unusable(problems)
    return list(sources.values())


def _lines(text: str, problems: FileProblems) -> Iterator[tuple[Mark, dict[str, Any]]]:
    """The objects of a file, one per line, without blank lines; any other line becomes a problem."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            # Read once more for the place of the fault.
            read_json(line, problems, line=number)
            continue
        if isinstance(value, dict):
            yield Mark(number, 1), value
        else:
            problems.add(Mark(number, 1), 'this is no chunk; write {"id": "c1", "text": "..."}')


def _unusable(problems: FileProblems) -> UsageError:
    return UsageError(
        str(problems),
        hint='Give the answer as UTF-8 text and the chunks as lines of {"id": "c1", "text": "..."}.',
    )
