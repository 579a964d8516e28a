"""MLflow: traces of a chain with a retriever as JSON, and records of an evaluation data set."""

import json
import os
import sys
from pathlib import Path

from common import RIGHT, SAMPLES

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
import mlflow
from mlflow.entities import Document, SpanType

out = Path(sys.argv[1])
mlflow.set_tracking_uri(f"file://{out}/mlruns")
mlflow.set_experiment("desk")
FOUND = {question: (answer, contexts) for question, answer, contexts in SAMPLES}


@mlflow.trace(span_type=SpanType.RETRIEVER)
def search(question: str) -> list[Document]:
    """The chunks."""
    return [Document(page_content=text, id=str(place)) for place, text in enumerate(FOUND[question][1])]


@mlflow.trace(span_type=SpanType.CHAIN)
def answer(question: str) -> str:
    """The app."""
    search(question)
    return FOUND[question][0]


for question in FOUND:
    answer(question)
mlflow.flush_trace_async_logging()
traces = mlflow.search_traces(return_type="list")
written = [json.loads(each.to_json()) for each in traces]
for each in written:
    # Of this machine.
    each["info"] |= {"trace_metadata": {}, "tags": {}}
(out / "mlflow_traces.json").write_text(json.dumps(written, indent=1))
records = [{"inputs": {"question": q}, "expectations": {"expected_response": RIGHT[q]}} for q in RIGHT]
(out / "mlflow_records.json").write_text(json.dumps(records, indent=1))
