"""What holds for every text, however strange: found by trying many."""

# ruff: noqa: E501 - long tables of markup read best as they are
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from writeros_entities.values import HIDDEN, MARK, Note
from writeros_entities.vault.notes import parse_note, plain_note

PIECES = (
    "[[", "]]", "[", "]", "(", ")", "|", "#", "# ", "## ", "^id", " ^id", "%%", "$", "$$", "`", "``",
    "```", "~~~", "```\n", "> ", ">", "- ", "* ", "1. ", "  ", "    ", "\t", "\n", "\n\n", "\r\n",
    "---\n", "***\n", "===\n", "::", "k:: ", "[k:: ", "(k:: ", "*", "**", "_", "==", "~~", "\\", "!",
    "![", "![[", "<", ">", "<div>", "<!--", "-->", "<%", "%>", "{{", "}}", "http://a.b", "[^1]", "^[",
    "[!note]", "a|b\n", "-|-\n", "&amp;", "Rook", " ", "é", "日", "🦉", ".md", "[ ] ", "x", "\0", "\ufeff",
)  # fmt: skip
markup = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=40).map("".join)


def check(note: Note) -> None:
    text, prose = note.text, note.prose
    assert len(prose) == len(text)
    for written, shown in zip(text, prose, strict=True):
        assert shown == written or (shown in (HIDDEN, MARK) and written != "\n")
    for link in note.links:
        assert text[link.start : link.end] == link.raw
        assert link.start <= link.text_start <= link.text_end <= link.end
        assert link.target or link.heading or link.block
    for tag in note.tags:
        assert not tag.end or text[tag.start : tag.end] == f"#{tag.name}"
    for field in note.fields:
        assert text[field.start : field.end] == field.value
    end = 0
    for block in note.blocks:
        assert end <= block.start < block.end <= len(text)
        assert block.start in (0, 1) or text[block.start - 1] == "\n"
        assert not text[end : block.start].strip("\ufeff \t\r\n")
        end = block.end
    assert not text[end:].strip("\ufeff \t\r\n")
    body = [link for link in note.links if link.kind != "frontmatter"]
    for found in (note.headings, body, note.fields, note.comments, note.callouts):
        starts = [one.start for one in found]
        assert starts == sorted(starts)


@settings(max_examples=500)
@given(markup)
def test_markup_of_any_kind_is_read_in_place(text: str) -> None:
    check(parse_note("a.md", text.encode("utf-8", "surrogatepass")))
    check(plain_note(text.replace("\0", "")))


@settings(max_examples=200)
@given(markup)
def test_frontmatter_of_any_kind_is_read_in_place(text: str) -> None:
    check(parse_note("a.md", f"---\na: {text}\n---\nBody".encode("utf-8", "surrogatepass")))


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    check(parse_note("a.md", data))


LINES = st.sampled_from(
    (
        "# Head", "### Sub ##", "#tag", "####### seven", "Rook came", "and went", "", "", "```", "```py",
        "````", "~~~", " ```", "    code", "- item", "  more", "- ", "1. one", "2. two", "> quote", ">",
        "> ```", "> # in", "---", "===", "***", "- - -", "* * *", "  ```", "   # three", "+ plus", "a `b",
    )
)  # fmt: skip


@settings(max_examples=600)
@given(st.lists(LINES, max_size=12))
def test_headings_and_fences_are_those_of_commonmark(lines: list[str]) -> None:
    text = "\n".join(["Start", "", *lines])
    tokens = MarkdownIt("commonmark").parse(text)
    note = plain_note(text)
    starts = note.line_starts
    assert [(h.level, starts.index(h.start)) for h in note.headings] == [
        (int(token.tag[1]), token.map[0])
        for token in tokens
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    assert [starts.index(b.start) for b in note.blocks if b.kind == "code"] == [
        token.map[0]
        for token in tokens
        if token.type in ("fence", "code_block") and token.level == 0 and token.map
    ]


@pytest.mark.parametrize(
    "piece",
    [
        "[", "]", "*", "`", ">", "> ", "- ", "[[a|b]] ", "[[", "%%", "$", "$$ ", "<", "<!--", "<% ", "::",
        "a:: ", "[a:: ", "(a:: ", "://", "a://", "_a ", "== ", "{{", "#", "#a ", "^[", "[^", "[a](", "](",
        "[a](b \"", "- [ ] - ", "- > ", "> %%\n\n", "> $$\n\n", "> <%\n\n", "<%\n", "$$\n", "```\n", "|",
        ">[!a]\n>> [!b]\n", "# ", "\\", "&a", "a|b\n-|-\n", "[a]: b\n", "    a\n\n", "\r", "a\n===\n",
    ],
)  # fmt: skip
def test_hostile_repetition_is_read_to_its_end(piece: str) -> None:
    note = parse_note("a.md", (piece * 10_000).encode(), max_links=1_000)
    assert len(note.prose) == len(piece) * 10_000
    for found in (note.links, note.tags, note.fields, note.block_ids):
        assert len(found) <= 1_000
    assert len(note.diagnostics) <= 2


def test_lists_3000_deep_are_one_block() -> None:
    text = "".join("  " * depth + "- [[Rook]]\n" for depth in range(3_000))
    note = plain_note(text)
    assert [block.kind for block in note.blocks] == ["list"]
    assert len(note.links) == 3_000


def test_quotes_1000_deep_are_one_block() -> None:
    text = "".join(">" * depth + " [[Rook]]\n" for depth in range(1, 1_000))
    note = plain_note(text)
    assert [block.kind for block in note.blocks] == ["quote"]
    assert len(note.links) == 999


def test_unclosed_code_and_comments_run_to_the_end() -> None:
    for opening in ("```\n", "%%\n"):
        note = plain_note(opening + "[[Rook]] text\n" * 50_000)
        assert note.links == ()
        assert len(note.blocks) == 1
        assert note.prose.strip("\0\n") == ""
