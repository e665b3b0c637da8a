"""Find entities by name or id, and suggest names that may have been meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, bindparam, select

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.names import fold_name, nearest_names
from writeros_entities.query.entities.listing import count_mentions
from writeros_entities.query.entities.naming import read_as_name
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.view import View

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins

STRONG = 0.85
"""The weight from which a name is the entity's own, not just part of one."""


def find_candidates(view: View, plugins: Plugins, name: str) -> list[Any]:
    """Return the entities that a name or id can mean, likeliest first.

    Each row has the entity's columns and the `form`, `kind` and `weight` of the matching name. An
    id, or the full own name of a single entity, matches that entity only. A text that is nobody's
    name is matched as a mention: *Captain Okafor* finds Adaeze Okafor.
    """
    by_id = view.all(_with_key(view), name=name) or view.all(_with_canonical_id(view), name=name)
    if by_id:
        return list(by_id)
    named = _as_met(view, view.all(_with_name(view), key=fold_name(name)))
    if not named:
        named = read_as_name(view, plugins, name)
    return likeliest(named, lambda doubtful: count_mentions(view, doubtful))


def _as_met(view: View, named: Sequence[Any]) -> Sequence[Any]:
    """Order rows by weight, then by the mentions and names that the view's reader knows.

    In a view of the whole vault they are in this order already.
    """
    if view.as_of is None or len(named) < 2:
        return named
    ids = [row.id for row in named]
    counts, names = count_mentions(view, ids), display_names(view, ids)

    def place(row: Any) -> tuple[Any, ...]:
        mentions = counts[row.id].mentions if row.id in counts else 0
        return -row.weight, -mentions, names.get(row.id, ""), row.key

    return sorted(named, key=place)


def likeliest(named: Iterable[Any], mentioned: Callable[[list[int]], Collection[int]]) -> list[Any]:
    """Return the entities among rows that match a name, in order, or the one that owns it.

    Rows have `id`, `status`, `kind` and `weight`. If the name is the full own name of exactly one
    of the entities, only that one is returned. `mentioned` returns which of the given entities have
    a mention.
    """
    found: dict[int, Any] = {}
    for row in named:
        found.setdefault(row.id, row)
    matches = _spoken_of(list(found.values()), mentioned)
    for group in (
        [row for row in matches if row.kind == "name"],
        [row for row in matches if row.weight >= STRONG],
    ):
        if len(group) == 1:
            return group
    return matches


def _spoken_of(matches: list[Any], mentioned: Callable[[list[int]], Collection[int]]) -> list[Any]:
    """Leave out entities without a note if all their mentions turned out to name another entity.

    For example, "the mask" is an entity of its own until the reader learns who wears it. If nothing
    else remains, entities that links name are kept.
    """
    doubtful = [row.id for row in matches if row.status in ("linked", "suggested")]
    if not doubtful:
        return matches
    spoken_of = mentioned(doubtful)
    return [row for row in matches if row.id not in doubtful or row.id in spoken_of] or [
        row for row in matches if row.status == "linked"
    ]


@prepared
def _with_key(scope: Scope) -> Select[Any]:
    entity = scope.entity
    return select(entity).where(entity.c.key == bindparam("name"))


@prepared
def _with_canonical_id(scope: Scope) -> Select[Any]:
    entity = scope.entity
    return select(entity).where(entity.c.canonical_id == bindparam("name"))


@prepared
def _with_name(scope: Scope) -> Select[Any]:
    entity, alias = scope.entity, scope.alias
    return (
        select(entity, alias.c.form, alias.c.kind, alias.c.weight)
        .join(alias, alias.c.entity_id == entity.c.id)
        .where(alias.c.form_key == bindparam("key"))
        .order_by(alias.c.weight.desc(), entity.c.mention_count.desc(), entity.c.name)
    )


def find_entity(view: View, plugins: Plugins, name: str) -> Any:
    """Return the one entity that a name or id means.

    Raises NotFoundError with the nearest names, or AmbiguousNameError with the candidates.
    """
    candidates = find_candidates(view, plugins, name)
    if not candidates:
        raise NotFoundError("entity", name, nearest_names(name, known_forms(view)))
    if len(candidates) > 1:
        names = display_names(view, [row.id for row in candidates])
        raise AmbiguousNameError(
            name,
            [f"{names.get(row.id, row.name)} ({row.type}, id {row.key})" for row in candidates],
        )
    return candidates[0]


def known_forms(view: View) -> list[str]:
    """Return every form that is given in the vault or used in a mention."""
    alias, entity, mention = view.alias, view.entity, view.mention
    given = (
        select(alias.c.form)
        .join(entity, entity.c.id == alias.c.entity_id)
        .where(alias.c.kind != "derived", entity.c.status != "suggested")
    )
    used = select(mention.c.form)
    return sorted({row.form for part in (given, used) for row in view.all(part.distinct())})
