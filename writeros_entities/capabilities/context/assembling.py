"""Build a context: sources into tiers, tiers into passages, passages into a prompt.

    built = build_context(view, asked, recipe, max_tokens=1500)
    built.prompt.text(built.pieces)

The texts of `SPARE` times as many tokens as the budget holds are read, shared among the entities.

Find passages that say nearly the same: recaps, copies, a scene and its earlier draft.

Two passages that both have vectors are near duplicates if their cosine is at least 0.95. Other
pairs are compared by their shingles, all runs of three words (A. Broder, "On the resemblance and
containment of documents", 1997). With S the set of a passage's shingles:

    resemblance(a, b) = |S(a) ∩ S(b)| / |S(a) ∪ S(b)|        near duplicates from 0.5 on
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.capabilities.context.prompt import Prompt, has_words, readable_text
from writeros_entities.capabilities.context.sources import ChunkText, load_sources, load_texts
from writeros_entities.capabilities.context.tiers import Entry, importance_shares, rank_entries
from writeros_entities.values import ContextPassage, ContextPiece, Span

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers, Vector
    from writeros_entities.capabilities.context.wishes import Wishes
    from writeros_entities.protocols import ContextBuilder, PriorityStrategy, TokenCounter
    from writeros_entities.story.resolution import ResolvedEntity
    from writeros_entities.values import ContextTier
    from writeros_entities.view import View


NEAR_COSINE = 0.95
NEAR_RESEMBLANCE = 0.5
SHINGLE = 3

_DIGITS = 6
"""Decimals of a cosine that are kept: engines and machines sum in different orders."""

_WORD = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\\w+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def group_near_duplicates(
    texts: Sequence[str], vectors: Sequence[Vector | None], about: Sequence[Set[int]]
) -> list[int]:
    """Return, for each passage, the index of the first passage that says nearly the same.

    A passage without an earlier near duplicate has its own index, as has one that is `about`
    somebody the earlier one is not about: what is said of one guard is not said of the other.
    """
    groups = list(range(len(texts)))
    for one, other in sorted(_near(texts, vectors)):
        # Sorted: the group of `one` is settled before anything is compared with it.
        if groups[one] == one and groups[other] == other and about[other] <= about[one]:
            groups[other] = one
    return groups


def _near(texts: Sequence[str], vectors: Sequence[Vector | None]) -> set[tuple[int, int]]:
    with_vector = [place for place, vector in enumerate(vectors) if vector is not None]
    pairs = _by_cosine(with_vector, [one for one in vectors if one is not None])
    if len(with_vector) < len(texts):
        known = set(with_vector)
        pairs |= {pair for pair in _by_shingles(texts) if not known.issuperset(pair)}
    return pairs


def _by_cosine(places: Sequence[int], vectors: Sequence[Vector]) -> set[tuple[int, int]]:
    if len(vectors) < 2:
        return set()
    matrix = np.array(vectors, np.float64)
    near = np.triu((matrix @ matrix.T).round(_DIGITS) >= NEAR_COSINE, 1)
    return {(places[one], places[other]) for one, other in np.argwhere(near).tolist()}


def _by_shingles(texts: Sequence[str]) -> set[tuple[int, int]]:
    shingles = _shingles(texts)
    owners = np.repeat(np.arange(len(texts)), [len(one) for one in shingles])
    every = np.concatenate([*shingles, np.empty(0, np.int64)])
    order = np.argsort(every, kind="stable")
    starts = np.unique(every[order], return_index=True)[1]
    ends = np.append(starts[1:], len(every))
    shared: Counter[tuple[int, int]] = Counter()
    for at in np.flatnonzero(ends - starts > 1):
        shared.update(combinations(owners[order[starts[at] : ends[at]]].tolist(), 2))
    return {
        (one, other)
        for (one, other), number in shared.items()
        if number / (len(shingles[one]) + len(shingles[other]) - number) >= NEAR_RESEMBLANCE
    }


def _shingles(texts: Sequence[str]) -> list[Integers]:
    """Return the set of shingles of each text, as integers.

    Words are numbered in order of appearance; the numbers of a shingle's three words are the digits
    of its code.
    """
    written = [_words(text) for text in texts]
    number = {word: at for at, word in enumerate(dict.fromkeys(chain.from_iterable(written)))}
    numbered = [
        np.fromiter(map(number.__getitem__, words), np.int64, len(words)) for words in written
    ]
    found = []
    for words in numbered:
        code = np.zeros(max(len(words) - SHINGLE + 1, 0), np.int64)
        for at in range(SHINGLE):
            code = code * len(number) + words[at : len(code) + at]
        found.append(np.unique(code))
    return found


def _words(text: str) -> list[str]:
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return pattern.findall(text.casefold())


LOOKAHEAD = 500
"""Tokens beyond the budget for which an answer reports what they would add."""

SPARE = 1.5
"""How many times the budget is read: duplicates are dropped, and token counters differ."""


@dataclass(frozen=True)
class Recipe:
    """How to build a context: the chosen plugins, the tiers wanted, and callbacks into the vault.

    `score` returns the relevance of chunks to the query, by chunk id; `model` identifies the
    embedding model whose vectors are compared to find near duplicates; `is_there` says whether a
    note's file still exists. `wishes` are those of the notes for prompts.
    """

    strategy: PriorityStrategy
    builder: ContextBuilder
    counter: TokenCounter
    tiers: tuple[ContextTier, ...]
    score: Callable[[Sequence[int]], Mapping[int, float]]
    model: str | None
    is_there: Callable[[str], bool]
    wishes: Wishes


@dataclass(frozen=True)
class Built:
    """A context: its pieces, what `LOOKAHEAD` more tokens would add, and the chunks in neither.

    `entries` says why each passage was chosen. `left_out` has the token counts of chunks that did
    not fit, `duplicates` those of chunks dropped for another with (nearly) the same text; neither
    counts a chunk that is shown.
    """

    prompt: Prompt
    texts: Mapping[int, ChunkText]
    entries: Mapping[int, Entry]
    """Keyed by `id()` of the passage."""
    passages: tuple[ContextPassage, ...]
    pieces: Sequence[ContextPiece]
    further: Sequence[ContextPiece]
    left_out: Sequence[int]
    duplicates: Sequence[int]

    def entry(self, piece: ContextPiece) -> Entry:
        """Return the entry that a piece was made from."""
        return self.entries[id(piece.passage)]


def build_context(
    view: View, asked: Sequence[ResolvedEntity], recipe: Recipe, *, max_tokens: int
) -> Built:
    """Select what the vault says about some entities, within a budget of tokens."""
    ids = [one.id for one in asked]
    sources = load_sources(view, ids)
    there = {path for path in dict.fromkeys(one.path for one in sources) if recipe.is_there(path)}
    kept_out = {recipe.wishes.paths[key] for key in recipe.wishes.never()}
    kept_out -= {recipe.wishes.paths.get(one.key, "") for one in asked}
    sources = [one for one in sources if one.path in there and one.path not in kept_out]
    scores = recipe.score(sorted({one.chunk_id for one in sources}))
    entries = rank_entries(sources, ids, recipe.strategy, scores, recipe.tiers)
    shares = recipe.wishes.shares(ids, importance_shares(sources, ids))
    about = _entities_by_chunk(entries)
    different, copies = _without_copies(entries, about)
    wanted = _wanted(different, shares, SPARE * (max_tokens + LOOKAHEAD))
    texts = load_texts(view, wanted, ids, recipe.model)
    prompt = Prompt(texts, recipe.counter)
    by_passage = _passages(different, texts, ids, about)
    passages = tuple(passage for passage, _ in by_passage)
    pieces = prompt.pack(recipe.builder, passages, shares, max_tokens)
    more = prompt.pack(recipe.builder, passages, shares, max_tokens + LOOKAHEAD)
    shown = {piece.passage.chunk.id for piece in pieces}
    tokens = {entry.chunk.id: entry.chunk.tokens for entry in entries}
    groups = {piece.passage.group for piece in pieces}
    near = {one.chunk.id for one in passages if one.group in groups} - shown
    duplicates = (copies | near) - shown
    return Built(
        prompt=prompt,
        texts=texts,
        entries={id(passage): entry for passage, entry in by_passage},
        passages=passages,
        pieces=pieces,
        further=_further(pieces, more),
        left_out=[tokens[one] for one in tokens if one not in shown | duplicates],
        duplicates=[tokens[one] for one in tokens if one in duplicates],
    )


def _entities_by_chunk(entries: Iterable[Entry]) -> dict[int, set[int]]:
    """Return the entities that each chunk is about, by their place among those asked for."""
    about: dict[int, set[int]] = defaultdict(set)
    for entry in entries:
        about[entry.chunk.id].add(entry.entity)
    return about


def _without_copies(
    entries: Sequence[Entry], about: Mapping[int, Set[int]]
) -> tuple[list[Entry], set[int]]:
    """Drop entries whose text repeats an earlier one's; return the rest and the dropped chunks.

    The same text about somebody else, such as a sheet made from a template, is no copy.
    """
    first: dict[str, list[int]] = defaultdict(list)
    kept: list[Entry] = []
    copies: set[int] = set()
    for entry in entries:
        same, chunk_id = first[entry.content_hash], entry.chunk.id
        if chunk_id in same:
            kept.append(entry)
        elif any(about[chunk_id] <= about[one] for one in same):
            copies.add(chunk_id)
        else:
            same.append(chunk_id)
            kept.append(entry)
    return kept, copies


def _wanted(entries: Sequence[Entry], shares: Sequence[float], tokens: float) -> list[int]:
    """Return the chunks to read: each entity's first ones, up to its share of the tokens.

    Even one that the story never mentions, and so has no share, has its first one. What an entity
    leaves unused is shared among the others.
    """
    of_entity = [[one for one in entries if one.entity == place] for place in range(len(shares))]
    available = [sum(one.chunk.tokens for one in found) for found in of_entity]
    chosen: dict[int, None] = {}
    left, shares_left = tokens, sum(shares)
    for place in sorted(range(len(shares)), key=lambda one: available[one]):
        share = shares[place] / shares_left if shares_left > 0 else 1.0
        room = share * left
        taken = 0
        for entry in of_entity[place]:
            if taken and taken >= room:
                break
            taken += 0 if entry.chunk.id in chosen else entry.chunk.tokens
            chosen[entry.chunk.id] = None
        left -= min(taken, room)
        shares_left -= shares[place]
    return list(chosen)


def _passages(
    entries: Sequence[Entry],
    texts: Mapping[int, ChunkText],
    entity_ids: Sequence[int],
    about: Mapping[int, Set[int]],
) -> list[tuple[ContextPassage, Entry]]:
    readable = {chunk_id: readable_text(chunk.text) for chunk_id, chunk in texts.items()}
    shown = [one for one in entries if has_words(readable.get(one.chunk.id, ""))]
    chunk_ids = list(dict.fromkeys(one.chunk.id for one in shown))
    groups = group_near_duplicates(
        [readable[chunk_id] for chunk_id in chunk_ids],
        [texts[chunk_id].vector for chunk_id in chunk_ids],
        [about[chunk_id] for chunk_id in chunk_ids],
    )
    group_of = dict(zip(chunk_ids, groups, strict=True))
    made = []
    for entry in shown:
        chunk = texts[entry.chunk.id]
        spans = entry.spans(entity_ids[entry.entity], chunk.mentions, chunk.start)
        passage = ContextPassage(
            entry.chunk,
            entry.tier,
            entry.entity,
            readable[chunk.id],
            tuple(spans) or (_beginning(readable[chunk.id]),),
            group_of[chunk.id],
        )
        made.append((passage, entry))
    return made


def _beginning(text: str) -> Span:
    return Span(0, min(1, len(text)))


def _further(pieces: Sequence[ContextPiece], more: Sequence[ContextPiece]) -> list[ContextPiece]:
    """Return the pieces of `more` that are new or longer."""
    sizes = {piece.passage.chunk.id: piece.end - piece.start for piece in pieces}
    return [one for one in more if one.end - one.start > sizes.get(one.passage.chunk.id, 0)]
