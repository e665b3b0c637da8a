"""Pictures that are written into a note as data are for nobody to read."""

from __future__ import annotations

import base64
import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from writeros_entities.session import Session

from ..cases import by_name
from ..conftest import write_notes
from ..databases import Databases
from ..models import WordModel, with_model

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]

PICTURE = base64.b64encode(random.Random(7).randbytes(30_000)).decode()
CRLF = "\r\n"
DATA = f"data:image/png;base64,{PICTURE}"

WAYS = {
    "an image": f"![Her portrait]({DATA})",
    "an image with a title": f'![Her portrait]({DATA} "As a girl")',
    "an image in HTML": f'<img src="{DATA}" alt="her">',
    "an image in a block of HTML": f"<div>\n<img src='{DATA}'>\n</div>",
    "a definition": f"![Her portrait][p]\n\n[p]: {DATA}",
    "a definition in brackets": f"![Her portrait][p]\n\n[p]: <{DATA}>",
    "a link": f"She keeps [a letter](data:text/plain;base64,{PICTURE}).",
    "a style": f'<span style="background: url({DATA})">A hat.</span>',
    "a field": f"portrait:: ![]({DATA})",
    "a cell": f"| What | How |\n|---|---|\n| Portrait | ![x]({DATA}) |",
    "a list": f"- ![x]({DATA})\n- A hat.",
    "a block of code": f"```\n{PICTURE}\n```",
    "nothing else": PICTURE,
    "short lines": "\n".join(wrap(PICTURE, 64)),
    "lines of a letter": f"```\r\n{CRLF.join(wrap(PICTURE, 76))}\r\n```",
    "text": f"See {DATA} here.",
    "a drawing in HTML": f"<img src='data:image/svg+xml;utf8,<svg id=\"{PICTURE}\"></svg>'>",
}

PEOPLE = by_name(WAYS)
"""Whose sheet has a picture in which way."""


@dataclass(frozen=True)
class Read:
    """A vault with a sheet for each way, what was embedded of it, and what is stored of it."""

    session: Session
    embedded: list[str]
    stored: list[str]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases) -> Iterator[Read]:
    notes = {"Book/01 - X.md": f"{', '.join(PEOPLE)} came."}
    for name, way in PEOPLE.items():
        notes[f"Cast/{name}.md"] = (
            f"---\ntype: person\n---\n{name} bakes.\n\n{WAYS[way]}\n\n{name} sings on Sundays.\n"
        )
    root = write_notes(tmp_path_factory.mktemp("vault"), notes)
    model, database = WordModel(), sqlite_databases.create()
    with Session.open(root, database=database, **with_model(model)) as session:
        session.call("sync", {})
        index = sqlite3.connect(database.removeprefix("sqlite:///"))
        stored = [text for (text,) in index.execute("SELECT text FROM chunk")]
        index.close()
        yield Read(session, model.take(), stored)


@pytest.mark.parametrize("name", PEOPLE, ids=PEOPLE.values())
def test_a_picture_in_the_text_is_in_no_passage_vector_quote_prompt_or_count(
    read: Read, name: str
) -> None:
    path = f"Cast/{name}.md"
    searched = {"query": f"{name} Sundays", "include_content": True, "trace": True}
    answers = [
        read.session.call(capability, arguments)
        for capability, arguments in (
            ("build_context", {"entities": [name], "max_tokens": 300}),
            ("get_entity", {"entity": name}),
            ("read_note", {"note": path}),
            ("search", searched),
            ("find_mentions", {"entity": name}),
        )
    ]
    told = "".join(f"{one.as_text()}{one.model_dump_json()}" for one in answers)
    for text in (told, "".join(read.embedded), "".join(read.stored)):
        assert f"{name} sings on Sundays." in text
        assert PICTURE[100:120] not in text
        assert PICTURE[-12:] not in text
    notes = read.session.call("list_notes", {"below": path}).model_dump()["notes"]
    assert [one["tokens"] < 60 for one in notes] == [True]


def test_a_picture_in_a_property_is_no_value(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    note = f"---\ntype: person\nportrait: {DATA}\ntrade: baker of bread and of small cakes\n---\n"
    session = open_vault(write_vault({"Ann Hale.md": note}))
    session.call("sync", {})
    answer = session.call("get_entity", {"entity": "Ann Hale"})
    assert "baker of bread" in answer.as_text()
    assert PICTURE[100:120] not in f"{answer.as_text()}{answer.model_dump_json()}"


def test_words_about_data_are_words(write_vault: WriteVault, open_vault: OpenVault) -> None:
    text = "She read the data: nine, ten; and the notes/2021/Of-The-Long-Voyage, all of them."
    session = open_vault(write_vault({"Log.md": text}))
    session.call("sync", {})
    assert text in session.call("read_note", {"note": "Log.md"}).as_text()


def test_a_note_goes_on_behind_wrapped_data(write_vault: WriteVault, open_vault: OpenVault) -> None:
    picture = "\n".join(wrap(PICTURE[:1000], 76))
    session = open_vault(write_vault({"Log.md": f"Ann\n{picture}\nAfterwards\nBen Moss slept.\n"}))
    session.call("sync", {})
    assert "Ann\nAfterwards\nBen Moss" in session.call("read_note", {"note": "Log.md"}).as_text()
    found: Any = session.call("search", {"query": "Ben Moss slept"})
    assert [passage.line for passage in found.passages] == [17]
