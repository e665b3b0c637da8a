"""Generate the parts of the documentation that come from the code; cog calls these functions.

    cog -r -I docs docs/*.md          # update the pages
    cog --check -I docs docs/*.md     # fail if a page is not up to date

Each function returns Markdown. Plugins of other distributions are left out.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import click
from tables import (
    Schema,
    answer_table,
    default_in_words,
    limits_in_words,
    parameters_table,
    table,
    type_in_words,
)

from writeros_entities import Settings, hookspecs
from writeros_entities.capabilities import collect_capabilities
from writeros_entities.capability import Capability
from writeros_entities.ontology import NO_RELATION
from writeros_entities.parameters import parameters_schema
from writeros_entities.plugins import Plugins, load_plugins
from writeros_entities.settings import ENVIRONMENT_PREFIX
from writeros_entities.store import engine
from writeros_entities.surfaces.briefs import TEMPLATES
from writeros_entities.surfaces.catalogue import Catalogue, group_by_family
from writeros_entities.surfaces.cli import PROGRAM, build_cli
from writeros_entities.surfaces.templates import PromptArgument

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
WIDTH = 88

_SECTION = re.compile(r"^# -- (?P<title>.+?) -+$", re.MULTILINE)


@cache
def own_plugins() -> Plugins:
    """Return the product's own plugins only."""
    found = load_plugins(Settings()).describe()
    foreign = [info.name for info in found if info.distribution != PROGRAM]
    return load_plugins(Settings(disabled_plugins=tuple(foreign)))


# -- Hooks ---------------------------------------------------------------------------------------


def hooks() -> str:
    """Return every hook under its group: signature, docstring, and the built-ins that use it."""
    source = inspect.getsource(hookspecs)
    parts: list[str] = []
    sections = [
        (source.count("\n", 0, found.start()), found["title"])
        for found in _SECTION.finditer(source)
    ]
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            while sections and sections[0][0] < node.lineno:
                parts.append(f"## {sections.pop(0)[1]}")
            parts += [f"### {node.name}", _signature(node), ast.get_docstring(node) or ""]
            users = [
                f"`{info.name}`" for info in own_plugins().describe() if node.name in info.hooks
            ]
            if users:
                parts.append(f"Built-in: {', '.join(users)}.")
    return _joined(parts)


def _signature(node: ast.FunctionDef) -> str:
    returns = ast.unparse(node.returns) if node.returns else "None"
    line = f"{node.name}({ast.unparse(node.args)}) -> {returns}"
    if len(line) > WIDTH:
        arguments = "".join(f"    {argument},\n" for argument in _arguments_of(node.args))
        line = f"{node.name}(\n{arguments}) -> {returns}"
    return _fenced(line, "text")


def _arguments_of(arguments: ast.arguments) -> Iterator[str]:
    defaults = [ast.unparse(value) for value in arguments.defaults]
    without = [""] * (len(arguments.args) - len(defaults))
    for argument, default in zip(arguments.args, [*without, *defaults], strict=True):
        yield f"{ast.unparse(argument)}{default and ' = '}{default}"
    if arguments.kwonlyargs:
        yield "*"
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield f"{ast.unparse(argument)} = {ast.unparse(value)}" if value else ast.unparse(argument)


# -- The public API ------------------------------------------------------------------------------


def public(names: str, package: str = "writeros_entities") -> str:
    """Return a table of public names, each with the first sentence of what is said of it."""
    module = import_module(package)
    unknown = sorted(set(names.split()) - set(module.__all__))
    assert not unknown, f"{package} has no public {', '.join(unknown)}"
    rows = [(f"`{name}`", _first_sentence(_told_of(module, name))) for name in names.split()]
    return _joined([table(("name", "what it is"), rows)])


def _told_of(module: ModuleType, name: str) -> str:
    """Return the docstring of a name, or the text below the line that gives it its value."""
    value = getattr(module, name)
    for loaded in _own_modules():
        is_same = getattr(loaded, name, None) is value
        if is_same and (told := _told_below(inspect.getsource(loaded), name)):
            return told
    return inspect.getdoc(value) or ""


def _told_below(source: str, name: str) -> str:
    """Return the text below the statement of a module that gives a name its value."""
    for node, below in pairwise([*ast.parse(source).body, ast.Pass()]):
        given = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        is_given = any(isinstance(one, ast.Name) and one.id == name for one in given)
        if is_given and isinstance(below, ast.Expr):
            return inspect.cleandoc(str(ast.literal_eval(below.value)))
    return ""


def _own_modules() -> list[ModuleType]:
    """Return the modules of the framework that are loaded, by name."""
    found = [name for name in sys.modules if name.startswith("writeros_entities.")]
    return [sys.modules[name] for name in sorted(found)]


def _first_sentence(text: str) -> str:
    sentence = re.split(r"(?<=[.])\s+(?=[A-Z`])|\n\n", text)[0]
    return " ".join(sentence.split())


# -- Relations -----------------------------------------------------------------------------------


def relation_kinds() -> str:
    """Return a table of relation kinds with inverses, the types at their ends, and their words."""
    rows = [
        (
            f"`{kind.name}`",
            "both ways" if kind.symmetric else f"`{kind.inverse}`" if kind.inverse else "",
            " → ".join(_types(types) for types in (kind.domain, kind.range)),
            _words(kind.keys, kind.roles if kind.symmetric else kind.inverse_roles),
            "" if kind.symmetric else _words(kind.inverse_keys, kind.roles),
        )
        for kind in own_plugins().ontology.kinds.values()
    ]
    return _joined([table(("kind", "inverse", "between", "keys", "keys of the inverse"), rows)])


def keys_without_relation() -> str:
    """Return the property keys that state no relation."""
    return _joined([", ".join(f"`{key}`" for key in sorted(NO_RELATION)) + "."])


def _types(types: Iterable[str]) -> str:
    return ", ".join(types) or "any"


def _words(keys: Iterable[str], roles: Iterable[str]) -> str:
    return ", ".join([*keys, *(f"*{role}*" for role in roles)])


# -- Capabilities --------------------------------------------------------------------------------


def capabilities() -> str:
    """Return every capability by family: its help, its parameters, and the fields of its answer.

    What several answers contain is described once, at the end.
    """
    parts: list[str] = []
    families = group_by_family(collect_capabilities(own_plugins()))
    shared = _shared(_schema_of(one) for members in families.values() for one in members)
    for family, members in families.items():
        parts.append(f"## {family.capitalize()}")
        for capability in members:
            parts += [f"### {capability.name}", capability.help]
            request = capability.request
            parts.append(
                f"Its request is `{request.__name__}` in `{request.__module__}` "
                "([in a program](prompts.md#in-a-program))."
            )
            traits = [
                text
                for holds, text in (
                    (capability.writes, "changes the index"),
                    (capability.slow, "reports progress"),
                    (not capability.idempotent, "is not idempotent"),
                    (not capability.offered, "is offered to a model only if asked for"),
                )
                if holds
            ]
            if traits:
                parts.append(f"It {' and '.join(traits)}.")
            parts.append(parameters_table(parameters_schema(request)))
            parts.append(answer_table(_schema_of(capability), shared))
    parts += ["## Parts of answers", "Several of the answers above contain these."]
    for name in sorted(shared):
        parts += [
            f"### {name}",
            shared[name].get("description", ""),
            answer_table(shared[name], shared),
        ]
    return _joined(parts)


def _schema_of(capability: Capability[Any, Any]) -> Schema:
    schema: Schema = capability.response.model_json_schema(mode="serialization")
    return schema


def _shared(answers: Iterable[Schema]) -> dict[str, Schema]:
    """Return the models that several answers contain."""
    found: dict[str, Schema] = {}
    users: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        for name, model in answer.get("$defs", {}).items():
            if "properties" in model:
                found[name] = {**model, "$defs": answer["$defs"]}
                users[name].add(answer["title"])
    return {name: found[name] for name, titles in users.items() if len(titles) > 1}


# -- The command line ----------------------------------------------------------------------------


def commands() -> str:
    """Return the help of the program and of each of its commands."""
    catalogue = Catalogue(collect_capabilities(own_plugins()), own_plugins())
    cli = build_cli(lambda vault, database: catalogue)
    context = cli.make_context(PROGRAM, [], resilient_parsing=True, terminal_width=WIDTH)
    parts = [_fenced(cli.get_help(context), "text")]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None, name
        parts += _help_of(command, name, context)
    return _joined(parts)


def _help_of(command: click.Command, name: str, above: click.Context) -> Iterator[str]:
    """Yield the help of a command and of its subcommands."""
    context = command.make_context(name, [], parent=above, resilient_parsing=True)
    yield f"## {context.command_path.removeprefix(PROGRAM).strip()}"
    yield _fenced(command.get_help(context), "text")
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            inner = command.get_command(context, below)
            assert inner is not None, below
            yield from _help_of(inner, below, context)


# -- Prompts -------------------------------------------------------------------------------------


def prompts() -> str:
    """Return a table of the prompts with their purpose and arguments."""
    rows = [
        (f"`{template.name}`", template.description, _arguments(template.arguments))
        for template in TEMPLATES
    ]
    return _joined([table(("prompt", "for", "arguments"), rows)])


def _arguments(arguments: Iterable[PromptArgument]) -> str:
    return ", ".join(
        f"`{one.name}`" if one.required else f"`{one.name}` (may be left out)" for one in arguments
    )


# -- Settings ------------------------------------------------------------------------------------


def settings() -> str:
    """Return every setting: its type, default and limits, and its environment variable."""
    schema = Settings.model_json_schema()
    rows = [
        (
            f"`{name}`",
            type_in_words(field, {}),
            default_in_words(field),
            limits_in_words(field),
            field["description"],
        )
        for name, field in schema["properties"].items()
    ]
    example = next(iter(schema["properties"]))
    return _joined(
        [
            table(("setting", "type", "default", "limits", ""), rows),
            f"In the environment, `{example}` is `{ENVIRONMENT_PREFIX}{example.upper()}`, and so "
            "on.",
        ]
    )


# -- The database --------------------------------------------------------------------------------


def schema() -> str:
    """Return every table: its columns, its keys and its indexes."""
    from writeros_entities.store.tables import TABLES

    parts: list[str] = []
    for model in TABLES:
        stored = model.__table__
        parts += [f"## {stored.name}", inspect.getdoc(model) or ""]
        rows = [
            (
                f"`{column.name}`",
                str(column.type).lower(),
                "key" if column.primary_key else "null" if column.nullable else "",
            )
            for column in stored.columns
        ]
        parts.append(table(("column", "type", ""), rows))
        facts = [
            f"- `{', '.join(key.column_keys)}` refers to `{key.referred_table.name}`; "
            f"on delete: {str(key.ondelete).lower()}"
            for key in stored.foreign_key_constraints
        ]
        facts += [
            f"- {'unique ' if index.unique else ''}index `{index.name}` on "
            f"`{', '.join(column.name for column in index.columns)}`"
            for index in stored.indexes
        ]
        parts.append("\n".join(sorted(facts)))
    return _joined(parts)


def views() -> str:
    """Return every view: what it has a row for, and its columns."""
    from sqlalchemy.schema import CreateView

    from writeros_entities.store.migrations import VIEWS

    parts: list[str] = []
    for view in VIEWS:
        columns = CreateView(view(), view.__name__).table.columns
        rows = [(f"`{column.name}`", str(column.type).lower()) for column in columns]
        parts += [
            f"### {view.__name__}",
            inspect.getdoc(view) or "",
            table(("column", "type"), rows),
        ]
    return _joined(parts)


# -- The protocols of an engine ------------------------------------------------------------------


def protocols(*names: str) -> str:
    """Return the members of the protocols of an engine, with their signatures and docstrings."""
    classes = {
        node.name: node
        for node in ast.parse(inspect.getsource(engine)).body
        if isinstance(node, ast.ClassDef)
    }
    parts: list[str] = []
    for name in names:
        parts += [f"### {name}", ast.get_docstring(classes[name]) or ""]
        for node, below in pairwise([*classes[name].body, ast.Pass()]):
            if isinstance(node, ast.AnnAssign) and isinstance(below, ast.Expr):
                parts += [_fenced(ast.unparse(node), "text"), ast.literal_eval(below.value)]
            elif isinstance(node, ast.FunctionDef):
                del node.args.args[0]
                is_property = bool(node.decorator_list)
                returns = f"{node.name}: {ast.unparse(node.returns or node)}"
                parts.append(_fenced(returns, "text") if is_property else _signature(node))
                parts.append(ast.get_docstring(node) or "")
    return _joined(parts)


# -- The examples --------------------------------------------------------------------------------


def example(
    section: str | None = None,
    file: str = "writeros_shipwrights.py",
    folder: str = "writeros-shipwrights",
) -> str:
    """Return a file of an example as code, or only the section with a title.

    The section "" is what precedes all titles.
    """
    text = (EXAMPLES / folder / file).read_text("utf-8")
    if section is not None:
        text = dict(_divided(text))[section]
    language = {".py": "python", ".toml": "toml"}[Path(file).suffix]
    return _joined([_fenced(text.strip(), language)])


def _divided(text: str) -> Iterator[tuple[str, str]]:
    """Return the sections of a module by title; the part before the first title is ""."""
    title, start = "", 0
    for found in _SECTION.finditer(text):
        yield title, text[start : found.start()]
        title, start = found["title"], found.end()
    yield title, text[start:]


def _joined(parts: Iterable[str]) -> str:
    return "\n" + "\n\n".join(part for part in parts if part) + "\n\n"


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
