"""The documentation says what the code says: parts of it are generated, and its links lead on."""

from __future__ import annotations

import ast
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from itertools import takewhile
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from writeros_entities import Settings, hookspecs
from writeros_entities.capabilities import collect_capabilities
from writeros_entities.plugins import load_plugins
from writeros_entities.surfaces.catalogue import Catalogue
from writeros_entities.surfaces.cli import build_cli

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))

EXAMPLE = ROOT / "examples" / "writeros-shipwrights" / "writeros_shipwrights.py"
TEXTS = [*PAGES, *sorted(ROOT.glob("*.md")), EXAMPLE.with_name("README.md")]

_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"(?:^ *(?:\$ )?|`)writeros-entities (?!COMMAND)([^`\n]+)", re.MULTILINE)
_TOML = re.compile(r"^```toml.*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"`[^`\n]+`")
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "name",
    [
        "api.md",
        "capabilities.md",
        "cli.md",
        "engine-author.md",
        "hooks.md",
        "licences.md",
        "plugin-author.md",
        "prompts.md",
        "schema.md",
        "settings.md",
    ],
)
def test_a_page_that_the_code_knows_is_generated(name: str) -> None:
    assert "[[[cog" in (DOCS / name).read_text("utf-8")


def test_every_hook_is_explained_under_its_signature() -> None:
    page = (DOCS / "hooks.md").read_text("utf-8")
    hooks = [
        name
        for name, value in vars(hookspecs).items()
        if hasattr(value, hookspecs.PROJECT + "_spec")
    ]
    assert len(hooks) > 15
    for hook in hooks:
        assert f"### {hook}\n\n```text\n{hook}(" in page


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = _HEADING.findall(_CODE.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", TEXTS, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    broken = []
    text = _QUOTED.sub("", _CODE.sub("", page.read_text("utf-8")))
    for target, anchor in _LINK.findall(text):
        led = page.parent / target if target else page
        if "://" in target:
            continue
        if not led.exists() or (anchor and anchor not in anchors_of(led)):
            broken.append(f"{target}#{anchor}")
    assert broken == []


def test_the_index_lists_every_page() -> None:
    listed = {target for target, _ in _LINK.findall((DOCS / "index.md").read_text("utf-8"))}
    assert {page.name for page in PAGES} - listed == {"index.md"}


@pytest.mark.parametrize("page", TEXTS, ids=name_of)
def test_settings_in_the_pages_are_settings(page: Path) -> None:
    for block in _TOML.findall(page.read_text("utf-8")):
        data = tomllib.loads(block)
        if "project" not in data:
            Settings(**data)


@pytest.fixture(scope="module")
def program() -> Iterator[click.Group]:
    """Return the command line with the plugin of the tutorial."""
    spec = spec_from_file_location("writeros_shipwrights", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    plugins = load_plugins(Settings(), {"shipwrights": module})
    catalogue = Catalogue(collect_capabilities(plugins), plugins)
    yield build_cli(lambda vault, database: catalogue)
    del sys.modules[spec.name]


def parse(command: click.Command, words: list[str], above: click.Context | None = None) -> None:
    """Parse a command line down to its last command, without running it."""
    with suppress(click.exceptions.Exit), redirect_stdout(StringIO()):
        context = command.make_context(command.name, words, parent=above)
        if isinstance(command, click.Group):
            name, inner, further = command.resolve_command(
                context, [*context._protected_args, *context.args]
            )
            assert name is not None and inner is not None, words
            parse(inner, further, context)


@pytest.mark.parametrize("page", TEXTS, ids=name_of)
def test_commands_in_the_pages_can_be_given(page: Path, program: click.Group) -> None:
    for line in _COMMAND.findall(page.read_text("utf-8")):
        words = shlex.shlex(line, posix=True, punctuation_chars="<|")
        words.whitespace_split = True
        given = takewhile(lambda word: word not in ("<", "|"), words)
        parse(program, ["text" if word == "-" else word for word in given])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_pages_is_python(page: Path) -> None:
    for code in _PYTHON.findall(page.read_text("utf-8")):
        ast.parse(code)


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_LICENCE = re.compile(r"^\| `([^`]+)` \| (.+) \| (.+) \|$", re.MULTILINE)


def licences() -> dict[str, tuple[str, str]]:
    """Return the licence of each library, and with which extras it is installed."""
    page = (DOCS / "licences.md").read_text("utf-8")
    return {name: (licence, extras) for name, licence, extras in _LICENCE.findall(page)}


def test_the_licence_of_every_library_that_is_declared_is_told() -> None:
    groups = {"always": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    told = licences()
    missing = [
        f"{requirement} ({group})"
        for group, requirements in groups.items()
        for requirement in requirements
        if group != "test" and not requirement.startswith(PROJECT["name"])
        if not told.get(canonicalize_name(Requirement(requirement).name), ("", ""))[1]
    ]
    assert missing == []
    assert "not stated" not in {licence for licence, _ in told.values()}


def test_no_library_that_is_always_installed_is_under_a_gpl() -> None:
    always = {licence for licence, extras in licences().values() if extras == "always"}
    assert {licence for licence in always if "GPL" in licence} == set()
    assert "MIT" in always
