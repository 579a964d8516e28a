"""Which cases a command runs: the suite's scope, or the ids named on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.errors import UsageError
from raggate_action.suite_files import LoadedSuite

# Known to every suite; where the file does not say what `pr` is, it is everything too.
_ALWAYS = ("full", "pr")


def chosen_positions(
    loaded: LoadedSuite, scope: str, *, case_ids: Iterable[str], baseline: BaselineIndex | None
) -> tuple[int, ...] | None:
    """Positions to run, in suite order; None is every case, without a list of them.

    Raises:
        UsageError: A scope or case id that the suite does not have.
    """
    scopes = loaded.suite.scopes
    if scope not in scopes and scope not in _ALWAYS:
        raise _unknown("scope", scope, {*scopes, *_ALWAYS})
    if ids := set(case_ids):
        return _named(loaded, ids)
    rules = scopes.get(scope) if scope != "full" else None
    if rules is None or rules == type(rules)():
        return None
    from raggate_action.core.comparison.scope_selection import select

    return select(loaded.cases, rules, seed=loaded.suite.seed, baseline=baseline)


def _named(loaded: LoadedSuite, wanted: set[str]) -> tuple[int, ...]:
    if missing := sorted(name for name in wanted if not loaded.cases.has(name)):
        raise _unknown("case", missing[0], {placed.case.case_id for placed in loaded.cases})
    return tuple(placed.position for placed in loaded.cases if placed.case.case_id in wanted)


def _unknown(what: str, name: str, known: set[str]) -> UsageError:
    near = get_close_matches(name, sorted(known), n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"The suite has {', '.join(sorted(known)[:10])}."
    return UsageError(f"the suite has no {what} {name!r}", hint=hint)
