"""Write the topics of notes, and from where they may be seen.

Topics belong to a note as a whole. They are extracted without the sections that have a visibility
of their own, so each has the `visible_from` of the note's own text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from writeros_entities.store import rows
from writeros_entities.sync.diagnostics import keep_diagnostics
from writeros_entities.sync.drafting.drafts import TOPIC
from writeros_entities.sync.drafting.pipeline import TOPICS_FAILED

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.sync.drafting.drafts import Row
    from writeros_entities.sync.drafting.pipeline import FoundTopics
    from writeros_entities.sync.touched import Touched

_COLUMNS = ("vault_id", "note_id", "visible_from", *TOPIC)


def replace_topics(
    connection: Connection, vault_id: int, touched: Touched, found: Sequence[FoundTopics]
) -> None:
    """Replace the topics of notes; rows that are the same are kept."""
    shown = _visibility(connection, vault_id, [one.note_id for one in found]) | touched.shown
    fresh = {
        one.note_id: sorted((vault_id, one.note_id, shown[one.note_id], *row) for row in one.topics)
        for one in found
    }
    again = [note_id for note_id in fresh if note_id not in touched.added]
    before = _topics(connection, vault_id, again)
    differing = [note_id for note_id in again if sorted(before[note_id]) != fresh[note_id]]
    deletion = delete(rows.topic).where(rows.topic.c.vault_id == vault_id)
    rows.change_among(connection, deletion, rows.topic.c.note_id, differing)
    same = set(again).difference(differing)
    new = [row for note_id, topics in fresh.items() if note_id not in same for row in topics]
    rows.insert_rows(connection, rows.topic, _COLUMNS, new)
    failed = {one.note_id: one.diagnostics for one in found if one.diagnostics}
    keep_diagnostics(connection, vault_id, TOPICS_FAILED, again, failed)


def _visibility(
    connection: Connection, vault_id: int, note_ids: Iterable[int]
) -> dict[int, int | None]:
    note = rows.note
    statement = select(note.c.id, note.c.visible_from).where(note.c.vault_id == vault_id)
    found = rows.all_among(connection, statement, note.c.id, note_ids)
    return dict(map(tuple, found))


def _topics(
    connection: Connection, vault_id: int, note_ids: Iterable[int]
) -> Mapping[int, Sequence[Row]]:
    topic = rows.topic
    columns = [topic.c[name] for name in _COLUMNS]
    statement = select(*columns).where(topic.c.vault_id == vault_id)
    found: dict[int, list[Row]] = defaultdict(list)
    for row in rows.all_among(connection, statement, topic.c.note_id, note_ids):
        found[row.note_id].append(tuple(row))
    return found


def show_topics(connection: Connection, vault_id: int, shown: Mapping[int, int | None]) -> None:
    """Set `visible_from` of the topics of notes, by note id."""
    topic = rows.topic
    for batch in rows.batches(sorted(shown)):
        found = connection.execute(
            select(topic.c.note_id, topic.c.visible_from)
            .where(topic.c.vault_id == vault_id, topic.c.note_id.in_(batch))
            .distinct()
        )
        changes: list[tuple[Any, ...]] = [
            (shown[row.note_id], row.note_id, vault_id)
            for row in found
            if row.visible_from != shown[row.note_id]
        ]
        rows.update_rows(connection, topic, ("visible_from",), ("note_id", "vault_id"), changes)
