"""Where scenes show or say a matter, and what follows for who knows it.

    matter = Matter((MatterTerm(1.2, ann.id), MatterTerm(3.4, term=sold)))
    for showing in find_showings(scene, matter, people, words):
        signs_of(showing, Attendance(scene, people, words))

A matter is a list of terms: names of entities and words. What is asked counts for nothing, what is
doubted for little. It is *said* in direct speech, where "I" and "you" are who speaks and who is
spoken to, and else it is *shown*. Nobody knows it for being named there: only who is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.store.words import words as cut
from writeros_entities.story.speakers import read_paragraphs

if TYPE_CHECKING:
    from writeros_entities.capabilities.answers import How, Level
    from writeros_entities.language.words import Words
    from writeros_entities.store.words import Term
    from writeros_entities.story.speakers import People
    from writeros_entities.values import Evidence
    from writeros_entities.values.story import NamedSpan, Scene, Sentence, Speech

LEAST = 0.6
"""The least share of a matter's weight that a sentence that shows it has."""

NEAR = 0.5
"""How much a term counts that stands not in a sentence but in those near it; a name only if it is
in the same speech, or if a pronoun in the sentence may mean it.
"""

LEAST_OF_WORDS = 0.5
"""The least share of a matter's words, by weight, that the sentence itself has."""

FEWEST_TERMS = 2
"""The fewest of a matter's terms, if it has as many, that a sentence has with those near it: one
word in common tells nothing of what was asked.
"""

BEFORE, BEHIND = 3, 1
"""How many sentences before and behind one are near it."""

BEFORE_WORD = 6
"""How many words before one may take it back."""

BESIDE = 4
"""How many paragraphs later somebody acts who was there before: she has not left."""

IN_SIGHT, IN_EARSHOT = 4, 2
"""How many paragraphs after her last act somebody surely sees what happens, hears what is said."""

_ASKING = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class MatterTerm:
    """A part of a matter: an entity by its key, or a word; `but` are names that do not count."""

    weight: float
    entity: str | None = None
    term: Term | None = None
    but: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Matter:
    """What somebody may know. Every name in it must be met, and most of the rest.

    If it is but one entity, whoever speaks of it knows of it, whatever is said or asked.
    """

    terms: tuple[MatterTerm, ...]

    @property
    def is_one_entity(self) -> bool:
        """Whether it is a single entity."""
        return len(self.terms) == 1 and self.terms[0].entity is not None

    def is_entity(self, key: str | None) -> bool:
        """Whether it is just this entity."""
        return self.is_one_entity and self.terms[0].entity == key

    @cached_property
    def weight(self) -> float:
        """The weight of all its terms."""
        return sum(one.weight for one in self.terms)


class Showing(NamedTuple):
    """A sentence that shows a matter, or says it (`speech`), and how much of it (0-1)."""

    sentence: Sentence
    speech: Speech | None
    share: float
    is_doubted: bool


class Sign(NamedTuple):
    """What tells that somebody knows a matter: how, by whom, since which position, and where."""

    person: str
    level: Level
    how: How
    by: str | None
    since: int | None
    evidence: Evidence


class _Layer(NamedTuple):
    """The words of a sentence that are spoken, or those that are told, and who is named there."""

    tokens: tuple[str, ...]
    text: str
    names: tuple[tuple[str, str], ...]


def may_show(scene: Scene, matter: Matter) -> bool:
    """Say whether a scene names all of a matter's names, and has enough of its words in a sentence.

    This costs little beside finding out who speaks.
    """
    named = {each for one in scene.sentences for name in one.names for each in _meant_by(name)}
    named |= {*scene.cast, *((scene.viewpoint,) if scene.viewpoint else ())}
    if any(one.entity not in named for one in matter.terms if one.entity is not None):
        return False
    sought = [one for one in matter.terms if one.entity is None]
    least = LEAST_OF_WORDS * sum(one.weight for one in sought)
    layers = (_Layer(cut(one.text), one.text, ()) for one in scene.sentences) if sought else ()
    found = (sum(one.weight for one in sought if _has(one, layer)) for layer in layers)
    return not sought or any(each >= least for each in found)


class _Around(NamedTuple):
    """What is around a sentence: those near it, those of the same speech, and its pronouns.

    `meant` are the entities that its "I" and "you" mean, `genders` what its other pronouns tell.
    """

    near: Sequence[_Layer] = ()
    speech: Sequence[_Layer] = ()
    meant: frozenset[str] = frozenset()
    genders: frozenset[str] = frozenset()


def find_showings(scene: Scene, matter: Matter, people: People, words: Words) -> Iterator[Showing]:
    """Yield the sentences of a scene that show a matter, in order."""
    spoken = [_layer(one, is_spoken=True) for one in scene.sentences]
    told = [_layer(one, is_spoken=False) for one in scene.sentences]
    whole = [
        _Layer((*one.tokens, *other.tokens), "", (*one.names, *other.names))
        for one, other in zip(spoken, told, strict=True)
    ]
    for at, sentence in enumerate(scene.sentences):
        near = whole[max(0, at - BEFORE) : at] + whole[at + 1 : at + 1 + BEHIND]
        for layer, is_said in ((spoken[at], True), (told[at], False)):
            if not layer.tokens:
                continue
            if layer.text.rstrip(" \"'”’»“*_").endswith(_ASKING) and not matter.is_one_entity:
                continue
            speech = _speech_at(scene, at) if is_said else None
            around = _Around(
                near,
                spoken[speech.first : speech.last + 1] if speech else (),
                _meant(layer, scene, speech, words, is_said=is_said),
                frozenset(words.pronouns[one] for one in layer.tokens if one in words.pronouns),
            )
            share = _share(matter, layer, around, people)
            if share >= LEAST:
                yield Showing(sentence, speech, share, _is_doubted(matter, layer, words))


def _is_doubted(matter: Matter, layer: _Layer, words: Words) -> bool:
    """Say whether a sentence takes back what it says of a matter: by a word of doubt before it."""
    found = [at for one in matter.terms for at in _places(one.term, layer.tokens)]
    near = {each for at in found for each in layer.tokens[max(0, at - BEFORE_WORD) : at]}
    doubt = _parts(words.doubt | words.conditions)
    return not doubt.isdisjoint(near if found else layer.tokens)


@lru_cache(maxsize=64)
def _parts(written: frozenset[str]) -> frozenset[str]:
    return frozenset(part for one in written for part in cut(one))


def _places(term: Term | None, tokens: Sequence[str]) -> Iterator[int]:
    """Yield where the first words of a term stand."""
    first = {phrase[0] for phrase in term.phrases} if term is not None else set()
    return (at for at, token in enumerate(tokens) if token in first)


def share_of(matter: Matter, text: str, entities: Iterable[str]) -> float:
    """Return how much of a matter a text has that names some entities, and nothing around it."""
    return _share(matter, _Layer(cut(text), text, ()), _Around(meant=frozenset(entities)), {})


def _layer(sentence: Sentence, *, is_spoken: bool) -> _Layer:
    if is_spoken:
        if sentence.text == sentence.narration:
            return _Layer((), "", ())
        pairs = zip(sentence.text, sentence.narration, strict=True)
        text = "".join(one if one != other else " " for one, other in pairs)
    else:
        text = sentence.narration
    names = tuple(
        (each, one.surface)
        for one in sentence.names
        if one.is_spoken == is_spoken
        for each in _meant_by(one)
    )
    return _Layer(cut(text), text, names)


def _meant_by(name: NamedSpan) -> tuple[str, ...]:
    return (name.entity, *name.rivals)


def _speech_at(scene: Scene, at: int) -> Speech | None:
    return next((one for one in scene.speeches if one.first <= at <= one.last), None)


def _meant(
    layer: _Layer, scene: Scene, speech: Speech | None, words: Words, *, is_said: bool
) -> frozenset[str]:
    """Return whom the pronouns "I" and "you" mean in a sentence, and whose sheet it is in."""
    found: set[str] = set()
    if scene.position is None and scene.subject is not None:
        found.add(scene.subject)
    teller = (speech.speaker if speech else None) if is_said else scene.viewpoint
    own = {word for word, kind in words.subjects.items() if kind in ("self", "own")}
    tokens = layer.tokens if speech is None else cut(speech.text)
    if teller is not None and not own.isdisjoint(tokens):
        found.add(teller)
    if speech is not None and speech.addressee and not words.addressed.isdisjoint(tokens):
        found.add(speech.addressee)
    return frozenset(found)


def _share(matter: Matter, layer: _Layer, around: _Around, people: People) -> float:
    """Return how much of a matter a sentence has.

    It is 0 if one of its names is not met at all, or too few of its terms.
    """
    total = own = of_words = 0.0
    met = 0
    for one in matter.terms:
        is_here = _has(one, layer) or (one.entity is not None and one.entity in around.meant)
        is_near = not is_here and _is_near(one, around, people)
        if one.entity is not None and not (is_here or is_near):
            return 0.0
        met += is_here or is_near
        total += one.weight * (1.0 if is_here else NEAR if is_near else 0.0)
        if one.entity is None:
            of_words += one.weight
            own += one.weight * is_here
    fewest = min(FEWEST_TERMS, len(matter.terms))
    is_enough = own >= LEAST_OF_WORDS * of_words and met >= fewest
    if matter.weight == 0.0 or not is_enough:
        return 0.0
    return total / matter.weight


def _is_near(one: MatterTerm, around: _Around, people: People) -> bool:
    """Say whether a term is near a sentence: a name in the same speech, or for a pronoun.

    Who has another name there (`but`) must be named in the sentence itself, or in its speech.
    """
    if one.entity is not None and any(_has(one, each) for each in around.speech):
        return True
    if one.entity is not None:
        gender = people.get(one.entity)
        fitting: set[str] = {gender} if gender else {"f", "m", "any"}
        if one.entity not in people:
            fitting.add("thing")
        if one.but or fitting.isdisjoint(around.genders):
            return False
    return any(_has(one, each) for each in around.near)


def _has(one: MatterTerm, layer: _Layer) -> bool:
    if one.entity is not None:
        return any(
            entity == one.entity and one.but.isdisjoint(cut(surface))
            for entity, surface in layer.names
        )
    term = one.term
    assert term is not None
    if term.piece:
        return term.piece in layer.text
    return any(_has_phrase(layer.tokens, phrase, term.is_beginning) for phrase in term.phrases)


def _has_phrase(tokens: Sequence[str], phrase: Sequence[str], is_beginning: bool) -> bool:
    if is_beginning:
        *start, last = phrase
        return any(
            [*tokens[at : at + len(start)]] == start and tokens[at + len(start)].startswith(last)
            for at in range(len(tokens) - len(start))
        )
    if len(phrase) == 1:
        return phrase[0] in tokens
    return any(
        tuple(tokens[at : at + len(phrase)]) == tuple(phrase)
        for at in range(len(tokens) - len(phrase) + 1)
    )


# -- Who is there ----------------------------------------------------------------------------------


class Attendance:
    """Who acts in which paragraphs of a scene: speaks, is spoken to, or is a verb's subject."""

    def __init__(self, scene: Scene, people: People, words: Words) -> None:
        self._people = people
        self.viewpoint = scene.viewpoint if scene.viewpoint in people else None
        acts: dict[str, set[int]] = {}
        for speech in scene.speeches:
            for person in (speech.speaker, speech.addressee):
                if person is not None:
                    acts.setdefault(person, set()).add(speech.paragraph)
        for paragraph in read_paragraphs(scene, people, words):
            for subject in paragraph.dialogue.subjects:
                name = paragraph.named(subject) if subject.kind == "name" else None
                if name is not None and not name.rivals and not name.is_owner:
                    acts.setdefault(name.person, set()).add(paragraph.number)
        self.acts: Mapping[str, Sequence[int]] = {
            one: sorted(acts[one]) for one in sorted(acts) if one in people
        }

    def beside(self, sentence: Sentence, reach: int) -> Iterator[tuple[str, bool]]:
        """Yield who is there at a sentence, and whether that is sure.

        That is who acts at it, or before it and soon after. Who acts long before and after it, or
        shortly before it alone, may have left; who acts only after it may have come since. In a
        list, each item is a place of its own, where only the one is with whom it begins.
        """
        paragraph = sentence.paragraph
        if sentence.is_row:
            first = sentence.names[0] if sentence.names else None
            is_first = first is not None and first.start == 0 and first.is_plain
            if first is not None and is_first and first.entity in self._people:
                yield first.entity, True
            return
        for person, acts in self.acts.items():
            since = min((paragraph - one for one in acts if one <= paragraph), default=None)
            until = min((one - paragraph for one in acts if one >= paragraph), default=None)
            if since is None:
                continue
            if until is not None:
                yield person, until <= BESIDE or since <= reach
            elif since <= reach:
                yield person, since <= 1


def signs_of(showing: Showing, there: Attendance) -> Iterator[Sign]:
    """Yield what a showing tells of who knows its matter, each person's surest sign."""
    speech, evidence = showing.speech, showing.sentence.evidence
    speaker = speech.speaker if speech else None
    sure: Level = "may know" if showing.is_doubted else "knows"
    told: dict[str, Sign] = {}

    def tell(person: str | None, level: Level, how: How) -> None:
        if person is not None and person not in told:
            by = speaker if person != speaker else None
            told[person] = Sign(person, level, how, by, evidence.position, evidence)

    if speech is not None:
        tell(speaker, sure, "speaks of it")
        tell(speech.addressee, sure, "is told")
        tell(there.viewpoint, sure, "hears it")
    else:
        tell(there.viewpoint, sure, "sees it")
    for person, is_sure in there.beside(showing.sentence, IN_EARSHOT if speech else IN_SIGHT):
        tell(person, sure if is_sure else "may know", "hears it" if speech else "is there")
    yield from told.values()


@dataclass(frozen=True)
class Knowing:
    """What somebody knows of a matter: the surest level, since where, and its first signs.

    `is_unexplained` is set if others know it from an earlier chapter, and she speaks of it before
    anything tells how she knows.
    """

    person: str
    level: Level
    signs: tuple[Sign, ...]
    is_unexplained: bool


def gather(signs: Sequence[Sign], most: int) -> list[Knowing]:
    """Return what each person knows by some signs in reading order, those who know it first."""
    told = [one.since for one in signs if one.since is not None]
    by_person: dict[str, list[Sign]] = {}
    for sign in signs:
        by_person.setdefault(sign.person, []).append(sign)
    found = []
    for person, own in by_person.items():
        surest: Level = "knows" if any(one.level == "knows" for one in own) else "may know"
        first = next(one for one in own if one.level == surest)
        shown = [one for one in own if one is first or one.level == surest][:most]
        begins = own[0]
        is_first = begins.since is None or begins.since == min(told)
        is_unexplained = begins.how == "speaks of it" and not is_first
        found.append(Knowing(person, surest, tuple(shown), is_unexplained))
    return sorted(found, key=lambda one: one.level != "knows")
