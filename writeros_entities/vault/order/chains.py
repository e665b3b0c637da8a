"""Read the order of notes from links: to the previous and next one, or a list of them in an index.

**Previous**: [[The Ford]]      ← [[The Ford]] | [[The Well]] →      next: "[[The Well]]"
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from writeros_entities.names import fold_name
from writeros_entities.values import Callout, Link, Note, OrderClaim
from writeros_entities.vault.links import link_key, resolve_link

MOST_LISTED = 500
"""Most links of a list of chapters."""

_MARKS = " \t*_:>#-–—|()•·\\"
BACK, ON = frozenset("←⬅"), frozenset("→➡")
"""Arrows before a link to the previous note, and behind one to the next."""


def read_links(note: Note, words: Mapping[str, str]) -> OrderClaim:
    """Return what a note of the manuscript says of the notes before and after it.

    `words` stand before such links: `previous` or `next`. Of several, none counts.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for link in note.links:
        if link.target and (way := _way(note, link, words)):
            found[way].append(link.target)
    only = {way: targets[0] for way, targets in found.items() if len(set(targets)) == 1}
    return OrderClaim("links", previous=only.get("previous", ""), next=only.get("next", ""))


def read_list(note: Note) -> OrderClaim | None:
    """Return the links of an index note in order, which may be a list of chapters."""
    listed = tuple(dict.fromkeys(link.target for link in note.links if link.target))
    return OrderClaim("list", listed=listed) if 1 < len(listed) <= MOST_LISTED else None


def _way(note: Note, link: Link, words: Mapping[str, str]) -> str | None:
    if link.field is not None:
        return words.get(fold_name(link.field.partition(".")[0]))
    line = note.line_starts[note.locate(link.start)[0] - 1]
    end = note.text.find("\n", link.end)
    before = note.text[line : link.start].rpartition("]]")[2]
    after = note.text[link.end : None if end == -1 else end].partition("[[")[0]
    if way := words.get(fold_name(before.rpartition("|")[2].strip(_MARKS))):
        return way
    shown = link.display or ""
    if not BACK.isdisjoint((before.strip()[-1:], shown[:1])):
        return "previous"
    if not ON.isdisjoint((after.strip()[:1], shown[-1:])):
        return "next"
    around = (one for one in note.callouts if one.start <= link.start < one.end)
    return next((way for one in around if (way := _titled(one, words))), None)


def _titled(callout: Callout, words: Mapping[str, str]) -> str | None:
    return words.get(fold_name(callout.title.strip(_MARKS)))


def place_chains(claims: Mapping[str, OrderClaim]) -> dict[str, OrderClaim]:
    """Return the claims of notes that links alone order, each with its place in its chain.

    A chain that begins behind a note with a place of its own follows that note.
    """
    linked = {path: claim for path, claim in claims.items() if claim.source == "links"}
    if not linked:
        return {}
    find = _Finder([path for path, claim in claims.items() if claim.key or path in linked])
    following: dict[str, str] = {}
    for path, claim in sorted(linked.items()):
        if (after := find.only(claim.next, path)) in linked:
            following.setdefault(path, after)
    for path, claim in sorted(linked.items()):
        if (before := find.only(claim.previous, path)) in linked:
            following.setdefault(before, path)
    for first, second in _listed(claims, linked, find):
        if first not in following and second not in following.values():
            following.setdefault(first, second)
    found: dict[str, OrderClaim] = {}
    for start in sorted(linked.keys() - set(following.values())):
        before = find.only(linked[start].previous, start)
        behind = claims.get(before) if before not in linked else None
        chain = list(_follow(start, following))
        if behind is None and len(chain) == 1:
            continue
        for number, path in enumerate(chain, 1):
            own = behind or replace(linked[path], thread=f"links {start}")
            key = (*own.key, number) if behind else (number,)
            found[path] = replace(own, source="links", key=key, previous="", next="")
    return found


def _listed(
    claims: Mapping[str, OrderClaim], linked: Mapping[str, OrderClaim], find: _Finder
) -> Iterator[tuple[str, str]]:
    """Yield the neighbours in lists of which at least half are notes that links alone order."""
    for index, claim in sorted(claims.items()):
        if claim.listed:
            chapters = [find.only(target, index) for target in claim.listed]
            ordered = [path for path in chapters if path in linked]
            if len(ordered) * 2 >= len(claim.listed):
                yield from pairwise(ordered)


def _follow(start: str, following: Mapping[str, str]) -> Iterator[str]:
    at: str | None = start
    seen: set[str] = set()
    while at is not None and at not in seen:
        seen.add(at)
        yield at
        at = following.get(at)


class _Finder:
    """Finds the note of the manuscript that a link means."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._by_key: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            self._by_key[link_key(path)].append(path)

    def only(self, target: str, source: str) -> str:
        """Return the path of the note, or "" if there is none or several."""
        near = self._by_key.get(link_key(target), ()) if target else ()
        found = resolve_link(target, source, near).candidates if near else ()
        return found[0] if len(found) == 1 else ""
