"""The pure part of a sync: one file's bytes become a draft of everything its rows will hold."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from writeros_entities.names import fold_name
from writeros_entities.plugins import PluginFailure
from writeros_entities.sync.declarations import Declaration, TypeWords, declare_entity
from writeros_entities.sync.plan import hash_content
from writeros_entities.values import MARK, Diagnostic, Note
from writeros_entities.vault.canvas import parse_canvas
from writeros_entities.vault.notes import parse_note

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins
    from writeros_entities.settings import Settings
    from writeros_entities.values import ChunkSpan, OrderClaim, ProposedName

VERSION = "1"
"""Raised whenever the framework's own part of the pipeline gives another result."""

DRAFT_HOOKS = ("propose_entities", "register_chunkers", "register_token_counters")
DETECTION_HOOKS = ("detect_entities", "link_mention", "derive_names")

_MARK_INSIDE_WORD = re.compile(rf"\w{MARK}+\w")


@dataclass(frozen=True)
class NoteDraft:
    """What one note's file says, before it is set against the rest of the vault."""

    note: Note
    chunks: Sequence[ChunkSpan]
    proposals: Mapping[str, ProposedName]
    declaration: Declaration | None
    order: OrderClaim | None
    visible_claim: str | None
    diagnostics: Sequence[Diagnostic]

    @property
    def marks_inside_words(self) -> bool:
        """Say whether formatting marks stand inside a word, where full text cannot see it."""
        return _MARK_INSIDE_WORD.search(self.note.prose) is not None


@dataclass
class Pipeline:
    """The plugins and settings that turn files into drafts, and what identifies them."""

    plugins: Plugins
    settings: Settings
    failures: list[PluginFailure] = field(default_factory=list)

    @cached_property
    def fingerprint(self) -> str:
        """Identify all that a draft depends on besides the file's content."""
        settings = self.settings
        chosen = (
            VERSION,
            self._chunker.identity,
            settings.token_counter,
            settings.digest(
                "discovery",
                "discovery_needed",
                "entity_folders",
                "max_note_links",
                "max_note_bytes",
                "reading_orders",
                "visible_from",
            ),
            self.plugins.identity(*DRAFT_HOOKS, "register_reading_orders", "register_entity_types"),
        )
        return _digest(*chosen)

    @cached_property
    def lexicon_identity(self) -> str:
        """Identify all that the lexicon depends on besides the notes."""
        bases = " ".join(base.identity for base in self._knowledge_bases)
        settings = self.settings.digest("never", "exact_names", "common_words", "knowledge_bases")
        return _digest(VERSION, bases, settings, self.plugins.identity("derive_names"))

    @cached_property
    def detection_identity(self) -> str:
        """Identify all that a note's mentions depend on besides the note and the lexicon."""
        settings = self.settings.digest("never", "exact_names", "common_words")
        return _digest(VERSION, settings, self.plugins.identity(*DETECTION_HOOKS))

    def draft(self, path: str, data: bytes) -> NoteDraft:
        """Parse a note's bytes, cut it into chunks, and read what it says of itself."""
        note = parse_note(path, data, max_links=self.settings.max_note_links)
        proposals, failures = self.plugins.gather("propose_entities", note=note)
        chunks: Sequence[ChunkSpan] = ()
        try:
            chunks = self._chunker.chunk(note, self._counter)
        except Exception as error:  # one bad note is one diagnostic, whoever wrote the chunker
            failures.append(_failure(self._chunker.name, "chunk", error))
        return NoteDraft(
            note=note,
            chunks=chunks,
            proposals=_join_proposals(proposals),
            declaration=declare_entity(note, self._type_words, self.settings.entity_folders),
            order=self._claim_order(note, failures),
            visible_claim=_claim_visibility(note, self.settings.visible_from),
            diagnostics=(*note.diagnostics, *describe_failures(failures)),
        )

    def draft_canvas(self, path: str, data: bytes) -> NoteDraft:
        """Read a canvas: it holds links to files, and no prose."""
        canvas = parse_canvas(path, data)
        title = path.rpartition("/")[2].removesuffix(".canvas")
        note = Note(path, title, "", "", hash_content(data), {}, links=canvas.links)
        return NoteDraft(note, (), {}, None, None, None, canvas.diagnostics)

    @cached_property
    def _chunker(self):  # type: ignore[no-untyped-def]  # typed by the plugin host
        return self.plugins.chunker(self.settings.chunker)

    @cached_property
    def _counter(self):  # type: ignore[no-untyped-def]  # typed by the plugin host
        return self.plugins.token_counter(self.settings.token_counter)

    @cached_property
    def _knowledge_bases(self):  # type: ignore[no-untyped-def]  # typed by the plugin host
        return self.plugins.knowledge_bases(self.settings.knowledge_bases)

    @cached_property
    def _orders(self):  # type: ignore[no-untyped-def]  # typed by the plugin host
        return self.plugins.reading_orders()

    @cached_property
    def _type_words(self) -> TypeWords:
        return TypeWords(self.plugins.entity_types.values())

    def _claim_order(self, note: Note, failures: list[PluginFailure]) -> OrderClaim | None:
        for order in self._orders:
            claim: OrderClaim | None = None
            try:
                claim = order.claim(note.path, note.frontmatter)
            except Exception as error:
                failures.append(_failure(order.name, "claim", error))
            if claim is not None:
                return claim
        return None


def _failure(name: str, method: str, error: Exception) -> PluginFailure:
    return PluginFailure(name, method, f"{type(error).__name__}: {error}")


def describe_failures(
    failures: Sequence[PluginFailure], code: str = "plugin-failed"
) -> list[Diagnostic]:
    """Return a diagnostic for each hook call that a plugin broke off, once for each reason."""
    messages = [f"Plugin {each.plugin!r}, {each.hook}: {each.error}" for each in failures]
    return [Diagnostic(code, message) for message in dict.fromkeys(messages)]


def _join_proposals(proposals: Sequence[ProposedName]) -> dict[str, ProposedName]:
    joined: dict[str, ProposedName] = {}
    for proposal in proposals:
        key = fold_name(proposal.name)
        if key and (key not in joined or proposal.count > joined[key].count):
            joined[key] = proposal
    return joined


def _claim_visibility(note: Note, settings: Mapping[str, int | str]) -> str | None:
    for key, value in note.frontmatter.items():
        if key.casefold() in ("visible_from", "visible-from"):
            return str(value)
    matching = [
        prefix
        for prefix in settings
        if note.path == prefix or note.path.startswith(prefix.rstrip("/") + "/")
    ]
    return str(settings[max(matching, key=len)]) if matching else None


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
