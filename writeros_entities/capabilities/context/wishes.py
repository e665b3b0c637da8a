"""What the notes of entities wish for prompts: to be in them always, never, or with others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.properties import ContextWish
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.resolution import resolve_entities
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from writeros_entities.story.resolution import ResolvedEntity
    from writeros_entities.view import View


@dataclass(frozen=True)
class Wishes:
    """The wishes that a view shows, by entity, with the ids of entities and the paths of notes."""

    wished: Mapping[str, ContextWish] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)

    def never(self) -> set[str]:
        """Return the entities that no prompt contains without being asked for."""
        return {key for key, wish in self.wished.items() if wish.when == "never"}

    def beside(self, view: View, asked: Collection[int]) -> list[str]:
        """Return the entities that belong into every prompt, or into one about those asked for."""
        names = [name for wish in self.wished.values() for name in wish.beside]
        named: dict[str, set[int]] = {link_key(name): set() for name in names}
        if named:
            entity, note = view.entity, view.note
            statement = (
                select(entity.c.id, entity.c.name_key, note.c.link_key)
                .outerjoin(note, note.c.id == entity.c.note_id)
                .where(entity.c.id.in_(list(asked)))
            )
            for row in view.all(statement):
                for key in {row.name_key, row.link_key} & named.keys():
                    named[key].add(row.id)
        return sorted(
            key
            for key, wish in self.wished.items()
            if wish.when == "always" or any(named[link_key(name)] for name in wish.beside)
        )

    def shares(self, entity_ids: Sequence[int], shares: Sequence[float]) -> tuple[float, ...]:
        """Return shares of a budget with those that are wished for; others divide the rest."""
        by_id = {self.ids[key]: wish.share for key, wish in self.wished.items()}
        wished = [by_id.get(entity_id) for entity_id in entity_ids]
        kept = sum(share for share in wished if share is not None)
        scale = max(1.0, kept)
        rest = sum(own for own, share in zip(shares, wished, strict=True) if share is None)
        left = max(0.0, 1.0 - kept)
        return tuple(
            share / scale if share is not None else (own / rest * left if rest else 0.0)
            for own, share in zip(shares, wished, strict=True)
        )


def read_wishes(view: View) -> Wishes:
    """Return what the notes of the entities that a view shows wish for prompts.

    What a note wishes to be told counts only where the note may be seen.
    """
    rows = [(row, ContextWish.of(row.context)) for row in view.all(_wished(view))]
    counting = [(row, wish) for row, wish in rows if row.path is not None or wish.when == "never"]
    return Wishes(
        {row.key: wish for row, wish in counting},
        {row.key: row.id for row, _ in counting},
        {row.key: row.path or "" for row, _ in counting},
    )


def with_wished(
    view: View, asked: Sequence[ResolvedEntity], wishes: Wishes, most: int
) -> list[ResolvedEntity]:
    """Return the entities asked for and, as far as there is room, those that wish to be there."""
    if not wishes.wished:
        return list(asked)
    known = {one.key for one in asked}
    more = [key for key in wishes.beside(view, [one.id for one in asked]) if key not in known]
    room = more[: max(0, most - len(asked))]
    return [*asked, *(resolve_entities(view, room, must_exist=False) if room else ())]


@prepared
def _wished(scope: Scope) -> Query:
    entity, note = scope.entity, scope.note
    return (
        select(entity.c.id, entity.c.key, entity.c.context, note.c.path)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(entity.c.context.is_not(None))
        .order_by(entity.c.key)
    )
