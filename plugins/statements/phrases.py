"""The words that state a relation between the name before them and the name after them.

Each phrase stands under the kind that it means, as `kind: phrases`; `be` stands for every form of
"to be", "become" and "remain". Articles, possessive pronouns, "had", "has" and harmless adverbs are
left out of a text before it is compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from .happenings import DEADLY_NOW, ENDS, HAPPENS

_BY_KIND = {
    "spouse_of": "married, wed, be married to, be wed to, be wedded to, took to wife, "
    "taken to wife, marry",
    "betrothed_to": "be betrothed to, be engaged to, be to marry, be promised to",
    "parent_of": "gave birth to, given birth to, fathered, sired, bore, borne, begot, begotten",
    "child_of": "be born to, be son to, be daughter to",
    "guardian_of": "adopted, fostered, raised, raises, brought up",
    "ward_of": "be adopted by, be fostered by, be raised by, be brought up by",
    "relative_of": "be related to, be kin to",
    "ally_of": "be allied with, be allied to, allied with, allied to, be in league with, "
    "made alliance with, made common cause with, sided with, allied itself with, "
    "allied themselves with",
    "enemy_of": "be at war with, made war on, declared war on, went to war with, "
    "gone to war with, feuded with, feuds with, be at odds with, be enemies with",
    "friend_of": "befriended, be friends with, made friends with",
    "loves": "loves, loved, love, adores, adored, be in love with, fell in love with, "
    "fallen in love with",
    "hates": "hates, hated, hate, despises, despised, loathes, loathed",
    "fears": "fears, feared, fear, be afraid of",
    "trusts": "trusts, trusted, trust",
    "betrayed": "betrayed, turned on",
    "betrayed_by": "be betrayed by",
    "leads": "leads, led, lead, heads, commands, commanded, command, be in charge of, "
    "be in command of, took command of, taken command of",
    "led_by": "be led by, be headed by, be commanded by",
    "rules": "rules, ruled, rule, governs, governed, govern, reigns over, reigned over, "
    "reigns in, reigned in",
    "ruled_by": "be ruled by, be governed by",
    "captain_of": "captains, captained, captain, skippers, skippered",
    "captained_by": "be captained by, be skippered by",
    "successor_of": "succeeded",
    "predecessor_of": "be succeeded by",
    "serves": "serves, served, serve, be in service of, be in service to, be in employ of, "
    "be sworn to, swore fealty to, sworn fealty to, swore allegiance to, sworn allegiance to, "
    "be loyal to, be in pay of, entered service of",
    "served_by": "be served by",
    "advises": "advises, advised, advise, counsels, counselled",
    "protects": "protects, protected, protect, guards, guarded, guard",
    "protected_by": "be protected by, be guarded by",
    "founder_of": "founded, established, set up",
    "founded_by": "be founded by, be established by",
    "crew_of": "sails on, sailed on, serves aboard, served aboard, sails aboard, sailed aboard",
    "member_of": "belongs to, belonged to, belong to, joined, be one of, enlisted in, "
    "be sworn into",
    "works_at": "works for, worked for, work for, works at, worked at, work at, works in, "
    "worked in, be employed by, be employed at",
    "employs": "employs, employed, hired",
    "mentor_of": "taught, teaches, teach, trained, trains, train, mentored, mentors, "
    "tutored, tutors",
    "student_of": "be taught by, be trained by, be mentored by, be tutored by, studied under, "
    "studies under, be apprenticed to, learned from, learnt from, learns from",
    "born_in": "be born in, be born at, be born on, be born and raised in, be born and bred in",
    "died_in": "died in, died at, died on, perished in, perished at, perished on, drowned in, "
    "drowned at, drowned on, be killed in, be killed at, be killed on, be hanged in, "
    "be hanged at, be executed in, be executed at",
    "buried_in": "be buried in, be buried at, lies buried in, lay buried in",
    "killed": "killed, murdered, slew, assassinated, strangled, poisoned, beheaded, executed, "
    "hanged, slain",
    "killed_by": "be killed by, be murdered by, be slain by, be assassinated by, "
    "be strangled by, be poisoned by, be beheaded by, be executed by, died at hands of, "
    "died by hand of, perished at hands of",
    "wounded": "wounded, injured",
    "wounded_by": "be wounded by, be injured by",
    "captured": "captured, imprisoned, kidnapped, arrested",
    "captured_by": "be captured by, be imprisoned by, be kidnapped by, be arrested by",
    "imprisoned_in": "be imprisoned in, be imprisoned at, be held prisoner in",
    "rescued": "rescued, saved, freed",
    "rescued_by": "be rescued by, be saved by, be freed by, be set free by",
    "lives_in": "lives in, lived in, live in, lives at, lived at, live at, lives on, lived on, "
    "resides in, resided in, dwells in, dwelt in, dwells at, dwelt at, made home in, "
    "makes home in, makes home at, made home at, settled in",
    "comes_from": "comes from, come from, hails from, hailed from, grew up in, grown up in, "
    "grows up in, be raised in, be brought up in",
    "based_in": "be based in, be based at, be headquartered in, seat in, seat at",
    "located_in": "lies in, lay in, stands in, stood in, stands on, stood on, lies on, lay on, "
    "be situated in, be situated on, be located in, be located on",
    "connected_to": "be connected to, be joined to, leads to, runs to",
    "borders": "borders, bordered, borders on",
    "owns": "owns, owned, own, possesses, possessed",
    "owned_by": "be owned by",
    "wields": "wields, wielded",
    "creator_of": "built, invented, forged, composed, designed, authored, wrote, written, painted",
    "created_by": "be built by, be made by, be invented by, be forged by, be designed by, "
    "be written by, be created by, be composed by",
    "took_part_in": "fought in, fought at, took part in, survived",
    "worships": "worships, worshipped, prays to, prayed to",
    "replaced_by": "be replaced by",
    "replaces": "replaced, replaces",
}

_ENDED = {
    "spouse_of": "divorced, be divorced from",
    "member_of": "left, quit, deserted, resigned from, be expelled from, be cast out of",
    "ally_of": "broke with, broken with, broke alliance with, broken alliance with",
    "betrothed_to": "jilted, broke engagement to, broken engagement to, "
    "broke off engagement to, broken off engagement to",
}

PHRASES: Mapping[str, tuple[str, bool]] = {
    phrase: (kind, has_ended)
    for has_ended, told in ((False, (_BY_KIND, HAPPENS)), (True, (_ENDED, ENDS)))
    for kinds in told
    for kind, phrases in kinds.items()
    for phrase in phrases.split(", ")
}
"""For each phrase the kind of relation it means, and whether it says that this is over."""

BARE = frozenset(
    {
        *("marry", "love", "hate", "fear", "trust", "lead", "command", "rule", "govern", "captain"),
        *("serve", "advise", "protect", "guard", "belong to", "work for", "work at", "teach"),
        *("train", "live in", "live at", "come from", "own"),
    }
)
"""Phrases that state something of several only: "made Ann marry Bob" is no marriage."""

NEED_TYPES = frozenset(
    {"left", "quit", "deserted", "joined", "led", "lead", "leads", "heads", "rule", "command"}
    | {"leaves", "quits", "deserts", "joins"}
)
"""Phrases that say so much else that both types have to be known to fit."""

BETWEEN_EQUALS = frozenset({"replaced_by"})
"""Kinds that hold only between two of one type: somebody who replaced a book succeeds nobody."""

OF_PLACES = frozenset({"located_in", "connected_to", "borders"})
"""Kinds whose phrases say something else of anybody but a place: "Ann stood in Rivermouth"."""

TWO_OBJECTS = frozenset({"serves", "served", "serve", "saved", "saves", "hired", "hires", "bore"})
"""Verbs that may be followed by somebody and by what they are given: "served Ann tea"."""

OF_MOTION = frozenset({"raised", "raises", "bore"})
"""Verbs that may move somebody: "raised Ann to her feet"."""

OF_WORKS = frozenset(
    {
        *("built", "designed", "wrote", "written", "painted"),
        *("builds", "designs", "writes", "paints"),
    }
)
"""Verbs that may name for whom a thing is made before it: "built Ann a house"."""

DEADLY: Mapping[str, tuple[str, bool]] = dict.fromkeys(
    ("shot", "stabbed", "beat", "struck", "clubbed", "burned", "burnt", "hacked", *DEADLY_NOW),
    ("killed", False),
)
"""Verbs that kill where "dead" or "to death" follows."""

ELSE: Mapping[str, str] = dict.fromkeys(("belongs to", "belonged to", "belong to"), "owned_by")
"""What a phrase means where the types do not fit its first meaning: "the Heron belongs to Ann"."""

WITHIN_PLACES = frozenset({"born_in", "died_in", "lives_in", "buried_in", "located_in"})
"""Kinds that hold of a place if they hold of a place in it."""

PLACE_PREPOSITIONS = frozenset(
    {
        *("in", "at", "on", "above", "over", "under", "near", "beside", "behind", "among"),
        *("opposite", "outside", "inside", "within", "alone", "with"),
    }
)
"""Words with which begins where in a place somebody lives or something lies."""

LENGTHS_OF_TIME = frozenset({"days", "weeks", "months", "years", "time", "while", "life"})

SUBORDINATORS = frozenset(
    {
        *("after", "although", "as", "because", "before", "how", "if", "since", "than", "that"),
        *("though", "until", "what", "when", "where", "whether", "which", "while", "who", "whom"),
        *("whose", "why", "to", "he", "she", "they", "it", "i", "we", "you"),
    }
)
"""Words behind which a sentence may have another subject."""

NO_ADJUNCT = frozenset(
    {
        *SUBORDINATORS,
        *("and", "or", "but", "like", "from", "by", "not", "no", "be", "year"),
    }
)
"""Words by which something else is said than where: "was born in the year that"."""

JOINING = frozenset({",", "and", "of", "the"})
"""Words between the names of a list."""

OPENING = frozenset({",", "(", "—", "–", "-"})
"""Marks that begin an apposition."""

PLURAL_VERBS = frozenset({"are", "were", "have", "both"})

HEARSAY = frozenset(
    {
        *("they", "people", "some", "folk", "men", "women", "he", "she", "it", "rumour", "rumor"),
        *("perhaps", "maybe", "supposedly", "allegedly", "apparently", "seemingly", "possibly"),
    }
)
"""Words by which an aside takes back what is said around it: "Ann, they whisper, is the"."""

ASIDE_BREAKS = frozenset({"and", "or", "but", "nor", "who", "whose", "which", "of", "then"})
"""Words that do not go on with the sentence after an aside."""

ONES = frozenset({"man", "woman", "one", "boy", "girl"})
"""Nouns between "is the" and "who" that add nothing: "Ann is the woman who killed Bob"."""

HAVE = frozenset({"had", "has", "have"})

NAMED = frozenset({",", ":", "—", "–", "named", "called"})
"""Words and marks between what somebody is and their name: "a brother named Bob"."""

COUNTS = frozenset({"a", "an", "one", "two", "three", "four", "five", "six", "seven", "several"})
"""Words before those whom somebody has: "had two sons"."""

EMPLOYMENTS = frozenset(
    {
        *("apprentice", "archivist", "bosun", "captain", "chaplain", "clerk", "constable", "cook"),
        *("corporal", "curate", "deckhand", "doctor", "ensign", "footman", "gardener", "general"),
        *("governess", "groom", "guard", "guardsman", "housekeeper", "housemaid", "informer"),
        *("innkeeper", "journeyman", "librarian", "lieutenant", "maid", "major", "mate"),
        *("novice", "nurse", "officer", "porter", "priest", "professor", "recruit"),
        *("sailor", "scribe", "scullion", "sergeant", "servant", "soldier", "spy", "steward"),
        *("surgeon", "teacher", "tutor", "waiter", "warder", "watchman", "midshipman", "agent"),
    }
)
"""What somebody is in, at or on something: "a lieutenant in the Guild", "cook on the Heron"."""

EMPLOYED_IN = frozenset({"in", "at", "on", "aboard"})
"""Words between an employment and what it is in."""

EMPLOYED: Mapping[str, str] = {"faction": "member_of", "place": "works_at", "vehicle": "crew_of"}
"""What an employment is, by the type of what it is in."""

BE = frozenset(
    {"is", "was", "are", "were", "been", "became", "becomes", "remains", "remained", "got"}
)

FILLERS = frozenset(
    {
        *(
            "the",
            "a",
            "an",
            "his",
            "her",
            "their",
            "its",
            "our",
            "my",
            "your",
            "had",
            "has",
            "have",
        ),
        *("also", "still", "now", "then", "later", "soon", "long", "always", "indeed", "himself"),
        *("herself", "itself", "themselves", "already", "just", "even", "in truth", "again", "too"),
        *("quietly", "secretly", "finally", "openly", "eventually", "recently", "happily", "all"),
        *("faithfully", "loyally", "deeply", "dearly", "truly", "firmly", "formally", "gladly"),
    }
)
"""Words that change nothing in what a phrase states."""

OVER = frozenset({"once", "formerly", "former", "erstwhile", "ex", "one-time", "sometime"})
"""Words that say that something is over."""

ADJECTIVES = frozenset(
    {
        *("only", "eldest", "elder", "older", "oldest", "younger", "youngest", "twin", "first"),
        *("second", "third", "fourth", "last", "new", "present", "current", "late", "true", "good"),
        *("great", "old", "young", "dear", "beloved", "faithful", "loyal", "trusted", "trusty"),
        *("sworn", "bitter", "mortal", "close", "closest", "best", "lifelong", "devoted", "chief"),
        *("head", "self-styled", "rightful", "acting", "bastard", "natural", "legitimate", "sole"),
        *("widowed", "estranged", "crowned", "appointed", "named", "made", "elected", "proclaimed"),
        *("hereditary", "undisputed", "favourite", "favorite", "surviving", "humble", "longtime"),
        *("long-time", "greatest", "worst", "own", "real", "dead", "senior", "junior", "intimate"),
        *("particular",),
    }
)
"""Words that may stand before a role: "the eldest daughter of"."""

TITLES_OF_NO_PLACE = frozenset({"captain", "skipper", "commander"})
"""Titles of somebody who comes from the place behind "of": "Captain Vane of Harrowmouth"."""

TITLES: Mapping[str, str] = {
    "captain": "captain",
    "skipper": "captain",
    **dict.fromkeys(("king", "queen", "emperor", "empress", "duke", "duchess", "prince"), "ruler"),
    **dict.fromkeys(("princess", "baron", "baroness", "count", "countess", "earl"), "ruler"),
    **dict.fromkeys(("abbot", "abbess", "commander", "warden", "headmaster"), "leader"),
}
"""Titles before a name that, with "of" behind it, say what role it has there."""

AS_A_ROLE = frozenset(
    (verb, "as")
    for verb in (
        *("serves", "served", "works", "worked", "acts", "acted", "reigns", "reigned", "ruled"),
        *("rules", "trained", "trains"),
    )
)
"""Words before a role that say that somebody has it: "served as captain of the Heron"."""

LEARNED: Mapping[tuple[str, str], str] = {
    **dict.fromkeys((("learned", "from"), ("learnt", "from"), ("learns", "from")), "learned from"),
    **dict.fromkeys((("taught", "to"), ("teaches", "to")), "taught"),
}
"""Phrases around what is learned: "learned the trade from", "taught the trade to"."""

NO_LESSONS = frozenset(
    {
        *("about", "and", "everything", "fact", "facts", "lie", "little", "more", "much", "name"),
        *("names", "news", "nothing", "of", "reason", "rest", "rumour", "rumor", "secret", "that"),
        *("secrets", "something", "story", "tale", "this", "tidings", "to", "truth", "what", "who"),
        *("where", "whereabouts", "why", "how", "when", "day", "year", "lesson"),
    }
)
"""Words that show that something was heard or said, not a skill learned or taught."""

GENDERS: Mapping[str, str] = {
    **dict.fromkeys(("she", "her"), "she"),
    **dict.fromkeys(("he", "his", "him"), "he"),
    **dict.fromkeys(("they", "their", "them"), "they"),
}
"""Pronouns by the one that begins a sentence."""

NOUNS_OF_GENDER: Mapping[str, frozenset[str]] = {
    "she": frozenset(
        {
            *("woman", "girl", "lady", "maid", "mistress", "mother", "daughter", "sister", "wife"),
            *("aunt", "niece", "grandmother", "granddaughter", "queen", "princess", "duchess"),
            *("widow", "bride", "lass", "nun", "abbess", "countess", "baroness", "empress"),
            *("heroine", "priestess", "witch", "mum", "mom", "godmother", "stepmother", "heiress"),
        }
    ),
    "he": frozenset(
        {
            *("man", "boy", "gentleman", "lord", "master", "father", "son", "brother", "husband"),
            *("uncle", "nephew", "grandfather", "grandson", "king", "prince", "duke", "lad"),
            *("widower", "groom", "fellow", "monk", "abbot", "count", "baron", "emperor", "sir"),
            *("hero", "priest", "wizard", "dad", "godfather", "stepfather", "heir", "knight"),
        }
    ),
    "they": frozenset({"people", "men", "women", "folk", "boys", "girls", "brothers", "sisters"}),
}
"""Nouns for people whom a pronoun may mean."""

PREPOSITIONS = frozenset(
    {
        *("about", "against", "at", "behind", "beside", "by", "for", "from", "in", "into", "near"),
        *("of", "on", "onto", "over", "to", "towards", "under", "upon", "with", "without"),
    }
)

OPENERS = frozenset(
    {
        *PREPOSITIONS,
        *GENDERS,
        *("a", "after", "again", "all", "an", "and", "as", "before", "both", "but", "everywhere"),
        *("here", "how", "i", "it", "its", "later", "meanwhile", "my", "no", "now", "once", "only"),
        *("our", "out", "outside", "inside", "since", "so", "some", "soon", "still", "suddenly"),
        *("that", "the", "then", "there", "these", "this", "those", "though", "today", "tomorrow"),
        *("tonight", "until", "up", "we", "what", "when", "where", "while", "yesterday", "yet"),
        *("you", "your", "across", "along", "among", "around", "beyond", "down", "during", "past"),
    }
)
"""Words that have a capital only because they begin a sentence."""

SUBJECTLESS_VERBS = frozenset(
    {
        *(phrase.removeprefix("be ").split()[0] for phrase in PHRASES),
        *("arrived", "became", "began", "came", "comes", "escaped", "fell", "fled", "fought"),
        *("found", "gave", "goes", "got", "grew", "has", "had", "is", "was", "kept", "keeps"),
        *("lost", "met", "moved", "ran", "returned", "rose", "sailed", "saw", "spent", "started"),
        *("studied", "took", "travelled", "traveled", "turned", "wanted", "wants", "went", "won"),
        *("arrives", "begins", "escapes", "falls", "flees", "fights", "finds", "gives", "gets"),
        *("grows", "loses", "meets", "moves", "returns", "rises", "runs", "sails", "sees"),
        *("spends", "starts", "studies", "takes", "travels", "turns", "wins"),
    }
)
"""Verbs with which a sentence of a sheet begins that leaves its subject out."""

SECTIONS = frozenset(
    {
        *("about", "backstory", "background", "basics", "biography", "career", "childhood"),
        *("connections", "death", "description", "early life", "facts", "family", "fate"),
        *("history", "home", "in brief", "later life", "life", "notes", "origin", "origins"),
        *("overview", "past", "profile", "relations", "relationships", "role", "story", "summary"),
        *("who she is", "who he is", "who they are", "youth"),
    }
)
"""Headings of sections in which a sheet speaks of its subject, in small letters."""
