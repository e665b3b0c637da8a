"""Pages: lines as a reader sees them, whatever the note has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from writeros_entities import Page
from writeros_entities.language.layout import read_layout
from writeros_entities.language.reading import find_names, read_page

from .reading import language, note_of, parser, read, read_without_parser

SHEET = """# Corin – Edric's older brother

**Father:** [[Aldo|Old Aldo]]
**Wife** – Ruth
Owner:: [[Swan]]

- Lives in: Vantry
    - since 1203
- Works at the Temple

| Name | Home |
| --- | --- |
| [[Ada]] | Fenwick |
| [[Bob]] |  |

> [!note] She said no.

A long paragraph that an editor has wrapped at a width of
some fifty characters is one line, `code` and %%comments%% aside.
"""

PIECES = (
    "[[Ann|A]]", "[[", "]]", "|", "| a | b |\n|---|---|\n| c | d |\n", "# ", "\n", "\n\n", "- ",
    "> ", "1. ", "  ", "\t", "**", "*", "`x`", "%%", "Ann Reed", " said ", "Father: ", " – ", ":: ",
    '"', "“", "”", "'s ", "—", ". ", "? ", "She died. ", "Works at the ", "İ", "é", "日本。",
    "\r\n", "e\u0301", "\ufeff", "\0", "\u2028", "[!note] ", "1203", "https://a.b/c ", "=", "…",
)  # fmt: skip
markup = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=30).map("".join)


def lines(text: str) -> list[tuple[str, str, str | None]]:
    """Return the kind, the label and the value of each line."""
    return [
        (one.kind, one.label, text[one.value.start : one.value.end] if one.value else None)
        for one in read_without_parser(text).lines
    ]


def test_a_sheet_has_lines_with_labels() -> None:
    assert lines(SHEET) == [
        ("heading", "Corin", "Edric's older brother"),
        ("paragraph", "Father", "Old Aldo"),
        ("paragraph", "Wife", "Ruth"),
        ("paragraph", "Owner", "Swan"),
        ("item", "Lives in", "Vantry"),
        ("item", "", None),
        ("item", "", None),
        *[("cell", "", None)] * 3,
        ("quote", "", None),
        ("paragraph", "", None),
    ]


def test_a_line_has_no_formatting_and_is_not_broken_where_an_editor_wraps_it() -> None:
    assert [one.text for one in read_layout(note_of(SHEET))][-4:] == [
        "Fenwick",
        "Bob",
        "She said no.",
        "A long paragraph that an editor has wrapped at a width of some fifty characters is one "
        "line,  and  aside.",
    ]


def test_a_cell_knows_the_head_of_its_column_and_the_first_in_its_row() -> None:
    page = read_without_parser(SHEET)
    cells = [one for one in page.lines if one.kind == "cell"]
    assert [one.header for one in cells] == ["Name", "Home", "Name"]
    first = page.lines.index(cells[0])
    assert [one.first for one in cells] == [-1, first, -1]


def test_items_and_headings_know_their_depth() -> None:
    page = read_without_parser("# A\n\n### B\n\n- c\n    - d\n")
    assert [one.depth for one in page.lines] == [1, 3, 0, 4]


def test_without_a_parser_sentences_have_places_and_speech_alone() -> None:
    text = 'She wept. "Go home!" Dr. Reed said no more.'
    page = read_without_parser(text)
    found = [(text[one.start : one.end], one.is_speech) for one in page.lines[0].sentences]
    assert found == [
        ("She wept.", False),
        ('"Go home!"', True),
        ("Dr. Reed said no more.", False),
    ]
    assert not page.has_clauses
    assert all(one.words == () for one in page.lines[0].sentences)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Then Ann Reed laughed.", ["Ann Reed"]),
        ("We met Ann of the Reeds.", ["Ann of the Reeds"]),
        ("We met Ann Reed's brother Bob Hill.", ["Ann Reed", "Bob Hill"]),
        ("Ann Reed laughed.", []),  # the first word of a sentence may be no name
        ("We met Ann. Bob Hill laughed.", []),
        ("the étés of Élan Vital", ["Élan Vital"]),
        ("Mary, Queen of Scots", ["Queen of Scots"]),
    ],
)
def test_words_with_capitals_are_names_unless_a_sentence_begins_there(
    text: str, names: list[str]
) -> None:
    found = find_names(text, language("en").words.particles)
    assert [text[start:end] for start, end in found] == names


def check(page: Page, text: str) -> None:
    """Check that everything stands in the note, in order, and each thing in what it is part of."""
    last = 0
    for line in page.lines:
        assert last <= line.start < line.end <= len(text)
        last = line.end
        if line.value:
            assert line.start <= line.value.start <= line.value.end <= line.end
        place = line.start
        for sentence in line.sentences:
            assert place <= sentence.start < sentence.end <= line.end
            place = sentence.start
            for word in sentence.words:
                assert place <= word.start <= word.end <= sentence.end
                assert 0 <= word.head < len(sentence.words)
                place = word.end
            place = max(place, sentence.end)


@settings(max_examples=300)
@given(markup)
def test_what_a_page_marks_stands_in_its_note_in_order(text: str) -> None:
    note = note_of(text.encode("utf-8", "replace").decode())
    check(read_page(note, language("en")), note.text)


@settings(max_examples=40)
@given(st.lists(markup, max_size=6).map("\n\n".join))
def test_words_stand_in_their_note_in_order(text: str) -> None:
    note = note_of(text.encode("utf-8", "replace").decode())
    check(read_page(note, language("en"), parser("en")), note.text)


def test_every_word_hangs_on_another_up_to_the_root() -> None:
    page = read(SHEET)
    for sentence in (one for line in page.lines for one in line.sentences):
        for at in range(len(sentence.words)):
            for _ in sentence.words:
                at = sentence.words[at].head
            assert sentence.words[at].head == at


def test_each_sentence_of_a_very_long_paragraph_is_parsed() -> None:
    page = read("Ann opened the door. " * 300)
    (line,) = page.lines
    assert [len(one.words) for one in line.sentences] == [4] * 300
