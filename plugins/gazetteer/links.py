"""The entities that a note's links name, and the texts that therefore mean them for certain."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from writeros_entities import HIDDEN, MARK, LexiconEntity, Link, Name, Note

from .folding import fold_form, fold_forms

_POSSESSIVE = re.compile("['\u2019\u02bc`](?:[sS])?$")
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LinkedText:
    """The displayed text of a link, and the entities to which the link may point.

    `is_renamed` is set if the writer gave the text, so that all of it is a name of the target.
    """

    start: int
    end: int
    text: str
    entities: tuple[str, ...]
    is_renamed: bool


class LinkTargets:
    """Finds entities by link target: note path, note name, name, or alias."""

    def __init__(self, names: Sequence[Name], entities: Mapping[str, LexiconEntity]) -> None:
        self._notes: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._names: dict[str, dict[str, None]] = defaultdict(dict)
        self._aliases: dict[str, dict[str, None]] = defaultdict(dict)
        with_note = [entity for entity in entities.values() if entity.note_path]
        paths = fold_forms([(entity.note_path or "").removesuffix(".md") for entity in with_note])
        for entity, path in zip(with_note, paths, strict=True):
            self._notes[path.rpartition("/")[2]].append((path, entity.id))
        self._suggested = {each.id for each in entities.values() if each.status == "suggested"}
        named = list(entities.values())
        for entity, form in zip(named, fold_forms([each.name for each in named]), strict=True):
            self._names[form][entity.id] = None
        given = [name for name in names if name.kind in ("name", "alias")]
        for name, form in zip(given, fold_forms([each.form for each in given]), strict=True):
            (self._names if name.kind == "name" else self._aliases)[form][name.entity] = None

    def find(self, target: str, folder: str) -> tuple[str, ...]:
        """Return the entities that a link's target names: one, unless several share a name.

        An entity that is only suggested, because its name is used often, gives way to any other.
        Among notes of the same name, it is the one that Obsidian would open: first those below
        `folder` (the linking note's own, folded), then the shortest path.
        """
        path = fold_form(target.removesuffix(".md")).lstrip("./")
        if not path:
            return ()
        basename = path.rpartition("/")[2]
        fitting = [
            (bool(folder) and not found.startswith(f"{folder}/"), len(found), found, entity)
            for found, entity in self._notes.get(basename, ())
            if found == path or found.endswith(f"/{path}")
        ]
        if fitting:
            exact = [each for each in fitting if each[2] == path]
            return (min(exact or fitting)[3],)
        named = self._names.get(basename) or self._aliases.get(basename) or {}
        return tuple(each for each in named if each not in self._suggested) or tuple(named)


def linked_texts(note: Note, targets: LinkTargets) -> list[LinkedText]:
    """Return the displayed texts of the links in the note's prose, in order."""
    found = []
    folder = fold_form("/".join(note.folders))
    for link in note.links:
        start, end = _trim(note.prose, link)
        if start < end and link.target and not _EXTERNAL.match(link.target):
            text = " ".join(note.prose[start:end].replace(MARK, "").split())
            entities = targets.find(link.target, folder)
            found.append(LinkedText(start, end, text, entities, link.display is not None))
    return sorted(found, key=lambda linked: linked.start)


def _trim(prose: str, link: Link) -> tuple[int, int]:
    start, end = link.text_start, link.text_end
    outside = f" \t\r\n{HIDDEN}{MARK}"
    while start < end and prose[start] in outside:
        start += 1
    while start < end and prose[end - 1] in outside:
        end -= 1
    possessive = _POSSESSIVE.search(prose[start:end])
    return start, start + possessive.start() if possessive else end
