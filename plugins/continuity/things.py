"""Nouns for things that may be hidden or kept: which of them are things, and their other names.

things(["the bag of coins"]) == ["coins", "bag"]
other_names("revolver") has the stems of "gun" and "pistol"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..discovery.words import ANIMAL_NOUNS, VEHICLE_NOUNS
from ..english import TITLES
from ..word_lists import words

_ABSTRACT = re.compile(
    r"(?:ment|[ts]ion|ness|ity|ance|ence|ancy|ency|ship|ism|hood|dom|tude|ure|th|ing|[^e]ed)s?\Z"
)
"""Endings of nouns that mostly are not objects: "his disappointment", "her emotion"."""

_SIBILANT_PLURALS = ("ses", "xes", "zes", "oes", "ves", "ches", "shes")
_MUTE = ("se", "xe", "ze", "oe", "fe", "ve", "che", "she")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return a crude stem that a noun and its plural share: knives, knife; but not note and not."""
    word = word.casefold()
    if len(word) > 4 and word.endswith(("ies", "ie")):
        return f"{word.removesuffix('s')[:-2]}y"
    if len(word) > 4 and word.endswith(_SIBILANT_PLURALS):
        word = word[:-2]
    elif len(word) > 3 and word.endswith(("s", *_MUTE)) and not word.endswith("ss"):
        word = word[:-1]
    return f"{word[:-1]}f" if word[-1:] == "v" else word


def _stems(*lines: str) -> frozenset[str]:
    return frozenset(map(stem, words(*lines)))


_THINGS_ALL_THE_SAME = _stems(
    "bed bronzing cloth clothing document drawing earring engraving etching farthing fence figure",
    "fragment furniture garment harness instrument key-ring lance lotion miniature ointment",
    "ornament painting parchment pence picture potion prism ring sculpture sheath shed shilling",
    "signature sixpence sled sling stocking string tablecloth testament tooth treasure wreath",
)
"""Stems of nouns for things, in spite of their endings."""

_PLAIN = _stems(
    "thing time day night hand way door room house place man men woman women boy girl child",
    "people face eye head mind heart world life year word one it them somebody nothing",
    "something anything everything part end side moment minute hour name breath voice work",
    "matter mother father brother sister husband wife light dark town sea use morning evening",
    "week month business truth story lot bit arm finger foot feet tear smile feeling",
    "cheek ear lip mouth neck throat shoulder knee hope fear joy love anger secret",
    "here there nose chin brow fist palm body aunt uncle cousin son daughter baby friend",
    "yawn blush grin laugh sneeze cough frown wince sob sigh ire rage wrath grief shame pain",
    "pride delight chagrin surprise alarm horror disgust envy scorn contempt distress concern",
    "temper spleen mirth dismay tremor shudder shiver doubt guilt relief despair",
    "accent ankle belly bruise curl dread elbow expression freckle hair jaw knuckle leg limp lock",
    "memory nail panic past scar sorrow spot talent thigh thought thumb toe wrist wound wrinkle",
    "children crew dead dying family fugitive guest heir infant kid living old parent poor",
    "prisoner refugee servant sick slave soldier spy stranger thief victim wounded",
    "bicycle bike canoe car cart motorcycle opinion result truck van wagon",
)
"""Stems of nouns that are in every chapter, or no objects: they do not identify a set-up."""
_ANIMATED = frozenset(map(stem, ANIMAL_NOUNS | TITLES | VEHICLE_NOUNS))

_FAMILIES = (
    _stems("carbine derringer firearm gun musket pistol revolver rifle shotgun weapon"),
    _stems("blade dagger dirk knife penknife stiletto switchblade weapon"),
    _stems("blade cutlass rapier sabre saber sword weapon"),
    _stems("axe hatchet weapon"),
    _stems("envelope letter message missive note paper"),
    _stems("certificate contract deed document dossier file folder paper parchment testament"),
    _stems("book diary journal ledger manuscript notebook note-book paper volume"),
    _stems("painting photo photograph picture portrait snapshot canvas"),
    _stems("flashlight lamp lantern torch"),
    _stems("banknote cash coin gold guinea money note purse savings shilling sovereign wallet"),
    _stems("backpack bag bundle holdall pouch purse rucksack sack satchel suitcase"),
    _stems("box casket chest coffer package packet parcel tin trunk"),
    _stems("bottle flask phial poison vial whiskey whisky gin rum brandy"),
    _stems("bracelet brooch diamond earring emerald gem jewel jewellery jewelry locket necklace"),
    _stems("jewel necklace pearl pendant ring ruby sapphire treasure"),
    _stems("cell cellphone handset mobile phone telephone"),
    _stems("cord rope"),
)
"""Stems of nouns by which a story may call one thing."""


@lru_cache(maxsize=1 << 12)
def other_names(noun: str) -> frozenset[str]:
    """Return the stems of a noun, of the parts of a compound, and of nouns for the same thing."""
    own = frozenset(map(stem, (noun, *noun.split("-"))))
    return own.union(*(family for family in _FAMILIES if not own.isdisjoint(family)))


def things(phrases: Iterable[str]) -> list[str]:
    """Return the nouns of phrases, without those that are no objects; of "a bag of coins", both."""
    nouns = [
        part.split()[-1].strip("'’").casefold()
        for phrase in phrases
        for part in reversed(phrase.split(" of "))
        if part.strip() and part.split()[-1][0].islower()
    ]
    return [noun for noun in nouns if _is_thing(noun)]


def _is_thing(noun: str) -> bool:
    if len(noun) <= 2 or not noun.replace("-", "").isalpha():
        return False
    bare = stem(noun)
    if bare in _PLAIN or bare in _ANIMATED:
        return False
    return bare in _THINGS_ALL_THE_SAME or not _ABSTRACT.search(noun)
