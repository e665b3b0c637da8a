"""Names that are used without a note: each person once, by whatever names, and of a type."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session

from ..databases import one_engine
from .snapshot import take_snapshot

databases = one_engine

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]


def chapters(*texts: str) -> dict[str, str]:
    """Return chapters in their order."""
    return {f"Book/{number:02}.md": f"{text}\n" for number, text in enumerate(texts, 1)}


def suggested(session: Session, **asked: object) -> dict[str, int]:
    """Return the names that are suggested, with the number of their mentions."""
    answer = session.call("list_entities", {"statuses": ["suggested"], **asked}).model_dump()
    return {each["name"]: each["mention_count"] for each in answer["entities"]}


def listed(session: Session, **asked: object) -> list[tuple[str, str, int]]:
    """Return names, types and numbers of mentions of who is suggested."""
    answer = session.call("list_entities", {"statuses": ["suggested"], **asked}).model_dump()
    found = answer["entities"]
    return [(each["name"], each["type"], each["mention_count"]) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "He met Captain Ida Marlow. So Captain Ida smiled, and Ida Marlow sat. He saw Ida.",
            {"Captain Ida Marlow": 4},
        ),
        (
            "He met Mr. Marlow. She saw Marlow, and Mrs. Marlow.",
            {"Mr. Marlow": 2, "Mrs. Marlow": 1},
        ),
        (
            "He met Mr. Tom Marlow and Mrs. Tom Marlow. Then Tom Marlow slept.",
            {"Mr. Tom Marlow": 2, "Mrs. Tom Marlow": 1},
        ),
        (
            "He met Ida Marlow. Then Ida Winslow smiled, and he saw Ida.",
            {"Ida Marlow": 1, "Ida Winslow": 1, "Ida": 1},
        ),
        ("He met Miss Marlow, then Miss Ida Marlow.", {"Miss Marlow": 1, "Miss Ida Marlow": 1}),
    ],
)
def test_a_part_of_one_other_name_is_a_name_of_whoever_bears_it(
    write_vault: WriteVault, open_vault: OpenVault, text: str, expected: dict[str, int]
) -> None:
    session = open_vault(write_vault(chapters(text)), discovery_needed=1)
    session.call("sync", {})
    assert suggested(session) == expected


def test_a_fuller_name_that_is_read_later_is_known_later(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    early = "He met Ida. He thought that Ida smiled, and he bowed to Ida."
    late = "He met Ida Marlow. He knew that Ida Marlow had smiled. It was Ida Marlow."
    session = open_vault(write_vault(chapters(early, late)))
    session.call("sync", {})
    assert suggested(session) == {"Ida": 6}
    entity = session.call("get_entity", {"entity": "Ida Marlow"}).model_dump()
    assert entity["entity"]["name"] == "Ida"
    assert "Marlow" not in str(session.call("get_entity", {"entity": "Ida", "as_of": 1}))


def test_a_name_is_of_the_type_that_most_of_its_uses_show(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = (
        "She laughed with Verrick. They slept in Verrick. They had lived at Verrick, and came from "
        "Verrick. Nobody stayed in Verrick."
    )
    session = open_vault(write_vault(chapters(text)))
    session.call("sync", {})
    (entity,) = session.call("list_entities", {}).model_dump()["entities"]
    assert (entity["name"], entity["type"]) == ("Verrick", "place")


def test_no_later_chapter_changes_who_is_suggested_as_of_an_earlier_one(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = (
        "He met Ida. They slept in Verrick.",
        "He met Captain Crane, and saw Crane.",
        "He met Ida Marlow. Then Verrick said no, and Verrick smiled. Verrick killed him.",
        "Then Ida Winslow came, and Ida Crane. Captain Ida Crane smiled.",
        "Captain Winslow bowed to Ida, and to Crane.",
    )
    session = open_vault(write_vault(chapters(*told)), discovery_needed=1)
    session.call("sync", {})
    known = [listed(session, as_of=position) for position in range(1, 6)]
    for position in range(4, 0, -1):
        (Path(session.root) / f"Book/{position + 1:02}.md").unlink()
        session.call("sync", {})
        assert listed(session) == known[position - 1]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (
            ("He met Ida Marlow, and saw Ida.", "She met Ida Winslow."),
            {"Ida Marlow", "Ida Winslow"},
        ),
        (("He met Ida.", "He met Ida Marlow.", "She met Ida Winslow."), {"Ida", "Ida Winslow"}),
        (("He met Marlow.", "He met Ida Marlow."), {"Marlow", "Ida Marlow"}),
        (("He met Marlow.", "He met Mr. Marlow."), {"Marlow"}),
        (("He met Captain Ida and Ida.", "He met Captain Ida Marlow."), {"Captain Ida"}),
    ],
)
def test_a_name_belongs_to_whoever_has_been_read_of_by_then(
    write_vault: WriteVault, open_vault: OpenVault, told: tuple[str, ...], expected: set[str]
) -> None:
    session = open_vault(write_vault(chapters(*told)), discovery_needed=1)
    session.call("sync", {})
    assert suggested(session).keys() == expected


def test_a_second_bearer_parts_what_was_joined_and_a_sync_is_a_rebuild(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    first = chapters("He met Ida Marlow. Then he saw Ida.")
    second = chapters("He met Ida Marlow. Then Ida Winslow smiled, and he saw Ida.")
    session = open_vault(write_vault(first), discovery_needed=1)
    joined = {"Ida Marlow": 2}
    parted = {"Ida Marlow": 1, "Ida Winslow": 1, "Ida": 1}
    session.call("sync", {})
    for notes, expected in ((second, parted), (first, joined)):
        write_vault(notes)
        session.call("sync", {})
        assert suggested(session) == expected
        synced = take_snapshot(session)
        session.call("rebuild", {})
        assert take_snapshot(session) == synced


def test_a_note_that_comes_takes_its_names(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(chapters("He met Mr. Marlow. Then he saw Marlow."))
    session = open_vault(root, discovery_needed=1)
    session.call("sync", {})
    assert suggested(session) == {"Mr. Marlow": 2}
    write_vault({"People/Tom Marlow.md": "---\ntype: person\ngender: male\n---\n"})
    session.call("sync", {})
    assert suggested(session) == {}
    synced = take_snapshot(session)
    session.call("rebuild", {})
    assert take_snapshot(session) == synced


def test_who_has_a_note_is_nobody_else_behind_a_title(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = {"People/Inés Reyes.md": "---\ntype: person\nvisible_from: 1\n---\n"}
    text = "Then Commander Reyes sat. They saw Commander Reyes. So Commander Reyes woke."
    session = open_vault(write_vault(sheet | chapters(text, "Then Tom Reyes sat.")))
    session.call("sync", {})
    for as_of in (None, 1):
        assert suggested(session, as_of=as_of) == {}
        found = session.call("find_mentions", {"entity": "Reyes", "as_of": as_of}).model_dump()
        assert [each["surface"] for each in found["mentions"]] == ["Commander Reyes"] * 3
    with pytest.raises(NotFoundError, match="no entity 'Commander Reyes'"):
        session.call("get_entity", {"entity": "Commander Reyes"})


def test_a_title_with_a_surname_that_two_bear_may_be_a_third(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {f"People/{name} Reyes.md": "---\ntype: person\n---\n" for name in ("Inés", "Tom")}
    text = "Then Commander Reyes sat. They saw Commander Reyes. So Commander Reyes woke."
    session = open_vault(write_vault(sheets | chapters(text)))
    session.call("sync", {})
    assert suggested(session) == {"Commander Reyes": 3}


def test_a_loose_text_suggests_nobody_who_has_a_note_by_a_title(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"People/Inés Reyes.md": "---\ntype: person\n---\n"}))
    session.call("sync", {})
    text = "Then Commander Reyes sat. They saw Doña Inés, and Sister Reyes, and Tom Reyes."
    found = session.call("extract_entities", {"text": text}).model_dump()["entities"]
    assert [(each["surface_form"], each["status"]) for each in found] == [
        ("Commander Reyes", "noted"),
        ("Doña Inés", "noted"),
        ("Sister Reyes", "suggested"),
        ("Tom Reyes", "suggested"),
    ]


def test_a_name_that_a_later_chapter_links_to_is_suggested_only_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(
        write_vault(
            chapters(
                "He met Dagny. Then Dagny laughed.",
                "Dagny slept, and he saw Dagny.",
                "He met [[Dagny]] again.",
            )
        )
    )
    session.call("sync", {})
    assert suggested(session, as_of=2) == {"Dagny": 4}
    assert suggested(session, as_of=3) == suggested(session) == {}
    found = session.call("list_entities", {}).model_dump()["entities"]
    assert [(each["name"], each["status"], each["mention_count"]) for each in found] == [
        ("Dagny", "linked", 5)
    ]


def test_the_era_behind_a_year_is_no_name(write_vault: WriteVault, open_vault: OpenVault) -> None:
    text = "In 312 AE the tower fell. By 315 AE Ida Crane ruled, and in 320 AE Ida Crane slept."
    session = open_vault(write_vault(chapters(text, text)))
    session.call("sync", {})
    assert suggested(session) == {"Ida Crane": 4}


def test_two_uses_are_enough_in_the_manuscript_alone(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = "They met Odile. Then Odile laughed.\n"
    for path, expected in (("Book/01.md", {"Odile": 2}), ("Places/Inn.md", {})):
        session = open_vault(write_vault({path: text}))
        session.call("sync", {})
        assert suggested(session) == expected
        (Path(session.root) / path).unlink()


def test_nobody_is_suggested_by_what_a_writer_keeps_for_herself(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = "They asked Odile. Odile laughed. Then Odile slept.\n"
    session = open_vault(write_vault({"Inbox/Meeting.md": text}))
    session.call("sync", {})
    assert suggested(session) == {}


def test_outside_the_manuscript_a_second_note_or_a_type_says_that_a_name_is_one(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = (
        "Une auberge au bord de la rivière. On y vendait du pain, du vin, et Kessar les jours "
        "de fête, toujours, quand le temps le permettait. Kessar coûtait cher. Kessar: bon.\n"
    )
    session = open_vault(root := write_vault({"Places/Auberge.md": text}))
    session.call("sync", {})
    assert listed(session) == []
    (root / "Places/Moulin.md").write_text("Un moulin. On y vendait Kessar aussi.\n")
    session.call("sync", {})
    assert listed(session) == [("Kessar", "unknown", 4)]


def test_so_does_one_note_that_has_the_name_inside_its_sentences(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = "An inn. They sold Kessar there, and some Kessar was dear. Nobody liked Kessar.\n"
    inn = {"Places/Inn.md": f"---\nvisible_from: 1\n---\n{text}"}
    session = open_vault(write_vault(inn | chapters("It rained.", "Nobody had any Kessar left.")))
    session.call("sync", {})
    assert listed(session) == [("Kessar", "unknown", 4)]
    assert listed(session, as_of=1) == [("Kessar", "unknown", 3)]


def test_common_words_with_capitals_inside_sentences_are_a_name(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = chapters(
        "They had feared the Long Night for years. Hall and hearth were cold.",
        "Long Night had begun. “When,” asked Ida, “Cold Hands will we warm?”",
        "Nobody spoke of the Long Night. On Monday Night they slept, as in Act Two.",
    )
    session = open_vault(write_vault(told))
    session.call("sync", {})
    assert listed(session) == [("Long Night", "event", 3)]
    assert listed(session, as_of=2) == [("Long Night", "event", 2)]
    assert listed(session, as_of=1) == [("Long Night", "event", 1)]


def test_the_head_of_such_words_tells_a_person_or_a_group(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = chapters(
        "They sent for the Royal Hunters, who feared the First Hunter.",
        "None of the Royal Hunters came, nor did the First Hunter. The Dungeon Master was late.",
        "They waited for the Dungeon Master, as the Dungeon Master knew.",
    )
    session = open_vault(write_vault(told))
    session.call("sync", {})
    assert listed(session) == [("First Hunter", "person", 2), ("Royal Hunters", "faction", 2)]


def test_who_only_stands_behind_prepositions_is_not_likely_a_person(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = (
        "Elle pensait à la maison de Vessin et aux voyages de Vessin, mais elle n'en dit rien. "
        "Puis Odile regarda la pluie avec les autres, et la pluie regardait Odile dans le noir."
    )
    session = open_vault(write_vault(chapters(told)), language="fr")
    session.call("sync", {})
    assert listed(session) == [("Odile", "person", 2), ("Vessin", "unknown", 2)]


def test_a_list_of_people_or_places_names_those_of_whom_it_tells(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    quay = (
        "---\ntype: place\n---\nA quay.\n\n## NPCs\n\n- Bodo Reef – keeps the watch\n"
        "- **Beed** the innkeeper\n- they are all afraid: of the sea\n- Nobody\n\n"
        "**Morrow:** sells maps\n\n## Locations\n\n1. Salt Stair: a hundred steps\n\n"
        "## Notes\n\n- Rain – most days\n"
    )
    session = open_vault(write_vault({"Places/Quay.md": quay}))
    session.call("sync", {})
    assert listed(session) == [
        ("Beed", "person", 1),
        ("Bodo Reef", "person", 1),
        ("Morrow", "person", 1),
        ("Salt Stair", "place", 1),
    ]


@pytest.mark.parametrize(
    ("known", "used"), [("Mr. Terrell", "Mr. Terrel"), ("Thrym", "Thyrm"), ("The Vessin", "Vessin")]
)
def test_another_spelling_of_who_has_a_note_is_nobody_new(
    write_vault: WriteVault, open_vault: OpenVault, known: str, used: str
) -> None:
    sheet = {f"Characters/{known}.md": "A diver.\n"}
    text = f"They met {used}. {used} nodded, and they saw {used}."
    session = open_vault(root := write_vault(chapters(text) | sheet))
    session.call("sync", {})
    assert suggested(session) == {}
    (root / f"Characters/{known}.md").unlink()
    session.call("sync", {})
    assert suggested(session) == {used: 3}
    write_vault(sheet)
    session.call("sync", {})
    assert suggested(session) == {}


def test_a_note_of_no_role_suggests_only_who_surely_is_somebody(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = (
        "Kessar is a hunter. Nobody trusts Kessar. They met Kessar.\n\n"
        "They read of Vellum. Nobody likes Vellum. They met Vellum.\n"
    )
    session = open_vault(write_vault({"a.md": text}))
    session.call("sync", {})
    assert listed(session) == [("Kessar", "person", 3)]


def test_a_form_of_address_makes_one_use_of_a_name_enough(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = chapters(
        "Nobody had seen Mrs. Vantry since noon. They asked Captain Corle, and a Mr. Salt."
    )
    session = open_vault(write_vault(told))
    session.call("sync", {})
    assert suggested(session) == {"Mrs. Vantry": 1, "Captain Corle": 1}


def test_a_phrase_that_is_set_apart_is_a_name_where_its_sentence_goes_on(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = (
        'It smells of tar.\n\n### Draught\n\n**"Velvet Tide"**\n\n'
        "**Velvet Tide** was first brewed by divers. **Best Served** cold.\n\n"
        "**Salt Price**\n\n**Salt Price**: nine\n"
    )
    session = open_vault(write_vault({"Items/Weedcap.md": sheet}))
    session.call("sync", {})
    assert suggested(session) == {"Velvet Tide": 2}


def test_the_capital_of_a_sentence_is_its_articles(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = chapters("The Pale King had come.", "The Pale King's men slept. Pale Queens had come.")
    session = open_vault(write_vault(told))
    session.call("sync", {})
    assert listed(session) == [("Pale King", "person", 2)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("They lived in the city of Vessin. Nobody left Vessin.", "place"),
        ("There was a sword called Vessin. Nobody had ever held Vessin.", "item"),
        ("It rained. Vessin is an old fishing village. Nobody left Vessin.", "place"),
        ("It rained. Vessin, a guild of thieves, had won. Nobody left Vessin.", "faction"),
        (
            "Elle pensait à la ville de Vessin et aux voyages de Vessin, mais elle n'en dit "
            "rien. Puis elle regarda la pluie avec les autres, et la pluie tombait dans le noir.",
            "place",
        ),
        ("Eles viviam numa aldeia chamada Vessin, e ninguém deixava Vessin.", "place"),
        ("Там, где жила она, Вессин — город у моря. И она видела Вессин.", "place"),
        ("They rode past Fort Vessin. Nobody had ever seen Fort Vessin.", "place"),
        ("They laughed with the merchant Vessin. Nobody had ever seen Vessin.", "person"),
        (
            "Elle pensait à la guilde Vessin et aux voyages avec Vessin, mais elle n'en dit "
            "rien. Puis elle regarda la pluie avec les autres, et la pluie tombait dans le noir.",
            "faction",
        ),
        ("Она жила в городе Вессин, и никто не видел Вессин.", "place"),
    ],
)
def test_what_is_said_to_be_something_is_that(
    write_vault: WriteVault, open_vault: OpenVault, told: str, expected: str
) -> None:
    session = open_vault(write_vault(chapters(told)))
    session.call("sync", {})
    assert [(kind, count) for _, kind, count in listed(session)] == [(expected, 2)]


def test_whoever_has_a_title_is_a_person_without_it_too(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "Baron Vessin Holm had won. They rode away from Vessin, and never saw Vessin again."
    session = open_vault(write_vault(chapters(told)))
    session.call("sync", {})
    assert listed(session) == [("Vessin", "person", 3)]


def test_what_words_tell_outweighs_what_a_name_looks_like(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = chapters("It was in the middle of nowhere, Verrick.", "They slept in Verrick.")
    session = open_vault(write_vault(told))
    session.call("sync", {})
    assert listed(session) == [("Verrick", "place", 2)]


def test_what_only_looks_like_a_name_of_a_kind_has_no_type(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "Nobody liked the Cosmel Piece. It is a Cosmel Piece. They took some Cosmel Piece."
    session = open_vault(write_vault({f"World/{name}.md": told for name in ("One", "Two")}))
    session.call("sync", {})
    assert listed(session) == [("Cosmel Piece", "unknown", 6)]


def test_a_rank_names_nobody(write_vault: WriteVault, open_vault: OpenVault) -> None:
    told = "They feared the Grand Master. Nobody had told the Grand Master, or the High Lord."
    session = open_vault(write_vault(chapters(told, told)))
    session.call("sync", {})
    assert listed(session) == []


def test_a_link_to_a_note_by_its_ornament_names_nobody(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Log/📓 Narrow Calls.md": "They slept.\n",
        "Log/📓 Two.md": "See [[📓 Narrow Calls]].\n\nIt rained.\n",
        "Log/📓 Three.md": "See [[📓 Narrow Calls]].\n\nIt snowed.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert listed(session) == []


def test_a_capital_that_means_nothing_counts_beside_one_that_does(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = (
        "They had feared the Long Hush ever since.",
        "Long Hush had come. Grey Morning had not.",
        "They slept. Grey Morning came.",
    )
    session = open_vault(write_vault(chapters(*told)))
    session.call("sync", {})
    assert listed(session) == [("Long Hush", "unknown", 2)]
    assert listed(session, as_of=1) == []


def test_who_is_compared_with_something_is_somebody(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "Kessar is a sword. Kessar nodded and smiled. Then Kessar said no. They saw Kessar."
    session = open_vault(write_vault(chapters(told)))
    session.call("sync", {})
    assert listed(session) == [("Kessar", "person", 4)]


def test_a_noun_for_a_relative_is_a_persons_name_and_one_before_a_name_is_no_part_of_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = chapters(
        "I asked Dad about it, since Dad knew. Nobody told Dad.",
        "They met Priestess Kessar. Dammit Kessar, said Priestess Kessar.",
    )
    session = open_vault(write_vault(told))
    session.call("sync", {})
    assert listed(session) == [("Dad", "person", 3), ("Kessar", "person", 3)]


def test_a_place_in_the_plural_is_told_by_its_last_word(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "They rode past the Thelan Ruins. Nobody knew the Thelan Ruins, or Halden Hall."
    session = open_vault(write_vault(chapters(told, "They saw Halden Hall.")))
    session.call("sync", {})
    assert listed(session) == [("Halden Hall", "place", 2), ("Thelan Ruins", "place", 2)]


def test_species_that_several_sheets_state_are_creatures(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {
        "Characters/Ada.md": "---\nspecies: Brinefolk\n---\nShe dives.\n",
        "Characters/Bo.md": "**Race:** Brinefolk / Sylvar\n\nHe dives with a dog.\n",
        "Characters/Tom.md": "Race:: Human\n\nHe sells rope.\n",
        "Characters/Uli.md": "---\nspecies: Human\n---\nShe sells rope.\n",
    }
    session = open_vault(write_vault(sheets))
    session.call("sync", {})
    assert [(name, kind) for name, kind, _ in listed(session)] == [("Brinefolk", "creature")]


def test_a_heading_with_an_article_is_a_name_that_others_use_without_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    lore = {"Lore.md": "# Lore\n\n## History\n\nLong.\n\n## The Salt Stair\n\nNobody climbs it.\n"}
    told = "They saw the Salt Stair. Nobody climbed the Salt Stair, or liked the Salt Stair."
    session = open_vault(root := write_vault(chapters("It rained.", told) | lore))
    session.call("sync", {})
    (entity,) = session.call("list_entities", {"statuses": ["noted"]}).model_dump()["entities"]
    assert (entity["name"], entity["mention_count"]) == ("The Salt Stair", 4)
    assert suggested(session) == {}
    (root / "Book/02.md").unlink()
    session.call("sync", {})
    write_vault(chapters("It rained.", told))
    session.call("sync", {})
    after = take_snapshot(session)
    session.call("rebuild", {})
    assert take_snapshot(session) == after


def test_what_is_known_in_the_singular_and_in_the_plural_is_one(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = (
        "They saw a Blood Crest. Nobody had a Blood Crest.",
        "They feared the Blood Crests, and nobody sold the Blood Crests.",
    )
    session = open_vault(root := write_vault(chapters(*told)))
    session.call("sync", {})
    assert suggested(session) == {"Blood Crest": 4}
    assert suggested(session, as_of=1) == {"Blood Crest": 2}
    (root / "Book/01.md").unlink()
    session.call("sync", {})
    assert suggested(session) == {"Blood Crests": 2}
    write_vault(chapters(*told))
    session.call("sync", {})
    synced = take_snapshot(session)
    session.call("rebuild", {})
    assert take_snapshot(session) == synced
    assert suggested(session) == {"Blood Crest": 4}


def test_a_word_for_a_number_is_nobody_and_a_no_before_a_name_is_no_place(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = (
        "Cinq regards la suivaient, et elle ne dit rien. Puis elle vit que Cinq minutes avaient "
        "passé, et que Cinq de ses amis étaient avec elle dans la rue."
    )
    called = "“No, Kessar,” he said. “No, Kessar, I will not.” Nobody liked Kessar."
    session = open_vault(write_vault({**chapters(called), "Livre/01.md": told}))
    session.call("sync", {})
    assert listed(session) == [("Kessar", "person", 3)]


def test_the_rules_of_a_game_for_a_thing_name_nobody(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    rules = "Heavy. Roll against Deftness. A Boon Action is spent; a second Boon Action is not."
    sheet = f"---\nRarity: rare\nAttunement: yes\nDamage: 1d6\n---\n{rules} Use Deftness again.\n"
    session = open_vault(
        write_vault(
            {
                **{f"Items/{name}.md": sheet for name in ("Rope Blade", "Tide Hook", "Salt Bow")},
                "NPCs/Orla.md": "---\nAC: 15\nHP: 40\nCR: 2\n---\nShe met Brannoc. Brannoc fled.\n",
                "Sessions/Session 1.md": "Orla met Brannoc. Then Brannoc left.\n",
            }
        )
    )
    session.call("sync", {})
    assert suggested(session) == {"Brannoc": 4}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ["He ran to the Bellows.", "She saw the Bellows, and they left the Bellows behind."],
            {"Bellows": 3},
        ),
        (
            ["He ran to the Bellows.", "She saw the Bellows. Both bellows burned at the Bellows."],
            {},
        ),
        (["He ran to the King.", "She saw the King, and they left the King behind."], {}),
        (["It is the Iron Gate.", "She saw the Iron/Gold plan, and left the Iron plan."], {}),
    ],
)
def test_a_word_alone_is_a_name_behind_the_if_nothing_else_is_called_so(
    write_vault: WriteVault, open_vault: OpenVault, texts: list[str], expected: dict[str, int]
) -> None:
    session = open_vault(write_vault(chapters(*texts)))
    session.call("sync", {})
    assert suggested(session) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("Gaiweh", {"Gaiweh": 2}), ("Honour", {}), ("GAIWEH", {})]
)
def test_what_is_no_word_is_a_name_in_one_sheet_alone(
    write_vault: WriteVault, open_vault: OpenVault, name: str, expected: dict[str, int]
) -> None:
    text = (
        f"The last of the pillars is {name}, and to the north it has many meanings. {name} is old."
    )
    session = open_vault(write_vault({"Factions/Pillars.md": text}))
    session.call("sync", {})
    assert suggested(session) == expected


def test_a_name_behind_an_elided_word_is_the_same_name(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(
        chapters(
            "La nuit tomba sur la ville, et le temple d'Eghma resta fermé. On y vit les prêtres "
            "d'Eghma. La lune se leva sur les toits, les prêtres d'Eghma chantaient dans la cour.",
            "Le soir, on invoquait Eghma dans la rue, et tous saluaient Eghma. La foule aimait "
            "Eghma. Puis le comte d'Avrel parla, et le comte d'Avrel se tut avec le duc d'Avrel.",
        )
    )
    session = open_vault(root)
    session.call("sync", {})
    assert suggested(session) == {"Eghma": 6, "d'Avrel": 3}
    (root / "Book/02.md").write_text("Il plut.\n")
    session.call("sync", {})
    assert suggested(session) == {"d'Eghma": 3}
