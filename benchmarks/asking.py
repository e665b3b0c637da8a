"""How long answers take."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from detect import build_lexicon, write_page
from sqlalchemy import func, select
from writeros_plugins.gazetteer.detection import detect

from writeros_entities.query.entities import find_candidates
from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.statistics import refresh_statistics

T = TypeVar("T")

QUESTIONS = 60

_ENTITY = (
    *("id", "vault_id", "key", "subject", "name", "name_key", "type", "status", "forms"),
    *("mention_count", "note_count", "importance", "confidence"),
)
_REST = ("person", "suggested", "", 0, 0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """How many chunks were searched, and how long one search took."""

    chunks: int
    median_ms: float


def measure_page() -> float:
    """Return the median milliseconds for finding 10,000 names in a page, each page another one."""
    chance = random.Random(7)
    lexicon = build_lexicon(chance)
    pages = [write_page(chance, lexicon) for _ in range(201)]
    detect(pages.pop(), lexicon)
    return median_ms(lambda page: detect(page, lexicon), pages)


def measure_search(vault: Path, scratch: Path) -> SearchFigures:
    """Search a synced vault by entities, for other ones every time."""
    database = f"sqlite:///{scratch / f'{vault.name}-watched.sqlite3'}"
    with Session.open(vault, database=database) as session:
        with session.view() as view:
            chunks = view.scalar(select(func.count()).select_from(view.chunk))
            names = [
                row.name
                for row in view.all(
                    select(view.entity.c.name)
                    .where(view.entity.c.status == "noted")
                    .order_by(view.entity.c.mention_count.desc())
                    .limit(2 * QUESTIONS + 2)
                )
            ]
        asked = [{"entities": list(pair)} for pair in zip(names[::2], names[1::2], strict=True)]
        session.call("search_by_entities", asked.pop())
        taken = median_ms(lambda request: session.call("search_by_entities", request), asked)
        return SearchFigures(chunks, taken)


def measure_names(scratch: Path, number: int) -> float:
    """Return the median milliseconds for finding one of so many entities by name."""
    root = scratch / "names"
    (root / ".obsidian").mkdir(parents=True)
    with Session.open(root, database=f"sqlite:///{scratch / 'names.sqlite3'}") as session:
        insert_entities(session, number)
        chance = random.Random(7)
        asked = [f"Vane {at}" for at in chance.sample(range(number), QUESTIONS)]
        with session.view() as view:
            assert find_candidates(view, asked.pop())
            return median_ms(lambda name: find_candidates(view, name), asked)


def insert_entities(session: Session, number: int) -> int:
    """Put so many entities straight into the index; return the id of the first one's row."""
    vault_id = session.vault_id
    first = vault_id * rows.IDS_PER_VAULT + 1
    with session.database.write() as connection:
        rows.insert_rows(
            connection,
            rows.entity,
            _ENTITY,
            [
                (first + at, vault_id, f"e{at}", f"name:{at}", *_named(at), *_REST)
                for at in range(number)
            ],
        )
        rows.insert_rows(
            connection,
            rows.alias,
            ("vault_id", "entity_id", "form", "form_key", "kind", "weight", "exact"),
            [(vault_id, first + at, *_named(at), "name", 1.0, False) for at in range(number)],
        )
        refresh_statistics(connection)
    return first


def _named(number: int) -> tuple[str, str]:
    return f"Vane {number}", f"vane {number}"


def median_ms(run: Callable[[T], object], questions: Iterable[T]) -> float:
    taken = []
    for question in questions:
        before = time.perf_counter()
        run(question)
        taken.append(time.perf_counter() - before)
    return statistics.median(taken) * 1000
