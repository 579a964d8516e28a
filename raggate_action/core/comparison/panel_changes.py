"""Two panels beside each other: terms on which less decides, and judges that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from raggate_action.schema.panel import Panel, PanelRules
from raggate_action.schema.policy_change import SettingChange

# How the terms of arming are weakened. Every one of them is in one of these, which a test holds.
LOWER_IS_WEAKER: Final = frozenset({"labels", "faults", "ac1"})
HIGHER_IS_WEAKER: Final = frozenset({"false_block", "false_pass"})


class PanelChanges(NamedTuple):
    """What of a panel demands less, and what more.

    Attributes:
        weaker, stricter: Terms with another value.
        out: Judges that counted on the baseline and are gone, with nobody in their place; by name.
        gone: The suite has no judges any more.
    """

    weaker: tuple[SettingChange, ...] = ()
    stricter: tuple[SettingChange, ...] = ()
    out: tuple[str, ...] = ()
    gone: bool = False


def panel_changes(before: Panel | None, after: Panel | None) -> PanelChanges:
    """Hold the panels of two suites beside each other; where the baseline had none, or did not keep its terms, nothing.

    A judge whose model is another, or that another stands in for, is not gone: people's labels say whether it counts.

    Args:
        before: The baseline's.
        after: The head's, asked or not.
    """
    if before is None:
        return PanelChanges()
    out = _out(before, after)
    if after is None:
        return PanelChanges(out=out, gone=bool(out))
    if before.rules is None or after.rules is None:
        return PanelChanges(out=out)
    found = list(_terms(before.rules, after.rules, len(before.members)))
    weaker = tuple([change for is_weaker, change in found if is_weaker])
    return PanelChanges(weaker, tuple([change for is_weaker, change in found if not is_weaker]), out)


def _out(before: Panel, after: Panel | None) -> tuple[str, ...]:
    """Those that counted and are not on the panel, where it has not as many members as it had without them."""
    for_gates = {card.judge for card in before.item_cards if card.armed}
    if not before.quorum and not for_gates:
        return ()
    now = after.members if after is not None else ()
    names = {each.name for each in now} | {each.fingerprint for each in now}
    out = [each for each in before.members if each.name not in names and each.fingerprint not in names]
    counts = for_gates | set(before.armed if before.quorum else ())
    counted = tuple([each.name for each in out if each.name in counts])
    stayed = len(before.members) - len(out)
    return counted if len(now) < stayed + len(counted) else ()


def _terms(before: PanelRules, after: PanelRules, members: int) -> Iterator[tuple[bool, SettingChange]]:
    now = dict(after.arming)
    for field, value in before.arming:
        if value != now[field]:
            fell = now[field] < value
            change = SettingChange(
                setting=f"judges.arming.{field}",
                before=str(value),
                after=str(now[field]),
                share=isinstance(value, Decimal),
            )
            yield fell if field in LOWER_IS_WEAKER else not fell, change
    # Without a number it is more than half of those who count.
    votes = [rules.quorum if rules.quorum is not None else members // 2 + 1 for rules in (before, after)]
    if votes[0] != votes[1]:
        written = [str(rules.quorum) if rules.quorum is not None else None for rules in (before, after)]
        yield votes[1] < votes[0], SettingChange(setting="judges.quorum", before=written[0], after=written[1])
