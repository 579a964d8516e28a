"""Everything a text is made of."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.schema.comparison import Comparison
from raggate_action.schema.listed import Listed
from raggate_action.schema.run import Run


class Reporting(NamedTuple):
    """A decided run, as the texts about it need it.

    Attributes:
        run: The run.
        listed: Its cases shown by name.
        comparison: What moved against the baseline; None without one.
    """

    run: Run
    listed: Listed
    comparison: Comparison | None

    @property
    def shows_texts(self) -> bool:
        """Whether words of answers and evidence may stand in a text; under `texts: ids` only ids and codes may."""
        return self.run.policy.texts != "ids"
