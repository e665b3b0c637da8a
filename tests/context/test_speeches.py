"""Who says what, and to whom, in three languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from writeros_entities.capabilities.answers import EntityRef
from writeros_entities.capabilities.search.find_speeches import FindSpeeches
from writeros_entities.session import Session

PEOPLE = {
    "Cast/Anna Reed.md": "---\ntype: person\ngender: female\naliases: [Anna]\n---\n",
    "Cast/Karl Voss.md": "---\ntype: person\ngender: male\naliases: [Karl]\n---\n",
}

Said = list[tuple[str, str | None, str | None]]


def _name(of: EntityRef | None) -> str | None:
    return None if of is None else of.name


def said(session: Session, **asked: Any) -> Said:
    """Return the words, the speaker and the addressee of each speech."""
    return [
        (one.text, _name(one.speaker), _name(one.addressee))
        for one in session.call(FindSpeeches(**asked)).speeches
    ]


def test_said_anna_to_karl_names_both(synced: Callable[..., Session]) -> None:
    text = "Anna saw Karl.\n\n“Sit, Karl,” said Anna.\n\n“Why?” he asked her.\n"
    session = synced(PEOPLE | {"Book/01.md": text})
    assert said(session) == [
        ("“Sit, Karl,”", "Anna Reed", "Karl Voss"),
        ("“Why?”", "Karl Voss", "Anna Reed"),
    ]
    assert said(session, speaker="Karl") == [("“Why?”", "Karl Voss", "Anna Reed")]
    assert said(session, query="sit") == [("“Sit, Karl,”", "Anna Reed", "Karl Voss")]


def test_french_speech_behind_dashes_ends_before_who_says_it(
    synced: Callable[..., Session],
) -> None:
    text = (
        "---\nlanguage: fr\n---\nAnna entra avec Karl.\n\n— Assieds-toi, dit Anna à Karl.\n\n"
        "— Non, répondit-il.\n\n— Pourquoi ? demanda-t-elle.\n"
    )
    assert said(synced(PEOPLE | {"Book/01.md": text})) == [
        ("— Assieds-toi,", "Anna Reed", "Karl Voss"),
        ("— Non,", "Karl Voss", "Anna Reed"),
        ("— Pourquoi ?", "Anna Reed", "Karl Voss"),
    ]


def test_german_speech_between_low_marks_has_its_comma_behind(
    synced: Callable[..., Session],
) -> None:
    text = (
        "---\nlanguage: de\n---\nAnna kam mit Karl.\n\n„Setz dich“, sagte Anna zu Karl.\n\n"
        "„Nein“, antwortete er.\n\nDa sagte Anna: „Es regnet.“\n"
    )
    assert said(synced(PEOPLE | {"Book/01.md": text})) == [
        ("„Setz dich“", "Anna Reed", "Karl Voss"),
        ("„Nein“", "Karl Voss", "Anna Reed"),
        ("„Es regnet.“", "Anna Reed", "Karl Voss"),
    ]


def test_who_is_there_alone_with_the_speaker_is_spoken_to(synced: Callable[..., Session]) -> None:
    text = "Anna came in. Karl looked up.\n\n“It rains,” said Anna.\n"
    session = synced(PEOPLE | {"Book/01.md": text})
    assert said(session) == [("“It rains,”", "Anna Reed", "Karl Voss")]


def test_a_narrator_without_a_name_is_spoken_to(synced: Callable[..., Session]) -> None:
    text = (
        "I came in. I was wet, and I looked for Karl.\n\n“It rains,” I said.\n\n"
        "“I see,” said Karl.\n\n“Where were you?” I asked.\n"
    )
    speeches = synced(PEOPLE | {"Book/01.md": text}).call(FindSpeeches()).speeches
    assert [(_name(one.addressee), one.is_to_narrator) for one in speeches] == [
        ("Karl Voss", False),
        (None, True),
        ("Karl Voss", False),
    ]


def test_a_later_chapter_says_nothing_before_it_is_read(synced: Callable[..., Session]) -> None:
    session = synced(
        PEOPLE | {"Book/01.md": "“Sit,” said Anna.\n", "Book/02.md": "“No,” said Karl.\n"}
    )
    assert [text for text, _, _ in said(session, as_of=1)] == ["“Sit,”"]


def test_one_chapter_has_the_speakers_that_the_whole_book_tells(
    synced: Callable[..., Session],
) -> None:
    sheet = "---\ntype: person\n---\n"
    told = "Rowan lost her coat, and her hat. She was cold. Quill lost his boots. He swore.\n"
    notes = {
        "Cast/Rowan.md": sheet,
        "Cast/Quill.md": sheet,
        "Book/02.md": "Quill met Rowan.\n\n“Sit,” she said.\n",
    }
    session = synced(notes | {"Book/01.md": f"{told}\n{told}\n{told}"})
    assert said(session, note="Book/02") == [("“Sit,”", "Rowan", "Quill")]
    assert said(session) == [("“Sit,”", "Rowan", "Quill")]
    (session.root / "Book/01.md").unlink()
    session.call("sync", {})
    assert said(session, note="Book/02") == [("“Sit,”", None, None)]
