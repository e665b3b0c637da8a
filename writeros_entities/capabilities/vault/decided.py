"""What the writer's decisions, and settings of the same kind, do now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.vault.decisions import (
    Different,
    HasRole,
    HasSort,
    InOrder,
    Intended,
    IsTold,
    LeftOut,
    Means,
    NoName,
    OtherName,
    Target,
)
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from writeros_entities.settings import Settings
    from writeros_entities.vault.decisions import Decision
    from writeros_entities.view import View


SETTINGS = ("books", "continuity_waivers", "entity_folders", "exclude", "never", "visible_from")
"""The settings that decide what a line of the note can decide too."""


def settings_like_decisions(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the settings that decide something, each with what it says."""
    for name in SETTINGS:
        value = getattr(settings, name)
        if value:
            items = value.items() if hasattr(value, "items") else ((one, None) for one in value)
            said = (key if of is None else f"{key} = {of}" for key, of in items)
            yield name, ", ".join(map(str, said))


class Effects:
    """Says in a sentence what a decision does, from the index as of the last sync."""

    def __init__(self, view: View, findings: frozenset[str]) -> None:
        self._view = view
        self._findings = findings

    def of(self, decision: Decision) -> str:
        """Return what a decision does now."""
        match decision:
            case HasRole(target, role):
                return self._notes(target, f"read as {role}")
            case HasSort(target, sort, kind):
                told = f"{sort} ({kind})" if kind else sort
                if target.kind not in ("note", "name"):
                    return self._notes(target, f"about a {told}")
                return self._entity(target, f"is a {told}")
            case NoName(name):
                return f"Nobody is called {name}."
            case OtherName(name, target, since):
                later = f" from {since} on" if since else ""
                return self._entity(target, f"is also called {name}{later}")
            case Different(one, other):
                return f"{one.text} and {other.text} are never asked about as one."
            case InOrder(notes):
                return self._order(notes)
            case Means(note, phrase, target, is_not):
                missing = self._missing(note)
                is_who = "is not whom" if is_not else "is who"
                return missing or self._entity(target, f"{is_who} “{phrase}” means in {note.text}")
            case LeftOut(target):
                return self._notes(target, "left out")
            case IsTold(target, when):
                return self._notes(target, f"{when} told")
            case Intended(finding):
                is_found = any(one.startswith(finding) for one in self._findings)
                return "Waives a finding." if is_found else "No such finding is found any more."

    def _notes(self, target: Target, what: str) -> str:
        if target.kind in ("tag", "property"):
            return f"Notes with {target} are {what}."
        note = self._view.note
        statement = select(note.c.path).where(note.c.kind == "note")
        if target.kind == "note":
            statement = statement.where(note.c.link_key == link_key(target.text))
        found = [path for path in self._view.scalars(statement) if target.is_about(path, (), {})]
        if not found:
            return self._nothing(target)
        return f"{found[0]} is {what}." if len(found) == 1 else f"{len(found)} notes are {what}."

    def _entity(self, target: Target, what: str) -> str:
        lexicon = self._view.lexicon
        found = {lexicon.entities[name.entity].name for name in lexicon.keyed(target.key)}
        names = sorted(found)
        return f"{' and '.join(names)} {what}." if names else self._nothing(target)

    def _order(self, notes: tuple[Target, ...]) -> str:
        note = self._view.note
        keys = [link_key(target.text) for target in notes]
        statement = select(note.c.path, note.c.position).where(note.c.position.is_not(None))
        rows = self._view.all_among(statement, note.c.link_key, keys)
        placed = {row.path: row.position for row in rows}
        told = []
        for target in notes:
            found = [place for path, place in sorted(placed.items()) if target.is_path(path)]
            told.append(f"{target.text} ({found[0] if found else 'not there'})")
        return f"Reading order: {', '.join(told)}."

    def _missing(self, target: Target) -> str | None:
        note = self._view.note
        paths = select(note.c.path).where(note.c.link_key == link_key(target.text))
        return None if self._view.scalars(paths) else self._nothing(target)

    def _nothing(self, target: Target) -> str:
        return f"Nothing: there is no {target.text}."
