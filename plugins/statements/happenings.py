"""Verbs in the present tense for single events: "Ann marries Bob".

Unlike "Ann married Bob", these may also express plans ("Ann marries Bob tomorrow") and habits: they
count only in a sentence that expresses neither.
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
"""Phrases by the relation kind that they begin, without `be` and fillers."""

ENDS = {
    "spouse_of": "divorces",
    "member_of": "leaves, quits, deserts, resigns from",
    "ally_of": "breaks alliance with",
    "betrothed_to": "jilts, breaks engagement to, breaks off engagement to",
}
"""Phrases by the relation kind that they end."""

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
"""Verbs of single events in the present tense, which may also be plans."""

OFTEN = frozenset({"always", "again", "soon", "eventually", "later"})
"""Words with which such a verb does not state a single past event: "Ann always marries Bob"."""
