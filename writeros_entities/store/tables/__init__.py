"""The tables: one schema on every engine.

`vault_id` is part of every key, so that two vaults in one database never meet and the tables can be
distributed by it. Ids are assigned by the vault's one writer (see `rows.IdSequence`), not by the
engine. `visible_from` is the reading position from which a row may be shown: the greatest of its
sources'; null means never under `as_of`. `visible_until`, where there is one, is the position from
which a better reading of the same span replaces the row.

Building these classes takes as long as answering a question, so queries use what `schema` has kept
of them.
"""

from __future__ import annotations

from writeros_entities.store.tables.base import Base, metadata
from writeros_entities.store.tables.entities import (
    Alias,
    Entity,
    EntityChange,
    Event,
    Mention,
    Proposal,
)
from writeros_entities.store.tables.learned import Embedding, TrainedRelationModel
from writeros_entities.store.tables.notes import Chunk, Link, Note, Page, Thread, Topic, Vault
from writeros_entities.store.tables.relations import Evidence, Relation

TABLES: tuple[type[Base], ...] = (
    *(Vault, Note, Link, Chunk, Page, Topic, Thread),
    *(Entity, Alias, Mention, Proposal, EntityChange, Event),
    *(Relation, Evidence),
    *(Embedding, TrainedRelationModel),
)
"""All tables, in the order in which they are documented."""

__all__ = ["TABLES", "metadata"]
