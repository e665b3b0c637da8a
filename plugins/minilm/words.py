"""Contextual vectors of the words of a text, from the last layer of the model.

The tokenizer splits a word into pieces; its vector is the mean of theirs. Stop words are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from writeros_plugins.english import STOP_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Encoding

Words: TypeAlias = "tuple[list[tuple[int, int]], NDArray[np.float32]]"
"""Spans in a text, in code points, and their vectors: shape (words, 384)."""


def read_words(text: str, tokens: Encoding, hidden: NDArray[np.float32]) -> Words:
    """Return the words of a text from the hidden states of its tokens, shape (tokens, 384)."""
    numbers = np.array([-1 if word is None else word for word in tokens.word_ids])
    firsts = np.flatnonzero((numbers >= 0) & (numbers != np.roll(numbers, 1)))
    if not len(firsts):
        return [], hidden[:0]
    pieces = np.diff([*firsts.tolist(), len(numbers) - 1])  # the last token ends the text
    offsets = tokens.offsets
    spans = [
        (offsets[first][0], offsets[first + count - 1][1])
        for first, count in zip(firsts.tolist(), pieces.tolist(), strict=True)
    ]
    telling = [at for at, (start, end) in enumerate(spans) if _is_telling(text[start:end])]
    means = np.add.reduceat(hidden, firsts, axis=0) / pieces[:, None]
    return [spans[at] for at in telling], means[telling].astype(np.float32)


def _is_telling(word: str) -> bool:
    return word.lower() not in STOP_WORDS and any(map(str.isalnum, word))
