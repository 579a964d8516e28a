"""Closed lists of English words by which statements are compared, in the spelling of keys."""

from __future__ import annotations

from raggate_action.core.text.canonical_form import stem


def _keys(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


NEGATIONS = _keys("not no never none without neither nor nobody nothing nowhere hardly")
# Say how binding a statement is.
BINDING = _keys("must shall required requires need needs has have")
PERMITTING = _keys("may can could might")
MODALS = BINDING | PERMITTING | _keys("should will would be is are to")
# Carry no fact of their own; two texts that differ in these alone say the same.
FILLERS = _keys(
    "a an the do doe did does is are be been being was were am has have had will shall would that which who this these"
    " those there it its also then so thus too please just very as of s such any their his her our your my even always"
)
STOP_WORDS = FILLERS | NEGATIONS | _keys(
    "and or but if in on at to for from by with about into over under after before between during through than he she"
    " they we you i me him them us can could may might must should when while where what how why all each every both"
    " more most other some only own same up down out off again once here not per via because until against"
)  # fmt: skip
# Bound a statement from below and from above; beside a negation the one side says what the other does.
UPWARD = _keys(
    "over above more least larger longer higher older bigger heavier greater after beyond exceeding exceed exceeds"
    " exceeded minimum min from since later afterwards outside"
)
DOWNWARD = _keys(
    "under below less fewer most smaller shorter lower younger lighter before until till maximum max earlier inside"
)
# With them, what a statement says of one case it may say or deny of all others.
BOUNDS = (
    UPWARD
    | DOWNWARD
    | _keys(
        "except excluding exception exempt unless if only provided subject besides apart save other otherwise where"
        " instead unlike longer too already yet still anymore but anything else within"
    )
)
# Say for which cases alone a statement holds.
CONDITIONS = _keys("except excluding exception unless if only provided subject apart besides otherwise solely")
# Deny by their meaning: beside a negation they affirm, in its place they say the same.
DENYING = _keys(
    "abstain against anything avoid ban banned bar barred case cease decline deny disallow disallowed disregard"
    " drop end escape exclude excluded excuse excused exempt exempted exemption fail false forbid forbidden forget"
    " forgo free ignore illegal impermissible impossible inadmissible invalid keep lack lapse leave limit missing"
    " neglect off omit oppose opposite optional out prevent prohibit prohibited prohibition refrain refuse refused"
    " reject rejected restriction rule ruled skip spare stay stop true unable unavailable unlawful unnecessary"
    " untrue void waive waived withheld withhold wrong zero"
)
# A claim with one of these may state what it has reckoned.
RECKONING = _keys(
    "total together sum combined altogether overall more less fewer difference differ apart gap left remain remaining"
    " twice double doubled half both above below later earlier away extra additional"
    " average minus plus cheaper dearer longer shorter higher lower makes equals late separate"
    " separates save saves saved saving sparen"
)
# Of these, and of those below, such as bound or describe as well: "more than 7", "a late book".
COMPARING = _keys("more less fewer longer shorter higher lower larger smaller above below earlier later late")
# Words of the four languages by which a reader is told to reckon: with a sum or a difference ...
ADDING = _keys(
    "less more fewer plus minus extra additional add adds added off discount surcharge cheaper dearer longer shorter"
    " higher lower larger smaller heavier lighter older younger earlier later difference gap left remain remaining"
    " raise raised rise rose risen increase increased grow grew grown fall fell fallen drop dropped decrease decreased"
    " reduce reduced lowered cut total together altogether sum combined age aged old"
    " weniger mehr zusammen insgesamt günstiger billiger teurer länger kürzer moins plus ensemble menos más juntos"
)
# ... with a product or a quotient ...
MULTIPLYING = _keys("per each every apiece times equal pro je jede jeder jedes par chaque por cada")
# ... with a share.
SHARING = _keys("percent percentage share prozent pourcent") | {"unit %"}
# Behind one of these a number names something: "section 19".
LABELLING = _keys(
    "section chapter article clause paragraph page version step item no nr number room floor line table figure form"
    " level class type model route line unit"
)
ROUNDING = _keys(
    "about around roughly approximately approx nearly almost some circa ca estimated close order rund etwa ungefähr"
    " knapp environ unos"
)
APPROXIMATORS = ROUNDING | _keys(
    "over under above below than least most exceeding exceeds exceeded surpassing surpassed topped upward up"
)
FLOORS = _keys("over above more least exceeding exceeds exceeded surpassing surpassed topped upward")
_PAIRS = (
    "mandatory voluntary", "compulsory optional", "obligatory optional", "permitted banned", "allowed banned",
    "permitted barred", "allowed barred", "allow forbid",
    "allow prohibit", "allowed forbidden", "allowed prohibited", "permit forbid", "permit prohibit",
    "permitted forbidden", "permitted prohibited", "can cannot", "always never", "all none", "everyone nobody",
    "everything nothing", "before after", "above below", "over under", "more less", "more fewer", "most least",
    "maximum minimum", "max min", "increase decrease", "increased decreased", "increasing decreasing", "rise fall",
    "rose fell", "risen fallen", "grew shrank", "gain loss", "gained lost", "include exclude", "included excluded",
    "including excluding", "enable disable", "enabled disabled", "enable block", "open closed", "open close",
    "opened closed", "start end", "started ended", "begin end", "began ended", "first last", "earliest latest",
    "accept reject", "accepted rejected", "accept refuse", "accepted refused", "approve reject", "approved rejected",
    "approve deny", "approved denied", "grant deny", "granted denied", "confirm deny", "confirmed denied",
    "with without", "free paid", "mandatory optional", "required optional", "require waive", "required waived",
    "inside outside", "indoor outdoor", "indoors outdoors", "buy sell", "bought sold", "import export", "win lose",
    "won lost", "internal external", "public private", "day night", "morning evening", "safe dangerous",
    "safe hazardous", "early late", "earlier later", "high low", "higher lower", "highest lowest", "large small",
    "larger smaller", "largest smallest", "big small", "long short", "longer shorter", "longest shortest",
    "fast slow", "faster slower", "old new", "older younger", "older newer", "oldest youngest", "oldest newest",
    "hot cold", "warm cold", "wet dry", "positive negative", "success failure", "succeed fail", "succeeded failed",
    "pass fail", "passed failed", "true false", "correct wrong", "right wrong", "left right", "north south",
    "east west", "northern southern", "eastern western", "upper lower", "online offline", "manual automatic",
    "manually automatically", "temporary permanent", "temporarily permanently", "same different", "better worse",
    "best worst", "strong weak", "stronger weaker", "same-day next-day", "business calendar", "working calendar",
    "gross net", "arrival departure", "arrive depart", "sender recipient", "employer employee", "lessor lessee",
    "licensor licensee", "payer payee", "buyer seller", "landlord tenant", "borrower lender", "debit credit",
    "upload download", "add remove", "added removed", "encrypt decrypt", "encrypted unencrypted", "lock unlock",
    "male female", "man woman", "men women", "husband wife", "brother sister", "son daughter", "father mother",
    "boy girl", "he she", "his her", "up down", "upward downward", "hourly daily", "daily weekly", "daily monthly",
    "weekly monthly", "monthly yearly", "monthly annual", "monthly annually", "daily annually", "quarterly annually",
    "annual monthly", "vegetarian non-vegetarian", "half full", "part full", "cheaper dearer", "only any",
    "majority minority", "pre post", "deny allow", "support oppose", "supported opposed",
    "agree disagree", "agreed disagreed", "love hate", "cause prevent", "caused prevented", "causes prevents",
    "lowered raised", "raise lower", "raised lowered", "raise cut", "expand shrink", "improve worsen",
    "improved worsened", "improving worsening", "majority none", "domestic international", "domestic foreign",
    "at-least at-most", "voluntary compulsory", "legal illegal", "unlimited limited", "weekday weekend",
    "weekdays weekends", "refundable nonrefundable", "inbound outbound", "incoming outgoing", "primary secondary",
    "adult child", "adults children", "single double", "single married", "active passive",
    "direct indirect", "often rarely", "frequently rarely", "usually rarely", "usually never", "often never",
    "sometimes never", "sometimes always", "rarely always", "nothing something", "nobody somebody",
)  # fmt: skip
OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in _PAIRS:
    _one, _other = map(stem, _pair.split())
    OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
    OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}
_REVERSING = ("un", "non", "dis", "ir", "il", "im", "in")
# Words that begin like a reversal and are none.
_NO_REVERSAL = _keys("income inform input inside invest invent intent interest import impose impact improve press"
                         " display discharge discuss discover dispose disease distance increase include")  # fmt: skip
# Verbs and prepositions of which it makes no difference on which side a party stands.
SYMMETRIC = _keys(
    "and or with between meet met marry married border adjoin equal resemble is are was were be both versus vs plus"
    " alongside near beside like same co together also join joint differ different from to"
)
LEADING = _keys(
    "in on at by within during after before since until for from under over to when if as with without per via of up"
)


def opposites(one: str, other: str) -> bool:
    """Whether two words reverse each other: listed pairs, and `un-`, `non-`, `dis-` and kin before the same word."""
    if other in OPPOSITES.get(one, ()):
        return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    for prefix in _REVERSING:
        if long == prefix + short and len(short) >= 4 and long not in _NO_REVERSAL:
            return True
    return long == short + "less" or (long.endswith("less") and short.endswith("ful") and long[:-4] == short[:-3])
