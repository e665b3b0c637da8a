"""All settings, and the sources from which they are read.

Settings are read from these sources, later ones taking precedence: the defaults below;
`settings.toml` in the user's configuration folder; `.writeros-entities.toml` in the vault's root
(read, never written); environment variables `WRITEROS_<NAME>`; and arguments. In environment
variables, the items of a list are separated by commas, and those of a mapping are written
`name=value`; variables that name no setting are ignored. A relative path is relative to the folder
of the file in which it is given, or else to the current folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_origin
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from writeros_entities.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_core import ErrorDetails


_PRODUCT = "writeros-entities"

VAULT_FILE = ".writeros-entities.toml"
ENVIRONMENT_PREFIX = "WRITEROS_"

BY_LANGUAGE = "auto"
"""The value of `embedding_model` by which a vault gets the model that fits its language."""

OTHERS = 0o077
"""The permissions of everybody but a file's owner."""

_SQLITE_FILE = re.compile(r"(sqlite(?:\+\w+)?:///)(?!file:|:memory:)([^?]++)(.*)")
"""Matches the URL of a SQLite file, in three groups: before the path, the path, and after it."""


class Settings(BaseModel):
    """Every setting, with its default."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    database: str | None = Field(
        None,
        description="Database URL, `sqlite:///…` or `postgresql://…`; by default a SQLite file in "
        "the user's data directory.",
    )
    disabled_plugins: tuple[str, ...] = Field((), description="Plugins that are not loaded.")
    chunker: str = Field("headings", description="The chunker that splits notes.")
    chunk_target: int = Field(200, ge=20, description="Target size of a chunk in tokens.")
    chunk_limit: int = Field(400, ge=40, description="Greatest size of a chunk in tokens.")
    token_counter: str = Field("words", description="The token counter used for chunks.")
    context_builder: str = Field("tiers", description="The context builder that packs prompts.")
    embedding_model: str = Field(
        BY_LANGUAGE,
        description="The embedding model; by default `all-MiniLM-L6-v2`, or "
        "`multilingual-e5-small` for a vault that is mostly not in English when its first vectors "
        "are made. Empty for none, which leaves search lexical.",
    )
    embedding_path: Path | None = Field(
        None, description="The folder of the embedding model's weights, if it is not installed."
    )
    embedding_device: Literal["auto", "cpu", "cuda", "mps"] = Field(
        "auto", description="Where vectors are computed: by default on a GPU if there is one."
    )
    embedding_precision: Literal["auto", "fp32"] = Field(
        "auto",
        description="Precision of the vectors of notes: by default 16-bit products if the "
        "processor is much faster with them, which changes a cosine by less than 0.0001.",
    )
    embedding_download: bool = Field(
        False,
        description="Download the embedding model's weights from its hub if they are missing.",
    )
    relation_model: str = Field(
        "transe",
        description="The model that judges unstated relations; empty for none.",
    )
    learn_relations: bool = Field(
        True,
        description="Train the relation model on the vault's relations during `watch`.",
    )
    knowledge_bases: tuple[str, ...] = Field(
        (), description="Knowledge bases whose entities are detected in the vault's notes."
    )
    reading_orders: tuple[str, ...] = Field(
        ("frontmatter", "storyline", "longform", "sessions", "numbered"),
        description="Readers of reading order; the first that claims a note wins.",
    )
    books: tuple[str, ...] = Field(
        (),
        description="Paths of the folders of a series' books, in reading order; by default ordered "
        "by the numbers in their names (`Book 2`).",
    )
    calendars: Mapping[str, Mapping[str, str | tuple[str, ...]]] = Field(
        default_factory=dict,
        description="Calendars of your own, by name: `months` with their days, `eras` with their "
        "years, and the Gregorian date on which year 1 `begins`.",
    )
    language: str = Field(
        "en",
        description="The main language of the vault, by its code: that of notes which do not say "
        "theirs (`language: fr`) and are too short to tell.",
    )
    close_reading: bool = Field(
        True,
        description="Read sentences by grammar too, after all else: more relations are found. "
        "Needs the extra of the vault's main language: `english` or `french`.",
    )
    entity_folders: Mapping[str, str] = Field(
        default_factory=dict,
        description="Folders, by path, whose notes are entities of the type given.",
    )
    discovery: bool = Field(
        True, description="Suggest repeated proper names without a note as entities."
    )
    discovery_needed: int = Field(
        3,
        ge=1,
        description="How often a name must occur in the vault to be suggested; once less, but at "
        "least twice, in the manuscript.",
    )
    exclude: tuple[str, ...] = Field(
        (),
        description="Notes that are not read: those of folders (`Old/`), with tags (`#cut`) or "
        "properties (`status: cut`), or single ones (`[[Old plan]]`).",
    )
    relation_keys: Mapping[str, str] = Field(
        default_factory=dict,
        description="What your own keys mean as relations: a kind or another key with the same "
        'meaning (`liege = "serves"`), or `none` for a key that states no relation.',
    )
    never: tuple[str, ...] = Field((), description="Names that are never mentions.")
    exact_names: tuple[str, ...] = Field(
        (), description="Names that match only in the case they are written in."
    )
    common_words: tuple[str, ...] = Field(
        (), description="Further names that are also common words and so need evidence."
    )
    visible_from: Mapping[str, int | str] = Field(
        default_factory=dict,
        description="From where folders or notes outside the manuscript are visible, by path: a "
        "reading position, a chapter's name, or `always`.",
    )
    continuity_waivers: tuple[str, ...] = Field(
        (),
        description="Findings of `check-continuity` that are intended, by the ids that it prints.",
    )
    decisions_note: str = Field(
        "Decisions.md",
        pattern=r"\S.*\.md$",
        description="The note of the vault with your decisions, by its path.",
    )
    output_folder: str = Field(
        "Entity graphs",
        min_length=1,
        description="The only folder of the vault into which graphs are written, on request.",
    )
    follow_symlinks: bool = Field(
        False, description="Read notes behind symbolic links that stay inside the vault."
    )
    max_note_bytes: int = Field(
        8_000_000, ge=1_000, description="Notes larger than this are recorded but not read."
    )
    max_note_links: int = Field(
        20_000, ge=100, description="Links of one note beyond this number are not recorded."
    )
    workers: int | None = Field(
        None,
        ge=0,
        le=64,
        description="Processes that read notes in a large sync, besides the one that writes, which "
        "reads too; by default one for each further core.",
    )
    statement_seconds: float = Field(
        120.0,
        ge=0,
        description="How long one query of the index may take, in seconds; 0 for any time. What "
        "writes the index may take an hour.",
    )
    call_seconds: float = Field(
        30.0,
        ge=0,
        description="How long a call of an AI client may take, in seconds; 0 for any time. `sync`, "
        "`rebuild` and `migrate` may take as long as they need.",
    )
    settle_seconds: float = Field(
        0.1, ge=0, description="How long a watched vault must be quiet before a sync."
    )
    rescan_seconds: float = Field(
        300.0, gt=0, description="How often a watched vault is scanned in full."
    )
    watch_method: Literal["auto", "events", "polling"] = Field(
        "auto", description="How changes are detected: by file system events, or by polling."
    )

    @field_validator("decisions_note")
    @classmethod
    def _stay_in_vault(cls, path: str) -> str:
        """Return the path of a note that lies in the vault, in the Unicode form NFC."""
        parts = path.split("/")
        if any(part in ("", ".", "..") or part.startswith(".") for part in parts) or "\\" in path:
            raise ValueError("Expected the path of a note in the vault, such as Notes/Decisions.md")
        return unicodedata.normalize("NFC", path)

    @field_validator("calendars")
    @classmethod
    def _require_months(cls, calendars: Any) -> Any:
        """Return calendars, each of which has months."""
        for name, told in calendars.items():
            if not told.get("months"):
                raise ValueError(f"The calendar {name!r} needs its `months`")
        return calendars

    @field_validator("books", "entity_folders", "visible_from")
    @classmethod
    def _compose_paths(cls, paths: Any) -> Any:
        """Return paths in the Unicode form in which notes have theirs, NFC."""
        if isinstance(paths, tuple):
            return tuple(unicodedata.normalize("NFC", path) for path in paths)
        return {unicodedata.normalize("NFC", path): value for path, value in paths.items()}

    def digest(self, *names: str) -> str:
        """Return a short hash of the named settings, to detect changes of them."""
        chosen = self.model_dump(mode="json", include=set(names))
        text = json.dumps(chosen, sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def load_settings(
    vault: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    config_folder: Path | None = None,
    **arguments: object,
) -> Settings:
    """Load the settings for a vault.

    Arguments that are None are ignored. Raises SettingsError, naming the source, the setting and
    what is expected, for invalid values and unknown settings.
    """
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for source, layer in _layers(vault, environment, config_folder):
        values |= layer
        sources |= dict.fromkeys(layer, source)
    given = {name: value for name, value in arguments.items() if value is not None}
    values |= given
    sources |= dict.fromkeys(given, "an argument")
    if not values:
        return Settings.model_construct()  # validating defaults takes a tenth of the start-up
    try:
        return Settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            known = ", ".join(sorted(Settings.model_fields))
            raise SettingsError(
                f"There is no setting {name!r} (from {sources[name]}). Known settings: {known}."
            ) from None
        source = sources.get(name, "the defaults")
        raise SettingsError(f"Setting {name!r} (from {source}): {_expected(first)}") from None


def _expected(error: ErrorDetails) -> str:
    """Return what a setting expects, in the words of TOML."""
    name, *keys = error["loc"]
    if error["type"] == "tuple_type":
        return f'Input should be a list: {name} = ["one", "another"].'
    if error["type"] == "dict_type":
        return f'Input should be a mapping: {name} = {{ "one" = "another" }}.'
    if keys and keys[0] in Settings.model_fields:
        return (
            f"{error['msg']} for {keys[0]!r}. Everything below [{name}] belongs to it: "
            f"if {keys[0]!r} is a setting of its own, move it above."
        )
    return f"{error['msg']}."


def _layers(
    vault: Path | None, environment: Mapping[str, str] | None, config_folder: Path | None
) -> Iterator[tuple[str, dict[str, object]]]:
    files = [user_config_folder(config_folder) / "settings.toml"]
    if vault is not None:
        files.append(vault / VAULT_FILE)
    for file in files:
        yield str(file), _counted_from(file, _read_toml(file))
    environment = os.environ if environment is None else environment
    for name in Settings.model_fields:
        variable = ENVIRONMENT_PREFIX + name.upper()
        if variable in environment:
            yield variable, {name: _parse_variable(variable, name, environment[variable])}


def sqlite_url(file: Path, scheme: str = "sqlite:///") -> str:
    """Return the URL of a database file, readable and with only those characters escaped that must.

    It has forward slashes on every system: `sqlite:///C:/Users/me/vault.sqlite3`.
    """
    path = file.as_posix().replace("%", "%25").replace("?", "%3F")
    return f"{scheme}{path}"


def user_config_folder(override: Path | None = None) -> Path:
    """Return the folder of the user's own settings file."""
    if override is not None:
        return override
    import platformdirs

    return platformdirs.user_config_path(_PRODUCT, appauthor=False)


def user_data_folder() -> Path:
    """Return the folder of what the product keeps for the user: indexes and the server's token."""
    import platformdirs

    return platformdirs.user_data_path(_PRODUCT, appauthor=False)


def user_cache_folder() -> Path:
    """Return the folder of what the product can make again at any time."""
    import platformdirs

    return platformdirs.user_cache_path(_PRODUCT, appauthor=False)


def create_private_folder(folder: Path) -> None:
    """Create a folder that only its owner can open, and so those above it that are missing.

    The user's data folder is closed to others even if it exists; any other existing folder is left
    as it is, since it may be there for more than what the product keeps in it.
    """
    if not folder.parent.exists():
        create_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix" and folder == user_data_folder():
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & OTHERS:
            folder.chmod(mode & ~OTHERS)


def _read_toml(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not valid TOML: {error}") from None
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None


def _counted_from(file: Path, layer: dict[str, object]) -> dict[str, object]:
    """Return the settings of a file, with relative paths resolved against its folder."""
    counted = dict(layer)
    weights = layer.get("embedding_path")
    if isinstance(weights, str):
        counted["embedding_path"] = _absolute(file, weights)
    url = layer.get("database")
    parts = _SQLITE_FILE.fullmatch(url) if isinstance(url, str) else None
    if parts is not None:
        absolute = _absolute(file, unquote(parts[2]))
        counted["database"] = f"{sqlite_url(absolute, parts[1])}{parts[3]}"
    return counted


def _absolute(file: Path, path: str) -> Path:
    try:
        return (file.parent / Path(path).expanduser()).resolve()
    except RuntimeError:
        raise SettingsError(f"{path!r} in {file}: no such home folder.") from None


def _parse_variable(variable: str, name: str, raw: str) -> str | list[str] | dict[str, str]:
    """Return the value of an environment variable; a list or mapping if the setting is one."""
    kind = get_origin(Settings.model_fields[name].annotation)
    if kind not in (tuple, Mapping):
        return raw
    items = [item.strip() for item in raw.split(",") if item.strip()]
    if kind is tuple:
        return items
    pairs = [item.rpartition("=") for item in items]
    for item, (key, _, value) in zip(items, pairs, strict=True):
        if not key.strip() or not value.strip():
            raise SettingsError(f"Setting {name!r} (from {variable}): {item!r} is not name=value.")
    return {key.strip(): value.strip() for key, _, value in pairs}
