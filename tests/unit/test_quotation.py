"""What a chunk can be quoted for: whole sentences in every script, lists behind their introduction, table rows."""

from __future__ import annotations

import re

import pytest

from raggate_action.core.claims.claim_extraction import Reading, itemise
from raggate_action.core.claims.claim_verdicts import adjudicate
from raggate_action.core.claims.model_context import context_of
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.quotation import ChunkText
from raggate_action.core.text.text import normal_words
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS
from raggate_action.schema.trace import Answer, TracedChunk

MARKERS = tuple(re.compile(p) for p in DEFAULT_CITATION_MARKERS)


def verdicts(language: str, chunk: str, answer: str) -> str:
    """One letter per claim: s(upported), u(nverified)."""
    context = context_of((TracedChunk(chunk_id="c1", text=chunk),), None, language=language)
    drafts = itemise(Answer(text=answer), context, known={"c1"}, reading=Reading(MARKERS, language))
    return "".join(claim.verdict[0] for claim in adjudicate(drafts, (), context))


JA = "返金は30日以内に行われます。国内の送料は無料です。これはセール品には適用されません。"
ZH = "退款将在三十天内处理。运费由卖家承担。不适用于特价商品。"
TH = "คืนเงินได้ภายใน 30 วัน ยกเว้นสินค้าลดราคา"
AR = "يتم رد الأموال خلال 30 يومًا من الشراء. الشحن مجاني داخل البلاد كلها. هذا لا يشمل السلع المخفضة."
HE = "ההחזר הכספי ניתן תוך 30 יום. המשלוח חינם בכל רחבי הארץ. הוא אינו חל על פריטי מבצע."
DE = "Rückgaben sind binnen 30 Tagen möglich. Sie gelten nicht für reduzierte Ware."
ES = "Los reembolsos se pagan en treinta días. No incluyen los gastos de envío."
FR = "Les retours sont possibles sous trente jours. Ils ne couvrent pas les soldes."


@pytest.mark.parametrize(
    ("language", "chunk", "answer", "expected"),
    [
        pytest.param("ja", JA, "返金は30日以内に行われます[1]。", "s", id="Japanese, whole, the marker before the stop"),
        pytest.param("ja", JA, "返金は30日以内に行われます", "s", id="Japanese, without its stop"),
        pytest.param("ja", JA, "国内の送料は無料です。", "s", id="Japanese, a later sentence with a topic of its own"),
        pytest.param("ja", JA, "返金は行われます。", "u", id="Japanese, cut"),
        pytest.param("ja", JA, "これはセール品には適用されません。", "u", id="Japanese, leaning back"),
        pytest.param("ja", JA, "国内の送料は無料です。これはセール品には適用されません。", "ss", id="Japanese, leaning on its own"),
        pytest.param("ja", "はい。", "はい。", "u", id="Japanese, too short to be a statement"),
        pytest.param("ja", "「全品返品できます。」という表示は誤りです。", "「全品返品できます。」", "u", id="Japanese, a quoted sentence is none"),
        pytest.param("zh", ZH, "退款将在三十天内处理【1】。", "s", id="Chinese, whole"),
        pytest.param("zh", ZH, "退款将在\n三十天内处理。", "s", id="Chinese, broken for its width"),
        pytest.param("zh", ZH, "不适用于特价商品。", "u", id="Chinese, leaning back without a subject"),
        pytest.param("zh", ZH, "退款将在三天内处理。", "u", id="Chinese, another number"),
        pytest.param("th", TH, TH, "s", id="Thai, whole"),
        pytest.param("th", TH, "คืนเงินได้ภายใน 30 วัน", "u", id="Thai, its exception dropped"),
        pytest.param("ar", AR, "يتم رد الأموال خلال 30 يومًا من الشراء [1].", "s", id="Arabic, whole"),
        pytest.param("ar", AR, "\u200fيتم رد الأموال خلال 30 يومًا من الشراء.", "s", id="Arabic, with a mark of direction"),
        pytest.param("ar", AR, "هذا لا يشمل السلع المخفضة.", "u", id="Arabic, leaning back"),
        pytest.param("ar", AR, "يتم رد الأموال خلال 30 يومًا.", "u", id="Arabic, cut"),
        pytest.param("he", HE, "המשלוח חינם בכל רחבי הארץ [c1].", "s", id="Hebrew, a later sentence"),
        pytest.param("he", HE, "הוא אינו חל על פריטי מבצע.", "u", id="Hebrew, leaning back"),
        pytest.param("de", DE, "Rückgaben sind binnen 30 Tagen möglich.", "s", id="German, whole"),
        pytest.param("de", DE, "Ru\u0308ckgaben sind binnen 30 Tagen mo\u0308glich.", "s", id="German, accents apart"),
        pytest.param("de", DE, "Sie gelten nicht für reduzierte Ware.", "u", id="German, leaning back"),
        pytest.param("es", ES, "No incluyen los gastos de envío.", "u", id="Spanish, leaning back without a subject"),
        pytest.param("fr", FR, "Ils ne couvrent pas les soldes.", "u", id="French, leaning back"),
        pytest.param("fi", "Palautus on mahdollinen 30 päivässä. Toimitus on aina ilmainen kotiin.", "Palautus on mahdollinen 30 päivässä.",
                     "s", id="a language without rules, the first sentence"),
        pytest.param("fi", "Palautus on mahdollinen 30 päivässä. Toimitus on aina ilmainen kotiin.", "Toimitus on aina ilmainen kotiin.",
                     "u", id="a language without rules: any later sentence may lean back"),
    ],
)  # fmt: skip
def test_sentences_of_many_scripts(language: str, chunk: str, answer: str, expected: str) -> None:
    assert verdicts(language, chunk, answer) == expected


# A sentence with a subject of its own, and one that leans on what stands before it; in small letters.
LEANING_EXAMPLES = {
    "en": ("refunds end after 30 days.", "it contains nuts."),
    "de": ("die suppe enthält nüsse.", "sie enthält nüsse."),
    "fr": ("la soupe contient des noix.", "elle contient des noix."),
    "es": ("la sopa contiene nueces.", "no contiene nueces."),
    "zh": ("退款将在三十天内处理.", "但不适用于特价商品."),
    "ja": ("国内の送料は無料です.", "30日以内に行われます."),
    "th": ("ร้านเปิดทุกวัน", "แต่ไม่เปิดวันจันทร์"),
    "ar": ("الشحن مجاني.", "وهذا لا يشمل السلع."),
    "he": ("המשלוח חינם.", "הוא אינו חל."),
}


@pytest.mark.parametrize("language", LEANING_EXAMPLES)
def test_a_language_shows_which_sentences_lean_back(language: str) -> None:
    alone, leaning = LEANING_EXAMPLES[language]
    assert not leans_back(alone, language)
    assert leans_back(leaning, language)


POSSIBLE = "Refunds are possible:\n- within 30 days, and\n- with a receipt.\n\nShipping is free."


@pytest.mark.parametrize(
    ("chunk", "answer", "expected"),
    [
        pytest.param(POSSIBLE, "Refunds are possible:\n- within 30 days\n- with a receipt", "ss", id="the chunk's own list"),
        pytest.param(POSSIBLE, "Refunds are possible:\n1. With a receipt.\n2. Within 30 days.", "ss", id="in another order and layout"),
        pytest.param(POSSIBLE, "Refunds are possible:\n- within 30 days", "u", id="an item left out may be a condition left out"),
        pytest.param(POSSIBLE, "Refunds are possible:\n- within 30 days\n- with a receipt\n- for gifts", "ssu", id="one item more"),
        pytest.param(POSSIBLE, "Refunds are not possible:\n- within 30 days\n- with a receipt", "uu", id="introduced otherwise"),
        pytest.param(POSSIBLE, "Within 30 days from now, and with a receipt.", "u", id="items without their introduction"),
        pytest.param("Never do this:\n- Pay the invoice in cash today.", "Pay the invoice in cash today.", "u",
                     id="an item of an introduced list is no sentence alone"),
        pytest.param("- Pay the invoice in cash today.", "Pay the invoice in cash today.", "s", id="an item nothing introduces is"),
        pytest.param("Refunds are possible within 30 days.", "Refunds are possible:\n- within 30 days", "s",
                     id="introduction and item are one sentence of the chunk"),
        pytest.param(POSSIBLE + "\n\nRefunds are possible:\n- always", "Refunds are possible:\n- always", "u",
                     id="two lists with one introduction"),
        pytest.param("| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", "| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR [1] |", "s",
                     id="a table row behind its heads"),
        pytest.param("| Dish | Price |\n|---|---|\n| Lentil soup | 6 EUR |", "| Dish | Weight |\n|---|---|\n| Lentil soup | 6 EUR |", "u",
                     id="a table row behind other heads"),
        pytest.param("**Refunds** are paid within <b>30 days</b>.", "Refunds are paid within 30 days.", "s", id="the chunk's markup"),
        pytest.param("Refunds are never\npaid within 30 days of purchase.", "Paid within 30 days of purchase.", "u",
                     id="a line broken for its width is no sentence's start"),
        pytest.param("Under the present rules a refund of any kind is in no event to be\nPaid Leave of more than 30 days.",
                     "Paid Leave of more than 30 days.", "u", id="nor after a long line"),
        pytest.param("Lamb kofta\nGrilled lamb with fresh herbs.", "Grilled lamb with fresh herbs.", "s", id="a line of a field is"),
        pytest.param("Payment within thirty days only", "Payment within thirty days only.", "u", id="a heading is no sentence"),
        pytest.param("Refunds are paid within five days", "Refunds are paid within five days.", "s", id="a sentence without its stop"),
        pytest.param("Refunds are paid within [five days](https://x.test/a) of it.", "Refunds are paid within five days of it.", "s", id="a link of the chunk"),
        pytest.param("Refunds are paid within five days of it.", "Refunds are paid within [five days](https://x.test/a) of it.", "u", id="a link of the answer is its own"),
        pytest.param("Refunds are paid within five days.", "Refunds are paid within 5 days.", "s", id="5 for five"),
        pytest.param("Refunds are paid within 5 days.", "Refunds are paid within five days.", "s", id="five for 5"),
        pytest.param("Refunds are paid within 14 days.", "Refunds are paid within fourteen days.", "s", id="fourteen for 14"),
        pytest.param("Refunds are paid within five days.", "Refunds are paid within 6 days.", "c", id="6 for five"),
        pytest.param("Refunds are paid within five days.", "According to the policy, refunds are paid within five days.", "s", id="with its source"),
        pytest.param("According to the critics, refunds are paid late.", "Refunds are paid late.", "u", id="without the chunk's own source"),
        pytest.param("Refunds take five days. Exchanges take two weeks.", "**Refunds take five days. Exchanges take two weeks.**", "ss", id="bold over two sentences"),
    ],
)  # fmt: skip
def test_lists_rows_and_lines(chunk: str, answer: str, expected: str) -> None:
    assert verdicts("en", chunk, answer) == expected


def test_a_quotation_stands_verbatim_in_its_chunk() -> None:
    context = context_of((TracedChunk(chunk_id="c1", text=POSSIBLE),), None, language="en")
    answer = Answer(text="Refunds are possible:\n- within 30 days\n- with a receipt")
    drafts = itemise(answer, context, known={"c1"}, reading=Reading(MARKERS, "en"))
    claims = adjudicate(drafts, (), context)
    assert [claim.quote for claim in claims] == ["within 30 days, and", "with a receipt."]
    assert [answer.text[c.start : c.end] for c in claims] == ["within 30 days", "with a receipt"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Caf\u00e9", "cafe\u0301", id="composed or not"),
        pytest.param("“A” – b", '"a" - b', id="quotes and dashes"),
        pytest.param("是。", "是.", id="wide stops"),
        pytest.param("a\u00a0b\u200e", "a b", id="spaces and marks of direction"),
    ],
)
def test_spellings_that_mean_the_same(one: str, other: str) -> None:
    assert normal_words(one) == normal_words(other)


@pytest.mark.parametrize(
    "piece",
    [
        "- a\n",
        "x:\n- y\n",
        "| a | b |\n",
        "<b>",
        "[^1]: a\n",
        "```\n",
        "> ",
        "[a]: x\n",
        "「あ。」",
        "a\n",
        "***\n",
        "  - x:\n",
        "Sources:\n",
        "<!-- ",
        "<b x=1 ",
    ],
)
def test_reading_a_hostile_chunk_or_answer_is_linear_enough(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    assert ChunkText(text, "en").by_words is not None  # quadratic work would not end within the suite's patience
    verdicts("en", text[:5_000], text)
