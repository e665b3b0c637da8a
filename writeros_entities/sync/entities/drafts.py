"""Drafts of entities and their forms, before they are compared with the stored rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.names import fold_name
from writeros_entities.naming import Origin
from writeros_entities.values import ALWAYS, LARGEST_POSITION, Name

if TYPE_CHECKING:
    from writeros_entities.values import JSON, EntityStatus, NameKind

_NOTE, _SECTION, _LINK, _NAME = "note:", "section:", "link:", "name:"
"""Prefixes of the subjects that are notes, sections of notes, links to no file, and names."""


@dataclass(frozen=True, slots=True)
class FormDraft:
    """One form of an entity."""

    form: str
    kind: NameKind
    weight: float
    known_from: int | None
    exact: bool = False


@dataclass(frozen=True)
class EntityDraft:
    """An entity as derived from its subject.

    A new entity's id is made from the path of its note, or else from the subject. `heading` is that
    of the section of its note that is about it, with the headings above. `forms` are the
    names given to it, `link_texts` those of links to its note, each with where it is known from;
    `path` is that of its note, or of the first that links to it. `context` is what its note wishes
    for prompts.
    """

    subject: str
    name: str
    type: str
    status: EntityStatus
    known_from: int | None = ALWAYS
    note_id: int | None = None
    heading: str | None = None
    word: str | None = None
    canonical_id: str | None = None
    confidence: float = 1.0
    properties: Mapping[str, JSON] | None = None
    context: Mapping[str, JSON] | None = None
    path: str | None = None
    origin: Origin = field(default_factory=Origin)
    link_texts: Sequence[tuple[str, int]] = ()
    forms: Mapping[str, FormDraft] = field(default_factory=dict)

    @property
    def path_of_note(self) -> str | None:
        """The path of the entity's own note."""
        return self.path if self.note_id is not None else None


class AliasRow(NamedTuple):
    """A name of an entity as its row has it; `visible_from` is set when it is counted."""

    entity_id: int
    form: str
    form_key: str
    kind: NameKind
    weight: float
    exact: bool
    known_from: int | None
    visible_from: int | None = None

    @classmethod
    def of(cls, entity_id: int, name: Name, visible_from: int | None = None) -> AliasRow:
        """Return the row of a name."""
        worth = name.kind, name.weight, name.exact, name.known_from
        return cls(entity_id, name.form, fold_name(name.form), *worth, visible_from)

    @property
    def name(self) -> Name:
        """The name, without its entity's id."""
        return Name(self.form, "", self.kind, self.weight, self.known_from, self.exact)


def note_subject(note_id: int) -> str:
    """Return the subject of a note's entity."""
    return f"{_NOTE}{note_id}"


def link_subject(key: str) -> str:
    """Return the subject of the entity that links to no file name."""
    return f"{_LINK}{key}"


def section_subject(key: str) -> str:
    """Return the subject of an entity by whose name a section of a note is headed."""
    return f"{_SECTION}{key}"


def name_subject(key: str) -> str:
    """Return the subject of a suggested entity."""
    return f"{_NAME}{key}"


def notes_among(subjects: Iterable[str]) -> set[int]:
    """Return the ids of the notes among subjects."""
    return {int(one.removeprefix(_NOTE)) for one in subjects if one.startswith(_NOTE)}


def link_keys_among(subjects: Iterable[str]) -> set[str]:
    """Return the keys of links to no file among subjects."""
    return {one.removeprefix(_LINK) for one in subjects if one.startswith(_LINK)}


def keep_form(forms: dict[str, FormDraft], draft: FormDraft) -> None:
    """Keep the draft of a form that is known earlier; if both are, the one of greater weight."""
    earlier = forms.get(draft.form)
    if earlier is None or _known(draft) < _known(earlier):
        forms[draft.form] = draft


def _known(draft: FormDraft) -> tuple[int, float]:
    return LARGEST_POSITION if draft.known_from is None else draft.known_from, -draft.weight
