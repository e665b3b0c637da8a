"""Small stories in which somebody is, or only seems to be, in two places.

Each consists of chapters and further notes; a fault also has its code.
"""

from __future__ import annotations


def told(place: str, words: str) -> str:
    """Return a chapter with its place."""
    return f"---\nlocation: {place}\n---\n{words}"


CLAIM = told(
    "York", '"The night of the fair I sat here from nine until midnight," said Ben Orchard.'
)

SEEN = told("Dover", "On the night of the fair the bells rang. At ten Ben Orchard laughed there.")

TWO_PLACES: list[tuple[str, list[str], dict[str, str]]] = [
    (
        "spoken-alibi",
        [
            SEEN,
            '"Where were you on the night of the fair?" said Corvin. "I was in York, from nine to '
            'twelve," said Ben Orchard.',
        ],
        {},
    ),
]

ONE_PLACE: list[tuple[list[str], dict[str, str]]] = [
    *(
        ([words], {})
        for words in (
            # Parts of a ship, and words that are no place.
            "Ann Hale sat in the ship's kitchen. Ann Hale stood on the deck.",
            "Ann Hale stood in the kitchen of the barge. Ann Hale sat on the deck.",
            "Ann Hale sat in the boat. Ann Hale stood in the shop window.",
            "Ann Hale lay on the ship's deck. Ann Hale sat in the street café.",
            "Ann Hale was in the hospital ship. Ann Hale lay in the field hospital.",
            "Ann Hale sat in the kitchen. It was no use; Ann Hale was in the same boat.",
            "Ann Hale sat in the kitchen. Ann Hale was on the boat again in her mind.",
            # Boats that have come to the shore.
            "Ann Hale lay on the raft. The raft struck. Ann Hale lay on the sand.",
            "Ann Hale stood on the beach. The boat was pulled up there. Ann Hale sat in the boat.",
            # Time or a train in between.
            "Ann Hale was in the market by six. By noon Ann Hale was on the ferry.",
            "Ann Hale was in Dover. The train stopped. Ann Hale was in York.",
            "Ann Hale was in Dover. It was a good fair. In York Ann Hale would have been bored.",
            "Ann Hale was in Dover in spirit. Ann Hale was in York, on a bench.",
        )
    ),
    (
        ["Ann Hale sat in the Long Room. It was cold. Ann Hale was in York, asleep."],
        {
            "Places/Long Room.md": "---\ntype: place\n---\nA room in [[Marrow House]].",
            "Places/Marrow House.md": "---\ntype: place\n---\nA house in [[York]].",
        },
    ),
    (
        [
            SEEN,
            '"Have you heard of the night of the fair?" said Corvin. "I was in York, from nine to '
            'twelve," said Ben Orchard.',
        ],
        {},
    ),
    *(
        ([told("Dover", f"On the night of the fair the bells rang. {words}"), CLAIM], {})
        for words in (
            "At ten to nine Ben Orchard stood on the quay.",
            "At ten minutes past eight Ben Orchard stood on the quay.",
            "At eleven in the forenoon Ben Orchard stood on the quay.",
            "At 10 Downing Street Ben Orchard rang the bell.",
            "At ten Corvin dreamed that Ben Orchard stood on the quay.",
            "At ten Ann Hale thought of what Ben Orchard said.",
        )
    ),
]
