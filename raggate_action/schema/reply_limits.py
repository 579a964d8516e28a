"""How much an app may answer: beyond this a reply is off schema, whatever it says, and nothing of it is judged."""

from typing import Any

from raggate_action.network.bounded_reply import MOST_NODES
from raggate_action.schema.trace import STAGES, Answer, Trace

LONGEST_ANSWER = 200_000
MOST_CLAIMS = 2_000
# Each claim is held against each chunk of the context; of earlier stages hardly more than ids are read.
MOST_CHUNKS = {**dict.fromkeys(STAGES, 10_000), "context": 2_000}


def reply_problem(trace: Trace) -> str | None:
    """What of a reply is too much to be judged, in one line; None when nothing is."""
    for stage, most in MOST_CHUNKS.items():
        number = len(getattr(trace, stage) or ())
        if number > most:
            return f"{stage}: it has {number:,} chunks; at most {most:,} are judged"
    return _answer_problem(trace.reply)


def _answer_problem(answer: Answer) -> str | None:
    claims = answer.claims or ()
    if len(claims) > MOST_CLAIMS:
        return claims_problem(len(claims))
    longest = max(len(answer.text), sum([len(claim.text) for claim in claims]))
    if longest > LONGEST_ANSWER:
        return f"answer: it has {longest:,} characters; at most {LONGEST_ANSWER:,} are judged"
    return None


def claims_problem(number: int) -> str | None:
    """The same of how many claims an answer makes."""
    return f"answer: it makes {number:,} claims; at most {MOST_CLAIMS:,} are judged" if number > MOST_CLAIMS else None


def has_too_many_nodes(value: Any) -> bool:
    """Whether a JSON value holds more than `MOST_NODES` values, itself and what stands twice in it included."""
    waiting, seen = [value], 0
    while waiting:
        node = waiting.pop()
        seen += 1
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        # Looked at before they are gone through: a value may hold the same list a million times.
        if seen + len(waiting) + len(inner) > MOST_NODES:
            return True
        waiting.extend(inner)
    return False
