"""One bad note is one diagnostic: its neighbours are indexed, nothing is lost, nothing written."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import ChunkSpan, Mention, Note, TokenCounter, hookimpl
from writeros_entities.errors import VaultError
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.settings import Settings
from writeros_entities.testing import hash_vault

from ..databases import Databases
from .generated import LINE, NOTES, write_notes, write_oddities
from .separate import NOBODY, Step, run_separately

FIXTURE = Path(__file__).parents[2] / "vault_fixtures" / "hostile"

MEGABYTES = 300
"""How much more memory than a small vault the hostile one may take."""

OpenVault = Callable[..., Session]
Codes = set[tuple[str, str]]


@pytest.fixture(scope="module")
def players(databases: Databases) -> Iterator[Session]:
    """Return the fixture vault, synced; tests only read it."""
    with Session.open(FIXTURE, database=databases.create()) as session:
        session.call("sync", {})
        yield session


@pytest.fixture
def everyone() -> Iterator[Path]:
    """Return a vault that an unprivileged user owns, in a folder that everyone may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    root = folder / "vault"
    for path, text in {
        "People/Odile Farrow.md": "---\ntype: person\n---\nShe pulls the strings.\n",
        "Acts/First act.md": "Odile Farrow lifts the fox.\n",
        "Acts/Second act.md": "Odile Farrow drops the fox.\n",
        "Alone.md": "Odile Farrow sleeps.\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    if os.getuid() == 0:
        for path_ in (folder, root, *root.rglob("*")):
            os.chown(path_, NOBODY, NOBODY)
    yield root
    for name in ("", "Acts"):
        (root / name).chmod(0o755)
    shutil.rmtree(folder)


def act(root: Path, *steps: Step) -> list[dict[str, Any]]:
    """Take steps as a user whom permissions bind; return what the calls answered."""
    database = f"sqlite:///{root.parent / 'index.sqlite3'}"
    return run_separately(root, database, *steps, user=NOBODY).answers


def diagnosed(answers: dict[str, Any], field: str) -> Codes:
    return {(item["path"], item["code"]) for item in answers[field]}


def doctor(session: Session) -> Codes:
    return diagnosed(session.call("doctor", {"limit": 500}).model_dump(), "problems")


def mentioning_notes(session: Session, entity: str = "Odile Farrow") -> set[str]:
    answer = session.call("get_entity", {"entity": entity}).model_dump()
    return {note["path"] for note in answer["entity"]["notes"]}


# -- The fixture vault: small, and broken in every way that a repository can hold ------------------


def test_doctor_lists_every_bad_note_of_the_fixture_and_no_good_one(players: Session) -> None:
    assert doctor(players) == {
        (".obsidian", "broken-filter"),
        ("Acts/Curtain call.md", "unclosed-comment"),
        ("Acts/Epilogue.md", "unclosed-code"),
        ("Acts/Fifth act.md", "unclosed-frontmatter"),
        ("Acts/First act (Bram's conflicted copy 2025-01-01).md", "conflict-copy"),
        ("Acts/First act (Conflicted copy laptop 202501011010).md", "conflict-copy"),
        ("Acts/First act.md", "ambiguous-link"),
        ("Acts/First act.sync-conflict-20250101-101010-ABCDEFG.md", "conflict-copy"),
        ("Acts/Fourth act.md", "broken-frontmatter"),
        ("Acts/Second act.md", "broken-frontmatter"),
        ("Acts/Third act.md", "broken-frontmatter"),
        ("Old laptop/Prompt book.md", "nul"),
        ("Old laptop/Typewriter.md", "nul"),
        ("Old laptop/Typewriter.md", "utf-16"),
        ("People/Zoe Quill.md", "not-utf-8"),
        ("Stage plan.canvas", "broken-canvas"),
    }


def test_every_note_that_can_be_read_is_mentioned_from_conflict_copies_are_not(
    players: Session,
) -> None:
    assert mentioning_notes(players) == {
        "Acts/Curtain call.md",
        "Acts/Epilogue.md",
        "Acts/Fifth act.md",
        "Acts/First act.md",
        "Acts/Fourth act.md",
        "Acts/Second act.md",
        "Acts/Third act.md",
        "Old laptop/Prompt book.md",
        "People/Bram Sallis.md",
        "People/Odile Farrow.md",
        "People/Zoe Quill.md",
    }
    assert mentioning_notes(players, "Bram Sallis") == {
        "Acts/First act.md",
        "People/Bram Sallis.md",
        "People/Odile Farrow.md",
        "Props/Lantern.md",
    }


def test_two_notes_of_one_name_are_two_entities(players: Session) -> None:
    listed = players.call("list_entities", {"containing": "Lantern"}).model_dump()
    assert {(item["name"], item["type"]) for item in listed["entities"]} == {
        ("Lantern", "item"),
        ("Lantern", "place"),
    }


@pytest.mark.parametrize(
    ("note", "line", "column", "start"),
    [
        ("People/Odile Farrow.md", 5, 3, 42),  # CR LF: two characters each
        ("People/Bram Sallis.md", 4, 48, 69),  # a byte-order mark: one
        ("People/Zoe Quill.md", 4, 28, 48),  # each byte that is not UTF-8: one
    ],
)
def test_offsets_count_the_characters_of_the_file_as_stored(
    players: Session, note: str, line: int, column: int, start: int
) -> None:
    answer = players.call("find_mentions", {"entity": "Odile Farrow", "below": note}).model_dump()
    first = answer["mentions"][0]
    assert (first["line"], first["column"], first["start"]) == (line, column, start)
    text = (FIXTURE / note).read_bytes().decode("utf-8", "replace")
    assert text[first["start"] : first["end"]] == "Odile Farrow"


# -- The generated part: what no repository can hold ----------------------------------------------


@dataclass(frozen=True)
class Wreck:
    """The fixture vault with everything generated beside it, synced once, in its own process."""

    session: Session
    expected: Codes
    hash_before: str
    report: dict[str, Any]
    megabytes: float


@pytest.fixture(scope="module")
def wreck(tmp_path_factory: pytest.TempPathFactory, databases: Databases) -> Iterator[Wreck]:
    folder = tmp_path_factory.mktemp("wreck")
    root = folder / "vault"
    shutil.copytree(FIXTURE, root)
    write_notes(root / "Generated")
    expected = {(f"Generated/{name}", code) for name, (_, code) in NOTES.items() if code}
    expected |= set(write_oddities(root / "Oddities"))
    before = hash_vault(root)
    database = databases.create()
    ran = run_separately(root, database, ("call", "sync", {}))
    with Session.open(root, database=database) as session:
        yield Wreck(session, expected, before, ran.answers[0], ran.megabytes)


@pytest.mark.timeout(250)
def test_every_generated_bad_note_has_its_diagnostic_and_no_good_one_has_any(wreck: Wreck) -> None:
    generated = ("Generated/", "Oddities/")
    found = {item for item in doctor(wreck.session) if item[0].startswith(generated)}
    assert found == wreck.expected


def test_the_sync_itself_tells_of_every_bad_note(wreck: Wreck) -> None:
    in_fixture = 11 + 1  # of notes, and the filter in the settings
    assert wreck.report["total_diagnostics"] == len(wreck.expected) + in_fixture


def test_every_note_beside_the_wreckage_is_read(wreck: Wreck) -> None:
    found = mentioning_notes(wreck.session)
    assert {f"Generated/{name}" for name in NOTES if name != "large.md"} <= found
    assert "Oddities/folder.md/inner.md" in found
    assert f"Oddities/{'deep/' * 100}down here.md" in found
    assert "Acts/First act.md" in found
    assert not any("secret" in path or "loop/" in path for path in found)


def test_nothing_in_the_hostile_vault_has_changed(wreck: Wreck) -> None:
    assert hash_vault(wreck.session.root) == wreck.hash_before


def test_a_second_sync_of_the_wreckage_finds_nothing_to_do(wreck: Wreck) -> None:
    report = wreck.session.call("sync", {}).model_dump()
    counts = [report[name] for name in ("added", "changed", "moved", "removed", "redetected")]
    assert counts == [0, 0, 0, 0, 0]


def test_the_wreckage_takes_bounded_memory(wreck: Wreck, database: str) -> None:
    base = run_separately(FIXTURE, database, ("call", "sync", {}))
    assert wreck.megabytes - base.megabytes < MEGABYTES


@pytest.mark.timeout(240)
def test_symlinks_that_are_followed_lead_in_no_circle_and_not_out(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    root = tmp_path / "vault"
    shutil.copytree(FIXTURE, root)
    for _ in write_oddities(root / "Oddities"):
        pass
    session = open_vault(root, follow_symlinks=True)
    session.call("sync", {})
    found = mentioning_notes(session)
    assert not any("secret" in path or "loop/" in path or "leaving" in path for path in found)
    assert {
        ("Oddities/leaving", "symlink"),
        ("Oddities/leaving.md", "symlink"),
        ("Oddities/self.md", "symlink"),
    } <= doctor(session)


# -- What cannot be read is not gone --------------------------------------------------------------


def test_a_note_that_may_not_be_read_has_a_diagnostic_and_the_others_are_read(
    everyone: Path,
) -> None:
    (everyone / "Alone.md").chmod(0)
    report, found = act(
        everyone, ("call", "sync", {}), ("call", "find_mentions", {"entity": "Odile Farrow"})
    )
    assert report["added"] == 4
    assert diagnosed(report, "diagnostics") == {("Alone.md", "unreadable")}
    assert [mention["path"] for mention in found["mentions"]] == [
        "Acts/First act.md",
        "Acts/Second act.md",
    ]


def test_a_note_that_becomes_unreadable_keeps_what_was_known_and_has_a_diagnostic(
    everyone: Path,
) -> None:
    _, report, health, found = act(
        everyone,
        ("call", "sync", {}),
        ("chmod", "Alone.md", 0),
        ("call", "sync", {}),
        ("call", "doctor", {}),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 0
    assert ("Alone.md", "unreadable") in diagnosed(health, "problems")
    assert found["total"] == 3


def test_a_folder_that_becomes_unreadable_deletes_nothing(everyone: Path) -> None:
    _, report, health, found = act(
        everyone,
        ("call", "sync", {}),
        ("chmod", "Acts", 0),
        ("call", "sync", {}),
        ("call", "doctor", {}),
        ("chmod", "Acts", 0o755),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 0
    assert ("Acts", "unreadable-folder") in diagnosed(health, "problems")
    assert found["total"] == 3


def test_a_folder_that_may_be_listed_but_not_entered_deletes_nothing(everyone: Path) -> None:
    _, report, found = act(
        everyone,
        ("call", "sync", {}),
        ("chmod", "Acts", 0o444),
        ("call", "sync", {}),
        ("chmod", "Acts", 0o755),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 0
    assert found["total"] == 3


def test_a_root_that_becomes_unreadable_is_an_error_and_deletes_nothing(everyone: Path) -> None:
    _, error, broken_rebuild, found = act(
        everyone,
        ("call", "sync", {}),
        ("chmod", "", 0),
        ("call", "sync", {}),
        ("call", "rebuild", {}),
        ("chmod", "", 0o755),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert error["error"] == broken_rebuild["error"] == "VaultError"
    assert found["total"] == 3


def test_what_is_readable_again_is_read_again(everyone: Path) -> None:
    (everyone / "Alone.md").chmod(0)
    _, report, found = act(
        everyone,
        ("call", "sync", {}),
        ("chmod", "Alone.md", 0o644),
        ("call", "sync", {}),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["changed"] == 1
    assert report["total_diagnostics"] == 0
    assert found["total"] == 3


def test_a_single_note_that_vanishes_is_deleted(everyone: Path) -> None:
    _, report, found = act(
        everyone,
        ("call", "sync", {}),
        ("delete", "Alone.md"),
        ("call", "sync", {}),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 1
    assert found["total"] == 2


def test_an_empty_root_is_an_error_unless_it_is_meant(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault({"People/Odile Farrow.md": "She sleeps.\n"})
    session = open_vault(root)
    session.call("sync", {})
    for entry in root.iterdir():
        shutil.rmtree(entry)
    with pytest.raises(VaultError, match="is empty, but its index holds 1 files"):
        session.call("sync", {})
    assert session.call("status", {}).model_dump()["notes"] == {"note": 1}
    assert session.call("sync", {"allow_empty": True}).model_dump()["removed"] == 1


def test_a_note_that_grows_too_large_is_forgotten_with_a_diagnostic(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault(
        {"People/Odile Farrow.md": "---\ntype: person\n---\nShe sleeps.\n", "Log.md": LINE}
    )
    session = open_vault(root, max_note_bytes=1_000)
    session.call("sync", {})
    (root / "Log.md").write_text(LINE * 100)
    report = session.call("sync", {}).model_dump()
    assert diagnosed(report, "diagnostics") == {("Log.md", "too-large")}
    assert doctor(session) == {("Log.md", "too-large")}
    assert mentioning_notes(session) == set()
    (root / "Log.md").write_text(LINE)
    session.call("sync", {})
    assert doctor(session) == set()
    assert mentioning_notes(session) == {"Log.md"}


# -- Plugins that break on a note -----------------------------------------------------------------


class Stumbling:
    """Finds nothing in any note, and breaks on those that speak of a fox."""

    name = "stumbling"
    identity = "stumbling/1"

    @hookimpl
    def detect_entities(self, note: Note) -> list[Mention]:
        if "fox" in note.prose:
            raise RuntimeError("a fox!")
        return []

    @hookimpl
    def register_chunkers(self) -> list[Stumbling]:
        return [self]

    def chunk(self, note: Note, counter: TokenCounter) -> Sequence[ChunkSpan]:
        if "hare" in note.prose:
            raise RuntimeError("a hare!")
        return [ChunkSpan(0, len(note.text), 1, ())]


def test_a_detector_that_breaks_on_a_note_is_its_diagnostic_until_it_does_not(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault(
        {
            "People/Odile Farrow.md": "---\ntype: person\n---\nShe sleeps.\n",
            "First.md": "Odile Farrow lifts the fox.\n",
            "Second.md": "---\ntags: [a b]\n---\nOdile Farrow lifts the fox.\n",
            "Third.md": "Odile Farrow lifts the moon.\n",
        }
    )
    session = open_vault(root, plugins=load_plugins(Settings(), {"stumbling": Stumbling()}))
    report = session.call("sync", {}).model_dump()
    expected = {
        ("First.md", "detection-failed"),
        ("Second.md", "detection-failed"),
        ("Second.md", "invalid-tag"),
    }
    assert diagnosed(report, "diagnostics") == expected
    assert doctor(session) == expected
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert problems[0]["message"] == ("Plugin 'stumbling', detect_entities: RuntimeError: a fox!")
    assert mentioning_notes(session) == {"First.md", "Second.md", "Third.md"}
    (root / "People" / "Odile Farrow.md").write_text(
        "---\ntype: person\naliases: [the fox]\n---\nShe sleeps.\n"
    )
    session.call("sync", {})
    assert doctor(session) == expected
    (root / "First.md").write_text("Odile Farrow lifts the moon.\n")
    session.call("sync", {})
    assert doctor(session) == expected - {("First.md", "detection-failed")}


def test_a_chunker_that_breaks_on_a_note_is_its_diagnostic(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault({"First.md": "A hare.\n", "Second.md": "A moon.\n"})
    settings = Settings(chunker="stumbling")
    plugins = load_plugins(settings, {"stumbling": Stumbling()})
    session = open_vault(root, plugins=plugins, chunker="stumbling")
    session.call("sync", {})
    assert doctor(session) == {("First.md", "plugin-failed")}
    assert session.call("status", {}).model_dump()["chunks"] == 1
