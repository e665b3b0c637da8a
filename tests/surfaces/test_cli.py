from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner, Result

from tests.asking import BUILT_IN
from writeros_entities import (
    Capability,
    Finding,
    Request,
    Settings,
    SettingsError,
    Story,
    __version__,
    hookimpl,
)
from writeros_entities.capabilities import BUILT_IN as SUMMARIES
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.surfaces.catalogue import Catalogue, read_catalogue
from writeros_entities.surfaces.cli import build_cli

from .toys import TOYS, open_toys, read_toys

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace


def run(*arguments: str, input: str | None = None, **environment: str) -> Result:
    cli = build_cli(read_toys, open_toys)
    return CliRunner().invoke(cli, arguments, input, environment, prog_name="writeros-entities")


def run_json(*arguments: str, input: str | None = None) -> Any:
    result = run(*arguments, "--json", input=input)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def names_in(answer: dict[str, Any]) -> list[str]:
    return [person["name"] for person in answer["people"]]


def test_help_groups_the_commands_by_family() -> None:
    output = run("--help").stdout
    headings = [line[:-1] for line in output.splitlines() if line[:1].isalpha() and line[-1] == ":"]
    assert headings == [
        "Options",
        "Vault",
        "Entities",
        "Graph",
        "Search",
        "Context",
        "Foreign",
        "Program",
    ]
    assert "list-people   List the people of the novel, in order of appearance." in output


def test_a_commands_help_says_what_its_request_says() -> None:
    output = " ".join(run("list-people", "--help", COLUMNS="100").stdout.split())
    assert "whatever the folders say" in output
    assert "--match-mode [exact|starts_with] How names are compared. [default: exact]" in output
    assert "--limit INTEGER RANGE How many to return at most. [default: 20; 1<=x<=500]" in output
    assert "--reverse / --no-reverse" in output
    assert "matchMode" not in output


def test_a_number_without_bounds_is_told_as_one() -> None:
    cli = build_cli(read_catalogue, open_toys)
    told = CliRunner().invoke(cli, ["analyze-entity-evolution", "--help"]).stdout
    assert "--from-position INTEGER  Only from this place in reading order on.\n" in told


def test_help_explains_arguments() -> None:
    assert "Two names or more." in run("find-common", "--help").stdout


def test_help_says_how_to_give_a_text_on_standard_input() -> None:
    assert "A passage. With -, standard input is read." in run("count-words", "--help").stdout


def test_help_says_how_to_give_several_values() -> None:
    told = " ".join(run("list-people", "--help", COLUMNS="100").stdout.split())
    assert "--names TEXT Only these names. Repeat the option for several." in told


def test_help_calls_a_parameter_as_it_is_given() -> None:
    cli = build_cli(read_catalogue, open_toys)
    told = " ".join(CliRunner().invoke(cli, ["context-for-text", "--help"]).stdout.split())
    assert "the properties of `--note`, or of the chapter at `--as-of`." in told


def test_help_calls_another_command_as_it_is_given() -> None:
    cli = build_cli(read_catalogue, open_toys)
    told = CliRunner().invoke(cli, ["get-entity-history", "--help"]).stdout
    assert "`get-entity`" in told
    assert "`get-entity-graph`" in CliRunner().invoke(cli, ["--help"]).stdout


def test_an_error_calls_a_parameter_as_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "01 - One.md").write_text("Ann met Ben.\n", "utf-8")
    where = ["--vault", str(tmp_path), "--database", f"sqlite:///{tmp_path / 'index.sqlite3'}"]
    program = build_cli()
    assert CliRunner().invoke(program, [*where, "sync"]).exit_code == 0
    path = CliRunner().invoke(program, [*where, "find-paths", "Ann"])
    assert "a path has two ends: name a second entity, or some in `--to`" in path.stderr


@pytest.mark.parametrize(
    ("command", "one", "other"),
    [
        ("get-relationship-timeline", ["Isolde", "Toby"], ["Isolde", "--other", "Toby"]),
        ("find-paths", ["Isolde", "Toby"], ["Isolde", "--to", "Toby"]),
        ("get-entity-graph", ["Isolde"], ["--center-entity", "Isolde"]),
    ],
)
def test_a_name_can_be_given_by_its_place_or_as_an_option(
    sqlite_novel: Session, command: str, one: list[str], other: list[str]
) -> None:
    root, index = str(sqlite_novel.root), sqlite_novel.database_url
    asked = [command, "--vault", root, "--database", index, "--json"]
    answers = [CliRunner().invoke(build_cli(), [*asked, *words]) for words in (one, other)]
    assert [answer.exit_code for answer in answers] == [0, 0]
    assert answers[0].stdout == answers[1].stdout
    assert "Isolde Marrow" in answers[0].stdout


def test_a_name_given_by_its_place_and_as_an_option_is_refused() -> None:
    cli = build_cli(read_catalogue, open_toys)
    words = ["get-relationship-timeline", "Isolde", "Toby", "--other", "Hope"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert "Error: OTHER and --other are the same: give one.\n" in result.stderr


def test_defaulted_fields_are_options() -> None:
    answer = run_json("list-people", "--reverse", "--limit", "2", "--as-of", "7")
    assert names_in(answer) == ["王熙鳳", "Gánz Ágnes"]
    assert answer["as_of"] == "7"


@pytest.mark.parametrize("name", ["Chapter 7", "9" * 5_000])
def test_a_reading_position_can_be_a_chapters_name(name: str) -> None:
    assert run_json("list-people", "--as-of", name)["as_of"] == name


def test_a_list_is_an_option_given_several_times() -> None:
    answer = run_json("list-people", "--names", "王熙鳳", "--names", "Gánz Ágnes")
    assert names_in(answer) == ["Gánz Ágnes", "王熙鳳"]


def test_a_required_list_is_a_variadic_argument() -> None:
    answer = run_json("find-common", "Ann", "Bob", "--ratio", "1")
    assert answer == {"words": ["Ann", "Bob"], "ratio": 1.0, "passage": ""}


@pytest.mark.parametrize("spelling", ["--matchMode", "--match_mode", "--match-mode"])
def test_options_are_accepted_in_every_spelling(spelling: str) -> None:
    answer = run_json("list-people", spelling, "starts_with", "--names", "Eliza")
    assert names_in(answer) == ["Elizabeth Bennet"]


@pytest.mark.parametrize("spelling", ["--count", "--topK", "--top-k", "--top_k"])
def test_an_option_is_accepted_by_its_alias(spelling: str) -> None:
    assert run_json("find-common", "Ann", "Bob", spelling, "1")["words"] == ["Ann"]


@pytest.mark.parametrize("spelling", ["list-people", "list_people", "listPeople"])
def test_commands_are_accepted_in_every_spelling(spelling: str) -> None:
    assert run_json(spelling)["total"] == 4


def test_a_text_of_one_dash_is_read_from_standard_input() -> None:
    assert run_json("count-words", "-", input="It is")["words"] == ["It", "is"]


def test_a_list_of_lists_is_given_as_json() -> None:
    triple = '["Jane", "sibling_of", "Elizabeth"]'
    assert run_json("count-words", "x", "--triples", triple, "--triples", triple)["ratio"] == 2.0


def test_piped_text_is_plain_markdown() -> None:
    result = run("list-people", "--limit", "1")
    assert result.stdout == "# 4 people\n\n- Elizabeth Bennet: chapter 1\n"


def test_json_keeps_every_scripts_letters() -> None:
    assert "王熙鳳" in run("list-people", "--json").stdout


def test_an_error_that_can_be_mended_is_told_on_stderr() -> None:
    result = run("get-entity", "Liz")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: There is no entity 'Liz'. Did you mean 'Elizabeth Bennet'?\n"


def test_an_answer_that_is_a_failure_is_printed_and_fails() -> None:
    result = run("check-health", "--broken")
    assert (result.exit_code, result.stdout) == (1, "Something is broken.\n")


@pytest.mark.parametrize(
    ("arguments", "explanation"),
    [
        (["get-entity"], "Missing argument 'ENTITY'"),
        (["list-people", "--limit", "0"], "0 is not in the range 1<=x<=500"),
        (["list-people", "--match-mode", "fuzzy"], "'exact', 'starts_with'"),
        (["list-people", "--nmaes", "x"], "Did you mean '--names'?"),
        (["count-words", "x", "--triples", "3"], "triples.0: Input should be a valid list"),
        (["list-poeple"], "Did you mean 'list-people'?"),
        (["servr"], "Did you mean 'serve'?"),
        (["get-entity", "Eliza", "Bennet"], 'Put several words into quotes: "Eliza Bennet"'),
        (["get-entity", 'Liz "Lizzy"', "Bennet"], "quotes: 'Liz \"Lizzy\" Bennet'"),
        (["list-people", "Jane", "Bingley"], 'No option was named for "Jane Bingley". Options'),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], explanation: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert explanation in result.stderr


def test_wrong_usage_opens_no_workspace() -> None:
    def refuse(vault: Path | None, **others: Any) -> Session:
        raise AssertionError("opened")

    result = CliRunner().invoke(build_cli(read_toys, refuse), ["count-words", "x", "--triples=3"])
    assert result.exit_code == 2


def test_the_vault_and_the_database_are_those_of_the_options() -> None:
    seen: list[Any] = []

    def read(vault: Path | None, database: str | None) -> Catalogue:
        seen.append((vault, database))
        return Catalogue(TOYS)

    def opener(vault: Path | None, **others: Any) -> Session:
        seen.append((vault, others["database"]))
        return open_toys()

    for arguments in (
        ["--vault", "/novel", "--database", "sqlite:///x", "check-health"],
        ["check-health", "--vault", "/novel", "--database=sqlite:///x"],
        ["--vault=/novel", "check-health", "--DATABASE", "sqlite:///x", "--vault", "/novel"],
    ):
        assert CliRunner().invoke(build_cli(read, opener), arguments).exit_code == 0
        assert seen == [(Path("/novel"), "sqlite:///x")] * 2
        seen.clear()


@pytest.mark.parametrize(
    ("arguments", "explanation"),
    [
        (["--vault", "/a", "list-people", "--vault", "/b"], "'--vault' is given twice: /a and /b."),
        (["list-people", "--database=x", "--database=y"], "'--database' is given twice: x and y."),
        (["list-people", "--vault"], "Option '--vault' requires an argument."),
    ],
)
def test_an_option_of_the_program_has_one_value(arguments: list[str], explanation: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert explanation in result.stderr


def test_what_follows_two_dashes_is_no_option_of_the_program() -> None:
    result = run("count-words", "--json", "--", "--vault")
    assert json.loads(result.stdout)["words"] == ["--vault"]


def test_every_command_tells_of_the_programs_options_once() -> None:
    cli = build_cli(read_catalogue, open_toys)
    context = click.Context(cli)
    for name in cli.list_commands(context):
        told = CliRunner().invoke(cli, [name, "--help"]).stdout
        assert "Before or after the command: --vault, --database and --no-pager" in told
        assert told.count("--vault") == told.count("--database") == 1


WHAT_A_VAULT_IS = (
    "A vault is the folder with your notes, the one that you open in Obsidian. Go to it, or name "
    "it: writeros-entities --vault ~/Novel sync\n"
)


@pytest.mark.parametrize("command", ["sync", "status", "list-entities"])
@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([], "it holds no notes (Markdown files)"),
        (["photo.jpg", "Taxes/2024.pdf"], "it holds no notes (Markdown files)"),
        (["README.md", "src/a.py"], "it holds no notes (Markdown files)"),
        (["tool/.git/HEAD", "tool/usage.md"], "it holds no notes (Markdown files)"),
        (
            ["Novel/.obsidian/app.json", "Diary/.obsidian/app.json"],
            "it holds others (Diary, Novel)",
        ),
        (["todo.md", "Novel/.obsidian/app.json"], "it holds others (Novel)"),
        (
            [f"{number}/.obsidian/app.json" for number in range(1, 8)],
            "it holds others (1, 2, 3, 4, 5 and 2 more)",
        ),
    ],
)
def test_a_folder_that_is_no_vault_is_not_indexed_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, files: list[str], why: str
) -> None:
    folder = tmp_path / "Documents"
    folder.mkdir()
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("Ann came.\n", "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    refused = CliRunner().invoke(build_cli(), [command])
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == f"Error: {folder} is not a vault: {why}. {WHAT_A_VAULT_IS}"
    assert not (tmp_path / "data").exists()
    assert CliRunner().invoke(build_cli(), ["sync", "--vault", "."]).exit_code == 0


@pytest.mark.parametrize(
    "file", ["01.md", "Chapters/01.md", ".obsidian/app.json", ".writeros-entities.toml"]
)
def test_a_folder_that_looks_like_a_vault_need_not_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    (tmp_path / "Novel" / file).parent.mkdir(parents=True)
    (tmp_path / "Novel" / file).write_text("", "utf-8")
    monkeypatch.chdir(tmp_path / "Novel")
    assert CliRunner().invoke(build_cli(), ["sync"]).exit_code == 0


def broken_settings(vault: Path | None, database: str | None) -> Catalogue:
    raise SettingsError("There is no setting 'chunkr'.")


def test_help_survives_broken_settings() -> None:
    result = CliRunner().invoke(build_cli(broken_settings, open_toys), ["--help"])
    assert result.exit_code == 0
    assert "There is no setting 'chunkr'." in result.stdout
    assert "serve" in result.stdout


def test_a_command_tells_of_broken_settings() -> None:
    result = CliRunner().invoke(build_cli(broken_settings, open_toys), ["list-people"])
    assert (result.exit_code, result.stderr) == (1, "Error: There is no setting 'chunkr'.\n")


class Adding:
    """A plugin with one capability."""

    def __init__(self, added: Capability[Any, Any]) -> None:
        self.added = added

    @hookimpl
    def register_capabilities(self) -> list[Capability[Any, Any]]:
        return [self.added]


def test_a_capability_cannot_take_the_name_of_a_command() -> None:
    toy = TOYS["check_health"]
    taken: Capability[Any, Any] = Capability(
        "watch", "vault", toy.help, toy.request, toy.response, toy.function
    )
    plugins = load_plugins(Settings(), {"stranger": Adding(taken)})
    cli = build_cli(lambda vault, database: Catalogue(plugins.capabilities, plugins), open_toys)
    result = CliRunner().invoke(cli, ["list-people"])
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: Plugin 'stranger' has a capability named 'watch', which is a command of "
        "writeros-entities itself. Disable the plugin (setting disabled_plugins).\n",
    )


def test_a_capability_cannot_have_a_parameter_that_is_an_option_of_the_program() -> None:
    class AskVault(Request):
        vault: str = ""

    toy = TOYS["check_health"]
    asking: Capability[Any, Any] = Capability(
        "ask_vault", "vault", toy.help, AskVault, toy.response, toy.function
    )
    plugins = load_plugins(Settings(), {"stranger": Adding(asking)})
    cli = build_cli(lambda vault, database: Catalogue(plugins.capabilities, plugins), open_toys)
    result = CliRunner().invoke(cli, ["list-people"])
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: Plugin 'stranger' has a capability with the parameter 'vault', as --vault is an "
        "option of writeros-entities itself. Disable the plugin (setting disabled_plugins).\n",
    )


class Loud:
    """Prints wherever it is called."""

    @hookimpl
    def register_capabilities(self) -> list[Capability[Any, Any]]:
        print("loading")
        toy = TOYS["check_health"]
        return [Capability("shout", "loud", toy.help, toy.request, toy.response, self.shout)]

    @hookimpl
    def register_continuity_rules(self) -> list[Loud]:
        return [self]

    name = "loud"
    description = "Finds nothing."

    def check(self, story: Story) -> list[Finding]:
        print("checking")
        return []

    def shout(self, session: Workspace, request: Any) -> Any:
        print("shouting")
        return TOYS["check_health"].response(broken=False)


def test_what_a_plugin_prints_is_not_in_the_answer(tmp_path: Path) -> None:
    def read(vault: Path | None, database: str | None) -> Catalogue:
        plugins = load_plugins(Settings(), {"loud": Loud()})
        return Catalogue(plugins.capabilities, plugins)

    result = CliRunner().invoke(build_cli(read), ["--vault", str(tmp_path), "shout", "--json"])
    assert (json.loads(result.stdout), result.stderr) == ({"broken": False}, "loading\nshouting\n")


def test_what_a_plugin_prints_is_not_in_a_prompt(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "1 - Ann.md").write_text("---\nchapter: 1\n---\nAnn came.", "utf-8")
    plugins = load_plugins(Settings(), {"loud": Loud()})
    with Session.open(tmp_path, plugins=plugins) as session:
        session.call("sync", {})
    cli = build_cli(lambda vault, database: Catalogue(plugins.capabilities, plugins))
    command = ["--vault", str(tmp_path), "prompts", "continuity-review", "1"]
    result = CliRunner().invoke(cli, command)
    assert result.stdout.startswith("# ")
    assert (result.exit_code, result.stderr) == (0, "checking\n")


def test_the_version_is_the_packages() -> None:
    assert run("--version").stdout == f"writeros-entities {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_WRITEROS_ENTITIES_COMPLETE" in result.stdout


def test_a_shell_completes_commands_and_choices() -> None:
    cli = build_cli(read_toys, open_toys)
    words = {"COMP_WORDS": "writeros-entities list-", "COMP_CWORD": "1"}
    variable = {"_WRITEROS_ENTITIES_COMPLETE": "bash_complete"}
    result = CliRunner().invoke(cli, env=words | variable, prog_name="writeros-entities")
    assert result.stdout == "plain,list-people\n"


def test_a_shell_completes_the_programs_commands_beside_broken_settings() -> None:
    cli = build_cli(broken_settings, open_toys)
    variable = {"_WRITEROS_ENTITIES_COMPLETE": "bash_complete"}
    for words, found in (("ser", "plain,serve"), ("list-people --li", "")):
        typed = {"COMP_WORDS": f"writeros-entities {words}", "COMP_CWORD": str(len(words.split()))}
        result = CliRunner().invoke(cli, env=typed | variable, prog_name="writeros-entities")
        assert (result.stdout.strip(), result.stderr) == (found, "")


def test_serve_refuses_a_family_that_does_not_exist() -> None:
    result = run("serve", "--families", "entities,grph")
    assert result.exit_code == 1
    assert "Did you mean 'graph'?" in result.stderr


def test_what_help_lists_is_what_each_capability_declares() -> None:
    declared: dict[str, dict[str, str]] = {}
    for one in BUILT_IN:
        declared.setdefault(one.family, {})[one.name] = one.summary
    assert declared == SUMMARIES
