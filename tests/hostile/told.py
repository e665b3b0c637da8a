"""What a session tells of a vault's bad notes, and of the good ones beside them."""

from __future__ import annotations

from typing import Any

from writeros_entities.session import Session

Codes = set[tuple[str, str]]
"""Paths of notes, with the codes of their diagnostics."""


def diagnosed(answers: dict[str, Any], field: str) -> Codes:
    return {(item["path"], item["code"]) for item in answers[field]}


def doctor(session: Session) -> Codes:
    return diagnosed(session.call("doctor", {"limit": 500}).model_dump(), "problems")


def mentioning_notes(session: Session, entity: str = "Odile Farrow") -> set[str]:
    answer = session.call("get_entity", {"entity": entity}).model_dump()
    return {note["path"] for note in answer["entity"]["notes"]}
