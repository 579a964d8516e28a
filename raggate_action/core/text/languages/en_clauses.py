"""Words by which the clauses of an English sentence are told apart; all in small letters.

Only what leaves little doubt is listed: a sentence whose verbs are not here stays one claim.
"""

from __future__ import annotations

import re


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What may join two propositions. "or" is not among them: of two alternatives neither is asserted.
JOINTS = frozenset(("and", "but", ";"))
# These join only behind a comma: "while" is otherwise of time, "yet" an adverb.
JOINTS_BEHIND_A_COMMA = frozenset(("while", "whereas", "yet"))

AUXILIARIES = _words(
    "is are was were has had does did can could may might must shall should will would cannot isn't aren't wasn't "
    "weren't hasn't haven't hadn't doesn't don't didn't can't couldn't mustn't shouldn't won't wouldn't needn't"
)
# Subject and verb in one word.
CONTRACTIONS = _words(
    "it's he's she's there's that's i'm you're we're they're i've you've we've they've it'll you'll we'll they'll "
    "he'll she'll"
)
SINGULAR = _words("is was has does isn't wasn't hasn't doesn't")
# Third person singular, hardly ever a plural noun.
VERBS = _words(
    "accepts achieves adds affects allows applies arrives asks becomes begins belongs brings carries closes comes "
    "comprises consists contains delivers depends describes determines ensues equals exceeds excludes exists expires "
    "explains follows gets gives goes happens includes informs involves keeps lacks lasts leads lets lies "
    "loses maintains makes meets occurs outperforms owns pays performs permits prevents produces prohibits provides "
    "reaches receives recommends refers remains removes replaces requires sends serves sits stays takes varies weighs "
    "opens saves sells"
)
# These may be nouns as well: verbs where what they act on begins right behind them, or right behind a pronoun or an
# abbreviation.
NOUN_OR_VERB = _words(
    "changes charges costs covers drops ends grants handles holds hosts lists limits loads measures needs notes offers "
    "orders plays ranks reduces reports rises sets shows starts stores supports tests tracks uses works returns runs "
    "scans partitions builds writes reads demands increases"
)
# Plain forms, finite behind a plural or a pronoun.
PLAIN_FORMS = _words(
    "accept add allow apply arrive become begin belong contain cost cover depend differ do end exceed exclude expire "
    "get give go have include involve keep last lie make meet need offer open close pay provide receive remain require "
    "run share start stay support take use vary want work"
)
PAST = _words("became began came chose fell flew gave grew knew rose ran sang saw spoke took went wore wrote")

DETERMINERS = _words(
    "a an the this these those my your our his her its their no any some all each every both another such"
)
# Behind one of these no verb stands: "the will", "of costs".
BEFORE_NOUNS = DETERMINERS | _words("of in on at for with from by to per about into over under and or")
OBJECTS = _words("it them him her us me")
PRONOUNS = _words("i you he she it we they")
PLURALS = _words("i you we they people children staff both these those men women")
PREPOSITIONS = _words(
    "about above across after against along among around as at before behind below beside besides between beyond by "
    "despite during except for from in inside into like near of off on onto out outside over past per regarding since "
    "than through throughout to toward towards under unlike until up upon via with within without according because "
    "due instead"
)
ADVERBS = _words(
    "also always then therefore thus hence likewise similarly now still only never usually often additionally "
    "currently generally typically normally sometimes consequently furthermore moreover already"
)
# They open a sentence and limit nothing of it.
OPENERS = _words(
    "yes no however additionally furthermore moreover also first firstly second secondly finally overall indeed "
    "similarly likewise sure certainly instead therefore thus consequently sorry unfortunately well"
)
EXAMPLES = frozenset(("for example", "for instance", "as an example"))
# What they open goes on for as long as the sentence does: who splits behind one, splits its scope.
SCOPES = _words(
    "if when whenever unless because although though whether that which who whom whose where wherever why how what "
    "lest once until till neither nor either whatever whoever so provided providing assuming suppose supposing given "
    "except rather respectively otherwise"
)
# Say when a thing holds.
TIMES = _words("while whilst as after before since once during upon")
# In the last proposition these may qualify the ones before it too.
CONDITIONS = _words("if when whenever unless except until till provided providing assuming respectively otherwise")
# What is reported need not be so.
REPORTS = _words(
    "say says said state states stated claim claims claimed think thinks thought believe believes believed know knows "
    "knew mean means meant show shows showed suggest suggests suggested report reports reported argue argues argued "
    "assume assumes assumed hope hopes hoped expect expects expected deny denies denied ensure ensures ensured "
    "guarantee guarantees check confirm note warn warns warned tell tells told imagine pretend seems"
)

WORD = re.compile(r"[^\W_]+(?:['’.,:/&-][^\W_]+)*|[,;]")
# What no split may part: quotations, parentheses, brackets, code, addresses.
WHOLE = re.compile(
    r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|`[^`]*`|(?<!\w)'[^']{1,200}'(?!\w)|"
    r"https?://\S+"
)
# One of these left over: something was opened and not closed, or an aside begins.
OPEN = re.compile(r"[\"“”„«»()\[\]{}`‘—]|\s[-–]\s|:(?=\s)")
