"""Check that no context exceeds its budget, and how much of the budget is used.

    python benchmarks/budgets.py --builds 10000

Builds random contexts of the fixture vaults: one to four entities, budgets from 1 to 8,000 tokens,
every strategy and token counter, with and without a query, tiers and a reading position. The text
of each is counted again. A budget is well used from 90 % on; this is expected if the vault has more
to say (`omitted` because of the budget, or `next`).
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from writeros_entities.session import Session

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"
VAULTS = ("novel", "technical")
STRATEGIES = ("usage", "recency", "narrative", "relevance")
COUNTERS = ("words", "characters")
TIERS = ("primary_source", "relationships", "mentions")
QUERIES = (None, None, "Who saw the light?", "the ledger and the queue", "nothing of the kind")
MOST_TOKENS = 8_000
WELL_USED = 0.9


@dataclass(frozen=True, slots=True)
class Build:
    """A context: its arguments, its own token total, and the count of its text."""

    arguments: dict[str, Any]
    tokens: int
    counted: int
    has_more: bool

    @property
    def budget(self) -> int:
        """The budget in tokens."""
        return int(self.arguments["max_tokens"])

    @property
    def is_within(self) -> bool:
        """Whether the total is within the budget, and equals the count of the text."""
        return self.tokens == self.counted <= self.budget


def build_at_random(session: Session, number: int, seed: int) -> Iterator[Build]:
    """Build contexts of a synced vault."""
    chance = random.Random(seed)
    listed = session.call("list_entities", {"limit": 500}).model_dump()["entities"]
    names = [one["id"] for one in listed]
    for _ in range(number):
        arguments: dict[str, Any] = {
            "entities": chance.sample(names, chance.choice([1, 1, 2, 4])),
            "max_tokens": chance.randint(1, chance.choice([100, 1_500, MOST_TOKENS])),
            "strategy": chance.choice(STRATEGIES),
            "token_counter": chance.choice(COUNTERS),
            "query": chance.choice(QUERIES),
            "include": chance.choice([TIERS, TIERS, chance.sample(TIERS, 2)]),
        }
        answer = session.call("build_context", arguments)
        found = answer.model_dump()
        text = answer.as_text()
        counter = session.plugins.token_counter(arguments["token_counter"])
        yield Build(
            arguments,
            found["total_tokens"],
            counter.count([text])[0] if text else 0,
            bool(found["next"]) or any(one["reason"] == "budget" for one in found["omitted"]),
        )


def well_used(builds: list[Build], least: int) -> tuple[int, int]:
    """Return how many budgets of at least `least` tokens are well used, and how many could be."""
    full = [one for one in builds if one.has_more and one.budget >= least]
    return sum(one.tokens >= WELL_USED * one.budget for one in full), len(full)


@click.command()
@click.option("--builds", default=10_000, help="How many contexts.")
@click.option("--seed", default=7, help="Chooses them.")
def main(builds: int, seed: int) -> None:
    """Print how many contexts exceed their budget, and how many use it well."""
    made: list[Build] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for at, vault in enumerate(VAULTS):
            session = stack.enter_context(
                Session.open(
                    FIXTURES / vault,
                    database=f"sqlite:///{folder}/{vault}.sqlite3",
                    embedding_model="",
                )
            )
            session.call("sync", {})
            made += build_at_random(session, builds // len(VAULTS), seed + at)
    print(f"{len(made):,} contexts")
    print(f"beyond their budget: {sum(not one.is_within for one in made)}")
    for least in (1, 50, 100, 200, 400, 1_000):
        used, full = well_used(made, least)
        print(f"of {least} tokens and more, used to {WELL_USED:.0%}: {used:,} of {full:,}")


if __name__ == "__main__":
    main()
