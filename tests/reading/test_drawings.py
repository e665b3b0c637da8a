"""The note of an Excalidraw drawing: its texts are read, its data is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ReadVault

WriteVault = Callable[[dict[str, str]], Path]

WARNING = "==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠=="

DRAWING = f"""---

excalidraw-plugin: parsed
tags: [excalidraw]

---
{WARNING}

Odile drew this for Corin.

# Excalidraw Data

## Text Elements
[[Odile]] ^a1b2c3d4

hates Corin ^QqWw-1_Z

## Element Links
ff00AA11: [[Corin]]

## Embedded Files
3f1c9aa1: [[Corin.png]]

%%
## Drawing
```compressed-json
N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2
```
%%
"""

OLD = f"""---
excalidraw-plugin: raw
---
{WARNING}

# Text Elements
Corin fears Odile ^dddd4444

# Drawing
```json
{{"type":"excalidraw","elements":[{{"text":"Corin fears Odile","id":"dddd4444"}}]}}
```
"""


@pytest.fixture
def session(read_vault: ReadVault) -> Any:
    notes = {
        "Map.excalidraw.md": DRAWING,
        "People/Old.md": OLD,
        "People/Odile.md": "A diver.",
        "People/Corin.md": "A clerk.",
    }
    return read_vault(notes)


def test_who_is_drawn_is_mentioned_but_not_who_only_a_link_or_a_file_names(session: Any) -> None:
    found = session.call("find_mentions", {"entity": "Corin"}).mentions
    assert [(each.path, each.line) for each in found] == [
        ("Map.excalidraw.md", 9),
        ("Map.excalidraw.md", 16),
        ("People/Old.md", 7),
    ]


def test_nothing_of_a_drawing_is_quoted_but_its_texts(session: Any) -> None:
    text = session.call("build_context", {"entities": ["Odile", "Corin"], "max_tokens": 1000})
    quoted = text.as_text()
    assert "Odile\n\nhates Corin" in quoted
    assert "Corin fears Odile" in quoted
    for data in ("EXCALIDRAW", "^", "3f1c9aa1", "ff00AA11", "N4KAk", "elements"):
        assert data not in quoted


def test_a_drawing_is_no_entity(session: Any) -> None:
    found = session.call("list_entities", {}).entities
    assert {entity.name for entity in found} == {"Odile", "Corin"}
