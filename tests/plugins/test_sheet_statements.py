"""What a sheet states of its own subject, and a table of whose name fills a cell.

Each with texts that say it and texts that do not.
"""

from __future__ import annotations

import pytest
from writeros_plugins.relation_kinds import register_relation_kinds
from writeros_plugins.statements import infer_relations

from writeros_entities import DecidedMention, Ontology
from writeros_entities.vault.notes import parse_note

ONTOLOGY = Ontology(register_relation_kinds())

TYPES = {
    **dict.fromkeys(("Ann", "Bob", "Carl"), "person"),
    **dict.fromkeys(("Rivermouth", "Old Mill"), "place"),
    **dict.fromkeys(("Grey Guild", "House Marlow"), "faction"),
    **dict.fromkeys(("Heron",), "item"),
}


def read(text: str, title: str = "Dora", entity_type: str = "person") -> set[str]:
    """Return what the note of an entity states, as `Dora leads Grey Guild`."""
    note = parse_note(f"{title}.md", text.encode())
    subject = DecidedMention(note.body_start, note.body_start, "", title, entity_type)
    mentions = sorted(
        (
            DecidedMention(at, at + len(name), name, name, kind)
            for name, kind in (TYPES | {title: entity_type}).items()
            for at in range(len(note.prose))
            if note.prose.startswith(name, at)
        ),
        key=lambda mention: mention.start,
    )
    found = infer_relations(note, mentions, ONTOLOGY, subject)
    return {
        f"{relation.source.entity} {relation.kind} {relation.target.entity}"
        for relation in found
        if relation.target is not None
    }


TRUE = [
    # a sentence that leaves its subject out
    ("Master of the Grey Guild. Round and careful.", "Dora leads Grey Guild"),
    ("# Dora\n\nMate of the *Heron*.", "Dora crew_of Heron"),
    ("Tall. Younger sister of [[Ann]], and twice as clever.", "Dora sibling_of Ann"),
    ("A faithful servant of House Marlow.", "Dora serves House Marlow"),
    ("Ann's sister. Quick with a knife.", "Dora sibling_of Ann"),
    ("Born in Rivermouth; lives at the Old Mill.", "Dora born_in Rivermouth"),
    ("Married Bob in spring.", "Dora spouse_of Bob"),
    ("Marries Bob in spring.", "Dora spouse_of Bob"),
    ("Meets a monk at nine, and joins the Grey Guild.", "Dora member_of Grey Guild"),
    ("Killed by Bob.", "Bob killed Dora"),
    ("Scout of the Grey Guild.", "Dora member_of Grey Guild"),
    ("Sister: Ann\nMother: Bob", "Bob parent_of Dora"),
    ("Quick with a knife.\nServants: Bob and Carl", "Carl serves Dora"),
    ("Serves House Marlow.", "Dora serves House Marlow"),
    ("Born in Rivermouth; married Bob at nineteen.", "Dora spouse_of Bob"),
    ("- **Home**:: [[Rivermouth]]", "Dora lives_in Rivermouth"),
    ("- rank:: captain\n- allies:: [[Ann]], [[Bob]]", "Bob ally_of Dora"),
    ("Steward to Bob for thirty years.", "Dora serves Bob"),
    ("Housemaid at the Old Mill.", "Dora works_at Old Mill"),
    ("Heir to the Old Mill. She is in love with Bob, and told no one.", "Dora loves Bob"),
    ("Came home with a fever and learned the trade from Bob.", "Bob mentor_of Dora"),
    ("Ran away at nine, and joined the Grey Guild.", "Dora member_of Grey Guild"),
    ("# Dora\n\n## History\n\nBorn in Rivermouth.", "Dora born_in Rivermouth"),
    # a role, and who has it
    ("Servants: Bob, Carl and whoever is hungry.", "Carl serves Dora"),
    ("- Brother: [[Bob]]", "Bob sibling_of Dora"),
    ("**Home**: the Old Mill", "Dora lives_in Old Mill"),
    # a pronoun, where all that precedes is about one
    ("She married Bob.", "Dora spouse_of Bob"),
    ("Dora is quick. She was born in Rivermouth.", "Dora born_in Rivermouth"),
    ("She gave it to Bob, and ten years later she killed Carl.", "Dora killed Carl"),
    ("Her husband Bob is a baker.", "Bob spouse_of Dora"),
    ("Dora is quick. Her brother is Carl.", "Carl sibling_of Dora"),
]

FALSE = [
    "- Home:: Bob",
    # a subject of its own
    "The captain of the Heron hates her.",
    "A servant of House Marlow brought the letter.",
    "Ann's sister, tall and quick, opened the door.",
    "Bob's brother came for supper.",
    "My mother married Bob.",
    # words that only look like it
    "Seen with the captain of the Heron.",
    "Came home when Ann married and killed Bob.",
    "> Born in Rivermouth.",
    "“Born in Rivermouth,” they said.",
    "Perhaps born in Rivermouth.",
    "Never married Bob.",
    "She dreamed that she married Bob.",
    "She said she had married Bob.",
    "Came home, thought better of it, and married Bob.",
    "It rained in Rivermouth; married Bob.",
    "Steward to Bob saw her once.",
    # sections about others
    "# Dora\n\n## The red widow\n\nBorn in Rivermouth.",
    "# Dora\n\n## Ann\n\nMarried Bob.",
    # labels that say nothing, or of another
    "Theme: Rivermouth",
    "Servants: none; the cook knows Bob.",
    "She asked about a\nmother: Bob had none.",
    "Scout of Rivermouth.",
    "Weather: Rivermouth",
    "Home: Bob",
    "Sister: Ann's friend Bob",
    "Fears: Bob finding out.",
    # pronouns that may mean another
    "Ann came in. She married Bob.",
    "Dora has a brother. He married Ann.",
    "She saw the queen, and she married Bob.",
    "She called Ann, and she married Bob.",
    "Dora is quick. The baker is slow. She married Bob.",
    "Heir to a house, Eve came in. She married Bob.",
]


@pytest.mark.parametrize(("text", "stated"), TRUE)
def test_a_sheet_states_it_of_its_subject(text: str, stated: str) -> None:
    assert stated in read(text)


@pytest.mark.parametrize("text", FALSE)
def test_a_sheet_that_does_not_say_so_states_nothing(text: str) -> None:
    assert {stated for stated in read(text) if "Dora" in stated} == set()


def test_the_note_of_a_mere_concept_is_about_anything() -> None:
    text = "Master of the Grey Guild. Servants: Bob."
    assert read(text, "Plan", "concept") == set()
    assert read(text, "Plan", "person") == {"Plan leads Grey Guild", "Bob serves Plan"}


TABLE = "| year | what | who |\n| --- | --- | --- |\n"


@pytest.mark.parametrize(
    ("row", "stated"),
    [
        ("| 1180 | born in Rivermouth | [[Ann]] |", {"Ann born_in Rivermouth"}),
        ("| Ann | born in [[Rivermouth\\|the port]] | 1180 |", set()),
        ("| [[Ann\\|Ann]] | leads the Grey Guild | 1180 |", {"Ann leads Grey Guild"}),
        ("| Ann | sister of Bob | 1180 |", {"Ann sibling_of Bob"}),
        ("| 1180 | rain in Rivermouth | Ann |", set()),
        ("| 1180 | born in Rivermouth | Ann, who wept |", set()),
        ("| Bob | born in Rivermouth | Ann |", set()),
        ("| 1180 | not born in Rivermouth | Ann |", set()),
    ],
)
def test_a_row_states_what_it_says_of_the_one_whose_name_fills_a_cell(
    row: str, stated: set[str]
) -> None:
    assert read(TABLE + row + "\n", "Timeline", "concept") == stated


def test_a_second_kinship_is_not_that_of_the_one_named_first() -> None:
    assert read("Mother of Ann, widow of Bob.") == {"Dora parent_of Ann"}
    assert read("- Mother of [[Ann]], and widow of Bob") == {"Dora parent_of Ann"}
    assert read("Enemy of Ann, friend of Bob.") == {"Dora enemy_of Ann"}
    assert read("Tells Bob that Ann killed Carl.") == set()
    assert read("Daughter of Ann, queen of Rivermouth.") == {
        "Ann parent_of Dora",
        "Ann rules Rivermouth",
    }


def test_the_smith_of_a_place_has_not_made_it() -> None:
    assert read("Smith of the Old Mill.") == set()


HEAD = "| of her | what |\n| --- | --- |\n"


@pytest.mark.parametrize(
    ("row", "stated"),
    [
        ("| **Home** | [[Rivermouth]] |", {"Dora lives_in Rivermouth"}),
        ("| Allies: | Ann and [[Bob]] |", {"Ann ally_of Dora", "Bob ally_of Dora"}),
        ("| [[Ann]] | Sister, lost |", {"Ann sibling_of Dora"}),
        ("| Bob | Rival |", {"Bob rival_of Dora"}),
        ("| Home | not Rivermouth |", set()),
        ("| Home | [[Bob]] |", set()),
        ("| Theme | [[Rivermouth]] |", set()),
        ("| Ann | Rival at court |", set()),
        ("| Ann | sister | 1180 |", set()),
        ("| Ann, who wept | sister |", set()),
    ],
)
def test_a_row_of_a_sheet_states_what_its_other_cell_says(row: str, stated: set[str]) -> None:
    assert read(f"Quick.\n\n## Relationships\n\n{HEAD}{row}\n") == stated
    assert read(f"Quick.\n\n## Shops\n\n### Prices\n\n{HEAD}{row}\n") == set()


def test_in_the_sheet_of_a_place_a_row_with_a_servant_is_not_about_the_place() -> None:
    row = "| Ann | servant |\n"
    assert read(HEAD + row, "Old Mill", "place") == set()
    assert read(HEAD + "| Owner | Ann |\n", "Old Mill", "place") == {"Ann owns Old Mill"}
