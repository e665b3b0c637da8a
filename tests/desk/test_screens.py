"""What each screen shows, without a script: it is what the capabilities say, and no more."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
from starlette.testclient import TestClient

from writeros_entities import Session
from writeros_entities.surfaces.desk.app import Desk, find_screens, templates
from writeros_entities.surfaces.desk.asking import Asked

from ..context.test_voices import TALK
from .conftest import ADDRESS, NOVEL, opened

WriteVault = Callable[[dict[str, str]], Path]


def text_of(page: str) -> str:
    """Return what a page says, on one line."""
    main = page.partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main.partition(">")[2])).split())


def test_the_first_page_tells_what_was_found_and_why(desk: TestClient) -> None:
    told = text_of(desk.get("/").text)
    assert "2 chapters, 3 people, 1 place." in told
    assert told.index("01 The Quay") < told.index("02 The Heir")
    assert "Plans 1" in told
    assert re.search(r"People .*Oda Finch .*Corbin Hale", told)
    assert "Greywater" in told


def test_a_chapter_is_shown_with_its_names_marked(desk: TestClient) -> None:
    page = desk.get("/chapter?note=1").text
    assert '<h1 id="line-1">The Quay</h1>' in page
    marks = re.findall(r'<a id="name-\d+" class="m ([^"]*)" href="[^"]*"[^>]*>([^<]*)</a>', page)
    assert ("t-person", "Oda Finch") in marks
    assert ("t-person", "Corbin Hale") in marks
    assert "<strong>Mind</strong>" in page
    assert "heir" not in text_of(page)
    assert "[[" not in text_of(page)


def test_a_note_has_its_title_above_it_once(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    texts = ("The tide & the bell.", "# Day 2 & after: the bell\n\nIt rang.", "# Cast\n\nAda.")
    notes = {f"Story/Day {at} & after.md": f"{one}\n" for at, one in enumerate(texts, 1)}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    with opened(session) as desk:
        told = [
            text_of(desk.get(f"/chapter?note=Story/Day {at} %26 after").text) for at in (1, 2, 3)
        ]
    assert "Day 1 & after The tide & the bell." in told[0]
    assert "↗ Day 2 & after: the bell It rang." in told[1]
    assert "Day 3 & after Cast Ada." in told[2]


def test_a_note_can_be_read_without_a_script(desk: TestClient) -> None:
    page = desk.get("/chapter?note=1").text
    links = [unescape(one) for one in re.findall(r'href="(/[^"#]+)', page)]
    assert all(desk.get(one).status_code == 200 for one in set(links))
    assert re.search(
        r'<form class="asof"[^>]* action="/read-up-to">.*<button class="plain no-script">',
        page,
        re.S,
    )


def test_the_margin_says_who_is_new_and_who_was_here_before(desk: TestClient) -> None:
    first = text_of(desk.get("/margin?note=1").text)
    assert re.search(r"Oda Finch \d · first time", first)
    second = text_of(desk.get("/margin?note=2").text)
    assert re.search(r"Oda Finch \d · last in 1", second)
    assert re.search(r"Greywater \d · first time", second)


def test_the_margin_looks_at_whoever_is_named_by_the_cursor(desk: TestClient) -> None:
    told = text_of(desk.get("/margin?note=2&line=3").text)
    assert told.startswith("02 The Heir · as of this chapter")
    assert "so far" in told


def test_somebodys_page_has_names_relations_and_places(desk: TestClient) -> None:
    page = desk.get("/entity?id=Oda").text
    told = text_of(page)
    assert told.startswith("Oda Finch A person · has a note")
    assert "Corbin Hale" in told
    assert "knew Corbin Hale" in told
    assert "obsidian://open?vault=vault&amp;file=Story%2F01%20The%20Quay.md" in page
    assert "/chapter?note=Story%2F01+The+Quay.md#line-3" in page


def test_a_quote_that_ends_within_a_link_shows_its_words(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    notes = {f"{name}.md": "---\ntype: person\n---\n" for name in ("Oda Finch", "Ivo Finch")}
    notes["Tom Finch.md"] = (
        "---\ntype: person\n---\n- Father of [Oda Finch](Oda%20Finch.md) and "
        "[Ivo Finch](Ivo%20Finch.md)\n"
    )
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    with opened(session) as desk:
        told = text_of(desk.get("/entity?id=Tom+Finch").text)
    stated = told.partition("Where")[0]
    assert "Father of Oda Finch and Ivo Finch Tom Finch · 4" in stated
    assert "[" not in stated


@pytest.mark.usefixtures("closely")
def test_somebodys_page_tells_what_happens_as_far_as_is_read(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    session = open_vault(write_vault(NOVEL))
    session.call("sync", {})
    with opened(session) as desk:
        read = text_of(desk.get("/entity?id=Corbin+Hale&as_of=1").text)
        whole = text_of(desk.get("/entity?id=Corbin+Hale").text)
    assert "What happens" not in read
    assert re.search(r"What happens “?\W*Corbin Hale bowed to Oda Finch", whole), whole


def test_a_name_of_several_asks_whom_it_means(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    notes = {f"{name}.md": "---\ntype: person\naliases: [Wren]\n---\n" for name in ("Tom", "Ann")}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    with opened(session) as desk:
        told = text_of(desk.get("/entity?id=Wren").text)
    assert told.startswith("Who is “ Wren ”?")
    assert "Ann" in told
    assert "Tom" in told


def test_search_finds_passages_and_names(desk: TestClient) -> None:
    told = text_of(desk.get("/search?q=heir").text)
    assert "02 The Heir" in told
    assert "Oda Finch" in text_of(desk.get("/search?q=Oda").text)
    assert "Nothing says this" in text_of(desk.get("/search?q=zeppelin").text)


def test_a_prompt_says_what_goes_in_and_what_was_left_out(desk: TestClient) -> None:
    told = text_of(desk.get("/prompt?who=Oda&tokens=100").text)
    assert re.search(r"\d+ of 100 tokens", told)
    assert "Why each is there" in told
    assert "There is no" in text_of(desk.get("/prompt?who=Nobody").text)


def test_status_says_what_was_read(desk: TestClient) -> None:
    assert "Chapters 2" in text_of(desk.get("/status").text)


def test_an_unknown_page_and_an_unknown_note_say_where_to_go(desk: TestClient) -> None:
    for address in ("/nowhere", "/chapter?note=Nowhere", "/entity?id=Nobody"):
        answer = desk.get(address)
        assert answer.status_code == 404
        assert 'href="/"' in answer.text


def test_a_vault_that_was_not_read_says_so(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    with opened(open_vault(write_vault({"A.md": "Ann.\n"}))) as desk:
        answer = desk.get("/")
    assert answer.status_code == 503
    assert text_of(answer.text).startswith("Your vault is not read yet")
    assert "has not been read yet" in answer.text
    assert "Back" not in text_of(answer.text)


def test_a_vault_that_is_being_read_says_how_far_that_is(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    session = open_vault(write_vault({"A.md": "Ann.\n"}))
    desk = Desk(lambda: nullcontext(session), watch=False)
    with TestClient(desk.door, base_url=ADDRESS, headers={"Origin": ADDRESS}) as client:
        client.get(desk.door.new_link(""))
        desk.update("finding mentions", 30, 1200)
        first = client.get("/").text
        session.call("sync", {})
        desk.update("reading sentences", 1, 1200)
        later = client.get("/").text
    assert '<p class="card" id="progress" role="status">Looking for names: 30 of 1,200</p>' in first
    assert "1,200" in later


def test_an_empty_vault_says_what_to_do(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    session = open_vault(write_vault({}))
    session.call("sync", {"allow_empty": True})
    with opened(session) as desk:
        assert "Number your chapters" in desk.get("/").text
        assert "Nothing to ask" in desk.get("/inbox").text
        assert "Nobody fits" in desk.get("/entities").text


ADDRESSES = [
    *("/", "/chapter", "/entities", "/entity?id=Oda", "/inbox", "/continuity", "/graph"),
    *("/graph?drawn=1", "/graph?who=Oda&drawn=1", "/search?q=Oda", "/search?q=heir", "/status"),
    *("/prompt?who=Oda", "/prompt?scene=1", "/margin?note=1", "/decide?line=Oda+is+a+place"),
    *("/decide?about=Oda", "/chapters", "/chapters?order=story", "/timeline", "/knows?about=Oda"),
    *("/timeline?who=Oda&order=story", "/family?who=Oda", "/family?who=Oda&drawn=1", "/knows"),
    "/voice?who=Oda",
]


def test_each_screen_is_asked_for_below() -> None:
    asked = {one.partition("?")[0] for one in ADDRESSES}
    assert {one.PATH for one in find_screens().values()} == asked


KNOWN = {
    "Story/01 The Weir.md": (
        "# The Weir\n\nOda Finch came to the weir. Corbin Hale waited there. Oda Finch, mother of "
        "Ivo Finch, met Corbin Hale.\n\n“The bell is gone,” said Oda Finch.\n\n"
        "“Who took it?” asked Corbin Hale.\n"
    ),
    "Story/02 The Bell.md": (
        "---\ndate: 1204-05-03\n---\n# The Bell\n\nTom Finch, father of Ivo Finch, came to the "
        "weir. “Tom Finch stole the bell,” said Willa Brand to Corbin Hale. Ivo Finch died.\n"
    ),
    **{f"People/{one}.md": "---\ntype: person\n---\n" for one in ("Oda Finch", "Corbin Hale")},
    **{f"People/{one}.md": "---\ntype: person\n---\n" for one in ("Ivo Finch", "Tom Finch")},
    "People/Willa Brand.md": "---\ntype: person\n---\n",
}


@pytest.mark.usefixtures("closely")
def test_family_timeline_and_who_knows_are_told_as_far_as_is_read(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    session = open_vault(write_vault(KNOWN))
    session.call("sync", {})
    addresses = (
        *("/family?who=Ivo+Finch", "/family?who=Ivo+Finch&drawn=1", "/timeline?order=story"),
        *("/knows?about=bell", "/entity?id=Ivo+Finch", "/chapters", "/chapter?note=1"),
    )
    with opened(session) as desk:
        whole = {one: desk.get(one).text for one in addresses}
        read = {
            one: desk.get(f"{one}{'&' if '?' in one else '?'}as_of=1").text for one in addresses
        }
    for address, page in read.items():
        for later in ("Tom Finch", "Willa", "1204", "stole", "02 The Bell"):
            assert later not in unescape(page), address
    assert "Oda Finch : mother Oda Finch, mother of Ivo Finch" in text_of(read[addresses[0]])
    assert "Tom Finch : father" in text_of(whole[addresses[0]])
    assert "Tom Finch" in whole[addresses[1]]
    assert re.search(r"1204\S* · 02 The Bell .*Ivo Finch dies", text_of(whole[addresses[2]]))
    assert re.search(r"Corbin Hale knows .*is told by Willa Brand", text_of(whole[addresses[3]]))
    assert re.search(r"1 01 The Weir not said Corbin Hale", text_of(whole[addresses[5]]))
    assert 'title="Oda Finch says">“</a>The bell is gone' in whole[addresses[6]]
    assert re.search(r"Oda Finch \d · speaks 1 · first time", text_of(whole[addresses[6]]))


def test_a_voice_is_told_as_far_as_is_read_and_too_little_says_so(
    write_vault: WriteVault, open_vault: Callable[..., Session]
) -> None:
    session = open_vault(write_vault(TALK))
    session.call("sync", {})
    with opened(session) as desk:
        assert 'href="/voice?who=' in desk.get("/entity?id=Ann").text
        whole, read = (text_of(desk.get(f"/voice?who=Ann{one}").text) for one in ("", "&as_of=1"))
    assert whole.startswith(
        "How Ann Reed speaks 9 speeches in 2 chapters; typically 5 words. 11% ask something. "
        "11% exclaim. Who speaks is "
    )
    assert "Words said more than by others reckon in 6 speeches" in whole
    assert "Calls others Bo Finch “ old man ” · 2 times" in whole
    assert "Sounds like this “I reckon the tide is late,” Book/01 · 1 ↗" in whole
    assert read.startswith("How Ann speaks 4 speeches in 1 chapter so far; typically ")
    assert "Too few speeches to tell habits: it takes 8." in read
    assert "reckon in" not in read
    assert "Book/02" not in read


LATER = ("The Heir", "Heir.md", "heir of", "Greywater", "bowed", "laughed", "betrays")


def test_nothing_later_is_in_a_page(desk: TestClient) -> None:
    for address in ADDRESSES:
        joined = "&" if "?" in address else "?"
        page = desk.get(f"{address}{joined}as_of=1")
        assert page.status_code == 200, address
        assert [one for one in LATER if one in unescape(page.text)] == [], address


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


@pytest.fixture
def hostile(write_vault: WriteVault, open_vault: Callable[..., Session]) -> Session:
    notes = {
        "Story/01 A.md": (
            f"# {HOSTILE}\n\nVal Rook saw {HOSTILE} and [[Val Rook|{HOSTILE}]].\n\n"
            "<script>alert(2)</script>\n\n[go](javascript:alert(3)) ![x](https://elsewhere.example/x.png)"
            '\n\n<a href="javascript:alert(4)" onclick="alert(5)">Val Rook</a>\n\n'
            "<iframe src='https://elsewhere.example'></iframe> \ue0000\ue001 <style>*{}</style>\n"
        ),
        "Val Rook.md": (
            f"---\ntype: person\naliases: ['{HOSTILE}', V]\nmotto: '{HOSTILE}'\n---\nHe.\n"
        ),
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    return session


class Tags(HTMLParser):
    """The tags of a page, each with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def test_nothing_in_a_vault_becomes_code(hostile: Session) -> None:
    asked = {one.replace("Oda", "Val Rook") for one in ADDRESSES if "drawn" not in one}
    asked |= {
        "/search?q=saw",
        f"/search?q={HOSTILE}",
        f"/decide?line={HOSTILE}",
        f"/decide?about={HOSTILE}",
    }
    with opened(hostile) as desk:
        for address in sorted(asked):
            for tag, attributes in Tags(desk.get(address).text).found:
                assert tag not in ("img", "style", "object", "embed", "base"), address
                assert tag != "iframe" or attributes["src"].startswith("/graph?"), address
                assert tag != "script" or attributes == {"src": "/static/desk.js", "defer": ""}
                assert [name for name in attributes if name.startswith("on")] == [], address
                leads = (attributes.get(name, "") for name in ("href", "src", "action"))
                assert not any(one.lower().startswith(("javascript:", "data:")) for one in leads)


def test_the_page_that_the_documentation_adds_is_shown(session: Session) -> None:
    page = (Path(__file__).parents[2] / "docs" / "desk.md").read_text("utf-8")
    module, template = re.findall(r"```(?:python|html)\n(.*?)```", page, re.DOTALL)
    screen = ModuleType("groups")
    exec(module, vars(screen))
    asked = Asked(screen.PATH, {}, session, ())
    told = {"ask": asked, "screen": "groups", "title": screen.TITLE, "menu": [screen]}
    shown = (
        templates()
        .from_string(template)
        .render(**told, progress="", last=[], changes=0, **screen.show(asked))
    )
    assert text_of(shown).startswith("Groups")
    assert "Oda Finch" in text_of(shown)
