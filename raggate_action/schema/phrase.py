"""What an answer has to say, or must not: words as they stand, whole words, an expression, or any of several."""

import re
import warnings
from typing import Annotated, TypeAlias

from pydantic import Field, field_validator
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
                "`regex` is not a regular expression: {fault}; correct it, or put a backslash before characters meant "
                "as they are",
                {"fault": str(error)},
            ) from None
        return expression


OnePhrase: TypeAlias = Words | WholeWord | Expression


class AnyOf(Record):
    """Phrases of which one is enough.

    Attributes:
        any: The phrases, each as it may stand alone.
    """

    any: Annotated[tuple[OnePhrase, ...], Field(min_length=1)]


Phrase: TypeAlias = OnePhrase | AnyOf


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
