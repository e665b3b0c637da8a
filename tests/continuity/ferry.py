"""A small story in the present tense without a fault, and faults to plant in it.

The story is full of statements that are not events: habits, fears, suppositions, memories and
questions.
"""

from __future__ import annotations

from .orchard import Planted

VAULT = {
    "People/Ilse Brandt.md": """---
type: person
gender: female
born: 1951
---
Ilse works the chain ferry. Her eyes are grey.
""",
    "People/Mara Lind.md": """---
type: person
gender: female
---
Mara dives for amber, and dies young.
""",
    "People/Jonas Vogt.md": """---
type: person
gender: male
aliases: [the Warden]
---
Jonas Vogt is warden of the Keep. He wears a signet on his left hand.
""",
    "People/Peer Lind.md": """---
type: person
gender: male
sister: "[[Mara Lind]]"
---
Peer mends nets.
""",
    "Places/The Keep.md": "---\ntype: place\naliases: [the Keep]\n---\nA fort on the point.\n",
    "Places/Harrow.md": "---\ntype: place\n---\nA village, an hour inland.\n",
    "Places/Sandholm.md": "---\ntype: place\n---\nAn island.\n",
    "Book/01 - Low Tide.md": """---
date: 1990
---
Ilse Brandt stands on the ferry and counts heads. There are four, and none of them pays before the
middle of the river. Nobody ever does.

"You die of waiting in this place," says Peer Lind. He is mending a net across his knees, and the
needle goes in and out without his looking.

Ilse laughs. She is thirty-nine, and has heard it every spring for twenty years. Mara dies a little
every time he says it; she turns up her collar and looks at the water. Her brother talks as other
people whistle.

"Is she still at it?" asks Jonas Vogt from the bow. "The amber?"

"Ask her," says Ilse.

But the Warden does not ask. If Mara Lind drowns, somebody will have to fill in the forms, and it
will be him. He turns the signet on his left hand and thinks of the stove. When Jonas dies, Ilse
supposes, they will find a form for that as well.

---

In Harrow, Peer Lind buys tar. Every Friday Peer Lind sits in Harrow, at the back of the shop, and
every Saturday he is at the Keep to be paid for it. Today the shop is shut by three. He carries the
tar down to the river, and by dusk he is at the Keep, knocking.
""",
    "Book/02 - The Surf.md": """---
date: 1990
---
The wind gets up in the night. Ilse Brandt is at the Keep, at the long window, with her hands
round a cup that is no longer hot. Once, when she was ten, the Warden of those days took her up here
and showed her the whole bay. He was already ill. He had grey eyes as well.

"Is Mara in Sandholm?" she asks.

"She is in bed," says Jonas Vogt. "Where everybody is."

He is wrong. Mara Lind is on the rocks below the light with a sack and a lantern, and the third wave
takes the lantern. Peer hears her shout. He runs along the wall, he is shouting himself, and nobody
could say afterwards what. Mara dies in the surf, twenty yards from the steps, before anybody can
get a rope to her.

Ilse goes down. She walks past Peer and into the sea up to her waist, and comes back alone.
""",
    "Book/03 - Forms.md": """---
date: 1990
---
Jonas Vogt fills in the forms. There are three, and the last one asks for a trade. He writes *diver*
and crosses it out, and writes it again.

"Mara laughs at us," says Peer Lind. "Mara is standing right there and laughs."

Nobody is standing there. Peer thinks of the summer before: Mara climbed the light for a bet, Mara
shouted from the gallery, Mara carried the lamp down under her arm. The chair where Mara sits is by
the stove, and as Mara says, or said, a chair is only wood. In the photograph Mara smiles at
somebody beside the camera. He imagines Mara knocks.

"Will you go to Harrow?" Ilse asks.

"And who tells them there? Perhaps Peer is in Harrow already, they'll say, drinking it off."

She does not answer. People die, and people drown, and the ferry goes at six. Ilse Brandt is never
late. She takes her coat.
""",
    "Book/04 - The Chain.md": """---
date: 1991
---
The ice is thin this year. Ilse Brandt feels it in her knees. She was twenty, the first time, and
the chain seemed lighter.

Jonas Vogt crosses with her. He has sold the boat, he says, he is going to die in his bed like a
Christian, and he means to do it in Sandholm. Halfway over he takes off the signet and puts it on
again, on the left hand, where it always sits.

"Peer is at the Keep," says Ilse. "Or at Harrow. One never knows, with Peer."

But Peer Lind is sitting on the landing, with his feet in the water, and waves.
""",
}

PLANTED = (
    Planted(
        "acts-after-death",
        "Book/04 - The Chain.md",
        "The ice is thin this year.",
        "The ice is thin this year. Mara Lind stamps her feet and hands round the bread.",
    ),
    Planted(
        "acts-after-death",
        "Book/03 - Forms.md",
        "Nobody is standing there.",
        '"Sit down," says Mara Lind.',
    ),
    Planted(
        "acts-after-death",
        "Book/04 - The Chain.md",
        "But Peer Lind is sitting on the landing",
        "Mara Lind is coiling the rope. But Peer Lind is sitting on the landing",
    ),
    Planted(
        "age-arithmetic",
        "Book/01 - Low Tide.md",
        "She is thirty-nine, and",
        "She is forty-six, and",
    ),
    Planted(
        "attribute-conflict",
        "Book/04 - The Chain.md",
        "takes off the signet and puts it on\nagain, on the left hand, where it always sits.",
        "takes off the signet. He puts\nit on again. He turns the signet on his right hand.",
    ),
    Planted(
        "unresolved-set-up",
        "Book/01 - Low Tide.md",
        "Ilse laughs.",
        "Ilse hides the brass compass in her sleeve. One day she will need that compass.",
    ),
)
