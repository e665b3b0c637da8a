import re

import pytest
from writeros_plugins import discovery
from writeros_plugins.discovery import names

from writeros_entities import ProposedName, Settings
from writeros_entities.vault.notes import parse_note


@pytest.fixture
def skipped(monkeypatch):
    """Stand in for the finder of names: every capitalised word is a person."""
    seen = []

    def find_names(text, *, skip):
        seen.extend(skip)
        return [
            names.FoundName(m.start(), m.end(), m[0], kind, 0.5, 0.5)
            for m in re.finditer(r"[A-Z][a-zA-Z\x01]+(?: [A-Z][a-z]+)?", text)
            for kind in ["person" if len(m[0]) < 8 else None]
        ]

    monkeypatch.setattr(names, "find_names", find_names)
    return seen


def test_a_name_is_proposed_once_with_its_count(make_note, skipped) -> None:
    note = make_note("then Isolde met ISOLDE and Isolde, then Hezekiah")
    assert discovery.propose_entities(note, Settings(discovery_needed=2)) == [
        ProposedName("Isolde", "person", 3, 2, 0.5, type_confidence=0.35),
        ProposedName("Hezekiah", None, 1, 2, 0.5, type_confidence=0.35),
    ]


def test_formatting_is_no_part_of_a_name_and_hidden_text_is_skipped(make_note, skipped) -> None:
    note = make_note("Is**old**e and `Code`")
    note = make_note(note.text, prose=note.prose.replace("`Code`", "\0" * 6))
    (proposed,) = discovery.propose_entities(note, Settings())
    assert proposed.name == "Isolde"
    assert skipped == [(15, 21)]


def test_discovery_can_be_switched_off(make_note, skipped) -> None:
    assert discovery.propose_entities(make_note("Isolde"), Settings(discovery=False)) == []


def proposed(make_note, text):
    """Return what is proposed for a text: names with how often they stand there."""
    return {
        item.name: item.count
        for item in discovery.propose_entities(make_note(text), Settings(discovery_needed=1))
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Dear Ida,” he said. “Poor Ida!” But Ida slept.", {"Ida": 3}),
        ("He wrote to Dear Captain Holt.", {"Captain Holt": 1}),
        ("Old Corbin slept. Then Corbin woke.", {"Corbin": 2}),
        ("They met Old Corbin. Then Corbin woke.", {"Old Corbin": 1, "Corbin": 1}),
        ("“Tell Corbin that I am late.” Then Corbin woke.", {"Corbin": 2}),
        ("“Pull Corbin out!” Then Corbin woke.", {"Corbin": 2}),
        ("On Christmas Corbin wept. On Sunday Corbin slept. Corbin woke.", {"Corbin": 3}),
        ("P.S. Mrs. Corbin is well. So Mrs. Corbin slept.", {"Mrs. Corbin": 2}),
    ],
)
def test_what_says_how_dear_somebody_is_is_no_part_of_a_name(make_note, text, expected) -> None:
    assert proposed(make_note, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All the Marlows came with Mrs. Marlow.", {"Marlow": 1, "Mrs. Marlow": 1}),
        ("They dined with the Lomaxes.", {"Lomax": 1}),
        ("Then Miss Corbin met the two Miss Corbins.", {"Miss Corbin": 1}),
        ("They met the Misses Corbin.", {}),
        ("All the younger Miss Lomaxes spoke to Miss King.", {"Miss King": 1}),
        ("He met Miss Corbins at noon.", {"Miss Corbins": 1}),
        ("They crossed the Thames at dawn.", {"Thames": 1}),
        ("Then William met Mr. Williams.", {"William": 1, "Mr. Williams": 1}),
    ],
)
def test_a_family_is_proposed_by_its_name(make_note, text, expected) -> None:
    assert proposed(make_note, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Then Kit Corbin slept. So Kit woke, and Kit swore.", {"Kit Corbin": 1, "Kit": 3}),
        ("Then Captain Corbin slept. But Corbin woke.", {"Captain Corbin": 1, "Corbin": 2}),
        ("Then Kit Corbin met Kit Holt. So Kit woke.", {"Kit Corbin": 1, "Kit Holt": 1, "Kit": 1}),
    ],
)
def test_a_longer_name_is_a_use_of_the_first_of_its_words(make_note, text, expected) -> None:
    assert proposed(make_note, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Then Kit Holt slept. So Holt woke, and Holt swore.", {"Kit Holt": 3, "Holt": 3}),
        ("Then Kit Holt met Ned Holt. So Holt woke.", {"Kit Holt": 1, "Ned Holt": 1, "Holt": 1}),
        ("Then Mrs Holt slept. So Holt woke.", {"Mrs Holt": 1, "Holt": 1}),
        ("They met Old Holt. Then Holt woke.", {"Old Holt": 1, "Holt": 1}),
        ("He said STOP HOLT. So Holt woke.", {"Holt": 2}),
        ("Then Frank Holt slept. So Holt woke.", {"Frank Holt": 2, "Holt": 2}),
        ("That Friday Holt slept. So Holt woke.", {"Holt": 2}),
    ],
)
def test_a_full_name_and_its_surname_count_as_one(make_note, text, expected) -> None:
    assert proposed(make_note, text) == expected


def test_a_family_is_no_place(make_note) -> None:
    (family,) = discovery.propose_entities(make_note("They rode to the Lomaxes."), Settings())
    assert (family.name, family.type) == ("Lomax", "person")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She saw Mr. and Mrs. Corbin.", {"Mrs. Corbin": 1}),
        ("There came Admiral and Mrs. Corbin.", {"Mrs. Corbin": 1}),
        ("He was seen with Captain H. of the guard. Captain Holt denied it.", {"Captain Holt": 1}),
        ("He was seen with Captain H. of the guard.", {"Captain H": 1}),
        ("I gave it to HER, and Corbin saw her.", {"Corbin": 1}),
        (
            "They feared the Lord Commander and Detective Sergeant Corbin.",
            {"Detective Sergeant Corbin": 1},
        ),
    ],
)
def test_a_title_an_initial_or_a_shout_is_nobody_new(make_note, text, expected) -> None:
    assert proposed(make_note, text) == expected


def test_an_honorific_behind_a_name_is_no_part_of_it(make_note) -> None:
    text = "Then Aoki-san bowed to Aoki-sensei, and Aoki sat."
    assert proposed(make_note, text) == {"Aoki": 3}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They reached Lv. 3, and then Lv. 4.", {}),
        ("> **[Quest received: find Vantry]**\n\nThey saw Vantry.", {"Vantry": 2}),
        ("They cull rats. Reward: 5 silver. They guard the cart. Reward: 2 gold.", {}),
        ("Then Ann and Bob fought.\n\n[Bob has left the guild.]", {"Ann": 1, "Bob": 1}),
    ],
)
def test_the_labels_of_a_game_are_nobodys_names(make_note, text, expected) -> None:
    assert proposed(make_note, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# TBILISI, 04:10\n\nHe lay on a roof.", {"Tbilisi": "place"}),
        ("# RAF LUCHARS, 0410 hours\n\nHe lay on a roof.", {"RAF Luchars": "place"}),
        (
            "*Odile, near Brennick*\n*4th March*\n\nMy dear,",
            {"Odile": "place", "Brennick": "place"},
        ),
        ("Odile, 12 May 1943\n\nMy dear,", {"Odile": "place"}),
        (
            "14 Odile Street, Brennick\nMarch 6th\n\nM,",
            {"Odile Street": "place", "Brennick": "place"},
        ),
        ("Friday, 12 May 1943\n\nIt rained.", {}),
        ("Dear Odile, 12 May is too late.", {"Odile": "person"}),
        ("They walked on with Odile.\n4 March was cold.", {"Odile": "person"}),
    ],
)
def test_a_dateline_names_places(make_note, text, expected) -> None:
    found = discovery.propose_entities(parse_note("Note.md", text.encode()), Settings())
    assert {name.name: name.type for name in found} == expected


def names_of(text):
    found = discovery.propose_entities(parse_note("Note.md", text.encode()), Settings())
    return {name.name: name.count for name in found}


def test_two_people_who_stand_side_by_side_once_are_two() -> None:
    text = "Ida rowed. Corvin swam, and Ida's oar fell. Corvin sank. Ida gave Ida Corvin's hat."
    assert names_of(text) == {"Ida": 4, "Corvin": 3}


def test_a_full_name_stays_one_though_its_parts_stand_alone() -> None:
    text = "Ida Moss rowed. Ida sang. Moss slept. Ida ate. Moss drank."
    assert "Ida Moss" in names_of(text)


def test_a_word_behind_an_elided_article_is_no_name() -> None:
    text = (
        "L'arme de Lise tomba sur les pierres de la cour, et personne ne bougea. L'ami de Lise "
        "riait dans la cuisine, où il faisait chaud. Et pour la porte, il avait la clef de Lise."
    )
    assert names_of(text) == {"Lise": 3}


def test_an_article_before_a_french_name_is_no_part_of_it() -> None:
    text = (
        "La Russie dort. Il vit Charles d'Artagnan sur le pont, et elle pensa que la Russie est "
        "grande. La Russie, dans le froid, attend. Il partit pour l'Ukraine et Charles d'Artagnan "
        "aussi, et pour La Russie, pas un mot. Le Havre fume. Il va vers Le Havre. Il aime "
        "l'Ukraine. Le 3, il revint."
    )
    assert names_of(text) == {"Russie": 4, "Charles d'Artagnan": 2, "Ukraine": 2, "Le Havre": 2}
