"""Examples and runs of LangSmith as its client writes them: a data set's examples, and exported runs."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from common import RIGHT, SAMPLES
from langsmith.schemas import Example, Run

out, when = Path(sys.argv[1]), datetime(2026, 1, 2, tzinfo=UTC)
examples = [
    Example(
        id=UUID(int=place),
        dataset_id=UUID(int=99),
        inputs={"question": q},
        outputs={"answer": RIGHT[q]},
        metadata={"dataset_split": ["base"]},
        created_at=when,
    )
    for place, q in enumerate(RIGHT)
]
dumped = [json.loads(each.model_dump_json()) for each in examples]
(out / "langsmith_examples.json").write_text(json.dumps(dumped, indent=1))
runs = [
    Run(
        id=UUID(int=place),
        trace_id=UUID(int=place),
        name="desk",
        run_type="chain",
        start_time=when,
        dotted_order=f"20260102T000000000000Z{UUID(int=place)}",
        inputs={"question": question},
        outputs={"answer": answer, "documents": [{"page_content": text} for text in contexts]},
    )
    for place, (question, answer, contexts) in enumerate(SAMPLES)
]
(out / "langsmith_runs.jsonl").write_text("".join(each.model_dump_json() + "\n" for each in runs))
