"""Entities and their forms as they are derived, before they are set against the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from writeros_entities.values import NameKind


@dataclass(frozen=True, slots=True)
class FormDraft:
    """One form of an entity, as an alias row will hold it."""

    form: str
    kind: NameKind
    weight: float
    known_from: int | None
    exact: bool = False


@dataclass(frozen=True)
class EntityDraft:
    """An entity as its subject makes it, before it is set against the rows.

    `origin` is what a new entity's id is made from: the path of its note, or else the subject.
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
    """Return the subject of an entity that stands on a note."""
    return f"note:{note_id}"


_LATER = 2**31 - 1


def keep_form(forms: dict[str, FormDraft], draft: FormDraft) -> None:
    """Keep of two drafts of one form the one known earlier, then the one that weighs more."""
    earlier = forms.get(draft.form)
    if earlier is None or _known(draft) < _known(earlier):
        forms[draft.form] = draft


def _known(draft: FormDraft) -> tuple[int, float]:
    return _LATER if draft.known_from is None else draft.known_from, -draft.weight
