"""TransE with a diagonal map for each end of a relation: formula, shapes, and scoring.

    d(h, r, t)  = ‖ a_r ∘ h + r − b_r ∘ t ‖₂                    score = −d
    t̂          = (a_r ∘ h + r) / b_r                            where the tail should lie
    r̂          = t − h                                          what leads from head to tail
    h           = x_h · P + e_h                                  an entity: its text, and itself

TransE (Bordes et al. 2013, "Translating embeddings for modeling multi-relational data") is the case
a_r = b_r = 1. There, all answers of a question are drawn to one point; a diagonal map for each end,
as in STransE (Nguyen et al. 2016, https://arxiv.org/abs/1606.08140) and PairRE (Chao et al. 2021,
https://arxiv.org/abs/2011.03798), lets a relation select the coordinates that matter to it.

`x` are the features of an entity, which do not depend on triples, so an entity without training has
a vector too: `P` is learned; the residual `e` is learned as well, and zero for new entities. The
sharpness of a relation (a learned scale of its distances) is part of a, b and r, so that −d² is a
logit for every relation. Several trainings from different starting points are combined into one
model: their coordinates are concatenated and divided by √members, so that d² is their mean.

    features of E entities   (E, F)        P        (F, D)       residuals, entities   (E, D)
    r, a, b of R relations   (R, D)
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from writeros_entities import Endpoint

if TYPE_CHECKING:
    from typing import Self

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]

FORMAT = 2


_TEXT = 384
_TYPE = 32
_FEATURES = _TEXT + _TYPE


@dataclass(frozen=True, eq=False)
class Weights:
    """The trained weights; `keys` are those of the entities with a residual, row by row."""

    relations: tuple[str, ...]
    keys: tuple[str, ...]
    projection: Floats
    residuals: Floats
    translations: Floats
    head_maps: Floats
    tail_maps: Floats

    def to_bytes(self) -> bytes:
        """Return the weights in serialised form; equal weights give equal bytes."""
        buffer = BytesIO()
        np.savez_compressed(buffer, format=np.array(FORMAT), **self._arrays())
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the output of `to_bytes`; raises ValueError for another format."""
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            if int(stored["format"]) != FORMAT:
                raise ValueError(f"The weights have format {int(stored['format'])}, not {FORMAT}.")
            values: dict[str, Any] = {name: stored[name] for name in stored.files}
        for name, value in values.items():
            if name in ("relations", "keys"):
                values[name] = tuple(str(one) for one in value)
            else:
                values[name] = value.astype(np.float32)
        del values["format"]
        return cls(**values)

    def _arrays(self) -> Mapping[str, Any]:
        return {
            "relations": np.array(self.relations, dtype=np.str_),
            "keys": np.array(self.keys, dtype=np.str_),
            "projection": self.projection,
            "residuals": self.residuals,
            "translations": self.translations,
            "head_maps": self.head_maps,
            "tail_maps": self.tail_maps,
        }

    def place(self, features: Floats, keys: Sequence[str]) -> Floats:
        """Return the vectors, (entities, D), of entities with these features and keys."""
        row = {key: at for at, key in enumerate(self.keys)}
        vectors: Floats = features @ self.projection
        known = [(at, row[key]) for at, key in enumerate(keys) if key in row]
        if known:
            here, there = np.array(known).T
            vectors[here] += self.residuals[there]
        return vectors


class PlacedTriples:
    """Scores triples of entities with given vectors; see `TranslationScorer`."""

    def __init__(self, weights: Weights, vectors: Floats, keys: Sequence[str]) -> None:
        self.relations = weights.relations
        self.vectors = vectors
        known = set(weights.keys)
        self.is_trained: NDArray[np.bool_] = np.array([key in known for key in keys], np.bool_)
        self._weights = weights

    def score(self, heads: Ints, relations: Ints, tails: Ints) -> Floats:
        """Return −d of triples, given by number; the three arrays broadcast against each other.

        One relation with all tails, or all heads, is computed by matrix products; everything else
        triple by triple.
        """
        one, vectors = self._weights, self.vectors
        heads, relations, tails = (np.asarray(part) for part in (heads, relations, tails))
        if heads.ndim == relations.ndim == tails.ndim == 2 and relations.shape[1] == 1:
            if heads.shape[1] == 1 and tails.shape[0] == 1 < tails.shape[1]:
                at = relations[:, 0]
                aim = one.head_maps[at] * vectors[heads[:, 0]] + one.translations[at]
                return _distances(aim, one.tail_maps[at], vectors[tails[0]])
            if tails.shape[1] == 1 and heads.shape[0] == 1 < heads.shape[1]:
                at = relations[:, 0]
                aim = one.tail_maps[at] * vectors[tails[:, 0]] - one.translations[at]
                return _distances(aim, one.head_maps[at], vectors[heads[0]])
        gap = one.head_maps[relations] * vectors[heads] + one.translations[relations]
        gap = gap - one.tail_maps[relations] * vectors[tails]
        scores: Floats = -np.sqrt((gap * gap).sum(-1))
        return scores

    def predict_tail(self, head: int, relation: int) -> Floats:
        """Return t̂, the expected vector of the tail of (head, relation, ?): (D,)."""
        one = self._weights
        tail: Floats = one.head_maps[relation] * self.vectors[head] + one.translations[relation]
        tail /= one.tail_maps[relation]
        return tail

    def predict_relation(self, head: int, tail: int) -> Floats:
        """Return r̂ = t − h, the translation from head to tail: (D,)."""
        translation: Floats = self.vectors[tail] - self.vectors[head]
        return translation


def _distances(aims: Floats, maps: Floats, vectors: Floats) -> Floats:
    """Return −‖aim − map ∘ vector‖ for every aim, (n, D), and every vector, (m, D): (n, m)."""
    squares = (aims * aims).sum(1)[:, None] - 2.0 * ((aims * maps) @ vectors.T)
    squares = squares + (maps * maps) @ (vectors * vectors).T
    scores: Floats = -np.sqrt(np.maximum(squares, 0.0))
    return scores


def describe(endpoints: Sequence[Endpoint]) -> Floats:
    """Return the features of entities, (entities, FEATURES)."""
    found = np.zeros((len(endpoints), _FEATURES), np.float32)
    for row, one in enumerate(endpoints):
        if one.vector is not None and len(one.vector) == _TEXT:
            found[row, :_TEXT] = one.vector
        if one.type:
            code = zlib.crc32(one.type.encode())
            found[row, _TEXT + code % _TYPE] = 1.0 if code & 0x1000 else -1.0
    return found
