"""Compiled names lie beside the index: in files that are private, and made anew if need be."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from writeros_entities import ALWAYS, LexiconEntity, Name, Session
from writeros_entities.store import rows
from writeros_entities.store.compiled import CompiledLexicon, NamedEntity
from writeros_entities.store.compiling import Compiler

from ..conftest import OpenVault
from ..databases import Databases

WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Cast/Isolde Vane.md": "---\ntype: person\n---\nShe keeps the lamps.\n",
    "Cast/Tobias Wren.md": "---\ntype: person\n---\nA baker, who met [[Odo Marsh|Odo]].\n",
    "Chapter 1.md": "---\nchapter: 1\n---\nLady Vane came with Tobias. Odo Marsh stayed.\n",
}
TEXT = "Miss Isolde Vane saw Wren, and Mr. Wren saw Odo."


def files_of(session: Session) -> list[Path]:
    folder = session.database.folder_beside
    assert folder is not None
    return sorted(folder.iterdir())


def named(session: Session) -> list[tuple[str, str]]:
    asked = {"text": TEXT, "include_unknown": False}
    found = session.call("extract_entities", asked).model_dump()["entities"]
    return [(one["name"], one["surface_form"]) for one in found]


NAMED = [
    ("Isolde Vane", "Miss Isolde Vane"),
    ("Tobias Wren", "Wren"),
    ("Tobias Wren", "Mr. Wren"),
    ("Odo Marsh", "Odo"),
]


def test_only_names_that_a_note_gives_or_uses_have_rows(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    alias, entity = rows.alias, rows.entity
    statement = select(alias.c.form, alias.c.kind).join(entity, entity.c.id == alias.c.entity_id)
    with session.database.read() as connection:
        assert sorted(map(tuple, connection.execute(statement))) == [
            ("Isolde Vane", "name"),
            ("Lady Vane", "derived"),
            ("Odo", "link_text"),
            ("Odo Marsh", "name"),
            ("Tobias", "derived"),
            ("Tobias Wren", "name"),
        ]
    found = session.call("get_entity", {"entity": "Mr Tobias Wren"})
    assert "Tobias Wren" in found.as_text().splitlines()[0]


def test_the_files_can_be_read_by_their_owner_alone(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    folder = session.database.folder_beside
    assert folder is not None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in files_of(session)] == [0o600]


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(Path.unlink, id="missing"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-7]), id="cut"),
        pytest.param(
            lambda file: file.write_bytes(file.read_bytes().replace(b"Wren", b"Lark")), id="changed"
        ),
        pytest.param(lambda file: file.write_bytes(Compiler().compile()), id="foreign"),
    ],
)
def test_a_file_that_is_missing_or_damaged_is_made_anew(
    harm: Callable[[Path], object], sqlite_databases: Databases, write_vault: WriteVault
) -> None:
    root, url = write_vault(VAULT), sqlite_databases.create()
    with Session.open(root, database=url) as session:
        session.call("sync", {})
        (file,) = files_of(session)
    harm(file)
    with Session.open(root, database=url) as session:
        assert named(session) == NAMED
        sheet = root / "Cast" / "Odo Marsh.md"
        sheet.write_text("---\ntype: person\n---\nA miller.\n", "utf-8")
        session.call("sync", {})
        assert named(session) == NAMED


def test_what_has_changed_since_is_found_beside_the_file(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    before = files_of(session)
    sheet = session.root / "Cast" / "Tobias Wren.md"
    sheet.rename(sheet.with_name("Tobias Lark.md"))
    session.call("sync", {})
    assert files_of(session) == before
    assert named(session) == [NAMED[0], NAMED[3]]
    found = session.call("extract_entities", {"text": "Dr. Lark came."}).model_dump()["entities"]
    assert [one["name"] for one in found] == ["Tobias Lark"]


def test_a_compiled_lexicon_finds_what_was_compiled() -> None:
    compiler = Compiler()
    for row_id, key, name in ((7, "b", "Ada Straße"), (3, "a", "Ada Vane")):
        entity = LexiconEntity(key, name, "person", "noted", f"Cast/{name}.md")
        given = Name(name, key, "name")
        first = Name("Ada", key, "derived", 0.6, 4, exact=True)
        compiler.add(NamedEntity(row_id, entity, [given, first]))
    compiled = CompiledLexicon(compiler.compile())
    assert list(compiled.ids) == [3, 7]
    assert list(compiled.entities) == ["a", "b"]
    assert compiled.named("ada") == [
        Name("Ada", "a", "derived", 0.6, 4, exact=True),
        Name("Ada", "b", "derived", 0.6, 4, exact=True),
    ]
    assert compiled.keyed("ada strasse") == [Name("Ada Straße", "b", "name", 1.0, ALWAYS)]
    assert compiled.given("b") == [Name("Ada Straße", "b", "name", 1.0, ALWAYS)]
    assert list(compiled.lengths("ada")) == [3, 8, 10]
    assert compiled.lengths("vane") == ()
    assert [one.id for one in compiled.called("ada vane")] == ["a"]
    assert "c" not in compiled.entities
