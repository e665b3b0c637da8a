"""The public API is a list: sorted, complete, documented, and light to import."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from types import ModuleType

import pytest

import writeros_entities
import writeros_entities.testing
from writeros_entities import (
    AmbiguousNameError,
    ModelError,
    NotFoundError,
    Response,
    Session,
    StoreError,
    WriterosError,
    errors,
    hookspecs,
    protocols,
    session,
    values,
)

PUBLIC = writeros_entities.__all__
OWN = "writeros_entities."


def defined_in(module: ModuleType) -> set[str]:
    """Return the classes that a module defines for others to use."""
    return {
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and name[0] != "_"
    }


def imported_for_types(module: ModuleType) -> set[str]:
    """Return the names that a module imports from the framework for its signatures."""
    return {
        alias.name
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("writeros_entities")
        for alias in node.names
    }


def test_the_list_is_sorted_constants_first_then_classes_then_functions() -> None:
    def kind(name: str) -> tuple[int, str]:
        return (0 if name.isupper() else 1 if name[0].isupper() else 2), name

    assert sorted(set(PUBLIC), key=kind) == PUBLIC


def test_the_list_names_all_that_the_package_imports_for_others() -> None:
    tree = ast.parse(inspect.getsource(writeros_entities))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("writeros_entities")
        for alias in node.names
    }
    assert set(PUBLIC) == imported


def test_a_plugin_that_imports_its_values_imports_no_capability() -> None:
    program = "import sys; from writeros_entities import Note, hookimpl; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    rooms = {one.split(".")[1] for one in done.stdout.split() if one.startswith(OWN)}
    assert "values" in rooms
    assert rooms.isdisjoint({"capabilities", "query", "session", "store", "sync"})


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'writeros_entities' has no attribute 'Sesion'"):
        _ = writeros_entities.Sesion  # type: ignore[attr-defined]


@pytest.mark.parametrize("module", [errors, values], ids=lambda module: module.__name__)
def test_every_error_and_every_value_is_public(module: ModuleType) -> None:
    assert defined_in(module) <= set(PUBLIC)


def test_everything_that_hooks_and_protocols_speak_of_is_public() -> None:
    spoken_of = imported_for_types(hookspecs) | imported_for_types(protocols)
    assert spoken_of <= set(PUBLIC)


def test_every_protocol_that_can_be_registered_is_public() -> None:
    assert defined_in(protocols) - {"Named"} <= set(PUBLIC)


def test_every_error_of_the_framework_stands_in_one_module() -> None:
    def descendants(kind: type[Exception]) -> set[type[Exception]]:
        found = {kind}
        for child in kind.__subclasses__():
            found |= descendants(child)
        return found

    own = {one for one in descendants(WriterosError) if one.__module__.startswith("writeros_")}
    assert {one.__module__ for one in own} == {"writeros_entities.errors"}
    assert all(one.__name__ in (errors.__doc__ or "") for one in own)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (NotFoundError("entity", "Bem", ["Ben"]), "There is no entity 'Bem'. Did you mean 'Ben'?"),
        (
            AmbiguousNameError("Ben", ["a.md", "b.md"], kind="notes", by="path"),
            "2 notes are called 'Ben': a.md; b.md. Ask for one of them by its path.",
        ),
        (ModelError("No weights.", is_missing=True), "No weights."),
        (StoreError("No disk."), "No disk."),
    ],
)
def test_an_error_can_be_passed_to_another_process(error: WriterosError, message: str) -> None:
    passed = pickle.loads(pickle.dumps(error))
    assert (type(passed), str(passed)) == (type(error), message)
    assert vars(passed) == vars(error)


def test_a_session_shows_which_vault_it_has_open(tmp_path: Path) -> None:
    with Session.open(tmp_path, database="sqlite://") as session:
        assert repr(session) == f"Session({str(tmp_path)!r})"


def test_public_names_are_where_the_package_says() -> None:
    for name in PUBLIC:
        assert hasattr(writeros_entities, name), name


def undocumented(name: str) -> Iterator[str]:
    """Yield a public class or function, and each public method of it, that has no docstring."""
    value = getattr(writeros_entities, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        own = vars(value).items() if inspect.isclass(value) else ()
        methods = {
            f"{name}.{member}": found
            for member, found in own
            if not member.startswith("_")
            and (inspect.isfunction(found) or isinstance(found, property))
        }
        yield from (one for one, found in ({name: value} | methods).items() if not getdoc(found))


def test_every_public_name_is_documented() -> None:
    assert [one for name in PUBLIC for one in undocumented(name)] == []


def test_every_public_name_stands_in_the_documents_with_what_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE)
    names = [*PUBLIC, *writeros_entities.testing.__all__]
    told = {name: [text for one, text in rows if one == name] for name in names}
    assert {name: texts for name, texts in told.items() if len(texts) != 1} == {}
    assert [text for (text,) in told.values() if not text.endswith((".", ":", "`", ")"))] == []


@pytest.mark.parametrize("module", [errors, hookspecs, protocols, session, values])
def test_first_sentences_end(module: object) -> None:
    for name, value in inspect.getmembers(module, inspect.isclass):
        if value.__module__.startswith("writeros_entities"):
            paragraph = (inspect.getdoc(value) or "").split("\n\n")[0]
            assert paragraph.endswith((".", ":")), name


def test_the_base_of_answers_asks_for_its_text() -> None:
    with pytest.raises(NotImplementedError):
        Response().as_text()


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = "import sys, writeros_entities; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    heavy = {"alembic", "anyio", "mcp", "rich", "sqlalchemy", "sqlmodel", "torch", "watchdog"}
    assert "writeros_entities" in loaded
    assert loaded & heavy == set()
