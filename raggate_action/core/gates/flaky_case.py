"""A case that was asked again: its answers as one row, which is flaky where it passes only sometimes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raggate_action.core.gates.case_row import Evaluated
from raggate_action.schema.case_run import Ask, CaseState
from raggate_action.schema.main_answers import OwnRate
from raggate_action.schema.trace import Trace


def together(
    answers: Sequence[Evaluated], stands: int, *, unconfirmed: bool = False, own_rate: OwnRate | None = None
) -> Evaluated:
    """The one row of a case that was retried because its first answer was in doubt.

    Args:
        answers: Each answer, evaluated, in the order given.
        stands: Which of them stands for the case: where it passes and is not the first, the case is flaky.
        unconfirmed: It was to be asked more often.
        own_rate: Why the certain hallucination of one of them is chance; it is none of the answer that stands.
    """
    main = answers[stands]
    others = [answer for number, answer in enumerate(answers) if number != stands]
    asks = tuple([Ask(**{name: getattr(each.row, name) for name in Ask.model_fields}) for each in others])
    is_flaky = main.row.state == "passed" and (stands > 0 or own_rate is not None)
    state: CaseState = "flaky" if is_flaky else main.row.state
    update: dict[str, Any] = {"state": state, "asks": asks, "unconfirmed": unconfirmed, "own_rate": own_rate}
    if any(each.row.beside_main is not None for each in answers):
        from raggate_action.core.poorer.poorer_case import beside_main_in_all

        update["beside_main"] = beside_main_in_all([each.row.beside_main for each in answers])
    row = main.row.model_copy(update=update)
    grounds = [each.grounds[0] if each.grounds else None for each in (main, *others)]
    return main._replace(row=row, others=tuple([_kept_trace(each) for each in others]), grounds=tuple(grounds))


def _kept_trace(answer: Evaluated) -> Trace:
    """What an answer left behind, with the time it took; its error is all there is to tell of one that failed."""
    row, trace = answer.row, answer.trace if answer.trace is not None else Trace(error=answer.row.error)
    return trace if trace.latency_ms is not None else trace.model_copy(update={"latency_ms": row.latency_ms})
