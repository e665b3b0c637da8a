"""Which statements are changes along reading order: the first of each, and each that differs.

Each statement holds from a reading position on, and some only until another: a name may turn out to
be someone else's. Changes are computed separately for each interval of positions in which the same
statements hold. Equal changes of adjacent intervals are merged into one, so that a later chapter
does not alter what an earlier one has shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one entity, before it is numbered; see `EntityChange` for the fields."""

    entity_id: int
    visible_from: int
    visible_until: int | None
    position: int | None
    kind: str
    new: str | None
    path: str
    note_id: int
    chunk_id: int | None
    start: int
    end: int
    line: int
    quote: str | None = None
    other_id: int | None = None
    other_name: str | None = None
    previous: str | None = None


LAST = ("relationship_ended", "status_changed")
"""Kinds sorted after others at the same span, as they follow from a relation."""

FindChanges = Callable[[Sequence[Change]], Iterable[Change]]
"""Returns the changes among statements in order; more statements at the end only add changes."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement that a relation exists or has ended, as a change of one of its entities.

    `name` is the kind as read from that entity, `ends` the kinds that it ends between the same two.
    """

    change: Change
    name: str
    ends: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether the statement is that the relation has ended."""
        return self.change.kind == "relationship_ended"


def in_order(change: Change) -> tuple[Any, ...]:
    """Return the sort key of changes: the position, then the place in the text."""
    is_later = change.kind != "first_appearance"
    place = change.visible_from, is_later, change.path, change.start
    kind = change.kind in LAST, change.end, change.kind
    other = change.other_name or "", change.other_id or 0
    return *place, *kind, change.new or "", change.previous or "", *other


def changes_by_interval(changes: Iterable[Change], find: FindChanges) -> list[Change]:
    """Return the changes that `find` returns, each with the interval in which it holds."""
    ordered = sorted(
        (each for each in changes if each.visible_until is None or _holds_at_all(each)),
        key=in_order,
    )
    ends = sorted({each.visible_until for each in ordered if each.visible_until is not None})
    if not ends:
        return list(find(ordered))
    found: list[Change] = []
    start: int | None = None
    for end in (*ends, None):
        held = [each for each in ordered if _holds(each, start, end)]
        found = _joined(found, find(held), start, end)
        start = end
    return found


def name_changes(mentions: Iterable[Change]) -> list[Change]:
    """Return the first appearance of an entity, and the first use of each further name."""
    return changes_by_interval(mentions, _names)


def status_changes(changes: Iterable[Change]) -> list[Change]:
    """Return the changes of status; repeated statements of the same status are one change."""
    return changes_by_interval(changes, _statuses)


def relation_changes(stated: Iterable[Stated]) -> list[Change]:
    """Return where the relations between two entities start, end, and start again.

    A relation ends where the text says so, or where another kind that ends it starts at a later
    position.
    """
    known = {each.change: each for each in stated}
    return changes_by_interval(
        known, lambda held: _begun_and_ended([known[change] for change in held])
    )


def _holds_at_all(change: Change) -> bool:
    return change.visible_until is not None and change.visible_until > change.visible_from


def _holds(change: Change, start: int | None, end: int | None) -> bool:
    """Return whether a change holds in [start, end), within which none starts or stops."""
    is_lasting = change.visible_until is None or start is None or change.visible_until > start
    return is_lasting and (end is None or change.visible_from < end)


def _joined(
    found: list[Change], more: Iterable[Change], start: int | None, end: int | None
) -> list[Change]:
    """Return the changes so far plus those of the interval [start, end), extending equal ones."""
    ending = {
        replace(each, visible_from=0, visible_until=None): at
        for at, each in enumerate(found)
        if start is not None and each.visible_until == start
    }
    for each in more:
        before = ending.pop(replace(each, visible_from=0, visible_until=None), None)
        if before is not None:
            found[before] = replace(found[before], visible_until=end)
            continue
        since = each.visible_from if start is None else max(start, each.visible_from)
        found.append(replace(each, visible_from=since, visible_until=end))
    return found


def _names(held: Sequence[Change]) -> Iterator[Change]:
    known: set[str | None] = set()
    for change in held:
        if not known:
            yield replace(change, kind="first_appearance")
        elif change.new not in known:
            yield change
        known.add(change.new)


def _statuses(held: Sequence[Change]) -> Iterator[Change]:
    previous: str | None = None
    for change in held:
        if change.new != previous:
            yield replace(change, previous=previous)
        previous = change.new


def _begun_and_ended(held: Sequence[Stated]) -> Iterator[Change]:
    begun: dict[str, int | None] = {}
    for stated in held:
        change, name = stated.change, stated.name
        if stated.is_over:
            if begun.get(name, change.visible_from) is not None:
                yield change
            begun[name] = None
        elif begun.get(name) is None:
            yield change
            begun[name] = change.visible_from
            for other in stated.ends:
                since = begun.get(other)
                if since is not None and since < change.visible_from:
                    yield replace(change, kind="relationship_ended", previous=other, new=None)
                    begun[other] = None
