"""Aggregate relations over their evidence, and set the visibility of each piece of evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, select

from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.store.scope import WORTH
from writeros_entities.sync.relations.evidence import EvidenceKey
from writeros_entities.values.notes import latest

if TYPE_CHECKING:
    from writeros_entities.store.rows import Statement
    from writeros_entities.sync.touched import Touched


class _Related(NamedTuple):
    """A relation as its row has it, and from where its entities are met."""

    id: int
    source_id: int
    target_id: int
    confidence: float
    first_position: int | None
    last_position: int | None
    evidence_count: int
    visible_from: int | None
    source_met: int | None
    target_met: int | None


class _Proof(NamedTuple):
    """A piece of evidence, as far as its relation depends on it."""

    relation_id: int
    note_id: int
    start: int
    end: int
    since: int
    confidence: float
    position: int | None
    shown_from: int | None
    visible_from: int | None
    visible_until: int | None


_PROOFS = rows.select_as(_Proof, rows.evidence).where(rows.among(rows.evidence.c.relation_id))
_DELETION = delete(rows.relation).where(
    rows.in_vault(rows.relation), rows.among(rows.relation.c.id)
)
_OF_ENTITIES = [
    select(rows.relation.c.id).where(rows.in_vault(rows.relation), rows.among(end))
    for end in (rows.relation.c.source_id, rows.relation.c.target_id)
]


def aggregate_relations(index: VaultRows, touched: Touched) -> None:
    """Set `visible_from` of the evidence of touched relations, and aggregate these relations.

    A relation without evidence is deleted.
    """
    if touched.everything:
        related = index.scalars(_ALL)
    else:
        of_met = _relations_of(index, touched.met)
        related = sorted(touched.relations | of_met)
    for some in rows.given(related):
        _aggregate(index, touched, some)


def _relations_of(index: VaultRows, entity_ids: Iterable[int]) -> set[int]:
    return {
        relation
        for entities in rows.given(sorted(entity_ids))
        for statement in _OF_ENTITIES
        for relation in index.scalars(statement, entities)
    }


def _related() -> Statement:
    relation = rows.relation
    source, target = rows.entity.alias("source"), rows.entity.alias("target")
    columns = (relation.c[name] for name in ("id", "source_id", "target_id", *WORTH))
    return (
        select(
            *columns,
            source.c.visible_from.label("source_met"),
            target.c.visible_from.label("target_met"),
        )
        .join(source, (source.c.id == relation.c.source_id) & rows.in_vault(source))
        .join(target, (target.c.id == relation.c.target_id) & rows.in_vault(target))
        .where(rows.in_vault(relation), rows.among(relation.c.id))
    )


_ALL = select(rows.relation.c.id).where(rows.in_vault(rows.relation)).order_by(rows.relation.c.id)
_RELATED = _related()


def _aggregate(
    index: VaultRows,
    touched: Touched,
    given: Mapping[str, object],
) -> None:
    found = index.fetch(_Related, _RELATED, given)
    proofs = _evidence_of(index, [row.id for row in found])
    settled: list[_Proof] = []
    changed: list[_Related] = []
    gone: list[int] = []
    for row in found:
        own = proofs.get(row.id)
        touched.histories |= {row.source_id, row.target_id}
        if own is None:
            gone.append(row.id)
            continue
        seen = [latest(proof.shown_from, row.source_met, row.target_met) for proof in own]
        settled += [
            proof._replace(visible_from=met)
            for proof, met in zip(own, seen, strict=True)
            if proof.visible_from != met
        ]
        worth = _with_worth(row, own, seen)
        if worth != row:
            changed.append(worth)
    index.update(rows.evidence, settled, by=EvidenceKey._fields, only=("visible_from",))
    index.update(rows.relation, changed, by=("id",), only=WORTH)
    index.change_among(_DELETION, gone)


def _evidence_of(index: VaultRows, relation_ids: Iterable[int]) -> dict[int, list[_Proof]]:
    found: dict[int, list[_Proof]] = defaultdict(list)
    for row in index.fetch_among(_Proof, _PROOFS, relation_ids):
        found[row.relation_id].append(row)
    return found


def _with_worth(row: _Related, proofs: Sequence[_Proof], seen: Sequence[int | None]) -> _Related:
    """Return a relation with the columns `WORTH` from the evidence that holds in the end."""
    lasting = [proof for proof in proofs if proof.visible_until is None]
    confidence = max((proof.confidence for proof in lasting), default=0.0)
    positions = [proof.position for proof in lasting if proof.position is not None]
    return row._replace(
        confidence=confidence,
        first_position=min(positions, default=None),
        last_position=max(positions, default=None),
        evidence_count=len(lasting),
        visible_from=min((met for met in seen if met is not None), default=None),
    )
