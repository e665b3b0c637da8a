"""Resolve the entities that a request names, with a single statement.

The statement reads every visible name of every candidate: enough to choose the entity that is meant
and the name by which a reader knows it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import BindParameter, bindparam, exists, or_, select, union

from writeros_entities.names import fold_name
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.finding import find_entity, likeliest
from writeros_entities.story.listing import count_mentions
from writeros_entities.story.naming import rows_by_rule

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


@dataclass(frozen=True, slots=True)
class ResolvedEntity:
    """An entity that a request names, and the name by which a reader knows it."""

    id: int
    key: str
    name: str
    type: str
    status: str

    def reference(self) -> dict[str, str]:
        """Return the entity's reference, as answers contain it."""
        return {"id": self.key, "name": self.name, "type": self.type, "status": self.status}


def resolve_entities(
    view: View, names: Sequence[str], *, must_exist: bool = True
) -> list[ResolvedEntity]:
    """Return the entity that each name or id means, in order, without repeats.

    Raises NotFoundError with the nearest names (unless `must_exist` is false: then unknown names
    are skipped), or AmbiguousNameError with the candidates.
    """
    keys = [fold_name(name) for name in names]
    found = view.all(_asked(view), names=list(names), keys=keys or [""])
    known = _Known(found)
    for row in rows_by_rule(view, keys, found):
        known.add_unused(row, is_mentioned=bool(count_mentions(view, [row.id])))
    chosen: dict[int, ResolvedEntity] = {}
    for name in names:
        meant = known.candidates(name)
        if not meant and not must_exist:
            continue
        row = meant[0] if len(meant) == 1 else find_entity(view, name)
        if row.id not in chosen:
            chosen[row.id] = _as_asked(view, row, known.names[row.id])
    return list(chosen.values())


class _Known:
    """The rows of names, one for each name of an entity, by what they may be asked by.

    `names` has them by entity.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.names: dict[int, list[Row]] = defaultdict(list)
        self._ids: tuple[dict[str, dict[int, Row]], ...] = (defaultdict(dict), defaultdict(dict))
        self._forms: dict[str, list[Row]] = defaultdict(list)
        self._mentioned = set()
        for row in rows:
            self.names[row.id].append(row)
            for by_id, identity in zip(self._ids, (row.key, row.canonical_id), strict=True):
                by_id[identity].setdefault(row.id, row)
            self._forms[row.form_key].append(row)
            if row.is_mentioned:
                self._mentioned.add(row.id)

    def add_unused(self, row: Row, *, is_mentioned: bool) -> None:
        """Add the row of a name that no note uses."""
        self._forms[row.form_key].append(row)
        if is_mentioned:
            self._mentioned.add(row.id)

    def candidates(self, name: str) -> list[Row]:
        """Return a row for each entity that a name or id may mean."""
        for by_id in self._ids:
            if name in by_id and len(by_id[name]) == 1:
                return list(by_id[name].values())
        named = self._forms.get(fold_name(name), ())
        named = sorted(named, key=lambda row: (-row.weight, row.form))
        return likeliest(named, lambda _: self._mentioned)


def _as_asked(view: View, row: Row, names: Sequence[Row]) -> ResolvedEntity:
    name = row.name
    if not names:
        name = display_names(view, [row.id]).get(row.id, row.name)
    elif view.as_of is not None and not any(one.form == row.name for one in names):
        name = min(names, key=lambda one: (one.met_from, -one.weight, one.form)).form
    return ResolvedEntity(row.id, row.key, name, row.type, row.status)


@prepared
def _asked(scope: Scope) -> Query:
    entity, alias, mention = scope.entity, scope.alias, scope.mention
    names: BindParameter[Any] = bindparam("names", expanding=True)
    called = select(alias.c.entity_id).where(is_one_of(alias.c.form_key, "keys"))
    by_id = select(entity.c.id).where(
        or_(entity.c.key.in_(names), entity.c.canonical_id.in_(names))
    )
    return (
        select(
            *(entity.c.id, entity.c.key, entity.c.canonical_id, entity.c.name, entity.c.type),
            entity.c.status,
            *(alias.c.form, alias.c.form_key, alias.c.kind, alias.c.weight),
            alias.c.visible_from.label("met_from"),
            exists().where(mention.c.entity_id == entity.c.id).label("is_mentioned"),
        )
        .outerjoin(alias, alias.c.entity_id == entity.c.id)
        .where(entity.c.id.in_(union(called, by_id)))
        .order_by(alias.c.weight.desc(), alias.c.form)
    )
