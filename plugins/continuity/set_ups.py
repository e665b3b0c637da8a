"""Find set-ups without a payoff: what a reader is told to remember, and is never mentioned again.

true:  "She hid the brass key under the stone. She would need it."  …  no key ever after
false: "He locked the door."  (what everybody does to doors)

Nouns for things that may be hidden or kept: which of them are things, and their other names.

things(["the bag of coins"]) == ["coins", "bag"]
other_names("revolver") has the stems of "gun" and "pistol"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from writeros_entities import Finding, Scene, Sentence, Story

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


_THING = r"(?:(?!(?:to|in|on|at|by|as|for|from|with)\b)[\w'’-]+\s+){0,3}?[\w'’-]+"
_THE = r"(?:the|her|his|their|my|our|your|that|this|those|these)"
_A = rf"(?:{_THE}|a|an|one|two|three)"
_SHALL = r"(?:would|will|shall|['’]ll|['’]d) (?:(?:one day|soon|yet|surely|still|all) )?"
_NEEDED = re.compile(
    rf"\b{_SHALL}(?:need|want|be glad of|have need of|be sorry for|regret|find a use for) "
    rf"(?:(?P<it>it|them|those|these|that)\b|{_THE}\s+(?P<object>{_THING}))"
    r"(?=\s+(?:[a-z]+ly|again|before|when|if|on|in|at|for|to|one|some|and|or|but|as|more|yet|soon"
    r"|later|most)\b|\s*[.,;:!?—–\"”’]|\s*\Z)",
    re.I,
)
"""Says that somebody will want a thing, named here or in the words before."""

_MATTERS = re.compile(
    rf"\b(?:(?P<it>it|they|that)|{_A}\s+(?P<object>{_THING})) "
    rf"(?:{_SHALL}matter|(?:{_SHALL}|might |may |could )come in (?:useful|handy))\b",
    re.I,
)
_ITS_DAY = re.compile(r"\b(?P<it>its|their) (?:day|hour|time|use) (?:would|will) come\b", re.I)
_REMEMBER = re.compile(
    r"(?:\A\W*(?:\w+, )?|\b(?:must|you['’]ll|please) (?:always )?)"
    rf"(?:remember|don['’]t forget|do not forget|never forget|mark) {_A}\s+(?P<object>{_THING})"
    r"(?=\s*[.,;:!?—–\"”’]|\s+(?:in|on|under|behind|of)\b)",
    re.I,
)
_DAY = r"(?:day|time|hour|night|morning|moment|occasion)"
_KEPT = re.compile(
    r"\b(?:kept|keeps?|keeping|saved|saves|saving|store[sd]?) "
    rf"(?:(?P<it>it|them|one)|{_A}\s+(?P<object>{_THING})) "
    rf"(?:for (?:(?:another|that) (?:\w+ )?{_DAY}|the (?:\w+ )?{_DAY} (?:on which|that|when)"
    rf"|(?:an?|some|the) (?:better|big|cold|dark|great|proper|rainy|right|special|wet) {_DAY})"
    r"|for (?:later|when)|against the (?:day|hour|time)|in case|safe|aside)\b(?! (?:to|as)\b)",
    re.I,
)
_BY_THEN = re.compile(
    r"\b(?:would|will|shall|['’]ll|['’]d)\b[^.;!?]{0,60}?\b(?:before|by the time) "
    r"(?:[\w'’-]+ ){1,3}(?:was|is|were|are) (?:out|over|up|done|through)\b",
    re.I,
)
"""Matches a promise about a thing that its sentence points at ("that pistol") or names twice."""

_WHO = r"(?:\b(?:I|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|you|who|and|then)|(?<![\w’'-])[A-Z][\w’'-]+|,)\s+"
_PUT = r"(?:hid|hides?|hidden|hiding|conceal(?:ed|s|ing)|bur(?:ied|ies|ying)|sewed|sews)"
_PUT_BY = (
    r"(?:lock(?:ed|s|ing)|seal(?:ed|s|ing)|tuck(?:ed|s|ing)|pocket(?:ed|s|ing)"
    r"|slip(?:ped|s|ping)|stow(?:ed|s|ing)|entrust(?:ed|s|ing))"
)
_OWN = r"(?:his|her|my|their|your)"
_CLOTHES = (
    "coat|jacket|cloak|cape|sleeve|shirt|trousers|jeans|collar|bodice|bosom|belt|waistband|apron"
    "|pocket|skirt|gown|robe|boot|shoe|hat|cap|glove|shawl"
)
_BAGS = "bag|handbag|purse|briefcase|satchel|rucksack|pack"
_TIME = (
    r"\s+(?:the|an?)\s+(?:afternoon|dark|darkness|end|evening|hurry|meantime|morning|night|rain|rush"
    r"|sun|daytime)\b"
)
_DOOR = r"\s+(?:the|an?|his|her|my|their)\s+(?:\w+\s+)?door\b"
"""Matches behind "under", for where one slips a letter."""
_PLACED = re.compile(
    rf"(?:{_WHO})(?:(?:had|has|have|\w+ly|now|also)\s+){{0,3}}"
    rf"(?:(?P<hidden>{_PUT})|(?P<put>{_PUT_BY}))\s+"
    r"(?:the|an?|her|his|their|my|one|two|three|some|both(?: the)?|[A-Z][\w’'-]*['’]s)\s+"
    rf"(?P<object>{_THING})"
    rf"\s+(?:in(?! front|{_TIME})|into|under(?!{_DOOR})|behind|beneath|inside|away|between|among"
    r"|at the (?:bottom|back) of)\b"
    rf"(?P<on_person>\s+{_OWN}\s+(?:[\w'’]+\s+)?(?:{_CLOTHES}|{_BAGS})\b)?"
    r"(?!\s+(?:a|his|her|my|their|the)\s+(?:[\w'’]+\s+)?(?:smile|laugh|grin|cough|yawn|mask|jest|joke"
    r"|veil|show|look|air|silence|heart|breast|mind|voice|walk)\b)"
    rf"(?!\s+{_OWN}\s+(?:arm|chin|elbow|back(?! (?:door|fence|garden|room|seat|wall|yard)))\b)"
    r"(?!\s+(?:him|her|them|me|us)\b(?!\s+\w))"
)
"""Matches a person putting a thing out of sight: into a place, and not behind a smile."""

_STRUCK = re.compile(
    r"\bbur\w+ (?:[\w'’-]+ ){1,3}(?:arrow|axe|ball|blade|bullet|claws|dagger|fangs|fork|hatchet"
    r"|hook|knife|needle|pick|pitchfork|shovel|spade|spear|sword|talons|teeth) in"
)
"""Matches a blade, a tool or a ball that is buried in what it strikes."""
_EVERYDAY = re.compile(
    rf"(?:{_CLOTHES}|blanket|coverlet|handkerchief|napkin|quilt|scarf|sheet|towel|cigarette|glasses"
    r"|bolt|latch|lighter|mobile|pen|pencil|phone|spectacles|telephone|umbrella|wallet)s?\Z"
)
"""Matches what one tucks in or pockets every day, without hiding it."""

_PHRASE = re.compile(
    r"\b(?:the|a|an|her|his|their|my|your|our|this|that|one|two|three|some)\s+"
    r"(?P<noun>(?:[^\W\d_][\w'’-]*\s+){0,3}?[^\W\d_][\w'’-]*)"
    r"(?=\s+(?:of|in|into|on|at|under|behind|beneath|from|with|for|to|that|which|who|and|or|but|was"
    r"|is|were|had|would|will|until|against|away|inside|where|when|as|by|between|among|lay|hung"
    r"|stood|she|he|they|it|up|down|back|if|so|because|out|off|over)\b|\s*[.,;:!?—–)\"”’]|\s*\Z)",
    re.I,
)
_INTO = re.compile(
    r"\b(?:at|behind|beneath|from|in|inside|into|on|onto|over|through|to|under|upon)\s+\Z", re.I
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPOTHETICAL = re.compile(
    r"\b(?:if|wish|as though|not|never|nobody|no one|dream\w*|imagin\w*|pretend\w*)\b|n['’]t\b",
    re.I,
)

_MARKERS = (_NEEDED, _MATTERS, _ITS_DAY, _REMEMBER, _KEPT, _BY_THEN)
_POINTED = re.compile(r"\b(?:this|that|these|those)\s+(?P<noun>[^\W\d_][\w-]+)")
MARKED = 0.6
DONE = 0.4
_NAMED = 2
"""How many sentences must name a thing that somebody merely puts into a pocket."""


@dataclass(frozen=True, slots=True)
class _SetUp:
    """The things that a sentence sets up, by its index in the scene."""

    index: int
    objects: list[str]
    confidence: float


def check(story: Story) -> Iterable[Finding]:
    """Return set-ups whose objects no later sentence names."""
    told = [scene for scene in story.scenes if scene.sentences]
    words = _Words(told)
    for number, scene in enumerate(told):
        last = told[-1]
        if (last.position or 0) <= (scene.position or 0):
            continue
        for set_up in _one_of_each(_set_ups(scene, words)):
            proof = scene.sentences[set_up.index].evidence
            # Another mention right after it, in the next sentence, is not yet a payoff.
            here = proof.start + 2 * len(proof.quote)
            names = (name for noun in set_up.objects for name in other_names(noun))
            if any(words.come_later(name, number, here) for name in names):
                continue
            message = f"“{set_up.objects[-1]}” is set up here, and does not come up again."
            proofs = (proof, last.sentences[-1].evidence)
            quotes = (proof.quote,)
            yield Finding("not-taken-up", message, proofs, set_up.confidence, (), "hint", quotes)


def _one_of_each(set_ups: Iterable[_SetUp]) -> list[_SetUp]:
    """Return the surest set-up of each object in a scene: it may be both hidden and marked."""
    best: dict[str, _SetUp] = {}
    for one in set_ups:
        known = best.setdefault(stem(one.objects[-1]), one)
        if one.confidence > known.confidence:
            best[stem(one.objects[-1])] = one
    return sorted(best.values(), key=lambda one: one.index)


def _set_ups(scene: Scene, words: _Words) -> Iterable[_SetUp]:
    """Return what the sentences of a scene set up; of one sentence, the last that is found."""
    found: dict[int, _SetUp] = {}
    for index, sentence in enumerate(scene.sentences):
        if not _may_set_up(sentence.text, sentence.narration):
            continue
        placed = list(_placed(sentence, words))
        if placed:
            found[index] = _SetUp(index, placed, DONE)
        for about, objects in _marked(scene, index):
            found[about] = _SetUp(about, objects, MARKED)
    return found.values()


@lru_cache(maxsize=1 << 14)
def _may_set_up(text: str, narration: str) -> bool:
    """Say whether a sentence has the words of a set-up: few do, and briefs ask about the same."""
    if _HYPOTHETICAL.search(text) or "?" in narration:
        return False
    return _PLACED.search(narration) is not None or any(one.search(text) for one in _MARKERS)


class _Words:
    """The words of scenes, and the parts of compounds: in which scenes each of them stands."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self._scenes = scenes

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, scene in enumerate(self._scenes):
            for word in _words_of(sentence.text for sentence in scene.sentences):
                numbers.setdefault(word, []).append(number)
        return numbers

    def are_repeated(self, word: str) -> bool:
        """Say whether `_NAMED` sentences have a word, in as many scenes or in fewer."""
        numbers = self._numbers.get(word, ())
        if len(numbers) >= _NAMED:
            return True
        found = (one for number in numbers for one in self._scenes[number].sentences)
        return sum(word in _words_of([sentence.text]) for sentence in found) >= _NAMED

    def come_later(self, name: str, number: int, offset: int) -> bool:
        """Say whether a word of a stem stands in a later scene, or in this one from an offset on.

        The offset is one of the file.
        """
        return any(
            self._numbers[word][-1] > number
            or (self._numbers[word][-1] == number and self._stands_behind(word, number, offset))
            for word in self._by_stem.get(name, ())
        )

    def _stands_behind(self, word: str, number: int, offset: int) -> bool:
        behind = (one for one in self._scenes[number].sentences if one.evidence.start > offset)
        return any(word in _words_of([sentence.text]) for sentence in behind)

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for word in self._numbers:
            found.setdefault(stem(word), []).append(word)
        return found


def _words_of(texts: Iterable[str]) -> set[str]:
    found = {*_WORD.findall("\n".join(texts).casefold())}
    return found.union(*(word.split("-") for word in found if "-" in word))


def _placed(sentence: Sentence, words: _Words) -> Iterator[str]:
    """Yield the things that a sentence puts away: "hid the brass key".

    Things go into pockets and drawers in every chapter: these count only if the story names them
    repeatedly; so do those that are hidden in the clothes that one wears.
    """
    for found in _PLACED.finditer(sentence.narration):
        if _STRUCK.search(sentence.narration, found.start()):
            continue
        is_hidden = found["hidden"] and not found["on_person"]
        for noun in things([found["object"]]):
            if is_hidden or (words.are_repeated(noun) and not _EVERYDAY.match(noun)):
                yield noun


def _marked(scene: Scene, index: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the things that a sentence says will matter, with the index of the sentence naming
    them.

    In direct speech this counts only if the narrator names the thing too; and what is needed, or
    matters, must have been named or pointed at: nobody has shown the reader "a drink" that she
    would need.
    """
    sentence = scene.sentences[index]
    for marker in _MARKERS:
        found = marker.search(sentence.text)
        if not found:
            continue
        about, objects = _objects(scene, index, found)
        is_spoken = sentence.narration[found.start() : found.end()] != found[0]
        if is_spoken and not _is_told(scene, index, objects):
            continue
        is_new = marker in (_NEEDED, _MATTERS) and about == index and not _POINTED.search(found[0])
        if objects and not (is_new and not _is_shown(scene, index, found.start(), objects)):
            yield about, objects


def _objects(scene: Scene, index: int, found: re.Match[str]) -> tuple[int, list[str]]:
    """Return the nouns that a marker is about, with the index of their sentence.

    They are in the marker itself; or "it" refers to nouns before it, in this sentence or the
    previous one; or the sentence points at them or names them twice ("a button … that button").
    """
    groups = found.groupdict()
    if groups.get("object"):
        return index, things([groups["object"]])
    text = scene.sentences[index].text
    if not groups:
        nouns = _nouns(text)
        twice = [noun for noun, count in Counter(nouns).items() if count > 1]
        return index, twice or things(one["noun"] for one in _POINTED.finditer(text))
    own = _nouns(text[: found.start()])
    if own or index == 0:
        return index, own
    before = scene.sentences[index - 1]
    is_near = before.paragraph == scene.sentences[index].paragraph
    return index - 1, _nouns(before.text) if is_near else []


def _is_told(scene: Scene, index: int, objects: Iterable[str]) -> bool:
    """Say whether the narrator names one of the objects, in the scene up to a sentence."""
    return _has_one((one.narration for one in scene.sentences[: index + 1]), objects)


def _is_shown(scene: Scene, index: int, offset: int, objects: Iterable[str]) -> bool:
    """Say whether a scene names one of the objects before an offset of a sentence."""
    before = (one.text for one in scene.sentences[:index])
    return _has_one((scene.sentences[index].text[:offset], *before), objects)


def _has_one(texts: Iterable[str], objects: Iterable[str]) -> bool:
    stems = {stem(noun) for noun in objects}
    return any(stem(word) in stems for text in texts for word in _WORD.findall(text.casefold()))


def _nouns(text: str) -> list[str]:
    """Return the things that a text names, places first: "the drawer", "a pistol"."""
    found = list(_PHRASE.finditer(text))
    return things(
        one["noun"] for is_place in (True, False) for one in found if _is_place(one) is is_place
    )


def _is_place(phrase: re.Match[str]) -> bool:
    return _INTO.search(phrase.string, 0, phrase.start()) is not None
