"""Drafts of entities and their forms, before they are compared with the stored rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from writeros_entities.values import ALWAYS, LARGEST_POSITION

if TYPE_CHECKING:
    from writeros_entities.values import NameKind


@dataclass(frozen=True, slots=True)
class FormDraft:
    """One form of an entity; becomes an alias row."""

    form: str
    kind: NameKind
    weight: float
    known_from: int | None
    exact: bool = False


@dataclass(frozen=True)
class EntityDraft:
    """An entity as derived from its subject.

    A new entity's id is made from `origin`: the path of its note, or else the subject.
    """

    subject: str
    name: str
    type: str
    status: str
    known_from: int | None = ALWAYS
    note_id: int | None = None
    canonical_id: str | None = None
    confidence: float = 1.0
    properties: Mapping[str, Any] | None = None
    origin: str | None = None
    forms: Mapping[str, FormDraft] = field(default_factory=dict)


def note_subject(note_id: int) -> str:
    """Return the subject of a note's entity."""
    return f"note:{note_id}"


def keep_form(forms: dict[str, FormDraft], draft: FormDraft) -> None:
    """Keep the draft of a form that is known earlier; if both are, the one of greater weight."""
    earlier = forms.get(draft.form)
    if earlier is None or _known(draft) < _known(earlier):
        forms[draft.form] = draft


def _known(draft: FormDraft) -> tuple[int, float]:
    return LARGEST_POSITION if draft.known_from is None else draft.known_from, -draft.weight
