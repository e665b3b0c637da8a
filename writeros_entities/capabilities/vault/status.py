"""What the index holds, in numbers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import counted
from writeros_entities.capability import AsOf, Request, Response, capability
from writeros_entities.errors import SettingsError

if TYPE_CHECKING:
    from writeros_entities.view import View
    from writeros_entities.workspace import Workspace


class Status(Request["VaultStatus"]):
    """As of when."""

    as_of: AsOf = None


class VaultStatus(Response):
    """What the index holds, in numbers."""

    vault: str
    database: str
    database_bytes: int | None
    revision: int
    unfinished: bool = Field(description="A sync is running or was interrupted.")
    last_sync: str | None
    writer: str | None = Field(description="The process that is writing the index now.")
    notes: dict[str, int] = Field(description="Files by kind.")
    manuscript_notes: int
    first_position: int | None
    last_position: int | None
    chunks: int
    mentions: int
    entities: dict[str, int] = Field(description="Mentioned entities, by status.")
    entity_types: dict[str, int]
    links: dict[str, int] = Field(description="Links by status.")
    diagnostics: int
    mode: Literal["lexical", "hybrid"] = Field(
        description="Lexical: full text and entities. Hybrid: vectors, too."
    )
    embedding_model: str | None = Field(description="The identity of the model of the vectors.")
    embedded: int = Field(description="Distinct texts of chunks and entities with a vector.")
    waiting: int = Field(description="Distinct texts that wait for a vector.")
    lexical_because: str | None = Field(description="Why there are no vectors.")
    unused_knowledge: list[str] = Field(
        description="Knowledge bases that would recognise names in the notes, and how to use them."
    )

    def as_text(self) -> str:
        """Return the numbers as a list."""
        size = f" ({self.database_bytes / 1e6:.1f} MB)" if self.database_bytes else ""
        facts: list[tuple[str, str]] = [
            ("vault", self.vault),
            ("database", self.database + size),
            ("last sync", self._last_sync()),
            ("files", ", ".join(_files(kind, count) for kind, count in self.notes.items())),
            ("manuscript", counted(self.manuscript_notes, "note") + _span(self)),
            ("passages", f"{self.chunks:,}"),
            ("entities", ", ".join(f"{count:,} {kind}" for kind, count in self.entities.items())),
            ("types", ", ".join(f"{kind} {count:,}" for kind, count in self.entity_types.items())),
            ("mentions", f"{self.mentions:,}"),
            ("links", ", ".join(f"{count:,} {kind}" for kind, count in self.links.items())),
            ("problems in notes", f"{self.diagnostics:,} (doctor also checks the links)"),
            ("search", self._search()),
            *(("not recognised", hint) for hint in self.unused_knowledge),
        ]
        if self.writer:
            facts.append(("being written by", self.writer))
        return "\n".join(f"- {what}: {fact or 'none'}" for what, fact in facts)

    def _last_sync(self) -> str:
        if self.last_sync is not None:
            return self.last_sync + ", and one is unfinished: run sync" * self.unfinished
        return "none finished: run sync" if self.unfinished else "never: run sync"

    def _search(self) -> str:
        if self.lexical_because is not None:
            waiting = f" {counted(self.waiting, 'text')} would get one." * bool(self.waiting)
            return f"by words and names, not by meaning. {self.lexical_because}{waiting}"
        done = f"by words, by names and by meaning ({counted(self.embedded, 'vector')})"
        return done + f"; {counted(self.waiting, 'text')} wait: run sync" * bool(self.waiting)


@capability(family="vault", offered=False, reads_unread=True)
def status(view: View, session: Workspace, request: Status) -> VaultStatus:
    """Show what the index holds: notes, passages, entities, mentions, links, problems."""
    from writeros_entities.capabilities.vault import contents
    from writeros_entities.capabilities.vault.knowledge import find_unused_knowledge
    from writeros_entities.embedding.texts import count_texts
    from writeros_entities.store.vaults import vault_row

    try:
        embedder, trouble = view.embedder(), view.embedding_trouble()
    except SettingsError as error:
        embedder, trouble = None, str(error)
    model = None if embedder is None else embedder.identity
    texts = count_texts(view, model)
    vault = vault_row(view)
    chapters, first, last = contents.reading_positions(view)
    return VaultStatus(
        vault=str(view.root),
        database=session.database.label,
        database_bytes=session.database.size_in_bytes(),
        revision=vault.revision,
        unfinished=vault.unfinished,
        last_sync=_moment(vault.synced_at),
        writer=_writer(vault.lease_owner, vault.lease_expires),
        notes=contents.count_by(view, view.note.c.kind),
        manuscript_notes=chapters,
        first_position=first,
        last_position=last,
        chunks=contents.count_rows(view, view.chunk),
        mentions=contents.count_rows(view, view.mention),
        entities=contents.count_mentioned_entities(view, view.entity.c.status),
        entity_types=contents.count_mentioned_entities(view, view.entity.c.type),
        links=contents.count_links(view),
        diagnostics=len(contents.recorded_problems(view)),
        mode="lexical" if model is None else "hybrid",
        embedding_model=model,
        embedded=texts.embedded,
        waiting=texts.waiting if view.settings.embedding_model else 0,
        lexical_because=trouble,
        unused_knowledge=[str(one) for one in find_unused_knowledge(view)],
    )


def _files(kind: str, count: int) -> str:
    plurals = {"canvas": "canvases", "conflict": "conflict copies", "excluded": "excluded"}
    return f"{count:,} {plurals[kind]}" if kind in plurals and count != 1 else counted(count, kind)


def _span(status: VaultStatus) -> str:
    if status.first_position is None:
        return ""
    return f", {status.first_position}–{status.last_position} in reading order"


def _writer(owner: str | None, expires: float | None) -> str | None:
    """Return the holder of the vault's lease, unless it has expired or its process is gone."""
    from writeros_entities.store.lease import is_held

    return owner.rpartition(":")[0] if owner and is_held(owner, expires, time.time()) else None


def _moment(seconds: float | None) -> str | None:
    from datetime import UTC, datetime

    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
