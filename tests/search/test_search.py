"""What search promises: by words, by vectors and by names, called as every surface calls it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from writeros_entities import ModelError, RequestError
from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session
from writeros_entities.store.view import View

from ..conftest import FIXTURES
from ..databases import Databases
from ..models import MeaningModel, WordwiseModel, with_meaning

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

HARBOUR = {
    "Characters/Ann Reed.md": "---\ntype: character\naliases: [Nan]\n---\nAnn mends nets.\n",
    "Characters/Bo Finch.md": "---\ntype: character\n---\nBo counts gulls.\n",
    "Places/Mole (harbour).md": "---\ntype: place\n---\nA wall of stones.\n",
    "Manuscript/01 - Nets.md": "Ann Reed walked to the quay. The gulls screamed at her nets.\n",
    "Manuscript/02 - Gulls.md": "# Feathers\n\nBo Finch counted gulls, gulls and gulls.\n",
    "Manuscript/03 - Fog.md": "A vessel came out of the fog. Nan knew whose it was.\n",
    "Notes/Séance.md": "They were walking about a café at night; the naïve one sang.\n",
    "Notes/月夜.md": "林月製圖，海上生明月。\n",
}

ONE, TWO, THREE = (f"Manuscript/{name}.md" for name in ("01 - Nets", "02 - Gulls", "03 - Fog"))
SEANCE, MOON, ANN = "Notes/Séance.md", "Notes/月夜.md", "Characters/Ann Reed.md"


@pytest.fixture
def harbour(write_vault: WriteVault, open_vault: OpenVault) -> Session:
    session = open_vault(write_vault(HARBOUR))
    session.call("sync", {})
    return session


@pytest.fixture
def meaning(write_vault: WriteVault, database: str) -> Iterator[Session]:
    with with_meaning(write_vault(HARBOUR), database) as session:
        session.call("sync", {})
        yield session


def search(session: Session, query: str, **arguments: Any) -> dict[str, Any]:
    return session.call("search", {"query": query, **arguments}).model_dump()


def paths(answer: dict[str, Any]) -> list[str]:
    return [passage["path"] for passage in answer["passages"]]


def found(session: Session, query: str, **arguments: Any) -> list[str]:
    return paths(search(session, query, **arguments))


# -- Words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("gulls", [TWO, "Characters/Bo Finch.md", ONE]),
        ("screaming", [ONE]),
        ("walks", [ONE, SEANCE]),
        ("sing come", [THREE, SEANCE]),
        ("quay vessel", [ONE, THREE]),
        ('"out of the fog"', [THREE]),
        ('"fog the of out"', []),
        ("scr*", [ONE]),
        ("feathers", [TWO]),
        ("CAFE", [SEANCE]),
        ("café", [SEANCE]),
        ("naive", [SEANCE]),
        ("明月", [MOON]),
        ("生明月", [MOON]),
        ("zeppelin", []),
    ],
)
def test_text_is_found_by_its_words(harbour: Session, query: str, expected: list[str]) -> None:
    assert found(harbour, query, mode="text") == expected


def test_a_word_finds_its_other_forms(write_vault: WriteVault, open_vault: OpenVault) -> None:
    notes = {"1.md": "A ferry came.", "2.md": "He died.", "3.md": "A movie.", "4.md": "A hero."}
    session = open_vault(write_vault(notes | {"5.md": "O'Dara, unheard."}))
    session.call("sync", {})
    for number, query in enumerate(("ferries", "dies", "movies", "heroes", "O'Dara's"), start=1):
        assert found(session, query, mode="text") == [f"{number}.md"]


def test_a_word_with_an_ending_is_no_form_of_a_word_that_tells_nothing(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"1.md": "A red herring.", "2.md": "Her hat is on her."}))
    session.call("sync", {})
    assert found(session, "herring", mode="text") == ["1.md"]


def test_words_that_tell_nothing_are_left_out_unless_there_are_no_others(harbour: Session) -> None:
    assert found(harbour, "who was at the quay", mode="text") == [ONE]
    assert found(harbour, "whose", mode="text") == [THREE]


@pytest.mark.parametrize(
    "query",
    [
        *(
            '"',
            "'",
            "*",
            "**",
            '""',
            "AND",
            "NOT gulls",
            "NEAR(",
            "gulls OR",
            "text:gulls",
            "^gulls",
        ),
        *("-gulls", "gulls)", "(", "{heading}: x", "a\x00b", "%", "_", ";", "\\", "\u202e", "🜁"),
    ],
)
def test_no_query_is_syntax(harbour: Session, query: str) -> None:
    for mode in ("text", "hybrid"):
        assert "gulls" not in query or TWO in found(harbour, query, mode=mode)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(query=st.text(min_size=1, max_size=40))
@example(query="0\x1b1\U0002c709Ù")
def test_any_text_can_be_searched_for(meaning: Session, query: str) -> None:
    answer = search(meaning, query, limit=3, trace=True)
    assert len(answer["passages"]) <= 3
    assert all(0 <= passage["score"] <= 1 for passage in answer["passages"])


def test_an_empty_query_is_refused_and_a_blank_one_finds_nothing(harbour: Session) -> None:
    with pytest.raises(RequestError, match="query"):
        search(harbour, "")
    assert found(harbour, " \n ") == []


def test_a_huge_query_is_answered(meaning: Session) -> None:
    chance = random.Random(7)
    words = " ".join("".join(chance.choices("abcdefghij", k=6)) for _ in range(1_300))
    assert TWO in found(meaning, f"gulls {words}")
    with pytest.raises(RequestError, match="10000"):
        search(meaning, "x" * 10_001)


# -- Names -----------------------------------------------------------------------------------------


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


def notes_by_name(view: View) -> dict[str, set[str]]:
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
    for name, path in (*view.tuples(named), *view.tuples(titled)):
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
    positions = (1, 3, 14) if any_fixture.list_chapters() else ()
    for as_of in (None, *positions):
        with any_fixture.view(as_of) as view:
            called = notes_by_name(view)
        assert as_of or len(called) >= 15
        for name, notes in called.items():
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
    answer = search(session, "key of Ann Reed", trace=True)
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


# -- Vectors ---------------------------------------------------------------------------------------


def test_vectors_find_what_is_said_in_other_words(meaning: Session) -> None:
    assert found(meaning, "boat", mode="text") == []
    assert found(meaning, "boat", mode="vector", limit=1) == [THREE]
    assert found(meaning, "boat", limit=1) == [THREE]


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


def test_a_new_note_is_found_by_its_vector_at_once(meaning: Session) -> None:
    assert found(meaning, "infant", mode="vector", limit=1) != ["Notes/Cradle.md"]
    for path, text in (("Notes/Cradle.md", "The child slept.\n"), ("Notes/Cot.md", "child\n")):
        (meaning.root / path).write_text(text)
        meaning.call("sync", {})
        assert found(meaning, "infant", mode="vector", limit=1) == [path]


@pytest.mark.parametrize("as_of", [None, 2])
def test_who_asks_again_hears_what_somebody_else_hears(meaning: Session, as_of: int | None) -> None:
    asked = {"as_of": as_of, "limit": 50, "trace": True}
    for query in ("gulls at the quay", "Ann Reed", "qu*", "nets"):
        with with_meaning(meaning.root, meaning.database_url) as somebody:
            expected = search(somebody, query, **asked)
        assert [search(meaning, query, **asked) for _ in range(2)] == [expected] * 2
        assert expected["total"] > 0


def test_a_word_is_found_where_it_has_come_to_stand_since(harbour: Session) -> None:
    assert found(harbour, "screamed", mode="text") == [ONE]
    assert found(harbour, "screamed", mode="text", as_of=1) == [ONE]
    (harbour.root / ONE).write_text("Ann Reed walked to the quay.\n")
    (harbour.root / TWO).write_text("# Feathers\n\nBo Finch screamed.\n")
    harbour.call("sync", {})
    assert found(harbour, "screamed", mode="text") == [TWO]
    assert found(harbour, "screamed", mode="text", as_of=1) == []


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


# -- Order, pages, filters -------------------------------------------------------------------------


def test_pages_join_to_the_whole_list(novel: Session) -> None:
    query = "light on the tower"
    whole = search(novel, query, limit=500)
    assert whole["total"] == len(whole["passages"]) > 20
    pages = [search(novel, query, limit=7, offset=at) for at in range(0, whole["total"] + 7, 7)]
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


def test_a_deleted_note_is_not_served(harbour: Session) -> None:
    assert found(harbour, "vessel") == [THREE]
    (harbour.root / THREE).unlink()
    answer = search(harbour, "vessel")
    assert (answer["passages"], answer["total"]) == ([], 0)


# -- What is shown ---------------------------------------------------------------------------------


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


# -- Nothing leaks ---------------------------------------------------------------------------------


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


# -- search_by_entities with vectors ---------------------------------------------------------------


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
