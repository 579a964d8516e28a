"""From view to text: the only door to Jinja, and the ladder that keeps a text within its bounds."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.errors import UsageError
from raggate_action.report.extent import COMMENT_EXTENTS, SUMMARY_EXTENTS, Extent
from raggate_action.report.view import Reporting, comment_view

if TYPE_CHECKING:
    from jinja2 import Template


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


def render_comment(reporting: Reporting) -> str:
    """The pull request comment, the fullest one within the bounds; ends with a line break."""
    return _fullest(reporting, "comment.md.j2", COMMENT_EXTENTS, COMMENT_BOUNDS)


def render_summary(reporting: Reporting) -> str:
    """The job summary: the same page with every listed case; ends with a line break."""
    return _fullest(reporting, "summary.md.j2", SUMMARY_EXTENTS, SUMMARY_BOUNDS)


def first_screen(text: str) -> str:
    """What stands before the first fold."""
    return text.partition("<details>")[0]


def template_directory(package: Path = Path(__file__).parents[1]) -> Path:
    """Where the templates are: inside an installed package, beside it in a checkout.

    Raises:
        UsageError: In neither place; the installation is broken.
    """
    for directory in (package / "templates", package.parent / "templates"):
        if (directory / "comment.md.j2").is_file():
            return directory
    raise UsageError(
        f"the templates are missing: neither {package / 'templates'} nor {package.parent / 'templates'} has them",
        hint="Install raggate-action again.",
    )


def _fullest(reporting: Reporting, name: str, extents: tuple[Extent, ...], bounds: Bounds) -> str:
    """The text of the first extent that fits; the last one does, whatever the run holds.

    The first screen is a wish, not a bound: where no extent of the full length meets it, the tersest is taken.
    """
    template = _template(name)
    text = ""
    for extent, shorter in zip(extents, (*extents[1:], None), strict=True):
        text = template.render(view=comment_view(reporting, extent))
        can_be_terser = shorter is not None and shorter.rows == extent.rows
        if bounds.hold(text) and (not can_be_terser or fits_first_screen(text)):
            return text
    return text


def fits_first_screen(text: str) -> bool:
    """Whether what stands before the first fold is read at a glance."""
    shown = first_screen(text)
    return shown.count("\n") <= FIRST_SCREEN_LINES and len(shown) <= FIRST_SCREEN_CHARACTERS


@cache
def _template(name: str) -> Template:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # No autoescape: it knows HTML only, and would escape a second time what the view has escaped for Markdown.
    environment = SandboxedEnvironment(
        loader=FileSystemLoader(template_directory()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(name)
