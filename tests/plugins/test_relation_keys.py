from __future__ import annotations

import pytest
from writeros_plugins.relation_kinds import register_relation_kinds

from writeros_entities import Ontology

ONTOLOGY = Ontology(register_relation_kinds())


@pytest.mark.parametrize(
    ("own", "key", "linked", "stated"),
    [
        ("person", "locations", "place", "found_at"),
        ("person", "owned_locations", "place", "owns"),
        ("person", "factions", "faction", "member_of"),
        ("person", "whichparty", "faction", "member_of"),
        ("person", "known_associates", "person", "knows"),
        ("person", "sire", "person", "child_of"),
        ("concept", "factions", "faction", "member_of"),
        ("place", "factions", "faction", "base_of"),
        ("place", "dominion", "faction", "ruled_by"),
        ("place", "locations", "place", "contains"),
        ("faction", "areas_of_influence", "place", "based_in"),
        ("faction", "worship", "person", "worships"),
        ("item", "current_owner", "person", "owned_by"),
        ("item", "smith", "person", "created_by"),
        ("item", "related_items", "item", None),
        ("person", "first_appearance", "concept", None),
        ("person", "mentors", "person", "student_of"),
        ("person", "captains", "item", "captain_of"),
        ("faction", "heads", "person", "led_by"),
        ("person", "swornTo", "person", "serves"),
        ("person", "AssociatedGroup", "faction", "member_of"),
        ("person", "bestfriends", "person", "friend_of"),
        ("person", "half-brothers", "person", "sibling_of"),
        ("person", "currentLocationId", "place", "located_in"),
        ("place", "parentLocation", "place", "part_of"),
        ("item", "linkedCharacters", "person", None),
        ("item", "relatedItems", "item", None),
        ("item", "questGiver", "person", "quest_giver"),
    ],
)
def test_a_key_says_what_it_says_in_a_note_of_its_type(
    own: str, key: str, linked: str, stated: str | None
) -> None:
    reading = ONTOLOGY.read_key(key, own, linked)
    found = reading and ONTOLOGY.name_from(reading.kind, is_inverse=reading.is_inverse)
    assert found == stated


def test_the_label_of_an_arrow_is_a_verb_where_a_key_is_a_noun() -> None:
    taught = ONTOLOGY.read_label("mentors", "person", "person")
    assert taught and (taught.kind, taught.is_inverse) == ("mentor_of", False)
