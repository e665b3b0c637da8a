"""The texts of a vault that are embedded, and those that still need a vector.

Every chunk is embedded without the author's comments, as a whole and by windows; every entity as
`[TYPE] name`. Vectors are stored by the hash of the text, so that moved or renamed notes, and
chunks that are split again into the same text, keep theirs.

Windows: runs of a few sentences of a chunk, each with a vector of its own.

    cut_windows("One. Two. Three. Four. Five.") == ["One. Two. Three.", "Three. Four. Five."]

The vector of a chunk averages over all its topics, and one sentence in fifteen hardly moves it; in
a window of three it counts a third. Windows overlap, so that every two adjacent sentences share one
(J. Callan, "Passage-Level Evidence in Document Retrieval", 1994).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, exists, func, null, select, update

from writeros_entities.embedding import WordVectors, entity_text, hash_text
from writeros_entities.language.sentences import part_ends
from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.store.vaults import vault_row
from writeros_entities.vault.comments import without_comments

if TYPE_CHECKING:
    from writeros_entities.arrays import Vector
    from writeros_entities.embedding import Embedder
    from writeros_entities.store.view import StoredView


SENTENCES = 3
"""Sentences in a window; a chunk with no more than these has no windows."""

STEP = 2
"""Sentences between the starts of consecutive windows."""


def cut_windows(text: str) -> list[str]:
    """Return the windows of a chunk's text, in order; none if it is short."""
    return [text[start:end] for start, end in window_spans(text)]


def window_spans(text: str) -> list[tuple[int, int]]:
    """Return where the windows of `cut_windows` are in the text; of equal ones, the first."""
    ends = [*part_ends(text)]
    cuts = [(begin, end) for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    sentences = [cut for cut in cuts if text[slice(*cut)].strip()]
    spare = len(sentences) - SENTENCES
    if spare <= 0:
        return []
    firsts = [*range(0, spare, STEP), spare]
    spans: dict[str, tuple[int, int]] = {}
    for at in firsts:
        start, end = _strip(text, sentences[at][0], sentences[at + SENTENCES - 1][1])
        spans.setdefault(text[start:end], (start, end))
    return list(spans.values())


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the white space at its ends."""
    window = text[start:end]
    return end - len(window.lstrip()), start + len(window.rstrip())


SAMPLED = 1_000
"""Chunks that are looked at to tell the language of a vault."""

TOKENS_OF_A_NAME = 8
"""The assumed number of tokens of an entity's text, which are not counted."""


@dataclass(frozen=True, slots=True)
class WaitingText:
    """A text without a vector: an entity's, or a chunk's, whose `text` is read later."""

    content_hash: str
    tokens: int
    chunk_id: int | None = None
    text: str | None = None


@dataclass(frozen=True, eq=False)
class TextVectors:
    """The vector of a text, and the packed vectors of its windows and words."""

    whole: Vector
    windows: bytes | None
    words: bytes | None


class _Embedding(NamedTuple):
    """The vectors of a text as they are stored."""

    content_hash: str
    vector: Vector
    windows: bytes | None
    words: bytes | None


@dataclass(frozen=True, slots=True)
class TextCounts:
    """The numbers of distinct texts with and without a vector."""

    embedded: int
    waiting: int


def waiting_texts(view: StoredView, model: str, limit: int) -> list[WaitingText]:
    """Return up to `limit` texts for which a model's vector is missing.

    Entities come first, then chunks, each sorted by length, shortest first.
    """
    names = _entity_texts(view)
    kept = _kept(view.index, model, names)
    waiting = [
        WaitingText(name, TOKENS_OF_A_NAME, text=text)
        for name, text in sorted(names.items(), key=lambda item: (len(item[1]), item[0]))
        if name not in kept
    ]
    chunk = view.chunk
    statement = (
        select(
            chunk.c.content_hash,
            func.max(chunk.c.tokens).label("tokens"),
            func.min(chunk.c.id).label("chunk_id"),
            null().label("text"),
        )
        .where(~_has_vector(view, model))
        .group_by(chunk.c.content_hash)
        .order_by(func.max(chunk.c.tokens), chunk.c.content_hash)
        .limit(max(0, limit - len(waiting)))
    )
    found = view.fetch(WaitingText, statement)
    waiting += [one for one in found if one.content_hash not in names]
    return waiting[:limit]


def count_texts(view: StoredView, model: str | None) -> TextCounts:
    """Return how many of the texts that a view sees have a vector by a model."""
    chunk = view.chunk
    different = select(func.count(chunk.c.content_hash.distinct()))
    named = select(view.entity.c.type, view.entity.c.name).distinct().subquery()
    everything = int(view.scalar(different) or 0)
    everything += int(view.scalar(select(func.count()).select_from(named)) or 0)
    if model is None:
        return TextCounts(0, everything)
    if is_embedded(view, model):
        return TextCounts(everything, 0)
    embedded = int(view.scalar(different.where(_has_vector(view, model))) or 0)
    embedded += len(_kept(view.index, model, _entity_texts(view)))
    return TextCounts(embedded, everything - embedded)


def sample_texts(view: StoredView) -> list[str]:
    """Return the texts of some chunks, from all over the vault, and the same ones every time."""
    chunk = view.chunk
    sample = select(chunk.c.text).order_by(chunk.c.content_hash).limit(SAMPLED)
    return list(view.scalars(sample))


def embed_texts(
    embedder: Embedder, waiting: Sequence[WaitingText], texts: Mapping[str, str]
) -> dict[str, TextVectors]:
    """Return the vectors of texts, by hash.

    Chunks also get vectors of their windows, and of their words if the model supports these.
    """
    from writeros_entities.store.chunk_vectors import pack_windows, pack_words

    of_chunks = {item.content_hash for item in waiting if item.chunk_id is not None}
    windows = {found: cut_windows(texts[found]) for found in texts if found in of_chunks}
    read = _embed_words(embedder, {found: texts[found] for found in windows})
    plain = [found for found in texts if found not in read]
    every = [texts[found] for found in plain]
    every += [window for cut in windows.values() for window in cut]
    vectors = embedder.embed(every)
    whole = {found: vectors[at] for at, found in enumerate(plain)}
    made = {}
    begin = len(plain)
    for found in texts:
        end = begin + len(windows.get(found, ()))
        own = read.get(found) or WordVectors(whole[found], (), vectors[:0])
        windows_kept = pack_windows(vectors[begin:end])
        made[found] = TextVectors(own.whole, windows_kept, pack_words(own.words))
        begin = end
    return made


def _embed_words(embedder: Embedder, texts: Mapping[str, str]) -> dict[str, WordVectors]:
    """Return the vectors of texts and of their words, by hash; {} without vectors of words."""
    if not embedder.has_words:
        return {}
    return dict(zip(texts, embedder.embed_words(list(texts.values())), strict=True))


def read_texts(view: StoredView, waiting: Sequence[WaitingText]) -> dict[str, str]:
    """Return the texts by hash; chunks that no longer exist or have changed are left out."""
    texts = {item.content_hash: item.text for item in waiting if item.text is not None}
    hashes = {item.chunk_id: item.content_hash for item in waiting if item.chunk_id is not None}
    chunk = view.chunk
    statement = select(chunk.c.id, chunk.c.content_hash, chunk.c.text)
    for row in view.all_among(statement, chunk.c.id, hashes):
        if row.content_hash == hashes[row.id]:
            texts[row.content_hash] = without_comments(row.text)
    in_order = (item.content_hash for item in waiting)
    return {found: texts[found] for found in in_order if found in texts}


def keep_vectors(index: VaultRows, model: str, texts: Mapping[str, TextVectors]) -> int:
    """Store the vectors of texts, by hash, inside a write transaction; return how many were new."""
    count_change(index)  # first: locks the vault's row until the commit
    known = _kept(index, model, texts)
    new = [
        _Embedding(found, one.whole, one.windows, one.words)
        for found, one in texts.items()
        if found not in known
    ]
    index.insert(rows.embedding, new, model=model)
    return len(new)


def remove_unneeded(view: StoredView, model: str) -> int:
    """Delete the vectors of other models and of texts that are gone; return how many.

    Runs inside a write transaction.
    """
    embedding = rows.embedding
    own = embedding.c.vault_id == view.vault_id
    removed = view.connection.execute(delete(embedding).where(own, embedding.c.model != model))
    count = removed.rowcount
    own &= embedding.c.model == model
    hashes = select(view.chunk.c.content_hash)
    without_chunk = select(embedding.c.content_hash).where(
        own, embedding.c.content_hash.not_in(hashes)
    )
    unneeded = set(view.scalars(without_chunk)) - _entity_texts(view).keys()
    deletion = delete(embedding).where(own, rows.among(embedding.c.content_hash))
    return count + view.index.change_among(deletion, sorted(unneeded))


def is_embedded(view: StoredView, model: str) -> bool:
    """Say whether every text is recorded as embedded at the current revision of the index."""
    vault = vault_row(view)
    return bool(vault.embedded == _mark(vault, model))


def mark_embedded(view: StoredView, model: str) -> None:
    """Record that every text is embedded at the current revision, inside a write transaction."""
    _remember(view, _mark(vault_row(view), model))


def was_said(view: StoredView, reason: str) -> bool:
    """Say whether `reason` was the last reported reason for having no vectors."""
    return bool(vault_row(view).embedded == reason)


def mark_said(view: StoredView, reason: str) -> None:
    """Record that a reason for having no vectors was reported, inside a write transaction."""
    _remember(view, reason)


def count_change(index: VaultRows) -> None:
    """Increment the vault's vector revision, which invalidates vectors cached in memory."""
    vault = rows.vault
    index.connection.execute(
        update(vault)
        .where(vault.c.id == index.vault_id)
        .values(vector_revision=vault.c.vector_revision + 1)
    )


def _mark(vault: Any, model: str) -> str:
    return f"{vault.revision} {model}"


def _remember(view: StoredView, embedded: str) -> None:
    vault = rows.vault
    view.connection.execute(
        update(vault).where(vault.c.id == view.vault_id).values(embedded=embedded)
    )


def _entity_texts(view: StoredView) -> dict[str, str]:
    entity = view.entity
    texts = (
        entity_text(row.type, row.name)
        for row in view.all(select(entity.c.type, entity.c.name).distinct())
    )
    return {hash_text(text): text for text in texts}


def _kept(index: VaultRows, model: str, hashes: Iterable[str]) -> set[str]:
    """Return those of the hashes that have a vector by a model."""
    embedding = rows.embedding
    kept = select(embedding.c.content_hash).where(
        rows.in_vault(embedding),
        embedding.c.model == model,
        rows.among(embedding.c.content_hash),
    )
    found = index.all_among(kept, hashes)
    return {row.content_hash for row in found}


def _has_vector(view: StoredView, model: str) -> Any:
    embedding = rows.embedding
    return exists().where(
        embedding.c.vault_id == view.vault_id,
        embedding.c.model == model,
        embedding.c.content_hash == view.chunk.c.content_hash,
    )
