"""Which language a run's answers are in, and what nobody sees of them because of it: told once, by name."""

from __future__ import annotations

from collections import Counter

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.target import AUTO

# So many answers of one language, and most of those that can be told, make it the app's.
_FEWEST = 3
_NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "nl": "Dutch", "it": "Italian",
    "pt": "Portuguese", "pl": "Polish", "sv": "Swedish, Danish or Norwegian", "cs": "Czech",
}  # fmt: skip


class AnswerLanguages:
    """Counts the languages of answers in prose that nobody verified, as far as their commonest words tell."""

    def __init__(self) -> None:
        self._answers: Counter[str] = Counter()

    def add(self, row: CaseRun) -> None:
        """Count one case whose answer makes a claim in prose that nothing verified: of all others nothing is missed."""
        if not row.answer or not any(each.verdict == "unverified" and each.start is not None for each in row.claims):
            return
        from raggate_action.core.text.languages.common_words import language_of

        if (language := language_of(row.answer)) is not None:
            self._answers[language] += 1

    def note(self, declared: str) -> str | None:
        """What the evidence checks do not see, and what to write; None where they know the answers' language.

        Args:
            declared: The suite's `language`.
        """
        if not self._answers and declared in {"en", AUTO}:
            return None
        from raggate_action.core.text.languages.language_rules import KNOWN

        read = self._answers.total()
        language, answers = self._answers.most_common(1)[0] if self._answers else (declared, 0)
        if answers < _FEWEST or 2 * answers <= read:
            language, answers = declared, 0
        name = _NAMES.get(language, f"`{language}`")
        if language in KNOWN or language == AUTO:
            if declared in {language, AUTO}:
                return None
            return (
                f"{answers} of {read} answers read as {name}, and the suite's `language` is {declared}: write "
                f"`language: {language}`, or their numbers, dates, negations and bounds are hardly held against the "
                "evidence."
            )
        known = ", ".join(sorted(_NAMES[each] for each in KNOWN))
        whose = f"{answers} of {read} answers read as {name}" if answers else f"The suite's language is {name}"
        return (
            f"{whose}, whose words no evidence check knows: of a claim that no chunk says word for word, only numbers "
            f"above a hundred and addresses are looked for. Known are {known}."
        )
