"""Answers beside main's, without a label and without a key: releases that are worse, and apps that are unchanged.

python dev/foreign/beside_main.py releases   forty to sixty questions, one bad change each, with what the comment says
python dev/foreign/beside_main.py apps       four apps whose answers vary: 20 unchanged runs of each, three bad ones

The environment is that of `make test-foreign`. With RAGGATE_ROOT another tree of raggate is shown.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import yaml
from entrance import shown
from shapes import HERE, THEIRS, raggate

sys.path.insert(0, str(HERE.parents[1]))

from bench.poorer import TOPICS, chunk, plain, spoken

RUNS = 20
_WHOLE = (True, True)
_DECISION = re.compile(r"^raggate: (RELEASE|BLOCK|INCONCLUSIVE)", re.MULTILINE)
_WHY = re.compile(r"^  why: (.+)$", re.MULTILINE)
_POORER = re.compile("poorer", re.IGNORECASE)
_LONGEST = 420


# Releases

# Question, answer and evidence.
Answers: TypeAlias = list[tuple[str, str, str]]
CANNED = "Our opening hours are on the website."
VAGUE = "Please see our page for details on this."
# Written for this script, without a look at what is read as a decline.
DECLINES = (
    "I'm afraid this one is beyond what I was given.", "Sorry, nothing in my material covers that.",
    "That is something I can't help you with, unfortunately.", "My notes are silent on this point.",
    "I wasn't able to track that down.", "There's no entry on this that I can see.",
    "This falls outside of what I know about.", "I'd rather not guess here, as the files don't tell.",
    "No details on that are available to me.", "Unfortunately I come up empty on this one.",
    "I lack the information to say.", "The pages I have make no mention of it.",
    "That's not covered by anything I've got.", "I couldn't say, I'm sorry.",
    "Regrettably, I have no data about that.", "It isn't stated anywhere I looked.",
    "I have nothing to go on for this question.", "You'd have to ask someone else about that.",
    "Hm, I really don't have an answer to this.", "What you ask for is missing from my sources.",
    "I searched, but to no avail.", "Not that I'm aware of any information on it.",
    "I can't find that out from here.", "This is unknown to me at the moment.",
)  # fmt: skip


def good(count: int) -> Answers:
    """Of each topic the price, the days, and, where sixty are wanted, the place."""
    found = []
    for topic, name in enumerate(TOPICS):
        price, cancelled = re.split(r"(?<=\.) ", plain(topic, _WHOLE))
        evidence = chunk(topic)
        found += [
            (f"What does the {name} cost?", price, evidence),
            (f"Until when can I cancel the {name}?", cancelled.replace("It ", f"The {name} "), evidence),
            (f"Where can I book the {name}?", re.split(r"(?<=\.) ", evidence)[2], evidence),
        ]
    return [each for place, each in enumerate(found) if count > 2 * len(TOPICS) or place % 3 < 2][:count]


class Release(NamedTuple):
    """A bad change: what main's app answers, what this one does, and whether they show evidence."""

    what: str
    main: Answers
    head: Answers
    shows: bool = True


def releases() -> Iterator[Release]:
    """Those that a suite without labels let through."""
    forty, sixty = good(40), good(60)
    yield Release(f"all 40: {CANNED!r}", forty, [(q, CANNED, e) for q, _a, e in forty])
    yield Release("all 40 cut in half", forty, [(q, a[: len(a) // 2], e) for q, a, e in forty])
    twelve = [(q, a.replace(" 11 EUR", " 12 EUR"), e) for q, a, e in forty]
    fifteen = [(q, a.replace(" 12 EUR", " 15 EUR"), e) for q, a, e in twelve]
    yield Release("a bare function: 15 EUR in 1 of 40, it was 12 EUR", twelve, fifteen, shows=False)
    declined = dict(zip([place for place in range(60) if place % 5 < 2], DECLINES, strict=True))
    yield Release("24 of 60 decline", sixty, [(q, declined.get(n, a), e) for n, (q, a, e) in enumerate(sixty)])
    vague = [(q, VAGUE if n % 7 == 1 else a, e) for n, (q, a, e) in enumerate(sixty)]
    yield Release(f"9 of 60: {VAGUE!r}", sixty, vague)


_APP = """
import json
from pathlib import Path

def answer(question):
    answers = json.loads(Path("answers.json").read_text())
    text, evidence = answers.get(question, answers[""])
    return {"answer": text, "contexts": [evidence]} if evidence else text
"""


@contextmanager
def gated(answers: Answers, *, shows: bool = True) -> Iterator[Path]:
    """A folder with an app that gives these answers, its suite without labels, and main's runs `earlier` and `main`."""
    with tempfile.TemporaryDirectory(prefix="beside-") as name:
        folder = Path(name) / "shop"
        folder.mkdir()
        (folder / "rag.py").write_text(_APP)
        tell(folder, answers, shows=shows)
        begin(folder, [question for question, _answer, _evidence in answers])
        run_suite(folder, "earlier")
        run_suite(folder, "main", "earlier")
        yield folder


def tell(folder: Path, answers: Answers, *, shows: bool = True) -> None:
    """From now on the app gives these answers."""
    others = ("", "I do not know.", "Nothing is said about it here.")
    by_question = {question: [answer, evidence if shows else ""] for question, answer, evidence in [*answers, others]}
    (folder / "answers.json").write_text(json.dumps(by_question))


def begin(folder: Path, questions: list[str]) -> None:
    """A suite of questions alone."""
    (folder / "questions.jsonl").write_text("".join([json.dumps({"question": each}) + "\n" for each in questions]))
    made_suite(folder, "--from", "questions.jsonl")


def made_suite(folder: Path, *of: str) -> None:
    """A first suite, or the end of the script with what was said instead."""
    printed = raggate(folder, "init", "--function", "rag:answer", "--python", THEIRS, *of)
    if not (folder / "raggate.yaml").is_file():
        sys.exit(printed)


class Outcome(NamedTuple):
    """What came of a run: the decision, why, and the lines of the comment that stand above its cases."""

    decision: str
    why: str
    lines: tuple[str, ...]

    @property
    def line(self) -> str:
        """The line about answers beside main's; else why it is decided so."""
        about = [each for each in self.lines if _POORER.search(each)]
        return (about or [self.why])[0][:_LONGEST]


def run_suite(folder: Path, out: str, baseline: str = "") -> Outcome:
    """A run of the suite, compared with another where one is named."""
    printed = raggate(folder, "run", "--out", out, *(("--baseline", baseline) if baseline else ()))
    found = _DECISION.search(printed)
    if found is None:
        sys.exit(printed)
    comment = (folder / out / "comment.md").read_text()
    why = _WHY.search(printed)
    return Outcome(found[1], why[1] if why else "", tuple(re.findall(r"^> - (.+)$", comment, re.MULTILINE)))


def show_releases() -> None:
    """Each release as a row, then how many of eleven answers in an app's own words `accept` proposes labels of."""
    print("| release | decision | what the comment says |\n| --- | --- | --- |")
    for each in releases():
        with gated(each.main, shows=each.shows) as folder:
            tell(folder, each.head, shows=each.shows)
            outcome = run_suite(folder, "changed", "main")
            print(f"| {each.what} | {outcome.decision} | {outcome.line} |", flush=True)
    with gated([(q, spoken(n, _WHOLE), e) for n, (q, _a, e) in enumerate(good(60)[::3][:11])]) as folder:
        raggate(folder, "accept", "main", "--write")
        labelled = len(yaml.safe_load((folder / "gate/accepted.yaml").read_text()))
        beside = run_suite(folder, "after").decision
        print(
            f"| `accept`, 11 answers in an app's own words | {labelled} of 11 labelled | {beside} beside its labels |"
        )


# Apps

Broken: TypeAlias = Literal["", "collapse", "cut", "value"]


class App(NamedTuple):
    """An app whose answers vary.

    Attributes:
        retriever: LangChain's, one of a few lines, or none that is shown.
        words: Whether it quotes or says it in other words.
        language: Of its documents and answers.
    """

    retriever: Literal["langchain", "nearest", "none"]
    words: Literal["quotes", "other"]
    language: Literal["en", "de"] = "en"


APPS = {
    "LangChain over the descriptions of packages, reworded": App("langchain", "other"),
    "the same texts, quoted": App("nearest", "quotes"),
    "the same texts, a bare function, reworded": App("none", "other"),
    "a library's rules in German, reworded": App("nearest", "other", "de"),
}
_BAD: tuple[Broken, ...] = ("collapse", "cut", "value")
_PACKAGES = 40
_MOST_QUESTIONS = 40
_PROBES = 3


def write_documents(folder: Path, language: str) -> None:
    """What an app answers from: in English the descriptions that ship in installed packages, as they are."""
    if language == "de":
        shutil.copytree(HERE / "documents_de", folder)
        return
    folder.mkdir()
    installed = sorted(Path(THEIRS).parents[1].glob("lib/python*/site-packages/*.dist-info"))
    texts = {each.name: str(Distribution.at(each).metadata.get_payload()) for each in installed}
    middling = [(name, text) for name, text in texts.items() if 2_000 < len(text) < 30_000]
    for name, text in middling[:_PACKAGES]:
        (folder / f"{name.partition('-')[0]}.md").write_text(text)


def about_values(folder: Path, language: str) -> list[str]:
    """Questions about sentences with a counted value, made of each sentence's longest words."""
    made = []
    frame = {"en": "What do the documents say about {}?", "de": "Was steht in den Unterlagen über {}?"}[language]
    for path in sorted(folder.glob("*.md")):
        text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        sentences = [
            each for each in re.split(r"(?<=[.!?])\s+|\n\s*\n", text) if re.search(r"(?<![\w.])\d+ [^\W\d]{3,}", each)
        ]
        for sentence in sentences[: 4 if language == "en" else 9]:
            longest = sorted(set(re.findall(r"[^\W\d_]{4,}", sentence)), key=lambda word: (-len(word), word))[:4]
            made.append(frame.format(", ".join(longest)))
    return made


@contextmanager
def unsteady(app: App) -> Iterator[tuple[Path, list[str]]]:
    """A folder with an app, its documents and a suite of the questions that it answers each time."""
    with tempfile.TemporaryDirectory(prefix="beside-") as name:
        folder = Path(name) / "shop"
        folder.mkdir()
        write_documents(folder / "docs", app.language)
        for script in ("reader", "rewording", "langchain_rag"):
            shutil.copy(HERE / f"apps/{script}.py", folder)
        shutil.copy(HERE / "apps/unsteady_rag.py", folder / "rag.py")
        as_it_is(folder, app, 0)
        if app.retriever == "langchain":
            shown([THEIRS, "rag.py", "docs"], folder)
        made_suite(folder, "--documents", "docs")
        proposed = yaml.safe_load((folder / "gate/cases.yaml").read_text())
        questions = [each["question"] for each in proposed if each.get("expect") != "abstain"]
        questions = [*dict.fromkeys([*questions, *about_values(folder / "docs", app.language)])]
        start_anew(folder, questions)
        for probe in range(_PROBES):
            as_it_is(folder, app, -1 - probe)
            run_suite(folder, "probe")
            rows = [json.loads(line) for line in (folder / "probe/cases.jsonl").read_text().splitlines()]
            passed = {row["question"] for row in rows if row["state"] == "passed"}
            questions = [each for each in questions if each in passed]
        questions = questions[:_MOST_QUESTIONS]
        start_anew(folder, questions)
        yield folder, questions


def start_anew(folder: Path, questions: list[str]) -> None:
    """A suite in place of the one that is there."""
    shutil.rmtree(folder / "gate")
    (folder / "raggate.yaml").unlink(missing_ok=True)
    begin(folder, questions)


def as_it_is(folder: Path, app: App, run: int, broken: Broken = "") -> None:
    """How the app answers in one run."""
    (folder / "app.json").write_text(json.dumps({**app._asdict(), "run": run, "broken": broken}))
    (folder / "asked.txt").unlink(missing_ok=True)


def show_apps(named: str) -> None:
    """Each app whose name holds a word: unchanged runs, each beside the one before, and a run of each bad change."""
    print("| app | questions | blocked | told | extra asks | " + " | ".join(_BAD) + " |", flush=True)
    print("| --- | ---: | ---: | ---: | ---: | " + " | ".join(["---"] * len(_BAD)) + " |", flush=True)
    for what, app in [(what, app) for what, app in APPS.items() if named in what]:
        with unsteady(app) as (folder, questions):
            blocked = warned = extra = 0
            run_suite(folder, "run-0")
            for run in range(1, RUNS + 1):
                as_it_is(folder, app, run)
                outcome = run_suite(folder, f"run-{run}", f"run-{run - 1}")
                extra += len((folder / "asked.txt").read_text().splitlines()) - len(questions)
                blocked += outcome.decision != "RELEASE"
                warned += _POORER.search(" ".join(outcome.lines)) is not None
                sys.stderr.write(f"{what}, {run}: {outcome.decision}, {outcome.why}\n    {outcome.line}\n")
            bad = []
            for broken in _BAD:
                as_it_is(folder, app, RUNS + 1, broken)
                outcome = run_suite(folder, broken, f"run-{RUNS}")
                warns = outcome.decision == "RELEASE" and _POORER.search(outcome.line) is not None
                bad.append(outcome.decision + (", told" if warns else ""))
                sys.stderr.write(f"{what}, {broken}: {outcome.decision}, {outcome.why}\n    {outcome.line}\n")
            share = f"{100 * extra / (RUNS * len(questions)):.0f} %"
            counts = f"{blocked} of {RUNS} | {warned} of {RUNS} | {share}"
            print(f"| {what} | {len(questions)} | {counts} | {' | '.join(bad)} |", flush=True)


def main() -> int:
    """What is named."""
    if sys.argv[1:] == ["releases"]:
        show_releases()
    elif sys.argv[1:2] == ["apps"]:
        show_apps(" ".join(sys.argv[2:]))
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
