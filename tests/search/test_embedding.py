"""Vectors follow the texts of a vault: made once for each, kept by its hash, never in the way."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from writeros_entities import ModelError, Session, Settings, SettingsError
from writeros_entities.embedding import Embedder, entity_text, hash_text
from writeros_entities.plugins import load_plugins
from writeros_entities.store import rows
from writeros_entities.sync import embeddings
from writeros_entities.sync.watch import Watcher

from ..conftest import OpenVault
from ..models import DIMENSIONS, WordModel, load_models, with_model

ROOT = Path(__file__).resolve().parents[2]

WriteVault = Callable[[dict[str, str]], Path]

ISOLDE = "---\ntype: person\n---\nIsolde Marrow keeps the ferry.\n"
CROSSING = "---\nchapter: 1\n---\n# The Crossing\n\nIsolde Marrow rowed across at dawn.\n"
VAULT = {"People/Isolde Marrow.md": ISOLDE, "Chapters/The Crossing.md": CROSSING}
TEXTS = [
    "# The Crossing\n\nIsolde Marrow rowed across at dawn.",
    "Isolde Marrow keeps the ferry.",
    "[PERSON] Isolde Marrow",
]


@pytest.fixture
def model() -> WordModel:
    return WordModel()


def sync(session: Session, **arguments: Any) -> dict[str, Any]:
    return session.call("sync", arguments).model_dump()


def status(session: Session) -> dict[str, Any]:
    return session.call("status", {}).model_dump()


def kept(session: Session) -> dict[tuple[str, str], list[float]]:
    """Return the vectors of the session's vault by model and hash."""
    embedding = rows.embedding
    statement = select(embedding.c.model, embedding.c.content_hash, embedding.c.vector)
    with session.database.read() as connection:
        found = connection.execute(statement.where(embedding.c.vault_id == session.vault_id)).all()
    return {(row.model, row.content_hash): row.vector.tolist() for row in found}


# -- What gets a vector ----------------------------------------------------------------------------


def test_every_chunk_and_every_entity_gets_a_vector(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model))
    report = sync(session)
    assert [text.strip() for text in model.take()] == TEXTS
    assert (report["embedded"], report["waiting"], report["lexical_because"]) == (3, 0, None)
    embedder = session.embedder()
    assert embedder is not None
    name = kept(session)["words 1", hash_text("[PERSON] Isolde Marrow")]
    assert name == embedder.embed_query("person: Isolde Marrow!").tolist()
    assert sorted(set(name)) == pytest.approx([0.0, 3**-0.5])


def test_a_chunk_is_found_by_its_content_hash(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model))
    sync(session)
    with session.view() as view:
        chunks = view.all(select(view.chunk.c.text, view.chunk.c.content_hash))
    assert len(chunks) == 2
    for chunk in chunks:
        assert chunk.content_hash == hash_text(chunk.text)
        assert ("words 1", chunk.content_hash) in kept(session)


def test_the_hash_and_the_text_of_an_entity_are_what_they_are() -> None:
    assert hash_text("ferry") == "b6776735c936c142c106d232"
    assert entity_text("person", "Isolde Marrow") == "[PERSON] Isolde Marrow"


def test_a_question_is_embedded_in_its_own_way_by_a_model_that_has_one() -> None:
    class Instructed(WordModel):
        def embed_query(self, text: str) -> list[float]:
            return self._count(f"query: {text}")

    embedder = Embedder(Instructed())
    asked = embedder.embed_query("Who rowed?")
    assert asked.tolist() == Embedder(WordModel()).embed_query("query who rowed").tolist()
    assert sorted(set(asked.tolist())) == pytest.approx([0.0, 3**-0.5])
    assert embedder.embed(["Who rowed?"])[0].tolist() != asked.tolist()


def test_a_vector_of_a_question_is_held_to_the_same_contract() -> None:
    class Short(WordModel):
        def embed_query(self, text: str) -> list[float]:
            return [1.0]

    with pytest.raises(ModelError, match=r"an array of shape \(1,\), expected \(\d+,\)"):
        Embedder(Short()).embed_query("Who rowed?")


# -- What costs nothing ----------------------------------------------------------------------------


def move_folder(root: Path) -> None:
    (root / "Chapters").rename(root / "Manuscript")


def rename_note(root: Path) -> None:
    (root / "Chapters/The Crossing.md").rename(root / "Chapters/The First Crossing.md")


def rename_entity(root: Path) -> None:
    (root / "People/Isolde Marrow.md").rename(root / "People/Isolde Vane.md")


def change_one_note(root: Path) -> None:
    (root / "Chapters/The Crossing.md").write_text("The ferry was late.\n", "utf-8")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda root: None, []),
        (move_folder, []),
        (rename_note, []),
        (rename_entity, ["[PERSON] Isolde Vane"]),
        (change_one_note, ["The ferry was late."]),
    ],
)
def test_only_texts_that_are_new_are_embedded(
    write_vault: WriteVault,
    open_vault: OpenVault,
    model: WordModel,
    change: Callable[[Path], None],
    expected: list[str],
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root, **with_model(model))
    sync(session)
    model.take()
    change(root)
    report = sync(session)
    assert [text.strip() for text in model.take()] == expected
    assert report["embedded"] == len(expected)
    old_name = int(change is rename_entity)  # the chapter still has it, as a suggestion
    assert len(kept(session)) == 3 + old_name


def test_a_rebuild_embeds_nothing(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model))
    sync(session)
    before, _ = kept(session), model.take()
    session.call("rebuild", {})
    assert model.take() == []
    assert kept(session) == before


def test_vectors_of_texts_that_are_gone_are_removed(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root, **with_model(model))
    sync(session)
    (root / "Chapters/The Crossing.md").unlink()
    sync(session)
    texts = ["Isolde Marrow keeps the ferry.\n", "[PERSON] Isolde Marrow"]
    with session.view() as view:
        assert view.scalar(select(view.chunk.c.text)) in (texts[0], texts[0].strip())
        held = view.scalar(select(view.chunk.c.content_hash))
    assert set(kept(session)) == {("words 1", held), ("words 1", hash_text(texts[1]))}


def test_another_model_makes_its_own_vectors_and_the_old_ones_go(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    root = write_vault(VAULT)
    sync(open_vault(root, **with_model(model)))
    other = WordModel("others", "others 1")
    session = open_vault(root, **with_model(other, model))
    assert status(session)["waiting"] == 3
    assert sync(session)["embedded"] == 3
    assert {name for name, _ in kept(session)} == {"others 1"}


def test_two_vaults_in_one_database_share_no_vector(
    tmp_path: Path, open_vault: OpenVault, model: WordModel
) -> None:
    for name in ("one", "two"):
        (tmp_path / name / ".obsidian").mkdir(parents=True)
        (tmp_path / name / "Isolde Marrow.md").write_text(ISOLDE, "utf-8")
    one, two = (open_vault(tmp_path / name, **with_model(model)) for name in ("one", "two"))
    sync(one)
    first = model.take()
    assert status(two)["embedded"] == 0
    sync(two)
    assert model.take() == first
    assert kept(one) == kept(two)
    (tmp_path / "one" / "Isolde Marrow.md").unlink()
    sync(one, allow_empty=True)
    assert kept(one) == {}
    assert len(kept(two)) == 2


# -- Bounds ----------------------------------------------------------------------------------------


def test_texts_come_in_small_steps_short_ones_first(
    write_vault: WriteVault,
    open_vault: OpenVault,
    model: WordModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embeddings, "STEP_TEXTS", 3)
    monkeypatch.setattr(embeddings, "STEP_TOKENS", 60)
    steps: list[Sequence[str]] = []
    model.before = steps.append
    lengths = (12, 3, 40, 25, 7, 80, 5)
    notes = {f"Note {number}.md": "word " * length for number, length in enumerate(lengths)}
    sync(open_vault(write_vault(notes), **with_model(model)))
    assert [[len(text.split()) for text in step] for step in steps] == [
        [3, 5, 7],
        [12, 25],
        [40],
        [80],
    ]


def test_progress_tells_how_many_texts_are_done(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    told: list[tuple[str, int, int | None]] = []

    class Listener:
        def update(self, stage: str, done: int, total: int | None) -> None:
            told.append((stage, done, total))

    sync(open_vault(write_vault(VAULT), progress=Listener(), **with_model(model)))
    assert told[-1] == ("embedding", 3, 3)


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from tests.models import WordModel, with_model
from writeros_entities import Session
from writeros_entities.sync import embeddings

embeddings.STEP_TEXTS = 2
model = WordModel()
model.before = lambda texts: len(model.texts) >= 4 and os.kill(os.getpid(), signal.SIGKILL)
with Session.open(sys.argv[1], database=sys.argv[2], **with_model(model)) as session:
    session.call("sync", {})
"""


def test_a_killed_embedding_goes_on_where_it_was(
    write_vault: WriteVault, open_vault: OpenVault, database: str, model: WordModel
) -> None:
    notes = {f"Note {number}.md": f"A ferry left, number {number}." for number in range(9)}
    root = write_vault(notes)
    command = [sys.executable, "-c", KILLED, str(root), database, str(ROOT)]
    assert subprocess.run(command, timeout=240).returncode == -signal.SIGKILL
    session = open_vault(root, **with_model(model))
    assert (status(session)["embedded"], status(session)["waiting"]) == (4, 5)
    assert sync(session)["embedded"] == 5
    assert len(set(model.take())) == 5
    assert status(session)["waiting"] == 0


# -- Without vectors -------------------------------------------------------------------------------


def test_vectors_can_be_left_for_later(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model))
    assert sync(session, vectors=False)["embedded"] == 0
    assert (status(session)["mode"], status(session)["waiting"]) == ("hybrid", 3)
    waiting = "- search: by words, by names and by meaning (0 vectors); 3 texts wait: run sync"
    assert session.call("status", {}).as_text().splitlines()[-1] == waiting
    report = session.call("sync", {})
    assert report.model_dump()["embedded"] == 3
    assert "Vectors made of 3 texts." in report.as_text()
    assert status(session)["waiting"] == 0
    whole = "- search: by words, by names and by meaning (3 vectors)"
    assert session.call("status", {}).as_text().splitlines()[-1] == whole


def test_migrate_catches_up_with_vectors(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model))
    sync(session, vectors=False)
    assert session.call("migrate", {}).model_dump()["sync"]["embedded"] == 3


class MissingModel:
    """The default model on a machine that has no weights of it."""

    name = "all-MiniLM-L6-v2"
    dimensions = 384

    @property
    def identity(self) -> str:
        raise ModelError("The weights are not here.", is_missing=True)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        raise AssertionError("a model without weights is not asked")


def test_without_weights_search_is_lexical_and_that_is_said_once(
    write_vault: WriteVault,
    open_vault: OpenVault,
    model: WordModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("WRITEROS_EMBEDDING_MODEL")
    root = write_vault(VAULT)
    plugins = load_models(MissingModel(), disabled_plugins=("minilm",))
    session = open_vault(root, plugins=plugins)
    first, second = session.call("sync", {}), session.call("sync", {})
    assert first.as_text().splitlines()[-1] == (
        "No vectors for 3 texts; search uses words and names only. The weights are not here."
    )
    assert second.as_text() == "Nothing has changed."
    assert (status(session)["mode"], status(session)["waiting"]) == ("lexical", 3)
    with session.view() as view:
        assert view.embedder() is None
        assert view.embedding_trouble() == "The weights are not here."
    later = open_vault(root, **with_model(model))
    assert sync(later)["embedded"] == 3


def test_a_chosen_model_without_weights_is_missed_at_every_sync(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    plugins = load_models(MissingModel(), disabled_plugins=("minilm",))
    session = open_vault(write_vault(VAULT), plugins=plugins, embedding_model="all-MiniLM-L6-v2")
    for _ in range(2):
        assert sync(session)["lexical_because"] == "The weights are not here."


def test_without_the_plugin_of_the_default_model_search_is_lexical(
    write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WRITEROS_EMBEDDING_MODEL")
    session = open_vault(write_vault(VAULT), disabled_plugins=("minilm",))
    assert sync(session)["lexical_because"] == (
        "There is no embedding model named 'all-MiniLM-L6-v2'. Known: multilingual-e5-small."
    )


def test_embedding_can_be_switched_off(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(VAULT), embedding_model="")
    assert sync(session)["lexical_because"] is None
    found = status(session)
    assert (found["mode"], found["waiting"]) == ("lexical", 0)
    assert found["lexical_because"] == "Embedding is switched off (setting embedding_model)."


def test_an_unknown_model_is_an_error_that_names_the_known_ones(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model) | {"embedding_model": "wrods"})
    with pytest.raises(
        SettingsError, match=r"'wrods'\. Known: all-MiniLM-L6-v2, multilingual-e5-small, words\."
    ):
        sync(session)


# -- Models that break their contract --------------------------------------------------------------


def fail(texts: Sequence[str]) -> None:
    raise RuntimeError("out of ink")


def test_a_model_that_fails_stops_no_sync_and_is_tried_again(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    session = open_vault(write_vault(VAULT), **with_model(model))
    model.before = fail
    report = session.call("sync", {})
    assert report.model_dump()["added"] == 2
    assert report.as_text().splitlines()[-1] == (
        "No vectors for 3 texts; search uses words and names only. "
        "The embedding model 'words' failed: RuntimeError: out of ink"
    )
    model.before = len
    assert sync(session)["embedded"] == 3
    model.before = fail
    found = session.call("search", {"query": "Isolde"}).model_dump()
    assert found["passages"]
    assert found["remark"] == (
        "Without vectors: The embedding model 'words' failed: RuntimeError: out of ink"
    )


@pytest.mark.parametrize(
    ("vectors", "words"),
    [
        ([[1.0, 0.0]], r"returned an array of shape \(1, 2\), expected \(1, 3\)"),
        ([[1.0, 0.0, 0.0]] * 2, r"returned an array of shape \(2, 3\), expected \(1, 3\)"),
        ([[1.0, float("nan"), 0.0]], "returned NaN or infinity"),
        ([["a", "b", "c"]], "failed: ValueError"),
    ],
)
def test_what_a_model_returns_is_checked(vectors: Any, words: str) -> None:
    class Model:
        name, identity, dimensions = "odd", "odd 1", 3

        def embed(self, texts: Sequence[str]) -> Any:
            return vectors

    with pytest.raises(ModelError, match=f"The embedding model 'odd' {words}"):
        Embedder(Model()).embed(["ferry"])


@pytest.mark.parametrize(
    ("identity", "dimensions", "words"),
    [
        (None, 3, "has no valid identity"),
        ("", 3, "has no valid identity"),
        ("odd 1", "3", "has no valid number of dimensions"),
        ("odd 1", 0, "has no valid number of dimensions"),
    ],
)
def test_a_model_that_does_not_say_who_it_is_leaves_search_lexical(
    write_vault: WriteVault, open_vault: OpenVault, identity: Any, dimensions: Any, words: str
) -> None:
    model = WordModel()
    model.identity, model.dimensions = identity, dimensions
    session = open_vault(write_vault(VAULT), **with_model(model))
    report = session.call("sync", {})
    assert report.as_text().splitlines()[-1].endswith(f"The embedding model 'words' {words}.")
    assert report.model_dump()["added"] == 2


def test_every_vector_has_unit_length_but_those_of_nothing() -> None:
    embedder = Embedder(WordModel())
    vectors = embedder.embed(["ferry ferry ferry ferry", ""])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1).tolist() == [1.0, 0.0]
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_the_model_in_the_docs_is_complete(write_vault: WriteVault, open_vault: OpenVault) -> None:
    page = (ROOT / "docs" / "embeddings.md").read_text("utf-8")
    plugin = ModuleType("letters")
    exec(page.partition("```python\n")[2].partition("```")[0], vars(plugin))
    plugins = load_plugins(Settings(), {"letters": plugin})
    session = open_vault(write_vault(VAULT), plugins=plugins, embedding_model="letters")
    assert sync(session)["embedded"] == 3
    assert {model for model, _ in kept(session)} == {"letters 1"}


# -- Watching --------------------------------------------------------------------------------------


def test_a_change_is_searchable_while_a_model_is_slow_and_gets_its_vector_after(
    write_vault: WriteVault, open_vault: OpenVault, model: WordModel
) -> None:
    root = write_vault(VAULT)
    going_on, asked = threading.Event(), threading.Event()

    def wait(texts: Sequence[str]) -> None:
        asked.set()
        assert going_on.wait(240)

    model.before = wait
    watched = open_vault(root, **with_model(model))
    reader = open_vault(root, **with_model(model))
    watcher = Watcher(watched)
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        assert asked.wait(240)
        (root / "New.md").write_text("A quillfeather lay there.", "utf-8")
        eventually(lambda: status(reader)["chunks"] == 3)
        assert status(reader)["embedded"] == 0
        going_on.set()
        eventually(lambda: (status(reader)["embedded"], status(reader)["waiting"]) == (4, 0))
    finally:
        going_on.set()
        watcher.stop()
        thread.join(20)
    assert not thread.is_alive()


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)
