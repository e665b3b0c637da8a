"""From a note to its page: in its own language and, if it is read closely, with its clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.errors import ModelError
from writeros_entities.language.reading import read_page
from writeros_entities.language.telling import tell_language
from writeros_entities.values import Page

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins
    from writeros_entities.protocols import Language, Parser
    from writeros_entities.settings import Settings
    from writeros_entities.values import Note


class StoredClauses(NamedTuple):
    """A page with its clauses as it is stored: of which content, and by what it was read."""

    content: str
    read_by: str
    clauses: bytes


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

    def read(
        self, note: Note, *, closely: bool, stored: StoredClauses | None = None
    ) -> tuple[Page, Language | None, StoredClauses | None]:
        """Return the page of a note, its language, and what is to be stored of the page.

        The language is None for one that no plugin knows. Notes in a language without a parser have
        no clauses. What was `stored` is taken if the same parser read it. Raises PluginError if a
        parser fails.
        """
        if len(note.text) > LONGEST:
            return Page(""), None, None
        language = self._languages.get(tell_language(note, self._languages, self._main))
        parser = self._parser(language) if closely and language is not None else None
        if language is None or parser is None or isinstance(parser, ModelError):
            return read_page(note, language), language, None
        from writeros_entities.language.stored import VERSION, pack_page, unpack_page

        covered = " covered" if note.has_covered_threads else ""
        read_by = f"{language.code} {parser.identity} {VERSION}{covered}"
        if stored is not None and stored.read_by == read_by:
            return unpack_page(stored.clauses, note.text), language, None
        page = read_page(note, language, parser)
        return page, language, StoredClauses(note.content_hash, read_by, pack_page(page, note.text))

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
