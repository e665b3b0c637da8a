"""The sentences of a note, from what is stored of its page."""

from writeros_entities.language.marking import mark_note
from writeros_entities.language.marks import Part, unpack_marks
from writeros_entities.language.told import ToldSentence, read_told
from writeros_entities.vault.notes import parse_note

NOTE = """\
---
pov: "[[Ann Reed|Ann]]"
---
# The Ford

"Wait," said [[Ann Reed|Ann]]. *Bo* ran.

***

weather:: It rained. Hard.
- the mill
- the **ford**

| who | where |
| --- | --- |
| Bo | the [[Old Mill]] |

```
code. Not told.
```
"""


def told(text: str, begin: int = 0, end: int | None = None) -> list[ToldSentence]:
    marks = unpack_marks(mark_note(parse_note("Ford.md", text.encode())))
    return list(read_told(marks, text[begin:end], begin))


def test_a_note_is_told_in_sentences_without_what_it_is_written_in() -> None:
    assert [" ".join(one.text.split()) for one in told(NOTE)] == [
        '"Wait," said Ann.',
        "Bo ran.",
        "It rained.",
        "Hard.",
        "the mill",
        "the ford",
        "who | where",
        "Bo | the Old Mill",
    ]


def test_a_sentence_stands_in_the_file_with_the_whole_of_its_links() -> None:
    spans = [NOTE[one.start : one.end] for one in told(NOTE)]
    assert spans[0] == '"Wait," said [[Ann Reed|Ann]].'
    assert spans[-1] == "Bo | the [[Old Mill]]"


def test_narration_has_blanks_for_what_is_said() -> None:
    assert told(NOTE)[0].narration == "        said Ann."


def test_the_first_sentence_behind_a_break_says_so() -> None:
    assert [one.text for one in told(NOTE) if one.follows_break] == ["It rained."]


def test_items_and_rows_are_known_as_such() -> None:
    assert [one.is_row for one in told(NOTE)] == [False] * 4 + [True] * 4


def test_a_name_in_a_cell_is_found_without_the_bar_before_it() -> None:
    row = told(NOTE)[-1]
    start = NOTE.index("Old Mill")
    found = row.find(start, start + len("Old Mill"))
    assert found is not None
    assert row.text[slice(*found)] == "Old Mill"
    cell = NOTE.index("the [[")
    start, end = row.find(cell, cell + 3) or (0, 0)
    assert (row.text[start:end], row.text[:start].strip()) == ("the", "Bo   |")


def test_what_a_reader_may_not_see_yet_is_passed_over() -> None:
    hidden = NOTE.index("***"), NOTE.index("- the mill")
    blank = "".join(one if one == "\n" else " " for one in NOTE[slice(*hidden)])
    seen = NOTE[: hidden[0]] + blank + NOTE[hidden[1] :]
    marks = unpack_marks(mark_note(parse_note("Ford.md", NOTE.encode())))
    sentences = list(read_told(marks, seen, 0))
    assert [one.text for one in sentences][:4] == [
        '"Wait," said Ann.',
        "Bo ran.",
        "the mill",
        "the ford",
    ]
    assert not any(one.follows_break for one in sentences)


def test_a_part_of_a_note_is_told_at_its_offsets_in_the_file() -> None:
    begin = NOTE.index("weather")
    part = told(NOTE, begin, NOTE.index("- the mill"))
    assert [NOTE[one.start : one.end] for one in part] == ["It rained.", "Hard."]


def test_an_item_below_another_is_prose_in_a_part_of_its_own() -> None:
    text = "- the mill\n\n\t- [[Ann]] lives there\n"
    begin = text.index("\t-")
    part = Part(text[begin:], begin, mark_note(parse_note("Mill.md", text.encode())))
    assert part.prose("|").split() == ["|Ann", "lives", "there"]
