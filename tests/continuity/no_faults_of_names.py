"""Small stories in which rules might wrongly report looks, ranks, kin or names.

Each consists of chapters and further notes.
"""

from __future__ import annotations

_WOMAN = "---\ntype: person\ngender: female\n---\n"

OF_NAMES: dict[str, list[tuple[list[str], dict[str, str]]]] = {
    "attribute-conflict": [
        # Eyes of somebody else, of several, or in several states.
        *(
            (["Ann Hale laughed. " + told], {"Characters/Ann Hale.md": sheet})
            for sheet, told in (
                (f"{_WOMAN}- **Eyes**: blue", "Ann Hale met her mother's golden eyes."),
                (f"{_WOMAN}- **Eyes**: blue", "The man with her had brown eyes."),
                (f"{_WOMAN}- **Eyes**: blue", "The clerk's face was dull behind her green eyes."),
                (f"{_WOMAN}- **Eyes**: blue in battle, else gold", "Ann Hale had golden eyes."),
                (f"{_WOMAN}- **Eyes**: blue\n\nThe golden eyes were rare in York.", "It rained."),
                (f"{_WOMAN}- **Eyes**: blue\n\nMarried to a girl with golden eyes.", "It rained."),
                (f"{_WOMAN}Calm at rest (golden eyes).\n\nFierce (blue eyes).", "It rained."),
                (f"{_WOMAN}Blue eyes.\n\n- What she loves: The golden eyes of cats.", "It rained."),
                (f"{_WOMAN}Golden eyes.\n\nBlue eyes when alert.", "It rained."),
            )
        ),
        # "He" is somebody else of whom the text speaks, or the same note has both.
        *(
            (
                [told],
                {"Characters/Ann Hale.md": "---\ntype: person\n---\nHuman woman, late 20s."},
            )
            for told in (
                "Ben Orchard waited. Ann Hale turned, but he was gone.",
                "A man stood there. Ann Hale turned to his horse.",
                "He was late. Ann Hale turned to his horse.",
                "His horse stood by the gate, and Ann Hale fed it.",
                "Ann Hale sang. Her hair was wet. Then Ann Hale sold his horse.",
                "Ann Hale told him so.",
                "Ann Hale said that he was a barber.",
            )
        ),
        (
            ["It rained."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\n---\nHuman woman.\n\n"
                "Friend of the king.\n\n- Ex-husband Bo: left her for his maid.\n"
            },
        ),
        # What says more of a species, or is said of somebody else.
        *(
            (["It rained."], {"Characters/Ida.md": f"---\ntype: person\nspecies: {sheet}"})
            for sheet in (
                "Elf\n---\n# Ida\n\nIda is a Wood Elf.",
                "Half-Elf\n---\n# Ida\n\nIda is a small half-elf.",
                "Elf / Human\n---\n# Ida\n\nIda is a half-elf.",
                "Elf\n---\n# Ida\n\nHer mother's friend was the half-elf's maid.",
            )
        ),
        (
            [
                "Ann Hale had green eyes. Ben Orchard had red hair.",
                "Ann Hale's eyes were black with rage. Ann Hale's eyes were grey in that light. "
                "Ann Hale's mother had had blue eyes. Corvin had Ann Hale's nose, but brown eyes. "
                "Ben Orchard's black hair, dyed, was wet.",
            ],
            {},
        ),
        (
            [
                "Ann Hale wore the ring on her right hand.",
                "Ann Hale took the ring in her left hand, and weighed it.",
            ],
            {},
        ),
        *(
            (["Ann Hale had green eyes.", f"Ann Hale {told}."], {})
            for told in (
                "looked at the blue-eyed boy",
                "did not have blue eyes",
                "sat. In the dream Ann Hale had blue eyes",
                "was no blue-eyed girl",
                "wished for blue eyes",
                "bought a doll with blue eyes",
                "sat.\n\nOne.\n\nTwo.\n\nThree.\n\nFour. Her blue eyes were wet",
            )
        ),
        *(
            (["Ann Hale was left-handed.", told], {})
            for told in (
                "Ann Hale threw the ball to the right-handed boy.",
                "Ann Hale wrote with a right-handed pen.",
                "Ann Hale laughed. She was never right-handed.",
            )
        ),
        (["Ann Hale sat. It was on her left hand.", "Ann Hale sat. It was on her right hand."], {}),
        (
            ["Ben Orchard was Ann Hale's cousin's friend."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n"
                'brother: "[[Ben Orchard]]"\n---\nA surveyor.'
            },
        ),
        (
            [
                "Captain Hale sat. Captain Hale laughed. Captain Hale rose.",
                "Major Hale sat. Major Hale laughed.",
            ],
            {},
        ),
        (["Ann Hale opened her brown eyes.", "Ben Orchard looked up. His blue eyes were wet."], {}),
        (["Ann Hale had dark hair.", "Ann Hale was old. Her white hair shone."], {}),
        (["Miss Hale came in. Ann Hale sat.", "Mrs. Hale rose. Ann Hale went."], {}),
        (
            ["Commander Ann Hale rose. Commander Hale sat.", "Lt. Hale slept. Ann Hale woke."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\nrank: Lieutenant Commander\n---\n"
                "A surveyor."
            },
        ),
        (["Ann Hale tried Sir Corvin, Lord Corvin, and Sir Corvin again."], {}),
        (
            [
                "Sir Corvin bowed. Sir Corvin sat. Sir Corvin ate.",
                "It was built in the days of King Corvin. Sir Corvin liked it.",
            ],
            {},
        ),
        *(
            ([f"{usual} Ann Hale sat. {usual} Ann Hale ate. {usual} Ann Hale ran.", as_well], {})
            for usual, as_well in (
                ("Professor", "Doctor Ann Hale bowed. Professor Ann Hale did not."),
                ("Countess", "Lady Ann Hale bowed. Countess Ann Hale did not."),
            )
        ),
        *(
            ([f"Ann Hale opened her {first}.", f"Ann Hale shook her {second}."], {})
            for first, second in (
                ("blue eyes", "head and raised her dark eyes"),
                ("green eyes", "head and raised her hazel eyes"),
                ("grey eyes", "head and raised her grey-green eyes"),
                ("coat over her brown hair", "auburn hair"),
                ("coat over her red hair", "red-gold hair"),
            )
        ),
        (
            [
                "Captain Hale sat. Captain Hale ate. Captain Hale ran. Captain Hale slept.",
                "“Well, Admiral Hale,” said Corvin. In those days she was still Lieutenant Hale. "
                "One day she would be Commodore Hale. Captain Hale laughed.",
                "# Ten years earlier\n\nEnsign Hale saluted. She was cold.",
            ],
            {"Manuscript/04 - Four.md": "They made her a colonel. Colonel Hale wept."},
        ),
        (
            [
                "Ann Hale laughed. She pretended that he was her brother, Ben Orchard. Was he her "
                "uncle Ben Orchard?"
            ],
            {
                "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n"
                'husband: "[[Ben Orchard]]"\n---\nA surveyor.'
            },
        ),
        # Which of the two she is, nobody can tell.
        (
            [
                "Ann Hale opened her brown eyes. Mara Pike sat. Ann Hale asked Mara Pike. Her blue "
                "eyes were wet.",
                "It was of a blue that Mara Pike loathed, and which Ann Hale liked. Her blue eyes "
                "were on it.",
            ],
            {"Characters/Mara Pike.md": "---\ntype: person\ngender: female\n---\nA diver."},
        ),
        # What is held, and what stands beside somebody.
        (
            [
                "Ben Orchard came in with the lamp in his left hand.",
                "Ben Orchard took the lamp in his right hand. He looked for her on the left hand.",
                "He came back. Ben Orchard looked for her on the right hand.",
            ],
            {},
        ),
        *(
            (
                [told],
                {
                    "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n"
                    'brother: "[[Ben Orchard]]"\n---\nA surveyor.'
                },
            )
            for told in (
                '"Ben Orchard shall marry Ann Hale," said Corvin.',
                "Ann Hale smiled at her cousin, Ben Orchard was sure.",
            )
        ),
        (
            ["Ann Hale danced with her cousin Ben Orchard."],
            {
                "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n"
                'husband: "[[Ben Orchard]]"\n---\nA surveyor.'
            },
        ),
    ],
    "named-before-introduced": [
        (
            ["Ann Hale came in.", "It rained."],
            {"Characters/Ann Hale.md": "---\ntype: person\nintroduced: at the ball\n---\n"},
        ),
        *(
            (
                chapters,
                {
                    "Characters/Corvin.md": "---\ntype: person\naliases: [the Gannet]\n---\n"
                    "A carter.\n\n## Secret\n\nvisible_from:: 3\n\nHe is the Gannet."
                },
            )
            for chapters in (
                ["They spoke of the Gannet.", "It rained.", "Corvin was the Gannet."],
                ["Was Corvin the Gannet?", "It rained.", "Corvin was the Gannet."],
            )
        ),
        *(
            (
                ["Mrs. Orchard poured tea.", "It rained.", "It stopped."],
                {
                    "Characters/Ann Hale.md": "---\ntype: person\naliases: [Mrs. Orchard]\n"
                    f"introduced: {introduced}\n---\n{told}"
                },
            )
            for introduced, told in (
                ("1806-04-02", "Mrs. Orchard after 2 years of courtship."),
                ("1806", "Mrs. Orchard from 3 o'clock, and Ann until then."),
                ("1 April", "Mrs. Orchard since 3 June."),
            )
        ),
    ],
    "confusable-names": [
        (
            ["Augusta laughed. She left in August."],
            {"Characters/Augusta.md": "---\ntype: person\n---\nA clerk."},
        ),
        (
            [
                "Chris met Trish. “For Christ's sake!” Trish had an Irish temper. Marta "
                "was born on Malta. Ester and Marta met; it was nearly Easter."
            ],
            {
                f"Characters/{name}.md": "---\ntype: person\n---\n"
                for name in ("Chris", "Trish", "Ester", "Marta")
            },
        ),
        (
            ["Tom Harker laughed. Harker sat. Will Harkers laughed. Harkers sat."],
            {
                "Characters/Tom Harker.md": "---\ntype: person\n---\nA smith.",
                "Characters/Will Harkers.md": "---\ntype: person\n---\nA mason.",
            },
        ),
        (
            [
                "Lev Orlov met Ida Orlova. The Orlovs bowed, and Orlova laughed at Orlov. They saw "
                "the Orlovs go, and Orlova's hat.",
                "Ned Belsky met Una Belskaya. Then Belsky wrote to Belskaya.",
            ],
            {
                f"Characters/{name}.md": "---\ntype: person\n---\n"
                for name in ("Lev Orlov", "Ida Orlova", "Ned Belsky", "Una Belskaya")
            },
        ),
        (
            ["Lev Karenin met Ida Karenina. Karenina bowed to Karenin. Una Orlova met old Orlov."],
            {
                f"Characters/{name}.md": "---\ntype: person\n---\n"
                for name in ("Lev Karenin", "Ida Karenina", "Una Orlova")
            },
        ),
        (
            ["Ivan Tolstoy met Vera Tolstaya. Tolstoy bowed, and Tolstaya laughed."],
            {
                f"Characters/{name}.md": "---\ntype: person\n---\n"
                for name in ("Ivan Tolstoy", "Vera Tolstaya")
            },
        ),
        (
            ["Ann Hale met Tom Hale at the gate. Tom Hale bowed to Ann Hale."],
            {"Characters/Tom Hale.md": "---\ntype: person\n---\nHer brother."},
        ),
        (
            ["Ann Hale met Benny. Benny bowed. Ben Orchard laughed."],
            {"Characters/Ben Orchard.md": "---\ntype: person\naliases: [Benny]\n---\nA carter."},
        ),
        (
            [
                "Mr. Orchard met the Orchards at the gate. Mr. Kelly met the Kellys, Mrs. Kelly "
                "met the Kellies, and Mr. Bass the two Misses Basses.",
                "Mr. Kelly bowed to the Kellys. The Basses did not. Mr. Bass laughed.",
            ],
            {},
        ),
        # Who is only talked of is not in the scene.
        (
            [
                'Ann Barlow shut the gate. "Mrs. Marlow is out," said Ann Barlow.',
                "Mrs. Marlow sang. Mrs. Marlow bowed, and Mrs. Marlow went.",
            ],
            {"Characters/Ann Barlow.md": "---\ntype: person\n---\nA singer."},
        ),
        (["Wilfred met Wickham. Wickham bowed to William, and William to Wickham."], {}),
    ],
    "inconsistent-spelling": [
        (
            ["Augusta laughed. She left in August."],
            {"Characters/Augusta.md": "---\ntype: person\n---\nA clerk."},
        ),
        (
            [
                "Chris met Trish. “For Christ's sake!” Trish had an Irish temper. Marta "
                "was born on Malta. Ester and Marta met; it was nearly Easter."
            ],
            {
                f"Characters/{name}.md": "---\ntype: person\n---\n"
                for name in ("Chris", "Trish", "Ester", "Marta")
            },
        ),
        (
            [
                "It was Miss Trenton who sang. Miss Trenton bowed, and Miss Trenton went.",
                "He had not been in Brenton before.",
            ],
            {},
        ),
        (
            ["He came from Corvina. Nobody had seen a Corvinan there before."],
            {"Characters/Corvin.md": "---\ntype: person\naliases: [Corvina]\n---\nA stranger."},
        ),
        # An ending is another word; so is what is also written small, or written as often.
        (
            ["The Kadizans held the pass. Kadizar rose. Old Kadizar bowed to Kadizar."],
            {"Characters/Kadizar.md": "---\ntype: person\n---\nA king."},
        ),
        (
            ["Ida Stone bowed to the Stonne folk. The stonne was grey. Ida Stone left."],
            {"Characters/Ida Stone.md": "---\ntype: person\n---\nA singer."},
        ),
        (
            ["Ida met Marrick at the gate. Marick met Ida. Old Marick bowed to Ida."],
            {"Characters/Marrick.md": "---\ntype: person\n---\nA smith."},
        ),
        # A title and a common word stand before many names; persons are meant as they are written.
        (
            ["They met Lady Marle in Old Street. Lady Marlo bowed."],
            {"Characters/Lady Marle.md": "---\ntype: person\n---\nA singer."},
        ),
        (
            ["Kristen laughed. Kristen bowed to Ida. Ida and Kristen left."],
            {
                "Characters/Kristen.md": "---\ntype: person\n---\nA singer.",
                "Characters/Kristin Moor.md": "---\ntype: person\n---\nA smith.",
            },
        ),
        # Both have a note: both are meant.
        (
            ["Ida met Alric. Alric bowed to Allric. Alric left."],
            {
                "Characters/Alric.md": "---\ntype: person\n---\nA smith.",
                "Characters/Allric.md": "---\ntype: person\n---\nHis son.",
            },
        ),
    ],
}
