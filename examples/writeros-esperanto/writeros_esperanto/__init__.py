"""Esperanto for writeros-entities: its words, from a file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from writeros_entities import Language, Words, hookimpl, read_words


class Esperanto:
    """Esperanto; nothing parses its sentences."""

    code = "eo"

    @cached_property
    def words(self) -> Words:
        """Its words, read on first use."""
        return read_words(Path(__file__).with_name("words.toml"))

    def parser(self) -> None:
        """Return None: there is none."""


@hookimpl
def register_languages() -> Iterable[Language]:
    """Return Esperanto."""
    return [Esperanto()]
