"""A vault gets the embedding model of its language with its first vectors, and keeps it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import ModelError, Session

from ..conftest import OpenVault
from ..databases import one_engine
from ..models import WordModel, load_models

databases = one_engine

WriteVault = Callable[[dict[str, str]], Path]

ENGLISH = (
    "The ferry left the island at dawn, and nobody saw who rowed it across the black water to the "
    "point, because there was fog on the sea that morning and the keeper of the light had gone to "
    "his bed after a night in which he had seen more than he wanted to tell.\n"
)
FRENCH = (
    "La barque quitta l'île à l'aube, et personne ne vit qui ramait sur cette eau noire vers la "
    "pointe, parce qu'il y avait de la brume sur la mer ce matin et que le gardien du phare était "
    "dans son lit après une nuit où il avait vu plus de choses qu'il ne voulait en dire.\n"
)
CZECH = (
    "Loďka opustila ostrov za svítání a nikdo neviděl, kdo vesloval přes černou vodu k mysu, "
    "protože toho rána byla nad mořem mlha a strážce majáku už ležel v posteli po noci, ve které "
    "viděl víc, než chtěl komukoli vyprávět, a proto mlčel i před svou ženou a před celou vesnicí, "
    "která se ho potom ještě dlouho a marně vyptávala.\n"
)

MINILM, E5 = "all-MiniLM-L6-v2", "multilingual-e5-small"


class NotInstalled:
    """A model that is not on this machine."""

    dimensions = 3

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def identity(self) -> str:
        raise ModelError(f"{self.name} is not here.", is_missing=True)

    def embed(self, texts: Any) -> list[list[float]]:
        raise AssertionError("a model without weights is not asked")


@pytest.fixture(autouse=True)
def _no_model_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WRITEROS_EMBEDDING_MODEL")


@pytest.fixture
def opened(open_vault: OpenVault) -> Callable[..., Session]:
    """Return a function that opens a vault on a machine with both models, or those given."""

    def open_with(root: Path, *models: Any, **settings: Any) -> Session:
        both = WordModel(MINILM, "english"), WordModel(E5, "multilingual")
        plugins = load_models(*(models or both), disabled_plugins=("minilm", "e5"))
        return open_vault(root, plugins=plugins, **settings)

    return open_with


def synced(session: Session) -> str:
    """Sync; return the identity of the model that the vault has then."""
    session.call("sync", {})
    identity: str = session.call("status", {}).model_dump()["embedding_model"]
    return identity


@pytest.mark.parametrize(
    ("notes", "model"),
    [
        pytest.param({"One.md": ENGLISH}, "english", id="English"),
        pytest.param({"One.md": FRENCH}, "multilingual", id="French"),
        pytest.param({"One.md": CZECH}, "multilingual", id="a language that nobody here knows"),
        pytest.param(
            {"One.md": ENGLISH, "Two.md": ENGLISH + "So it was.", "Trois.md": FRENCH},
            "english",
            id="mostly English",
        ),
        pytest.param(
            {"One.md": ENGLISH, "Deux.md": FRENCH, "Trois.md": FRENCH + "Voilà."},
            "multilingual",
            id="mostly French",
        ),
        pytest.param({"Ida.md": "Ida.", "Bo.md": "Bo Reed."}, "english", id="too short to tell"),
        pytest.param(
            {"Rules.md": "| Sword | 1d6 |\n" * 60, "One.md": ENGLISH, "Two.md": ENGLISH * 2},
            "english",
            id="English with tables",
        ),
    ],
)
def test_the_first_vectors_are_of_the_model_for_the_language_of_most_texts(
    notes: dict[str, str], model: str, write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    assert synced(opened(write_vault(notes))) == model


def test_the_main_language_of_the_settings_counts_more_than_what_the_texts_say(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    assert synced(opened(write_vault({"One.md": ENGLISH}), language="de")) == "multilingual"


def test_a_vault_keeps_its_model_whatever_is_written_later(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    root = write_vault({"One.md": FRENCH})
    assert synced(opened(root)) == "multilingual"
    (root / "One.md").write_text(ENGLISH, "utf-8")
    session = opened(root)
    assert synced(session) == "multilingual"
    session.call("rebuild", {})
    assert synced(session) == "multilingual"


def test_a_vault_without_notes_gets_its_model_with_its_first_ones(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    root = write_vault({})
    session = opened(root)
    assert synced(session) == "english"
    (root / "One.md").write_text(FRENCH, "utf-8")
    assert synced(session) == "multilingual"


def test_the_writer_changes_the_model_by_a_setting_and_back_by_removing_it(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    root = write_vault({"One.md": FRENCH})
    assert synced(opened(root)) == "multilingual"
    assert synced(opened(root, embedding_model=MINILM)) == "english"
    assert synced(opened(root)) == "multilingual"


def test_another_process_that_has_the_vault_open_sees_the_choice(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    root = write_vault({"One.md": FRENCH})
    server = opened(root)
    server.call("sync", {"vectors": False})
    assert server.call("status", {}).model_dump()["embedding_model"] == "english"
    synced(opened(root))
    assert server.call("status", {}).model_dump()["embedding_model"] == "multilingual"


def test_a_better_model_that_is_not_installed_is_told_of_once_and_used_once_it_is(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    root = write_vault({"Une nuit.md": FRENCH})
    session = opened(root, WordModel(MINILM, "english"), NotInstalled(E5))
    first = session.call("sync", {})
    assert first.as_text().splitlines() == [
        "Files: 1 added. Mentions looked for in 1 note. Vectors made of 1 text.",
        "Most of the text is not in English, and the vectors are of a model for English. "
        "multilingual-e5-small is not here.",
    ]
    assert session.call("sync", {}).as_text() == "Nothing has changed."
    assert synced(opened(root)) == "multilingual"


def test_without_any_model_the_one_that_fits_is_told_of(
    write_vault: WriteVault, opened: Callable[..., Session]
) -> None:
    session = opened(write_vault({"One.md": FRENCH}), NotInstalled(MINILM), NotInstalled(E5))
    assert session.call("sync", {}).as_text().splitlines()[-1] == (
        "No vectors for 1 text; search uses words and names only. "
        "multilingual-e5-small is not here."
    )
    assert session.call("sync", {}).as_text() == "Nothing has changed."
