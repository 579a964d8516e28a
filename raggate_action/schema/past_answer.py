"""The few fields of a stored trace that are read of it as a baseline: the app's answers.

The rest of a line is skipped, which costs a fifth of reading it whole.
"""

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field

from raggate_action.schema.base import Natural, Record
from raggate_action.schema.main_answers import MainAnswer
from raggate_action.schema.trace import Grounds

_OTHERS_SKIPPED = ConfigDict(extra="ignore")


class _AnswerText(Record):
    """An answer, without what it says of itself."""

    model_config = _OTHERS_SKIPPED

    text: str = ""


_AnswerForm: TypeAlias = Annotated[str | _AnswerText, Field(union_mode="left_to_right")]


def _text(answer: str | _AnswerText) -> str:
    return answer if isinstance(answer, str) else answer.text


class _PastAsk(Record):
    """Another answer to a case that was asked again."""

    model_config = _OTHERS_SKIPPED

    answer: _AnswerForm = ""
    error: str | None = None

    @property
    def text(self) -> str:
        """The whole answer."""
        return _text(self.answer)


class PastReplies(_PastAsk):
    """What later answers to a case are held against; see `TraceLine`."""

    case_id: str | None = None
    withheld: bool = False
    asks: tuple[_PastAsk, ...] = ()
    grounds: tuple[Grounds | None, ...] = ()
    earlier: tuple[MainAnswer, ...] = ()
    false_answers: tuple[Natural, ...] = ()
