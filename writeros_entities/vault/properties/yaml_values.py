"""Read YAML 1.2 (core schema) as JSON values, with the places of keys and strings in the source.

PyYAML implements YAML 1.1, in which `no` is false and `12:30` is 750. Here it only provides parser
events; plain scalars are interpreted by the rules of YAML 1.2. Using events instead of nodes also
makes hostile input harmless: nothing recurses, and limits are checked before values are built.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import yaml

from writeros_entities.names import storable
from writeros_entities.values import JSON

MAX_DEPTH = 64
MAX_KEYS = 5_000
MAX_VALUES = 50_000
MAX_CHARACTERS = 500_000

WHOLE = 1e16
"""From this value on, a float is always whole, and becomes an integer."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONSTANTS: dict[str, JSON] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_OCTAL = re.compile(r"0o[0-7]{1,21}")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,16}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,4})?")
_NUMBER_START = frozenset("+-.0123456789")
_COMMENT = re.compile(r"#[^\r\n]*")
_NESTED_LINK = re.compile(r"\[\[[^\[\]\n]++\]\]")


class YamlError(Exception):
    """A document is not valid; `line` counts from 1."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message = message
        self.line = line
        super().__init__(message)


class Text(NamedTuple):
    """A string of the document: its key path (`related.0`), value, and span in the source."""

    path: str
    value: str
    start: int
    end: int


class Document(NamedTuple):
    """A document's value, all of its strings, its outermost keys, and its comments.

    `keys` has the span of each key together with its value, `comments` the span of each comment.
    """

    value: JSON
    texts: Sequence[Text]
    keys: Sequence[tuple[str, int, int]]
    comments: Sequence[tuple[int, int]]


@dataclass(slots=True)
class _Container:
    value: list[JSON] | dict[str, JSON]
    start: int
    line: int
    flow: bool
    texts: int
    anchor: str | None
    weight: int = 1
    key: str | None = None

    def path(self) -> str:
        return str(len(self.value)) if isinstance(self.value, list) else self.key or ""


@dataclass(slots=True)
class _Builder:
    """The value under construction, with its open containers, innermost last."""

    source: str
    texts: list[Text] = field(default_factory=list)
    keys: list[tuple[str, int]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    root: JSON = None
    stack: list[_Container] = field(default_factory=list)
    anchors: dict[str, tuple[JSON, int]] = field(default_factory=dict)
    key_count: int = 0
    weight: int = 0

    def add(self, value: JSON, weight: int, event: yaml.Event, source: str = "") -> None:
        """Add a value to the innermost container; `source` is its text, for use as a key."""
        if not self.stack:
            self.root = value
            return
        top = self.stack[-1]
        top.weight += weight
        if self.weight + top.weight > MAX_VALUES:
            raise YamlError("its anchors and aliases multiply to too many values", _line(event))
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            self._set_key(top, source, event)
        else:
            top.value[top.key] = value
            top.key = None

    def _set_key(self, top: _Container, key: str, event: yaml.Event) -> None:
        assert isinstance(top.value, dict)
        if key in top.value:
            raise YamlError(f"the key {key!r} is given twice", _line(event))
        self.key_count += 1
        if self.key_count > MAX_KEYS:
            raise YamlError(f"it has more than {MAX_KEYS} keys", _line(event))
        top.key = key
        if len(self.stack) == 1:
            start, end = _span(event)
            self.keys.append((key, start))
            self.ends.append(end)

    def reach(self, event: yaml.Event) -> None:
        """Extend the last of the outermost keys to the end of a scalar or of brackets."""
        if self.ends:
            self.ends[-1] = _span(event)[1]

    def in_key(self) -> bool:
        """Return whether the next value is a mapping's key."""
        if not self.stack:
            return False
        top = self.stack[-1]
        return top.key is None and isinstance(top.value, dict)

    def path(self) -> str:
        """Return the key path of the next value."""
        stack = self.stack
        return stack[0].path() if len(stack) == 1 else ".".join([each.path() for each in stack])

    def open(self, event: yaml.CollectionStartEvent, value: list[JSON] | dict[str, JSON]) -> None:
        """Open a list or mapping."""
        if len(self.stack) >= MAX_DEPTH:
            raise YamlError(f"it is nested more than {MAX_DEPTH} deep", _line(event))
        start, _ = _span(event)
        flow = bool(event.flow_style)
        self.stack.append(
            _Container(value, start, _line(event), flow, len(self.texts), event.anchor)
        )

    def close(self, event: yaml.Event) -> None:
        """Close the innermost list or mapping; an unquoted `[[X]]` becomes a string."""
        container = self.stack.pop()
        value: JSON = container.value
        written = ""
        if container.flow:
            _, end = _span(event)
            if self.stack:
                self.reach(event)
            if isinstance(value, list) and len(value) == 1:
                written = self.source[container.start : end]
                if _NESTED_LINK.fullmatch(written):
                    del self.texts[container.texts :]
                    value = written
                    self.texts.append(Text(self.path(), written, container.start, end))
            if self.in_key():
                written = self.source[container.start : end]
        elif self.in_key():
            raise YamlError("a key is a list or mapping", container.line)
        self.add(value, container.weight, event, written)
        if container.anchor:
            self.anchors[container.anchor] = (value, container.weight)


def read_yaml(source: str) -> Document:
    """Read a YAML document; raise YamlError if it is invalid.

    Mapping keys are strings as written. Values that JSON lacks (`.inf`, dates) remain text.
    """
    if len(source) > MAX_CHARACTERS:
        raise YamlError(f"it is longer than {MAX_CHARACTERS:,} characters")
    builder = _Builder(source)
    documents = 0
    comments: list[tuple[int, int]] = []
    read = 0 if "#" in source else len(source)
    try:
        for event in yaml.parse(source, Loader=_LOADER):
            start, end = _span(event)
            if read < start:
                comments += [found.span() for found in _COMMENT.finditer(source, read, start)]
            read = max(read, end)
            if isinstance(event, yaml.ScalarEvent):
                _read_scalar(builder, event)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise YamlError("it holds more than one document", _line(event))
            else:
                _read_event(builder, event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = None if mark is None else mark.line + 1
        raise YamlError(str(error.problem or error.context), line) from None
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(str(error).partition("\n")[0]) from None
    keys = [(*key, end) for key, end in zip(builder.keys, builder.ends, strict=True)]
    return Document(builder.root, builder.texts, keys, comments)


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.line + 1


def _span(event: yaml.Event) -> tuple[int, int]:
    assert event.start_mark is not None
    assert event.end_mark is not None
    return event.start_mark.index, event.end_mark.index


def _read_scalar(builder: _Builder, event: yaml.ScalarEvent) -> None:
    is_key = builder.in_key()
    event.value = storable(event.value)
    value = event.value if is_key else _scalar(event)
    if not is_key and isinstance(value, str):
        builder.texts.append(Text(builder.path(), value, *_span(event)))
    builder.add(value, 1, event, event.value)
    builder.reach(event)
    if event.anchor:
        builder.anchors[event.anchor] = (value, 1)


def _read_event(builder: _Builder, event: yaml.Event) -> None:
    match event:
        case yaml.MappingStartEvent():
            builder.open(event, {})
        case yaml.SequenceStartEvent():
            builder.open(event, [])
        case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
            builder.close(event)
        case yaml.AliasEvent():
            if event.anchor not in builder.anchors:
                raise YamlError(
                    f"the alias {event.anchor!r} names nothing before it",
                    _line(event),
                )
            value, weight = builder.anchors[event.anchor]
            if builder.in_key() and not isinstance(value, str):
                raise YamlError("a key is a list or mapping", _line(event))
            builder.add(value, weight, event, str(value) if builder.in_key() else "")
            builder.reach(event)


def _scalar(event: yaml.ScalarEvent) -> JSON:
    text: str = event.value
    if event.tag is not None:
        if event.tag not in _PLAIN_TAGS:
            return text
    elif not event.implicit[0]:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NUMBER_START:
        if _INTEGER.fullmatch(text):
            return int(text)
        if _OCTAL.fullmatch(text):
            return int(text[2:], 8)
        if _HEXADECIMAL.fullmatch(text):
            return int(text[2:], 16)
        if _FLOAT.fullmatch(text) and not text.lstrip("+-").isdigit():
            return _number(float(text), text)
    return text


def _number(number: float, text: str) -> JSON:
    """Return a number that any JSON preserves: no negative zero, no float from 1e16 on."""
    if abs(number) == float("inf"):
        return text
    return int(number) if abs(number) >= WHOLE else number + 0.0
