"""French: what a parser reads in a note's lines."""

from __future__ import annotations

from .reading import clauses, read, roles


def test_what_somebody_is_completes_the_verb() -> None:
    assert roles("Anna est la maire de Vantry.", "fr") == {
        "Anna": "subject",
        "est": "root",
        "la": "determiner",
        "maire": "complement",
        "Vantry": "oblique",
    }


def test_the_doer_of_a_passive_is_its_agent() -> None:
    found = clauses("La tour a été fondée par Harl Brun.", "fr")
    assert "tour passive subject of fondée" in found
    assert "fondée root (fonder, past participle)" in found
    assert "Harl Brun agent of fondée (par)" in found


def test_prepositions_are_known_behind_articles() -> None:
    found = clauses("Elle vivait au village du roi.", "fr")
    assert "village oblique of vivait (à)" in found
    assert "roi oblique of village (de)" in found


def test_a_denied_verb_has_its_negation_and_a_future_is_one() -> None:
    found = clauses("Anna n'épousera pas Paul.", "fr")
    assert "n' negation of épousera" in found
    assert "épousera root (épouser, future)" in found


def test_whose_brother_he_is() -> None:
    assert roles("Son frère dort.", "fr")["Son"] == "possessor"


def test_a_fragment_has_an_empty_word_for_its_subject() -> None:
    (sentence,) = read("- Travaille à l'auberge du Cygne", "fr").lines[0].sentences
    assert sentence.is_fragment
    assert sentence.words[sentence.words[0].head].lemma == "travailler"
    (sentence,) = read("- Fille de Ruth et d'Aldo", "fr").lines[0].sentences
    assert [one.lemma for one in sentence.words[:3]] == ["anna", "être", "fille"]


def test_a_speech_between_guillemets_is_one() -> None:
    page = read("« Je l'ai tué. » Anna se tut.", "fr")
    assert [one.is_speech for one in page.lines[0].sentences] == [True, False]
