"""What an answer lacks of a case's reference answer."""

from raggate_action.schema.base import Record


class LackingValue(Record):
    """A value that the case's reference answer gives and the answer does not. It only advises.

    Attributes:
        code: number, percent, money, unit, date, time or name.
        text: As the reference writes it.
    """

    code: str
    text: str
