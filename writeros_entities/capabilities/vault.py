"""The vault family: bringing the index up to date, and asking after its health."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, counted, omitted, table
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.query.status import Problem
    from writeros_entities.values import SyncOutcome
    from writeros_entities.workspace import Workspace

Wait = Annotated[
    float,
    Field(ge=0, le=3600, description="Seconds to wait while another process is writing."),
]
SHOWN = 20
"""Paths and diagnostics that an answer about a sync lists of each kind."""


class Trouble(Answer):
    """Something about a note that its writer would want to know."""

    severity: Literal["info", "warning", "error"]
    code: str
    path: str
    line: int | None
    message: str

    def as_text(self) -> str:
        """Return the trouble as one Markdown list item."""
        place = self.path or "vault"
        if self.line is not None:
            place += f":{self.line}"
        return f"- {place} — {self.message} ({self.code})"


class SyncVault(Request):
    """How to sync."""

    allow_empty: Annotated[
        bool, Field(description="Accept that the vault's folder is empty and forget every note.")
    ] = False
    wait: Wait = 10.0


class SyncReport(Response):
    """What a sync changed; long lists are cut, the counts are whole."""

    revision: int
    added: int
    changed: int
    moved: int
    removed: int
    redetected: int = Field(description="Notes whose mentions were looked for again.")
    paths: list[str] = Field(description="Some of the paths that changed.")
    diagnostics: list[Trouble]
    total_diagnostics: int

    def as_text(self) -> str:
        """Return the report in a few lines."""
        counts = {
            "added": self.added,
            "changed": self.changed,
            "moved": self.moved,
            "removed": self.removed,
        }
        done = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
        text = f"Files: {done}." if done else "Nothing has changed."
        if self.redetected:
            text += f" Mentions looked for in {counted(self.redetected, 'note')}."
        text += f" Revision {self.revision}."
        if self.diagnostics:
            text += "\n\n" + "\n".join(trouble.as_text() for trouble in self.diagnostics)
        return text + omitted(
            len(self.diagnostics), self.total_diagnostics, "diagnostic", "see doctor"
        )


@capability(family="vault", writes=True, slow=True)
def sync(workspace: Workspace, request: SyncVault) -> SyncReport:
    """Bring the index up to date with the vault: only what changed is read again.

    The vault itself is never written.
    """
    from writeros_entities.sync.synchronizer import Synchronizer

    outcome = Synchronizer(workspace).sync(
        progress=workspace.progress,
        wait_seconds=request.wait,
        allow_empty=request.allow_empty,
    )
    return _report(outcome)


class RebuildIndex(Request):
    """How to rebuild."""

    wait: Wait = 10.0


@capability(family="vault", writes=True, slow=True)
def rebuild(workspace: Workspace, request: RebuildIndex) -> SyncReport:
    """Forget the index and make it anew from the files: the same as a sync, from nothing."""
    from writeros_entities.sync.synchronizer import Synchronizer

    synchronizer = Synchronizer(workspace)
    synchronizer.check_vault()
    synchronizer.forget(wait_seconds=request.wait)
    return _report(
        synchronizer.sync(progress=workspace.progress, wait_seconds=request.wait, allow_empty=True)
    )


class MigrateIndex(Request):
    """How to migrate."""

    wait: Wait = 10.0


class Migration(Response):
    """What a migration did."""

    from_revision: str | None
    to_revision: str
    sync: SyncReport

    def as_text(self) -> str:
        """Return the migration in a few lines."""
        if self.from_revision == self.to_revision:
            head = f"The schema stands at {self.to_revision}; nothing to migrate."
        else:
            head = f"Schema migrated from {self.from_revision or 'nothing'} to {self.to_revision}."
        return head + "\n\n" + self.sync.as_text()


@capability(family="vault", writes=True, slow=True)
def migrate(workspace: Workspace, request: MigrateIndex) -> Migration:
    """Bring the database's schema to this version, and the index up to date with the plugins.

    Notes that were indexed before a detector existed, or with an older one, are read again.
    """
    from writeros_entities.store.database import SCHEMA_REVISION

    database = workspace.unprepared_database()
    try:
        before = database.revision()
        database.migrate()
    finally:
        database.close()
    report = sync.function(workspace, SyncVault(wait=request.wait))
    return Migration(from_revision=before, to_revision=SCHEMA_REVISION, sync=report)


class Status(Request):
    """As of when."""

    as_of: AsOf = None


class VaultStatus(Response):
    """What the index holds, in numbers."""

    vault: str
    database: str
    database_bytes: int | None
    revision: int
    unfinished: bool = Field(description="A sync was broken off; the next one mends it.")
    last_sync: str | None
    writer: str | None = Field(description="The process that is writing the index now.")
    notes: dict[str, int] = Field(description="Files by kind.")
    manuscript_notes: int
    first_position: int | None
    last_position: int | None
    chunks: int
    mentions: int
    entities: dict[str, int] = Field(description="Entities spoken of, by status.")
    entity_types: dict[str, int]
    links: dict[str, int] = Field(description="Links by status.")
    diagnostics: int
    mode: Literal["lexical"] = Field(
        "lexical", description="Lexical: full text and entities, no vectors."
    )

    def as_text(self) -> str:
        """Return the numbers as a list."""
        size = f" ({self.database_bytes / 1e6:.1f} MB)" if self.database_bytes else ""
        facts: list[tuple[str, str]] = [
            ("vault", self.vault),
            ("database", self.database + size),
            ("revision", f"{self.revision}" + (", unfinished: run sync" * self.unfinished)),
            ("last sync", self.last_sync or "never: run sync"),
            ("files", ", ".join(_files(kind, count) for kind, count in self.notes.items())),
            ("manuscript", counted(self.manuscript_notes, "note") + _span(self)),
            ("chunks", f"{self.chunks:,}"),
            ("entities", ", ".join(f"{count:,} {kind}" for kind, count in self.entities.items())),
            ("types", ", ".join(f"{kind} {count:,}" for kind, count in self.entity_types.items())),
            ("mentions", f"{self.mentions:,}"),
            ("links", ", ".join(f"{count:,} {kind}" for kind, count in self.links.items())),
            ("diagnostics", f"{self.diagnostics:,}" + (", see doctor" * bool(self.diagnostics))),
            ("search", "lexical: full text and entities, no vectors"),
        ]
        if self.writer:
            facts.append(("being written by", self.writer))
        return "\n".join(f"- {what}: {fact or 'none'}" for what, fact in facts)


@capability(family="vault")
def status(workspace: Workspace, request: Status) -> VaultStatus:
    """Say what the index holds: notes, chunks, entities, mentions, links, diagnostics."""
    from writeros_entities.query import status as query

    with workspace.view(request.as_of) as view:
        vault = query.vault_row(view)
        chapters, first, last = query.reading_positions(view)
        return VaultStatus(
            vault=str(workspace.root),
            database=workspace.database.label,
            database_bytes=workspace.database.size_in_bytes(),
            revision=vault.revision,
            unfinished=vault.unfinished,
            last_sync=_moment(vault.synced_at),
            writer=vault.lease_owner and vault.lease_owner.rpartition(":")[0],
            notes=query.count_by(view, view.note.c.kind),
            manuscript_notes=chapters,
            first_position=first,
            last_position=last,
            chunks=query.count_rows(view, view.chunk),
            mentions=query.count_rows(view, view.mention),
            entities=query.count_mentioned_entities(view, view.entity.c.status),
            entity_types=query.count_mentioned_entities(view, view.entity.c.type),
            links=query.count_by(view, view.link.c.status),
            diagnostics=len(query.recorded_problems(view)),
        )


class Doctor(Request):
    """How thoroughly to look, and what to show."""

    severity: Annotated[
        Literal["info", "warning", "error"], Field(description="Show this and worse.")
    ] = "warning"
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class Diagnosis(Response):
    """What is wrong with the vault or with its index, the worst first."""

    problems: list[Trouble]
    total: int
    errors: int
    warnings: int
    infos: int

    def as_text(self) -> str:
        """Return the problems as a list."""
        counts = {"error": self.errors, "warning": self.warnings, "remark": self.infos}
        text = ", ".join(counted(count, noun) for noun, count in counts.items()) + "."
        if self.problems:
            text += "\n\n" + "\n".join(trouble.as_text() for trouble in self.problems)
        return text + omitted(len(self.problems), self.total, "problem")

    def is_failure(self) -> bool:
        """Say that a script should stop: the index itself has errors."""
        return self.errors > 0


@capability(family="vault")
def doctor(workspace: Workspace, request: Doctor) -> Diagnosis:
    """Check the index against the files and itself, and list what is wrong with the notes.

    Errors are faults of the index; warnings are broken plugins, notes with broken frontmatter,
    unreadable files, conflict copies, links to an alias; remarks are links that lead nowhere yet.
    """
    from writeros_entities.query import health
    from writeros_entities.query import status as query

    with workspace.view(request.as_of) as view:
        problems = [
            *health.check_index(view),
            *health.broken_plugins(workspace),
            *(health.compare_with_files(workspace, view) if view.as_of is None else ()),
            *query.recorded_problems(view),
            *query.conflict_copies(view),
            *query.link_problems(view),
        ]
    order = ["error", "warning", "info"]
    problems.sort(key=lambda problem: (order.index(problem.severity), problem.path, problem.code))
    shown = [
        problem
        for problem in problems
        if order.index(problem.severity) <= order.index(request.severity)
    ]
    page = shown[request.offset : request.offset + request.limit]
    count = [problem.severity for problem in problems].count
    return Diagnosis(
        problems=_troubles(page),
        total=len(shown),
        errors=count("error"),
        warnings=count("warning"),
        infos=count("info"),
    )


class ListPlugins(Request):
    """Nothing to choose."""


class ListedPlugin(Answer):
    """A plugin: where it comes from, what it does, and what is wrong with it."""

    name: str
    status: Literal["active", "disabled", "broken"]
    distribution: str
    version: str
    hooks: list[str]
    provides: list[str]
    error: str | None


class PluginList(Response):
    """Every plugin that is installed."""

    plugins: list[ListedPlugin]

    def as_text(self) -> str:
        """Return the plugins as a table."""
        rows = (
            (
                plugin.name,
                plugin.status,
                plugin.distribution,
                plugin.error or _provided(plugin),
            )
            for plugin in self.plugins
        )
        return table(["plugin", "status", "from", "provides"], rows)


@capability(family="vault")
def list_plugins(workspace: Workspace, request: ListPlugins) -> PluginList:
    """List the plugins: active, disabled and broken ones, and what each provides."""
    return PluginList(
        plugins=[
            ListedPlugin(
                name=info.name,
                status=info.status,
                distribution=info.distribution,
                version=info.version,
                hooks=list(info.hooks),
                provides=list(info.provides),
                error=info.error,
            )
            for info in workspace.plugins.describe()
        ]
    )


def _report(outcome: SyncOutcome) -> SyncReport:
    paths = [
        *outcome.added,
        *outcome.changed,
        *(f"{old} → {new}" for old, new in outcome.moved),
        *outcome.removed,
    ]
    found = [
        Trouble(
            severity="warning",
            code=diagnostic.code,
            path=path,
            line=diagnostic.line,
            message=diagnostic.message,
        )
        for path, diagnostic in outcome.diagnostics
    ]
    return SyncReport(
        revision=outcome.revision,
        added=len(outcome.added),
        changed=len(outcome.changed),
        moved=len(outcome.moved),
        removed=len(outcome.removed),
        redetected=outcome.redetected,
        paths=paths[:SHOWN],
        diagnostics=found[:SHOWN],
        total_diagnostics=len(found),
    )


def _troubles(problems: Sequence[Problem]) -> list[Trouble]:
    return [
        Trouble(
            severity=problem.severity,
            code=problem.code,
            path=problem.path,
            line=problem.line,
            message=problem.message,
        )
        for problem in problems
    ]


def _provided(plugin: ListedPlugin) -> str:
    """Return what a plugin provides, by kind; its hooks, where it registers nothing."""
    kinds: dict[str, list[str]] = {}
    for item in plugin.provides:
        kind, _, name = item.partition(": ")
        kinds.setdefault(kind.replace("_", " "), []).append(name)
    described = [f"{kind}: {', '.join(names)}" for kind, names in kinds.items()]
    return "; ".join(described or plugin.hooks)


def _files(kind: str, count: int) -> str:
    plurals = {"canvas": "canvases", "conflict": "conflict copies", "excluded": "excluded"}
    return f"{count:,} {plurals[kind]}" if kind in plurals and count != 1 else counted(count, kind)


def _span(status: VaultStatus) -> str:
    if status.first_position is None:
        return ""
    return f", positions {status.first_position}–{status.last_position}"


def _moment(seconds: float | None) -> str | None:
    from datetime import UTC, datetime

    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
