"""How English sentences decline, and what they call their sources."""

from __future__ import annotations

# Anything with words in it, rules and offers included.
SOURCE = (
    r"(?:menu|documents?|documentation|docs|context|sources?|evidence|polic(?:y|ies)|texts?|passages?|chunks?|"
    r"excerpts?|snippets?|sections?|knowledge base|information|records?|data|articles?|pages?|papers?|stud(?:y|ies)|"
    r"reports?|minutes|transcripts?|lists?|leases?|timetables?|schedules?|recipes?|entry|entries|notes?|materials?|"
    r"manuals?|"
    r"guides?|guidelines?|handbooks?|faqs?|contracts?|"
    r"agreements?|terms|regulations?|rules|leaflets?|instructions|brochures?|catalogues?|website|files?|results?|"
    r"(?:data |fact )?sheets?)"
)
# What was put before the app to answer from. A policy "does not cover water damage": a fact about the policy.
# Documents "do not cover" it: nothing is known of it.
_MATERIAL = (
    rf"(?:(?:provided|given|available|retrieved|supplied|shared|attached|following|above) (?:\w+ )?{SOURCE}|"
    r"documents?|documentation|docs|context|sources|passages?|chunks?|excerpts?|snippets?|knowledge base|materials?|"
    r"search results|text|(?:information|data) (?:provided|given|available|i have|at hand))"
)
# "the documents that were shared with me"
AT_HAND = (
    r"(?: (?:i|you|we|that|were|was|are|is|have|has|been|provided|given|shared|available|here|above|at|hand|with|to|"
    r"me|us|retrieved|shown|supplied|access)){0,6}"
)
_VERBATIM = (
    r"(?:say|state|mention|list|specify|indicate|tell|describe|address|name|explain|define|disclose|clarify|discuss|"
    r"detail|answer|note|reveal|elaborate|refer to|talk about|touch on|speak to|make (?:any )?mention)"
)
_HOLD = r"(?:cover|include|contain|provide|give|show|confirm|identify|offer|record|hold|have)"
_INFORMATION = (
    r"(?:(?:any|enough|sufficient|specific|further|more|relevant|detailed|such|that|this|the|an?|clear) ){0,3}"
    r"(?:information|details?|answers?|guidance|mention|specifics|explanation|indication)\b"
)
_MATTER = r"(?:this|that|the|your) (?:question|topic|subject|matter|issue|point)\b"
_HOW = r"(?:(?:actually|explicitly|specifically|directly|clearly|currently|even|ever|seem to|appear to) ){0,2}"
_NOT = rf"(?:do(?:es)?|did)(?: not|n't) {_HOW}"
_CAN_NOT = r"(?:cannot|can't|can not|could not|couldn't|(?:am |are |was |were |'m |'re )?(?:unable|not able) to)"
THE = r"(?:(?:the|this|that|these|those|our|my|your|any|any of the) )?(?:\w+ )?"
_ON = r"(?:on|about|regarding|concerning|as to)\b"

DECLINES = (
    # the speaker
    (
        rf"\bi(?:'m| am)? {_CAN_NOT} (?!(?:recommend|praise|stress|emphasi[sz]e|overstate|"
        rf"imagine)\b.{{0,60}}\b(?:enough|more|strongly)\b)"
    ),
    (
        r"\bi(?:'m| am) (?:not (?:sure|certain|aware|familiar)|unaware|unsure|uncertain|not (?:in a position|"
        r"allowed|permitted))\b"
    ),
    r"\bi (?:do not|don't|did not|didn't) (?:\w+ )?(?:know|have|see|find|possess|hold|understand what)\b",
    rf"\bi (?:do not|don't) (?:think|believe) (?:that )?{THE}{SOURCE}{AT_HAND} {_VERBATIM}s?\b",
    r"\bi(?:'ve| have)(?: not|n't) (?:been )?(?:able|given|provided|told|shown|found|seen|come across)\b",
    r"\bi(?:'m| am| was|'ve been| have been)(?: not|n't) (?:given|provided|told|shown|able)\b",
    (
        r"\bi (?:have|had|found|see|find|could find|can find|can see) (?:no|nothing|not enough|"
        rf"insufficient) (?:\w+ ){{0,3}}?(?:information|mention|details?|references?|records?|answers?|indication|"
        rf"idea|way of|access|{_ON}|in the\b)"
    ),
    r"\bi(?:'d| would)? (?:lack|need (?:more|additional|further)) (?:\w+ ){0,2}(?:information|context|details?|data)\b",
    (
        r"\bi(?:'d| would| must| have to| will have to|'ll have to| will)? (?:decline|rather not|prefer not|"
        r"(?:do not|don't) want to (?:guess|speculate)|"
        r"refrain|have to guess)\b"
    ),
    r"\bi(?:'ll| will)(?: not|n't)? be unable\b|\bi (?:won't|will not|would not|wouldn't) be able\b",
    (
        r"\bi(?:'m| am)? (?:can |am able to |able to |may )?only (?:able to |allowed to |trained to |"
        r"can )?(?:answer|help|assist|discuss|talk|speak)\b"
    ),
    (
        rf"\bwe (?:do not|don't|did not|didn't|{_CAN_NOT}) (?:know|say|tell|find|determine|(?:confirm|verify|"
        r"answer) (?:that|this|it|whether|the question))\b"
    ),
    rf"\b(?:we|they|my sources|our sources) (?:(?:do not|don't) have|have no|has no) {_INFORMATION}",
    rf"(?:^|\band )(?:(?:could|can|do|did|does)(?: not|n't)|cannot) {_HOW}(?:find|see|know|{_VERBATIM})\b",
    r"(?:\bnot|n't) something (?:that )?(?:i|we)(?:'m|'re| am| are)? (?:can|could|able|allowed|in a position|have)\b",
    rf"(?:\bnot|n't) something (?:that )?{THE}{SOURCE}{AT_HAND} (?:{_VERBATIM}|{_HOLD})s?\b",
    r"\b(?:no|not any) way (?:for me )?(?:of knowing|to (?:know|tell|say))\b",
    # sources that are silent
    rf"\b{SOURCE}{AT_HAND} {_NOT}{_VERBATIM}\b",
    rf"\b{_MATERIAL}{AT_HAND} {_NOT}{_HOLD}\b(?! to )",
    rf"\b{SOURCE}{AT_HAND} {_NOT}{_HOLD} (?:{_INFORMATION}|{_MATTER})",
    r"\b(?:it|they) (?:do(?:es)?|did)(?: not|n't) (?:\w+ )?(?:say|state|mention|specify)\b",
    rf"\b{_NOT}(?:say|mention|specify|state|indicate|tell) (?:whether|who|how|what|when|which|where|why|if|anything)\b",
    rf"\b{_NOT}(?:say|specify)\W*$",
    rf"\b{SOURCE}{AT_HAND} (?:never {_VERBATIM}s?|fails? to {_VERBATIM})\b",
    rf"\b(?:{SOURCE}{AT_HAND}|they|it) (?:is|are|remains?|stays?) silent\b",
    rf"\b(?:{SOURCE}{AT_HAND}|it|they) (?:say|mention|contain|hold|have|has|give|provide)s? nothing {_ON}",
    (
        rf"\b{SOURCE}{AT_HAND} (?:has|have|contains?|includes?) no (?:section|chapter|entry|clause|"
        rf"paragraph|passage) {_ON}"
    ),
    rf"\b(?:nobody|no one) in {THE}{SOURCE} {_VERBATIM}s\b",
    (
        rf"\b{SOURCE}{AT_HAND} (?:list|name|mention|state|specify|specifie|disclose)s? no (?!.{{0,60}}\b(?:needed|"
        r"required|necessary)\b)"
    ),
    (
        rf"\b{_MATERIAL}{AT_HAND} (?:give|contain|provide|include|hold|offer|record)s? no (?!.{{0,60}}\b(?:needed|"
        r"required|necessary)\b)"
    ),
    rf"\b{SOURCE}{AT_HAND} (?:give|contain|provide|include|hold|offer|make|ha)s? no {_INFORMATION}",
    rf"\b(?:no|neither|none of (?:the|these|those)) (?:\w+ )?{SOURCE}{AT_HAND} (?:{_VERBATIM})s?\b",
    rf"\b(?:no|none of (?:the|these|those)) (?:\w+ )?{_MATERIAL}{AT_HAND} {_HOLD}s?\b",
    rf"\bnothing (?:in|on) {THE}{SOURCE}{AT_HAND} (?:{_VERBATIM}s?\b|{_ON})",
    rf"\bnothing (?:is |was )?(?:said |written |stated )?{_ON}.{{1,60}}? (?:in|on) {THE}{SOURCE}",
    # what is not there
    (
        r"\b(?:there (?:is|are|was|were)|there's)(?: no|(?: not|n't) (?:any|enough|much)|"
        r" insufficient) (?:\w+ ){0,3}?(?:to go on|information|mention|details?|indication|statement|guidance|"
        r"reference)(?= (?:on|about|regarding|concerning|available|in|to|of|as to|here|provided|given|that)\b|\W*$)"
    ),
    (
        r"\b(?:there (?:is|are|was|were)|there's)(?: no|(?: not|n't) (?:any|enough|much)|"
        rf" insufficient) (?:\w+ ){{0,3}}?(?:evidence|data|records?|answers?) (?:{_ON}|available\b|provided\b|here\b|"
        rf".{{0,60}}?\bin {THE}{_MATERIAL})"
    ),
    (
        rf"\b(?:no|not enough|insufficient|too little) (?:\w+ ){{0,3}}?(?:information|info|details?|data) (?:(?:is|are|"
        rf"was|were) )?(?:{_ON}|(?:available|given|provided|found)\b(?! to\b)|in {THE}{_MATERIAL})"
    ),
    (
        r"\b(?:not enough|insufficient|too little) (?:\w+ ){0,2}?(?:information|context|details?|data|"
        r"evidence) to (?:answer|say|tell|determine|confirm|know|decide)\b"
    ),
    r"\bno (?:[\w'-]+ ){1,5}?(?:(?:is|are|was|were) )?(?:named|listed|mentioned|stated|marked|specified)\b",
    (
        rf"\bno (?:[\w'-]+ ){{1,5}}?(?:(?:is|are|was|were) )?(?:recorded|noted|given|provided|indicated|described|"
        rf"found) (?:in|on|by) {THE}{SOURCE}"
    ),
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:stated|specified|mentioned|documented)\b",
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?listed\b(?! as\b| on (?:\w+ ){0,3}exchange)",
    (
        r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:given|described|noted|defined|explained|indicated|recorded|"
        rf"addressed|disclosed|discussed) (?:anywhere )?(?:in|on) {THE}{SOURCE}"
    ),
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:disclosed|described|explained)\W*$",
    (
        r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:covered|provided|available|included|contained|found|part of|"
        rf"present|answered)? ?(?:anywhere )?(?:in|by|from|among|of) {THE}{_MATERIAL}"
    ),
    (
        r"\b(?:information|details?|documentation|guidance|answer)\b.{0,80}?\b(?:is|are|was|were)(?: not|"
        r"n't) (?:\w+ )?(?:available|provided|given|included|covered|contained|present)\b(?! to\b)"
    ),
    r"(?:^|, )it(?:'s| is) (?:not possible|impossible) to (?:say|tell|know|determine|answer|confirm|verify)\b",
    (
        rf"\b(?:{_MATERIAL}|information|evidence){AT_HAND} (?:is|are)(?: insufficient|(?: not|n't) (?:sufficient|"
        r"enough)) to\b"
    ),
    (
        r"^(?:it(?:'s| is)) (?:not (?:known|clear|stated)|unclear|unknown) (?:from|whether|if|which|what|how|when|"
        r"where|who|why|in)\b"
    ),
    (
        r"^(?:this|that|it|your question|the question|the answer)\b.{0,30}?\b(?:cannot|can't|could not|"
        r"couldn't) be (?:\w+ )?(?:answered|confirmed|verified|determined|established|found)\b"
    ),
    (
        r"\b(?:cannot|can't|could not|couldn't) be (?:\w+ )?(?:answered|confirmed|verified|determined|established|"
        rf"inferred|derived|found) (?:from|based on|in|with|using) {THE}{SOURCE}"
    ),
    # what is not ours to answer
    (
        r"\b(?:outside|beyond) (?:of )?(?:my|our) (?:\w+ )?(?:scope|knowledge|expertise|remit|information|"
        r"abilit(?:y|ies)|capabilit(?:y|ies))\b"
    ),
    (
        rf"\b(?:outside|beyond) (?:of )?(?:the )?(?:scope of )?(?:{THE}{_MATERIAL}|(?:this|the) (?:assistant|chat|"
        r"conversation|system)\b|what (?:i|we)\b)"
    ),
    rf"^(?:nothing|no (?:word|mention|info|information|details?)) {_ON}(?!.*\b(?:is|are|was|were|has|have|will|can)\b)",
    r"\bbeyond me\b",
    # words that stand alone
    rf"^not (?:in|part of|among) {THE}{_MATERIAL}\b",
    (
        r"^(?:unknown|n/?a|(?:no|insufficient) (?:information|answer|data|details?|mention)|not (?:stated|specified|"
        r"mentioned|known|found|listed|documented))(?: (?:in|on|from) .{1,60})?\W*$"
    ),
)
