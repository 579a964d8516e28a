"""A case: one question with what a good answer must and must not do."""

import re
import warnings
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple, Self, TypeAlias

from pydantic import Discriminator, Field, JsonValue, SerializeAsAny, Tag, field_validator, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import AmountLimit, Moment, Record, digest_of
from raggate_action.schema.outcome import StageName
from raggate_action.schema.trace import Trace

NonBlank = Annotated[str, Field(pattern=r"\S")]


class MustNot(Record):
    """Something an answer must not do.

    Attributes:
        must_not: What, as one would say it of an answer that does: `names a dish as safe`.
    """

    must_not: NonBlank


# What an answer must do, as one says it of an answer that does (`says that the kitchen cannot rule out traces`); or
# what it must not do.
Criterion: TypeAlias = NonBlank | MustNot


def words_of(criterion: Criterion) -> str:
    """What an answer does or does not do, whichever of them is right."""
    return criterion if isinstance(criterion, str) else criterion.must_not


def with_criteria(own: tuple[Criterion, ...], further: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    """Criteria with further ones behind them, each once."""
    return tuple(dict.fromkeys((*own, *further)))


Words = Annotated[str, Field(min_length=1)]


class WholeWord(Record, defer_build=False):
    """Words that stand for themselves: `late` is not in "later".

    Attributes:
        word: One word or several, in any case and width.
    """

    word: Words


class Expression(Record, defer_build=False):
    """What a regular expression of the suite finds.

    Attributes:
        regex: Searched in the answer as it is written, in any case.
    """

    regex: Words

    @field_validator("regex")
    @classmethod
    def _compiles(cls, expression: str) -> str:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                re.compile(expression, re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as error:
            raise PydanticCustomError(
                "expression",
                "this is no regular expression: {fault}; correct it, or put a backslash before what is meant as it is",
                {"fault": str(error)},
            ) from None
        return expression


def _form(given: object) -> str | None:
    """Which form a phrase has, by its key; None where that cannot be told."""
    if type(given) is str:  # as nearly every phrase
        return _WORDS
    if isinstance(given, dict):
        forms = [form for key, form in _BY_KEY.items() if key in given]
        return forms[0] if len(forms) == 1 else None
    return None if isinstance(given, list) else type(given).__name__ if isinstance(given, Record) else _WORDS


# Names of forms, which no key of a phrase has: a fault is told by the way that leads to it.
_WORDS = "str"
_BY_KEY = {"word": "WholeWord", "regex": "Expression", "any": "AnyOf"}
_FORMS = Discriminator(
    _form,
    custom_error_type="phrase",
    custom_error_message="write the words, or {word: ...}, {regex: ...} or {any: [...]}",
)
_Text = Annotated[Words, Tag(_WORDS)]
_Word = Annotated[WholeWord, Tag("WholeWord")]
_Regex = Annotated[Expression, Tag("Expression")]
OnePhrase: TypeAlias = Annotated[_Text | _Word | _Regex, _FORMS]


class AnyOf(Record, defer_build=False):
    """Phrases of which one is enough.

    Attributes:
        any: The phrases, each as it may stand alone.
    """

    any: Annotated[tuple[OnePhrase, ...], Field(min_length=1)]


# Written as what it is: to ask for its form again costs as much as the rest of a case's digest.
Phrase: TypeAlias = SerializeAsAny[Annotated[_Text | _Word | _Regex | Annotated[AnyOf, Tag("AnyOf")], _FORMS]]


def phrase_in_words(phrase: Phrase) -> str:
    """A phrase as people are shown it: `"30 days"`, `the word "late"`, `/days?/`, `any of "a", "b"`."""
    match phrase:
        case str():
            return f'"{phrase}"'
        case WholeWord():
            return f'the word "{phrase.word}"'
        case Expression():
            return f"/{phrase.regex}/"
        case AnyOf():
            return f"any of {', '.join([phrase_in_words(each) for each in phrase.any])}"


NonEmpty = Annotated[str, Field(min_length=1)]


Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]


class Message(Record):
    """One turn of a conversation, as chat interfaces write it."""

    role: Role
    content: str


class RequiredPoint(Record):
    """One thing the answer must cover; a plain string is its id.

    Attributes:
        id: Its name in reports, and what a labelled claim's `answer_point` refers to; of a value the value itself.
        value: A number, date, time or address with its unit or what it counts, `6 people`: a claim that states it,
            in whatever style, makes the point.
        answer_phrases: Any one of them in a claim recognises the claim as making the point (free text).
        support_phrases: What a source must say, every phrase, for the point to be true.
    """

    value: NonEmpty | None = None
    id: NonEmpty = Field(default_factory=lambda data: data.get("value") or "")
    answer_phrases: tuple[NonEmpty, ...] = ()
    support_phrases: tuple[NonEmpty, ...] = ()

    @property
    def is_recognisable(self) -> bool:
        """Whether free text can make it."""
        return self.value is not None or bool(self.answer_phrases)

    @property
    def said(self) -> tuple[str, ...]:
        """What an answer says of it, one of these."""
        return self.answer_phrases if self.value is None else (self.value, *self.answer_phrases)

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if not self.id:
            raise PydanticCustomError("point", "a point has an `id:`, or a `value:` such as 6 people")
        return self


@lru_cache(maxsize=4096)
def _bare_point(name: str) -> RequiredPoint:
    return RequiredPoint(id=name)


def _texts_in(value: JsonValue) -> list[str]:
    """The texts and numbers of a record, each behind what it is called."""
    if isinstance(value, dict):
        return [f"{name}: {text}" for name, each in value.items() for text in _texts_in(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts_in(each)]
    return [] if value is None else [str(value)]


Expect: TypeAlias = Literal["answer", "abstain"]


class Case(Record):
    """One question of a suite and its expectations. Field names are what users write.

    Attributes:
        case_id: Unique in the suite.
        name: Title for people.
        question: What is asked; either this or `messages`.
        messages: A conversation, last turn the question.
        input: Any record passed on to the target.
        workflow: Slice of the business the case belongs to.
        category: Kind of expectation; accuracy, hallucination, tool_use, latency, safety, custom are suggested.
        tags: Free labels, for slices and scopes.
        weight: Heavier cases run and are listed first; the mean score is unweighted.
        principals: Who asks; decides which chunks are permitted.
        as_of: The moment the question is asked; decides which chunks are current. None is the run's start.
        required_source_ids: Chunks, or documents or parents of chunks, that the pipeline has to find.
        required_quotes: Texts that what it finds has to hold, however the documents are cut.
        useful_source_ids: Further chunks (documents, parents) that do not count as noise in context precision.
        required_points: What the answer has to cover.
        expect: `abstain` when the evidence cannot answer the question.
        must_contain: Phrases the answer has to contain, in any case: words, `{word: x}`, `{regex: x}`, `{any: [x, y]}`.
        must_not_contain: Phrases that show a hallucination, in the same forms.
        expected_tools: Tools that have to be called, exact names.
        forbidden_tools: Tools that must not be called, exact names.
        max_latency_ms: Slowest acceptable answer, milliseconds.
        reference_answer: A right answer, for people and judges.
        criteria: What the answer must do, `{must_not: ...}` what it must not, in words for judges. Those of the suite
            come behind a case's own where an answer is expected.
        custom_check: `module:callable` given case and trace, returning a list of issues.
        released: False is known bad (must be blocked), True must be released, None is an ordinary case.
        blocked_at: The first failed stage of a known-bad case.
        trace: Inline trace; the target is not asked.
    """

    case_id: NonEmpty
    name: str | None = None
    question: NonEmpty | None = None
    messages: tuple[Message, ...] = ()
    input: JsonValue = None
    workflow: NonEmpty | None = None
    category: NonEmpty | None = None
    tags: tuple[NonEmpty, ...] = ()
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1
    principals: tuple[NonEmpty, ...] = ()
    as_of: Moment | None = None
    required_source_ids: tuple[NonEmpty, ...] = ()
    required_quotes: tuple[NonEmpty, ...] = ()
    useful_source_ids: tuple[NonEmpty, ...] = ()
    required_points: tuple[NonEmpty | RequiredPoint, ...] = ()
    expect: Expect = "answer"
    must_contain: Annotated[tuple[Phrase, ...], Field(min_length=1)] = ()
    must_not_contain: tuple[Phrase, ...] = ()
    expected_tools: tuple[NonEmpty, ...] = ()
    forbidden_tools: tuple[NonEmpty, ...] = ()
    max_latency_ms: AmountLimit | None = None
    reference_answer: str | None = None
    criteria: tuple[Criterion, ...] = ()
    custom_check: Annotated[str, Field(pattern=r"^[\w.]+:[\w.]+$")] | None = None
    released: bool | None = None
    blocked_at: StageName | None = None
    trace: Trace | None = None

    @property
    def known_bad(self) -> bool:
        """Whether the case shows an answer that must never be released."""
        return self.released is False

    @property
    def asked(self) -> str:
        """The question for people: `question`, else the last turn."""
        return self.question or (self.messages[-1].content if self.messages else "")

    @property
    def question_with_turns(self) -> str:
        """What was asked, with the turns before it."""
        if self.question is not None or len(self.messages) <= 1:
            return self.asked
        return "\n".join(f"{turn.role}: {turn.content}" for turn in self.messages)

    @property
    def user_question(self) -> str:
        """The question with all that its user said before it."""
        if not self.messages:
            return self.asked
        before = [turn.content for turn in self.messages if turn.role == "user"]
        return "\n".join(dict.fromkeys((*before, self.asked)))

    @property
    def texts_beside(self) -> str:
        """What stands beside question and chunks: turns before, the input, and what the case's author calls right."""
        points = [text for point in self.points for text in (point.id, *point.said, *point.support_phrases)]
        labels = [*map(phrase_in_words, self.must_contain), *points, *self.required_quotes, self.reference_answer or ""]
        return "\n".join([*(turn.content for turn in self.messages), *_texts_in(self.input), *labels])

    @property
    def is_answerable(self) -> bool:
        """Whether its author says that there is an answer: plainly, or by what the answer has to hold or to rest on."""
        held = (self.must_contain, self.required_points, self.expected_tools, self.reference_answer)
        found = (self.required_source_ids, self.required_quotes)
        return self.expect == "answer" and ("expect" in self.model_fields_set or any((*held, *found)))

    @property
    def points(self) -> tuple[RequiredPoint, ...]:
        """Required points in their long form."""
        return tuple([_bare_point(p) if isinstance(p, str) else p for p in self.required_points])

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.question is None and not self.messages:
            raise PydanticCustomError("case", "a case asks something: write `question:` or `messages:`")
        if self.known_bad and (self.trace is None or self.blocked_at is None):
            raise PydanticCustomError("case", "a known-bad case (released: false) needs `trace:` and `blocked_at:`")
        if self.blocked_at is not None and not self.known_bad:
            raise PydanticCustomError("case", "`blocked_at:` belongs to a known-bad case: add `released: false`")
        return self


# Left out of a case's digest: they say when and in which slice a case runs, not what it asks. So is where it stands.
NOT_IN_DIGEST = frozenset({"tags", "weight"})
# What a target must not learn: the case's expectations.
ASKED_FIELDS = frozenset({"case_id", "question", "messages", "input", "principals", "as_of"})


def case_digest(case: Case) -> str:
    """Digest of what a case asks and expects.

    Fields at their default are left out, so that a field added later does not change the digest of an old case.
    """
    return digest_of(case.model_dump(mode="json", exclude_defaults=True, exclude=set(NOT_IN_DIGEST)))


class PlacedCase(NamedTuple):
    """A case and where it stands.

    Attributes:
        case: The case.
        position: Place in the suite's order, from 0.
        digest: Its digest, see `case_digest`.
        file: Path of its file, relative to the working directory where possible.
        line: Line it starts on, from 1.
        accepted: Its labels that are not its file's but were accepted; None where nothing was accepted for it.
    """

    case: Case
    position: int
    digest: str
    file: str
    line: int
    accepted: frozenset[str] | None = None
