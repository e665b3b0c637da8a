"""`brief_scene`: what to know for a scene, as of the scene, within its tokens."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.session import Session

from .conftest import OpenVault, WriteVault

ALWAYS = "visible_from: always"

TIDE = {
    "Cast/Ann Reed.md": f"---\ntype: person\ngender: female\naliases: [Nan]\n{ALWAYS}\n---\n"
    "# Ann Reed\n\nAnn Reed mends nets.\n\nborn:: 1861\n",
    "Cast/Bo Finch.md": f"---\ntype: person\ngender: male\n{ALWAYS}\n---\nBo Finch counts gulls.\n",
    "Cast/Cy Marsh.md": "---\ntype: person\ngender: male\n---\nCy Marsh is a traitor.\n",
    "Places/Quay.md": f"---\ntype: place\n{ALWAYS}\n---\nStone.\n",
    "Items/Lamp.md": f"---\ntype: item\n{ALWAYS}\n---\nBrass.\n",
    "Book/01 - Low Tide.md": '---\nlocation: "[[Quay]]"\n---\nAnn Reed, sister of Bo Finch, walked '
    "along the Quay. Bo Finch had the Lamp. The Lamp was out.\n\n"
    '"The tide is out, and so are the boats," said Ann Reed. "We wait."\n',
    "Book/02 - Rope.md": "Cy Marsh sold rope. Ann Reed hid the brass whistle under a stone. She "
    "would need that whistle.\n\n"
    '"You are late again, Ann, and you know it," said Cy Marsh.\n',
    "Book/03 - Gulls.md": "Bo Finch counted gulls until dark.\n",
    "Book/04 - High Tide.md": '---\npov: "[[Bo Finch]]"\ncharacters: ["[[Ann Reed]]", '
    '"[[Bo Finch]]"]\nlocation: "[[Quay]]"\ntime: dusk\n---\nNan came down to the water. Bo Finch '
    'was there.\n\n"Cy Marsh has been asking for you," said Bo Finch.\n',
    "Book/05 - After.md": "Ann Reed married Cy Marsh. Bo Finch died. The Lamp burned.\n",
}

BRIEF = """\
# 04 - High Tide

Book/04 - High Tide.md, place 4 in reading order. Place: Quay. Time: dusk.

## Cast

**Bo Finch** (person, viewpoint).
- Bo Finch counts gulls. (Cast/Bo Finch.md:6)
- gender: male (Cast/Bo Finch.md:3)
- Last named in 03 - Gulls: “Bo Finch counted gulls until dark.” (Book/03 - Gulls.md:1)

**Ann Reed** (person, listed). Also called Nan.
- Ann Reed mends nets. (Cast/Ann Reed.md:9)
- gender: female (Cast/Ann Reed.md:3)
- Last named in 02 - Rope: “Ann Reed hid the brass whistle under a stone.” (Book/02 - Rope.md:1)
- since 4: is called Nan (Book/04 - High Tide.md:7)

## Between them

- Bo Finch and Ann Reed: Bo Finch is a sibling of Ann Reed (Book/01 - Low Tide.md:4). \
Last named together “Ann Reed, sister of Bo Finch, walked along the Quay.” (Book/01 - Low Tide.md:4)

## Open threads

- Lamp (item) is told of in 1, and not since: “The Lamp was out.” (Book/01 - Low Tide.md:4)
- “whistle” is set up here, and does not come up again. “She would need that whistle.” \
(Book/02 - Rope.md:1)

## Voices

- Bo Finch: "Cy Marsh has been asking for you," (Book/04 - High Tide.md:9)
- Ann Reed: "The tide is out, and so are the boats," — "We wait." (Book/01 - Low Tide.md:6)"""

Shared = Callable[..., Session]


def brief(session: Session, scene: int | str, **arguments: Any) -> dict[str, Any]:
    """Return a brief as data."""
    asked = {"scene": scene, "token_counter": "characters", **arguments}
    return session.call("brief_scene", asked).model_dump()


def test_a_brief_tells_what_to_know_for_a_scene(shared: Shared) -> None:
    assert shared(TIDE).call("brief_scene", {"scene": 4}).as_text() == BRIEF


@pytest.mark.parametrize(
    "scene", [4, "4", "04 - High Tide", "High Tide", "[[High Tide]]", "Book/04 - High Tide.md"]
)
def test_a_scene_is_named_in_any_way(shared: Shared, scene: int | str) -> None:
    assert brief(shared(TIDE), scene)["scene"]["path"] == "Book/04 - High Tide.md"


def test_a_long_sheet_is_told_in_whole_sentences(shared: Shared) -> None:
    long = (
        "Bo Finch counts gulls, one after the other, from the old quay, on every day of the year. "
    )
    sheet = {"Cast/Bo Finch.md": f"---\ntype: person\n{ALWAYS}\n---\n{long * 5}\n"}
    first, *_ = brief(shared(TIDE | sheet), 4)["cast"]
    assert first["summary"]["text"] == f"{long * 3}…"


def test_what_the_properties_of_a_sheet_say_is_told_in_short(shared: Shared) -> None:
    sheet = (
        f'---\ntype: person\naliases: [the Counter]\nage: 50\nspouse: "[[Ann Reed]]"\n'
        f"fears: [gulls, fog]\ngoal:\npast: {'long ' * 30}\nalive: true\n{ALWAYS}\n---\n"
    )
    first, *_ = brief(shared(TIDE | {"Cast/Bo Finch.md": sheet}), 4)["cast"]
    assert first["summary"] is None
    assert first["facts"] == {
        "path": "Cast/Bo Finch.md",
        "line": 4,
        "text": "age: 50; fears: gulls, fog",
    }


def test_by_default_nothing_later_than_the_scene_is_told(shared: Shared) -> None:
    session = shared(TIDE)
    assert brief(session, 4) == brief(session, 4, as_of=4)
    later = brief(session, 4, as_of=5)
    assert [one["other"]["name"] for one in later["cast"][1]["relations"]] == ["Cy Marsh"]
    assert [one["text"] for one in later["cast"][0]["changes"]] == ["dead"]


def test_every_quote_stands_where_it_says(shared: Shared) -> None:
    session = shared(TIDE)
    found = brief(session, 4)
    quotes = [one["last_seen"]["quote"] for one in found["cast"]]
    quotes += [pair["together"] for pair in found["pairs"]]
    for quote in quotes:
        text = TIDE[quote["path"]]
        assert text[quote["start"] : quote["end"]] == quote["surface"]
        assert text[: quote["start"]].count("\n") + 1 == quote["line"]
    voice = found["voices"][1]
    said = TIDE[voice["path"]][voice["start"] : voice["end"]]
    assert said == '"The tide is out, and so are the boats," said Ann Reed. "We wait."'


def test_who_tells_a_chapter_was_in_it_without_being_named(
    synced: Callable[..., Session],
) -> None:
    told = "---\npov: Bo Finch\n---\nI count the gulls. “Who is there?” I say. The rain begins.\n"
    session = synced(
        {path: TIDE[path] for path in ("Cast/Ann Reed.md", "Cast/Bo Finch.md")}
        | {
            "Book/01.md": "---\npov: Bo Finch\n---\nMy name is Bo Finch. Ann Reed laughs.\n",
            "Book/02.md": told,
            "Book/03.md": told.replace("I count the gulls", "Ann Reed and I count the gulls"),
        }
    )
    cast = brief(session, 3)["cast"]
    assert [
        (one["entity"]["name"], one["last_seen"]["position"], one["last_seen"]["quote"]["surface"])
        for one in cast
    ] == [("Bo Finch", 2, "The rain begins."), ("Ann Reed", 1, "Ann Reed laughs.")]


@pytest.mark.parametrize("pov", ["Bo Finch", '"[[Bo Finch]]"'])
def test_the_viewpoint_is_whose_sheet_the_chapter_names_though_nobody_has_read_the_whole_name(
    synced: Callable[..., Session], pov: str
) -> None:
    session = synced(
        {
            "Cast/Bo Finch.md": "---\ntype: person\n---\n",
            "Book/01.md": "“Where is Bo?” they ask. Bo comes.\n",
            "Book/02.md": f"---\npov: {pov}\n---\nI count the gulls.\n",
        }
    )
    [member] = brief(session, 2)["cast"]
    assert (member["entity"]["name"], member["roles"]) == ("Bo", ["viewpoint"])


def test_a_thread_is_open_after_as_many_chapters_as_are_asked_for(shared: Shared) -> None:
    def unseen(quiet: int) -> list[str]:
        threads = brief(shared(TIDE), 4, quiet_chapters=quiet)["threads"]
        return [one["entity"]["name"] for one in threads if one["kind"] == "unseen"]

    assert [unseen(quiet) for quiet in (2, 3, 4)] == [["Lamp"], ["Lamp"], []]


def test_a_scene_that_is_only_planned_has_the_cast_that_it_lists_and_names_those_nobody_has_met(
    synced: Callable[..., Session],
) -> None:
    planned = "---\npov: Cy Marsh\ncharacters: ['[[Bo Finch]]', '[[Dov Hale|Dov]]']\n---\n"
    session = synced(TIDE | {"Book/01 - Low Tide.md": planned, "Book/03 - Gulls.md": planned})

    def told(position: int) -> tuple[list[str], list[str]]:
        found = brief(session, position)
        return [one["entity"]["name"] for one in found["cast"]], found["unmet"]

    assert told(1) == (["Bo Finch"], ["Cy Marsh", "Dov"])
    assert told(3) == (["Cy Marsh", "Bo Finch"], ["Dov"])
    head = session.call("brief_scene", {"scene": 1}).as_text().split("##")[0].rstrip()
    assert head.endswith("Also listed, and not met before: Cy Marsh, Dov.")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("fc-date:\n  year: 812\n  month: Thaw\n  day: 3", ["812-Thaw-3"]),
        ("fc-date: 812-02-03\nfc-calendar: Harrow", ["812-02-03"]),
        ("date: {first: 1, last: 2}", []),
    ],
)
def test_a_scene_is_set_on_its_day_in_an_invented_calendar(
    written: str, told: list[str], synced: Callable[..., Session]
) -> None:
    scene = (
        f"---\n{written}\n---\n> [!infobox]\n> **Date** | `= this.fc-date`\n> ---|---\n\nRain.\n"
    )
    found = brief(synced(TIDE | {"Book/01 - Low Tide.md": scene}), 1)
    assert [one["text"] for one in found["times"]] == told


@pytest.mark.parametrize("manner", ["third", "1st person", "First person, past", "omniscient"])
def test_a_manner_of_telling_is_nobody_to_be_met(
    manner: str, synced: Callable[..., Session]
) -> None:
    planned = f"---\npov: {manner}\ncharacters: [the cook]\n---\n"
    found = brief(synced(TIDE | {"Book/01 - Low Tide.md": planned}), 1)
    assert found["unmet"] == ["the cook"]


def test_those_who_are_only_spoken_of_are_no_cast(shared: Shared) -> None:
    found = brief(shared(TIDE), 4, max_cast=1)
    assert [one["entity"]["name"] for one in found["cast"]] == ["Bo Finch"]
    assert (found["cast_total"], found["omitted"]) == (
        2,
        [{"part": "cast", "number": 1, "reason": "limit"}],
    )


def test_a_scene_without_properties_has_its_place_and_time_from_its_words(
    synced: Callable[..., Session],
) -> None:
    session = synced(
        TIDE | {"Book/06.md": "On the night of the fair Ann Reed slept. The Quay was empty.\n"}
    )
    found = brief(session, 6)
    assert [(one["text"], one["quote"]["surface"]) for one in found["places"]] == [
        ("Quay", "The Quay was empty.")
    ]
    assert [one["text"] for one in found["times"]] == ["On the night of the fair"]


def test_a_scene_told_in_the_present_has_its_time_from_its_words(
    synced: Callable[..., Session],
) -> None:
    session = synced(TIDE | {"Book/06.md": "It is Sunday morning. Ann Reed sleeps.\n"})
    assert [one["text"] for one in brief(session, 6)["times"]] == ["It is Sunday morning"]


def test_a_note_outside_the_manuscript_is_a_scene_to_come(synced: Callable[..., Session]) -> None:
    session = synced(TIDE | {"Plans/Storm.md": "Ann Reed and Bo Finch row out.\n"})
    found = brief(session, "Storm")["cast"]
    assert [one["last_seen"]["title"] for one in found] == ["05 - After", "05 - After"]


@pytest.mark.parametrize(("scene", "as_of"), [(9, None), ("High", None), (5, 4), ("After", 4)])
def test_a_scene_that_is_not_there_is_told_so(
    shared: Shared, scene: int | str, as_of: int | None
) -> None:
    with pytest.raises(NotFoundError) as error:
        brief(shared(TIDE), scene, as_of=as_of)
    assert "05" not in str(error.value)


def test_two_notes_of_one_position_are_told_apart_by_the_caller(
    synced: Callable[..., Session],
) -> None:
    session = synced(
        {
            "A/01.md": "---\nchapter: 1\n---\nIt rained.\n",
            "A/01 again.md": "---\nchapter: 1\n---\nIt poured.\n",
        }
    )
    with pytest.raises(AmbiguousNameError):
        brief(session, 1)


def test_two_chapters_of_one_name_are_told_apart_by_their_paths(
    synced: Callable[..., Session],
) -> None:
    session = synced(
        {f"Book {book}/01 - Storm.md": f"It rained for {book} days.\n" for book in (1, 2)}
    )
    with pytest.raises(AmbiguousNameError) as error:
        brief(session, "Storm")
    assert str(error.value) == (
        "2 chapters are called 'Storm': Book 1/01 - Storm.md; Book 2/01 - Storm.md. Ask for one of "
        "them by its path."
    )
    assert brief(session, "Book 2/01 - Storm.md")["scene"]["path"] == "Book 2/01 - Storm.md"


def test_a_budget_is_never_exceeded_and_says_what_is_left_out(shared: Shared) -> None:
    session = shared(TIDE)
    whole = brief(session, 4)
    assert whole["omitted"] == []
    chance = random.Random(6)
    for budget in [*range(1, 40, 3), *(chance.randrange(40, 420) for _ in range(30))]:
        asked = {"scene": 4, "max_tokens": budget, "token_counter": "characters"}
        answer = session.call("brief_scene", asked)
        found = answer.model_dump()
        tokens = -(-len(answer.as_text()) // 4)
        assert tokens == found["total_tokens"] <= budget
        assert bool(found["omitted"]) == (tokens < whole["total_tokens"])
        left_out = sum(one["number"] for one in found["omitted"] if one["part"] == "voices")
        assert left_out + len(found["voices"]) == len(whole["voices"])


def test_a_budget_too_small_for_the_head_gives_no_text(shared: Shared) -> None:
    answer = shared(TIDE).call("brief_scene", {"scene": 4, "max_tokens": 3})
    assert (answer.as_text(), answer.model_dump()["total_tokens"]) == ("", 0)


def test_a_session_that_is_told_in_a_list_has_its_cast_from_the_list(
    synced: Callable[..., Session],
) -> None:
    told = "Rain.\n\n- Ann Reed sells [[Bo Finch]] a boat\n- it sinks\n"
    session = synced(
        {
            "NPCs/Ann Reed.md": "A baker.",
            "Sessions/Session 1.md": f"---\nparty:\n  - '[[Bo Finch]]'\n---\n{told}",
        }
    )
    cast = brief(session, 1)["cast"]
    assert [(one["entity"]["name"], one["roles"]) for one in cast] == [
        ("Bo Finch", ["listed", "named"]),
        ("Ann Reed", ["named"]),
    ]


def test_a_brief_follows_a_new_name_in_scenes_that_it_has_read_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(TIDE | {"Book/03 - Gulls.md": "The Heron counted gulls until dark.\n"})
    session = open_vault(root)
    told = []
    for named in ("aliases: [Gull Bo]", "aliases: [The Heron]"):
        sheet = f"---\ntype: person\n{named}\n{ALWAYS}\n---\nBo Finch counts gulls.\n"
        (root / "Cast/Bo Finch.md").write_text(sheet)
        session.call("sync", {})
        told.append(brief(session, 4)["cast"][0]["last_seen"]["quote"]["text"])
    assert told == ["Bo Finch had the Lamp.", "The Heron counted gulls until dark."]


def test_a_link_in_a_table_is_whom_it_names_though_its_bar_is_escaped(
    synced: Callable[..., Session],
) -> None:
    table = "| Type | Stat |\n| --- | --- |\n| **Party** | [[Cast/Dena.md\\|Dena]] |\n\n"
    session = synced(
        {
            "Cast/Dena.md": f"---\ntype: person\n{ALWAYS}\n---\nA thief.\n",
            "Sessions/Session 1.md": f"{table}Dena stole the root.\n",
            "Sessions/Session 2.md": f"{table}Dena slept.\n",
        }
    )
    told = brief(session, "Session 2")
    assert [one["entity"]["name"] for one in told["cast"]] == ["Dena"]
    assert told["unmet"] == []


def test_no_table_of_an_infobox_is_quoted_for_two_who_were_together(
    synced: Callable[..., Session],
) -> None:
    person = f"---\ntype: person\n{ALWAYS}\n---\n"
    box = "> [!infobox]\n> | Type | Stat |\n> | --- | --- |\n> | Party | [[Dena]], [[Orl]] |\n\n"
    told = "- Dena stole the root.\n- Orl slept.\n"
    notes = {
        "Cast/Dena.md": person,
        "Cast/Orl.md": person,
        "Sessions/Session 1.md": box + told,
        "Sessions/Session 2.md": box + told,
    }
    assert brief(synced(notes), "Session 2")["pairs"] == []
    notes["Sessions/Session 1.md"] += "- Dena woke Orl.\n"
    (pair,) = brief(synced(notes), "Session 2")["pairs"]
    assert pair["together"]["text"] == "Dena woke Orl."


def test_who_was_missing_and_is_there_again_is_missing_no_longer(shared: Shared) -> None:
    lost = TIDE | {"Book/02 - Rope.md": "Ann Reed went missing. Bo Finch counted gulls.\n"}
    asked = {"cast": ["Ann Reed"], "after": 3}
    (ann,) = shared(lost).call("brief_scene", asked).model_dump()["cast"]
    assert [one["text"] for one in ann["changes"]] == ["missing"]
    back = lost | {"Book/03 - Gulls.md": "Ann Reed came home.\n"}
    (ann,) = shared(back).call("brief_scene", asked).model_dump()["cast"]
    assert ann["changes"] == []
