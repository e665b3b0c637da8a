"""Statements of a story about eyes and hair, and on which hand, ear or leg something is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from writeros_entities import Evidence, Scene, Sentence, Story, gender_of

from ..word_lists import words
from .people import People

_EYES = {
    "blue": "blue azure sapphire cornflower",
    "green": "green emerald sea-green",
    "grey": "grey gray slate steel-grey steel-gray silver-grey silver silvery",
    "gold": "gold golden yellow",
    "red": "crimson scarlet ruby",
    "brown": "brown hazel chestnut amber dark black mahogany",
    "violet": "violet purple",
}
_HAIR = {
    "fair": "fair blond blonde golden gold yellow flaxen straw-coloured straw-colored sandy",
    "red": "red ginger auburn copper coppery russet carroty",
    "dark": "dark black brown raven chestnut jet-black jet",
    "white": "white grey gray silver silvery snow-white hoary",
}
_NEARLY = {
    "amber": "gold",
    "hazel": "green",
    "violet": "blue",
    "slate": "blue",
    "auburn": "dark",
    "russet": "dark",
    "chestnut": "red",
    "sandy": "red",
}
"""Words for a colour that many would also call by another."""

_HAIR_LIKE = "hair|curls|braids?|plaits?|locks|tresses|beard"
_SIDED = "hand|arm|ear|eye|leg|foot|knee|shoulder|cheek|wrist|finger|thumb|temple|hip|ankle|elbow"
_FLAWS = words(
    "deaf blind lame scar scarred limp limped limping patch burn burned burnt wound",
    "wounded broken missing lost ring signet bracelet tattoo birthmark glove hook",
    "crippled",
)


def _spellings(groups: dict[str, str]) -> dict[str, str]:
    return {word: name for name, words in groups.items() for word in words.split()}


COLOURS = {"eyes": _spellings(_EYES), "hair": _spellings(_HAIR)}
_EYE = "|".join(sorted(COLOURS["eyes"], key=len, reverse=True))
_HUE = "|".join(sorted(COLOURS["hair"], key=len, reverse=True))
_MOD = (
    r"(?:(?:very|pale|bright|dark|light|deep|clear|cold|quite|now|long|short|thick|curly|cropped"
    r"|soft|sharp|wide)[ ,]{1,2}){0,4}"
)
_PATTERNS = (
    ("eyes", re.compile(rf"\b{_MOD}(?P<value>{_EYE})(?:,? (?:and )?\w+)?[- ]eyes\b", re.I)),
    ("eyes", re.compile(rf"\b(?P<value>{_EYE})-eyed\b", re.I)),
    (
        "eyes",
        re.compile(rf"\beyes,? (?:which |that )?(?:were|are|was) {_MOD}(?P<value>{_EYE})\b", re.I),
    ),
    ("eyes", re.compile(rf"\beyes (?:of|as) (?:a )?{_MOD}(?P<value>{_EYE})\b", re.I)),
    ("hair", re.compile(rf"\b{_MOD}(?P<value>{_HUE}) (?:{_HAIR_LIKE})\b", re.I)),
    ("hair", re.compile(rf"\b(?P<value>{_HUE})-haired\b", re.I)),
    (
        "hair",
        re.compile(
            rf"\b(?:{_HAIR_LIKE}),? (?:which )?(?:(?:was|is|were|had been) )?{_MOD}"
            rf"(?P<value>{_HUE})\b",
            re.I,
        ),
    ),
)
_SIDE = re.compile(
    r"\b(?P<article>(?:the|an?|her|his) (?:[a-z]+ )?)?(?P<what>[a-z]+)"
    r"(?: (?:was|is|hung|hangs|sat|sits|shone|shines|glint(?:ed|s)|ran|runs|gleam(?:ed|s)))? "
    r"(?P<where>on|in|over|of|across|through|down) "
    rf"(?P<whose>the |her |his )(?P<side>left|right) (?P<part>{_SIDED})\b",
    re.I,
)
_FLAWED = re.compile(
    rf"\b(?:the |her |his )(?P<side>left|right) (?P<part>{_SIDED})(?: \w+)? "
    rf"(?:was|is|had been) (?:\w+ly )?(?P<what>{'|'.join(_FLAWS)})\b",
    re.I,
)
_THINGS = frozenset({"bracelet", "glove", "hook", "patch", "ring", "signet"})
"""Things among these that one may also hold: "took the ring in her left hand"."""

_MAY_TELL = re.compile(rf"eyes|-eyed|{_HAIR_LIKE}|left|right", re.I)
_HANDED = re.compile(r"\b(?P<side>left|right)-handed\b", re.I)
_PRONOUN = re.compile(r"\b(her|his|she|he)\b", re.I)
_NOT_HIS_OR_HERS = re.compile(r"\b(?:not|never|no|without)\b|n['’]t\b", re.I)
"""Between a person and what is not his or hers: "Ann was not", "Ann never had"."""
_ANOTHERS = re.compile(
    r"(?<!\bwas)(?<!\bis)(?<!\bhad)(?<!\bhas)(?<!,)\s(?:an?|the)\b"
    r"|\b(?:at|for|from|into|of|to|upon)\s*\Z",
    re.I,
)
"""Between a name and what is somebody else's: "Ann looked at the", "Ann bought a doll with"."""
_KEYS = {
    **dict.fromkeys(("eyes", "eye-colour", "eye-color", "eye"), "eyes"),
    **dict.fromkeys(("hair", "hair-colour", "hair-color"), "hair"),
}
_FOR_NOW = re.compile(r" (?:with|from)\b| in (?:the|that|this)\b|,? by (?:candle|fire|lamp|moon)")
"""Matches after a colour that something has for the time being: "black with rage"."""

_DREAMT = re.compile(r"\b(?:dream\w*|imagin\w*|pretend\w*|as though)\b", re.IGNORECASE)
_DYED = re.compile(r"\b(?:bleach|dye|wig)(?:d|s|ed|ing)?\b", re.I)
_OWNED = re.compile(r"['’]s?(?: (?!and\b|but\b|had\b|of\b|was\b)[a-z-]+,?){0,2} ")
"""Matches between an owner and a colour: "Ann's large, " dark eyes, but not "Ann's mother had "."""

_SOMEBODYS = re.compile(r"[a-z]['’]s?\s+(?:[\w-]+,?\s+){0,3}\Z|\b(?:man|woman|boy|girl)\b")
"""Matches between a pronoun and what is not the one's whom it means: "his mother's "."""
_SPOKEN_OF = re.compile(
    r"\b(?:an?|the)\s+(?:[\w-]+\s+){0,2}?(?:(?:boy|girl|man|woman)\b"
    r"|[\w-]+['’]s\s+(?:face|gaze|hand|head|mouth|voice)\b)",
    re.IGNORECASE,
)
"""Matches somebody without a name, whom a pronoun behind may mean: "the marine's face"."""
_BEGINS = re.compile(r"(?:.*[.:;,—–]\s*)?(?:(?!the\b)[\w-]+\s+){0,2}\Z", re.DOTALL | re.IGNORECASE)
"""Matches before a colour with which a line of a sheet, or a part of it, begins."""
_GOING_GREY = frozenset({"white"})


@dataclass(frozen=True, slots=True)
class Trait:
    """An attribute of a person: `value` as written, and `group` as normalised."""

    person: str
    what: str
    value: str
    group: str
    evidence: Evidence
    code: str

    def agrees(self, other: Trait) -> bool:
        """Say whether both can be true: shades of one colour agree, and hair may turn white.

        Dark eyes agree with any colour.
        """
        if self.group in other.groups or other.group in self.groups:
            return True
        if self.what == "eyes":
            return "dark" in (self.value, other.value)
        return self.what == "hair" and bool({self.group, other.group} & _GOING_GREY)

    @property
    def groups(self) -> set[str]:
        """The groups to which others would assign the value: hazel eyes are brown, or green."""
        return {self.group, _NEARLY.get(self.value, self.group)}


def read_traits(story: Story, people: People) -> Iterator[Trait]:
    """Yield the attributes of a story's people, those in notes first."""
    for person in story.people:
        for one in person.properties:
            what = _KEYS.get(one.key)
            found = [
                word
                for word in re.findall(r"[\w-]+", one.value.casefold())
                if what and word in COLOURS[what]
            ]
            is_one = len({COLOURS[what][word] for word in found if what}) == 1
            word = found[0] if is_one else None
            if what and word:
                yield Trait(person.id, what, word, COLOURS[what][word], one.evidence, what)
    yield from _in_sections(story, people)
    for scene in story.scenes:
        for index, sentence in enumerate(scene.sentences):
            yield from _in_sentence(people, scene, index, sentence)


def _in_sections(story: Story, people: People) -> Iterator[Trait]:
    """Yield the attributes in notes; of a note that gives several of a kind, without a word of
    whose they are, none of these.
    """
    told: dict[tuple[str, str, str], list[Trait]] = defaultdict(list)
    for scene in story.sections:
        for index, sentence in enumerate(scene.sentences):
            is_named = any(True for _ in people.names_in(sentence))
            for trait in _in_sentence(people, scene, index, sentence):
                if is_named or _PRONOUN.search(sentence.narration):
                    yield trait
                else:
                    told[trait.evidence.path, trait.person, trait.what].append(trait)
    for found in told.values():
        if all(trait.agrees(found[0]) for trait in found):
            yield from found


def _in_sentence(people: People, scene: Scene, index: int, sentence: Sentence) -> Iterator[Trait]:
    text = sentence.narration
    if not _MAY_TELL.search(text):
        return
    for what, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            owner = _owner(people, scene, index, sentence, found.start(), found.end())
            value = found["value"].casefold()
            is_so = not (_is_mixed(text, found, what) or _FOR_NOW.match(text, found.end()))
            is_so = is_so and not _DREAMT.search(text, 0, found.start())
            if owner and is_so and not (what == "hair" and _DYED.search(text)):
                yield Trait(owner, what, value, COLOURS[what][value], sentence.evidence, what)
    for pattern in (_SIDE, _FLAWED):
        for found in pattern.finditer(text):
            thing, part = found["what"].casefold(), found["part"].casefold()
            if pattern is _SIDE and not (_is_worn(found) if thing not in _FLAWS else _is_at(found)):
                continue
            owner = _owner(people, scene, index, sentence, found.start(), found.end())
            if owner and len(thing) > 2:
                side = found["side"].casefold()
                what = f"{_stem(thing)} ({part})"
                yield Trait(owner, what, side, side, sentence.evidence, "side")
    for found in _HANDED.finditer(text):
        owner = _owner(people, scene, index, sentence, found.start(), found.end())
        if owner:
            side = found["side"].casefold()
            yield Trait(owner, "handed", side, side, sentence.evidence, "side")


def _is_mixed(text: str, found: re.Match[str], what: str) -> bool:
    """Say whether a colour is part of a compound: "grey-green"."""
    first = re.search(r"(?<![a-z])([a-z]+)-\Z", text[: found.start("value")], re.IGNORECASE)
    return first is not None and first[1].casefold() in COLOURS[what]


def _is_worn(found: re.Match[str]) -> bool:
    """Say whether a thing is worn on a hand, not held in it or otherwise found there."""
    is_on = found["where"].casefold() == "on" and found["whose"].casefold() != "the "
    is_hand = found["part"].casefold() in ("hand", "finger", "wrist")
    return bool(found["article"]) and is_on and is_hand


def _is_at(found: re.Match[str]) -> bool:
    """Say whether a thing or a flaw is at a part of the body, and not held in a hand."""
    is_held = found["where"].casefold() == "in" and found["part"].casefold() == "hand"
    return not (is_held and found["what"].casefold() in _THINGS)


def _stem(word: str) -> str:
    return {"scarred": "scar", "burned": "burn", "burnt": "burn", "limped": "limp"}.get(word, word)


def _owner(
    people: People, scene: Scene, index: int, sentence: Sentence, start: int, end: int
) -> str | None:
    """Return the person whose attribute is in a span of a sentence, or None.

    "Ann's green eyes" and "Ann, green-eyed" are Ann's; "her green eyes" belong to the antecedent of
    "her"; in a note about a person, an attribute without an owner is that person's.
    """
    text = sentence.narration
    for name in people.names_in(sentence):
        after = text[name.end : start] if name.end <= start else None
        if after is not None and after.strip() in ("'s", "’s", "'", "’"):
            return None if name.rivals else name.entity
    pronouns = [p for p in _PRONOUN.finditer(text, 0, end) if start - 60 <= p.start()]
    near = [p for p in pronouns if p[0].casefold() in ("her", "his")] or pronouns
    if near:
        pronoun = near[-1]
        between = text[pronoun.end() : start]
        is_others = (
            ":" in between or _SOMEBODYS.search(between) or _SPOKEN_OF.search(text, 0, start)
        )
        if is_others or _NOT_HIS_OR_HERS.search(between):
            return None
        return people.referent(scene, index, pronoun.start(), gender_of(pronoun[0]))
    before = [
        name for name in people.names_in(sentence) if name.end <= start and not name.is_spoken
    ]
    after_it = [name for name in people.names_in(sentence) if 0 <= name.start - end <= 2]
    nearest = before[-1:] or after_it
    if nearest:
        between = text[nearest[0].end : start]
        is_other = (
            _NOT_HIS_OR_HERS.search(between)
            or _ANOTHERS.search(between)
            or (between[:1] in ("'", "’") and not _OWNED.fullmatch(between))
        )
        return None if nearest[0].rivals or is_other else nearest[0].entity
    is_own = "(" not in text[:start] and _BEGINS.fullmatch(text, 0, start)
    return scene.subject if is_own and scene.subject in people.by_id else None
