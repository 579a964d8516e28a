"""Items of a Langfuse data set, as its client's records are written as JSON."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from common import RIGHT
from langfuse.api import DatasetItem, DatasetStatus

out, when = Path(sys.argv[1]), datetime(2026, 1, 2, tzinfo=UTC)
items = [
    DatasetItem(
        id=f"item-{place}",
        status=DatasetStatus.ACTIVE,
        input={"question": q},
        expected_output=RIGHT[q],
        metadata=None,
        source_trace_id=None,
        source_observation_id=None,
        dataset_id="d",
        dataset_name="desk",
        created_at=when,
        updated_at=when,
        media_references=[],
    )
    for place, q in enumerate(RIGHT)
]
written = [json.loads(each.json()) for each in items]
(out / "langfuse_items.json").write_text(json.dumps({"data": written, "meta": {"page": 1}}, indent=1))
