"""Small stories of things that somebody hides or keeps, and that are taken up later or not.

Each consists of chapters and further notes; a fault also has its code.
"""

from __future__ import annotations

SET_UPS: list[tuple[str, list[str], dict[str, str]]] = [
    (
        "not-taken-up",
        [
            "Ann Hale hid the brass sextant under the stair. She would need it.",
            "The snow fell.",
            "Ben Orchard drove home.",
        ],
        {},
    ),
    (
        "not-taken-up",
        [
            "Ann Hale sold a pistol, and that pistol would kill a man before the year was out.",
            "It rained.",
            "A year went by.",
        ],
        {},
    ),
    (
        "not-taken-up",
        ["She kept the whistle for the day when he came back.", "It rained.", "It stopped."],
        {},
    ),
    # A last chapter without a text.
    ("not-taken-up", ["He hid the épée in the piano.", "It rained.", "# Three\n"], {}),
    *(
        ("not-taken-up", [set_up, "It rained.", "It stopped."], {})
        for set_up in (
            "He hid the revolver in the old chest.",
            "She took up the coins and buried them. Then she sewed a thimble into her hem.",
            "He had hidden a ledger beneath the floor, and told Ann.",
            "He locked the diary in the drawer. It was her own diary.",
            "One day he would be glad of that rope.",
            'Ben Orchard gave her a lantern. "You will need that lantern," he said.',
        )
    ),
    *(
        ("not-taken-up", [set_up, "It rained.", "It stopped."], {})
        for set_up in (
            "She hid the ring in the hem of a curtain.",
            "He buried the treasure under the oak.",
            "She hid the document behind the panel.",
            "He hid the painting in the attic.",
            "She hid the potion under the hearth.",
            "She hid Corvin's knife under the mattress.",
            "She hid some pearls under the mattress.",
            "He hid both the pistols in the barn.",
            "He hid the key-ring in the clock.",
        )
    ),
    # "Not" is no note, and "can" no cane.
    (
        "not-taken-up",
        ["She hid the note under the blotter.", "It was not late.", "It stopped."],
        {},
    ),
    ("not-taken-up", ["He hid the cane in the barn.", "Nobody can hear it.", "It stopped."], {}),
]

NO_SET_UPS: list[tuple[list[str], dict[str, str]]] = [
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
    *(
        ([told, "It rained.", "It stopped."], {})
        for told in (
            # A part of the body, and how somebody looks or feels.
            "She buried her toes in the sand.",
            "She hid her hair under a scarf and went out.",
            "He hid the bruise under a bandage.",
            "He hid his limp under a swagger.",
            "He buried the memory in work.",
            # People and animals.
            "They buried the old dog under the apple tree.",
            "They buried the dead in a long pit behind the church.",
            "They hid the children in the cellar when the soldiers came.",
            "He kept the dog safe until morning.",
            # Things in use.
            "He hid the cigarette behind his back.",
            "Her phone buzzed. She buried the phone in her coat and went down the bank.",
            "He buried the spade in the earth and leaned on it.",
            "He stowed the luggage in the boot and got in.",
            "She took the blanket. She tucked the blanket under the child.",
            "He sealed the envelope in front of them. The envelope was blue.",
            "He kept the shop until he died.",
            "She kept the window open for the whole night.",
            "He locked the office in the evening. The office was cold.",
            "She slipped the letter under the door. The letter was short.",
            "He hid the car behind the barn and walked.",
            # Something that was not shown, and no thing.
            "He looked at the ladder. He would need a longer ladder for the roof.",
            "She would want that explained.",
            "Her opinion would matter to him.",
            "The money would come in handy.",
        )
    ),
    *(
        ([f"She hid the {hidden}.", "It rained.", f"She took up {taken}."], {})
        for hidden, taken in (
            ("bag of coins under the stair", "the bag"),
            ("box of matches under the stair", "the matches"),
            ("glass in the press", "the glasses"),
            ("revolver in the chest", "the gun"),
            ("letter in the clock", "the envelope"),
            ("photograph in the clock", "the picture"),
            ("key-ring in the clock", "the keys"),
        )
    ),
]
