"""Somebody or something: names, sheet, relations with quotes, where it is, what happens to it."""

from typing import Any

from writeros_entities.surfaces.desk.asking import PAGE, Asked
from writeros_entities.surfaces.desk.screens.chapter import presence
from writeros_entities.surfaces.desk.words import answers, line

PATH, TITLE = "/entity", "Entity"

LISTED, NEAR, EVENTS, KIN = 30, 16, 30, 8


def show(ask: Asked) -> dict[str, Any]:
    """Return all that the capabilities say of it, or whom the name may mean."""
    asked = ask.get("id")
    most = PAGE if ask.get("all") else LISTED
    answer = ask.get_entity(entity=asked, relations=most)
    if answer.entity is None:
        return {"title": asked, "entity": None, "candidates": answer.candidates}
    one = answer.entity
    graph = ask.get_entity_graph(center_entity=one.id, max_depth=1, max_nodes=NEAR, limit=1)
    told = ask.list_events(entity=one.id, limit=1).total
    return {
        "title": one.name,
        "entity": one,
        "remark": answer.remark,
        "presence": presence(ask, one.id, ask.as_of),
        "history": ask.get_entity_history(entity=one.id, limit=most),
        "events": ask.list_events(entity=one.id, limit=EVENTS, offset=max(0, told - EVENTS)),
        "family": ask.get_family_tree(entity=one.id, generations=1, limit=KIN),
        "mentions": ask.find_mentions(entity=one.id, **ask.part),
        "near": [node for node in graph.nodes if node.id != one.id],
        "answers": answers(ask.words, _named(one), but=one.type),
        "same": line(ask.words, "is", one.name, "[[…]]"),
    }


def _named(entity: Any) -> str:
    """Return how a decision names it: by its note, if that is about nothing else."""
    is_note = entity.status == "noted" and entity.source and not entity.source.heading
    return f"[[{entity.name}]]" if is_note else str(entity.name)
