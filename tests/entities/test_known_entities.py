"""The knowledge base of technical names: how a vault learns of it, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from writeros_entities.session import Session
from writeros_entities.surfaces.cli import build_cli

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

LOG = {
    "One.md": "Moved from MySQL to PostgreSQL, with Redis and RabbitMQ beside it, on Kubernetes.",
    "Two.md": "The API speaks GraphQL and gRPC; Terraform made the cluster, Prometheus watches it.",
    "Three.md": "FastAPI instead of Django. SQLAlchemy stays.",
}
HINT = (
    "The knowledge base 'technical' would recognise 12 names in these notes (Django, FastAPI, "
    'GraphQL, …). To use it, write `knowledge_bases = ["technical"]` into '
    ".writeros-entities.toml in the vault, then sync."
)


def run(session: Session, *words: str) -> str:
    where = ["--vault", str(session.root), "--database", session.database_url]
    done = CliRunner().invoke(build_cli(), [*where, *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_technical_vault_is_told_of_the_knowledge_base_that_knows_its_names(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(LOG))
    session.call("sync", {})
    assert f"- not recognised: {HINT}" in run(session, "status")
    assert f"{HINT} (unused-knowledge)" in run(session, "doctor")


def test_a_vault_that_uses_the_knowledge_base_is_not_told_of_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    settings = {".writeros-entities.toml": 'knowledge_bases = ["technical"]\n'}
    session = open_vault(write_vault(LOG | settings))
    session.call("sync", {})
    assert "not recognised" not in run(session, "status")
    assert "unused-knowledge" not in run(session, "doctor")


def test_a_story_is_not_told_of_it(
    novel: Session, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    assert "not recognised" not in run(novel, "status")
    chapters = {f"{at:02} - Night.md": "Ann ran. Ben fell. Rust bled." for at in range(1, 14)}
    session = open_vault(write_vault(LOG | chapters))
    session.call("sync", {})
    assert "not recognised" not in run(session, "status")
    assert "unused-knowledge" not in run(session, "doctor")


@pytest.mark.parametrize(
    "notes",
    [
        {"Cast/Redis.md": "---\ntype: person\n---\n# Redis\n"},
        {"Cast/Ann.md": "---\ntype: person\naliases: [Redis]\n---\n# Ann\n"},
        {"Cast/Ann.md": '---\ntype: person\nsister: "[[Redis]]"\n---\n# Ann\n'},
        {
            "Cast/Ann.md": "---\ntype: person\naliases: [Redis]\n---\n# Ann\n",
            "Cast/Eve.md": '---\ntype: person\nsister: "[[Redis]]"\n---\n# Eve\n',
        },
    ],
    ids=["by note", "by alias", "by link", "by both"],
)
def test_a_person_of_the_story_stays_herself(
    write_vault: WriteVault, open_vault: OpenVault, notes: dict[str, str]
) -> None:
    chapter = {"01 - Fog.md": "Redis laughed."}
    session = open_vault(write_vault(notes | chapter), knowledge_bases=("technical",))
    session.call("sync", {})
    found: Any = session.call("get_entity", {"entity": "Redis"})
    assert (found.entity.type, found.entity.canonical_id) == ("person", None)


SAID = 'Ruby looked up. "No," said Ruby, and her hand shook.'


def test_a_person_without_a_note_or_link_stays_herself(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = {"01 - Fog.md": "They wrote it in Ruby.", "02 - Rain.md": SAID, "03 - Snow.md": SAID}
    session = open_vault(write_vault(told), knowledge_bases=("technical",))
    session.call("sync", {})
    ruby: Any = session.call("get_entity", {"entity": "Ruby", "as_of": 1})
    assert (ruby.entity.type, ruby.entity.canonical_id) == ("programming_language", "ruby_language")
    listed: Any = session.call("list_entities", {"containing": "Ruby"})
    assert [(one.type, one.status, one.mention_count) for one in listed.entities] == [
        ("person", "suggested", 5),
    ]


def test_a_note_about_a_known_thing_is_the_known_thing(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Redis.md": "---\ntype: datastore\n---\nFast.\n",
        "Postgres.md": "# Postgres\n\nSlow.\n",
    }
    session = open_vault(write_vault(notes | LOG), knowledge_bases=("technical",))
    session.call("sync", {})
    for name, known in (("Redis", "redis"), ("PostgreSQL", "postgresql")):
        found: Any = session.call("get_entity", {"entity": name})
        assert found.entity.canonical_id == known
