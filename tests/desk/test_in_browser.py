"""The desk in a real browser: what the script adds, and that nothing is asked of elsewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import Session

from ..conformance.programs import install
from ..graph.browser import Page, find_browser, open_page
from .conftest import NOVEL
from .test_screens import ADDRESSES

BROWSER = find_browser()
IS_NEEDED = "WRITEROS_TEST_BROWSER" in os.environ

pytestmark = pytest.mark.skipif(
    BROWSER is None and not IS_NEEDED, reason="no Chromium is installed (Debian: chromium)"
)

LINE = "Willow Brandt is a person"
SECONDS = 20


class Tab:
    """One tab at the desk."""

    def __init__(self, page: Page, base: str, root: Path) -> None:
        self.page, self.base, self.root = page, base, root
        self.requested: list[str] = []
        self.said: list[Any] = []

    def go(self, address: str) -> None:
        """Open a page of the desk, and wait until it is there."""
        self.collect()
        self.page.open_address(self.base + address)

    def collect(self) -> None:
        """Keep what was requested, and what the browser complained of."""
        self.page.run("0")
        sent = self.page.happened("Network.requestWillBeSent")
        self.requested += [one["request"]["url"] for one in sent]
        self.said += self.page.happened("Runtime.exceptionThrown")
        self.said += [
            one["entry"]
            for one in self.page.happened("Log.entryAdded")
            if one["entry"]["level"] == "error"
        ]

    def wait(self, condition: str) -> None:
        """Wait until a JavaScript condition holds."""
        script = (
            f"new Promise((done, fail) => {{ const end = Date.now() + {SECONDS * 1000};"
            f" const look = () => {{ if ({condition}) done(true);"
            " else if (Date.now() > end) done(false); else setTimeout(look, 20); }; look(); })"
        )
        assert self.page.run(script), (condition, self.page.run("document.body.innerText"))

    def press(self, key: str) -> None:
        """Press a key, wherever the focus is."""
        event = f"new KeyboardEvent('keydown', {{ key: {json.dumps(key)}, bubbles: true }})"
        self.page.run(f"(document.activeElement || document.body).dispatchEvent({event}), 0")

    def text(self) -> str:
        """Return what the page says."""
        return str(self.page.run("document.getElementById('main').innerText"))


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    assert BROWSER is not None, "Chromium is not installed"
    folder = tmp_path_factory.mktemp("desk")
    root = folder / "vault"
    (root / ".obsidian").mkdir(parents=True)
    for path, text in NOVEL.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(text.encode())
    database = f"sqlite:///{folder / 'index.sqlite3'}"
    with Session.open(root, database=database) as session:
        session.call("sync", {})
    program = "from writeros_entities.surfaces.cli import main; main()"
    asked = ["--vault", str(root), "--database", database, "desk", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        [sys.executable, "-c", program, *asked], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            link = re.search(r"http://127\.0\.0\.1:\d+(\S+)", said)
            assert link is not None, said + process.stderr.read()
            base = link[0].removesuffix(link[1])
            with open_page(BROWSER, folder / "profile") as page:
                tab = Tab(page, base, root)
                tab.go(link[1])
                yield tab
        finally:
            process.terminate()


@dataclass(frozen=True)
class Visit:
    """What was seen of one page: in which widths it did not fit, and for whom it is hard to use."""

    too_wide: list[int]
    barriers: list[list[str]]


@pytest.fixture(scope="module")
def visits(tab: Tab) -> dict[str, Visit]:
    """Open every page once, but for what only draws a graph, and look at it in every way."""
    axe = (install().packages / "axe-core" / "axe.min.js").read_text("utf-8")
    found = {}
    for address in ADDRESSES:
        tab.go(address)
        if "drawn=1" in address:
            continue
        too_wide = []
        for width in (320, 1600):
            tab.page.resize(width, 800)
            if tab.page.run("document.documentElement.scrollWidth > innerWidth"):
                too_wide.append(width)
        tab.page.resize(1280, 900)
        tab.page.run(f"{axe}; 0")
        barriers = []
        for scheme, rules in (("light", "undefined"), ("dark", "['color-contrast']")):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            tab.page.call("Emulation.setEmulatedMedia", features=features)
            barriers += tab.page.run(
                f"axe.run({{ runOnly: {rules}, resultTypes: ['violations'], iframes: false }})"
                ".then((found) => found.violations"
                ".filter((one) => ['serious', 'critical'].includes(one.impact))"
                ".map((one) => [one.id, one.nodes[0].html, one.nodes[0].failureSummary]))"
            )
        found[address] = Visit(too_wide, barriers)
    tab.go("/")
    tab.collect()
    return found


def test_no_page_complains_or_asks_anything_of_elsewhere(
    tab: Tab, visits: dict[str, Visit]
) -> None:
    assert tab.said == []
    foreign = [one for one in tab.requested if not one.startswith((tab.base, "data:"))]
    assert foreign == []
    assert len(tab.requested) > len(ADDRESSES)


def test_nobody_is_kept_out_in_light_and_dark(visits: dict[str, Visit]) -> None:
    assert {address: one.barriers for address, one in visits.items() if one.barriers} == {}


def test_a_page_fits_its_window(visits: dict[str, Visit]) -> None:
    assert {address: one.too_wide for address, one in visits.items() if one.too_wide} == {}


def test_a_question_is_answered_and_taken_back_by_keys(tab: Tab) -> None:
    before = {file: file.read_bytes() for file in tab.root.rglob("*.md")}
    note = tab.root / "Decisions.md"
    tab.go("/inbox")
    heading = f"{LINE.partition(' is')[0]!r}"
    tab.page.run(
        "document.querySelectorAll('.item').forEach((one) => one.classList.toggle('on', "
        f"one.querySelector('h2').textContent === {heading})), 0"
    )
    tab.press("p")
    tab.wait("document.getElementById('undo')")
    assert note.read_bytes() == f"- {LINE}\n".encode()
    tab.wait(
        f"![...document.querySelectorAll('.item h2')].some((one) => one.textContent === {heading})"
    )
    tab.press("u")
    tab.wait("!document.getElementById('undo')")
    assert note.read_bytes() == b""
    note.unlink()
    assert {file: file.read_bytes() for file in tab.root.rglob("*.md")} == before


def test_a_note_edited_on_the_disk_appears_and_the_focus_stays(tab: Tab) -> None:
    tab.go("/chapter?note=2")
    file = tab.root / "Story/02 The Heir.md"
    before = file.read_bytes()
    tab.page.run(
        "document.getElementById('find').focus(), document.getElementById('find').value = 'half', 0"
    )
    file.write_bytes(before + b"\nThe bell of the ferry rang.\n")
    tab.wait("document.getElementById('main').innerText.includes('bell of the ferry')")
    assert tab.page.run("[document.activeElement.id, document.activeElement.value]") == [
        "find",
        "half",
    ]
    file.write_bytes(before)
    tab.wait("!document.getElementById('main').innerText.includes('bell of the ferry')")


def test_the_slider_is_in_the_address(tab: Tab) -> None:
    tab.go("/entities")
    tab.press("[")
    tab.wait("location.search === '?as_of=1'")
    assert "Greywater" not in tab.text()
    assert tab.page.run("document.activeElement.dataset.step || ''") in ("-1", "")
    tab.press("]")
    tab.wait("location.search === ''")
    tab.wait("document.getElementById('main').innerText.includes('Greywater')")


def test_a_name_that_is_chosen_is_told_of_beside_the_text(tab: Tab) -> None:
    tab.go("/chapter?note=1")
    tab.page.run("document.querySelector('a.m').click(), 0")
    tab.wait("document.querySelector('#card h2')?.innerText.includes('Oda Finch')")
    assert tab.page.run("location.hash") == "#name-1"


def test_no_key_answers_a_question_beside_the_text_by_mistake(tab: Tab) -> None:
    tab.go("/chapter?note=1")
    asked = "document.querySelector('aside .item h2').innerText"
    assert "Willow Brandt" in tab.page.run(asked)
    for key in ("p", "l", "n"):
        tab.press(key)
    tab.press(".")
    tab.wait("document.getElementById('main').innerText.includes('The Heir')")
    assert not (tab.root / "Decisions.md").exists()


def test_the_keys_are_listed(tab: Tab) -> None:
    tab.go("/inbox")
    tab.press("?")
    tab.wait("document.getElementById('keys').open")
    told = tab.page.run("document.querySelector('#keys dl').innerText")
    assert {"j", "k", "p", "s", "/", "["} <= set(told.split())
    tab.page.run("document.getElementById('keys').close(), 0")


def test_a_chapter_is_dragged_to_where_it_is_told(tab: Tab) -> None:
    tab.go("/")
    tab.page.run(
        "(() => { const [one, two] = document.querySelectorAll('#order > li');"
        " const below = two.getBoundingClientRect().bottom - 1;"
        " const drag = (name, target, clientY) => target.dispatchEvent("
        "new DragEvent(name, { bubbles: true, cancelable: true, clientY }));"
        " drag('dragstart', one, 0); drag('dragover', two, below); drag('dragend', one, 0); })(), 0"
    )
    tab.wait("location.pathname === '/decide'")
    assert "- [[Story/01 The Quay]] is after [[Story/02 The Heir]]" in tab.text()
    assert not (tab.root / "Decisions.md").exists()


def test_a_chapter_is_moved_by_keys_and_stays_chosen(tab: Tab) -> None:
    note = tab.root / "Decisions.md"
    line = "[[Story/01 The Quay]] is after [[Story/02 The Heir]]"
    tab.go("/")
    assert tab.page.run("document.querySelector('.item.on a').innerText") == "01 The Quay"
    tab.press(">")
    tab.wait("location.pathname === '/decide'")
    assert f"- {line}" in tab.text()
    assert not note.exists()
    tab.press("y")
    tab.wait("document.getElementById('undo')")
    assert note.read_bytes() == f"- {line}\n".encode()
    tab.wait("document.querySelector('#order > li:last-child a').innerText === '01 The Quay'")
    assert tab.page.run("location.pathname") == "/"
    assert tab.page.run("document.querySelector('.item.on a').innerText") == "01 The Quay"
    tab.press("u")
    tab.wait("!document.getElementById('undo')")
    tab.wait("document.querySelector('#order > li:last-child a').innerText === '02 The Heir'")
    assert note.read_bytes() == b""
    note.unlink()


def test_what_a_note_says_is_never_run(tab: Tab) -> None:
    file = tab.root / "Story/03 Trouble.md"
    run = "document.title='run'"
    text = (
        f'# "><script>{run}</script>\n\nOda Finch <img src=x onerror="{run}"> '
        f"[[Oda Finch|<b onclick={run}>Oda</b>]] [x](javascript:{run})\n\n"
    )
    slept = "Oda Finch slept badly, and dreamt of the bell all night long. " * 5
    file.write_text(text + slept, "utf-8")
    tab.go("/")
    tab.wait("document.getElementById('main').innerText.includes('03 Trouble')")
    for address in ("/", "/chapter?note=3", "/entity?id=Oda", "/search?q=script", "/inbox"):
        tab.go(address)
        assert tab.page.run("document.title") != "run"
        assert tab.page.run("document.querySelectorAll('#main script, #main img').length") == 0
    file.unlink()
    tab.collect()
    assert tab.said == []


def test_obsidians_pane_follows_the_cursor_without_a_new_page(tab: Tab) -> None:
    plugin = (Path(__file__).parents[2] / "obsidian" / "main.js").read_text("utf-8")
    follow = re.search(r"^function follow\(.*?^}$", plugin, re.DOTALL | re.MULTILINE)
    assert follow is not None

    def ask(address: str, *, is_asked: bool) -> None:
        tab.page.run(f"({follow[0]})({json.dumps(address)}, {json.dumps(is_asked)}), 0")

    tab.page.resize(320, 800)
    tab.go("/margin?note=1&line=3&as_of=2")
    tab.page.run("window.isSame = true, 0")
    ask("/margin?note=2&line=3", is_asked=False)
    tab.wait("document.querySelector('h1').innerText.includes('The Heir')")
    assert tab.page.run("[location.search, window.isSame]") == ["?note=2&line=3&as_of=2", True]
    assert tab.page.run("document.querySelectorAll('#cast .line').length") == 4
    assert tab.page.run("document.documentElement.scrollWidth <= innerWidth")

    ask("/decide?about=Willow+Brandt&back=%2Fmargin%3Fnote%3D1", is_asked=True)
    tab.wait("location.pathname === '/decide'")
    ask("/margin?note=1&line=3", is_asked=False)
    assert tab.page.run("location.pathname") == "/decide"
    assert "Willow Brandt" in tab.text()
    tab.page.resize(1280, 900)
    tab.collect()
    assert tab.said == []


def test_news_does_not_hold_up_who_goes_to_another_page(tab: Tab) -> None:
    tab.go("/chapter?note=2")
    tab.page.run(
        "const real = window.fetch; window.fetch = (address, options) =>"
        " String(address).includes('/entities') ? new Promise((done) => {"
        " window.release = () => done(real(address, options)); }) : real(address, options);"
        " window.heard = new Set();"
        " new EventSource('/events').onmessage = (event) => window.heard.add(event.data); 0"
    )
    tab.wait("window.heard.size === 1")
    tab.press("3")
    tab.wait("window.release")
    file = tab.root / "Story/02 The Heir.md"
    before = file.read_bytes()
    file.write_bytes(before + b"\nThe bell of the ferry rang.\n")
    tab.wait("window.heard.size === 2")
    tab.page.run("window.release(), 0")
    tab.wait("location.pathname === '/entities'")
    file.write_bytes(before)
    tab.wait("window.heard.size === 3")
