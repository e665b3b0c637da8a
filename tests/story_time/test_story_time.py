"""When scenes take place, in what order they happen, and what holds at a time of the story."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import (
    Calendar,
    Era,
    Month,
    RequestError,
    Session,
    SettingsError,
    hookimpl,
    load_settings,
)
from writeros_entities.capabilities.continuity.check_continuity import ContinuityReport
from writeros_entities.capabilities.entities.get_entity import EntityAnswer, EntityMoment
from writeros_entities.capabilities.time.get_entity_history import EntityHistory
from writeros_entities.capabilities.time.list_events import EventList
from writeros_entities.capabilities.vault.notes import ListedNote, NoteList
from writeros_entities.plugins import load_plugins

from ..conftest import ReadVault
from ..databases import one_engine
from .forty_scenes import ANN, CHAPTERS, IN_STORY_ORDER, NOTES, ORA, SETTINGS, path_of

databases = one_engine


def in_story_order(session: Session, **asked: Any) -> list[ListedNote]:
    answer = session.call("list_notes", {"order": "story", "chapters_only": True, **asked})
    assert isinstance(answer, NoteList)
    return answer.notes


def dates(session: Session, **asked: Any) -> list[str | None]:
    """Return the story dates of chapters, in reading order."""
    listed = sorted(in_story_order(session, **asked), key=lambda one: one.position or 0)
    return [one.story_date for one in listed]


def moment(session: Session, entity: str, at: str, **asked: Any) -> EntityMoment:
    answer = session.call("get_entity", {"entity": entity, "at": at, **asked})
    assert isinstance(answer, EntityAnswer)
    assert answer.entity is not None
    assert answer.entity.moment is not None
    return answer.entity.moment


def test_forty_scenes_in_three_calendars_are_listed_as_they_happen(read_vault: ReadVault) -> None:
    listed = in_story_order(read_vault(NOTES, **SETTINGS))
    assert [one.path for one in listed] == [path_of(number) for number in IN_STORY_ORDER]


def test_people_have_their_age_in_each_of_forty_scenes(read_vault: ReadVault) -> None:
    session = read_vault(NOTES, **SETTINGS)
    people = [ANN if ANN in one.text else ORA for one in CHAPTERS]
    ages = [moment(session, who, path_of(at)).age for at, who in enumerate(people, 1)]
    assert ages == [one.age for one in CHAPTERS]


def test_a_page_of_story_order_goes_on_where_the_one_before_ended(read_vault: ReadVault) -> None:
    session = read_vault(NOTES, **SETTINGS)
    pages = [in_story_order(session, limit=15, offset=first) for first in (0, 15, 30)]
    listed = [one.path for page in pages for one in page]
    assert listed == [path_of(number) for number in IN_STORY_ORDER]


def test_nothing_of_a_later_chapter_changes_the_order_of_earlier_ones(
    read_vault: ReadVault,
) -> None:
    listed = in_story_order(read_vault(NOTES, **SETTINGS), as_of=12)
    expected = [path_of(number) for number in IN_STORY_ORDER if number <= 12]
    assert [one.path for one in listed] == expected


def test_a_time_beyond_what_was_read_shows_no_more_than_was_read(read_vault: ReadVault) -> None:
    session = read_vault(NOTES, **SETTINGS)
    assert moment(session, ANN, "24 December 1885", as_of=12).last_note == path_of(12)
    assert moment(session, ANN, "24 December 1885").last_note == path_of(28)
    assert moment(session, ANN, "1 January 1870").last_note == path_of(10)
    assert (
        moment(session, ANN, "1 January 1860").told() == "At 1 January 1860: aged 3, not seen yet."
    )


def test_a_date_says_where_it_was_found_and_how_sure_it_is(read_vault: ReadVault) -> None:
    found = {one.position: one for one in in_story_order(read_vault(NOTES, **SETTINGS))}
    shown = {
        number: (one.story_date, one.story_date_reason, one.story_date_confidence)
        for number, one in found.items()
        if number in (1, 2, 3, 4, 11, 16, 20)
    }
    assert shown == {
        1: ("1 October 1884", "its property `date`", 1.0),
        2: ("2 October 1884", "“The next morning”, after “01”", 0.75),
        3: ("2 October 1884", "“That night”, after “02”", 0.75),
        4: ("7 October 1884", "its heading", 0.9),
        11: (None, None, None),
        16: ("20 April 1885", "its first line", 0.85),
        20: ("1885", "“The next morning”, after “18”", 0.5),
    }


def test_a_date_of_another_calendar_cannot_be_compared(read_vault: ReadVault) -> None:
    notes = {"1.md": "---\nchapter: 1\ndate: TA 2920\n---\nAnn Reeve slept.\n", **_ann("TA 2900")}
    session = read_vault(notes)
    assert moment(session, ANN, "TA 2919").told() == "At TA 2919: aged 18 or 19, not seen yet."
    told = r"12 March 1887 cannot be compared with a date of the story. .* such as TA 2920"
    with pytest.raises(RequestError, match=told):
        moment(session, ANN, "12 March 1887")


def _ann(born: str) -> dict[str, str]:
    return {"People/Ann Reeve.md": f"---\ntype: person\nborn: {born}\n---\nA baker.\n"}


def chapters(*texts: str) -> dict[str, str]:
    return {f"Manuscript/Chapter {at}.md": f"{text}\n" for at, text in enumerate(texts, 1)}


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("---\ndate: 5 BC\n---\nAnn slept.", "5 BC"),
        ("---\ndate: 15 March 44 BC\n---\nAnn slept.", "15 March 44 BC"),
        ("---\ndate: AD 10\n---\nAnn slept.", "10 AD"),
        ("---\nstory_date: 12345\n---\nAnn slept.", "12345"),
        ("---\ndate: 1887-03-12\n---\nAnn slept.", "12 March 1887"),
        ("---\ndate: 3rd Age 12\n---\nAnn slept.", "3rd Age 12"),
        ("# March 12, 1887\n\nAnn slept.", "12 March 1887"),
        ("# Dover, 1806\n\nAnn slept.", "1806"),
        ("# Winter 1806\n\nAnn slept.", "Winter 1806"),
        ("Tuesday, 12 March 1887\n\nAnn slept.", "12 March 1887"),
        ("On the 12th of March, 1887, Ann sailed from Dover with her aunt.", "12 March 1887"),
        ("**Date:** 12 March 1887\n\nAnn slept.", "12 March 1887"),
        ("Ann had been born on 12 March 1887 in a house by the sea.", None),
        ("# Room 1408\n\nAnn slept.", None),
        ("# Year 3\n\nAnn slept.", None),
        ("Two years ago, Ann slept in Dover.", None),
        ("Ann had died on 12 May 1887.", None),
        ("Ann Reeve, Dover, 12 May 1887", "12 May 1887"),
    ],
)
def test_a_scene_takes_place_when_the_writer_says(
    read_vault: ReadVault, text: str, date: str | None
) -> None:
    assert dates(read_vault(chapters(text))) == [date]


@pytest.mark.parametrize(
    ("opening", "date"),
    [
        ("The next day Ann woke.", "13 March 1887"),
        ("Early the next morning, Ann woke.", "13 March 1887"),
        ("Twenty-five days later, Ann woke.", "6 April 1887"),
        ("Two weeks later Ann woke.", "26 March 1887"),
        ("Ten months later, Ann woke.", "January 1888"),
        ("Five years later, Ann woke.", "1892"),
        ("# The night before\n\nAnn woke.", "11 March 1887"),
        ("Meanwhile, Ann woke.", "12 March 1887"),
        ("Three days after the ball, Ann woke.", None),
        ("The day before the wedding, Ann woke.", None),
        ("“The next day,” said Ann.", None),
        ("Ann woke the next day.", None),
    ],
)
def test_a_scene_takes_place_so_long_after_the_one_before(
    read_vault: ReadVault, opening: str, date: str | None
) -> None:
    session = read_vault(chapters("# 12 March 1887\n\nAnn slept.", opening))
    assert dates(session) == ["12 March 1887", date]


@pytest.mark.parametrize(
    ("language", "first", "opening", "shown"),
    [
        ("de", "12. März 1887", "Drei Tage später kam sie zurück.", "15 März 1887"),
        ("de", "12. März 1887", "Am nächsten Morgen kam sie zurück.", "13 März 1887"),
        ("de", "12. März 1887", "In jener Nacht kam sie zurück.", "12 März 1887"),
        ("fr", "12 mars 1887", "Trois jours plus tard, elle revint.", "15 Mars 1887"),
        ("fr", "12 mars 1887", "Le lendemain matin, elle revint.", "13 Mars 1887"),
        ("fr", "12 mars 1887", "Cette nuit-là, elle revint.", "12 Mars 1887"),
    ],
)
def test_german_and_french_scenes_have_dates_too(
    read_vault: ReadVault, language: str, first: str, opening: str, shown: str
) -> None:
    head = f"---\nlanguage: {language}\n---\n"
    notes = chapters(f"{head}# {first}\n\nElle.", f"{head}{opening}")
    assert dates(read_vault(notes, language=language))[1] == shown


def test_the_day_on_which_a_session_was_played_is_no_date_of_the_story(
    read_vault: ReadVault,
) -> None:
    note = "---\ndate: 2024-03-20\n---\nThe party slept.\n"
    assert dates(read_vault({"Sessions/Session 1.md": note})) == [None]


def test_the_day_on_which_notes_were_written_is_no_date_of_the_story(
    read_vault: ReadVault,
) -> None:
    made = {
        f"People/{name}.md": "---\ntype: person\ndate: 2024-03-20\n---\nA baker.\n"
        for name in ("Ann Reeve", "Bob Hale", "Cora Reeve")
    }
    told = chapters("---\ndate: 2024-03-21\n---\nAnn slept.", "---\ndate: 1887\n---\nAnn woke.")
    assert dates(read_vault({**made, **told})) == [None, "1887"]
    assert dates(read_vault(told)) == ["21 March 2024", "1887"]


def test_a_note_describes_a_calendar_by_a_table_of_its_months(read_vault: ReadVault) -> None:
    table = "| Month | Days |\n| --- | --- |\n| Thaw | 40 |\n| Blaze | 41 |\n| Frost | 40 |\n"
    calendar = f"---\ntype: calendar\neras:\n  - Old Age, OA, 500\n  - New Age, NA\n---\n{table}"
    notes = {
        "World/Years of Vantry.md": calendar,
        **chapters(
            "---\ndate: 2 Blaze NA 3\n---\nAnn slept.",
            "---\ndate: 41 Blaze OA 500\n---\nAnn woke.",
            "---\ndate: 40 Frost, Old Age 500\n---\nAnn ate.",
            "The next day, Ann sang.",
        ),
    }
    session = read_vault(notes)
    assert dates(session) == ["2 Blaze NA 3", "41 Blaze OA 500", "40 Frost OA 500", "1 Thaw NA 1"]
    assert dates(session, as_of=2) == ["2 Blaze NA 3", "41 Blaze OA 500"]
    assert [one.position for one in in_story_order(session)] == [2, 3, 4, 1]


class Moons:
    """A plugin with a calendar of ten moons of 28 days."""

    @hookimpl
    def register_calendars(self) -> list[Calendar]:
        moons = tuple(Month(f"Moon {number}", 28) for number in range(1, 11))
        return [Calendar("Moons", moons, (Era("of the Tide"),))]


def test_a_plugin_can_bring_a_calendar(
    database: str, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    root = write_vault(
        chapters("---\ndate: 28 Moon 10 3 of the Tide\n---\nAnn slept.", "The next day, Ann woke.")
    )
    plugins = load_plugins(load_settings(root), {"moons": Moons()})
    with Session.open(root, database=database, plugins=plugins) as session:
        session.call("sync", {})
        assert dates(session) == ["28 Moon 10 of the Tide 3", "1 Moon 1 of the Tide 4"]


def test_a_calendar_of_the_settings_needs_months(
    write_vault: Callable[[dict[str, str]], Path],
) -> None:
    settings = '[calendars.Harbour]\neras = ["HR"]\n'
    root = write_vault({**chapters("Ann slept."), ".writeros-entities.toml": settings})
    with pytest.raises(SettingsError, match="The calendar 'Harbour' needs its `months`"):
        Session.open(root)


def test_scenes_of_one_chapter_have_their_own_times(read_vault: ReadVault) -> None:
    text = (
        "---\ndate: 12 March 1887\n---\nAnn Reeve slept.\n\n# The next day\n\nAnn Reeve woke.\n\n"
        "# 3 May 1866\n\nAnn Reeve was ten.\n"
    )
    session = read_vault({**chapters(text), **_ann("3 May 1856")})
    assert moment(session, ANN, "12 March 1887").last_note == "Manuscript/Chapter 1.md"
    assert moment(session, ANN, "1 January 1866").last_note is None


def test_a_history_at_a_time_of_the_story_has_only_what_has_happened_by_then(
    read_vault: ReadVault,
) -> None:
    notes = {
        **chapters(
            "# 12 March 1887\n\nAnn Reeve is the wife of [[Bob Hale]].",
            "# 1 June 1866\n\nAnn Reeve, called Annie, is the daughter of [[Cora Reeve]].",
        ),
        **_ann("3 May 1856"),
        "People/Bob Hale.md": "---\ntype: person\n---\nA smith.\n",
        "People/Cora Reeve.md": "---\ntype: person\n---\nA baker.\n",
    }
    session = read_vault(notes)
    answer = session.call("get_entity_history", {"entity": ANN, "at": "1870"})
    assert isinstance(answer, EntityHistory)
    assert {one.evidence.path for one in answer.changes} == {"Manuscript/Chapter 2.md"}
    assert answer.as_text().splitlines()[0].endswith("by 1870, aged 13 or 14")


def test_events_are_listed_as_they_happen_and_between_dates(
    closely: None, open_vault: Callable[..., Session], write_vault: Callable[[Any], Path]
) -> None:
    notes = {
        **chapters(
            "# 12 March 1887\n\nAnn Reeve walked to the gate. Ann Reeve had lost the key.",
            "# 1 June 1866\n\nAnn Reeve broke the lamp.",
            "# 14 March 1887\n\nAnn Reeve opened the gate.",
        ),
        **_ann("3 May 1856"),
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    def verbs(**asked: Any) -> list[tuple[str, str | None]]:
        answer = session.call("list_events", {"entity": ANN, **asked})
        assert isinstance(answer, EventList)
        return [(one.verb, one.story_date) for one in answer.events]

    assert verbs(order="story") == [
        ("break", "1 June 1866"),
        ("walk", "12 March 1887"),
        ("lose", None),
        ("open", "14 March 1887"),
    ]
    assert verbs(from_date="13 March 1887") == [("open", "14 March 1887")]
    assert verbs(to_date="1870") == [("break", "1 June 1866")]
    assert verbs(from_date="1887", to_date="Chapter 1") == [("walk", "12 March 1887")]
    assert verbs(to_date="1 January 1900", as_of=1) == [("walk", "12 March 1887")]


def findings(session: Session, rule: str = "acts-after-death") -> list[str]:
    answer = session.call("check_continuity", {"rules": [rule]})
    assert isinstance(answer, ContinuityReport)
    return [one.message for one in answer.findings]


def test_nobody_acts_before_her_birth_or_after_her_death_by_the_dates_of_scenes(
    closely: None, open_vault: Callable[..., Session], write_vault: Callable[[Any], Path]
) -> None:
    sheet = "---\ntype: person\nborn: {}\ndied: {}\n---\nA baker.\n"
    notes = {
        **chapters(
            "# 12 March 1887\n\nAnn Reeve laughed. Bob Hale opened the gate.",
            "# 1 June 1866\n\nAnn Reeve laughed. Bob Hale opened the gate.",
            "# 1 June 1899\n\nAnn Reeve laughed. Bob Hale opened the gate.",
        ),
        "People/Ann Reeve.md": sheet.format("3 May 1870", "1890"),
        "People/Bob Hale.md": sheet.format("1 June 1866", ""),
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert findings(session) == [
        "Ann Reeve, born 3 May 1870, acts in a scene of 1 June 1866.",
        "Ann Reeve, dead since 1890, acts in a scene of 1 June 1899.",
    ]


def test_who_acts_before_her_death_in_a_scene_read_later_does_not_act_after_it(
    closely: None, open_vault: Callable[..., Session], write_vault: Callable[[Any], Path]
) -> None:
    people = _ann("1856")
    earlier = chapters("# 12 March 1887\n\nAnn Reeve died.", "# 1 June 1886\n\nAnn Reeve laughed.")
    later = chapters("# 12 March 1887\n\nAnn Reeve died.", "# 1 June 1888\n\nAnn Reeve laughed.")
    session = open_vault(write_vault({**people, **earlier}))
    session.call("sync", {})
    assert findings(session) == []
    write_vault({**people, **later})
    session.call("sync", {})
    assert findings(session) == ["Ann Reeve is dead, and acts."]


@pytest.mark.parametrize(
    ("born", "also", "first", "second", "messages"),
    [
        (
            ("12 BC", "20 BC"),
            "30 BC",
            "5 BC",
            "10 AD",
            [
                "Ann Moss is 31 in 10 AD, but born in 12 BC: that would be 21.",
                "Bob Hale is born in 20 BC, and in 30 BC.",
                "Bob Hale is 15 in 5 BC, but born in 30 BC: that would be 25.",
            ],
        ),
        (
            ("TA 2930", "TA 2920"),
            "TA 2910",
            "TA 2945",
            "TA 2952",
            [
                "Ann Moss is 31 in TA 2952, but born in TA 2930: that would be 22.",
                "Bob Hale is 15 in TA 2945, but born in TA 2920: that would be 25.",
                "Bob Hale is born in TA 2920, and in TA 2910.",
            ],
        ),
    ],
)
def test_ages_add_up_before_christ_and_in_eras_of_the_writers_own(
    read_vault: ReadVault,
    born: tuple[str, str],
    also: str,
    first: str,
    second: str,
    messages: list[str],
) -> None:
    sheet = "---\ntype: person\nborn: {}\n---\n{}\n"
    session = read_vault(
        {
            "People/Ann Moss.md": sheet.format(born[0], "A baker."),
            "People/Bob Hale.md": sheet.format(born[1], f"Bob Hale was born in {also}."),
            **chapters(
                f"---\ndate: {first}\n---\nBob Hale was fifteen years old. He laughed.",
                f"---\ndate: {second}\n---\nAnn Moss was thirty-one years old.",
            ),
        }
    )
    assert sorted(findings(session, "age-arithmetic")) == sorted(messages)


def test_two_places_at_one_hour_are_told_however_the_date_is_written(
    read_vault: ReadVault,
) -> None:
    place = "---\ntype: place\n---\nA town.\n"
    scene = "---\ndate: {}\ntime: {}\nlocation: {}\ncharacters: [Ann Reeve]\n---\nIt rained."
    session = read_vault(
        {
            **chapters(
                scene.format("12 March 1887", "6 pm", "Dover"),
                scene.format("1887-03-12", '"18:00"', "York"),
                scene.format("1887-03-13", "6 pm", "York"),
            ),
            **_ann("1856"),
            "Places/Dover.md": place,
            "Places/York.md": place,
        }
    )
    assert findings(session, "two-places") == [
        "Ann Reeve is in Dover and York on 12 March 1887, 6 pm."
    ]
