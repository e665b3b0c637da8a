"""The page on quality says what is so: its figures, and every error that is left."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "quality.md").read_text("utf-8")


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def mentions() -> ModuleType:
    return benchmark("mentions")


@pytest.mark.parametrize("vault", ["novel", "technical"])
def test_the_page_has_the_figures_as_they_are(
    mentions: ModuleType, tmp_path: Path, vault: str
) -> None:
    score, errors = mentions.measure(vault, f"sqlite:///{tmp_path / 'index.sqlite3'}")
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {vault}: "))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == [
        *(f"{value:.3f}" for value in (score.precision, score.recall, score.f1)),
        *(str(count) for count in (score.right, score.wrong, score.missed)),
    ]
    if vault == "novel":
        explained = re.findall(r"^\| ([^|]+\.md:\d+) \| ([+-]) ([^|]+) \| [^|]+ \|$", PAGE, re.M)
        left = re.findall(r"^([+-]) (.+?\.md:\d+) ([^:]+): ", "\n".join(errors), re.M)
        assert Counter(explained) == Counter((place, sign, name) for sign, place, name in left)


@pytest.mark.parametrize(("column", "model"), [(2, ""), (3, "all-MiniLM-L6-v2")])
def test_the_page_has_the_figures_of_search_as_they_are(column: int, model: str) -> None:
    figures, _ = benchmark("questions").measure(model)
    for mode, found in figures.items():
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `--mode {mode}` | "))
        assert row.split("|")[column].strip() == str(found), mode


@pytest.mark.parametrize(("column", "model"), [(2, ""), (3, "all-MiniLM-L6-v2")])
def test_the_page_has_the_figures_of_contexts_as_they_are(column: int, model: str) -> None:
    contexts = benchmark("context_questions")
    figures, missed = contexts.measure(model, ["usage", "recency"])
    for what, found in figures.items():
        shown = "--query" if what == contexts.WITH_QUESTION else f"--strategy {what}"
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{shown}`"))
        assert row.split("|")[column].strip() == str(found), what
    if model:
        assert figures[contexts.WITH_QUESTION] >= 27
        assert all(f'"{question}"' in PAGE for question in missed)
