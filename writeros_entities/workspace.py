"""A workspace: one vault with its index, plugins and settings.

with Workspace.open("~/vault") as workspace, workspace.view(as_of=7) as view:
    view.all(select(view.note.c.path))
"""

from __future__ import annotations

import copy
import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from writeros_entities.errors import StoreError, VaultError
from writeros_entities.plugins import Plugins, load_plugins
from writeros_entities.progress import Progress, SilentProgress
from writeros_entities.settings import (
    BY_LANGUAGE,
    VAULT_FILE,
    Settings,
    load_settings,
    sqlite_url,
    user_data_folder,
)
from writeros_entities.store.cache import RevisionCache
from writeros_entities.vault.files.config import CONFIG_FOLDER

if TYPE_CHECKING:
    from writeros_entities.capability import Capability, RequestT, ResponseT
    from writeros_entities.embedding import Embedder, NoEmbedder
    from writeros_entities.naming import Naming
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.store.database import Database
    from writeros_entities.store.interruption import Interruption
    from writeros_entities.store.view import StoredView
    from writeros_entities.view import View


MOST_NAMED = 5
"""Most vaults to name that lie in a folder which is none."""

_ABOUT_PROGRAMS = ("readme", "changelog", "contributing", "license")
"""Names of Markdown files that come with programs."""


class Workspace:
    """One vault with everything needed to sync and query it; a context manager.

    Opening is cheap: the database is opened on first use.
    """

    def __init__(self, root: Path, settings: Settings, plugins: Plugins) -> None:
        self.root = root
        self.settings = settings
        self.plugins = plugins
        self.progress: Progress = SilentProgress()
        self._shared = _Opened()
        self._is_named = True
        self.is_served = False
        self.interruption: Interruption | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.root)!r})"

    @classmethod
    def open(
        cls,
        vault: Path | str | None = None,
        *,
        database: str | None = None,
        plugins: Plugins | None = None,
        progress: Progress | None = None,
        **settings: Any,
    ) -> Self:
        """Open the vault in a folder; by default, the one to which the current folder belongs.

        Raises VaultError if there is no such folder, SettingsError for invalid settings.
        """
        root = find_vault(vault)
        chosen = load_settings(root, database=database, **settings)
        workspace = cls(root, chosen, plugins or load_plugins(chosen))
        workspace.progress = progress or SilentProgress()
        workspace._is_named = vault is not None
        return workspace

    def reporting(self, progress: Progress) -> Self:
        """Return a copy of the workspace, sharing its database, with another progress listener."""
        twin = copy.copy(self)
        twin.progress = progress
        return twin

    def ended_by(self, interruption: Interruption) -> Self:
        """Return a copy of the workspace for one call, sharing its database.

        `interruption` ends the call: the statements of its views at once, and its other work at the
        next `View.each` or statement.
        """
        twin = copy.copy(self)
        twin.interruption = interruption
        return twin

    def served(self, interruption: Interruption) -> Self:
        """Return a copy of the workspace for one call of a server's client; see `ended_by`.

        Clients can write files only in the vault's output folder.
        """
        twin = self.ended_by(interruption)
        twin.is_served = True
        return twin

    @property
    def threads(self) -> Executor:
        """Threads for calls from an event loop, no more than the database has connections."""
        opened = self._opened
        with opened.lock:
            if opened.threads is None:
                from writeros_entities.store.database import CONNECTIONS

                opened.threads = ThreadPoolExecutor(CONNECTIONS, "writeros-entities")
            return opened.threads

    @property
    def database_url(self) -> str:
        """The database's URL: from the settings, or a SQLite file in the user's data directory."""
        return self.settings.database or sqlite_url(default_database(self.root))

    @property
    def database(self) -> Database:
        """The database, with its schema created if it is empty; raises StoreError if it does not
        fit.
        """
        opened = self._opened
        with opened.lock:
            if opened.database is None:
                with self._new_database() as database:
                    database.prepare()
            assert opened.database is not None
            return opened.database

    def migrate(self) -> str | None:
        """Bring the database's schema to this version; return the migration it was at before.

        Whoever syncs does this first. Raises StoreError if a newer version made the index, and
        VaultError like `vault_id`.
        """
        self._require_vault()
        with self._opened.lock:
            if self._opened.database is not None:
                return self._opened.database.revision()
            from writeros_entities.store.migrations import BEFORE

            with self._new_database() as database:
                if database.revision() == BEFORE:
                    self.progress.update("making an index of an earlier version anew", 0, None)
                return database.migrate()

    @contextmanager
    def _new_database(self) -> Iterator[Database]:
        """Open the database; it is kept unless the block fails."""
        from writeros_entities.store.database import Database

        database = Database(self.database_url, self.settings.statement_seconds)
        try:
            yield database
        except BaseException:
            database.close()
            raise
        self._opened.keep(database)

    def _require_vault(self) -> None:
        if not self._is_named:
            _require_vault(self.root)

    @property
    def vault_id(self) -> int:
        """The vault's id in the database; the first use registers it.

        Raises VaultError if no vault was named and the current folder does not look like one: it
        holds no notes, or vaults and other things besides, as the user's home does.
        """
        opened = self._opened
        with opened.lock:
            if opened.vault_id is None:
                from writeros_entities.store.vaults import register_vault

                self._require_vault()
                opened.vault_id = register_vault(self.database, str(self.root))
            return opened.vault_id

    @contextmanager
    def view(
        self, as_of: int | str | None = None, *, may_be_unread: bool = False
    ) -> Iterator[View]:
        """Open a consistent, read-only view of the vault as of a reading position.

        `as_of` is a position or the name of a chapter. Raises NotFoundError if it is unknown, or if
        no note has a reading position. Raises StoreError if no sync of the vault has completed yet,
        as empty results would be misleading; `may_be_unread` permits it.
        """
        from writeros_entities.store.vaults import view_as_of
        from writeros_entities.view import View

        vault_id, interruption = self.vault_id, self.interruption
        with self.database.read(interruption) as connection:
            whole = View(
                *(connection, vault_id, None, self._shared.cache, interruption, self._load_names),
                root=self.root,
                plugins=self.plugins,
                settings=self.settings,
                find_naming=lambda: self.naming,
                find_embedding=lambda: self.embedding,
            )
            yield view_as_of(whole, as_of, self.plugins.place_of, may_be_unread=may_be_unread)

    def answer(self, asked: Capability[RequestT, ResponseT], request: RequestT) -> ResponseT:
        """Run a capability on a request, with what it needs.

        Raises WriterosError if the caller can fix the cause.
        """
        given: dict[str, Any] = {"request": request}
        if "session" in asked.needs:
            given["session"] = self
        if "view" not in asked.needs:
            return asked.checked(asked.function(**given))
        as_of = getattr(request, "as_of", None)
        with self.view(as_of, may_be_unread=asked.reads_unread) as view:
            return asked.checked(asked.function(view=view, **given))

    @property
    def naming(self) -> Naming:
        """What derives, compiles and keeps the names of the vault."""
        opened = self._opened
        with opened.lock:
            if opened.naming is None:
                from writeros_entities.naming import Naming

                folder = self.database.folder_beside
                opened.naming = Naming(self.plugins, self.settings, folder)
            return opened.naming

    def _load_names(self, view: StoredView) -> VaultLexicon:
        return self.naming.load(view.index)

    def embedder(self) -> Embedder | None:
        """Return the embedder, or None in lexical mode; see `View.embedding_trouble`."""
        from writeros_entities.embedding import Embedder

        found = self.embedding
        return found if isinstance(found, Embedder) else None

    @property
    def embedding(self) -> Embedder | NoEmbedder:
        """The embedder, or the reason why there is none.

        Raises SettingsError with the known models if the settings name an unknown one.
        """
        opened = self._opened
        if opened.embedding is None:
            from writeros_entities.embedding import find_embedder

            name = self.settings.embedding_model
            if name == BY_LANGUAGE:
                return self._embedder_by_language()
            opened.embedding = find_embedder(self.plugins, [name], is_chosen=True)
        return opened.embedding

    def _embedder_by_language(self) -> Embedder | NoEmbedder:
        """Return the embedder that fits the vault; it is kept once that is known."""
        from writeros_entities.embedding import ENGLISH, find_embedder
        from writeros_entities.store.vaults import fitting_model

        fitting = fitting_model(self.database, self.vault_id)
        names = [fitting, ENGLISH] if fitting not in ("", ENGLISH) else [ENGLISH]
        found = find_embedder(self.plugins, names, is_chosen=False)
        if fitting:
            self._opened.embedding = found
        return found

    @property
    def _opened(self) -> _Opened:
        if self._shared.is_closed:
            raise StoreError(f"This session of {self.root} is closed. Open the vault again.")
        self._shared.forget_what_is_replaced()
        return self._shared

    def close(self) -> None:
        """Close the database; neither the workspace nor its copies can be used afterwards."""
        database, self._shared.database = self._shared.database, None
        self._shared.is_closed = True
        if self._shared.threads is not None:
            self._shared.threads.shutdown(wait=False)
        if database is not None:
            database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Opened:
    """The resources that a workspace opens on first use, shared with its copies.

    The lock is held while opening one, so that concurrent threads do not open it twice.
    """

    database: Database | None = None
    vault_id: int | None = None
    naming: Naming | None = None
    embedding: Embedder | NoEmbedder | None = None
    threads: Executor | None = None
    is_closed: bool = False

    def __init__(self) -> None:
        self.lock = RLock()
        self.cache = RevisionCache()
        self._identity: object = None

    def keep(self, database: Database) -> None:
        """Use a database, and remember its file's identity."""
        self.database, self._identity = database, database.identity

    def forget_what_is_replaced(self) -> None:
        """Drop a database whose file was deleted or replaced, and everything read from it.

        Otherwise the process could go on reading and writing the deleted file unnoticed.
        """
        with self.lock:
            if self.database is not None and self.database.identity != self._identity:
                self.database.close()
                self.database = self.vault_id = self.naming = self.embedding = None
                self.cache = RevisionCache()


def find_vault(folder: Path | str | None = None) -> Path:
    """Return the vault's root: the folder given, or the nearest one with an `.obsidian` folder.

    The search goes from the current folder upwards; if there is none, the current folder is the
    root. Raises VaultError if the given folder does not exist.
    """
    if folder is not None:
        root = Path(folder).expanduser().resolve()
        if not root.is_dir():
            raise VaultError(f"There is no folder {root}.")
        return root
    here = Path.cwd()
    return next((up for up in (here, *here.parents) if (up / CONFIG_FOLDER).is_dir()), here)


def _require_vault(root: Path) -> None:
    """Raise VaultError for a folder that nobody has named and that does not look like a vault."""
    if _has(root, CONFIG_FOLDER) or _has(root, VAULT_FILE):
        return
    below = [one for one in _entries(root) if one.name[0] != "."]
    vaults = [folder.name for folder in below if _has(folder, CONFIG_FOLDER)]
    if root in (Path.home(), Path(root.anchor)):
        why = "it holds much more than one"
    elif vaults:
        further = f" and {len(vaults) - MOST_NAMED} more" if len(vaults) > MOST_NAMED else ""
        why = f"it holds others ({', '.join(vaults[:MOST_NAMED])}{further})"
    elif not any(map(_has_notes, (root, *(one for one in below if not _has(one, ".git"))))):
        why = "it holds no notes (Markdown files)"
    else:
        return
    raise VaultError(
        f"{root} is not a vault: {why}. A vault is the folder with your notes, the one that you "
        "open in Obsidian. Go to it, or name it: writeros-entities --vault ~/Novel sync"
    )


def _has(folder: Path, name: str) -> bool:
    return os.path.lexists(folder / name)


def _has_notes(folder: Path) -> bool:
    """Return whether a folder itself holds a note, other than those that come with programs."""
    return any(
        one.suffix.lower() == ".md" and one.stem.lower() not in _ABOUT_PROGRAMS
        for one in _entries(folder)
    )


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def default_database(root: Path) -> Path:
    """Return the SQLite file of a vault in the user's data directory."""
    tail = hashlib.blake2b(str(root).encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return user_data_folder() / f"{root.name}-{tail}.sqlite3"
