"""A small story without a fault, and faults to plant in it by replacing one sentence each.

The story was written for these tests, and the faults before any rule was run on them.
"""

from __future__ import annotations

from dataclasses import dataclass

VAULT = {
    "People/Nell Harker.md": """---
type: person
gender: female
born: 1861
brother: "[[Tom Harker]]"
introduced: 1
---
Nell keeps the orchard. Her eyes are brown.
""",
    "People/Tom Harker.md": """---
type: person
gender: male
sister: "[[Nell Harker]]"
---
Tom drives the cider cart. There is a scar on his left cheek.
""",
    "People/Abel Crane.md": """---
type: person
gender: male
aliases: [Old Crane]
---
Abel Crane is the miller.
""",
    "People/Rosa Venn.md": """---
type: person
gender: female
---
Rosa Venn teaches the school. She is first named in [[03 - The Fair]].
""",
    "Places/Withy Mill.md": "---\ntype: place\n---\nThe mill by the weir.\n",
    "Places/Saltash.md": "---\ntype: place\n---\nA harbour town, a day's ride away.\n",
    "Places/Hollow Farm.md": "---\ntype: place\n---\nThe farm with the orchard.\n",
    "Book/01 - Blossom.md": """---
date: 1889
pov: "[[Nell Harker]]"
location: "[[Hollow Farm]]"
---
Nell Harker walked under the trees with a lantern. Frost had come in the night, and the blossom
was brown at the edges.

"That's the third year," said Tom Harker. He rubbed the scar on his left cheek, as he did when it
froze.

"We shall manage," said Nell.

She was twenty-eight, and had said it every spring.
""",
    "Book/02 - The Weir.md": """---
date: 1889
location: "[[Withy Mill]]"
---
Abel Crane stood at the weir and counted the boards. The water was high. Nell Harker came down the
lane with the cart and stopped it at the gate.

"You'll have your flour on Friday," said Abel Crane. "Not before."

Nell looked at the wheel. Her brown eyes followed it round.

"Friday, then," she said.

She went home by the long field.
""",
    "Book/03 - The Fair.md": """---
date: 1889
location: "[[Saltash]]"
---
On the night of the fair the whole of Saltash was lit. Tom Harker had brought forty casks and sold
thirty of them. At ten o'clock Abel Crane stood on the quay and watched the boats come in.

Rosa Venn danced with the harbour master. She wore a grey dress, and laughed.

Nell Harker counted the money twice.
""",
    "Book/04 - The Fire.md": """---
date: 1889
location: "[[Withy Mill]]"
---
They saw it from the ridge: Withy Mill was burning. Tom Harker drove the cart down the hill without
a light, and Nell ran behind it.

By morning there were four walls. Abel Crane died before noon, under the apple trees, with his hand
in Nell's.

"He never locked a door," said Rosa Venn.
""",
    "Book/05 - Windfalls.md": """---
date: 1890
location: "[[Hollow Farm]]"
---
They picked what the wind had left. Tom Harker whistled. Rosa Venn came up after school with the
bigger children, and Nell gave them each a basket.

"Where were you all that night, Tom?" Nell asked. "Before the fire, I mean."

"In the yard," said Tom Harker, "with the casks."

Nell Harker said nothing more. She set the ladder against the last tree, and climbed.
""",
}


@dataclass(frozen=True)
class Planted:
    """A fault: its rule, its note, the sentence to replace, and the new sentence."""

    rule: str
    note: str
    find: str
    replace: str


PLANTED = (
    Planted(
        "acts-after-death",
        "Book/05 - Windfalls.md",
        "They picked what the wind had left.",
        "They picked what the wind had left. Abel Crane carried the ladder for them.",
    ),
    Planted(
        "acts-after-death",
        "Book/05 - Windfalls.md",
        '"In the yard," said Tom Harker, "with the casks."',
        '"In the yard," said Tom Harker, "with the casks."\n\n"He was," said Old Crane.',
    ),
    Planted(
        "age-arithmetic",
        "Book/01 - Blossom.md",
        "She was twenty-eight, and had said it every spring.",
        "She was thirty-five, and had said it every spring.",
    ),
    Planted(
        "attribute-conflict",
        "Book/02 - The Weir.md",
        "Her brown eyes followed it round.",
        "Her grey eyes followed it round.",
    ),
    Planted(
        "attribute-conflict",
        "Book/01 - Blossom.md",
        "He rubbed the scar on his left cheek, as he did when it\nfroze.",
        "He rubbed the scar on his right cheek, as he did when it\nfroze.",
    ),
    Planted(
        "confusable-names",
        "Book/03 - The Fair.md",
        "Nell Harker counted the money twice.",
        "Nell Harker counted the money twice. Nell Barker, who sold ribbons, counted it again.",
    ),
    Planted(
        "unresolved-set-up",
        "Book/02 - The Weir.md",
        "She went home by the long field.",
        "She hid the mill's brass whistle in her sleeve. One day she would need that whistle.",
    ),
)
