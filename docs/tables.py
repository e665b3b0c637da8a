"""Markdown tables of what a JSON schema describes: the parameters of a request, an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def table(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table, without columns that are empty."""
    lines = [tuple(headers), *(tuple(row) for row in rows)]
    used = [
        index for index, header in enumerate(lines[0]) if any(line[index] for line in lines[1:])
    ]
    cells = [
        [line[index].replace("|", "\\|").replace("\n", " ") for index in used] for line in lines
    ]
    cells.insert(1, ["---"] * len(used))
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def parameters_table(schema: Schema) -> str:
    """Return the parameters that a request's schema describes."""
    rows = [
        (
            f"`{name}`",
            type_in_words(field, {}),
            "required" if name in schema.get("required", ()) else default_in_words(field),
            limits_in_words(field),
            field.get("description", ""),
        )
        for name, field in schema["properties"].items()
    ]
    if not rows:
        return "It has no parameters."
    return table(("parameter", "type", "default", "limits", ""), rows)


def answer_table(schema: Schema, shared: Collection[str]) -> str:
    """Return the fields of an answer, with a link instead of the fields of a `shared` model."""
    models = schema.get("$defs", {})
    rows = [
        (f"`{name}`", type_in_words(field, models, shared), field.get("description", ""))
        for name, field in _fields(schema, models, shared)
    ]
    return table(("answer", "type", ""), rows)


def _fields(
    schema: Schema,
    definitions: Schema,
    shared: Collection[str],
    prefix: str = "",
    above: tuple[str, ...] = (),
) -> Iterator[tuple[str, Schema]]:
    """Return the fields of an answer and, below each, those of its items that are not `shared`."""
    for name, field in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        yield path, field
        for mark, held in _held(field):
            model = held.get("$ref", "").rpartition("/")[2]
            if model and model not in (*above, *shared):
                inner = definitions[model]
                yield from _fields(inner, definitions, shared, f"{path}{mark}.", (*above, model))


def _held(field: Schema) -> Iterator[tuple[str, Schema]]:
    if "$ref" in field:
        yield "", field
    for option in field.get("anyOf", ()):
        yield from _held(option)
    for keyword in ("items", "additionalProperties"):
        if isinstance(field.get(keyword), Mapping):
            for mark, held in _held(field[keyword]):
                yield f"[]{mark}", held


def type_in_words(field: Schema, definitions: Schema, shared: Collection[str] = ()) -> str:
    """Return a type in words short enough for a table cell, with a link to a `shared` model."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        model = definitions.get(name, {})
        plain = type_in_words(model, definitions) if "enum" in model else "object"
        return f"[{name}](#{name.lower()})" if name in shared else plain
    if "enum" in field:
        return " or ".join(f"`{choice}`" for choice in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if "anyOf" in field:
        return " or ".join(type_in_words(option, definitions, shared) for option in field["anyOf"])
    kind = field.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {type_in_words(field.get('items', {}), definitions, shared)}"
    if kind == "object" and isinstance(field.get("additionalProperties"), Mapping):
        return f"object of {type_in_words(field['additionalProperties'], definitions, shared)}"
    return str(kind)


def default_in_words(field: Schema) -> str:
    """Return the default of a field, as code, or `none`."""
    value = field.get("default")
    if value is None or value in ([], {}):
        return "none"
    if isinstance(value, list):
        return ", ".join(f"`{item}`" for item in value)
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def limits_in_words(field: Schema) -> str:
    """Return the limits of a field."""
    said = (
        ("minimum", "at least {}"),
        ("exclusiveMinimum", "more than {}"),
        ("maximum", "at most {}"),
        ("exclusiveMaximum", "less than {}"),
        ("minLength", "{} characters at least"),
        ("maxLength", "{} characters at most"),
        ("minItems", "{} items at least"),
        ("maxItems", "{} items at most"),
        ("pattern", "`{}`"),
    )
    return ", ".join(text.format(field[keyword]) for keyword, text in said if keyword in field)
