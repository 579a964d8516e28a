"""What a fuzzer feeds with bytes. A harness returns where the input was handled, and raises where it was not.

Each has a few inputs to begin from; `tests/unit/test_fuzz_harnesses.py` runs all of them without a fuzzer.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fuzz.stored_runs import run_seeds, stored_runs
from raggate_action.errors import ArtifactError, RaggateError
from raggate_action.github.archive import MEMBERS_READ, open_archive
from raggate_action.network.bounded_reply import BodyReader, UnreadableBodyError
from raggate_action.run.audit.answer_audit import audit_answer
from raggate_action.run.audit.keyless_audit import Source
from raggate_action.schema.trace import Trace
from raggate_action.suite_files.loading import load_suite
from raggate_action.targets.read_reply import read_trace
from raggate_action.targets.recorded_target import trace_of
from raggate_action.targets.reply_mapping import ReplyMapping
from tests.builders import judge, make_case, make_chunk, make_rules, make_store

ROOT = Path(__file__).parents[1]
_REPLY_LIMIT = 4096
_MAPPING = ReplyMapping({"answer": "output.text", "context": "docs[].id"})
_LANGUAGES = ("en", "de", "fr", "es", "ja", "zh", "th", "ar", "he", "xx")
_PARTING = "\n=====\n"
_POINT = {"id": "p", "answer_phrases": ["fee"], "support_phrases": ["20 EUR"]}
_CASE = make_case(required_points=[_POINT], must_contain=["fee"], required_source_ids=["c1"], max_latency_ms=100)
_RULES = make_rules(make_store(make_chunk("c1", "The fee is 20 EUR."), make_chunk("c2", "Secret.", permitted=False)))


def answers(data: bytes) -> None:
    """An answer and its chunks, parted by a line of equals signs, through claims, checks and the suggested fix."""
    language = _LANGUAGES[data[0] % len(_LANGUAGES)] if data else "en"
    answer, *texts = data[1:].decode(errors="replace").split(_PARTING, 3)
    sources = [Source(f"c{number}", text) for number, text in enumerate(texts, 1)]
    report = audit_answer(answer, sources, language=language)
    for claim in report.claims:
        _hold(answer[claim.offset :].startswith(claim.span), f"{claim.span!r} does not stand in the answer")
        said = dict(sources)[claim.supported_by[0]] if claim.supported_by else None
        _hold(said is None or (claim.quote or "") in said, f"{claim.quote!r} does not stand in its chunk")
    if report.suggested_fix is not None:
        fixed = audit_answer(report.suggested_fix, sources, language=language)
        _hold(fixed.verdict == "faithful", f"the fix is {fixed.verdict}")


def suites(data: bytes) -> None:
    """A suite file, with a case file beside it; both are in the input."""
    suite, _, cases = data.partition(_PARTING.encode())
    with TemporaryDirectory() as folder:
        path = Path(folder, "raggate.yaml")
        path.write_bytes(suite)
        Path(folder, "cases.yaml").write_bytes(cases)
        try:
            load_suite(path, environment={})
        except RaggateError as error:
            _hold(bool(str(error) and error.hint), "a message without words")


def traces(data: bytes) -> None:
    """Lines of recorded traces, each judged against a case with points, checks and a store."""
    for line in data.splitlines():
        trace = trace_of(line)
        if isinstance(trace, Trace):
            judge(_CASE, trace, _RULES)


def replies(data: bytes) -> None:
    """A packed HTTP reply, in parts of the length its first byte says: bounded, and what `gzip` makes of it."""
    size, body = 1 + (data[0] if data else 0), data[1:]
    reader, raw, found = BodyReader("gzip", _REPLY_LIMIT), None, b""
    try:
        for at in range(0, len(body), size):
            found += reader.add(body[at : at + size])
        reader.end()
        raw = found
    except UnreadableBodyError:
        pass
    _hold(len(found) <= _REPLY_LIMIT, f"{len(found)} bytes are held")
    if raw is not None:
        _hold(raw == gzip.decompress(body), "it is unpacked to something else")
        read_trace(raw, _MAPPING)


def archives(data: bytes) -> None:
    """A run directory as a zip from somewhere else: refused, or read within its bounds."""
    try:
        with open_archive(io.BytesIO(data), "fuzz.zip") as archive:
            for name in sorted(MEMBERS_READ):
                stream = archive.open(name)
                if stream is not None:
                    with stream:
                        stream.read(1 << 20)
    except ArtifactError:
        return


class Harness(NamedTuple):
    """A harness and the inputs to begin from."""

    run: Callable[[bytes], None]
    seeds: Callable[[], tuple[bytes, ...]]


def _hold(holds: bool, what: str) -> None:  # noqa: FBT001
    # Not `assert`, which the optimised interpreter leaves out.
    if not holds:
        raise AssertionError(what)


def _answer_seeds() -> tuple[bytes, ...]:
    table = "| x | y |\n|---|---|\n| 1 | 2 |\n"
    answer = f"# Fees\nThe fee is 20 EUR and the deposit is kept [c1]. Hello!\n\n- a: b [1]\n\n{table}"
    chunk = "The fee is 20 EUR. The deposit is **kept** for 14 days.\n\n> Tea is 3,50 €.\n"
    return (
        b"\x00" + f"{answer}{_PARTING}{chunk}".encode(),
        "\x04茶は熱い[1]。返金は「30日」以内です。=====\n返金は30日以内です。".encode(),
        b"\x00I don't know.",
        b"",
    )


def _suite_seeds() -> tuple[bytes, ...]:
    files = [(ROOT / "examples" / name / "raggate.yaml").read_bytes() for name in ("menu", "deploy_policy")]
    cases = b"- {case_id: a, question: What?, required_points: [x]}\n"
    small = b"suite: a\ncases: [cases.yaml]\ntarget: {kind: recorded, traces: [t.jsonl]}\n"
    return (small + _PARTING.encode() + cases, *(file + _PARTING.encode() + cases for file in files))


def _trace_seeds() -> tuple[bytes, ...]:
    recorded = (ROOT / "examples/deploy_policy/traces.jsonl").read_bytes().splitlines()[:3]
    return (b'{"case_id": "q1", "answer": "The fee is 20 EUR [c1].", "context": ["c1"]}', *recorded)


def _reply_seeds() -> tuple[bytes, ...]:
    packed = gzip.compress(b'{"output": {"text": "The fee is 20 EUR."}, "docs": [{"id": "c1"}]}', mtime=0)
    parts = gzip.compress(b'{"output":', mtime=0) + gzip.compress(b" {}}", mtime=0) + bytes(3)
    return (b"\x06" + packed, b"\xff" + parts, b"\x3f" + gzip.compress(bytes(2 * _REPLY_LIMIT), mtime=0), b"")


def _archive_seeds() -> tuple[bytes, ...]:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as members:
        members.writestr("run.json", "{}")
        members.writestr("cases.jsonl", "{}\n" * 50)
    return (file.getvalue(), b"PK\x05\x06" + bytes(18))


HARNESSES = {
    "answers": Harness(answers, _answer_seeds),
    "suites": Harness(suites, _suite_seeds),
    "traces": Harness(traces, _trace_seeds),
    "replies": Harness(replies, _reply_seeds),
    "archives": Harness(archives, _archive_seeds),
    "stored_runs": Harness(stored_runs, run_seeds),
}
