"""Small stories that rules might wrongly report: chapters and further notes."""

from __future__ import annotations

NO_FAULTS: dict[str, list[tuple[list[str], dict[str, str]]]] = {
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
                "Whoever asked, Ben Orchard were dead.",
                "She wished Ben Orchard dead.",
                "Ben Orchard was as good as dead.",
                "Ben Orchard was thought to be dead.",
                "Ben Orchard should be dead by now.",
                "She was convinced that Ben Orchard was dead.",
                "There was a rumour that Ben Orchard was killed at the ford.",
                "Ben Orchard was dead against it.",
                "Ben Orchard was dead asleep.",
                "Ben Orchard was buried in his newspaper.",
                "Ben Orchard was buried in the depths of his chair.",
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
                "Ben Orchard laughed at her, the first time.",
                "As Ben Orchard says, a gate is a gate.",
                "Every night Ben Orchard laughs.",
                "The song Ben Orchard sings is still in her.",
                "For a second Ben Orchard stands in the door, and is her coat.",
                "Ben Orchard lies on the table and looks small.",
                "She pictures how Ben Orchard laughs.",
                "On the tape Ben Orchard laughs.",
                "According to the diary, Ben Orchard hides the key.",
                "Ben Orchard leaves her the mill and three debts.",
                "Ben Orchard leaves three children.",
                "Ben Orchard, she thinks, laughs somewhere.",
                "Ben Orchard goes into the ground at noon.",
                '"Ben Orchard laughs at us," says Ann Hale.',
            )
        ),
        # What the narrator of a tale in the past knows of today.
        (["Ann Hale wept. Ben Orchard is dead now.", "Ben Orchard laughed and shut the gate."], {}),
        # Two strands, now and then: which comes first is not said.
        (["Ben Orchard dies at dawn.", "Ben Orchard laughed and shut the gate."], {}),
        (
            ["It is cold.", "Ben Orchard laughed and shut the gate."],
            {"Timeline.md": "# Timeline\n\n- Ben Orchard is killed at the ford ([[01 - One]])\n"},
        ),
    ],
    "two-places": [
        (["Ann Hale sat in York. Ann Hale drank at the Dover Arms."], {}),
        (
            ["Ann Hale sat in York. The fire was low. Ann Hale slept in Dover."],
            {"Places/York.md": "---\ntype: place\n---\nThe castle of [[Dover]], on the cliff."},
        ),
        (["Dover was near York, as you know. Ann Hale sat in York. Ann Hale slept in Dover."], {}),
        *(
            ([f"Ann Hale sat in York, a cup in her hand. The fire was low. {elsewhere}"], {})
            for elsewhere in (
                "Ann Hale was the best rider in Dover. Ann Hale was famous in Dover. Ann Hale had "
                "friends in Dover.",
                "As a girl Ann Hale slept in Dover. Ann Hale grew up in Dover.",
            )
        ),
        # What comes again in another year.
        (
            [
                "---\ndate: 1806\n---\nOn 3 March Ann Hale sat in Dover.",
                "---\ndate: 1809\n---\nOn 3 March Ann Hale sat in York.",
            ],
            {},
        ),
        (
            [
                "On the night of the fair Ann Hale sat in Dover.",
                "Six years went by. On the night of the fair Ann Hale sat in York.",
            ],
            {},
        ),
        (
            [
                "---\ndate: 1806-03-02\ntime: late afternoon\nlocation: Dover\n"
                "characters: [Ann Hale]\n---\nThe gulls were loud.",
                "---\ndate: 1806-03-02\ntime: late afternoon\nlocation: York\n"
                "characters: [Ann Hale]\n---\nThe bells were louder.",
            ],
            {},
        ),
        *(
            ([f"Ann Hale {told}"], {})
            for told in (
                "stood on the bridge. Ann Hale leaned on the ship's wet deck.",
                "lay on the deck with a beer. It was hot. Ann Hale stood in the kitchen.",
            )
        ),
        (
            [
                "---\nlocation: Dover\n---\nOn the night of the fair the bells rang. At ten the "
                "next morning Ben Orchard stood on the quay.",
                '---\nlocation: York\n---\n"The night of the fair I sat here from nine until '
                'midnight," said Ben Orchard.',
            ],
            {},
        ),
        *(
            (
                ["In Dover Ann Hale sat. In York Ann Hale lay in bed."],
                {"Places/Dover.md": f'---\ntype: place\n{key}: "[[York]]"\n---\nA port.'},
            )
            for key in ("contains", "capital", "connected_to")
        ),
        (
            [
                "---\ndate: 1806-03-02\ntime: noon\nlocation: Dover\ncharacters: [Ann Hale]\n---\n"
                f"The {what} were loud."
                for what in ("gulls", "bells")
            ],
            {},
        ),
        *(
            ([f"Ann Hale sat in Dover.\n\n{mark}\n\nAnn Hale stood at York."], {})
            for mark in ("---", "* * *", "⁂", "#", r"\*\*\*", r"\* \* \*")
        ),
        (["Ann Hale was in Dover. She rode all day. At dusk Ann Hale was in York."], {}),
        (
            [
                "The morning after her arrival Ann Hale sat in Dover.",
                "The morning after her return Ann Hale sat in York.",
            ],
            {},
        ),
        (
            [
                "In the kitchen Ann Hale was peeling pears. She ran down to the harbour. "
                "Ann Hale, curled up on the ship's cold deck, counted the stars."
            ],
            {},
        ),
        (["In the kitchen Ann Hale was peeling pears. Ann Hale sat in the garden."], {}),
        *(
            ([f"Ann Hale stood on the wet deck. {aboard}"], {})
            for aboard in ("Ann Hale sat on the tower deck.", "Ann Hale lay on the rock-grey boat.")
        ),
        (["Ann Hale stood in the orchard. Ann Hale sat in the log cabin."], {}),
        *(
            ([f"Ann Hale is in Dover. The gulls are loud. {elsewhere}"], {})
            for elsewhere in (
                "Ann Hale was in York, at school.",
                "Every summer Ann Hale sits in York.",
                "Ann Hale lives in York.",
                "Ann Hale calls a surgeon in York.",
                "Ann Hale imagines herself in York.",
                "In the picture Ann Hale stands in York.",
                "Ann Hale will be in York.",
                "Tomorrow Ann Hale sits in York.",
                "Ann Hale has a house in York.",
                "Officially Ann Hale is in York.",
                "Is Ann Hale in York?",
                "If Ann Hale is in York, who is this?",
                "He believes Ann Hale is in York.",
                '"Ann Hale is in York," says Ben Orchard.',
                "She takes the coach. Ann Hale is in York by dusk, and leaves at once.",
            )
        ),
        (["Ann Hale sat in Dover. It rained. Ann Hale lives in York, as you know."], {}),
        *(
            (
                [
                    "---\nlocation: Dover\n---\nOn the night of the fair the bells rang. At "
                    f"{hour} o'clock {who} stood on the quay.",
                    '---\nlocation: York\n---\n"The night of the fair I sat here from nine until '
                    'midnight," said Ben Orchard.',
                ],
                {},
            )
            for hour, who in (("one", "Ben Orchard"), ("ten", "Corvin"))
        ),
        (
            [
                "---\nlocation: Dover\n---\nOn the night of the fair the bells rang. At ten "
                "o'clock Ben Orchard stood on the quay.",
                '---\nlocation: York\n---\n"The night of the fair I sat here from nine until '
                'midnight," said Ann Hale, and Ben Orchard said, "I was late."',
            ],
            {},
        ),
        (
            [
                "On the night of the fair Ann Hale sat in Dover with her maps.",
                "On the night of the fair Ben Orchard stood at York. He thought of Ann Hale.",
            ],
            {},
        ),
        (
            ["Ann Hale stood in the Keep. Ann Hale slept in the Keep all night."],
            {
                f"Places/{name}.md": "---\ntype: place\naliases: [the Keep]\n---\nA fort."
                for name in ("Northwall", "Southmoor")
            },
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
    "attribute-conflict": [
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
                "Ann Hale saw Ben Orchard, her uncle scarcely less so.",
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
        (
            ["It rained.", '"Corvin will know," she said.', "Corvin came in."],
            {
                "Characters/Corvin.md": "---\ntype: person\n---\n"
                "He is spoken of from [[02 - Two|the ball]] on, and comes on stage in "
                "[[03 - Three|the end]]."
            },
        ),
        (["They spoke of a stranger.", "His name was Corvin.", "Corvin shut the gate."], {}),
        (['"Have you seen Corvin?" said Ann Hale.', "This was Corvin, then."], {}),
        *(
            (["Corvin shut the gate.", again], {})
            for again in (
                "More than once she was to meet Corvin in the lane.",
                "This was Corvin, the good, the patient Corvin!",
            )
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
            (["---\npov: Ann Hale\n---\nAnn Hale saw Corvin pass. Corvin bowed.", told], {})
            for told in (
                "# Corvin\n\nI am Corvin, and my name is Corvin on every map.",
                "# Ben\n\nI am Ann Hale's carter. The horse's name was Corvin's idea.",
                "---\npov: Ben Orchard\n---\nThe stranger smiled. His name was Corvin.",
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
        # Three chapters know him.
        (
            ["Corvin sat.", "Corvin rose.", "Corvin left."],
            {"Manuscript/04 - Four.md": "His name was Corvin, after his uncle."},
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
        # Who is only talked of is not in the scene; who is seldom named, no name to slip from.
        (
            [
                'Ann Barlow shut the gate. "Mrs. Marlow is out," said Ann Barlow.',
                "Mrs. Marlow sang. Mrs. Marlow bowed, and Mrs. Marlow went.",
            ],
            {"Characters/Ann Barlow.md": "---\ntype: person\n---\nA singer."},
        ),
        (
            [
                "It was Miss Trenton who sang. Miss Trenton bowed, and Miss Trenton went.",
                "He had not been in Brenton before.",
            ],
            {},
        ),
        (["Wilfred met Wickham. Wickham bowed to William, and William to Wickham."], {}),
        (
            ["He came from Corvina. Nobody had seen a Corvinan there before."],
            {"Characters/Corvin.md": "---\ntype: person\naliases: [Corvina]\n---\nA stranger."},
        ),
    ],
    "unresolved-set-up": [
        (
            [
                "Ann Hale hid the brass sextant under the stair. She would need it.",
                "The snow fell.",
                "She took the sextant out.",
            ],
            {},
        ),
        (["Ben Orchard locked the door.", "It rained.", "It stopped."], {}),
        (
            [
                "Had he hidden the ledger in the barn? In her dream he hid a crown in the well. If "
                "she hid the pearls in the loft, all was safe. He buried the axe in the door. She "
                "would need a drink, and he would want his supper. I would be glad of the company. "
                "He hid the résumé and the knives under the stair.",
                "A knife was gone, with the résumé.",
                "It stopped.",
            ],
            {},
        ),
        # Two notes of one chapter, and two scenes of one note.
        (
            [
                "It rained, and rained, and rained. She hid the ledger under the stair.",
                "---\nchapter: 1\n---\nThe ledger was gone.",
                "It stopped. She hid a thimble in the loft.\n\n---\n\nThe thimble was gone.",
            ],
            {"Manuscript/04 - Four.md": "It rained."},
        ),
        *(
            ([told, "It rained.", "It stopped."], {})
            for told in (
                "She hid a yawn behind her fan.",
                "He hid his embarrassment behind a cough.",
                "The boat slipped her moorings in the night.",
                "He slipped the pencil into his pocket.",
                "The hill hid the farm between its shoulders.",
                "It was the wig which hid the scar under it.",
                "It is a great drain. You must remember the place.",
                "I shall keep my spleen to myself till Christmas.",
                "The rope came in handy.",
                '"I shall want my boots," he said.',
                "She danced, and he would have husbands for them before the winter was over.",
            )
        ),
    ],
}
