"""Nothing leaks: an answer as of a chapter is that of a vault whose later chapters are not written.

The novel is cut off behind some of its chapters, and each capability that reads the index is asked
the same of the cut copy and of the whole novel, both as of that chapter. The answers are equal as
JSON, entity ids put aside: they are given in the order in which entities come up.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import (
    NotFoundError,
    RequestError,
    StoreError,
    WriterosError,
)
from writeros_entities.session import Session

from ..conftest import OpenVault
from ..databases import ENGINES, ONE_ENGINE, Databases

WriteVault = Callable[[dict[str, str]], Path]

NOVEL = Path(__file__).parents[2] / "vault_fixtures" / "novel"
CHAPTERS = sorted(path.name for path in (NOVEL / "Manuscript").iterdir())

MACHINE = ("vault", "database", "database_bytes", "revision", "last_sync", "writer")
"""What `status` says of the machine and of the index's history."""

NAMES = (
    *("Isolde Marrow", "Izzy", "Miss Marrow", "Marrow", "Gannet", "Marguerite Marrow"),
    *("Captain Vane", "Tobias Wren", "Old Tobias", "Wren", "Hope", "林月", "O'Dara"),
    *("Søren Hald", "Harrowmouth", "Salt Road Inn", "House Marrow", "Lanterns", "Cormorant"),
    *("The Drowned Bell", "Brother Anselm", "Night of Five Wrecks", "Timeline"),
)
"""One of each kind: whole, short, shared and foreign names, titles, those that are revealed later,
those without a note, and that of a note about nobody.
"""

PASSAGE = (
    "The Gannet was Marguerite Marrow, said Old Tobias Wren. Hope Wren and Lin Yue (林月) met "
    "Captain Vane and Izzy at the Salt Road Inn; Perrin told the Lanterns at Gallows Point of the "
    "Tide Ledger, and the Night of Five Wrecks, and The Drowned Bell. Who is Wat Sallow?"
)
PAIRS = (
    ["Isolde Marrow", "Aldous Marrow"],
    ["Marguerite Marrow", "Ilse Vane"],
    ["Gannet", "Hope"],
    ["Toby", "Old Tobias"],
    ["Lin Yue", "Harrowmouth"],
    ["House Marrow", "Lantern Guild"],
)
QUESTIONS = (
    "Who did the murder at the lighthouse, and who is behind the beak?",
    '"the light was ours" glov* 林月',
    "taken prisoner on the waterfront",
    "Who is the Gannet, and what has Marguerite Marrow to do with Old Tobias Wren?",
    "Why did Lady Marow hide the Tide Ledger from Hope Wren?",
    "Vantry",
)


POSITIONS = (5, 11)
CUTS = [("sqlite", position) for position in POSITIONS]
"""Where the novel is cut off: in each half.

That PostgreSQL answers alike is known by `test_equal_answers`.
"""


@dataclass(frozen=True)
class Cut:
    """The novel up to a chapter: its index, the sentences that only later chapters hold, and the
    questions with what the whole novel answers as of that chapter.
    """

    position: int
    session: Session
    later: str
    answered: list[tuple[str, dict[str, Any], Any]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cut the novel off; ask for positions beyond all numbers on every engine."""
    if "cut" in metafunc.fixturenames:
        metafunc.parametrize(("databases", "cut"), CUTS, indirect=True, scope="session")
    elif "databases" in metafunc.fixturenames:
        engines = ENGINES if "beyond" in metafunc.fixturenames else ONE_ENGINE
        metafunc.parametrize("databases", engines, indirect=True, scope="session")


@pytest.fixture(scope="session")
def databases(request: pytest.FixtureRequest) -> Databases:
    """Give out databases of the engine that a test is for."""
    databases: Databases = request.getfixturevalue(f"{request.param}_databases")
    return databases


@pytest.fixture(scope="session")
def cut(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    databases: Databases,
) -> Iterator[Cut]:
    """Return the novel without the chapters behind one, synced."""
    novel: Session = request.getfixturevalue(f"{databases.name}_novel")
    position: int = request.param
    folder = tmp_path_factory.mktemp(f"as-of-{position}-")
    root = folder / "novel"
    shutil.copytree(NOVEL, root)
    later = []
    for name in CHAPTERS[position:]:
        later.append((root / "Manuscript" / name).read_text("utf-8"))
        (root / "Manuscript" / name).unlink()
    with Session.open(root, database=databases.create()) as session:
        session.call("sync", {})
        asked = questions(position)
        answered = [(name, arguments, ask(novel, name, **arguments)) for name, arguments in asked]
        yield Cut(position, session, "\n".join(later), answered)


def ask(session: Session, name: str, **arguments: Any) -> Any:
    """Return an answer as data, or what the error says."""
    try:
        return session.call(name, arguments).model_dump(mode="json")
    except WriterosError as error:
        return {"error": type(error).__name__, "message": str(error)}


class Ids:
    """Replaces ids of entities by their names and the paths of their notes, which last."""

    def __init__(self, session: Session) -> None:
        with session.view() as view:
            entity = view.entity
            rows = view.all(entity.select())
        self._names = {row.key: f"<{row.name} {row.type} {row.status}>" for row in rows}

    def name(self, answer: Any) -> str:
        """Return an answer as JSON, with names for ids."""
        text = json.dumps(answer, ensure_ascii=False, indent=1)
        return re.sub(r"\be[0-9a-f]{12}\b", lambda found: self._names.get(found[0], found[0]), text)


def questions(position: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every question that is asked as of a chapter.

    Each name, pair and question is asked for at one of the cuts.
    """
    as_of = {"as_of": position}
    cut = POSITIONS.index(position)
    pairs, asked = PAIRS[cut::2], QUESTIONS[cut::2]
    for order in ("mentions", "name", "first"):
        yield "list_entities", as_of | {"order": order, "limit": 500}
    yield "list_entities", as_of | {"containing": "Marrow", "limit": 500}
    yield "list_entities", as_of | {"types": ["person"], "statuses": ["noted"], "limit": 500}
    yield "status", as_of
    yield "list_notes", as_of
    yield "doctor", as_of | {"severity": "info", "limit": 500}
    yield "list_questions", as_of | {"limit": 500}
    for include_unknown in (True, False):
        yield (
            "extract_entities",
            as_of | {"text": PASSAGE, "include_unknown": include_unknown, "group_by_type": True},
        )
    for name in NAMES[cut::2]:
        yield "get_entity", as_of | {"entity": name}
        yield "find_mentions", as_of | {"entity": name, "limit": 500}
        yield "get_family_tree", as_of | {"entity": name, "generations": 7}
        yield "find_uses", as_of | {"entity": name, "renamed_to": "Isolde", "limit": 500}
        yield "get_entity_history", as_of | {"entity": name, "limit": 500}
        yield "analyze_entity_evolution", as_of | {"entity": name, "limit": 500}
        yield (
            "search_by_entities",
            as_of | {"entities": [name], "top_k": 50, "min_score": 0.0, "include_content": True},
        )
        yield "search", as_of | {"query": name, "limit": 50, "trace": True, "include_content": True}
        yield "find_related_notes", as_of | {"note": name, "limit": 50}
        yield "who_knows", as_of | {"about": name, "limit": 500}
        yield "describe_voice", as_of | {"entity": name}
        yield "read_note", as_of | {"note": name}
        yield "list_note_entities", as_of | {"note": name, "include_text": True}
    for question in asked:
        yield "search", as_of | {"query": question, "limit": 50, "trace": True}
    for strategy in ("usage", "recency", "narrative", "relevance"):
        yield "build_context", as_of | {"entities": PAIRS[0], "strategy": strategy}
    yield "context_for_text", as_of | {"text": PASSAGE, "query": QUESTIONS[0], "max_entities": 12}
    for name, question in zip(NAMES[cut * 3 :: 7], asked, strict=False):
        told = {"query": question, "max_tokens": 600}
        yield "build_context", as_of | told | {"entities": [name]}
    for scene in (position, 1, "Salt Road"):
        yield "brief_scene", as_of | {"scene": scene, "max_tokens": 6_000, "quiet_chapters": 2}
    for cast in pairs:
        asked_of = {"cast": cast, "place": "Harrowmouth", "max_tokens": 6_000, "quiet_chapters": 2}
        yield "brief_scene", as_of | asked_of
        yield "brief_scene", asked_of | {"after": position}
    for name in NAMES[cut * 3 :: 6]:
        yield "get_entity_graph", as_of | {"center_entity": name, "evidence": 1, "limit": 20}
        yield "get_relationship_timeline", as_of | {"entity": name}
    yield "get_entity_graph", as_of | {"max_nodes": 500, "min_relation_score": 0, "limit": 500}
    yield "get_entity_graph", as_of | {"include_counts": True, "include_topics": True}
    for form in ("mermaid", "canvas", "graphml"):
        yield "get_entity_graph", as_of | {"format": form, "min_relation_score": 0.1}
    yield "check_continuity", as_of | {"min_confidence": 0, "limit": 500}
    for resolution in (0.5, 2.0):
        yield "find_communities", as_of | {"resolution": resolution, "min_size": 1}
    for entities in pairs:
        yield "find_paths", as_of | {"entities": entities, "limit": 20}
        yield "get_relationship_timeline", as_of | {"entity": entities[0], "other": entities[1]}
    for question in asked:
        yield "who_knows", as_of | {"about": question, "limit": 500}
        yield (
            "reason_over_entities",
            as_of | {"query": question, "top_k": 50, "include_content": True},
        )
        yield (
            "reason_over_entities",
            as_of | {"query": question, "max_hops": 4, "min_relationship_strength": 0.1},
        )
    for pair in (["Isolde", "Aldous"], ["Gannet", "Old Tobias"], ["Hope", "Tobias Wren"]):
        for mode in ("any", "all"):
            yield (
                "search_by_entities",
                as_of | {"entities": pair, "match_mode": mode, "top_k": 50, "min_score": 0.0},
            )


def without_machine(answer: Any) -> Any:
    return {key: value for key, value in answer.items() if key not in MACHINE}


def test_every_answer_is_that_of_the_vault_without_the_later_chapters(
    cut: Cut, novel: Session
) -> None:
    of_cut, of_whole = Ids(cut.session), Ids(novel)
    for name, arguments, answer in cut.answered:
        expected = of_cut.name(without_machine(ask(cut.session, name, **arguments)))
        assert of_whole.name(without_machine(answer)) == expected, (name, arguments)


def test_no_answer_quotes_what_only_later_chapters_say(cut: Cut) -> None:
    earlier = "\n".join(
        file.read_text("utf-8", "replace") for file in sorted(cut.session.root.rglob("*.md"))
    )
    sentences = {
        sentence.strip()
        for sentence in re.split(r"[.!?\n]+", cut.later)
        if len(sentence.split()) >= 4 and sentence.strip() not in earlier
    }
    for name, arguments, answer in cut.answered:
        if name == "extract_entities":
            continue  # its answer quotes the question
        told = json.dumps(answer, ensure_ascii=False)
        assert not [sentence for sentence in sentences if sentence in told], (name, arguments)


def test_the_titles_of_later_chapters_are_in_no_list(cut: Cut, novel: Session) -> None:
    later = {name.removesuffix(".md") for name in CHAPTERS[cut.position :]}
    for name in NAMES:
        answer = ask(novel, "get_entity", entity=name, as_of=cut.position)
        notes = (answer.get("entity") or {"notes": []})["notes"]
        assert not later & {note["title"] for note in notes}


@pytest.mark.parametrize("beyond", [2**31, 10**30, str(10**30)])
def test_a_position_beyond_all_numbers_is_the_end_of_the_manuscript(
    novel: Session, beyond: int | str
) -> None:
    at_the_end = ask(novel, "list_entities", as_of=14, limit=500)
    assert ask(novel, "list_entities", as_of=beyond, limit=500) == at_the_end
    assert ask(novel, "list_entities", as_of=-(10**30), limit=500) == ask(
        novel, "list_entities", as_of=0, limit=500
    )


@pytest.mark.parametrize(
    ("capability", "arguments", "what"),
    [
        ("list_entities", {"as_of": 7}, "chapter '7'"),
        ("search", {"query": "Ann", "as_of": "7"}, "chapter '7'"),
        ("get_entity", {"entity": "Ann", "as_of": "Fog"}, "chapter 'Fog'"),
        ("brief_scene", {"scene": 7}, "note '7'"),
    ],
)
def test_a_vault_in_which_nothing_has_a_place_says_so(
    write_vault: WriteVault,
    open_vault: OpenVault,
    capability: str,
    arguments: dict[str, Any],
    what: str,
) -> None:
    session = open_vault(write_vault({"Ann.md": "Ann ran.", "Fog.md": "[[Ann]] slept."}))
    session.call("sync", {})
    message = (
        f"There is no {what}. No note of this vault has a place in reading order. Number the "
        "chapters, in their properties (`chapter: 7`) or in their names (`07 - Fog.md`), list "
        'them in a Longform project, or link each to the next (`next: "[[Fog]]"`); of a campaign, '
        "number or date the sessions (`Session 7.md`). Chapters that are headings in one note need "
        "a note each. Then sync."
    )
    with pytest.raises(NotFoundError, match=f"^{re.escape(message)}$"):
        session.call(capability, arguments)


def test_one_chapter_makes_an_order(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault({"Ann.md": "Ann ran.", "01 - Fog.md": "[[Ann]] slept."}))
    session.call("sync", {})
    answer = session.call("list_entities", {"as_of": 7}).model_dump()
    assert [one["name"] for one in answer["entities"]] == ["Ann"]


def test_nobody_is_told_to_number_chapters_before_the_first_sync(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"01 - Fog.md": "[[Ann]] slept."}))
    for capability, arguments in (("list_entities", {"as_of": 7}), ("brief_scene", {"scene": 1})):
        with pytest.raises(StoreError, match=r"^The vault has not been read yet\. Run sync first"):
            session.call(capability, arguments)


@pytest.mark.parametrize(
    ("capability", "arguments"),
    [
        ("get_entity", {"entity": "Ann"}),
        ("search", {"query": "fog"}),
        ("check_continuity", {}),
        ("build_context", {"entities": ["Ann"]}),
    ],
)
def test_before_the_first_sync_nothing_is_taken_for_an_answer(
    write_vault: WriteVault, open_vault: OpenVault, capability: str, arguments: dict[str, Any]
) -> None:
    session = open_vault(write_vault({"01 - Fog.md": "[[Ann]] slept."}))
    with pytest.raises(StoreError, match="Run sync first"):
        session.call(capability, arguments)
    assert session.call("status", {}).model_dump()["last_sync"] is None
    assert "PostgreSQL" in session.call("extract_entities", {"text": "PostgreSQL"}).as_text()


def test_an_empty_vault_that_was_synced_has_no_entities(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({}))
    session.call("sync", {})
    assert session.call("list_entities", {}).model_dump()["total"] == 0


@pytest.mark.parametrize("capability", ["list_entities", "check_continuity", "status"])
@pytest.mark.parametrize("as_of", [True, False])
def test_true_is_no_reading_position(novel: Session, capability: str, as_of: bool) -> None:
    with pytest.raises(RequestError, match=r": as_of: (true|false) is not a valid value"):
        novel.call(capability, {"as_of": as_of})


@pytest.mark.parametrize(
    ("capability", "arguments"),
    [("list_entities", {"limit": True}), ("brief_scene", {"scene": True})],
)
def test_true_is_no_number_of_anything(
    novel: Session, capability: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(RequestError, match="true is not a valid value"):
        novel.call(capability, arguments)


def test_before_the_first_page_only_what_is_always_visible_is_known(novel: Session) -> None:
    answer = ask(novel, "list_entities", as_of=0, limit=500)
    assert {item["name"] for item in answer["entities"]} == {
        "Harrowmouth",
        "Salt Road",
        "House Marrow",
        "Lantern Guild",
        "Tidewardens",
    }


def test_the_end_of_the_manuscript_still_hides_the_notes_that_know_more(novel: Session) -> None:
    paths = {
        mention["path"]
        for mention in ask(novel, "find_mentions", entity="Isolde Marrow", as_of=14, limit=500)[
            "mentions"
        ]
    }
    assert not any(path.startswith("Notes/") for path in paths)
    assert "Characters/Marguerite Marrow.md" in {
        note["path"]
        for note in ask(novel, "get_entity", entity="Marguerite Marrow", as_of=5)["entity"]["notes"]
    }


@pytest.mark.parametrize(
    "key", ["visible_from", "visible-from", "Visible from", "visibleFrom", "VisibleFrom"]
)
def test_from_where_a_note_or_section_may_be_seen_is_said_in_any_spelling(
    write_vault: WriteVault, open_vault: OpenVault, key: str
) -> None:
    keep = f"---\n{key}: 1\n---\nA keep of stone.\n\n## Fall\n\n{key}:: 2\n\nIt burned one night.\n"
    chapters = {f"0{number} - Day.md": "Rain fell.\n" for number in (1, 2)}
    session = open_vault(write_vault({"The Keep.md": keep, **chapters}))
    session.call("sync", {})

    def found(query: str, as_of: int) -> list[str]:
        passages = ask(session, "search", query=query, as_of=as_of)["passages"]
        return [one["path"] for one in passages]

    assert found("stone", 1) == ["The Keep.md"]
    assert found("burned", 1) == []
    assert found("burned", 2) == ["The Keep.md"]


def test_a_claim_above_all_headings_is_the_whole_notes(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    chapters = {f"0{number}.md": f"---\nchapter: {number}\n---\nIt rained.\n" for number in (1, 2)}
    notes = {
        "Ann.md": "visible_from:: [[02]]\n\nShe is a quillfeather.\n",
        "Ben.md": "%% a plan %%\n\n## Secret\n\nvisible_from:: [[02]]\n\nHe is a quillfeather.\n",
    }
    session = open_vault(write_vault(chapters | notes))
    session.call("sync", {})
    seen = [
        {
            one["path"]
            for one in ask(session, "search", query="quillfeather", as_of=chapter)["passages"]
        }
        for chapter in (1, 2)
    ]
    assert seen == [set(), {"Ann.md", "Ben.md"}]


def test_how_sure_a_mention_is_and_why_does_not_tell_of_who_else_is_called_so_later(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\ntype: person\naliases: [the Grey Lady]\n---\n"
    other = "---\ntype: person\n---\n## Mask\n\nvisible_from:: [[02]]\n\nalias:: the Grey Lady\n"
    people = {"People/Ulla Thorn.md": sheet, "People/Bea Ash.md": other}
    chapter = {"Book/01.md": "Ulla Thorn came home. The Grey Lady wept.\n"}
    session = open_vault(write_vault(people | chapter))

    def told(as_of: int) -> list[tuple[str, float, str | None, int]]:
        answer = ask(session, "find_mentions", entity="Ulla Thorn", below="Book", as_of=as_of)
        return [
            (one["surface"], one["confidence"], one["reason"], len(one["alternatives"]))
            for one in answer["mentions"]
        ]

    session.call("sync", {})
    name = ("Ulla Thorn", 1.0, None, 0)
    assert told(1) == [name, ("The Grey Lady", 0.95, None, 0)]
    write_vault({"Book/02.md": "Bea Ash put on the mask.\n"})
    session.call("sync", {})
    assert told(1) == [name, ("The Grey Lady", 0.95, None, 0)]
    reason = "'Ulla Thorn' stands before it; by its alias"
    assert told(2) == [name, ("The Grey Lady", 1.0, reason, 1)]
