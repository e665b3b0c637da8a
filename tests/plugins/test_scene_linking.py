import gc
import weakref

import pytest
from writeros_plugins.gazetteer.detection import detect
from writeros_plugins.scene_linking import link_mention
from writeros_plugins.scene_linking.scenes import scene_of

from writeros_entities import ALWAYS, Candidate, Mention, Name
from writeros_entities.values import InlineField

NAMES = (
    Name("Tobias Wren", "tobias", "name"),
    Name("Wren", "tobias", "derived", 0.5),
    Name("Mara Wren", "mara", "name"),
    Name("Wren", "mara", "derived", 0.5),
)


@pytest.fixture(scope="module")
def scores(make_note, make_lexicon):
    """Return, by entity, the rounded scores and reasons for the last mention in a text."""

    def scores(text, *, names=NAMES, **values):
        note = make_note(text, **values)
        lexicon = make_lexicon(*names)
        mention = detect(note, lexicon)[-1]
        found: dict[str, list[tuple[float, str]]] = {}
        for score in link_mention(mention, mention.candidates, note, lexicon):
            found.setdefault(score.entity, []).append((round(score.score, 2), score.reason))
        return found

    return scores


def test_without_evidence_nothing_is_scored(scores) -> None:
    assert scores("and Wren") == {}


def test_a_link_in_the_note_speaks_for_its_target(scores) -> None:
    assert scores("[[Tobias Wren|He]] slept, and Wren") == {
        "tobias": [(0.25, "linked in this note")]
    }


@pytest.mark.parametrize(
    ("frontmatter", "expected"),
    [
        ({"characters": ["Mara Wren"]}, {"mara": [(0.3, "listed under characters")]}),
        ({"Cast": "[[People/Mara Wren|Mara]]"}, {"mara": [(0.3, "listed under Cast")]}),
        ({"pov": "Mara Wren"}, {"mara": [(0.35, "listed under pov")]}),
        ({"viewpoint": "Mara Wren"}, {"mara": [(0.35, "listed under viewpoint")]}),
        ({"point_of_view": "Mara Wren"}, {"mara": [(0.35, "listed under point_of_view")]}),
        ({"characters": [["Mara Wren"], 7, None]}, {"mara": [(0.3, "listed under characters")]}),
        (
            {"cast": "Mara Wren, Tobias Wren", "pov": "Mara Wren"},
            {"mara": [(0.35, "listed under pov")], "tobias": [(0.3, "listed under cast")]},
        ),
        ({"author": "Mara Wren"}, {}),
    ],
)
def test_the_cast_of_the_scene_speaks_for_itself(scores, frontmatter, expected) -> None:
    assert scores("and Wren", frontmatter=frontmatter) == expected


def test_an_inline_field_lists_the_cast_too(scores) -> None:
    fields = (InlineField("pov", "[[Mara Wren]]", 0, 0),)
    assert scores("and Wren", fields=fields) == {"mara": [(0.35, "listed under pov")]}


def test_the_full_name_nearest_before_weighs_most(scores) -> None:
    text = "Tobias Wren came." + " So it went." * 170 + " Mara Wren left. Then Wren"
    assert scores(text) == {
        "tobias": [(0.15, "'Tobias Wren' stands before it")],
        "mara": [(0.3, "'Mara Wren' stands before it")],
    }


def test_a_full_name_behind_the_mention_weighs_half(make_note, make_lexicon) -> None:
    note, lexicon = make_note("and Wren, Mara Wren"), make_lexicon(*NAMES)
    mention = detect(note, lexicon)[0]
    (score,) = link_mention(mention, mention.candidates, note, lexicon)
    assert (score.entity, round(score.score, 2)) == ("mara", 0.15)


def test_a_name_or_alias_weighs_more_than_a_part_of_one(scores) -> None:
    names = (*NAMES, Name("Wren", "tower", "alias"))
    assert scores("and Wren", names=names) == {"tower": [(0.1, "by its alias")]}


def test_a_full_name_that_is_known_later_says_nothing(scores) -> None:
    names = (*NAMES, Name("Grey Man", "tobias", "alias", known_from=9))
    assert scores("The Grey Man sat. and Wren", names=names) == {}


def test_a_rival_changes_nothing_for_a_candidate(make_note, make_lexicon) -> None:
    note = make_note(
        "Tobias Wren came. Mara Wren left. Then Wren", frontmatter={"pov": "Mara Wren"}
    )
    lexicon = make_lexicon(*NAMES)
    both = [Candidate("mara", 0.5, "derived"), Candidate("tobias", 0.5, "derived")]
    mention = Mention(39, 43, "Wren", tuple(both))
    together = list(link_mention(mention, both, note, lexicon))
    apart = [score for each in both for score in link_mention(mention, [each], note, lexicon)]
    assert together == apart


def test_nothing_is_kept_of_a_note_that_is_gone(make_note, make_lexicon) -> None:
    note, lexicon = make_note("and Wren"), make_lexicon(*NAMES)
    mention = detect(note, lexicon)[0]
    link_mention(mention, mention.candidates, note, lexicon)
    scene = weakref.ref(scene_of(note))
    assert scene() is scene_of(note)
    del note
    gc.collect()
    assert scene() is None


def test_nothing_is_kept_of_a_lexicon_that_is_gone(make_note, make_lexicon) -> None:
    note, lexicon = make_note("Tobias Wren, and Wren"), make_lexicon(*NAMES)
    mention = detect(note, lexicon)[-1]
    assert list(link_mention(mention, mention.candidates, note, lexicon))
    gone = weakref.ref(lexicon)
    del lexicon
    gc.collect()
    assert gone() is None


def test_an_alias_of_invisible_characters_is_no_name(scores) -> None:
    names = (*NAMES, Name("\u200b", "mara", "alias"))
    assert scores("and Wren", names=names) == {}


def test_an_entity_unknown_to_the_lexicon_is_no_error(make_note, make_lexicon) -> None:
    mention = Mention(0, 4, "Wren", (Candidate("nobody", 1.0, "name", "Wren", ALWAYS),))
    scored = link_mention(mention, mention.candidates, make_note("Wren"), make_lexicon())
    assert [each.reason for each in scored] == ["by its name"]


RAKO = {
    "Characters/Forne Rako.md": "---\ntype: person\n---\n",
    "Places/Rako.md": "---\ntype: place\n---\nA star.\n",
}


@pytest.mark.parametrize(
    "text",
    [
        "Captain Rako sat down.",
        "They saw Lt. Rako.",
        '"Sit," said Rako.',
        "“Sit.” Rako nodded.",
    ],
)
def test_a_title_or_a_verb_of_persons_excludes_the_place_with_that_name(
    text: str, open_vault, write_vault
) -> None:
    session = open_vault(write_vault({**RAKO, "Chapter 1.md": text}))
    session.call("sync", {})
    found = session.call("list_entities", {}).entities
    assert {one.name: one.mention_count for one in found} == {"Forne Rako": 1, "Rako": 0}


def test_only_a_place_is_gone_to(open_vault, write_vault) -> None:
    session = open_vault(write_vault({**RAKO, "Chapter 1.md": "They flew to Rako."}))
    session.call("sync", {})
    found = session.call("list_entities", {}).entities
    assert {one.name: one.mention_count for one in found} == {"Forne Rako": 0, "Rako": 1}


def test_no_part_of_a_description_that_names_another_is_a_name(open_vault, write_vault) -> None:
    person = "---\ntype: person\n---\n"
    notes = {
        "Personnages/Lise.md": person,
        "Personnages/Cuisinier de Lise.md": person,
        "Chapitre 1.md": "L'arme de Lise tomba sur les pierres de la cour, et personne ne bougea. "
        "Lise courut vers la porte sans un mot. Dans la cuisine, où il faisait chaud, elle vit "
        "le Cuisinier de Lise qui riait.",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = session.call("list_entities", {}).entities
    assert {one.name: one.mention_count for one in found} == {"Lise": 2, "Cuisinier de Lise": 1}
