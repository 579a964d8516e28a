"""Questions made of documents: what a sentence answers, what has no plain question, and which near ones nobody answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raggate_action.errors import UsageError
from raggate_action.onboarding.document_files import READ, read_documents
from raggate_action.onboarding.document_questions import cases_from, document_lines
from raggate_action.onboarding.english_questions import facts_of_sentence
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.strings.passages import folded_quote, folded_text

SHOP = Path(__file__).parents[2] / "dev/foreign/documents"
NAMES = frozenset({"Norway", "Basecamp", "GraphQL", "Zoe", "HTTPX", "Express", "Bergen", "Nordic", "Denmark"})


def asked_of(sentence: str) -> str | None:
    """The first question that a sentence answers."""
    return next((fact.question for fact in facts_of_sentence(sentence, NAMES.__contains__)), None)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("To register, use the form on the start page.", None),  # what is done does not say to what
        ("To report a broken lamp, use the form on the start page.", "How can I report a broken lamp?"),
        ("If you lose your card, please call the bank at once.", "What should I do if I lose my card?"),
        ("If you want to keep your number, send us the code.", "How can I keep my number?"),
        ("If a device cannot be repaired, it is replaced.", "What happens if a device cannot be repaired?"),
        (
            "If your train is late by more than 2 hours, we refund half of the fare.",
            "What happens if my train is late by more than 2 hours?",
        ),
        ("HTTPX is a HTTP client for Python that does not block.", "What is HTTPX?"),
        ("The island fava is a puree of yellow split peas.", "What is the island fava?"),
        ("Opened software cannot be returned.", "Can opened software be returned?"),
        ("Shortlived tokens must not leave the building.", "May shortlived tokens leave the building?"),
        ("Unused vouchers are never refunded.", "Are unused vouchers refunded?"),
    ],
)
def test_a_sentence_answers_the_question_that_a_person_would_ask(sentence: str, question: str | None) -> None:
    assert asked_of(sentence) == question


@pytest.mark.parametrize(
    "sentence",
    [
        "It takes ten working days.",  # what it is stands elsewhere
        "This costs 4 EUR.",
        "The carrier collects it and can return it within two days.",
        "Tickets cost $50 to $150.",  # half of a range is a wrong answer
        "If you really want to, you can mix them.",
        "If you want to run the tests, you can do so.",
        "To allow the pump program, pumpd, to be quiet, you can pass it options.",  # the comma is within what is done
        "If you are looking for a larger boiler, it is called the B2.",  # nothing happens then
        "If you are using the old pump, the blue valve can be used.",
        "If you are building a dam, see the handbook for details.",  # it sends the reader on
        "When you walk along the dam, you will notice that every lamp is yellow.",  # nothing is to be done
        "When you close the valve by hand, it is often a good idea to write it down.",  # advice
        "To count the parcels, pass this flag.",  # which one stands elsewhere
        "To learn more about returns, see our page on returns.",
        "If the door should open at once, the following pattern can be used.",
        "The program is not very special.",
        "Chapter 2 is a hands-on introduction to the language.",
        "See https://example.com for a list within 30 days.",
        "delivery takes two days.",  # the end of a sentence that was cut
        "Delivery takes two days",
    ],
)
def test_what_leans_on_its_neighbours_or_has_no_plain_question_gives_none(sentence: str) -> None:
    assert asked_of(sentence) is None


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How do I get my money back?", "How do I get my money back?"),
        ("how long are the lamps kept?", "How long are the lamps kept?"),
        ("Questions?", None),
        ("What about it, then?", None),
        ("Refunds", None),
    ],
)
def test_a_heading_that_is_a_question_is_one(tmp_path: Path, heading: str, question: str | None) -> None:
    written(tmp_path, a_md=f"# Shop\n\n## {heading}\n\nThe lamps are kept for ten days.\n")
    assert [case.question for case in made_of(tmp_path)] == ([question] if question else [])


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def made_of(folder: Path, most: int = 20) -> list[StarterCase]:
    return cases_from(read_documents(folder), most=most)


def test_every_quote_stands_in_its_document_and_no_question_comes_twice() -> None:
    cases = made_of(SHOP)
    # Read by hand: three documents of eight sections hold two limits; the others are values and a reason.
    assert len(cases) == 2
    text = folded_text(" ".join(path.read_text() for path in sorted(SHOP.glob("*.md"))))
    for case in cases:
        assert case.proposed
        assert case.declines == (not case.quotes)
        assert all(folded_quote(quote) in text for quote in case.quotes)
    questions = [case.question for case in cases]
    assert len(set(questions)) == len(questions)
    assert len({case.case_id for case in cases}) == len(cases)


def test_the_menu_of_the_example_is_asked_what_those_of_its_things_are_that_one_place_says(tmp_path: Path) -> None:
    for line in (SHOP.parents[2] / "examples/menu/menu.jsonl").read_text().splitlines():
        dish = json.loads(line)
        texts = [dish[field] for field in ("description", "pairing", "origin", "preparation", "side") if field in dish]
        (tmp_path / f"{dish['chunk_id']}.md").write_text(f"# {dish['name']}\n\n{' '.join(texts)}\n")
    # Of all wines but one a second place says that it is the wine of a dish.
    things = "the cheese saganaki, the island fava, the lemon chicken, the mushroom stifado, the fig tart, late supper"
    asked = {f"What is {thing}?" for thing in [*things.split(", "), "the Xinomavro"]}
    assert {case.question for case in made_of(tmp_path)} == asked


def test_a_question_that_two_documents_answer_otherwise_is_not_made(tmp_path: Path) -> None:
    written(tmp_path, old_md="# Returns\n\nIf a lamp arrives broken, the shop sends a new lamp.\n")
    assert [case.question for case in made_of(tmp_path)] == ["What happens if a lamp arrives broken?"]
    written(tmp_path, new_md="# Returns\n\nIf a lamp arrives broken, the shop pays its price back.\n")
    assert made_of(tmp_path) == []


def test_a_page_that_prints_the_whole_book_takes_nothing_away(tmp_path: Path) -> None:
    text = "# Returns\n\nOpened software cannot be returned.\n"
    assert len(made_of(written(tmp_path, chapter_md=text, print_md=text))) == 1


def test_as_many_as_asked_for_spread_over_the_documents(tmp_path: Path) -> None:
    for thing in ("lamp", "chair", "table", "mirror"):
        lines = [f"The {thing} {part} cannot be sent by post.\n" for part in ("leg", "top", "box", "shade", "frame")]
        written(tmp_path, **{f"{thing}_md": f"# The {thing}\n\n" + "\n".join(lines)})
    cases = made_of(tmp_path, 4)
    assert [case.remark.split()[1] for case in cases] == ["chair.md", "lamp.md", "mirror.md", "table.md"]
    assert len(made_of(tmp_path, 8)) == 8


def test_headings_at_the_margin_of_a_plain_text_are_no_part_of_a_sentence(tmp_path: Path) -> None:
    text = "NAME\n       pump\n\nDESCRIPTION\n       The pump is a machine that lifts water over the dam.\n"
    (tmp_path / "pump.txt").write_text(text)
    sections = read_documents(tmp_path).sections
    assert [(each.heading, each.sentences) for each in sections if each.sentences] == [
        ("NAME", ("pump",)),
        ("DESCRIPTION", ("The pump is a machine that lifts water over the dam.",)),
    ]


def test_pages_and_plain_texts_are_read_and_nothing_else(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Shop</title><script>var a = 'A repair costs 9 EUR.';</script></head><body>"
        "<nav>Home costs 1 EUR.</nav><h1>Repairs and labels</h1><p>If a repair <b>fails\n twice</b>, the lamp is replaced.</p>"
        "<ul><li>Labels cannot be printed twice.<li>Shoes cannot be repaired.</ul><pre>A fence costs 3 EUR.</pre></body></html>"
    )
    plain = "RETURNS\n=======\n\n   Opened boxes cannot be\n   returned.\n"
    written(tmp_path, a_html=page, b_txt=plain, c_pdf="%PDF", d_md="x" * 2_000_001, NEWS_md="A lamp costs 4 EUR.")
    (tmp_path / "e.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "outside.md").symlink_to(SHOP / "returns.md")
    documents = read_documents(tmp_path)
    questions = {case.question for case in cases_from(documents, most=20)}
    assert questions >= {
        "What happens if a repair fails twice?",
        "Can labels be printed twice?",
        "Can opened boxes be returned?",
    }
    assert not any("fence" in question or "Home" in question for question in questions)
    lines = list(document_lines(documents, cases_from(documents, most=20), most=20))
    assert lines[-1] == (
        "not read: 1 .pdf, NEWS.md (a list of changes), d.md (larger than 2 MB), e.md (not UTF-8), "
        f"outside.md (a link to another place); read are {', '.join(READ)}"
    )


def test_of_another_language_only_headings_that_are_questions_are_taken_and_that_is_said(tmp_path: Path) -> None:
    german = (
        "# Versand\n\n## Wie lange dauert die Lieferung nach Norwegen?\n\n"
        "Die Lieferung nach Norwegen dauert zwei Tage und ist für alle Kunden kostenlos.\n\n"
        "## Kosten\n\nDie Rücksendung kostet 4 EUR und wird von der Erstattung abgezogen.\n"
    )
    documents = read_documents(written(tmp_path, versand_md=german))
    cases = cases_from(documents, most=20)
    assert [case.question for case in cases] == ["Wie lange dauert die Lieferung nach Norwegen?"]
    said = list(document_lines(documents, cases, most=20))
    assert "1 document in de: only headings that are questions were taken" in said


def test_a_folder_without_documents_is_refused_with_what_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_documents(written(tmp_path, a_pdf="%PDF"))
    assert ".md, .txt, .html" in str(refused.value.hint)
    with pytest.raises(UsageError, match="is no folder"):
        read_documents(tmp_path / "nowhere")
