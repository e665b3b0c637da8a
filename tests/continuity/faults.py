"""Small stories in which each rule finds a fault: its code, the chapters, and further notes."""

from __future__ import annotations

FAULTS: dict[str, list[tuple[str, list[str], dict[str, str]]]] = {
    "acts-after-death": [
        (
            "dead-acts",
            ["Ben Orchard died at dawn.\n\n---\n\nBen Orchard laughed and shut the gate."],
            {
                "Timeline.md": "# Timeline\n\n- Ben Orchard is killed at the ford "
                "([[01 - One|chapter 1]])\n"
            },
        ),
        (
            "dead-acts",
            ["Ben Orchard died at dawn, under the mill.", "Ben Orchard laughed and shut the gate."],
            {},
        ),
        (
            "dead-acts",
            ["Ben Orchard drowned.", "Ben Orchard, who had lost his hat, poured out the tea."],
            {},
        ),
        *(
            ("dead-acts", [f"{death} It was cold.", "Ben Orchard laughed and shut the gate."], {})
            for death in (
                "They found Ben Orchard's body in the reeds.",
                "Ann Hale stood at Ben Orchard's grave.",
                "Ben Orchard’s grave was green.",
            )
        ),
        *(
            ("dead-acts", [f"{death} It is cold.", act], {})
            for death, act in (
                ("When the tide turns, Ben Orchard dies.", "Ben Orchard is pouring out the tea."),
                ("The fever kills Ben Orchard.", "Ben Orchard laughs."),
                ("They bury Ben Orchard by the mill.", "Ben Orchard laughs."),
                ("Ben Orchard dies, and nobody weeps.", "Ben Orchard laughs."),
                ("Ann Hale weeps. Ben Orchard died at noon.", "Ben Orchard shuts the gate."),
            )
        ),
        *(
            ("dead-acts", [f"{death} It was cold.", "Ben Orchard laughed and shut the gate."], {})
            for death in (
                "When Ben Orchard was dead, she sold the cart.",
                "Ann Hale and Ben Orchard were killed at the ford.",
                "Ben Orchard drowned the next day.",
                "Ben Orchard died away from home.",
                "Ben Orchard was murdered in his sleep.",
                "Ben Orchard died in his study.",
                "Ann Hale stabbed Ben Orchard to death.",
            )
        ),
    ],
    "two-places": [
        (
            "same-date",
            [
                "---\ndate: 1806-03-02\ntime: 12:00\nlocation: Dover\ncharacters: [Ann Hale]\n---\n"
                "The gulls were loud.",
                "---\ndate: 1806-03-02\ntime: 12:00\nlocation: York\ncharacters: [Ann Hale]\n---\n"
                "The bells were louder.",
            ],
            {},
        ),
    ],
    "age-arithmetic": [
        (
            "birth-years",
            ["Ann Hale was born in 1781, in a barn."],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
        ),
        (
            "age-and-birth",
            ["---\ndate: 1806\n---\nAnn Hale was forty-one, and felt it."],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
        ),
        (
            "age-and-birth",
            ["---\ndate: 1806\n---\nAnn Hale is forty-one, and feels it."],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
        ),
        (
            "years-ago",
            ['---\ndate: 1806\n---\n"The flood of 1790?" said Ann Hale. "Thirty years ago."'],
            {},
        ),
        (
            "ages",
            ["# Dover, 1806\n\nAnn Hale was thirty.", "# Summer 1810\n\nAnn Hale was forty-one."],
            {},
        ),
        (
            "ages",
            [
                "---\ndate: 1806\n---\nAnn Hale was thirty, and felt it.",
                "---\ndate: 1810\n---\nAnn Hale was forty-one, and felt it.",
            ],
            {},
        ),
        (
            "age-and-birth",
            ["---\ndate: 1806\n---\nAnn Hale was one hundred and forty."],
            {"Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor."},
        ),
        ("ages", ["Ann Hale was thirty, and felt it.", "Ann Hale was only twenty-eight."], {}),
        (
            "ages",
            ["Ann Hale was thirty, and felt it."],
            {"Characters/Ann Hale.md": "---\ntype: person\nage: 41\n---\nA surveyor."},
        ),
        (
            "absence",
            ["Ann Hale had been gone for twelve years."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\n---\nRan away at fifteen, came home "
                "at twenty."
            },
        ),
        (
            "age-difference",
            ["Ann Hale, two years younger than Ben Orchard, laughed."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\nborn: 1780\n---\nA surveyor.",
                "Characters/Ben Orchard.md": "---\ntype: person\nborn: 1776\n---\nA carter.",
            },
        ),
        (
            "durations",
            [
                "Ben Orchard had driven the mail cart for thirty years.",
                "The wheel broke. Ben Orchard had driven the mail cart for nineteen years.",
            ],
            {},
        ),
    ],
    "attribute-conflict": [
        # A labelled line of a sheet says what a property does.
        (
            "eyes",
            ["Ann Hale had golden eyes."],
            {"Characters/Ann Hale.md": "---\ntype: person\n---\n- **Eyes**: blue\n"},
        ),
        # Of two people in one note, each has the labels below her heading.
        (
            "eyes",
            ["Ida Stone had blue eyes. Una Stone had green eyes."],
            {
                "Characters/Stones.md": "---\ntype: person\n---\n# Characters\n\n## Ida Stone\n\n"
                "**Age**: 30\n**Eyes**: green\n\n## Una Stone\n\n**Age**: 31\n**Eyes**: green\n"
            },
        ),
        *(
            ("gender", [told], {"Characters/Ann Hale.md": f"---\ntype: person\n---\n{sheet}"})
            for sheet, told in (
                (
                    "Human woman, late 20s.",
                    "A boatman named Ann Hale sold wood, but left his wife.",
                ),
                (
                    "Human woman, late 20s.",
                    "Ann Hale kept his own counsel.",
                ),
                ("Her boat is red.", "Ann Hale came in late, as though he had not slept."),
                ("She grew up alone.", "Ann Hale took Ben Orchard with him."),
            )
        ),
        *(
            ("species", ["It rained."], {"Characters/Ida.md": f"---\ntype: person\n{sheet}"})
            for sheet in (
                "species: Wood Elf\n---\n# Ida\n\nIda is a soft-spoken half-elf.",
                "species: Elf\n---\n# Ida\n\nI’m a Half-Elf with quick hands.",
                "race: Dwarf\n---\n# Ida\n\n- **Race**: Gnome\n",
            )
        ),
        *(
            ("eyes", ["Ann Hale had green eyes.", told], {})
            for told in (
                "Ann Hale's blue eyes shone.",
                "Ann Hale had a thin face and blue eyes.",
                "Ann Hale, a blue-eyed girl, sat.",
                "Blue-eyed Ann Hale did not sit.",
            )
        ),
        (
            "eyes",
            ["Ann Hale had blue eyes."],
            {"Characters/Ann Hale.md": "---\ntype: person\nEye colour: Green\n---\nA surveyor."},
        ),
        *(
            (
                "side",
                ["Ann Hale wrote, right-handed, on the slate."],
                {"Characters/Ann Hale.md": f"---\ntype: person\ngender: female\n---\n{sheet}"},
            )
            for sheet in ("A left-handed surveyor.", "She is left-handed and proud.")
        ),
        *(
            (
                "kin",
                [told],
                {
                    "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n"
                    'uncle: "[[Ben Orchard]]"\n---\nA surveyor.'
                },
            )
            for told in (
                "Ann Hale's cousin Ben Orchard came in.",
                "Ben Orchard was Ann Hale's grandpapa.",
            )
        ),
        (
            "eyes",
            ["Ann Hale opened her brown eyes.", "Ann Hale looked up. Her blue eyes were wet."],
            {},
        ),
        (
            "side",
            [
                "Ben Orchard came in. He wore a ring on his left hand.",
                "Ben Orchard sat. He turned the ring on his right hand.",
            ],
            {},
        ),
        (
            "kin",
            ["It was late. Ben Orchard, cousin of Ann Hale, knocked."],
            {
                "Characters/Ann Hale.md": '---\ntype: person\nbrother: "[[Ben Orchard]]"\n---\n'
                "A surveyor."
            },
        ),
        (
            "title",
            [
                "Captain Ann Hale spat. Captain Ann Hale swore. Captain Ann Hale ran.",
                "Lieutenant Ann Hale saluted. Captain Ann Hale did not. Captain Ann Hale left.",
            ],
            {},
        ),
        (
            "side",
            [
                "Ben Orchard came in. There was a string on his left wrist.",
                "Ben Orchard sat. He turned the string on his right wrist.",
            ],
            {},
        ),
        (
            "kin",
            ["Ann Hale laughed. Her brother, Ben Orchard, did not."],
            {"Characters/Ann Hale.md": "---\ntype: person\nuncle: '[[Ben Orchard]]'\n---\nShe."},
        ),
        (
            "title",
            [
                "Captain Ann Hale spat. Captain Ann Hale swore. Captain Ann Hale ran.",
                "Corvin rose as Lieutenant Ann Hale came in. Captain Ann Hale sat.",
            ],
            {},
        ),
        (
            "title",
            [
                "Captain Ann Hale spat. Captain Ann Hale swore. Captain Ann Hale ran.",
                "Maj. Ann Hale saluted. Captain Ann Hale did not. Captain Ann Hale left.",
            ],
            {},
        ),
    ],
    "named-before-introduced": [
        *(
            (
                "before-stated",
                ["Corvin bowed.", "It rained.", "It stopped."],
                {"Characters/Corvin.md": f"---\ntype: person\nintroduced: '{chapter}'\n---\n"},
            )
            for chapter in ("2", "Chapter 12 (not yet written)", "[[02 - Two]]")
        ),
        *(
            (
                "before-reveal",
                ["Corvin, the Gannet, shut the gate.", "It rained.", "Corvin was the Gannet."],
                {
                    "Characters/Corvin.md": "---\ntype: person\naliases: [the Gannet]\n---\n"
                    f"A carter.\n\n## Secret\n\n{visibility}\n\nHe is the Gannet."
                },
            )
            for visibility in (
                "visible_from:: 3",
                "Visible from:: 3",
                "visibleFrom:: [[03 - Three]]",
            )
        ),
    ],
    "confusable-names": [
        (
            "alike",
            ["Ann Hale met Martin Gale at the gate. Martin Gale bowed."],
            {"Characters/Martin Gale.md": "---\ntype: person\n---\nA clerk."},
        ),
        *(
            (
                "alike",
                [f"Ben Orchard met {first} at the gate. {second} bowed to {first}."],
                {
                    f"Characters/{name}.md": "---\ntype: person\n---\nA clerk."
                    for name in (first, second)
                },
            )
            for first, second in (
                ("Emily", "Emilia"),
                ("Phillipa", "Filipa"),
                ("Berton", "Burton"),
                ("Martin", "Martina"),
            )
        ),
    ],
    "inconsistent-spelling": [
        ("spelling", ["Ann Hale knew Corvin. Nobody else had seen Corvan before."], {}),
        # In notes as in chapters, of places as of people: letters that are swapped or doubled.
        (
            "spelling",
            ["They rode to Skaldorn, and from Skaldorn home."],
            {
                "Places/Skaldorn.md": "---\ntype: place\n---\nA castle.",
                "Plans/Raid.md": "Skaldron is to be taken by night.",
            },
        ),
        (
            "spelling",
            ["They feared the Varro clan. The Varro clan rode by night."],
            {
                "Factions/Varro.md": "---\ntype: faction\n---\nA clan.",
                "Characters/Ida.md": "---\ntype: person\nallies: [the Varo clan]\n---\nA rider.",
            },
        ),
        (
            "spelling",
            ["Ida Thornbrella bowed. Ida Thornbrella left.", "Thorbrella Hale came back."],
            {"Characters/Ida Thornbrella.md": "---\ntype: person\n---\nA singer."},
        ),
        # A name that a hasty hand wrote small once is a name still.
        (
            "spelling",
            [
                "Ida met Corwen. " + "Corwen bowed, and Ida and Corwen left. " * 11,
                "Nobody asked corwen. Ida nodded to Corwin.",
            ],
            {"Characters/Corwen.md": "---\ntype: person\n---\nA rider."},
        ),
        # Two letters that are swapped in a short name, and an ending that sounds the same.
        (
            "spelling",
            ["“I am Lai,” she said. Lia bowed. Then Lia left."],
            {"Characters/Lia.md": "---\ntype: person\n---\nA rider."},
        ),
        (
            "spelling",
            ["Ida met Fanni. They ate, Ida and Fannie. Fanni left."],
            {"Characters/Fanni.md": "---\ntype: person\n---\nA rider."},
        ),
        # Any letter among the other words of a name; in a note's title the name stands as well.
        (
            "spelling",
            ["They rode by the Tarvel Mill Road. It rained."],
            {"Places/Tarven Mill Road.md": "---\ntype: place\n---\nA lane."},
        ),
        # A word of a longer title that is not a person's; a link that leads nowhere.
        (
            "spelling",
            ["They saw Ravenhold. It was after the Siege of Ravnhold. Ida left Ravenhold."],
            {
                "Places/Ravenhold.md": "---\ntype: place\n---\nA castle.",
                "Events/Siege of Ravnhold.md": "---\ntype: event\n---\nIt was long.",
            },
        ),
        (
            "spelling",
            ["They saw [[Revenhold]]."],
            {"Places/Ravenhold.md": "---\ntype: place\n---\nA castle."},
        ),
        (
            "spelling",
            ["They opened the [[Gate: Begin]]."],
            {"Places/Gate Begin.md": "---\ntype: place\n---\nA gate."},
        ),
    ],
}
