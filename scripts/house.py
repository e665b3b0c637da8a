"""Measure the house: how many rooms it has, how wide they are, and who knows whom.

python scripts/house.py
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import networkx

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"writeros_entities": ROOT / "writeros_entities", "writeros_plugins": ROOT / "plugins"}
LONG = 60
MANY = 5


def read_modules() -> dict[str, tuple[Path, ast.Module]]:
    """Return the files of the framework and the plugins, by the names that they are imported by."""
    modules = {}
    for package, folder in PACKAGES.items():
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            name = ".".join([package, *parts]).removesuffix(".__init__")
            modules[name] = (file, ast.parse(file.read_text(encoding="utf-8")))
    return modules


def imported_by(
    name: str, file: Path, tree: ast.AST, known: Mapping[str, object]
) -> Iterator[tuple[str, bool]]:
    """Yield the modules that one imports, and whether for type checking alone."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    typing = {
        below
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for below in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield alias.name, node in typing
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                if (full if full in known else base) in known:
                    yield full if full in known else base, node in typing


def measure() -> dict[str, int]:
    """Return the figures of the house, by what they count."""
    modules = read_modules()
    importers: dict[str, set[str]] = defaultdict(set)
    graph = networkx.DiGraph()
    for name, (file, tree) in modules.items():
        for other, for_types in imported_by(name, file, tree, modules):
            if other != name:
                importers[other].add(name)
                if not for_types:
                    graph.add_edge(name, other)
    trees = [tree for _, tree in modules.values()]
    functions = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    circles = [one for one in networkx.strongly_connected_components(graph) if len(one) > 1]
    return {
        "modules": len(modules),
        "lines": sum(
            len(file.read_text(encoding="utf-8").splitlines()) for file, _ in modules.values()
        ),
        "modules with one importer": sum(len(found) == 1 for found in importers.values()),
        "modules in circles of imports": sum(map(len, circles)),
        "uses of Any": sum(
            isinstance(node, ast.Name) and node.id == "Any"
            for tree in trees
            for node in ast.walk(tree)
        ),
        f"functions over {LONG} lines": sum(
            (one.end_lineno or one.lineno) - one.lineno >= LONG for one in functions
        ),
        f"functions with {MANY} arguments or more": sum(
            _arguments(one) >= MANY for one in functions
        ),
        "regular expressions": sum(_is_pattern(node) for tree in trees for node in ast.walk(tree)),
        "public names without documentation": _undocumented(modules["writeros_entities"][1]),
    }


def _undocumented(package: ast.Module) -> int:
    """Return how many names of `__all__` have no row in a table of the page of the public API."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    [names] = [
        ast.literal_eval(node.value)
        for node in package.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    return sum(f"\n| `{name}` |" not in page for name in names)


def _arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def _is_pattern(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("re", "regex")
        and node.func.attr
        in ("compile", "search", "match", "fullmatch", "finditer", "findall", "sub", "split")
    )


def main() -> None:
    """Print the figures, one on a line."""
    for what, number in measure().items():
        sys.stdout.write(f"{number:8,}  {what}\n")


if __name__ == "__main__":
    main()
