"""Every rule of poorer answers, how to turn it off, and one example that shows it.

Rows for `tests.rule_switches`.
"""

from __future__ import annotations

import re
from typing import Any

from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.comparison import BaselineAmounts, Comparison
from raggate_action.schema.main_answers import AnswerAlone, BesideMain, MainAnswer, PoorerAnswers, PoorerReason
from raggate_action.schema.policy import PoorerGate
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS
from raggate_action.schema.trace import TracedChunk
from tests.builders import make_chunk, make_store
from tests.panel_ab_switches import Core, Example
from tests.row_builders import DECIDED_AT, TODAY, index, make_policy, make_row, waiver

MAIN = "Standard shipping takes 3 to 5 working days within Germany. It costs 4.90 EUR per parcel."
THEN = DECIDED_AT
SETTLED = "Most claims are settled quickly."


def ends(answer: str, *mains: str, evidence: tuple[str, ...] = (MAIN,), language: str = "en") -> Example:
    """The last words of an answer that is cut."""
    return lambda core: core["poorer.cut_answers"].cut_end(answer, mains or (MAIN,), evidence, language)


def same(answer: str, *mains: str, evidence: tuple[str, ...] = (), declined: bool = False) -> Example:
    """Whether an answer has nothing of its case."""

    def example(core: Core) -> Any:
        module = core["poorer.same_answers"]
        return module.same_digest(answer, module.OwnAnswer(mains or (MAIN,), evidence, declined))

    return example


def beside(position: int, *states: Any, same: str | None = None, main: str | None = None, **row: Any) -> CaseRun:
    """A row whose answer is poorer in these states."""
    reasons = tuple([PoorerReason(state=state) for state in states])
    held = BesideMain(baseline=THEN, reasons=reasons, same=same, main=main or f"main-{position}")
    return make_row(position, beside_main=held, **row)


def lost_of(answers: int, *, by_all: bool = True, shown: bool = False, changed: bool = False) -> CaseRun:
    """A row whose answer lost a value that so many of main's give."""
    lost = PoorerReason(state="lost-value", key="money 12", by_all=by_all, shown=shown)
    other = PoorerReason(state="changed-value", key="money 12 > money 15", by_all=True)
    reasons = (lost, other) if changed else (lost,)
    return make_row(0, beside_main=BesideMain(baseline=THEN, reasons=reasons, main="m", answers=answers))


def counted(*rows: CaseRun, **policy: Any) -> Example:
    """What is counted of rows."""

    def example(core: Core) -> Any:
        waivers = core["counting.waivers"].Waivers(make_policy(**policy), decided_on=TODAY)
        count = core["comparison.poorer_count"].PoorerCount(waivers, THEN)
        for row in rows:
            count.add(row)
        found = count.result()
        return None if found is None else found.model_dump()

    return example


def newly_said(
    *said: str, main_of_last: str = "Tea is hot.", chunks: tuple[str, ...] = ("a", "b", "c", "d")
) -> Example:
    """The sentences told that answers say, where main's answers say another."""

    def answers(texts: tuple[str, ...]) -> list[CaseRun]:
        claims = [(Claim(claim_id="claim-1", text=text),) for text in texts]
        return [
            make_row(n, question="How are claims settled?", answer="x", claims=claim, context=(chunks[n],))
            for n, claim in enumerate(claims)
        ]

    def example(core: Core) -> Any:
        count = core["comparison.said_by_many"].SaidByMany()
        # Main has one case more, which is not compared.
        past = [*index(answers((*("Tea is hot.",) * len(said), main_of_last))).cases.values()]
        for row, case in zip(answers(said), past, strict=False):
            count.add(row, case)
        return count.result(past)

    return example


def alone_in(*rows: CaseRun, **policy: Any) -> Example:
    """What is counted of rows whose answers tell something by themselves."""

    def example(core: Core) -> Any:
        waivers = core["counting.waivers"].Waivers(make_policy(**policy), decided_on=TODAY)
        tally = core["counting.alone_tally"].AloneTally(waivers.poorer)
        for row in rows:
            tally.add(row)
        return tuple(tally.result())

    return example


def by_itself(position: int, *context: str) -> CaseRun:
    """A row whose answer has nothing of its evidence."""
    return make_row(position, alone=AnswerAlone(same="x"), context=context)


def alone(answer: str, *, fits: bool = False, evidence: str = MAIN) -> Example:
    """What an answer tells by itself."""

    def example(core: Core) -> Any:
        index = core["evidence_checks.evidence_index"].EvidenceIndex(evidence, "en")
        found = core["poorer.answers_alone"].answer_alone(answer, [index], "en", fits=fits)
        return None if found is None else found.model_dump()

    return example


def gated(rule: PoorerGate | None = None, **found: Any) -> Example:
    """The gate on so many poorer answers."""
    amounts = BaselineAmounts(mean_score=None, p95_latency_ms=None, hallucination_rate=0.0, cost_usd=None)
    compared = Comparison(
        baseline_decided_at=THEN,
        baseline_decision="release",
        compared=found["compared"],
        baseline=amounts,
        poorer=PoorerAnswers(**found),
    )
    return lambda core: [
        each.model_dump() for each in core["decision.poorer_gate"].poorer_gate(compared, rule or PoorerGate())
    ]


def in_all(*answers: BesideMain | None) -> Example:
    """How all answers of a case stand."""

    def example(core: Core) -> Any:
        found = core["poorer.poorer_case"].beside_main_in_all(answers)
        return None if found is None else found.model_dump()

    return example


EVIDENCE = "The bike rental costs 12 EUR per day. A deposit of 50 EUR is due. Call 0800 123456."
RENTAL = "The bike rental costs 12 EUR per day."
ASKED = "What does the bike rental cost?"


def held(
    answer: str,
    *mains: str,
    runs: tuple[str, ...] = (),
    evidence: str = EVIDENCE,
    bare: bool = False,
    language: str = "en",
    recorded: bool = False,
    **more: Any,
) -> Example:
    """How an answer stands beside main's."""

    def example(core: Core) -> Any:
        chunks = () if bare else (TracedChunk(chunk_id="c1", text=evidence, version="1"),)
        context = core["claims.model_context"].context_of(chunks, None, language=language)
        indexes = [index for _id, index in core["claims.suspect_claims"].evidence_of(context, language).chunks]
        reading = core["claims.claim_extraction"].Reading(tuple(map(re.compile, DEFAULT_CITATION_MARKERS)), language)
        said = mains or (RENTAL,)
        kept = tuple(
            [
                MainAnswer(
                    text=text,
                    run=runs[n] if runs else THEN,
                    grounds=core["poorer.grounds"].grounds_of(text, ASKED, context, language),
                )
                for n, text in enumerate(said)
            ]
        )
        module = core["poorer.poorer_case"]
        fields = {"question": ASKED, "declined": False, "reading": reading, **more}
        to_hold = module.AnswerToHold(text=answer, evidence=lambda: indexes, **fields)
        found = module.beside_main(to_hold, module.MainAnswersNow(kept, kept, THEN, recorded))
        return found.model_dump()

    return example


def changed_evidence(
    *, text: str = EVIDENCE, version: str = "1", stored: bool = True, gone: bool = False, source: str | None = None
) -> Example:
    """Whether the chunk of a value counts as changed; with a source, it is shown by another id."""

    def example(core: Core) -> Any:
        def context(*chunks: TracedChunk) -> Any:
            return core["claims.model_context"].context_of(chunks, None, language="en")

        module = core["poorer.grounds"]
        before = context(TracedChunk(chunk_id="c1", text=EVIDENCE, version="1", document_id=source))
        main = MainAnswer(text=RENTAL, run=THEN, grounds=module.grounds_of(RENTAL, ASKED, before, "en"))
        if stored:
            store = make_store(make_chunk("c9" if gone else "c1", text, version=version))
            return module.has_changed(main, ASKED, context(), store, "en")
        chunk_id = "c1" if source is None else "c2"
        now = context(TracedChunk(chunk_id=chunk_id, text=text, version=version, document_id=source))
        return module.has_changed(main, ASKED, now, None, "en")

    return example


POORER_RULES: list[tuple[str, str, str, str, Example]] = [
    (
        "a cut answer: a fence that is open",
        "poorer.cut_answers",
        "if len(_FENCE.findall(text)) % 2:",
        "if False:",
        ends("Run this:\n```\nship --now"),
    ),
    (
        "a cut answer: a bracket that is open",
        "poorer.cut_answers",
        "bool(opened) or ",
        "",
        ends("It takes 3 days (in Germany, 5."),
    ),
    (
        "a cut answer: a quotation that is open",
        "poorer.cut_answers",
        " or (last.count('\"') % 2 == 1 and len(_INCHES.findall(last)) % 2 == 0)",
        "",
        ends('We say "three to five days.'),
    ),
    (
        "a cut answer: inches open nothing",
        "poorer.cut_answers",
        " and len(_INCHES.findall(last)) % 2 == 0",
        "",
        ends('The screen is 24" wide.'),
    ),
    (
        "a cut answer: a sad face opens nothing",
        "poorer.cut_answers",
        '_SAD_FACE.sub("", last)',
        "last",
        ends("That is sold out :("),
    ),
    (
        "a cut answer: a comma",
        "poorer.cut_answers",
        "[,:;]$",
        "[:;]$",
        ends("It costs 4.90 EUR,", "It is cheap", evidence=()),
    ),
    ("a cut answer: a colon", "poorer.cut_answers", "[,:;]$", "[,;]$", ends("It costs:", "It is cheap", evidence=())),
    (
        "a cut answer: a word that ends nothing",
        "poorer.cut_answers",
        "word[0].lower() in known.split()",
        "False",
        ends("Parcels are brought by the", "It is cheap", evidence=()),
    ),
    (
        "a cut answer: main ends so too",
        "poorer.cut_answers",
        "return None if is_style else words",
        "return words",
        ends("It costs:", "It costs 4.90 EUR:"),
    ),
    (
        "a cut answer: a list item may end with a comma",
        "poorer.cut_answers",
        "return _ITEM.match(last) is None",
        "return True",
        ends("- Monday,\n- Tuesday,"),
    ),
    (
        "a cut answer: a table row may end with anything",
        "poorer.cut_answers",
        ' or "|" in last:\n        return False',
        ":\n        return False",
        ends("Days | of the", "It is cheap", evidence=()),
    ),
    (
        "a cut answer: main goes on behind it",
        "poorer.cut_answers",
        "if any(_is_begun_by(text, main) for main in stripped):",
        "if False:",
        ends("Bookings for the tour are made", "Bookings for the tour are made at the counter", evidence=()),
    ),
    (
        "a cut answer: without a stop where main's has one",
        "poorer.cut_answers",
        "if not all(map(_ends, stripped)):",
        "if False:",
        ends("We send it. It costs 4.90 EUR per parcel", "no stop at the end of this one", evidence=()),
    ),
    (
        "a cut answer: the evidence goes on",
        "poorer.cut_answers",
        "any(_goes_on(text, other) for other in (*stripped, *evidence))",
        "False",
        ends("Shipping takes 3 to 5 working", evidence=(MAIN,)),
    ),
    (
        "a cut answer: not where it ends with these words elsewhere",
        "poorer.cut_answers",
        "bool(behind) and all(behind)",
        "any(behind)",
        ends("Ship it in 3 to 5 days", MAIN, evidence=("We ship in 3 to 5 days at most. We bill in 3 to 5 days.",)),
    ),
    (
        "a cut answer: a sentence before it has a stop",
        "poorer.cut_answers",
        "words if goes_on or _stops_before(text, language) else None",
        "words if goes_on else None",
        ends("We send it at once. That costs you only 4.90 EUR"),
    ),
    (
        "a cut answer: a few words are an end",
        "poorer.cut_answers",
        " or len(_WORD.findall(text)) <= _SHORT:",
        ":",
        ends("Up to 14 days", "Up to 14 days after purchase.", evidence=()),
    ),
    (
        "a cut answer: sources are an end",
        "poorer.cut_answers",
        "if any(map(_SOURCES.match",
        "if False and any(map(_SOURCES.match",
        ends("It costs 4.90 EUR. We bring it.\nSource: price list of our own shop"),
    ),
    (
        "a cut answer: a sign-off is an end",
        "poorer.cut_answers",
        "if any(map(_SIGN_OFF.search, lines[-2:]))",
        "if False and any(map(_SIGN_OFF.search, lines[-2:]))",
        ends("It costs 4.90 EUR. We bring it.\nBest regards your shop team"),
    ),
    (
        "a cut answer: nothing is told of a text without spaces",
        "poorer.cut_answers",
        " or len(_UNSPACED.findall(text)) > len(text) // 20:",
        ":",
        ends("返金は30日以内に(行われます", "返金は30日以内に行われます。"),
    ),
    (
        "the same for all: main's own answer",
        "poorer.same_answers",
        " or spelled in map(_spelled, own.mains)",
        "",
        same("Ask us.", "Ask us!"),
    ),
    (
        "the same for all: declines as main's do",
        "poorer.same_answers",
        "or own.declined ",
        "",
        same("I do not know that.", declined=True),
    ),
    (
        "the same for all: a value of main's",
        "poorer.same_answers",
        "_gives_value(answer, own.mains) or ",
        "",
        same("That is 4.90."),
    ),
    (
        "the same for all: a quotation",
        "poorer.same_answers",
        "_quotes(spelled, own.evidence) or ",
        "",
        same(
            "See our list of all the fees.", "It is cheap.", evidence=("See our list of all the fees at the counter.",)
        ),
    ),
    (
        "the same for all: the yes that main's begin with",
        "poorer.same_answers",
        " or _agrees(answer, own.mains)",
        "",
        same("Yes.", "Yes, you can."),
    ),
    (
        "the same for all: three answers of main's",
        "comparison.poorer_count",
        ">= _SAME_FOR",
        ">= 1",
        counted(*(beside(n, same="x", main="one") for n in range(3))),
    ),
    (
        "newly said: by three answers",
        "comparison.said_by_many",
        "if len(said) >= _FEWEST and",
        "if",
        newly_said(SETTLED, SETTLED),
    ),
    (
        "newly said: not where the answers share a chunk",
        "comparison.said_by_many",
        " and not _may_share(said)",
        "",
        newly_said(SETTLED, SETTLED, SETTLED, chunks=("a", "a", "b", "c")),
    ),
    (
        "newly said: none of main's answers",
        "comparison.said_by_many",
        "del found[key]",
        "pass",
        newly_said(SETTLED, SETTLED, SETTLED, main_of_last=SETTLED),
    ),
    (
        "a poorer answer: of another baseline nothing counts",
        "comparison.poorer_count",
        " or main.baseline != self._decided_at",
        "",
        counted(
            beside(0, "cut").model_copy(update={"beside_main": BesideMain(baseline="2020-01-01T00:00:00Z", main="m")})
        ),
    ),
    (
        "a poorer answer: waived",
        "comparison.poorer_count",
        'if self._waived & {"", row.case_id}:',
        "if False:",
        counted(beside(0, "cut"), waivers=[waiver("q0", "poorer")]),
    ),
    (
        "a poorer answer: what was not asked again does not count by itself",
        "comparison.poorer_count",
        "        if row.unconfirmed:\n            self._unasked += 1\n            return\n",
        "",
        counted(beside(0, "cut", unconfirmed=True)),
    ),
    (
        "a poorer answer: those asked again stand for the rest",
        "comparison.poorer_count",
        "if main.was_poorer and not row.unconfirmed:",
        "if False:",
        counted(make_row(0, beside_main=BesideMain(baseline=THEN, main="m", was_poorer=True))),
    ),
    (
        "a poorer answer: every answer has to be",
        "poorer.poorer_case",
        "if len(found) == len(others):",
        "if True:",
        in_all(
            BesideMain(baseline=THEN, reasons=(PoorerReason(state="cut"),), main="m"),
            BesideMain(baseline=THEN, main="m"),
        ),
    ),
    (
        "a poorer answer: more than the share blocks",
        "decision.poorer_gate",
        " and found.counted > allowed_of(found.compared, rule)",
        "",
        gated(compared=40, poorer=4),
    ),
    (
        "a poorer answer: the same for a fifth blocks",
        "decision.poorer_gate",
        "found.same_for_all * _PART_OF_ALL >= found.compared",
        "False",
        gated(compared=10, poorer=1, same_for_all=3),
    ),
    (
        "a poorer answer: three at least block",
        "decision.poorer_gate",
        "max(int(rule.max * cases), fewest_of(cases) - 1)",
        "int(rule.max * cases)",
        gated(compared=5, poorer=1),
    ),
    (
        "a poorer answer: two where few are compared",
        "decision.poorer_gate",
        "_FEWEST if cases >= _FEW else _FEWEST_OF_FEW",
        "_FEWEST",
        gated(compared=10, poorer=2),
    ),
    (
        "a poorer answer: half the share warns",
        "decision.poorer_gate",
        "if blocks or warns else",
        "if blocks else",
        gated(compared=40, poorer=3),
    ),
    (
        "a lost value: main's evidence holds it",
        "poorer.value_changes",
        "if not each.is_held or answer.gives",
        "if answer.gives",
        held("It has a daily fee.", "The bike rental costs 13 EUR per day."),
    ),
    (
        "a lost value: no spelling of it is there",
        "poorer.value_changes",
        "if not each.is_held or answer.gives(value, each.of):",
        "if not each.is_held:",
        held("It is twelve euros a day."),
    ),
    (
        "a lost value: every answer of main's gives it",
        "poorer.value_changes",
        "if not lacking or (lacking == 1 and len(mains) >= _SEVERAL):",
        "if True:",
        held("It has a daily fee.", RENTAL, "It is rented by the day."),
    ),
    (
        "a lost value: of three answers all but one",
        "poorer.value_changes",
        " or (lacking == 1 and len(mains) >= _SEVERAL):",
        ":",
        held("It has a daily fee.", RENTAL, RENTAL, "It is rented by the day."),
    ),
    (
        "a lost value: the latest run gives it",
        "poorer.value_changes",
        "        if main.run != mains[0].run:\n            break\n",
        "",
        held(
            "It has a daily fee.",
            "It is rented by the day.",
            RENTAL,
            RENTAL,
            runs=(THEN, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ),
    ),
    (
        "a lost value: another of its kind is left",
        "poorer.value_changes",
        "value.kind in answer.kinds or ",
        "",
        held("It has a daily fee, and 50 EUR are due."),
    ),
    (
        "a lost value: a small count may be a list",
        "poorer.value_changes",
        " or value.may_go_uncounted",
        "",
        held("We have red and blue ones.", "We have 2 bikes.", evidence="There are 2 bikes."),
    ),
    (
        "a lost value: a name in code is only shown",
        "poorer.value_changes",
        " or value.kind in _SHOWN",
        "",
        held("It is in the settings.", "Set `rental.max_days` for it.", evidence="Set `rental.max_days` there."),
    ),
    (
        "a lost value: a code",
        "poorer.main_values",
        "codes = tuple(codes_in(self.text))",
        "codes = ()",
        held("It has a leak.", "Error E1042 means a leak.", evidence="Error E1042 means a leak."),
    ),
    (
        "a lost value: a code is spelled in several ways",
        "poorer.codes",
        '[-_./ \\u00a0]?".join',
        '".join',
        held("Take the part xj 900 b.", "Take part number XJ-900-B.", evidence="Take part number XJ-900-B."),
    ),
    (
        "a lost value: a number in code words is no code, and a version is none",
        "poorer.codes",
        "if _VERSION.fullmatch(written):",
        "if False:",
        held("It needs release 3.11.2 of it.", "It needs v3.11.2 of it.", evidence="It needs v3.11.2 of it."),
    ),
    (
        "a lost value: a citation is no code",
        "poorer.codes",
        'text = _CITATION.sub(lambda cited: " " * len(cited[0]), text)',
        "pass",
        held("It has 3 leaks [2].", "It has 3 leaks [E1042].", evidence="Error E1042 means 3 leaks."),
    ),
    (
        "a changed value: a code",
        "poorer.value_changes",
        "(value.figure is None and value.kind != CODE)",
        "value.figure is None",
        held("Error E1043 means a leak.", "Error E1042 means a leak.", evidence="Error E1042 means a leak."),
    ),
    (
        "a lost name: shown, and counted nowhere",
        "poorer.value_changes",
        "            shown=True,\n        )\n\n\ndef changed_values(",
        "        )\n\n\ndef changed_values(",
        held("Call us to rent.", "Call Anna Schmidt to rent.", evidence="Call Anna Schmidt to rent."),
    ),
    (
        "a lost name: a part of it is enough",
        "poorer.value_changes",
        "if keys & given or ",
        "if keys <= given or ",
        held("Call Ms Schmidt to rent.", "Call Anna Schmidt to rent.", evidence="Call Anna Schmidt to rent."),
    ),
    (
        "a lost name: the evidence has it",
        "poorer.value_changes",
        "if not any(keys <= index.words for index in asked.evidence):",
        "if False:",
        held("Call us to rent.", "Call Anna Schmidt to rent.", evidence="Call us."),
    ),
    (
        "a lost name: every answer of main's gives it",
        "poorer.value_changes",
        " or not all(keys <= words for words in shared):",
        ":",
        held("Call us to rent.", "Call Anna Schmidt to rent.", "Call to rent.", evidence="Call Anna Schmidt to rent."),
    ),
    (
        "a lost name: never where every noun has a capital",
        "poorer.value_changes",
        "if asked.language in _CAPITAL_NOUNS:",
        "if False:",
        held("Das Rad ist da.", "Wir leihen ein Fahrrad aus.", evidence="Wir leihen ein Fahrrad aus.", language="de"),
    ),
    (
        "a lost value: number words that nobody reads",
        "poorer.value_changes",
        "if answer.may_spell_numbers:",
        "if False:",
        held(
            "Die Miete kostet zwölfeinhalb Taler, ungefähr drei Kisten.",
            "Die Miete kostet 12 EUR.",
            evidence="Die Miete kostet 12 EUR.",
            language="de",
        ),
    ),
    (
        "a lost value: a label decides about it",
        "poorer.value_changes",
        " or _is_labelled(value, read[place], asked.labels)",
        "",
        held("It has a daily fee.", labels=lambda: ("12 EUR",)),
    ),
    (
        "a lost value: the question's own is none",
        "poorer.main_values",
        "is_held(figure, (of_question,)) or ",
        "",
        held("It has a daily fee.", question="Is 12 EUR a day right?"),
    ),
    (
        "a lost value: a bare number says nothing",
        "poorer.main_values",
        'or (figure.code == "number" and not figure.noun)',
        "",
        held("It has a fee.", "The rental is number 12.", evidence="It is number 12."),
    ),
    (
        "a changed value: in the same statement",
        "poorer.value_changes",
        "if not wanted or len(wanted & words) < SAME_STATEMENT * len(wanted):",
        "if not wanted:",
        held("A boat trip with a guide is 15 EUR."),
    ),
    (
        "a changed value: not behind an example's words",
        "poorer.value_changes",
        " or _EXAMPLE.search(other.sentence)",
        "",
        held("The bike rental costs, for example, 15 EUR per day."),
    ),
    (
        "a changed value: the evidence holds the new one",
        "poorer.value_changes",
        "if not _is_borne_out(other, answer, asked.evidence):",
        "if True:",
        held("The bike rental costs 50 EUR per day."),
    ),
    (
        "a changed value: main's evidence holds its own",
        "poorer.value_changes",
        "        if asked.evidence and not each.is_held:\n            continue\n",
        "",
        held("The bike rental costs 15 EUR per day.", "The bike rental costs 13 EUR per day."),
    ),
    (
        "a changed value: without evidence two runs of main agree",
        "poorer.value_changes",
        "is_sure = bool(asked.evidence) or len(runs) > 1",
        "is_sure = True",
        held("The bike rental costs 15 EUR per day.", bare=True),
    ),
    (
        "a changed value: what counts from today needs two days",
        "poorer.value_changes",
        "is_sure = len(days) > 1",
        "pass",
        held(
            "The bike rental opens at 10:30 sharp.",
            "The bike rental opens at 9:30 sharp.",
            "The bike rental opens at 9:30 sharp.",
            runs=(THEN, THEN.replace("T08", "T07") if "T08" in THEN else THEN[:11] + "00:00:01Z"),
            bare=True,
        ),
    ),
    (
        "less sure: every answer of main's answers",
        "poorer.evasive_answers",
        ' or any(stance_on(main, question, reading) != "answers" for main in mains)',
        "",
        held("I do not know what it costs.", "I do not know it."),
    ),
    (
        "less sure: this one declines",
        "poorer.evasive_answers",
        'if here == "answers" or any',
        "if any",
        held("It is twelve euros a day."),
    ),
    (
        "less sure: a case that expects a decline",
        "poorer.poorer_case",
        "if main.same_evidence and not answer.may_decline:",
        "if main.same_evidence:",
        held("I do not know what it costs.", may_decline=True),
    ),
    (
        "off the question: no word of it",
        "poorer.evasive_answers",
        "return words.isdisjoint(known)",
        "return False",
        held("Penguins huddle closely against Antarctic blizzards."),
    ),
    (
        "off the question: of four words at least",
        "poorer.evasive_answers",
        "if len(words) < _FEWEST or len(text.split()) < _FEWEST:",
        "if False:",
        held("Sure thing."),
    ),
    (
        "off the question: never across languages",
        "poorer.evasive_answers",
        "if any(here.isdisjoint(languages_of(main, KNOWN) or ()) for main in mains):",
        "if False:",
        held("Das Leihen von Rädern ist nicht teuer und geht immer."),
    ),
    (
        "evidence has changed: its text",
        "poorer.grounds",
        "before.text != _digest(text) or ",
        "",
        changed_evidence(text="It costs 15 EUR."),
    ),
    (
        "evidence has changed: its version",
        "poorer.grounds",
        " or _is_newer(before, version)",
        "",
        changed_evidence(version="2"),
    ),
    (
        "evidence has changed: it is gone from the store",
        "poorer.grounds",
        "chunk is None or _differs(before, chunk.text, chunk.version)",
        "chunk is not None and _differs(before, chunk.text, chunk.version)",
        changed_evidence(gone=True),
    ),
    (
        "evidence has changed: as it is shown",
        "poorer.grounds",
        "now.text is not None and _differs(before, now.text, now.version)",
        "False",
        changed_evidence(text="It costs 15 EUR.", stored=False),
    ),
    (
        "evidence has changed: another version of its source",
        "poorer.grounds",
        "if any(_is_newer(before, other.version) for other in others):",
        "if False:",
        changed_evidence(text="Opening hours are on the door.", version="2", stored=False, source="d"),
    ),
    (
        "evidence has changed: its source says it otherwise",
        "poorer.grounds",
        "return is_said and not _holds(",
        "return False and not _holds(",
        changed_evidence(text=RENTAL.replace("12", "15"), stored=False, source="d"),
    ),
    (
        "evidence has changed: another part of its source says something else",
        "poorer.grounds",
        "return is_said and not _holds(",
        "return not _holds(",
        changed_evidence(text="Opening hours are on the door.", stored=False, source="d"),
    ),
    (
        "evidence has changed: what its source says is looked at",
        "poorer.grounds",
        'if all(before.text != _digest(other.text or "") for other in others):',
        "if False:",
        changed_evidence(text=RENTAL.replace("12", "15"), stored=False, source="d"),
    ),
    (
        "a poorer answer: main's own rate",
        "poorer.poorer_case",
        "lost += any(",
        "lost += 0 * any(",
        held(RENTAL, RENTAL, "It has a daily fee.", RENTAL, recorded=True),
    ),
    (
        "a poorer answer: one changed value that every ask gives blocks",
        "decision.poorer_gate",
        "    if found.sharp:\n        return True\n",
        "",
        gated(compared=40, poorer=1, sharp=1),
    ),
    (
        "a poorer answer: what is doubtful blocks nothing alone",
        "decision.poorer_gate",
        "certain >= fewest_of(found.compared) and ",
        "",
        gated(compared=40, poorer=9, doubtful=9),
    ),
    (
        "a poorer answer: values are held against those that can lose one",
        "decision.poorer_gate",
        "if found.with_values and found.counted_values > allowed_of(found.with_values, rule):",
        "if False:",
        gated(compared=100, with_values=20, poorer=5, values=5),
    ),
    (
        "recorded answers: five at least",
        "decision.poorer_gate",
        "found.recorded >= _FEWEST_RECORDED",
        "True",
        gated(compared=10, with_values=10, recorded=4),
    ),
    (
        "recorded answers: more than the share",
        "decision.poorer_gate",
        "        and found.recorded > rule.max * found.with_values\n",
        "",
        gated(compared=100, with_values=100, recorded=6),
    ),
    (
        "recorded answers: more than main's own rate",
        "decision.poorer_gate",
        "        and found.recorded > own + 2 * sqrt(own + 1)\n",
        "",
        gated(compared=40, with_values=40, recorded=6, own_thousandths=5000),
    ),
    (
        "recorded answers: with one answer of main's they warn",
        "comparison.poorer_count",
        "main.answers > 1 and ",
        "",
        counted(lost_of(1)),
    ),
    (
        "recorded answers: only what every answer of main's gives",
        "comparison.poorer_count",
        " and any(reason.by_all for reason in of_values)",
        "",
        counted(lost_of(3, by_all=False)),
    ),
    (
        "a poorer answer: what is only shown counts nowhere",
        "comparison.poorer_count",
        "        if counting:\n            self._count",
        "        if main.reasons:\n            self._count",
        counted(lost_of(2, shown=True)),
    ),
    (
        "a poorer answer: a changed value is not told as lost",
        "comparison.poorer_count",
        'if each.state != "lost-value" or each.key not in changed',
        "if True",
        counted(lost_of(2, changed=True)),
    ),
    (
        "without a baseline: one that fits its case",
        "poorer.answers_alone",
        "fits or is_yes_or_no(answer)",
        "is_yes_or_no(answer)",
        alone("Our opening hours are on the website.", fits=True),
    ),
    (
        "without a baseline: a yes or no",
        "poorer.answers_alone",
        "fits or is_yes_or_no(answer) or ",
        "fits or ",
        alone("Yes."),
    ),
    (
        "without a baseline: half of the words are the evidence's",
        "poorer.answers_alone",
        " or _is_of_its_evidence(answer, language, evidence)",
        "",
        alone("Standard shipping only."),
    ),
    (
        "without a baseline: three sets of evidence",
        "counting.alone_tally",
        "len(self.shown) >= _SAME_FOR and ",
        "",
        alone_in(by_itself(0, "c0"), by_itself(1, "c1")),
    ),
    (
        "without a baseline: a chunk that all were shown",
        "counting.alone_tally",
        " and not self.common",
        "",
        alone_in(*(by_itself(n, "hours", f"c{n}") for n in range(3))),
    ),
    (
        "without a baseline: no evidence shown",
        "counting.alone_tally",
        " and row.context:",
        ":",
        alone_in(by_itself(0), *(by_itself(n, f"c{n}") for n in (1, 2))),
    ),
    (
        "without a baseline: waived",
        "counting.alone_tally",
        'if self._waived & {"", row.case_id}:',
        "if False:",
        alone_in(*(by_itself(n, f"c{n}") for n in range(3)), waivers=[waiver("q0", "poorer")]),
    ),
]
