"""The data of the technical knowledge base keeps what a lexicon relies on."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TypedDict

import pytest

DATA = Path(__file__).parents[2] / "plugins" / "technical_knowledge" / "entities.json"

TYPES = {
    "programming_language",
    "framework",
    "database",
    "cloud",
    "company",
    "technical_term",
}


ORDINARY_WORDS = (
    "go swift rust react spring express flask rails ruby dart elixir groovy bash jest vite "
    "celery spark electron flutter tailwind hibernate playwright angular svelte snowflake "
    "spanner redshift pinecone azure helm chef puppet vault consul nomad vagrant envoy "
    "sentry apple meta oracle amazon google intel dell adobe stripe slack elastic cohere "
    "uber mistral android windows raft rest soap acid rag aurora julia lambda canonical c "
    "r node"
)


class Entity(TypedDict):
    id: str
    name: str
    type: str
    forms: list[str]
    exact: list[str]
    description: str


ENTITIES: list[Entity] = json.loads(DATA.read_text("utf-8"))


def ids_of(surface: str) -> list[str]:
    """Return the ids that a surface names: exactly as written, or in any case."""
    return [
        entity["id"]
        for entity in ENTITIES
        if surface in entity["exact"]
        or surface.casefold() in {form.casefold() for form in entity["forms"]}
    ]


def test_there_are_far_more_than_a_hundred_entities_in_every_type() -> None:
    counts = Counter(entity["type"] for entity in ENTITIES)
    assert len(ENTITIES) >= 180
    assert set(counts) == TYPES
    assert min(counts.values()) >= 25


def test_every_entity_has_the_same_fields() -> None:
    fields = ["id", "name", "type", "forms", "exact", "description"]
    assert [entity["id"] for entity in ENTITIES if list(entity) != fields] == []


def test_ids_are_unique_and_in_snake_case() -> None:
    ids = [entity["id"] for entity in ENTITIES]
    assert [id for id, count in Counter(ids).items() if count > 1] == []
    assert [id for id in ids if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", id)] == []


def test_names_are_unique() -> None:
    names = Counter(entity["name"].casefold() for entity in ENTITIES)
    assert [name for name, count in names.items() if count > 1] == []


def test_every_name_is_itself_a_form() -> None:
    assert [
        entity["name"]
        for entity in ENTITIES
        if entity["name"] not in [*entity["forms"], *entity["exact"]]
    ] == []


def test_no_form_belongs_to_two_entities_in_any_case() -> None:
    owners: dict[str, set[str]] = {}
    for entity in ENTITIES:
        for form in [*entity["forms"], *entity["exact"]]:
            owners.setdefault(form.casefold(), set()).add(entity["id"])
    assert {form: ids for form, ids in owners.items() if len(ids) > 1} == {}


def test_no_form_is_listed_twice_for_one_entity() -> None:
    for entity in ENTITIES:
        folded = [form.casefold() for form in entity["forms"]]
        assert len(folded) == len(set(folded)), entity["id"]
        assert len(entity["exact"]) == len(set(entity["exact"])), entity["id"]
        assert [form for form in entity["exact"] if form.casefold() in folded] == []


def test_a_form_has_no_stray_spaces_and_matches_on_word_boundaries() -> None:
    for entity in ENTITIES:
        for form in [*entity["forms"], *entity["exact"]]:
            assert form == " ".join(form.split()), entity["id"]
            assert re.search(rf"(?<!\w){re.escape(form)}(?!\w)", f"see {form}, here"), form


def test_a_single_letter_is_never_a_form() -> None:
    forms = [form for entity in ENTITIES for form in [*entity["forms"], *entity["exact"]]]
    assert [form for form in forms if len(form) < 2] == []


def test_an_entity_with_a_common_word_for_a_name_has_an_unambiguous_form_too() -> None:
    assert [entity["id"] for entity in ENTITIES if not entity["forms"]] == []


def test_descriptions_are_one_short_sentence() -> None:
    descriptions = [entity["description"] for entity in ENTITIES]
    assert [text for text in descriptions if not 20 <= len(text) <= 100] == []
    assert [text for text in descriptions if not text.endswith(".") or ". " in text] == []
    assert len(set(descriptions)) == len(descriptions)


CANONICAL_IDS = {
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "PostgreSQL": "postgresql",
    "k8s": "kubernetes",
    "kubernetes": "kubernetes",
    "py": "python",
    "python": "python",
    "Rust": "rust_language",
    "rustlang": "rust_language",
    "claude": "anthropic_claude",
    "Claude": "anthropic_claude",
    "anthropic": "anthropic",
    "Anthropic": "anthropic",
    "Tokio": "tokio",
    "bert": "bert_model",
    "gpt": "gpt_model",
    "transformer": "transformer_architecture",
    "embedding": "embedding_vector",
    "jenkins": "jenkins_ci",
    "terraform": "terraform_iac",
    "ansible": "ansible_automation",
    "pandas": "pandas_library",
    "numpy": "numpy_library",
    "pytorch": "pytorch_framework",
    "tensorflow": "tensorflow_framework",
}


def test_the_canonical_ids_agreed_upon_hold() -> None:
    found = {surface: ids_of(surface) for surface in CANONICAL_IDS}
    assert found == {surface: [one] for surface, one in CANONICAL_IDS.items()}


AGREED_TYPES = {
    "rust_language": "programming_language",
    "python": "programming_language",
    "javascript": "programming_language",
    "react_framework": "framework",
    "django": "framework",
    "tokio": "framework",
    "pandas_library": "framework",
    "numpy_library": "framework",
    "pytorch_framework": "framework",
    "tensorflow_framework": "framework",
    "postgresql": "database",
    "mongodb": "database",
    "redis": "database",
    "aws": "cloud",
    "gcp": "cloud",
    "kubernetes": "cloud",
    "jenkins_ci": "cloud",
    "terraform_iac": "cloud",
    "ansible_automation": "cloud",
    "anthropic": "company",
    "anthropic_claude": "company",
    "openai": "company",
    "google": "company",
    "rest_api": "technical_term",
    "graphql": "technical_term",
    "grpc": "technical_term",
    "bert_model": "technical_term",
    "gpt_model": "technical_term",
    "transformer_architecture": "technical_term",
    "embedding_vector": "technical_term",
}


def test_the_types_agreed_upon_hold() -> None:
    types = {entity["id"]: entity["type"] for entity in ENTITIES}
    assert {one: types[one] for one in AGREED_TYPES} == AGREED_TYPES


@pytest.mark.parametrize(
    ("sentence", "canonical_ids"),
    [
        (
            "Building a web server with Rust and PostgreSQL",
            ["rust_language", "postgresql"],
        ),
        (
            "Working with PostgreSQL and Rust for the backend",
            ["postgresql", "rust_language"],
        ),
        ("Frontend uses React and TypeScript", ["react_framework", "typescript"]),
        ("Database migration from MySQL to PostgreSQL", ["mysql", "postgresql"]),
        ("Tokio is a Rust async runtime", ["tokio", "rust_language"]),
        ("Axum web framework built on Tokio", ["axum", "tokio"]),
        (
            "PostgreSQL driver for Rust using Tokio",
            ["postgresql", "rust_language", "tokio"],
        ),
    ],
)
def test_the_sentences_agreed_upon_name_known_entities(
    sentence: str, canonical_ids: list[str]
) -> None:
    found = [id for word in sentence.split() for id in ids_of(word)]
    assert found == canonical_ids


def test_an_ordinary_word_in_lower_case_is_no_form() -> None:
    assert [word for word in ORDINARY_WORDS.split() if ids_of(word)] == []
