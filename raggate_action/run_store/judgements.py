"""`judgements.jsonl`: what judges said, each line with the system as soon as it was said: nobody is asked twice.

No file is made before the first judgement. Under `texts: ids` the words of judges wait in a hidden file, its owner's
alone, until the run is complete; what stays then is without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from raggate_action.errors import RunStoreError
from raggate_action.run_store.indexed_jsonl import Place, PlacedLines
from raggate_action.run_store.run_file import read_header, see_fits
from raggate_action.run_store.run_files import JUDGEMENTS, ROWS, partial_name, remove, replace_whole
from raggate_action.run_store.run_reading import parsed_lines
from raggate_action.run_store.stored_files import RunSource, files_of, read_lines
from raggate_action.schema.json_lines import first_keys, json_line
from raggate_action.schema.judgement import About, Judgement
from raggate_action.schema.policy import Texts

WORDS: Final = partial_name("judged.jsonl")
# Others come behind these, by name.
_JOBS: Final = ("claims", "pair", "answer")
_OWNERS_ALONE = 0o600
# A longer file was made to be long: a run of a hundred thousand cases and five judges has as many lines.
_MOST_LINES = 500_000
_DAMAGED = "The run directory is damaged: run again without --resume."
_ORDER: Final[tuple[About, ...]] = ("label", "case", "baseline")


class JudgementFile:
    """Judgements on disk; in memory are only their keys and the places of their lines."""

    def __init__(self, directory: Path | None, *, texts: Texts = "quotes") -> None:
        """Nothing was said yet, and no file is made.

        Args:
            directory: The run directory; None is a nameless file, of which nothing stays.
            texts: Which texts may stay.
        """
        self._path = directory / (WORDS if texts == "ids" else JUDGEMENTS) if directory is not None else None
        self._directory = directory
        self._texts: Texts = texts
        self._file = PlacedLines(self._path, Judgement, owners_alone=texts == "ids")
        self._lines: list[Place] = []
        self._said: dict[str, Place] = {}

    @classmethod
    def create(cls, directory: Path, *, texts: Texts = "quotes") -> JudgementFile:
        """For a new run; what an earlier one left is removed."""
        remove(directory / WORDS)
        return cls(directory, texts=texts)

    @classmethod
    def nameless(cls) -> JudgementFile:
        """Kept as long as this process wants it."""
        return cls(None)

    @classmethod
    def resume(cls, directory: Path, *, texts: Texts = "quotes") -> JudgementFile:
        """Go on with what was said when a run stopped; a last partial line is cut off.

        Raises:
            RunStoreError: A line before the last was not written by us.
        """
        kept = cls(directory, texts=texts)
        for judgement, place in kept._file.recovered():
            kept._note(judgement, place)
        return kept

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Judgement]:
        """Every judgement, in the order they were said."""
        for place in tuple(self._lines):
            yield self._file.read(place)

    def add(self, judgement: Judgement) -> None:
        """Keep a judgement; it outlives a kill of this process once this returns.

        Raises:
            RunStoreError: It cannot be written.
        """
        self._note(judgement, self._file.add(judgement))

    def said(self, key: str) -> Judgement | None:
        """What was said first to this very question; None where nothing that counts was."""
        place = self._said.get(key)
        return None if place is None else self._file.read(place)

    def finish(self, judges: Sequence[str], *, cases: Sequence[str] | None = None) -> None:
        """Leave the file as readers find it: labels first, then cases in the order of their rows; ask by ask.

        Behind them stands what was said of the baseline's answers. The rows have to be in suite order by now.

        Args:
            judges: The panel, in order.
            cases: Case ids in order, where there are no rows.

        Raises:
            RunStoreError: It cannot be written; the run can be resumed.
        """
        if self._directory is not None and self._lines:
            places = _places_of_cases(self._directory) if cases is None else {name: at for at, name in enumerate(cases)}
            replace_whole(self._directory, JUDGEMENTS, self._in_order(places, judges))
        self.close()
        if self._directory is not None:
            remove(self._directory / WORDS)

    def close(self) -> None:
        """Let go of the file, which stays. Closing twice is closing once."""
        self._file.close()

    def _in_order(self, cases: Mapping[str, int], judges: Sequence[str]) -> Iterator[bytes]:
        panel = {name: number for number, name in enumerate(judges)}

        def rank(each: Judgement) -> tuple[int, int, str, int, str, int, int]:
            at = 0 if each.about == "label" else cases.get(each.id, len(cases))
            judge = panel.get(each.judge, len(panel))
            job = _JOBS.index(each.job) if each.job in _JOBS else len(_JOBS)
            return _ORDER.index(each.about), at, each.id, job, each.job, each.ask, judge

        ranks = list(map(rank, self))
        for number in sorted(range(len(ranks)), key=ranks.__getitem__):
            judgement = self._file.read(self._lines[number])
            yield json_line(_wordless(judgement) if self._texts == "ids" else judgement)

    def _note(self, judgement: Judgement, place: Place) -> None:
        self._lines.append(place)
        if judgement.lost is None:
            self._said.setdefault(judgement.key, place)


def _wordless(judgement: Judgement) -> Judgement:
    """A judgement without a word of answer, evidence or judge."""
    scores = judgement.scores.model_copy(update={"reason": ""}) if judgement.scores is not None else None
    items = [item.model_copy(update={"quote": None, "note": None}) for item in judgement.items]
    votes = [
        vote.model_copy(update={"support": (), "against": None, "note": None, "parts": ()}) for vote in judgement.votes
    ]
    lost = judgement.lost.model_copy(update={"detail": ""}) if judgement.lost is not None else None
    dropped = tuple([each.model_copy(update={"reason": ""}) for each in judgement.dropped])
    fields = {"votes": tuple(votes), "scores": scores, "items": tuple(items), "lost": lost, "dropped": dropped}
    return judgement.model_copy(update=fields)


def _places_of_cases(directory: Path) -> dict[str, int]:
    """Case id -> place among the rows."""
    places: dict[str, int] = {}
    for _where, line in read_lines(files_of(directory), ROWS):
        first = first_keys(line)
        if first is not None:
            places[first.case_id] = len(places)
    return places


def read_judgements(source: RunSource) -> Iterator[Judgement]:
    """The judgements of a stored run, one at a time; none of a run that was not judged.

    Raises:
        RunStoreError: A line is off schema; the message names file and line. Of an incomplete run the last line may
            lack its end, and is left out.
    """
    files = files_of(source)
    if see_fits(files, JUDGEMENTS):
        header = read_header(files)
        yield from parsed_lines(Judgement, files, JUDGEMENTS, whole=header is None or header.complete)


def tied_judgements(source: RunSource) -> Iterator[Judgement | None]:
    """The judgements of a finished run, None for a line that is none.

    Raises:
        RunStoreError: The file is not the one it was finished with: nothing of it is believed.
    """
    files = files_of(source)
    if see_fits(files, JUDGEMENTS):
        yield from usable_judgements(files)


def usable_judgements(source: RunSource, name: str = JUDGEMENTS) -> Iterator[Judgement | None]:
    """The judgements of somebody's file, as far as they can be read; None for each line that cannot.

    Args:
        source: Where it lies.
        name: The file.
    """
    files = files_of(source)
    try:
        stream = files.open(name)
        if stream is None:
            return
        stream.close()
        for _where, line in read_lines(files, name, at_most=_MOST_LINES):
            try:
                yield Judgement.model_validate_json(line)
            except ValidationError:
                yield None
    except RunStoreError:
        # Too long a line, a damaged archive: what comes behind it is lost.
        yield None
