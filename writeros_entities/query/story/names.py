"""The names of entities, as stories contain them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.story import StoryName
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from writeros_entities.store.view import View


def load_story_names(view: View, entity_ids: Collection[int]) -> Mapping[int, list[StoryName]]:
    """Return the names of entities by entity id, by descending weight."""
    alias = view.alias
    statement = select(
        alias.c.entity_id, alias.c.form, alias.c.kind, alias.c.visible_from
    ).order_by(alias.c.entity_id, alias.c.weight.desc(), alias.c.form)
    found: dict[int, list[StoryName]] = defaultdict(list)
    for row in view.all_among(statement, alias.c.entity_id, sorted(entity_ids)):
        position = None if row.visible_from == ALWAYS else row.visible_from
        found[row.entity_id].append(StoryName(row.form, row.kind, position))
    return found
