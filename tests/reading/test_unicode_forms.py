"""A path or name from outside finds its note in whichever Unicode form its letters are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import mcp_types as types
import pytest
from mcp import Client

from writeros_entities import Session
from writeros_entities.surfaces.mcp import build_server

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Besetzung/Zoë.md": "# Bühne\n\nZoë sang.\n",
    "Altes/Zoë.md": "Zoë schwieg.\n",
    "Bücher/Ö/01 - Fähre.md": "Zoë kam.\n",
    "Bücher/A/01 - Über.md": "Zoë ging.\n",
    "Dörfer/Bär.md": "Ein Dorf.\n",
}
SETTINGS = """books = ["Bücher/Ö", "Bücher/A"]
[entity_folders]
"Dörfer" = "place"
[visible_from]
"Dörfer" = "Fähre"
"""


def decomposed(text: str) -> str:
    found = unicodedata.normalize("NFD", text)
    assert found != text
    return found


@pytest.fixture
def session(write_vault: WriteVault, open_vault: OpenVault) -> Session:
    root = write_vault(VAULT)
    (root / ".writeros-entities.toml").write_text(decomposed(SETTINGS), "utf-8")
    session = open_vault(root)
    session.call("sync", {})
    return session


def ask(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    return session.call(name, arguments).model_dump()


@pytest.mark.anyio
async def test_an_attached_note_is_found(session: Session) -> None:
    path = decomposed("Besetzung/Zoë.md")
    async with Client(build_server(session)) as client:
        for uri in (f"vault://note/{quote(path)}", f"vault://note/{path}"):
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, types.TextResourceContents)
            assert content.text == "# Bühne\n\nZoë sang."
        template = types.ResourceTemplateReference(uri="vault://note/{+path}{?as_of}")
        typed = {"name": "path", "value": decomposed("zoë")}
        completed = await client.complete(template, typed)
    assert completed.completion.values == ["Altes/Zoë.md", "Besetzung/Zoë.md"]


def test_a_note_is_found_by_its_path_or_title(session: Session) -> None:
    for note in ("Besetzung/Zoë.md", "Besetzung/Zoë", "Besetzung/Zoë#Bühne", "[[Besetzung/Zoë]]"):
        assert ask(session, "read_note", note=decomposed(note))["path"] == "Besetzung/Zoë.md"
    assert ask(session, "find_related_notes", note=decomposed("Fähre"))["path"] == (
        "Bücher/Ö/01 - Fähre.md"
    )


def test_a_folder_is_found_by_its_path(session: Session) -> None:
    listed = ask(session, "list_notes", below=decomposed("Bücher/Ö"))
    assert [note["path"] for note in listed["notes"]] == ["Bücher/Ö/01 - Fähre.md"]
    found = ask(
        session,
        "find_mentions",
        entity="[[Besetzung/Zoë]]",
        below=decomposed("Bücher/Ö/01 - Fähre.md"),
    )
    assert found["total"] == 1
    searched = ask(session, "search", query="Zoë", below=decomposed("Bücher"))
    assert searched["total"] == 2


def test_a_chapter_is_found_by_its_name(session: Session) -> None:
    listed = ask(session, "list_notes", chapters_only=True, as_of=decomposed("Fähre"))
    assert [note["path"] for note in listed["notes"]] == ["Bücher/Ö/01 - Fähre.md"]


def test_the_folders_of_the_settings_are_found(session: Session) -> None:
    listed = ask(session, "list_notes", as_of=decomposed("Bücher/A/01 - Über.md"))
    assert [(note["position"], note["path"]) for note in listed["notes"]] == [
        (1, "Bücher/Ö/01 - Fähre.md"),
        (2, "Bücher/A/01 - Über.md"),
        (None, "Dörfer/Bär.md"),
    ]
    assert ask(session, "get_entity", entity=decomposed("Bär"))["entity"]["type"] == "place"
