"""Windows: runs of a few sentences of a chunk, each with a vector of its own.

    cut_windows("One. Two. Three. Four. Five.") == ["One. Two. Three.", "Three. Four. Five."]

The vector of a chunk averages over all its topics, and one sentence in fifteen hardly moves it; in
a window of three it counts a third. Windows overlap, so that every two adjacent sentences share one
(J. Callan, "Passage-Level Evidence in Document Retrieval", 1994).
"""

from __future__ import annotations

from writeros_entities.vault.sentences.ends import PART_END

SENTENCES = 3
"""Sentences in a window; a chunk with no more than these has no windows."""

STEP = 2
"""Sentences between the starts of consecutive windows."""


def cut_windows(text: str) -> list[str]:
    """Return the windows of a chunk's text, in order; none if it is short."""
    ends = [found.end() for found in PART_END.finditer(text)]
    cuts = [(begin, end) for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    sentences = [cut for cut in cuts if text[slice(*cut)].strip()]
    spare = len(sentences) - SENTENCES
    if spare <= 0:
        return []
    firsts = [*range(0, spare, STEP), spare]
    windows = (text[sentences[at][0] : sentences[at + SENTENCES - 1][1]].strip() for at in firsts)
    return list(dict.fromkeys(windows))
