"""What prose in the present tense states: what happens now, and no plan, habit or supposition."""

from __future__ import annotations

import pytest

from .test_statements import read

HAPPENS = [
    ("Ann marries Bob in spring.", "Ann spouse_of Bob"),
    ("On the Sunday Ann marries Bob.", "Ann spouse_of Bob"),
    ("As the bells ring, Ann marries Bob.", "Ann spouse_of Bob"),
    ("Ann smiles and marries Bob.", "Ann spouse_of Bob"),
    ("Ann is young. She marries Bob.", "Ann spouse_of Bob"),
    ("Ann and Bob marry in spring.", "Ann spouse_of Bob"),
    ("Ann and Bob become friends.", "Ann friend_of Bob"),
    ("Ann becomes the leader of the Grey Guild.", "Ann leads Grey Guild"),
    ("Ann joins the Grey Guild.", "Ann member_of Grey Guild"),
    ("Ann leaves the Grey Guild.", "Ann member_of Grey Guild (over)"),
    ("Ann falls in love with Bob.", "Ann loves Bob"),
    ("Ann stabs Bob to death.", "Ann killed Bob"),
    ("Ann dies at dawn.", "Ann dead"),
    ("Ann drowns the same night.", "Ann dead"),
    ("Ann goes missing.", "Ann missing"),
    ("That night Ann kills Bob.", "Ann killed Bob"),
    ("The next day Ann marries Bob.", "Ann spouse_of Bob"),
    ("Before noon, Ann rescues Bob.", "Ann rescued Bob"),
]

HAPPENS_NOT = [
    # what is to come
    "Tomorrow Ann marries Bob.",
    "Ann marries Bob next week.",
    "Ann marries Bob on Sunday.",
    "Ann marries Bob in two weeks.",
    "Ann marries Bob as soon as the war ends.",
    "When Ann marries Bob, she will be rich.",
    "Once Ann becomes the leader of the Grey Guild, it ends.",
    "Carl waits until Ann marries Bob.",
    "The day Ann dies, it rains.",
    "“Ann marries Bob,” says Carl.",
    "Plan: Ann marries Bob.",
    # what may be
    "If Ann dies, Bob is free.",
    "Ann marries Bob unless it rains.",
    "He imagines how Ann kills Bob.",
    "Carl knows that Ann marries Bob.",
    "Does Ann kill Bob?",
    # what is so again and again
    "Every year Ann kills Bob.",
    "Ann always kills Bob.",
    "Every night, Ann dies.",
    "Ann leaves the Grey Guild at nine every evening.",
    "Ann dies of shame.",
    "Ann dies on the stage.",
    "Sometimes Ann saves Bob.",
    "In the film Ann kills Bob.",
    # infinitives
    "Carl sees Ann and Bob marry.",
    "Carl lets Ann and Bob become friends.",
    # what the verb says beside
    "Ann joins Bob at the window.",
    "Ann leaves Bob.",
    "Ann saves Bob a seat.",
    "Ann raises Bob to his feet.",
    "Ann strikes Bob.",
]


@pytest.mark.parametrize(("text", "stated"), HAPPENS)
def test_what_happens_in_the_present_tense_is_stated(text: str, stated: str) -> None:
    assert stated in read(text)


@pytest.mark.parametrize("text", HAPPENS_NOT)
def test_what_is_planned_supposed_or_habitual_is_not_stated(text: str) -> None:
    assert read(text) == set()
