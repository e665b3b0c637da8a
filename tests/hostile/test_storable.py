"""What a vault can say and a database cannot hold: it is cut or replaced, alike on every engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session
from writeros_entities.store import rows

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]


def properties(session: Session) -> object:
    with session.database.read() as connection:
        return connection.scalar(
            select(rows.note.c.frontmatter).where(rows.note.c.path == "Mara.md")
        )


def test_escapes_that_no_database_holds_are_replaced(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    canvas = {"nodes": [{"id": "a", "type": "file", "file": "a\0b\ud800.md"}], "edges": []}
    session = open_vault(
        write_vault(
            {
                "Mara.md": '---\naliases: ["M\\0ra"]\n"k\\0y": "a\\0b"\n---\n[x](no%00where.md)',
                "Board.canvas": json.dumps(canvas),
            }
        )
    )
    session.call("sync", {})
    assert properties(session) == {"aliases": ["M\ufffdra"], "k\ufffdy": "a\ufffdb"}
    with session.database.read() as connection:
        targets = set(connection.scalars(select(rows.link.c.target)))
    assert targets == {"no\ufffdwhere.md", "/a\ufffdb\ufffd.md"}


def test_a_question_may_hold_what_no_note_can(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Mara.md": "---\ntype: person\n---\nMara."}))
    session.call("sync", {})
    for name in ("Ma\0ra", "\ud800"):
        with pytest.raises(NotFoundError):
            session.call("get_entity", {"entity": name})


def test_properties_keep_their_order_and_their_numbers(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = "zeta: 1\nb: 2.0\naa: {y: 1, x: [3, {d: 4, c: 5}]}\n'@order': mine\n'@@order': too\n"
    numbers = "large: 12345678901234567\nwhole: 1e17\nzero: -0.0\nsmall: 1e-7\ninf: .inf\n"
    session = open_vault(write_vault({"Mara.md": f"---\n{text}{numbers}---\n"}))
    session.call("sync", {})
    assert json.dumps(properties(session)) == json.dumps(
        {
            "zeta": 1,
            "b": 2.0,
            "aa": {"y": 1, "x": [3, {"d": 4, "c": 5}]},
            "@order": "mine",
            "@@order": "too",
            "large": 12345678901234567,
            "whole": 100000000000000000,
            "zero": 0.0,
            "small": 1e-7,
            "inf": ".inf",
        }
    )


def test_names_longer_than_any_name_are_none(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    long = "Rook " * 2_000
    session = open_vault(
        write_vault(
            {
                "Mara.md": f"---\ntype: person\naliases: ['{long}', Em]\n---\n[[{long}]] by Em.",
                "Names.md": f"{'Rook' * 1_000} Vane came. " * 4,
            }
        )
    )
    session.call("sync", {})
    listed = session.call("list_entities", {"limit": 500}).model_dump()["entities"]
    assert [entity["name"] for entity in listed] == ["Mara"]
    found = session.call("find_mentions", {"entity": "Em"}).model_dump()
    assert found["total"] == 1


def test_a_path_that_fits_into_no_index_is_a_diagnostic(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Mara.md": "Mara."})
    folder = root.joinpath(*["d" * 250] * 10)
    folder.mkdir(parents=True)
    (folder / "deep.md").write_text("Deep.", "utf-8")
    session = open_vault(root)
    session.call("sync", {})
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert [problem["code"] for problem in problems] == ["path-too-long"]
    assert session.call("status", {}).model_dump()["notes"] == {"note": 1}


@pytest.mark.parametrize("word", ["x" * 100_000, "字" * 50_000])
def test_a_word_as_long_as_a_book_is_indexed(
    write_vault: WriteVault, open_vault: OpenVault, word: str
) -> None:
    session = open_vault(write_vault({"Mara.md": f"# Mara\n\nMara and {word} end."}))
    session.call("sync", {})
    assert session.call("status", {}).model_dump()["diagnostics"] == 0


def test_a_file_is_read_byte_by_byte_on_every_system(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({})
    note = "---\r\ntype: person\r\n---\r\nMara came.\r\n\x1a Mara left.\r\n"
    (root / "Mara.md").write_bytes(note.encode())
    session = open_vault(root)
    session.call("sync", {})
    found = session.call("find_mentions", {"entity": "Mara"}).model_dump()["mentions"]
    assert [(each["line"], each["start"]) for each in found] == [(4, 24), (5, 38)]
