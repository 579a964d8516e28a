"""`judgements.jsonl`: what judges said in a run, as its end leaves it for readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from raggate_action.errors import RunStoreError
from raggate_action.run_store.run_file import see_fits
from raggate_action.run_store.run_files import JUDGEMENTS, ROWS, replace_whole
from raggate_action.run_store.stored_files import RunSource, files_of, read_lines
from raggate_action.run_store.work_file import WorkFile
from raggate_action.schema.json_lines import case_id_of, json_line
from raggate_action.schema.later import About, Judgement
from raggate_action.schema.policy import Texts

# Others come behind these, by name.
_JOBS: Final = ("claims", "pair", "answer")
# A longer file was made to be long: a run of a hundred thousand cases and five judges has as many lines.
_MOST_LINES = 500_000
_ORDER: Final[tuple[About, ...]] = ("label", "case", "baseline")


def write_judgements(
    directory: Path, work: WorkFile, judges: Sequence[str], *, texts: Texts, cases: Sequence[str] | None = None
) -> None:
    """Write what was said, if anything was: labels first, then cases, ask by ask; the baseline's answers last.

    Args:
        directory: The run directory.
        work: Holds what was said.
        judges: The panel, in order.
        texts: Which texts may stay.
        cases: Case ids in order; None is the order of the run's rows.

    Raises:
        RunStoreError: It cannot be written; the run can be resumed.
    """
    if next(work.judgements(), None) is None:
        return
    panel = {name: number for number, name in enumerate(judges)}
    ids = [case_id_of(line) for _where, line in work.lines(ROWS)] if cases is None else cases
    places = {name: at for at, name in enumerate(ids)}

    def rank(each: Judgement) -> tuple[int, int, str, int, str, int, int]:
        at = 0 if each.about == "label" else places.get(each.id, len(places))
        judge = panel.get(each.judge, len(panel))
        job = _JOBS.index(each.job) if each.job in _JOBS else len(_JOBS)
        return _ORDER.index(each.about), at, each.id, job, each.job, each.ask, judge

    ordered = work.judgements_by(rank)
    lines = (json_line(_wordless(each) if texts == "ids" else each) for each in ordered)
    replace_whole(directory, JUDGEMENTS, lines)


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
            yield usable_judgement(line)
    except RunStoreError:
        # Too long a line, a damaged archive: what comes behind it is lost.
        yield None


def usable_judgement(line: bytes) -> Judgement | None:
    """A judgement of somebody's file; None where it cannot be read."""
    from raggate_action.schema.judgement import Judgement

    try:
        return Judgement.model_validate_json(line)
    except ValidationError:
        return None
