import pytest
from writeros_plugins.reading_orders import register_reading_orders
from writeros_plugins.reading_orders.longform import LongformOrder
from writeros_plugins.reading_orders.names import LAST, NumberedOrder
from writeros_plugins.reading_orders.properties import (
    FrontmatterOrder,
    StorylineOrder,
    parse_number,
)

from writeros_entities import OrderClaim, Settings


def key(reader, frontmatter):
    claim = reader.claim("Note.md", frontmatter)
    return None if claim is None else claim.key


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (7, (7,)),
        (0, (0,)),
        (-1, (-1,)),
        ("7", (7,)),
        (" 07 ", (7,)),
        (7.0, (7,)),
        (7.5, (7, 5)),
        ("VII", (7,)),
        ("xiv", (14,)),
        ("seven", (7,)),
        ("Twenty-One", (21,)),
        ("Chapter 7", (7,)),
        ("Ch. IV", (4,)),
        ("Part Two", (2,)),
        (True, None),
        (None, None),
        ("", None),
        ("Knights", None),
        ("2024-01-01", None),
        ("IIII", None),
        ([1], None),
        (float("nan"), None),
        (999_999_999, (999_999_999,)),
        (20261124_103000, None),
        ("20261124103000", None),
    ],
)
def test_a_number_is_read_as_writers_write_it(written, number) -> None:
    assert parse_number(written) == number


@pytest.mark.parametrize(
    ("frontmatter", "expected"),
    [
        ({"sequence": 0}, (0,)),
        ({"Chapter": "Chapter 7"}, (7,)),
        ({"chapter": [7]}, (7,)),
        ({"chapter": 7, "scene": 2}, (7, 2)),
        ({"part": 2, "chapter": 1}, (2, 1)),
        ({"chapter": "[[Chapter 7]]", "scene": 2}, (7, 2)),
        ({"Chapter": ["[[Book/07 - The Ford#End|the ford]]"], "scene": 2}, (7, 2)),
        ({"chapter": "Chapter 7: The Ford", "scene": 2}, (7, 2)),
        ({"chapter": "[[The Ford]]", "scene": 2}, (2,)),
        ({"chapter": "[[Chapter 7]]"}, None),
        ({"book": "I", "act": 2, "chapter": 1, "scene": 3}, (1, 2, 1, 3)),
        ({"order": "3"}, (3,)),
        ({"scene": 4}, (4,)),
        ({"chapter": 2, "sequence": 9}, (9,)),
        ({"act": 1, "chapter": 2, "sequence": 9}, (1, 2, 9)),
        ({"part": 2}, None),
        ({"chapter": "The Long Night"}, None),
        ({}, None),
    ],
)
def test_properties_place_a_note(frontmatter, expected) -> None:
    assert key(FrontmatterOrder(), frontmatter) == expected


@pytest.mark.parametrize(
    ("reader", "path", "frontmatter", "chapter"),
    [
        (FrontmatterOrder(), "Fog.md", {"part": 2, "chapter": 7, "scene": 3}, (2, 7)),
        (FrontmatterOrder(), "Fog.md", {"chapter": 7}, ()),
        (FrontmatterOrder(), "Fog.md", {"act": 1, "chapter": 7, "sequence": 3}, (1, 7)),
        (FrontmatterOrder(), "Fog.md", {"sequence": 3}, ()),
        (StorylineOrder(), "Fog.md", {"act": 1, "chapter": 7, "sequence": 3}, (1, 7)),
        (StorylineOrder(), "Fog.md", {"act": 1, "chapter": 7}, ()),
        (NumberedOrder(), "Part 2/Chapter 7/01 - Fog.md", {}, (2, 7)),
        (NumberedOrder(), "Part 2/07 - Fog.md", {}, ()),
        (NumberedOrder(), "Chapter 7/Fog.md", {}, ()),
    ],
)
def test_a_scene_tells_the_place_of_its_chapter(reader, path, frontmatter, chapter) -> None:
    assert reader.claim(path, frontmatter).chapter == chapter


@pytest.mark.parametrize(
    ("frontmatter", "chapter"),
    [
        ({"chapter": "[[Book/The Ford|it]]", "scene": 2}, "[[Book/The Ford|it]]"),
        ({"Chapter": ["The Ford"], "scene": 2}, "The Ford"),
        ({"chapter": "The Ford"}, None),
        ({"chapter": 7, "scene": 2}, ""),
        ({"chapter": ["The Ford", "The Well"], "scene": 2}, ""),
        ({"chapter": "", "scene": 2}, ""),
        ({"scene": 2}, ""),
    ],
)
def test_a_scene_stands_within_the_chapter_that_it_names(frontmatter, chapter) -> None:
    claim = FrontmatterOrder().claim("Note.md", frontmatter)
    assert (claim and claim.within) == chapter


@pytest.mark.parametrize(
    ("frontmatter", "expected"),
    [
        ({"act": "1", "chapter": 2, "sequence": 3}, (1, 2, 3)),
        ({"sequence": 0}, (0,)),
        ({"act": 1, "chapter": 2}, (1, 2)),
        ({"act": 1}, None),
        ({"chapter": 2}, None),
        ({"chronologicalOrder": 4}, None),
    ],
)
def test_a_storyline_scene_is_placed_by_its_own_keys(frontmatter, expected) -> None:
    assert key(StorylineOrder(), frontmatter) == expected


def test_a_longform_index_orders_its_scenes() -> None:
    index = {
        "format": "scenes",
        "title": "Marrow",
        "sceneFolder": "/Scenes",
        "scenes": ["Arrival", ["The Duel", ["Aftermath"]], "Home"],
    }
    assert LongformOrder().claim("Novel/Index.md", {"longform": index}) == OrderClaim(
        "longform",
        sequence=("Arrival", "The Duel", "Aftermath", "Home"),
        folder="Novel/Scenes",
        work="Marrow",
    )


@pytest.mark.parametrize(
    ("path", "folder", "below"),
    [
        ("Index.md", "/", ""),
        ("Novel/Index.md", "/", "Novel"),
        ("Novel/Index.md", "./Scenes/", "Novel/Scenes"),
        ("Novel/Draft/Index.md", "../Scenes", "Novel/Scenes"),
        ("Index.md", "../../etc", ""),
        ("Index.md", None, ""),
    ],
)
def test_the_scene_folder_is_relative_to_the_index(path, folder, below) -> None:
    claim = LongformOrder().claim(path, {"longform": {"scenes": ["A"], "sceneFolder": folder}})
    assert claim is not None and claim.folder == below


def test_a_draft_says_its_number_and_the_last_draft_in_one_note_counts() -> None:
    draft = LongformOrder().claim("I.md", {"longform": {"scenes": ["A"], "draftNumber": 2}})
    assert draft == OrderClaim("longform, draft 2", sequence=("A",), folder="")
    old = {"longform": {"drafts": [{"scenes": ["A"]}, {"scenes": ["B"], "folder": "Second"}]}}
    assert LongformOrder().claim("I.md", old) == OrderClaim(
        "longform", sequence=("B",), folder="Second"
    )


@pytest.mark.parametrize("longform", [None, "yes", [], {}, {"format": "single"}, {"scenes": 0.5j}])
def test_what_is_no_index_orders_nothing(longform) -> None:
    assert LongformOrder().claim("I.md", {"longform": longform}) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("01 - Arrival.md", (1,)),
        ("Chapter 3.md", (3,)),
        ("Chapter Three.md", (3,)),
        ("Chapter Twenty-One - Home.md", (21,)),
        ("chapter_03_home.md", (3,)),
        ("Ch. IV.md", (4,)),
        ("ch12.md", (12,)),
        ("Scene 2.md", (2,)),
        ("Chapter 3 - Scene 2.md", (3, 2)),
        ("Part 1, Chapter 2.md", (1, 2)),
        ("Chapter 3 (Part 2).md", (3, 2)),
        ("Chapter 10.5 - Interlude.md", (10, 5)),
        ("Chapter 3.2019.md", (3,)),
        ("Part 2/Chapter 1.md", (2, 1)),
        ("Book One/Part II/Chapter 3.md", (1, 2, 3)),
        ("Part 2 - Winter/01 Arrival.md", (2, 1)),
        ("Manuscript/01 - Act One/02 - Arrival.md", (1, 2)),
        ("Manuscript/7 Kingdoms.md", (7,)),
        ("Manuscript/1.2 Arrival.md", (1, 2)),
        ("Manuscript/Prologue.md", (0,)),
        ("Manuscript/00 - Prologue.md", (0,)),
        ("Manuscript/Epilogue.md", (LAST, 0)),
        ("Part 1/Prologue.md", (1, 0)),
        ("Chapters/3.md", (3,)),
        ("Novel/Chapter 4/The Duel.md", (4,)),
        ("Research/Draft 2/03 - Home.md", (3,)),
        ("Kapitel 1 - Die Ankunft.md", (1,)),
        ("Teil 2/Kapitel 3.md", (2, 3)),
        ("Chapitre IV.md", (4,)),
        ("Partie 1/Scène 2.md", (1, 2)),
        ("Capítulo 12.md", (12,)),
        ("Capitolo 5 - La nave.md", (5,)),
        ("Hoofdstuk 7.md", (7,)),
        ("Manuskript/Prolog.md", (0,)),
        ("Manuscrit/Épilogue.md", (LAST, 0)),
        ("Manuscrito/Prólogo.md", (0,)),
        ("Season 2/Episode 3 - Home.md", (2, 3)),
        ("Fog (Book 2)/Chapter 3.md", (2, 3)),
        ("Fog - Book Two/03 - Home.md", (2, 3)),
        ("Nebel, Band 2/Kapitel 3.md", (2, 3)),
        ("Kapitelle.md", None),
        ("Partien 3.md", None),
        ("2024-01-01.md", None),
        ("Manuscript/2024-01-01.md", None),
        ("1984.md", None),
        ("Manuscript/1984.md", None),
        ("Manuscript/02 - People.md", (2,)),
        ("Manuscript/Cast list.md", None),
        ("Part 2/Cast list.md", None),
        ("Partridge.md", None),
        ("Chapter and Verse.md", None),
        ("Chance.md", None),
        ("Scenery.md", None),
    ],
)
def test_names_of_files_and_folders_place_a_note(path, expected) -> None:
    claim = NumberedOrder().claim(path, {})
    assert (claim and claim.key) == expected


@pytest.mark.parametrize(
    ("path", "frontmatter", "expected"),
    [
        ("Book 2/Dawn.md", {"chapter": 1}, OrderClaim("frontmatter", (1,), book=(2,))),
        ("Book 2/Part 1/Dawn.md", {"order": 3}, OrderClaim("frontmatter", (3,), book=(2, 1))),
        ("Manuscript/02 - Fog/Dawn.md", {"chapter": 1}, OrderClaim("frontmatter", (1,), book=(2,))),
        ("Manuscript/Dawn.md", {"chapter": 1}, OrderClaim("frontmatter", (1,))),
        ("Draft 2/Dawn.md", {"chapter": 1}, OrderClaim("frontmatter", (1,))),
    ],
)
def test_a_number_in_the_properties_counts_in_its_folder(path, frontmatter, expected) -> None:
    assert FrontmatterOrder().claim(path, frontmatter) == expected


def test_an_index_orders_the_scenes_of_its_own_book() -> None:
    claim = LongformOrder().claim("Book 2/Index.md", {"longform": {"scenes": ["A"]}})
    assert claim == OrderClaim("longform", sequence=("A",), folder="Book 2", book=(2,))


def test_the_default_settings_know_every_reader() -> None:
    names = tuple(reader.name for reader in register_reading_orders())
    assert names == Settings().reading_orders[: len(names)]
