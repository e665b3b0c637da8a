"""Compare the relations asserted in a fixture vault with those found by a human reader.

    python benchmarks/relations.py        # the novel; lists every error

A statement is correct if the truth has one between the same two entities, of the same kind (or one
marked as also right, or the inverse), in the same note and form. All statements of the truth count,
including those marked as not plain, which take more than one sentence to understand.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from writeros_entities import Session
from writeros_entities.store import rows
from writeros_entities.story.asserted import evidence_of, load_relations

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "vault_fixtures"


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers of correct, wrong and missed statements."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of the statements found that are correct."""
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of the statements in the truth that were found."""
        return self.right / (self.right + self.missed)


@dataclass(frozen=True, slots=True)
class Stated:
    """One statement: its edge, its place, and its words."""

    source: str
    kind: str
    target: str
    note: str
    line: int
    form: str
    quote: str

    @property
    def edge(self) -> tuple[str, ...]:
        """The values in which equal statements agree."""
        return self.source, self.kind, self.target, self.note, self.form

    def __str__(self) -> str:
        return f"{self.note}:{self.line} {self.source} {self.kind} {self.target}: {self.quote}"


def measure(vault: str, database: str) -> tuple[Score, list[str]]:
    """Return the score on a fixture vault and its errors, `+` for wrong and `-` for missed."""
    with Session.open(FIXTURES / vault, database=database) as session:
        session.call("sync", {})
        found = read_statements(session)
        truth = read_truth(session, FIXTURES / f"{vault}.truth" / "relations.yaml")
    return compare(found, truth)


def compare(found: list[Stated], truth: list[list[Stated]]) -> tuple[Score, list[str]]:
    """Compare the statements found with the truth."""
    edges = {stated.edge for stated in found}
    known = {stated.edge for alternatives in truth for stated in alternatives}
    wrong = [stated for stated in found if stated.edge not in known]
    missed = [
        alternatives[0]
        for alternatives in truth
        if not any(stated.edge in edges for stated in alternatives)
    ]
    errors = [f"+ {stated}" for stated in wrong] + [f"- {stated}" for stated in missed]
    return Score(len(truth) - len(missed), len(wrong), len(missed)), errors


def read_statements(session: Session) -> list[Stated]:
    """Return all statements in the index, once for each piece of evidence."""
    with session.view() as view:
        relations = {relation.id: relation for relation in load_relations(view)}
        entity = view.entity
        from sqlalchemy import select

        names = {row.id: row.name for row in view.all(select(entity.c.id, entity.c.name))}
        return [
            Stated(
                names[relations[relation_id].source_id],
                relations[relation_id].kind,
                names[relations[relation_id].target_id],
                proof.path,
                proof.line,
                proof.form,
                " ".join(proof.quote.split()),
            )
            for relation_id, proofs in evidence_of(view, relations, limit=rows.BATCH).items()
            for proof in proofs
        ]


def read_truth(session: Session, file: Path) -> list[list[Stated]]:
    """Return each statement of the truth with those that are also right in its place."""
    entries = yaml.safe_load(file.read_text("utf-8"))["relations"]
    return [
        [
            same
            for kind in (entry["kind"], *entry.get("also_right", ()))
            for same in _same(session, entry | {"kind": kind})
        ]
        for entry in entries
    ]


def _same(session: Session, entry: Mapping[str, Any]) -> list[Stated]:
    """Return a statement as stored in the index, in both directions if it is symmetric."""
    ontology = session.plugins.ontology
    reading = ontology.read_name(entry["kind"])
    source, target = entry["source"], entry["target"]
    if reading.is_inverse:
        source, target = target, source
    rest = entry["note"], 0, entry["form"], entry["quote"]
    stated = [Stated(source, reading.kind, target, *rest)]
    if ontology.kind(reading.kind).symmetric:
        stated.append(Stated(target, reading.kind, source, *rest))
    return stated


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        score, errors = measure("novel", f"sqlite:///{folder}/index.sqlite3")
    print("\n".join(errors))
    print(f"precision {score.precision:.3f} recall {score.recall:.3f} {score}")
    sys.exit(0)
