"""Find what Excalidraw writes into the note of a drawing, other than the texts that are drawn.

    ==⚠  Switch to EXCALIDRAW VIEW … ⚠==
    # Excalidraw Data
    ## Text Elements
    Ann hates Ben ^a1B2c3D4            drawn, but for the id
    ## Embedded Files
    3f1c9aa1: [[map.png]]
    %%
    ## Drawing                         data, to the end of the note

Above all that, the note may have text of its author.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from writeros_entities.values import Span

_PROPERTY = "excalidraw-plugin"
_TEXTS = "text elements"
_WARNING = re.compile(r"^==⚠[^\n]*", re.MULTILINE)
_DATA = re.compile(r"^#{1,2} (?:Excalidraw Data|Text Elements|Drawing)[ \t]*\r?$", re.MULTILINE)
_SECTION = re.compile(
    r"^#{1,2} (Excalidraw Data|Text Elements|Element Links|Embedded Files|Drawing)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ID = re.compile(r"[ \t]\^[\w-]{8}[ \t]*$", re.MULTILINE)


def drawing_data(text: str, start: int, properties: Collection[str]) -> Iterator[Span]:
    """Yield the spans of a drawing's data in a note whose body starts at `start`, in order."""
    if _PROPERTY not in properties:
        return
    data = _DATA.search(text, start)
    first = len(text) if data is None else data.start()
    yield from (Span(*warning.span()) for warning in _WARNING.finditer(text, start, first))
    sections = list(_SECTION.finditer(text, first))
    ends = [section.start() for section in sections[1:]] + [len(text)][: len(sections)]
    for section, end in zip(sections, ends, strict=True):
        if section[1].lower() == _TEXTS:
            yield Span(*section.span())
            yield from (Span(*found.span()) for found in _ID.finditer(text, section.end(), end))
        else:
            yield Span(section.start(), end)
