"""Small stories of people whose ranks and kinships conflict, or only seem to.

Each consists of chapters and further notes; a conflict also has its code.
"""

from __future__ import annotations

BROTHER = {
    "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n"
    'brother: "[[Ben Orchard]]"\n---\nA surveyor.'
}
OFFICERS = {
    "Characters/Captain Vane.md": "---\ntype: person\ngender: female\n---\nHas a ship.",
    "Characters/Sir Thomas Ash.md": "---\ntype: person\ngender: male\n---\nA squire.",
    "Characters/Karen Doyle.md": "---\ntype: person\nrank: Detective Inspector\n---\nHas a case.",
}
VANE = "Captain Vane laughed. Captain Vane sat. Captain Vane ate."
DOYLE = "DI Doyle sat. Inspector Doyle ate. Detective Inspector Doyle ran."

CONFLICTS: list[tuple[str, list[str], dict[str, str]]] = [
    *(
        ("title", [DOYLE, f"{rank} Doyle slept. Chief Inspector Doyle rose."], OFFICERS)
        for rank in ("DS", "Detective Sergeant", "Superintendent")
    ),
    # Her father has her rank, and not that of which the story speaks later.
    (
        "title",
        [VANE, "Her father, Captain Vane, wept. Lieutenant Vane ate. Captain Vane slept."],
        OFFICERS,
    ),
    *(
        ("kin", [told], BROTHER)
        for told in (
            "It rained. Ann Hale laughed, and her uncle Ben Orchard laughed.",
            "Ann Hale came in with her husband Ben Orchard.",
        )
    ),
]

NO_CONFLICTS: list[tuple[list[str], dict[str, str]]] = [
    *(
        ([VANE, f"{told} Captain Vane ran."], OFFICERS)
        for told in (
            "Her father, General Vane, had lost the house. General Vane coughed.",
            "The door opened, and old General Vane came in.",
            "Admiral Vane, her uncle, was deaf. Admiral Vane ate.",
            "Acting Commodore Vane slept.",
        )
    ),
    (
        [
            "Sir Thomas sat. Sir Thomas ran. Sir Thomas ate.",
            "Lord Thomas, his cousin, came in. Lady Thomas did not. Sir Thomas bowed.",
        ],
        OFFICERS,
    ),
    ([DOYLE, "DCI Doyle slept. Chief Inspector Doyle rose."], OFFICERS),
    *(
        ([told], BROTHER)
        for told in (
            "Ann Hale told her husband Ben Orchard was coming.",
            "Ann Hale wept. To please her husband Ben Orchard sang.",
            "In the play Ann Hale was queen, and on stage her husband Ben Orchard was king.",
            "Ann Hale called him her uncle Ben Orchard when she was small.",
        )
    ),
]
