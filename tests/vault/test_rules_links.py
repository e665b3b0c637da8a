"""Rules 6, 8, 9, 21 and 41: where links lead, what a canvas says, in which order notes are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writeros_entities.values import LARGEST_POSITION, OrderClaim
from writeros_entities.vault.canvas import CanvasEdge, CanvasNode, parse_canvas
from writeros_entities.vault.links import Resolution, link_key, resolve_link
from writeros_entities.vault.notes import parse_note
from writeros_entities.vault.order.reading_order import assign_positions

PATHS = (
    "Rook.md",
    "Cast/Venn.md",
    "Cast/Old/Venn.md",
    "Book/One.md",
    "Book/Cast/Venn.md",
    "Book/Notes/Venn.md",
    "Archive/Keep.md",
    "Places/Keep.md",
    "Places/Inner/Keep.md",
    "Map.png",
    "Map.png.md",
    "v1.2.md",
    "Straße.md",
    "Duke/Rook.md",
)


def assigned(*arguments: Any, **named: Any) -> tuple[dict[str, int], list[Any]]:
    """Return the positions of an order, and what is told of it."""
    order = assign_positions(*arguments, **named)
    return dict(order.positions), list(order.diagnostics)


def resolve(target: str, source: str, paths: Sequence[str] = PATHS) -> Resolution:
    """Resolve among those of the paths that share the target's key, as the product does."""
    key = link_key(target)
    return resolve_link(target, source, [path for path in paths if link_key(path) == key])


@pytest.mark.parametrize(
    ("target", "source", "status", "path"),
    [
        # An exact path from the root, in any case, with or without the extension.
        ("Rook", "Book/One.md", "resolved", "Rook.md"),
        ("rook.MD", "Book/One.md", "resolved", "Rook.md"),
        ("Rook", "Duke/Rook.md", "resolved", "Rook.md"),
        ("cast/venn", "Book/One.md", "resolved", "Cast/Venn.md"),
        # An exact path from the note's folder.
        ("Notes/Venn", "Book/One.md", "resolved", "Book/Notes/Venn.md"),
        ("Venn", "Cast/Old/Venn.md", "resolved", "Cast/Old/Venn.md"),
        ("Venn", "Cast/Someone.md", "resolved", "Cast/Venn.md"),
        # Ends with the path; below the note's folder first, then the shortest.
        ("Venn", "Book/One.md", "ambiguous", "Book/Cast/Venn.md"),
        ("Old/Venn", "Book/One.md", "resolved", "Cast/Old/Venn.md"),
        ("Venn", "Rook.md", "ambiguous", "Cast/Venn.md"),
        ("Keep", "Book/One.md", "ambiguous", "Places/Keep.md"),
        ("Keep", "Places/Inner/x/y.md", "ambiguous", "Places/Keep.md"),
        ("Inner/Keep", "Book/One.md", "resolved", "Places/Inner/Keep.md"),
        ("ner/Keep", "Book/One.md", "unresolved", None),
        # From the root, exact only; relative, exact only.
        ("/Rook", "Book/One.md", "resolved", "Rook.md"),
        ("/Venn", "Book/One.md", "unresolved", None),
        ("./Cast/Venn", "Book/One.md", "resolved", "Book/Cast/Venn.md"),
        ("../Rook", "Book/One.md", "resolved", "Rook.md"),
        ("../../Rook", "Book/One.md", "unresolved", None),
        ("./Rook", "Book/One.md", "unresolved", None),
        # A file with that extension comes before a note with it in its name.
        ("Map.png", "Book/One.md", "resolved", "Map.png"),
        ("v1.2", "Book/One.md", "resolved", "v1.2.md"),
        ("STRAßE", "Book/One.md", "resolved", "Straße.md"),
        ("Strasse", "Book/One.md", "unresolved", None),
        ("", "Book/One.md", "resolved", "Book/One.md"),
        ("Nobody", "Book/One.md", "unresolved", None),
    ],
)
def test_rule_08_link_resolution(target: str, source: str, status: str, path: str | None) -> None:
    resolution = resolve(target, source)
    assert (resolution.status, resolution.target) == (status, path)


def test_rule_08_an_ambiguous_link_names_every_candidate_best_first() -> None:
    assert resolve("Venn", "Book/One.md") == Resolution(
        "ambiguous",
        "Book/Cast/Venn.md",
        ("Book/Cast/Venn.md", "Book/Notes/Venn.md", "Cast/Venn.md", "Cast/Old/Venn.md"),
    )


def test_rule_08_length_is_counted_in_characters_then_the_alphabet_decides() -> None:
    paths = ("zz/A.md", "日本/A.md", "abc/A.md")
    assert resolve_link("A", "x/y.md", paths).candidates == ("zz/A.md", "日本/A.md", "abc/A.md")


def test_rule_28_spelling_decides_between_names_that_differ_in_case() -> None:
    assert resolve_link("rook", "a.md", ("Rook.md", "rook.md")).target == "rook.md"
    assert resolve_link("ROOK", "a.md", ("Rook.md", "rook.md")).status == "ambiguous"


def test_rule_06_an_alias_is_not_a_link_target() -> None:
    note = parse_note("Iron Duke.md", b"---\naliases: [Duke]\n---\n")
    assert note.aliases == ("Duke",)
    assert resolve("Duke", "a.md", [note.path]).status == "unresolved"


def test_rule_09_every_written_format_is_read() -> None:
    for written in ("Inner/Keep", "Places/Inner/Keep", "../Places/Inner/Keep"):
        assert resolve(written, "Book/One.md").target == "Places/Inner/Keep.md"


def test_rule_27_link_keys_are_nfc_and_caseless() -> None:
    assert link_key("Cast/A\u030angstro\u0308m.MD") == link_key("\u00c5NGSTR\u00d6M")
    assert link_key("Cast/Rook.md") == "rook"
    assert link_key("Map.png") == "map.png"


CANVAS = b"""{"nodes": [
  {"id": "a", "type": "file", "file": "Cast/Rook.md", "x": 0, "y": 0, "width": 1, "height": 1},
  {"id": "b", "type": "file", "file": "Cast/Venn.md", "subpath": "#Early life"},
  {"id": "c", "type": "text", "text": "See [[Keep]]"},
  {"id": "d", "type": "group", "label": "Court"}, 7, {"id": "e"}],
 "edges": [
  {"id": "1", "fromNode": "a", "toNode": "b", "label": "brother of"},
  {"id": "2", "fromNode": "a", "toNode": "c", "fromEnd": "arrow", "toEnd": "none"},
  {"id": "3", "fromNode": "a", "toNode": "gone"}]}"""


def test_rule_21_a_canvas() -> None:
    canvas = parse_canvas("Map.canvas", CANVAS)
    assert canvas.nodes == (
        CanvasNode("a", "file", file="Cast/Rook.md"),
        CanvasNode("b", "file", file="Cast/Venn.md", subpath="#Early life"),
        CanvasNode("c", "text", text="See [[Keep]]"),
        CanvasNode("d", "group", label="Court"),
    )
    assert canvas.edges == (
        CanvasEdge("1", "a", "b", "brother of", start=325, end=391),
        CanvasEdge("2", "a", "c", from_arrow=True, to_arrow=False, start=395, end=475),
    )
    assert [(link.kind, link.raw, link.heading) for link in canvas.links] == [
        ("canvas", "Cast/Rook.md", None),
        ("canvas", "Cast/Venn.md#Early life", "Early life"),
    ]
    assert [diagnostic.code for diagnostic in canvas.diagnostics] == ["broken-canvas"]
    assert resolve(canvas.links[1].target, canvas.path).target == "Cast/Venn.md"


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff", b"[" * 100_000, b'{"nodes": 1}', b""])
def test_rule_21_a_broken_canvas_is_at_most_a_diagnostic(data: bytes) -> None:
    canvas = parse_canvas("Map.canvas", data)
    assert (canvas.nodes, canvas.edges) == ((), ())


def claims(**keys: tuple[int, ...]) -> dict[str, OrderClaim]:
    return {f"{name}.md": OrderClaim("frontmatter", key) for name, key in keys.items()}


@pytest.mark.parametrize(
    ("keys", "positions"),
    [
        ({"a": (0,), "b": (7,), "c": (3,)}, {"a.md": 0, "b.md": 7, "c.md": 3}),
        ({"a": (1, 1), "b": (2, 1), "c": (1, 2)}, {"a.md": 1, "b.md": 3, "c.md": 2}),
        ({"a": (-1,), "b": (1,)}, {"a.md": -1, "b.md": 1}),
        ({"a": (4,), "b": (5, 1), "c": (5, 2)}, {"a.md": 4, "b.md": 5, "c.md": 6}),
        ({}, {}),
    ],
)
def test_positions_come_from_keys(
    keys: dict[str, tuple[int, ...]], positions: dict[str, int]
) -> None:
    assert assigned(claims(**keys)) == (positions, [])


def test_a_later_chapter_moves_no_earlier_one() -> None:
    keys = {"a": (2,), "b": (4,), "c": (5, 1), "d": (5, 2), "e": (9,), "f": (9, 3)}
    seen: dict[str, int] = {}
    for count in range(1, len(keys) + 1):
        positions, _ = assigned(claims(**dict(list(keys.items())[:count])))
        assert seen.items() <= positions.items()
        seen = positions
    assert seen == {"a.md": 2, "b.md": 4, "c.md": 5, "d.md": 6, "e.md": 9, "f.md": 10}


def test_a_scene_of_two_chapters_of_one_name_comes_with_the_later_one() -> None:
    notes = {
        "a/Dawn.md": OrderClaim("frontmatter", (1,)),
        "b/Dawn.md": OrderClaim("frontmatter", (5,)),
        "Bells.md": OrderClaim("frontmatter", (1,), within="Dawn"),
    }
    assert assigned(notes)[0] == {"a/Dawn.md": 1, "b/Dawn.md": 5, "Bells.md": 6}


def test_a_scene_of_a_listed_chapter_has_its_position() -> None:
    notes = {
        "Index.md": OrderClaim("longform", sequence=("Dusk", "Dawn")),
        "Bells.md": OrderClaim("frontmatter", (1,), within="[[Dawn]]"),
    }
    positions, _ = assigned(notes, ["Index.md", "Dusk.md", "Dawn.md", "Bells.md"])
    assert positions == {"Dusk.md": 1, "Dawn.md": 2, "Bells.md": 2}


def test_two_notes_at_one_position_both_keep_it() -> None:
    positions, diagnostics = assigned(claims(a=(3,), b=(3,)))
    assert positions == {"a.md": 3, "b.md": 3}
    assert [(path, found.code) for path, found in diagnostics] == [("b.md", "same-position")]


def test_rule_41_a_longform_index_orders_its_scenes() -> None:
    paths = ["Novel/Index.md", "Novel/Scenes/Arrival.md", "Novel/Scenes/b/Storm.md", "Arrival.md"]
    index = OrderClaim("longform", sequence=("Arrival", "Missing", "Storm"), folder="Novel/Scenes")
    positions, diagnostics = assigned({"Novel/Index.md": index}, paths)
    assert positions == {"Novel/Scenes/Arrival.md": 1, "Novel/Scenes/b/Storm.md": 3}
    assert [(path, found.code) for path, found in diagnostics] == [
        ("Novel/Index.md", "missing-in-order")
    ]
    assert assigned({"Novel/Index.md": index})[0] == {
        "Novel/Scenes/Arrival.md": 1,
        "Novel/Scenes/Missing.md": 2,
        "Novel/Scenes/Storm.md": 3,
    }


def test_a_note_claimed_twice_follows_the_first_source() -> None:
    both = {
        "Index.md": OrderClaim("longform", sequence=("a", "b")),
        "a.md": OrderClaim("frontmatter", (9,)),
        "b.md": OrderClaim("numbered", (5,)),
    }
    order = ("frontmatter", "longform", "numbered")
    positions, diagnostics = assigned(both, list(both), precedence=order)
    assert positions == {"a.md": 9, "b.md": 2}
    assert [(path, found.code) for path, found in diagnostics] == [
        ("a.md", "claimed-twice"),
        ("b.md", "claimed-twice"),
    ]


def test_a_note_whose_two_places_agree_is_not_reported() -> None:
    both = {
        "Index.md": OrderClaim("longform", sequence=("a", "b", "c", "d")),
        **claims(a=(1,), b=(2,), c=(40,), d=(30,)),
    }
    positions, diagnostics = assigned(both, list(both), precedence=("longform",))
    assert positions == {"a.md": 1, "b.md": 2, "c.md": 3, "d.md": 4}
    assert [(path, found.code) for path, found in diagnostics] == [
        ("c.md", "claimed-twice"),
        ("d.md", "claimed-twice"),
    ]


def test_a_place_out_of_range_is_none() -> None:
    positions, diagnostics = assigned(claims(a=(2**40,), b=(1,)))
    assert positions == {"b.md": 1}
    assert [(path, found.code) for path, found in diagnostics] == [
        ("a.md", "position-out-of-range")
    ]


def test_a_series_that_counts_on_beyond_all_places_ends_there() -> None:
    positions, diagnostics = assigned(series(a=((LARGEST_POSITION,),), b=((1,),)))
    assert positions == {"a1.md": LARGEST_POSITION}
    assert [(path, found.code) for path, found in diagnostics] == [
        ("b1.md", "position-out-of-range")
    ]


def test_a_note_in_two_indexes_stands_where_the_first_has_it() -> None:
    listed = {
        "Index A.md": OrderClaim("longform", sequence=("a", "b")),
        "Index B.md": OrderClaim("longform", sequence=("b", "c")),
    }
    positions, diagnostics = assigned(listed, ["a.md", "b.md", "c.md"])
    assert positions == {"a.md": 1, "b.md": 2, "c.md": 2}
    assert [(path, found.message) for path, found in diagnostics if path == "b.md"] == [
        ("b.md", "It stands in the order of 'Index A.md' and of 'Index B.md'.")
    ]


def series(**chapters: tuple[tuple[int, ...], ...]) -> dict[str, OrderClaim]:
    """Return the claims of books, by letter: a is book 1; `a1.md` is its first chapter."""
    return {
        f"{letter}{number}.md": OrderClaim("frontmatter", key, book=(ord(letter) - ord("`"),))
        for letter, keys in chapters.items()
        for number, key in enumerate(keys, 1)
    }


@pytest.mark.parametrize(
    ("books", "expected"),
    [
        ({"a": [1, 2, 5], "b": [1, 3]}, {"a1": 1, "a2": 2, "a3": 5, "b1": 6, "b2": 8}),
        ({"a": [1, 2], "b": [3, 4]}, {"a1": 1, "a2": 2, "b1": 3, "b2": 4}),
        ({"a": [1, 2], "b": [0, 1]}, {"a1": 1, "a2": 2, "b1": 3, "b2": 4}),
        ({"a": [1, 2], "b": [3, 4], "c": [1]}, {"a1": 1, "a2": 2, "b1": 3, "b2": 4, "c1": 5}),
        ({"a": [3], "b": [1, 2]}, {"a1": 3, "b1": 4, "b2": 5}),
    ],
)
def test_a_book_that_begins_anew_is_counted_on(
    books: dict[str, list[int]], expected: dict[str, int]
) -> None:
    found = series(**{letter: tuple((one,) for one in keys) for letter, keys in books.items()})
    positions, diagnostics = assigned(found)
    assert positions == {f"{name}.md": position for name, position in expected.items()}
    assert diagnostics == []


def test_chapters_and_scenes_of_a_book_that_begins_anew_are_counted_on() -> None:
    found = series(a=((1, 1), (1, 2), (2, 1)), b=((1, 1), (2, 1)))
    assert assigned(found) == (
        {"a1.md": 1, "a2.md": 2, "a3.md": 3, "b1.md": 4, "b2.md": 5},
        [],
    )


def test_the_scenes_of_each_books_index_are_counted_on() -> None:
    indices = {
        f"Book {number}/Index.md": OrderClaim(
            "longform", sequence=("Fog", "Storm"), folder=f"Book {number}", book=(number,)
        )
        for number in (1, 2)
    }
    assert assigned(indices)[0] == {
        "Book 1/Fog.md": 1,
        "Book 1/Storm.md": 2,
        "Book 2/Fog.md": 3,
        "Book 2/Storm.md": 4,
    }


def test_two_folders_that_both_count_from_one_follow_each_other_and_are_told_once() -> None:
    found = {
        f"{folder}/{number}.md": OrderClaim("numbered", (number,))
        for folder in ("Fog", "Storm")
        for number in (1, 2, 3)
    }
    positions, diagnostics = assigned(found)
    assert [positions[f"Storm/{number}.md"] for number in (1, 2, 3)] == [4, 5, 6]
    ((path, told),) = diagnostics
    assert (path, told.code) == ("Storm/1.md", "counted-alike")
    assert told.message.startswith("The notes of 'Storm' are counted like those of 'Fog'")


KEYS = st.one_of(st.tuples(st.integers(-1, 9)), st.tuples(st.integers(0, 3), st.integers(0, 3)))
CHAPTERS = st.lists(
    st.tuples(st.lists(st.integers(1, 3), max_size=2), KEYS), min_size=1, max_size=12, unique_by=str
)


@given(chapters=CHAPTERS, data=st.data())
def test_no_chapter_of_a_series_moves_one_before_it(
    chapters: list[tuple[list[int], tuple[int, ...]]], data: st.DataObject
) -> None:
    found = {
        f"{at}.md": OrderClaim("frontmatter", key, book=tuple(book))
        for at, (book, key) in enumerate(chapters)
    }
    written = data.draw(st.sampled_from(sorted(found)))
    positions, _ = assigned(found)
    before, _ = assigned({path: found[path] for path in found if path != written})
    earlier = {path: at for path, at in positions.items() if at < positions[written]}
    assert earlier.items() <= before.items()
