"""Store the diagnostics of one stage with notes or the vault; those of other stages remain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows

if TYPE_CHECKING:
    from writeros_entities.values import JSON, Diagnostic


_KEPT = select(rows.note.c.id, rows.note.c.diagnostics).where(
    rows.in_vault(rows.note), rows.among(rows.note.c.id)
)
_DIAGNOSED = select(rows.note.c.id).where(
    rows.in_vault(rows.note), rows.note.c.diagnostics.is_not(None)
)


def keep_diagnostics(
    index: VaultRows,
    code: str,
    note_ids: Iterable[int] | None,
    found: Mapping[int, Sequence[Diagnostic]],
) -> None:
    """Replace all diagnostics with `code` on these notes (None: all notes) by those in `found`."""
    note = rows.note
    if note_ids is None:
        note_ids = index.scalars(_DIAGNOSED)
    for row in index.all_among(_KEPT, sorted({*note_ids, *found})):
        kept = [item for item in row.diagnostics or () if item["code"] != code]
        new = kept + [diagnostic.as_json() for diagnostic in found.get(row.id, ())]
        if new != (row.diagnostics or []):
            index.connection.execute(
                update(note)
                .where(index.owns(note), note.c.id == row.id)
                .values(diagnostics=new or None)
            )


def vault_rows(source: str, found: Iterable[tuple[str, Diagnostic]]) -> list[dict[str, JSON]]:
    """Return the diagnostics of one source, by path, in the form stored with the vault."""
    return [{"source": source, "path": path, **diagnostic.as_json()} for path, diagnostic in found]


def rows_of_source(kept: Sequence[dict[str, JSON]] | None, source: str) -> list[dict[str, JSON]]:
    """Return the diagnostics of one source from those stored with the vault."""
    return [row for row in kept or () if row["source"] == source]


def with_source(
    kept: Sequence[dict[str, JSON]], source: str, found: Sequence[dict[str, JSON]] | None
) -> list[dict[str, JSON]]:
    """Return the vault's diagnostics with those of one source replaced; None keeps them."""
    if found is None:
        return list(kept)
    return [row for row in kept if row["source"] != source] + list(found)
