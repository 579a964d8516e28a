"""A dataset of ragas as it stores it, a test set, and the old column names as ragas 0.1 had them."""

import csv
import json
import sys
from pathlib import Path

from common import GOLDS, RIGHT, SAMPLES
from ragas.dataset_schema import EvaluationDataset, SingleTurnSample
from ragas.testset.synthesizers.testset_schema import Testset, TestsetSample

out = Path(sys.argv[1])
dataset = EvaluationDataset(
    samples=[
        SingleTurnSample(
            user_input=question,
            response=answer,
            retrieved_contexts=contexts,
            reference=RIGHT[question],
            reference_contexts=GOLDS[question],
        )
        for question, answer, contexts in SAMPLES
    ]
)
dataset.to_jsonl(out / "ragas.jsonl")
dataset.to_csv(out / "ragas.csv")
Testset(
    samples=[
        TestsetSample(
            eval_sample=SingleTurnSample(user_input=q, reference=RIGHT[q], reference_contexts=GOLDS[q]),
            synthesizer_name="single_hop_specific_query_synthesizer",
        )
        for q in RIGHT
    ]
).to_jsonl(out / "ragas_testset.jsonl")
# ragas up to 0.1 had no format of its own: a data set of these columns, written by pandas.
with (out / "ragas_old.csv").open("w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["question", "answer", "contexts", "ground_truth"])
    rows.writerows([question, answer, str(contexts), RIGHT[question]] for question, answer, contexts in SAMPLES)
old = {
    "question": [question for question, _, _ in SAMPLES],
    "answer": [answer for _, answer, _ in SAMPLES],
    "contexts": [contexts for _, _, contexts in SAMPLES],
    "ground_truths": [[RIGHT[question]] for question, _, _ in SAMPLES],
}
(out / "ragas_old.json").write_text(json.dumps(old, indent=1))
