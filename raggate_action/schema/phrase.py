"""What an answer has to say, or must not: words as they stand, whole words, an expression, or any of several."""

import re
import warnings
from typing import Annotated, TypeAlias

from pydantic import Discriminator, Field, SerializeAsAny, Tag, field_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Record

Words = Annotated[str, Field(min_length=1)]


class WholeWord(Record):
    """Words that stand for themselves: `late` is not in "later".

    Attributes:
        word: One word or several, in any case and width.
    """

    word: Words


class Expression(Record):
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


class AnyOf(Record):
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
