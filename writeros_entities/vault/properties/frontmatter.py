"""A note's frontmatter: its span, its values, and the links, aliases and tags in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from writeros_entities.names import fold_name
from writeros_entities.properties import says_how_to_read
from writeros_entities.values import JSON, Diagnostic, Link, Property, PropertyText, Span, Tag
from writeros_entities.vault.files.disk import BYTE_ORDER_MARK
from writeros_entities.vault.markdown.inline import TAG
from writeros_entities.vault.markdown.link_syntax import (
    DESTINATION,
    WIKILINK,
    read_markdown_link,
    read_wikilink,
)
from writeros_entities.vault.markdown.patterns import COMMENT
from writeros_entities.vault.markdown.plain_text import seen_value
from writeros_entities.vault.titles import gives_name

if TYPE_CHECKING:
    from writeros_entities.vault.properties.yaml_values import Text

_OPENING = re.compile(r"---[ \t]*+\r?\n")
_CLOSING = re.compile(r"^---[ \t]*+\r?(?:\n|\Z)", re.MULTILINE)
_KEY_LINE = re.compile(r"[\w-][\w -]{0,60}+:(?:[ \t]|\r?\n)")
_COMMA = re.compile(r",(?!\d)")
_IN_BRACKETS = re.compile(r"(?<!\s)\s*\([^()]*\)\Z")
_CONJUNCTION = re.compile(r"(?:^|\s)(?:and|&|or)\s", re.IGNORECASE)
_RANK = re.compile(
    r"(?:[JS]r|Esq|[IVX]+|(?:[A-Z][a-z]?\.)+[A-Z]?|Ph\.?D|MD)\.?\Z|(?!(?:the|an?)\s)[a-z]+\s"
)
_MARKDOWN_LINK = re.compile(r"\[[^\[\]]*+\](?=\()")


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The content of a note's frontmatter; `end` is where the body begins.

    `comments` are the spans of YAML comments and of properties that say nothing of the note's
    subject: those without a value, and those that say how to read or call it.
    """

    end: int = 0
    values: Mapping[str, JSON] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    links: tuple[Link, ...] = ()
    properties: tuple[Property, ...] = ()
    texts: tuple[PropertyText, ...] = ()
    comments: tuple[Span, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_frontmatter(text: str, title: str = "") -> Frontmatter:
    """Read the frontmatter at the start of `text`, if there is any; `title` is the note's.

    Invalid YAML counts as empty, as in Obsidian, with a diagnostic.
    """
    start = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    opening = _OPENING.match(text, start)
    if opening is None:
        return Frontmatter(start)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return Frontmatter(start, diagnostics=_unclosed(text, opening.end()))
    from writeros_entities.vault.properties.yaml_values import YamlError, read_yaml

    source = text[opening.end() : closing.start()]
    try:
        document = read_yaml(source)
    except YamlError as error:
        line = None if error.line is None else error.line + 1
        return _broken(closing.end(), error.message, line)
    values, begin = _seen(document.value), opening.end()
    if values is None:
        return Frontmatter(closing.end())
    if not isinstance(values, dict):
        return _broken(closing.end(), "it is not a list of `key: value` lines", 2)
    diagnostics: list[Diagnostic] = []
    aliases = _read_aliases(values, title, diagnostics)
    tags = _read_tags(values, diagnostics)
    diagnostics += _old_keys(values)
    hidden = [Span(*one.span()) for one in COMMENT.finditer(text, begin, closing.start())]
    links = tuple(
        link
        for written in document.texts
        for link in _links(text, begin, written)
        if not any(one.start <= link.start < one.end for one in hidden)
    )
    properties = tuple(
        Property(key, begin + start, begin + start + len(source[start:end].rstrip()))
        for key, start, end in document.keys
    )
    placed = tuple(
        PropertyText(one.path, seen_value(one.value), begin + one.start, begin + one.end)
        for one in document.texts
        if one.path
    )
    comments = [Span(begin + start, begin + end) for start, end in document.comments]
    unsaid = [one for one in properties if _says_nothing(title, one.key, values[one.key])]
    comments += [*hidden, *(Span(one.start, one.end) for one in unsaid)]
    return Frontmatter(
        closing.end(),
        values,
        aliases,
        tags,
        links,
        properties,
        texts=placed,
        comments=tuple(sorted(comments)),
        diagnostics=tuple(diagnostics),
    )


def _old_keys(values: Iterable[str]) -> Iterator[Diagnostic]:
    for key in values:
        if key.lower() == "cssclass":
            message = f"Obsidian no longer reads {key!r}; call it 'cssclasses'."
            yield Diagnostic("old-key", message)


def _seen(value: JSON) -> JSON:
    """Return a property's value without comments and encoded data."""
    if isinstance(value, str):
        return seen_value(value)
    if isinstance(value, list):
        return [_seen(item) for item in value]
    if isinstance(value, dict):
        return {key: _seen(item) for key, item in value.items()}
    return value


def _says_nothing(title: str, key: str, value: JSON) -> bool:
    return value in (None, "", [], {}) or says_how_to_read(key) or gives_name(title, key, value)


def _unclosed(text: str, start: int) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for an unclosed `---`, unless it looks like a mere rule."""
    if _KEY_LINE.match(text, start) is None:
        return ()
    message = "The frontmatter that begins here has no closing `---`; it is read as text."
    return (Diagnostic("unclosed-frontmatter", message, 1),)


def _broken(end: int, problem: str, line: int | None) -> Frontmatter:
    message = f"The frontmatter cannot be read and counts as empty: {problem}."
    return Frontmatter(end, diagnostics=(Diagnostic("broken-frontmatter", message, line),))


def _links(text: str, offset: int, written: Text) -> list[Link]:
    """Return the links in a property; those written with escapes have the span of the property."""
    value = written.value
    if "[" not in value:
        return []
    start, end = offset + written.start, offset + written.end
    links = _links_between(text, start, end, written.path)
    if text.find(value, start, end) != -1:
        return links
    meant = _links_between(value, 0, len(value), written.path)
    if [link.raw for link in links] == [link.raw for link in meant]:
        return links
    raw = text[start:end]
    return [
        replace(link, raw=raw, start=start, end=end, text_start=start, text_end=start)
        for link in meant
    ]


def _links_between(text: str, start: int, end: int, path: str) -> list[Link]:
    links: list[Link] = []
    for found in WIKILINK.finditer(text, start, end):
        span = found.start() + (found[0][0] == "!"), found.end()
        link = read_wikilink("frontmatter", text, *span, found.start(1), path)
        if link is not None:
            links.append(link)
    if not links:
        links.extend(_markdown_links(text, start, end, path))
    return links


def _markdown_links(text: str, start: int, end: int, path: str) -> list[Link]:
    links: list[Link] = []
    for label in _MARKDOWN_LINK.finditer(text, start, end):
        target = DESTINATION.match(text, label.end(), end)
        if target is None:
            continue
        destination = target["angled"] if target["angled"] is not None else target["bare"]
        link = read_markdown_link(
            text, label.start(), label.start() + 1, label.end() - 1, target.end(), destination, path
        )
        if link is not None:
            start = link.start
            links.append(replace(link, kind="frontmatter", text_start=start, text_end=start))
    return links


def _read_aliases(
    values: Mapping[str, JSON], title: str, diagnostics: list[Diagnostic]
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for key, value in _under(values, "aliases", "alias", diagnostics):
        is_old = key.lower() == "alias"
        for item in _strings(value, key, diagnostics, commas=is_old):
            found[_without_brackets(item)] = None
            if isinstance(value, str) and not is_old and _looks_like_several(item, title):
                message = (
                    f"Under {key!r}, {item!r} is one alias, as Obsidian has it. If several are "
                    f"meant, make it a list: [{item}]."
                )
                diagnostics.append(Diagnostic("one-alias", message))
    return tuple(found)


def _without_brackets(alias: str) -> str:
    """Return an alias; if it is written as a link, the text that the link displays."""
    link = WIKILINK.fullmatch(alias)
    return alias if link is None else link[1].rpartition("|")[2].strip() or alias


def _looks_like_several(written: str, title: str) -> bool:
    """Return whether a comma-separated string is probably several names, rather than one.

    It is one name if its first part is the note's name or the end of it (*Paris, Texas*; *Wren,
    Tobias*), if it ends with a rank (*Ferris, Jr.*, *Henry, duke of York*), or if it enumerates
    (*Tom, Dick and Harry*).
    """
    first, *others = (part.strip() for part in _COMMA.split(written))
    if not others or not all((first, *others)) or _CONJUNCTION.search(others[-1]):
        return False
    if len(others) > 1:
        return True
    own = fold_name(_IN_BRACKETS.sub("", title)).partition(",")[0]
    is_own = f" {own}".endswith(f" {fold_name(first)}")
    return not (is_own or _RANK.match(others[0]))


def _read_tags(values: Mapping[str, JSON], diagnostics: list[Diagnostic]) -> tuple[Tag, ...]:
    found: dict[str, None] = {}
    for key, value in _under(values, "tags", "tag", diagnostics):
        for item in _strings(value, key, diagnostics, commas=True):
            name = item.removeprefix("#").rstrip("/")
            if TAG.fullmatch("#" + name) and not name.isdigit():
                found[name] = None
            else:
                message = f"{item!r} cannot be a tag (a space, or digits alone); it is left out."
                diagnostics.append(Diagnostic("invalid-tag", message))
    return tuple([Tag(name, 0, 0) for name in found])


def _under(
    values: Mapping[str, JSON], plural: str, singular: str, diagnostics: list[Diagnostic]
) -> list[tuple[str, JSON]]:
    """Return the properties of this name in the plural or, with a diagnostic, in the singular."""
    found = [(key, value) for key, value in values.items() if key.lower() in (plural, singular)]
    for key, _ in found:
        if key.lower() == singular:
            message = f"Obsidian no longer reads {key!r}; it is read here, but call it {plural!r}."
            diagnostics.append(Diagnostic("old-key", message))
    return found


def _strings(value: JSON, key: str, diagnostics: list[Diagnostic], *, commas: bool) -> list[str]:
    """Return the strings of a list property; a plain string is one item, or split with `commas`."""
    if value is None:
        return []
    if isinstance(value, str):
        items: list[JSON] = list(value.split(",")) if commas else [value]
    else:
        items = value if isinstance(value, list) else [value]
    strings = [item.strip() for item in items if isinstance(item, str)]
    if any(not isinstance(item, str) and item is not None for item in items):
        message = f"Under {key!r}, what is not text is left out; put it in quotes to have it read."
        diagnostics.append(Diagnostic("not-text", message))
    return [string for string in strings if string]
