"""Whether a run can tell answer and context in what the app replies: found out by its first replies.

An app of which it cannot tells the same of every case; that is one mistake, and is said once.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing

from raggate_action.errors import MappingError, TargetError
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Answered, Reply
from raggate_action.targets.interface import Target
from raggate_action.targets.reply_mapping import ReplyMapping, response_line

_ENOUGH = 10
_MAP_IT = "Write the path under `target:`, as in the line above; what is not written there is not read."
_NO_CONTEXT_HINT = (
    "Let the app report what it showed the model (texts are enough: `contexts: [...]`), or write where that stands "
    f"under `target:`, as in {response_line({'answer': 'answer', 'context': 'docs'})}. An app that cannot report it is "
    "judged without evidence once the suite says `pipeline: {context: none}`."
)


class UnderstoodApp:
    """An app whose first replies are held until answer and context are found in one of them; implements `Target`.

    Attributes:
        app: The app.
        mapping: How its replies are read, and what was taken.
    """

    def __init__(
        self, app: Target, mapping: ReplyMapping, *, asks_context: bool, stops: bool, tell: Callable[[str], object]
    ) -> None:
        """Prepare.

        Args:
            app: The app.
            mapping: Reads its replies.
            asks_context: The suite wants every answer to come with its context.
            stops: An app that is not understood ends the run; else its cases fail one by one.
            tell: Shows a line while the run goes on.
        """
        self.mapping = mapping
        self.app = app
        self._asks_context = asks_context
        self._stops = stops
        self._tell = tell
        self._told = False

    @property
    def problems(self) -> tuple[str, ...]:
        """What a reader of the run has to know of the replies; after the last of them."""
        own: tuple[str, ...] = getattr(self.app, "problems", ())
        count = self.mapping.repeating
        if not count:
            return own
        replies = f"{count} replies" if count > 1 else "one reply"
        return (*own, f"In {replies} a chunk stands more than once in a stage; it is counted once.")

    @property
    def taken(self) -> dict[str, str]:
        """Trace field -> where the first reply had it, as its keys told."""
        return self.mapping.taken

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """See `Target.replies`.

        Raises:
            MappingError: The app is not understood, and that ends the run.
        """
        held: list[tuple[PlacedCase, Reply]] = []
        # Of an app that is asked again about some cases it is known.
        is_open, self._stops = self._stops, False
        try:
            async with aclosing(self.app.replies(cases)) as answers:
                async for placed, reply in answers:
                    self._tell_taken()
                    if not is_open:
                        yield placed, reply
                        continue
                    held.append((placed, reply))
                    if self._is_understood(reply) or len(held) >= _ENOUGH:
                        is_open = False
                        self._decide(held)
                        for each in held:
                            yield each
                        held = []
        except TargetError:
            for each in held:
                yield each
            raise
        if held:
            self._decide(held)
            for each in held:
                yield each

    def _is_understood(self, reply: Reply) -> bool:
        return isinstance(reply, Answered) and not (self._asks_context and reply.trace.context is None)

    def _decide(self, held: list[tuple[PlacedCase, Reply]]) -> None:
        """End the run where none of these replies is understood; otherwise say what was taken."""
        answered = [(placed, reply) for placed, reply in held if isinstance(reply, Answered)]
        if not answered and self.mapping.unread:
            raise MappingError(f"the app's replies cannot be read: {self.mapping.problem}", hint=_MAP_IT)
        understood = any(self._is_understood(reply) for _placed, reply in answered)
        # Where a decline is asked for, an app may well leave its context out.
        if not understood and any(placed.case.expect == "answer" for placed, _reply in answered):
            count = len(answered)
            seen = f"; a reply is {self.mapping.shape}" if self.mapping.shape else ""
            asked = f"none of the app's first {count} answers says" if count > 1 else "the app's answer does not say"
            raise MappingError(f"{asked} what context it was given{seen}", hint=_NO_CONTEXT_HINT)

    def _tell_taken(self) -> None:
        if self.mapping.taken and not self._told:
            self._told = True
            self._tell(self.mapping.taken_words)
