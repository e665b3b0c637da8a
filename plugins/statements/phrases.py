"""Phrases that state a relation between the name before them and the name after them.

They are listed as `kind: phrases`; `be` stands for all forms of "to be", "become" and "remain".
Articles, possessive pronouns, "had", "has" and harmless adverbs are removed from a text before it
is compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..word_lists import word_set
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
"""For each phrase its relation kind, and whether it says that the relation is over."""

BARE = frozenset(
    [
        "advise",
        "belong to",
        "captain",
        "come from",
        "command",
        "fear",
        "govern",
        "guard",
        "hate",
        "lead",
        "live at",
        "live in",
        "love",
        "marry",
        "own",
        "protect",
        "rule",
        "serve",
        "teach",
        "train",
        "trust",
        "work at",
        "work for",
    ]
)
"""Phrases that count only after a plural: in "made Ann marry Bob" there is no marriage."""

NEED_TYPES = word_set(
    "command deserted deserts heads joined joins lead leads leaves led left quit quits rule",
)
"""Phrases so ambiguous that both types must be known to fit."""

BETWEEN_EQUALS = frozenset({"replaced_by"})
"""Kinds between entities of the same type: a person who replaced a book succeeds nobody."""

SUFFERED = word_set(
    "betrayed_by captured_by killed_by led_by protected_by rescued_by served_by wounded_by",
)
"""Kinds whose participles may be about the subject: "Ann fled Rivermouth, betrayed by Bob"."""

OF_PLACES = frozenset({"borders", "connected_to", "located_in"})
"""Kinds whose phrases mean something else for a non-place: "Ann stood in Rivermouth"."""

OF_WORKS = word_set("builds built designed designs painted paints writes written wrote")
"""Verbs of making that may have an indirect object: "built Ann a house"."""

OF_PEOPLE = frozenset({"turned on"})
"""Phrases that mean something else of a thing: "turned on the lamp"."""

DEADLY: Mapping[str, tuple[str, bool]] = dict.fromkeys(
    ("shot", "stabbed", "beat", "struck", "clubbed", "burned", "burnt", "hacked", *DEADLY_NOW),
    ("killed", False),
)
"""Verbs that mean to kill if "dead" or "to death" follows."""

ELSE: Mapping[str, str] = dict.fromkeys(("belongs to", "belonged to", "belong to"), "owned_by")
"""A second meaning of a phrase, if the types do not fit the first: "the Heron belongs to Ann"."""

WITHIN_PLACES = frozenset({"born_in", "buried_in", "died_in", "lives_in", "located_in"})
"""Kinds that hold for a place if they hold for a place in it."""

LEARNED: Mapping[tuple[str, str], str] = {
    **dict.fromkeys((("learned", "from"), ("learnt", "from"), ("learns", "from")), "learned from"),
    **dict.fromkeys((("taught", "to"), ("teaches", "to")), "taught"),
}
"""Phrases around a skill: "learned the trade from", "taught the trade to"."""

NO_LESSONS = word_set(
    "about and day everything fact facts how lesson lie little more much name names news nothing",
    "of reason rest rumor rumour secret secrets something story tale that this tidings to truth",
    "what when where whereabouts who why year",
)
"""Words that show that something was heard or said, not that a skill was learned or taught."""
