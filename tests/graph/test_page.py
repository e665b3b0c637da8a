"""The page of a graph, in a real browser: drawn, searched, filtered, scrubbed, and offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.graph.drawing import Drawing, DrawnEdge, DrawnNode
from writeros_entities.graph.page import LIBRARY_SHA256, as_page
from writeros_entities.values import ALWAYS

from .browser import Page, find_browser, open_page
from .labels import HOSTILE

SIZE = 200
BROWSER = find_browser()
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no Chromium is installed (Debian: apt install chromium)"
)


def make_drawing(size: int = SIZE) -> Drawing:
    """Return entities in a ring, a tenth of them new in each of ten chapters, with relations."""
    nodes = [
        DrawnNode(
            id=f"e{at}",
            name=HOSTILE[size - at] if size - at < len(HOSTILE) else f"Person {at}",
            type="place" if at % 10 == 0 else "person",
            mentions=at,
            importance=at / size,
            x=float(at % 40),
            y=float(at // 40),
            since=None if at == 7 else ALWAYS if at == 0 else 1 + 10 * at // size,
            names=((1, f"Stranger {at}"), (10, f"Person {at}")) if at == 10 else (),
        )
        for at in range(size)
    ]
    edges = [
        DrawnEdge(
            source=f"e{at}",
            target=f"e{(at + step) % size}",
            kind="co_occurs_with" if step == 1 else "ally_of",
            origin="co-occurrence" if step == 1 else "asserted",
            strength=step / 4,
            count=1,
            first=1,
            last=1,
            since=1,
            over=((3, 6),) if at == 5 and step == 3 else (),
        )
        for at in range(size)
        for step in (1, 2, 3)
    ]
    chapters = [(number, f"Chapter {number}") for number in range(1, 11)]
    return Drawing("The <cast>", nodes, edges, chapters)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("page")
    file = folder / "graph.html"
    file.write_text(as_page(make_drawing()), "utf-8")
    assert BROWSER is not None
    with open_page(BROWSER, folder / "profile") as opened:
        opened.open(file)
        assert opened.run("Boolean(window.entityGraph)")
        yield opened


@pytest.fixture(autouse=True)
def _as_at_first(request: pytest.FixtureRequest) -> Iterator[None]:
    """Put every control of the page back after a test."""
    yield
    if "page" in request.fixturenames:
        opened: Page = request.getfixturevalue("page")
        opened.run(
            "document.querySelectorAll('input[type=checkbox]').forEach((box) => {"
            " if (!box.checked) box.click(); });"
        )
        for control, value in (("search", ""), ("strength", "0"), ("position", "10")):
            put(opened, control, value)


def put(page: Page, control: str, value: str) -> None:
    """Move a slider, or type into the search."""
    page.run(
        f"(() => {{ const c = document.getElementById({control!r}); c.value = {value!r};"
        " c.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def status(page: Page) -> str:
    text: str = page.run("document.getElementById('status').textContent")
    return text


@needs_browser
def test_a_thousand_entities_are_drawn(page: Page, tmp_path: Path) -> None:
    small = page.run("location.href")
    file = tmp_path / "large.html"
    file.write_text(as_page(make_drawing(1_000)), "utf-8")
    page.open(file)
    assert status(page) == "1,000 of 1,000 entities, 3,000 of 3,000 relations"
    assert page.picture().startswith(b"\x89PNG")
    inked = page.run(
        "[...document.querySelectorAll('#graph canvas')].map((canvas) => {"
        " const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        " return pixels.data.filter((value, at) => at % 4 === 3 && value > 0).length;"
        "}).reduce((sum, more) => sum + more, 0)"
    )
    assert inked > 20_000
    page.open_address(small)


@needs_browser
def test_a_search_finds_names_and_marks_them(page: Page) -> None:
    put(page, "search", "person 12")
    assert status(page).startswith("11 found; ")
    marked = page.run("entityGraph.nodes('.found').map((node) => node.data('name')).sort()")
    assert marked == ["Person 12", *(f"Person 12{digit}" for digit in range(10))]


@needs_browser
def test_a_search_comes_no_closer_than_one_reads(page: Page) -> None:
    put(page, "search", "person 123")
    press(page, "Enter")
    assert status(page).startswith("1 found; ")
    assert page.run("entityGraph.zoom()") <= 1.5
    press(page, "Escape")
    put(page, "search", "nobody of this name")
    assert status(page).startswith("0 found; ")
    assert page.run("entityGraph.elements('.faint').length") == 0


@needs_browser
def test_nothing_is_counted_beyond_what_is_read(page: Page) -> None:
    page.run("entityGraph.nodes('#e10').emit('tap'), 0")
    told = "document.querySelector('#detail p').textContent"
    assert page.run(told).endswith(" mentions")
    put(page, "position", "0")
    assert page.run(told) == "place"
    page.run("entityGraph.nodes('#e199').emit('tap'), 0")
    assert status(page).startswith("Who was chosen is not met yet; ")
    press(page, "Escape")


@needs_browser
def test_types_kinds_and_strength_filter(page: Page) -> None:
    page.run("document.querySelector('#types input[value=place]').click()")
    assert status(page).startswith("180 of 200 entities")
    page.run("document.querySelector('#types input[value=place]').click()")
    page.run("document.querySelector(\"#kinds input[value='ally of']\").click()")
    assert status(page) == "200 of 200 entities, 200 of 600 relations"
    page.run("document.querySelector(\"#kinds input[value='ally of']\").click()")
    put(page, "strength", "0.5")
    assert status(page) == "200 of 200 entities, 400 of 600 relations"


@needs_browser
def test_the_slider_shows_what_a_reader_has_met(page: Page) -> None:
    put(page, "position", "0")
    assert page.run("document.getElementById('chapter').textContent") == "Chapter 1"
    assert status(page).startswith("19 entities, ")
    assert status(page).endswith(" so far")
    known = "entityGraph.nodes('#e10').data('label')"
    assert page.run(known) == "Stranger 10"
    assert page.run("entityGraph.nodes('#e7').hasClass('hidden')")
    put(page, "position", "9")
    assert status(page).startswith("199 entities, ")
    assert page.run(known) == "Person 10"
    put(page, "position", "10")
    assert status(page).startswith("200 of 200 entities")


@needs_browser
def test_a_click_tells_of_an_entity_and_its_relations(page: Page) -> None:
    page.run("entityGraph.nodes('#e5').emit('tap'), 0")
    detail = page.run("document.getElementById('detail').innerText")
    assert detail.startswith("Person 5\n")
    assert "Person 5 — ally of — Person 8 (0.75)" in detail


@needs_browser
def test_the_keyboard_alone_leads_to_every_entity_that_is_found(page: Page) -> None:
    put(page, "search", "person 12")
    press(page, "Escape")
    found = page.run("entityGraph.nodes('.found').map((node) => node.data('name'))")
    assert len(found) == 11
    assert [press(page, "Enter"), press(page, "Enter")] == found[:2]
    assert press(page, "Enter", shift=True) == found[0]
    assert press(page, "Enter", shift=True) == found[-1]
    assert press(page, "Escape") == ""


def press(page: Page, key: str, *, shift: bool = False) -> str:
    """Press a key in the search, and return of whom the page then tells."""
    page.run(
        "document.getElementById('search').dispatchEvent("
        f"new KeyboardEvent('keydown', {{key: {key!r}, shiftKey: {str(shift).lower()}}})), 0"
    )
    told: str = page.run(
        "document.getElementById('detail').hidden ? ''"
        " : document.querySelector('#detail h2').textContent"
    )
    return told


@needs_browser
def test_a_relation_that_is_over_says_so_until_it_begins_again(page: Page) -> None:
    """The slider stands at 0 for chapter 1, and each later place is one chapter more."""
    page.run("entityGraph.nodes('#e5').emit('tap'), 0")
    seen = []
    for place in (1, 2, 4, 5):
        put(page, "position", str(place))
        line = page.run(
            "[...document.querySelectorAll('#detail li')].map((item) => item.textContent)"
            ".find((text) => text.includes('Person 8'))"
        )
        dashed = page.run("entityGraph.edges('.over').length")
        seen.append((line, dashed))
    begun = ("Person 5 — ally of — Person 8 (0.75)", 0)
    assert seen == [begun, ("Person 5 — ally of — Person 8 (no longer)", 1), seen[1], begun]


@needs_browser
@pytest.mark.parametrize("number", range(1, len(HOSTILE)))
def test_text_of_the_vault_stays_text(page: Page, number: int) -> None:
    name = HOSTILE[number]
    page.run(f"entityGraph.nodes('#e{SIZE - number}').emit('tap'), 0")
    assert page.run("document.querySelector('#detail h2').textContent") == name
    assert page.run(f"entityGraph.nodes('#e{SIZE - number}').data('label')") == name
    assert page.run("document.title") == "The <cast>"
    assert page.run("document.scripts.length") == 3
    assert page.run("document.images.length") == 0
    put(page, "search", name.replace("\n", "").replace("\r", ""))
    found = 0 if "\n" in name else 1  # what is typed into one line has no others
    assert status(page).startswith(f"{found} found; ")


@needs_browser
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1920, 1080)])
def test_the_page_fits_a_telephone_a_laptop_and_a_wide_screen(
    page: Page, width: int, height: int
) -> None:
    page.resize(width, height)
    box = "document.getElementById({!r}).getBoundingClientRect()"
    graph = page.run(f"(({{width, height}}) => [width, height])({box.format('graph')})")
    assert graph[0] >= 0.7 * width and graph[1] >= 0.5 * height
    assert page.run("document.documentElement.scrollWidth") <= width
    slider = page.run(
        f"(({{left, right, bottom}}) => [left, right, bottom])({box.format('position')})"
    )
    assert slider[0] >= 0 and slider[1] <= width and slider[2] <= height
    drawn = page.run("entityGraph.elements().renderedBoundingBox()")
    assert drawn["x1"] >= 0 and drawn["x2"] <= graph[0]
    page.resize(1300, 850)


@needs_browser
def test_no_request_leaves_the_page(page: Page) -> None:
    asked = [event["request"]["url"] for event in page.happened("Network.requestWillBeSent")]
    assert [url.rpartition("/")[2] for url in asked] == ["graph.html"]
    page.run("fetch('https://example.org/').catch(() => 0)")
    page.run(
        "new Promise((done) => { const i = new Image(); i.onerror = done;"
        " i.src = 'https://example.org/x.png'; }).then(() => 0)"
    )
    assert page.happened("Network.responseReceived")[1:] == []
    assert [event["exceptionDetails"] for event in page.happened("Runtime.exceptionThrown")] == []


def test_the_library_is_the_one_that_its_makers_published() -> None:
    import hashlib
    from importlib import resources

    library = resources.files("writeros_entities.graph.page").joinpath("cytoscape.min.js")
    assert hashlib.sha256(library.read_bytes()).hexdigest() == LIBRARY_SHA256
    licence = resources.files("writeros_entities.graph.page").joinpath("cytoscape.LICENSE.txt")
    assert "The Cytoscape Consortium" in licence.read_text("utf-8")


def test_the_page_is_closed_to_everything_but_its_own_scripts() -> None:
    text = as_page(make_drawing())
    assert "default-src 'none'" in text
    assert "'unsafe-inline'" not in text.partition("script-src")[2].partition(";")[0]
    assert text.count("<script") == text.count("</script>") == 3
    assert not [name for name in HOSTILE if "<" in name and name in text]
