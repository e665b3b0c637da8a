"""The window and word vectors of chunks, read only for the few candidates that search reranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Select, bindparam, select

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.arrays import Integers
    from writeros_entities.store.view import View


@dataclass(frozen=True, slots=True)
class CandidateVectors:
    """Packed vectors of windows and of words, by chunk id; chunks without any are left out."""

    windows: Mapping[int, bytes]
    words: Mapping[int, bytes]


def read_candidate_vectors(view: View, model: str, chunk_ids: Integers) -> CandidateVectors:
    """Return the packed window and word vectors of chunks under a model's identity.

    Chunks that the view cannot see are left out.
    """
    chunks = visible_chunks(view)
    asked = chunks.rows_of(chunk_ids)
    hashes = [name.decode() for name in chunks.hashes[asked].tolist()]
    packed = view.fetch(_Packed, _packed(view), model=model, hashes=sorted(set(hashes)))
    found = {one.content_hash: one for one in packed}
    kept = [
        (chunk, found[name])
        for chunk, name in zip(chunks.ids[asked].tolist(), hashes, strict=True)
        if name in found
    ]
    return CandidateVectors(
        {chunk: one.windows for chunk, one in kept if one.windows},
        {chunk: one.words for chunk, one in kept if one.words},
    )


class _Packed(NamedTuple):
    """The vectors of a text."""

    content_hash: str
    windows: bytes | None
    words: bytes | None


@prepared
def _packed(scope: Scope) -> Select[Any]:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.windows, embedding.c.words).where(
        embedding.c.model == bindparam("model"), is_one_of(embedding.c.content_hash, "hashes")
    )
