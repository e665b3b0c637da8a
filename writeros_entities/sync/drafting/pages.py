"""From a note to its page: in its own language and, if it is read closely, with its clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.errors import ModelError
from writeros_entities.language.reading import read_page
from writeros_entities.language.telling import tell_language
from writeros_entities.values import Page

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins
    from writeros_entities.protocols import Language, Parser
    from writeros_entities.settings import Settings
    from writeros_entities.values import Note


LONGEST = 1_000_000
"""Most characters of a note whose page is read, twice a long novel's: a page takes many times as
much memory as its note.
"""


class Pages:
    """Reads the pages of one vault's notes; a language's parser is loaded when first needed."""

    def __init__(self, plugins: Plugins, settings: Settings) -> None:
        self._languages = plugins.languages
        self._main = settings.language
        self._is_wanted = settings.close_reading
        self._parsers: dict[str, Parser | ModelError | None] = {}

    def read(self, note: Note, *, closely: bool) -> tuple[Page, Language | None]:
        """Return the page of a note, and its language; None for one that no plugin knows.

        Notes in a language without a parser have no clauses. Raises PluginError if a parser fails.
        """
        if len(note.text) > LONGEST:
            return Page(""), None
        language = self._languages.get(tell_language(note, self._languages, self._main))
        parser = self._parser(language) if closely and language is not None else None
        return read_page(
            note, language, None if isinstance(parser, ModelError) else parser
        ), language

    def why_not(self) -> str | None:
        """Return why notes are not read closely, or None if they are; "" if nobody wants it."""
        if not self._is_wanted or self._main not in self._languages:
            return ""
        parser = self._parser(self._languages[self._main])
        return str(parser) if isinstance(parser, ModelError) else "" if parser is None else None

    def _parser(self, language: Language) -> Parser | ModelError | None:
        if language.code not in self._parsers:
            try:
                self._parsers[language.code] = language.parser()
            except ModelError as error:
                self._parsers[language.code] = error
        return self._parsers[language.code]
