"""Which of the places of an app's replies are its answer and its evidence: one that is clear, or all that could be.

For `init`, which writes the paths down, and for a run, which chooses them once by its first replies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import unescape
from itertools import compress, islice
from operator import not_
from typing import Any, Final, NamedTuple

from pydantic import JsonValue

from raggate_action.replies.chunk_stages import StageReader
from raggate_action.replies.key_words import ON_THE_WAY, words_of
from raggate_action.replies.known_forms import FormPlace, known_form, own_trace
from raggate_action.replies.machine_values import holds_json, is_identifier
from raggate_action.replies.mapping import finder
from raggate_action.replies.reply_forms import folded_spaces, is_answer_form, items_of, read_answer, read_chunk
from raggate_action.replies.reply_nodes import since_last_question
from raggate_action.replies.stated_errors import stated_error
from raggate_action.replies.text_places import (
    AnswerPlace,
    EvidencePlace,
    answer_places,
    evidence_places,
    further_fields,
    leftover_passages,
    paths_above,
)

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_\u3040-\u30ff\u3400-\u9fff]{4,}")
# Of Chinese and Japanese, which write no spaces, every two signs that follow each other.
_SIGNS = re.compile(r"(?=([\u3040-\u30ff\u3400-\u9fff]{2}))")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|\*\*")
_MARK = re.compile(r"\s*(?:\[\[?[\w^, -]{1,12}\]?\](?:\(\S*?\))?|【[^】]*】)")
# Of the words of an answer, how many stand in evidence that it rests on; fewer is chance.
_SHARED = 0.3
# Of a list whose name says nothing.
_SHARED_UNNAMED = 0.5
_MOST_PLACES = 2_000
TOO_MANY: Final = f"more than {_MOST_PLACES:,} places could be it"


class AskedReply(NamedTuple):
    """A reply, and the question it is to."""

    question: str
    reply: JsonValue


class FoundPath(NamedTuple):
    """A path, and what it finds in the first reply that has something there: the answer, or the texts of chunks."""

    path: str
    texts: tuple[str, ...]


class Choice(NamedTuple):
    """What a field is read from.

    Attributes:
        taken: What is clear; None where nothing is, or where several could be.
        others: What else could be, the likeliest first.
        doubt: Why nothing is taken; empty where something is, or where there is nothing at all.
    """

    taken: FoundPath | None = None
    others: tuple[FoundPath, ...] = ()
    doubt: str = ""


class Understanding(NamedTuple):
    """How an app's replies are to be read.

    Attributes:
        answer, context: The two that everything rests on.
        further: Further fields of a trace -> path.
        needs_nothing: The replies are traces, or plain texts: there is nothing to write down.
    """

    answer: Choice
    context: Choice
    further: dict[str, str]
    needs_nothing: bool = False

    @property
    def response(self) -> dict[str, str]:
        """What a suite writes under `target: response`; empty where it needs nothing, or where no answer is clear."""
        if self.needs_nothing or self.answer.taken is None:
            return {}
        context = {"context": self.context.taken.path} if self.context.taken is not None else {}
        return {"answer": self.answer.taken.path, **context, **self.further}


def understand(replies: Sequence[AskedReply], is_decline: Callable[[str], bool] = lambda _text: False) -> Understanding:
    """How to read the replies of one app to different questions; replies that state an error are left out.

    Args:
        replies: The replies; three or more show which text is the same whatever is asked.
        is_decline: Whether a text says that it does not know, which may be the same for any question.
    """
    every = [_Read(*each, own_trace(each.reply), known_form(each.reply, to_choose=True)) for each in replies]
    read = [each for each in every if not _is_error(each)]
    if not read:
        return Understanding(Choice(), Choice(), {})
    if all(map(_is_trace, read)):
        answer, context = (_of_traces(read, field, is_decline) for field in ("answer", "context"))
        return Understanding(answer, context, {}, needs_nothing=answer.taken is not None)
    answer = _answer(read, is_decline)
    path = answer.taken.path if answer.taken is not None else ""
    texts = [text for each in read if path and (text := _text_at(path, each.reply))]
    context = _checked(_context(read, texts), read)
    # In a provider's form such a name is the provider's, as Gemini's `candidates` are no chunks.
    return Understanding(answer, context, further_fields([each.reply for each in read if each.form is None], path))


class _Read(NamedTuple):
    """A reply, the trace that it is, and the form that it has; None for neither."""

    question: str
    reply: JsonValue
    trace: dict[str, Any] | None
    form: FormPlace | None


def _is_trace(read: _Read) -> bool:
    """Whether a reply is a trace, with an answer that a trace can have."""
    answer = (read.trace or {}).get("answer")
    return read.trace is not None and (not isinstance(answer, dict | list) or is_answer_form(answer))


def _is_error(read: _Read) -> bool:
    """Whether a reply states an error, and no answer beside it."""
    if read.trace is not None:
        error = read.trace.get("error")
        return bool(error.strip()) if isinstance(error, str) else error is not None
    error = stated_error(read.reply)
    if error is None or read.form is not None:
        return False
    places = answer_places(read.reply, read.question)
    return not any(place.strength == _OWN_NAME and not place.path.startswith(error.path) for place in places)


def _of_traces(read: Sequence[_Read], field: str, is_decline: Callable[[str], bool]) -> Choice:
    """What stands in replies that are traces or texts already."""
    traces = [(each, StageReader().read(each.trace or {})) for each in read]
    if field == "context":
        lists = [value for _asked, trace in traces if isinstance(value := trace.get(field), list)]
        return Choice(FoundPath(field, next(filter(None, map(_texts, lists)), ()))) if lists else Choice()
    path = "@" if isinstance(read[0].reply, str) else field
    answers = []
    for reply, trace in traces:
        value = trace.get(field)
        text = value.get("text") if isinstance(value, dict) else value
        answers.append((reply.question, text if isinstance(text, str) else ""))
    return _one_answer(path, answers, is_decline)


def _checked(choice: Choice, read: Sequence[_Read]) -> Choice:
    """A choice of evidence, unless its path finds in a whole reply more than what belongs to the last question."""
    taken = choice.taken
    if taken is None:
        return choice
    find = finder(taken.path)
    for reply in read:
        whole = reply.reply
        cut = since_last_question(whole, reply.question)
        if cut is not None and _texts(find(whole)) != _texts(find(cut)):
            return Choice(None, (taken, *choice.others), "it holds what earlier turns of the talk rest on too")
    return choice


def _one_answer(path: str, answers: Sequence[tuple[str, str]], is_decline: Callable[[str], bool]) -> Choice:
    """A path that is known for the answer, unless what it finds can be none."""
    texts = [text for _question, text in answers if text.strip()]
    if not texts:
        return Choice()
    found = FoundPath(path, tuple(texts[:1]))
    if any(map(is_identifier, texts)):
        return Choice(None, (found,), "it is an identifier")
    if len(texts) >= _FEWEST_TO_COMPARE and _is_constant(answers) and not is_decline(texts[0]):
        return Choice(None, (found,), "it is the same for every question")
    return Choice(found)


def _is_constant(answers: Sequence[tuple[str, str]]) -> bool:
    return (
        len({question for question, _text in answers}) >= _FEWEST_TO_COMPARE
        and len({text for _q, text in answers}) == 1
    )


def _texts(value: JsonValue) -> tuple[str, ...]:
    chunks = [read_chunk(item) for item in items_of(value) or ()]
    return tuple([chunk.text for chunk in chunks if chunk is not None and chunk.text])


def _text_at(path: str, reply: JsonValue) -> str:
    return read_answer(finder(path)(reply)) or ""


# The answer


def _answer(read: Sequence[_Read], is_decline: Callable[[str], bool]) -> Choice:
    """By the form of the replies, else by the one text that can be it."""
    known = dict.fromkeys(each.form.answer[0] for each in read if each.form is not None)
    if len(known) == 1:
        path = next(iter(known))
        if beside := _beside_form(read[0]):
            taken = FoundPath(path, (_text_at(path, read[0].reply),))
            return Choice(None, (taken, *beside), "several texts could be it")
        return _one_answer(path, [(each.question, _text_at(path, each.reply)) for each in read], is_decline)
    found = [(each.question, answer_places(each.reply, each.question)) for each in read]
    by_path: dict[str, list[tuple[str, AnswerPlace]]] = {}
    for question, places in found:
        for place in places:
            by_path.setdefault(place.path, []).append((question, place))
    constant = {path for path, seen in by_path.items() if _is_constant([(q, place.text) for q, place in seen])}
    ranked = sorted([seen[0][1] for seen in by_path.values()], key=lambda place: -place.strength)
    declining = [place for place in ranked if place.path in constant and is_decline(place.text)]
    places = [place for place in ranked if place.path not in constant] or declining
    if not ranked:
        return _unnamed_answers(read[0])
    if not places:
        same = tuple([FoundPath(place.path, (place.text,)) for place in ranked])
        return Choice(None, same, "it is the same for every question" if same else "")
    said = _bare(places[0].text)
    alike = [_bare(place.text) == said for place in places]
    rivals = [*compress(places, map(not_, alike))]
    top = min(compress(places, alike), key=_plainness) if places[0].strength == _OWN_NAME else places[0]
    others = tuple([FoundPath(place.path, (place.text,)) for place in rivals])
    taken = FoundPath(top.path, (top.text,))
    if len(places) > _MOST_PLACES:
        return Choice(None, (taken, *others), TOO_MANY)
    if all(_is_lesser(rival, places[0]) for rival in rivals):
        return Choice(taken, others)
    return Choice(None, (taken, *others), "several texts could be it")


def _unnamed_answers(asked: _Read) -> Choice:
    """Where no name speaks for an answer: what the first reply says in words, for a person to choose from."""
    known = folded_spaces(asked.question)
    said = dict(islice(leftover_passages(asked.reply, asked.question), _MOST_LEFT_OVER))
    alone = [(path, text) for path, text in said.items() if isinstance(finder(path)(asked.reply), str)]
    found = tuple([FoundPath(path, (text,)) for path, text in alone if folded_spaces(text) != known])
    return Choice(None, found, "no name in it speaks for an answer" if found else "")


def _beside_form(read: _Read) -> tuple[FoundPath, ...]:
    """Texts that could be the answer, beside what a provider replied inside a reply of the app's own."""
    if read.form is None or not read.form.holder:
        return ()
    said = _bare(read.form.answer[1])
    below = re.compile(rf"(?:.*\.)?{re.escape(read.form.holder)}(?!\w)")
    places = [place for place in answer_places(read.reply, read.question) if place.strength > 1]
    return tuple(
        [
            FoundPath(place.path, (place.text,))
            for place in places
            if not below.match(place.path) and _bare(place.text) != said
        ]
    )


def _plainness(place: AnswerPlace) -> tuple[bool, bool, int, int]:
    """Of versions of one answer the plainest comes first: no page, not joined of parts, nearest to the top."""
    is_page = place.text.lstrip().startswith("<") and _TAG.search(place.text) is not None
    return is_page, place.path.startswith("join("), place.depth, -place.strength


def _is_lesser(rival: AnswerPlace, top: AnswerPlace) -> bool:
    """Whether one text is clearly not the answer beside another: by its key, or as that key's other version."""
    one, other = words_of(top.path.rpartition(".")[2]), words_of(rival.path.rpartition(".")[2])
    version = other[: len(one)] == one and _FULLER.isdisjoint(other[len(one) :])
    if top.strength == _OWN_NAME:
        return rival.strength <= 1 or (version and len(other) > len(one))
    return rival.strength < top.strength - 1 and rival.depth > top.depth


_FULLER = frozenset({"final", "full", "long", "text", "complete", "whole"})
_FEWEST_TO_COMPARE = 3


def _bare(text: str) -> str:
    """A text without marks of citations and tags of HTML: equal where two texts are one answer."""
    return "".join(_MARK.sub("", unescape(_TAG.sub("", text))).split())


# The evidence


class _Candidate(NamedTuple):
    """A place of evidence over all replies: the texts it has in any of them, and what they share with the answers.

    The key of a text is the text with its spaces folded.
    """

    place: EvidencePlace
    texts: dict[str, str]
    shared: float


def _context(read: Sequence[_Read], answers: Sequence[str]) -> Choice:
    """By the form of the replies, else by the list of texts that is clearly it, else by a key that is known for it."""
    of_form = next((each.form.context[0] for each in read if each.form is not None and each.form.context), None)
    ranked = _ranked(read, answers)
    if of_form is not None:
        texts = next(filter(None, (_texts(finder(of_form)(each.reply)) for each in read)), ())
        whole = {folded_spaces(text): text for text in texts}
        others = [each for each in ranked if not _within(each.texts, whole) and not _within(whole, each.texts)]
        shown = tuple([_shown(each) for each in others])
        if any(each.form is not None and each.form.holder for each in read) and any(
            each.place.strength == _OWN_NAME for each in others
        ):
            return Choice(None, (FoundPath(of_form, texts), *shown), "several lists could be it")
        return Choice(FoundPath(of_form, texts), shown)
    if not ranked:
        return _without_texts(read, answers)
    if len(ranked) > _MOST_PLACES:
        return Choice(None, tuple(map(_shown, ranked)), TOO_MANY)
    top = ranked[0]
    inside = top.place.path.removesuffix("[]").removesuffix("*")
    rivals = [
        each
        for each in ranked[1:]
        if not _is_covered(each, top) and not (each.place.path.startswith(inside) and _within(each.texts, top.texts))
    ]
    shown = tuple([_shown(each) for each in rivals])
    if any(not _beats(top, rival) for rival in rivals):
        return Choice(None, (_shown(top), *shown), "several lists could be it")
    if not _is_plausible(top):
        return Choice(None, (_shown(top), *shown), "its texts share nothing with the answer")
    return Choice(_shown(top), shown)


def _shown(candidate: _Candidate) -> FoundPath:
    return FoundPath(candidate.place.path, tuple(candidate.texts.values()))


def _ranked(read: Sequence[_Read], answers: Sequence[str]) -> list[_Candidate]:
    """Every place with texts, the likeliest first."""
    by_path: dict[str, tuple[EvidencePlace, list[str]]] = {}
    for each in read:
        for place in evidence_places(each.reply, each.question):
            if place.texts:
                by_path.setdefault(place.path, (place, []))[1].extend(place.texts)
    said = [folded_spaces(answer) for answer in answers]
    wanted = _words(answers)
    found = [
        _Candidate(place, {folded_spaces(text): text for text in texts}, _shared(texts, wanted))
        for place, texts in by_path.values()
        if not _is_said(place, texts, said) and not any(_is_reply(text, said) for text in texts)
    ]
    # What an answer is made of may be evidence that it quotes, where nothing else is.
    apart = [each for each in found if not all(_stands_in(text, said) for text in each.texts)]
    whole = {each.place.path: each.texts for each in found}
    found = [each for each in apart or found if not _is_part(each, whole)]
    return sorted(
        found,
        key=lambda each: (
            -each.place.strength,
            not each.place.is_selected,
            -each.shared,
            not each.place.has_ids,
            "| [-1]" not in each.place.path,
            "[?" in each.place.path,
        ),
    )


_OWN_NAME = 3


def _is_said(place: EvidencePlace, texts: Sequence[str], answers: Sequence[str]) -> bool:
    """Whether a list is the answer itself, in parts or with marks on its words, and no evidence for it."""
    if place.strength == _OWN_NAME:
        return place.has_offsets and all(_stands_in(text, answers) for text in texts)
    parts = [_stands_in(text, answers) for text in texts]
    return all(parts) if place.strength > 1 else any(parts)


def _is_reply(text: str, answers: Sequence[str]) -> bool:
    """Whether a text is the app's reply written down as JSON: evidence that holds the answer would prove anything."""
    return holds_json(text) and any(answer in folded_spaces(text) for answer in answers)


def _stands_in(text: str, answers: Sequence[str]) -> bool:
    return any(folded_spaces(text) in answer for answer in answers)


def _shared(texts: Iterable[str], words: set[str]) -> float:
    """Of the words and values of the answers, how many the texts have."""
    return len(words & _words(texts)) / len(words) if words else 0.0


def _words(texts: Iterable[str]) -> set[str]:
    return {word.lower() for text in texts for found in (_WORD, _SIGNS) for word in found.findall(text)}


def _within(texts: Iterable[str], others: Collection[str]) -> bool:
    """Whether each of some folded texts is, or stands in, one of others; of very many the first are looked for."""
    pieces = [*islice((each for each in texts if each not in others), _MOST_PIECES)]
    together = "\n".join(others) if pieces else ""
    return all(each in together for each in pieces)


_MOST_PIECES = 200


def _is_part(candidate: _Candidate, whole: Mapping[str, dict[str, str]]) -> bool:
    """Whether a list stands in the chunks of another, and has only pieces cut out of their texts."""
    above = (whole[path] for path in paths_above(candidate.place.path) if path in whole)
    return any(texts != candidate.texts and _within(candidate.texts, texts) for texts in above)


def _is_covered(rival: _Candidate, top: _Candidate) -> bool:
    """Whether a rival has the same texts, in one or cut into pieces: whoever reads the one reads the other."""
    whole, fewer = top.texts.keys(), rival.texts.keys()
    if len(fewer) == 1 and _within(whole, fewer):
        return sum(map(len, fewer)) < _JOINED * sum(map(len, whole))
    return _within(fewer, whole) and (fewer == whole or whole.isdisjoint(fewer))


# Of texts joined to one, for numbers and names between them.
_JOINED = 1.4


def _beats(top: _Candidate, rival: _Candidate) -> bool:
    """Whether it is clear that one list was shown to the model, and another was not."""
    one, other = top.place, rival.place
    if one.strength == _OWN_NAME and _is_on_the_way(other) and not _is_on_the_way(one) and top.shared >= _SHARED:
        # What the app says beside its answer, and what it found in a step before.
        return True
    if one.path.startswith(f"{other.path}[].") and one.strength == _OWN_NAME > other.strength:
        # Evidence for each sentence, and the sentences.
        return True
    if not one.is_selected and (other.is_selected or _within(rival.texts, top.texts)):
        # Some of the same chunks: those that were kept, or those that were cited.
        return False
    if _are_twins(one, other) and rival.shared:
        # FAQ entries and pages of one search: both lists may have been shown.
        return False
    if other.strength < min(one.strength, 2) and top.shared >= rival.shared:
        return True
    if one.is_selected and other.is_retrieved and not other.is_selected and _within(top.texts, rival.texts):
        return True
    return one.strength >= other.strength and top.shared >= _SHARED and rival.shared == 0


def _are_twins(one: EvidencePlace, other: EvidencePlace) -> bool:
    """Whether two lists of chunks with ids and origins stand side by side, neither under a name of evidence."""
    above = [place.path.rpartition(".")[0] for place in (one, other)]
    return one.strength < _OWN_NAME and above[0] == above[1] and one.has_ids and other.has_ids and other.has_origins


def _is_on_the_way(place: EvidencePlace) -> bool:
    return not ON_THE_WAY.isdisjoint(words_of(place.path))


def _is_plausible(candidate: _Candidate) -> bool:
    """Whether a list can be what the answers rest on: by its own name, else by what it shares with them."""
    place = candidate.place
    if not place.strength and not place.has_origins:
        return False
    return candidate.shared >= {_OWN_NAME: 0.0, 2: 0.1, 1: _SHARED}.get(place.strength, _SHARED_UNNAMED)


def _without_texts(read: Sequence[_Read], answers: Sequence[str]) -> Choice:
    """Where no list has a text: names of sources, texts that stand elsewhere, a known key whose list is empty."""
    places = [place for each in read for place in evidence_places(each.reply, each.question)]
    lists = [place for place in places if place.strength == _OWN_NAME]
    if any(place.size for place in lists):
        paths = dict.fromkeys(place.path for place in lists if place.size)
        return Choice(None, tuple([FoundPath(path, ()) for path in paths]), "it names sources without their texts")
    if left := _left_over(read, answers):
        return Choice(None, left, "texts that the answer may rest on stand where no list of evidence is")
    bare = [place.path for place in lists]
    return Choice(FoundPath(bare[0], ())) if len(set(bare)) == 1 else Choice()


_MOST_LEFT_OVER = 500


def _left_over(read: Sequence[_Read], answers: Sequence[str]) -> tuple[FoundPath, ...]:
    """Passages that share words with the answers, and are neither an answer nor a question."""
    folded, wanted = [folded_spaces(answer) for answer in answers], _words(answers)
    questions = {folded_spaces(each.question) for each in read}
    found: dict[str, str] = {}
    for each in read:
        for path, text in islice(leftover_passages(each.reply, each.question), _MOST_LEFT_OVER):
            plain = folded_spaces(text)
            known = plain in questions or any(plain in answer or answer in plain for answer in folded)
            if not known and _shared([text], wanted) >= _SHARED:
                found.setdefault(path, text)
    return tuple([FoundPath(path, (text,)) for path, text in found.items()])
