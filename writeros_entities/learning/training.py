"""Train the relation model on a vault's assertions, after a sync or beside a watched vault.

What is learned depends on the facts alone, in an order that depends on names only, so that a sync
and a rebuild learn the same. Unchanged facts cost one comparison of hashes. Changed facts cost two
trainings with a bounded number of steps: one on four fifths, to evaluate the model, and one on all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, update

from writeros_entities.learning.learned import (
    chosen_model,
    digest,
    model_identity,
    stored_report,
    vault_facts,
)
from writeros_entities.store import rows
from writeros_entities.triples.assessment import assess

if TYPE_CHECKING:
    from writeros_entities.values import JSON
    from writeros_entities.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Learning:
    """What a run did: the number of triples, whether and how long it trained, or why it did not."""

    triples: int = 0
    is_new: bool = False
    seconds: float = 0.0
    why: str = ""


def learn_relations(
    workspace: Workspace,
    *,
    anew: bool = False,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Learning:
    """Train the relation model on the vault's asserted relations, if they have changed.

    `anew` trains regardless. If there are too few facts, nothing is trained and no training
    library is imported. Raises ModelError if that library is missing.
    """
    began = time.perf_counter()
    with workspace.view(may_be_unread=True) as view:
        model = chosen_model(view)
        if model is None:
            return Learning()
        identity = model_identity(view, model)
        last = stored_report(view, model) or {}
        revision: list[JSON] = [view.revision, view.vector_revision]
        if last.get("revision") == revision and not anew:
            return Learning()
        facts = vault_facts(view)
    seen: dict[str, JSON] = {"facts": digest(facts), "revision": revision}
    count = len(facts.triples)
    if last.get("facts") == seen["facts"] and not anew:
        _record_unchanged(workspace, identity, {**last, **seen})
        return Learning(count)
    report = assess(model, facts) | seen
    can_answer = "calibrator" in report
    weights = model.train(facts) if can_answer and not is_interrupted() else b""
    if is_interrupted():
        return Learning(count, why="Interrupted.")
    _keep(workspace, identity, weights, report)
    why = str(report.get("why", ""))
    return Learning(count, bool(weights), time.perf_counter() - began, why)


def _record_unchanged(workspace: Workspace, identity: str, report: Mapping[str, JSON]) -> None:
    """Store a report that only records the current revision: the assertions have not changed."""
    table = rows.relation_model
    ours = (table.c.vault_id == workspace.vault_id) & (table.c.identity == identity)
    with workspace.database.write() as connection:
        connection.execute(update(table).where(ours).values(report=report))


def _keep(workspace: Workspace, identity: str, weights: bytes, report: Mapping[str, JSON]) -> None:
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
