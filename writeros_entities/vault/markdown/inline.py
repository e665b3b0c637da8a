"""Parse the inside of lines: links, tags, fields, code, math, comments, emphasis.

One scan from left to right over each paragraph, heading, list item or table cell. Each handler
deals with one opening character and returns where to continue. None looks further than the next
delimiter of its own kind, so that no text makes the scan quadratic.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import ClassVar

from writeros_entities.values import UNSEEN, BlockId, InlineField, Link, Span, Tag
from writeros_entities.vault.markdown.fields import find_field
from writeros_entities.vault.markdown.link_syntax import (
    DESTINATION,
    WIKILINK,
    read_markdown_link,
    read_wikilink,
)
from writeros_entities.vault.markdown.patterns import COMMENTED, run_of
from writeros_entities.vault.markdown.plain_text import seen_value
from writeros_entities.vault.markdown.prose import ProseMask

_RUN = re.compile(r"\*++|_++|==|~~")


class EmphasisPairs:
    """The unpaired delimiter runs of one paragraph."""

    def __init__(self, text: str, start: int, end: int, mask: ProseMask) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._mask = mask
        self._openings: dict[str, list[list[int]]] = {}

    def add(self, position: int) -> int:
        """Read the run at `position`, pair it with the run that it closes; return its end."""
        text = self._text
        run = _RUN.match(text, position, self._end)
        assert run is not None
        end = run.end()
        opens, closes = self._flanks(position, end)
        openings = self._openings.setdefault(text[position], [])
        while closes and openings and position < end:
            opening = openings[-1]
            length = min(opening[1] - opening[0], end - position)
            self._mask.mark(opening[1] - length, opening[1])
            self._mask.mark(position, position + length)
            position += length
            opening[1] -= length
            if opening[0] == opening[1]:
                openings.pop()
        if opens and position < end:
            openings.append([position, end])
        return end

    def _flanks(self, start: int, end: int) -> tuple[bool, bool]:
        """Return whether a run can open, and can close, emphasis, by the characters beside it."""
        before = self._text[start - 1] if start > self._start else " "
        after = self._text[end] if end < self._end else " "
        left = not after.isspace() and (after.isalnum() or not before.isalnum())
        right = not before.isspace() and (before.isalnum() or not after.isalnum())
        if self._text[start] != "_":
            return left, right
        return left and not (right and before.isalnum()), right and not (left and after.isalnum())


# Literals only, so that the regex engine can skip quickly to the next of their first characters.
_SPECIAL = re.compile(r"\\|`|\[|\]|%%|\$|<|\{\{|#|\*|==|~~|_|::|:/|\^|&")

_LONG_OPENING = re.compile(r"\[{16,}(?=\[\[)")
_LONG_CLOSING = re.compile(r"\]{16,}+")
_BACKTICKS = re.compile(r"`++")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]++\]")
_COMMENT = re.compile(f"%%{COMMENTED}%%")
_FORMULA = run_of(r"[^$\\]|\\.", least=1)
_DISPLAY_MATH = re.compile(rf"\$\${_FORMULA}\$\$", re.DOTALL)
_FORMULA_IN_LINE = run_of(r"[^$\\\n]|\\[^\n]", least=1)
_INLINE_MATH = re.compile(rf"\$(?![\s$]){_FORMULA_IN_LINE}(?<!\s)\$(?!\d)")
_DOLLARS = re.compile(r"\$++")
_HTML = re.compile(
    r"<(?:[A-Za-z][A-Za-z0-9+.-]++:[^\s<>]*+>"
    r"|/?[A-Za-z][A-Za-z0-9-]*+(?:[\s/][^<>]*+)?>|[^\s<>@]++@[^\s<>@]++>)"
)
_PLACEHOLDER = re.compile(r"\{\{[^{}\n]*+\}\}")
_NOT_IN_TAG = (
    r"\s\x00-\x1f\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20"
    r"'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\"
)
TAG = re.compile(rf"#(?!\ufe0f?\u20e3)([^{_NOT_IN_TAG}]++)")
"""A tag with its `#`, which is not that of an emoji (#️⃣); digits alone are not a tag, which
callers must check.
"""
_BEFORE_TAG = frozenset(" \t\r\n([{\"'“‘«—*_~=,;>|")
_URL_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}\Z")
_URL = re.compile(r"://[^\s<>\[\]|]++")
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]++)[ \t]*+(?=\r?\n|\r?\Z)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_COMMANDS = ("=", "$=", "INPUT[", "VIEW[", "BUTTON[", "dice:", "encounter:")
"""Beginnings of code inside a line that plugins replace by a value, an input or a button."""
_FORMATTING = re.compile(r"\*++|(?<![^\W_])_++|(?<!_)_++(?![^\W_])|==|~~|`++")


class InlineScanner:
    """Collects the inline elements of one text, and masks those parts that are not prose.

    At most `limit` links, tags and fields each are kept; `dropped` counts further links.
    """

    def __init__(self, text: str, mask: ProseMask, limit: int) -> None:
        self.links: list[Link] = []
        self.tags: list[Tag] = []
        self.fields: list[InlineField] = []
        self.block_ids: list[BlockId] = []
        self.comments: list[Span] = []
        self.dropped = 0
        self._text = text
        self._mask = mask
        self._limit = limit
        self._begin(0, 0, None, False)

    def scan(
        self,
        start: int,
        end: int,
        *,
        block: tuple[int, int] | None = None,
        line_fields: bool = False,
        field: str | None = None,
    ) -> None:
        """Parse `[start, end)`, a whole paragraph, heading, list item or cell.

        `block` is the span that a block id at the end refers to, or None if there can be none;
        `line_fields` says whether `Key:: value` on a line of its own is a field here; `field` is
        the key of which all of it is the value.
        """
        text, handlers = self._text, self._HANDLERS
        found = _SPECIAL.search(text, start, end)
        if found is None and field is None:
            return
        self._begin(start, end, block, line_fields)
        if field is not None:
            self._keep_field(field, start, end)
        search = _SPECIAL.search
        while found is not None:
            position = found.start()
            found = search(text, handlers[text[position]](self, position), end)

    def _begin(
        self, start: int, end: int, block: tuple[int, int] | None, line_fields: bool
    ) -> None:
        self._start = start
        self._end = end
        self._block = block
        self._line_fields = line_fields
        self._brackets: list[tuple[int, str]] = []
        self._emphasis: EmphasisPairs | None = None
        self._backticks: dict[int, list[int]] | None = None
        self._absent: set[str] = set()
        self._field_key: str | None = None
        self._field_end = start

    def _escape(self, position: int) -> int:
        following = self._text[position + 1 : position + 2]
        if position + 1 < self._end and not following.isalnum() and following.isascii():
            if following not in " \t":
                self._mask.mark(position, position + 1)
            return position + 2
        return position + 1

    def _code(self, position: int) -> int:
        text = self._text
        if self._backticks is None:
            self._backticks = {}
            for run in _BACKTICKS.finditer(text, position, self._end):
                self._backticks.setdefault(run.end() - run.start(), []).append(run.start())
        opening = _BACKTICKS.match(text, position, self._end)
        assert opening is not None
        length = opening.end() - position
        starts = self._backticks.get(length, [])
        closing = bisect_right(starts, position)
        if closing == len(starts):
            return opening.end()
        end = starts[closing] + length
        self._mask.hide(position, end)
        if text.startswith(_COMMANDS, position + length):
            self.comments.append(Span(position, end))
        return end

    def _open_bracket(self, position: int) -> int:
        text, end = self._text, self._end
        before = text[position - 1] if position > self._start else ""
        if before == "^" and text.startswith("[[[", position):
            inner = WIKILINK.match(text, position + 1, end)
            if inner is not None and text.startswith("]", inner.end()):
                self._wikilink(position + 1, inner)
                self._mask.hide(position - 1, inner.end() + 1)  # a source, and no part of the text
                return inner.end() + 1
        link = WIKILINK.match(text, position, end)
        if link is not None:
            self._wikilink(position - 1 if before == "!" else position, link)
            return link.end()
        footnote = _FOOTNOTE.match(text, position, end)
        if footnote is not None:
            self._mask.hide(position, footnote.end())
            return footnote.end()
        run = _LONG_OPENING.match(text, position, end)
        if run is not None:
            return run.end()
        self._brackets.append((position, before if before in ("!", "^") else ""))
        return position + 1

    def _wikilink(self, start: int, match: re.Match[str]) -> None:
        text, mask = self._text, self._mask
        end = match.end()
        embed = text[start] == "!"
        link = read_wikilink(
            "embed" if embed else "wikilink",
            text,
            start,
            end,
            match.start(1),
            self._field_at(start),
        )
        if link is None or embed:
            mask.hide(start, end)
        else:
            mask.mark(start, link.text_start)
            mask.mark(link.text_end, end)
            if link.display is not None:
                for mark in _FORMATTING.finditer(text, link.text_start, link.text_end):
                    mask.mark(*mark.span())
        if link is not None:
            self._keep(link)

    def _close_bracket(self, position: int) -> int:
        text, end = self._text, self._end
        if not self._brackets:
            run = _LONG_CLOSING.match(text, position, end)
            return position + 1 if run is None else run.end()
        opening, before = self._brackets.pop()
        if before == "^":
            self._mask.hide(opening - 1, opening + 1)
            self._mask.hide(position, position + 1)
            return position + 1
        match = DESTINATION.match(text, position + 1, end)
        if match is None:
            return position + 1
        start = opening - 1 if before == "!" else opening
        destination = match["angled"] if match["angled"] is not None else match["bare"]
        link = read_markdown_link(
            text, start, opening + 1, position, match.end(), destination, self._field_at(start)
        )
        if before == "!":
            self._mask.hide(start, match.end())
            if UNSEEN in match[0]:
                self.comments.append(Span(start, match.end()))
        else:
            if UNSEEN in match[0]:
                self.comments += Span(start, opening + 1), Span(position, match.end())
            self._mask.mark(start, opening + 1)
            self._mask.mark(position, match.end())
            self._brackets.clear()  # links cannot be nested
        if link is not None:
            self._keep(link)
        return match.end()

    def _keep(self, link: Link) -> None:
        if len(self.links) < self._limit:
            self.links.append(link)
        else:
            self.dropped += 1

    def _field_at(self, position: int) -> str | None:
        return self._field_key if position < self._field_end else None

    def _comment(self, position: int) -> int:
        comment = _COMMENT.match(self._text, position, self._end)
        if comment is None:
            return position + 2
        self._mask.hide(*comment.span())
        self.comments.append(Span(*comment.span()))
        return comment.end()

    def _math(self, position: int) -> int:
        text, end = self._text, self._end
        math = _DISPLAY_MATH.match(text, position, end) or _INLINE_MATH.match(text, position, end)
        if math is not None:
            self._mask.hide(*math.span())
            return math.end()
        dollars = _DOLLARS.match(text, position, end)
        return position + 1 if dollars is None else dollars.end()

    def _html(self, position: int) -> int:
        text, end = self._text, self._end
        for opening, closing in (("<%", "%>"), ("<!--", "-->")):
            if text.startswith(opening, position) and closing not in self._absent:
                found = text.find(closing, position + len(opening), end)
                if found == -1:
                    self._absent.add(closing)
                    continue
                self._mask.hide(position, found + len(closing))
                self.comments.append(Span(position, found + len(closing)))
                return found + len(closing)
        html = _HTML.match(text, position, end)
        if html is None:
            return position + 1
        self._mask.hide(*html.span())
        if UNSEEN in html[0]:
            self.comments.append(Span(*html.span()))
        return html.end()

    def _placeholder(self, position: int) -> int:
        placeholder = _PLACEHOLDER.match(self._text, position, self._end)
        if placeholder is None:
            return position + 2
        self._mask.hide(*placeholder.span())
        return placeholder.end()

    def _tag(self, position: int) -> int:
        text = self._text
        if position > self._start and text[position - 1] not in _BEFORE_TAG:
            return position + 1
        tag = TAG.match(text, position, self._end)
        if tag is None:
            return position + 1
        name = tag[1].rstrip("/")
        if not name or name.isdigit():
            return tag.end()
        self._mask.hide(position, tag.end())
        if len(self.tags) < self._limit:
            self.tags.append(Tag(name, position, position + 1 + len(name)))
        return tag.end()

    def _pair(self, position: int) -> int:
        if self._emphasis is None:
            self._emphasis = EmphasisPairs(self._text, self._start, self._end, self._mask)
        return self._emphasis.add(position)

    def _colon(self, position: int) -> int:
        text = self._text
        if text[position + 1] == "/":
            return self._url(position)
        field = find_field(text, position, self._start, self._end, whole_lines=self._line_fields)
        if field is not None:
            self._mask.hide(field.start, field.value)
            if field.bracketed:
                self._mask.hide(field.end, field.end + 1)
            self._keep_field(field.key, field.value, field.end)
        return position + 2

    def _keep_field(self, key: str, start: int, end: int) -> None:
        """Keep the field whose value is `[start, end)`; links up to its end belong to it."""
        self._field_key, self._field_end = key, end
        value = self._text[start:end]
        start += len(value) - len(value.lstrip())
        value = value.strip()
        if len(self.fields) < self._limit:
            shown = seen_value(value).strip()
            self.fields.append(InlineField(key, shown, start, start + len(value)))

    def _url(self, position: int) -> int:
        text = self._text
        look_back = max(self._start, position - 32)
        scheme = _URL_SCHEME.search(text[look_back:position])
        url = _URL.match(text, position, self._end) if scheme else None
        if scheme is None or url is None:
            return position + 2
        address = url[0].rstrip("*_~=.,;:!?'\"")
        if address.endswith(")") and "(" not in address:
            address = address.rstrip(")*_~=.,;:!?'\"")
        if len(address) <= len("://"):
            return url.end()
        self._mask.hide(look_back + scheme.start(), position + len(address))
        return position + len(address)

    def _caret(self, position: int) -> int:
        text = self._text
        if position > self._start and not text[position - 1].isspace():
            return position + 1
        found = _BLOCK_ID.match(text, position, self._end)
        if found is None:
            return position + 1
        self._mask.hide(position, found.end())
        last = not text[found.end() : self._end].strip()
        if last and self._block is not None and len(self.block_ids) < self._limit:
            self.block_ids.append(BlockId(found[1], *self._block))
        return found.end()

    def _entity(self, position: int) -> int:
        entity = _ENTITY.match(self._text, position, self._end)
        if entity is None:
            return position + 1
        self._mask.hide(*entity.span())
        return entity.end()

    _HANDLERS: ClassVar[Mapping[str, Callable[[InlineScanner, int], int]]] = {
        "\\": _escape,
        "`": _code,
        "[": _open_bracket,
        "]": _close_bracket,
        "%": _comment,
        "$": _math,
        "<": _html,
        "{": _placeholder,
        "#": _tag,
        "*": _pair,
        "_": _pair,
        "=": _pair,
        "~": _pair,
        ":": _colon,
        "^": _caret,
        "&": _entity,
    }
