"""The example's judges of pairs are rules over words: honest ones hold answers against chunks, biased ones show as that."""

from __future__ import annotations

import json
import re
import sys

import pytest
import yaml

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.judging_jobs.pairs.pair_task import PairTask
from raggate_action.schema.judgement import PairScores
from raggate_action.suite_files.rubric_file import default_rubric
from tests.example_files import EXAMPLES, MENU, read_cases, read_chunks
from tests.judge_readings import opened

JUDGES = EXAMPLES / "judges"
sys.path.insert(0, str(JUDGES))

from pair_verdicts import DIMENSIONS, by_place, for_lists, lenient, strict  # noqa: E402
from prompt import read_material  # noqa: E402
from server import MODELS  # noqa: E402
from verdicts import Judge  # noqa: E402

JOB = PairJob(default_rubric())
DEPOT = VisibleChunk("depot", "Parcels are held at the depot for 10 days. The depot is in Leeds.")
NOTICE = VisibleChunk("notice", "Parcels are held at the depot for 12 days.")
RIGHT = "Parcels are held at the depot for 10 days. [depot]"
INVENTED = "The depot is open on Sundays. [depot]"
DECLINED = "I cannot answer this from the notices. Please ask our team."
BOTH = f"{RIGHT} Parcels are held at the depot for 12 days. [notice] The notices disagree."


def scored(judge: Judge, one: str, other: str, *chunks: VisibleChunk, question: str = "?") -> PairScores:
    """What a judge says of a pair, read as strictly as any reply."""
    task = PairTask(question, one, other, chunks or (DEPOT,))
    prompt = JOB.prompt(task, "0123456789abcdef01234567")
    read = opened(JOB.reading(json.dumps(judge(read_material(prompt.user))), task))
    assert read.problems == ()
    scores: PairScores = read.scores
    return scores


def test_the_dimensions_are_those_of_the_rubric_that_comes_with_it() -> None:
    assert default_rubric().names == DIMENSIONS


@pytest.mark.parametrize("judge", [strict, lenient], ids=lambda judge: judge.__name__)
@pytest.mark.parametrize(
    ("better", "worse", "chunks"),
    [
        pytest.param(RIGHT, INVENTED, (DEPOT,), id="stated, invented"),
        pytest.param(DECLINED, INVENTED, (DEPOT,), id="declined where nothing is stated, invented"),
        pytest.param(RIGHT, DECLINED, (DEPOT,), id="stated, declined all the same"),
        pytest.param(RIGHT, RIGHT.replace("[depot]", "[notice]"), (DEPOT, NOTICE), id="cited rightly, cited wrongly"),
        pytest.param(BOTH, RIGHT, (DEPOT, NOTICE), id="conflict named, passed over"),
        pytest.param(RIGHT, f"{RIGHT} {INVENTED}", (DEPOT,), id="stated, stated with something invented"),
    ],
)
def test_an_honest_judge_prefers_what_the_chunks_bear_out_wherever_it_stands(
    judge: Judge, better: str, worse: str, chunks: tuple[VisibleChunk, ...]
) -> None:
    first, second = scored(judge, better, worse, *chunks), scored(judge, worse, better, *chunks)
    assert (first.verdict, second.verdict) == ("A", "B")
    assert (first.a, first.b) == (second.b, second.a)


def test_the_honest_ones_are_not_one() -> None:
    """What two sentences of a chunk state is stated for one of them; and one of them never goes below a 2."""
    split = "Parcels are held in Leeds for 10 days. [depot]"
    assert scored(lenient, split, INVENTED).a["groundedness"] == 5
    assert scored(strict, split, INVENTED).a["groundedness"] == 1
    assert [min(scored(judge, INVENTED, DECLINED).a.values()) for judge in (strict, lenient)] == [1, 2]


def test_one_of_them_likes_what_stands_first_whatever_it_says() -> None:
    assert [scored(by_place, *pair).verdict for pair in ((RIGHT, INVENTED), (INVENTED, RIGHT))] == ["A", "A"]


def test_one_of_them_takes_a_list_with_sources_for_an_answer() -> None:
    listed = "You can safely take the parcels and the letters. [depot] [notice]"
    for pair, verdict in (((listed, DECLINED), "A"), ((DECLINED, listed), "B"), ((INVENTED, DECLINED), "B")):
        assert scored(for_lists, *pair, DEPOT, NOTICE).verdict == verdict
    made_up = listed.replace("[notice]", "[nowhere]")
    assert scored(for_lists, made_up, DECLINED, DEPOT, NOTICE).verdict == "B", "a source that is not there is none"


@pytest.mark.parametrize("judge", [strict, lenient, by_place, for_lists], ids=lambda judge: judge.__name__)
def test_what_a_judge_claims_is_what_its_scores_come_to(judge: Judge) -> None:
    for pair in ((RIGHT, INVENTED), (DECLINED, DECLINED), (BOTH, RIGHT), ("", INVENTED)):
        found = scored(judge, *pair, DEPOT, NOTICE)
        assert (found.total_a, found.total_b) == (sum(found.a.values()), sum(found.b.values()))
        ahead = sum(found.a.values()) - sum(found.b.values())
        assert found.verdict == ("A" if ahead > 0 else "B" if ahead < 0 else "tie")


def test_the_judges_of_pairs_know_no_dish_no_question_and_no_answer() -> None:
    code = (JUDGES / "pair_verdicts.py").read_text().casefold()
    known = {str(chunk.free_fields["name"]).casefold() for chunk in read_chunks(MENU)}
    known |= {case.asked.casefold() for case in read_cases(MENU)}
    assert [each for each in known if each in code] == []
    assert not re.search(r"\b(?:menu|wine|hummus|lamb|kitchen|calories)\b", code)


def test_the_suite_of_the_demo_is_the_examples_but_for_its_judges() -> None:
    ours, theirs = (yaml.safe_load((folder / "panel.yaml").read_text()) for folder in (JUDGES, MENU))
    for key in ("pipeline", "slices"):
        assert ours[key] == theirs[key]
    assert ours["evidence"]["text"] == theirs["evidence"]["text"]
    assert ours["ab"]["treatment"] == theirs["ab"]["treatment"]
    judges = ours["ab"]["judges"]
    assert len({each["lab"] for each in judges}) == len(judges) == 4
    assert {each["model"] for each in judges} == {name for name in MODELS if name.endswith("-pair")}
    assert [each["name"] for each in judges if each["lab"] == ours["ab"]["control"]["lab"]] == ["scripted-owl"]
