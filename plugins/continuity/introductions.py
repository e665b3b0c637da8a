"""Find names that are used before the reader can know them.

true:  "Ann nodded to Corvin." … a chapter later: "The stranger's name was Corvin."
false: the same, where Corvin has acted under this name in chapter after chapter before
true:  a note: "Hope Wren from chapter 7" … "Hope Wren" in chapter 3
true:  a section visible from chapter 10: "Mara is the Gannet" … "Mara, the Gannet," in 4
false: "They call him the Gannet" in chapter 3, where nobody knows who that is
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from writeros_entities import Evidence, Finding, NamedSpan, Scene, Sentence, Story, StoryEntity

from .verbs import does

_NAMING_BEFORE = re.compile(
    r"(?:\b(?:(?<!my )name (?:was|is)|(?:was|is) called"
    r"|call(?:ed|s) (?:him|her)self"
    r"|a (?:\w+ )?(?:man|woman|girl|boy|child|stranger|sailor|soldier|lady|fellow) (?:called|named)"
    r"|introduce[ds] (?:him|her)self as|g(?:ave|ives) (?:his|her) name as)) (?:the )?\Z",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\A[^.;|]{0,12}?\b(?:only )?(?:from|after|since|not before|introduced in|enters in|appears in"
    r"|first (?:seen|named|appears?)(?: in)?)"
    r"\s+(?:on\s+)?(?:(?:chapter|ch\.?|position)\s*(?P<number>\d{1,4})"
    r"|(?P<bare>\d{1,4})(?=\s*(?:\Z|[.,;)|—–](?!\d)|(?:on|onwards?|and|or|to|until|till)\b)))?",
    re.IGNORECASE,
)
"""Matches what a note says after a name: "from chapter 7", "from 7 on", not "from 7 o'clock"."""

_STAGE = re.compile(
    r"\b(?:comes? on stage in|first appears? in|is introduced in|enters in|first (?:met|seen) in"
    r"|does not appear (?:before|until)|not seen (?:before|until)|we (?:first )?meet \w+ in)\b",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(
    r"\b(?:(?:mentioned|named|spoken of|heard of|known|known about) (?:only )?(?:from|since|after)"
    r"|(?:is|are|be) first (?:mentioned|named|spoken of|heard of) in"
    r"|not (?:be )?(?:mentioned|named|spoken of|heard of) (?:until|before))\b",
    re.IGNORECASE,
)
_CHAPTER = re.compile(r"\s+(?:on\s+)?(?:chapter|ch\.?|position)\s*(\d{1,4})", re.IGNORECASE)
_CHAPTER_FIRST = re.compile(
    r"\s*+(?:(?:chapter|ch\.?|position)\s*+)?(?P<number>\d{1,3})\s*(?:\Z|[(,;:—–-](?!\d))",
    re.IGNORECASE,
)
_GIVEN_BEHIND = re.compile(r",? (?:was|is) (?:his|her) name\b")
_FEW = 2
"""The most chapters that may use a name too early; if more do, the reader knows it already."""

_LINK_NEAR = 24
"""Characters between words like "is named from" and the link to the chapter."""
_KEYS = frozenset({"introduced", "introduced-in", "first-appearance", "first-appears", "enters"})

NAMED = 0.6
SAID_SO = 0.75


@dataclass(frozen=True, slots=True)
class _Introduction:
    """The position from which a name may be used, in one form or in any.

    `is_on_stage` restricts it to acts of the person: the name may be mentioned before.
    """

    entity: str
    form: str | None
    position: int
    evidence: Evidence
    is_on_stage: bool = False


def check(story: Story) -> Iterable[Finding]:
    """Return the first use of each name before its introduction."""
    chapters = {scene.path: scene.position for scene in story.scenes}
    for rule in _Statements(story, chapters).introductions():
        yield from _used_before(story, rule)
    yield from _told_by_scenes(story)
    yield from _revealed_early(story)


class _Statements:
    """What notes state about where a name, or a person, enters the story."""

    def __init__(self, story: Story, chapters: Mapping[str, int | None]) -> None:
        self._story, self._chapters = story, chapters
        self._last = max((scene.position or 0 for scene in story.scenes), default=0)
        self._owners = _owners(story)
        self._named = _positions_by_name(story)

    def introductions(self) -> Iterator[_Introduction]:
        """Yield the introductions by sentences, then those by properties."""
        for section in self._story.sections:
            for sentence in section.sentences:
                yield from self._by_name(sentence)
                if section.subject:
                    yield from self._by_subject(sentence, section.subject)
        for entity in self._story.entities.values():
            yield from self._by_property(entity)

    def _by_name(self, sentence: Sentence) -> Iterator[_Introduction]:
        """Yield what follows a name: "Mrs. Wren from chapter 7"."""
        for name in sentence.names:
            found = _FROM.match(sentence.text[name.end :])
            if found is None or not self._is_own(name):
                continue
            number = found["number"] or found["bare"]
            position = self._position(sentence, number, name.end)
            if position is not None:
                yield _Introduction(name.entity, name.surface, position, sentence.evidence)

    def _is_own(self, named: NamedSpan) -> bool:
        """Say whether the surface is another name of the entity, and no other entity's own.

        Names that are only derived from another's (Mrs. Orchard from Ben Orchard) do not count.
        """
        own = self._story.entities[named.entity]
        if named.surface == own.name or all(name.form != named.surface for name in own.names):
            return False
        return self._owners.get(named.surface, set()) <= {own.id}

    def _by_subject(self, sentence: Sentence, subject: str) -> Iterator[_Introduction]:
        """Yield what is said of the note's subject: "comes on stage in chapter 7"."""
        for pattern in (_STAGE, _SPOKEN_OF):
            for stage in pattern.finditer(sentence.text):
                chapter = _CHAPTER.match(sentence.text, stage.end())
                number = chapter[1] if chapter else None
                position = self._position(sentence, number, stage.end())
                if position is not None:
                    is_on_stage = pattern is _STAGE
                    yield _Introduction(subject, None, position, sentence.evidence, is_on_stage)

    def _position(self, sentence: Sentence, number: str | None, offset: int) -> int | None:
        """Return the position with a number, or that of the chapter linked just after an offset."""
        if number and int(number) <= self._last:
            return int(number)
        for link in sentence.links:
            if offset <= link.start <= offset + _LINK_NEAR:
                return self._chapters.get(link.path)
        return None

    def _by_property(self, entity: StoryEntity) -> Iterator[_Introduction]:
        """Yield what a property says: `introduced: 7`, or a chapter's name, but no date.

        The chapter may not be written yet; as of a position, it is not to be known.
        """
        for one in entity.properties:
            if one.key not in _KEYS:
                continue
            found = _CHAPTER_FIRST.match(one.value)
            position = self._named.get(one.value.casefold())
            if position is None and found:
                position = int(found["number"])
            if position is not None and (self._story.as_of is None or position <= self._last):
                yield _Introduction(entity.id, None, position, one.evidence)


def _owners(story: Story) -> Mapping[str, set[str]]:
    """Return the entities that have each form as a name or an alias."""
    owners = defaultdict(set)
    for entity in story.entities.values():
        for name in entity.names:
            if name.kind in ("name", "alias"):
                owners[name.form].add(entity.id)
    return owners


def _used_before(story: Story, rule: _Introduction) -> Iterator[Finding]:
    entity = story.entities[rule.entity]
    for scene in story.scenes:
        if scene.position is None or scene.position >= rule.position:
            continue
        for sentence in scene.sentences:
            for name in sentence.names:
                if (
                    name.entity == rule.entity
                    and not name.rivals
                    and _is_early(rule, scene, sentence, name)
                ):
                    message = (
                        f"“{name.surface}” is named in position {scene.position}, but a note says "
                        f"that it must not be before {rule.position}."
                    )
                    proofs = (rule.evidence, sentence.evidence)
                    yield Finding("before-stated", message, proofs, SAID_SO, (entity.id,))
                    return


def _is_early(rule: _Introduction, scene: Scene, sentence: Sentence, name: NamedSpan) -> bool:
    """Say whether a use of a name before its introduction is too early."""
    if rule.form:
        return name.surface == rule.form
    return not rule.is_on_stage or (not name.is_spoken and does(sentence, name, scene.tense))


def _told_by_scenes(story: Story) -> Iterator[Finding]:
    """Yield names that the narrator uses before the scene that introduces them.

    In scenes of another viewpoint, the name is known to somebody else.
    """
    people = {person.id for person in story.people}
    used: dict[tuple[str, str | None], list[tuple[Sentence, NamedSpan]]] = defaultdict(list)
    given: set[str] = set()
    for scene in story.scenes:
        for sentence in scene.sentences:
            for name in sentence.names:
                # The reader may already know a person who introduces herself in speech.
                if name.entity not in people or name.entity in given or not name.is_plain:
                    continue
                if _gives(sentence, name):
                    given.add(name.entity)
                    yield from _too_early(sentence, name, used[name.entity, scene.viewpoint])
                else:
                    used[name.entity, scene.viewpoint].append((sentence, name))


def _gives(sentence: Sentence, name: NamedSpan) -> bool:
    text = sentence.narration
    before, after = text[: name.start], text[name.end :]
    if after.startswith(("'", "’")):
        return False
    return bool(_NAMING_BEFORE.search(before) or _GIVEN_BEHIND.match(after))


def _too_early(
    sentence: Sentence, name: NamedSpan, used: Iterable[tuple[Sentence, NamedSpan]]
) -> Iterator[Finding]:
    """Yield the first use of a name, or a part of it, in a chapter before its introduction."""
    words = set(name.surface.split())
    here = sentence.position or 0
    early = [
        one
        for one, other in used
        if (one.position or 0) < here and words & set(other.surface.split())
    ]
    if early and len({one.position for one in early}) <= _FEW:
        message = (
            f"“{name.surface}” is named in position {early[0].position}, and introduced in {here}."
        )
        proofs = (early[0].evidence, sentence.evidence)
        yield Finding("before-introduction", message, proofs, NAMED, (name.entity,))


def _revealed_early(story: Story) -> Iterator[Finding]:
    """Yield sentences that join two names of an entity before a note reveals that they are one."""
    shown: set[tuple[str, int]] = set()
    chapters = _positions_by_name(story)
    for section in story.sections:
        reveal = _visible_from(section, chapters)
        entity = story.entities.get(section.subject or "")
        if reveal is None or entity is None:
            continue
        for sentence in section.sentences:
            for name in sentence.names:
                if name.entity != entity.id or not _is_secret(entity, name.surface):
                    continue
                for early in _joined_before(story, entity, name.surface, reveal):
                    place = (early.evidence.path, early.evidence.start)
                    if place not in shown:
                        shown.add(place)
                        message = (
                            f"“{name.surface}” and {entity.name} are one person in position "
                            f"{early.position}, but a note reveals it only in {reveal}."
                        )
                        proofs = (sentence.evidence, early.evidence)
                        yield Finding("before-reveal", message, proofs, SAID_SO, (entity.id,))


def _positions_by_name(story: Story) -> dict[str, int | None]:
    return {
        key.casefold(): scene.position
        for scene in story.scenes
        for key in (scene.title, scene.path, scene.path.removesuffix(".md"))
    }


def _visible_from(section: Scene, chapters: Mapping[str, int | None]) -> int | None:
    for value in reversed(section.properties.get("visible-from", ())):
        text = value.strip().strip("[]").partition("#")[0].partition("|")[0]
        if text.isdigit():
            return int(text)
        if text.casefold() in chapters:
            return chapters[text.casefold()]
    return None


def _is_secret(entity: StoryEntity, surface: str) -> bool:
    """Say whether a form shares no word with the entity's name."""
    own = {word.casefold() for word in re.findall(r"\w+", entity.name)}
    words = {word.casefold() for word in re.findall(r"\w+", surface)}
    return not own & words and any(name.form == surface for name in entity.names)


def _joined_before(story: Story, entity: StoryEntity, form: str, reveal: int) -> Iterator[Sentence]:
    """Yield the first sentence before a reveal that contains both names, if there is one."""
    for scene in story.scenes:
        if scene.position is None or scene.position >= reveal:
            continue
        for sentence in scene.sentences:
            own = [name for name in sentence.names if name.entity == entity.id]
            is_joined = any(name.surface == form for name in own) and any(
                not _is_secret(entity, name.surface) for name in own
            )
            if is_joined and "?" not in sentence.text:
                yield sentence
                return
