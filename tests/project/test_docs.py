"""The documentation says what the code says: its generated parts are current, its links lead on."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from writeros_entities import hookspecs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
SCHEMA = ROOT / "writeros_entities" / "store" / "schema.py"

_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#\s]+)(?:#[^)]*)?\)")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_generated_parts_are_current() -> None:
    command = ["-m", "cogapp", "--check", "--diff", "-U", "-n", "utf-8", "--verbosity=0"]
    done = subprocess.run(
        [sys.executable, *command, "-I", DOCS, "-I", ROOT / "scripts", *PAGES, SCHEMA],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, f"Run `make docs`.\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    "name",
    [
        "capabilities.md",
        "cli.md",
        "hooks.md",
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


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = _CODE.sub("", page.read_text("utf-8"))
    broken = [
        target
        for target in _LINK.findall(text)
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_pages_is_python(page: Path) -> None:
    for code in _PYTHON.findall(page.read_text("utf-8")):
        ast.parse(code)
