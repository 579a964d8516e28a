"""Files that people have, written by the real tools (`dev/tool_files`), each into a first suite: what was carried.

python dev/foreign/files.py                  all of them, as a table
python dev/foreign/files.py deepeval_run     one, with all that is printed
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from shapes import HERE, THEIRS, raggate

FILES = HERE.parents[1] / "tests/tool_files"
# With answers of an app among them, which are judged as they stand.
RECORDED = frozenset(
    {
        "ragas.jsonl", "ragas_old.json", "deepeval_cases.json", "deepeval_run.json", "promptfoo.json",
        "openinference_otlp.json", "otel_genai.json", "langsmith_runs.jsonl", "mlflow_traces.json",
    }
)  # fmt: skip
NAMED = {
    "Ragas, evaluated": "ragas.jsonl",
    "Ragas, old names": "ragas_old.json",
    "Ragas, test set": "ragas_testset.jsonl",
    "DeepEval, test cases": "deepeval_cases.json",
    "DeepEval, goldens": "deepeval_goldens.json",
    "DeepEval, run file": "deepeval_run.json",
    "promptfoo, configuration": "promptfooconfig.yaml",
    "promptfoo, output": "promptfoo.json",
    "OpenInference (Phoenix) spans": "openinference_otlp.json",
    "OpenTelemetry GenAI spans": "otel_genai.json",
    "LangSmith, runs": "langsmith_runs.jsonl",
    "Langfuse, items": "langfuse_items.json",
    "MLflow, traces": "mlflow_traces.json",
}
_LABELS = ("reference_answer", "required_quotes", "must_contain", "criteria")


def show(file: str) -> tuple[str, str]:
    """What `init` printed, and what it came to in a few words."""
    with tempfile.TemporaryDirectory(prefix="file-") as name:
        folder = Path(name) / "shop"
        shutil.copytree(HERE / "documents", folder / "docs")
        shutil.copy(HERE / "apps/bare_rag.py", folder / "rag.py")
        shutil.copy(HERE / "apps/reader.py", folder / "reader.py")
        shutil.copy(FILES / file, folder / file)
        app = [] if file in RECORDED else ["--function", "rag:answer", "--python", THEIRS]
        printed = raggate(folder, "init", "--traces" if file in RECORDED else "--from", file, *app)
        gate = folder / "gate"
        if not gate.is_dir():
            said = [line for line in printed.splitlines() if line.startswith("raggate: ")]
            return printed, f"refused: {said[-1].removeprefix('raggate: ')[:120]}" if said else printed.splitlines()[-1]
        cases = "".join(path.read_text() for path in sorted(gate.glob("cases.*")))
        count = cases.count("case_id:") + cases.count('"case_id":')
        carried = [f"{number} {label}" for label in _LABELS if (number := len(re.findall(rf"\b{label}\b", cases)))]
        traces = gate / "traces.jsonl"
        if traces.is_file():
            lines = traces.read_text().splitlines()
            carried.append(f"{len(lines)} answers, {sum('context' in line for line in lines)} with evidence")
        return printed, f"{count} cases; {', '.join(carried) or 'questions alone'}"


def main() -> int:
    """One file with all that is printed, or the table."""
    if named := " ".join(sys.argv[1:]):
        for file in [each for each in NAMED.values() if named in each]:
            print(f"=== {file}\n{show(file)[0]}")
        return 0
    print("| file | what was carried |")
    print("| --- | --- |")
    amiss = 0
    for name, file in NAMED.items():
        carried = show(file)[1]
        print(f"| {name} | {carried} |", flush=True)
        amiss += " cases" not in carried
    return int(amiss > 0)


if __name__ == "__main__":
    sys.exit(main())
