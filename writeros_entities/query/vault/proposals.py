"""What the writer could decide where the index is unsure and it matters, most telling first."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from writeros_entities.names import fold_name
from writeros_entities.vault.order.threads import natural_key
from writeros_entities.vault.roles import GUESSED

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.vault.decisions import Decisions, DecisionWords

MOST = 10
"""Most decisions to propose."""

LONGEST_ORDER = 30
"""Most notes of an order that one line can hold."""

FOLDER = 3
"""So many notes of a folder with the same guessed role are decided together."""

SHORTEST_NAME = 5
"""Fewest letters of names that differ in one and may be the same."""

OFTEN, RARELY = 3, 3
"""Fewest mentions of a name, and how many times fewer its misspelling has."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A line that would decide something, and the question that it answers."""

    line: str
    question: str

    @property
    def command(self) -> str:
        """The command that takes the decision, quoted for a shell."""
        return f"writeros-entities decide {shlex.quote(self.line)}"


def propose_decisions(view: View, words: DecisionWords, decided: Decisions) -> list[Proposal]:
    """Return the decisions that would settle most, at most `MOST`; none without words for them."""
    found = [
        *_orders(view, words),
        *_shared_places(view, words),
        *_roles(view, words),
        *_sorts(view, words),
        *_spellings(view, words, decided),
    ]
    return found[:MOST]


def _orders(view: View, words: DecisionWords) -> Iterator[Proposal]:
    note, chunk = view.note, view.chunk
    has_text = select(chunk.c.id).where(chunk.c.note_id == note.c.id).exists()
    unplaced = select(note.c.path).where(
        note.c.role == "manuscript", note.c.position.is_(None), has_text
    )
    paths = sorted(view.scalars(unplaced), key=natural_key)
    by_folder: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_folder[path.rpartition("/")[0]].append(path)
    for found in by_folder.values():
        if 1 < len(found) <= LONGEST_ORDER:
            line = words.write("order", ", ".join(_link(view, path) for path in found))
            if line:
                question = (
                    f"{len(found)} notes of the manuscript have no place in it, so that `--as-of` "
                    "does not show them: are they told in this order?"
                )
                yield Proposal(line, question)


def _shared_places(view: View, words: DecisionWords) -> Iterator[Proposal]:
    note = view.note
    placed = select(note.c.path, note.c.position).where(note.c.position.is_not(None))
    rows = view.all(placed.order_by(note.c.position, note.c.path))
    for one, other in pairwise(rows):
        if one.position == other.position:
            line = words.write("after", _link(view, other.path), _link(view, one.path))
            if line:
                yield Proposal(line, f"Both have place {one.position} in reading order.")


def _roles(view: View, words: DecisionWords) -> Iterator[Proposal]:
    note = view.note
    guessed = select(note.c.path, note.c.role, note.c.role_reason).where(
        note.c.role_confidence == GUESSED, note.c.role.in_(("manuscript", "plan"))
    )
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in view.all(guessed.order_by(note.c.path)):
        groups[row.path.rpartition("/")[0], row.role].append(row)
    for (folder, role), found in sorted(groups.items(), key=lambda one: -len(one[1])):
        of_folder = [one for one in groups if one[0] == folder]
        if folder and len(found) >= FOLDER and len(of_folder) == 1:
            line = words.write("is", f'"{folder}/"', role)
            if line:
                question = f"{len(found)} notes of {folder}/ are only guessed to be {role}."
                yield Proposal(line, question)
            continue
        for row in found:
            line = words.write("is", _link(view, row.path), role)
            if line:
                yield Proposal(line, f"It is only guessed to be {role}: {row.role_reason}")


def _sorts(view: View, words: DecisionWords) -> Iterator[Proposal]:
    """Propose the sort that most uses tell of a suggested name, where others tell another."""
    entity, proposal = view.entity, view.proposal
    statement = (
        select(entity.c.name, proposal.c.type, func.sum(proposal.c.count).label("uses"))
        .join(proposal, proposal.c.name_key == entity.c.name_key)
        .where(entity.c.status == "suggested", proposal.c.type.is_not(None))
        .group_by(entity.c.name, proposal.c.type)
        .order_by(entity.c.name, proposal.c.type)
    )
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for row in view.all(statement):
        if row.type != "unknown":
            told[row.name][row.type] += int(row.uses)
    unclear = [(name, found) for name, found in told.items() if len(found) > 1]
    for name, found in sorted(unclear, key=lambda one: -sum(one[1].values())):
        (sort, most), (other, less), *_ = found.most_common()
        line = words.write("is", name, sort) if less * 2 >= most else None
        if line:
            yield Proposal(line, f"{name} is told of as a {sort} and as a {other}.")


def _spellings(view: View, words: DecisionWords, decided: Decisions) -> Iterator[Proposal]:
    """Propose names that differ in one letter, and of which one is rare, as one person's."""
    from rapidfuzz.distance import OSA

    entity = view.entity
    statement = select(entity.c.name, entity.c.status, entity.c.type, entity.c.mention_count).where(
        entity.c.status != "known"
    )
    rows = view.all(statement.order_by(entity.c.name, entity.c.id))
    by_start: dict[tuple[str, int], list[Any]] = defaultdict(list)
    for row in rows:
        by_start[fold_name(row.name)[:1], len(row.name.split())].append(row)
    for row in rows:
        key = fold_name(row.name)
        if row.status != "suggested" or len(key) < SHORTEST_NAME:
            continue
        for other in by_start[key[:1], len(row.name.split())]:
            wanted = fold_name(other.name)
            is_rare = other.mention_count >= max(OFTEN, RARELY * row.mention_count)
            is_same_sort = row.type == other.type
            if not (is_rare and is_same_sort) or abs(len(wanted) - len(key)) > 1:
                continue
            is_near = OSA.distance(key, wanted, score_cutoff=1) == 1
            if is_near and wanted != f"{key}s" and key != f"{wanted}s":
                line = words.write("is", row.name, f"[[{other.name}]]")
                if line and not decided.are_different(row.name, other.name):
                    yield Proposal(line, f"{row.name} is nearly {other.name}: the same?")


def _link(view: View, path: str) -> str:
    """Return the shortest link that means one note alone."""
    note = view.note
    name = path.rpartition("/")[2].removesuffix(".md")
    alike = select(func.count()).select_from(note).where(note.c.link_key == fold_name(name))
    is_only = int(view.scalar(alike) or 0) == 1
    return f"[[{name}]]" if is_only else f"[[{path.removesuffix('.md')}]]"
