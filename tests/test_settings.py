"""Settings: which of several sources wins, and what is said of a value that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from writeros_entities import Settings, SettingsError, load_settings
from writeros_entities.settings import VAULT_FILE


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    return folder


def write_user_file(config: Path, text: str) -> Path:
    file = config / "settings.toml"
    file.write_text(text, "utf-8")
    return file


def write_vault_file(vault: Path, text: str) -> Path:
    file = vault / VAULT_FILE
    file.write_text(text, "utf-8")
    return file


def from_environment(**variables: str) -> Settings:
    return load_settings(environment=variables, config_folder=Path("nowhere"))


def test_without_any_source_the_defaults_hold(vault: Path, config: Path) -> None:
    assert load_settings(vault, environment={}, config_folder=config) == Settings()


def test_the_nearer_source_wins_setting_by_setting(vault: Path, config: Path) -> None:
    write_user_file(config, "chunk_target = 101\nchunk_limit = 401\ndiscovery_needed = 4\nnever=[]")
    write_vault_file(vault, 'chunk_target = 102\nchunk_limit = 402\nnever = ["It"]')
    settings = load_settings(
        vault,
        environment={"WRITEROS_CHUNK_TARGET": "103", "WRITEROS_DATABASE": "sqlite:///env"},
        config_folder=config,
        database="sqlite:///argument",
    )
    assert settings == Settings(
        discovery_needed=4,
        never=("It",),
        chunk_limit=402,
        chunk_target=103,
        database="sqlite:///argument",
    )


def test_a_list_replaces_the_list_of_a_farther_source(vault: Path, config: Path) -> None:
    write_user_file(config, 'never = ["It", "They"]')
    write_vault_file(vault, 'never = ["Summer"]')
    assert load_settings(vault, environment={}, config_folder=config).never == ("Summer",)


def test_an_argument_that_is_none_counts_as_not_given(vault: Path, config: Path) -> None:
    write_vault_file(vault, 'chunker = "vault"')
    settings = load_settings(vault, environment={}, config_folder=config, chunker=None)
    assert settings.chunker == "vault"


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("sqlite:///index.sqlite3", "sqlite:///{folder}/index.sqlite3"),
        ("sqlite:///../a/index.sqlite3?timeout=9", "sqlite:///{above}/a/index.sqlite3?timeout=9"),
        ("sqlite+pysqlite:///index", "sqlite+pysqlite:///{folder}/index"),
        ("sqlite:////data/index.sqlite3", "sqlite:////data/index.sqlite3"),
        ("sqlite://", "sqlite://"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
        ("sqlite:///file:index?uri=true", "sqlite:///file:index?uri=true"),
        ("postgresql://me@server/vaults", "postgresql://me@server/vaults"),
    ],
)
def test_a_path_in_a_file_counts_from_the_files_folder(
    vault: Path, config: Path, written: str, means: str
) -> None:
    write_user_file(config, f'database = "{written}"')
    settings = load_settings(vault, environment={}, config_folder=config)
    assert settings.database == means.format(folder=config, above=config.parent)
    write_vault_file(vault, f'database = "{written}"\nembedding_path = "weights"')
    settings = load_settings(vault, environment={}, config_folder=config)
    assert settings.database == means.format(folder=vault, above=vault.parent)
    assert settings.embedding_path == vault / "weights"


def test_a_path_in_a_file_may_begin_at_the_users_own_folder(
    vault: Path, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    paths = 'database = "sqlite:///~/index.sqlite3"\nembedding_path = "~/weights"'
    write_vault_file(vault, paths)
    settings = load_settings(vault, environment={}, config_folder=config)
    assert settings.database == f"sqlite:///{tmp_path}/index.sqlite3"
    assert settings.embedding_path == tmp_path / "weights"


def test_a_path_of_nobodys_folder_is_told(vault: Path, config: Path) -> None:
    file = write_vault_file(vault, 'database = "sqlite:///~nobody-at-all/index.sqlite3"')
    with pytest.raises(SettingsError, match=f"'~nobody-at-all/index.sqlite3' in {file}"):
        load_settings(vault, environment={}, config_folder=config)


def test_a_path_in_the_environment_or_an_argument_counts_from_the_current_folder(
    vault: Path, config: Path
) -> None:
    write_vault_file(vault, 'database = "sqlite:///a"\nembedding_path = "a"')
    variables = {"WRITEROS_DATABASE": "sqlite:///b", "WRITEROS_EMBEDDING_PATH": "b"}
    settings = load_settings(vault, environment=variables, config_folder=config)
    assert (settings.database, settings.embedding_path) == ("sqlite:///b", Path("b"))
    settings = load_settings(vault, environment={}, config_folder=config, database="sqlite:///c")
    assert (settings.database, settings.embedding_path) == ("sqlite:///c", vault / "a")


def test_a_path_that_is_none_is_told_as_it_is_written(vault: Path, config: Path) -> None:
    file = write_vault_file(vault, "embedding_path = 7")
    with pytest.raises(SettingsError, match=f"'embedding_path' .from {file}."):
        load_settings(vault, environment={}, config_folder=config)


def test_without_a_vault_only_the_users_file_is_read(vault: Path, config: Path) -> None:
    write_user_file(config, "discovery = false")
    assert load_settings(environment={}, config_folder=config).discovery is False


def test_the_users_file_lies_in_the_configuration_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_config_path", lambda name, **_: tmp_path / name)
    (tmp_path / "writeros-entities").mkdir()
    write_user_file(tmp_path / "writeros-entities", "discovery = false")
    assert load_settings(environment={}).discovery is False


# -- The environment -----------------------------------------------------------------------------


def test_lists_in_the_environment_are_separated_by_commas() -> None:
    assert from_environment(WRITEROS_NEVER="It, Mr. Nobody,,").never == ("It", "Mr. Nobody")
    assert from_environment(WRITEROS_READING_ORDERS="").reading_orders == ()


def test_mappings_in_the_environment_are_names_and_values() -> None:
    settings = from_environment(
        WRITEROS_ENTITY_FOLDERS="World/Ships = vessel, World/E=mc2=concept",
        WRITEROS_VISIBLE_FROM="Notes=always,Plan.md=7",
    )
    assert settings.entity_folders == {"World/Ships": "vessel", "World/E=mc2": "concept"}
    assert settings.visible_from == {"Notes": "always", "Plan.md": "7"}


@pytest.mark.parametrize("value", ["World/Ships", "=vessel", "World/Ships=", "a=b, c"])
def test_a_mapping_without_names_or_values_is_an_error(value: str) -> None:
    with pytest.raises(SettingsError, match=r"'entity_folders' \(from WRITEROS_ENTITY_FOLDERS\)"):
        from_environment(WRITEROS_ENTITY_FOLDERS=value)


@pytest.mark.parametrize(
    ("variable", "value", "setting", "expected"),
    [
        ("WRITEROS_DISCOVERY", "no", "discovery", False),
        ("WRITEROS_CHUNK_TARGET", "64", "chunk_target", 64),
        ("WRITEROS_SETTLE_SECONDS", "0.5", "settle_seconds", 0.5),
        ("WRITEROS_WATCH_METHOD", "polling", "watch_method", "polling"),
        ("WRITEROS_DATABASE", "sqlite:///a,b=c", "database", "sqlite:///a,b=c"),
    ],
)
def test_a_single_value_in_the_environment_is_read_as_what_the_setting_is(
    variable: str, value: str, setting: str, expected: object
) -> None:
    assert getattr(from_environment(**{variable: value}), setting) == expected


def test_every_setting_can_be_given_in_the_environment() -> None:
    values = {
        name: ",".join(
            f"{item}={value[item]}" if isinstance(value, dict) else item for item in value
        )
        if isinstance(value, tuple | dict)
        else str(value)
        for name, value in Settings().model_dump().items()
        if value is not None
    }
    variables = {f"WRITEROS_{name.upper()}": value for name, value in values.items()}
    assert from_environment(**variables) == Settings()


def test_a_variable_that_names_no_setting_is_somebody_elses() -> None:
    assert from_environment(WRITEROS_API_KEY="secret", CHUNKER="none") == Settings()


# -- What does not fit ---------------------------------------------------------------------------


def test_an_unknown_setting_names_its_file_and_the_known_settings(
    vault: Path, config: Path
) -> None:
    file = write_vault_file(vault, "chunk_size = 200")
    with pytest.raises(SettingsError) as raised:
        load_settings(vault, environment={}, config_folder=config)
    message = str(raised.value)
    assert message.startswith(f"There is no setting 'chunk_size' (from {file}).")
    assert message.endswith(f"Known settings: {', '.join(sorted(Settings.model_fields))}.")


def test_an_unknown_argument_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"no setting 'chunk_size' \(from an argument\)"):
        load_settings(environment={}, config_folder=Path("nowhere"), chunk_size=3)


def test_a_bad_value_names_its_file_and_what_was_expected(vault: Path, config: Path) -> None:
    file = write_user_file(config, "chunk_target = 3")
    with pytest.raises(SettingsError) as raised:
        load_settings(vault, environment={}, config_folder=config)
    assert str(raised.value) == (
        f"Setting 'chunk_target' (from {file}): Input should be greater than or equal to 20."
    )


def test_a_bad_value_names_the_source_that_won(vault: Path, config: Path) -> None:
    write_user_file(config, "chunk_target = 300")
    with pytest.raises(SettingsError, match=r"'chunk_target' \(from WRITEROS_CHUNK_TARGET\)"):
        load_settings(vault, environment={"WRITEROS_CHUNK_TARGET": "many"}, config_folder=config)


def test_text_where_a_list_or_a_mapping_belongs_is_an_error_that_shows_one(
    vault: Path, config: Path
) -> None:
    write_vault_file(vault, 'never = "It"')
    with pytest.raises(SettingsError, match=r'a list: never = \["one", "another"\]\.$'):
        load_settings(vault, environment={}, config_folder=config)
    write_vault_file(vault, 'entity_folders = "Ships"')
    with pytest.raises(SettingsError, match=r'a mapping: entity_folders = \{ "one" = "another" \}'):
        load_settings(vault, environment={}, config_folder=config)


def test_a_setting_that_stands_below_a_table_is_told_to_stand_above(
    vault: Path, config: Path
) -> None:
    write_vault_file(vault, '[entity_folders]\nShips = "item"\n\nnever = ["It"]\n')
    with pytest.raises(SettingsError, match=r"below \[entity_folders\] .*'never'.* above"):
        load_settings(vault, environment={}, config_folder=config)


@pytest.mark.parametrize("content", [b"chunk_target =", b'never = ["\xff"]'])
def test_a_file_that_is_no_toml_is_named(vault: Path, config: Path, content: bytes) -> None:
    file = vault / VAULT_FILE
    file.write_bytes(content)
    with pytest.raises(SettingsError) as raised:
        load_settings(vault, environment={}, config_folder=config)
    assert str(raised.value).startswith(f"{file} is not valid TOML: ")


def test_a_file_that_cannot_be_read_is_named(vault: Path, config: Path) -> None:
    (vault / VAULT_FILE).mkdir()
    with pytest.raises(SettingsError, match=f"{VAULT_FILE} cannot be read"):
        load_settings(vault, environment={}, config_folder=config)


def test_a_byte_order_mark_in_front_does_no_harm(vault: Path, config: Path) -> None:
    (vault / VAULT_FILE).write_bytes(b"\xef\xbb\xbfdiscovery = false\n")
    assert load_settings(vault, environment={}, config_folder=config).discovery is False


# -- Digests -------------------------------------------------------------------------------------


def test_a_digest_changes_with_the_named_settings_alone() -> None:
    first = Settings(chunk_target=100).digest("chunk_target", "never")
    assert Settings(chunk_target=100, discovery=False).digest("never", "chunk_target") == first
    assert Settings(chunk_target=101).digest("chunk_target", "never") != first


def test_a_digest_does_not_depend_on_the_order_of_a_mapping() -> None:
    one = Settings(entity_folders={"a": "x", "b": "y"}).digest("entity_folders")
    assert Settings(entity_folders={"b": "y", "a": "x"}).digest("entity_folders") == one
