"""Find where the names of an entity are written: everywhere, not only where somebody reads them.

What is asked for before a name is changed; nothing is changed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, get_args

from pydantic import Field
from sqlalchemy import select

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    UseKind,
    empty_page,
    in_bold,
    omitted,
    part_of,
)
from writeros_entities.capabilities.parts import EntityName, entity_ref, entity_refs
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability
from writeros_entities.names import storable

if TYPE_CHECKING:
    from writeros_entities.capabilities.entities.written import NameSearch, Written
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

_CHANGED = frozenset({"note", "link", "embed", "canvas_card"})
"""What Obsidian changes when a note is renamed."""

_MOST_COLLISIONS = 10
_MOST_NAMES = 20
_AROUND = 110
"""Most characters of a line on each side of a name."""

_FORBIDDEN = frozenset('\\/:*?"<>|#^[]')
"""What Obsidian does not allow in the name of a note that links lead to."""


class FindUses(Request["UseList"]):
    """Whose names to look for, and what they may become."""

    entity: EntityName
    renamed_to: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="A new name: what would it change?"),
    ] = None
    only: Annotated[
        tuple[UseKind, ...], Field(description="Only these kinds (link, mention, tag, …).")
    ] = ()
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class Use(Answer):
    """One place where a name is written; of a file's or folder's own name, only its path."""

    kind: UseKind
    path: str
    line: int | None
    start: int | None = Field(description="Offset in the file.")
    end: int | None
    surface: str = Field(description="The name as it is written there.")
    text: str = Field(description="The line around it, shortened.")
    text_start: int = Field(description="Offset of the name in `text`.")
    text_end: int
    others: list[EntityRef] = Field(description="Whom else the words are read as.")
    is_changed: bool | None = Field(
        description="Whether Obsidian changes it when the note is renamed; null if not asked."
    )

    def told(self) -> str:
        """Return what it is, with the name in bold, and whom else it names."""
        quoted = in_bold(self.text, self.text_start, self.text_end)
        named = ", ".join(one.name for one in self.others)
        kind = _in_words(self.kind)
        place = kind if self.line is None else f"line {self.line}, {kind}"
        stays = " *(stays)*" if self.is_changed is False else ""
        return f"- {place}: {quoted}{f' *({named})*' if named else ''}{stays}"


class KindCount(Answer):
    """How often a name is written in one way."""

    kind: UseKind
    count: int


class Collision(Answer):
    """What has the new name already, or why no note can have it."""

    kind: Literal["note", "name", "link", "not allowed"]
    path: str | None
    entity: EntityRef | None
    reason: str


class UseList(Response):
    """A page of the places where an entity's names are written, the manuscript first."""

    limited: ClassVar[str | None] = "uses"

    entity: EntityRef
    names: list[str] = Field(description="The first names that were looked for.")
    uses: list[Use]
    total: int
    by_kind: list[KindCount] = Field(description="How often in each way, whatever `only` says.")
    is_section: bool = Field(description="Whether it is no whole note, but a section of one.")
    renamed_to: str | None
    collisions: list[Collision]
    total_collisions: int

    def as_text(self) -> str:
        """Return the places by note, after what renaming would change and leave."""
        if not self.uses:
            nowhere = f"{self.entity.name} is written nowhere."
            parts = [empty_page(self.total, "use", nowhere)]
        else:
            shown = part_of(len(self.uses), self.total, "use")
            parts = [f"{self.entity.name} ({self.entity.type}): {shown}"]
        if self.renamed_to is not None:
            parts.append(self._renaming(self.renamed_to))
        else:
            parts += [self._counts(lambda kind: True)] if self.by_kind else []
        for path, group in groupby(self.uses, key=lambda one: one.path):
            parts += [f"**{path}**", "\n".join(one.told() for one in group)]
        return "\n\n".join(parts) + omitted(len(self.uses), self.total, "use")

    def _renaming(self, name: str) -> str:
        changed = self._counts(lambda kind: kind in _CHANGED)
        stays = self._counts(lambda kind: kind not in _CHANGED)
        if self.entity.status != "noted":
            first = f"It has no note to rename; its links stay: {changed or 'none'}"
        elif self.is_section:
            first = f"Obsidian changes, if its heading is renamed: {changed or 'nothing'}"
        else:
            first = f"Obsidian changes: {changed or 'nothing'}"
        second = f"What stays as it is: {stays or 'nothing'}"
        lines = [f"Renamed to “{name}”:", f"- {first}", f"- {second}"]
        lines += [f"- Mind: {one.reason}" for one in self.collisions]
        if len(self.collisions) < self.total_collisions:
            more = part_of(len(self.collisions), self.total_collisions, "collision")
            lines.append(f"- {more} shown")
        return "\n".join(lines)

    def _counts(self, chosen: Callable[[UseKind], bool]) -> str:
        found = (one for one in self.by_kind if chosen(one.kind))
        return ", ".join(f"{_in_words(one.kind)} × {one.count}" for one in found)


def _in_words(kind: UseKind) -> str:
    return kind.replace("_", " ")


@capability(family="entities", offered=False)
def find_uses(view: View, request: FindUses) -> UseList:
    """Find where an entity's names are written: links, prose, properties, tags, canvases, files.

    Aliases count, headings, comments, code, bases and templates too, also where the words mean
    somebody else. With a new name (`renamed_to`), the answer says what Obsidian changes when the
    note is renamed, what stays behind, and what has that name already. Nothing is changed.
    """
    from writeros_entities.capabilities.entities.written import (
        Names,
        NameSearch,
        in_order,
        names_of,
        read_as_others,
    )
    from writeros_entities.store.lexicon import display_names
    from writeros_entities.story.finding import find_entity

    entity = find_entity(view, request.entity)
    names = names_of(view, entity)
    search = NameSearch(view, entity, Names(names))
    everything = search.run()
    found = [one for one in everything if not request.only or one.kind in request.only]
    found.sort(key=in_order)
    page = found[request.offset : request.offset + request.limit]
    others = read_as_others(view, entity.id, page)
    refs = entity_refs(view, {one for ids in others.values() for one in ids})
    collisions = []
    if request.renamed_to is not None:
        collisions = list(_collisions(view, entity, request.renamed_to))
    ref = entity_ref(entity, display_names(view, [entity.id]))
    counts = Counter(one.kind for one in everything)
    is_asked = request.renamed_to is not None
    return UseList(
        entity=ref,
        names=names[:_MOST_NAMES],
        uses=[_use(one, [refs[i] for i in others[one]], search, is_asked) for one in page],
        total=len(found),
        by_kind=[KindCount(kind=kind, count=counts[kind]) for kind in _KINDS if counts[kind]],
        is_section=entity.heading is not None,
        renamed_to=request.renamed_to,
        collisions=collisions[:_MOST_COLLISIONS],
        total_collisions=len(collisions),
    )


_KINDS: tuple[UseKind, ...] = get_args(UseKind)


def _use(found: Written, others: Sequence[EntityRef], search: NameSearch, is_renamed: bool) -> Use:
    has_note = search.entity.note_id is not None
    changes = (found.kind in _CHANGED and has_note) if is_renamed else None
    piece = found.piece
    if piece is None:
        line, text, start = None, found.path, found.start
    else:
        at = found.start - piece.start
        line = piece.line + piece.text.count("\n", 0, at)
        begin = piece.text.rfind("\n", 0, at) + 1
        close = piece.text.find("\n", at)
        whole = piece.text[begin : close if close >= 0 else len(piece.text)]
        text, start = whole, at - begin
        if search.view.as_of is not None and found.kind in ("alias", "tag"):
            text, start = piece.text[at : found.end - piece.start], 0
    end = min(len(text), start + found.end - found.start)
    surface = storable(text[start:end])
    before, after = storable(text[:start]).lstrip(), storable(text[end:]).rstrip()
    if len(before) > _AROUND:
        before = "… " + before[len(before) - _AROUND :]
    if len(after) > _AROUND:
        after = after[:_AROUND] + " …"
    return Use(
        kind=found.kind,
        path=found.path,
        line=line,
        start=None if piece is None else found.start,
        end=None if piece is None else found.end,
        surface=surface,
        text=before + surface + after,
        text_start=len(before),
        text_end=len(before) + len(surface),
        others=list(others),
        is_changed=changes,
    )


def _collisions(view: View, entity: Row, name: str) -> Iterator[Collision]:
    """Yield what has a new name already: notes, names of others, links that lead nowhere yet."""
    from writeros_entities.names import fold_name
    from writeros_entities.vault.links import link_key

    bad = sorted(_FORBIDDEN & set(name))
    if bad:
        reason = f"Obsidian allows no {' '.join(bad)} in the name of a note."
        yield Collision(kind="not allowed", path=None, entity=None, reason=reason)
    note, alias, link = view.note, view.alias, view.link
    key = link_key(name)
    own = entity.note_id if entity.heading is None else None
    paths = select(note.c.id, note.c.path).where(note.c.link_key == key).order_by(note.c.path)
    for row in view.all(paths):
        if row.id != own:
            reason = f"{row.path} has that name: a link by it could lead to either."
            yield Collision(kind="note", path=row.path, entity=None, reason=reason)
    bearers = select(alias.c.entity_id).where(alias.c.form_key == fold_name(name))
    refs = entity_refs(view, {one for one in view.scalars(bearers) if one != entity.id})
    for ref in sorted(refs.values(), key=lambda one: (one.name, one.id)):
        reason = f"{ref.name} ({ref.type}) is called that."
        yield Collision(kind="name", path=None, entity=ref, reason=reason)
    leading = (
        select(note.c.path)
        .join(link, link.c.note_id == note.c.id)
        .where(link.c.target_key == key, link.c.status == "unresolved", link.c.kind != "name")
        .distinct()
        .order_by(note.c.path)
    )
    for path in view.scalars(leading):
        reason = f"{path} has a link by that name that leads nowhere yet: it would lead here."
        yield Collision(kind="link", path=path, entity=None, reason=reason)
