"""Rules 4, 7 and 10-20 as far as a note's text decides them; · is hidden, ° is a mark."""

from __future__ import annotations

import pytest

from writeros_entities.values import Note
from writeros_entities.vault.links import find_block, find_heading, section_span
from writeros_entities.vault.notes import parse_note, plain_note


def note(text: str) -> Note:
    parsed = parse_note("Chapters/One.md", text.encode())
    assert len(parsed.prose) == len(text)
    return parsed


def prose(text: str) -> str:
    return note(text).prose.replace("\0", "·").replace("\x01", "°")


def kinds(text: str) -> list[tuple[str, str]]:
    parsed = note(text)
    return [(block.kind, text[block.start : block.end]) for block in parsed.blocks]


@pytest.mark.parametrize(
    ("written", "target", "heading", "block", "display", "shown"),
    [
        ("[[Rook]]", "Rook", None, None, None, "Rook"),
        ("[[Rook|him]]", "Rook", None, None, "him", "him"),
        ("[[Rook|a|b]]", "Rook", None, None, "a|b", "a|b"),
        ("[[Cast/Rook.md]]", "Cast/Rook.md", None, None, None, "Rook"),
        ("[[Cast/Rook#Early life]]", "Cast/Rook", "Early life", None, None, "Rook"),
        ("[[Rook#A#B]]", "Rook", "A#B", None, None, "Rook"),
        ("[[Rook#^x-1]]", "Rook", None, "x-1", None, "Rook"),
        ("[[#Early life]]", "", "Early life", None, None, "Early life"),
        ("[[#^x]]", "", None, "x", None, ""),
        ("[[ Rook | him ]]", "Rook", None, None, "him", "him"),
        ("[[map.png]]", "map.png", None, None, None, "map.png"),
        ("[[C# notes]]", "C", "notes", None, None, "C"),
        ("[[Rook [old]|him]]", "Rook [old]", None, None, "him", "him"),
        ("[him](Cast/Rook.md)", "Cast/Rook.md", None, None, "him", "him"),
        ("[him](Lady%20Venn.md#Early%20life)", "Lady Venn.md", "Early life", None, "him", "him"),
        ("[him](<Lady Venn.md>)", "Lady Venn.md", None, None, "him", "him"),
        ('[him](Rook.md "a title")', "Rook.md", None, None, "him", "him"),
        ("[him](#^x)", "", None, "x", "him", "him"),
        ("[him](a(b).md)", "a(b).md", None, None, "him", "him"),
        ("[him](a%23b.md)", "a#b.md", None, None, "him", "him"),
    ],
)
def test_rule_07_link_grammar(
    written: str,
    target: str,
    heading: str | None,
    block: str | None,
    display: str | None,
    shown: str,
) -> None:
    text = f"Then {written}'s door."
    parsed = note(text)
    (link,) = parsed.links
    assert link.raw == written == text[link.start : link.end]
    assert (link.target, link.heading, link.block, link.display) == (
        target,
        heading,
        block,
        display,
    )
    assert text[link.text_start : link.text_end] == shown
    assert parsed.prose.replace("\x01", "").split() == f"Then {shown}'s door.".split()


@pytest.mark.parametrize(
    "text",
    [
        "[[]]",
        "[[ ]]",
        "[[##Early]]",
        "[x](#)",
        "[x](<>)",
        "[[^^block]]",
        "\\[\\[Rook]]",
        "\\[[Rook]]",
        "[[Ro\nok]]",
        "[text](https://example.org/a_b)",
        "[text](mailto:a@b.c)",
        "[text](obsidian://open?vault=x)",
        "[text](two words.md)",
        "[text] (Rook.md)",
        "![alt](https://example.org/x.png)",
        "https://example.org/[[x",
    ],
)
def test_rule_07_what_is_no_link_into_the_vault(text: str) -> None:
    assert note(text).links == ()


def test_rule_07_a_pipe_in_a_table_is_escaped() -> None:
    text = "| Who | Where |\n| --- | --- |\n| [[Rook\\|him]] | Keep |\n"
    (link,) = note(text).links
    assert (link.target, link.display) == ("Rook", "him")
    assert prose(text) == ("· Who · Where ·\n·············\n· °°°°°°°°him°° · Keep ·\n")


def test_rule_07_formatting_inside_a_link_is_a_mark() -> None:
    assert prose("Lady [[X|**Isolde** Venn]]'s") == "Lady °°°°°°Isolde°° Venn°°'s"
    assert prose("**[[Rook]]** and [*him*](R.md)") == "°°°°Rook°°°° and °°him°°°°°°°°"


def test_rule_10_headings() -> None:
    text = "# One *two*\ntext\n## The [[Rook|bird]] ##\n\nSet\ntext\n---\n#tag\n####### no\n"
    parsed = note(text)
    assert [(h.level, h.text, text[h.start : h.end]) for h in parsed.headings] == [
        (1, "One two", "# One *two*"),
        (2, "The bird", "## The [[Rook|bird]] ##"),
        (2, "Set text", "Set\ntext\n---"),
    ]


def test_rule_10_a_link_finds_its_heading() -> None:
    parsed = note("# Early: life!\n## Keep\n# Late\n## Keep\n### Door\n# End\n")
    keep = find_heading(parsed, "late#keep")
    assert keep is not None
    assert keep.start == 30
    assert section_span(parsed, keep).end == 47
    early = find_heading(parsed, "Early life")
    assert early is not None
    assert early.text == "Early: life!"
    assert find_heading(parsed, "Keep") == parsed.headings[1]
    assert find_heading(parsed, "Late#Door") == parsed.headings[4]
    assert find_heading(parsed, "Early life#Door") is None
    assert find_heading(parsed, "#") is None


def test_rule_11_block_ids() -> None:
    text = (
        "A paragraph\nof two lines ^p-1\n\n- one ^i1\n- two\n  more ^i2\n\n"
        "> quoted ^q\n\n| a |\n|---|\n| b ^t |\n\n^Table\n\nmid ^no line\nx^no\n"
    )
    parsed = note(text)
    assert [(b.id, text[b.start : b.end]) for b in parsed.block_ids] == [
        ("p-1", "A paragraph\nof two lines ^p-1"),
        ("i1", "- one ^i1"),
        ("i2", "- two\n  more ^i2"),
        ("Table", "| a |\n|---|\n| b ^t |"),
    ]
    found = find_block(parsed, "TABLE")
    assert found is not None
    assert found.id == "Table"
    assert find_block(parsed, "nowhere") is None
    assert "^" not in parsed.prose.replace("^t", "").replace("^no", "")


@pytest.mark.parametrize(
    ("written", "target", "display"),
    [
        ("![[map.png]]", "map.png", None),
        ("![[map.png|640x480]]", "map.png", None),
        ("![[map.png|100]]", "map.png", None),
        ("![[map.png|The map]]", "map.png", "The map"),
        ("![[rules.pdf#page=3]]", "rules.pdf", None),
        ("![alt](Maps/a%20b.png)", "Maps/a b.png", "alt"),
        ("![alt|100](map.png)", "map.png", "alt"),
    ],
)
def test_rule_12_embeds(written: str, target: str, display: str | None) -> None:
    parsed = note(f"See {written} here")
    (link,) = parsed.links
    assert (link.kind, link.target, link.display, link.heading) == ("embed", target, display, None)
    assert link.text_start == link.text_end
    assert parsed.prose == "See " + "\0" * len(written) + " here"


def test_rule_12_a_size_follows_other_words_too() -> None:
    text = "![[map.png|The coast|200]]\n\n| a |\n|--|\n| ![The coast\\|200x80](map.png) |\n"
    assert [link.display for link in note(text).links] == ["The coast", "The coast"]


def test_rule_12_an_embedded_section() -> None:
    (link,) = note("![[Rook#Early life]]").links
    assert (link.target, link.heading) == ("Rook", "Early life")


def test_rule_13_comments() -> None:
    text = (
        "A %%secret [[X]]%% b.\n\n%%\nlong [[Y]]\n\n# not\n%%\nC %% not closed\n\nD <!-- html -->\n"
    )
    parsed = note(text)
    assert prose(text) == (
        "A ················ b.\n\n··\n··········\n\n·····\n··\nC %% not closed\n\nD ·············\n"
    )
    assert [text[c.start : c.end] for c in parsed.comments] == [
        "%%secret [[X]]%%",
        "%%\nlong [[Y]]\n\n# not\n%%",
        "<!-- html -->",
    ]
    assert parsed.links == ()
    assert [block.kind for block in parsed.blocks] == [
        "paragraph",
        "comment",
        "paragraph",
        "paragraph",
    ]


def test_rule_13_text_behind_a_comment_is_a_paragraph() -> None:
    text = "%% one\ntwo %% Then Rook\ncame.\n"
    assert prose(text) == "······\n······ Then Rook\ncame.\n"
    assert kinds(text) == [("paragraph", "%% one\ntwo %% Then Rook\ncame.")]


def test_rule_13_an_unclosed_comment_is_reported() -> None:
    parsed = note("Rook\n\n%% to do\n\n[[X]]\n")
    assert [(d.code, d.line) for d in parsed.diagnostics] == [("unclosed-comment", 3)]
    assert parsed.links == ()


@pytest.mark.parametrize(
    "text",
    [
        "```\n[[X]] #tag k:: v\n```",
        "~~~~ts\n[[X]]\n```\n~~~\n#tag\n~~~~",
        "```\n[[X]]",
        "`[[X]] #tag`",
        "`` a ` [[X]] ``",
        "`a\n[[X]]`",
        "$$\n[[X]]\n$$",
        "a $$[[X]]$$ b",
        "a $[[X]]$ b",
        "<div>\n[[X]] #tag **b**\n</div>",
        "text\n\n    [[X]] #tag",
        "\t[[X]]",
        "- a\n\n  ```\n  [[X]] #tag\n  ```",
        "> ```\n> [[X]]\n> ```",
        "- ```\n  [[X]]\n  ```",
        "<!--\n[[X]]\n\n-->",
        "<%* [[X]]\n\n#tag %>",
    ],
)
def test_rule_14_no_links_or_tags_in_code_math_and_html(text: str) -> None:
    parsed = note(text)
    assert (parsed.links, parsed.tags, parsed.fields) == ((), (), ())


def test_rule_14_html_shows_its_text() -> None:
    assert prose("<div>\nRook &amp; Co\n</div>") == "·····\nRook ····· Co\n······"
    assert prose("The <i>Salt</i> Road") == "The ···Salt···· Road"


def test_rule_14_money_is_no_math() -> None:
    assert prose("It cost $5 and then $10.") == "It cost $5 and then $10."
    assert prose("Area $x^2$.") == "Area ·····."


def test_rule_14_code_ends_where_it_ends() -> None:
    text = "`a [[X]]\n\n[[Y]] b`\n\n> ```\n> [[no]]\n\n[[Z]]\n"
    assert [link.target for link in note(text).links] == ["X", "Y", "Z"]


def test_rule_15_callouts() -> None:
    text = (
        "> [!Note]- A [[Title]]\n> Lady\n> Isolde\n> > [!my-type|left] Inner\n> > deep\n>\n"
        "> end\n\n> plain\n"
    )
    parsed = note(text)
    assert [(c.type, c.title, c.fold, text[c.start : c.end]) for c in parsed.callouts] == [
        ("note", "A [[Title]]", "-", text[: text.index("\n\n")]),
        ("my-type", "Inner", "", "> > [!my-type|left] Inner\n> > deep"),
    ]
    assert [block.kind for block in parsed.blocks] == ["callout", "quote"]
    assert [link.target for link in parsed.links] == ["Title"]
    assert prose("> Lady\n> Isolde\n") == "··Lady\n°°Isolde\n"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#draft and #cast/minor.", ["draft", "cast/minor"]),
        ("#1984 is none, #y1984 is", ["y1984"]),
        ("#Ärger #日本 #🦉owl #a_b-c", ["Ärger", "日本", "🦉owl", "a_b-c"]),
        ("a#b ##c # d \\#e &#39; (#f)", ["f"]),
        ("#a, #b! #c's", ["a", "b", "c"]),
        ("Press #️⃣ or #⃣, then #x.", ["x"]),
        ("[[X#y]] https://a.b/#c `#d` #e/", ["e"]),
    ],
)
def test_rule_16_tags(text: str, tags: list[str]) -> None:
    parsed = note(text)
    assert [tag.name for tag in parsed.tags] == tags
    for tag in parsed.tags:
        assert text[tag.start : tag.end] == f"#{tag.name}"
        assert parsed.prose[tag.start : tag.end].strip("\0") == ""


PARAGRAPHS = (
    "{0}Ann went down to the quay, and looked for the boat.\n{1}"
    "{0}“Nobody has seen it since Monday,” said the old harbour master.\n"
)


@pytest.mark.parametrize("indent", ["\t", "    ", "  \t"])
@pytest.mark.parametrize("between", ["", "\n"])
def test_rule_14_paragraphs_that_their_indentation_makes_code_are_told(
    indent: str, between: str
) -> None:
    parsed = note(f"# One\n\n{PARAGRAPHS.format(indent, between)}")
    assert [(d.code, d.line) for d in parsed.diagnostics] == [("indented-prose", 3)]
    assert parsed.diagnostics[0].message == (
        "2 lines, from line 3 on, are indented by a tab or four spaces: in Markdown that is code, "
        "in which no names are found. Remove the indentation."
    )


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPHS.format("", "\n"),
        PARAGRAPHS.format("   ", "\n"),
        f"```\n{PARAGRAPHS.format('    ', '')}```\n",
        f"- Item\n\n{PARAGRAPHS.format('    ', '')}",
        "    for name in (one, two): print(name, end='');\n    if not name: return None;\n",
        "\tThe first line of a poem is indented,\n\tand the second line as well as the first\n",
    ],
)
def test_rule_14_prose_and_code_are_not_taken_for_indented_prose(text: str) -> None:
    assert note(text).diagnostics == ()


def test_rule_17_a_footnote_may_have_several_paragraphs() -> None:
    text = (
        "Rook.[^1]\n\n[^1]: Of Vantry.\n\n    See [[Isolde]].\n\n\tAnd [[Perrin]].\n\n"
        "On.\n\n    code\n"
    )
    parsed = note(text)
    assert [link.target for link in parsed.links] == ["Isolde", "Perrin"]
    assert [block.kind for block in parsed.blocks] == [*["paragraph"] * 5, "code"]


def test_rule_17_footnotes_highlights_and_tasks() -> None:
    assert prose("Rook[^1] fell.^[He *did*.]\n\n[^1]: See [[Keep]].\n") == (
        "Rook···· fell.··He °did°.·\n\n····· See °°Keep°°.\n"
    )
    (link,) = parse_note("a.md", b"Rook fell.^[[[Keep]]]\n").links
    assert (link.target, link.raw) == ("Keep", "[[Keep]]")
    assert prose("==The Rook== and ~~Hale~~") == "°°The Rook°° and °°Hale°°"
    assert prose("- [x] done\n- [?] what\n1. [ ] n\n") == "······done\n······what\n·······n\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("snake_case_name", "snake_case_name"),
        ("_It_ was", "°It° was"),
        ("5 * 3 * 2", "5 * 3 * 2"),
        ("**bold** *it* ***both***", "°°bold°° °it° °°°both°°°"),
        ("**one *two* three**", "°°one °two° three°°"),
        ("**Is**olde", "°°Is°°olde"),
        ("a * b* c", "a * b* c"),
        ("2 == 2", "2 == 2"),
        (r"\*not\* it", "°*not°* it"),
    ],
)
def test_rule_17_emphasis_is_marked_only_where_it_is_markup(text: str, expected: str) -> None:
    assert prose(text) == expected


def test_rule_18_dataview_fields() -> None:
    text = (
        "**Home Town**:: [[Ash]] keep\nMid (age:: 34) and [Ally:: [[Rook]]] end.\n\n"
        "- no:: field\n- [yes:: one]\n\n> Mood:: dark\n\nMood:: light\n"
    )
    parsed = note(text)
    assert [(f.key, f.value) for f in parsed.fields] == [
        ("home-town", "[[Ash]] keep"),
        ("age", "34"),
        ("ally", "[[Rook]]"),
        ("yes", "one"),
        ("mood", "dark"),
        ("mood", "light"),
    ]
    assert all(text[f.start : f.end] == f.value for f in parsed.fields)
    assert [(link.target, link.field) for link in parsed.links] == [
        ("Ash", "home-town"),
        ("Rook", "ally"),
    ]
    assert prose("Home:: the Keep") == "······ the Keep"
    assert prose("a (age:: 34) b") == "a ······ 34· b"


@pytest.mark.parametrize("language", ["dataview", "dataviewjs", "tasks", "base", "query"])
def test_rule_19_queries_are_not_prose(language: str) -> None:
    text = f"```{language}\nLIST FROM [[Rook]]\n```\n`= this.x`"
    assert note(text).prose.strip("\0\n") == ""
    assert note(text).links == ()


def test_rule_20_template_commands_are_not_prose() -> None:
    text = "{{title}} on <% tp.date.now() %>\n\n<%*\nlet a = '[[X]]'\n-%>\n\nRook <%_ x -%>"
    assert prose(text) == (
        "········· on ···················\n\n···\n···············\n···\n\nRook ·········"
    )
    assert note(text).links == ()


def test_blocks_are_where_a_reader_sees_them() -> None:
    text = (
        "# Head\nOne\ntwo\n* a\n  * b\n\n  more\n* c\n\nPara\n***\n> q\nlazy\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n1. x\n2. y\n\n```\ncode\n```\nEnd\n"
    )
    assert kinds(text) == [
        ("heading", "# Head"),
        ("paragraph", "One\ntwo"),
        ("list", "* a\n  * b\n\n  more\n* c"),
        ("paragraph", "Para"),
        ("rule", "***"),
        ("quote", "> q\nlazy"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("list", "1. x\n2. y"),
        ("code", "```\ncode\n```"),
        ("paragraph", "End"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_may_stand_right_below_a_paragraph(end: str) -> None:
    table = end.join(("| a | b |", "|---|---|", "| c | d |"))
    assert kinds(f"Words{end}above{end}{table}{end}") == [
        ("paragraph", f"Words{end}above"),
        ("table", table),
    ]
    assert kinds(f"- item{end}  words{end}  | a |{end}  |---|{end}")[0][0] == "list"


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("- item\n  Title\n  =====", "list", "··item\n  Title\n  ·····"),
        ("> Title\n> =====", "quote", "··Title\n·······"),
        ("- > - deep item", "list", "······deep item"),
        ("[^1]: | a | b |\n|---|---|", "table", "······· a · b ·\n·········"),
        ("- [^1]: See Rook.", "list", "······· See Rook."),
        ("-\titem\n\n    Rook.", "list", "··item\n\n    Rook."),
        ("1.\titem\n\n\tRook.", "list", "···item\n\n\tRook."),
        (
            "> %% of\n> it %% Rook.\n>\n> $$\n> x\n> $$",
            "quote",
            "·······\n······· Rook.\n·\n····\n···\n····",
        ),
    ],
)
def test_what_stands_in_a_list_or_quote_is_part_of_it(text: str, kind: str, expected: str) -> None:
    assert [block.kind for block in note(text).blocks] == [kind]
    assert note(text).headings == ()
    assert prose(text) == expected


def test_a_callout_in_a_list_ends_where_its_quote_does() -> None:
    text = "- > [!infobox] Rook\n- | Age | Home |\n  |---|---|\n  | Home | [[Keep]] |\n"
    text += "- item\n  > [!note] Of Rook\n  > quoted\n\n  more\n"
    parsed = note(text)
    assert [text[callout.start : callout.end] for callout in parsed.callouts] == [
        "- > [!infobox] Rook",
        "  > [!note] Of Rook\n  > quoted",
    ]
    assert parsed.fields == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[a]: <Lady Rook.md> "Of Rook"\nRook', "·····························\nRook"),
        ("[a]: Keep.md (Rook)", "···················"),
        ("[Rook]: is it late?", "[Rook]: is it late?"),
        ("[10:42]: Rook came.", "[10:42]: Rook came."),
    ],
)
def test_a_link_that_is_defined_on_its_own_line_is_no_prose(text: str, expected: str) -> None:
    assert prose(text) == expected


def test_an_address_ends_before_what_closes_the_sentence() -> None:
    assert prose("See (https://a.org/x). Or http://... no") == (
        "See (···············). Or http://... no"
    )


def test_raw_html_goes_on_to_its_end() -> None:
    text = "<pre>\na [[Rook]]\n\nb\n</pre>\nRook came."
    assert kinds(text) == [("html", text[:-11]), ("paragraph", "Rook came.")]
    assert note(text).links == ()
    opened = note("<script>\nx = 1\n\nRook")
    assert [(d.code, d.line) for d in opened.diagnostics] == [("unclosed-html", 1)]


def test_a_plain_text_is_parsed_like_a_note() -> None:
    parsed = plain_note("She met [[Rook|him]] at *Ash*.")
    assert (parsed.path, parsed.title) == ("", "")
    assert parsed.prose.replace("\x01", "") == "She met him at Ash."


def test_a_passage_between_rules_is_no_frontmatter() -> None:
    parsed = plain_note("---\nRook: gone.\n\n---\n")
    assert "Rook: gone." in parsed.prose
    assert (parsed.body_start, parsed.frontmatter) == (0, {})


def test_a_note_is_titled_like_its_file() -> None:
    parsed = parse_note("Cast/Lady Venn.md", b"# Another\n")
    assert parsed.title == parsed.name == "Lady Venn"
    assert parsed.content_hash == parse_note("Other.md", b"# Another\n").content_hash
    assert len(parsed.content_hash) == 32


def test_links_beyond_the_limit_are_counted_not_kept() -> None:
    parsed = parse_note("a.md", b"[[Rook]] " * 300, max_links=100)
    assert len(parsed.links) == 100
    assert [(d.code, d.message) for d in parsed.diagnostics] == [
        ("too-many-links", "The note has 300 links; the first 100 are read.")
    ]
    assert parsed.prose.replace("\x01", "").split() == ["Rook"] * 300
    fields = parse_note("a.md", b"ally:: Rook\n" * 300, max_links=100)
    assert len(fields.fields) == 100
