"""The documents for people show real output: their examples are run, in order, on the novel.

In a `console` block, each line after `$ ` is a command, and what follows it is compared with what
it prints; `…` stands for anything, alone on its line for any lines. A `markdown` or `toml` block
with `title="path"` is written into the vault first. A `python` block is run.

    python tests/project/test_readme.py    # writes what the commands print now into the documents
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from writeros_entities.surfaces.cli import build_cli

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "docs/writer-tutorial.md")
_FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One command of a console block, and what the document says that it prints."""

    command: str
    output: list[str]


def steps_of(block: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *output = part.rstrip("\n").split("\n")
        while output and not output[-1]:
            output.pop()
        yield Step(command, output)


def run_command(command: str) -> list[str]:
    """Run one line in the current folder and return the lines that it prints."""
    program, *arguments = shlex.split(command)
    assert program == "writeros-entities", f"no command of this program: {command}"
    result = CliRunner().invoke(build_cli(), arguments, prog_name=program)
    return result.output.rstrip("\n").split("\n")


def fits(expected: Sequence[str], printed: Sequence[str]) -> bool:
    pieces = []
    for line in expected:
        if line == "…":
            pieces.append(r"(?:.*\n)*?")
        else:
            pieces.append(re.escape(line).replace("…", ".*") + r"\n")
    return re.fullmatch("".join(pieces), "".join(f"{line}\n" for line in printed)) is not None


def shortened_alike(expected: Sequence[str], printed: list[str]) -> list[str]:
    """Return what is printed, cut where the document cuts it."""
    if "…" not in expected:
        return printed
    kept: list[str] = []
    for line in expected:
        found = [one for one in printed if line != "…" and one[:12] == line[:12]]
        kept += found[:1] or (["…"] if kept[-1:] != ["…"] else [])
    return kept


@contextlib.contextmanager
def copied_novel() -> Iterator[Path]:
    """Stand in a copy of the novel, with settings and data of its own."""
    before, environment = Path.cwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "Drowned Bell"
        shutil.copytree(ROOT / "vault_fixtures" / "novel", vault)
        os.environ |= {"XDG_DATA_HOME": f"{folder}/data", "XDG_CONFIG_HOME": f"{folder}/config"}
        os.environ |= {"COLUMNS": "80", "WRITEROS_EMBEDDING_MODEL": ""}
        os.chdir(vault)
        try:
            yield vault
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(environment)


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.usefixtures("closely")
def test_every_example_prints_what_the_document_says(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    checked = 0
    with copied_novel() as vault:
        for language, title, block in _FENCE.findall(text):
            if title:
                (vault / title).write_text(block, "utf-8")
            elif language == "console":
                for step in steps_of(block):
                    printed = run_command(step.command)
                    assert fits(step.output, printed), (step.command, step.output, printed)
                    checked += 1
            elif language == "python":
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block, document, "exec"), {})
    assert checked > 3


def test_the_examples_of_the_public_api_hold_in_their_order() -> None:
    page = ROOT / "docs" / "api.md"
    shared: dict[str, object] = {}
    with copied_novel(), contextlib.redirect_stdout(io.StringIO()):
        for language, _, block in _FENCE.findall(page.read_text("utf-8")):
            if language == "python":
                exec(compile(block, page.name, "exec", dont_inherit=True), shared)
    assert "session" in shared


def test_the_settings_for_a_client_start_the_server() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = [block for language, _, block in _FENCE.findall(text) if language == "json"]
    servers = [server for block in blocks for server in json.loads(block)["mcpServers"].values()]
    assert servers
    for server in servers:
        assert server["command"] == "writeros-entities"
        with copied_novel() as vault:
            arguments = [str(vault) if one.startswith("/") else one for one in server["args"]]
            result = CliRunner().invoke(build_cli(), [*arguments, "--help"])
            assert "over MCP" in result.output


def write_outputs(document: Path) -> None:
    """Put what the commands print now into a document, cut where it was cut."""

    def renew(fence: re.Match[str]) -> str:
        language, title, block = fence.groups()
        if title:
            Path(title).write_text(block, "utf-8")
        if language != "console":
            return fence[0]
        shown = []
        for step in steps_of(block):
            printed = run_command(step.command)
            kept = step.output if fits(step.output, printed) else None
            lines = kept or shortened_alike(step.output, printed)
            shown.append("\n".join([f"$ {step.command}", *lines]))
        return "```console\n" + "\n\n".join(shown) + "\n```"

    text = document.read_text("utf-8")
    with copied_novel():
        text = _FENCE.sub(renew, text)
    document.write_text(text, "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or DOCUMENTS:
        write_outputs(ROOT / name)
