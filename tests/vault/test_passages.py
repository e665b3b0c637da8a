"""Passages as a reader sees them."""

import pytest

from writeros_entities.vault.sentences.passages import (
    read_passage,
    with_blank_links,
    with_plain_links,
)


def shown(marked: str) -> str:
    """Return the passage around ⟦the span⟧, marked again."""
    start = marked.index("⟦")
    end = marked.index("⟧") - 1
    passage = read_passage(marked.replace("⟦", "").replace("⟧", ""), start, end)
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
        ("⟦Toby⟧ ran. %% He knew. %% Then", "⟦Toby⟧ ran. Then"),
        ("The Ledger.[^1] ⟦Toby⟧ ran. ^last", "The Ledger. ⟦Toby⟧ ran."),
        ("Run `redis-cli` on ⟦Redis⟧ at $t$ #todo", "Run redis-cli on ⟦Redis⟧ at $t$ #todo"),
        ("⟦Toby⟧ ran<br>home ![[map.svg]].", "⟦Toby⟧ ran home ."),
        ("knots^[So did ⟦Old Tobias⟧.]", "knots[So did ⟦Old Tobias⟧.]"),
        ("## The ⟦Keeper⟧\nThen he came.", "The ⟦Keeper⟧"),
        ("## The keeper\n⟦Toby⟧ came.", "⟦Toby⟧ came."),
        ("One.\n\n⟦Toby⟧ came\nand went.\n\nTwo.", "⟦Toby⟧ came and went."),
        ("- one\n- [x] cut ⟦Ezra Pike⟧\n  from it\n- two", "cut ⟦Ezra Pike⟧ from it"),
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
    blank = with_blank_links(written)
    assert (len(blank), blank.split()) == (len(written), read.split())
