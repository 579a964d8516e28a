"""What is known of an app and of the suite that is made for it: one record, from the command line to the first run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from raggate_action.schema.trace import Trace, TracedChunk

if TYPE_CHECKING:
    from raggate_action.onboarding.question_files import QuestionFile
    from raggate_action.onboarding.starter_cases import StarterCase
    from raggate_action.schema.target import TargetSection

EvidenceKind: TypeAlias = Literal["markdown", "qdrant"]
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)


@dataclass(slots=True)
class Setup:
    """What was asked for, and below it what files and the app show.

    Attributes:
        folder: Where the suite is or will be; a function's module is found there.
        environment: Where variables come from.
        now: The moment, ISO 8601 UTC.
        tell: Shows a line while the app is waited for.
        ask: Asks a person; None where nobody is there.
        target: The app, as it wants to be asked; `${VARS}` as written. None before it is named.
        question: The question that a person named.
        response: Paths into a reply that somebody named.
        evidence: Where the app's chunks are kept; None for no export.
        judges: The suite is to have judges.
        file: A team's own questions, or answers with their questions.
        cases: The ordinary cases.
        asked, trace: A question and the app's answer.
        declined: The app declined what it was asked first, so that only its evidence tells much.
        paths: Trace field -> path in a reply; empty where a run needs none.
        has_context: A reply has a place for the context, filled or not.
        chunks: What the answer rests on.
        files: Path -> text of what is to be written.
        lines: What is told, a line each.
        todo: What only people can do, a line each.
    """

    folder: Path
    environment: Mapping[str, str]
    now: str
    tell: Callable[[str], object]
    ask: Callable[[str], str] | None = None
    target: TargetSection | None = None
    question: str | None = None
    response: Mapping[str, str] = field(default_factory=dict)
    evidence: EvidenceKind | None = None
    judges: bool = False
    file: QuestionFile | None = None
    cases: list[StarterCase] = field(default_factory=list)
    asked: str = ""
    trace: Trace = field(default_factory=Trace)
    declined: bool = False
    paths: Mapping[str, str] = field(default_factory=dict)
    has_context: bool = True
    chunks: tuple[TracedChunk, ...] = ()
    files: dict[Path, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    todo: list[str] = field(default_factory=list)
