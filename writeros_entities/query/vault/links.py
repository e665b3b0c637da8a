"""Find problems of links: no target, several possible targets, or a missing heading or block."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, or_, select

from writeros_entities.query.vault.passages import note_as_seen
from writeros_entities.query.vault.status import Problem
from writeros_entities.values import NAME_ALONE
from writeros_entities.vault.links import find_block, find_heading, link_key

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.values import Note


def link_problems(view: View) -> list[Problem]:
    """Return links that lead to no file, to one of several files, or to an alias.

    Whose alias it is, is said only to a reader who has met the entity's own name.
    """
    link, note, alias, entity = view.link, view.note, view.alias, view.entity
    met = alias.alias("met")
    named = view.all(
        select(alias.c.form_key, entity.c.name, note.c.path)
        .join(entity, entity.c.id == alias.c.entity_id)
        .join(met, and_(met.c.entity_id == entity.c.id, met.c.form == entity.c.name))
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(alias.c.kind == "alias")
        .distinct()
        .order_by(alias.c.form_key, entity.c.name, note.c.path)
    )
    own: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in named:
        own[row.form_key].append((row.name, _address(row)))
    statement = (
        select(note.c.path, link.c.raw, link.c.target, link.c.target_key, link.c.status)
        .join(note, note.c.id == link.c.note_id)
        .where(link.c.status.in_(("unresolved", "ambiguous")), link.c.kind != NAME_ALONE)
        .order_by(note.c.path, link.c.ordinal)
    )
    problems = []
    for row in view.all(statement):
        if row.status == "ambiguous":
            message = f"{row.raw} fits several files; Obsidian opens the first of them."
            problems.append(Problem("warning", "ambiguous-link", row.path, message))
        elif row.target_key in own:
            names = [repr(name) for name, _ in own[row.target_key]]
            links = [f"[[{address}|{row.target}]]" for _, address in own[row.target_key]]
            message = (
                f"{row.raw} leads to an alias of {' and of '.join(names)}. Obsidian "
                f"does not resolve it: write {' or '.join(links)}."
            )
            problems.append(Problem("warning", "alias-as-link", row.path, message))
        else:
            problems.append(
                Problem("info", "unresolved-link", row.path, f"{row.raw} leads to no file.")
            )
    return problems


def _address(named: Any) -> str:
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


def _has_place(note: Note, link: Any) -> bool:
    if link.block is not None:
        return find_block(note, link.block) is not None
    return find_heading(note, link.heading) is not None
