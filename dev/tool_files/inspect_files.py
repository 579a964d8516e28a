"""The log of an inspect_ai evaluation with a mock model, as JSON."""

import json
import sys
from pathlib import Path

from common import RIGHT, SAMPLES
from inspect_ai import Task, eval  # noqa: A004
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes

out = Path(sys.argv[1])
samples = [Sample(input=q, target=RIGHT[q], id=place) for place, q in enumerate(RIGHT, 1)]
usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
outputs = [ModelOutput.from_content("mockllm/model", answer) for _, answer, _ in SAMPLES]
for each in outputs:
    each.usage = usage
model = get_model("mockllm/model", custom_outputs=outputs)
task = Task(dataset=MemoryDataset(samples), scorer=includes(), name="desk")
(log,) = eval(
    task,
    model=model,
    log_dir=str(out / "inspect"),
    log_format="json",
    display="none",
    max_samples=1,
    log_model_api=False,
)
# Of this machine, and long: what happened in between, and where it ran.
written = json.loads(Path(log.location.removeprefix("file://")).read_text())
written["eval"] = {name: written["eval"][name] for name in ("task", "dataset", "model", "created")}
for sample in written["samples"]:
    sample.update(events=[], events_data=None)
(out / "inspect_log.json").write_text(json.dumps(written, indent=1))
