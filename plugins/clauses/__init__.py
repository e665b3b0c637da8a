"""Reads what pages state: labels, lists, tables, captions and, where a parser read it, clauses.

    Father: [[Aldo]]              a label and its value, in the note of whom it is about
    ## Members                    a heading that says what the names below it are
    [[Ada]] – Mayor of Fenwick    a caption: what follows is about the name before it
    The Swan, founded by Harl,    a clause: `sentences` has the rules, `worth` whether it holds
    was kept by his son Wim.

`happening` has the weights by which words tell what happens, `events` who takes part in it.
`sides` says whom words mean. Which verbs and nouns state what stands in the words of the page's
language; the labels of all languages are known to the ontology.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from writeros_entities import hookimpl

if TYPE_CHECKING:
    from writeros_entities import (
        DecidedMention,
        InferredRelation,
        Language,
        Lexicon,
        Note,
        Ontology,
        Page,
        ToldEvent,
    )

    from .lines import PageReader

__version__ = "4"


@hookimpl
def infer_relations(
    note: Note,
    page: Page,
    language: Language | None,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    lexicon: Lexicon,
    subject: DecidedMention | None,
) -> Iterable[InferredRelation]:
    """Return what the page states between the note's mentions."""
    return list(_reader(note, page, language, mentions, ontology, lexicon, subject).read())


@hookimpl
def tell_events(
    note: Note,
    page: Page,
    language: Language | None,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    lexicon: Lexicon,
    subject: DecidedMention | None,
) -> Iterable[ToldEvent]:
    """Return what happens by the page's clauses."""
    if not page.has_clauses:
        return ()
    return list(_reader(note, page, language, mentions, ontology, lexicon, subject).tell())


def _reader(
    note: Note,
    page: Page,
    language: Language | None,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    lexicon: Lexicon,
    subject: DecidedMention | None,
) -> PageReader:
    from .lines import PageReader, with_known_types

    words = None if language is None else language.words
    known = with_known_types(mentions, lexicon)
    called = {one: lexicon.entities[one].name for one in {one.entity for one in mentions}}
    if subject is not None:
        called[subject.entity] = lexicon.entities[subject.entity].name
    return PageReader(note, page, words, known, subject, ontology, called)
