"""English."""

from __future__ import annotations

from raggate_action.core.text.languages.rules import LanguageRules

# Anything with words in it, rules and offers included.
_SOURCE = (
    r"(?:menu|documents?|documentation|docs|context|sources?|evidence|polic(?:y|ies)|texts?|passages?|chunks?|"
    r"excerpts?|snippets?|sections?|knowledge base|information|records?|data|articles?|pages?|papers?|stud(?:y|ies)|"
    r"reports?|minutes|transcripts?|lists?|leases?|timetables?|schedules?|recipes?|entry|entries|notes?|materials?|manuals?|"
    r"guides?|guidelines?|handbooks?|faqs?|contracts?|"
    r"agreements?|terms|regulations?|rules|leaflets?|instructions|brochures?|catalogues?|website|files?|results?|(?:data |fact )?sheets?)"
)
# What was put before the app to answer from. A policy "does not cover water damage": a fact about the policy.
# Documents "do not cover" it: nothing is known of it.
_MATERIAL = (
    rf"(?:(?:provided|given|available|retrieved|supplied|shared|attached|following|above) (?:\w+ )?{_SOURCE}|"
    r"documents?|documentation|docs|context|sources|passages?|chunks?|excerpts?|snippets?|knowledge base|materials?|"
    r"search results|text|(?:information|data) (?:provided|given|available|i have|at hand))"
)
# "the documents that were shared with me"
_AT_HAND = (
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
_THE = r"(?:(?:the|this|that|these|those|our|my|your|any|any of the) )?(?:\w+ )?"
_ON = r"(?:on|about|regarding|concerning|as to)\b"

_DECLINES = (
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
    rf"\bi (?:do not|don't) (?:think|believe) (?:that )?{_THE}{_SOURCE}{_AT_HAND} {_VERBATIM}s?\b",
    r"\bi(?:'ve| have)(?: not|n't) (?:been )?(?:able|given|provided|told|shown|found|seen|come across)\b",
    r"\bi(?:'m| am| was|'ve been| have been)(?: not|n't) (?:given|provided|told|shown|able)\b",
    (
        r"\bi (?:have|had|found|see|find|could find|can find|can see) (?:no|nothing|not enough|"
        rf"insufficient) (?:\w+ ){{0,3}}?(?:information|mention|details?|references?|records?|answers?|indication|"
        rf"idea|way of|access|{_ON}|in the\b)"
    ),
    r"\bi(?:'d| would)? (?:lack|need (?:more|additional|further)) (?:\w+ ){0,2}(?:information|context|details?|data)\b",
    (
        r"\bi(?:'d| would| must| have to| will have to|'ll have to| will)? (?:decline|rather not|prefer not|(?:do not|don't) want to (?:guess|speculate)|"
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
    rf"(?:\bnot|n't) something (?:that )?{_THE}{_SOURCE}{_AT_HAND} (?:{_VERBATIM}|{_HOLD})s?\b",
    r"\b(?:no|not any) way (?:for me )?(?:of knowing|to (?:know|tell|say))\b",
    # sources that are silent
    rf"\b{_SOURCE}{_AT_HAND} {_NOT}{_VERBATIM}\b",
    rf"\b{_MATERIAL}{_AT_HAND} {_NOT}{_HOLD}\b(?! to )",
    rf"\b{_SOURCE}{_AT_HAND} {_NOT}{_HOLD} (?:{_INFORMATION}|{_MATTER})",
    r"\b(?:it|they) (?:do(?:es)?|did)(?: not|n't) (?:\w+ )?(?:say|state|mention|specify)\b",
    rf"\b{_NOT}(?:say|mention|specify|state|indicate|tell) (?:whether|who|how|what|when|which|where|why|if|anything)\b",
    rf"\b{_NOT}(?:say|specify)\W*$",
    rf"\b{_SOURCE}{_AT_HAND} (?:never {_VERBATIM}s?|fails? to {_VERBATIM})\b",
    rf"\b(?:{_SOURCE}{_AT_HAND}|they|it) (?:is|are|remains?|stays?) silent\b",
    rf"\b(?:{_SOURCE}{_AT_HAND}|it|they) (?:say|mention|contain|hold|have|has|give|provide)s? nothing {_ON}",
    (
        rf"\b{_SOURCE}{_AT_HAND} (?:has|have|contains?|includes?) no (?:section|chapter|entry|clause|"
        rf"paragraph|passage) {_ON}"
    ),
    rf"\b(?:nobody|no one) in {_THE}{_SOURCE} {_VERBATIM}s\b",
    (
        rf"\b{_SOURCE}{_AT_HAND} (?:list|name|mention|state|specify|specifie|disclose)s? no (?!.{{0,60}}\b(?:needed|"
        r"required|necessary)\b)"
    ),
    (
        rf"\b{_MATERIAL}{_AT_HAND} (?:give|contain|provide|include|hold|offer|record)s? no (?!.{{0,60}}\b(?:needed|"
        r"required|necessary)\b)"
    ),
    rf"\b{_SOURCE}{_AT_HAND} (?:give|contain|provide|include|hold|offer|make|ha)s? no {_INFORMATION}",
    rf"\b(?:no|neither|none of (?:the|these|those)) (?:\w+ )?{_SOURCE}{_AT_HAND} (?:{_VERBATIM})s?\b",
    rf"\b(?:no|none of (?:the|these|those)) (?:\w+ )?{_MATERIAL}{_AT_HAND} {_HOLD}s?\b",
    rf"\bnothing (?:in|on) {_THE}{_SOURCE}{_AT_HAND} (?:{_VERBATIM}s?\b|{_ON})",
    rf"\bnothing (?:is |was )?(?:said |written |stated )?{_ON}.{{1,60}}? (?:in|on) {_THE}{_SOURCE}",
    # what is not there
    (
        r"\b(?:there (?:is|are|was|were)|there's)(?: no|(?: not|n't) (?:any|enough|much)|"
        r" insufficient) (?:\w+ ){0,3}?(?:to go on|information|mention|details?|indication|statement|guidance|"
        r"reference)(?= (?:on|about|regarding|concerning|available|in|to|of|as to|here|provided|given|that)\b|\W*$)"
    ),
    (
        r"\b(?:there (?:is|are|was|were)|there's)(?: no|(?: not|n't) (?:any|enough|much)|"
        rf" insufficient) (?:\w+ ){{0,3}}?(?:evidence|data|records?|answers?) (?:{_ON}|available\b|provided\b|here\b|"
        rf".{{0,60}}?\bin {_THE}{_MATERIAL})"
    ),
    (
        rf"\b(?:no|not enough|insufficient|too little) (?:\w+ ){{0,3}}?(?:information|info|details?|data) (?:(?:is|are|"
        rf"was|were) )?(?:{_ON}|(?:available|given|provided|found)\b(?! to\b)|in {_THE}{_MATERIAL})"
    ),
    (
        r"\b(?:not enough|insufficient|too little) (?:\w+ ){0,2}?(?:information|context|details?|data|"
        r"evidence) to (?:answer|say|tell|determine|confirm|know|decide)\b"
    ),
    r"\bno (?:[\w'-]+ ){1,5}?(?:(?:is|are|was|were) )?(?:named|listed|mentioned|stated|marked|specified)\b",
    (
        rf"\bno (?:[\w'-]+ ){{1,5}}?(?:(?:is|are|was|were) )?(?:recorded|noted|given|provided|indicated|described|"
        rf"found) (?:in|on|by) {_THE}{_SOURCE}"
    ),
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:stated|specified|mentioned|documented)\b",
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?listed\b(?! as\b| on (?:\w+ ){0,3}exchange)",
    (
        r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:given|described|noted|defined|explained|indicated|recorded|"
        rf"addressed|disclosed|discussed) (?:anywhere )?(?:in|on) {_THE}{_SOURCE}"
    ),
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:disclosed|described|explained)\W*$",
    (
        r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:covered|provided|available|included|contained|found|part of|"
        rf"present|answered)? ?(?:anywhere )?(?:in|by|from|among|of) {_THE}{_MATERIAL}"
    ),
    (
        r"\b(?:information|details?|documentation|guidance|answer)\b.{0,80}?\b(?:is|are|was|were)(?: not|"
        r"n't) (?:\w+ )?(?:available|provided|given|included|covered|contained|present)\b(?! to\b)"
    ),
    r"(?:^|, )it(?:'s| is) (?:not possible|impossible) to (?:say|tell|know|determine|answer|confirm|verify)\b",
    (
        rf"\b(?:{_MATERIAL}|information|evidence){_AT_HAND} (?:is|are)(?: insufficient|(?: not|n't) (?:sufficient|"
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
        rf"inferred|derived|found) (?:from|based on|in|with|using) {_THE}{_SOURCE}"
    ),
    # what is not ours to answer
    (
        r"\b(?:outside|beyond) (?:of )?(?:my|our) (?:\w+ )?(?:scope|knowledge|expertise|remit|information|"
        r"abilit(?:y|ies)|capabilit(?:y|ies))\b"
    ),
    (
        rf"\b(?:outside|beyond) (?:of )?(?:the )?(?:scope of )?(?:{_THE}{_MATERIAL}|(?:this|the) (?:assistant|chat|"
        r"conversation|system)\b|what (?:i|we)\b)"
    ),
    rf"^(?:nothing|no (?:word|mention|info|information|details?)) {_ON}(?!.*\b(?:is|are|was|were|has|have|will|can)\b)",
    r"\bbeyond me\b",
    # words that stand alone
    rf"^not (?:in|part of|among) {_THE}{_MATERIAL}\b",
    (
        r"^(?:unknown|n/?a|(?:no|insufficient) (?:information|answer|data|details?|mention)|not (?:stated|specified|"
        r"mentioned|known|found|listed|documented))(?: (?:in|on|from) .{1,60})?\W*$"
    ),
)

RULES = LanguageRules(
    hint=(
        r"not\b|n't\b|\b(?:no|none|neither|nobody|impossible|nothing|unable|unaware|unsure|uncertain|unclear|unknown|"
        r"insufficient|too little|outside|beyond|never|fails?|silent|only|lack|need|decline|rather|guess|missing|unavailable|empty|blank|just|stop(?:s|ped)?|ends?|break(?:s|ing)? off|skip(?:s|ped)?|contradict|leaves? (?:it|this|that) open|left out|none|confidential|"
        r"refrain|n/?a)\b"
    ),
    declines=_DECLINES,
    excuses=(
        r"\b(?:says?|said|states?|stated|means?|requires?|rules?|reads?|tells? you|told)(?: that)?[ ,:“\"']*",
        r"\b(?:if|when|whenever|unless|in case|should)\b[^,]{0,30}",
    ),
    turns=(
        (
            r",?\s*\b(?:but|however|although|nevertheless|nonetheless|therefore|thus|hence|consequently|"
            r"accordingly)\b,?\s*"
        ),
        r",?\s*\b(?:as such|which means|meaning|this means|that means|we can assume)(?: that)?\b,?\s*",
        r",\s*(?:though|yet|still|and|then)\b,?\s*",
        r",\s*so\b(?! far\b| that\b)\s*|\s+so (?=(?:i|you|it|this|we|they|the|there|please|yes|no)\b)",
        r"\s+and (?=(?:it|this|that|they)(?:'s| is| are)\b)",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
    ),
    subordinates=(r"(?:since|as|because|given that|while|whilst|though|even though|even if|although)\b",),
    harmless=(
        (
            r"(?:i|we)(?:'m|'ve| have| am)? (?:\w+ )?(?:check|look|search|review|read|went|go|understand|appreciat|"
            r"apologi[sz]|sorry|afraid|tried|realis|realiz|hear)\w*\b"
        ),
        (
            r"(?:i|we)(?:'d|'ll| would| will| can| could)(?: be)? (?:\w+ )?(?:love|like|wish|happy|glad|help|assist|"
            r"try|tell you (?:more )?about|look|check)\b"
        ),
        (
            rf"(?:from [^,]{{1,60}}, )?(?:{_THE}(?:\w+ )?{_SOURCE}{_AT_HAND}|they|both|i can see {_SOURCE}) "
            r"(?:only |also |does |do |briefly |just )*(?:disagree|differ|conflict|mention|list|cover|discuss|describe|"
            r"include|contain|address|explain|talk|refer|touch|name|give|ha[sv]e\b|record|ends? before|on\b)\w*"
        ),
        r"(?:searched|checked|reviewed)\b",
        r"(?:that|this|it)(?:'s| is) (?:an? )?(?:\w+ )?(?:great|good|interesting|important|fair|reasonable) \w+",
        r"(?:as )?an? (?:ai|assistant|language model|virtual|automated)\b",
    ),
    about=(
        (
            r"(?:from [^,]{1,60}, )?(?:(?:the|these|those|this|your|my) (?:\w+ ){0,2}?(?:documents?|excerpts?|extracts?|pages?|texts?|"
            rf"passages?|sources?|sections?|records?|notes?|files?|attachments?|tables?|lists?|faqs?|recipes?|letters?|spreadsheets?){_AT_HAND}|"
            r"they|both) (?:on \w+ )?(?:only |just |mainly )*(?:(?:is|are) about|deals? with|concerns?|focus\w*|relates?|ends?|stops?|breaks? off|"
            r"skips?|contradicts?|disagrees?|differ|leaves? out|go(?:es)? (?:only )?up to|answers? questions|(?:is|are|seems? to be) (?:\w+ )?"
            r"(?:empty|blank|incomplete|patchy|illegible|cut off))\b"
        ),
        r"i(?:'m| am) (?:just |only )?(?:an? .{0,30}\b(?:assistant|helper|bot|chatbot|ai|model)|here|not an?)\b",
        r"(?:your|this|that) (?:query|request|question) (?:is|isn't|does|doesn't|has|falls|seems|lies)\b|beats me$",
    ),
    refers=(
        (
            r"(?:(?:so|then|in that case|for (?:that|this)|if .{1,60}?|before .{1,60}?)[, ]+)?"
            r"(?:for [^,]{1,60}, )?(?:please |kindly |feel free to |it(?:'s| is) best to |"
            r"(?:you|we|i)(?:'d| would| can| could| may| might| should)*(?: want to| recommend| suggest| advise)?"
            r"(?: that)?(?: you)? )?(?:directly )?"
            r"(?:ask(?:ing)?|contact(?:ing)?|consult(?:ing)?|call us|refer(?:ring)? to|reach(?:ing)? out|turn(?:ing)? to|visit(?:ing)?|"
            r"call(?:ing)?|get(?:ting)? in touch with|drop(?:ping)? us a line|(?:check|confirm|verify|speak|talk)(?:ing)?(?: this| that| it| directly)?(?: with| to))\b"
        ),
        r"(?:please|kindly) (?:upload|send|attach|provide|share|give|try|rephrase|clarify|specify|tell)\b",
        (
            r"(?:the |our |your |one of our |an? )?(?:[\w'-]+ ){0,3}?(?:staff|team|waiter|kitchen|server|manager|support|"
            r"advis[eo]rs?|colleagues?|agents?|specialists?|experts?|desk|office|department|lawyer|solicitor|doctor|"
            r"pharmacist)(?:'s)? (?:can|could|will|would|may|might|should)\b"
        ),
        r"(?:do )?let (?:me|us|your \w+) know\b|feel free to (?:ask|reach|drop)\b|try rephrasing\b",
        r"if you(?:'d| would| could| can)? [^,]{1,80}, (?:i|we)(?:'d|'ll|'m| can| could| will| would| am| are)\b",
    ),
    fact=(
        r"\b(?:is|are|was|were|has|have|does|do|must|requires?|contains?|costs?|includes?|because|since|no later|"
        r"at (?:least|most|the latest)|within|before|until|in writing|in advance)\b"
    ),
    courtesy=(
        r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|dear \w+)(?:,? (?:there|again|\w+))?",
        r"(?:thanks|thank you)(?: so much| very much)?(?: for (?:your |the )?\w+)?(?: \w+){0,2}",
        (
            r"you're (?:very )?welcome|sure(?: thing)?|certainly|of course|absolutely|(?:great|good) question|"
            r"unfortunately|that(?:'s| is) (?:all|it)|oops|uh-oh|hm+|ha"
        ),
        (
            r"(?:i'm |i am )?(?:happy|glad) to help|enjoy your \w+|have a \w+ \w+|(?:i )?hope (?:this|that|"
            r"it) helps(?: you)?"
        ),
        (
            r"(?:please )?(?:let (?:me|us) know|feel free to (?:ask|reach out)|(?:do not|don't) hesitate to (?:ask|"
            r"reach out))(?: (?:if|should) (?:you|there)(?:'d| would)? (?:have|need|want|like|is|are|be)(?: to know)?"
            r" (?:any(?:thing)?|more|some|further|other|additional)(?: (?:else|more|other|further|specific)){0,3}"
            r"(?: (?:questions?|help|information|details?|assistance|concerns?|clarifications?|i can (?:do|help"
            r"(?: you)? with)))?)?"
        ),
        (
            r"here(?:'s| is| are) (?:what i (?:found|know)|(?:the|your|an?) (?:\w+ )?(?:answers?|summary|overview|"
            r"details|information))(?: (?:for you|you (?:asked|requested)(?: for)?))?"
        ),
        (
            r"(?:i'd|i would|i'll|i will) be (?:happy|glad) to (?:help|assist)(?: you)?(?: with (?:that|this|"
            r"anything else))?"
        ),
        (
            r"(?:i'm |i am )?(?:so |very )?(?:sorry|afraid)(?: about that| for the \w+| to hear that)?|"
            r"(?:my )?apologies(?: for the \w+)?"
        ),
        r"(?:sources?|references?|citations?|footnotes?|answer|response)\s*:?\s*[\W\d]*",
    ),
    numbers=(
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|"
        r"seventy|eighty|ninety|hundred|thousand|million|half|dozen)\b"
    ),
    guesses=(
        r"\b(?:in my experience|common practice|customar\w+|probably|presumably|perhaps|maybe|possibly|likely|normally|usually|typically|generally|as a rule|"
        r"in (?:most cases|general)|most (?:\w+ ){1,3}?(?:require|allow|accept|offer|have|are|do)|i(?:'d| would)? (?:guess|"
        r"think|believe|assume|suppose|suspect|say|estimate|imagine)|my (?:best )?guess|(?:rough|educated) (?:guess|"
        r"estimate)|must be)\b"
    ),
    lacks=r"(?:no|not|none|nothing|neither) ",
    speaker=r"(?:\w+,? ){0,2}?(?:i\b(?! (?:can (?:confirm|assure)|recommend|would (?:recommend|choose|go)|found that|see that|know that|understand that))|i'(?:m|d|ve)\b(?! (?:recommend|choose|go|love))|my\b)",
    sources=r"\b(?:pages?|sections?|chapters?|clauses?|articles?|documents?|excerpts?|passages?|reports?|chunks?|tables?|files?|sources?|extracts?|paragraphs?|items?|lines?|entry|entries|editions?|versions?)\b",
    knowing=(
        r"\b(?:documents?|documentation|docs|sources?|excerpts?|extracts?|texts?|context|information|info|"
        r"material|passages?|snippets?|knowledge|database|pages?|website|articles?|faqs?|guides?|manual|handbook|"
        r"brochure|leaflet|files?|sections?|sheet|readme|notes?|letter|topics?|questions?|answers?|answer(?:ed|ing)|"
        r"details?|mention\w*|disclos\w*|filings?|unknown|unclear|say|says|state[sd]?|specif\w+|list(?:s|ed)?|describe[sd]?|address\w*|tell|known?|"
        r"determine\w*|establish\w*|confirm\w*|discuss\w*|found|find|spell(?:s|ed)? out|clear|scope|here|came up|assistant|chat|bot|wiki|report|programme|spreadsheet|table|record|minutes|pamphlet|sources|search\w*|looked|my|part|covered?|enough|tells|author|nam(?:es?|ing)|left out|confidential)\b"
    ),
    referring=(
        r"\b(?:help\w*|assist(?:ing|ance)?|advise|contact(?:ing|ed)?|consult(?:ing)?|reach out|get in touch|turn to|ask|asking|"
        r"(?:check|confirm|verify|speak|talk)(?:ing)? (?:this |that |it )?(?:with|to)|rephras\w*|right person|look it up|questions?|answers?|find (?:it|this|that|out|more|details|information)|website|upload|so that i|handles? (?:such|these)|pay grade|best bet|best (?:directed|placed|addressed|to (?:see|ask|call))|give us a|professionals?)\b"
    ),
    courteous=(
        r"\b(?:please|sorry|afraid|unfortunately|sadly|apolog\w+|thanks?|happy|glad|pleased|delighted|welcome|regards|"
        r"visit|call|check|see|try|team|staff|support|colleagues?|experts?|specialists?|advis[eo]rs?|professional|lawyers?|solicitors?|"
        r"doctors?|pharmacists?|desk|reception|office|department|if you(?:'d)? (?:like|need|have|want|share|can|could|"
        r"let|send|upload|provide)|let me|for more|further|more about|your question|your order|moment)\b"
    ),
)
