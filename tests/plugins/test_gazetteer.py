import pytest
from hypothesis import given
from hypothesis import strategies as st
from writeros_plugins.gazetteer.detection import detect

from writeros_entities import ALWAYS, Candidate, Lexicon, LexiconEntity, Mention, Name


@pytest.fixture(scope="module")
def surfaces(make_note, make_lexicon):
    """Return (surface, entity) of every candidate found in a text, for names given by form."""

    def find(text, *names, common_words=(), **types):
        note = make_note(text)
        mentions = detect(note, make_lexicon(*names, **types), common_words)
        return [
            (mention.surface, candidate.entity)
            for mention in mentions
            for candidate in mention.candidates
            if candidate.score > 0
        ]

    return find


def texts(found):
    return [surface for surface, _ in found]


def test_every_mention_of_a_name_counts(surfaces) -> None:
    assert texts(surfaces("Isolde met Isolde.", "Isolde")) == ["Isolde", "Isolde"]


def test_a_mention_says_where_it_is_and_how_it_was_found(make_note, make_lexicon) -> None:
    lexicon = make_lexicon(Name("the Captain", "Ilse Vane", "alias", 0.9, known_from=3))
    assert detect(make_note("Then the Captain spoke."), lexicon) == [
        Mention(5, 16, "the Captain", (Candidate("Ilse Vane", 0.9, "alias", "the Captain", 3),))
    ]


def test_an_empty_lexicon_finds_nothing(surfaces) -> None:
    assert surfaces("Isolde") == []


@pytest.mark.parametrize("text", ["Isolderic", "Anisolde", "Isolde2", "unIsolde", "Isoldé"])
def test_a_name_inside_a_word_is_no_mention(surfaces, text) -> None:
    assert surfaces(text, "Isolde") == []


@pytest.mark.parametrize(
    "text",
    ["Isolde's", "Isolde’s", "(Isolde)", "“Isolde”", "Isolde—", "Isolde-like", "\x00Isolde\x00"],
)
def test_punctuation_ends_a_name_and_a_possessive_is_left_out(surfaces, text) -> None:
    assert texts(surfaces(text, "Isolde")) == ["Isolde"]


def test_a_contraction_is_not_a_name(surfaces) -> None:
    assert surfaces("“Don't,” he said.", "Don") == []


def test_a_name_never_spans_what_is_hidden_or_a_blank_line(surfaces) -> None:
    assert surfaces("Ilse\0Vane and Ilse\n\nVane", "Ilse Vane") == []


def test_a_name_may_span_a_line_break_and_formatting_marks(surfaces) -> None:
    assert texts(surfaces("Lady **Isolde**’s and Lady\nIsolde", "Lady Isolde")) == [
        "Lady **Isolde",
        "Lady\nIsolde",
    ]


def test_overlapping_names_are_all_returned(surfaces) -> None:
    assert texts(surfaces("in Black Harbour Keep", "Black Harbour", "Harbour Keep", "Harbour")) == [
        "Black Harbour",
        "Harbour Keep",
        "Harbour",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("They praised Ida Crane.", []),
        ("They praised Odo Vane.", []),
        ("They praised Frank Vane.", []),
        ("They praised Vane Hall.", []),
        ("They praised the Vane Foundation.", []),
        ("Frank Vane slept.", []),
        ("They praised Will Vane.", []),
        ("May Vane sleep!", ["Vane"]),
        ("They praised Ida Crane's cake.", []),
        ("They praised Ida, Crane and all.", ["Ida"]),
        ("Tell Ida Captain Holt is here.", ["Ida"]),
        ("Ask Ida Monday.", ["Ida"]),
        ("IDA SLEPT.", ["IDA"]),
        ("They praised Ida Vane.", ["Ida Vane"]),
    ],
)
def test_half_of_a_strangers_name_is_no_mention(surfaces, text, found) -> None:
    parts = [Name(part, "Ida Vane", "derived", 0.6, ALWAYS) for part in ("Ida", "Vane")]
    assert texts(surfaces(text, "Ida Vane", *parts)) == found


def test_two_entities_of_one_name_are_two_candidates(surfaces) -> None:
    names = Name("Tobias Wren", "elder", "name"), Name("Tobias Wren", "younger", "name", 0.9)
    assert surfaces("Old Tobias Wren came.", *names) == [
        ("Tobias Wren", "elder"),
        ("Tobias Wren", "younger"),
    ]


def test_an_entity_is_a_candidate_once_by_the_name_known_first(make_note, make_lexicon) -> None:
    lexicon = make_lexicon(
        Name("Wren", "Tobias", "alias", 1.0, known_from=9),
        Name("Wren", "Tobias", "derived", 0.5, known_from=ALWAYS),
    )
    (mention,) = detect(make_note("and Wren"), lexicon)
    assert mention.candidates == (Candidate("Tobias", 0.5, "derived", "Wren", ALWAYS),)


def test_a_known_surface_form_matches_in_any_case_but_an_exact_one_as_written(surfaces) -> None:
    forms = (
        Name("NumPy", "numpy", "surface_form"),
        Name("AWS", "aws", "surface_form"),
        Name("React", "react", "surface_form", exact=True),
    )
    text = "We use numpy on aws, and NUMPY; they react, and React."
    assert texts(surfaces(text, *forms)) == ["numpy", "aws", "NUMPY", "React"]


# -- Case ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        ("Isolde", "an isolde flew", []),
        ("Isolde", "THE ISOLDE FLEW, ISOLDERY", ["ISOLDE"]),
        ("the captain", "The Captain, THE CAPTAIN, the captain", 3),
        ("von Hardenberg", "Von Hardenberg and von Hardenberg", 2),
        ("The Hollow Crown", "the Hollow Crown", 1),
        ("The Hollow Crown", "the hollow crown", 0),
        ("Old Mill", "Old mill stones lay there.", 0),
        ("Old Mill", "at the Old mill", 1),
        ("Old Mill", "The Old Mill", 1),
        ("iPhone", "an iphone", 1),
    ],
)
def test_capitals_of_a_name_are_asked_of_the_text(surfaces, form, text, found) -> None:
    result = texts(surfaces(text, form))
    assert result == found if isinstance(found, list) else len(result) == found


def test_an_acronym_that_is_somebody_is_written_like_a_name_as_well(surfaces) -> None:
    assert texts(surfaces("Nato and NATO", "NATO", NATO="faction")) == ["NATO"]
    assert texts(surfaces("ARIA hummed. Then Aria sang an aria.", "ARIA")) == ["ARIA", "Aria"]
    assert texts(surfaces("WILL said it. Then Will it be?", "WILL")) == ["WILL"]
    assert texts(surfaces("AI rose, and Ai came.", "AI")) == ["AI"]


def test_the_second_half_of_a_given_name_may_be_small(surfaces) -> None:
    assert texts(surfaces("Mei-ling sat. Then Mei-Ling rose.", "Mei-Ling")) == [
        "Mei-ling",
        "Mei-Ling",
    ]


def test_an_exact_name_matches_only_as_written(surfaces) -> None:
    name = Name("go", "golang", "surface_form", exact=True)
    assert texts(surfaces("Go go GO", name)) == ["go"]


# -- Scripts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "text", "count"),
    [
        ("太郎", "昨日太郎は来た。", 1),
        ("アリス", "アリスはアリストテレスを読む", 1),
        ("이순신", "이순신은 바다로", 1),
        ("Isolde", "とIsoldeは", 1),
        ("Ольга", "Ольга и Ольгаев", 1),
        ("Zoe\u0308", "Zoë met Zoe\u0308.", 2),
    ],
)
def test_names_of_other_scripts_are_found(surfaces, form, text, count) -> None:
    assert len(surfaces(text, form)) == count


# -- Plurals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        ("Marrow", "the Marrows of the hill", ["Marrows"]),
        ("Marrow", "the Marrows' hill", ["Marrows"]),
        ("Jones", "the Joneses", ["Joneses"]),
        ("Jones", "the Joness", []),
        ("Marrow", "some marrows", []),
        ("the captain", "the captains", []),
    ],
)
def test_a_capitalised_name_has_a_plural(surfaces, form, text, found) -> None:
    assert texts(surfaces(text, form)) == found


def test_a_plural_is_a_weaker_candidate_by_its_own_method(make_note, make_lexicon) -> None:
    (mention,) = detect(make_note("the Wrens"), make_lexicon("Wren"))
    assert mention.candidates == (
        Candidate("Wren", 0.5, "plural", "Wren", ALWAYS, ("plural of 'Wren'",)),
    )


def test_a_persons_full_name_has_no_plural_but_a_factions_has(surfaces) -> None:
    assert surfaces("the Ilse Vanes", "Ilse Vane") == []
    found = surfaces("the Iron Wardens", "Iron Warden", Iron_Warden="faction")
    assert texts(found) == ["Iron Wardens"]


def test_half_of_a_hyphenated_name_counts_half(make_note, make_lexicon) -> None:
    (mention,) = detect(make_note("then Anne-Marie came"), make_lexicon("Anne"))
    assert mention.candidates[0].score == 0.5


# -- Names that are words ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hope", "Hope is all we have."),
        ("Will", "Will you come? “Will you?” Will Isolde come?"),
        ("May", "It rained. May it stop."),
        ("Rose", "- Rose petals"),
        ("Hope", "They ran!\n\nHope was gone."),
        ("Hope", "# The Return of Hope"),
        ("Hope", "WE HOPE FOR RAIN"),
        ("May", "It was in May that they came, on the 3rd of May, or May 4."),
        ("Mark", "“Mark my words,” he said."),
        ("Hope", "He left… Hope was gone"),
    ],
)
def test_a_word_that_is_a_name_needs_evidence(surfaces, name, text) -> None:
    assert surfaces(text, name) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hope", "They saw Hope by the wall."),
        ("Will", "“No,” Will said."),
        ("May", "Then Miss May sang. "),
        ("Hope", "Captain Hope sailed."),
        ("Grace", "and then\nGrace laughed"),
        ("Hope", "# what becomes of Hope"),
        ("Hope", "He gave it to J. Hope."),
        ("Hope", "[[Hope]] sailed."),
        ("Hope", "They waited. Hope nodded."),
        ("Will", "“Will you?” Will says."),
        ("Hope", "They wait. Hope listens."),
        ("Ash", "Ash kneels and adds a log."),
        ("Pip", "They waited. Pip sneezed."),
    ],
)
def test_a_capital_a_title_or_a_link_makes_a_word_a_name(surfaces, name, text) -> None:
    assert texts(surfaces(text, name)) == [name]


def test_a_full_name_in_the_note_speaks_for_the_word_elsewhere(surfaces) -> None:
    names = Name("Hope Marrow", "hope", "name"), Name("Hope", "hope", "derived", 0.6)
    assert texts(surfaces("Hope came in. Later Hope Marrow slept.", *names)) == [
        "Hope",
        "Hope Marrow",
    ]
    text = "Will you come? Will Marrow nodded. Will ran."
    names = Name("Will Marrow", "will", "name"), Name("Will", "will", "derived", 0.6)
    assert texts(surfaces(text, *names)) == ["Will Marrow", "Will"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("“Your Grace,” said Ben.", []),
        ("Ben knelt. “Your Grace,” he said. Then he saw Grace. Grace rose.", ["Grace", "Grace"]),
        ("There stood Her Grace the Duchess.", []),
        ("He told her Grace had left.", ["Grace"]),
    ],
)
def test_a_form_of_address_is_nobodys_name(surfaces, text, found) -> None:
    assert texts(surfaces(text, Name("Grace", "Grace", "name"))) == found


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Hope", "They waited. Hope nodded.", ["Hope"]),
        ("Will", "It will hold. Will mended the leg.", ["Will"]),
        ("Will", "It will hold. Will had a saw. Will's saw broke.", ["Will", "Will"]),
        ("Will", "“Will,” she said. “Will?”", ["Will", "Will"]),
        ("Will", "It will hold. Will took the lamp. Will put it out?", ["Will"]),
        ("Will", "Will any of it hold? Will need be met? Will Tom?", []),
        ("May", "May was wet. May had no sun.", []),
        ("Grace", "Grace faded.", []),
        ("Will", "Then Will Turner came, and Will Harker.", []),
    ],
)
def test_a_part_that_is_a_word_is_a_name_where_it_can_be_nothing_else(
    surfaces, name, text, found
) -> None:
    part = Name(name, f"{name} Cole", "derived", 0.6)
    assert texts(surfaces(text, part)) == found


@pytest.mark.parametrize(
    ("name", "part", "text", "found"),
    [
        ("Dr. No", "No", "Dr. No smiled. No one saw. “No,” he said.", ["Dr. No", "No"]),
        (
            "Seven of Nine",
            "Seven",
            "Seven of Nine sat. Seven men died. Seven nodded.",
            ["Seven of Nine", "Seven"],
        ),
    ],
)
def test_a_part_that_begins_many_sentences_is_no_name_there_without_evidence(
    surfaces, name, part, text, found
) -> None:
    names = Name(name, name, "name"), Name(part, name, "derived", 0.6)
    assert texts(surfaces(text, *names)) == found


def test_a_part_that_is_a_word_is_a_name_where_the_note_has_it_often(surfaces) -> None:
    part = Name("Grace", "Grace Cole", "derived", 0.6)
    text = "I saw Grace. I knew Grace. I told Grace. Grace left."
    assert texts(surfaces(text, part)) == ["Grace"] * 4
    assert texts(surfaces(f"{text} A grace.", part)) == ["Grace"] * 3


def test_whose_sheet_it_is_needs_no_other_evidence_there(make_note) -> None:
    part = Name("Rose", "rose", "derived", 0.6)
    for path, found in (("Rose Abbot.md", ["Rose"]), ("Tom.md", [])):
        entity = LexiconEntity("rose", "Rose Abbot", "person", "noted", "Rose Abbot.md")
        mentions = detect(
            make_note("Rose hates the joke.", path=path), Lexicon((part,), {"rose": entity})
        )
        assert [mention.surface for mention in mentions] == found


# -- Titles and kinds ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Captain Reyes slept.", "Captain Reyes"),
        ("They saw Lieutenant Commander Reyes.", "Lieutenant Commander Reyes"),
        ("“Lt. Reyes,” he said.", "Lt. Reyes"),
        ("He nodded to the Captain. Reyes slept.", "Reyes"),
        ("“Yes, Captain,” Reyes said.", "Reyes"),
        ("The captain Reyes slept.", "Reyes"),
    ],
)
def test_a_title_belongs_to_the_name_behind_it(surfaces, text, found) -> None:
    assert texts(surfaces(text, "Reyes")) == [found]


def test_a_title_that_makes_somebody_elses_name_is_not_taken_from_it(surfaces) -> None:
    names = "Tom Reyes", Name("Reyes", "Tom Reyes", "derived", 0.5), "Ada Reyes"
    alias = Name("Captain Reyes", "Ada Reyes", "alias", 1.0)
    found = surfaces("Captain Reyes slept.", *names, alias)
    assert found == [("Captain Reyes", "Ada Reyes"), ("Reyes", "Tom Reyes")]


@pytest.mark.parametrize(
    ("title", "weight", "status", "found"),
    [
        ("Captain", 0.5, "noted", "ines"),
        ("Captain", 0.5, "suggested", "other"),
        ("Doña", 0.6, "noted", "ines"),
        ("Sister", 0.5, "noted", "other"),
    ],
)
def test_a_title_with_the_name_of_who_has_a_note_is_nobody_else(
    make_note, title, weight, status, found
) -> None:
    names = (
        Name("Reyes", "ines", "derived", weight),
        Name(f"{title} Reyes", "other", "name", 0.6, known_from=2),
    )
    entities = {
        "ines": LexiconEntity("ines", "Inés Reyes", "person", status),
        "other": LexiconEntity("other", f"{title} Reyes", "person", "suggested"),
    }
    mention = detect(make_note(f"Then {title} Reyes sat."), Lexicon(names, entities))[0]
    assert (mention.surface, mention.candidates[0].entity) == (f"{title} Reyes", found)


def test_a_name_learned_late_takes_none_that_an_earlier_reader_has(make_note) -> None:
    names = (
        Name("Gannet", "ines", "alias", 0.95, known_from=10),
        Name("Captain Gannet", "other", "name", 0.6, known_from=2),
    )
    entities = {
        "ines": LexiconEntity("ines", "Inés Reyes", "person", "noted"),
        "other": LexiconEntity("other", "Captain Gannet", "person", "suggested"),
    }
    first = detect(make_note("Then Captain Gannet sat."), Lexicon(names, entities))[0]
    assert [each.entity for each in first.candidates] == ["other"]


def test_what_kind_a_group_is_names_it_where_no_other_of_the_kind_is_named(surfaces) -> None:
    kind = Name("the Bureau", "Bureau of Tides", "derived", 0.5)
    group = {"Bureau of Tides": "faction"}
    assert texts(surfaces("The Bureau slept, as the Bureau does.", kind, **group)) == [
        "The Bureau",
        "the Bureau",
    ]
    assert surfaces("the Bureau of Fish and the bureau", kind, **group) == []


def test_a_part_of_a_name_is_no_mention_in_the_name_of_a_place(surfaces) -> None:
    part = Name("Marr", "Tom Marr", "derived", 0.5)
    assert surfaces("They met at Marr's Point, on Marr Street, by Marr’s Landing.", part) == []
    assert texts(surfaces("Marr's house stood there, and Marr's Tom.", part)) == ["Marr", "Marr"]


def test_a_part_of_a_name_is_found_behind_a_sentence_that_ends_in_another(surfaces) -> None:
    part = Name("Mara", "Mara Lind", "derived", 0.6)
    assert texts(surfaces("She nodded to Tom. Mara laughed. Mara Cole sat.", part)) == ["Mara"]
    assert surfaces("They met J. Mara and Wm. Mara.", part) == []


def test_a_word_that_is_somebodys_only_name_is_one_wherever_the_note_never_writes_it_small(
    surfaces,
) -> None:
    text = "Rook went up the wall. “Yet's a short word, Rook.” Rook's hands slipped."
    assert texts(surfaces(text, "Rook")) == ["Rook", "Rook", "Rook"]
    assert texts(surfaces(f"{text} A rook cried.", "Rook")) == ["Rook"]
    part = Name("Rook", "Ned Rook", "derived", 0.6)
    assert texts(surfaces(text, part)) == ["Rook"]


def test_what_speaks_for_a_word_counts_only_from_where_it_is_known(make_note, make_lexicon) -> None:
    lexicon = make_lexicon(
        Name("Hope", "hope", "name", 1.0, known_from=2),
        Name("Lady Marrow", "hope", "alias", 1.0, known_from=8),
    )
    first, _ = detect(make_note("Hope was gone. They saw Lady Marrow."), lexicon)
    assert (first.surface, first.candidates[0].known_from) == ("Hope", 8)


def test_the_settings_add_words(surfaces) -> None:
    assert texts(surfaces("Isolde was gone.", "Isolde")) == ["Isolde"]
    assert surfaces("Isolde was gone.", "Isolde", common_words=("isolde",)) == []


# -- Links ---------------------------------------------------------------------------------------


def test_the_text_of_a_link_is_a_certain_mention_of_its_target(make_note, make_lexicon) -> None:
    note = make_note("Here [[Ilse Vane|the captain’s]] men.")
    (mention,) = detect(note, make_lexicon("Ilse Vane"))
    assert mention == Mention(
        17,
        28,
        "the captain",
        (Candidate("Ilse Vane", 1.0, "link", "the captain", ALWAYS, ("the link here names it",)),),
    )


def test_a_lower_case_link_text_counts_only_inside_links(surfaces) -> None:
    names = "Ilse Vane", Name("the captain", "Ilse Vane", "link_text", 0.8)
    text = "The captain slept. [[Ilse Vane|the captain]] woke. the captain left."
    assert surfaces(text, *names) == [("the captain", "Ilse Vane")]


def test_a_capitalised_link_text_counts_everywhere(surfaces) -> None:
    names = "Ilse Vane", Name("Stormcrow", "Ilse Vane", "link_text", 0.8)
    assert texts(surfaces("Stormcrow slept.", *names)) == ["Stormcrow"]


def test_where_a_link_speaks_its_rivals_score_nothing(make_note, make_lexicon) -> None:
    lexicon = make_lexicon(
        Name("Wren", "Tobias", "alias", 1.0), Name("Wren", "Wren Tower", "alias", 1.0), "Tobias"
    )
    (mention,) = detect(make_note("at [[Tobias|Wren]]"), lexicon)
    assert [(each.entity, each.score, each.method) for each in mention.candidates] == [
        ("Tobias", 1.0, "link"),
        ("Wren Tower", 0.0, "alias"),
    ]


def test_a_longer_name_does_not_swallow_a_link_to_another(surfaces) -> None:
    found = surfaces("the [[Wren]] Tower", "Wren", "Wren Tower")
    assert found == [("Wren", "Wren")]


def test_a_link_to_a_heading_names_the_note_alone(surfaces) -> None:
    assert surfaces("see [[Ilse Vane#Youth]]", "Ilse Vane") == [("Ilse Vane", "Ilse Vane")]


def test_a_link_by_alias_or_by_path_finds_its_entity(surfaces) -> None:
    names = "Ilse Vane", Name("AI", "Ilse Vane", "alias")
    assert surfaces("[[AI]]", *names) == [("AI", "Ilse Vane")]
    assert surfaces("[[World/Ilse Vane|she]]", *names) == [("she", "Ilse Vane")]


def test_a_link_to_nothing_known_names_nothing(surfaces) -> None:
    assert surfaces("[[Nobody|Someone]]", "Ilse Vane") == []


# -- Always --------------------------------------------------------------------------------------


PIECES = ["Isolde", "isolde", "Jean\u2011Luc", "Cafe\u0301", "Hope", "**", " ", "  ", "\n", "’s"]
PIECES += ["\n\n", ".", "\0", "[[Isolde|her]]", "Straße", "İ", "s", "-"]


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_every_surface_folds_to_its_name(make_note, make_lexicon, pieces) -> None:
    from writeros_entities import fold_form

    names = ["Isolde", "Jean-Luc", "Café", "Hope", "Straße", "Jean-Luc Isolde"]
    note = make_note("".join(pieces))
    mentions = detect(note, make_lexicon(*names))
    assert len({(each.start, each.end) for each in mentions}) == len(mentions)
    for mention in mentions:
        assert note.text[mention.start : mention.end] == mention.surface
        for candidate in mention.candidates:
            prose = fold_form(note.prose[mention.start : mention.end])
            if candidate.method == "name":
                assert prose == fold_form(candidate.entity)
            elif candidate.method == "plural":
                assert prose == fold_form(candidate.entity) + "s"
