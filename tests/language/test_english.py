"""English: what a parser reads in a note's lines."""

from __future__ import annotations

import pytest

from .reading import clauses, read, roles


def test_a_sentence_has_a_subject_a_verb_and_what_completes_it() -> None:
    assert clauses("Ann gave the ring to her brother.") == [
        "Ann subject of gave",
        "gave root (give, past)",
        "the determiner of ring",
        "ring object of gave",
        "her possessor of brother",
        "brother oblique of gave (to)",
    ]


def test_what_somebody_is_completes_the_verb_and_has_its_own_preposition() -> None:
    assert roles("Ann is the mayor of Vantry.") == {
        "Ann": "subject",
        "is": "root",
        "the": "determiner",
        "mayor": "complement",
        "Vantry": "oblique",
    }


def test_the_doer_of_a_passive_is_its_agent() -> None:
    found = roles("The Swan was founded by old Harl.")
    assert found["Swan"] == "passive subject"
    assert found["Harl"] == "agent"


def test_a_participle_says_something_of_its_noun() -> None:
    found = clauses("The Swan, founded by old Harl, stands in Fenwick.")
    assert "founded participle of Swan (found, past participle)" in found
    assert "Harl agent of founded (by)" in found
    assert "Fenwick oblique of stands (in)" in found


def test_who_begins_a_relative_clause() -> None:
    found = clauses("Ann, who hates Bob, left.")
    assert "hates relative clause of Ann (hate, present)" in found
    assert "who subject of hates" in found


def test_a_denied_verb_has_its_negation() -> None:
    assert "n't negation of die" in clauses("Ann didn't die.")


def test_a_name_of_several_words_is_one_word() -> None:
    assert "Ann of the Reeds" in roles("Then Ann of the Reeds laughed.")
    assert roles("We saw Ann Reed's brother.")["Ann Reed"] == "possessor"


def test_a_sentence_ends_behind_a_name() -> None:
    page = read("We met Ann Reed. She laughed.")
    assert [len(one.words) for one in page.lines[0].sentences] == [3, 2]


@pytest.mark.parametrize(
    ("text", "verb", "rest"),
    [
        ("- Works at the Temple", "work", "Temple oblique of Works (at)"),
        ("- Daughter of Ruth and Aldo", "be", "Daughter complement of "),
        ("- Killed the old king", "kill", "king object of Killed"),
    ],
)
def test_a_fragment_has_an_empty_word_for_its_subject(text: str, verb: str, rest: str) -> None:
    (sentence,) = read(text).lines[0].sentences
    assert sentence.is_fragment
    subject = sentence.words[0]
    assert (subject.start, subject.end, subject.role) == (2, 2, "subject")
    assert sentence.words[subject.head].lemma == verb
    assert rest in clauses(text)


def test_a_whole_sentence_is_no_fragment() -> None:
    assert not read("- Ann works at the Temple").lines[0].sentences[0].is_fragment


def test_a_question_is_asked() -> None:
    page = read("Did Ann die? She did.")
    assert [one.asks for one in page.lines[0].sentences] == [True, False]


def test_a_speech_and_the_narration_around_it_are_told_apart() -> None:
    text = '"I killed him. He fell," said Ann. "He was my brother." She wept.'
    (line,) = read(text).lines
    assert [(text[one.start : one.end], one.is_speech) for one in line.sentences] == [
        ("I killed him.", True),
        ('He fell," said Ann.', False),
        ('He was my brother."', True),
        ("She wept.", False),
    ]


def test_words_stand_where_they_are_written_behind_links_and_marks() -> None:
    text = "The **old** [[Ann Reed|Ann]] died."
    (line,) = read(text).lines
    words = line.sentences[0].words
    assert [text[one.start : one.end] for one in words] == ["The", "old", "Ann", "died"]
