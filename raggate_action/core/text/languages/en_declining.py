"""How English sentences decline, and what they call their sources."""

from __future__ import annotations

from raggate_action.core.text.languages.language_rules import Form, forms_with

# Anything with words in it, rules and offers included.
SOURCE = (
    r"(?:menu|documents?|documentation|docs|context|sources?|evidence|polic(?:y|ies)|texts?|passages?|chunks?|"
    r"excerpts?|snippets?|sections?|knowledge base|information|records?|data|articles?|pages?|papers?|stud(?:y|ies)|"
    r"reports?|minutes|transcripts?|lists?|leases?|timetables?|schedules?|recipes?|entry|entries|notes?|materials?|"
    r"manuals?|"
    r"guides?|guidelines?|handbooks?|faqs?|contracts?|"
    r"agreements?|terms|regulations?|rules|leaflets?|instructions|brochures?|catalogues?|website|files?|results?|"
    r"contents?|notices?|(?:data |fact )?sheets?)"
)
# What was put before the app to answer from. A policy "does not cover water damage": a fact about the policy.
# Documents "do not cover" it: nothing is known of it.
_MATERIAL = (
    rf"(?:(?:provided|given|available|retrieved|supplied|shared|attached|following|above) (?:\w+ )?{SOURCE}|"
    r"documents?|documentation|docs|context|sources|passages?|chunks?|excerpts?|snippets?|knowledge base|materials?|"
    r"search results|text|contents?|(?:information|data) (?:provided|given|available|i have|at hand))"
)
# "the documents that were shared with me"
AT_HAND = (
    r"(?: (?:i|you|we|that|were|was|are|is|have|has|been|provided|given|shared|available|here|above|at|hand|with|to|"
    r"me|us|retrieved|shown|supplied|access|received|found|see|can|sent)){0,6}"
)
_VERBATIM = (
    r"(?:say|state|mention|list|specify|indicate|tell|describe|address|name|explain|define|disclose|clarify|discuss|"
    r"detail|outline|lay out|set out|answer|note|reveal|elaborate|refer to|talk about|touch on|speak to|"
    r"make (?:any )?mention)"
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
THE = r"(?:(?:the|this|that|these|those|our|my|your|any|any of the) )?(?:[\w'-]+ )?"
_ON = r"(?:on|about|regarding|concerning|as to)\b"

# Some word of each expression that needs a source as well.
_NEGATION = r"not|n't|never|\bno|\bneither|fail|unable|hardly|without|impossible|insufficient|too little|silent"

DECLINES: tuple[str | Form, ...] = (
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
    *forms_with(
        (_NEGATION, SOURCE),
        rf"\bi (?:do not|don't) (?:think|believe) (?:that )?{THE}{SOURCE}{AT_HAND} {_VERBATIM}s?\b",
    ),
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
    rf"\bi(?:'m| am) [^,;]{{1,40}} and {_CAN_NOT} ",
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
    *forms_with(
        (_NEGATION, SOURCE),
        rf"(?:\bnot|n't) something (?:that )?{THE}{SOURCE}{AT_HAND} (?:{_VERBATIM}|{_HOLD})s?\b",
    ),
    r"\b(?:no|not any) way (?:for me )?(?:of knowing|to (?:know|tell|say))\b",
    *forms_with(
        (_NEGATION, SOURCE),
        # sources that are silent
        rf"\b{SOURCE}{AT_HAND} {_NOT}{_VERBATIM}\b",
        rf"\b{_MATERIAL}{AT_HAND} {_NOT}{_HOLD}\b(?! to )",
        rf"\b{SOURCE}{AT_HAND} {_NOT}{_HOLD} (?:{_INFORMATION}|{_MATTER})",
    ),
    r"\b(?:it|they) (?:do(?:es)?|did)(?: not|n't) (?:\w+ )?(?:say|state|mention|specify)\b",
    rf"\b{_NOT}(?:say|mention|specify|state|indicate|tell) (?:whether|who|how|what|when|which|where|why|if|anything)\b",
    rf"\b{_NOT}(?:say|specify)\W*$",
    *forms_with(
        (_NEGATION, SOURCE),
        rf"\b{SOURCE}{AT_HAND} (?:never {_VERBATIM}s?|fails? to {_VERBATIM})\b",
    ),
    rf"\b(?:{SOURCE}{AT_HAND}|they|it) (?:is|are|remains?|stays?) silent\b",
    rf"\b(?:{SOURCE}{AT_HAND}|it|they) (?:say|mention|contain|hold|have|has|give|provide)s? nothing {_ON}",
    *forms_with(
        (_NEGATION, SOURCE),
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
    ),
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
    *forms_with(
        (_NEGATION, SOURCE),
        (
            rf"\bno (?:[\w'-]+ ){{1,5}}?(?:(?:is|are|was|were) )?(?:recorded|noted|given|provided|indicated|described|"
            rf"found) (?:in|on|by) {THE}{SOURCE}"
        ),
    ),
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:stated|specified|mentioned|documented)\b",
    *forms_with(
        (_NEGATION, SOURCE),
        r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?listed\b(?! as\b| on (?:\w+ ){0,3}exchange)",
        (
            r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:given|described|noted|defined|explained|indicated|recorded|"
            rf"addressed|disclosed|discussed) (?:anywhere )?(?:in|on) {THE}{SOURCE}"
        ),
    ),
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:disclosed|described|explained)\W*$",
    *forms_with(
        (_NEGATION, SOURCE),
        (
            r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:covered|provided|available|included|contained|found|"
            rf"part of|present|answered)? ?(?:anywhere )?(?:in|by|from|among|of) {THE}{_MATERIAL}"
        ),
    ),
    (
        r"\b(?:information|details?|documentation|guidance|answer)\b.{0,80}?\b(?:is|are|was|were)(?: not|"
        r"n't) (?:\w+ )?(?:available|provided|given|included|covered|contained|present)\b(?! to\b)"
    ),
    r"(?:^|, )it(?:'s| is) (?:not possible|impossible) to (?:say|tell|know|determine|answer|confirm|verify)\b",
    *forms_with(
        (_NEGATION, SOURCE),
        (
            rf"\b(?:{_MATERIAL}|information|evidence){AT_HAND} (?:is|are)(?: insufficient|(?: not|n't) (?:sufficient|"
            r"enough)) to\b"
        ),
    ),
    (
        r"^(?:it(?:'s| is)) (?:not (?:known|clear|stated)|unclear|unknown) (?:from|whether|if|which|what|how|when|"
        r"where|who|why|in)\b"
    ),
    (
        r"^(?:this|that|it|your question|the question|the answer)\b.{0,30}?\b(?:cannot|can't|could not|"
        r"couldn't) be (?:\w+ )?(?:answered|confirmed|verified|determined|established|found)\b"
    ),
    *forms_with(
        (_NEGATION, SOURCE),
        (
            r"\b(?:cannot|can't|could not|couldn't) be (?:\w+ )?(?:answered|confirmed|verified|determined|established|"
            rf"inferred|derived|found) (?:from|based on|in|with|using) {THE}{SOURCE}"
        ),
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
    *forms_with(
        (_NEGATION, SOURCE),
        # words that stand alone
        rf"^not (?:in|part of|among) {THE}{_MATERIAL}\b",
    ),
    (
        r"^(?:unknown|n/?a|(?:no|insufficient) (?:information|answer|data|details?|mention)|not (?:stated|specified|"
        r"mentioned|known|found|listed|documented))(?: (?:in|on|from) .{1,60})?\W*$"
    ),
)

# The same in broad strokes.
_NEGATED = r"(?:not|n't|never|no|nothing|none|neither|nobody|without|nowhere|fails? to|unable to|hardly)\b"
_TOLD = (
    r"(?:sa(?:y|ys|id|ying)|stat(?:e|es|ed|ing)|mention\w*|specif\w+|indicat\w+|tells?|told|describ\w+|address\w*|"
    r"nam(?:e|es|ed|ing)|explain\w*|outline\w*|detail(?:s|ed)?|defin\w+|clarif\w+|discuss\w*|noted|elaborat\w+|"
    r"refer\w*|identif\w+|sheds? light|"
    r"talks?|touch\w*|speaks?|(?:go(?:es)?|get) into|deals? with|answer\w*|list(?:s|ed|ing)?|document(?:ed)?|set out|"
    r"spell\w*|dealt with|broken (?:out|down)|(?:come|comes|came) up|appears?|settle\w*|comment\w*|clear|"
    r"known|established|determined|let \w+ know)\b"
)
_HELD = (
    r"(?:cover\w*|includ\w+|contain\w*|provid\w+|g(?:ive|ives|iven|ave)|shows?|shown|record\w*|holds?|ha(?:ve|s)|"
    r"offer\w*|available|part|present|found|find\w*|confirm\w*|let me|allow me|enough|sufficient|disclos\w+|"
    r"reveal\w*)\b"
)
_SAY = (
    r"(?:know\w*|say|tell|told|answer\w*|help\w*|assist|find|found|locate\w*|confirm|verify|determine|comment|advise|"
    r"advice|look up|access|information|info|details?|idea|certain|sure|data|figures?|pin down|work out|judge|assess|"
    r"clarify|come across|back up|vouch|guarantee|speak|guess|speculate)\b"
)
_KNOW = rf"(?:{_SAY}|(?:see(?:n|ing)?|provide\w*|share|opinion|discuss|rule|have|got|give)\b)"
_LACKING = r"(?:lack(?:s|ed|ing)?|missing|absent|omit(?:s|ted)?|left out|insufficient|too little)\b"
TELLING = (
    rf"\b(?:{_TOLD}|{_HELD}|{_KNOW}|{_LACKING}|explicitly|exact\w*|precise\w*|specific\w*|current\w*|anywhere|"
    rf"particular\w*|"
    r"actual\w*|just|simply|quite|further|provided|given|shared|supplied|uploaded|pasted|attached|received|moment|time|"
    r"regarding|concerning|whether|issue|matter|point|piece|thing|anything|everything|something|being|such|"
    r"value|number|date|name|amount|remain\w*|open|word|would|could|should|wish|want\w*|seems?|possible)\b"
)
_INFORMING = (
    rf"(?:{_MATERIAL}|(?:\w*(?:book|sheet|list|log|page|file|notes?|transcript|deck|wiki))s?\b|manuals?|guides?|"
    r"faqs?|leaflets?|brochures?|reports?|articles?|pages?|files?|notes?|minutes|website|tables?|records?|"
    r"sections?|paragraphs?|data|extracts?|notices?|letters?|listings?|labels?|abstracts?|summar(?:y|ies)|attachments?|"
    r"slides|filings?|announcements?|bulletins?|itinerar(?:y|ies)|descriptions?|timetables?|agreements?|appendi(?:x|"
    r"ces)|instructions|emails?|messages?|specs?|specifications?|"
    r"information (?:i|we|you)\b|what (?:i|i've|i was|we|you|you've|has been)\b(?: have| was| been| am)?(?: \w+){0,2})"
)
ANY_SOURCE = rf"(?:{SOURCE}|{_INFORMING})"
# What is told of a thing, and how.
_DATUM = (
    r"(?:dates?|names?|numbers?|figures?|values?|amounts?|prices?|costs?|rates?|reasons?|details?|times?|hours?|"
    r"lengths?|durations?|heights?|sizes?|address|location|explanation|breakdown|deadline)"
)
# By somebody, or not yet: what is known of the matter.
_PUBLISHED = (
    r"(?:given|stated|provided|shown|published|announced|recorded|disclosed|released)\b(?! (?:yet|so far|by|to)\b)"
)
SUBJECT = rf"(?:i can see )?{THE}(?:\w+ )?{ANY_SOURCE}\b"
_FEW = r"(?:[\w'-]+ ){0,4}?"
_IN = rf"\b(?:in|on|by|from|among|within|anywhere|with|part of|any of) {THE}(?:\w+ )?"

# What was put before the speaker: "what I've got", "the copy I was given", "my notes".
_MINE = (
    r"(?:\bmy (?:\w+ )?(?:copy|sources?|notes?|excerpts?|extracts?|pages?|materials?|files?|records?|documents?|"
    r"documentation|hands|reach|view|side)\b|"
    r"\bi(?:'ve| have|'m| am| was|'ve been| have been)?(?: only| just| been| able to)* (?:given|handed|shown|fed|"
    r"provided|sent|supplied|got|have|hold|can (?:see|consult|read|access)|looked|set up|cleared|trained)\b(?! to\b)|"
    r"\bin front of me\b|\bto reach me\b)"
)
# That there is no more of it.
_NO_MORE = (
    r"(?:\b(?:not|no|none|nothing|nowhere|never|neither|without|only|lack(?:s|ing)?|missing|skips?|stops?|ends?|"
    r"breaks? off|broke off|cut off|cut short|blacked out|redacted|silent|mute|beyond|outside|above|yet to)\b|n't\b)"
)
# A source of any name; of a plan or its terms it is a fact what they do not cover.
_PAPER = (
    rf"(?:{_INFORMING}|menus?|\w*(?:tables?|cards?|folders?|flyers?|plans?|guidance|terms|rules|bylaws|invitations?|"
    r"ruling|charts?|registers?|catalogues?|leases?|contracts?|descriptions?))\b"
)

DENIALS: tuple[str | Form, ...] = (
    # What the speaker was given ends before what was asked.
    rf"^(?!.*\b(?:problem|reason|objection|doubt|matter)\b)(?=.*{_MINE})(?=.*{_NO_MORE})",
    (
        rf"\b{_PAPER}.{{0,40}}?\b(?:skips?|stops? (?:at|with|before|short)|ends? (?:at|with|before)|breaks? off|"
        r"broke off|(?:was|is|were|are) (?:cut (?:off|short)|blacked out|redacted|illegible)|"
        r"leaves? (?:\w+ ){0,2}?unsaid|(?:puts?|gives?|has|have|carr(?:y|ies)) no (?:\w+ )?(?:number|figure|text|word)|"
        r"(?:is|are) mute|(?:does|do)(?: not|n't) (?:go|get) into|(?:makes?|made) no (?:reference|mention)|"
        r"runs? (?:dry|out))\b"
    ),
    rf"^(?:the|my|this|these) (?:\w+ )?{_PAPER} (?:does|do)(?:n't| not)$",
    # Sayings of one who does not know.
    (
        r"\b(?:draw(?:ing|n)?|drew) (?:a )?blank\b|\bgot me there\b|(?:\bnot|n't) (?:really )?my (?:field|area|"
        r"department|domain|subject|place)\b|\bnot at liberty\b|\bi(?:'d| would) be guessing\b|\bruns? dry\b|"
        r"\bi(?:'d| would) rather not (?:invent|guess|say)\b|\bi(?:'m| am) no (?:lawyer|doctor|expert|accountant)\b|"
        r"\b(?:no clue|faintest|foggiest|anyone's guess|your guess is as good|hard to say|(?:must|have to|'ll) pass|"
        r"not (?:for me|mine) to (?:say|tell|decide)|escapes me|not privy|steer clear of|not on (?:file|record)|"
        r"in no position)\b|(?:\bnot|n't) ring (?:a|any) bell\b|"
        r"\bi(?:'m| am)? (?:lack(?:ing)?|missing|short (?:of|on))\b|\b(?:is|remains|leaves?) a (?:gap|blank|hole)\b"
    ),
    (
        r"\b(?:search\w*|look\w*|scan\w*|check\w*|went)\b.{0,60}?\b(?:nothing|no (?:results?|hits?|match\w*|luck)|"
        r"in vain|to no avail|(?:just |simply )(?:isn't|is not|aren't|are not) there)(?:\b|$)"
    ),
    (
        r"(?:\bnot|n't|\bnever) (?:\w+ )?(?:supplied|attached|uploaded|passed (?:on|along)|shared|handed|given|shown)"
        r" (?:to|with) me\b|(?:\bnot|n't) part of (?:the|my|this) (?:file|copy|material|extract|excerpt|record)s?\b"
    ),
    rf"{_NEGATED} {_FEW}{_TOLD}.{{0,20}}? (?:in|on|by|from) (?:these|this|those|my) (?:\w+ )?{_PAPER}",
    r"\bi (?:only|just) (?:know|hold|cover|handle|deal with|have (?:the|information|data|figures))\b",
    r"^(?:not a|no) (?:single )?(?:word|mention|trace|hint|reference|data (?:point|_)|entry|figure)\b",
    (
        r"^not (?:the|its|their|any|an?) _(?: (?:_|\w{1,5})){0,4}\W*$|\bno\w* .{1,30} gets? a (?:credit|mention)\b|"
        r"^(?:i )?can't (?:see|find|spot)\b"
    ),
    r"^(?:it|they|this) (?:gives?|names?|lists?|shows?|states?|mentions?) no _\W*$",
    (
        rf"\b{_INFORMING}\b.{{0,60}}?\b(?:only|just|solely) (?:deals? with|concerns?|talks? about|relates? to)|"
        rf"\b{_INFORMING}\b.{{0,60}}?\b(?:deals?|relates?|focus\w*) (?:only|solely|just) (?:with|to|on)\b"
    ),
    *forms_with(
        (_NEGATION, ANY_SOURCE),
        rf"\b{ANY_SOURCE}\b.{{0,90}}?{_NEGATED} {_FEW}{_TOLD}",
        rf"\b{_INFORMING}\b.{{0,90}}?{_NEGATED} {_FEW}{_HELD}",
    ),
    rf"\b(?:none of (?:it|them|these|this)|neither(?: one| of \w+)?|nothing) {_FEW}(?:{_TOLD}|{_HELD})",
    *forms_with(
        (_NEGATION, ANY_SOURCE),
        rf"^(?:no|none|neither)\b.{{0,80}}?\b(?:{_TOLD}|{_HELD}).{{0,60}}?{_IN}{_INFORMING}",
        rf"\bnowhere {_IN}{_INFORMING}",
        rf"^(?:none of|neither of|nothing (?:in|on)|no) {_FEW}{_INFORMING}\b.{{0,40}}?\b(?:{_TOLD}|{_HELD})",
        (
            rf"\b{_INFORMING}\b.{{0,60}}?\b(?:give|contain|provide|include|hold|offer|record|list|show|name|cite|"
            rf"make)s? no\b(?! _(?! {_DATUM}))"
        ),
        rf"{_NEGATED} {_FEW}(?:part of|among|within|inside) {_FEW}(?!agreements?\b){_INFORMING}",
    ),
    (
        rf"\b{_DATUM}\b[^,]{{0,40}}? (?:is|are|was|were|ha(?:s|ve) been)(?: not|n't| never) (?:\w+ )?{_PUBLISHED}|"
        rf"\bno {_FEW}{_DATUM} (?:(?:for|of|behind) [^,;]{{1,40}}? )?(?:(?:is|are|was|were|has been) )?{_PUBLISHED}"
    ),
    r"\b(?:is|are|remains?|stays?|keeps?) (?:\w+ )?(?:silent|mute) (?:on|about|as to|regarding)\b|\bstops? short of\b",
    *forms_with(
        (_NEGATION, ANY_SOURCE),
        rf"\bthere(?:'s| is| are| was| were)(?: no|n't| not)\b.{{0,60}}?{_IN}{_INFORMING}",
    ),
    rf"{_NEGATED} (?:something|a topic|a question|covered|information)\b.{{0,30}}?\b(?:i|we|{ANY_SOURCE})\b",
    (
        r"\bimpossible to (?:say|tell|know|judge|determine)\b|\bno word (?:on|about)\b|^not (?:how|who|when|where|why|"
        r"what|which|whether)\b"
    ),
    r"\b(?:cannot|can't|could not|couldn't) be (?:judged|told|deduced|assessed|seen|said) (?:from|on|by)\b",
    rf"\b{_LACKING}.{{0,60}}?{_IN}{_INFORMING}|\b{_INFORMING}\b.{{0,60}}?\b{_LACKING}",
    (
        rf"\b{ANY_SOURCE}\b.{{0,60}}?\b(?:leaves?|left|remains?|stays?)\b.{{0,40}}?\b(?:open|unanswered|out|silent|"
        r"unclear|unsaid|vague)\b"
    ),
    *forms_with(
        (_NEGATION, ANY_SOURCE),
        rf"\b{_INFORMING}\b.{{0,60}}?\bsa(?:ys?|id) nothing\b",
    ),
    # An open question stands in it: "whether it is cannot be told".
    rf"^(?!.*\b(?:matters?|difference|regardless|depends?)\b)(?=.*\bwhether\b).*?{_NEGATED}",
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:mentioned|discussed|specified|stated|addressed|clarified)\W*$",
    (
        r"\b(?:is|are|remains?|stays?|left|go(?:es)?) (?:\w+ )?un(?:known|clear|named|disclosed|specified|"
        r"answered|mentioned|stated|addressed)\b"
    ),
    r"\b(?:came|come|coming|comes) up (?:empty|short|blank)\b",
    # The speaker.
    rf"\b(?:i|i'm|i've|i'd|me|my)\b.{{0,60}}?{_NEGATED} {_FEW}{_KNOW}",
    r"\b(?:i|we)(?:'d| would) (?:only |just )?(?:be|have to) (?:guess|mak\w+ .{1,20}\bup\b|speculat|invent)\w*",
    r"\bi(?:'m| am| was) not \w+(?:ed|able|aware|familiar|sure|certain)\b",
    (
        r"\b(?:i|i'm|we|this (?:\w+ )?(?:assistant|bot|chat|service))\b.{0,30}?\b(?:only|just|solely|exclusively|"
        r"limited to)\b.{0,30}?\b(?:help|answer\w*|assist|deal|handle|discuss|talk|advise|here for|there for|"
        r"questions)\b"
    ),
    (
        r"\b(?:outside|beyond|above|past|not (?:part|within)|exceeds?)\b.{0,30}?\b(?:what (?:i|we|this)|my|our|"
        r"this (?:assistant|bot|chat|service)|scope|remit)\b"
    ),
)
BARE_DENIALS: tuple[str | Form, ...] = (
    rf"{_NEGATED} (?!known _){_FEW}{_TOLD}",
    (
        rf"{_NEGATED} (?:(?!_)[\w'-]+ ){{0,3}}?(?:_ )?(?:information|info|details?|mention|data|answer|idea|indication|"
        r"figure)\b(?! (?:is|are|was|were|will|may|can)\b)"
    ),
    rf"(?:\b(?:nothing|no \w+|none|not)|n't)\b.{{0,60}}?\b(?:in|on|from|among|within|by) {THE}(?:\w+ )?{_INFORMING}",
    r"\b(?:unknown|unclear|undisclosed|unspecified|unanswered|unaddressed|open question|left open)\b",
    rf"\bwe\b.{{0,30}}?{_NEGATED} {_FEW}{_SAY}",
)
# "I see no reason not to."
OBSTACLES = (
    r"\b(?:no|any|single|without) (?:\w+ )?(?:reasons? (?:not )?to|problems?|objections?|obstacles?|harm|"
    r"difficult\w*)\b|"
    r"\bwhy not\b|"
    # Of the world, not of the sources: "no side effects are known".
    r"\bno (?!(?:\w+ )?information\b)(?:[\w'-]+ ){1,4}?(?:is|are|was|were|ha(?:s|ve) been) (?:\w+ )?(?:known|"
    r"reported)\b|\bno known\b|"
    # It denies all but what it goes on to tell.
    r"\b(?:other than|except(?: for)?|apart from|aside from) (?:\S+ ){2}"
)
