"""What notes are about, set against what a reader who wrote the texts says."""

from __future__ import annotations

import pytest
from writeros_plugins.topics import extract_topics

from writeros_entities.vault.notes import parse_note

LIGHTHOUSE = """The storm lamp had gone out again. Ann carried the storm lamp down to the cellar,
where the oil was kept, and filled it. The cellar was cold. She hated the cellar. A storm lamp that
will not burn is worth less than a candle, her uncle used to say; and Ann, who had put out more than
one candle in her life, thought that he had never sat with a candle in a cellar.
"""
BREAD = """Nobody in the village baked like the old baker. The sourdough was his secret: he fed the
sourdough at dawn, he talked to the sourdough, and once, in the great frost, he took the sourdough
to bed. He did not sell rye bread on a Sunday. He would sooner have sold his hat than rye bread.
"""


def topics(text: str, path: str = "Notes/Any.md") -> dict[str, float]:
    return {
        topic.name: topic.confidence for topic in extract_topics(parse_note(path, text.encode()))
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LIGHTHOUSE, ["storm lamp", "cellar", "candle"]),
        (BREAD, ["sourdough", "rye bread"]),
        ("Ann saw Bob. Bob saw Ann. Ann, Ann and Ann saw Bob.", []),
        ("It was the best of times, it was the worst of times, it was the age of all.", []),
        ("Die Lampe war aus. Die Lampe ging an. Die Lampe war die Lampe.", []),
        ("", []),
    ],
)
def test_the_terms_of_a_text_are_what_it_dwells_on(text: str, expected: list[str]) -> None:
    assert list(topics(text)) == expected


def test_a_term_is_worth_its_c_value() -> None:
    """It is log2 3 · 3 = 4.755 for `storm lamp`, 4 for `cellar` and 3 for `candle`."""
    assert topics(LIGHTHOUSE) == {"storm lamp": 0.6, "cellar": 0.5603, "candle": 0.5077}


def test_what_the_writer_says_comes_first() -> None:
    text = (
        "---\nthemes: [grief, '[[The sea|sea]]']\ntags: [secret]\n---\n"
        "# Any\n\n## The long winter\n\n## History\n\n## 3.\n\nSnow. #plot/thaw\n"
    )
    assert topics(text) == {
        "grief": 1.0,
        "The sea": 1.0,
        "secret": 0.95,
        "plot/thaw": 0.95,
        "The long winter": 0.7,
    }


def test_a_property_without_words_states_no_topic() -> None:
    text = "---\nthemes:\ntopics: true\nsubjects: {a: 1}\nkeyword: [~, [sea]]\n---\nSnow.\n"
    assert topics(text) == {}
    text = "---\nthemes: '[[Ideas/Grief, slow|grief]], the sea'\nkeyword: 1984\n---\nSnow.\n"
    assert topics(text) == {"Grief, slow": 1.0, "the sea": 1.0, "1984": 1.0}


def test_a_part_of_a_longer_term_counts_for_what_it_is_alone() -> None:
    text = (
        "The salt road was dry. " * 3 + "The salt was dear. The salt was white. The salt was wet. "
    )
    assert list(topics(text)) == ["salt road", "salt"]
