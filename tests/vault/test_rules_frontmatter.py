"""Rules 1-5 and 29: what stands between the fences, and how bytes become text."""

from __future__ import annotations

import json

import pytest

from writeros_entities.values import Note
from writeros_entities.vault.notes import parse_note


def note(text: str) -> Note:
    return parse_note("Cast/Rook.md", text.encode())


def codes(parsed: Note) -> list[str]:
    return [diagnostic.code for diagnostic in parsed.diagnostics]


@pytest.mark.parametrize(
    ("text", "values", "body"),
    [
        ("---\na: 1\n---\nBody", {"a": 1}, "Body"),
        ("---\r\na: 1\r\n---\r\nBody", {"a": 1}, "Body"),
        ("---\na: 1\n---", {"a": 1}, ""),
        ("\ufeff---\na: 1\n---\nBody", {"a": 1}, "Body"),
        ("---\n---\nBody", {}, "Body"),
        ("\n---\na: 1\n---\n", {}, "\n---\na: 1\n---\n"),
        (" ---\na: 1\n---\n", {}, " ---\na: 1\n---\n"),
        ("---\na: 1\n", {}, "---\na: 1\n"),
        ("----\na: 1\n----\n", {}, "----\na: 1\n----\n"),
    ],
)
def test_rule_01_frontmatter_begins_with_the_file(
    text: str, values: dict[str, object], body: str
) -> None:
    parsed = note(text)
    assert parsed.frontmatter == values
    assert parsed.text[parsed.body_start :] == body
    assert parsed.text == text
    assert parsed.prose[: parsed.body_start].strip("\0\n") == ""


def test_rule_01_a_first_line_of_dashes_may_be_a_mere_rule() -> None:
    assert codes(note("---\nborn: 1780\n\nShe came.\n")) == ["unclosed-frontmatter"]
    parsed = note("---\n\nShe came.\n")
    assert [block.kind for block in parsed.blocks] == ["rule", "paragraph"]
    assert codes(parsed) == []


def test_rule_01_frontmatter_is_a_block_of_its_own() -> None:
    parsed = note("---\na: 1\n---\nBody\n")
    assert [(b.kind, b.start, b.end) for b in parsed.blocks] == [
        ("frontmatter", 0, 12),
        ("paragraph", 13, 17),
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", "yes"),
        ("off", "off"),
        ("True", True),
        ("false", False),
        ("~", None),
        ("", None),
        ("12:30", "12:30"),
        ("1:30:00", "1:30:00"),
        ("2024-02-30", "2024-02-30"),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("-3", -3),
        ("1.50", 1.5),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("'7'", "7"),
        ('"true"', "true"),
        ("!!str 7", "7"),
        ("!!int 7", 7),
        ("=", "="),
        ("9" * 30, "9" * 30),
        ("|\n  two\n  lines", "two\nlines\n"),
        ("[a, 1, no]", ["a", 1, "no"]),
        ("{x: {y: 1}}", {"x": {"y": 1}}),
        ("{{date}}", {"{date}": None}),
    ],
)
def test_rule_02_values_are_those_of_yaml_1_2(written: str, value: object) -> None:
    parsed = note(f"---\nkey: {written}\n---\n")
    assert parsed.frontmatter == {"key": value}
    assert codes(parsed) == []
    json.dumps(dict(parsed.frontmatter), allow_nan=False)


def test_rule_02_an_anchor_is_read_where_it_is_named() -> None:
    parsed = note("---\nhome: &keep '[[Keep]]'\nborn in: *keep\n*keep : old\n---\n")
    assert parsed.frontmatter == {"home": "[[Keep]]", "born in": "[[Keep]]", "[[Keep]]": "old"}


def test_rule_02_keys_stay_as_written() -> None:
    parsed = note("---\nno: 1\n12: 2\nnull: 3\n---\n")
    assert parsed.frontmatter == {"no": 1, "12": 2, "null": 3}


def test_rule_02_json_between_the_fences_is_valid() -> None:
    parsed = note('---\n{"aliases": ["R"], "age": 4,\n "x": null}\n---\n')
    assert parsed.frontmatter == {"aliases": ["R"], "age": 4, "x": None}
    assert parsed.aliases == ("R",)


def test_rule_03_an_alias_written_as_a_link_is_what_the_link_shows() -> None:
    parsed = note("---\naliases: ['[[Wren]]', '[[Toby Wren|Toby]]', Warden]\n---\n")
    assert parsed.aliases == ("Wren", "Toby", "Warden")
    assert note("---\naliases: [[Wren]]\n---\n").aliases == ("Wren",)


@pytest.mark.parametrize(
    ("frontmatter", "aliases", "diagnostics"),
    [
        ("aliases: [The Rook, ' Rooky ']", ("The Rook", "Rooky"), []),
        ("ALIASES:\n  - One", ("One",), []),
        ("aliases: Smith, John", ("Smith, John",), ["one-alias"]),
        ("alias: One, Two", ("One", "Two"), ["old-key"]),
        ("aliases: [One, 7, null, [x]]", ("One",), ["not-text"]),
        ("aliases: 7", (), ["not-text"]),
        ("aliases:", (), []),
        ("aliases: [A, A]", ("A",), []),
        ("CSSclass: wide\naliases: [A]", ("A",), ["old-key"]),
        ("cssclasses: [wide]\naliases: [A]", ("A",), []),
    ],
)
def test_rule_03_aliases(
    frontmatter: str, aliases: tuple[str, ...], diagnostics: list[str]
) -> None:
    parsed = note(f"---\n{frontmatter}\n---\n")
    assert parsed.aliases == aliases
    assert codes(parsed) == diagnostics


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("Tobias Wren.md", "Toby, Old Tobias"),
        ("Tobias Wren.md", "Toby,Wren"),
        ("Tobias Wren.md", "Tobias, Toby"),
        ("Tobias Wren.md", "Wren, Toby, the Keeper"),
        ("Hannah.md", "Annah, Nan"),
        ("Wren.md", "the Gannet, the Beak"),
        ("王熙鳳.md", "鳳姐, 鳳辣子"),
    ],
)
def test_several_names_in_one_plain_string_are_remarked_upon(path: str, written: str) -> None:
    parsed = parse_note(path, f"---\naliases: {written}\n---\n".encode())
    assert parsed.aliases == (written,)
    assert [one.message for one in parsed.diagnostics] == [
        f"Under 'aliases', {written!r} is one alias, as Obsidian has it. If several are meant, "
        f"make it a list: [{written}]."
    ]


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("Tobias Wren.md", "Wren, Tobias"),
        ("Tobias Wren.md", "Wren, Toby"),
        ("Tobias Wren (elder).md", "wren, T."),
        ("Søren van Dyck.md", "van Dyck, Søren"),
        ("Tobias Wren.md", "Tobias Wren, Keeper of the Light"),
        ("Paris.md", "Paris, Texas"),
        ("Wren, Tobias.md", "Wren, Toby"),
        ("The Lion, the Witch.md", "The Lion, the Witch, and a Wardrobe"),
        ("Old Bell.md", "Ferris, Jr."),
        ("Old Bell.md", "James Ferris, M.D."),
        ("Old Bell.md", "Henry, duke of York"),
        ("Old Bell.md", "Tom, Dick and Harry"),
        ("Old Bell.md", "Bell,"),
        ("Old Bell.md", "1,000 Bells"),
    ],
)
def test_a_name_with_a_comma_in_it_is_no_list(path: str, written: str) -> None:
    parsed = parse_note(path, f"---\naliases: {written}\n---\n".encode())
    assert (parsed.aliases, codes(parsed)) == ((written,), [])


def test_rule_03_tags_in_frontmatter() -> None:
    parsed = note("---\ntags: [cast/minor, '#draft', 'two words', '1984', x]\n---\n")
    assert [(t.name, t.start, t.end) for t in parsed.tags] == [
        ("cast/minor", 0, 0),
        ("draft", 0, 0),
        ("x", 0, 0),
    ]
    assert codes(parsed) == ["invalid-tag", "invalid-tag"]
    assert [t.name for t in note("---\ntag: a, b\n---\n").tags] == ["a", "b"]


def test_rule_03_duplicate_keys_are_invalid() -> None:
    parsed = note("---\na: 1\nb: 2\na: 3\n---\nBody")
    assert parsed.frontmatter == {}
    assert [(d.code, d.line) for d in parsed.diagnostics] == [("broken-frontmatter", 4)]


@pytest.mark.parametrize(
    ("frontmatter", "line"),
    [
        ("a: [1", 3),
        ("a: b: c", 2),
        ("\tx: 1", 2),
        ("just text", 2),
        ("- a\n- b", 2),
        ("a: *b", 2),
        ("? - a\n: b", 2),
        ("a: &x [1]\n*x : b", 3),
        ("a: 1\n--- b: 2", 3),
    ],
)
def test_rule_03_broken_yaml_is_one_diagnostic(frontmatter: str, line: int) -> None:
    parsed = note(f"---\n{frontmatter}\n---\nShe met [[Rook]].")
    assert parsed.frontmatter == {}
    assert codes(parsed) == ["broken-frontmatter"]
    assert parsed.diagnostics[0].line == line
    assert [link.target for link in parsed.links] == ["Rook"]


def test_rule_04_links_in_properties() -> None:
    text = '---\nrelated:\n  - "[[Rook|the Rook]]"\n  - [[Ash, Keep]]\nhome: [[Keep]]\n---\n'
    parsed = note(text)
    assert parsed.frontmatter == {
        "related": ["[[Rook|the Rook]]", "[[Ash, Keep]]"],
        "home": "[[Keep]]",
    }
    assert [(k.kind, k.target, k.display, k.field, k.raw) for k in parsed.links] == [
        ("frontmatter", "Rook", "the Rook", "related.0", "[[Rook|the Rook]]"),
        ("frontmatter", "Ash, Keep", None, "related.1", "[[Ash, Keep]]"),
        ("frontmatter", "Keep", None, "home", "[[Keep]]"),
    ]
    assert all(text[link.start : link.end] == link.raw for link in parsed.links)


@pytest.mark.parametrize(
    ("written", "targets"),
    [
        ("'[[Tom''s House]]'", ["Tom's House"]),
        ('"[[Caf\\xE9]] and [[Ann]]"', ["Café", "Ann"]),
        (">-\n  [[The Old\n  Mill]]", ["The Old Mill"]),
        ("|\n  [[Tom]]\n  [[Ann]]", ["Tom", "Ann"]),
        ("'[a](Tom''s%20House.md)'", ["Tom's House.md"]),
    ],
)
def test_rule_04_links_in_properties_that_yaml_escapes_or_folds(
    written: str, targets: list[str]
) -> None:
    text = f"---\nhome: {written}\n---\n"
    links = note(text).links
    assert [link.target for link in links] == targets
    assert all(text[link.start : link.end] == link.raw for link in links)


def test_rule_04_markdown_links_in_properties() -> None:
    text = (
        "---\nmother: '[Ann](Cast/Ann.md)'\n"
        "seen: '[a](https://a.org) [ ](<Lady V.md>) [b] (c)'\n---\n"
    )
    assert [(k.kind, k.target, k.display, k.field, k.raw) for k in note(text).links] == [
        ("frontmatter", "Cast/Ann.md", "Ann", "mother", "[Ann](Cast/Ann.md)"),
        ("frontmatter", "Lady V.md", None, "seen", "[ ](<Lady V.md>)"),
    ]
    wiki = note("---\nmother: '[[ ]] [[Ann]]'\n---\n")
    assert [link.target for link in wiki.links] == ["Ann"]


def test_rule_04_a_list_of_lists_stays_one() -> None:
    assert note("---\na: [[x], [y]]\n---\n").frontmatter == {"a": [["x"], ["y"]]}
    assert note("---\na: [[[X]], [[Y]]]\n---\n").frontmatter == {"a": ["[[X]]", "[[Y]]"]}


def test_rule_05_unknown_keys_are_kept() -> None:
    parsed = note("---\nmood: stormy # a comment\n---\n")
    assert parsed.frontmatter == {"mood": "stormy"}


@pytest.mark.parametrize(
    "frontmatter",
    [
        "a: &a [x, x, x]\n"
        + "".join(
            f"k{i}: &{'abcdefghijklmnop'[i + 1]} [*{'abcdefghijklmnop'[i]}, "
            f"*{'abcdefghijklmnop'[i]}, *{'abcdefghijklmnop'[i]}]\n"
            for i in range(15)
        ),
        "a: " + "[" * 100_000,
        "a: " + "{" * 100_000,
        "- " * 100_000,
        "".join(f"k{i}: 1\n" for i in range(6_000)),
        "a: " + "x" * 600_000,
        "a: &a [*a]",
    ],
    ids=["aliases", "brackets", "braces", "dashes", "keys", "size", "self"],
)
def test_hostile_frontmatter_is_one_diagnostic(frontmatter: str) -> None:
    parsed = note(f"---\n{frontmatter}\n---\nBody")
    assert parsed.frontmatter == {}
    assert codes(parsed) == ["broken-frontmatter"]
    assert parsed.prose.endswith("Body")


def test_rule_29_bytes_that_are_not_utf_8_are_replaced_and_reported() -> None:
    parsed = parse_note("a.md", b"Caf\xe9\r\n\xff\xfeRook\n")
    assert parsed.text == "Caf\ufffd\r\n\ufffd\ufffdRook\n"
    assert [(d.code, d.line) for d in parsed.diagnostics] == [("not-utf-8", 1)]


def test_rule_29_nul_utf_16_and_the_byte_order_mark() -> None:
    assert parse_note("a.md", b"a\0b").text == "a\ufffdb"
    assert codes(parse_note("a.md", b"a\0b")) == ["nul"]
    assert "utf-16" in codes(parse_note("a.md", "Rook".encode("utf-16")))
    marked = parse_note("a.md", b"\xef\xbb\xbf# Rook")
    assert marked.text == "\ufeff# Rook"
    assert [heading.text for heading in marked.headings] == ["Rook"]
    assert marked.prose == "\0\0\0Rook"


def test_rule_29_carriage_returns_stay_where_they_are() -> None:
    parsed = note("# One\r\n\r\nTwo [[X]]\r\n")
    assert parsed.prose == "\0\0One\r\n\r\nTwo \x01\x01X\x01\x01\r\n"
    assert [(b.kind, b.start, b.end) for b in parsed.blocks] == [
        ("heading", 0, 5),
        ("paragraph", 9, 18),
    ]


def test_rule_30_offsets_count_code_points() -> None:
    parsed = note("🦉 [[Rook]]\nnext")
    assert (parsed.links[0].start, parsed.links[0].end) == (2, 10)
    assert parsed.locate(11) == (2, 1)
