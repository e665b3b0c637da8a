"""Prose that is not English: the capital of a sentence's first word says nothing of the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

PERSON = "---\ntype: person\n---\n"

FRENCH = """\
Quand Odile arriva au port, la pluie tombait sur les quais. Puis Odile chercha Bastien Roche \
parmi les pêcheurs. Mais Bastien Roche n'était pas là. Alors Odile remonta la rue.

Quand Odile entra, Bastien Roche se leva. C'est d'Odile qu'il parlait, et de la lettre qu'Odile \
avait écrite. L'Odile d'autrefois n'existait plus. Mais Bastien Roche ne dit rien. Puis Maud \
Serre frappa à la porte. Mais Maud Serre ne parlait pas non plus. Quand Maud Serre vit d'Ormesson, \
elle rit. Personne n'aimait d'Ormesson. Or d'Ormesson dormait.
"""

SPANISH = """\
Cuando Odile llegó al puerto, llovía sobre los muelles. Entonces Odile buscó a Bastien Roche \
entre los pescadores. Pero Bastien Roche no estaba. Luego Odile subió por la calle.

Cuando Odile entró, Bastien Roche se levantó. La carta de Odile estaba en la mesa. Pero Bastien \
Roche no dijo nada. Entonces Maud Serra llamó a la puerta. Pero Maud Serra tampoco habló, y nadie \
miró a Maud Serra.
"""

RUSSIAN = """\
Когда Одиль приехала в порт, шёл дождь. Потом Одиль искала в толпе рыбаков, но его там не было. \
Тогда Одиль пошла вверх по улице, где стоял старый дом без окон.

Когда Одиль вошла, Егор Белов встал. Но Егор Белов ничего не сказал. Потом Егор Белов закрыл \
дверь, и в доме стало совсем темно.
"""

GERMAN = """\
Als Odile in den Hafen kam, fiel der Regen auf die Kais. Dann suchte Odile unter den Fischern \
nach dem Bruder. Aber Bastien Roche war nicht da, und die Straße war leer.

Im Haus saß Bastien Roche am Fenster. Der Bruder von Odile hatte einen Brief in der Hand, und das \
Licht war schwach. Odiles Bruder las den Brief. Odiles Bruder weinte. Da hörte Odiles Bruder eine \
Tür. Doch Bastien Roche sagte nicht ein Wort. Ende Mai ging er fort.
"""


@pytest.mark.parametrize(
    ("prose", "mentions", "suggested"),
    [
        (FRENCH, 7, {"Bastien Roche": 4, "Maud Serre": 3, "d'Ormesson": 3}),
        (SPANISH, 5, {"Bastien Roche": 4, "Maud Serra": 3}),
        (GERMAN, 6, {"Bastien Roche": 3}),
    ],
    ids=["French", "Spanish", "German"],
)
def test_a_name_is_found_behind_the_first_word_of_a_sentence(
    open_vault: OpenVault,
    write_vault: WriteVault,
    prose: str,
    mentions: int,
    suggested: dict[str, int],
) -> None:
    root = write_vault({"Odile.md": PERSON, "01 - Le port.md": prose})
    session = open_vault(root)
    session.call("sync", {})

    listed = session.call("list_entities", {}).model_dump()["entities"]

    assert {one["name"]: one["mention_count"] for one in listed} == {"Odile": mentions, **suggested}


def test_letters_need_not_be_latin(open_vault: OpenVault, write_vault: WriteVault) -> None:
    session = open_vault(write_vault({"Одиль.md": PERSON, "01 - Порт.md": RUSSIAN}))
    session.call("sync", {})

    listed = session.call("list_entities", {}).model_dump()["entities"]

    assert {one["name"]: one["mention_count"] for one in listed} == {"Одиль": 4, "Егор Белов": 3}


def surfaces_of(session: Session, entity: str) -> list[str]:
    found = session.call("find_mentions", {"entity": entity}).model_dump()["mentions"]
    return [one["surface"] for one in found]


def test_a_russian_name_is_known_in_every_case(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    prose = (
        "Никто не видел Одиль Белову, но все ждали Одили. Егор Ласточкин сидел с Одилью и молчал. "
        "Письмо Егору Ласточкину лежало в Сером доме, у Серого дома стояли люди. Егора не звали.\n"
    )
    notes = {
        "Люди/Одиль Белова.md": PERSON,
        "Люди/Егор Ласточкин.md": PERSON,
        "Места/Серый дом.md": "---\ntype: place\n---\n",
        "01 - Порт.md": prose,
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    assert surfaces_of(session, "Одиль Белова") == ["Одиль Белову", "Одили", "Одилью"]
    assert surfaces_of(session, "Егор Ласточкин") == [
        "Егор Ласточкин",
        "Егору Ласточкину",
        "Егора",
    ]
    assert surfaces_of(session, "Серый дом") == ["Сером доме", "Серого дома"]


def test_another_case_is_no_other_name(open_vault: OpenVault, write_vault: WriteVault) -> None:
    first = (
        "За окном шёл дождь, и Варна стояла пустая. В Варне давно не было праздников, и из Варны "
        "ушли все. Старик смотрел на Марту, а Марта молчала. Он ждал её с утра и сказал Марте, "
        "что пора.\n"
    )
    second = "Всю ночь он думал о Марте, и с Мартой он больше не говорил.\n"
    session = open_vault(write_vault({"01 - Порт.md": first, "02 - Ночь.md": second}))
    session.call("sync", {})

    listed = session.call("list_entities", {}).model_dump()["entities"]

    assert {one["name"]: one["mention_count"] for one in listed} == {"Марта": 5, "Варна": 3}


def test_a_nominative_of_its_own_is_no_case_of_another_name(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    prose = (
        "Никто не звал, но Виктор пришёл. Тогда Виктора увидела мать, и Виктору стало стыдно. "
        "За столом сидела Виктора, и все смотрели на Виктору. Потом ждали Викторы долго.\n"
    )
    notes = {"Виктор.md": PERSON, "Виктора.md": PERSON, "01 - Порт.md": prose}
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    assert surfaces_of(session, "Виктора.md")[0] == "Виктора"
    assert "Викторы" in surfaces_of(session, "Виктора.md")
    assert "Викторы" not in surfaces_of(session, "Виктор.md")


@pytest.mark.parametrize(
    ("prose", "part", "quotes"),
    [
        (
            "Quand Odile partit, la pluie tombait sur les toits. Puis Odile se tut, et les autres "
            "la regardaient. « Mais Odile dort ! » dit une voix. On cherchait Maud Roche. Mais "
            "Odile Serre n'était pas là, et Maud Roche non plus. Maud Roche dormait.",
            "Odile",
            ["Odile", "Odile", "Odile"],
        ),
        (
            "Als Klara in den Hafen kam, fiel der Regen auf die Kais. Doch Klara wartete nicht, "
            "und Frau Vogt wartete nicht. Aber Odo Vogt kam, ein Mann mit Hut. Wer ist Odo Vogt? "
            "Da ging die Richterin aus dem Haus. Odo sah Richterin Vogt an, und das Haus war leer.",
            "Klara",
            ["Klara", "Klara", "Frau Vogt", "Vogt"],
        ),
    ],
    ids=["French", "German"],
)
def test_a_part_of_a_name_is_found_there_too(
    open_vault: OpenVault, write_vault: WriteVault, prose: str, part: str, quotes: list[str]
) -> None:
    notes = {"Odile Roche.md": PERSON, "Klara Vogt.md": PERSON, "01 - Le port.md": prose}
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    found = session.call("find_mentions", {"entity": part}).model_dump()["mentions"]

    assert [one["surface"] for one in found] == quotes


def test_a_name_after_a_german_preposition_is_no_noun(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    prose = (
        "Im Hafen dachte sie an Bastien Roche, und die Straße war leer. Aber Bastien Roche war "
        "nicht da. Er glaubte in Bastien Roche einen Bruder zu sehen. Am Abend ging der Regen auf "
        "die Kais, und Odile war nicht allein. Wo war Bastien Roche?"
    )
    session = open_vault(write_vault({"Odile.md": PERSON, "01 - Der Hafen.md": prose}))
    session.call("sync", {})

    listed = session.call("list_entities", {}).model_dump()["entities"]

    assert {one["name"]: one["mention_count"] for one in listed} == {"Odile": 1, "Bastien Roche": 4}


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("Puis Odile Roche arriva.", ["Odile Roche"]),
        ("« Mais Odile Roche dort ! » dit une voix.", ["Odile Roche"]),
        ("Cuando Odile Roche llegó, calló Maud.", ["Odile Roche", "Maud"]),
        ("With Ann Odile Roche came nobody.", ["Ann Odile Roche"]),
    ],
)
def test_a_sentences_first_word_takes_nobodys_name_away(
    open_vault: OpenVault, write_vault: WriteVault, text: str, surfaces: list[str]
) -> None:
    session = open_vault(write_vault({"Odile Roche.md": PERSON}))
    session.call("sync", {})

    found = session.call("extract_entities", {"text": text}).model_dump()["entities"]

    assert [one["surface_form"] for one in found] == surfaces


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("König Aldo", "Der König schwieg. Da ging Aldo.\n", ["Aldo"]),
        ("Comtesse Irvane", "La Comtesse se tut. Puis vint Irvane.\n", ["Irvane"]),
    ],
)
def test_a_title_is_no_part_of_a_name_by_itself(
    name: str, text: str, expected: list[str], write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {f"Characters/{name}.md": "", "Chapter 1.md": text}
    session: Any = open_vault(write_vault(notes))
    session.call("sync", {})
    found = session.call("find_mentions", {"entity": name, "below": "Chapter 1.md"})
    assert [one.surface for one in found.mentions] == expected
