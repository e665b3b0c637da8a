"""Employments and titles, and the relations that they state: "clerk in", "Captain Vane of"."""

from __future__ import annotations

from collections.abc import Mapping

from ..word_lists import word_set, words

EMPLOYMENTS = word_set(
    "accountant agent analyst apprentice archivist bartender bodyguard bookkeeper bosun captain",
    "chaplain clerk constable cook corporal courier curate deckhand detective doctor editor",
    "engineer ensign footman gardener general governess groom guard guardsman healer housekeeper",
    "housemaid informer innkeeper inspector instructor investigator janitor journeyman lawyer",
    "librarian lieutenant maid major mate mechanic mercenary messenger midshipman novice nurse",
    "officer operative pilot porter priest professor ranger receptionist recruit reporter sailor",
    "scout scribe scullion secretary sergeant servant soldier spy steward surgeon teacher",
    "technician trainee tutor waiter waitress warder watchman",
)
"""Jobs in, at, on or of something: "a lieutenant in the Guild", "cook on the Heron"."""

EMPLOYED_IN = frozenset({"aboard", "at", "in", "on"})
"""Prepositions between a job and its employer or place."""

EMPLOYED: Mapping[str, str] = {"faction": "member_of", "place": "works_at", "item": "crew_of"}
"""The relation kind of an employment, by the type of the employer or place."""

TITLES_OF_NO_PLACE = frozenset({"captain", "skipper", "commander"})
"""Titles after which a place is the person's origin: "Captain Vane of Harrowmouth"."""

TITLES: Mapping[str, str] = {
    **dict.fromkeys(words("captain skipper"), "captain"),
    **dict.fromkeys(words("abbess abbot commander headmaster warden"), "leader"),
    **dict.fromkeys(
        words(
            "baron baroness count countess duchess duke earl emperor empress king prince princess",
            "queen",
        ),
        "ruler",
    ),
}
"""Titles before a name that, with "of" after the name, state a role."""

AS_A_ROLE = frozenset(
    (verb, "as")
    for verb in words(
        "acted acts reigned reigns ruled rules served serves trained trains worked works"
    )
)
"""Words before a role that a person has: "served as captain of the Heron"."""
