"""Finds the vault's own names in its notes: one pass of an automaton, then the rules of writing.

`folding` makes spellings comparable, `matching` finds forms at word boundaries, `spellings` says
what they stand for there. `doubtful` decides by `evidence` when a name that is also a word is meant
as a name, `titled` looks at titles before names, `links` knows what a link in the note names.
`found` gathers all that, and `detection` puts it together.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import Lexicon, Mention, Note, Settings, hookimpl

__version__ = "6"


@hookimpl
def detect_entities(note: Note, lexicon: Lexicon, settings: Settings) -> Iterable[Mention]:
    """Return every place in the note's prose where a form of the lexicon stands as a name."""
    from .detection import detect

    return detect(note, lexicon, settings.common_words)
