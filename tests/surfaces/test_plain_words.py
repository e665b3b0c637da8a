"""What a writer reads at the terminal is in a writer's words, not in those of the program."""

from __future__ import annotations

import re
from itertools import cycle
from pathlib import Path

import click
from click.testing import CliRunner

from writeros_entities.errors import WriterosError
from writeros_entities.session import Session
from writeros_entities.surfaces.cli import build_cli

from ..asking import Words, questions

JARGON = re.compile(
    r"(?<![\w-])(?:revisions?|chunks?|lexic\w+|redetect\w*|embedded|diagnos\w+|positions?|"
    r"fingerprints?|co-?occur\w*|boolean|null|tuples?|offsets?)(?![\w-])",
    re.IGNORECASE,
)
NAMES = re.compile(r"--?\w[\w-]*|`[^`]*`|\[[^\]]*\|[^\]]*\]|\(limit, offset[^)]*\)")
"""Options, quoted names, and choices: what one types, which is named as elsewhere."""

WORDS = Words(
    names=("Isolde Marrow", "Toby", "Lin Yue", "Wren Tower", "Nobody"),
    notes=("Manuscript/05 - A Chair for the Warden.md", "Isolde Marrow", "99", "Cut Page"),
    texts=("Captain Vane told Hope that Ezra Pike had seen the Cormorant.", "grey gloves"),
    folders=("Characters", "Nowhere"),
)


def commands(group: click.Group, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the words of all commands of a group, and of those below it."""
    context = click.Context(group)
    found = [words]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = (*words, name)
        found += commands(command, inner) if isinstance(command, click.Group) else [inner]
    return found


def jargon(text: str) -> set[str]:
    return {found.lower() for found in JARGON.findall(NAMES.sub("", text))}


def test_the_help_has_no_words_of_the_program() -> None:
    cli = build_cli()
    told = {
        words: jargon(CliRunner().invoke(cli, [*words, "--help"]).stdout) for words in commands(cli)
    }
    assert len(told) > len(cli.list_commands(click.Context(cli)))
    assert {words: found for words, found in told.items() if found} == {}


def test_an_answer_has_no_words_of_the_program(sqlite_novel: Session, tmp_path: Path) -> None:
    told: dict[str, set[str]] = {}
    chapters = cycle((None, 5, 99))
    for name, capability in sqlite_novel.capabilities.items():
        if name in ("rebuild", "migrate", "list_plugins", "evaluate_relations"):
            continue
        for asked, as_of in zip(questions(capability, WORDS), chapters, strict=False):
            bound = {"as_of": as_of} if "as_of" in capability.request.model_fields else {}
            if name == "draw_entity_graph":
                asked = asked | {"format": "html", "output": str(tmp_path / "page.html")}
            elif asked.get("format", "json") != "json":
                continue
            elif asked.get("relations") is True:
                continue  # learns for long: what it says then is read in tests/relation_model
            try:
                text = sqlite_novel.call(name, asked | bound).as_text()
            except WriterosError as error:
                text = str(error)
            told[f"{name} {asked}"] = jargon(text)
    assert len(told) > 100
    assert {asked: found for asked, found in told.items() if found} == {}
