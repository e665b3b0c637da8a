"""A vault of forty scenes in three calendars, with their order and the ages in them, by hand.

The Harbour's year 1 began on 1 January 1800; its years have twelve months of 30 days. So 1
Frostmoon HR 87 is 86 × 360 = 30,960 days later: 84 Gregorian years with 20 leap days are 30,680
days, and 280 days into 1884 is 7 October. The Deep has ten months of 36 days, and nothing says when
it is.
"""

from __future__ import annotations

import json
from typing import NamedTuple

ANN, ORA = "Ann Reeve", "Ora Pell"


class Chapter(NamedTuple):
    """A chapter: its title, its properties, its text, and the age of its person in it."""

    title: str
    properties: str
    text: str
    age: str | None


BACK = "flashback: true"
DEEP = "fc-calendar: Deep"

CHAPTERS = (
    Chapter("01", "date: 1 October 1884", "Ann Reeve sold fish.", "28"),
    Chapter("02", "", "The next morning, Ann Reeve mended nets.", "28"),
    Chapter("03 - That night", "", "Ann Reeve could not sleep.", "28"),
    Chapter("04", "", "# 7 October 1884\n\nAnn Reeve walked to the quay.", "28"),
    Chapter("05", "date: 1 Frostmoon HR 87", "Ann Reeve saw the bells.", "28"),
    Chapter("06", "", "Three days later, Ann Reeve heard them.", "28"),
    Chapter("07", "date: 9 October 1884", "Ann Reeve had known nothing yet.", "28"),
    Chapter("08", "", "The next day Ann Reeve knew all.", "28"),
    Chapter("09", f"date: 12 June 1866\n{BACK}", "Ann Reeve learnt to swim.", "10"),
    Chapter("10", BACK, "A month later, Ann Reeve could dive.", "10"),
    Chapter("11", "", "Ann Reeve closed the book.", None),
    Chapter("12", "", "Two days later, Ann Reeve packed.", "28"),
    Chapter("13", "", "## Spring 1885\n\nAnn Reeve came to Dover.", "28 or 29"),
    Chapter("14", "", "That evening, Ann Reeve took a room.", "28 or 29"),
    Chapter("15", "date: April 1885", "Ann Reeve looked for work.", "28"),
    Chapter("16", "", "Dover, 20 April 1885.\n\nAnn Reeve found it.", "28"),
    Chapter("17", "", "# 5 May\n\nAnn Reeve gave a party.", "29"),
    Chapter("18", "date: 1885", "Ann Reeve wrote home.", "28 or 29"),
    Chapter("19", "", "# Ten years earlier\n\nAnn Reeve had been engaged.", "18 or 19"),
    Chapter("20", "", "The next morning, Ann Reeve posted it.", "28 or 29"),
    Chapter("21", "date: 2 Harvestmoon HR 87", "Ann Reeve got an answer.", "29"),
    Chapter("22", "", "A week later, Ann Reeve was in Harbour.", "29"),
    Chapter("23", "date: 12 May 1885\ntime: 6 pm", "Ann Reeve landed.", "29"),
    Chapter("24", "date: 12 May 1885\ntime: 9 am", "Ann Reeve saw land.", "29"),
    Chapter("25", "", "Later that day, Ann Reeve saw the tower.", "29"),
    Chapter("26", "date: HR 88", "Ann Reeve stayed.", "29 or 30"),
    Chapter("27", "", "Six months later, Ann Reeve was mayor.", "29"),
    Chapter("28", "date: 24 December 1885", "Ann Reeve lit a candle.", "29"),
    Chapter("29", f"fc-date: 731-1-1\n{DEEP}", "Ora Pell counted fish.", "30"),
    Chapter("30", "", "Ten days later, Ora Pell counted again.", "30"),
    Chapter("31", "", "The following night, Ora Pell swam up.", "31"),
    Chapter("32", "fc-date: 725-03-05", "Ora Pell first saw a ship.", "25"),
    Chapter("33", "fc-date: 731-02-01", "Ora Pell saw another.", "31"),
    Chapter("34 The next evening", "", "Ora Pell followed it.", "31"),
    Chapter("35", "fc-date: 20 Mist 731", "Ora Pell had made a net.", "31"),
    Chapter("36", "", "Ora Pell hid the net.", None),
    Chapter("37", "", "Meanwhile, Ora Pell was missed.", "31"),
    Chapter("38", "date: Ember 731", "Ora Pell was caught.", "31"),
    Chapter("39", "", "Two years later, Ora Pell came home.", "32 or 33"),
    Chapter("40", f"fc-date: 700-01-12\n{BACK}", "Ora Pell was born.", "0"),
)

IN_STORY_ORDER = (
    *(9, 10, 19, 1, 2, 3, 4, 5, 7, 6, 8, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 24, 25, 23, 22),
    *(26, 28, 27, 40, 32, 29, 30, 31, 35, 36, 37, 33, 38, 34, 39),
)
"""The chapters as they happen; those of the Deep are read last, and so they come last."""

_MOONS = (
    "Frost",
    "Snow",
    "Rain",
    "Seed",
    "Bloom",
    "Hay",
    "Sun",
    "Harvest",
    "Leaf",
    "Fog",
    "Dark",
    "Yule",
)
SETTINGS = {
    "calendars": {
        "Harbour": {
            "months": [f"{moon}moon 30" for moon in _MOONS],
            "eras": ["Harbour Reckoning, HR"],
            "begins": "1800-01-01",
        }
    }
}

_DEEP_MONTHS = ("Mist", "Ember", "Shoal", "Kelp", "Tide", "Pearl", "Foam", "Gull", "Salt", "Ice")
_DATA = {
    "calendars": [
        {
            "name": "Deep",
            "static": {
                "months": [{"name": one, "type": "month", "length": 36} for one in _DEEP_MONTHS],
                "weekdays": [],
                "eras": [],
                "leapDays": [],
            },
        }
    ]
}


def path_of(number: int) -> str:
    """Return the path of a chapter."""
    return f"Manuscript/{CHAPTERS[number - 1].title}.md"


def _note(number: int, chapter: Chapter) -> str:
    properties = f"chapter: {number}\n{chapter.properties}".strip()
    return f"---\n{properties}\n---\n{chapter.text}\n"


NOTES = {
    **{path_of(number): _note(number, one) for number, one in enumerate(CHAPTERS, 1)},
    "People/Ann Reeve.md": "---\ntype: person\nborn: 3 May 1856\n---\nA fishwife.\n",
    "People/Ora Pell.md": "---\ntype: person\nborn: 12 Mist 700\n---\nA mermaid.\n",
    ".obsidian/plugins/calendarium/data.json": json.dumps(_DATA),
}
