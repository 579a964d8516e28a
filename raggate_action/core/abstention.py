"""Which sentences decline to answer, and which assert nothing at all.

Conservative on both sides: a sentence that declines and then concludes something ("..., so you can deploy")
has answered; a courtesy with a fact in it is a claim.
"""

from __future__ import annotations

import re

_SOURCE = (
    r"(?:menu|documents?|documentation|context|sources?|evidence|polic(?:y|ies)|text|passages?|chunks?|knowledge base|"
    r"information|records?|data|articles?|pages?|lists?|entry|entries|notes?|materials?|manual|it|they)"
)
_SAYS = (
    r"(?:say|state|mention|list|specify|include|contain|provide|indicate|give|cover|tell|describe|address|name|"
    r"record|confirm|show|offer|answer|identify|note|disclose|explain|define|have)"
)
_DECLINES = re.compile(
    r"\bi(?:'m| am)? (?:do not|don't|cannot|can't|can not|could not|couldn't|"
    r"(?:am |was )?unable to|not able to|not sure)\b"
    r"|\bwe (?:do not|don't|cannot|can't|are unable to) (?:know|say|tell|find|confirm|verify|answer|have)\b"
    rf"|\b{_SOURCE} (?:does not|do not|doesn't|don't|did not|didn't) (?:\w+ )?{_SAYS}\b"
    rf"|\bnothing (?:in|on) (?:the |this |our )?{_SOURCE} {_SAYS}s?\b"
    rf"|\b{_SOURCE} never {_SAYS}s?\b"
    rf"|\b(?:no|none of (?:the|these|those)) {_SOURCE} {_SAYS}s?\b"
    rf"|\b{_SOURCE} (?:give|list|name|mention|provide|disclose|record|hold)s? no "
    r"(?!.*\b(?:needed|required|necessary)\b)"
    r"|\bno (?:[\w'-]+ ){1,5}?(?:(?:is|are|was|were) )?"
    r"(?:named|listed|mentioned|stated|marked|recorded|noted|specified)\b"
    r"|\bthere (?:is|are|was|were) (?:no|not any|not enough|insufficient) (?:\w+ ){0,3}?(?:information|mention|"
    r"evidence|data|details?|indication|record|statement|answer)\b"
    r"|\b(?:no|not enough|insufficient) (?:\w+ ){0,3}?(?:information|evidence|data|details?) "
    r"(?:is|are|was|were|to|on|about|available|given|provided|in)\b"
    r"|\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:stated|listed|specified|mentioned|available|given|provided|"
    r"disclosed|covered|documented|recorded|indicated|described|addressed|known)\b"
    r"|\b(?:cannot|can't|could not|couldn't) be (?:\w+ )?(?:answered|confirmed|verified|determined|established)\b"
    r"|\b(?:outside|beyond) (?:of )?(?:the|my|our) (?:scope|knowledge|information)\b",
    re.IGNORECASE,
)
# No declining sentence lacks one of these; most sentences do, and need not meet the long expression above.
_NEGATES = re.compile(r"not\b|n't\b|\b(?:no|none|nothing|unable|insufficient|outside|beyond|never)\b", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\b(?:so|therefore|thus|hence|which means|meaning that|this means|that means|accordingly|consequently|as such|"
    r"we can assume|it is safe|is safe|are safe)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:but|however|although|though|yet|still|nevertheless)\b,?\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
# Sends the reader to somebody who knows.
_REFERS = re.compile(
    r"(?:(?:so|then|in that case|for (?:that|this)|if .{1,60}?|before .{1,60}?)[, ]+)?(?:please |kindly |feel free to |"
    r"it(?:'s| is) best to |(?:you|we|i)(?:'d| would| can| could| may| might| should)*"
    r"(?: want to| recommend| suggest| advise)?"
    r"(?: that)?(?: you)? )?(?:directly )?(?:ask(?:ing)?|contact(?:ing)?|consult(?:ing)?|call us|"
    r"reach(?:ing)? out|"
    r"(?:check|confirm|verify|speak|talk)(?:ing)?(?: this| that| it| directly)?(?: with| to))\b"
    r"|(?:the |our |your )?(?:staff|team|waiter|kitchen|server|manager|support)(?:'s)? (?:can|could|will|may|should)\b"
    r"|let (?:me|us) know\b|feel free to (?:ask|reach)\b",
    re.IGNORECASE,
)
# Matched whole: a courtesy with anything further in the sentence is read as a claim.
_COURTESY = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|dear \w+)(?:,? (?:there|again|\w+))?"
    r"|(?:thanks|thank you)(?: so much| very much)?(?: for (?:your |the )?\w+)?(?: \w+){0,2}"
    r"|you're (?:very )?welcome|sure(?: thing)?|certainly|of course|absolutely|(?:great|good) question|unfortunately"
    r"|(?:i'm |i am )?(?:happy|glad) to help|enjoy your \w+|have a \w+ \w+|i hope (?:this|that) helps"
    r"|(?:i'm |i am )?(?:so |very )?sorry(?: about that| for the \w+| to hear that)?|(?:my )?apologies(?: for the \w+)?"
    r"|(?:sources?|references?|citations?)\s*:?\s*[\W\d]*",
    re.IGNORECASE,
)
# A referral that goes on to state something ("ask the staff, the pie contains no nuts") has made a claim.
_FACT = re.compile(
    r"[0-9]|\b(?:is|are|was|were|has|have|must|requires?|contains?|costs?|includes?|because|since)\b", re.IGNORECASE
)


def declines(sentence: str) -> bool:
    """Whether a sentence says that it cannot answer, and concludes nothing from that."""
    sentence = sentence.replace("’", "'")
    match = _DECLINES.search(sentence) if _NEGATES.search(sentence) else None
    if match is None or _CONCLUDES.search(sentence):
        return False
    turn = _TURNS.search(sentence, match.end())
    return turn is None or _REFERS.match(turn["rest"]) is not None or _DECLINES.search(turn["rest"]) is not None


def carries_no_claim(sentence: str) -> bool:
    """Whether a sentence asserts nothing: a question, a greeting, a courtesy, a pointer to somebody else."""
    if sentence.endswith(("?", "？")):
        return True
    sentence = sentence.replace("’", "'").rstrip(" .!…")
    if _COURTESY.fullmatch(sentence):
        return True
    referral = _REFERS.match(sentence)
    return referral is not None and _FACT.search(sentence, referral.end()) is None
