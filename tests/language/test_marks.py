"""Passages as a reader sees them, from what is stored of their note."""

import pytest

from writeros_entities.language.marking import mark_note
from writeros_entities.language.marks import Part
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.plain_links import with_plain_links


def marked(text: str) -> Part:
    """Return a text with its marks, some lines down in a file."""
    start = len(above := "Above.\n\n")
    return Part(text, start, mark_note(plain_note(above + text)))


def shown(written: str) -> str:
    """Return the passage around ⟦the span⟧, with its brackets."""
    part = marked(written.replace("⟦", "").replace("⟧", ""))
    start, end = written.index("⟦"), written.index("⟧") - 1
    passage = part.around(part.start + start, part.start + end)
    return f"{passage.before}⟦{passage.span}⟧{passage.after}"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[[Isolde Marrow|⟦Isolde⟧]] laid a sheet.", "⟦Isolde⟧ laid a sheet."),
        ("See [[⟦Ilse Vane⟧]], of the *Cormorant*.", "See ⟦Ilse Vane⟧, of the Cormorant."),
        ("That's [⟦Captain Vane⟧](../Ilse%20Vane.md)'s ship.", "That's ⟦Captain Vane⟧'s ship."),
        ("==⟦Hope⟧== was **not**, ~~she~~ said.", "⟦Hope⟧ was not, she said."),
        ("The ⟦**Tide** Ledger⟧ lay.", "The ⟦Tide Ledger⟧ lay."),
        ("⟦Toby⟧ ran %% He knew. %% home.", "⟦Toby⟧ ran home."),
        ("The Ledger.[^1] ⟦Toby⟧ ran. ^last", "⟦Toby⟧ ran."),
        ("She lay. The *Ledger* of ⟦Toby⟧ [[Vane|did not]]! No.", "The Ledger of ⟦Toby⟧ did not!"),
        ("**One.** [[Ilse Vane|Ilse]] and [[Toby Vane|⟦Toby⟧]] ran.", "Ilse and ⟦Toby⟧ ran."),
        ("Run `redis-cli` on ⟦Redis⟧ at $t$ #todo", "Run redis-cli on ⟦Redis⟧ at $t$ #todo"),
        ("⟦Toby⟧ ran<br>home ![[map.svg]].", "⟦Toby⟧ ran home ."),
        ("knots^[So did ⟦Old Tobias⟧.]", "knots[So did ⟦Old Tobias⟧.]"),
        ("## The ⟦Keeper⟧\nThen he came.", "The ⟦Keeper⟧"),
        ("## The keeper\n⟦Toby⟧ came.", "⟦Toby⟧ came."),
        ("One.\n\n⟦Toby⟧ came\nand went.\n\nTwo.", "⟦Toby⟧ came and went."),
        ("- one\n- [x] cut ⟦Ezra Pike⟧\n  from it\n- two", "cut ⟦Ezra Pike⟧ from it"),
        ("- one:\n\t* cut ⟦Ezra Pike⟧\n", "cut ⟦Ezra Pike⟧"),
        (" - one\n    1. [ ] cut ⟦Ezra Pike⟧\n", "cut ⟦Ezra Pike⟧"),
        ("> [!note]- Of ⟦Ferris⟧\n> He signed.", "Of ⟦Ferris⟧"),
        ("> [!note] Of him\n> ⟦Ferris⟧ signed.\n>\n> No.", "⟦Ferris⟧ signed."),
        ("> One.\n>\n> ⟦Toby⟧ came.\n>\n> No.", "⟦Toby⟧ came."),
        ("- one\n\n  ⟦Toby⟧ came\n-\n  two", "⟦Toby⟧ came"),
        ("| a | b |\n| --- | --- |\n| 1 | [[X\\|⟦Toby⟧]] |\n| 2 | y |", "1 · ⟦Toby⟧"),
        ("---\n\n⟦Toby⟧ came.\n\n---", "⟦Toby⟧ came."),
        ("⟦林月⟧製圖", "⟦林月⟧製圖"),
    ],
)
def test_a_passage_is_shown_without_what_it_is_written_in(
    written: str, read: str, line_end: str
) -> None:
    assert shown(written.replace("\n", line_end)) == read


def test_a_span_that_is_no_prose_is_shown_as_it_stands() -> None:
    assert shown("%% ⟦Toby⟧ knows %%").count("⟦Toby⟧") == 1


def test_links_are_replaced_by_the_words_that_they_show() -> None:
    text = "- [[A/B.md|the *book*]], [[Vantry]], [x](y.md) and ![[map.svg]] [e](https://e.org)"
    assert with_plain_links(text) == "- the *book*, Vantry, x and  [e](https://e.org)"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("`[[a]]` [[b]]", "`[[a]]` b"),
        ("%% [[a]] %% [[b]]", "%% [[a]] %% b"),
        ("    [[a]]\n\n[[b]]", "    [[a]]\n\nb"),
        ("\\[[a]] [[b]]", "\\[[a]] b"),
        ("[[a|b]] x\n--- | ---", "[[a|b]] x\n--- | ---"),
        ("[[##a]] [[b]]", "[[##a]] b"),
    ],
)
def test_brackets_that_are_no_link_stay_as_they_stand(written: str, read: str) -> None:
    assert with_plain_links(written) == read
    part = marked(written)
    assert part.with_plain_links(written, part.start) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[![the map](map.png)](Vantry.md) by [[Rook]]", " by Rook"),
        ("[of ![[map.svg]] him](Rook.md) so", "of  him so"),
        ("![see [[Rook|him]]](map.png) so", " so"),
    ],
)
def test_an_image_in_a_link_and_a_link_in_an_image_are_left_out(written: str, read: str) -> None:
    assert with_plain_links(written) == read
    part = marked(written)
    assert part.with_plain_links(written, part.start) == read
    blank = marked(written).with_blank_links(written)
    assert (len(blank), blank.split()) == (len(written), read.split())
