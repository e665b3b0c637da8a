"""Makes the story that rules of continuity read, out of what a view may see.

    story = load_story(workspace, view)
    [scene.heading for scene in story.scenes]

Reads 14 chapters in about a tenth of a second, most of it to parse their Markdown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.names import fold_name
from writeros_entities.query.genders import guess_genders
from writeros_entities.query.relations import evidence_of, load_relations, quoted
from writeros_entities.query.sheets import Sheets
from writeros_entities.query.speakers import find_speeches
from writeros_entities.store.lexicon import display_names
from writeros_entities.story import (
    NamedSpan,
    Scene,
    Sentence,
    Story,
    StoryChange,
    StoryEntity,
    StoryLink,
    StoryName,
    StoryRelation,
)
from writeros_entities.values import ALWAYS, Evidence
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.passages import with_plain_links
from writeros_entities.vault.sentences import ReaderSentence, read_sentences

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace

CAST_KEYS = ("characters", "cast", "character")
VIEWPOINT_KEYS = ("pov", "viewpoint", "point-of-view", "narrator")
PLACE_KEYS = ("location", "locations", "place", "setting", "where")
"""Keys by which a scene says who is in it, who tells it and where it is, in dashes."""


def load_story(workspace: Workspace, view: View) -> Story:
    """Return the vault as a reader at the view's position knows it."""
    people = {kind.name for kind in workspace.plugins.entity_types.values() if kind.personal}
    sheets = Sheets(workspace, view)
    entities = _entities(view, sheets, people)
    scenes = load_scenes(view, sheets)
    persons = [entity for entity in entities.values() if entity.is_personal]
    genders = guess_genders(persons, scenes)
    may_speak = {person.id: genders.get(person.id) for person in persons}
    first: dict[str, list[int]] = defaultdict(list)
    for scene in scenes:
        if scene.position is not None:
            for sentence in scene.sentences:
                for name in sentence.names:
                    first[name.entity].append(scene.position)
    keys = {entity_id: row.key for entity_id, row in sheets.entities.items()}
    return Story(
        {
            key: _placed(replace(entity, gender=genders.get(key)), first.get(key, ()))
            for key, entity in entities.items()
        },
        tuple(
            replace(scene, speeches=find_speeches(scene, may_speak))
            for scene in scenes
            if scene.position is not None
        ),
        tuple(scene for scene in scenes if scene.position is None),
        tuple(_relations(view, keys)),
        tuple(_changes(view, keys)),
        view.as_of,
    )


def load_scenes(view: View, sheets: Sheets, note_ids: Iterable[int] | None = None) -> list[Scene]:
    """Return the scenes of the manuscript in reading order, then the sections of other notes.

    All notes by default, or only those given.
    """
    chosen = None if note_ids is None else sorted(set(note_ids))
    chunk, note = view.chunk, view.note
    statement = (
        select(chunk.c.id, chunk.c.note_id, chunk.c.text, chunk.c.start, chunk.c.line)
        .add_columns(chunk.c.heading, note.c.path, note.c.title, note.c.position)
        .add_columns(note.c.frontmatter)
        .join(note, note.c.id == chunk.c.note_id)
        .where(note.c.kind == "note")
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start)
    )
    if chosen is not None:
        statement = statement.where(note.c.id.in_(chosen))
    marks = _Marks.load(view, chosen)
    found: list[_Draft] = []
    for row in view.all(statement):
        last = found[-1] if found else None
        parsed = plain_note("\n" + row.text)
        starts_note = last is None or last.row.note_id != row.note_id
        if last is None or starts_note or last.row.heading != row.heading:
            ordinal = 0 if last is None or starts_note else last.ordinal + 1
            found.append(_Draft(row, ordinal, row.start, 0 if starts_note else _next(last)))
        for sentence in read_sentences(row.text, parsed):
            draft = found[-1]
            if sentence.follows_rule and draft.sentences:
                begin = row.start + sentence.start
                draft = _Draft(row, draft.ordinal + 1, begin, _next(draft))
                found.append(draft)
            draft.add(row, sentence, marks)
        found[-1].fields += [(one.key, one.value) for one in parsed.fields]
        found[-1].close(row)
    return [draft.scene(sheets) for draft in found]


def _next(draft: _Draft | None) -> int:
    return 0 if draft is None else draft.paragraph + 1


@dataclass
class _Marks:
    """Mentions, by chunk, and links, by note: what of them a reader may see.

    `written` are the forms that the writer gave, each with whose it is.
    """

    names: Mapping[int, list[Any]]
    rivals: Mapping[tuple[int, int, int], list[str]]
    links: Mapping[int, list[Any]]
    written: Collection[tuple[str, str]]

    @classmethod
    def load(cls, view: View, note_ids: list[int] | None) -> _Marks:
        """Read the marks of all notes, or of those given."""
        names: dict[int, list[Any]] = defaultdict(list)
        rivals: dict[tuple[int, int, int], list[str]] = defaultdict(list)
        links: dict[int, list[Any]] = defaultdict(list)
        entity, chunk, link, note = view.entity, view.chunk, view.link, view.note
        for table, is_holding in ((view.mention, True), (view.candidate, False)):
            statement = (
                select(table.c.chunk_id, table.c.start, table.c.end, table.c.method, entity.c.key)
                .join(entity, entity.c.id == table.c.entity_id)
                .order_by(table.c.chunk_id, table.c.start, table.c.end, entity.c.id)
            )
            if note_ids is not None:
                statement = statement.join(chunk, chunk.c.id == table.c.chunk_id).where(
                    chunk.c.note_id.in_(note_ids)
                )
            for row in view.all(statement):
                if is_holding:
                    names[row.chunk_id].append(row)
                else:
                    rivals[row.chunk_id, row.start, row.end].append(row.key)
        followed = select(link.c.note_id, link.c.start, link.c.end, note.c.path).join(
            note, note.c.id == link.c.target_note_id
        )
        if note_ids is not None:
            followed = followed.where(link.c.note_id.in_(note_ids))
        for row in view.all(followed.order_by(link.c.note_id, link.c.ordinal)):
            links[row.note_id].append(row)
        alias = view.alias
        statement = select(alias.c.form_key, entity.c.key).join(
            entity, entity.c.id == alias.c.entity_id
        )
        written = view.all(statement.where(alias.c.kind.in_(("name", "alias"))))
        return cls(names, rivals, links, {(row.form_key, row.key) for row in written})

    def rivals_of(self, chunk_id: int, mark: Any, surface: str) -> tuple[str, ...]:
        """Return the entities, other than the mark's, that its span may name."""
        same = self.rivals.get((chunk_id, mark.start, mark.end), ())
        form = fold_name(surface)
        is_written = (form, mark.key) in self.written
        return tuple(
            key
            for key in dict.fromkeys(same)
            if key != mark.key and not (is_written and (form, key) not in self.written)
        )


@dataclass
class _Draft:
    """A scene while its chunks are read."""

    row: Any
    ordinal: int
    start: int
    paragraph: int
    end: int = 0
    sentences: list[Sentence] = field(default_factory=list)
    fields: list[tuple[str, str]] = field(default_factory=list)

    _base: int = 0
    _chunk: int | None = None

    def add(self, row: Any, sentence: ReaderSentence, marks: _Marks) -> None:
        """Add a sentence of a chunk, with the names and the links in it."""
        if self._chunk != row.id:
            self._chunk, self._base = row.id, _next(self) if self.sentences else self.paragraph
        self.paragraph = self._base + sentence.paragraph
        begin, finish = row.start + sentence.start, row.start + sentence.end
        names = []
        for mark in marks.names.get(row.id, ()):
            span = sentence.find(mark.start - row.start, mark.end - row.start)
            if span is None:
                continue
            surface = sentence.text[span[0] : span[1]]
            is_spoken = not sentence.narration[span[0] : span[1]].strip()
            is_told = mark.method == "link"
            rivals = () if is_told else marks.rivals_of(row.id, mark, surface)
            names.append(NamedSpan(*span, surface, mark.key, rivals, is_spoken))
        quote = row.text[sentence.start : sentence.end]
        line = row.line + row.text.count("\n", 0, sentence.start)
        self.sentences.append(
            Sentence(
                sentence.text,
                sentence.narration,
                Evidence(row.path, begin, finish, quote, line, row.heading or "", row.position),
                row.position,
                self.paragraph,
                sentence.is_row,
                tuple(names),
                tuple(_links(row, sentence, marks)),
            )
        )

    def close(self, row: Any) -> None:
        """Note where the chunk ends."""
        self.end = row.start + len(row.text)

    def scene(self, sheets: Sheets) -> Scene:
        """Return the scene, with whom and what its properties name."""
        row = self.row
        written: dict[str, list[str]] = {}
        for key, value in [*(row.frontmatter or {}).items(), *self.fields]:
            written.setdefault(dashed(key), []).extend(texts(value))
        viewpoint = sheets.named(written, VIEWPOINT_KEYS)
        end = self.end or (self.sentences[-1].evidence.end if self.sentences else self.start)
        return Scene(
            row.path,
            row.title,
            row.heading or "",
            self.ordinal,
            row.position,
            self.start,
            end,
            tuple(self.sentences),
            {key: tuple(map(with_plain_links, values)) for key, values in written.items()},
            sheets.named(written, CAST_KEYS),
            viewpoint[0] if viewpoint else None,
            sheets.named(written, PLACE_KEYS),
            sheets.subjects.get(row.note_id),
        )


def _links(row: Any, sentence: ReaderSentence, marks: _Marks) -> Iterator[StoryLink]:
    """Yield the links of a sentence of a chunk; one without words stands where it begins."""
    begin, finish = row.start + sentence.start, row.start + sentence.end
    for link in marks.links.get(row.note_id, ()):
        if begin - 2 <= link.start < finish:
            start, end = link.start - row.start, link.end - row.start
            yield StoryLink(*(sentence.place(start), sentence.place(end)), link.path)


def dashed(key: str) -> str:
    """Return a property's key in lower case with dashes: `story_date` is `story-date`."""
    return key.strip().casefold().replace("_", "-").replace(" ", "-")


def texts(value: Any) -> list[str]:
    """Return a property's values as text."""
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    if isinstance(value, dict) or value is None:
        return []
    return [value if isinstance(value, str) else str(value)]


def _entities(view: View, sheets: Sheets, people: set[str]) -> dict[str, StoryEntity]:
    names: dict[int, list[StoryName]] = defaultdict(list)
    alias = view.alias
    statement = select(alias.c.entity_id, alias.c.form, alias.c.kind, alias.c.visible_from)
    order = (alias.c.entity_id, alias.c.weight.desc(), alias.c.form)
    for row in view.all(statement.order_by(*order)):
        position = None if row.visible_from == ALWAYS else row.visible_from
        names[row.entity_id].append(StoryName(row.form, row.kind, position))
    shown = display_names(view, sheets.entities)
    return {
        row.key: StoryEntity(
            row.key,
            shown.get(entity_id, row.name),
            row.type,
            row.status,
            tuple(names[entity_id]),
            sheets.properties(row.note_id),
            sheets.paths.get(row.note_id),
            is_personal=row.type in people,
        )
        for entity_id, row in sheets.entities.items()
    }


def _placed(entity: StoryEntity, positions: Iterable[int]) -> StoryEntity:
    found = list(positions)
    if not found:
        return entity
    return replace(entity, first_position=min(found), last_position=max(found))


def _relations(view: View, keys: Mapping[int, str]) -> Iterable[StoryRelation]:
    found = load_relations(view)
    proofs = evidence_of(view, [row.id for row in found], limit=4)
    for row in found:
        if row.source_id not in keys or row.target_id not in keys:
            continue
        for proof in proofs.get(row.id, ()):
            yield StoryRelation(
                keys[row.source_id],
                keys[row.target_id],
                row.kind,
                proof.key,
                proof.position,
                proof.has_ended,
                Evidence(
                    *(proof.path, proof.start, proof.end, proof.quote, proof.line),
                    *(proof.heading, proof.position),
                ),
            )


def _changes(view: View, keys: Mapping[int, str]) -> Iterable[StoryChange]:
    change, note, chunk = view.entity_change, view.note, view.chunk
    statement = (
        select(change, note.c.path, chunk.c.text, chunk.c.heading)
        .add_columns(chunk.c.start.label("chunk_start"))
        .join(note, note.c.id == change.c.note_id)
        .outerjoin(chunk, chunk.c.id == change.c.chunk_id)
        .order_by(change.c.visible_from, change.c.entity_id, change.c.ordinal)
    )
    for row in view.all(statement):
        if row.entity_id not in keys:
            continue
        proof = (row.path, row.start, row.end, quoted(row), row.line, row.heading or "")
        yield StoryChange(
            keys[row.entity_id],
            row.kind,
            row.previous,
            row.new,
            keys.get(row.other_id),
            None if row.visible_from == ALWAYS else row.visible_from,
            Evidence(*proof, row.position),
        )
