"""Tell apart the books and threads of a manuscript that count their notes alike, and order them.

Two folders with a chapter 1 each are two books: the second follows the first. Where the notes of
each are dated, as those of a campaign's sessions, they are one story told in turns: they follow
each other by date. A date that contradicts all others of its thread is reported, not believed.
"""

from __future__ import annotations

import datetime
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from writeros_entities.values import Diagnostic, OrderClaim

Key = tuple[int, ...]
Thread = list[str]
"""The paths of notes in one folder that have the same letters before their numbers, in order."""


_UNDATED = Diagnostic(
    "undated",
    "It has no date, unlike the others of its folder: it is told as the last of them.",
)


@dataclass(slots=True)
class _Run:
    """Threads that are counted together, the places that are taken, and whether dates count."""

    threads: list[Thread]
    keys: set[Key]
    by_date: bool = False


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key by which names are sorted as people do: "Book 2" before "Book 10"."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def separate_threads(
    own: Mapping[str, OrderClaim],
) -> tuple[dict[str, OrderClaim], list[tuple[str, Diagnostic]]]:
    """Return the claims with a last number of their book for each run of threads, and the problems.

    Notes with a date alone have that as their key.
    """
    undated = _behind_dated(own)
    books: dict[Key, dict[str, OrderClaim]] = defaultdict(dict)
    for path, claim in {**own, **undated}.items():
        books[claim.book][path] = claim
    found: dict[str, OrderClaim] = {}
    problems = [(path, _UNDATED) for path in sorted(undated)]
    for book in books.values():
        threads = _threads(book)
        days: dict[str, Key] = {}
        for thread in threads:
            days |= _days(thread, book, problems)
        runs = _runs(threads, book, days)
        for number, run in enumerate(runs):
            for path in chain.from_iterable(run.threads):
                claim = book[path]
                key = (*days[path], *claim.key) if run.by_date else claim.key or claim.day
                found[path] = replace(claim, key=key, book=(*claim.book, number))
        problems += _told_apart([run.threads for run in runs])
    return found, problems


def _behind_dated(own: Mapping[str, OrderClaim]) -> dict[str, OrderClaim]:
    """Return the claims of undated notes in folders where most have a date and no number.

    The number of their folder does not place them among the others: they follow the last of these.
    """
    folders: dict[str, Thread] = defaultdict(list)
    for path in own:
        folders[path.rpartition("/")[0]].append(path)
    found: dict[str, OrderClaim] = {}
    for paths in folders.values():
        dated = [own[path] for path in paths if own[path].day and not own[path].key]
        if len(dated) * 2 <= len(paths):
            continue
        last = max(dated, key=lambda claim: (claim.book, claim.day))
        for path in paths:
            claim = own[path]
            if not claim.day and not claim.within:
                found[path] = replace(claim, key=(*last.day, *claim.key), book=last.book)
    return found


def _threads(book: Mapping[str, OrderClaim]) -> list[Thread]:
    threads: dict[tuple[object, ...], Thread] = defaultdict(list)
    for path, claim in book.items():
        threads[natural_key(path.rpartition("/")[0]), claim.thread].append(path)
    by_key = {path: (claim.key or claim.day, natural_key(path)) for path, claim in book.items()}
    return [sorted(threads[name], key=by_key.__getitem__) for name in sorted(threads)]


def _runs(
    threads: Sequence[Thread], book: Mapping[str, OrderClaim], days: Mapping[str, Key]
) -> list[_Run]:
    """Return the threads that can be counted together, run by run."""
    runs: list[_Run] = []
    dated = [thread for thread in threads if all(path in days for path in thread)]
    shared = [thread for thread in dated if _clashes(thread, dated, book)]
    for thread in threads:
        if thread in shared:
            if thread is shared[0]:
                runs.append(_Run(shared, set(), by_date=True))
            continue
        keys = _keys(thread, book)
        fitting = (run for run in runs if not run.by_date and keys.isdisjoint(run.keys))
        run = next(fitting, None)
        if run is None:
            runs.append(_Run([thread], keys))
        else:
            run.threads.append(thread)
            run.keys |= keys
    return runs


def _clashes(thread: Thread, threads: Sequence[Thread], book: Mapping[str, OrderClaim]) -> bool:
    keys = _keys(thread, book)
    return any(not keys.isdisjoint(_keys(one, book)) for one in threads if one is not thread)


def _keys(thread: Thread, book: Mapping[str, OrderClaim]) -> set[Key]:
    return {book[path].key or book[path].day for path in thread if not book[path].within}


def _days(
    thread: Thread, book: Mapping[str, OrderClaim], problems: list[tuple[str, Diagnostic]]
) -> dict[str, Key]:
    """Return the dates of a thread's notes, none of them before that of a note counted before.

    Notes without a date, and with one that contradicts the others in every year, have the date of
    the note before; a thread without dates has none.
    """
    dated = [path for path in thread if book[path].day]
    if len(dated) * 2 <= len(thread):
        return {}
    if not all(book[path].key for path in thread):
        return {path: book[path].day for path in dated}
    agreeing = _longest_ascending([book[path].day for path in dated])
    believed = {dated[at]: book[dated[at]].day for at in agreeing}
    if len(believed) * 2 <= len(dated):
        return {}
    found: dict[str, Key] = {}
    before = believed[dated[agreeing[0]]]
    for at, path in enumerate(thread):
        following = next((believed[one] for one in thread[at:] if one in believed), ())
        day = believed.get(path, ())
        if not day and book[path].day:
            day = _in_another_year(book[path].day, before, following)
            earlier = next((one for one in reversed(thread[:at]) if one in believed), "")
            problems.append((path, _contradicting(book, path, earlier, day)))
        found[path] = before = day or before
    return found


def _longest_ascending(days: Sequence[Key]) -> list[int]:
    """Return the indices of a longest run of dates of which none is before the one before."""
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for at, day in enumerate(days):
        length = bisect_right([days[end] for end in ends], day)
        before[at] = ends[length - 1] if length else None
        ends[length:] = [at] if length == len(ends) else [at, *ends[length + 1 :]]
    found: list[int] = []
    last = ends[-1] if ends else None
    while last is not None:
        found.append(last)
        last = before[last]
    return found[::-1]


def _in_another_year(day: Key, before: Key, following: Key) -> Key:
    years = range(before[0], (following or before)[0] + 2)
    fitting = ((year, *day[1:]) for year in years)
    return next(
        (one for one in fitting if one >= before and (not following or one <= following)), ()
    )


def _contradicting(
    book: Mapping[str, OrderClaim], path: str, earlier: str, fitting: Key
) -> Diagnostic:
    own = book[path].day
    message = f"It is dated {_written(own)}, which contradicts the order of all others."
    if earlier and own < book[earlier].day:
        apart = _apart(own, book[earlier].day)
        message = f"It is dated {_written(own)}, {apart} before {earlier!r}, which comes before it."
    if fitting:
        message += f" Dated {_written(fitting)}, it would fit."
    return Diagnostic("date-contradicts-order", message)


def _written(day: Key) -> str:
    return f"{day[0]:04}-{day[1]:02}-{day[2]:02}"


def _apart(first: Key, second: Key) -> str:
    months = (second[0] - first[0]) * 12 + second[1] - first[1] - (second[2] < first[2])
    if months > 1:
        return f"{months} months"
    last = datetime.date(second[0], second[1], min(second[2], 28))
    days = (last - datetime.date(first[0], first[1], min(first[2], 28))).days
    return f"{days} days"


def _told_apart(runs: Sequence[Sequence[Thread]]) -> list[tuple[str, Diagnostic]]:
    """Report the folders whose notes are counted alike, and so are put one after the other."""
    found = []
    for earlier, later in pairwise(runs):
        first, second = earlier[0][0], later[0][0]
        folders = [path.rpartition("/")[0] or "/" for path in (first, second)]
        if folders[0] == folders[1]:
            continue
        message = (
            f"The notes of {folders[1]!r} are counted like those of {folders[0]!r}, and are put "
            "after them. If they are books of one series, number their folders (`Book 1`), or list "
            "them in the setting `books`; if one is an earlier draft, exclude its folder in "
            "Obsidian (Files and links, Excluded files)."
        )
        found.append((second, Diagnostic("counted-alike", message)))
    return found
