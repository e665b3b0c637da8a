"""What a capability reads: one vault as of one reading position, with what reads it.

with session.view(as_of=7) as view:
    entity = find_entity(view, "Isolde")
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities.errors import NotFoundError
from writeros_entities.store.view import StoredView
from writeros_entities.vault.files.config import read_config

if TYPE_CHECKING:
    from writeros_entities.embedding import Embedder, NoEmbedder
    from writeros_entities.lexicon import Lexicon
    from writeros_entities.naming import Naming
    from writeros_entities.plugins import Plugins
    from writeros_entities.settings import Settings


@dataclass(frozen=True, kw_only=True)
class View(StoredView):
    """The rows of one vault that a reader may see, with its folder, plugins and settings.

    `find_naming` and `find_embedding` give what derives names, and the embedder or the reason why
    there is none, when they are needed: either loads much.
    """

    root: Path = field(repr=False, compare=False)
    plugins: Plugins = field(repr=False, compare=False)
    settings: Settings = field(repr=False, compare=False)
    find_naming: Callable[[], Naming] = field(repr=False, compare=False)
    find_embedding: Callable[[], Embedder | NoEmbedder] = field(repr=False, compare=False)

    @property
    def naming(self) -> Naming:
        """What derives, compiles and keeps the names of the vault."""
        return self.find_naming()

    @property
    def full_lexicon(self) -> Lexicon:
        """The names that a reader may know, and those of all knowledge bases."""
        from writeros_entities.store.lexicon import with_known_entities

        return self.kept(
            "lexicon", lambda: with_known_entities(self.lexicon, self.plugins.known_entities())
        )

    def embedder(self) -> Embedder | None:
        """Return the embedder, or None in lexical mode; see `embedding_trouble`.

        Raises SettingsError with the known models if the settings name an unknown one.
        """
        from writeros_entities.embedding import Embedder

        found = self.find_embedding()
        return found if isinstance(found, Embedder) else None

    def embedding_trouble(self) -> str | None:
        """Return a sentence on why there is no embedder, or None if there is one.

        Raises SettingsError with the known models if the settings name an unknown one.
        """
        from writeros_entities.embedding import NoEmbedder

        found = self.find_embedding()
        return found.reason if isinstance(found, NoEmbedder) else None

    def has_file(self, path: str) -> bool:
        """Say whether a note's file still exists; deleted notes are not shown, even before a sync.

        If the vault itself cannot be read, every note counts as existing.
        """
        if os.path.lexists(f"{self.root}/{path}") or _is_out_of_reach(self.root):
            return True
        from writeros_entities.vault.files.walk import inspect_path

        return inspect_path(self.root, read_config(self.root), path) is not None

    def require_file(self, path: str) -> None:
        """Raise NotFoundError if a note's file no longer exists."""
        if not self.has_file(path):
            reason = "Its file is gone since the last sync."
            raise NotFoundError("note", path, reason=reason)


def _is_out_of_reach(root: Path) -> bool:
    """Say whether a vault cannot be read or is empty, as the mount point of an absent drive is."""
    try:
        return next(root.iterdir(), None) is None
    except OSError:
        return True
