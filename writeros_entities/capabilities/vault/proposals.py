"""What the writer could decide where the index is unsure and it matters, most telling first."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from writeros_entities.names import fold_name
from writeros_entities.store.lexicon import display_names
from writeros_entities.story.listing import count_mentions
from writeros_entities.values.notes import note_name
from writeros_entities.vault.order.threads import natural_key
from writeros_entities.vault.roles import GUESSED

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.vault.decisions import Decisions, DecisionWords
    from writeros_entities.view import View

MOST = 10
"""Most decisions to propose."""

LONGEST_ORDER = 30
"""Most notes of an order that one line can hold."""

FOLDER = 3
"""So many notes of a folder with the same guessed role are decided together."""

MOST_NAMES = 200
"""Most names without a note to ask about."""

SORTS = ("person", "place", "faction", "item", "creature", "event", "concept")
"""What a name is asked about: each is an answer."""

OTHER_ROLES = ("manuscript", "plan", "entity", "other")
_GUESSES = {"manuscript": "chapter", "plan": "plan"}
"""What a note is asked about: each is an answer."""

SHORTEST_NAME = 5
"""Fewest letters of names that differ in one and may be the same."""

OFTEN, RARELY = 3, 3
"""Fewest mentions of a name, and how many times fewer its misspelling has."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A line that would decide something, and the question that it answers.

    `answer` is what the line says, in a word; `others` are the lines of other answers, with theirs.
    `name` is that of the entity, or the path of the note, that it is about, if it is about one.
    Without a guess, no answer is likelier than the others.
    """

    line: str
    question: str
    answer: str
    others: tuple[tuple[str, str], ...] = ()
    name: str = ""
    is_guess: bool = True

    @property
    def command(self) -> str:
        """The command that takes the decision, quoted for a shell."""
        return f"writeros-entities decide {shlex.quote(self.line)}"


def propose_decisions(view: View, words: DecisionWords, decided: Decisions) -> list[Proposal]:
    """Return the decisions that would settle most, at most `MOST`; none without words for them."""
    return _proposals(view, words, decided)[:MOST]


def list_questions(view: View, words: DecisionWords, decided: Decisions) -> list[Proposal]:
    """Return all that the writer could be asked, the most telling first: proposals, then names.

    As of a position, she is asked about names alone. What she has decided since the last sync is
    left out. They are kept until the index or her decisions change.
    """
    known = frozenset(one.decision for one in decided.lines)
    return list(view.kept(("questions", known), lambda: _questions(view, words, decided, known)))


def _questions(
    view: View, words: DecisionWords, decided: Decisions, known: frozenset[object]
) -> list[Proposal]:
    found = _proposals(view, words, decided) if view.as_of is None else []
    asked = {one.name for one in found}
    found += [one for one in _names(view, words) if one.name not in asked]
    told = " ".join(fold_name(one.text) for one in decided.lines)
    return [
        one
        for one in found
        if fold_name(note_name(one.name)) not in told
        or known.isdisjoint(
            words.read(line) for line in (one.line, *(line for line, _ in one.others))
        )
    ]


def _proposals(view: View, words: DecisionWords, decided: Decisions) -> list[Proposal]:
    return [
        *_orders(view, words),
        *_shared_places(view, words),
        *_roles(view, words),
        *_sorts(view, words),
        *_spellings(view, words, decided),
    ]


def _names(view: View, words: DecisionWords) -> Iterator[Proposal]:
    """Propose what the names are that the text repeats, the most mentioned first."""
    entity = view.entity
    rows = view.all(select(entity.c.id, entity.c.type).where(entity.c.status == "suggested"))
    types = {row.id: row.type for row in rows}
    counts = {one: row.mentions for one, row in count_mentions(view, list(types)).items()}
    names = display_names(view, counts)
    for one in sorted(counts, key=lambda one: (-counts[one], names[one]))[:MOST_NAMES]:
        name, type_ = names[one], types[one]
        sorts = sorted(SORTS, key=lambda sort: sort != type_)
        answers = [(words.write("is", name, sort), sort) for sort in sorts]
        answers.append((words.write("no_name", f'"{name}"'), "no_name"))
        lines = [(line, answer) for line, answer in answers if line]
        if lines:
            told = "" if type_ == "unknown" else f" It seems to be {_a(type_)}."
            question = (
                f"{name} is named {counts[one]:,} times and has no note: who or what is it?{told}"
            )
            (line, answer), *others = lines
            yield Proposal(line, question, answer, tuple(others), name, type_ in SORTS)


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
                yield Proposal(line, question, "in_order")


def _shared_places(view: View, words: DecisionWords) -> Iterator[Proposal]:
    note = view.note
    placed = select(note.c.path, note.c.position).where(note.c.position.is_not(None))
    rows = view.all(placed.order_by(note.c.position, note.c.path))
    for one, other in pairwise(rows):
        if one.position == other.position:
            links = _link(view, one.path), _link(view, other.path)
            line, turned = words.write("after", *links[::-1]), words.write("after", *links)
            if line and turned:
                question = f"Both have place {one.position} in reading order."
                yield Proposal(line, question, "in_order", ((turned, "other_order"),))


def _roles(view: View, words: DecisionWords) -> Iterator[Proposal]:
    note = view.note
    guessed = select(note.c.path, note.c.role, note.c.role_reason).where(
        note.c.role_confidence == GUESSED, note.c.role.in_(_GUESSES)
    )
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in view.all(guessed.order_by(note.c.path)):
        groups[row.path.rpartition("/")[0], row.role].append(row)
    for (folder, role), found in sorted(groups.items(), key=lambda one: -len(one[1])):
        of_folder = [one for one in groups if one[0] == folder]
        if folder and len(found) >= FOLDER and len(of_folder) == 1:
            question = f"{len(found)} notes of {folder}/ are only guessed to be {_GUESSES[role]}s."
            yield from _role(words, f'"{folder}/"', role, question, folder)
            continue
        for row in found:
            question = f"It is only guessed to be a {_GUESSES[role]}: {row.role_reason}"
            yield from _role(words, _link(view, row.path), role, question, row.path)


def _role(
    words: DecisionWords, target: str, guess: str, question: str, path: str
) -> Iterator[Proposal]:
    line = words.write("is", target, guess)
    roles = [role for role in OTHER_ROLES if role != guess]
    others = [(words.write("is", target, role), role) for role in roles]
    if line:
        told = tuple((other, role) for other, role in others if other)
        yield Proposal(line, question, guess, told, path)


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
        another = words.write("is", name, other)
        none = words.write("no_name", f'"{name}"')
        if line and another and none:
            question = f"{name} is told of as {_a(sort)} and as {_a(other)}."
            yield Proposal(line, question, sort, ((another, other), (none, "no_name")), name)


def _spellings(view: View, words: DecisionWords, decided: Decisions) -> Iterator[Proposal]:
    """Propose names that differ in one letter as one person's: of one rare, or of a note's."""
    from rapidfuzz.distance import OSA

    entity = view.entity
    statement = select(entity.c.name, entity.c.status, entity.c.type, entity.c.mention_count).where(
        entity.c.status != "known"
    )
    rows = view.all(statement.order_by(entity.c.name, entity.c.id))
    by_start: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        by_start[fold_name(row.name)[:1], len(row.name.split())].append(row)
    for row in rows:
        key = fold_name(row.name)
        if row.status != "suggested" or len(key) < SHORTEST_NAME:
            continue
        for other in by_start[key[:1], len(row.name.split())]:
            wanted = fold_name(other.name)
            is_noted = other.status == "noted"
            is_rare = other.mention_count >= max(OFTEN, RARELY * row.mention_count)
            is_same_sort = row.type == other.type or (is_noted and row.type == "unknown")
            if not ((is_noted or is_rare) and is_same_sort) or abs(len(wanted) - len(key)) > 1:
                continue
            is_near = OSA.distance(key, wanted, score_cutoff=1) == 1
            if is_near and wanted != f"{key}s" and key != f"{wanted}s":
                line = words.write("is", row.name, f"[[{other.name}]]")
                apart = words.write("is_not", f"[[{row.name}]]", f"[[{other.name}]]")
                if line and apart and not decided.are_different(row.name, other.name):
                    question = f"{row.name} is nearly {other.name}: the same?"
                    others = ((apart, "different"),)
                    yield Proposal(line, question, "same", others, row.name)


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _link(view: View, path: str) -> str:
    """Return the shortest link that means one note alone."""
    note = view.note
    name = note_name(path)
    alike = select(func.count()).select_from(note).where(note.c.link_key == fold_name(name))
    is_only = int(view.scalar(alike) or 0) == 1
    return f"[[{name}]]" if is_only else f"[[{path.removesuffix('.md')}]]"
