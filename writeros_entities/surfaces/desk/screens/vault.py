"""What was found in the vault: its chapters in order, its plans, its people and places."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.words import SORTS, counted, line, link_to, says

PATH, TITLE, NAV, KEY = "/", "Your vault", 1, "1"

MOST, MOST_NOTES = 12, 200
"""Most people, and most of each other sort, that the first page shows; and most notes of a role."""

SHELVES = (
    ("manuscript", "Chapters without a place", "Nothing says when they are told."),
    ("plan", "Plans", "They are never told as chapters, and nothing in them counts as told."),
    ("reference", "Reference", "Looked up, not told."),
    ("index", "Lists of notes", ""),
    ("other", "Other notes", "Read, but neither chapters nor plans."),
)
NOUNS = ("people", "places", "groups", "things", "creatures", "events", "ideas")


def show(ask: Asked) -> dict[str, Any]:
    """Return the notes by what they are, each with the reason, and who there is."""
    chapters = ask.read(ask.as_of)
    paths = [one.path for one in chapters]
    shelves = []
    for role, title, why in SHELVES:
        placed = sum(one.role == role for one in chapters)
        notes = ask.list_notes(role=role, offset=placed, limit=MOST_NOTES)
        shelves.append((title, why, notes.notes, notes.total - placed))
    moves = {path: _moves(ask, paths, at) for at, path in enumerate(paths)}
    groups = []
    for sort, nouns in zip(SORTS, NOUNS, strict=True):
        found = ask.list_entities(types=[sort], limit=MOST)
        noun = says(sort).partition(" ")[2]
        groups.append((sort, nouns, found, counted(found.total, noun, nouns)))
    return {
        "chapters": chapters,
        "lost": shelves[0],
        "shelves": [one for one in shelves[1:] if one[2]],
        "groups": [one for one in groups if one[2].total],
        "moves": moves,
    }


def _moves(ask: Asked, paths: list[str], at: int) -> list[tuple[str, str]]:
    """Return how a chapter could be told earlier or later, each with the line that says so."""
    return [
        (says_, line(ask.words, kind, link_to(paths[at]), link_to(paths[other])))
        for says_, kind, other in (("earlier", "before", at - 1), ("later", "after", at + 1))
        if 0 <= other < len(paths)
    ]
