"""Who comes in, what the answers allow a browser to do, and that looking changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from starlette.testclient import TestClient

from writeros_entities import Session
from writeros_entities.surfaces.desk.app import Desk, find_screens
from writeros_entities.surfaces.guard import Access, Bounds, Guard
from writeros_entities.testing import hash_vault

from .conftest import ADDRESS

SCREENS = sorted(one.PATH for one in find_screens().values())


@pytest.fixture
def stranger(session: Session) -> Iterator[tuple[TestClient, Desk]]:
    desk = Desk(lambda: nullcontext(session), watch=False)
    with TestClient(Guard(desk.door, Access(), Bounds()), base_url=ADDRESS) as client:
        yield client, desk


def test_nothing_is_shown_without_the_link(stranger: tuple[TestClient, Desk]) -> None:
    client, _ = stranger
    for path in (*SCREENS, "/events", "/static/desk.css", "/read-up-to"):
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "writeros-entities desk" in answer.text
        assert "Oda" not in answer.text


def test_the_link_lets_in_once(stranger: tuple[TestClient, Desk]) -> None:
    client, desk = stranger
    link = desk.door.new_link("")
    first = client.get(link, follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/")
    given = first.headers["set-cookie"].lower()
    assert "httponly" in given
    assert "samesite=strict" in given
    assert client.get("/").status_code == 200
    client.cookies.clear()
    assert client.get(link).status_code == 403
    assert client.get("/enter?key=").status_code == 403
    assert client.get("/enter?key=%C3%A9").status_code == 403


def test_the_link_leads_to_a_page_of_the_desk_alone(stranger: tuple[TestClient, Desk]) -> None:
    client, desk = stranger
    for to, led in {
        "%2Fmargin%3Fnote%3DCaf%25C3%25A9%26line%3D3": "/margin?note=Caf%C3%A9&line=3",
        "%2Fchapter%3Fnote%3D1%23line-3": "/chapter?note=1#line-3",
        "https%3A%2F%2Fnovel.example": "/",
        "%2F%2Fnovel.example": "/",
        "%2F%5Cnovel.example": "/",
    }.items():
        answer = client.get(f"{desk.door.new_link('')}&to={to}", follow_redirects=False)
        assert answer.headers["location"] == led


def test_a_foreign_name_of_this_computer_is_refused(desk: TestClient) -> None:
    for host in ("novel.example", "127.0.0.1.novel.example", "localhost.example"):
        assert desk.get("/", headers={"Host": host}).status_code == 421


def test_only_the_desks_own_pages_change_something(desk: TestClient, session: Session) -> None:
    before = hash_vault(session.root)
    said = {"line": "Willow Brandt is a person"}
    others = ("", "null", "https://novel.example", "http://127.0.0.1:1234", "http://localhost:8766")
    for path in ("/decide", "/undo", "/later"):
        for origin in others:
            assert desk.post(path, data=said, headers={"Origin": origin}).status_code == 403
    assert hash_vault(session.root) == before


def test_what_changes_something_is_not_done_by_a_link(desk: TestClient) -> None:
    assert desk.get("/undo").status_code == 405
    assert desk.get("/later").status_code == 405


def test_looking_changes_nothing(desk: TestClient, session: Session) -> None:
    before = hash_vault(session.root)
    for path in SCREENS:
        desk.get(path)
        desk.get(f"{path}?line=Willow+Brandt+is+a+person&note=1&id=Oda&who=Oda&q=quay")
    assert hash_vault(session.root) == before


def test_a_page_may_load_the_desks_own_files_alone(desk: TestClient) -> None:
    for path in SCREENS:
        headers = desk.get(path, params={"note": "1", "id": "Oda"}).headers
        parts = headers["content-security-policy"].split("; ")
        policy = {name: value for name, _, value in (part.partition(" ") for part in parts)}
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["form-action"] == "'self'"
        assert policy["frame-ancestors"] == "'self'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_the_slider_leads_to_the_desk_alone(desk: TestClient) -> None:
    for back in ("//novel.example", "https://novel.example", "/\\novel.example"):
        asked = {"step": "1", "back": back}
        answer = desk.get("/read-up-to", params=asked, follow_redirects=False)
        assert answer.headers["location"] == "/?as_of=1"


def test_only_the_files_of_pages_are_given(desk: TestClient) -> None:
    for name in ("../app.py", "..%2Fapp.py", "desk.py", "%2Fetc%2Fpasswd", ""):
        assert desk.get(f"/static/{name}").status_code == 404
