"""Compute reading positions from what notes claim about their order.

The notes of a manuscript are ranked by their keys, book by book. A book that starts numbering anew
(chapter 1 again, after a book of twelve chapters) continues from the previous book's last position;
one that continues the numbering (chapter 13) keeps its own numbers.

Arrange the notes of a manuscript as the writer has decided.

arrange({"One.md": 1, "Two.md": 2, "Three.md": 3}, [["Three.md", "One.md"]])
# {"Two.md": 2, "Three.md": 3, "One.md": 4}
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count

from writeros_entities.values import LARGEST_POSITION, Diagnostic, OrderClaim
from writeros_entities.values.notes import note_name
from writeros_entities.vault.order.chains import place_chains
from writeros_entities.vault.order.chapters import Chapters
from writeros_entities.vault.order.threads import natural_key, separate_threads


@dataclass(slots=True)
class _Spot:
    """Notes with one place, and its number, if no decision has moved them."""

    number: int | None
    paths: list[str]


def arrange(positions: Mapping[str, int], sequences: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return positions in which the notes of each sequence follow each other.

    The first of them that has a place keeps it, and the others of its sequence stand beside it; if
    none has one, they come last. Later sequences go before earlier ones. All other notes keep their
    numbers, as far as what is before them leaves them free.
    """
    if not sequences:
        return dict(positions)
    places: dict[int, _Spot] = {}
    for path in sorted(positions, key=lambda path: (positions[path], path)):
        places.setdefault(positions[path], _Spot(positions[path], [])).paths.append(path)
    line = list(places.values())
    for sequence in sequences:
        _move(line, list(dict.fromkeys(sequence)))
    return _numbered([place for place in line if place.paths])


def _move(line: list[_Spot], sequence: Sequence[str]) -> None:
    placed = {path for place in line for path in place.paths}
    anchor = next((path for path in sequence if path in placed), None)
    others = [path for path in sequence if path != anchor]
    for place in line:
        place.paths = [path for path in place.paths if path not in others]
    if anchor is None:
        line += [_Spot(None, [path]) for path in sequence]
        return
    at = next(number for number, place in enumerate(line) if anchor in place.paths)
    cut = sequence.index(anchor)
    line[at + 1 : at + 1] = [_Spot(None, [path]) for path in sequence[cut + 1 :]]
    line[at:at] = [_Spot(None, [path]) for path in sequence[:cut]]


def _numbered(line: Sequence[_Spot]) -> dict[str, int]:
    first = next((at for at, place in enumerate(line) if place.number is not None), len(line))
    own = line[first].number if first < len(line) else None
    last = 0 if own is None else own - first - 1
    positions: dict[str, int] = {}
    for place in line:
        last = max(last + 1, last + 1 if place.number is None else place.number)
        positions |= dict.fromkeys(place.paths, last)
    return positions


_UNORDERED = Diagnostic(
    "unordered",
    "Nothing tells its place in reading order: it is told as the last. A number, a link to the "
    "note before it (`previous`) or a decision (`order: …`) gives it one.",
)

Key = tuple[int, ...]
Found = list[tuple[str, Diagnostic]]
"""Conflicts between claims, as (path, diagnostic) pairs."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a manuscript: positions by path, and the conflicts between claims.

    `named_by` has the notes that index notes list, each with the path of that index note.
    """

    positions: Mapping[str, int]
    named_by: Mapping[str, str]
    diagnostics: Found


@dataclass(frozen=True, slots=True)
class DecidedOrder:
    """What the writer has decided, by path: which notes are in the manuscript whatever lists it,
    which are not, and in which order some of them are.
    """

    inside: Collection[str] = ()
    outside: Collection[str] = ()
    sequences: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """A note's place: its key in its book, or its place in the sequence of an index note."""

    book: Key
    key: Key
    is_listed: bool = False


@dataclass
class _Lists:
    """What index notes place, which takes notes out of those that have a place of their `own`."""

    own: dict[str, OrderClaim]
    precedence: Sequence[str]
    diagnostics: Found
    placed: dict[str, _Place] = field(default_factory=dict)
    named_by: dict[str, str] = field(default_factory=dict)

    def add(self, index: str, claim: OrderClaim, sequence: Sequence[tuple[int, str]]) -> None:
        """Place the notes of an index note's sequence, unless what they claim comes first."""
        moved = _moved([path for _, path in sequence if path in self.own], self.own)
        for place, path in sequence:
            if path in self.named_by:
                other = self.named_by[path]
                self._report(path, f"It stands in the order of {other!r} and of {index!r}.")
                continue
            self.named_by[path] = index
            if path in self.own:
                source = self.own[path].source
                if path in moved:
                    given = f"{claim.source} ({index!r})"
                    self._report(path, f"Its place is given by {given} and by {source}.")
                if _rank(source, self.precedence) < _rank(claim.source, self.precedence):
                    continue
                del self.own[path]
            self.placed[path] = _Place(claim.book, (place,), is_listed=True)

    def _report(self, path: str, message: str) -> None:
        self.diagnostics.append((path, Diagnostic("claimed-twice", message)))


def assign_positions(
    claims: Mapping[str, OrderClaim],
    paths: Collection[str] | None = None,
    *,
    precedence: Sequence[str] = (),
    decided: DecidedOrder = DecidedOrder(),
) -> Order:
    """Return the order of the notes that have a place in it.

    Where an index note lists the manuscript, nothing else is in it.

    In the first book, a key of one number is itself the position, unless earlier notes have reached
    it; a longer key (part, chapter) takes the position after the previous one, from 1 on. A
    position thus never depends on later notes. A sequence gives positions from 1 on to the notes
    that it names, which are looked up among `paths` below its folder. If such a note also claims a
    place itself, the source that comes first in `precedence` wins, or the sequence if neither is in
    it. A note `within` a chapter follows that chapter's note, if there is one with a place. Notes
    that only an earlier draft of a work names have no position; nor, where index notes list scenes,
    has any other note that is not within one of them. What the writer says is told, and nothing
    orders, comes last, if anything has a position. What is `decided` overrides all of that.
    """
    diagnostics: Found = []
    claims = _without_earlier_drafts(claims, paths, diagnostics)
    placed_by_links = place_chains(claims)
    own = {
        path: claim
        for path, claim in (claims | placed_by_links).items()
        if _has_key(path, claim, diagnostics)
    }
    lists = _Lists(own, precedence, diagnostics)
    for index, claim in sorted(claims.items()):
        if claim.sequence:
            found = _look_up(index, claim, paths, diagnostics)
            lists.add(index, claim, [one for one in found if one[1] not in decided.outside])
    named_by = lists.named_by
    if named_by:
        own = {
            path: claim
            for path, claim in own.items()
            if path in named_by or claim.within or path in decided.inside
        }
    else:
        own, problems = separate_threads(own)
        diagnostics += problems
    placed = {path: _Place(claim.book, claim.key) for path, claim in own.items()} | lists.placed
    places = _within_chapters(placed, own)
    ranked = _rank_books(places)
    if ranked and not named_by:
        decided_of = set(chain.from_iterable(decided.sequences))
        told = {path for path, claim in claims.items() if claim.is_told} - decided_of
        ranked |= _behind_all(told, ranked, diagnostics)
    positions = arrange(ranked, decided.sequences)
    positions = _within_reach(positions, claims, diagnostics)
    _report_shared(positions, diagnostics)
    return Order(positions, named_by, diagnostics)


def _behind_all(
    told: Collection[str], positions: Mapping[str, int], diagnostics: Found
) -> dict[str, int]:
    """Return the positions of what the writer says is told and nothing orders: by folder and title,
    so that nothing of it is seen too early. Where most is so, that is no order.
    """
    unordered = sorted((path for path in told if path not in positions), key=natural_key)
    if len(unordered) > len(positions):
        return {}
    diagnostics += [(path, _UNORDERED) for path in sorted(unordered)]
    return dict(zip(unordered, count(max(positions.values()) + 1), strict=False))


def _moved(sequence: Sequence[str], own: Mapping[str, OrderClaim]) -> set[str]:
    """Return the notes of a sequence that have another place among them by their own claims."""
    by_own = sorted(sequence, key=lambda path: (own[path].book, own[path].key))
    return {path for path, other in zip(sequence, by_own, strict=True) if path != other}


def in_series(claim: OrderClaim, path: str, books: Sequence[str]) -> OrderClaim:
    """Return a note's claim with the number of its book in a series, by the folders in `books`.

    Notes outside all of these folders come after all books.
    """
    if not books:
        return claim
    inside = [
        number for number, folder in enumerate(books) if path.startswith(folder.rstrip("/") + "/")
    ]
    number = max(inside, key=lambda at: len(books[at]), default=len(books))
    return replace(claim, book=(number, *claim.book))


def _has_key(path: str, claim: OrderClaim, diagnostics: Found) -> bool:
    if any(abs(number) > LARGEST_POSITION for number in claim.key):
        diagnostics.append((path, _out_of_range(claim.source)))
        return False
    return bool(claim.key or claim.day)


def _out_of_range(source: str) -> Diagnostic:
    message = f"The place that {source} gives it is out of range; it has none."
    return Diagnostic("position-out-of-range", message)


def _rank(source: str, precedence: Sequence[str]) -> int:
    return precedence.index(source) if source in precedence else len(precedence)


def _within_chapters(
    places: Mapping[str, _Place], claims: Mapping[str, OrderClaim]
) -> dict[str, _Place]:
    """Place the notes within chapters behind the notes of these, the last of equally good ones.

    A note within a chapter that an index lists has that chapter's place.
    """
    inner = {path: claim for path, claim in claims.items() if claim.within}
    if not inner:
        return dict(places)
    chapters = Chapters({path: 0 for path in places if path not in inner})
    found = dict(places)
    for path, claim in inner.items():
        meant = [places[chapter] for chapter in chapters.meant(claim.within, path)]
        if meant:
            chapter = max(meant, key=lambda place: (place.book, place.key))
            key = chapter.key if chapter.is_listed else chapter.key + claim.key
            found[path] = replace(chapter, key=key)
    return found


# -- Books ---------------------------------------------------------------------------------------


def _rank_books(places: Mapping[str, _Place]) -> dict[str, int]:
    positions: dict[str, int] = {}
    last: int | None = None
    for run in _runs(places):
        first = min(place.key for place in run.values())
        base = 0 if last is None else last + max(0, 1 - _number(first))
        ranks = _rank_keys((place.key for place in run.values() if not place.is_listed), base)
        for path, place in run.items():
            positions[path] = base + place.key[0] if place.is_listed else ranks[place.key]
        last = max(positions.values())
    return positions


def _runs(places: Mapping[str, _Place]) -> list[dict[str, _Place]]:
    """Group notes by book, joining books that continue the numbering of the previous one."""
    books: dict[Key, dict[str, _Place]] = defaultdict(dict)
    for path, place in places.items():
        books[place.book][path] = place
    runs: list[dict[str, _Place]] = []
    for book in sorted(books):
        first = min(place.key for place in books[book].values())
        if not runs or first <= max(place.key for place in runs[-1].values()):
            runs.append({})
        runs[-1] |= books[book]
    return runs


def _rank_keys(keys: Iterable[Key], base: int) -> dict[Key, int]:
    ranks: dict[Key, int] = {}
    position: int | None = None
    for key in sorted(set(keys)):
        following = base + _number(key)
        if position is not None:
            following = max(position + 1, following)
        ranks[key] = position = following
    return ranks


def _number(key: Key) -> int:
    """Return the position of a key at the start of the first book."""
    return key[0] if len(key) == 1 else 1


def _within_reach(
    positions: Mapping[str, int], claims: Mapping[str, OrderClaim], diagnostics: Found
) -> dict[str, int]:
    reached = {path: at for path, at in positions.items() if abs(at) <= LARGEST_POSITION}
    for path in sorted(positions.keys() - reached.keys()):
        source = claims[path].source if path in claims else "its index note"
        diagnostics.append((path, _out_of_range(source)))
    return reached


# -- Sequences -----------------------------------------------------------------------------------


def _look_up(
    index: str, claim: OrderClaim, paths: Collection[str] | None, diagnostics: Found
) -> list[tuple[int, str]]:
    """Return (place, path) of the notes in a sequence; report names without a note."""
    prefix = claim.folder.strip("/") + "/" if claim.folder.strip("/") else ""
    if paths is None:
        return [(place, f"{prefix}{name}.md") for place, name in enumerate(claim.sequence, 1)]
    below: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (len(path), path)):
        if path.startswith(prefix):
            below.setdefault(_key(note_name(path)), path)
    found: list[tuple[int, str]] = []
    for place, name in enumerate(claim.sequence, 1):
        match = below.get(_key(note_name(name)))
        if match is None:
            message = f"It names {name!r}, but there is no such note below {prefix or '/'!r}."
            diagnostics.append((index, Diagnostic("missing-in-order", message)))
        else:
            found.append((place, match))
    return found


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _without_earlier_drafts(
    claims: Mapping[str, OrderClaim], paths: Collection[str] | None, diagnostics: Found
) -> dict[str, OrderClaim]:
    """Leave out the drafts of a work before its last, and what the notes in them claim.

    If it is not certain which draft is the last, all of them are kept.
    """
    drafts: dict[str, list[str]] = defaultdict(list)
    for index in sorted(claims):
        if claims[index].work:
            drafts[_key(claims[index].work)].append(index)
    last = {work: _last_draft(claims, indexes) for work, indexes in drafts.items()}
    earlier = {
        index: following
        for work, indexes in drafts.items()
        if (following := last[work]) is not None
        for index in indexes
        if index != following
    }
    named: set[str] = set()
    for index, following in earlier.items():
        named.update(path for _, path in _look_up(index, claims[index], paths, []))
        message = (
            f"An earlier draft of {claims[index].work!r}: the manuscript is that of {following!r}."
        )
        diagnostics.append((index, Diagnostic("earlier-draft", message)))
    return {
        path: claim for path, claim in claims.items() if path not in earlier and path not in named
    }


def _last_draft(claims: Mapping[str, OrderClaim], indexes: Sequence[str]) -> str | None:
    *_, last = sorted(indexes, key=lambda index: claims[index].draft)
    is_certain = [claims[index].draft for index in indexes].count(claims[last].draft) == 1
    return last if len(indexes) > 1 and is_certain else None


# -- Clashes -------------------------------------------------------------------------------------


def _report_shared(positions: Mapping[str, int], diagnostics: Found) -> None:
    """Report notes that share a position; for two folders that share several, report only once."""
    holders: dict[int, str] = {}
    shared: list[tuple[str, str]] = []
    for path in sorted(positions):
        holder = holders.setdefault(positions[path], path)
        if holder != path:
            shared.append((path, holder))
    pairs = Counter(_folders(path, holder) for path, holder in shared)
    for path, holder in shared:
        folders = _folders(path, holder)
        count = pairs.pop(folders, 0) if folders[0] != folders[1] else 1
        if count > 1:
            diagnostics.append((path, _two_books(folders, count)))
        elif count == 1:
            message = f"It has place {positions[path]} in reading order, and so has {holder!r}."
            diagnostics.append((path, Diagnostic("same-position", message)))


def _folders(path: str, holder: str) -> tuple[str, str]:
    return path.rpartition("/")[0], holder.rpartition("/")[0]


def _two_books(folders: tuple[str, str], count: int) -> Diagnostic:
    later, earlier = folders
    return Diagnostic(
        "same-positions",
        f"{count} notes of {later or '/'!r} have the places in reading order of notes of "
        f"{earlier or '/'!r}. If they are books of one series, number their folders (`Book 1`), or "
        "list them in the setting `books`; if one is an earlier draft, exclude its folder in "
        "Obsidian (Files and links, Excluded files).",
    )
