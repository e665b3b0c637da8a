"""What an engine is: the database under an index, as all that stands above it sees it.

An engine is a class that fulfils `Engine`, named by an entry point in the group
`writeros_entities.engines` under the scheme of its URLs (`store.engines` finds it). Whoever has a
connection has its engine:

    engine_of(connection).refresh_statistics(connection)

Whatever the engine, the same rows give the same answers in the same order; `testing.EngineContract`
has the tests of all that is asked for here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import sqlalchemy as sa
    from sqlalchemy.types import TypeEngine

    from writeros_entities.arrays import Vector
    from writeros_entities.store.similarity import Nearest
    from writeros_entities.store.view import StoredView
    from writeros_entities.store.words import OwnName, Postings, Term


class Engine(Protocol):
    """A kind of database that can hold an index; each `Database` makes one, without arguments.

    Reading and writing are SQLAlchemy's; an engine says what differs from one database to another.
    Statements are built once for all engines, and compiled by its SQLAlchemy dialect.
    """

    examples: tuple[str, ...]
    """URLs as one writes them, for the message about a text that is none."""

    missing_driver: str
    """The message if the driver is not installed: what to install."""

    driver_errors: tuple[type[Exception], ...]
    """What the driver raises past SQLAlchemy, which wraps all else in `DBAPIError`."""

    # -- Reaching it -------------------------------------------------------------------------------

    def read_url(self, written: str) -> sa.URL:
        """Return the URL that SQLAlchemy connects to, made complete.

        Raises ValueError or SQLAlchemy's ArgumentError for a text that is no URL of this engine; it
        is then shown without what looks like a password. Raises StoreError if the place that it
        names cannot be used.
        """

    def label(self, url: sa.URL) -> str:
        """Return the URL as messages and answers show it: without passwords.

        Two databases have different labels.
        """

    def identify(self, url: sa.URL) -> object:
        """Return a value that changes if another database takes the place of this one.

        It is compared before each call; None if that cannot be told without connecting.
        """

    def folder_beside(self, url: sa.URL) -> Path | None:
        """Return the folder for files that are made from the index, on this machine.

        No two databases share it. What is in it may be deleted at any time. None if there is no
        place for it: everything then takes longer.
        """

    def connect_arguments(self, url: sa.URL) -> dict[str, object]:
        """Return the arguments that the driver's `connect` gets besides the URL's own."""

    def configure(
        self, pool: sa.Engine, limits: tuple[float, float] | None
    ) -> tuple[sa.Engine, sa.Engine]:
        """Return what opens the connections of readers, and what opens those of the writer.

        A reader sees one state of the database from its first statement to its last, and neither
        waits for the writer nor makes it wait. A writer sees what was committed before, and holds
        no other writer's vault up for longer than its transaction. `limits` are the seconds that a
        statement of a reader and one of the writer may take, if they are limited.
        """

    def interrupt(self, driver: object) -> None:
        """End the statement that a connection of the driver runs, if any.

        Called by another thread than the one that runs it, and again until the statement has
        ended; the connection may have been closed meanwhile. The error that the statement then
        raises is not shown.
        """

    # -- What went wrong ---------------------------------------------------------------------------

    def is_overdue(self, error: Exception) -> bool:
        """Return whether a statement was ended since it took longer than its limit."""

    def is_busy(self, error: Exception) -> bool:
        """Return whether another writer was in the way for too long."""

    def trouble_of(self, error: Exception) -> str | None:
        """Return what is wrong with the database, to follow "The database …"; None for a bug.

        Such as "cannot be reached". The driver's own words are added to it.
        """

    # -- The form of values ------------------------------------------------------------------------

    def text_type(self) -> TypeEngine[str]:
        """Return the type of a text column: of any length, and compared by code point."""

    def json_type(self) -> TypeEngine[Any]:
        """Return the type of a JSON column: the order of keys is kept, and None is NULL."""

    def vector_type(self) -> TypeEngine[Vector]:
        """Return the type of a column of vectors of any length, as float32 arrays."""

    def list_type(self, of: TypeEngine[Any]) -> TypeEngine[Any]:
        """Return the type of a parameter that is a list of values of another type."""

    def one_of(self, column: str, values: str) -> str:
        """Return SQL for: a column has one of the values of a list parameter.

        Both are given as SQL. The condition must be able to use an index on the column, however
        long the list is.
        """

    # -- The schema --------------------------------------------------------------------------------

    def require_features(self, connection: sa.Connection) -> None:
        """Check, before the first table is made, that the database has what the index needs.

        Raises StoreError with what the owner of the database can do.
        """

    def create_full_text(self, connection: sa.Connection) -> None:
        """Create the index of words over the rows that are there, and what keeps it up to date.

        Called when the tables are there. Everything that changes a row, cascading deletes included,
        must change its words in the same transaction.
        """

    def drop_full_text(self, connection: sa.Connection) -> None:
        """Drop what `create_full_text` creates, if it is there; called before the migrations."""

    def lock_schema(self, connection: sa.Connection) -> None:
        """Keep others from changing the schema or adding a vault until this transaction ends."""

    # -- Writing -----------------------------------------------------------------------------------

    def lock_vault(self, connection: sa.Connection, vault_id: int) -> bool:
        """Keep others from writing to a vault until this transaction ends.

        Returns False if another transaction keeps it, after waiting for a few seconds at most.
        """

    def insert_rows(
        self,
        connection: sa.Connection,
        table: sa.Table,
        columns: Sequence[str],
        values: Sequence[tuple[object, ...]],
        *,
        together: int = 1,
    ) -> None:
        """Insert tuples of `columns` in the fastest way; values are those of the columns' types.

        `together` is how many rows are best written by one statement, where that matters.
        """

    # -- Care --------------------------------------------------------------------------------------

    def refresh_statistics(self, connection: sa.Connection) -> None:
        """Update what the planner knows of the rows, so that it chooses the right indexes."""

    def settle(self, pool: sa.Engine, seconds: float, *, anew: bool) -> None:
        """Tidy up after a large write, outside of any transaction, for so many seconds at most.

        `anew` says that most of the index was written. It is a favour to the next readers: that it
        could not be done is no error.
        """

    def size_in_bytes(self, connection: sa.Connection) -> int | None:
        """Return how much room the index takes, or None if that cannot be told."""

    def find_faults(self, connection: sa.Connection) -> list[str]:
        """Return a message for each damaged page, broken index and dangling foreign key."""

    # -- Searching ---------------------------------------------------------------------------------

    @property
    def full_text(self) -> FullText:
        """The index of words; a module will do, as for the others."""

    @property
    def postings(self) -> PostingLists:
        """How often words occur. It may import numpy; `full_text` is asked by more commands."""

    @property
    def vectors(self) -> Vectors:
        """Search by vectors."""


class FullText(Protocol):
    """An index of the words of chunks, titles and names, changed in the transaction of their rows.

    What a word is does not depend on the engine: `store.words.words` says it. More may be
    returned than was asked for, and never less; `store.full_text` calls these.
    """

    def notes_with_words(
        self, connection: sa.Connection, vault_id: int, forms: Sequence[Sequence[str]]
    ) -> set[int]:
        """Return the ids of the notes with a chunk whose text has all words of a form.

        The last word of a form may be the beginning of a longer one.
        """

    def entities_with_words(
        self, connection: sa.Connection, vault_id: int, forms: Sequence[Sequence[str]]
    ) -> set[int]:
        """Return the ids of the entities whose names together have all words of a form."""


class PostingLists(Protocol):
    """Where words occur, and how often, among the rows that a view can see.

    The rules of counting are in `store.postings`, which calls these, with terms of words alone.
    """

    def find_postings(self, view: StoredView, terms: Sequence[Term]) -> list[Postings]:
        """Return, for each term, the chunks that contain it and how often, by ascending id.

        Occurrences are not counted where presence alone is told (`terms.has_presence_alone`).
        """

    def find_titles(self, view: StoredView, term: Term) -> list[int]:
        """Return the ids of the notes with a term in their title."""

    def find_names(self, view: StoredView, term: Term) -> list[OwnName]:
        """Return the names that may have a term, with their notes."""


class Vectors(Protocol):
    """Search by vectors, which are stored by model and content hash.

    All have unit length, so that the inner product of two is their cosine. Visibility belongs to
    the chunk or name of a vector, not to the vector itself: everything starts from rows that the
    view can see. `model` is the identity of the model that made the vectors.
    """

    def nearest_chunks(
        self,
        view: StoredView,
        model: str,
        query: Vector,
        limit: int,
        note_ids: Collection[int] | None = None,
    ) -> Nearest:
        """Return the chunks whose vectors are nearest to a query vector, (dimensions,).

        Chunks without a vector of that model are left out; `note_ids` limits the search to some
        notes. Cosines are those of `similarity.score`, and ties are in reading order.
        """

    def chunk_cosines(
        self, view: StoredView, model: str, query: Vector, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """Return the cosine of a query vector with each of the chunks that has a vector."""

    def load_vectors(
        self, view: StoredView, model: str, content_hashes: Sequence[str]
    ) -> dict[str, Vector]:
        """Return the vectors of texts by content hash; hashes without a vector are left out."""

    def count_chunks_with_vectors(self, view: StoredView, model: str) -> int:
        """Return how many of the visible chunks have a vector of a model."""

    def index_vectors(self, connection: sa.Connection, model: str) -> bool:
        """Build the index over a model's vectors, if it needs one; return whether it did."""


_ATTRIBUTE = "writeros_engine"


def give_engine(pool: sa.Engine, engine: Engine) -> None:
    """Let whoever has a connection of `pool`, or its dialect, find its engine."""
    setattr(pool.dialect, _ATTRIBUTE, engine)


def engine_of(where: sa.Connection | sa.Dialect) -> Engine:
    """Return the engine of a connection, or of the dialect for which a statement is compiled.

    Raises LookupError if the connection is not one of a `Database`.
    """
    engine: Engine | None = getattr(getattr(where, "dialect", where), _ATTRIBUTE, None)
    if engine is None:
        raise LookupError(f"{where} does not belong to a database of the store.")
    return engine
