"""Vectors for the texts that have none yet: after a sync, in small steps, each kept at once.

A run that is killed has lost one step; the next run asks which texts wait and goes on. It needs no
lease: two processes that embed at once do some work twice, and no harm. Readers never wait, and
neither does a sync: a step writes for milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from writeros_entities.embedding import Embedder, NoEmbedder
from writeros_entities.embedding import texts as kept
from writeros_entities.errors import ModelError
from writeros_entities.progress import Progress, SilentProgress
from writeros_entities.store.vectors import index_vectors
from writeros_entities.store.view import View
from writeros_entities.sync.background import BackgroundThread

if TYPE_CHECKING:
    from writeros_entities.embedding.texts import WaitingText
    from writeros_entities.workspace import Workspace

STEP_TEXTS = 256
STEP_TOKENS = 4_000
"""What is embedded and kept together: a second's work or less. It bounds what a kill can cost, and
the memory.
"""

WATCHING_TOKENS = 1_000
"""The same beside a watched vault, where a step is what a change may have to share the cores with.
"""

QUIET_SECONDS = 0.5
"""How long nothing must have changed: who has saved a note is likely to save again, or to ask."""

ROUND_TEXTS = 10_000
"""How many waiting texts are listed at once."""

MANY_TEXTS = 1_000
"""From so many new vectors on, the database is made ready for readers."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What one run did: texts embedded, texts that still wait, and why."""

    made: int = 0
    waiting: int = 0
    trouble: str | None = None


def embed_waiting(
    workspace: Workspace,
    *,
    progress: Progress | None = None,
    is_interrupted: Callable[[], bool] = lambda: False,
    step_tokens: int | None = None,
) -> Embedded:
    """Embed every text that waits for a vector, and remove vectors that nothing needs any more.

    In lexical mode nothing is done, and said once. A model that fails is told of in the answer, and
    so is what is left when `is_interrupted` ends the run between two steps.
    """
    embedder = workspace.embedding
    if isinstance(embedder, NoEmbedder):
        return _say_why_not(workspace, embedder)
    tokens = step_tokens or STEP_TOKENS
    return _Run(workspace, embedder, progress or SilentProgress(), is_interrupted, tokens).run()


def _say_why_not(workspace: Workspace, embedder: NoEmbedder) -> Embedded:
    if embedder.said == "never":
        return Embedded()
    with workspace.view(may_be_unread=True) as view:
        if embedder.said == "once" and kept.was_said(view, embedder.reason):
            return Embedded()
        waiting = kept.count_texts(view, None).waiting
    with workspace.database.write() as connection:
        kept.mark_said(View(connection, workspace.vault_id), embedder.reason)
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
                for step in _steps(waiting, self.step_tokens):
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
                connection, self.workspace.vault_id, self.embedder.identity, made
            )

    def _finish(self) -> None:
        """Remove what nothing needs; where a text has come to wait meanwhile, leave it marked."""
        with self.workspace.database.write() as connection:
            view = View(connection, self.workspace.vault_id)
            if kept.remove_unneeded(view, self.embedder.identity):
                kept.count_change(connection, self.workspace.vault_id)
            if not kept.waiting_texts(view, self.embedder.identity, 1):
                kept.mark_embedded(view, self.embedder.identity)
            index_vectors(connection, self.embedder.identity)
        if self.made >= MANY_TEXTS:
            self.workspace.database.settle()

    def _stopped(self, trouble: str | None = None) -> Embedded:
        return Embedded(self.made, max(0, self.total - self.made), trouble)


def _steps(waiting: Sequence[WaitingText], most_tokens: int) -> Iterator[Sequence[WaitingText]]:
    begin = tokens = 0
    for at, item in enumerate(waiting):
        tokens += item.tokens
        if at > begin and (at - begin == STEP_TEXTS or tokens > most_tokens):
            yield waiting[begin:at]
            begin, tokens = at, item.tokens
    yield waiting[begin:]


@dataclass
class EmbeddingThread(BackgroundThread):
    """Embeds what waits beside a watched vault, and gives way to every change."""

    name = "embedding"
    lower_priority = 10

    quiet_seconds: float = QUIET_SECONDS
    is_busy: Callable[[], bool] = field(kw_only=True)

    def is_wanted(self) -> bool:
        """Say whether there is a model: else search is lexical anyway."""
        return self.workspace.embedder() is not None

    def work(self) -> Exception | None:
        """Embed until nothing waits or something changes."""
        outcome = embed_waiting(
            self.workspace,
            is_interrupted=lambda: self.is_stopped or self.is_busy(),
            step_tokens=WATCHING_TOKENS,
        )
        return ModelError(outcome.trouble) if outcome.trouble else None
