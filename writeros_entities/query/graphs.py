"""The graph of a vault as a view shows it: loaded from the index, and kept until that changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.graph.cooccurrence import NOWHERE
from writeros_entities.query.relations import ASSERTED
from writeros_entities.query.windows import load_occurrences
from writeros_entities.store import rows

if TYPE_CHECKING:
    from writeros_entities.graph.snapshot import Edges, Nodes, Snapshot
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace


def load_graph(workspace: Workspace, view: View) -> Snapshot:
    """Return the snapshot of a view; the last few are kept in memory until the index changes."""
    return workspace.kept(view, "graph", lambda: read_graph(view))


def read_graph(view: View) -> Snapshot:
    """Read every entity, relation and co-occurrence that may be seen."""
    from writeros_entities.graph.snapshot import Snapshot

    nodes = _read_nodes(view)
    return Snapshot(nodes, _read_edges(view, nodes))


def _read_nodes(view: View) -> Nodes:
    """Read entities that the vault speaks of, in order of first appearance.

    Those that are never mentioned come last, by name: no order may tell what only later chapters
    decide, such as ids.
    """
    import numpy as np

    from writeros_entities.graph.snapshot import Nodes

    entity = view.entity
    appearances = _appearances(view)
    found = view.all(
        select(
            entity.c.id, entity.c.type, entity.c.status, entity.c.name_key, entity.c.visible_from
        )
    )
    related = _related(view)
    kept = [
        row for row in found if row.id in appearances or row.status == "noted" or row.id in related
    ]
    never = (1, 0, "", 0)
    kept.sort(
        key=lambda row: (
            *appearances.get(row.id, (never, 0))[0],
            row.name_key,
            row.type,
            row.id,
        )
    )
    types = tuple(sorted({row.type for row in kept}))
    number = {name: at for at, name in enumerate(types)}
    firsts = [appearances.get(row.id) for row in kept]
    return Nodes(
        ids=np.array([row.id for row in kept], np.int64),
        type=np.array([number[row.type] for row in kept], np.int64),
        types=types,
        mentions=np.array([first[1] if first else 0 for first in firsts], np.int64),
        position=np.array([first[0][1] if first else NOWHERE for first in firsts], np.int64),
        visible_from=np.array([_or_nowhere(row.visible_from) for row in kept], np.int64),
    )


def _appearances(view: View) -> dict[int, tuple[tuple[int, int, str, int], int]]:
    """Return where each entity is first mentioned, the manuscript first, and how often in all."""
    mention, chunk, note = view.mention, view.chunk, view.note
    statement = (
        select(mention.c.entity_id, note.c.position, note.c.path, mention.c.start)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
    )
    found: dict[int, tuple[tuple[int, int, str, int], int]] = {}
    for entity_id, position, path, start in view.all(statement):
        place = (0, _or_nowhere(position), path, start)
        known = found.get(entity_id)
        if known is None:
            found[entity_id] = (place, 1)
        else:
            found[entity_id] = (min(known[0], place), known[1] + 1)
    return found


def _related(view: View) -> set[int]:
    relation = rows.relation.c
    statement = view.relations(relation.origin == ASSERTED).with_only_columns(
        relation.source_id, relation.target_id, maintain_column_froms=True
    )
    return {entity_id for row in view.all(statement) for entity_id in row}


def _read_edges(view: View, nodes: Nodes) -> Edges:
    import numpy as np

    from writeros_entities.graph.cooccurrence import find_pairs
    from writeros_entities.graph.snapshot import ORIGINS, TOGETHER, Edges

    index = nodes.index
    relation = rows.relation.c
    statement = view.relations(
        relation.origin == ASSERTED, relation.source_id != relation.target_id
    )
    asserted = [
        (
            index[row.source_id],
            index[row.target_id],
            row.kind,
            row.id,
            round(row.strength, 4),
            row.confidence,
            row.evidence_count,
            _or_nowhere(row.first_position),
            _or_nowhere(row.last_position),
            _or_nowhere(row.visible_from),
        )
        for row in view.all(statement)
        if row.source_id in index and row.target_id in index
    ]
    asserted.sort(key=lambda edge: edge[:3])
    pairs = find_pairs(load_occurrences(view, index), len(nodes.ids))
    kinds = (TOGETHER, *sorted({edge[2] for edge in asserted} - {TOGETHER}))
    number = {name: at for at, name in enumerate(kinds)}
    columns: list[tuple[Any, ...]] = list(zip(*asserted, strict=True)) or [()] * 10
    size = len(pairs.source)

    def joined(column: Sequence[float], added: Any, kind: Any = np.int64) -> Any:
        return np.concatenate([np.array(column, kind), np.asarray(added, kind)])

    return Edges(
        source=joined(columns[0], pairs.source),
        target=joined(columns[1], pairs.target),
        kind=joined([number[name] for name in columns[2]], np.zeros(size)),
        kinds=kinds,
        origin=joined(
            [ORIGINS.index("asserted")] * len(asserted),
            np.full(size, ORIGINS.index("co-occurrence")),
        ),
        relation=joined(columns[3], np.zeros(size)),
        strength=joined(columns[4], pairs.strength, np.float64),
        confidence=joined(columns[5], pairs.strength, np.float64),
        count=joined(columns[6], pairs.count),
        first=joined(columns[7], pairs.first),
        last=joined(columns[8], pairs.last),
        visible_from=joined(columns[9], pairs.visible_from),
    )


def nodes_of(snapshot: Snapshot, entity_ids: Iterable[int]) -> list[int]:
    """Return the nodes of entities; those that the graph does not have are left out."""
    index = snapshot.nodes.index
    return sorted({index[entity_id] for entity_id in entity_ids if entity_id in index})


def read_entities(view: View, snapshot: Snapshot, nodes: Iterable[int]) -> Mapping[int, Any]:
    """Return the rows of the entities of nodes, by node."""
    from writeros_entities.query.search import entities_by_id

    wanted = {int(node): int(snapshot.nodes.ids[node]) for node in nodes}
    found = entities_by_id(view, list(wanted.values()))
    return {node: found[entity_id] for node, entity_id in wanted.items()}


def count_passages(view: View, entity_ids: Sequence[int]) -> dict[int, int]:
    """Return in how many chunks each entity is mentioned."""
    from sqlalchemy import func

    mention = view.mention
    counts: dict[int, int] = {}
    for batch in rows.batches(entity_ids):
        statement = (
            select(mention.c.entity_id, func.count(mention.c.chunk_id.distinct()).label("chunks"))
            .where(mention.c.entity_id.in_(batch))
            .group_by(mention.c.entity_id)
        )
        counts.update((row.entity_id, row.chunks) for row in view.all(statement))
    return counts


def shown(position: int) -> int | None:
    """Return a position as answers have it: None for nowhere in the manuscript."""
    return None if position == NOWHERE else int(position)


def _or_nowhere(position: int | None) -> int:
    return NOWHERE if position is None else position
