"""English."""

from __future__ import annotations

from raggate_action.core.text.languages.en_declining import (
    ANY_SOURCE,
    AT_HAND,
    BARE_DENIALS,
    DECLINES,
    DENIALS,
    OBSTACLES,
    SOURCE,
    SUBJECT,
    TELLING,
    THE,
)
from raggate_action.core.text.languages.language_rules import LanguageRules, SourceLead
from raggate_action.core.text.number_words import number_pattern

RULES = LanguageRules(
    common=(
        "the of and is are to for with not you your this that these from it its can cannot what was were will have "
        "has be been by on at or but if when which who how their they we our i my me an a in as do does don't "
        "doesn't no there any only so you've i've i'm it's that's per get see all also"
    ),
    leaning=(
        "(?:it|its|they|their|them|this|these|that|those|he|she|his|her|here|there|both|such|either|neither|the "
        r"(?:same|former|latter)|one|another|others|otherwise|however|instead|also|then)\b"
    ),
    source_lead=SourceLead(
        opening=(
            "(?:based (?:up)?on|according to|as (?:stated|noted|described|written|set out|mentioned|outlined|"
            "specified) in|(?:as )?per|from|(?:here(?:'s| is)|(?:this|that) is) what) (?:(?:the|our|your|these|this|"
            "those|my) )?"
        ),
        before="provided|given|supplied|available|above|attached|retrieved|shared|following|uploaded|cited|relevant",
        nouns=(
            "documents?|documentation|docs|context|sources?|evidence|polic(?:y|ies)|texts?|passages?|chunks?|"
            "excerpts?|extracts?|snippets?|sections?|knowledge base|information|materials?|manual|guide|guidelines?|"
            "handbook|faqs?|contract|agreement|terms|regulations?|rules|leaflet|instructions|brochure|website|files?|"
            "data|reports?|articles?|pages?|notes|menu|lease|records?"
        ),
        behind=(
            "provided|given|supplied|available|above|below|attached|retrieved|shared|uploaded|at hand|i (?:have|was "
            "given)|you (?:provided|shared|gave me|uploaded)|(?:says?|states?)(?: (?:about|on) (?:it|this|that))?"
        ),
        courtesy=(
            "(?:i am )?(?:always )?(?:happy|glad|pleased|delighted|love) to \\w+|(?:help|assist) you(?: with \\w+)?|"
            "glad(?:ly)?|delighted|(?<!make )sure|of course|certainly|absolutely|definitely|naturally|by all means|"
            "ok(?:ay)?|all? ?right|right away|no (?:problem|worries|trouble)|you're (?:very )?welcome|(?:a|my) "
            "pleasure|with (?:\\w+ ){0,2}pleasure|(?:good|great|excellent|wonderful) (?:question|news)|hi|hey|hello|"
            "(?:appreciate|thank you|thanks(?! to\\b))(?: so much| very much| a lot)?"
            "(?: for (?:(?:your|the) \\w+|\\w+ing(?: out)?))?|here you (?:go|are)|let (?:me|us) \\w+(?: that up)?|"
            "with (?:that|this|it)|for you|in (?:short|brief|a nutshell)|note|remember|important|for your information|"
            "fyi|tl;dr|good to know"
        ),
        announcing=(
            "answer answers reply response result results summary conclusion explanation overview summarize summarise "
            "says states reads found applies know following follows point points fact facts regarding concerning"
        ),
        beside=(
            "the a an our your my this these here here's is are what i i've we we've you us it me to in from of as per "
            "based upon according have has need let please note say state apply quick brief full final short simple "
            "direct official complete clear key main important question asked provided supplied above below attached "
            "retrieved shared relevant and"
        ),
    ),
    hint=(
        r"not\b|n't\b|\b(?:no|none|neither|nobody|impossible|nothing|unable|unaware|unsure|uncertain|unclear|unknown|"
        r"insufficient|too little|outside|beyond|never|fails?|silent|only|lack|need|decline|rather|guess|missing|"
        r"unavailable|empty|blank|just|stop(?:s|ped)?|ends?|break(?:s|ing)? off|skip(?:s|ped)?|contradict|"
        r"leaves? (?:it|this|that) open|left out|none|confidential|"
        r"refrain|n/?a|yet to|above|cut off|broke off|blacked out|redacted|mute|unsaid|runs? dry|got me|lacks?|"
        r"guessing|unmentioned|no clue|faintest|foggiest|guess|hard to say|pass|escapes me|steer clear|in vain|gap)\b"
    ),
    denies_nothing=(
        r"\bat no (?=(?:\w+ )?(?:costs?|charges?|fees?|expense)\b)|\bwithout (?=(?:\w+ )?(?:costs?|charges?|fees?)\b)|"
        r"\bnothing (?=to pay\b)|\bnot? (?=(?:later|earlier|sooner) than\b)|\bnot (?:only|just|merely) (?=.*\bbut\b)|"
        r"\bnot? (?=(?:more|longer|less|fewer) than (?:[0-9]|(?:an?|one|"
        rf"{number_pattern('en')})\b))|\b(?:(?:do|must|should) not|don't) (?=forget\b)"
    ),
    declines=DECLINES,
    denials=DENIALS,
    bare_denials=BARE_DENIALS,
    obstacles=OBSTACLES,
    excuses=(
        r"\b(?:an?|every|each) (?:\w+ )?",
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
        r"\s+and (?=(?:it|this|that|they)(?:'s| is| are)\b|(?:is|are|was|were|must|will) (?!not\b|un))",
        r"[;—]\s*|:\s+|\s+[-–]\s+",
    ),
    concludes=r"\b(?:so|therefore|thus|hence|consequently|accordingly|as such|meaning|means)\b",
    objects=r"\b(?:but|however|though|although|yet|still)\b",
    subordinates=(r"\b(?:since|as|because|given that|while|whilst|though|even though|even if|although)\b",),
    subject=SUBJECT,
    same_source=(
        r"(?:(?:they|it|both) )?(?=(?:also |only |just |simply )*(?:(?:(?:do(?:es)?|did)(?: not|n't)|never|fails? to) "
        r"(?:\w+ )?(?:say|state|give|list|mention|provide|name|describe|specify|identify|explain|discuss|address|tell)|"
        r"(?:give|list|mention|name)s? n(?:o|one|othing)\b))|(?=(?:also |only |just |then )*(?:(?:give|list|mention|"
        r"name|say|state|refer|describe|record|leave|stop|end|omit|explain|discuss|address|tell)s?|never)\b)"
    ),
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
            rf"(?:from [^,]{{1,60}}, )?(?:{THE}(?:\w+ )?{ANY_SOURCE}{AT_HAND}|they|both|i can see {SOURCE}) "
            r"(?:only |also |does |do |briefly |just )*(?:disagree|differ|conflict|mention|list|cover|discuss|describe|"
            r"include|contain|address|explain|talk|refer|touch|name|give|(?:show|state)(?!\w* that)|ha(?:s|"
            r"ve)\b|record|ends? before|on\b)\w*"
        ),
        rf"(?:{THE}(?:\w+ )?{SOURCE}{AT_HAND}|it|they) (?:only|just|merely) (?:says?|states?|tells?|mentions?)\b",
        r"(?:searched|checked|reviewed)\b",
        # Where it may stand, and that it is spoken of.
        (
            rf"{THE}(?:\w+ )?{ANY_SOURCE}(?: (?:and|or) [\w' -]{{1,30}}?)? (?:may|might|could|should|"
            rf"would) (?:\w+ )?(?:have|hold|contain|say|tell|"
            rf"list|cover|include|know|be (?:the|a) (?:place|source))"
        ),
        (
            r"there(?:'s| is| are) (?:an? |only |just |some )*(?:mentions?|references?|sections?|notes?|passages?|"
            r"entry|chapter)\b"
        ),
        (
            rf"[^,]{{1,60}}? (?:is|are|was|were) (?:only |just |briefly )?(?:used|mentioned|named|listed|referred to|"
            rf"discussed|cited|touched on|described|published|posted|available) (?:[\w-]+ ){{0,3}}?(?:in|on|"
            rf"by) {THE}{SOURCE}"
        ),
        (
            r"(?:(?:generally|usually|typically|normally),? )?(?:this|that|such) (?:information|details?) (?:can|may|"
            r"might|is|are)"
            r"(?: \w+)?(?: be)? (?:found|available|listed|published)"
        ),
        r"(?:that|this|it)(?:'s| is) (?:an? )?(?:\w+ )?(?:great|good|interesting|important|fair|reasonable) \w+",
        r"(?:as )?an? (?:ai|assistant|language model|virtual|automated)\b",
    ),
    about=(
        (
            r"(?:from [^,]{1,60}, )?(?:(?:the|these|those|this|your|my) (?:\w+ ){0,2}?(?:documents?|excerpts?|"
            r"extracts?|pages?|texts?|"
            r"passages?|sources?|sections?|records?|notes?|files?|attachments?|tables?|lists?|faqs?|recipes?|"
            r"context|materials?|knowledge base|handbooks?|manuals?|guides?|reports?|leaflets?|articles?|"
            rf"letters?|spreadsheets?|data){AT_HAND}|"
            r"they|both) (?:on \w+ )?(?:only |just |mainly )*(?:(?:is|are) about|deals? (?:only )?with|talks? "
            r"about|concerns?|focus\w*|"
            r"relates?|ends?|stops?|breaks? off|"
            r"skips?|contradicts?|disagrees?|differ|leaves? out|go(?:es)? (?:only )?up to|answers? questions|(?:is|"
            r"are|seems? to be) (?:\w+ )?"
            r"(?:empty|blank|incomplete|patchy|illegible|cut off))\b"
        ),
        r"i(?:'m| am) (?:just |only )?(?:an? .{0,30}\b(?:assistant|helper|bot|chatbot|ai|model)|here|not an?)\b",
        r"(?:your|this|that) (?:query|request|question) (?:is|isn't|does|doesn't|has|falls|seems|lies)\b|beats me$",
    ),
    refers=(
        (
            r"(?:(?:so|then|in that case|for (?:that|this)|if .{1,60}?|before .{1,60}?)[, ]+)?"
            r"(?:for [^,]{1,60}, )?(?:please |kindly |feel free to |"
            r"(?:it|i)(?:'s|'d| is| would| may| might)?(?: be)? (?:\w+ )?(?:best|recommended|advisable|advised|"
            r"worth) (?:to |that you )?|"
            r"(?:you|we|i)(?:'d|'ll| would| can| could| may| might| should| will)*(?: want to| have to| need to|"
            r" recommend| suggest| advise)?"
            r"(?: that)?(?: you)? )?(?:directly )?"
            r"(?:ask(?:ing)?|contact(?:ing)?|consult(?:ing)?|call us|refer(?:ring)? to|reach(?:ing)? out|"
            r"turn(?:ing)? to|visit(?:ing)?|"
            r"call(?:ing)?|get(?:ting)? in touch with|drop(?:ping)? us a line|(?:check|confirm|verify|speak|"
            r"talk)(?:ing)?(?: this| that| it| directly)?(?: with| to))\b"
        ),
        r"(?:please|kindly) (?:upload|send|attach|provide|share|give|try|rephrase|clarify|specify|tell)\b",
        (
            r"(?:the |our |your |one of our |an? )?(?:[\w'-]+ ){0,3}?(?:staff|team|waiter|kitchen|server|manager|"
            r"support|"
            r"advis[eo]rs?|colleagues?|agents?|specialists?|experts?|desk|office|department|lawyer|solicitor|doctor|"
            r"pharmacist)(?:'s)? (?:can|could|will|would|might|should) (?:(?:surely|certainly|gladly|probably|"
            r"always|also|then|be (?:able|happy|glad|pleased) to) ){0,2}(?:help|assist|advise|tell|answer|confirm|"
            r"check|clarify|look|know|explain|give|provide|guide|point|sort|find|have|say|let|be (?:of help|in touch)|"
            r"contact|get back|reach|take|discuss|talk|respond|reply|handle|deal|add|pass|offer|show)\b"
        ),
        r"(?:do )?let (?:me|us|your \w+) know\b|feel free to (?:ask|reach|drop)\b|try rephrasing\b",
        r"if you(?:'d| would| could| can)? [^,]{1,80}, (?:i|we)(?:'d|'ll|'m| can| could| will| would| am| are)\b",
    ),
    promises=(
        r"(?:(?:we|i)(?:'ll| will| shall)|(?:[\w'-]+ ){0,4}?(?:staff|team|desk|office|department|support|nurses?|"
        r"doctors?|manager|advis[eo]rs?|agents?|specialists?|colleagues?|someone|somebody) will)(?: (?:then|also|"
        r"gladly))* (?:(?:call|contact|phone|email|inform|notify) you|(?:get|come|reply|respond)(?: back)? to you|"
        r"let you know|be in touch|get in touch with you)\b"
    ),
    embedded=r"\b(?:whether|how|what|which|who|before you)\b[^,;]*",
    fact=(
        r"\b(?:is|are|was|were|has|have|does|do|must|requires?|contains?|costs?|includes?|because|since|no later|"
        r"at (?:least|most|the latest)|within|before|after|until|in writing|in advance|once|twice|daily|weekly|every|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
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
        (
            r"(?:(?:please )?(?:note|remember|keep in mind|be aware)(?: that)? )?(?:this|that|it|the above|nothing "
            r"(?:here|above)|(?:this|my|the above) (?:answer|reply|response|message|information))(?:'s|"
            r" (?:is|was|does|should|cannot|can't))(?: not|n't| no)? [^,;:0-9]{0,40}?(?:(?:legal|medical|tax|financial|"
            r"investment|professional|health|personal|individual|expert) (?:advice|opinion|guidance)|(?:substitute|"
            r"replacement) for [^,;:0-9]{1,40}|information(?:al purposes)? only)"
        ),
    ),
    guesses=(
        r"\b(?:in my experience|common practice|customar\w+|probably|presumably|perhaps|maybe|possibly|likely|"
        r"normally|usually|typically|generally|as a rule|"
        r"in (?:most cases|general)|most (?:\w+ ){1,3}?(?:require|allow|accept|offer|have|are|do)|i(?:'d|"
        r" would)? (?:guess|"
        r"think|believe|assume|suppose|suspect|say|estimate|imagine)|my (?:best )?guess|(?:rough|educated) (?:guess|"
        r"estimate)|must be)\b"
    ),
    yes_or_no=r"(?:yes|no)\b(?=\W*$|[,.!:;])",
    lacks=r"(?:no|not|none|nothing|neither) ",
    speaker=(
        r"(?:\w+,? ){0,2}?(?:i\b(?! (?:can (?:confirm|assure)|recommend|would (?:recommend|choose|go)|found that|"
        r"see that|know that|understand that))|i'(?:m|d|ve)\b(?! (?:recommend|choose|go|love))|my\b)"
    ),
    sources=(
        r"\b(?:pages?|sections?|chapters?|clauses?|articles?|documents?|excerpts?|passages?|reports?|chunks?|tables?|"
        r"files?|sources?|extracts?|paragraphs?|items?|lines?|entry|entries|editions?|versions?)\b"
    ),
    knowing=(
        r"\b(?:documents?|documentation|docs|sources?|excerpts?|extracts?|texts?|context|information|info|"
        r"material|passages?|snippets?|knowledge|database|pages?|website|articles?|faqs?|guides?|manual|handbook|"
        r"brochure|leaflet|files?|sections?|sheet|readme|notes?|letter|topics?|questions?|answers?|answer(?:ed|ing)|"
        r"details?|given|provided|shown|mention\w*|disclos\w*|filings?|unknown|unclear|say|says|state[sd]?|"
        r"specif\w+|list(?:s|ed)?|"
        r"describe[sd]?|descriptions?|timetables?|address\w*|tell|known?|"
        r"determine\w*|establish\w*|confirm\w*|discuss\w*|found|find|spell(?:s|ed)? out|clear|scope|here|came up|"
        r"assistant|chat|bot|wiki|report|programme|spreadsheet|table|record|minutes|published|announced|"
        r"pamphlet|sources|search\w*|"
        r"looked|my|part|covered?|enough|tells|author|nam(?:es?|ing)|left out|confidential)\b"
    ),
    telling=TELLING,
    referring=(
        r"\b(?:help\w*|assist(?:ing|ance)?|advise|connect(?:ing)?|through to|forward(?:ing)?|contact(?:ing|ed)?|"
        r"consult(?:ing)?|reach out|get in touch|turn to|"
        r"ask|asking|"
        r"(?:check|confirm|verify|speak|talk)(?:ing|ed)? (?:this |that |it )?(?:with|to)|rephras\w*|right person|"
        r"look it up|questions?|answers?|find (?:it|this|that|out|more|details|information)|website|upload|so that i|"
        r"will know|handles? (?:such|these)|pay grade|best bet|best (?:directed|placed|addressed|to (?:see|ask|call))|"
        r"give us a|(?:can|could|will|would|should|may|might) (?:\w+ ){0,4}?(?:tell|advise|confirm|clarify|know)|"
        r"(?:log|sign) in|professionals?|(?:check|find|track|see|look) .{1,60} on .{1,30}(?:site|page|portal|app))\b"
    ),
    courteous=(
        r"\b(?:please|sorry|afraid|unfortunately|sadly|apolog\w+|thanks?|happy|glad|pleased|delighted|welcome|regards|"
        r"visit|call|check|see|try|team|staff|support|colleagues?|experts?|specialists?|advis[eo]rs?|professional|"
        r"lawyers?|solicitors?|"
        r"doctors?|pharmacists?|desk|reception|office|department|if you(?:'d)? (?:like|need|have|want|share|can|could|"
        r"let|send|upload|provide)|let me|for more|further|more about|var(?:y|ies)|depends?|your question|"
        r"your order|moment)\b"
    ),
    asks_how_much=r"\bhow (?:many|much|long|old|tall|high|far|often|big|large|deep|fast|heavy|late|wide|loud)\b",
    asks_how_to=r"\b(?:how (?:do|can|should|to|would)|what (?:should|can|do|must) (?:i|we))\b",
    asks_openly=r"\b(?:how|what|which|where|when|who(?:se|m)?|why)\b",
    goes_on=("a an the of and or to with for by at from into than because our your their its every if whether which"),
)
