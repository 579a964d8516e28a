"""Whether an endpoint takes a judge's calls: given up when it refuses them all, or nothing comes of them."""

from __future__ import annotations

from collections.abc import Callable

from raggate_action.network.attempts import Breaker
from raggate_action.schema.judgement import Lost

# How long calls have to come to nothing: a short outage is waited out.
PATIENCE_S = 30.0


class CircuitBreaker:
    """Lets no call through once the endpoint refuses them all.

    Attributes:
        refusal: Why every further call is lost without being made; None while they are made.
        was_answered: A call was replied to, so that key, model and address are right.
    """

    def __init__(self, tell: Callable[[Lost], object], *, patience_s: float = PATIENCE_S) -> None:
        """Nothing was asked yet.

        Args:
            tell: Hears once why no further call is made.
            patience_s: How long nothing but losses is put up with.
        """
        self.refusal: Lost | None = None
        self.was_answered = False
        self._tell = tell
        self._breaker = Breaker(patience_s)
        self._refused_before: Lost | None = None

    def answered(self) -> None:
        """The endpoint replied as a model does."""
        self.was_answered = True
        self._breaker.record("answered")

    def refused(self, lost: Lost) -> None:
        """The endpoint will take no call at all."""
        if self.refusal is None:
            self.refusal = lost
            self._tell(lost)

    def refused_perhaps(self, lost: Lost) -> None:
        """The endpoint did not take this call, perhaps none; two in a row before any was answered are all."""
        if self.was_answered:
            return
        if self._refused_before is not None:
            self.refused(lost)
        self._refused_before = lost

    def missed(self, lost: Lost, *, was_last: bool) -> None:
        """An attempt brought no reply; many calls lost in a row, for long, and no other is made.

        Args:
            lost: Why.
            was_last: The call is lost with it.
        """
        self._breaker.record("lost" if was_last else "missed")
        if was_last and self._breaker.is_open:
            given_up = f"{lost.detail}; given up after {self._breaker.lost} calls in a row"
            self.refused(Lost(code=lost.code, detail=given_up))
