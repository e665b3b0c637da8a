"""Write the topics of notes, and from where they may be seen.

Topics belong to a note as a whole. They are extracted without the sections that have a visibility
of their own, so each has the `visible_from` of the note's own text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, select

from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.diagnostics import keep_diagnostics
from writeros_entities.sync.drafting.drafts import TopicRow
from writeros_entities.sync.drafting.pipeline import TOPICS_FAILED

if TYPE_CHECKING:
    from writeros_entities.sync.drafting.pipeline import FoundTopics
    from writeros_entities.sync.touched import Touched


_OF_NOTES = rows.among(rows.topic.c.note_id)
_TOPICS = rows.select_as(TopicRow, rows.topic).where(_OF_NOTES)
_DELETION = delete(rows.topic).where(rows.in_vault(rows.topic), _OF_NOTES)
_VISIBILITY = select(rows.note.c.id, rows.note.c.visible_from).where(
    rows.in_vault(rows.note), rows.among(rows.note.c.id)
)


def replace_topics(index: VaultRows, touched: Touched, found: Sequence[FoundTopics]) -> None:
    """Replace the topics of notes; rows that are the same are kept."""
    shown = _visibility(index, [one.note_id for one in found if one.topics])
    shown |= touched.shown
    fresh = {
        one.note_id: sorted(
            row._replace(note_id=one.note_id, visible_from=shown[one.note_id]) for row in one.topics
        )
        for one in found
    }
    again = [note_id for note_id in fresh if note_id not in touched.added]
    before = _topics(index, again)
    differing = [note_id for note_id in again if sorted(before[note_id]) != fresh[note_id]]
    index.change_among(_DELETION, differing)
    same = set(again).difference(differing)
    new = [row for note_id, topics in fresh.items() if note_id not in same for row in topics]
    index.insert(rows.topic, new)
    failed = {one.note_id: one.diagnostics for one in found if one.diagnostics}
    keep_diagnostics(index, TOPICS_FAILED, {*again} - touched.written, failed)


def _visibility(index: VaultRows, note_ids: Iterable[int]) -> dict[int, int | None]:
    return dict(map(tuple, index.all_among(_VISIBILITY, note_ids)))


def _topics(index: VaultRows, note_ids: Iterable[int]) -> Mapping[int, Sequence[TopicRow]]:
    found: dict[int, list[TopicRow]] = defaultdict(list)
    for row in index.fetch_among(TopicRow, _TOPICS, note_ids):
        found[row.note_id].append(row)
    return found


class _Shown(NamedTuple):
    """From where a note's topics may be seen."""

    note_id: int
    visible_from: int | None


def show_topics(index: VaultRows, shown: Mapping[int, int | None]) -> None:
    """Set `visible_from` of the topics of notes, by note id."""
    topic = rows.topic
    for batch in rows.batches(sorted(shown)):
        found = index.connection.execute(
            select(topic.c.note_id, topic.c.visible_from)
            .where(index.owns(topic), topic.c.note_id.in_(batch))
            .distinct()
        )
        changes = [
            _Shown(row.note_id, shown[row.note_id])
            for row in found
            if row.visible_from != shown[row.note_id]
        ]
        index.update(topic, changes, by=("note_id",))
