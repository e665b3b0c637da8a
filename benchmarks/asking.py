"""Measure how long answers take."""

from __future__ import annotations

import random
import re
import statistics
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from embedding import MODEL
from numpy.typing import NDArray
from sqlalchemy import func, select
from vaults import WORDS, generate_vault

from writeros_entities import EmbeddedText, Settings, hookimpl
from writeros_entities.embedding import Embedder
from writeros_entities.language.inflections import STOP_WORDS
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.store.view import StoredView

T = TypeVar("T")

QUESTIONS = 60

LIGHTLY = {"vectors": False, "close_reading": False}
"""How vaults are synced whose questions need neither."""

WARM = 2
"""Questions until a reader's caches are full: PostgreSQL answers the first one on the server."""


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """The number of chunks, and the median times of searches.

    `hybrid_ms` is for words that were searched before since the index changed, `unheard_ms` for
    words that were not, `by_entities_ms` for a search by entities.
    """

    chunks: int
    hybrid_ms: float
    unheard_ms: float
    by_entities_ms: float


def measure_context(scratch: Path) -> float:
    """Return the median milliseconds to build a context of 4,000 tokens.

    Each context is about a different entity with 100 mentions.
    """
    vault = scratch / "context"
    mentions, people = 100, 20
    generate_vault(vault, 40)
    for person in range(people):
        for chapter in range(mentions):
            words = random.Random(f"{person}-{chapter}").choices(WORDS, k=150)
            text = f"# {chapter}\n\nOdo Vance{person:02} went. {' '.join(words)}.\n"
            note = vault / f"Told {person}" / f"{chapter + 1}.md"
            note.parent.mkdir(exist_ok=True)
            note.write_text(text, "utf-8")
        sheet = vault / "Characters" / f"Odo Vance{person:02}.md"
        sheet.parent.mkdir(exist_ok=True)
        sheet.write_text("---\ntype: person\n---\nA keeper of lamps.\n", "utf-8")
    database = f"sqlite:///{scratch / 'context.sqlite3'}"
    with Session.open(vault, database=database, embedding_model="") as session:
        session.call("sync", LIGHTLY)
        asked = [{"entities": [f"Odo Vance{person:02}"]} for person in range(people)]
        session.call("build_context", asked.pop())
        return median_ms(lambda one: session.call("build_context", one), asked)


def measure_brief(vault: Path, scratch: Path) -> float:
    """Return the median milliseconds for the brief of a scene; each scene is different."""
    database = f"sqlite:///{scratch / f'{vault.name}-watched.sqlite3'}"
    with Session.open(vault, database=database, embedding_model="") as session:
        session.call("sync", LIGHTLY)
        with session.view() as view:
            told = select(view.note.c.position).where(view.note.c.position.is_not(None))
            positions = [row.position for row in view.all(told.order_by(view.note.c.position))]
        asked = [{"scene": position} for position in positions[-41:]]
        session.call("brief_scene", asked.pop())
        return median_ms(lambda one: session.call("brief_scene", one), asked)


def measure_continuity(vault: Path, scratch: Path) -> float:
    """Return the seconds of processor time for checking the continuity of a vault."""
    database = f"sqlite:///{scratch / f'{vault.name}-watched.sqlite3'}"
    with Session.open(vault, database=database, embedding_model="") as session:
        session.call("sync", LIGHTLY)
        session.call("check_continuity", {"as_of": 0})
        begun = time.process_time()
        session.call("check_continuity", {})
        return time.process_time() - begun


class RandomModel:
    """Random vectors, the same for the same text: good enough to measure time.

    The model has the identity of the built-in one, so that the latter can embed the queries.
    """

    name = "random"
    dimensions = 384

    def __init__(self, identity: str) -> None:
        self.identity = identity

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a random vector of unit length for each text."""
        vectors = [np.random.default_rng(zlib.crc32(text.encode())) for text in texts]
        return np.array([one.standard_normal(self.dimensions) for one in vectors], np.float32)

    def embed_words(self, texts: Sequence[str]) -> list[EmbeddedText]:
        """Return for each text its vector, and one for each word that is not a stop word."""
        return [self.embed_query_words(text) for text in texts]

    def embed_query_words(self, text: str) -> EmbeddedText:
        """Return the vector of one text, and one for each word that is not a stop word."""
        told = [one for one in re.finditer(r"\w+", text) if one[0].lower() not in STOP_WORDS]
        words = [_random_vector(one[0].lower(), self.dimensions) for one in told]
        return EmbeddedText(self.embed([text])[0], [one.span() for one in told], words)


@cache
def _random_vector(word: str, dimensions: int) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(dimensions)


class RandomPlugin:
    """A plugin with that model."""

    def __init__(self, identity: str) -> None:
        self._identity = identity

    @hookimpl
    def register_embedding_models(self) -> list[RandomModel]:
        """Return the model."""
        return [RandomModel(self._identity)]


def measure_search(vault: Path, people: Sequence[str], database: str) -> SearchFigures:
    """Measure hybrid searches, and searches by entities, each with a different query.

    A query consists of two very common words, which most chunks contain, and a name. There are few
    such words, so most are soon cached; `unheard_ms` is for those that are not.
    """
    chance = random.Random(7)
    common = sorted(set(WORDS) - STOP_WORDS)
    names = people[: QUESTIONS + 1]
    heard = [f"{' '.join(chance.sample(common, 2))} {name}" for name in names]
    chance.shuffle(common)
    pairs = zip(common[::2], common[1::2], names, strict=False)
    unheard = [f"{one} {other} {name}" for one, other, name in pairs]
    with _open_with_vectors(vault, database) as session:
        session.call("sync", {"close_reading": False})
        with session.view() as view:
            chunks = view.scalar(select(func.count()).select_from(view.chunk))
            noted = _most_mentioned(view, 2 * QUESTIONS + 2)
        hybrid = _median_search(session, heard)
        asked = [{"entities": list(pair)} for pair in zip(noted[::2], noted[1::2], strict=False)]
        session.call("search_by_entities", asked.pop())
        by_entities = median_ms(lambda one: session.call("search_by_entities", one), asked)
    with _open_with_vectors(vault, database) as session:
        return SearchFigures(chunks, hybrid, _median_search(session, unheard), by_entities)


def _open_with_vectors(vault: Path, database: str) -> Session:
    built_in = Embedder(load_plugins(Settings()).choose("register_embedding_models", MODEL))
    plugins = load_plugins(Settings(), {"random": RandomPlugin(built_in.identity)})
    return Session.open(vault, database=database, plugins=plugins, embedding_model=RandomModel.name)


def _median_search(session: Session, queries: Sequence[str]) -> float:
    """Return the median milliseconds of a search with warm caches."""
    for _ in range(WARM):
        session.call("search", {"query": queries[-1]})
    return median_ms(lambda query: session.call("search", {"query": query}), queries[:-1])


def _most_mentioned(view: StoredView, number: int) -> list[str]:
    """Return the names of the `number` most mentioned entities with a note."""
    entity = view.entity
    noted = select(entity.c.name).where(entity.c.status == "noted")
    found = noted.order_by(entity.c.mention_count.desc(), entity.c.name).limit(number)
    return [row.name for row in view.all(found)]


def measure_reasoning(notes: int, scratch: Path) -> float:
    """Return the median milliseconds of a question over several hops in a generated vault."""
    vault = scratch / f"reasoning-{notes}"
    people = generate_vault(vault, notes).people
    with Session.open(vault, database=f"sqlite:///{vault}.sqlite3", embedding_model="") as session:
        session.call("sync", LIGHTLY)
        asked = [
            {"query": f"Who met {one} and {other}?"}
            for one, other in zip(people[: QUESTIONS + 1], people[QUESTIONS + 1 :], strict=False)
        ]
        session.call("reason_over_entities", asked.pop())
        return median_ms(lambda one: session.call("reason_over_entities", one), asked)


def median_ms(run: Callable[[T], object], questions: Iterable[T]) -> float:
    taken = []
    for question in questions:
        before = time.perf_counter()
        run(question)
        taken.append(time.perf_counter() - before)
    return statistics.median(taken) * 1000
