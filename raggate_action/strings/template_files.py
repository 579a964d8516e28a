"""Where the templates are, whichever way raggate is installed."""

from __future__ import annotations

from pathlib import Path

from raggate_action.errors import UsageError


def template_directory(package: Path = Path(__file__).parents[1]) -> Path:
    """Where the templates are: inside an installed package, beside it in a checkout.

    Raises:
        UsageError: In neither place; the installation is broken.
    """
    for directory in (package / "templates", package.parent / "templates"):
        if (directory / "rubric.yaml").is_file():
            return directory
    raise UsageError(
        f"the templates are missing: neither {package / 'templates'} nor {package.parent / 'templates'} has them",
        hint="Install raggate-action again.",
    )
