"""Check the index and the notes: rows, files, copies, links, misspelt types."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select

from writeros_entities.capabilities.vault.contents import Problem
from writeros_entities.story.passages import note_as_seen
from writeros_entities.values import NAME_ALONE
from writeros_entities.vault.files.config import read_config
from writeros_entities.vault.files.walk import walk_vault
from writeros_entities.vault.links import find_block, find_heading, link_key, plain_link

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.values import EntityType, Note
    from writeros_entities.view import View


NEARLY_SAME = 0.9
"""The similarity, 0-1, from which two notes count as an original and its copy."""

LONG = 20_000
"""The number of characters above which texts are compared by line: time grows quadratically."""

_NUMBERED = re.compile(r"(?P<stem>.*[^/]) [2-9]\.md", re.DOTALL)


def conflict_copies(view: View) -> list[Problem]:
    """Return the files that a sync service left behind as conflict copies."""
    note = view.note
    statement = select(note.c.path).where(note.c.kind == "conflict").order_by(note.c.path)
    return [
        Problem("warning", "conflict-copy", row.path, "A conflict copy; it is not read.")
        for row in view.all(statement)
    ]


def near_copies(view: View) -> list[Problem]:
    """Return notes called `name 2.md`, as iCloud and Finder name copies, much like `name.md`."""
    note = view.note
    found = view.all(select(note.c.id, note.c.path).where(note.c.kind == "note"))
    ids = {row.path: row.id for row in found}
    originals = {
        path: original
        for path in sorted(ids)
        if (numbered := _NUMBERED.fullmatch(path)) and (original := f"{numbered['stem']}.md") in ids
    }
    texts = _texts(view, {ids[path] for pair in originals.items() for path in pair})
    problems = []
    for path, original in originals.items():
        if likeness(texts[ids[path]], texts[ids[original]]) >= NEARLY_SAME:
            message = f"It says the same as {original!r}, or nearly: a copy? Both are read."
            problems.append(Problem("warning", "near-copy", path, message))
    return problems


def likeness(one: str, other: str) -> float:
    """Return the similarity of two texts, in 0-1.

    It is 1 minus the number of insertions and deletions that turn one into the other, divided by
    the number of characters (in long texts: lines) of both.
    """
    from rapidfuzz.distance import Indel

    if max(len(one), len(other)) > LONG:
        return Indel.normalized_similarity(one.splitlines(), other.splitlines())
    return Indel.normalized_similarity(one, other)


def _texts(view: View, note_ids: Iterable[int]) -> dict[int, str]:
    chunk = view.chunk
    texts: dict[int, str] = defaultdict(str)
    statement = select(chunk.c.note_id, chunk.c.text).order_by(chunk.c.note_id, chunk.c.ordinal)
    for row in view.all_among(statement, chunk.c.note_id, sorted(note_ids)):
        texts[row.note_id] += row.text
    return texts


def check_index(view: View) -> list[Problem]:
    """Return the faults that the database finds in itself."""
    faults = view.engine.find_faults(view.connection)
    return [Problem("error", "database", "", fault) for fault in faults]


def broken_plugins(view: View) -> list[Problem]:
    """Return the plugins that could not be loaded; whatever they would contribute is missing."""
    return [
        Problem("warning", "broken-plugin", "", f"Plugin {info.name!r}: {info.error}")
        for info in view.plugins.describe()
        if info.status == "broken"
    ]


def unavailable_choices(view: View) -> list[Problem]:
    """Return the settings that name what no plugin offers; what needs it fails."""
    return [
        Problem("warning", "unavailable", "", str(error)) for error in view.plugins.unavailable()
    ]


def compare_with_files(view: View) -> list[Problem]:
    """Return the files that differ from the index, so that a sync is needed."""
    note = view.note
    known = {
        row.path: (row.size, row.mtime_ns)
        for row in view.all(select(note.c.path, note.c.size, note.c.mtime_ns))
    }
    walk = walk_vault(
        view.root,
        read_config(view.root),
        follow_symlinks=view.settings.follow_symlinks,
    )
    problems = []
    for file in walk.files:
        indexed = known.pop(file.path, None)
        if indexed is None:
            problems.append(
                Problem("warning", "not-indexed", file.path, "New since the last sync.")
            )
        elif indexed[0] != file.size or abs(indexed[1]) != file.mtime_ns:
            problems.append(
                Problem("warning", "out-of-date", file.path, "Changed since the last sync.")
            )
    problems += [
        Problem("warning", "gone", path, "Gone since the last sync.")
        for path in known
        if not any(path.startswith(folder + "/") for folder in walk.unreadable_folders)
    ]
    return problems


def link_problems(view: View) -> list[Problem]:
    """Return links that lead to no file, to one of several files, or to an alias.

    Whose alias it is, is said only to a reader who has met the entity's own name.
    """
    link, note, alias, entity = view.link, view.note, view.alias, view.entity
    met = alias.alias("met")
    statement = (
        select(note.c.path, link.c.raw, link.c.target, link.c.target_key, link.c.status)
        .join(note, note.c.id == link.c.note_id)
        .where(link.c.status.in_(("unresolved", "ambiguous")), link.c.kind != NAME_ALONE)
        .order_by(note.c.path, link.c.ordinal)
    )
    named = (
        select(alias.c.form_key, entity.c.name, note.c.path)
        .join(entity, entity.c.id == alias.c.entity_id)
        .join(met, and_(met.c.entity_id == entity.c.id, met.c.form == entity.c.name))
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(alias.c.kind == "alias")
        .distinct()
        .order_by(alias.c.form_key, entity.c.name, note.c.path)
    )
    found = view.all(statement)
    targets = {row.target_key for row in found if row.status == "unresolved"}
    own: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in view.all_among(named, alias.c.form_key, sorted(targets)):
        own[row.form_key].append((row.name, _address(row)))
    problems = []
    for row in found:
        written = row.raw or plain_link(row.target)
        if row.status == "ambiguous":
            message = f"{written} fits several files; Obsidian opens the first of them."
            problems.append(Problem("warning", "ambiguous-link", row.path, message))
        elif row.target_key in own:
            names = [repr(name) for name, _ in own[row.target_key]]
            links = [f"[[{address}|{row.target}]]" for _, address in own[row.target_key]]
            message = (
                f"{written} leads to an alias of {' and of '.join(names)}. Obsidian "
                f"does not resolve it: write {' or '.join(links)}."
            )
            problems.append(Problem("warning", "alias-as-link", row.path, message))
        else:
            problems.append(
                Problem("info", "unresolved-link", row.path, f"{written} leads to no file.")
            )
    return problems


def _address(named: Row) -> str:
    """Return a link target for an entity's note: its name, or the path if the file is named
    otherwise.
    """
    if named.path is None or link_key(named.path) == link_key(named.name):
        return str(named.name)
    return str(named.path.removesuffix(".md"))


def missing_places(view: View) -> list[Problem]:
    """Return links to a heading or block that their target note does not have."""
    link, note = view.link, view.note
    source, target = note.alias("source"), note.alias("target")
    statement = (
        select(source.c.path, target.c.path.label("leads_to"), target.c.id.label("target_id"))
        .add_columns(link.c.raw, link.c.heading, link.c.block)
        .join(source, source.c.id == link.c.note_id)
        .join(target, target.c.id == link.c.target_note_id)
        .where(target.c.kind == "note", or_(link.c.heading.is_not(None), link.c.block.is_not(None)))
        .order_by(target.c.path, source.c.path, link.c.ordinal)
    )
    problems = []
    targets = groupby(view.all(statement), key=lambda row: (row.leads_to, row.target_id))
    for (path, target_id), links in targets:
        note_seen = note_as_seen(view, target_id, path)
        for row in links:
            place = "heading" if row.block is None else "block"
            if not _has_place(note_seen, row):
                message = f"{row.raw} leads to a {place} that {path} does not have."
                problems.append(Problem("info", f"missing-{place}", row.path, message))
    return problems


def _has_place(note: Note, link: Row) -> bool:
    if link.block is not None:
        return find_block(note, link.block) is not None
    return find_heading(note, link.heading) is not None


UNKNOWN = "unknown"

_LONG_ENOUGH = 7
"""The length from which a word that is one letter off a known one is taken for it."""


def misspelt_types(view: View, types: Iterable[EntityType]) -> list[Problem]:
    """Return the notes whose type is a known word but for a letter, or two letters exchanged.

    A type that several notes have is the writer's own.
    """
    known = {word.casefold() for one in types for word in (one.name, one.plural, *one.synonyms)}
    note, entity = view.note, view.entity
    notes: dict[str, list[str]] = {}
    statement = select(entity.c.word, note.c.path).join(note, note.c.id == entity.c.note_id)
    for row in view.all(statement.where(entity.c.type == UNKNOWN).order_by(note.c.path)):
        notes.setdefault(row.word or UNKNOWN, []).append(row.path)
    problems = []
    for type_, paths in notes.items():
        word = type_.replace("_", " ").casefold()
        if len(paths) > 1 or type_ in known or word in known:
            continue
        meant = sorted(other for other in known if _is_slip(word, other))
        if meant:
            either = " or ".join(map(repr, meant))
            message = f"Its type {word!r} is none that is known. Is {either} meant?"
            problems.append(Problem("warning", "unknown-type", paths[0], message))
    return problems


def _is_slip(word: str, known: str) -> bool:
    from rapidfuzz.distance import OSA

    if OSA.distance(word, known, score_cutoff=1) > 1:
        return False
    return len(word) >= _LONG_ENOUGH or sorted(word) == sorted(known)
