"""What was found in the vault: its chapters in order, its plans, its people and places."""

from itertools import chain
from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.words import SORTS, counted, note_answers, order_answers, says

PATH, TITLE, NAV, KEY = "/", "Your vault", 1, "1"

MOST, MOST_NOTES = 12, 200
"""Most people, and most of each other sort, that the first page shows; and most notes of a role."""

SHELVES = (
    ("plan", "Plans", "They are never told as chapters, and nothing in them counts as told."),
    ("reference", "Reference", "Looked up, not told."),
    ("index", "Lists of notes", ""),
    ("other", "Other notes", "Read, but neither chapters nor plans."),
)
NOUNS = ("people", "places", "groups", "things", "creatures", "events", "ideas")


def show(ask: Asked) -> dict[str, Any]:
    """Return the notes by what they are, each with the reason, and who there is."""
    notes = ask.every("list_notes", "notes")
    chapters = [one for one in notes if one.position is not None]
    paths = [one.path for one in chapters]
    lost = [one for one in notes if one.role == "manuscript" and one.position is None]
    shelves = [
        (title, why, [one for one in notes if one.role == role and one.position is None])
        for role, title, why in SHELVES
    ]
    listed = (chapters, *(members[:MOST_NOTES] for members in (lost, *(one[2] for one in shelves))))
    answers = {one.path: note_answers(ask.words, one.path, one.role) for one in chain(*listed)}
    for before, path, after in zip([None, *paths], paths, [*paths[1:], None], strict=False):
        answers[path] = [*order_answers(ask.words, path, before, after), *answers[path]]
    groups = []
    for sort, nouns in zip(SORTS, NOUNS, strict=True):
        found = ask.list_entities(types=[sort], limit=MOST)
        noun = says(sort).partition(" ")[2]
        groups.append((sort, nouns, found, counted(found.total, noun, nouns)))
    return {
        "chapters": chapters,
        "lost": lost,
        "shelves": [one for one in shelves if one[2]],
        "groups": [one for one in groups if one[2].total],
        "answers": answers,
        "most": MOST_NOTES,
    }
