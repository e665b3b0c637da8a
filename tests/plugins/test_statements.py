"""What prose states: every form and phrase with sentences that say it and sentences that do not."""

from __future__ import annotations

import pytest
from writeros_plugins.relation_kinds import register_relation_kinds
from writeros_plugins.statements import infer_relations
from writeros_plugins.statements.phrases import BARE, BETWEEN_EQUALS, OF_PLACES, OF_WORKS, PHRASES

from writeros_entities import DecidedMention, Ontology
from writeros_entities.vault.notes import plain_note

from .sentences import FALSE, NOT, TRUE

ONTOLOGY = Ontology(register_relation_kinds())

TYPES = {
    **dict.fromkeys(("Ann", "Bob", "Carl", "Captain Dora", "James", "Queen Eve"), "person"),
    **dict.fromkeys(("Mr. Cole", "Mrs. Cole"), "person"),
    **dict.fromkeys(("Rivermouth", "Old Mill", "Northland"), "place"),
    **dict.fromkeys(("Grey Guild", "House Marlow"), "faction"),
    **dict.fromkeys(("Black Book",), "item"),
    **dict.fromkeys(("Heron",), "item"),
    **dict.fromkeys(("Battle of Sedge",), "event"),
}


def read(text: str) -> set[str]:
    """Return what a text states, as `Ann married Bob`; statuses without a second name."""
    note = plain_note(text)
    mentions = sorted(
        (
            DecidedMention(start, start + len(name), name, name, kind)
            for name, kind in TYPES.items()
            for start in _places(note.prose, name)
        ),
        key=lambda mention: (mention.start, mention.end),
    )
    found = set()
    for relation in infer_relations(note, mentions, ONTOLOGY, None):
        other = "" if relation.target is None else f" {relation.target.surface}"
        over = " (over)" if relation.has_ended else ""
        found.add(f"{relation.source.surface} {relation.kind}{other}{over}")
    return found


def _places(text: str, name: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(name, at)]


@pytest.mark.parametrize(("text", "stated"), NOT)
def test_a_sentence_states_nothing_of_a_bystander(text: str, stated: str) -> None:
    assert stated not in read(text)


@pytest.mark.parametrize(("text", "stated"), TRUE)
def test_a_plain_sentence_states_it(text: str, stated: str) -> None:
    assert stated in read(text)


@pytest.mark.parametrize("text", FALSE)
def test_a_sentence_that_does_not_say_so_states_nothing(text: str) -> None:
    assert read(text) == set()


def ends_of(phrase: str) -> tuple[str, str]:
    """Return two names whose types fit what a phrase means, the first two that do."""
    reading = ONTOLOGY.read_name(PHRASES[phrase][0])
    return next(
        (one, other)
        for one, own in TYPES.items()
        for other, linked in TYPES.items()
        if one != other
        and ONTOLOGY.fits(reading, own, linked, strictly=True)
        and (reading.kind not in OF_PLACES or own == "place")
        and (reading.kind not in BETWEEN_EQUALS or own == linked)
        and (phrase not in OF_WORKS or linked == "item")
    )


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_states_it_unless_it_is_doubted_denied_or_asked(phrase: str) -> None:
    one, other = ends_of(phrase)
    subject = f"James and {one}" if phrase in BARE else one
    words = phrase.replace("be ", "was ", 1) if phrase.startswith("be ") else phrase
    reading = ONTOLOGY.read_name(PHRASES[phrase][0])
    source, target = (other, one) if reading.is_inverse else (one, other)
    over = " (over)" if PHRASES[phrase][1] else ""
    assert f"{source} {reading.kind} {target}{over}" in read(f"{subject} {words} {other}.")
    for form in ("{} never {} {}.", "{} {} {}, or so they say.", "{} {} {}?", "If {} {} {}, go."):
        assert read(form.format(subject, words, other)) == set()


def test_a_sentence_states_only_what_it_says() -> None:
    text = "Ann, sister of Bob, met Carl in Rivermouth, where Captain Dora of the Heron was hanged."
    assert read(text) == {"Ann sibling_of Bob", "Captain Dora captain_of Heron"}


def test_a_list_goes_on_only_where_it_plainly_does() -> None:
    assert read("Ann, sister of Bob and Carl, came.") == {
        "Ann sibling_of Bob",
        "Ann sibling_of Carl",
    }
    assert read("Ann, sister of Bob, and Carl, son of James, came.") == {
        "Ann sibling_of Bob",
        "James parent_of Carl",
    }


@pytest.mark.parametrize("text", ["“Ann married Bob,” she said.", '"Ann married Bob," she said.'])
def test_what_somebody_says_counts_less_than_what_the_narrator_says(text: str) -> None:
    assert confidence("Ann married Bob, she wrote.") == 0.9
    assert confidence(text) == 0.7


def test_the_evidence_spans_the_words_that_say_it() -> None:
    text = "Then Ann, Bob's elder sister, came in."
    mentions = [
        DecidedMention(5, 8, "Ann", "Ann", "person"),
        DecidedMention(10, 13, "Bob", "Bob", "person"),
    ]
    (found,) = infer_relations(plain_note(text), mentions, ONTOLOGY, None)
    assert text[found.start : found.end] == "Ann, Bob's elder sister"


def test_a_long_text_is_read_in_time_proportional_to_its_length() -> None:
    text = "Ann, sister of Bob, and " * 2_000
    assert read(text[:240]) >= {"Ann sibling_of Bob"}
    note = plain_note(text)
    mentions = [
        DecidedMention(at + place, at + place + 3, name, name, "person")
        for at in range(0, len(text), 24)
        for place, name in ((0, "Ann"), (15, "Bob"))
    ]
    assert len(list(infer_relations(note, mentions, ONTOLOGY, None))) == 2_000


def confidence(text: str) -> float:
    note = plain_note(text)
    mentions = [
        DecidedMention(start, start + 3, name, name, "person")
        for name in ("Ann", "Bob")
        for start in _places(note.prose, name)
    ]
    (stated,) = [
        float(found.confidence) for found in infer_relations(note, mentions, ONTOLOGY, None)
    ]
    return stated
