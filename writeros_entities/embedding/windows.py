"""Windows: a few sentences of a chunk, each of which gets a vector beside the chunk's own.

    cut_windows("One. Two. Three. Four. Five.") == ["One. Two. Three.", "Three. Four. Five."]

One vector has to say all that a chunk is about, and a sentence among fifteen hardly moves it; in a
window of three it counts for a third. Windows overlap, so that what two sentences say together is
in one of them (J. Callan, "Passage-Level Evidence in Document Retrieval", 1994).
"""

from __future__ import annotations

from writeros_entities.vault.sentences.ends import PART_END

SENTENCES = 3
"""Sentences of a window; a chunk of no more is one itself and has no others."""

STEP = 2
"""Sentences from the beginning of a window to that of the next."""


def cut_windows(text: str) -> list[str]:
    """Return the windows of a chunk's text, in order; none where it is short."""
    ends = [found.end() for found in PART_END.finditer(text)]
    cuts = [(begin, end) for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    sentences = [cut for cut in cuts if text[slice(*cut)].strip()]
    spare = len(sentences) - SENTENCES
    if spare <= 0:
        return []
    firsts = [*range(0, spare, STEP), spare]
    windows = (text[sentences[at][0] : sentences[at + SENTENCES - 1][1]].strip() for at in firsts)
    return list(dict.fromkeys(windows))
