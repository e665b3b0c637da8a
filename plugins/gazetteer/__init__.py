"""Detects the vault's own names in its notes, with one pass of an automaton and rules of usage.

`matching` finds forms at word boundaries, and `spellings` says what
they stand for. `doubtful` decides by `evidence` whether a name that is also a word is used as a
name, `titled` treats titles before names, and `links` resolves the note's links. `found` collects
the results, and `detection` runs it all.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import Lexicon, Mention, Note, Settings, hookimpl

__version__ = "19"


@hookimpl
def detect_entities(note: Note, lexicon: Lexicon, settings: Settings) -> Iterable[Mention]:
    """Return every place in the note's prose where a form of the lexicon is used as a name."""
    from .detection import detect

    return detect(note, lexicon, settings.common_words)
