"""Which of overlapping mentions hold, and which of them nobody has to weigh."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from writeros_entities import (
    ALWAYS,
    Candidate,
    Lexicon,
    Mention,
    Note,
    Score,
    Session,
    Settings,
    hookimpl,
)
from writeros_entities.decision import Reading, contenders, decide
from writeros_entities.detection import weigh_mentions
from writeros_entities.plugins import load_plugins
from writeros_entities.vault.notes import plain_note

PLUGINS = load_plugins(Settings())

SPANS = st.tuples(st.integers(0, 9), st.integers(1, 5)).map(lambda at: (at[0], at[0] + at[1]))
CANDIDATES = st.builds(
    Candidate,
    entity=st.sampled_from("abc"),
    score=st.sampled_from([0.1, 0.5, 0.85, 0.9, 1.0]),
    method=st.sampled_from(["name", "derived"]),
    known_from=st.sampled_from([ALWAYS, ALWAYS, 1, 4, None]),
)


@st.composite
def mentions(draw: st.DrawFn) -> list[Mention]:
    found = draw(
        st.dictionaries(
            SPANS,
            st.lists(
                CANDIDATES,
                min_size=1,
                max_size=3,
                unique_by=lambda candidate: (candidate.entity, candidate.known_from),
            ),
            max_size=7,
        )
    )
    return [Mention(*span, "", tuple(candidates)) for span, candidates in found.items()]


@given(mentions(), st.sampled_from([None, ALWAYS, 0, 2, 5]))
def test_what_is_not_weighed_would_hold_for_no_reader(
    found: list[Mention], position: int | None
) -> None:
    def readings(mentions: Iterable[Mention]) -> list[Reading]:
        weighed, _ = weigh_mentions(PLUGINS, plain_note(""), Lexicon(), mentions)
        return sorted(decide(weighed, position), key=repr)

    assert readings(contenders(found)) == readings(found)


class Witness:
    @hookimpl
    def link_mention(
        self, mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
    ) -> list[Score]:
        return [Score(each.entity, 0.2, f"for {each.form}") for each in candidates]


def test_what_speaks_for_one_of_an_entitys_two_names_does_not_count_for_the_other() -> None:
    plugins = load_plugins(Settings(disabled_plugins=("scene_linking",)), {"witness": Witness()})
    early = Candidate("isolde", 0.4, "alias", "the Widow", ALWAYS)
    other = Candidate("agnes", 0.5, "alias", "the widow", ALWAYS)
    late = Candidate("isolde", 0.3, "name", "Widow", 7)
    mention = Mention(0, 9, "the Widow", (early, other, late))
    [weighed], failures = weigh_mentions(plugins, plain_note("the Widow"), Lexicon(), [mention])
    found = [
        (each.candidate.form, each.candidate.score, each.candidate.reasons)
        for each in weighed.candidates
    ]
    assert (found, failures) == (
        [
            ("the Widow", 0.6, ("for the Widow",)),
            ("the widow", 0.7, ("for the widow",)),
            ("Widow", 0.5, ("for Widow",)),
        ],
        [],
    )


class Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []

    @hookimpl
    def link_mention(
        self, mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
    ) -> list[Score]:
        self.heard.append((mention.surface, mention.start))
        return []


def test_a_part_of_a_sure_name_is_not_asked_about(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> None:
    listener = Listener()
    notes = {
        "Cast/Fitzwilliam Darcy.md": "---\ntype: person\n---\n",
        "Chapter 1.md": "Then Fitzwilliam Darcy came, and Darcy left.\n",
    }
    plugins = load_plugins(Settings(), {"listener": listener})
    session = open_vault(write_vault(notes), plugins=plugins)
    session.call("sync", {})
    assert listener.heard == [("Darcy", 33)]
    [darcy] = session.call("list_entities", {"types": ["person"]}).model_dump()["entities"]
    assert darcy["mention_count"] == 2
