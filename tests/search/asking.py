"""The vault that `harbour` and `meaning` search, and how the tests ask."""

from __future__ import annotations

from typing import Any

from writeros_entities.session import Session

HARBOUR = {
    "Characters/Ann Reed.md": "---\ntype: character\naliases: [Nan]\n---\nAnn mends nets.\n",
    "Characters/Bo Finch.md": "---\ntype: character\n---\nBo counts gulls.\n",
    "Places/Mole (harbour).md": "---\ntype: place\n---\nA wall of stones.\n",
    "Manuscript/01 - Nets.md": "Ann Reed walked to the quay. The gulls screamed at her nets.\n",
    "Manuscript/02 - Gulls.md": "# Feathers\n\nBo Finch counted gulls, gulls and gulls.\n",
    "Manuscript/03 - Fog.md": "A vessel came out of the fog. Nan knew whose it was.\n",
    "Notes/Séance.md": "They were walking about a café at night; the naïve one sang.\n",
    "Notes/月夜.md": "林月製圖，海上生明月。\n",
}

ONE, TWO, THREE = (f"Manuscript/{name}.md" for name in ("01 - Nets", "02 - Gulls", "03 - Fog"))
SEANCE, MOON, ANN = "Notes/Séance.md", "Notes/月夜.md", "Characters/Ann Reed.md"


def search(session: Session, query: str, **arguments: Any) -> dict[str, Any]:
    return session.call("search", {"query": query, **arguments}).model_dump()


def paths(answer: dict[str, Any]) -> list[str]:
    return [passage["path"] for passage in answer["passages"]]


def found(session: Session, query: str, **arguments: Any) -> list[str]:
    return paths(search(session, query, **arguments))
