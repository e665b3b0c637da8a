"""`EntityContextBuilder`: the door for agents written in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from writeros_entities import EntityContextBuilder, RankedChunk, Session, VaultError
from writeros_entities.errors import NotFoundError

from .conftest import KEEPERS, WriteVault

Shared = Callable[..., Session]


def test_it_builds_by_usage_within_4000_tokens(shared: Shared) -> None:
    session = shared(KEEPERS)
    result = EntityContextBuilder(session=session).build_context("Ann Reed", session.vault_id)
    assert (result.max_tokens, result.strategy) == (4_000, "usage")
    assert result.chunks_by_source == {"primary_source": 1, "relationships": 1, "mentions": 3}
    assert result.as_text().startswith("[Characters/Ann Reed.md:5]\nAnn Reed mends nets.\n\n")


def test_it_keeps_to_its_budget_strategy_and_reading_position(shared: Shared) -> None:
    session = shared(KEEPERS)
    builder = EntityContextBuilder(60, "narrative", session)
    entity_id = session.call("get_entity", {"entity": "Ann Reed"}).model_dump()["entity"]["id"]
    result = builder.build_context(entity_id, session.root, as_of=2)
    assert [chunk.path for chunk in result.chunks] == ["Manuscript/01.md", "Manuscript/02.md"]
    assert result.total_tokens <= 60


@dataclass
class Backwards:
    """The last in reading order first, notes outside the manuscript before all."""

    name: str = "backwards"

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        return chunks[::-1]


def test_a_strategy_may_be_given_as_it_is(shared: Shared) -> None:
    session = shared(KEEPERS)
    result = EntityContextBuilder(session=session, priority_strategy=Backwards()).build_context(
        "Ann Reed"
    )
    assert result.strategy == "backwards"
    assert [chunk.path for chunk in result.chunks if chunk.tier == "mentions"] == [
        *("Notes/Plan.md", "Manuscript/03.md", "Manuscript/01.md"),
    ]


def test_without_a_session_the_vault_is_opened_by_its_folder(write_vault: WriteVault) -> None:
    root = write_vault(KEEPERS)
    with Session.open(root) as session:
        session.call("sync", {})
    result = EntityContextBuilder(max_tokens=1_500).build_context("Bo Finch", root, query="gulls")
    assert (result.strategy, result.chunks[0].text) == ("relevance", "Bo Finch counts gulls.")


@pytest.mark.parametrize("budget", [0, -1, 200_001])
def test_a_budget_that_is_none_is_refused(budget: int) -> None:
    with pytest.raises(ValueError, match="it has to be from 1 to 200,000"):
        EntityContextBuilder(max_tokens=budget)


def test_another_vault_than_the_sessions_is_refused(shared: Shared) -> None:
    session = shared(KEEPERS)
    builder = EntityContextBuilder(session=session)
    for vault in (session.vault_id + 1, session.root.parent):
        with pytest.raises(VaultError, match="The session's vault is"):
            builder.build_context("Ann Reed", vault)
    with pytest.raises(VaultError, match="give the vault's folder"):
        EntityContextBuilder().build_context("Ann Reed", 1)


def test_who_does_not_exist_is_said(shared: Shared) -> None:
    with pytest.raises(NotFoundError, match="Ann Read"):
        EntityContextBuilder(session=shared(KEEPERS)).build_context("Ann Read")
