"""Which raggate this is, and where its documentation stands for people who have no checkout of the repository."""

from __future__ import annotations

__version__ = "0.1.0"

_REPOSITORY = "https://github.com/raggate-action/raggate-action"
# Of the released version: what stands on the main branch may speak of another program.
_RELEASED = f"{_REPOSITORY}/blob/v{__version__}"

ISSUES = f"{_REPOSITORY}/issues"
INPUTS = f"{_RELEASED}/docs/reference/action.md#inputs"
WORKFLOW = f"{_RELEASED}/README.md#on-every-pull-request"
SUITE_KEYS = f"{_RELEASED}/docs/reference/suite-keys.md"
CASE_KEYS = f"{_RELEASED}/docs/reference/case-keys.md"
PANEL = f"{_RELEASED}/docs/panel.md#the-suite"
JUDGES = f"{_RELEASED}/docs/judges.md#a-panel"
LABELLING = f"{_RELEASED}/docs/labelling.md#ten-hard-kinds"
FORKS = f"{_RELEASED}/docs/pull-requests.md#forks"


def error_entry(slug: str) -> str:
    """The address of an error's entry: when it comes, and what to do."""
    return f"{_RELEASED}/docs/errors.md#{slug}"
