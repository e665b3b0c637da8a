"""Verbs in the present tense for what happens once: "Ann marries Bob".

The same words tell of plans ("Ann marries Bob tomorrow") and of what is done again and again, where
"Ann married Bob" tells a fact alone: what they state holds only in a sentence that tells neither.
"""

from __future__ import annotations

HAPPENS = {
    "spouse_of": "marries, weds, takes to wife",
    "parent_of": "gives birth to, fathers, sires",
    "guardian_of": "adopts, fosters, brings up",
    "ally_of": "makes alliance with, makes common cause with, sides with, allies with",
    "enemy_of": "makes war on, declares war on, goes to war with",
    "friend_of": "befriends, makes friends with",
    "loves": "falls in love with",
    "betrayed": "betrays",
    "leads": "takes command of",
    "successor_of": "succeeds",
    "serves": "swears fealty to, swears allegiance to, enters service of",
    "founder_of": "founds, establishes, sets up",
    "member_of": "joins, enlists in",
    "employs": "hires",
    "died_in": "dies in, dies at, dies on, perishes in, perishes at, perishes on, drowns in, "
    "drowns at, drowns on",
    "killed": "kills, murders, slays, assassinates, strangles, poisons, beheads, executes, hangs",
    "killed_by": "dies at hands of, dies by hand of, perishes at hands of",
    "wounded": "wounds, injures",
    "captured": "captures, imprisons, kidnaps, arrests",
    "rescued": "rescues, saves, frees",
    "lives_in": "settles in",
    "creator_of": "builds, invents, forges, composes, designs, writes, paints",
    "took_part_in": "fights in, fights at, takes part in, survives",
}
"""Phrases by the kind of relation that begins so, with `be` and fillers left out."""

ENDS = {
    "spouse_of": "divorces",
    "member_of": "leaves, quits, deserts, resigns from",
    "ally_of": "breaks alliance with",
    "betrothed_to": "jilts, breaks engagement to, breaks off engagement to",
}
"""Phrases by the kind of relation that ends so."""

DEADLY_NOW = ("shoots", "stabs", "beats", "strikes", "clubs", "burns", "hacks")

HAPPENING = frozenset(
    {
        *("becomes", "dies", "perishes", "drowns", "passes", "goes", *DEADLY_NOW),
        *(
            phrase.partition(" ")[0]
            for kinds in (HAPPENS, ENDS)
            for phrases in kinds.values()
            for phrase in phrases.split(", ")
        ),
    }
)
"""Verbs that tell in the present tense what happens once, and may as well tell what is planned."""

OFTEN = frozenset({"always", "again", "soon", "eventually", "later"})
"""Words with which such a verb tells of no one time that has come: "Ann always marries Bob"."""
