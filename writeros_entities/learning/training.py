"""Training the relation model on what a vault asserts: after a sync, and beside a watched vault.

What is learned follows from the facts alone, in an order that only names decide, so that a sync and
a rebuild learn the same. Unchanged facts cost a look; changed ones a training of a bounded number
of steps, twice: once on four fifths, to see what the model is worth, and once on all of them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert

from writeros_entities.errors import ModelError
from writeros_entities.learning.learned import (
    chosen_model,
    digest,
    model_identity,
    read_trained,
    vault_facts,
)
from writeros_entities.store import rows
from writeros_entities.triples.assessment import FEWEST, assess

if TYPE_CHECKING:
    from writeros_entities.values import JSON
    from writeros_entities.workspace import Workspace

QUIET_SECONDS = 5.0
"""How long nothing must have changed in a watched vault before relations are learned anew."""

LOWER_PRIORITY = 15
"""By how much the thread beside a watched vault steps back, where threads have a priority."""


@dataclass(frozen=True, slots=True)
class Learning:
    """What one run did: from how many triples it has learned, in which time, or why it has not."""

    triples: int = 0
    is_new: bool = False
    seconds: float = 0.0
    why: str = ""


def learn_relations(workspace: Workspace, *, anew: bool = False) -> Learning:
    """Train the relation model on the vault's asserted relations, if they have changed.

    With `anew`, also if they have not. Raises ModelError where a library is missing.
    """
    model = chosen_model(workspace)
    if model is None:
        return Learning(why="Relations are not learned (setting relation_model).")
    began = time.perf_counter()
    identity = model_identity(workspace, model)
    with workspace.view() as view:
        facts = vault_facts(workspace, view)
        stored = read_trained(workspace, view, model)
    mark = digest(facts)
    count = len(facts.triples)
    if stored is not None and stored.report.get("facts") == mark and not anew:
        return Learning(count, why="Nothing that the vault asserts has changed.")
    report: dict[str, JSON] = assess(model, facts) | {"facts": mark}
    weights = model.train(facts) if count >= FEWEST else b""
    _keep(workspace, identity, weights, report)
    why = str(report.get("why", ""))
    return Learning(count, bool(weights), time.perf_counter() - began, why)


def _keep(workspace: Workspace, identity: str, weights: bytes, report: Mapping[str, Any]) -> None:
    table = rows.relation_model
    values = {
        "vault_id": workspace.vault_id,
        "identity": identity,
        "weights": weights,
        "report": report,
        "trained_at": time.time(),
    }
    with workspace.database.write() as connection:
        connection.execute(delete(table).where(table.c.vault_id == workspace.vault_id))
        connection.execute(insert(table).values(values))


@dataclass
class LearningThread:
    """Learns beside a watched vault, when nothing has changed for a while.

    `on_trouble` hears of what fails, once for each different trouble.
    """

    workspace: Workspace
    on_trouble: Callable[[Exception], None]
    _work: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _told: str | None = None

    def start(self) -> None:
        """Start the thread, if the settings name a model."""
        if self.workspace.settings.relation_model:
            self._thread = threading.Thread(target=self._run, name="learning", daemon=True)
            self._thread.start()

    def wake(self) -> None:
        """Say that the index has changed, or is at rest again."""
        self._work.set()

    def stop(self) -> None:
        """End the thread; a training under way is left to itself."""
        self._stop.set()
        self._work.set()

    def _run(self) -> None:
        with suppress(AttributeError, OSError):  # a thread's own priority is a matter of Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWER_PRIORITY)
        while True:
            self._work.wait()
            self._work.clear()
            while not self._stop.is_set() and self._work.wait(QUIET_SECONDS):
                self._work.clear()
            if self._stop.is_set():
                return
            try:
                learn_relations(self.workspace)
            except ModelError as error:
                self._tell(error if not error.is_missing else None)
            except Exception as error:
                self._tell(error)

    def _tell(self, trouble: Exception | None) -> None:
        text = str(trouble) if trouble is not None else None
        if trouble is not None and text != self._told:
            self.on_trouble(trouble)
        self._told = text
