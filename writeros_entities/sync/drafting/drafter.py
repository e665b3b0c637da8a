"""From parsed notes to the drafts of their rows.

    drafts = Drafter(plugins, settings).draft(notes)

All notes of a batch go through one stage before any goes through the next: what a stage uses, its
code and its tables, then stays in the processor's caches, which saves a tenth of the time.

What the words around a link say of what it leads to, as far as a kind of relation needs it.

Headquarters: [[Ash Hall]]            a label
The leader is [[Ruder Norr]].         the same, as a sentence
Ruder is the father of [[Edda]].      a role, and whose it is
## Members                            a list, and what it is of
- [[Nyx Avar]]
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.answers import check_answers, check_chunks
from writeros_entities.errors import FAULTS, PluginError, describe_error
from writeros_entities.language.layout import read_layout
from writeros_entities.plugins import PluginFailure, describe_failures
from writeros_entities.properties import NEVER_TOLD, says_visibility
from writeros_entities.sync.decided import decision_words
from writeros_entities.sync.drafting.declarations import declare_entity
from writeros_entities.sync.drafting.drafts import draft_left_out, draft_note, join_proposals
from writeros_entities.sync.drafting.guessed_types import is_of_a_game
from writeros_entities.sync.drafting.headed import Headings, listed_sections
from writeros_entities.sync.drafting.property_values import (
    named_values,
    properties_as_note,
    with_told_properties,
)
from writeros_entities.sync.drafting.sections import claimed_sections, cut_at_sections
from writeros_entities.sync.drafting.type_words import EVENT, TypeWords
from writeros_entities.values import SURE_TYPE, TOLD_TYPE, OrderClaim
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.decisions import not_understood
from writeros_entities.vault.order.chains import read_links, read_list
from writeros_entities.vault.order.reading_order import in_series
from writeros_entities.vault.roles import STATED, Look, RoleWords
from writeros_entities.vault.threads import ThreadWords

if TYPE_CHECKING:
    from writeros_entities.language.layout import LaidLine
    from writeros_entities.language.words import Words
    from writeros_entities.ontology import Ontology
    from writeros_entities.plugins import Plugins
    from writeros_entities.protocols import Chunker, ReadingOrder, TokenCounter
    from writeros_entities.settings import Settings
    from writeros_entities.sync.drafting.declarations import Declaration
    from writeros_entities.sync.drafting.drafts import NoteDraft
    from writeros_entities.sync.drafting.sections import Section
    from writeros_entities.values import ChunkSpan, Diagnostic, EntityType, Link, Note, ProposedName
    from writeros_entities.vault.decisions import Decisions
    from writeros_entities.vault.roles import Role


_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_PLURAL = re.compile(r"e?s\Z")
_LISTED = re.compile(r"[:：]\s*+\Z")
_LONGEST = 120
"""How many characters the words that say something of a link have at most."""


@dataclass(frozen=True)
class LinkCues:
    """Reads what stands before links with the words of all languages."""

    ontology: Ontology
    languages: Collection[Words]

    def read(self, note: Note) -> dict[int, str]:
        """Return the key of a relation that leads to a link, by the link's ordinal."""
        links = {
            link.start: ordinal
            for ordinal, link in enumerate(note.links)
            if link.kind == "wikilink" and link.field is None and link.text_start
        }
        return dict(self._read(note, links)) if links else {}

    def _read(self, note: Note, links: dict[int, int]) -> Iterator[tuple[int, str]]:
        starts, listed = sorted(links), ""
        for line in read_layout(note):
            if line.kind == "heading" or _LISTED.search(line.text):
                listed = line.text
            elif line.kind not in ("item", "cell"):
                listed = ""
            first, last = line.offsets[0], line.offsets[-1]
            for start in starts[bisect_left(starts, first - 2) : bisect_left(starts, last + 1)]:
                ordinal = links[start]
                key = self._key(line, note.links[ordinal], listed)
                if key:
                    yield ordinal, key

    def _key(self, line: LaidLine, link: Link, listed: str) -> str:
        at = bisect_left(line.offsets, link.text_start)
        if line.value is not None and at >= line.value:
            return self._known(line.label)
        before = [word.lower() for word in _WORD.findall(line.text[max(0, at - _LONGEST) : at])]
        if not before:
            return self._known(line.header or listed)
        if before[-1] in self._words["of"]:
            return self._known(f"{before[-2]} {before[-1]}") if len(before) > 1 else ""
        if before.pop() not in self._words["being"] or not before:
            return ""
        return self._known(" ".join(before[before[0] in self._words["leading"] :]))

    def _known(self, said: str) -> str:
        """Return the ontology's key for what a label says, or "" if it has none."""
        plain = " ".join(_WORD.findall(said[: _LONGEST + 1])).casefold()
        for word in (plain, _PLURAL.sub("", plain)):
            key = self._labels.get(word, word)
            if word and self.ontology.knows_key(key):
                return key
        return ""

    @cached_property
    def _labels(self) -> dict[str, str]:
        labels = ({**one.roles, **one.labels} for one in self.languages)
        return {key: meant for table in labels for key, meant in table.items()}

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {
            name: frozenset().union(*(getattr(one, name) for one in self.languages))
            for name in ("of", "being", "leading")
        }


_OF_THE_STORY = ("person", "place", "faction", "event")
"""Types of what a story tells of, also where a note has the figures of a game about it."""

BEINGS = ("person", "creature", "item")
"""Types of notes that are about one being or thing, and whose sections tell of that."""

ENOUGH_IN_STORY = 2
"""Uses of a name in the manuscript that are enough, unless the settings want fewer."""


@dataclass(frozen=True, slots=True)
class _CountSeen:
    """Counts the tokens of texts without what is covered in them: encoded data."""

    counter: TokenCounter

    @property
    def name(self) -> str:
        return self.counter.name

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        return self.counter.count([without_comments(text) for text in texts])


class _Opened(NamedTuple):
    """A note on its way through the stages; they add what plugins failed at to `failures`."""

    note: Note
    sections: Sequence[Section]
    failures: list[PluginFailure]


class Vocabulary:
    """What words mean to a draft, in the languages and for the types that plugins know."""

    def __init__(
        self, types: tuple[EntityType, ...], words: tuple[Words, ...], ontology: Ontology
    ) -> None:
        self.types = TypeWords(types, words)
        self.roles = RoleWords(
            [one.note_roles for one in words],
            [one.numbered for one in words],
            [one.numbers for one in words],
        )
        self.neighbours = {
            word: way for one in reversed(words) for word, way in one.neighbours.items()
        }
        self.headings = Headings(words)
        self.cues = LinkCues(ontology, words)
        self.threads = ThreadWords(one.threads for one in words)


def vocabulary_of(plugins: Plugins) -> Vocabulary:
    """Return what the words of plugins mean; the syncs of a process mostly share it."""
    return _vocabulary(tuple(plugins.entity_types.values()), plugins.words, plugins.ontology)


_vocabulary = lru_cache(maxsize=8)(Vocabulary)


class Drafter:
    """Drafts notes with the plugins that propose names, chunk, count and order."""

    def __init__(self, plugins: Plugins, settings: Settings, decisions: Decisions) -> None:
        self._plugins = plugins
        self._words = vocabulary_of(plugins)
        self._settings = settings
        self._decisions = decisions

    @cached_property
    def chunker(self) -> Chunker:
        """The chunker that the settings choose."""
        return self._plugins.chunker(self._settings.chunker)

    @cached_property
    def _counter(self) -> TokenCounter:
        return self._plugins.token_counter(self._settings.token_counter)

    @cached_property
    def _orders(self) -> list[ReadingOrder]:
        return self._plugins.reading_orders()

    def role_of(self, note: Note) -> Role:
        """Return what a note is by itself."""
        opened = _Opened(note, (), [])
        return self._declaration(opened, self._claim_order(note, opened.failures)).role

    def draft(self, notes: Sequence[Note]) -> list[NoteDraft]:
        """Return the drafts of notes; what plugins fail at is a diagnostic of the note."""
        left_out = [self._decisions.is_left_out(note) for note in notes]
        read = [note for note, is_out in zip(notes, left_out, strict=True) if not is_out]
        drafts = iter(self._draft(read))
        return [
            draft_left_out(note, note.path == self._decisions.path, self._troubles(note))
            if is_out
            else next(drafts)
            for note, is_out in zip(notes, left_out, strict=True)
        ]

    def _troubles(self, note: Note) -> tuple[Diagnostic, ...]:
        """Return what is wrong with a note that is left out, or with decisions in it."""
        if note.path != self._decisions.path:
            return note.diagnostics
        words = decision_words(self._plugins, self._settings)
        return (*note.diagnostics, *not_understood(self._decisions.lines, words))

    def _draft(self, notes: Iterable[Note]) -> list[NoteDraft]:
        opened = [_Opened(note, self._sections(note), []) for note in notes]
        orders = [self._claim_order(one.note, one.failures) for one in opened]
        declarations = list(map(self._declaration, opened, orders))
        proposals = list(map(self._proposals, opened, declarations))
        chunks = list(map(self._chunks, opened, declarations, proposals))
        return list(map(self._finish, opened, proposals, declarations, chunks, orders))

    def _sections(self, note: Note) -> Sequence[Section]:
        """Return the sections that say when they are told, unless that is decided for all."""
        told = self._decisions.told(note)
        sections = claimed_sections(note)
        return [(*one[:2], told) for one in sections] if told == NEVER_TOLD else sections

    def _proposals(self, one: _Opened, declaration: Declaration) -> Mapping[str, ProposedName]:
        """Return the names that a note uses, and those of its sections.

        In the manuscript, a likely type is one. The rules of a game for a thing or creature name
        nobody.
        """
        own = declaration.type
        if own not in _OF_THE_STORY and is_of_a_game(one.note, self._words.types):
            return {}
        found: list[ProposedName]
        shown = with_told_properties(one.note)
        found, failures = self._plugins.gather("propose_entities", note=shown)
        one.failures.extend(failures)
        is_told = declaration.role.name == "manuscript"
        typed = [self._typed(each, is_told=is_told) for each in found]
        needed = self._settings.discovery_needed
        is_world = declaration.role.name == "entity" and own not in BEINGS
        sections = self._words.headings.propose(
            one.note, self._words.types, needed, is_world=is_world, own=own
        )
        return join_proposals([*sections, *typed])

    def _typed(self, name: ProposedName, *, is_told: bool) -> ProposedName:
        """Return a name with its type: by its own words, or as its uses in the note show it.

        The manuscript names somebody more clearly than other notes do: there one use less is
        enough. An event of several words with capitals is named by one use.
        """
        is_sure = is_told or name.type_confidence >= SURE_TYPE
        own = self._words.types.of_name(name.name, name.type if is_sure else None)
        if own is not None or is_sure:
            is_by_uses = is_sure and own == name.type
            sure = max(SURE_TYPE, name.type_confidence) if is_by_uses else TOLD_TYPE
            name = replace(name, type=own, type_confidence=sure)
        if name.type == EVENT and " " in name.name and name.needed <= ENOUGH_IN_STORY:
            return replace(name, needed=1)
        least = min(name.needed, ENOUGH_IN_STORY)
        return replace(name, needed=max(least, name.needed - is_told))

    def _declaration(self, one: _Opened, order: OrderClaim | None) -> Declaration:
        is_sure = order is not None and not order.sequence and not order.is_bare
        source = order.source if order is not None and is_sure else ""
        words, folders = self._words.types, self._settings.entity_folders
        return declare_entity(
            *(one.note, words, self._words.roles, folders, source), decisions=self._decisions
        )

    def _chunks(
        self, one: _Opened, declaration: Declaration, proposals: Mapping[str, ProposedName]
    ) -> Sequence[tuple[ChunkSpan, str | None]]:
        spans = self._spans(one.note, one.failures)
        told = properties_as_note(one.note, is_sheet=declaration.type is not None)
        if told is not None:
            spans = [*self._spans(told, one.failures), *spans]
        apart = listed_sections(one.note, proposals.values())
        return cut_at_sections(spans, one.sections, one.note, self._counter, apart=apart)

    def _finish(
        self,
        one: _Opened,
        proposals: Mapping[str, ProposedName],
        declaration: Declaration,
        chunks: Sequence[tuple[ChunkSpan, str | None]],
        order: OrderClaim | None,
    ) -> NoteDraft:
        role, ontology = declaration.role, self._plugins.ontology
        return draft_note(
            one.note,
            chunks,
            {} if role.tells_nothing else proposals,
            declaration=declaration,
            named=named_values(one.note, ontology),
            ontology=ontology,
            cues={} if role.name == "manuscript" else self._words.cues.read(one.note),
            order=self._place(one.note, role, order),
            visible_claim=self._decisions.told(one.note)
            or _claim_visibility(one.note, self._settings.visible_from),
            diagnostics=(*one.note.diagnostics, *describe_failures(one.failures)),
        )

    def _place(self, note: Note, role: Role, order: OrderClaim | None) -> OrderClaim | None:
        """Return what a note says of its place, or of that of others.

        A note without a text to tell has none, unless its properties plan it.
        """
        if order is not None and order.sequence:
            return order
        if role.name == "index":
            return read_list(note)
        is_empty = Look(note).is_empty
        if role.name != "manuscript" or (is_empty and not note.frontmatter):
            return None
        if order is not None:
            return order
        links = read_links(note, self._words.neighbours)
        return replace(links, is_told=role.confidence == STATED and not is_empty)

    def _spans(self, note: Note, failures: list[PluginFailure]) -> Sequence[ChunkSpan]:
        """Return a note's chunks; if the chunker or counter fails, none, and one more failure."""
        try:
            spans = tuple(self.chunker.chunk(note, _CountSeen(self._counter)))
            check_chunks(note, spans)
        except PluginError as error:
            fault = describe_error(error.__cause__ or error)
            failures.append(PluginFailure(self._counter.name, "count", fault))
            return ()
        except FAULTS as error:
            failures.append(PluginFailure(self.chunker.name, "chunk", describe_error(error)))
            return ()
        return spans

    def _claim_order(self, note: Note, failures: list[PluginFailure]) -> OrderClaim | None:
        for order in self._orders:
            try:
                claim = order.claim(note.path, note.frontmatter)
                if claim is not None:
                    check_answers([claim], OrderClaim)
                    return in_series(claim, note.path, self._settings.books)
            except FAULTS as error:
                failures.append(PluginFailure(order.name, "claim", describe_error(error)))
        return None


def _claim_visibility(note: Note, settings: Mapping[str, int | str]) -> str | None:
    for key, value in note.frontmatter.items():
        said = value[0] if isinstance(value, list) and len(value) == 1 else value
        if says_visibility(key) and said not in (None, "", []):
            return str(said)
    matching = [
        prefix
        for prefix in settings
        if note.path == prefix or note.path.startswith(prefix.rstrip("/") + "/")
    ]
    return str(settings[max(matching, key=len)]) if matching else None
