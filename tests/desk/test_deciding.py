"""What is decided at the desk is one line of one note, and can be taken back to the byte."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from starlette.testclient import TestClient

from writeros_entities import Session
from writeros_entities.surfaces.desk.words import KEYS, SORTS

LINE = "Willow Brandt is a person"


def contents(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*.md")}


def lines_in(page: str) -> list[str]:
    return [unescape(one) for one in re.findall(r'name="line" value="([^"]*)"', page)]


def test_an_answer_is_one_line_that_stood_on_the_page(desk: TestClient, session: Session) -> None:
    before = contents(session.root)
    page = desk.get("/inbox").text
    assert LINE in lines_in(page)
    assert f"- {LINE}</code>" in page

    answer = desk.post("/decide", data={"line": LINE, "back": "/inbox"})
    assert answer.url.path == "/inbox"
    assert contents(session.root) == before | {"Decisions.md": f"- {LINE}\n".encode()}
    assert LINE not in lines_in(answer.text.partition('class="undo"')[0])

    answer = desk.post("/undo", data={"line": LINE, "back": "/inbox"})
    assert contents(session.root) == before | {"Decisions.md": b""}
    assert LINE in lines_in(answer.text)


def test_only_the_line_that_was_seen_is_taken_back(desk: TestClient, session: Session) -> None:
    desk.post("/decide", data={"line": LINE})
    note = session.root / "Decisions.md"
    note.write_text(f"- {LINE}\n- [[Plan]] is a plan\n", "utf-8")
    answer = desk.post("/undo", data={"line": LINE})
    assert answer.status_code == 422
    assert "[[Plan]] is a plan" in answer.text
    assert note.read_text("utf-8") == f"- {LINE}\n- [[Plan]] is a plan\n"


def test_a_change_is_shown_before_it_is_written(desk: TestClient, session: Session) -> None:
    before = contents(session.root)
    page = desk.get("/").text
    links = [unescape(one) for one in re.findall(r'href="(/decide[^"]*)"', page)]
    assert "/decide?about=Plan.md&back=%2F%23Plan.md" in links
    asked = desk.get("/decide?about=Plan.md&back=%2F%23Plan.md").text
    answers = [unescape(one) for one in re.findall(r'href="(/decide[^"]*)"', asked)]
    assert answers[0] == "/decide?line=%5B%5BPlan%5D%5D+is+the+manuscript&back=%2F%23Plan.md"
    assert "- [[Plan]] is the manuscript" in desk.get(answers[0]).text
    later = next(one for one in links if "01+The+Quay" in one and "line=" in one)
    assert "- [[Story/01 The Quay]] is after [[Story/02 The Heir]]" in desk.get(later).text
    assert contents(session.root) == before


def test_of_a_selected_name_one_says_what_it_is(desk: TestClient, session: Session) -> None:
    before = contents(session.root)
    page = desk.get("/decide", params={"about": "Willow Brandt", "back": "/margin?note=1"}).text
    links = [unescape(one) for one in re.findall(r'href="(/decide[^"]*)"', page)]
    assert links[0] == "/decide?line=Willow+Brandt+is+a+person&back=%2Fmargin%3Fnote%3D1"
    assert links[-1].startswith("/decide?line=%22Willow+Brandt%22+is+not+a+name&")
    assert "Willow Brandt is [[…]]" in lines_in(page) or 'value="Willow Brandt is [[…]]"' in page
    assert 'name="line" value="Willow Brandt is a person"' in desk.get(links[0]).text
    assert contents(session.root) == before


def test_whom_a_name_does_not_mean_here_is_one_line_too(desk: TestClient, session: Session) -> None:
    before = contents(session.root)
    page = desk.get("/chapter?note=2").text
    (mark,) = re.findall(r'href="([^"#]*)[^>]*>Corbin</a>', page)
    page = desk.get(unescape(mark)).text
    links = [unescape(one) for one in re.findall(r'href="(/decide[^"]*)"', page)]
    shown = lines_in(desk.get(links[0]).text)
    assert shown[0] == 'In [[Story/02 The Heir]] "Corbin" is not [[Corbin Hale]]'
    assert 'value="In [[Story/02 The Heir]] &#34;Corbin&#34; is [[…]]"' in desk.get(links[1]).text
    assert contents(session.root) == before

    desk.post("/decide", data={"line": shown[0], "back": "/"})
    session.call("sync", {})
    assert ">Corbin</a>" not in desk.get("/chapter?note=2").text
    desk.post("/undo", data={"line": shown[0], "back": "/"})
    session.call("sync", {})
    assert ">Corbin</a>" in desk.get("/chapter?note=2").text


def test_a_line_that_is_not_understood_says_so(desk: TestClient, session: Session) -> None:
    assert "is not understood" in desk.get("/decide?line=Willow+went+home").text
    answer = desk.post("/decide", data={"line": "Willow went home"})
    assert answer.status_code == 422
    assert not (session.root / "Decisions.md").exists()


def test_a_question_put_off_comes_last_even_after_a_rebuild(
    desk: TestClient, session: Session
) -> None:
    first = session.call("list_questions", {}).model_dump()
    assert first["put_off"] == 0
    line = first["questions"][0]["answers"][0]["line"]
    desk.post("/later", data={"line": line, "back": "/inbox"})
    session.call("rebuild", {})
    after = session.call("list_questions", {}).model_dump()
    assert after["put_off"] == 1
    assert after["questions"][-1]["answers"][0]["line"] == line
    assert "1 put off" in desk.get("/inbox").text


def test_a_line_that_cannot_be_one_is_refused(desk: TestClient, session: Session) -> None:
    for line in ("", "\n", "- ", "x" * 3000):
        assert desk.post("/decide", data={"line": line}).status_code == 422
    assert not (session.root / "Decisions.md").exists()


def test_a_question_leads_to_all_that_could_be_decided_of_it(desk: TestClient) -> None:
    page = desk.get("/inbox").text
    heading = re.search(
        r'<h2 [^>]*><a class="who" data-key="o" href="([^"]*)">Willow Brandt</a>', page
    )
    assert heading is not None, page
    lines = unescape(desk.get(unescape(heading[1])).text)
    assert "Willow+Brandt+is+a+creature" in lines
    assert "Willow Brandt is [[…]]" in lines


def test_no_two_answers_to_a_question_have_one_key_and_none_that_of_opening() -> None:
    for question in ("manuscript", "plan", "entity", "other"), (*SORTS, "no_name"):
        keys = [KEYS[one] for one in question]
        assert len({*keys, "o", "s", "u"}) == len(keys) + 3
