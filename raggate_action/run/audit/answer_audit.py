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

from raggate_action.run.audit.keyless_audit import Source, audit_by_rules, ground_of
from raggate_action.schema.audit import AuditReport

if TYPE_CHECKING:
    from raggate_action.run.audit.judged_audit import LoadedPanel


def audit_answer(
    answer: str,
    chunks: Iterable[Source],
    *,
    language: str = "en",
    panel: str | os.PathLike[str] | LoadedPanel | None = None,
) -> AuditReport:
    """Say of every claim of an answer which chunks support it.

    Rules find faults and recognise quotations; of what is put in other words they say `unverified`, which a panel
    decides. An answer is `faithful` only when every claim of it is supported, and an answer without claims never is.

    With a panel it blocks until the judges have replied, also where an event loop is running.

    Args:
        answer: The answer; citations are read as `[c1]`, `[1]` (a position) and `【1】`.
        chunks: The chunks it was made from, ids unique; what is in none of them is no evidence.
        language: ISO 639-1 code of the answer.
        panel: A suite file, whose judges are asked about what rules leave open, or what `load_panel` has read of it,
            so that many audits read it once; their keys stand in the environment. A judge that is lost has no vote.
            None asks nobody.

    Raises:
        UsageError: Two chunks have one id, or the suite has no judges.
        SuiteError: The suite cannot be used as written.
    """
    if panel is None:
        return audit_by_rules(answer, ground_of(chunks, language))
    from raggate_action.run.audit.judged_audit import audit_by_suite
    from raggate_action.run.sync_bridge import outside_any_loop

    ground = ground_of(chunks, language)
    return outside_any_loop(lambda run_loop: run_loop(audit_by_suite(answer, ground, panel, os.environ)))


async def audit_answer_async(
    answer: str,
    chunks: Iterable[Source],
    *,
    language: str = "en",
    panel: str | os.PathLike[str] | LoadedPanel | None = None,
) -> AuditReport:
    """`audit_answer` for an event loop, which goes on while the judges are asked."""
    if panel is None:
        return audit_by_rules(answer, ground_of(chunks, language))
    from raggate_action.run.audit.judged_audit import audit_by_suite

    return await audit_by_suite(answer, ground_of(chunks, language), panel, os.environ)
