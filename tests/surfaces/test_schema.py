from dataclasses import replace
from enum import Enum
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from writeros_entities import ChapterName, NotFoundError, Request, Response, VaultError
from writeros_entities.errors import PluginError
from writeros_entities.parameters import parameters_schema
from writeros_entities.surfaces.catalogue import group_by_family, select_tools
from writeros_entities.surfaces.schema import output_schema
from writeros_entities.workspace import Workspace, find_vault

from .toys import TOYS


class Order(Enum):
    NAME = "name"
    COUNT = "count"


class Place(BaseModel):
    """Where something is."""

    path: str


class Everything(Request):
    order: Order = Field(Order.NAME, description="How they are sorted.")
    place: Place | None = None
    maybe: int | None = Field(None, ge=1, description="Perhaps.")
    chapter: ChapterName | None = None
    pairs: tuple[tuple[str, str], ...] = ()
    weights: dict[str, float] = Field(default_factory=dict)
    plain_flag: bool = True


class Answer(Response):
    place: Place
    places: list[Place]
    first: Place | None
    either: int | str
    anything: object


def test_a_request_schema_is_flat_and_has_no_references() -> None:
    assert parameters_schema(Everything) == {
        "type": "object",
        "properties": {
            "order": {
                "type": "string",
                "enum": ["name", "count"],
                "default": "name",
                "description": "How they are sorted.",
            },
            "place": {
                "type": "object",
                "properties": {"path": {"type": "string"}},
                "required": ["path"],
            },
            "maybe": {"type": "integer", "minimum": 1, "description": "Perhaps."},
            "chapter": {"type": "string"},
            "pairs": {
                "type": "array",
                "items": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "weights": {"type": "object", "additionalProperties": {"type": "number"}},
            "plain_flag": {"type": "boolean", "default": True},
        },
        "additionalProperties": False,
    }


def test_a_response_schema_is_one_level_deep() -> None:
    assert output_schema(Answer) == {
        "type": "object",
        "properties": {
            "place": {"type": "object"},
            "places": {"type": "array"},
            "first": {"type": ["object", "null"]},
            "either": {"type": ["integer", "string"]},
            "anything": {},
        },
    }


def test_families_stand_in_their_declared_order_and_foreign_ones_last() -> None:
    assert list(group_by_family(TOYS)) == [
        "vault",
        "entities",
        "graph",
        "search",
        "context",
        "foreign",
    ]


class Folder(BaseModel):
    """A folder, with folders in it."""

    folders: "list[Folder]" = []


class Choosing(Request):
    either: int | str | None = None


class Nesting(Request):
    folder: Folder | None = None


class Mixing(Request):
    place: tuple[str, int] | None = None


@pytest.mark.parametrize(
    ("request_type", "message"),
    [
        (Choosing, "'either' of Choosing has a choice of types"),
        (Nesting, "'folder' of Nesting contains Folder in itself"),
        (Mixing, "'place' of Mixing is a list of several types"),
    ],
)
def test_a_parameter_that_some_clients_refuse_is_refused_by_us(
    request_type: type[Request], message: str
) -> None:
    with pytest.raises(PluginError, match=message):
        parameters_schema(request_type)


def test_what_is_offered_is_said_by_the_declarations_or_else_by_names_and_families() -> None:
    toys = TOYS | {"recite": replace(TOYS["recite"], offered=False)}
    assert set(select_tools(toys)) == TOYS.keys() - {"recite"}
    assert set(select_tools(toys, names=["all"])) == set(TOYS)
    assert set(select_tools(toys, names=["recite", "meet"])) == {"recite", "meet"}
    assert set(select_tools(toys, ["context"])) == {"recite"}
    assert set(select_tools(toys, ["context"], ["meet"])) == {"recite", "meet"}
    with pytest.raises(NotFoundError, match="Did you mean 'recite'"):
        select_tools(toys, names=["recit"])


def test_the_vault_is_the_nearest_folder_upward_with_obsidians_own(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    novel = tmp_path_factory.mktemp("Novel")
    (novel / ".obsidian").mkdir()
    (novel / "Chapters" / "Part 1").mkdir(parents=True)
    monkeypatch.chdir(novel / "Chapters" / "Part 1")
    assert find_vault() == novel
    assert find_vault(novel / "Chapters") == novel / "Chapters"


def test_a_folder_in_no_vault_is_taken_as_one(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path_factory.mktemp("Notes")
    monkeypatch.chdir(notes)
    assert find_vault() == notes


def test_all_that_one_has_is_a_vault_only_if_one_says_so(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("Home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    index = tmp_path_factory.mktemp("Indexes") / "index.sqlite3"
    for folder in (home, Path(home.anchor)):
        monkeypatch.chdir(folder)
        with (
            Workspace.open(database=f"sqlite:///{index}") as workspace,
            pytest.raises(VaultError, match="is not a vault: it holds much more than one"),
        ):
            workspace.vault_id  # noqa: B018  # what asks and what syncs begin with
    with Workspace.open(home, database=f"sqlite:///{index}") as workspace:
        assert workspace.vault_id == 0
    (home / ".obsidian").mkdir()
    monkeypatch.chdir(home)
    with Workspace.open(database=f"sqlite:///{index}") as workspace:
        assert workspace.vault_id == 0
