"""What plain sentences state, and that others state nothing: all are read in one vault, once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

from writeros_entities.session import Session
from writeros_entities.story.asserted import evidence_of, load_relations

from .sentences import FALSE, NOT, TRUE, TYPES

Stated = Mapping[str, set[str]]

PAGES = {
    f"Page {at}.md": text
    for at, text in enumerate([*(text for text, _ in (*TRUE, *NOT)), *FALSE], start=1)
}
PAGE_OF = {text: page for page, text in PAGES.items()}


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stated]:
    """The relations that each page states, as `Ann married Bob`; symmetric ones both ways.

    The default engine's alone: what a clause states does not depend on the database.
    """
    folder = tmp_path_factory.mktemp("sentences")
    root = folder / "vault"
    root.mkdir()
    for name, kind in TYPES.items():
        (root / f"{name}.md").write_text(f"---\ntype: {kind}\n---\n")
    for page, text in PAGES.items():
        (root / page).write_text(text)
    database = f"sqlite:///{folder}/index.sqlite3"
    with Session.open(root, database=database, close_reading=True) as session:
        session.call("sync", {"relations": False})
        yield read(session)


def read(session: Session) -> Stated:
    found: dict[str, set[str]] = defaultdict(set)
    symmetric = {one.name for one in session.plugins.ontology.kinds.values() if one.symmetric}
    with session.view() as view:
        names = {row.id: row.name for row in view.all(view.entity.select())}
        relations = load_relations(view)
        proofs = evidence_of(view, [one.id for one in relations], limit=len(PAGES))
        for one in relations:
            ends = (one.source_id, one.target_id)
            for proof in proofs[one.id]:
                over = " (over)" if proof.has_ended else ""
                for source, target in {ends, ends[::-1] if one.kind in symmetric else ends}:
                    found[proof.path].add(f"{names[source]} {one.kind} {names[target]}{over}")
    return found


@pytest.mark.parametrize(("text", "said"), TRUE)
def test_a_plain_sentence_states_it(text: str, said: str, stated: Stated) -> None:
    assert said in stated[PAGE_OF[text]]


@pytest.mark.parametrize(("text", "said"), NOT)
def test_a_sentence_states_nothing_of_a_bystander(text: str, said: str, stated: Stated) -> None:
    assert said not in stated[PAGE_OF[text]]


@pytest.mark.parametrize("text", FALSE)
def test_a_sentence_that_does_not_say_so_states_nothing(text: str, stated: Stated) -> None:
    assert stated[PAGE_OF[text]] == set()
