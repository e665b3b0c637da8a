import json

from writeros_plugins.technical_knowledge import (
    TechnicalKnowledge,
    register_entity_types,
    register_knowledge_bases,
)

from writeros_entities import KnownEntity

GO = {
    "id": "golang",
    "name": "Go",
    "type": "programming_language",
    "forms": ["golang"],
    "exact": ["Go"],
}


def test_entities_are_read_from_the_file(tmp_path) -> None:
    file = tmp_path / "entities.json"
    file.write_text(json.dumps([GO]))
    assert TechnicalKnowledge(file).entities() == (
        KnownEntity("golang", "Go", "programming_language", ("golang",), ("Go",)),
    )


def test_the_identity_changes_with_the_data(tmp_path) -> None:
    file = tmp_path / "entities.json"
    file.write_text(json.dumps([GO]))
    before = TechnicalKnowledge(file).identity
    file.write_text("[]")
    assert TechnicalKnowledge(file).identity != before
    assert before.startswith("technical/")


def test_registering_reads_nothing() -> None:
    (base,) = register_knowledge_bases()
    assert base.name == "technical"


def test_each_type_of_the_data_is_registered() -> None:
    assert [each.name for each in register_entity_types()] == [
        "programming_language",
        "framework",
        "database",
        "cloud",
        "company",
        "technical_term",
    ]
