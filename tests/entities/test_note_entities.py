"""Who is in a note, or in a part of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import NotFoundError, RequestError
from writeros_entities.session import Session

from ..conftest import ReadVault

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

PERSON = "---\ntype: person\n---\n"
ONE = "Story/01 - Fog.md"
QUAY = {
    "Cast/Ann Reed.md": PERSON,
    "Cast/Bo Reed.md": PERSON,
    "Cast/Cy Marsh.md": f"{PERSON}He fears fog.\n",
    "Places/Quay.md": "---\ntype: place\n---\n",
    ONE: (
        "# Morning\n\nCy Marsh stood on the Quay.\nCy Marsh waited.\n\n"
        "# Night\n\nReed came to the Quay. Ann Reed was not with Cy Marsh.\n"
    ),
    "Story/02.md": "Reed slept.\n",
    "Story/03.md": "The end.\n",
}


@pytest.fixture
def quay(read_vault: ReadVault) -> Session:
    return read_vault(QUAY)


def present(session: Session, note: str, **arguments: Any) -> list[tuple[str, int, int]]:
    answer: Any = session.call("list_note_entities", {"note": note, **arguments})
    return [(one.name, one.mentions, one.first.line) for one in answer.entities]


def test_who_is_in_a_chapter_is_told_with_counts_and_first_places(quay: Session) -> None:
    answer = quay.call("list_note_entities", {"note": "Fog"}).model_dump()
    assert (answer["path"], answer["position"], answer["total"]) == (ONE, 1, 3)
    assert present(quay, ONE) == [("Cy Marsh", 3, 3), ("Quay", 2, 3), ("Ann Reed", 2, 8)]
    first = answer["entities"][0]["first"]
    text = QUAY[ONE]
    assert text[first["start"] : first["end"]] == first["surface"] == "Cy Marsh"
    assert (first["heading"], first["text"]) == ("Morning", "Cy Marsh stood on the Quay.")


def test_a_part_of_a_note_is_a_section_or_some_lines(quay: Session) -> None:
    night = [("Ann Reed", 2, 8), ("Quay", 1, 8), ("Cy Marsh", 1, 8)]
    assert present(quay, f"{ONE}#Night") == present(quay, ONE, from_line=6) == night
    assert present(quay, ONE, from_line=4, toLine=6) == [("Cy Marsh", 1, 4)]
    assert present(quay, f"{ONE}#Morning", from_line=5) == []
    with pytest.raises(NotFoundError, match=r"There is no heading 'Noon'.* 'Morning'"):
        present(quay, f"{ONE}#Noon")
    with pytest.raises(RequestError, match="to_line: 3 is before from_line, 4"):
        present(quay, ONE, from_line=4, to_line=3)


def test_a_list_of_a_note_is_narrowed_by_type_and_paged(quay: Session) -> None:
    assert present(quay, ONE, types=["places"]) == [("Quay", 2, 3)]
    assert present(quay, ONE, limit=1, offset=1) == [("Quay", 2, 3)]
    text = quay.call("list_note_entities", {"note": ONE, "limit": 1}).as_text()
    assert text == (
        "Story/01 - Fog.md (place 1 in reading order): 1 of 3 entities\n\n"
        "| entity | type | mentions | confidence | first line |\n"
        "| --- | --- | ---: | --- | ---: |\n"
        "| Cy Marsh | person | 3 | 1.00 | 3 |\n\n"
        "1 of 3 entities shown (limit, offset)."
    )


def test_who_is_in_doubt_everywhere_in_a_note_is_told_so(quay: Session) -> None:
    text = quay.call("list_note_entities", {"note": "Story/02.md"}).as_text()
    assert "| Ann Reed *(or Bo Reed)* | person | 1 | " in text
    answer: Any = quay.call("list_note_entities", {"note": "Story/02.md"})
    one, other = answer.entities
    assert [each.entity.name for each in one.first.alternatives] == [other.name]


def test_nobody_is_listed_of_whom_a_reader_has_not_read(quay: Session) -> None:
    with pytest.raises(NotFoundError):
        present(quay, "Story/02.md", as_of=1)
    assert present(quay, "Story/03.md") == []
    text = quay.call("list_note_entities", {"note": "Story/03.md"}).as_text()
    assert text == "Story/03.md (place 3 in reading order): nobody is named here."


def test_the_text_has_each_mention_at_its_place_without_comments(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Hope.md": "---\ntype: person\n---\n",
        "Story/01 A.md": "Dusk.\n\n%% Hope lies. %%\nThen [[Hope]] came, %%she%% and Hope sat.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    answer: Any = session.call("list_note_entities", {"note": "1", "include_text": True})
    (passage,) = answer.passages
    assert passage.text == "Dusk.\n\nThen [[Hope]] came,  and Hope sat."
    found = [(one.name, passage.text[one.start : one.end]) for one in passage.mentions]
    assert found == [("Hope", "Hope"), ("Hope", "Hope")]
    assert [one.start for one in passage.mentions] == [14, 32]


def test_a_chapter_tells_where_its_people_were_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Greta Lund.md": PERSON,
        **{f"Story/0{at} A.md": "Greta Lund came.\n" for at in (1, 2, 4)},
        "Story/03 A.md": "Nobody came.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    told = []
    for chapter in ("1", "2", "4"):
        answer: Any = session.call("list_note_entities", {"note": chapter})
        told.append((answer.entities[0].met_before, answer.entities[0].last_before))
    assert told == [(None, None), (1, 1), (1, 2)]
