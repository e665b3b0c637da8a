"""A language of another distribution, installed on its own, is known like the built-in ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ..installing import install

PROGRAM = """
from writeros_entities import Settings
from writeros_entities.language.reading import read_page
from writeros_entities.language.telling import tell_language
from writeros_entities.plugins import load_plugins
from writeros_entities.vault.notes import parse_note

languages = load_plugins(Settings()).languages
note = parse_note("Ana.md", "Ŝi loĝas kun sia frato en la urbo.\\n\\n- Patro: Aldo".encode())
code = tell_language(note, languages, "en")
page = read_page(note, languages[code], languages[code].parser())
print(code, languages[code].words.roles[page.lines[1].label.lower()])
"""


def test_a_language_of_another_distribution_is_told_and_read(tmp_path: Path) -> None:
    site = install("writeros-esperanto", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout == "eo father\n"
