"""Passages are found by what they mean, and without vectors by their words alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import ModelError
from writeros_entities.session import Session

from ..databases import Databases
from ..models import with_meaning
from .asking import HARBOUR, ONE, THREE, TWO, found, paths, search

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


def test_vectors_find_what_is_said_in_other_words(meaning: Session) -> None:
    assert found(meaning, "boat", mode="text") == []
    assert found(meaning, "boat", mode="vector", limit=1) == [THREE]
    assert found(meaning, "boat", limit=1) == [THREE]


@pytest.mark.parametrize(
    ("query", "excerpt"),
    [
        ("boat", "Rain fell all day. A vessel came in. Nobody spoke."),
        ("boat lamp rope", "Tom lit the **lamp**. Rain fell all day. A vessel came in."),
        ("boat rain", "**Rain** fell all day. A vessel came in. Nobody spoke."),
        ("lit lamp", "Tom **lit** the **lamp**."),
        ("lamp", "Tom lit the **lamp**."),
    ],
)
def test_the_excerpt_shows_what_is_nearest_in_meaning_where_the_words_are_not(
    write_vault: WriteVault, database: str, query: str, excerpt: str
) -> None:
    text = (
        "Nan woke early. The bread was cold. Tom lit the lamp. "
        "Rain fell all day. A vessel came in. Nobody spoke.\n"
    )
    with with_meaning(write_vault({"Manuscript/01 - Rain.md": text}), database) as session:
        session.call("sync", {})
        assert search(session, query)["passages"][0]["excerpt"] == excerpt


def test_an_answer_in_steps_shows_the_nearest_sentences_too(
    write_vault: WriteVault, database: str
) -> None:
    text = "It was cold. Nobody slept. The bread was old. A vessel came in. Nobody spoke.\n"
    with with_meaning(write_vault({"Manuscript/01 - Rain.md": text}), database) as session:
        session.call("sync", {})
        answer = session.call("reason_over_entities", {"query": "boat"}).model_dump()
        assert [found["excerpt"] for found in answer["results"]] == [
            "The bread was old. A vessel came in. Nobody spoke."
        ]


def test_the_nearest_sentences_are_shown_without_the_headings_around_them(
    write_vault: WriteVault, database: str
) -> None:
    text = "# Rain\n\nA vessel came in. Nobody spoke.\n\n## Bread\n\nIt was cold. Nan ate it.\n"
    with with_meaning(write_vault({"Manuscript/01 - Rain.md": text}), database) as session:
        session.call("sync", {})
        found = search(session, "boat")["passages"][0]
        assert (found["excerpt"], found["line"]) == ("A vessel came in. Nobody spoke.", 3)


def test_without_vectors_search_is_lexical_and_says_so(
    write_vault: WriteVault, open_vault: OpenVault, database: str
) -> None:
    root = write_vault(HARBOUR)
    open_vault(root).call("sync", {})
    with with_meaning(root, database) as session:
        answer = search(session, "gulls")
        assert paths(answer)[0] == TWO
        assert answer["remark"] == "Without vectors: none are made yet; `sync` makes them."
        with pytest.raises(ModelError, match="none are made yet"):
            search(session, "gulls", mode="vector")
        session.call("sync", {})
        assert search(session, "gulls")["remark"] is None


def test_a_model_that_was_switched_off_is_no_news(harbour: Session) -> None:
    assert search(harbour, "gulls")["remark"] is None
    with pytest.raises(ModelError, match="setting embedding_model"):
        search(harbour, "gulls", mode="vector")


def test_a_new_note_is_found_by_its_vector_at_once(changing_meaning: Session) -> None:
    assert found(changing_meaning, "infant", mode="vector", limit=1) != ["Notes/Cradle.md"]
    for path, text in (("Notes/Cradle.md", "The child slept.\n"), ("Notes/Cot.md", "child\n")):
        (changing_meaning.root / path).write_text(text)
        changing_meaning.call("sync", {})
        assert found(changing_meaning, "infant", mode="vector", limit=1) == [path]


@pytest.mark.parametrize("as_of", [None, 2])
def test_who_asks_again_hears_what_somebody_else_hears(meaning: Session, as_of: int | None) -> None:
    asked = {"as_of": as_of, "limit": 50, "trace": True}
    for query in ("gulls at the quay", "Ann Reed", "qu*", "nets"):
        with with_meaning(meaning.root, meaning.database_url) as somebody:
            expected = search(somebody, query, **asked)
        assert [search(meaning, query, **asked) for _ in range(2)] == [expected] * 2
        assert expected["total"] > 0


def test_a_word_is_found_where_it_has_come_to_stand_since(changing_harbour: Session) -> None:
    assert found(changing_harbour, "screamed", mode="text") == [ONE]
    assert found(changing_harbour, "screamed", mode="text", as_of=1) == [ONE]
    (changing_harbour.root / ONE).write_text("Ann Reed walked to the quay.\n")
    (changing_harbour.root / TWO).write_text("# Feathers\n\nBo Finch screamed.\n")
    changing_harbour.call("sync", {})
    assert found(changing_harbour, "screamed", mode="text") == [TWO]
    assert found(changing_harbour, "screamed", mode="text", as_of=1) == []


def test_vectors_kept_beside_the_database_can_be_lost_and_damaged(
    write_vault: WriteVault, sqlite_databases: Databases
) -> None:
    database = sqlite_databases.create()
    root = write_vault({f"Notes/{at}.md": f"word{at} boat\n" for at in range(300)})
    folder = Path(database.removeprefix("sqlite:///")).parent

    def ask() -> dict[str, Any]:
        with with_meaning(root, database) as session:
            return search(session, "ship word7", limit=20)

    with with_meaning(root, database) as session:
        session.call("sync", {})
        expected = search(session, "ship word7", limit=20)
    (mirror,) = folder.glob("*-vectors-*")
    size = mirror.stat().st_size
    assert ask() == expected
    for damaged in (b"", b"no array", mirror.read_bytes()[: size // 2]):
        mirror.write_bytes(damaged)
        assert ask() == expected
        assert mirror.stat().st_size == size
    mirror.unlink()
    assert ask() == expected


def test_similarity_is_the_cosine_of_the_nearest_entity(
    write_vault: WriteVault, database: str
) -> None:
    vault = {
        "Places/North Quay.md": "---\ntype: place\n---\nStones.\n",
        "Places/Upper Quay.md": "---\ntype: place\n---\nSand.\n",
        "Places/Gate.md": "---\ntype: place\n---\nHigh.\n",
        "Manuscript/01 - a.md": "North Quay and Upper Quay lay in fog.\n",
        "Manuscript/02 - b.md": "North Quay and Gate lay in fog.\n",
    }
    with with_meaning(write_vault(vault), database) as session:
        session.call("sync", {})
        arguments = {"entities": ["North Quay", "Gate"], "boost_exact_match": 1.0}
        answer = session.call("search_by_entities", arguments).model_dump()
    results = [(one["path"], one["e11_similarity"], one["score"]) for one in answer["results"]]
    # "[PLACE] Upper Quay" and "[PLACE] Gate" share 1 of 3 and 2 words: 1 / √6 = 0.4082.
    # First 0.7 · 1 + 0.3 · 2/2, then 0.7 · (1 + 0.4082) / 2 + 0.3 · 1/3.
    assert results == [("Manuscript/02 - b.md", 1.0, 1.0), ("Manuscript/01 - a.md", 0.7041, 0.5929)]
