"""What the vault's own words state: from keys, fields, canvases and prose, with proof, as of."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from writeros_entities.session import Session
from writeros_entities.story.asserted import evidence_of, load_relations
from writeros_entities.sync.synchronizer import Synchronizer

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench", ROOT / "benchmarks" / "relations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["bench"] = module
    spec.loader.exec_module(module)
    return module


def person(*lines: str, body: str = "") -> str:
    return "\n".join(["---", "type: person", *lines, "---", body])


def stated(session: Session, entity: str, as_of: int | None = None) -> set[str]:
    """Return the relations of an entity as `kind Other`."""
    answer = session.call("get_entity", {"entity": entity, "as_of": as_of}).model_dump()
    return {f"{each['kind']} {each['other']['name']}" for each in answer["entity"]["relations"]}


def proofs(session: Session, entity: str, as_of: int | None = None) -> dict[str, list[str]]:
    """Return the quotes for each relation of an entity."""
    with session.view(as_of) as view:
        ids = {row.id: row.name for row in view.all(view.entity.select())}
        (own,) = [number for number, name in ids.items() if name == entity]
        relations = load_relations(view, [own])
        found = evidence_of(view, [relation.id for relation in relations])
        return {
            f"{ids[row.source_id]} {row.kind} {ids[row.target_id]}": [
                f"{proof.path}:{proof.line} {proof.quote}" for proof in found[row.id]
            ]
            for row in relations
        }


@pytest.mark.usefixtures("closely")
def test_the_novel_is_read_as_its_author_meant_it(benchmark: ModuleType, tmp_path: Path) -> None:
    score, errors = benchmark.measure("novel", f"sqlite:///{tmp_path / 'index.sqlite3'}")
    assert score.precision >= 0.95
    assert score.recall >= 0.84
    page = (ROOT / "docs" / "quality.md").read_text("utf-8")
    assert f"| {score.right} | {score.wrong} | {score.missed} |" in page
    assert all(error.split(":")[0][2:] in page for error in errors)


def test_a_mapping_may_name_its_relation_beside_the_link(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person(
            "relationships:",
            '  - {person: "[[Bob]]", type: Sibling}',
            '  - person: "[[Eve]]"',
            "    since: always",
            "    relation: mother",
            "  - Role: captain",
            '    crew: "[[Heron]]"',
            '  - {who: "[[Kim]]", kind: shield of}',
        ),
        "Bob.md": person(),
        "Eve.md": person(),
        "Kim.md": person(),
        "Heron.md": "---\ntype: faction\nmembers:\n  - {name: '[[Kim]]', role: member}\n---\n",
    }
    session = open_vault(write_vault(vault), relation_keys={"shield of": "protects"})
    session.call("sync", {})
    assert proofs(session, "Ann") == {
        "Ann sibling_of Bob": ['Ann.md:4 - {person: "[[Bob]]", type: Sibling}'],
        "Eve parent_of Ann": [
            'Ann.md:5 - person: "[[Eve]]"\n    since: always\n    relation: mother'
        ],
        "Ann member_of Heron": ['Ann.md:8 - Role: captain\n    crew: "[[Heron]]"'],
        "Ann protects Kim": ['Ann.md:10 - {who: "[[Kim]]", kind: shield of}'],
    }
    assert stated(session, "Heron") == {"has_member Ann", "has_member Kim"}


def test_a_mapping_on_one_line_is_quoted_with_that_line_alone(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person('kin: [{person: "[[Bob]]", type: sibling}]') + "She waits.\n",
        "Bob.md": person("ties:", '  kin: {person: "[[Kim]]", type: sibling}', "  home: York"),
        "Kim.md": person(),
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert proofs(session, "Bob") == {
        "Ann sibling_of Bob": ['Ann.md:3 kin: [{person: "[[Bob]]", type: sibling}]'],
        "Bob sibling_of Kim": ['Bob.md:4 kin: {person: "[[Kim]]", type: sibling}'],
    }


def test_a_role_in_a_group_says_more_than_that_it_is_a_group(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person(
            "ties:",
            '  - {group: "[[Heron]]", role: captain}',
            '  - {organization: "[[Lamps]]", role: treasurer}',
        ),
        "Heron.md": "---\ntype: faction\n---\n",
        "Lamps.md": "---\ntype: faction\n---\n",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert stated(session, "Ann") == {"captain_of Heron", "member_of Lamps"}


def test_a_mapping_is_read_by_its_own_key_where_that_says_more(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person(
            "ties:",
            '  - {ally: "[[Bob]]", type: sibling}',
            '  - {person: "[[Eve]]", type: complicated}',
            '  - {one: "[[Kim]]", other: "[[Lee]]", type: sibling}',
            '  - {place: "[[Mill]]", role: mother}',
            '  - {character: "[[Max]]", role: protagonist}',
            'friend: "[[Max]]"',
            "teachers:",
            '  - {name: "[[Ida]]", since: 1910}',
            '  - {boss: "[[Abe]]", since: 1911}',
        ),
        **{f"{name}.md": person() for name in ("Bob", "Eve", "Kim", "Lee", "Max", "Ida", "Abe")},
        "Mill.md": "---\ntype: place\n---\n",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert stated(session, "Ann") == {
        "ally_of Bob",
        "person Eve",
        "one Kim",
        "other Lee",
        "place Mill",
        "friend_of Max",
        "student_of Ida",
        "works_at Abe",
    }


def test_a_word_in_the_same_text_as_a_link_says_what_the_link_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person(
            "connections:",
            '  - "family: [[Bob]] — younger brother"',
            '  - "rival: [[Eve]] — since the fire"',
            '  - "neutral: [[Kim]]"',
            "relationships:",
            "  - '[[Max]] (mentor)'",
            '  - "[[Ida|Ida]] - sister"',
            '  - "Once saved by [[Lee]]"',
            'father: "[[Abe]] (enemy)"',
        ),
        **{f"{name}.md": person() for name in ("Bob", "Eve", "Kim", "Lee", "Max", "Ida", "Abe")},
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert proofs(session, "Ann") == {
        "Ann sibling_of Bob": ['Ann.md:4 - "family: [[Bob]] — younger brother"'],
        "Ann rival_of Eve": ['Ann.md:5 - "rival: [[Eve]] — since the fire"'],
        "Max mentor_of Ann": ["Ann.md:8 - '[[Max]] (mentor)'"],
        "Ann sibling_of Ida": ['Ann.md:9 - "[[Ida|Ida]] - sister"'],
        "Abe parent_of Ann": ['Ann.md:11 father: "[[Abe]] (enemy)"'],
    }


def test_a_note_states_what_it_says_once_a_link_makes_it_an_entity(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Elan.md": "ally:: [[Mara]]\n", "Mara.md": "Mara sang.\n"})
    session = open_vault(root)
    session.call("sync", {})
    assert stated(session, "Mara") == set()
    write_vault({"Book/02 - Fog.md": "[[Elan]] rose.\n"})
    session.call("sync", {})
    assert stated(session, "Mara") == {"ally_of Elan"}


@pytest.mark.usefixtures("closely")
def test_a_chapter_names_whose_relatives_people_are(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    people = ("Hope Marrow", "Tobias Wren")
    chapter = (
        "Hope Marrow had lost her gloves. Hope Marrow had never told her uncle Tobias Wren of it.\n"
    )
    vault = {f"People/{name}.md": person() for name in people}
    session = open_vault(write_vault({**vault, "Manuscript/Chapter 1.md": chapter}))
    session.call("sync", {})
    assert stated(session, "Hope Marrow") == {"niece_or_nephew_of Tobias Wren"}


def test_a_key_is_read_from_both_ends(write_vault: WriteVault, open_vault: OpenVault) -> None:
    vault = {
        "Ann.md": person('mother: "[[Eve]]"', 'siblings: ["[[Bob]]"]'),
        "Bob.md": person(body="lives in:: [[Mill]]"),
        "Eve.md": person('children: ["[[Ann]]"]'),
        "Mill.md": "---\ntype: place\nowner: '[[Eve]]'\n---\n",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert stated(session, "Ann") == {"child_of Eve", "sibling_of Bob"}
    assert stated(session, "Eve") == {"parent_of Ann", "owns Mill"}
    assert stated(session, "Bob") == {"sibling_of Ann", "lives_in Mill"}
    assert stated(session, "Mill") == {"home_of Bob", "owned_by Eve"}


def test_a_key_and_its_inverse_bear_out_one_relation(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person('mother: "[[Eve]]"'),
        "Eve.md": person("children:", '  - "[[Ann]]"'),
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert proofs(session, "Ann") == {
        "Eve parent_of Ann": ['Ann.md:3 mother: "[[Eve]]"', 'Eve.md:4 - "[[Ann]]"']
    }
    with session.view() as view:
        (relation,) = load_relations(view)
    assert (relation.confidence, relation.strength, relation.evidence_count) == (0.95, 0.975, 2)


def test_an_unknown_key_is_a_kind_of_its_own(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person('Sworn Shield Of: "[[Eve]]"', body="first dance:: [[Bob]]"),
        "Bob.md": person(),
        "Eve.md": person(),
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert stated(session, "Ann") == {"sworn_shield_of Eve", "first_dance Bob"}
    assert stated(session, "Eve") == {"has_sworn_shield Ann"}
    assert stated(session, "Bob") == {"is_first_dance_of Ann"}


def test_a_setting_says_what_a_writers_key_means(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person('shield: "[[Eve]]"', 'theme: "[[Eve]]"', 'muse: "[[Eve]]"'),
        "Eve.md": person(),
    }
    keys = {"shield": "protected by", "theme": "loves", "muse": "none"}
    session = open_vault(write_vault(vault), relation_keys=keys)
    session.call("sync", {})
    assert stated(session, "Ann") == {"protected_by Eve", "loves Eve"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(person(body="- [[Eve]]\n- [[Bob]]\n\nSee [[Eve]]."), id="bullets and links"),
        pytest.param(person('related: ["[[Eve]]"]', 'tags: ["[[Eve]]"]'), id="keys of the note"),
        pytest.param(person('mother: "[[Ann]]"'), id="oneself"),
        pytest.param('---\nchapter: 1\npov: "[[Eve]]"\nally: "[[Bob]]"\n---\n', id="a scene"),
        pytest.param(person(body="ally:: ![[Eve]]"), id="an embed"),
    ],
)
def test_no_relation_is_made_of(text: str, write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault({"Ann.md": text, "Eve.md": person(), "Bob.md": person()}))
    session.call("sync", {})
    with session.view() as view:
        assert load_relations(view) == []


def test_a_link_that_leads_nowhere_may_name_somebody(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person('ally: "[[Evie]]"', 'enemy: "[[Nobody Yet]]"'),
        "Eve.md": person("aliases: [Evie]"),
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert stated(session, "Ann") == {"ally_of Eve", "enemy_of Nobody Yet"}


def test_a_note_for_a_linked_name_keeps_its_relations(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Ann.md": person('enemy: "[[Zed]]"')})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Zed.md").write_text(person('mother: "[[Ann]]"'), "utf-8")
    session.call("sync", {})
    assert stated(session, "Ann") == {"enemy_of Zed", "parent_of Zed"}
    (root / "Zed.md").rename(root / "Zedekiah.md")
    (root / "Ann.md").write_text(person('enemy: "[[Zedekiah]]"'), "utf-8")
    session.call("sync", {})
    assert stated(session, "Ann") == {"enemy_of Zedekiah", "parent_of Zedekiah"}
    (root / "Zedekiah.md").unlink()
    session.call("sync", {})
    assert stated(session, "Ann") == {"enemy_of Zedekiah"}


def test_a_labelled_edge_is_quoted_from_the_canvas(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    canvas = {
        "nodes": [
            {"id": "a", "type": "file", "file": "Ann.md"},
            {"id": "b", "type": "file", "file": "Bob.md"},
            {"id": "t", "type": "text", "text": "[[Bob]]"},
        ],
        "edges": [
            {"id": "1", "fromNode": "a", "toNode": "b", "label": "mother of"},
            {"id": "2", "fromNode": "a", "toNode": "b"},
            {"id": "3", "fromNode": "t", "toNode": "a", "label": "hates"},
            {"id": "4", "fromNode": "a", "toNode": "b", "label": "fears", "fromEnd": "arrow",
             "toEnd": "none"},
        ],
    }  # fmt: skip
    text = json.dumps(canvas, indent=1)
    root = write_vault({"Ann.md": person(), "Bob.md": person(), "Web.canvas": text})
    session = open_vault(root)
    session.call("sync", {})
    found = proofs(session, "Ann")
    assert found.keys() == {"Ann parent_of Bob", "Bob fears Ann"}
    (quote,) = found["Ann parent_of Bob"]
    place, _, words = quote.partition(" ")
    line = text[: text.index('"id": "1"')].count("\n")
    assert place == f"Web.canvas:{line}"
    assert json.loads(words) == canvas["edges"][0]


@pytest.mark.usefixtures("closely")
def test_who_is_meant_is_settled_by_the_reading_position(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person(),
        "Dora.md": person("visible_from: 1"),
        "1.md": "---\nchapter: 1\n---\nAnn and Dora sat down. Ann, sister of Heron, rose.",
        "2.md": "---\nchapter: 2\n---\n[[Dora|Heron]] sang.",
        "3.md": "---\nchapter: 3\n---\nAnn, sister of Dora, rose.",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert stated(session, "Ann", as_of=1) == set()
    assert proofs(session, "Ann", as_of=2) == {
        "Ann sibling_of Dora": ["1.md:4 Ann, sister of Heron"]
    }
    assert proofs(session, "Ann", as_of=3) == {
        "Ann sibling_of Dora": ["1.md:4 Ann, sister of Heron", "3.md:4 Ann, sister of Dora"]
    }


@pytest.mark.usefixtures("closely")
def test_what_evidence_adds_up_to_depends_on_what_may_be_seen(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person('siblings: ["[[Dora]]"]'),
        "Dora.md": person(),
        "1.md": "---\nchapter: 1\n---\nAnn and Dora sat down.",
        "2.md": "---\nchapter: 2\n---\nAnn, sister of Dora, rose.",
        "4.md": "---\nchapter: 4\n---\n“Ann is the sister of Dora,” he said.",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    worth = {}
    for as_of in (1, 2, 4, None):
        with session.view(as_of) as view:
            worth[as_of] = [
                (
                    row.confidence,
                    row.strength,
                    row.first_position,
                    row.last_position,
                    row.evidence_count,
                )
                for row in load_relations(view)
            ]
    assert worth == {
        1: [],
        2: [(0.9, 0.9, 2, 2, 1)],
        4: [(0.9, 0.95, 2, 4, 2)],
        None: [(0.95, 0.9833, 2, 4, 3)],
    }


def test_a_saved_note_states_only_what_it_now_says(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Ann.md": person('ally: "[[Bob]]"'), "Bob.md": person('ally: "[[Ann]]"')})
    session = open_vault(root)
    synchronizer = Synchronizer(session)
    synchronizer.sync()
    (root / "Ann.md").write_text(person('enemy: "[[Bob]]"'), "utf-8")
    synchronizer.sync_paths(["Ann.md"])
    assert proofs(session, "Ann").keys() == {"Ann ally_of Bob", "Ann enemy_of Bob"}
    (root / "Bob.md").write_text(person(), "utf-8")
    synchronizer.sync_paths(["Bob.md"])
    assert proofs(session, "Ann").keys() == {"Ann enemy_of Bob"}


@pytest.mark.usefixtures("closely")
def test_a_history_stays_when_only_the_other_ends_is_told_anew(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Ann.md": person(),
        "Bob.md": person(),
        "1.md": "---\nchapter: 1\n---\nAnn and Bob rose.",
        "2.md": "---\nchapter: 2\n---\nBob was killed by Ann.",
    }
    root = write_vault(vault)
    session = open_vault(root)
    session.call("sync", {})
    told = [
        (1, "first appears, as Bob"),
        (2, "was killed by Ann"),
        (2, "dead"),
    ]
    assert history(session, "Bob") == told
    (root / "3.md").write_text("---\nchapter: 3\n---\nLady [[Ann|Marlow]] rose.", "utf-8")
    session.call("sync", {})
    assert history(session, "Bob") == told
    assert history(session, "Ann") == [
        (1, "first appears, as Ann"),
        (2, "killed Bob"),
        (3, "is called Marlow"),
    ]


@pytest.mark.usefixtures("closely")
def test_what_ends_and_what_a_section_tells_is_history(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = {
        "Guild.md": "---\ntype: faction\n---\n",
        "Marlow.md": "---\ntype: faction\nvisible_from: always\n---\nOld.\n\n## Fall\n\n"
        "visible_from:: 3\n\nIt falls.\n\nstatus:: bankrupt\nheirs:: none\n",
        "1.md": "---\nchapter: 1\n---\nMarlow is allied with Guild.",
        "2.md": "---\nchapter: 2\n---\nMarlow is the enemy of Guild.",
        "3.md": "---\nchapter: 3\n---\nRain.",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert history(session, "Marlow") == [
        (1, "first appears, as Marlow"),
        (1, "is an ally of Guild"),
        (2, "is an enemy of Guild"),
        (2, "ends: is an ally of Guild"),
        (3, "more is told in the section Fall"),
        (3, "bankrupt"),
        (3, "heirs: none"),
    ]
    assert history(session, "Marlow", as_of=1) == [
        (1, "first appears, as Marlow"),
        (1, "is an ally of Guild"),
    ]


def history(session: Session, entity: str, as_of: int | None = None) -> list[tuple[int, str]]:
    answer = session.call("get_entity_history", {"entity": entity, "as_of": as_of}).model_dump()
    return [(change["since"], change["text"]) for change in answer["changes"]]


def test_an_evolution_counts_chapters_and_absences(novel: Session) -> None:
    answer = novel.call(
        "analyze_entity_evolution", {"entity": "Lin Yue", "to_position": 13}
    ).model_dump()
    assert [(chapter["position"], chapter["mentions"]) for chapter in answer["chapters"]] == [
        (6, 5),
        (8, 1),
        (11, 1),
        (12, 5),
    ]
    assert answer["absences"] == [
        {"first": 7, "last": 7},
        {"first": 9, "last": 10},
        {"first": 13, "last": 13},
    ]
    assert (answer["peak_position"], answer["mention_count"]) == (6, 12)


def test_what_a_filter_leaves_nothing_of_is_not_said_of_all(novel: Session) -> None:
    before = novel.call("analyze_entity_evolution", {"entity": "Lin Yue", "to_position": 5})
    assert before.as_text() == "Lin Yue is in none of the chapters asked for."
    ends = novel.call("get_entity_history", {"entity": "Lin Yue", "kinds": "relationship_ended"})
    assert ends.as_text() == "No change of Lin Yue is told."


def test_the_sheet_is_bounded(novel: Session) -> None:
    answer: dict[str, Any] = novel.call(
        "get_entity", {"entity": "Isolde Marrow", "relations": 2}
    ).model_dump()["entity"]
    assert len(answer["relations"]) == 2
    assert answer["relation_count"] == 9


def test_nobody_is_based_in_a_person(write_vault: WriteVault, open_vault: OpenVault) -> None:
    notes = {
        "NPCs/Fenn.md": person(),
        "NPCs/Pip.md": person('location: "[[Fenn|with Fenn]]"', 'ally: "[[Fenn]]"'),
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = session.call("get_entity", {"entity": "Pip"}).model_dump()["entity"]["relations"]
    assert [(one["kind"], one["other"]["name"]) for one in found] == [("ally_of", "Fenn")]


def test_who_works_with_somebody_is_not_employed_by_her(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {"NPCs/Fenn.md": person(), "NPCs/Pip.md": person(body="- Works with [[Fenn]]\n")}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = session.call("get_entity", {"entity": "Fenn"}).model_dump()["entity"]["relations"]
    assert [(one["kind"], one["other"]["name"]) for one in found] == [("works_with", "Pip")]
