"""The directory of a comparison of two arms: begun when both have answered, and whole only when `ab.json` says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from pydantic import ValidationError
from pydantic_core import from_json

from raggate_action.errors import RunStoreError
from raggate_action.run_store.files import (
    JUDGEMENTS,
    make_directory,
    partial_name,
    remove,
    replace_whole,
    settle,
    store_errors,
)
from raggate_action.run_store.judgements import JudgementFile, usable_judgements
from raggate_action.run_store.lock import WriterLock
from raggate_action.run_store.run_file import indented
from raggate_action.run_store.sources import RunSource, file_label, files_of, read_document, read_lines
from raggate_action.schema.ab_run import AB_VERSION, AbRun, StartedAb
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.policy import Texts
from raggate_action.schema.synthesis import Synthesis

AB: Final = "ab.json"
CONTROL_TRACES: Final = "control.jsonl"
TREATMENT_TRACES: Final = "treatment.jsonl"
AB_FILES: tuple[str, ...] = (
    AB, "judge_rows.csv", "findings.md", "summary.md", JUDGEMENTS, CONTROL_TRACES, TREATMENT_TRACES,
)  # fmt: skip
# What judges said before, until what they say now is in its place.
_BEFORE: Final = partial_name("judged-before.jsonl")


class _Header(NamedTuple):
    version: int
    complete: bool


class AbDirectory:
    """A directory that one comparison is being written into; a context manager.

    Until `begin` nothing in it is touched: an app that is down costs nobody what was there.

    Attributes:
        path: The directory.
    """

    def __init__(self, path: Path, lock: WriterLock) -> None:
        """Take over the lock; `open` is the way in."""
        self.path = path
        self._lock = lock
        self._judgements: JudgementFile | None = None

    @classmethod
    def open(cls, path: Path) -> AbDirectory:
        """Be the only writer of a directory, which is made where it is not there.

        Raises:
            RunStoreError: It holds something that is no comparison, or one of a newer raggate; or is a link, or cannot
                be made, or another process is writing there.
        """
        if path.is_symlink():
            raise RunStoreError(
                f"{path} is a symbolic link, which is not followed for writing",
                hint="Give the directory itself with --out.",
            )
        make_directory(path)
        lock = WriterLock.take(path)
        try:
            _refuse_foreign(path)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock)

    def begin(self, started: StartedAb, *, texts: Texts) -> JudgementFile:
        """Begin a comparison: the one before is gone but for what its judges said; gives where theirs is kept now.

        Args:
            started: What it begins with.
            texts: Which texts it may hold.

        Raises:
            RunStoreError: It cannot be written.
        """
        _set_aside(self.path)
        replace_whole(self.path, AB, [indented(started), b"\n"])
        for name in AB_FILES:
            remove(self.path / partial_name(name))
            if name != AB:
                remove(self.path / name)
        self._judgements = JudgementFile.create(self.path, texts=texts)
        return self._judgements

    def written_before(self) -> Synthesis | None:
        """What a model wrote of the comparison that lies there; None where there is none, or it is not whole."""
        try:
            return read_ab(self.path).synthesis
        except RunStoreError:
            return None

    def said_before(self) -> Iterator[Judgement | None]:
        """What judges said in the comparisons before this one; None for each line that cannot be read."""
        return usable_judgements(self.path, _BEFORE)

    def finish(
        self, run: AbRun, files: Mapping[str, Iterable[bytes]], *, judges: Sequence[str], cases: Sequence[str]
    ) -> None:
        """Complete it: judgements in order, the files, and `ab.json` last.

        Args:
            run: The comparison.
            files: File name -> content, of the names it knows.
            judges: The panel, in order.
            cases: Case ids, in order.

        Raises:
            RunStoreError: Something cannot be written; the comparison stays incomplete.
            ValueError: `files` has another name.
        """
        if strange := set(files) - (set(AB_FILES) - {AB, JUDGEMENTS}):
            raise ValueError(f"no files of a comparison: {sorted(strange)}")
        if self._judgements is not None:
            self._judgements.finish(judges, cases=cases)
        for name, pieces in files.items():
            replace_whole(self.path, name, pieces)
        settle(self.path)
        replace_whole(self.path, AB, [indented(run), b"\n"])
        remove(self.path / _BEFORE)
        settle(self.path)

    def close(self) -> None:
        """Let go of the files; what stands there stays as it is."""
        try:
            if self._judgements is not None:
                self._judgements.close()
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_ab(source: RunSource) -> AbRun:
    """The comparison stored in a directory.

    Raises:
        RunStoreError: There is none, it is not complete, a newer raggate's, or off schema.
    """
    files = files_of(source)
    where = file_label(files, AB)
    content = read_document(files, AB)
    header = _header_of(content or b"")
    if content is None or header is None:
        raise RunStoreError(f"{files.where} holds no comparison", hint="Give a directory that `ab --out` has written.")
    _refuse_newer(where, header)
    if not header.complete:
        raise RunStoreError(
            f"the comparison in {files.where} is not finished: it is still being written or was stopped",
            hint="Wait for its end, or run `ab` again: what judges have said is not asked again.",
        )
    try:
        return AbRun.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"]))
        raise RunStoreError(f"{where}: {at}: {first['msg']}", hint="Run `ab` again.") from None


def _refuse_foreign(path: Path) -> None:
    """See that a directory holds a comparison, or nothing but what a kill at the very start of one leaves."""
    with store_errors(path):
        names = {entry.name for entry in path.iterdir()}
    if names <= {partial_name(AB), _BEFORE, partial_name(_BEFORE)}:
        return
    where = path / AB
    header = None if where.is_symlink() else _header_of(read_document(files_of(path), AB) or b"")
    if header is None:
        raise RunStoreError(
            f"{path} is not empty and holds no comparison of two arms",
            hint="Choose an empty directory with --out, or remove what is in this one.",
        )
    _refuse_newer(str(where), header)


def _refuse_newer(where: str, header: _Header) -> None:
    if header.version > AB_VERSION:
        raise RunStoreError(
            f"{where} has schema_version {header.version}; this raggate reads {AB_VERSION}",
            hint="A newer raggate wrote it: update raggate, or compare again.",
        )


def _header_of(content: bytes) -> _Header | None:
    try:
        keys = from_json(content, allow_partial=True)
    except ValueError:
        return None
    if not isinstance(keys, dict) or keys.get("kind") != "ab":
        return None
    version, complete = keys.get("schema_version"), keys.get("complete")
    # Not isinstance: True is an int, and no version.
    return _Header(version, complete) if type(version) is int and isinstance(complete, bool) else None


def _set_aside(path: Path) -> None:
    """Keep what judges have said, in comparisons that ended and in one that did not, where it is not written over."""
    if (path / JUDGEMENTS).is_symlink() or not (path / JUDGEMENTS).is_file():
        return
    kept = [_whole_lines(path, name) for name in (JUDGEMENTS, _BEFORE) if (path / name).is_file()]
    replace_whole(path, _BEFORE, [line for lines in kept for line in lines])
    remove(path / JUDGEMENTS)


def _whole_lines(path: Path, name: str) -> Iterator[bytes]:
    """The lines of a file; a last one without its end is left out."""
    for _where, line in read_lines(files_of(path), name):
        if line.endswith(b"\n"):
            yield line
