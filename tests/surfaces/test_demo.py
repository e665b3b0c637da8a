from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from writeros_entities.surfaces.cli import build_cli

if TYPE_CHECKING:
    from collections.abc import Callable

    WriteVault = Callable[[dict[str, str]], Path]


def run(vault: Path | str, *arguments: str) -> Result:
    return CliRunner().invoke(
        build_cli(), ["--vault", str(vault), *arguments], prog_name="writeros-entities"
    )


def steps_of(output: str) -> list[str]:
    return [line[2:] for line in output.splitlines() if line.startswith("$ ")]


NOVEL = "vault_fixtures/novel"


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])


def test_the_tour_of_the_novel_shows_every_step_with_its_command() -> None:
    result = run(NOVEL, "demo")
    assert (result.exit_code, result.stderr) == (0, "")
    program = "writeros-entities --vault vault_fixtures/novel"
    assert steps_of(result.stdout) == [
        f"{program} sync",
        f"{program} status",
        f"{program} list-entities --types person --limit 12",
        f"{program} find-mentions --limit 5 'Isolde Marrow'",
        f"{program} find-mentions --as-of 4 --limit 2 'Isolde Marrow'",
        f"{program} extract-entities 'Isolde and Toby met Ada Merrin in Marrow House.'",
        f"{program} search-by-entities --match-mode all --top-k 3 'Isolde Marrow' "
        "'Tobias Wren (younger)'",
        f"{program} search --limit 3 'What is said of Isolde Marrow?'",
    ]
    lines = result.stdout.splitlines()
    assert "- manuscript: 14 notes, 1–14 in reading order" in lines
    assert '- line 24: "I know the road," said **Isolde**.' in lines
    assert "| Toby | Tobias Wren (younger) | person | noted | 0.95 |" in lines
    assert "| Ada Merrin | Ada Merrin | person | suggested | 0.60 |" in lines


def test_every_command_of_the_tour_gives_the_answer_shown() -> None:
    output = run(NOVEL, "demo").stdout
    shown = output.split("\n$ ")[3:]  # what a sync and a status say changes from run to run
    for step in shown:
        command, _, answer = step.partition("\n")
        again = CliRunner().invoke(build_cli(), shlex.split(command)[1:])
        assert answer.startswith(again.stdout)


def test_the_text_can_be_chosen() -> None:
    output = run(NOVEL, "demo", "--text", "Where is Lin Yue?").stdout
    assert "| Lin Yue | Lin Yue | person | noted | 1.00 |" in output
    assert "Ada Merrin" not in output


def test_a_vault_without_a_manuscript_and_people_has_a_shorter_tour(
    write_vault: WriteVault,
) -> None:
    vault = write_vault({"Redis.md": "# Redis\n\nSee [[Celery]].", "Home.md": "[[Redis]], Celery."})
    result = run(vault, "demo")
    assert result.exit_code == 0
    names = [step.split()[3] for step in steps_of(result.stdout)]
    assert names == [
        "sync",
        "status",
        "list-entities",
        "find-mentions",
        "extract-entities",
        "search-by-entities",
        "search",
    ]


def test_a_name_that_two_have_is_asked_for_by_its_id(write_vault: WriteVault) -> None:
    note = "---\ntype: person\n---\nMara Vane is here."
    vault = write_vault({"Old/Mara Vane.md": note, "New/Mara Vane.md": note})
    result = run(vault, "demo")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Mara Vane" not in steps_of(result.stdout)[3]


def test_an_empty_vault_says_what_to_do(write_vault: WriteVault) -> None:
    result = run(write_vault({}), "demo")
    assert result.exit_code == 0
    assert result.stdout.endswith(
        "No names yet: give somebody a note, or link to one, and run this again.\n"
    )


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere", "demo")
    assert result.exit_code == 1
    assert "There is no folder" in result.stderr
