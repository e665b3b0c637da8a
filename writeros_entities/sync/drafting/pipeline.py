"""The pure part of a sync: a file's bytes become a draft of rows, and then topics and mentions.

Nothing here uses the database, so that it can run in other processes (see `workers`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.plugins import describe_failures
from writeros_entities.sync.drafting.detector import Detector
from writeros_entities.sync.drafting.drafter import Drafter, vocabulary_of
from writeros_entities.sync.drafting.drafts import NoteDraft, TopicRow, join_topics, link_rows
from writeros_entities.sync.drafting.files import read_file
from writeros_entities.sync.drafting.pages import Pages
from writeros_entities.sync.drafting.sections import claimed_sections, without_sections
from writeros_entities.sync.drafting.statements import canvas_statements
from writeros_entities.sync.plan import READ_KINDS
from writeros_entities.values import Diagnostic, Note
from writeros_entities.vault.canvas import parse_canvas
from writeros_entities.vault.decisions import Decisions
from writeros_entities.vault.notes import hash_content, parse_note
from writeros_entities.vault.threads import find_threads, set_aside

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins
    from writeros_entities.protocols import KnowledgeBase
    from writeros_entities.settings import Settings
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.drafting.detector import Detected, DetectionJob
    from writeros_entities.sync.drafting.files import ParsedNotes, StoredNote
    from writeros_entities.vault.files.walk import VaultFile

VERSION = "33"
"""Increased whenever the results of the framework's own part of the pipeline change."""

DRAFT_HOOKS = ("propose_entities", "extract_topics", "register_chunkers", "register_token_counters")
"""The hooks whose results are found again only when a note is read again."""

DETECTION_HOOKS = (
    *("detect_entities", "link_mention", "derive_names", "infer_relations", "tell_events"),
    "register_languages",
)

TELLING_ROLES = ("manuscript", "entity")
"""What notes are whose text tells of the story, so that open threads are set aside in them."""

FileToRead = tuple["VaultFile", bytes | None]
"""A file, and its content if it has already been read."""

Drafted = NoteDraft | Diagnostic | None
"""A file's draft, a diagnostic if it is unreadable, or None if it has none."""

TOO_LARGE = "too-large"
TOPICS_FAILED = "topics-failed"


class FoundTopics(NamedTuple):
    """The topics of one note."""

    note_id: int
    path: str
    topics: Sequence[TopicRow]
    diagnostics: Sequence[Diagnostic]


@dataclass
class Pipeline:
    """What turns files into rows: plugins, settings, decisions; with hashes that identify them.

    `before_note` is called before each note is read, and before each batch in which mentions are
    found; it may raise to stop.
    """

    plugins: Plugins
    settings: Settings
    decisions: Decisions = field(default_factory=Decisions)
    before_note: Callable[[], None] = lambda: None

    def fingerprint_of(self, path: str) -> str:
        """Return a hash of all that the draft of a file depends on besides its content."""
        decided = self.decisions.digest_for(path)
        return f"{self.fingerprint} {decided}" if decided else self.fingerprint

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that all drafts depend on besides the files."""
        settings = self.settings
        chosen = (
            VERSION,
            self._drafter.chunker.identity,
            settings.token_counter,
            settings.digest(
                "books",
                "discovery",
                "discovery_needed",
                "entity_folders",
                "max_note_links",
                "max_note_bytes",
                "reading_orders",
                "relation_keys",
                "visible_from",
            ),
            self.plugins.identity(
                *DRAFT_HOOKS,
                "register_reading_orders",
                "register_entity_types",
                "register_relation_kinds",
            ),
        )
        return _digest(*chosen)

    @cached_property
    def lexicon_identity(self) -> str:
        """Hash of everything that the lexicon depends on besides the notes."""
        bases = " ".join(base.identity for base in self._knowledge_bases)
        settings = self.settings.digest(
            *("never", "exact_names", "common_words", "knowledge_bases", "relation_keys"),
            "reading_orders",
        )
        plugins = self.plugins.identity(
            *("derive_names", "register_languages"),
            *("register_relation_kinds", "register_reading_orders"),
        )
        return _digest(VERSION, bases, settings, plugins, self.decisions.digest)

    @cached_property
    def detection_identity(self) -> str:
        """Hash of everything that a note's mentions depend on besides the note and the lexicon."""
        settings = self.settings.digest(*("never", "exact_names", "common_words", "language"))
        plugins = self.plugins.identity(*DETECTION_HOOKS, "register_relation_kinds")
        return _digest(VERSION, settings, plugins)

    @property
    def identity(self) -> str:
        """Hashes of everything that all stages depend on besides files and lexicon."""
        return f"{self.fingerprint} {self.detection_identity}"

    def read(self, file: VaultFile) -> bytes | None:
        """Return a file's content, or None if it cannot be read now or is too large."""
        self.before_note()
        if file.unavailable or file.size > self.settings.max_note_bytes:
            return None
        data = read_file(file.disk_path, self.settings.max_note_bytes + 1)
        return None if data is None or len(data) > self.settings.max_note_bytes else data

    def draft(self, files: Sequence[FileToRead], parsed: ParsedNotes) -> list[Drafted]:
        """Return for each file a draft, a diagnostic if it is unreadable, or None if it has none.

        Parsed notes are stored in `parsed`.
        """
        opened = [self._open(file, data) for file, data in files]
        notes = [one for one in opened if isinstance(one, Note)]
        for note in notes:
            parsed.keep(note)
        drafts = iter(self._drafter.draft(notes))
        return [next(drafts) if isinstance(one, Note) else one for one in opened]

    def find_topics(self, stored: StoredNote, parsed: ParsedNotes) -> FoundTopics | None:
        """Return the topics of a note without the sections that have a visibility of their own.

        The note is found in `parsed` or read from its file; the result is None if the file no
        longer has the content hash.
        """
        note = parsed.find(stored.path, stored.content_hash) or self._read_again(stored)
        if note is None:
            return None
        if self.decisions.is_left_out(note):
            return FoundTopics(stored.note_id, stored.path, (), ())
        open_to_all = without_sections(note, claimed_sections(note))
        found, failures = self.plugins.gather("extract_topics", note=open_to_all)
        topics = [TopicRow(topic.name, topic.confidence) for topic in join_topics(found).values()]
        diagnostics = describe_failures(failures, TOPICS_FAILED)
        return FoundTopics(stored.note_id, stored.path, topics, diagnostics)

    def detect(
        self,
        jobs: Sequence[DetectionJob],
        names: VaultLexicon,
        parsed: ParsedNotes,
    ) -> list[Detected | None]:
        """Return for each job the mentions in its note, taken from `parsed` or read from its file.

        None stands for a note whose file no longer has the content hash.
        """
        self.before_note()
        notes = [
            parsed.take(job.note.path, job.note.content_hash) or self._read_again(job.note)
            for job in jobs
        ]
        opened = [(job, note) for job, note in zip(jobs, notes, strict=True) if note is not None]
        detected = iter(self._detector.detect(opened, names))
        return [None if note is None else next(detected) for note in notes]

    def _parse(self, path: str, data: bytes) -> Note:
        """Parse a note with its open threads, which are no part of a text that tells the story."""
        note = parse_note(path, data, max_links=self.settings.max_note_links)
        threads = find_threads(note, vocabulary_of(self.plugins).threads)
        if not threads or self.decisions.is_left_out(note):
            return note
        role = self._drafter.role_of(note)
        if role.tells_nothing:
            return note
        if role.name in TELLING_ROLES:
            note = set_aside(note, threads)
        return replace(note, threads=threads)

    def _read_again(self, stored: StoredNote) -> Note | None:
        self.before_note()
        data = read_file(stored.disk_path, self.settings.max_note_bytes + 1)
        if data is None or hash_content(data) != stored.content_hash:
            return None
        return self._parse(stored.path, data)

    def _open(self, file: VaultFile, data: bytes | None) -> Note | Drafted:
        """Return a note's text parsed, or else the answer for a file that is no note."""
        if file.kind not in READ_KINDS:
            return None
        if data is None:
            data = self.read(file)
        if data is None:
            return None if file.unavailable else self._explain_unread(file)
        if file.kind == "canvas":
            return self._draft_canvas(file.path, data)
        return self._parse(file.path, data)

    def _draft_canvas(self, path: str, data: bytes) -> NoteDraft:
        """Draft a canvas, which has links to files but no prose."""
        canvas = parse_canvas(path, data)
        title = path.rpartition("/")[2].removesuffix(".canvas")
        note = Note(path, title, "", "", hash_content(data), {}, links=canvas.links)
        stated = canvas_statements(canvas, canvas.text)
        links = link_rows(note)
        return NoteDraft(title, note.content_hash, canvas.diagnostics, links, statements=stated)

    def _explain_unread(self, file: VaultFile) -> Diagnostic:
        if file.size > self.settings.max_note_bytes:
            return Diagnostic(
                TOO_LARGE,
                f"The file has {file.size:,} bytes, more than max_note_bytes "
                f"({self.settings.max_note_bytes:,}); it is not read.",
            )
        return Diagnostic("unreadable", "The file could not be read.")

    @cached_property
    def _detector(self) -> Detector:
        return Detector(self.plugins, self.pages, self.decisions)

    @cached_property
    def pages(self) -> Pages:
        """What reads the pages of notes."""
        return Pages(self.plugins, self.settings)

    @cached_property
    def _knowledge_bases(self) -> list[KnowledgeBase]:
        return self.plugins.knowledge_bases(self.settings.knowledge_bases)

    @cached_property
    def _drafter(self) -> Drafter:
        return Drafter(self.plugins, self.settings, self.decisions)


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
