"""Notes and lexicons for plugin tests, created without the parser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from writeros_entities import (
    HIDDEN,
    MARK,
    Block,
    Heading,
    Lexicon,
    LexiconEntity,
    Link,
    Name,
    Note,
)

from ..databases import one_engine as databases

__all__ = ["databases"]

NoteMaker = Callable[..., Note]
LexiconMaker = Callable[..., Lexicon]

_LINK = re.compile(r"\[\[([^\]|#]*)(#[^\]|]*)?(?:\|([^\]]*))?\]\]")
_BLOCK = re.compile(
    r"^```.*?\n```[ ]*(?=\n|\Z)|^#[^\n]*|(?:^[^\n#][^\n]*(?:\n|\Z))+", re.MULTILINE | re.DOTALL
)
_HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)


def _make_note(text: str, path: str = "Chapters/One.md", **values: object) -> Note:
    prose = list(text)
    links = []
    for found in _LINK.finditer(text):
        shown = 3 if found[3] is not None else 1
        text_start, text_end = found.span(shown)
        if shown == 1 and found[2]:
            text_end = found.end(2)
        for at in range(found.start(), found.end()):
            if not text_start <= at < text_end:
                prose[at] = HIDDEN if found.start() + 2 <= at < found.end() - 2 else MARK
        links.append(
            Link(
                "wikilink",
                found[0],
                found[1],
                *found.span(),
                heading=found[2] and found[2][1:],
                display=found[3],
                text_start=text_start,
                text_end=text_end,
            )
        )
    for at in (match.start() for match in re.finditer(r"\*", text)):
        prose[at] = MARK
    headings = tuple(
        Heading(len(found[1]), found[2], *found.span()) for found in _HEADING.finditer(text)
    )
    given: dict[str, object] = {
        "title": path.rpartition("/")[2].removesuffix(".md"),
        "prose": "".join(prose),
        "content_hash": "",
        "frontmatter": {},
        "headings": headings,
        "links": tuple(links),
        "blocks": tuple(_blocks(text)),
    }
    return Note(path=path, text=text, **(given | values))  # type: ignore[arg-type]


def _blocks(text: str) -> list[Block]:
    kinds = {"#": "heading", "|": "table", "`": "code", "-": "list", ">": "quote"}
    pattern = re.compile(
        r"```.*?\n```[ ]*(?=\n|\Z)|^#[^\n]*|(?:^[^\n#][^\n]*(?:\n|\Z))+", re.M | re.S
    )
    return [
        Block(kinds.get(found[0][0], "paragraph"), *found.span())  # type: ignore[arg-type]
        for found in pattern.finditer(text)
        if found[0].strip()
    ]


def _make_lexicon(*names: Name | str, **types: str) -> Lexicon:
    """Create a lexicon from names; a plain string is the name of an entity with the same id."""
    full = [Name(name, name, "name") if isinstance(name, str) else name for name in names]
    entities: dict[str, LexiconEntity] = {}
    for name in full:
        kind = types.get(name.entity.replace(" ", "_"), "person")
        entities.setdefault(
            name.entity,
            LexiconEntity(name.entity, name.entity, kind, "noted", f"World/{name.entity}.md"),
        )
    return Lexicon(tuple(full), entities)


@pytest.fixture(scope="session")
def make_note() -> NoteMaker:
    """Create a note from text; its wikilinks, headings and blocks are found in a simple way."""
    return _make_note


@pytest.fixture(scope="session")
def make_lexicon() -> LexiconMaker:
    """Create a lexicon from names, or from strings that name entities of the same id."""
    return _make_lexicon
