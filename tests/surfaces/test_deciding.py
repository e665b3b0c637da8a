"""`decide` adds one line to one note, and changes nothing else of the vault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import RequestError, Session
from writeros_entities.store.interruption import Interruption

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

LINE = "[[Outline]] is a plan"


def contents(root: Path) -> dict[str, bytes]:
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file()
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"- [[Outline]] is a plan\n"),
        (b"", b"- [[Outline]] is a plan\n"),
        (b"# Mine\n", b"# Mine\n- [[Outline]] is a plan\n"),
        (b"- Tarn is a place\n", b"- Tarn is a place\n- [[Outline]] is a plan\n"),
        (b"- Tarn is a place", b"- Tarn is a place\n- [[Outline]] is a plan"),
        (
            b"Mine.\r\n\r\n* Tarn is a place\r\n",
            b"Mine.\r\n\r\n* Tarn is a place\r\n- [[Outline]] is a plan\r\n",
        ),
        (
            b"\xef\xbb\xbf- Tarn is a place  \n\n\n",
            b"\xef\xbb\xbf- Tarn is a place  \n\n\n- [[Outline]] is a plan\n",
        ),
    ],
)
def test_a_decision_is_added_at_the_end_and_undone_to_the_byte(
    before: bytes | None, after: bytes, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Outline.md": "- Ann dies.\n"})
    if before is not None:
        (root / "Decisions.md").write_bytes(before)
    others = contents(root)
    session = open_vault(root)

    session.call("decide", {"line": LINE})
    assert contents(root) == others | {"Decisions.md": after}

    session.call("decide", {"undo": True})
    assert contents(root) == others | {"Decisions.md": before or b""}


def test_a_proposal_writes_nothing(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault({"Decisions.md": "- Tarn is a place\n"})
    before = contents(root)
    session = open_vault(root)

    answer: Any = session.call("decide", {"line": f"- {LINE}", "propose": True})
    session.call("decide", {"undo": True, "propose": True})

    assert (answer.added, answer.is_proposal) == (LINE, True)
    assert contents(root) == before


def test_a_server_writes_only_what_the_writer_has_agreed_to(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({})
    served = open_vault(root).served(Interruption())

    asked: Any = served.call("decide", {"line": LINE})
    assert asked.is_proposal
    assert not (root / "Decisions.md").exists()

    served.call("decide", {"line": LINE, "confirmed": True})
    assert (root / "Decisions.md").read_text() == f"- {LINE}\n"


@pytest.mark.parametrize("text", ["She chose the sea.\n", "# Two\n\n- go\n- stay\n", "```\ncode\n"])
def test_a_note_that_is_for_something_else_is_never_touched(
    text: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Decisions.md": text})
    session = open_vault(root)

    with pytest.raises(RequestError, match=r"is left as it is\. Name another note"):
        session.call("decide", {"line": LINE})
    assert (root / "Decisions.md").read_text() == text


def test_a_line_that_is_not_understood_is_not_written(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({})
    session = open_vault(root)

    with pytest.raises(RequestError, match=r"Do you mean '\[\[Outline\]\] is a plan'\?"):
        session.call("decide", {"line": "[[Outline]] is a plann"})
    with pytest.raises(RequestError, match=r"no decision in 'Decisions\.md' to take back"):
        session.call("decide", {"undo": True})
    assert contents(root) == {}


def test_what_is_decided_is_not_decided_twice(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Decisions.md": f"- {LINE}\n"}))

    with pytest.raises(RequestError, match="is decided already"):
        session.call("decide", {"line": "[[Outline]] is an outline"})


def test_a_line_never_lands_in_a_block_without_an_end(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Decisions.md": "- Tarn is a place\n\n```\ncode\n"})
    session = open_vault(root)

    with pytest.raises(RequestError, match="a block of code or a comment without an end"):
        session.call("decide", {"line": LINE})


def test_a_note_outside_the_vault_is_refused(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({})
    outside = root.parent / "outside.md"
    outside.write_text("")
    (root / "Decisions.md").symlink_to(outside)
    session = open_vault(root)

    with pytest.raises(RequestError, match="leads out of the vault"):
        session.call("decide", {"line": LINE})
    assert outside.read_text() == ""


def test_all_decisions_are_listed_with_what_they_do(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Decisions.md": (
            "- [[Outline]] is a plan\n- [[Gone]] is a plan\n- Maudie is [[Maud Pell]]\n"
            "- [[Chapter 2]] is after [[Chapter 1]]\n- 6ff540… is meant\n- something else\n"
        ),
        "Outline.md": "- Ann dies.\n",
        "Maud Pell.md": "---\ntype: character\n---\n",
        "Chapter 1.md": "It began.\n",
        "Chapter 2.md": "It ended.\n",
    }
    session: Session = open_vault(write_vault(notes), never=["Hope", "Faith"])
    session.call("sync", {})

    answer: Any = session.call("decide", {"list": True})

    assert [(one.line, one.setting, one.text, one.does) for one in answer.decisions] == [
        (1, None, "[[Outline]] is a plan", "Outline.md is read as plan."),
        (2, None, "[[Gone]] is a plan", "Nothing: there is no Gone."),
        (3, None, "Maudie is [[Maud Pell]]", "Maud Pell is also called Maudie."),
        (
            4,
            None,
            "[[Chapter 2]] is after [[Chapter 1]]",
            "Reading order: Chapter 1 (1), Chapter 2 (2).",
        ),
        (5, None, "6ff540… is meant", "No such finding is found any more."),
        (6, None, "something else", "It is not understood."),
        (None, "never", "Hope, Faith", "A setting decides it."),
    ]
