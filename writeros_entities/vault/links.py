"""Resolve links: to a file, and to a heading or block in it.

resolve_link("Isolde", "Chapters/One.md", ["Cast/Isolde.md"]).target
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from writeros_entities.names import MAX_NAME
from writeros_entities.values import BlockId, Heading, Note, Span

_HEADING_PUNCTUATION = re.compile(r"[!\"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+")
_PARTS = 30
"""Most parts between the `#` of a link's heading path; a note has six levels of headings."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of resolving a link.

    `target` is the file that Obsidian would open, even if the link is `ambiguous`; `candidates` are
    all files that match, best first.
    """

    status: Literal["resolved", "unresolved", "ambiguous"]
    target: str | None = None
    candidates: tuple[str, ...] = ()


def plain_link(target: str) -> str:
    """Return the link to a target as it is mostly written."""
    return f"[[{target}]]"


def link_key(target: str) -> str:
    """Return the key that a link's target shares with every path that it may mean.

    The key is cut to `MAX_NAME` characters; no file name is longer.
    """
    name = target.strip().rpartition("/")[2].replace("\xa0", " ")
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
    name = name.casefold()
    return name.removesuffix(".md")[:MAX_NAME]


def resolve_link(target: str, source_path: str, candidates: Sequence[str]) -> Resolution:
    """Resolve a link as Obsidian does, among the vault's paths with the same `link_key`.

    Case is ignored. An exact path wins, relative to the vault's root or to the note's folder; else
    a path that ends with the target, first below the note's folder, then anywhere, shortest first.
    A leading `/` requires the exact path from the root, `./` and `../` the exact path from the
    note.
    """
    wanted = _lower(target.strip())
    if not wanted:
        return Resolution("resolved", source_path, (source_path,))
    folder = _lower(source_path).rpartition("/")[0]
    lowered = [(_lower(path), path) for path in candidates]
    if wanted.startswith("/"):
        return _exact(target, [wanted[1:]], lowered) or Resolution("unresolved")
    if wanted.startswith(("./", "../")):
        joined = posixpath.normpath(posixpath.join(folder, wanted))
        return _exact(target, [joined], lowered) or Resolution("unresolved")
    beside = f"{folder}/{wanted}" if folder else wanted
    exact = _exact(target, [wanted, beside], lowered)
    if exact is not None:
        return exact
    for ending in ("/" + wanted, f"/{wanted}.md"):
        found = [(low, path) for low, path in lowered if low.endswith(ending)]
        if found:
            return _nearest(found, folder)
    return Resolution("unresolved")


def find_heading(note: Note, path: str) -> Heading | None:
    """Return the heading that `#path` of a link refers to.

    `A#B` is B anywhere below A or, if there is none, a heading that itself contains a `#`.
    """
    exact = next((one for one in note.headings if one.text == path.strip()), None)
    parts = [heading_key(part) for part in path.split("#")]
    parts = [part for part in parts if part]
    if exact is not None or not 0 < len(parts) <= _PARTS:
        return exact
    keys = [_heading_keys(note, heading) for heading in note.headings]
    found = _find_heading(note.headings, keys, parts, 0, len(keys), longest=1)
    return found or _find_heading(note.headings, keys, parts, 0, len(keys), longest=len(parts))


def section_span(note: Note, heading: Heading) -> Span:
    """Return the span of a heading's section, up to the next heading of its level or above."""
    for other in note.headings:
        if other.start > heading.start and other.level <= heading.level:
            return Span(heading.start, other.start)
    return Span(heading.start, len(note.text))


def find_block(note: Note, block: str) -> BlockId | None:
    """Return the block that `#^block` of a link refers to."""
    wanted = block.lower()
    return next((found for found in note.block_ids if found.id.lower() == wanted), None)


def heading_key(text: str) -> str:
    """Return a heading's text without punctuation and case, as links to it are compared."""
    text = text if text.isascii() else unicodedata.normalize("NFC", text)
    return _HEADING_PUNCTUATION.sub(" ", text).strip().casefold()


def _exact(
    target: str, wanted: Sequence[str], lowered: Sequence[tuple[str, str]]
) -> Resolution | None:
    for path in wanted:
        for form in (path, path + ".md"):
            found = [original for low, original in lowered if low == form]
            if len(found) > 1:  # names that differ only in case: the spelling decides, if it can
                spelled = unicodedata.normalize("NFC", target.strip())
                spelled = spelled.removeprefix("/").removesuffix(".md")
                same = [one for one in found if one.removesuffix(".md").endswith(spelled)]
                if len(same) != 1:
                    return Resolution("ambiguous", min(found), tuple(sorted(found)))
                found = same
            if found:
                return Resolution("resolved", found[0], (found[0],))
    return None


def _nearest(found: Sequence[tuple[str, str]], folder: str) -> Resolution:
    below = [path for low, path in found if folder and low.startswith(folder + "/")]
    group = below or [path for _, path in found]
    rest = [path for _, path in found if path not in group] if below else []
    order = sorted(group, key=_by_length) + sorted(rest, key=_by_length)
    status: Literal["resolved", "ambiguous"] = "resolved" if len(group) == 1 else "ambiguous"
    return Resolution(status, order[0], tuple(order))


def _by_length(path: str) -> tuple[int, str]:
    return len(path), path


def _lower(path: str) -> str:
    path = path.replace("\xa0", " ")
    return (path if path.isascii() else unicodedata.normalize("NFC", path)).lower()


def _heading_keys(note: Note, heading: Heading) -> tuple[str, str]:
    return heading_key(heading.text), heading_key(note.text[heading.start : heading.end])


def _find_heading(
    headings: Sequence[Heading],
    keys: Sequence[tuple[str, str]],
    parts: Sequence[str],
    start: int,
    end: int,
    longest: int,
) -> Heading | None:
    """Return the heading that the parts lead to; one heading may take up to `longest` of them."""
    begins = {" ".join(parts[:taken]): taken for taken in range(1, min(longest, len(parts)) + 1)}
    for index in range(start, end):
        taken = max(begins.get(key, 0) for key in keys[index])
        if taken == len(parts):
            return headings[index]
        if not taken:
            continue
        level = headings[index].level
        last = index + 1
        while last < end and headings[last].level > level:
            last += 1
        found = _find_heading(headings, keys, parts[taken:], index + 1, last, longest)
        if found is not None:
            return found
    return None
