"""A name in a query finds what bears it, under every other name as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from writeros_entities.session import Session
from writeros_entities.store.view import StoredView

from ..conftest import FIXTURES
from ..databases import Databases, one_engine
from ..models import with_meaning
from .asking import ANN, MOON, ONE, SEANCE, THREE, TWO, paths, search

databases = one_engine

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


@pytest.mark.parametrize("mode", ["hybrid", "text", "vector"])
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Ann Reed", ANN),
        ("ann reed", ANN),
        ("Nan", ANN),
        ("Bo Finch", "Characters/Bo Finch.md"),
        ("Séance", SEANCE),
        ("02 - gulls", TWO),
        ("月夜", MOON),
        ("Mole (harbour)", "Places/Mole (harbour).md"),
        ("mole", "Places/Mole (harbour).md"),
    ],
)
def test_a_name_or_an_alias_brings_its_note_first(
    meaning: Session, query: str, first: str, mode: str
) -> None:
    answer = search(meaning, query, mode=mode)
    assert (paths(answer)[0], answer["passages"][0]["is_exact"]) == (first, True)


def notes_by_name(view: StoredView) -> dict[str, set[str]]:
    """Return the notes with text that a reader may see, by every title, name and alias of each."""
    alias, entity, note, chunk = view.alias, view.entity, view.note, view.chunk
    with_text = note.c.id.in_(select(chunk.c.note_id))
    named = (
        select(alias.c.form, note.c.path)
        .join_from(alias, entity, entity.c.id == alias.c.entity_id)
        .join(note, note.c.id == entity.c.note_id)
        .where(alias.c.kind.in_(("name", "alias")), with_text)
    )
    titled = select(note.c.title, note.c.path).where(with_text)
    called: dict[str, set[str]] = {}
    for name, path in (*view.all(named), *view.all(titled)):
        called.setdefault(name, set()).add(path)
    return called


@pytest.fixture(scope="module", params=["novel", "technical", "hostile"])
def any_fixture(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Session]:
    """Return each fixture vault in turn, synced, with the vectors of the model for tests."""
    with with_meaning(FIXTURES / request.param, databases.create()) as session:
        session.call("sync", {})
        yield session


@pytest.mark.parametrize("mode", ["hybrid", "text", "vector"])
def test_every_title_name_and_alias_of_a_vault_brings_its_notes_first(
    any_fixture: Session, mode: str
) -> None:
    """Every name of the whole vault is asked for, and as of three chapters every third."""
    positions = (1, 3, 14) if any_fixture.list_chapters() else ()
    for at, as_of in enumerate((None, *positions)):
        with any_fixture.view(as_of) as view:
            called = notes_by_name(view)
        assert as_of or len(called) >= 15
        for name, notes in sorted(called.items())[at - 1 :: 3] if as_of else called.items():
            answer = search(any_fixture, name, mode=mode, as_of=as_of, limit=len(notes))
            assert set(paths(answer)) == notes, (name, as_of)
            assert all(passage["is_exact"] for passage in answer["passages"]), (name, as_of)


def test_a_title_that_begins_another_is_named_where_it_stands_alone(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Ash.md": "It fell all night.", "Ash Hill.md": "A road."}))
    session.call("sync", {})

    def named(query: str) -> dict[str, Any]:
        return {
            passage["path"]: one["reasons"]
            for passage in search(session, query, trace=True)["passages"]
            for one in passage["trace"]
            if one["channel"] == "names"
        }

    assert set(named("from Ash Hill")) == {"Ash Hill.md"}
    assert set(named("from Ash Hill to Ash")) == {"Ash Hill.md", "Ash.md"}


def test_entities_in_a_query_are_told_and_their_passages_found_by_any_name(
    harbour: Session,
) -> None:
    answer = search(harbour, "What did Nan see?")
    assert [entity["name"] for entity in answer["named_entities"]] == ["Ann Reed"]
    assert set(paths(answer)) >= {ANN, ONE, THREE}


CAME = "{} came late that evening, when rain fell hard on all the roofs of the harbour town."
HID = "She hid the key in the {}, below the third board from the wall, where nobody ever looked."
TWO_KEYS = {
    "Characters/Ann Reed.md": "---\ntype: character\n---\nA ferryman's daughter.\n",
    "Characters/Bo Finch.md": "---\ntype: character\n---\nA chandler's niece.\n",
    "Manuscript/01.md": f"{CAME.format('Bo Finch')}\n\n{HID.format('well')}\n",
    "Manuscript/02.md": f"{CAME.format('Ann Reed')}\n\n{HID.format('loft')}\n",
}


def test_a_passage_that_says_she_is_found_by_the_name_beside_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(TWO_KEYS), chunk_target=20, chunk_limit=40)
    session.call("sync", {})
    answer = search(session, "key of Ann Reed", trace=True, every_passage=True)
    found = [(one["path"], one["line"]) for one in answer["passages"]]
    assert found.index(("Manuscript/02.md", 3)) < found.index(("Manuscript/01.md", 3))
    trace = answer["passages"][found.index(("Manuscript/02.md", 3))]["trace"]
    (names,) = (part for part in trace if part["channel"] == "names")
    assert [reason.rpartition(" ")[0] for reason in names["reasons"]] == ["Ann Reed nearby"]


def test_the_boost_says_how_much_names_count(harbour: Session) -> None:
    def share(boost: float) -> float:
        answer = search(harbour, "Nan gulls", trace=True, entity_boost=boost)
        traces = [one["trace"] for one in answer["passages"] if one["path"] == THREE]
        return float(sum(part["share"] for part in traces[0] if part["channel"] == "names"))

    assert 0 < share(0.5) < share(1) < share(5)
    assert all(
        part["channel"] != "names"
        for passage in search(harbour, "Nan gulls", trace=True, entity_boost=0)["passages"]
        for part in passage["trace"]
    )


def traced(answer: dict[str, Any], path: str) -> dict[str, dict[str, Any]]:
    """Return how each channel sees the first passage of a note."""
    passage = next(one for one in answer["passages"] if one["path"] == path)
    return {one["channel"]: one for one in passage["trace"]}


LAMPS = {
    "Characters/Ann Reed.md": "---\ntype: character\naliases: [Nan]\n---\nShe mends nets daily.\n",
    "Manuscript/01.md": "Here Nan saw smoke.\n",
    "Manuscript/02.md": "Sailors feared the gulls.\n",
    "Manuscript/03.md": "Nobody feared those gulls.\n",
    "Manuscript/04.md": "It rained for days.\n",
}


def test_a_name_is_one_term_of_a_query_as_a_word_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    """All passages are equally long, and each of the three terms (`nan`, `gulls`, and the mentions
    of Ann Reed) is in two of five: each has the same rarity. An alias is meant with a sureness of
    0.95, so the most that a passage could have is 2.95 rarities, and one occurrence is worth
    1 / (1 + 1.2) of one. Ann's note has the word in its names, which counts as three times, and
    counts itself as ten mentions.
    """
    session = open_vault(write_vault(LAMPS))
    session.call("sync", {})
    answer = search(session, "Nan gulls", trace=True)
    nan, gulls = traced(answer, "Manuscript/01.md"), traced(answer, "Manuscript/02.md")
    sheet = traced(answer, ANN)
    assert nan["text"]["score"] == gulls["text"]["score"] == 0.1541  # 1 / 2.2 / 2.95
    assert nan["names"]["score"] == 0.1464  # 0.95 / 2.2 / 2.95
    assert "names" not in gulls
    assert sheet["text"]["score"] == 0.2421  # 3 / 4.2 / 2.95
    assert sheet["names"]["score"] == 0.2875  # 0.95 · 10 / 11.2 / 2.95


GULLS = {
    "Characters/Ann Reed.md": "---\ntype: character\naliases: [Nan]\n---\nShe mends nets daily.\n",
    "Characters/Bo Finch.md": "---\ntype: character\naliases: [Finn]\n---\nHe counts them daily.\n",
    "Manuscript/01.md": "Today Nan feared gulls.\n",
    "Manuscript/02.md": "Today Nan counted gulls.\n",
    "Manuscript/03.md": "Today Finn feared gulls.\n",
    "Manuscript/04.md": "Nobody counted those gulls.\n",
}


def test_other_passages_that_answer_a_query_hint_at_whom_it_is_about(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    """The four passages with gulls answer equally well. Of the three others, one mentions Ann, who
    is in two of all four: her rarity is ln 2, and one mention is worth 1 / (1 + 1.2) of it. Nobody
    else mentions Bo. A hint of less than 1 counts as it is, and its weight is 0.2.
    """
    session = open_vault(write_vault(GULLS))
    session.call("sync", {})
    answer = search(session, "gulls", trace=True)
    for path in ("Manuscript/01.md", "Manuscript/02.md"):
        hint = traced(answer, path)["entities"]
        assert hint["score"] == 0.105  # ln 2 / 2.2 / 3
        assert hint["share"] == 0.0175  # 0.105 · 0.2 / 1.2
        assert hint["reasons"] == ["Ann Reed 0.11"]
    for path in ("Manuscript/03.md", "Manuscript/04.md"):
        assert "entities" not in traced(answer, path)


def test_beside_vectors_the_words_of_a_name_are_asked_once(meaning: Session) -> None:
    def asked(query: str, **arguments: Any) -> set[str]:
        answer = search(meaning, query, trace=True, **arguments)
        reasons = [
            reason.rpartition(" ")[0]
            for passage in answer["passages"]
            for channel in passage["trace"]
            if channel["channel"] == "text"
            for reason in channel["reasons"]
        ]
        return set(reasons)

    assert asked("Ann Reed gulls") == {"gulls"}
    assert asked('"Ann Reed" gulls') == {'"ann reed"', "gulls"}
    assert asked("Nan") == {"nan"}
    assert asked("Ann Reed gulls", mode="text") == {"ann", "reed", "gulls"}


def test_whom_a_query_names_adds_nothing_a_second_time(meaning: Session) -> None:
    answer = search(meaning, "Who counted gulls with Ann Reed?", trace=True)
    names = {
        reason.rpartition(" ")[0]
        for passage in answer["passages"]
        for channel in passage["trace"]
        if channel["channel"] == "entities"
        for reason in channel["reasons"]
    }
    assert "Bo Finch" in names
    assert "Ann Reed" not in names
