"""From parsed notes and the lexicon to rows of mentions, and of what prose states.

    detected = Detector(plugins, pages).detect(opened, names)

All notes of a batch go through one stage before any goes through the next, as in `drafter`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.decision import close_rivals, contenders, decide
from writeros_entities.detection import find_mentions, weigh_mentions
from writeros_entities.plugins import describe_failures
from writeros_entities.sync.drafting.drafts import NEVER, ChunkPlace, MentionRow
from writeros_entities.sync.drafting.inference import Inference, Inferred
from writeros_entities.sync.drafting.property_values import with_told_properties
from writeros_entities.values import ALWAYS, BY_DECISION, Candidate, Mention
from writeros_entities.vault.comments import cover_comments, without_comments
from writeros_entities.vault.roles import DECIDED

if TYPE_CHECKING:
    from writeros_entities.decision import Reading
    from writeros_entities.detection import WeighedMention
    from writeros_entities.lexicon import Lexicon
    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.drafting.files import StoredNote
    from writeros_entities.sync.drafting.pages import Pages, StoredClauses
    from writeros_entities.values import Diagnostic, LexiconEntity, Note
    from writeros_entities.vault.decisions import Decisions, Means, Target

DETECTION_FAILED = "detection-failed"


class DetectionJob(NamedTuple):
    """A note to detect mentions in, and its chunks; `closely` if its sentences are parsed.

    `clauses` are those of an earlier reading of the same content.
    """

    note: StoredNote
    chunks: Sequence[ChunkPlace]
    closely: bool = False
    clauses: StoredClauses | None = None


class Detected(NamedTuple):
    """The mentions of one note, what its prose tells, and its clauses if they are new."""

    note_id: int
    path: str
    chunk_ids: Sequence[int]
    mentions: Sequence[MentionRow]
    diagnostics: Sequence[Diagnostic]
    inferred: Inferred = Inferred()
    clauses: StoredClauses | None = None


class _Opened(NamedTuple):
    """A note on its way through the stages; they add what plugins failed at to `failures`.

    `shown` is the note with the texts in its properties, in which names are mentioned too.
    """

    job: DetectionJob
    note: Note
    shown: Note
    failures: list[PluginFailure]


class _Decided(NamedTuple):
    """The rows of a note's mentions, and those together with rivals that lost by little."""

    mentions: list[MentionRow]
    meant: list[MentionRow]


class Detector:
    """Detects mentions with the plugins that find, link and infer."""

    def __init__(self, plugins: Plugins, pages: Pages, decisions: Decisions) -> None:
        self._plugins = plugins
        self._decisions = decisions
        self._inference = Inference(plugins, pages)

    def detect(
        self,
        notes: Iterable[tuple[DetectionJob, Note]],
        names: VaultLexicon,
    ) -> list[Detected]:
        """Return what is detected in each note; what plugins fail at is a diagnostic of it."""
        opened = [_Opened(job, note, with_told_properties(note), []) for job, note in notes]
        found = [self._find(one, names) for one in opened]
        weighed = [self._weigh(one, names, parts) for one, parts in zip(opened, found, strict=True)]
        decided = [
            _decide(cover_comments(one.note), parts, names.ids)
            for one, parts in zip(opened, weighed, strict=True)
        ]
        inferred = [
            self._infer(one, names, rows.meant) for one, rows in zip(opened, decided, strict=True)
        ]
        return [
            Detected(
                one.job.note.note_id,
                one.job.note.path,
                [chunk.id for chunk in one.job.chunks],
                rows.mentions,
                describe_failures(one.failures, DETECTION_FAILED),
                told,
                clauses,
            )
            for one, rows, (told, clauses) in zip(opened, decided, inferred, strict=True)
        ]

    def _find(self, one: _Opened, lexicon: Lexicon) -> list[tuple[ChunkPlace, list[Mention]]]:
        """Return the mentions that may hold, by chunk."""
        found, failures = find_mentions(self._plugins, one.shown, lexicon)
        one.failures.extend(failures)
        for decided in self._decisions.meant_in(one.note.path):
            found = _as_decided(decided, one.note, lexicon, found)
        return [(chunk, contenders(part)) for chunk, part in _by_chunk(found, one.job.chunks)]

    def _weigh(
        self, one: _Opened, lexicon: Lexicon, found: Iterable[tuple[ChunkPlace, list[Mention]]]
    ) -> list[tuple[ChunkPlace, list[WeighedMention]]]:
        weighed = []
        for chunk, mentions in found:
            part, failures = weigh_mentions(self._plugins, one.shown, lexicon, mentions)
            one.failures.extend(failures)
            weighed.append((chunk, part))
        return weighed

    def _infer(
        self, one: _Opened, names: VaultLexicon, meant: Sequence[MentionRow]
    ) -> tuple[Inferred, StoredClauses | None]:
        if not one.job.chunks:
            return Inferred(), None
        inferred, failures, clauses = self._inference.infer(
            one.note,
            names,
            meant,
            one.job.chunks,
            closely=one.job.closely,
            stored=one.job.clauses,
        )
        one.failures.extend(failures)
        return inferred, clauses


def _as_decided(
    decided: Means, note: Note, lexicon: Lexicon, found: Sequence[Mention]
) -> list[Mention]:
    """Return mentions after the writer's decision about a phrase: whom it means, or does not."""
    meant = {
        name.entity
        for name in lexicon.keyed(decided.target.key)
        if _is_meant(decided.target, lexicon.entities[name.entity])
    }
    spans = [match.span() for match in decided.pattern.finditer(note.prose)]
    if decided.is_not:
        left = []
        for one in found:
            is_here = any(start <= one.start and one.end <= end for start, end in spans)
            others = tuple(
                each for each in one.candidates if each.entity not in meant or not is_here
            )
            left += [replace(one, candidates=others)] if others else []
        return left
    if len(meant) != 1:
        return list(found)
    candidate = Candidate(meant.pop(), 1.0, BY_DECISION, decided.phrase, ALWAYS, (DECIDED,))
    own = [Mention(start, end, note.prose[start:end], (candidate,)) for start, end in spans]
    kept = [
        one for one in found if not any(one.start < end and start < one.end for start, end in spans)
    ]
    return sorted([*kept, *own], key=lambda one: (one.start, one.end))


def _is_meant(target: Target, entity: LexiconEntity) -> bool:
    return target.is_called((entity.name,), entity.note_path, entity.heading)


def _by_chunk(
    mentions: Iterable[Mention], chunks: Sequence[ChunkPlace]
) -> Iterator[tuple[ChunkPlace, list[Mention]]]:
    """Group mentions by chunk; those that are not entirely inside one chunk are dropped."""
    starts = [chunk.start for chunk in chunks]
    by_chunk: dict[int, list[Mention]] = defaultdict(list)
    for mention in mentions:
        place = bisect_right(starts, mention.start) - 1
        if place >= 0 and mention.end <= chunks[place].end:
            by_chunk[place].append(mention)
    return ((chunks[place], found) for place, found in by_chunk.items())


def _decide(
    seen: str,
    weighed: Iterable[tuple[ChunkPlace, list[WeighedMention]]],
    entity_ids: Mapping[str, int],
) -> _Decided:
    decided = _Decided([], [])
    for chunk, mentions in weighed:
        readings = decide(mentions, chunk.visible_from)
        rows = [_mention_row(chunk.id, reading, seen, entity_ids) for reading in readings]
        decided.mentions.extend(rows)
        decided.meant.extend(rows)
        decided.meant.extend(
            _mention_row(chunk.id, reading, seen, entity_ids)
            for reading in close_rivals(readings, mentions)
        )
    return decided


def _mention_row(
    chunk_id: int, reading: Reading, seen: str, entity_ids: Mapping[str, int]
) -> MentionRow:
    since = reading.visible_from
    candidate = reading.candidate
    return MentionRow(
        chunk_id,
        reading.start,
        reading.end,
        entity_ids[candidate.entity],
        NEVER if since is None else since,
        since,
        reading.visible_until,
        candidate.form,
        candidate.score,
        candidate.method,
        "; ".join(candidate.reasons) or None,
        " ".join(without_comments(seen[reading.start : reading.end]).split()),
    )
