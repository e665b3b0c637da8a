"""How somebody speaks, in figures: `describe_voice`, as of every chapter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from writeros_entities.capabilities.entities.describe_voice import DescribeVoice, VoiceAnswer
from writeros_entities.session import Session

PEOPLE = {
    "Cast/Ann Reed.md": "---\ntype: person\ngender: female\naliases: [Ann]\n---\n",
    "Cast/Bo Finch.md": "---\ntype: person\ngender: male\naliases: [Bo]\n---\n",
    "Cast/Cy Marsh.md": "---\ntype: person\ngender: male\naliases: [Cy]\n---\n",
}

ANN = (
    *("I reckon the tide is late.", "We reckon by the moon here, old man.", "I reckon so."),
    *("Where is the lamp?", "Reckon with the net, Bo.", "You reckon it is cold!"),
    *("Bring the rope, old man.", "I reckon on the rain.", "The gulls are loud."),
)
BO = (
    *("The rope is wet.", "The boats are out.", "The net is torn, Ann.", "Nobody sells lamps."),
    *("It rains, and it rains.", "Sit by the fire.", "Count with me, Ann.", "The gulls sleep."),
    "There is a light on the water.",
)
CY = (
    *("Rope costs three pence.", "Salt costs four.", "Buy a barrel of oil.", "Nets are dear."),
    *("Tallow is cheap today.", "My shop shuts at six.", "Pay me on Friday.", "Good boots last."),
    "Bring your own sack.",
)


def told(*talk: tuple[str, str, Sequence[str]]) -> str:
    """Return a chapter in which each says something to another in turn."""
    paragraphs = []
    for words in zip(*(said for _, _, said in talk), strict=True):
        for (who, to, _), text in zip(talk, words, strict=True):
            spoken = f"{text[:-1]}," if text.endswith(".") else text
            paragraphs.append(f"“{spoken}” said {who} to {to}.")
    return "\n\n".join(paragraphs) + "\n"


TALK = PEOPLE | {
    "Book/01.md": told(("Ann", "Bo", ANN[:4]), ("Bo", "Ann", BO[:4]), ("Cy", "Bo", CY[:4])),
    "Book/02.md": told(("Ann", "Bo", ANN[4:]), ("Bo", "Ann", BO[4:]), ("Cy", "Bo", CY[4:])),
}


def voice_of(session: Session, name: str, as_of: int | None = None) -> VoiceAnswer:
    """Return how somebody speaks."""
    return session.call(DescribeVoice(entity=name, as_of=None if as_of is None else str(as_of)))


def test_a_voice_is_told_in_figures_and_quotes(shared: Callable[..., Session]) -> None:
    answer = voice_of(shared(TALK), "Ann")
    voice = answer.voice
    assert voice is not None
    assert (voice.speeches, voice.notes, voice.median_words) == (9, 2, 5.0)
    assert (voice.questions, voice.exclamations) == (0.11, 0.11)
    assert [(one.word, one.speeches) for one in voice.favourites] == [("reckon", 6)]
    assert [(one.form, one.to.name, one.times) for one in voice.addresses] == [
        ("old man", "Bo Finch", 2)
    ]
    assert [(one.path, one.text) for one in answer.quotes] == [
        ("Book/01.md", "“I reckon the tide is late,”"),
        ("Book/01.md", "“We reckon by the moon here, old man,”"),
    ]
    assert answer.remark is None


def test_the_figures_are_told_in_words(shared: Callable[..., Session]) -> None:
    assert (
        voice_of(shared(TALK), "Ann").as_text()
        == """\
## How Ann Reed speaks

- 9 speeches, the median of 5 words.
- 11% ask and 11% exclaim.
- Often “reckon”.
- Calls Bo Finch “old man” (2).
- 2 chapters. Who speaks is 95% sure on average.

- “I reckon the tide is late,” (Book/01.md:1)
- “We reckon by the moon here, old man,” (Book/01.md:7)"""
    )


def test_of_few_speeches_no_habits_are_told(shared: Callable[..., Session]) -> None:
    answer = voice_of(shared(TALK), "Ann", as_of=1)
    voice = answer.voice
    assert voice is not None
    assert (voice.speeches, voice.favourites, voice.addresses) == (4, [], [])
    assert answer.remark == "Too few speeches to tell habits: it takes 8."


def test_whoever_says_nothing_has_no_voice(shared: Callable[..., Session]) -> None:
    answer = voice_of(shared(PEOPLE | {"Book/01.md": "Ann slept.\n"}), "Ann")
    assert (answer.voice, answer.quotes) == (None, [])


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("“Yes, Captain,” said Ann to Bo. “Is it late, my dear?” she asked.", []),
        ("“Yes, Captain,” said Ann to Bo. “Now, Captain?”", [("Captain", "Bo Finch", 2)]),
        ("“My dear Bo, sit,” said Ann to Bo. “Sit, my dear Bo.”", [("My dear Bo", "Bo Finch", 2)]),
        ("“I saw Cy, Bo, and her,” said Ann to Bo. “Bo, Cy and all.”", []),
    ],
)
def test_what_somebody_is_called_stands_at_an_end_of_what_is_said(
    shared: Callable[..., Session], text: str, called: list[tuple[str, str, int]]
) -> None:
    session = shared(TALK | {"Book/03.md": f"{text}\n"})
    voice = voice_of(session, "Ann").voice
    assert voice is not None
    told = [(one.form, one.to.name, one.times) for one in voice.addresses]
    assert told == sorted([("old man", "Bo Finch", 2), *called], key=lambda one: one[0].casefold())


def test_french_speech_has_its_own_light_words_and_forms_of_address(
    shared: Callable[..., Session],
) -> None:
    lines = [
        *("— Quelle brume, mon ami, dit Anna à Bo.", "— La brume tombe, dit Anna."),
        *("— C'est la brume, mon ami, dit Anna à Bo.", "— Il y a de la brume, dit Anna."),
        *("— Encore la brume, dit Anna.", "— La brume est là, dit Anna."),
        *("— Quelle brume sur l'eau, dit Anna.", "— Je vois la brume, dit Anna."),
    ]
    others = [
        *(
            "— Le phare est vieux, dit Cy.",
            "— Mangeons du pain, dit Cy.",
            "— Le vin coûte, dit Cy.",
        ),
        *("— La table est mise, dit Cy.", "— Mes bottes sont neuves, dit Cy.", "— Rien, dit Cy."),
        *("— Le chat dort encore, dit Cy.", "— Il faut payer demain, dit Cy."),
    ]
    cast = {path.replace("Ann Reed", "Anna Reed"): text for path, text in PEOPLE.items()}
    cast["Cast/Anna Reed.md"] = cast["Cast/Anna Reed.md"].replace("[Ann]", "[Anna]")
    chapter = "---\nlanguage: fr\n---\n" + "\n\n".join(
        each for pair in zip(lines, others, strict=True) for each in pair
    )
    voice = voice_of(shared(cast | {"Book/01.md": f"{chapter}\n"}), "Anna").voice
    assert voice is not None
    assert [one.word for one in voice.favourites] == ["brume"]
    assert [(one.form, one.to.name) for one in voice.addresses] == [("mon ami", "Bo Finch")]


def test_where_everybody_says_one_word_it_is_nobodys(synced: Callable[..., Session]) -> None:
    chapter = "“Lantern!” said Ann.\n\n“Lantern!” said Bo.\n\n" * 9
    voice = voice_of(synced(PEOPLE | {"Book/01.md": chapter}), "Ann").voice
    assert voice is not None
    assert (voice.speeches, voice.favourites) == (9, [])
