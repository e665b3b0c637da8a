"""Pictures that are written into a note as data are for nobody to read."""

from __future__ import annotations

import base64
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from writeros_entities.session import Session

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


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_picture_in_the_text_is_in_no_passage_vector_quote_prompt_or_count(
    write_vault: WriteVault, tmp_path: Path, way: str
) -> None:
    sheet = f"---\ntype: person\n---\nAnn Hale bakes.\n\n{way}\n\nAnn Hale sings on Sundays.\n"
    root = write_vault({"Cast/Ann Hale.md": sheet, "Book/01 - X.md": "Ann Hale came."})
    model = WordModel()
    database = f"sqlite:///{tmp_path / 'index.sqlite3'}"
    with Session.open(root, database=database, **with_model(model)) as session:
        session.call("sync", {})
        answers = [
            session.call(name, arguments)
            for name, arguments in (
                ("build_context", {"entities": ["Ann Hale"], "max_tokens": 300}),
                ("get_entity", {"entity": "Ann Hale"}),
                ("read_note", {"note": "Cast/Ann Hale.md"}),
                ("search", {"query": "Sundays", "include_content": True, "trace": True}),
                ("find_mentions", {"entity": "Ann Hale"}),
            )
        ]
        notes = session.call("list_notes", {}).model_dump()["notes"]
    told = "".join(f"{one.as_text()}{one.model_dump_json()}" for one in answers)
    index = sqlite3.connect(tmp_path / "index.sqlite3")
    [(stored,)] = index.execute("SELECT group_concat(text) FROM chunk").fetchall()
    index.close()
    for text in (told, "".join(model.take()), stored):
        assert "sings on Sundays." in text
        assert PICTURE[100:120] not in text
        assert PICTURE[-12:] not in text
    assert [one["tokens"] < 60 for one in notes] == [True, True]


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
