"""`brief_scene` for a scene that is not written: who is to meet, where, after which chapter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from writeros_entities.errors import AmbiguousNameError, NotFoundError, RequestError
from writeros_entities.session import Session

ALWAYS = "visible_from: always"

MILL = {
    "Cast/Ada Bell.md": f"---\ntype: person\ngender: female\nborn: 3 May 1856\n{ALWAYS}\n---\n"
    "Ada Bell keeps the mill.\n\n## Appearance\n\nTall, with flour in her hair.\n",
    "Cast/Tom Reed.md": f"---\ntype: person\ngender: male\nmother: '[[Ruth Bell]]'\n{ALWAYS}\n---\n"
    "Tom Reed sells rope.\n",
    "Cast/Ruth Bell.md": f"---\ntype: person\ngender: female\nsister: '[[Ada Bell]]'\n{ALWAYS}\n"
    "---\nRuth Bell is a widow.\n",
    "Cast/Cy Marsh.md": f"---\ntype: person\ngender: male\n{ALWAYS}\n---\nCy Marsh is a "
    "constable.\n",
    "Cast/Cy Finch.md": f"---\ntype: person\ngender: male\n{ALWAYS}\n---\nCy Finch fishes.\n",
    "Places/Mill.md": f"---\ntype: place\n{ALWAYS}\n---\nThe Mill stands on the weir.\n",
    "Book/01 - Flour.md": "---\ndate: 1 May 1886\n---\nAda Bell stood in the Mill. Tom Reed came "
    "in.\n\n“The weir is high,” said Ada Bell.\n",
    "Book/02 - Rope.md": "---\ndate: 4 May 1886\n---\nTom Reed spoke with Cy Marsh.\n\n"
    "“Ada Bell has a lodger,” said Tom Reed to Cy Marsh.\n",
    "Book/03 - Weir.md": "---\ndate: 6 May 1886\n---\nCy Marsh met Ada Bell at the Mill. Tom Reed "
    "drowned. He is dead.\n",
}

BRIEF = """\
# A scene to write

After Book/02 - Rope.md, place 2 in reading order. Place: Mill (Book/01 - Flour.md:4).

## Cast

**Ada Bell** (person).
- Ada Bell keeps the mill. (Cast/Ada Bell.md:7)
- gender: female; born: 3 May 1856 (Cast/Ada Bell.md:3)
- Looks: Tall, with flour in her hair. (Cast/Ada Bell.md:11)
- Last named in 01 - Flour: ““The weir is high,” said Ada Bell.” (Book/01 - Flour.md:6)
- is a sibling of Ruth Bell (Cast/Ruth Bell.md:4)

**Cy Marsh** (person).
- Cy Marsh is a constable. (Cast/Cy Marsh.md:6)
- gender: male (Cast/Cy Marsh.md:3)
- Last named in 02 - Rope: ““Ada Bell has a lodger,” said Tom Reed to Cy Marsh.” \
(Book/02 - Rope.md:6)

## Between them

- Ada Bell and Cy Marsh: Cy Marsh knows of Ada Bell (is told by Tom Reed): ““Ada Bell \
has a lodger,” said Tom Reed to Cy Marsh.” (Book/02 - Rope.md:6)

## Also

- Mill (place): The Mill stands on the weir. (Places/Mill.md:5)"""

Shared = Callable[..., Session]


def to_come(session: Session, *cast: str, **asked: Any) -> dict[str, Any]:
    """Return a brief for a scene to come, as data."""
    asked = {"cast": cast, "token_counter": "characters", "max_tokens": 9_000, **asked}
    return session.call("brief_scene", asked).model_dump()


def test_a_scene_to_come_is_briefed_by_its_cast_its_place_and_the_chapter_before(
    shared: Shared,
) -> None:
    asked = {"cast": ["Ada Bell", "Cy Marsh"], "place": "Mill", "after": "Rope"}
    assert shared(MILL).call("brief_scene", asked).as_text() == BRIEF


def test_kin_that_follows_from_what_is_told_of_others_is_told(shared: Shared) -> None:
    (pair,) = to_come(shared(MILL), "Ada Bell", "Tom Reed", after=1)["pairs"]
    assert [one["text"] for one in pair["kin"]] == ["aunt"]
    proofs = [(one["path"], one["line"]) for one in pair["kin"][0]["evidence"]]
    assert proofs == [("Cast/Tom Reed.md", 4), ("Cast/Ruth Bell.md", 4)]
    assert (pair["knows"], pair["together"]["text"]) == (
        [],
        "Ada Bell stood in the Mill. Tom Reed came in.",
    )


def test_nothing_that_comes_later_is_told_of_a_scene_to_come(shared: Shared) -> None:
    session = shared(MILL)
    early = to_come(session, "Tom Reed", "Cy Marsh", after=2)
    assert early["as_of"] == 2
    assert [one["changes"] for one in early["cast"]] == [[], []]
    late = to_come(session, "Tom Reed", "Cy Marsh")
    assert (late["as_of"], late["after"]["path"]) == (3, "Book/03 - Weir.md")
    assert [one["text"] for one in late["cast"][0]["changes"]] == ["dead"]


def test_at_a_story_date_only_what_has_happened_by_then_is_told(shared: Shared) -> None:
    found = to_come(shared(MILL), "Ada Bell", "Tom Reed", "Cy Marsh", at="2 May 1886")
    assert [one["text"] for one in found["times"]] == ["2 May 1886"]
    ada, tom, cy = found["cast"]
    assert (ada["age"], tom["age"]) == ("29", None)
    assert (tom["last_seen"]["quote"]["text"], tom["changes"]) == ("Tom Reed came in.", [])
    assert cy["last_seen"] is None
    between = found["pairs"][1]
    assert (between["knows"], between["is_apart"]) == ([], True)


def test_who_is_asked_for_twice_is_in_the_cast_once(shared: Shared) -> None:
    found = to_come(shared(MILL), "Ada Bell", "[[Ada Bell]]", after="1")
    assert [one["entity"]["name"] for one in found["cast"]] == ["Ada Bell"]


def test_open_threads_are_those_of_the_cast(shared: Shared) -> None:
    lamps = {
        f"Cast/{name}.md": f"---\ntype: item\n{ALWAYS}\n---\nOld.\n" for name in ("Lamp", "Bell")
    }
    told = MILL | lamps
    told["Book/01 - Flour.md"] += "\nAda Bell lit the Lamp. The Lamp burned.\n"
    told["Book/02 - Rope.md"] = "The Bell rang. The Bell fell.\n"
    found = to_come(shared(told), "Ada Bell", after=3, quiet_chapters=1)
    assert [one["entity"]["name"] for one in found["threads"]] == ["Lamp"]
    session = shared(told)
    whole = session.call("brief_scene", {"scene": 3, "quiet_chapters": 1}).model_dump()
    assert "Bell" in [one["entity"]["name"] for one in whole["threads"] if one["entity"]]


def test_a_budget_holds_and_says_what_is_left_out(shared: Shared) -> None:
    session = shared(MILL)
    for most in (100, 400, 900, 2_000):
        found = to_come(session, "Ada Bell", "Cy Marsh", "Tom Reed", after=2, max_tokens=most)
        assert found["total_tokens"] <= most
    short = to_come(session, "Ada Bell", "Cy Marsh", after=2, max_tokens=120)
    assert {one["reason"] for one in short["omitted"]} == {"budget"}
    assert "pairs" in {one["part"] for one in short["omitted"]}
    few = to_come(session, "Ada Bell", "Cy Marsh", after=2, max_cast=1)
    assert few["omitted"] == [{"part": "cast", "number": 1, "reason": "limit"}]


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ({"cast": ["Ada Bel"]}, NotFoundError, "Did you mean 'Ada Bell'?"),
        ({"cast": ["Cy"]}, AmbiguousNameError, "Cy Marsh (person"),
        ({"cast": ["Ada Bell"], "place": "Mil"}, NotFoundError, "'Mill'"),
        ({"cast": ["Ada Bell"], "after": "Flood"}, NotFoundError, "Flood"),
        ({"cast": ["Ada Bell"], "after": "Cast/Tom Reed.md"}, RequestError, "is no chapter"),
        ({"place": "Mill"}, RequestError, "its cast"),
        ({"scene": 2, "cast": ["Ada Bell"]}, RequestError, "give either"),
    ],
)
def test_what_is_not_known_is_told_so(
    shared: Shared, asked: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error) as raised:
        shared(MILL).call("brief_scene", asked)
    assert said in str(raised.value)


def test_a_book_without_chapters_has_scenes_to_come(synced: Callable[..., Session]) -> None:
    cast = {path: text for path, text in MILL.items() if not path.startswith("Book")}
    found = to_come(synced(cast), "Ada Bell", "Tom Reed")
    assert (found["after"], [one["last_seen"] for one in found["cast"]]) == (None, [None, None])


def test_a_name_that_is_not_told_yet_brings_nobody(synced: Callable[..., Session]) -> None:
    session = synced(
        {
            "Cast/Cy Marsh.md": "---\ntype: person\naliases: [the Pedlar]\n---\nA spy.\n",
            "Book/01.md": "The Pedlar knocked. The Pedlar waited.\n",
            "Book/02.md": "The Pedlar came. She was Cy Marsh.\n",
        }
    )
    (found,) = to_come(session, "the Pedlar", after=1)["cast"]
    assert (found["entity"]["name"], found["summary"]) == ("the Pedlar", None)
    with pytest.raises(NotFoundError, match="Cy Marsh"):
        to_come(session, "Cy Marsh", after=1)
