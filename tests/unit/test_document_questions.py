"""Questions made of documents: what a sentence answers, what has no plain question, and which near ones nobody answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.errors import UsageError
from raggate_action.onboarding.document_files import READ, read_documents
from raggate_action.onboarding.document_questions import cases_from, document_lines
from raggate_action.onboarding.english_questions import facts_of_sentence, heading_question
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
        ("The return label costs 4 EUR and is taken off the refund.", "How much does the return label cost?"),
        ("A repair takes ten working days.", "How long does a repair take?"),
        ("Delivery to other countries takes between five and nine days.", None),  # "other": than which ones?
        ("Delivery within Norway takes two days.", "How long does delivery within Norway take?"),
        (
            "Parcels can be returned within 30 days of delivery.",
            "Within how many days of delivery can parcels be returned?",
        ),
        (
            "A damaged parcel has to be reported within 48 hours with a photograph.",
            "Within how many hours does a damaged parcel have to be reported?",
        ),
        ("Headphones have a warranty of 24 months.", "How long a warranty do headphones have?"),
        ("Delivery is free above 60 EUR.", "Above which amount is delivery free?"),
        ("The default timeout is 5 seconds.", "What is the default timeout?"),
        ("A request may contain up to 100 items.", "How many items may a request contain at most?"),
        ("You can cancel an order within 14 days.", "Within how many days can I cancel an order?"),
        ("Basecamp was founded in 1999.", "When was Basecamp founded?"),
        ("The shop opens at nine on weekdays.", "When does the shop open?"),
        ("There are two kinds of accounts.", "How many kinds of accounts are there?"),
        ("To register, use the form on the start page.", None),  # what is done does not say to what
        ("To report a fault, use the form on the start page.", "How can I report a fault?"),
        ("To report a broken lamp, use the form on the start page.", "How can I report a broken lamp?"),
        ("If you lose your card, please call the bank at once.", "What should I do if I lose my card?"),
        ("If you want to keep your number, send us the code.", "How can I keep my number?"),
        ("Run make install to install the pumps and hoses.", "How can I install the pumps and hoses?"),
        ("Run make install to install the pumps and start them.", "How can I install the pumps?"),
        ("If a device cannot be repaired, it is replaced.", "What happens if a device cannot be repaired?"),
        ("HTTPX is a HTTP client for Python that does not block.", "What is HTTPX?"),
        ("Zoe is a writer who lives in Bergen.", "Who is Zoe?"),
        ('"Licensor" shall mean the owner of the copyright.', "What does “Licensor” mean?"),
        ("GraphQL was created by Facebook in a summer.", "Who created GraphQL?"),
        ("A refund is approved by the finance team.", "Who approves a refund?"),
        ("Backups are stored in a vault under the lake.", None),  # "in a": many such sentences tell no place
        ("Backups are stored in Bergen and nowhere else.", "Where are backups stored?"),
        ("The ear pads are not covered, because they wear.", "Why are the ear pads not covered?"),
        ("Opened software cannot be returned.", "Can opened software be returned?"),
        ("Shortlived tokens must not leave the building.", "May shortlived tokens leave the building?"),
    ],
)
def test_a_sentence_answers_the_question_that_a_person_would_ask(sentence: str, question: str | None) -> None:
    assert asked_of(sentence) == question


# Written before the forms that read them: what libraries, hotels, landlords, banks and insurers tell their readers.
@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "Lost or damaged books are replaced up to 80 EUR per reader.",
            "Up to which amount are lost or damaged books replaced?",
        ),
        ("The locker costs 6 euros per month in winter.", "How much does the locker cost in winter?"),
        ("A deposit of 200 euros applies to each rented bicycle.", "What deposit applies to each rented bicycle?"),
        (
            "A notice period of 3 months applies to permanent contracts.",
            "What notice period applies to permanent contracts?",
        ),
        ("The reading room is open from 9 to 17 on weekdays.", "When is the reading room open?"),
        ("Calls are taken in German, French and Italian.", "In which languages are calls taken?"),
        (
            "Return the keys to the front desk within 2 hours of checking out.",
            "Within how many hours of checking out should I return the keys to the front desk?",
        ),
        (
            "You must inform the landlord within 14 days of noticing that the heating has failed.",
            "Within how many days of noticing that the heating has failed must I inform the landlord?",
        ),
        (
            "Members may freeze the contract within 10 days of joining and keep the welcome gift.",
            "Within how many days of joining may members freeze the contract?",
        ),
        ("We answer complaints within 5 working days.", "Within how many working days do you answer complaints?"),
        (
            "We keep your application for 6 months after the interview.",
            "For how many months do you keep my application after the interview?",
        ),
        ("The starter plan stores up to 50 projects.", "How many projects does the starter plan store at most?"),
        ("Seats must be reserved before the train leaves.", "By when must seats be reserved?"),
        (
            "Parental leave requests must be approved by the site manager.",
            "By whom must parental leave requests be approved?",
        ),
        ("Swimming is allowed down to 12 metres with a guide.", "Down to how many metres is swimming allowed?"),
        ("Unused vouchers are never refunded.", "Are unused vouchers refunded?"),
        ("Opened medicine is not exchanged.", "Is opened medicine exchanged?"),
        ("Damage by frost or flooding is excluded.", "Is damage by frost or flooding excluded?"),
        (
            "Breakfast is served with the garden room, which costs 140 euros per night.",
            "How much does the garden room cost?",
        ),
        ("We reimburse train tickets up to 300 euros per year.", "Up to which amount do you reimburse train tickets?"),
        (
            "Full-time nurses receive 28 days of annual leave.",
            "How many days of annual leave do full-time nurses receive?",
        ),
        (
            "If your train is late by more than 2 hours, we refund half of the fare.",
            "What happens if my train is late by more than 2 hours?",
        ),
        ("The Nordic pass covers all trains of Norway and the ferries to Denmark.", "What does the Nordic pass cover?"),
        ("A family ticket covers two adults and three children.", "How many adults does a family ticket cover?"),
        ("The exam fee is 85 euros for each subject.", "How much is the exam fee for each subject?"),
        ("Lost, broken or stolen badges are replaced within 2 days.", None),  # a list before its noun
        ("You have 21 days to appeal against the decision.", "How many days do I have to appeal against the decision?"),
        (
            "Cancel the booking at least 24 hours before arrival.",
            "How many hours before arrival should I cancel the booking at least?",
        ),
        ("Hand luggage is carried up to 8 kg free of charge.", None),  # what follows a value may belong to it
        ("The studio rents for 40 euros per hour.", None),  # a verb of its own
        ("You must tell us within 48 hours.", None),  # of what, its neighbours say
        ("Tell us within 24 hours.", None),
        ("We were open for three years.", None),  # it is over
        (
            "Parcels can be returned within 14 days of purchase and delivery.",
            "Within how many days of purchase and delivery can parcels be returned?",
        ),
        ("The panel covers up to the edge of the roof.", None),
        ("Users upload files up to 10 MB in size.", None),  # no verb can be told from a noun
        ("The service is available from the website.", None),  # no hours
        ("We cover damage you cause up to 500 euros.", None),  # whose clause has no opening word
        (
            "You may cancel the policy within 14 days of purchase and get the full premium back, unless you have travelled.",
            "Within how many days of purchase may I cancel the policy?",
        ),
        (
            "You must tell us within 48 hours of learning that you cannot travel.",
            "Within how many hours of learning that I cannot travel must I tell you?",
        ),
    ],
)
def test_a_rule_of_any_trade_answers_what_its_reader_asks(sentence: str, question: str | None) -> None:
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
        "When the bridge was opened, the ferry stopped.",  # it happened once
        "Rust is a great choice for the web.",  # praise says of no kind
        "Ownership is the breakout feature of the language.",
        "A member is a member of the club.",
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
        ("Installing the Driver", "How do I install the driver?"),
        ("Returning your parcel", "How do I return my parcel?"),
        ("How to cancel an order", "How do I cancel an order?"),
        ("Questions?", None),
        ("What about it, then?", None),
        ("Refunds", None),
        ("Running and jumping", None),
    ],
)
def test_a_heading_is_a_question_or_names_the_steps(heading: str, question: str | None) -> None:
    fact = heading_question(heading, NAMES.__contains__)
    assert (fact.question if fact else None) == question


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def made_of(folder: Path, most: int = 20) -> tuple[StarterCase, ...]:
    return cases_from(read_documents(folder), most=most)


def test_every_quote_stands_in_its_document_and_no_question_comes_twice() -> None:
    cases = made_of(SHOP)
    # Read by hand: three documents of eight sections hold nine values, a reason, two limits and what is refused.
    # Of twenty every fifth is one that nothing answers.
    assert len(cases) == 20
    text = folded_text(" ".join(path.read_text() for path in sorted(SHOP.glob("*.md"))))
    for case in cases:
        assert case.proposed
        assert case.declines == (not case.quotes)
        assert all(folded_quote(quote) in text for quote in case.quotes)
    questions = [case.question for case in cases]
    assert len(set(questions)) == len(questions)
    assert len({case.case_id for case in cases}) == len(cases)
    assert sum(len(case.quotes) == 2 for case in cases) == 2


def test_near_questions_ask_what_no_document_says() -> None:
    near = {case.question for case in made_of(SHOP) if case.declines}
    assert near == {
        "How much did express delivery cost last year?",
        "How much does a repair cost?",
        "Is there a discount on the return label?",
        "Can the warranty of headphones be extended?",
    }


def test_every_fifth_question_is_a_near_one_where_limits_prices_and_hours_are_given(tmp_path: Path) -> None:
    written(
        tmp_path,
        line_md="# Line\n\nThe Nordic line is open from 9 to 17. Calls are taken in German and Danish.\n",
        item_md="# Items\n\nA single lamp is covered up to 400 EUR. Planned cleaning is never covered.\n",
        back_md="# Back\n\nYou may cancel the booking within 14 days of payment. The Gold seat costs 18 EUR per week.\n",
    )
    near = [case.question for case in made_of(tmp_path) if case.declines]
    assert set(near) == {
        "Is the Nordic line open on public holidays?",
        "Who decides whether a single lamp is covered?",
        "Which form do I need to cancel the booking?",
        "Is there a discount on the Gold seat?",
    }
    # Six sentences are asked; what one of them now says is no near question any more.
    written(tmp_path, more_md="# More\n\nA lamp is assessed by two people. A booking is cancelled on our website.\n")
    later = {case.question for case in made_of(tmp_path) if case.declines}
    assert later.isdisjoint({each for each in near if "lamp" in each or "booking" in each})


@pytest.mark.parametrize(
    "said", ["A repair costs nothing.", "Repairs are free.", "You pay 10 EUR for a repair.", "Broken: repair EUR 5."]
)
def test_what_another_document_says_is_no_near_question(tmp_path: Path, said: str) -> None:
    repair = "# Repairs\n\nA repair takes ten working days.\n"
    assert "How much does a repair cost?" in {case.question for case in made_of(written(tmp_path, a_md=repair), 5)}
    written(tmp_path, b_md=f"# Else\n\n{said}\n")
    assert "How much does a repair cost?" not in {case.question for case in made_of(tmp_path, 5)}


def test_a_question_that_two_documents_answer_otherwise_is_not_made(tmp_path: Path) -> None:
    written(tmp_path, old_md="# Returns\n\nParcels can be returned within 14 days.\n")
    assert [case.question for case in made_of(tmp_path)] == ["Within how many days can parcels be returned?"]
    written(tmp_path, new_md="# Returns\n\nParcels can be returned within 30 days.\n")
    assert made_of(tmp_path) == ()


def test_a_page_that_prints_the_whole_book_takes_nothing_away(tmp_path: Path) -> None:
    text = "# Returns\n\nParcels can be returned within 14 days.\n"
    assert len(made_of(written(tmp_path, chapter_md=text, print_md=text))) == 1


def test_as_many_as_asked_for_spread_over_the_documents(tmp_path: Path) -> None:
    for number, thing in enumerate(("lamp", "chair", "table", "mirror")):
        lines = [f"The {thing} {part} costs {number + 2} EUR.\n" for part in ("leg", "top", "box", "shade", "frame")]
        written(tmp_path, **{f"{thing}_md": f"# The {thing}\n\n" + "\n".join(lines)})
    cases = [case for case in made_of(tmp_path, 4) if not case.declines]
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
        "<nav>Home costs 1 EUR.</nav><h1>Repairs and labels</h1><p>A repair takes <b>ten working\n days</b>.</p>"
        "<ul><li>The label costs 4 EUR.<li>Shoes cannot be repaired.</ul><pre>A fence costs 3 EUR.</pre></body></html>"
    )
    plain = "RETURNS\n=======\n\n   Parcels can be returned\n   within 14 days.\n"
    written(tmp_path, a_html=page, b_txt=plain, c_pdf="%PDF", d_md="x" * 2_000_001, NEWS_md="A lamp costs 4 EUR.")
    (tmp_path / "e.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "outside.md").symlink_to(SHOP / "returns.md")
    documents = read_documents(tmp_path)
    questions = {case.question for case in cases_from(documents, most=20) if not case.declines}
    assert questions >= {
        "How long does a repair take?",
        "How much does the label cost?",
        "Within how many days can parcels be returned?",
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
