"""Aggregate relations over their evidence, and set the visibility of each piece of evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from writeros_entities.store import rows
from writeros_entities.store.scope import WORTH
from writeros_entities.sync.relations.evidence import KEY

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.sync.touched import Touched


def aggregate_relations(connection: Connection, vault_id: int, touched: Touched) -> None:
    """Set `visible_from` of the evidence of touched relations, and aggregate these relations.

    A relation without evidence is deleted.
    """
    relation = rows.relation
    conditions: list[Any] = [None]
    if not touched.everything:
        of_met = _relations_of(connection, vault_id, touched.met)
        ids = sorted(touched.relations | of_met)
        conditions = [relation.c.id.in_(batch) for batch in rows.batches(ids)]
    for condition in conditions:
        _aggregate(connection, vault_id, touched, condition)


def _relations_of(connection: Connection, vault_id: int, entity_ids: Iterable[int]) -> set[int]:
    relation = rows.relation
    found: set[int] = set()
    for batch in rows.batches(sorted(entity_ids)):
        for end in (relation.c.source_id, relation.c.target_id):
            statement = select(relation.c.id).where(relation.c.vault_id == vault_id, end.in_(batch))
            found.update(connection.scalars(statement))
    return found


def _aggregate(connection: Connection, vault_id: int, touched: Touched, condition: Any) -> None:
    relation = rows.relation
    source, target = rows.entity.alias("source"), rows.entity.alias("target")
    statement = (
        select(
            relation,
            source.c.visible_from.label("source_met"),
            target.c.visible_from.label("target_met"),
        )
        .join(source, (source.c.id == relation.c.source_id) & (source.c.vault_id == vault_id))
        .join(target, (target.c.id == relation.c.target_id) & (target.c.vault_id == vault_id))
        .where(relation.c.vault_id == vault_id)
    )
    if condition is not None:
        statement = statement.where(condition)
    found = connection.execute(statement).all()
    proofs = _evidence_of(connection, vault_id, [row.id for row in found])
    settled: list[tuple[Any, ...]] = []
    changed: list[tuple[Any, ...]] = []
    gone: list[int] = []
    for row in found:
        own = proofs.get(row.id)
        touched.histories |= {row.source_id, row.target_id}
        if own is None:
            gone.append(row.id)
            continue
        seen = [_greatest(proof.shown_from, row.source_met, row.target_met) for proof in own]
        settled += [
            (met, *(getattr(proof, name) for name in KEY), vault_id)
            for proof, met in zip(own, seen, strict=True)
            if proof.visible_from != met
        ]
        worth = _worth(own, seen)
        if worth != tuple(getattr(row, name) for name in WORTH):
            changed.append((*worth, row.id, vault_id))
    rows.update_rows(connection, rows.evidence, ("visible_from",), (*KEY, "vault_id"), settled)
    rows.update_rows(connection, relation, WORTH, ("id", "vault_id"), changed)
    deletion = delete(relation).where(relation.c.vault_id == vault_id)
    rows.change_among(connection, deletion, relation.c.id, gone)


def _evidence_of(
    connection: Connection, vault_id: int, relation_ids: Iterable[int]
) -> dict[int, list[Any]]:
    evidence = rows.evidence
    columns = [*KEY, "confidence", "position", "shown_from", "visible_from", "visible_until"]
    found: dict[int, list[Any]] = defaultdict(list)
    statement = select(*(evidence.c[name] for name in columns))
    statement = statement.where(evidence.c.vault_id == vault_id)
    for row in rows.all_among(connection, statement, evidence.c.relation_id, relation_ids):
        found[row.relation_id].append(row)
    return found


def _worth(proofs: Sequence[Any], seen: Sequence[int | None]) -> tuple[Any, ...]:
    """Return the values of the columns `WORTH` from the evidence that holds in the end.

    See `query.relations.asserted` for the formula.
    """
    lasting = [proof for proof in proofs if proof.visible_until is None]
    confidence = max((proof.confidence for proof in lasting), default=0.0)
    positions = [proof.position for proof in lasting if proof.position is not None]
    return (
        1.0 - (1.0 - confidence) / len(lasting) if lasting else 0.0,
        confidence,
        min(positions, default=None),
        max(positions, default=None),
        len(lasting),
        min((met for met in seen if met is not None), default=None),
    )


def _greatest(*positions: int | None) -> int | None:
    known = [position for position in positions if position is not None]
    return max(known) if len(known) == len(positions) else None
