"""Small stories in which rules might wrongly find people dead, elsewhere or of another age.

Each consists of chapters and further notes.
"""

from __future__ import annotations


def _at(place: str, time: str, other_place: str, other: str = "Ann Hale") -> list[str]:
    """Return two chapters on one day: Ann Hale in one, she or another in the other."""
    return [
        f"---\ndate: 1806-03-02\ntime: {time}\nlocation: {where}\ncharacters: [{who}]\n---\n"
        "It rained."
        for where, who in ((place, "Ann Hale"), (other_place, other))
    ]


IN_TIME: dict[str, list[tuple[list[str], dict[str, str]]]] = {
    "acts-after-death": [
        (
            ["Ben Orchard laughed.\n\n---\n\nBen Orchard died at dawn, under the mill."],
            {
                "Timeline.md": "# Timeline\n\n- Ben Orchard is killed at the ford "
                "([[01 - One|chapter 1]])\n"
            },
        ),
        (
            [
                "Ben Orchard died at dawn, under the mill.",
                "Ann Hale remembered how Ben Orchard laughed. Ben Orchard had once shut the gate.",
            ],
            {},
        ),
        (["If Ben Orchard died, who would drive?", "Ben Orchard laughed and shut the gate."], {}),
        (
            ["Ben Orchard died.", "---\nflashback: true\n---\nBen Orchard laughed."],
            {},
        ),
        *(
            ([f"{living} It was cold.", "Ben Orchard laughed and shut the gate."], {})
            for living in (
                "They were to have the mill as soon as Ben Orchard were dead.",
                "She wished Ben Orchard dead.",
                "Ben Orchard was as good as dead.",
                "Ben Orchard was thought to be dead.",
                "Ben Orchard should be dead by now.",
                "She was convinced that Ben Orchard was dead.",
                "There was a rumour that Ben Orchard was killed at the ford.",
                "Ben Orchard was dead against it.",
                "Ben Orchard was dead asleep.",
                "Ben Orchard was dead with fatigue.",
                "Ben Orchard drowned the kittens.",
                "The voice of Ben Orchard died away.",
                "The father of Ben Orchard died.",
                "Until Ben Orchard was dead, she waited.",
                "They said that Ben Orchard was dead. They said Ben Orchard was dead.",
                "Had Ben Orchard died, it had been a good death.",
            )
        ),
        (
            ["---\npov: Ben Orchard\n---\nHe rode. Ben Orchard died at the ford.", "It rained."],
            {},
        ),
        (
            ["Ben Orchard died.", "Ben Orchard looked peaceful. Ben Orchard owed her a crown."],
            {},
        ),
        (["Ben Orchard died.", 'Ann Hale wept. "Ben Orchard laughed at me once," she said.'], {}),
        (["Ben Orchard died.", "The sign said Ben Orchard. They whispered Ben Orchard."], {}),
        *(
            ([f"{living} It was cold.", "Ben Orchard laughed and shut the gate."], {})
            for living in (
                "Ben Orchard's body ached.",
                "Ben Orchard's body was still shaking.",
                "She leaned on Ben Orchard’s body, warm as bread.",
                "She looked into Ben Orchard's grave face.",
            )
        ),
        *(
            ([f"{living} It is cold.", "Ben Orchard laughs and shuts the gate."], {})
            for living in (
                "Ben Orchard dies a little every time she asks.",
                "Every night Ben Orchard dies in her dream.",
                "When Ben Orchard dies, the mill is hers.",
                "Is Ben Orchard dead?",
                "Ben Orchard is not dead.",
                "If Ben Orchard drowns, who drives the cart?",
                "Ben Orchard will die at the mill.",
                "Ben Orchard is going to die.",
                "Ann Hale thinks Ben Orchard is dead.",
                "Ben Orchard is dead tired.",
                "For a moment Ben Orchard is dead to her.",
                "Ben Orchard's dead wife looks down.",
                "Ann Hale kills Ben Orchard with a look.",
                "Nobody kills Ben Orchard.",
                "Perhaps Ben Orchard is dead.",
                "She knows how Ben Orchard dies.",
                "Ben Orchard drowns his sorrow in cider.",
                "Ben Orchard drowns the kittens.",
                "Ben Orchard is buried in work.",
                "Ann Hale kills Ben Orchard at chess.",
                "In the play Ben Orchard dies.",
                "For a moment Ben Orchard is dead.",
                "One day Ben Orchard dies.",
                "Ben Orchard's funeral suit is too small.",
                '"Ben Orchard dies at dawn," says Ann Hale.',
            )
        ),
        *(
            (["Ben Orchard dies at dawn.", f"It is cold. {memory}"], {})
            for memory in (
                "Every night Ben Orchard laughs.",
                "The song Ben Orchard sings is still in her.",
                "For a second Ben Orchard stands in the door, and is her coat.",
                "Ben Orchard lies on the table and looks small.",
                "She pictures how Ben Orchard laughs.",
                "On the tape Ben Orchard laughs.",
                "According to the diary, Ben Orchard hides the key.",
                '"Ben Orchard laughs at us," says Ann Hale.',
            )
        ),
        # Two strands, now and then: which comes first is not said.
        (["Ben Orchard dies at dawn.", "Ben Orchard laughed and shut the gate."], {}),
        (
            ["It is cold.", "Ben Orchard laughed and shut the gate."],
            {"Timeline.md": "# Timeline\n\n- Ben Orchard is killed at the ford ([[01 - One]])\n"},
        ),
    ],
    "two-places": [
        (_at("Dover", "late afternoon", "York"), {}),
        (_at("Dover", "12:00", "Dover"), {}),
        (_at("Dover", "12:00", "York", other="Ben Orchard"), {}),
        *(
            (
                _at("Dover", "12:00", "York"),
                {"Places/Dover.md": f'---\ntype: place\n{key}: "[[York]]"\n---\nA port.'},
            )
            for key in ("contains", "connected_to")
        ),
    ],
    "age-arithmetic": [
        (
            ["Ann Hale was nine. In York she was one of 400 children, as she liked to say."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\nage: nine\nborn: 1780\n---\n"
                "A surveyor. Her mother was born in 1750, and she has two sons, born in 1800 and "
                "1802. Her house is ninety years old. Siblings? Two. She has a dog, six years old."
            },
        ),
        (
            ["Ann Hale was thirty-four, and felt it."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\nborn: 1780\n---\nA surveyor.",
                "Timeline.md": "| Year | Event |\n| --- | --- |\n"
                "| 1801 | Birth of Ann Hale's son |\n"
                "| 1804-1814 | The siege: [[01 - One]] |\n\n## 1804–1814\n\n[[01 - One]]",
            },
        ),
        (
            [
                "Ann Hale was thirty, and felt it.",
                "Ann Hale was one in a thousand. Corvin and Ann Hale were one. In the dream Ann "
                "Hale was six, and happy. The summer Ann Hale was ten, the mill burned. That was "
                "the year Ann Hale turned nine. In those days Ann Hale was sixteen, and wild. Ann "
                "Hale was twelve then, and Corvin about fifty.",
                "Corvin was about sixty. Ben Orchard was not yet thirty.",
            ],
            {"Manuscript/04 - Four.md": "Corvin was fifty-eight. Ben Orchard was twenty-nine."},
        ),
        # A story that goes on for years: the sheet has one of the ages, and what lasts goes on.
        (
            [
                "Ann Hale was nineteen, and felt it. Ann Hale had been married for three years. "
                "Ben Orchard had worked at the mill for thirty years.",
                "Ann Hale was thirty. Ann Hale had been married for ten years.",
                "Ben Orchard had owned the mill for two years.",
            ],
            {"Characters/Ann Hale.md": "---\ntype: person\nage: 19\n---\n"},
        ),
        (
            [
                "If Ann Hale had been born in 1900, she would have flown. It was as though Ann "
                "Hale had been born in 1650. Ann Hale, whose mother was born in 1750, looked "
                "twenty years older than Ben Orchard. Ann Hale was ten years older than Ben "
                "Orchard had thought."
            ],
            {
                "Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA son was born in "
                "1803. Two sons, born 1805 and 1809.",
                "Characters/Ben Orchard.md": "---\ntype: person\nborn: 1778\n---\nA carter.",
            },
        ),
        # The dates of a writer's log are no dates of the story, and those of a story are.
        *(
            (
                ["# 1806\n\nAnn Hale was twenty-seven.", "# Summer 1789\n\nAnn Hale was ten."],
                {
                    "Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor.",
                    "Log.md": log,
                },
            )
            for log in (
                "## 2024-05-03\n\nRewrote [[01 - One]].",
                "# Draft 2, 2024\n\n- 2024-05-03 Rewrote [[01 - One]].",
            )
        ),
        # Short sections, each with a heading of its own.
        (
            ["Ann Hale was twenty-seven.", "Ann Hale was thirty-one."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor.",
                "Timeline.md": "# Timeline\n\n## 1806\n\n[[01 - One]]\n\n## 1810\n\n[[02 - Two]]\n",
                "Manuscript/03 - Ten Years Earlier.md": "Ann Hale was seventeen.",
            },
        ),
        (
            [
                "---\ndate: 1806\n---\nAnn Hale was twenty-seven.\n\n# Earlier\n\nAnn Hale was "
                "ten.\n\n# Now\n\nAnn Hale sat."
            ],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
        ),
        *(
            (["Ann Hale was thirty, and felt it.", told], {})
            for told in (
                "# Twenty years earlier\n\nAnn Hale was ten, and felt it.",
                "---\nflashback: true\n---\nAnn Hale was ten, and felt it.",
            )
        ),
        (
            [
                "---\ndate: 1806\n---\nIt rained.",
                "# Twenty years earlier\n\nAnn Hale was ten, and felt it.",
                "---\ndate: 1806\n---\nIt rained.",
            ],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1776\n---\nA surveyor."},
        ),
        *(
            (["Ann Hale had been gone for twelve years.", f"Ann Hale {told}."], {})
            for told in (
                "left at nine and was back at ten",
                "left at nine and came home at five",
                "left at nine and came home at twenty-one",
            )
        ),
        *(
            (
                [f"Ann Hale was four years {told} than Ben Orchard."],
                {
                    "Characters/Ann Hale.md": "---\ntype: person\nborn: 1780\n---\nA surveyor.",
                    "Characters/Ben Orchard.md": f"---\ntype: person\n{born}\n---\nA carter.",
                },
            )
            for told, born in (("younger", "born: 1775"), ("older", "rank: carter"))
        ),
        (
            [
                "Ben Orchard had driven the mail cart for thirty years, the red mail cart for "
                "nineteen years."
            ],
            {},
        ),
        (
            ['---\ndate: 1806\n---\n"The flood of 1790?" said Ann Hale. "Sixteen years ago."'],
            {},
        ),
        (
            ["---\ndate: 1806\n---\nAnn Hale was twenty-six, and felt it."],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
        ),
        *(
            (
                [f"---\ndate: 1806\n---\n{told}"],
                {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
            )
            for told in (
                "Ann Hale waits. The sea is grey. She was nine, the first time.",
                "Ann Hale waited. The sea was grey. She is eighty, these days.",
            )
        ),
        (
            [
                "Ann Hale was forty, and felt it.",
                "He had known her since Ann Hale was six. Ann Hale was about three in the "
                "afternoon, and late as ever.",
                "Ann Hale was in Dover for ten days on that visit.",
            ],
            {"Manuscript/04 - Four.md": "Ann Hale had been in York for two days on a visit."},
        ),
        (
            ["Ann Hale was twenty miles from home. Ann Hale waited for three years in Dover."],
            {"Characters/Ann Hale.md": "---\ntype: person\nage: 26\n---\nA surveyor."},
        ),
    ],
}
