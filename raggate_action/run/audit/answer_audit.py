"""The audit of one answer against the chunks it was made from: by rules alone, or with the judges of a suite.

    from raggate_action import Source, audit_answer

    report = audit_answer("The fee is 20 EUR [c1].", [Source("c1", "The fee is 20 EUR.")])
    assert report.verdict == "faithful"

What the judges need is loaded where a panel is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from raggate_action.run.audit.keyless_audit import AnyChunk, Audit, audit_report, by_rules, ground_of

if TYPE_CHECKING:
    from raggate_action.run.audit.judged_audit import LoadedPanel


def audit_answer(
    answer: str,
    chunks: Iterable[AnyChunk],
    *,
    language: str = "en",
    panel: str | os.PathLike[str] | LoadedPanel | None = None,
) -> Audit:
    """Say of every claim of an answer which chunks support it.

    Rules find faults and recognise quotations; of what is put in other words they say `unverified`, which a panel
    decides. An answer is `faithful` only when every claim of it is supported, and an answer without claims never is.

    With a panel it blocks until the judges have replied, also where an event loop is running.

    Args:
        answer: The answer; citations are read as `[c1]`, `[1]` (a position) and `【1】`.
        chunks: The chunks it was made from, ids unique; what is in none of them is no evidence. Each a `Source`, a
            mapping with `id` and `text`, or a text alone, which is called by its place: `1`, `2`, ...
        language: ISO 639-1 code of the answer.
        panel: A suite file, whose judges are asked about what rules leave open, or what `load_panel` has read of it,
            so that many audits read it once; their keys stand in the environment. A judge that is lost has no vote.
            None asks nobody.

    Raises:
        UsageError: Something is of another type than it has to be, two chunks have one id, or the suite has no judges.
        SuiteError: The suite cannot be used as written.
    """
    if panel is None:
        ground = ground_of(chunks, language)
        return audit_report(answer, by_rules(answer, ground), ground)
    from raggate_action.run.sync_bridge import outside_any_loop

    return outside_any_loop(
        lambda run_loop: run_loop(audit_answer_async(answer, chunks, language=language, panel=panel))
    )


async def audit_answer_async(
    answer: str,
    chunks: Iterable[AnyChunk],
    *,
    language: str = "en",
    panel: str | os.PathLike[str] | LoadedPanel | None = None,
) -> Audit:
    """`audit_answer` for an event loop, which goes on while the judges are asked."""
    if panel is None:
        return audit_answer(answer, chunks, language=language)
    from raggate_action.run.audit.judged_audit import audit_by_judges

    return await audit_by_judges(answer, ground_of(chunks, language), panel, os.environ)
