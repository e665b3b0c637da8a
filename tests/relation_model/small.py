"""A small vault, and a relation model that learns a vault in a moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from writeros_plugins.transe import TransE
from writeros_plugins.transe.training import SMALL

from writeros_entities import RelationModel, Settings, hookimpl
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session


class SmallTransE(TransE):  # type: ignore[misc]  # plugins are typed by their own path
    """Knows what a vault asserts alone, and learns it in a moment."""

    name = "small"

    def __init__(self) -> None:
        super().__init__(ships=False, recipe=replace(SMALL, members=1, dimensions=8, rounds=10))


class SmallPlugin:
    """A plugin that has the small model."""

    @hookimpl
    def register_relation_models(self) -> Iterable[RelationModel]:
        return [SmallTransE()]


def learning() -> dict[str, Any]:
    """Return what a session is opened with to learn by the small model."""
    plugins = load_plugins(Settings(), {"small": SmallPlugin()})
    return {"plugins": plugins, "relation_model": "small", "learn_relations": True}


HOUSES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Rowan")
"""Families of the generated vault: in each, one leads, and everyone else serves the leader."""

VAULT = {
    "Chapters/01 - One.md": "---\nchapter: 1\n---\n\nEdda Marsh met Orm Vale.\n",
    "Chapters/02 - Two.md": "---\nchapter: 2\n---\n\nOrm Vale, brother of Edda Marsh, laughed.\n",
    "Cast/Edda Marsh.md": "---\ntype: person\nborn in: '[[Port]]'\n---\n\nThe daughter.\n",
    "Cast/Orm Vale.md": "---\ntype: person\nmother: '[[Edda Marsh]]'\n---\n\nThe other.\n",
    "Cast/Signy Vale.md": "---\ntype: person\n---\n\nNobody knows.\n",
    "Places/Port.md": "---\ntype: place\n---\n\nA port.\n",
    "Places/Hill.md": "---\ntype: place\n---\n\nA hill.\n",
}


def ask(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    """Return a capability's answer as plain data."""
    answer: dict[str, Any] = session.call(name, arguments).model_dump()
    return answer
