"""Find names that are used before the reader can know them.

true:  a sheet has `introduced: 7` … "Ann nodded to Corvin." in chapter 3
true:  a section visible from chapter 10: "Mara is the Gannet" … "Mara, the Gannet," in 4
false: "They call him the Gannet" in chapter 3, where nobody knows who that is
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from writeros_entities import (
    Evidence,
    Finding,
    Scene,
    Sentence,
    Story,
    StoryEntity,
    StoryProperty,
)

_CHAPTER_FIRST = re.compile(
    r"\s*+(?:(?:chapter|ch\.?|position)\s*+)?(?P<number>\d{1,3})\s*(?:\Z|[(,;:—–-](?!\d))",
    re.IGNORECASE,
)
_KEYS = frozenset({"introduced", "introduced-in", "first-appearance", "first-appears", "enters"})

SAID_SO = 0.75


def check(story: Story) -> Iterable[Finding]:
    """Return the first use of each name before its introduction."""
    chapters = _positions_by_name(story)
    last = max((scene.position or 0 for scene in story.scenes), default=0)
    for entity in story.entities.values():
        for one in entity.properties:
            position = _introduced_at(one, chapters)
            # The chapter may not be written yet; as of a position, it is not to be known.
            if position is not None and (story.as_of is None or position <= last):
                yield from _used_before(story, entity, position, one.evidence)
    yield from _revealed_early(story)


def _introduced_at(one: StoryProperty, chapters: Mapping[str, int | None]) -> int | None:
    """Return the chapter that a property names: `introduced: 7`, or a chapter's name, no date."""
    if one.key not in _KEYS:
        return None
    found = _CHAPTER_FIRST.match(one.value)
    named = chapters.get(one.value.casefold())
    return int(found["number"]) if named is None and found else named


def _used_before(
    story: Story, entity: StoryEntity, position: int, stated: Evidence
) -> Iterator[Finding]:
    for scene in story.scenes:
        if scene.position is None or scene.position >= position:
            continue
        for sentence in scene.sentences:
            for name in sentence.names:
                if name.entity == entity.id and not name.rivals:
                    message = (
                        f"“{name.surface}” is named at place {scene.position} in reading order, "
                        f"but a note says that it must not be before {position}."
                    )
                    proofs = (stated, sentence.evidence)
                    yield Finding("before-stated", message, proofs, SAID_SO, (entity.id,))
                    return


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
                            f"“{name.surface}” and {entity.name} are one person at place "
                            f"{early.position} in reading order, but a note reveals it only at "
                            f"{reveal}."
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
