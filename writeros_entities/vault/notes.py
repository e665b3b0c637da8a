"""Parse the bytes of a file into a note.

note = parse_note("Characters/Isolde.md", data)
note.prose[mention.start : mention.end]
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

from writeros_entities.values import UNSEEN, Block, Diagnostic, Heading, Note, Span
from writeros_entities.values.notes import note_name
from writeros_entities.vault.comments import cover_encoded
from writeros_entities.vault.files.disk import BYTE_ORDER_MARK, decode
from writeros_entities.vault.markdown.blocks import BlockScanner
from writeros_entities.vault.markdown.inline import InlineScanner
from writeros_entities.vault.markdown.prose import ProseMask, indented_prose
from writeros_entities.vault.properties.frontmatter import Frontmatter, read_frontmatter
from writeros_entities.vault.titles import read_title

MAX_LINKS = 20_000

_UNSEEN = re.compile(f"{UNSEEN}+")


_PROPERTY = "excalidraw-plugin"
_TEXTS = "text elements"
_WARNING = re.compile(r"^==⚠[^\n]*", re.MULTILINE)
_DATA = re.compile(r"^#{1,2} (?:Excalidraw Data|Text Elements|Drawing)[ \t]*\r?$", re.MULTILINE)
_SECTION = re.compile(
    r"^#{1,2} (Excalidraw Data|Text Elements|Element Links|Embedded Files|Drawing)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ID = re.compile(r"[ \t]\^[\w-]{8}[ \t]*$", re.MULTILINE)


def parse_note(path: str, data: bytes, *, max_links: int = MAX_LINKS) -> Note:
    """Parse the note at `path`; problems become diagnostics, not exceptions.

    At most `max_links` links, tags and inline fields each are kept.
    """
    text, diagnostics = decode(data)
    frontmatter = read_frontmatter(text, note_name(path))
    return _parse(path, text, hash_content(data), max_links, frontmatter, diagnostics)


def plain_note(text: str) -> Note:
    """Parse a text that is not a file, such as a passage in a question.

    A leading `---` is not frontmatter. Characters covered as comments (`UNSEEN`) are hidden.
    """
    content_hash = hash_content(text.encode("utf-8", "surrogatepass"))
    return _parse("", text, content_hash, MAX_LINKS, Frontmatter(), ())


def _parse(
    path: str,
    text: str,
    content_hash: str,
    max_links: int,
    frontmatter: Frontmatter,
    diagnostics: tuple[Diagnostic, ...],
) -> Note:
    text = cover_encoded(text)
    mask = ProseMask(text)
    inline = InlineScanner(text, mask, max_links)
    scanner = BlockScanner(text, mask, inline)
    mask.hide(0, frontmatter.end)
    if UNSEEN in text:
        for unseen in _UNSEEN.finditer(text):
            mask.hide(*unseen.span())
    blocks: tuple[Block, ...] = ()
    if frontmatter.end > len(BYTE_ORDER_MARK):
        blocks = (Block("frontmatter", 0, len(text[: frontmatter.end].rstrip("\r\n"))),)
    scanner.scan(frontmatter.end)
    for data in _drawing_data(text, frontmatter.end, frontmatter.values):
        mask.hide(data.start, data.end)
        inline.comments.append(data)
    links = (*frontmatter.links, *sorted(inline.links, key=attrgetter("start")))[:max_links]
    dropped = inline.dropped + len(frontmatter.links) + len(inline.links) - len(links)
    if dropped:
        message = f"The note has {dropped + len(links):,} links; the first {max_links:,} are read."
        diagnostics = (*diagnostics, Diagnostic("too-many-links", message))
    if indented := indented_prose(text, scanner.blocks):
        diagnostics = (*diagnostics, indented)
    return Note(
        path=path,
        title=read_title(path, frontmatter.values, _main_heading(scanner.headings)),
        text=text,
        prose=mask.render(),
        content_hash=content_hash,
        frontmatter=frontmatter.values,
        properties=frontmatter.properties,
        property_texts=frontmatter.texts,
        aliases=frontmatter.aliases,
        body_start=frontmatter.end,
        headings=tuple(scanner.headings),
        blocks=blocks + tuple(scanner.blocks),
        links=links,
        tags=(*frontmatter.tags, *inline.tags),
        fields=tuple(inline.fields),
        block_ids=tuple(inline.block_ids),
        callouts=tuple(scanner.callouts),
        comments=(*frontmatter.comments, *inline.comments),
        diagnostics=(*diagnostics, *frontmatter.diagnostics, *scanner.diagnostics),
    )


def _main_heading(headings: Sequence[Heading]) -> str:
    """Return the first heading if it is of level 1, else ""."""
    return headings[0].text if headings and headings[0].level == 1 else ""


def hash_content(data: bytes) -> str:
    """Return the hash that identifies a file's content."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _drawing_data(text: str, start: int, properties: Collection[str]) -> Iterator[Span]:
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
