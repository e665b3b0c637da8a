"""The languages that come with the product: a folder for each, with its words and its parser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities import Language, Words, hookimpl, read_words

if TYPE_CHECKING:
    from writeros_entities import Parser

__version__ = "5"


@dataclass
class WordsOnly:
    """A language without a parser: it is a file of words."""

    code: str
    folder: str

    @cached_property
    def words(self) -> Words:
        """Its words, read on first use."""
        return read_words(Path(__file__).parent / self.folder / "words.toml")

    def parser(self) -> Parser | None:
        """Return None: there is none."""
        return None


class English(WordsOnly):
    """English, parsed by spaCy."""

    @cached_property
    def words(self) -> Words:
        """Its words, and the nouns of WordNet that name a sort of entity."""
        words, file = super().words, Path(__file__).parent / self.folder / "sorts.toml"
        return replace(words, sorts={**read_words(file).sorts, **words.sorts})

    def parser(self) -> Parser:
        """Return the parser; raises ModelError if its model is not installed."""
        from .english.parser import load_parser

        parser: Parser = load_parser()
        return parser


class French(WordsOnly):
    """French, parsed by spaCy."""

    def parser(self) -> Parser:
        """Return the parser; raises ModelError if its model is not installed."""
        from .french.parser import load_parser

        parser: Parser = load_parser()
        return parser


LANGUAGES: tuple[Language, ...] = (
    English("en", "english"),
    French("fr", "french"),
    WordsOnly("de", "german"),
    WordsOnly("es", "spanish"),
    WordsOnly("it", "italian"),
    WordsOnly("pt", "portuguese"),
    WordsOnly("nl", "dutch"),
    WordsOnly("sv", "swedish"),
    WordsOnly("pl", "polish"),
    WordsOnly("ru", "russian"),
    WordsOnly("zh", "chinese"),
    WordsOnly("ja", "japanese"),
)


@hookimpl
def register_languages() -> Iterable[Language]:
    """Return English and French, with their parsers, and those that are words only."""
    return LANGUAGES
