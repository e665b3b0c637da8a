"""Find names that are written in two ways: one is the vault's, the other most likely a slip.

true:  "Jynx hired him" in one sheet, where everybody else calls him Jinx
true:  "the Thyrm Gate" beside the note "Thrym Gate"
true:  [[Gate: Begin]], which leads nowhere, beside the note "Gate Begin"
false: "the Kadizans" beside Kadizar: an ending is no slip
false: "in Brenton" beside Miss Trenton: another first letter is another name
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from writeros_entities import Evidence, Finding, NamedSpan, Story, StoryEntity

from ..discovery.words import CALENDAR, PEOPLES
from ..english import ARTICLES, COMMON_WORDS, MONTHS_AND_DAYS, PARTICLES, TITLES

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_SLIPS = (
    TITLES
    | PARTICLES
    | ARTICLES
    | COMMON_WORDS
    | MONTHS_AND_DAYS
    | {word.casefold() for word in CALENDAR | PEOPLES | {"Christ", "Old", "Young", "Of"}}
)
_UNTELLING = TITLES | PARTICLES | ARTICLES
_VOWELS = frozenset("aeiouyàáâäãèéêëìíîïòóôöõùúûü")
_DOUBLE = re.compile(r"(\w)\1")
_POSSESSIVE = re.compile(r"['’]s?$")

_SHORTEST = 4
_SHORTEST_SWAPPED = 3
_SHORTEST_CHANGED = 5
_SHORTEST_LEFT_OUT = 7
"""Letters of the shortest names, and of those in which letters are swapped, or one is changed or
left out.
"""
_OFTEN: Mapping[str, int] = {"noted": 0, "linked": 1, "known": 1, "suggested": 3}
"""Places that must have a name before slips of it are looked for, by the entity's status."""
_SMALL = 10
"""How many times as often with a capital as without one a name is written."""
_SHARE = 4
"""How many times as often as a slip a name is written, if the slip is written more than twice."""
_RARE = 2
_SHOWN = 3
"""How many places of a slip a finding shows."""

SLIP = 0.55


@dataclass(slots=True)
class _Written:
    """A word with a capital, and the places that have it.

    It `stands_inside` one of them, or one of them is the text of a link that leads nowhere.
    """

    word: str
    places: list[Evidence] = field(default_factory=list)
    stands_inside: bool = False
    is_broken_link: bool = False


def check(story: Story) -> Iterator[Finding]:
    """Return each word that is nearly a name of the vault, and written more seldom, once."""
    written, small = _words(story)
    names = _names(story, written, small)
    heard: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for key in _keys(name):
            heard[key].append(name)
    known = _known(story)
    for folded, found in written.items():
        if folded in small or folded in _NO_SLIPS or len(folded) < _SHORTEST_SWAPPED:
            continue
        near = {name for key in _keys(folded) for name in heard.get(key, ())}
        if folded in known:
            near &= known[folded]
        meant = [name for name in near if _is_meant(found, name, names[name], written.get(name))]
        if len(meant) == 1:
            yield _finding(story, found, meant[0], written.get(meant[0]), names[meant[0]])
    yield from _broken_links(story)


def _finding(
    story: Story, slip: _Written, word: str, name: _Written | None, entity: StoryEntity
) -> Finding:
    """Return a finding that shows the places of a slip, first the nearest to one of the name."""
    shown = next(one for one in _words_of(entity) if _fold(one) == word)
    whole = "" if shown == entity.name else f", of {entity.name}"
    message = f"{slip.word} is nearly {shown}{whole}: the same in another spelling?"
    wrong, right = _nearest(slip.places, name.places if name else _sheet(story, entity))
    others = [place for place in dict.fromkeys(slip.places) if place not in (wrong, right)]
    proofs = (*([right] if right else []), wrong, *others[: _SHOWN - 1])
    words = tuple(sorted((slip.word, shown)))
    return Finding("spelling", message, proofs, SLIP, (entity.id,), words=words)


def _nearest(slips: list[Evidence], names: Sequence[Evidence]) -> tuple[Evidence, Evidence | None]:
    """Return a slip and the name, of one note if there is one that has both, else the first."""
    for slip in slips:
        for name in names:
            if name.path == slip.path and name.start != slip.start:
                return slip, name
    other = next((name for name in names if name.path != slips[0].path), None)
    return slips[0], other


def _is_meant(slip: _Written, name: str, entity: StoryEntity, written: _Written | None) -> bool:
    """Say whether a word is a slip of a name, and rarer.

    Once or twice, among the other words of a noted name or as a link that leads nowhere, it is a
    slip however seldom the name itself is written.
    """
    is_in_phrase = _stands_in_phrase(slip, name, entity)
    if not (is_in_phrase or is_slip(_fold(slip.word), name, inside=slip.stands_inside)):
        return False
    is_sure = entity.status == "noted" and (is_in_phrase or slip.is_broken_link)
    return (is_sure and len(slip.places) <= _RARE) or _is_rarer(slip, written, entity)


def _stands_in_phrase(slip: _Written, name: str, entity: StoryEntity) -> bool:
    """Say whether the other words of a longer name stand beside a slip: "Ravenhod Grange".

    There, any one letter may be another. One common word, or a title, is not enough.
    """
    folded = _fold(slip.word)
    if min(len(folded), len(name)) < _SHORTEST_CHANGED or abs(len(folded) - len(name)) > 1:
        return False
    for form in _forms_of(entity):
        words = {_fold(word) for word in _WORD.findall(form)}
        others = words - {name} - _UNTELLING
        if name in words and (len(others) > 1 or others - _NO_SLIPS):
            phrase = _fold(form).replace(name, folded)
            if any(phrase in _fold(place.quote) for place in slip.places):
                return True
    return False


def _sheet(story: Story, entity: StoryEntity) -> Sequence[Evidence]:
    """Return the first sentence of the note about an entity, whose title alone has the name."""
    own = (one for one in story.sections if one.subject == entity.id and one.sentences)
    return [one.sentences[0].evidence for one in islice(own, 1)]


def _broken_links(story: Story) -> Iterator[Finding]:
    """Yield links that lead nowhere, and are a note's name but for punctuation and spaces."""
    noted = {
        _bare(form): (form, entity)
        for entity in story.entities.values()
        if entity.status == "noted"
        for form in _forms_of(entity)
    }
    for entity in story.entities.values():
        form, meant = noted.get(_bare(entity.name), ("", None))
        if (
            entity.status != "linked"
            or "[" in entity.name
            or meant is None
            or _fold(form) == _fold(entity.name)
        ):
            continue
        slips = [one.evidence for one in story.sentences_of(entity.id)]
        names = [one.evidence for one in story.sentences_of(meant.id)]
        if slips:
            wrong, right = _nearest(slips, names or _sheet(story, meant))
            proofs = (wrong,) if right is None else (right, wrong)
            message = f"{entity.name} is nearly {form}: the same in another spelling?"
            words = tuple(sorted((entity.name, form)))
            yield Finding("spelling", message, proofs, SLIP, (meant.id,), words=words)


def _bare(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(filter(str.isalnum, name.casefold()))


def _words(story: Story) -> tuple[dict[str, _Written], Counter[str]]:
    """Return the words with a capital, folded, and how often each is written without one."""
    written: dict[str, _Written] = {}
    small: Counter[str] = Counter()
    for text, place, names in _texts(story):
        named = {name.start: (name, story.entities[name.entity]) for name in names}
        for found in _WORD.finditer(text):
            name = named.get(found.start())
            end = found.end() if name is None else min(found.end(), _end(*name))
            word = _POSSESSIVE.sub("", text[found.start() : end])
            if not word[0].isupper():
                small[_fold(word)] += 1
            elif len(word) >= _SHORTEST_SWAPPED:
                one = written.setdefault(_fold(word), _Written(word))
                one.places.append(place)
                one.stands_inside |= name is not None or _stands_inside(text, found)
                one.is_broken_link |= name is not None and name[1].status == "linked"
    return written, small


def _end(span: NamedSpan, entity: StoryEntity) -> int:
    """Return where a name ends in a sentence, without the ending of its case."""
    is_inflected = span.surface.startswith(entity.name)
    return span.start + len(entity.name) if is_inflected else span.end


def _texts(story: Story) -> Iterator[tuple[str, Evidence, tuple[NamedSpan, ...]]]:
    """Yield the sentences of all notes, then what their properties say, each with its place and
    the names in it.
    """
    for scene in (*story.scenes, *story.sections):
        for sentence in scene.sentences:
            yield sentence.text, sentence.evidence, sentence.names
    for entity in story.entities.values():
        for stated in entity.properties:
            yield stated.value, stated.evidence, ()


def _stands_inside(text: str, word: re.Match[str]) -> bool:
    """Say whether a word has its capital for another reason than that it begins a sentence."""
    before = text[max(0, word.start() - 2) : word.start()].rstrip()[-1:]
    return before.isalpha() or before == "," or text[word.end() + 1 :][:1].isupper()


def _fold(word: str) -> str:
    """Return a word in lower case, with one kind of apostrophe."""
    return word.casefold().replace("’", "'")


def _names(
    story: Story, written: Mapping[str, _Written], small: Mapping[str, int]
) -> dict[str, StoryEntity]:
    """Return the words of names that are written often enough, each with its entity.

    A name that is also written small is one if that is seldom so.
    """
    found: dict[str, StoryEntity] = {}
    for entity in story.entities.values():
        for word in _words_of(entity):
            folded = _fold(word)
            often = len(written[folded].places) if folded in written else 0
            is_name = word[0].isupper() and small.get(folded, 0) * _SMALL <= often
            if is_name and often >= _OFTEN[entity.status]:
                found.setdefault(folded, entity)
    return {word: entity for word, entity in found.items() if word not in _NO_SLIPS}


def _known(story: Story) -> dict[str, set[str]]:
    """Return the words of all that has a note, each with the names of which it may be a slip.

    A person's names and a name of one word are meant as they are written. Another word of a longer
    name may be a slip of a name of one word: "the Siege of Ravenshold" beside "Ravenhold".
    """
    noted = [entity for entity in story.entities.values() if entity.status == "noted"]
    forms = [(entity, _WORD.findall(form)) for entity in noted for form in _forms_of(entity)]
    alone = {_fold(words[0]) for _, words in forms if len(words) == 1}
    found: dict[str, set[str]] = {}
    for entity, words in forms:
        for word in map(_fold, words):
            found[word] = set() if entity.is_personal or len(words) == 1 else alone
    return found | {word: set() for word in alone}


def _words_of(entity: StoryEntity) -> Iterator[str]:
    for form in _forms_of(entity):
        yield from _WORD.findall(form)


def _forms_of(entity: StoryEntity) -> Iterator[str]:
    yield entity.name
    yield from (name.form for name in entity.names if name.kind != "link_text")


def _is_rarer(slip: _Written, name: _Written | None, entity: StoryEntity) -> bool:
    """Say whether a name is written more often than its slip; its note counts as one place."""
    often = (len(name.places) if name else 0) + (entity.status == "noted")
    count = len(slip.places)
    return count < often and (count <= _RARE or count * _SHARE <= often)


def _keys(word: str) -> set[str]:
    """Return what two words of which one is a slip of the other share: as spoken, without one
    letter (or none), with its letters in order.
    """
    shorter = {word[:at] + word[at + 1 :] for at in range(1, len(word))}
    return {_spoken(word), word[0] + "".join(sorted(word)), word} | shorter


def is_slip(one: str, other: str, *, inside: bool) -> bool:
    """Say whether two words are one but for the hand that wrote them.

    They sound the same, or two neighbouring letters are swapped; in longer words, a vowel or
    another letter is changed, or one is left out. The first and the last letter are the same
    (another ending is another word), but for one that is doubled or swapped. Letters that are
    changed, left out or swapped in a short word are taken for a slip only of a word that does not
    merely begin sentences.
    """
    if one[0] != other[0] or one == other:
        return False
    shorter, longer = sorted((one, other), key=len)
    if _spoken(one) == _spoken(other):
        return len(shorter) >= _SHORTEST
    if len(one) == len(other):
        places = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(places) == 2 and places[1] == places[0] + 1:
            first, second = places
            is_long = len(one) >= _SHORTEST_CHANGED
            is_swapped = one[first] == other[second] and one[second] == other[first]
            return is_swapped and (inside or is_long)
        if len(places) != 1 or places[0] == len(one) - 1 or not inside:
            return False
        are_vowels = one[places[0]] in _VOWELS and other[places[0]] in _VOWELS
        return len(one) >= _SHORTEST_CHANGED + (0 if are_vowels else 1)
    return (
        inside
        and one[-1] == other[-1]
        and len(longer) == len(shorter) + 1
        and len(longer) >= _SHORTEST_LEFT_OUT
        and any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer) - 1))
    )


def _spoken(word: str) -> str:
    """Return a rough pronunciation: `y` as `i`, `ph` as `f`, no `h` inside, single letters, and
    `ie` at the end as `i`.
    """
    plain = word[1:].replace("ph", "f").replace("h", "").replace("y", "i")
    return _DOUBLE.sub(r"\1", word[0] + re.sub(r"ie\Z", "i", plain))
