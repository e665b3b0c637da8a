"""A prompt: passages as a model reads them, counted as written, and packed by a plugin.

    prompt = Prompt(texts, counter)
    pieces = prompt.pack(builder, passages, shares, budget=1500)
    prompt.text(pieces)

Each piece has a header line with its note and line number. Its text is what a reader sees: links as
their words, without the author's comments, with an ellipsis where it is cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from writeros_entities.errors import FAULTS, PluginError
from writeros_entities.values import HIDDEN, ContextTask
from writeros_entities.vault.comments import blank_comments

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.sources import ChunkText
    from writeros_entities.protocols import ContextBuilder, TokenCounter
    from writeros_entities.values import ContextPassage, ContextPiece

ELLIPSIS = "…"

_BLANKS = re.compile(r"(?<![ \t])[ \t]+\n")
_HIDDEN_LINE = re.compile(rf"^{HIDDEN}+\r?\n", re.MULTILINE)
_GAP = re.compile(r"\n{3,}")


def block(path: str, line: int, text: str) -> str:
    """Return a block of a prompt: a header with the source, then the text."""
    return f"[{path}:{line}]\n{text}"


def joined(blocks: Sequence[str]) -> str:
    """Return the blocks of a prompt as one text."""
    return "\n\n".join(blocks)


class Prompt:
    """Writes pieces of chunks as a prompt, and counts their tokens."""

    def __init__(self, texts: Mapping[int, ChunkText], counter: TokenCounter) -> None:
        self._texts = texts
        self._counter = counter
        self._shown: dict[tuple[int, int, int], tuple[int, str]] = {}

    def shown(self, piece: ContextPiece) -> tuple[int, str]:
        """Return the line at which a piece begins, and its text as a reader sees it."""
        key = (piece.passage.chunk.id, piece.start, piece.end)
        if key not in self._shown:
            self._shown[key] = self._show(piece)
        return self._shown[key]

    def is_cut(self, piece: ContextPiece) -> bool:
        """Say whether a piece shows only part of its passage."""
        start, end = bounds(piece)
        text = piece.passage.text
        return has_words(text[:start]) or has_words(text[end:])

    def text(self, pieces: Sequence[ContextPiece]) -> str:
        """Return the pieces as a prompt."""
        return joined([self._block(piece) for piece in pieces])

    def measure(self, pieces: Sequence[ContextPiece]) -> int:
        """Return the number of tokens of the prompt made of these pieces; 0 for none."""
        return int(self._counter.count([self.text(pieces)])[0]) if pieces else 0

    def pack(
        self,
        builder: ContextBuilder,
        passages: tuple[ContextPassage, ...],
        shares: tuple[float, ...],
        budget: int,
    ) -> list[ContextPiece]:
        """Return the pieces that a context builder chooses.

        Raises PluginError if the builder fails or breaks its contract.
        """
        try:
            pieces = list(builder.pack(ContextTask(passages, shares, budget, self.measure)))
            self._check(builder, passages, pieces, budget)
        except PluginError:
            raise
        except FAULTS as error:
            raise PluginError(f"The context builder {builder.name!r} failed: {error!r}.") from error
        return pieces

    def _check(
        self,
        builder: ContextBuilder,
        passages: tuple[ContextPassage, ...],
        pieces: Sequence[ContextPiece],
        budget: int,
    ) -> None:
        given = {id(passage) for passage in passages}
        chunks = {piece.passage.chunk.id for piece in pieces}
        wrong = None
        if any(id(piece.passage) not in given for piece in pieces):
            wrong = "returned a passage that it was not given"
        elif len(chunks) < len(pieces):
            wrong = "returned a chunk twice"
        elif any(not 0 <= one.start < one.end <= len(one.passage.text) for one in pieces):
            wrong = "returned a piece that lies outside its passage"
        elif (tokens := self.measure(pieces)) > budget:
            wrong = f"packed {tokens} tokens into a budget of {budget}"
        if wrong is not None:
            raise PluginError(f"The context builder {builder.name!r} {wrong}.")

    def _block(self, piece: ContextPiece) -> str:
        line, shown = self.shown(piece)
        return block(self._texts[piece.passage.chunk.id].path, line, shown)

    def _show(self, piece: ContextPiece) -> tuple[int, str]:
        text = piece.passage.text
        start, end = bounds(piece)
        chunk = self._texts[piece.passage.chunk.id]
        words = chunk.part.with_plain_links(text[start:end], chunk.start + start)
        words = _HIDDEN_LINE.sub("", words).replace(HIDDEN, "")
        words = _GAP.sub("\n\n", _BLANKS.sub("\n", words)).strip()
        if has_words(text[:start]):
            words = f"{ELLIPSIS} {words}"
        if has_words(text[end:]):
            words = f"{words} {ELLIPSIS}"
        return chunk.line + chunk.text.count("\n", 0, start), words


def readable_text(text: str) -> str:
    """Return a chunk's text with `HIDDEN` in place of what only its author sees."""
    return blank_comments(text, HIDDEN)


def bounds(piece: ContextPiece) -> tuple[int, int]:
    """Return the start and end of a piece's visible words in its passage.

    Whitespace and comments at the piece's edges are excluded.
    """
    edges = f"{HIDDEN} \t\r\n"
    text = piece.passage.text
    part = text[piece.start : piece.end]
    start = piece.start + len(part) - len(part.lstrip(edges))
    return start, max(start, piece.end - (len(part) - len(part.rstrip(edges))))


def has_words(text: str) -> bool:
    """Say whether a text has anything that a reader sees."""
    return bool(text.replace(HIDDEN, "").strip())
