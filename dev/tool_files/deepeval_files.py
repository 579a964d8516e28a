"""DeepEval's own files: goldens, test cases, and the file it leaves of a test run."""

import os
import sys

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
os.chdir(sys.argv[1])

from common import GOLDS, RIGHT, SAMPLES  # noqa: E402
from deepeval import evaluate  # noqa: E402
from deepeval.dataset import EvaluationDataset, Golden  # noqa: E402
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig  # noqa: E402
from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase, ToolCall  # noqa: E402


class Always(BaseMetric):
    """A metric that asks no model."""

    def __init__(self) -> None:
        self.threshold = 0.5
        self.async_mode = False

    def measure(self, test_case: LLMTestCase, *_more: object, **_named: object) -> float:
        """Lets everything pass."""
        self.score, self.success, self.reason = 1.0, True, "a rule"
        return self.score

    def is_successful(self) -> bool:
        """Always."""
        return True

    @property
    def __name__(self) -> str:
        return "Always"


goldens = [Golden(input=q, expected_output=RIGHT[q], context=GOLDS[q]) for q in RIGHT]
tools = [ToolCall(name="search")]
cases = [
    LLMTestCase(
        input=question,
        actual_output=answer,
        expected_output=RIGHT[question],
        context=GOLDS[question],
        retrieval_context=contexts,
        tools_called=tools,
        expected_tools=tools,
    )
    for question, answer, contexts in SAMPLES
]
for kind in ("json", "csv", "jsonl"):
    EvaluationDataset(goldens=goldens).save_as(kind, ".", "deepeval_goldens")
dataset = EvaluationDataset()
for case in cases:
    dataset.add_test_case(case)
dataset.save_as("json", ".", "deepeval_cases", include_test_cases=True)
dataset.save_as("csv", ".", "deepeval_cases", include_test_cases=True)
evaluate(
    cases,
    [Always()],
    async_config=AsyncConfig(run_async=False),
    display_config=DisplayConfig(show_indicator=False, print_results=False),
    cache_config=CacheConfig(write_cache=True),
)
