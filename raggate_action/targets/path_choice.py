"""An app whose replies are no traces: the paths to answer and context are chosen once, by the first of them."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import Protocol

from raggate_action.errors import RaggateError, TargetError
from raggate_action.isolation.time_limit import TimeLimitError
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import NoTrace, Reply
from raggate_action.targets.read_reply import Unread
from raggate_action.targets.reply_mapping import ReplyMapping

# Replies with an answer and passages that a choice is made by, and how many are kept at most until there are so many.
_ENOUGH = 3
_MOST_KEPT = 20


class Asked(Protocol):
    """A target of which some replies cannot be read before a choice is made."""

    mapping: ReplyMapping

    def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
        """The replies of an app, read; see `Target.replies`."""
        ...


class ChoosingApp:
    """An app of which replies that need it wait until the paths are chosen; implements `Target`.

    They are chosen by the first three, in the order of the suite, that have an answer and passages. Other replies pass
    at once.

    Attributes:
        app: The app.
        mapping: How its replies are read.
    """

    def __init__(self, app: Asked, *, asks_context: bool, tell: Callable[[str], object]) -> None:
        """Prepare.

        Args:
            app: The app.
            asks_context: The suite wants every answer to come with its context.
            tell: Shows a line while the run goes on.
        """
        self.app = app
        self.mapping = app.mapping
        self._asks_context = asks_context
        self._tell = tell

    @property
    def problems(self) -> tuple[str, ...]:
        """Remarks on the replies, after the last of them."""
        own: tuple[str, ...] = getattr(self.app, "problems", ())
        count = self.mapping.repeating
        if not count:
            return own
        replies = f"{count} replies" if count > 1 else "one reply"
        return (*own, f"In {replies} a chunk stands more than once in a stage; it is counted once.")

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """The replies of an app, read; see `Target.replies`."""
        under_way = set[int]()
        waiting: list[tuple[PlacedCase, Unread]] = []
        fit: list[int] = []

        def handed_out() -> Iterator[PlacedCase]:
            for placed in cases:
                under_way.add(placed.position)
                yield placed

        try:
            async with aclosing(self.app.replies(handed_out())) as replies:
                async for placed, reply in replies:
                    under_way.discard(placed.position)
                    if not isinstance(reply, Unread):
                        yield placed, reply
                        continue
                    waiting.append((placed, reply))
                    if self._is_fit(placed, reply):
                        fit = sorted([*fit, placed.position])
                    third = fit[_ENOUGH - 1] if len(fit) >= _ENOUGH else math.inf
                    if min(under_way, default=math.inf) > third or len(waiting) >= _MOST_KEPT:
                        for each in self._chosen(waiting, fit):
                            yield each
                        waiting, fit = [], []
        except TargetError:
            for each in self._chosen(waiting, fit):
                yield each
            raise
        for each in self._chosen(waiting, fit):
            yield each

    def _is_fit(self, placed: PlacedCase, reply: Unread) -> bool:
        """Whether a reply has an answer and passages, clear or not."""
        # Imported here, as below: for most apps nothing has to be chosen.
        from raggate_action.replies.place_choice import AskedReply, understand

        try:
            found = understand([AskedReply(placed.case.asked, reply.reply)])
        except (RaggateError, TimeLimitError, MemoryError):
            raise
        except Exception:  # noqa: BLE001 - a fault of ours: others may do
            return False
        has_texts = [each for each in (found.context.taken, *found.context.others) if each is not None and each.texts]
        return bool(found.answer.taken or found.answer.others) and (bool(has_texts) or not self._asks_context)

    def _chosen(self, waiting: list[tuple[PlacedCase, Unread]], fit: list[int]) -> Iterator[tuple[PlacedCase, Reply]]:
        """Replies that waited, read; the paths are chosen first, by those that are fit, else by the first of all."""
        if not waiting:
            return
        from raggate_action.replies.place_choice import AskedReply

        in_order = sorted(waiting, key=lambda each: each[0].position)
        by = [each for each in in_order if each[0].position in fit] or in_order
        asked = [AskedReply(placed.case.asked, held.reply) for placed, held in by[:_ENOUGH]]
        try:
            if self.mapping.may_choose and self.mapping.choose(asked, asks_context=self._asks_context):
                found = ", ".join([f"{field} from `{path}`" for field, path in self.mapping.paths.items()])
                self._tell(f"read from the app's replies: {found}")
        except (RaggateError, TimeLimitError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours is of these replies alone
            fault = NoTrace("fault", f"a fault in raggate: {type(error).__name__}", error)
            yield from ((placed, fault) for placed, _held in in_order)
            return
        for placed, held in in_order:
            reply = held.again()
            assert not isinstance(reply, Unread)  # noqa: S101 - it does not wait twice
            yield placed, reply
