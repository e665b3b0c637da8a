"""What the vault's words state becomes relations and their evidence.

A note's links state something once they are resolved (`state_links`), its prose once its mentions
are found (`state_prose`); then the relations that gained or lost evidence are added up again
(`add_up`). An inverse kind is kept under the kind itself, and a symmetric one from the lesser id to
the greater, so that all evidence for one relation stands together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, delete, or_, select, update

from writeros_entities.names import fold_name
from writeros_entities.store import rows
from writeros_entities.store.rows import IdSequence
from writeros_entities.sync.drafts import NEVER
from writeros_entities.sync.entities import note_subject
from writeros_entities.sync.inference import INFERRED
from writeros_entities.sync.statements import read_statements
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.ontology import Ontology
    from writeros_entities.sync.stages import Detected
    from writeros_entities.sync.statements import Statement
    from writeros_entities.sync.touched import Touched

WRITTEN = 0.95
"""Confidence in what the writer says by a property, a field or a labelled edge."""

EVIDENCE = (
    *("relation_id", "note_id", "start", "end", "since", "chunk_id", "form", "key", "line"),
    *("quote", "confidence", "has_ended", "position", "shown_from", "visible_from"),
    "visible_until",
)
_RELATION = (
    *("id", "vault_id", "source_id", "target_id", "kind", "origin", "strength", "confidence"),
    "evidence_count",
)
_KEY = ("relation_id", "note_id", "start", "end", "since")

Edge = tuple[int, int, str, str]
"""Source, target, kind and origin."""


class _Proof(NamedTuple):
    """One piece of evidence and the edge that it bears out."""

    edge: Edge
    start: int
    end: int
    chunk_id: int | None
    form: str
    key: str
    line: int
    quote: str | None
    confidence: float
    shown_from: int | None
    has_ended: bool = False
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class _End:
    """An entity at one end of a statement."""

    id: int
    type: str


class RelationWriter:
    """Writes what notes state into one vault's rows, within one transaction."""

    def __init__(
        self, connection: Connection, vault_id: int, touched: Touched, ontology: Ontology
    ) -> None:
        self._connection = connection
        self._vault_id = vault_id
        self._touched = touched
        self._ontology = ontology

    def forget(self, note_ids: Iterable[int]) -> None:
        """Delete the evidence in notes that are about to change, and note whom they tell of."""
        evidence = rows.evidence
        for batch in rows.batches(note_ids):
            condition = [self._is(evidence), evidence.c.note_id.in_(batch)]
            stated = select(evidence.c.relation_id).where(*condition).distinct()
            self._touched.relations.update(self._connection.scalars(stated))
            self._connection.execute(delete(evidence).where(*condition))
            change = rows.entity_change
            told = select(change.c.entity_id).where(self._is(change), change.c.note_id.in_(batch))
            self._touched.histories.update(self._connection.scalars(told.distinct()))

    def forget_place(self, note_ids: Iterable[int]) -> None:
        """Note who is named in notes that move: which of two names is first can depend on it."""
        mention, chunk = rows.mention, rows.chunk
        for batch in rows.batches(note_ids):
            named = (
                select(mention.c.entity_id)
                .join(chunk, (chunk.c.id == mention.c.chunk_id) & self._is(chunk))
                .where(
                    self._is(mention),
                    chunk.c.note_id.in_(batch),
                    mention.c.visible_from.is_not(None),
                )
            )
            self._touched.histories.update(self._connection.scalars(named.distinct()))

    def state_links(self, changed_forms: Iterable[str]) -> None:
        """Set the statements of properties, fields and edges again, where they may have changed.

        `changed_forms` are the names that came or went: an unresolved link may mean one of them.
        """
        note_ids = None if self._touched.everything else self._to_state(changed_forms)
        note = rows.note
        statement = select(
            note.c.id, note.c.position, note.c.visible_from, note.c.statements
        ).where(self._is(note))
        if note_ids is None:
            found = self._connection.execute(statement.where(note.c.statements.is_not(None)))
            for batch in rows.batches(found.all()):
                self._state(batch, {row.id for row in batch})
            return
        for ids in rows.batches(sorted(note_ids)):
            among = statement.where(note.c.id.in_(ids), note.c.statements.is_not(None))
            self._state(self._connection.execute(among).all(), set(ids))

    def state_prose(self, detected: Sequence[Detected]) -> None:
        """Make what the prose of these notes states what was inferred from it."""
        proofs: dict[int, list[_Proof]] = defaultdict(list)
        for found in detected:
            for row in found.inferred:
                inferred = dict(zip(INFERRED, row, strict=True))
                proofs[found.note_id].append(self._from_prose(**inferred))
        self._replace({found.note_id for found in detected}, proofs, is_prose=True)

    def _is(self, table: Any) -> Any:
        return table.c.vault_id == self._vault_id

    def _to_state(self, changed_forms: Iterable[str]) -> set[int]:
        """Return the notes whose links may state something else than before."""
        link = rows.link
        found = self._touched.notes | self._touched.restated
        renewed = self._touched.renewed
        targets = [int(subject[5:]) for subject in renewed if subject.startswith("note:")]
        keys = {subject[5:] for subject in renewed if subject.startswith("link:")}
        keys |= {fold_name(form) for form in changed_forms}
        conditions: list[Any] = [
            link.c.target_note_id.in_(batch) for batch in rows.batches(sorted(targets))
        ]
        conditions += [
            link.c.target_key.in_(batch) & link.c.target_note_id.is_(None)
            for batch in rows.batches(sorted(keys))
        ]
        may_state = or_(link.c.field.is_not(None), link.c.kind == "canvas")
        for condition in conditions:
            statement = select(link.c.note_id).where(self._is(link), may_state, condition)
            found |= set(self._connection.scalars(statement.distinct()))
        return found

    def _state(self, notes: Sequence[Any], note_ids: set[int]) -> None:
        stated = {row.id: read_statements(row.statements) for row in notes}
        links = self._links([row.id for row in notes])
        ends = self._ends(stated, links)
        chunks = self._chunks(note for note, found in stated.items() if _needs_chunks(found))
        proofs = {}
        for row in notes:
            made = (
                self._proof(row, statement, links[row.id], ends, chunks[row.id])
                for statement in stated[row.id]
            )
            proofs[row.id] = [proof for proof in made if proof is not None]
        self._replace(note_ids, proofs, is_prose=False)

    def _links(self, note_ids: Iterable[int]) -> dict[int, dict[int, Any]]:
        link = rows.link
        found: dict[int, dict[int, Any]] = defaultdict(dict)
        columns = [link.c.note_id, link.c.ordinal, link.c.target_note_id, link.c.target_key]
        may_state = or_(link.c.field.is_not(None), link.c.kind == "canvas")
        for batch in rows.batches(note_ids):
            for row in self._connection.execute(
                select(*columns, link.c.start, link.c.visible_from).where(
                    self._is(link), link.c.note_id.in_(batch), may_state
                )
            ):
                found[row.note_id][row.ordinal] = row
        return found

    def _ends(self, stated: Iterable[int], links: dict[int, dict[int, Any]]) -> dict[str, _End]:
        """Return the entities that notes and links stand for, by subject."""
        subjects = {note_subject(note) for note in stated}
        keys = set()
        for of_note in links.values():
            for row in of_note.values():
                if row.target_note_id is None:
                    keys.add(row.target_key)
                else:
                    subjects.add(note_subject(row.target_note_id))
        subjects |= {f"link:{key}" for key in keys}
        entity = rows.entity
        found: dict[str, _End] = {}
        for batch in rows.batches(sorted(subjects)):
            for row in self._connection.execute(
                select(entity.c.subject, entity.c.id, entity.c.type).where(
                    self._is(entity), entity.c.subject.in_(batch)
                )
            ):
                found[row.subject] = _End(row.id, row.type)
        return found | self._called(key for key in keys if f"link:{key}" not in found)

    def _called(self, keys: Iterable[str]) -> dict[str, _End]:
        """Return the entities that are the only ones of a name, for links that lead nowhere."""
        alias, entity = rows.alias, rows.entity
        found: dict[str, dict[int, _End]] = defaultdict(dict)
        for batch in rows.batches(sorted(keys)):
            for row in self._connection.execute(
                select(alias.c.form_key, entity.c.id, entity.c.type)
                .join(entity, (entity.c.id == alias.c.entity_id) & self._is(entity))
                .where(
                    self._is(alias),
                    alias.c.form_key.in_(batch),
                    alias.c.kind.in_(("name", "alias", "surface_form")),
                )
            ):
                found[row.form_key][row.id] = _End(row.id, row.type)
        return {
            f"link:{key}": next(iter(called.values()))
            for key, called in found.items()
            if len(called) == 1
        }

    def _chunks(self, note_ids: Iterable[int]) -> dict[int, list[Any]]:
        chunk = rows.chunk
        found: dict[int, list[Any]] = defaultdict(list)
        for batch in rows.batches(note_ids):
            for row in self._connection.execute(
                select(chunk.c.note_id, chunk.c.id, chunk.c.start, chunk.c.end)
                .where(self._is(chunk), chunk.c.note_id.in_(batch))
                .order_by(chunk.c.note_id, chunk.c.ordinal)
            ):
                found[row.note_id].append(row)
        return found

    def _proof(
        self,
        note: Any,
        statement: Statement,
        links: dict[int, Any],
        ends: dict[str, _End],
        chunks: Sequence[Any],
    ) -> _Proof | None:
        """Return what a statement bears out; None where it is about no two entities."""
        target = links.get(-1 if statement.target is None else statement.target)
        if target is None:
            return None
        source, shown_from = ends.get(note_subject(note.id)), target.visible_from
        if statement.form == "canvas":
            linked = links.get(-1 if statement.source is None else statement.source)
            source, shown_from = _end(linked, ends), note.visible_from
        other = _end(target, ends)
        if source is None or other is None or source.id == other.id:
            return None
        reading = self._ontology.read_key(statement.key, source.type, other.type)
        if reading is None:
            return None
        edge = self._edge(reading.kind, source.id, other.id, is_inverse=reading.is_inverse)
        place = bisect_right([row.start for row in chunks], statement.start) - 1
        is_held = place >= 0 and statement.end <= chunks[place].end and statement.quote is None
        return _Proof(
            edge,
            statement.start,
            statement.end,
            chunks[place].id if is_held else None,
            statement.form,
            statement.key,
            statement.line,
            statement.quote,
            WRITTEN,
            shown_from,
        )

    def _from_prose(
        self,
        *,
        source_id: int,
        kind: str,
        target_id: int | None,
        chunk_id: int,
        start: int,
        end: int,
        line: int,
        since: int,
        shown_from: int | None,
        visible_until: int | None,
        confidence: float,
        key: str,
        has_ended: bool,
    ) -> _Proof:
        if target_id is None:
            edge: Edge = (source_id, source_id, kind, "status")
        else:
            reading = self._ontology.read_name(kind)
            edge = self._edge(reading.kind, source_id, target_id, is_inverse=reading.is_inverse)
        return _Proof(
            *(edge, start, end, chunk_id, "prose", key, line, None, confidence, shown_from),
            *(has_ended, since, visible_until),
        )

    def _edge(self, kind: str, source: int, target: int, *, is_inverse: bool) -> Edge:
        if is_inverse:
            source, target = target, source
        if self._ontology.kind(kind).symmetric and target < source:
            source, target = target, source
        return source, target, kind, "asserted"

    def _replace(
        self, note_ids: set[int], proofs: dict[int, list[_Proof]], *, is_prose: bool
    ) -> None:
        """Make the evidence of notes, that of prose or all other, what these proofs are."""
        before = self._stored(note_ids, is_prose=is_prose)
        edges = {proof.edge for of_note in proofs.values() for proof in of_note}
        relation_ids = self._relation_ids(edges)
        positions = self._positions(note for note, found in proofs.items() if found)
        stale: list[int] = []
        fresh: list[tuple[Any, ...]] = []
        for note_id in note_ids:
            after = {
                row[: len(_KEY)]: row
                for proof in proofs.get(note_id, ())
                for row in [_row(relation_ids[proof.edge], note_id, positions[note_id], proof)]
            }
            old = before.get(note_id, {})
            if {key: _unsettled(row) for key, row in old.items()} == {
                key: _unsettled(row) for key, row in after.items()
            }:
                continue
            self._touched.relations.update(key[0] for key in (*old, *after))
            stale += [note_id] if old else []
            fresh += after.values()
        evidence = rows.evidence
        form = evidence.c.form == "prose" if is_prose else evidence.c.form != "prose"
        for batch in rows.batches(stale):
            self._connection.execute(
                delete(evidence).where(self._is(evidence), form, evidence.c.note_id.in_(batch))
            )
        values = [(self._vault_id, *row) for row in fresh]
        rows.insert_rows(self._connection, evidence, ("vault_id", *EVIDENCE), values)

    def _stored(
        self, note_ids: Iterable[int], *, is_prose: bool
    ) -> dict[int, dict[tuple[Any, ...], tuple[Any, ...]]]:
        evidence = rows.evidence
        form = evidence.c.form == "prose" if is_prose else evidence.c.form != "prose"
        columns = [evidence.c[name] for name in EVIDENCE]
        found: dict[int, dict[tuple[Any, ...], tuple[Any, ...]]] = defaultdict(dict)
        for batch in rows.batches(sorted(note_ids)):
            for row in self._connection.execute(
                select(*columns).where(self._is(evidence), form, evidence.c.note_id.in_(batch))
            ):
                found[row.note_id][tuple(row)[: len(_KEY)]] = tuple(row)
        return found

    def _relation_ids(self, edges: set[Edge]) -> dict[Edge, int]:
        """Return the relation of each edge; a new one is added up later."""
        relation = rows.relation
        found: dict[Edge, int] = {}
        for batch in rows.batches(sorted({edge[0] for edge in edges})):
            for row in self._connection.execute(
                select(relation).where(self._is(relation), relation.c.source_id.in_(batch))
            ):
                found[row.source_id, row.target_id, row.kind, row.origin] = row.id
        new = sorted(edges - found.keys())
        if new:
            ids = IdSequence(self._connection, relation, self._vault_id)
            found |= {edge: ids.take() for edge in new}
            values = [(found[edge], self._vault_id, *edge, 0.0, 0.0, 0) for edge in new]
            rows.insert_rows(self._connection, relation, _RELATION, values)
        return found

    def _positions(self, note_ids: Iterable[int]) -> dict[int, int | None]:
        note = rows.note
        found: dict[int, int | None] = {}
        for batch in rows.batches(sorted(note_ids)):
            statement = select(note.c.id, note.c.position).where(
                self._is(note), note.c.id.in_(batch)
            )
            found.update((row.id, row.position) for row in self._connection.execute(statement))
        return found


def _needs_chunks(statements: Iterable[Statement]) -> bool:
    return any(statement.quote is None for statement in statements)


def _end(link: Any, ends: dict[str, _End]) -> _End | None:
    if link is None:
        return None
    if link.target_note_id is not None:
        return ends.get(note_subject(link.target_note_id))
    return ends.get(f"link:{link.target_key}")


def _row(relation_id: int, note_id: int, position: int | None, proof: _Proof) -> tuple[Any, ...]:
    shown = proof.shown_from
    since = proof.since if proof.since is not None else NEVER if shown is None else shown
    if position is None and shown != ALWAYS:
        position = shown
    return (
        *(relation_id, note_id, proof.start, proof.end, since, proof.chunk_id, proof.form),
        *(proof.key, proof.line, proof.quote, proof.confidence, proof.has_ended, position),
        *(shown, None, proof.until),
    )


def _unsettled(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without `visible_from`, which is settled when the relation is added up."""
    at = EVIDENCE.index("visible_from")
    return row[:at] + row[at + 1 :]


def add_up(connection: Connection, vault_id: int, touched: Touched) -> None:
    """Settle from where evidence may be seen, and what the touched relations are worth.

    A relation without evidence goes.
    """
    relation = rows.relation
    conditions: list[Any] = [None]
    if not touched.everything:
        of_met = _relations_of(connection, vault_id, touched.met)
        ids = sorted(touched.relations | of_met)
        conditions = [relation.c.id.in_(batch) for batch in rows.batches(ids)]
    for condition in conditions:
        _add_up(connection, vault_id, touched, condition)


def _relations_of(connection: Connection, vault_id: int, entity_ids: Iterable[int]) -> set[int]:
    relation = rows.relation
    found: set[int] = set()
    for batch in rows.batches(sorted(entity_ids)):
        for end in (relation.c.source_id, relation.c.target_id):
            statement = select(relation.c.id).where(relation.c.vault_id == vault_id, end.in_(batch))
            found.update(connection.scalars(statement))
    return found


def _add_up(connection: Connection, vault_id: int, touched: Touched, condition: Any) -> None:
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
    settled: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    gone: list[int] = []
    for row in found:
        own = proofs.get(row.id)
        if own is None:
            gone.append(row.id)
            touched.histories |= {row.source_id, row.target_id}
            continue
        seen = [_greatest(proof.shown_from, row.source_met, row.target_met) for proof in own]
        settled += [
            {f"b_{name}": getattr(proof, name) for name in _KEY} | {"met": met}
            for proof, met in zip(own, seen, strict=True)
            if proof.visible_from != met
        ]
        values = _worth(own, seen)
        if any(getattr(row, name) != value for name, value in values.items()):
            changed.append(values | {"b_id": row.id})
        touched.histories |= {row.source_id, row.target_id}
    _update(connection, vault_id, settled, changed)
    for batch in rows.batches(gone):
        connection.execute(
            delete(relation).where(relation.c.vault_id == vault_id, relation.c.id.in_(batch))
        )


def _evidence_of(
    connection: Connection, vault_id: int, relation_ids: Iterable[int]
) -> dict[int, list[Any]]:
    evidence = rows.evidence
    columns = [*_KEY, "confidence", "position", "shown_from", "visible_from", "visible_until"]
    found: dict[int, list[Any]] = defaultdict(list)
    for batch in rows.batches(relation_ids):
        for row in connection.execute(
            select(*(evidence.c[name] for name in columns)).where(
                evidence.c.vault_id == vault_id, evidence.c.relation_id.in_(batch)
            )
        ):
            found[row.relation_id].append(row)
    return found


def _worth(proofs: Sequence[Any], seen: Sequence[int | None]) -> dict[str, Any]:
    """Return what the evidence that holds in the end makes of a relation; see `query.relations`."""
    lasting = [proof for proof in proofs if proof.visible_until is None]
    confidence = max((proof.confidence for proof in lasting), default=0.0)
    positions = [proof.position for proof in lasting if proof.position is not None]
    return {
        "strength": 1.0 - (1.0 - confidence) / len(lasting) if lasting else 0.0,
        "confidence": confidence,
        "first_position": min(positions, default=None),
        "last_position": max(positions, default=None),
        "evidence_count": len(lasting),
        "visible_from": min((met for met in seen if met is not None), default=None),
    }


def _greatest(*positions: int | None) -> int | None:
    known = [position for position in positions if position is not None]
    return max(known) if len(known) == len(positions) else None


def _update(
    connection: Connection,
    vault_id: int,
    settled: Sequence[dict[str, Any]],
    changed: Sequence[dict[str, Any]],
) -> None:
    evidence, relation = rows.evidence, rows.relation
    if settled:
        key = [evidence.c[name] == bindparam(f"b_{name}") for name in _KEY]
        connection.execute(
            update(evidence)
            .where(evidence.c.vault_id == vault_id, *key)
            .values(visible_from=bindparam("met")),
            settled,
        )
    if changed:
        names = [name for name in changed[0] if name != "b_id"]
        connection.execute(
            update(relation)
            .where(relation.c.vault_id == vault_id, relation.c.id == bindparam("b_id"))
            .values({name: bindparam(name) for name in names}),
            changed,
        )
