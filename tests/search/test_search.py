"""An answer of search: its order, pages, filters, and what it shows of a passage."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session

from ..databases import one_engine
from ..models import MeaningModel, WordwiseModel, with_meaning
from .asking import ANN, HARBOUR, ONE, SEANCE, THREE, TWO, found, search

databases = one_engine  # what an engine searches itself is in test_by_words and test_by_vectors

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


@pytest.mark.parametrize("every_passage", [False, True])
def test_pages_join_to_the_whole_list(novel: Session, every_passage: bool) -> None:
    def search_novel(**page: int) -> dict[str, Any]:
        return search(novel, "light on the tower", every_passage=every_passage, **page)

    whole = search_novel(limit=500)
    assert whole["total"] == len(whole["passages"]) > 20
    pages = [search_novel(limit=7, offset=at) for at in range(0, whole["total"] + 7, 7)]
    joined = list(itertools.chain.from_iterable(page["passages"] for page in pages))
    assert joined == whole["passages"]
    assert {page["total"] for page in pages} == {whole["total"]}


def test_equal_passages_come_in_reading_order(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    names = ["Notes/b.md", "Notes/a.md", "Manuscript/02 - x.md", "Manuscript/01 - y.md"]
    session = open_vault(write_vault(dict.fromkeys(names, "A lantern burned.\n")))
    session.call("sync", {})
    assert found(session, "lantern") == [*reversed(names[2:]), *reversed(names[:2])]


def test_passages_are_kept_to_a_folder_to_types_and_to_mentions(meaning: Session) -> None:
    assert found(meaning, "gulls", mode="text", below="Manuscript") == [TWO, ONE]
    assert found(meaning, "gulls", mode="text", below="Manuscript/") == [TWO, ONE]
    with pytest.raises(NotFoundError, match="Did you mean 'Manuscript'"):
        found(meaning, "gulls", mode="text", below="manuscript")
    assert found(meaning, "gulls", mode="text", below=ONE) == [ONE]
    assert found(meaning, "gulls", mode="text", note_types=["Person"]) == ["Characters/Bo Finch.md"]
    assert found(meaning, "gulls fog", mode="text", mentioning=["Nan"]) == [THREE, ONE]
    assert found(meaning, "boat at night", mode="vector", below="Notes") == [SEANCE]
    with pytest.raises(NotFoundError, match="Zoe"):
        search(meaning, "fog", mentioning=["Zoe"])


SANG = "Ann Reed sang of the lamp that night, and all of the harbour lay awake to hear her song."
SINGING = {
    "Cast/Ann Reed.md": "---\ntype: person\n---\nA girl.\n",
    "Notes/Plan.md": "Ann Reed must leave in the end.\n",
    "Story/01.md": "\n\n".join([SANG] * 3),
    "Story/02.md": SANG,
}


@pytest.mark.parametrize(
    ("name", "asked", "listed", "page"),
    [
        ("search", {"query": "lamp"}, "passages", {"limit": 2}),
        ("search_by_entities", {"entities": ["Ann Reed"]}, "results", {"top_k": 2}),
        ("find_related_notes", {"note": "Notes/Plan.md"}, "notes", {"limit": 2}),
    ],
)
def test_a_note_is_one_result_unless_every_passage_is_asked_for(
    write_vault: WriteVault,
    open_vault: OpenVault,
    name: str,
    asked: dict[str, Any],
    listed: str,
    page: dict[str, Any],
) -> None:
    session = open_vault(write_vault(SINGING), chunk_target=20, chunk_limit=40)
    session.call("sync", {})

    def call(**arguments: Any) -> tuple[int, list[tuple[str, int, int]]]:
        answer = session.call(name, asked | page | arguments).model_dump()
        found = [(one["path"], one["line"], one["more_here"]) for one in answer[listed]]
        return answer["total"], [one for one in found if one[0].startswith("Story")]

    beside = {"search": 0, "search_by_entities": 1, "find_related_notes": 0}[name]  # the plan
    assert call() == (2 + beside, [("Story/01.md", 1, 2), ("Story/02.md", 1, 0)])
    first_two = [("Story/01.md", 1, 0), ("Story/01.md", 3, 0)]
    assert call(every_passage=True) == (4 + beside, first_two)
    told = session.call(name, asked).as_text().split("\n")
    (line,) = (line for line in told if line.startswith("- Story/01.md:1 "))
    assert line.endswith(" *(and 2 more here)*")


def test_a_deleted_note_is_not_served(changing_harbour: Session) -> None:
    assert found(changing_harbour, "vessel") == [THREE]
    (changing_harbour.root / THREE).unlink()
    answer = search(changing_harbour, "vessel")
    assert (answer["passages"], answer["total"]) == ([], 0)


def test_a_passage_shows_its_matches_and_its_place(harbour: Session) -> None:
    passage = search(harbour, "counting feathers", mode="text")["passages"][0]
    assert passage == {
        "path": TWO,
        "title": "02 - Gulls",
        "heading": "Feathers",
        "position": 2,
        "ordinal": 0,
        "line": 1,
        "start": 0,
        "end": 52,
        "score": 1.0,
        "is_exact": False,
        "excerpt": "**Feathers**",
        "mentioned_entities": [
            {
                "id": passage["mentioned_entities"][0]["id"],
                "name": "Bo Finch",
                "type": "person",
                "status": "noted",
                "mentions": 1,
                "alternatives": [],
            }
        ],
        "mentioned_count": 1,
        "thread": None,
        "more_here": 0,
        "content": None,
        "trace": None,
    }
    text = HARBOUR[TWO]
    assert text[passage["start"] : passage["end"]] == text.rstrip("\n")


@pytest.mark.parametrize(
    ("query", "excerpt"),
    [
        ("walk quay", "Ann Reed **walked** to the **quay**."),
        ('"the gulls scr"* net', "The gulls screamed at her **nets**."),
        ("scream* nets", "The gulls **screamed** at her **nets**."),
        ("明月", "林月製圖，海上生**明月**。"),
        ("naive", "They were walking about a café at night; the **naïve** one sang."),
    ],
)
def test_the_sentence_with_most_of_the_query_is_shown(
    harbour: Session, query: str, excerpt: str
) -> None:
    assert search(harbour, query, mode="text")["passages"][0]["excerpt"] == excerpt


def test_where_only_the_target_of_a_link_was_meant_the_words_of_the_link_are_shown(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Log.md": "Rain. See [[Ships/Osprey|the old brig]] go.\n"}))
    session.call("sync", {})
    assert search(session, "ships")["passages"][0]["excerpt"] == "See the old brig go."


def test_a_name_is_marked_whatever_it_is_called_where_it_stands(harbour: Session) -> None:
    answer = search(harbour, "Ann Reed", below=THREE)
    assert answer["passages"][0]["excerpt"] == "**Nan** knew whose it was."


def test_a_trace_adds_up_to_the_score_and_names_its_reasons(meaning: Session) -> None:
    answer = search(meaning, "Where does Nan count gulls?", trace=True)
    for passage in answer["passages"]:
        total = sum(one["share"] for one in passage["trace"])
        assert passage["score"] == pytest.approx(total, abs=1e-4)
    by_path = {passage["path"]: passage["trace"] for passage in answer["passages"]}
    text, vector, entities = by_path[TWO]
    assert [one["channel"] for one in by_path[TWO]] == ["text", "vector", "entities"]
    assert text["rank"] == 2
    assert "Bo Finch" in {reason.rpartition(" ")[0] for reason in entities["reasons"]}
    assert [reason.split()[0] for reason in text["reasons"]] == ["gulls", "count"]
    assert vector["reasons"] == [f"cosine {vector['score']:.4f}"]
    names = next(one for one in by_path[ANN] if one["channel"] == "names")
    assert names["reasons"][0].startswith("Nan ")


@pytest.mark.parametrize("model", [MeaningModel, WordwiseModel])
def test_later_chapters_change_no_byte_of_an_earlier_answer(
    write_vault: WriteVault, database: str, model: type[Any]
) -> None:
    later = {
        "Manuscript/04 - End.md": "Gulls, gulls, vessel, quay. Nan murdered Bo Finch. " * 30,
        "Manuscript/05 - Quay.md": "The quay. The vessel. The Fog Captain was Ann Reed.\n",
        "Characters/Fog Captain.md": "---\naliases: [Ann the Drowned]\n---\nfog fog quay\n",
    }
    queries = ("gulls at the quay", "boat", "Nan", "Fog Captain", '"the fog"', "qu*", "Quay")
    root = write_vault(HARBOUR)
    with with_meaning(root, database, model()) as session:

        def ask() -> list[dict[str, Any]]:
            session.call("sync", {})
            return [
                search(session, query, as_of=3, limit=50, trace=True, mode=mode)
                for query in queries
                for mode in ("hybrid", "text", "vector")
            ]

        before = ask()
        for path, text in later.items():
            (root / path).write_text(text)
        after = ask()
    assert after == before
    assert any(answer["passages"] for answer in before)
