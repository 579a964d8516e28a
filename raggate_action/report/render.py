"""From view to Markdown: the only door to Jinja, and the ladder that keeps a text within its bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.report.markdown_sink import FILTERS
from raggate_action.report.page import CommentView
from raggate_action.report.page_sections import comment_view
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import COMMENT_EXTENTS, SUMMARY_EXTENTS, Extent
from raggate_action.strings.template_files import template_directory

if TYPE_CHECKING:
    from jinja2 import Template

    from raggate_action.report.ab_page import FindingsPage
    from raggate_action.report.ab_run_view import AbSummary


class Bounds(NamedTuple):
    """The largest text a place takes, in characters and in UTF-8 bytes."""

    characters: int
    bytes: int

    def hold(self, text: str) -> bool:
        """Whether `text` fits."""
        return len(text) <= self.characters and len(text.encode()) <= self.bytes


# GitHub refuses a comment above 65,536 characters or 262,144 bytes, and drops a job summary above 1 MiB whole.
COMMENT_BOUNDS = Bounds(characters=60_000, bytes=200_000)
SUMMARY_BOUNDS = Bounds(characters=1_000_000, bytes=1_000_000)
# What a reviewer sees before the first fold.
FIRST_SCREEN_LINES = 25
FIRST_SCREEN_CHARACTERS = 1_500
_FOLD = "<details>"


def render_comment(reporting: Reporting) -> str:
    """The pull request comment, the fullest one within the bounds; ends with a line break."""
    return _fullest(reporting, "comment.md.j2", COMMENT_EXTENTS, COMMENT_BOUNDS)


def render_summary(reporting: Reporting) -> str:
    """The job summary: the same page with every listed case; ends with a line break."""
    return _fullest(reporting, "summary.md.j2", SUMMARY_EXTENTS, SUMMARY_BOUNDS)


def render_findings(page: FindingsPage) -> str:
    """The page of findings about a panel; ends with a line break."""
    return _template("findings.md.j2").render(page=page)


def render_ab_summary(page: AbSummary) -> str:
    """The summary of a comparison of two arms; ends with a line break."""
    return _template("ab_summary.md.j2").render(page=page)


def first_screen(text: str) -> str:
    """What stands before the first fold."""
    return text.partition(_FOLD)[0]


def _fullest(reporting: Reporting, name: str, extents: tuple[Extent, ...], bounds: Bounds) -> str:
    """The text of the first extent that fits; the last one does, whatever the run holds.

    That the top fits the first screen is preferred, not required: where no extent manages it, the tersest is taken.
    """
    text, overlong = "", None
    for extent, shorter in zip(extents, (*extents[1:], None), strict=True):
        if shorter is not None and extent.rows == overlong:
            # Extents of as many rows differ above the first fold, and what is folded is too long by itself.
            continue
        pieces: Iterable[str] = page_pieces(comment_view(reporting, extent), name)
        can_be_terser = shorter is not None and shorter.rows == extent.rows
        if shorter is not None:
            pieces = _until_unfit(pieces, bounds, on_first_screen=can_be_terser)
        text = "".join(pieces)
        if bounds.hold(text) and (not can_be_terser or fits_first_screen(text)):
            return text
        overlong = extent.rows if len(text) - len(first_screen(text)) > bounds.characters else None
    return text


def page_pieces(view: CommentView, name: str) -> Iterator[str]:
    """A page bit by bit, so that nobody has to hold it whole; a listing is read as its entries are written.

    Args:
        view: What it says.
        name: The template that lays it out.
    """
    return _template(name).generate(view=view)


def _until_unfit(pieces: Iterable[str], bounds: Bounds, *, on_first_screen: bool) -> Iterator[str]:
    """The pieces, up to the one with which a page does not do any more: the rest would be written for nobody.

    Args:
        pieces: The page.
        bounds: What it, and what is folded of it by itself, has to keep within.
        on_first_screen: What stands before its first fold has to fit the first screen.
    """
    top, folded = "", 0
    for piece in pieces:
        yield piece
        if folded:
            folded += len(piece)
        else:
            top += piece
            folded = len(top) - len(first_screen(top))
            if folded and on_first_screen and not fits_first_screen(top):
                return
        if max(folded, len(top)) > bounds.characters:
            return


def fits_first_screen(text: str) -> bool:
    """Whether what stands before the first fold is read at a glance."""
    screen = first_screen(text)
    return screen.count("\n") <= FIRST_SCREEN_LINES and len(screen) <= FIRST_SCREEN_CHARACTERS


def render_scaffold(name: str, values: Mapping[str, object]) -> str:
    """A file to begin with, as `init` writes it: a workflow, a script.

    Args:
        name: Its template in `templates/scaffold`; values stand there between `<<` and `>>`, for `{{` is GitHub's.
        values: What is filled in as it is: names that cannot be mistaken for syntax.
    """
    return _template(f"scaffold/{name}.j2", ("<%", "%>", "<<", ">>")).render(values)


@cache
def _template(name: str, marks: tuple[str, str, str, str] = ("{%", "%}", "{{", "}}")) -> Template:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # No autoescape: it knows HTML only, and would escape a second time what the filters have escaped for Markdown.
    environment = SandboxedEnvironment(
        *marks,
        loader=FileSystemLoader(template_directory()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(FILTERS)
    return environment.get_template(name)
