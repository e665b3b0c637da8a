"""What `check_continuity` shows of what its rules find, and when a script is to stop."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from writeros_entities import ContinuityRule, Evidence, Finding, Settings, Story, hookimpl
from writeros_entities.errors import NotFoundError
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.store.interruption import InterruptedCallError, Interruption
from writeros_entities.story.continuity import IdentifiedFinding, in_order
from writeros_entities.surfaces.cli import build_cli

from ..conftest import ReadVault
from ..databases import Databases

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]

STORY = {
    "Characters/Ann Hale.md": "---\ntype: person\nborn: 1779\n---\nA surveyor. Brown eyes.",
    "Manuscript/01 - One.md": "Ann Hale opened her blue eyes.",
    "Manuscript/02 - Two.md": "It rained.\n\nAnn Hale was born in 1781, in a barn.",
}


def check(session: Session, **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = session.call("check_continuity", arguments).model_dump()
    return answer


@pytest.fixture
def synced(read_vault: ReadVault) -> Session:
    """Return a session on the story, synced: eyes of two colours, two years of birth."""
    return read_vault(STORY)


def test_a_finding_has_two_quotes_a_rule_a_severity_and_a_sentence(synced: Session) -> None:
    finding = check(synced, rules=["age-arithmetic"])["findings"][0]
    assert finding["rule"] == "age-arithmetic"
    assert finding["severity"] == "error"
    assert finding["message"] == "Ann Hale is born in 1779, and in 1781."
    assert [(one["path"], one["line"], one["quote"]) for one in finding["evidence"]] == [
        ("Characters/Ann Hale.md", 3, "born: 1779"),
        ("Manuscript/02 - Two.md", 3, "Ann Hale was born in 1781, in a barn."),
    ]


def test_where_no_rule_is_loaded_the_answer_says_so(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(STORY), disabled_plugins=["continuity"])
    session.call("sync", {})
    assert session.call("check_continuity", {}).as_text() == (
        "No plugin with rules is active: nothing was checked."
    )


def test_the_surest_comes_first_and_pages_join(synced: Session) -> None:
    whole = check(synced)
    assert [one["rule"] for one in whole["findings"]] == ["age-arithmetic", "attribute-conflict"]
    assert whole["total"] == 2
    second = check(synced, limit=1, offset=1)
    assert second["findings"] == whole["findings"][1:]
    assert second["total"] == 2
    assert check(synced, min_confidence=0.85)["findings"] == whole["findings"][:1]


@pytest.mark.parametrize(
    ("dead", "present", "found"),
    [
        ("Elder", "Elder", 1),
        ("Elder", "Younger", 0),
        ("Younger", "Elder", 0),
        ("Younger", "Younger", 1),
    ],
)
@pytest.mark.usefixtures("closely")
def test_of_two_of_one_name_that_one_is_there_to_whom_the_scenes_property_links(
    write_vault: WriteVault, open_vault: OpenVault, dead: str, present: str, found: int
) -> None:
    vault = {
        "Elder/Tobias.md": "---\ntype: person\n---\n",
        "Younger/Tobias.md": "---\ntype: person\n---\n",
        "Book/01 - Quay.md": f"[[{dead}/Tobias|Tobias]] died on the quay.",
        "Book/02 - Rain.md": f"---\ncharacters: '[[{present}/Tobias]]'\n---\nTobias laughed.",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    assert check(session, rules=["acts-after-death"])["total"] == found


def test_nothing_of_a_later_chapter_nor_of_a_hidden_note_is_in_a_finding(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    shown = STORY["Characters/Ann Hale.md"].replace("born", "visible_from: always\nborn")
    session = open_vault(write_vault(STORY | {"Characters/Ann Hale.md": shown}))
    session.call("sync", {})
    assert [one["rule"] for one in check(session, as_of=1)["findings"]] == ["attribute-conflict"]
    assert check(session, as_of=2)["total"] == 2
    hidden = STORY["Characters/Ann Hale.md"].replace("born", "visible_from: 2\nborn")
    write_vault({"Characters/Ann Hale.md": hidden})
    session.call("sync", {})
    assert check(session, as_of=1)["findings"] == []


def test_a_chapter_that_a_note_names_is_not_told_before_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = {
        "Characters/Ann Hale.md": "---\ntype: person\nvisible_from: always\nintroduced: 2\n---\n"
    }
    session = open_vault(write_vault(STORY | sheet))
    session.call("sync", {})
    rules = ["named-before-introduced"]
    assert check(session, rules=rules, as_of=1)["findings"] == []
    assert check(session, rules=rules, as_of=2)["total"] == 1


def test_the_order_in_which_notes_came_changes_no_finding(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {
        f"Characters/{name} Orchard.md": "---\ntype: person\n---\n" for name in ("Tom", "Ben")
    }
    story = {"Manuscript/01 - One.md": "Ben Orchard sat. Tom Orchard ate. They saw old Ochard."}
    session = open_vault(write_vault(story))
    for name, text in sheets.items():
        write_vault({name: text})
        session.call("sync", {})
    found = check(session)
    assert [one["evidence"][0]["quote"] for one in found["findings"]] == ["Ben Orchard sat."]
    session.call("rebuild", {})
    assert check(session) == found


def test_an_unknown_rule_is_answered_with_the_nearest(synced: Session) -> None:
    with pytest.raises(NotFoundError, match="age-arithmetic"):
        check(synced, rules=["age-arithmetik"])


def test_a_waiver_outlives_edits_elsewhere_and_goes_with_its_words(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(STORY)
    with open_vault(root) as session:
        session.call("sync", {})
        line = check(session)["waiver_line"]
    (root / ".writeros-entities.toml").write_text(line, "utf-8")
    write_vault({"Manuscript/02 - Two.md": "Hail.\n\n" + STORY["Manuscript/02 - Two.md"]})
    with open_vault(root) as session:
        session.call("sync", {})
        answer = check(session)
        assert (answer["total"], answer["waived"], answer["stale_waivers"]) == (0, 2, [])
        assert "0 findings (2 waived)" in session.call("check_continuity", {}).as_text()
        shown = check(session, include_waived=True)["findings"]
        assert [one["is_waived"] for one in shown] == [True, True]
        born = shown[0]["id"]
        write_vault({"Manuscript/02 - Two.md": "Ann Hale was born in 1782, in a hayloft."})
        session.call("sync", {})
        answer = check(session)
        assert [one["message"] for one in answer["findings"]] == [
            "Ann Hale is born in 1779, and in 1782."
        ]
        assert answer["stale_waivers"] == [born]
        text = session.call("check_continuity", {}).as_text()
        assert f"Waived, but no longer found: {born}." in text


def test_a_set_up_stays_waived_when_a_chapter_is_added(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    story = {
        "Manuscript/01 - One.md": "She hid the sextant under the stair.",
        "Manuscript/02 - Two.md": "It rained.",
    }
    session = open_vault(write_vault(story))
    session.call("sync", {})
    [before] = check(session)["findings"]
    write_vault({"Manuscript/03 - Three.md": "It stopped."})
    session.call("sync", {})
    [after] = check(session)["findings"]
    assert after["id"] == before["id"]
    assert after["evidence"][1]["quote"] == "It stopped."


@pytest.mark.usefixtures("closely")
def test_a_death_is_one_finding_with_the_first_three_acts(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    acts = {
        f"Manuscript/0{number} - Day.md": f"Ben Dow carried {number} sacks."
        for number in range(2, 6)
    }
    story = {
        "Characters/Ben Dow.md": "---\ntype: person\nstatus: dead\n---\nA carter.",
        "Manuscript/01 - Night.md": "Ben Dow died at the ford.",
    }
    session = open_vault(write_vault(story | acts))
    session.call("sync", {})
    [finding] = check(session)["findings"]
    assert finding["message"] == "Ben Dow is dead, and acts, in 4 chapters."
    assert [one["quote"] for one in finding["evidence"]] == [
        "Ben Dow died at the ford.",
        "Ben Dow carried 2 sacks.",
        "Ben Dow carried 3 sacks.",
        "Ben Dow carried 4 sacks.",
    ]
    write_vault(
        {"Manuscript/03 - Day.md": "Nobody spoke.", "Manuscript/06 - Day.md": "Ben Dow ran."}
    )
    session.call("sync", {})
    [later] = check(session)["findings"]
    assert later["id"] == finding["id"]
    assert [one["id"] for one in check(session, as_of=2)["findings"]] == [finding["id"]]


@pytest.mark.usefixtures("closely")
def test_a_death_that_one_sentence_tells_and_many_chapters_deny_is_less_sure(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    story = {
        "Characters/Ben Dow.md": "---\ntype: person\n---\nA carter.",
        "Manuscript/01 - Night.md": "Ben Dow died at the ford.",
        **{f"Manuscript/0{number} - Day.md": "Ben Dow ran." for number in range(2, 6)},
    }
    session = open_vault(write_vault(story))
    session.call("sync", {})
    [finding] = check(session)["findings"]
    assert (finding["rule"], finding["confidence"]) == ("acts-after-death", 0.45)
    write_vault({"Manuscript/06 - Day.md": "It rained. They had buried Ben Dow."})
    session.call("sync", {})
    [finding] = check(session)["findings"]
    assert (finding["rule"], finding["confidence"]) == ("acts-after-death", 0.85)


def test_two_names_alike_are_one_finding_from_where_they_stand_nearest(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    story = {
        "Characters/Ann Marlow.md": "---\ntype: person\n---\nA surveyor.",
        "Characters/Joe Barlow.md": "---\ntype: person\n---\nA clerk.",
        "Manuscript/01 - One.md": "Ann Marlow came in. It rained. Joe Barlow was late.",
        "Manuscript/02 - Two.md": "Ann Marlow wrote to Joe Barlow. Nobody answered.",
        "Manuscript/03 - Three.md": "Joe Barlow knocked. Ann Marlow was out.",
    }
    session = open_vault(write_vault(story))
    session.call("sync", {})
    [finding] = check(session)["findings"]
    assert finding["message"] == "Marlow and Barlow are easily mixed up."
    assert [one["quote"] for one in finding["evidence"]] == ["Ann Marlow wrote to Joe Barlow."]
    write_vault({"Manuscript/02 - Two.md": "It rained."})
    session.call("sync", {})
    [after] = check(session)["findings"]
    assert after["id"] == finding["id"]
    assert [one["quote"] for one in after["evidence"]] == [
        "Joe Barlow knocked.",
        "Ann Marlow was out.",
    ]


def test_the_command_fails_while_there_are_findings(
    write_vault: WriteVault, databases: Databases
) -> None:
    root = write_vault(STORY)
    where = ["--vault", str(root), "--database", databases.create()]
    run = CliRunner().invoke
    assert run(build_cli(), [*where, "sync"]).exit_code == 0
    found = run(build_cli(), [*where, "check-continuity"])
    assert found.exit_code == 1
    assert "Manuscript/02 - Two.md:3 — “Ann Hale was born in 1781, in a barn.”" in found.output
    write_vault(
        {
            "Manuscript/01 - One.md": "Ann Hale opened her eyes.",
            "Manuscript/02 - Two.md": "It rained.",
        }
    )
    assert run(build_cli(), [*where, "sync"]).exit_code == 0
    assert run(build_cli(), [*where, "check-continuity"]).exit_code == 0


def load_example() -> ModuleType:
    """Return the plugin of the tutorial."""
    folder = Path(__file__).parents[2] / "examples" / "writeros-shipwrights"
    spec = spec_from_file_location("writeros_shipwrights", folder / "writeros_shipwrights.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)  # where its types are looked up
    spec.loader.exec_module(module)
    return module


class Rain:
    """Finds that it rains; a rule as a stranger may write it."""

    name = "rain"

    def check(self, story: Story) -> Iterable[Finding]:
        for sentence in story.sentences():
            if "rained" in sentence.narration:
                yield Finding("wet", "It rains.", (sentence.evidence,), severity="hint")


class Broken:
    """A rule that breaks off."""

    name = "broken"

    def check(self, story: Story) -> Iterable[Finding]:
        raise ValueError(f"no idea of {len(story.scenes)} scenes")


class Weather:
    """A plugin with both."""

    @hookimpl
    def register_continuity_rules(self) -> Iterable[ContinuityRule]:
        return [Rain(), Broken()]


def test_the_rule_of_the_tutorial_finds_a_ship_that_sails_after_it_has_sunk(
    write_vault: WriteVault, sqlite_databases: Databases
) -> None:
    root = write_vault(
        {
            "Fleet/Gull.md": "---\ntype: vessel\n---\nA tender.",
            "Manuscript/01 - One.md": "The Gull sailed at noon.\n\nThe Gull sank off the bar.",
            "Manuscript/02 - Two.md": '"The Gull sailed," he said.\n\nThe Gull came in at dusk.',
        }
    )
    plugins = load_plugins(Settings(), {"shipwrights": load_example()})
    with Session.open(root, database=sqlite_databases.create(), plugins=plugins) as session:
        session.call("sync", {})
        [finding] = check(session, rules=["sunk-ship"])["findings"]
    assert finding["message"] == "Gull sails after it has sunk."
    assert [one["quote"] for one in finding["evidence"]] == [
        "The Gull sank off the bar.",
        "The Gull came in at dusk.",
    ]


def test_a_strangers_rule_is_heard_and_a_broken_one_is_named(
    write_vault: WriteVault, sqlite_databases: Databases
) -> None:
    plugins = load_plugins(Settings(), {"weather": Weather()})
    database = sqlite_databases.create()
    with Session.open(write_vault(STORY), database=database, plugins=plugins) as session:
        session.call("sync", {})
        answer = check(session)
        assert "It rains." in [one["message"] for one in answer["findings"]]
        assert answer["failures"] == ["broken failed: ValueError: no idea of 2 scenes"]
        response = session.call("check_continuity", {"rules": ["broken"]})
        assert response.is_failure()


class Counting:
    """A plugin with a rule that quotes every sentence, and counts how often it is asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    @hookimpl
    def register_continuity_rules(self) -> Iterable[ContinuityRule]:
        return [self]

    def check(self, story: Story) -> Iterable[Finding]:
        self.asked += 1
        for sentence in story.sentences():
            yield Finding("told", sentence.text, (sentence.evidence,))


def test_a_story_is_checked_again_only_when_it_has_changed(
    write_vault: WriteVault, sqlite_databases: Databases
) -> None:
    counting = Counting()
    plugins = load_plugins(Settings(), {"counting": counting})
    database = sqlite_databases.create()
    root = write_vault(STORY)
    with Session.open(root, database=database, plugins=plugins) as session:

        def ask(**arguments: Any) -> tuple[list[str], int]:
            found = check(session, rules=["counting"], **arguments)["findings"]
            return [one["message"] for one in found], counting.asked

        session.call("sync", {})
        assert ask(limit=1) == (["Ann Hale opened her blue eyes."], 1)
        assert ask(limit=1, offset=1) == (["It rained."], 1)
        assert ask(as_of=1) == (["Ann Hale opened her blue eyes."], 2)
        (root / "Manuscript/01 - One.md").write_text("It snowed.", "utf-8")
        session.call("sync", {})
        assert ask(limit=1) == (["It snowed."], 3)


class Echoes:
    """A plugin with a rule that quotes each sentence alone, and with each that follows it."""

    name = "echoes"

    @hookimpl
    def register_continuity_rules(self) -> Iterable[ContinuityRule]:
        return [self]

    def check(self, story: Story) -> Iterable[Finding]:
        told = [sentence.evidence for sentence in story.sentences()]
        for at, first in enumerate(told):
            for others in ((), *((other,) for other in told[at + 1 :])):
                yield Finding("echo", "It is told.", (first, *others))


def test_of_findings_that_begin_with_one_quote_that_with_fewer_quotes_comes_first(
    write_vault: WriteVault, sqlite_databases: Databases
) -> None:
    plugins = load_plugins(Settings(), {"echoes": Echoes()})
    root = write_vault(
        {"Manuscript/01 - One.md": "It rained. It poured.", "Notes.md": "It hailed."}
    )
    with Session.open(root, database=sqlite_databases.create(), plugins=plugins) as session:
        session.call("sync", {})
        found = check(session, rules=["echoes"])["findings"]
    assert [[one["quote"] for one in finding["evidence"]] for finding in found] == [
        ["It rained."],
        ["It rained.", "It poured."],
        ["It rained.", "It hailed."],
        ["It poured."],
        ["It poured.", "It hailed."],
        ["It hailed."],
    ]


PLACES = st.builds(
    Evidence,
    path=st.sampled_from(["One.md", "Two.md"]),
    start=st.integers(0, 2),
    end=st.just(3),
    quote=st.just("It rained."),
    position=st.sampled_from([None, 0, 1]),
)
FINDINGS = st.builds(
    IdentifiedFinding,
    id=st.sampled_from(["00", "ff"]),
    rule=st.sampled_from(["rain", "snow"]),
    finding=st.builds(
        Finding,
        st.just("wet"),
        st.just("It rains."),
        st.lists(PLACES, max_size=3).map(tuple),
        st.sampled_from([0.5, 0.9]),
    ),
)


@given(st.lists(FINDINGS, max_size=6), st.randoms())
def test_findings_have_one_order_however_many_quotes_they_have(
    findings: list[IdentifiedFinding], chance: Random
) -> None:
    shuffled = chance.sample(findings, len(findings))
    assert [in_order(one) for one in sorted(shuffled, key=in_order)] == [
        in_order(one) for one in sorted(findings, key=in_order)
    ]


def test_an_abandoned_check_ends_while_it_reads_the_story(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    chapters = {f"Manuscript/{number:03}.md": "Ann ran." for number in range(1, 201)}
    session = open_vault(write_vault(chapters))
    session.call("sync", {})
    calls = count()

    class Abandoned(Interruption):
        def check(self) -> None:
            if next(calls) == 300:
                raise InterruptedCallError

    with pytest.raises(InterruptedCallError):
        session.served(Abandoned()).call("check_continuity", {})
