import pytest
from hypothesis import given
from hypothesis import strategies as st
from writeros_plugins.chunker import HeadingChunker, register_chunkers
from writeros_plugins.token_counters import CharacterCounter, WordCounter

from writeros_entities import ChunkSpan, Settings
from writeros_entities.testing import check_chunks


class SpaceCounter:
    """Counts what stands between spaces."""

    name = "spaces"

    def count(self, texts):
        return [len(text.split()) for text in texts]


@pytest.fixture(scope="module")
def cut(make_note):
    """Return the texts of the chunks of a text."""

    def cut(text, target=6, limit=12, **values):
        note = make_note(text, **values)
        spans = HeadingChunker(target, limit).chunk(note, SpaceCounter())
        return [text[span.start : span.end] for span in spans]

    return cut


def test_an_empty_note_has_no_chunks(cut) -> None:
    assert cut("") == []
    assert cut("\ufeff\n \n\t\n") == []


def test_a_small_note_is_one_chunk_without_blank_lines_around_it(make_note) -> None:
    note = make_note("\n\n# Keep\n\n  The gate.\n\n")
    assert HeadingChunker(200, 400).chunk(note, SpaceCounter()) == [ChunkSpan(2, 21, 4, ("Keep",))]


def test_frontmatter_is_in_no_chunk(cut) -> None:
    assert cut("---\na: b\n---\nProse.", body_start=13, blocks=()) == ["Prose."]


def test_paragraphs_join_up_to_the_target(cut) -> None:
    assert cut("a b c\n\nd e f\n\ng h i\n\nj k l") == ["a b c\n\nd e f", "g h i\n\nj k l"]


def test_a_big_enough_section_ends_where_a_major_heading_begins(cut) -> None:
    text = "# A\n\nb c\n\n# D\n\ne f\n\n# G\n\nh i j"
    assert cut(text, target=8) == ["# A\n\nb c", "# D\n\ne f", "# G\n\nh i j"]
    assert cut(text, target=10) == ["# A\n\nb c\n\n# D\n\ne f", "# G\n\nh i j"]


def test_small_sections_are_joined_across_minor_headings(cut) -> None:
    assert cut("### A\n\nb\n\n### C\n\nd", target=8) == ["### A\n\nb\n\n### C\n\nd"]


def test_a_heading_goes_with_what_follows_it(cut) -> None:
    text = "a b c d e f g h i\n\n## H\n\n### I\n\nj k l m n o"
    assert cut(text) == ["a b c d e f g h i", "## H\n\n### I\n\nj k l m n o"]


def test_the_headings_of_a_chunk_are_those_above_its_first_text(make_note) -> None:
    note = make_note("# Part\n\n## One\n\na b c d\n\n### Sub\n\ne f g h\n\n## Two\n\ni j k l")
    spans = HeadingChunker(6, 12).chunk(note, SpaceCounter())
    assert [span.headings for span in spans] == [
        ("Part", "One"),
        ("Part", "One", "Sub"),
        ("Part", "Two"),
    ]


def test_a_block_within_the_limit_is_never_cut(cut) -> None:
    code = "```\na b\n\nc d\ne f g h\n```"
    assert cut(f"x y z w\n\n{code}\n\nv w x y z") == ["x y z w", code, "v w x y z"]


def test_a_table_beyond_the_limit_is_cut_between_rows(cut) -> None:
    table = "\n".join(f"| row {row} |" for row in range(6))
    assert cut(table) == [
        "| row 0 |\n| row 1 |",
        "| row 2 |\n| row 3 |",
        "| row 4 |\n| row 5 |",
    ]


def test_a_paragraph_beyond_the_limit_is_cut_between_sentences(cut) -> None:
    text = "Mr. Wren came in. “What now?” he said. Ilse had no answer, J. Vane neither."
    assert cut(text) == [
        "Mr. Wren came in. “What now?” he said.",
        "Ilse had no answer, J. Vane neither.",
    ]


@pytest.mark.parametrize("title", ["Sgt.", "Maj.", "Col.", "Rev.", "Fr.", "Prof."])
def test_no_sentence_ends_behind_a_title_in_short(cut, title: str) -> None:
    text = f"At noon {title} Wren came in with wet boots. “What now?” asked nobody at all."
    assert cut(text, target=3, limit=9) == [
        f"At noon {title} Wren came in with wet boots.",
        "“What now?” asked nobody at all.",
    ]


def test_a_sentence_beyond_the_limit_is_cut_between_words(cut) -> None:
    text = " ".join(f"word{number}" for number in range(30))
    chunks = cut(text)
    assert " ".join(chunks) == text
    assert max(len(chunk.split()) for chunk in chunks) <= 12


def test_a_word_beyond_the_limit_is_cut_between_characters(make_note) -> None:
    note = make_note("x" * 1000)
    spans = HeadingChunker(20, 40).chunk(note, CharacterCounter())
    assert "".join(note.text[span.start : span.end] for span in spans) == note.text
    assert max(span.tokens for span in spans) == 40 - 10


def test_a_scrap_at_the_end_joins_the_chunk_before_it(cut) -> None:
    assert cut("a b c d e f g h\n\ni", target=8) == ["a b c d e f g h\n\ni"]


def test_the_identity_changes_with_the_sizes() -> None:
    (small,) = register_chunkers(Settings(chunk_target=100))
    (large,) = register_chunkers(Settings(chunk_target=300))
    assert small.name == large.name == "headings"
    assert small.identity != large.identity


TEXTS = ["# One\n", "## Two\n", "\n\n", "\n", "A word. ", "Why? ", "x" * 90, "太郎は来た。"]
TEXTS += ["| a | b |\n", "```\ncode here\n```\n", "- item\n", "> quote\n", "  ", "e\u0301", "\r\n"]
TEXTS += ["wordy " * 40]


@given(
    st.lists(st.sampled_from(TEXTS), max_size=25),
    st.sampled_from([SpaceCounter(), WordCounter(), CharacterCounter()]),
    st.booleans(),
)
def test_chunks_cover_the_note_once_in_order_and_within_the_limit(
    make_note, pieces, counter, with_blocks
) -> None:
    text = "".join(pieces)
    note = make_note(text) if with_blocks else make_note(text, blocks=())
    spans = HeadingChunker(20, 40).chunk(note, counter)
    covered = 0
    for span in spans:
        chunk = text[span.start : span.end]
        assert text[covered : span.start].strip() == ""
        assert covered <= span.start < span.end
        assert chunk.strip() and chunk == chunk.rstrip() and not chunk.startswith("\n")
        assert span.tokens == counter.count([chunk])[0] <= 40
        covered = span.end
    assert text[covered:].strip() == ""


class SquareCounter:
    """Counts a third of the square of the words: a text is more than its parts."""

    name = "square"

    def count(self, texts):
        return [len(text.split()) ** 2 // 3 for text in texts]


def test_a_chunk_that_is_more_than_its_parts_is_halved(make_note) -> None:
    note = make_note("One two three.\n\nFour five six.\n\nSeven eight nine.\n\nTen.")
    chunks = HeadingChunker(12, 12).chunk(note, SquareCounter())
    # 3 + 3 + 3 + 0 fit, but all ten words are 33; six of them are 12, and four are 5.
    assert [chunk.tokens for chunk in chunks] == [12, 5]
    check_chunks(note, chunks)


@pytest.mark.parametrize("filler", [" " * 900, "\u0301" * 900], ids=["spaces", "accents"])
def test_a_run_that_is_no_word_is_cut_as_well(make_note, filler) -> None:
    note = make_note(f"One{filler}two.")
    chunks = HeadingChunker(6, 12).chunk(note, CharacterCounter())
    check_chunks(note, chunks)
    assert note.text[chunks[0].start : chunks[0].start + 3] == "One"
    assert note.text[: chunks[-1].end].endswith("two.")


@pytest.mark.parametrize(
    ("spans", "fault"),
    [
        ([(0, 8), (4, 12)], "begins before 8"),
        ([(0, 4)], "is in no chunk"),
        ([(0, 900)], "0-900 is not a span of the note"),
    ],
)
def test_chunks_that_break_the_contract_are_told_to_the_author(make_note, spans, fault) -> None:
    note = make_note("One two three.")
    chunks = [ChunkSpan(start, end, 1) for start, end in spans]
    with pytest.raises(AssertionError, match=fault):
        check_chunks(note, chunks)
