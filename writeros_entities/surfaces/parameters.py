"""A request's fields as command-line parameters.

    click.Command("list-entities", params=parameters_of(ListEntities))

Everything is derived from the request's JSON schema: required fields are arguments, all others are
options; types, choices, limits, defaults and help are those of the schema. Objects, and lists in
lists, are given as JSON. An option that is marked `BY_PLACE` can be given as an argument, too.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import click

from writeros_entities.capability import BY_PLACE
from writeros_entities.parameters import Schema, parameters_schema

if TYPE_CHECKING:
    from writeros_entities.capability import Request
    from writeros_entities.values import JSON


_BY_PLACE = "_by_place"
"""Ends the name of an argument that stands for the option of the field before it."""


def dashed(name: str) -> str:
    """Return a name as an option: `match-mode` for `matchMode` and `match_mode`."""
    if len(name) == 1:
        return name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).replace("_", "-").lower()


def parameters_of(request: type[Request]) -> list[click.Parameter]:
    """Return the arguments and options of a request, arguments first."""
    schema = parameters_schema(request)
    required = schema.get("required", [])
    arguments: list[click.Parameter] = []
    options: list[click.Parameter] = []
    variadic = False
    by_place = [name for name, one in request.model_fields.items() if BY_PLACE in one.metadata]
    for name, declared in schema["properties"].items():
        field = {**declared, "description": with_options(declared.get("description", ""), request)}
        is_list = field.get("type") == "array"
        if name in required and not (is_list and variadic) and field.get("type") != "boolean":
            arguments.append(_argument(name, field, is_list=is_list))
            variadic = variadic or is_list
        else:
            options.append(_option(name, field, required=name in required))
    return [*arguments, *(_optional_argument(name) for name in by_place), *options]


def named(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values that were given, with those given by place under their fields' names.

    Raises click.UsageError for one that was given twice.
    """
    found = {name: value for name, value in values.items() if not name.endswith(_BY_PLACE)}
    for name in values.keys() - found.keys():
        field = name.removesuffix(_BY_PLACE)
        if field in found:
            raise click.UsageError(f"{field.upper()} and --{dashed(field)} are the same: give one.")
        found[field] = values[name]
    return found


def with_options(text: str, request: type[Request]) -> str:
    """Return help or an error with the names of optional fields as options: `--as-of`."""
    fields = request.model_fields

    def spell(found: re.Match[str]) -> str:
        name = found[1]
        is_option = name in fields and not fields[name].is_required()
        return f"`--{dashed(name)}`" if is_option else found[0]

    return re.sub(r"`(\w+)`", spell, text)


def with_commands(text: str, capabilities: Collection[str]) -> str:
    """Return help or an error with the names of capabilities as commands: `get-entity`."""

    def spell(found: re.Match[str]) -> str:
        return f"`{dashed(found[1])}`" if found[1] in capabilities else found[0]

    return re.sub(r"`(\w+)`", spell, text)


def spellings_of(request: type[Request]) -> Callable[[str], str]:
    """Return a function that maps each accepted spelling of an option to the one in the help."""
    known: dict[str, str] = {}
    for name, field in request.model_fields.items():
        for alias in _aliases(field.validation_alias):
            known[dashed(alias)] = dashed(name)

    def spell(token: str) -> str:
        return known.get(dashed(token), dashed(token))

    return spell


def _aliases(alias: object) -> Iterator[str]:
    if isinstance(alias, str):
        yield alias
    for choice in getattr(alias, "choices", ()):
        yield from _aliases(choice)


def _argument(name: str, field: Schema, *, is_list: bool) -> click.Argument:
    reads_stdin = name == "text" and field.get("type") == "string"
    help = field["description"]
    return click.Argument(
        [name],
        type=parameter_type(field["items"] if is_list else field),
        nargs=-1 if is_list else 1,
        required=True,
        help=f"{help} With -, standard input is read.".lstrip() if reads_stdin else help,
        callback=_read_stdin if reads_stdin else None,
    )


def _optional_argument(name: str) -> click.Argument:
    return click.Argument(
        [name + _BY_PLACE],
        metavar=f"[{name.upper()}]",
        required=False,
        help=f"The same as --{dashed(name)}.",
    )


def _option(name: str, field: Schema, *, required: bool) -> click.Option:
    flag = dashed(name)
    kind = field.get("type")
    default = field.get("default")
    help = field["description"]
    if kind == "boolean":
        return click.Option(
            [name, f"--{flag}/--no-{flag}"],
            default=default,
            required=required,
            help=help,
            show_default=default is not None,
        )
    return click.Option(
        [name, f"--{flag}"],
        type=parameter_type(field.get("items", {}) if kind == "array" else field),
        multiple=kind == "array",
        default=default,
        required=required,
        help=f"{help} Repeat the option for several.".lstrip() if kind == "array" else help,
        show_default=default is not None,
    )


BOUNDS = frozenset({"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"})
"""Schema keywords that limit a number."""


def parameter_type(field: Schema) -> click.ParamType[object]:
    """Return the click type for a field of a schema."""
    kind = field.get("type")
    if "enum" in field and all(isinstance(choice, str) for choice in field["enum"]):
        return Choice(field["enum"])
    if kind == "string":
        return click.STRING
    if kind in ("integer", "number"):
        if BOUNDS.isdisjoint(field):
            return click.INT if kind == "integer" else click.FLOAT
        span = click.IntRange if kind == "integer" else click.FloatRange
        return span(
            min=field.get("minimum", field.get("exclusiveMinimum")),
            max=field.get("maximum", field.get("exclusiveMaximum")),
            min_open="exclusiveMinimum" in field,
            max_open="exclusiveMaximum" in field,
        )
    return JsonOrText()


class Choice(click.Choice[str]):
    """A choice whose values are shown and compared verbatim, unlike option names."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        """Return the value itself."""
        return str(choice)


class JsonOrText(click.ParamType[object]):
    """A structured value, written as JSON; anything else is taken as text."""

    name = "json"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Return the parsed JSON, or the text if it is not JSON."""
        if not isinstance(value, str):
            return value
        try:
            parsed: JSON = json.loads(value)
        except json.JSONDecodeError:
            return value
        return parsed


def _read_stdin(ctx: click.Context, param: click.Parameter, value: object) -> object:
    return sys.stdin.read() if value == "-" else value
