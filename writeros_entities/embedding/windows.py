"""Windows: runs of a few sentences of a chunk, each with a vector of its own.

    cut_windows("One. Two. Three. Four. Five.") == ["One. Two. Three.", "Three. Four. Five."]

The vector of a chunk averages over all its topics, and one sentence in fifteen hardly moves it; in
a window of three it counts a third. Windows overlap, so that every two adjacent sentences share one
(J. Callan, "Passage-Level Evidence in Document Retrieval", 1994).
"""

from __future__ import annotations

from writeros_entities.language.sentences import part_ends

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
