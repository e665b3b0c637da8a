"""Read a text with a language, and tell its clauses in words."""

from __future__ import annotations

from functools import cache

from writeros_entities import Language, Note, Page, Parser, Settings
from writeros_entities.language.reading import read_page
from writeros_entities.plugins import load_plugins
from writeros_entities.vault.notes import parse_note


@cache
def language(code: str) -> Language:
    return load_plugins(Settings()).languages[code]


@cache
def parser(code: str) -> Parser | None:
    """Return one parser for all tests: loading its model takes a second or more."""
    return language(code).parser()


def note_of(text: str) -> Note:
    return parse_note("Note.md", text.encode())


def read(text: str, code: str = "en") -> Page:
    return read_page(note_of(text), language(code), parser(code))


def read_without_parser(text: str, code: str = "en") -> Page:
    return read_page(note_of(text), language(code))


def clauses(text: str, code: str = "en") -> list[str]:
    """Return a line for each word: its role, what it depends on, its verb's form, its case."""
    found = []
    for line in read(text, code).lines:
        for sentence in line.sentences:
            for at, word in enumerate(sentence.words):
                head = sentence.words[word.head]
                of = f" of {text[head.start : head.end]}" if word.head != at else ""
                more = word.case or (f"{word.lemma}, {word.form}" if word.form else "")
                found.append(
                    f"{text[word.start : word.end]} {word.role}{of}"
                    + (f" ({more})" if more else "")
                )
    return found


def roles(text: str, code: str = "en") -> dict[str, str]:
    """Return the role of each word."""
    return {
        text[word.start : word.end]: word.role
        for line in read(text, code).lines
        for sentence in line.sentences
        for word in sentence.words
    }
