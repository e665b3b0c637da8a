"""Embed the texts that have no vector yet, after a sync, in small committed steps.

An interrupted run loses at most one step; the next run lists the texts that still wait. No lease is
needed: two processes that embed at once only duplicate some work. Neither readers nor a sync have
to wait for more than the few milliseconds in which a step is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from writeros_entities.embedding import ENGLISH, MULTILINGUAL, Embedder, NoEmbedder
from writeros_entities.embedding import texts as kept
from writeros_entities.errors import ModelError
from writeros_entities.language.telling import is_mostly_english
from writeros_entities.progress import Progress, SilentProgress
from writeros_entities.settings import BY_LANGUAGE
from writeros_entities.store.rows import VaultRows, batches_within
from writeros_entities.store.view import StoredView
from writeros_entities.sync.background import BackgroundThread

if TYPE_CHECKING:
    from writeros_entities.embedding.texts import WaitingText
    from writeros_entities.workspace import Workspace

STEP_TEXTS = 256
STEP_TOKENS = 4_000
"""Limits of one step, about a second's work: they bound memory, and the loss by an interruption."""

WATCHING_TOKENS = 1_000
"""The same while watching, where a step may compete with the sync of a change for the cores."""

QUIET_SECONDS = 0.5
"""How long to wait after a change: another save, or a question, is likely to follow."""

ROUND_TEXTS = 10_000
"""Most texts to list at once."""

MANY_TEXTS = 1_000
"""From this many new vectors on, `Database.settle` is run."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The outcome of one run: texts embedded, texts still waiting, and why.

    `better_missing` says once which model would suit the vault better; see `Embedder`.
    """

    made: int = 0
    waiting: int = 0
    trouble: str | None = None
    better_missing: str | None = None


def embed_waiting(
    workspace: Workspace,
    *,
    progress: Progress | None = None,
    is_interrupted: Callable[[], bool] = lambda: False,
    step_tokens: int | None = None,
) -> Embedded:
    """Embed every text without a vector, and delete vectors that are no longer needed.

    In lexical mode nothing is done, and the outcome says so once. If the model fails, or if
    `is_interrupted` returns true between two steps, the outcome says how many texts are left. The
    first run decides which model fits the vault's language, unless the settings name one.
    """
    is_first = _fit_model(workspace)
    embedder = workspace.embedding
    if isinstance(embedder, NoEmbedder):
        return _say_why_not(workspace, embedder)
    tokens = step_tokens or STEP_TOKENS
    run = _Run(workspace, embedder, progress or SilentProgress(), is_interrupted, tokens)
    outcome = run.run()
    return replace(outcome, better_missing=embedder.better_missing) if is_first else outcome


def _fit_model(workspace: Workspace) -> bool:
    """Record, once there are texts, which model fits their language; return whether it is new."""
    from writeros_entities.store import vaults

    settings, vault = workspace.settings, (workspace.database, workspace.vault_id)
    if settings.embedding_model != BY_LANGUAGE or vaults.fitting_model(*vault):
        return False
    with workspace.view(may_be_unread=True) as view:
        texts = kept.sample_texts(view)
    if not texts:
        return False
    is_english = settings.language == "en" and is_mostly_english(texts, workspace.plugins.languages)
    vaults.keep_fitting_model(*vault, ENGLISH if is_english else MULTILINGUAL)
    return True


def _say_why_not(workspace: Workspace, embedder: NoEmbedder) -> Embedded:
    if embedder.said == "never":
        return Embedded()
    with workspace.view(may_be_unread=True) as view:
        if embedder.said == "once" and kept.was_said(view, embedder.reason):
            return Embedded()
        waiting = kept.count_texts(view, None).waiting
    with workspace.database.write() as connection:
        kept.mark_said(StoredView(connection, workspace.vault_id), embedder.reason)
    return Embedded(waiting=waiting, trouble=embedder.reason)


@dataclass
class _Run:
    workspace: Workspace
    embedder: Embedder
    progress: Progress
    is_interrupted: Callable[[], bool]
    step_tokens: int
    made: int = 0
    total: int = 0

    def run(self) -> Embedded:
        with self.workspace.view(may_be_unread=True) as view:
            if kept.is_embedded(view, self.embedder.identity):
                return Embedded()
        try:
            while waiting := self._list():
                sizes = [item.tokens for item in waiting]
                for step in batches_within(waiting, sizes, STEP_TEXTS, self.step_tokens):
                    if self.is_interrupted():
                        return self._stopped()
                    self._embed(step)
                    self.progress.update("embedding", self.made, max(self.made, self.total))
        except ModelError as error:
            return self._stopped(str(error))
        self._finish()
        return Embedded(self.made)

    def _list(self) -> list[WaitingText]:
        with self.workspace.view(may_be_unread=True) as view:
            waiting = kept.waiting_texts(view, self.embedder.identity, ROUND_TEXTS)
            if len(waiting) < ROUND_TEXTS:
                self.total = self.made + len(waiting)
            elif not self.total:
                self.total = kept.count_texts(view, self.embedder.identity).waiting
            return waiting

    def _embed(self, step: Sequence[WaitingText]) -> None:
        with self.workspace.view(may_be_unread=True) as view:
            texts = kept.read_texts(view, step)
        made = kept.embed_texts(self.embedder, step, texts)
        with self.workspace.database.write() as connection:
            self.made += kept.keep_vectors(
                VaultRows(connection, self.workspace.vault_id), self.embedder.identity, made
            )

    def _finish(self) -> None:
        """Delete unneeded vectors; mark the vault as embedded unless new texts wait."""
        with self.workspace.database.write() as connection:
            view = StoredView(connection, self.workspace.vault_id)
            if kept.remove_unneeded(view, self.embedder.identity):
                kept.count_change(view.index)
            if not kept.waiting_texts(view, self.embedder.identity, 1):
                kept.mark_embedded(view, self.embedder.identity)
            view.engine.vectors.index_vectors(connection, self.embedder.identity)
        if self.made >= MANY_TEXTS:
            self.workspace.database.settle()

    def _stopped(self, trouble: str | None = None) -> Embedded:
        return Embedded(self.made, max(0, self.total - self.made), trouble)


@dataclass
class EmbeddingThread(BackgroundThread):
    """Embeds waiting texts beside a watched vault, pausing whenever something changes."""

    name = "embedding"
    lower_priority = 10

    quiet_seconds: float = QUIET_SECONDS
    is_busy: Callable[[], bool] = field(kw_only=True)

    def is_wanted(self) -> bool:
        """Return whether there is a model; without one, search is lexical."""
        return self.workspace.embedder() is not None

    def work(self) -> Exception | None:
        """Embed until nothing waits or something changes."""
        outcome = embed_waiting(
            self.workspace,
            is_interrupted=lambda: self.is_stopped or self.is_busy(),
            step_tokens=WATCHING_TOKENS,
        )
        return ModelError(outcome.trouble) if outcome.trouble else None
