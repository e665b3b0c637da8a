"""The entities that a note's links name, and the texts that therefore mean them for certain."""

from __future__ import annotations

import re
from dataclasses import dataclass

from writeros_entities import HIDDEN, MARK, Lexicon, Link, Note, fold_form

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


def find_target(
    lexicon: Lexicon, target: str, folder: str, heading: str | None = None
) -> tuple[str, ...]:
    """Return the entities that a link's target names: one, unless several share a name.

    A link to a heading names what its section is about, else what the note is about.
    An entity that is only suggested, because its name is used often, gives way to any other. Among
    notes of the same name, it is the one that Obsidian would open: first those below `folder` (the
    linking note's own, folded), then the shortest path. A path may begin above the vault's folder,
    if its writer opens a folder around it.
    """
    path = fold_form(target.removesuffix(".md")).lstrip("./")
    if not path:
        return ()
    basename = path.rpartition("/")[2]
    section = fold_form((heading or "").rpartition("#")[2])
    called = lexicon.called(f"{basename}#{section}") or lexicon.called(basename)
    notes = [(fold_form((one.note_path or "").removesuffix(".md")), one.id) for one in called]
    fitting = [
        (bool(folder) and not found.startswith(f"{folder}/"), len(found), found, entity)
        for found, entity in notes
        if found == path or found.endswith(f"/{path}") or path.endswith(f"/{found}")
    ]
    if fitting:
        exact = [each for each in fitting if each[2] == path]
        return (min(exact or fitting)[3],)
    names = lexicon.named(basename)
    own = [one.id for one in called if fold_form(one.name) == basename]
    own += [name.entity for name in names if name.kind == "name"]
    named = dict.fromkeys(own or [name.entity for name in names if name.kind == "alias"])
    known = lexicon.entities
    return tuple(one for one in named if known[one].status != "suggested") or tuple(named)


def linked_texts(note: Note, lexicon: Lexicon) -> list[LinkedText]:
    """Return the displayed texts of the links in the note's prose, in order."""
    found = []
    folder = fold_form("/".join(note.folders))
    for link in note.links:
        start, end = _trim(note.prose, link)
        if start < end and link.target and not _EXTERNAL.match(link.target):
            text = " ".join(note.prose[start:end].replace(MARK, "").split())
            entities = find_target(lexicon, link.target, folder, link.heading)
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
