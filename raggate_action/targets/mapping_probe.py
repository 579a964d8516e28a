"""The first replies of an app: does the `response` mapping fit, and do they have an answer and a context?"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.errors import MappingError, TargetError
from raggate_action.replies.mapping import NONE_FOUND, ResponseMapping
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace
from raggate_action.targets.interface import Target
from raggate_action.targets.reply_mapping import ReplyMapping, nearest_path, response_line, shape_of

WATCHED = ("answer", "context", "candidates")
_ENOUGH = 10


class _Unfitting(NamedTuple):
    """A path that found nothing in any of the first replies."""

    field: str
    expression: str
    nearest: str | None


class FirstReplies:
    """Sees the first replies of an app as they are, and what each mapped path found in them."""

    def __init__(self, mapping: ResponseMapping | None) -> None:
        """Watch the paths of a mapping; without one there is nothing to watch."""
        self._mapping = mapping or ResponseMapping({})
        self._fields = [field for field in WATCHED if field in self._mapping.expressions]
        self._replies = 0
        self._counting = dict.fromkeys(self._fields, 0)
        self._sample: JsonValue = None
        self.unfitting: tuple[_Unfitting, ...] = ()
        self.is_open = bool(self._fields)

    def see(self, case: Case, reply: JsonValue) -> None:
        """Look at one more reply, as long as nothing is decided.

        A path has to find something once. Where a case asks for a decline, an app may well name no chunks: such a reply
        does not speak against the paths of context and candidates.
        """
        if not self.is_open:
            return
        self._replies += 1
        nothing = self._mapping.without_value(reply, self._fields)
        self._fields = [field for field in self._fields if field in nothing]
        for field in nothing:
            if field == "answer" or case.expect == "answer":
                self._counting[field] += 1
                self._sample = self._sample or reply
        if not self._fields or self._replies >= _ENOUGH:
            self.decide()

    def decide(self) -> None:
        """Decide by the replies there were."""
        if not self.is_open:
            return
        self.is_open = False
        self.unfitting = tuple(
            [
                _Unfitting(field, expression, nearest_path(self._sample, field, expression))
                for field in self._fields
                if self._counting[field] and self._counting[field] * 2 >= self._replies
                for expression in (self._mapping.expressions[field],)
            ]
        )

    @property
    def problem(self) -> str:
        """What is wrong, in a line."""
        paths = " and ".join([f"`{each.field}: {each.expression}`" for each in self.unfitting])
        verb = "finds" if len(self.unfitting) == 1 else "find"
        which = f"the first {self._replies} replies" if self._replies > 1 else "the app's only reply"
        return f"{paths} of `target: response` {verb} nothing in {which}; a reply is {shape_of(self._sample)}"

    @property
    def advice(self) -> str:
        """What to write instead."""
        fitting = [f"`{each.field}: {each.nearest}`" for each in self.unfitting if each.nearest is not None]
        if not fitting:
            return "Write the path under which the app's reply has it; this reply has nothing that would fit."
        return f"The nearest that would fit: {', '.join(fitting)}."

    def lacks(self, reply: Reply) -> bool:
        """Whether a reply has nothing where an unfitting path was to find it."""
        fields = [each.field for each in self.unfitting]
        if isinstance(reply, TargetFailure):
            return any(text in reply.error for text in (NONE_FOUND, *[f"`response: {field}`" for field in fields]))
        return isinstance(reply, Answered) and any(_is_absent(reply.trace, field) for field in fields)


def _is_absent(trace: Trace, field: str) -> bool:
    if field != "answer":
        return not getattr(trace, field)
    answer = trace.reply
    return not (answer.text or answer.claims)


class FittedApp:
    """An app whose first replies are held until it is known whether the mapping fits them; implements `Target`."""

    def __init__(self, app: Target, first: FirstReplies, *, stops: bool) -> None:
        """Prepare.

        Args:
            app: The app, which shows its replies to `first`.
            first: Sees them.
            stops: A mapping that does not fit ends the run; else the cases fail that it finds nothing for.
        """
        self._app = app
        self._first = first
        self._stops = stops

    @property
    def problems(self) -> tuple[str, ...]:
        """Remarks of the app itself after its last reply."""
        problems: tuple[str, ...] = getattr(self._app, "problems", ())
        return problems

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """See `Target.replies`.

        Raises:
            MappingError: The mapping does not fit, and that ends the run.
        """
        pending: list[tuple[PlacedCase, Reply]] = []
        try:
            async with aclosing(self._app.replies(cases)) as answers:
                async for placed, reply in answers:
                    pending.append((placed, reply))
                    if not self._first.is_open:
                        for each in self._released(pending):
                            yield each
                        pending = []
        except TargetError:
            self._first.decide()
            for each in self._released(pending):
                yield each
            raise
        self._first.decide()
        for each in self._released(pending):
            yield each

    def _released(self, pending: Iterable[tuple[PlacedCase, Reply]]) -> Iterator[tuple[PlacedCase, Reply]]:
        first = self._first
        if first.unfitting and self._stops:
            raise MappingError(first.problem, hint=first.advice)
        for placed, reply in pending:
            if first.unfitting and first.lacks(reply):
                latency_ms = None if isinstance(reply, NoTrace) else reply.latency_ms
                yield placed, TargetFailure(f"{first.problem}. {first.advice}", latency_ms)
            else:
                yield placed, reply


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
        """Remarks on the replies, after the last of them."""
        own: tuple[str, ...] = getattr(self.app, "problems", ())
        count = self.mapping.repeating
        if not count:
            return own
        replies = f"{count} replies" if count > 1 else "one reply"
        return (*own, f"In {replies} a chunk stands more than once in a stage; it is counted once.")

    @property
    def paths(self) -> dict[str, str]:
        """Trace field -> its path in the first reply, found by the reply's keys."""
        return self.mapping.paths

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """See `Target.replies`.

        Raises:
            MappingError: The app is not understood, and that ends the run.
        """
        pending: list[tuple[PlacedCase, Reply]] = []
        # Of an app that is asked again about some cases it is known.
        is_open, self._stops = self._stops, False
        try:
            async with aclosing(self.app.replies(cases)) as answers:
                async for placed, reply in answers:
                    self._tell_taken()
                    if not is_open:
                        yield placed, reply
                        continue
                    pending.append((placed, reply))
                    if self._is_understood(reply) or len(pending) >= _ENOUGH:
                        is_open = False
                        self._decide(pending)
                        for each in pending:
                            yield each
                        pending = []
        except TargetError:
            for each in pending:
                yield each
            raise
        if pending:
            self._decide(pending)
            for each in pending:
                yield each

    def _is_understood(self, reply: Reply) -> bool:
        return isinstance(reply, Answered) and not (self._asks_context and reply.trace.context is None)

    def _decide(self, pending: list[tuple[PlacedCase, Reply]]) -> None:
        """End the run where no reply is understood."""
        answered = [(placed, reply) for placed, reply in pending if isinstance(reply, Answered)]
        if not answered and self.mapping.problem:
            raise MappingError(f"the app's replies cannot be read: {self.mapping.problem}", hint=_MAP_IT)
        understood = any(self._is_understood(reply) for _placed, reply in answered)
        # Where a decline is asked for, an app may well leave its context out.
        if not understood and any(placed.case.expect == "answer" for placed, _reply in answered):
            count = len(answered)
            seen = f"; a reply is {self.mapping.shape}" if self.mapping.shape else ""
            which = f"none of the app's first {count} answers says" if count > 1 else "the app's answer does not say"
            found = f"It may be there: {response_line(self.mapping.possible)}. " if self.mapping.possible else ""
            raise MappingError(f"{which} what context it was given{seen}", hint=f"{found}{_NO_CONTEXT_HINT}")

    def _tell_taken(self) -> None:
        if self.mapping.paths and not self._told:
            self._told = True
            self._tell(self.mapping.paths_line)
