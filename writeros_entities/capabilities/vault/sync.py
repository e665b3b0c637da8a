"""Bring the index up to date with the files, or rebuild it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, counted, omitted
from writeros_entities.capabilities.vault.problems import ReportedProblem, as_warning
from writeros_entities.capability import Request, Response, capability
from writeros_entities.errors import ModelError, RequestError

if TYPE_CHECKING:
    from writeros_entities.learning.training import Learning
    from writeros_entities.sync.embeddings import Embedded
    from writeros_entities.values import SyncOutcome
    from writeros_entities.workspace import Workspace


Wait = Annotated[
    float,
    Field(ge=0, le=3600, description="Seconds to wait for another writer."),
]
Vectors = Annotated[
    bool,
    Field(description="Also make missing vectors: minutes, once."),
]
CloseReading = Annotated[
    bool,
    Field(
        description="Also read new sentences by grammar (setting `close_reading`): a minute for "
        "each novel, once."
    ),
]
Relations = Annotated[
    bool,
    Field(
        description="Also train the relation model, if statements changed: half a minute at most."
    ),
]
MANY_NOTES = 5_000
"""A sync that reads so many leaves the graph in its file, too."""

SHOWN = 20
"""Most paths, and most diagnostics, to list in the report of a sync."""


class SyncVault(Request["SyncReport"]):
    """How to sync."""

    allow_empty: Annotated[
        bool, Field(description="Accept that the vault's folder is empty and forget every note.")
    ] = False
    close_reading: CloseReading = True
    vectors: Vectors = True
    relations: Relations = False
    wait: Wait = 10.0


class SyncReport(Response):
    """What a sync changed; long lists are cut, counts are complete."""

    revision: int
    added: int
    changed: int
    moved: int
    removed: int
    redetected: int = Field(description="Notes whose mentions were looked for again.")
    paths: list[str] = Field(description="Some of the paths that changed.")
    diagnostics: list[ReportedProblem]
    total_diagnostics: int
    read_closely: int = Field(0, description="Notes whose sentences were read by grammar.")
    not_closely_because: str | None = Field(None, description="Why no sentences are read so.")
    embedded: int = Field(0, description="Texts that got a vector.")
    waiting: int = Field(0, description="Texts that wait for a vector.")
    lexical_because: str | None = Field(None, description="Why no vectors are made.")
    better_missing: str | None = Field(
        None, description="Which model would suit the vault's language better; said once."
    )
    learned: int = Field(0, description="Relations that the model was trained on.")
    learning_remark: str | None = Field(None, description="Why it failed, or abstains.")
    made_anew: str | None = Field(None, description="Why the whole index was made anew.")

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
        if self.made_anew:
            text = f"{self.made_anew}\n\n{text}"
        if self.redetected:
            text += f" Mentions looked for in {counted(self.redetected, 'note')}."
        if self.read_closely:
            text += f" Sentences read in {counted(self.read_closely, 'note')}."
        if self.embedded:
            text += f" Vectors made of {counted(self.embedded, 'text')}."
        if self.learned:
            text += f" Learned from {counted(self.learned, 'relation')}."
        if self.learning_remark:
            text += f"\n{self.learning_remark}"
        if self.not_closely_because:
            text += f"\nSentences are not read by grammar. {self.not_closely_because}"
        if self.waiting and self.lexical_because:
            waiting = counted(self.waiting, "text")
            text += f"\nNo vectors for {waiting}; search uses words and names only. "
            text += self.lexical_because
        if self.better_missing:
            text += "\nMost of the text is not in English, and the vectors are of a model for "
            text += "English. "
            text += self.better_missing
        if self.diagnostics:
            text += "\n\n" + "\n".join(trouble.as_text() for trouble in self.diagnostics)
        return text + omitted(
            len(self.diagnostics), self.total_diagnostics, "problem", "see doctor"
        )


@capability(family="vault", writes=True, slow=True, offered=False)
def sync(session: Workspace, request: SyncVault) -> SyncReport:
    """Bring the index up to date with the vault: only what changed is read again.

    The vault itself is never written.
    """
    return _sync(session, request, session.migrate())


def _sync(session: Workspace, request: SyncVault, before: str | None) -> SyncReport:
    from writeros_entities.sync.synchronizer import Synchronizer

    outcome = Synchronizer(session).sync(
        progress=session.progress,
        wait_seconds=request.wait,
        allow_empty=request.allow_empty,
    )
    read = _read_closely(session, outcome) if request.close_reading else (0, None)
    embedded = _embed(session) if request.vectors else None
    learned = _learn(session) if request.relations else None
    _keep_graph(session, outcome)
    return _report(before, outcome, read, embedded, learned)


class RebuildIndex(Request["SyncReport"]):
    """How to rebuild."""

    close_reading: CloseReading = True
    vectors: Vectors = True
    relations: Relations = False
    wait: Wait = 10.0


@capability(family="vault", writes=True, slow=True, offered=False)
def rebuild(session: Workspace, request: RebuildIndex) -> SyncReport:
    """Delete the index and build it again from the files.

    Vectors of texts that are still there are kept. A vault of a few hundred notes is answered from
    the old index until the new one is complete.
    """
    from writeros_entities.sync.synchronizer import Synchronizer

    before = session.migrate()
    outcome = Synchronizer(session).sync(
        progress=session.progress, wait_seconds=request.wait, anew=True
    )
    read = _read_closely(session, outcome) if request.close_reading else (0, None)
    embedded = _embed(session) if request.vectors else None
    learned = _learn(session, anew=True) if request.relations else None
    _keep_graph(session, outcome)
    return _report(before, outcome, read, embedded, learned)


class MigrateIndex(Request["Migration"]):
    """How to migrate, and to which database."""

    to: Annotated[
        str | None,
        Field(
            description="URL of another database to copy this vault's index to; not over a server."
        ),
    ] = None
    replace: Annotated[
        bool, Field(description="Replace an index of this vault that is already there.")
    ] = False
    wait: Wait = 10.0


class CarriedIndex(Answer):
    """The copy of an index in another database."""

    database: str
    rows: dict[str, int] = Field(description="Rows by table, the same in both.")


class Migration(Response):
    """What a migration did."""

    from_revision: str | None
    to_revision: str
    sync: SyncReport
    carried: CarriedIndex | None = None

    def as_text(self) -> str:
        """Return the migration in a few lines."""
        if self.from_revision == self.to_revision:
            head = f"The schema is at {self.to_revision}; nothing to migrate."
        else:
            head = f"Schema migrated from {self.from_revision or 'nothing'} to {self.to_revision}."
        text = head + "\n\n" + self.sync.as_text()
        if self.carried is not None:
            counts = ", ".join(f"{count:,} {name}" for name, count in self.carried.rows.items())
            text += (
                f"\n\nCopied to {self.carried.database}, with {counts}. To use it, set `database` "
                "to its URL; the old one has not been changed."
            )
        return text


@capability(family="vault", writes=True, slow=True, offered=False)
def migrate(session: Workspace, request: MigrateIndex) -> Migration:
    """Bring the database's schema to this version, and the index up to date with the plugins.

    Notes indexed before a detector existed, or with an older one, are read again. With `to`, the
    vault's index is then copied to another database.
    """
    from writeros_entities.store.migrations import head

    if session.is_served and request.to is not None:
        raise RequestError(
            "A server does not copy an index to another database: use `writeros-entities migrate "
            "--to` on the command line."
        )
    before = session.migrate()
    report = _sync(session, SyncVault(wait=request.wait), before)
    carried = None if request.to is None else _copy_to(session, request.to, request)
    return Migration(from_revision=before, to_revision=head(), sync=report, carried=carried)


def _copy_to(session: Workspace, url: str, request: MigrateIndex) -> CarriedIndex:
    from writeros_entities.store.database import Database
    from writeros_entities.store.transfer import Place, copy_index

    target = Database(url, session.settings.statement_seconds)
    try:
        target.prepare()
        counts = copy_index(
            Place(session.database, session.vault_id),
            target,
            str(session.root),
            replace=request.replace,
            wait_seconds=request.wait,
            progress=session.progress,
        )
        return CarriedIndex(database=target.label, rows=dict(counts))
    finally:
        target.close()


def _read_closely(session: Workspace, outcome: SyncOutcome) -> tuple[int, str | None]:
    """Read sentences by grammar; return how many notes, and once why that is not possible."""
    from writeros_entities.sync.synchronizer import Synchronizer

    synchronizer = Synchronizer(session)
    read = synchronizer.read_closely(progress=session.progress, wait_seconds=10.0)
    reason = synchronizer.why_not_closely() if outcome.revision == 1 else None
    return read, reason or None


def _keep_graph(session: Workspace, outcome: SyncOutcome) -> None:
    """Leave the graph of a large vault in a file for the processes that answer.

    To read it from the rows would take the first of them seconds.
    """
    if len(outcome.added) + len(outcome.changed) < MANY_NOTES:
        return
    from writeros_entities.capabilities.graph.snapshots import load_graph

    with session.view() as view:
        load_graph(view, session.plugins.ontology)


def _embed(session: Workspace) -> Embedded:
    from writeros_entities.sync.embeddings import embed_waiting

    return embed_waiting(session, progress=session.progress)


def _learn(session: Workspace, *, anew: bool = False) -> Learning:
    """Train the relation model, or return why that is not possible."""
    from writeros_entities.learning.training import Learning, learn_relations

    try:
        return learn_relations(session, anew=anew)
    except ModelError as error:
        return Learning(why=str(error))


def _report(
    before: str | None,
    outcome: SyncOutcome,
    read: tuple[int, str | None],
    embedded: Embedded | None,
    learned: Learning | None,
) -> SyncReport:
    from writeros_entities.store.migrations import BEFORE, MADE_ANEW

    paths = [
        *outcome.added,
        *outcome.changed,
        *(f"{old} → {new}" for old, new in outcome.moved),
        *outcome.removed,
    ]
    found = [as_warning(diagnostic, path) for path, diagnostic in outcome.diagnostics]
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
        read_closely=read[0],
        not_closely_because=read[1],
        embedded=embedded.made if embedded else 0,
        waiting=embedded.waiting if embedded else 0,
        lexical_because=embedded.trouble if embedded else None,
        better_missing=embedded.better_missing if embedded else None,
        learned=learned.triples if learned and learned.is_new else 0,
        learning_remark=(learned.why or None) if learned else None,
        made_anew=MADE_ANEW if before == BEFORE else None,
    )
