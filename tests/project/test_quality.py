"""The page on quality says what is so: its figures, and every error that is left."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from writeros_entities.embedding import Embedder, WordVectors

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "quality.md").read_text("utf-8")


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True, scope="module")
def _questions_are_embedded_once() -> Iterator[None]:
    """Keep the vectors of questions, each of which is asked in several modes of search."""
    embed, known = Embedder.embed_query_words, {}

    def embed_once(embedder: Embedder, text: str) -> WordVectors:
        asked = embedder.identity, text
        if asked not in known:
            known[asked] = embed(embedder, text)
        return known[asked]

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(Embedder, "embed_query_words", embed_once)
        yield


def url(folder: Path, model: str) -> str:
    return f"sqlite:///{folder}/{model or 'without'}.sqlite3"


@pytest.fixture(scope="module")
def mentions() -> ModuleType:
    return benchmark("mentions")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the indexes of the novel are, one for each model that embeds it."""
    return tmp_path_factory.mktemp("indexes")


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


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(("column", "model"), [(0, ""), (1, "all-MiniLM-L6-v2")])
def test_the_page_has_the_figures_of_search_as_they_are(
    folder: Path, column: int, model: str
) -> None:
    section = PAGE.partition("## How well passages are found")[2]
    measured = benchmark("questions")
    for (questions, mode), found in measured.measure(model, url(folder, model)).items():
        row = next(line for line in section.splitlines() if line.startswith(f"| `--mode {mode}` |"))
        cells = [cell.strip() for cell in row.split("|")[2:-1]]
        without, with_model = cells[measured.SETS.index(questions) * 2 :][:2]
        assert (without, with_model)[column] == str(found)
        assert mode != "text" or with_model == without  # which asks no vectors


def test_the_page_has_the_figures_of_the_relation_model_that_ships() -> None:
    report = json.loads((ROOT / "plugins" / "transe" / "report.json").read_text("utf-8"))
    rules = {"model": report} | report["baselines"]
    for name, figures in rules.items():
        row = next(line for line in PAGE.splitlines() if re.match(rf"\| {name}\b.* 0\.\d", line))
        cells = [cell.strip() for cell in row.split("|")[2:-1]]
        assert cells == [f"{figures[key]:.3f}" for key in ("mrr", "hits_at_10", "auc")]
    assert f"{report['triples']:,} facts" in PAGE
    assert f"{2 * report['held_out']:,} triples:" in PAGE


@pytest.mark.parametrize(("column", "model"), [(2, ""), (3, "all-MiniLM-L6-v2")])
def test_the_page_has_the_figures_of_contexts_as_they_are(
    folder: Path, column: int, model: str
) -> None:
    contexts = benchmark("context_questions")
    figures, missed = contexts.measure(model, url(folder, model), ["usage", "recency"])
    for what, found in figures.items():
        shown = "--query" if what == contexts.WITH_QUESTION else f"--strategy {what}"
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{shown}`"))
        assert row.split("|")[column].strip() == str(found), what
    if model:
        assert figures[contexts.WITH_QUESTION] >= 27
        assert all(f'"{question}"' in PAGE for question in missed)


def test_the_page_has_the_figures_of_speakers_as_they_are(tmp_path: Path) -> None:
    score, errors = benchmark("speakers").measure(f"sqlite:///{tmp_path / 'index.sqlite3'}")
    row = next(line for line in PAGE.splitlines() if line.startswith("| speakers |"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == [
        *(f"{value:.3f}" for value in (score.precision, score.recall)),
        *(str(count) for count in (score.right, score.wrong, score.missed)),
    ]
    assert score.precision >= 0.95, errors
