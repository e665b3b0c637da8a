"""The built-in prompts: what a writer asks a model about the novel.

Each calls capabilities, all as of one reading position, and quotes their answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from writeros_entities.capabilities.answers import counted
from writeros_entities.errors import NotFoundError
from writeros_entities.names import nearest_names
from writeros_entities.surfaces.templates import PromptArgument, PromptTemplate, Quotation

if TYPE_CHECKING:
    from writeros_entities.query.vault.notes import Chapter
    from writeros_entities.session import Session

CONTEXT_TOKENS = 3_000
CHAPTER_ROOM = 20_000
NAMES = 60


def find_template(name: str, known: Iterable[PromptTemplate]) -> PromptTemplate:
    """Return the prompt with a name; raise NotFoundError with the nearest names."""
    templates = {template.name: template for template in known}
    if name not in templates:
        raise NotFoundError("prompt", name, nearest_names(name, templates) or list(templates))
    return templates[name]


def fill(session: Session, name: str, arguments: Mapping[str, str | int | None]) -> str:
    """Return the text of a prompt, filled from the vault.

    Raises NotFoundError, with the nearest names, for an unknown prompt.
    """
    return find_template(name, TEMPLATES).fill(session, arguments)


def _answer(
    session: Session, heading: str, capability: str, asked: Mapping[str, Any], room: int = 8_000
) -> Quotation:
    """Return a capability's answer as a quotation for a prompt."""
    text = session.call(capability, asked).as_text()
    return Quotation(heading, text, f"the vault, by {capability}", room)


# -- What each prompt quotes ---------------------------------------------------------------------


def _quote_character(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    about = {"entity": given["entity"], "as_of": given.get("as_of")}
    yield _answer(session, "The sheet", "get_entity", about)
    yield _answer(session, "What a reader learns, in order", "get_entity_history", about)
    few = {**about, "limit": 10}
    yield _answer(session, "Relationships", "get_relationship_timeline", few, room=4_000)
    context = {
        "entities": [given["entity"]],
        "as_of": given.get("as_of"),
        "max_tokens": CONTEXT_TOKENS,
    }
    yield _answer(session, "In the text", "build_context", context, room=16_000)


def _quote_scene(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    chapter = session.read_chapter(given["scene"])
    asked = {"scene": chapter.path, "max_tokens": CONTEXT_TOKENS}
    yield _answer(session, "The scene", "brief_scene", asked, room=16_000)
    yield _chapter_text(chapter)


def _quote_chapter(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    chapter = session.read_chapter(given["scene"])
    rules = {"as_of": chapter.position, "min_confidence": 0.5}
    yield _answer(session, "What the rules find so far", "check_continuity", rules)
    yield from _quote_cast(session, chapter)
    yield _chapter_text(chapter)


def _quote_cast(session: Session, chapter: Chapter) -> Iterator[Quotation]:
    """Quote who is in a chapter, and what the vault says about them as of that chapter."""
    asked = {"text": chapter.text, "note": chapter.path, "as_of": chapter.position}
    answer = session.call("context_for_text", {**asked, "max_tokens": CONTEXT_TOKENS})
    found = answer.model_dump()["found"]
    told_of = [one["entity"]["id"] for one in found if one["is_told_of"]]
    sheets = [
        session.call(
            "get_entity", {"entity": key, "relations": 10, "as_of": chapter.position}
        ).as_text()
        for key in told_of
    ]
    if sheets:
        yield Quotation("Who is there", "\n\n".join(sheets), "the vault, by get_entity", 12_000)
        context = answer.as_text()
        yield Quotation("What is told of them", context, "the vault, by context_for_text", 16_000)


def _chapter_text(chapter: Chapter) -> Quotation:
    return Quotation("The text", chapter.text, chapter.path, CHAPTER_ROOM)


def _quote_names(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    types = [name.strip() for name in given.get("types", "").split(",") if name.strip()]
    as_of = given.get("as_of")
    listed = session.call("list_entities", {"types": types, "as_of": as_of, "limit": NAMES})
    lines = []
    for one in listed.model_dump()["entities"]:
        asked = {"entity": one["id"], "relations": 0, "as_of": as_of}
        lines.append(_line_of_names(session.call("get_entity", asked).model_dump()["entity"]))
    yield Quotation("Names", "\n".join(lines), "the vault, by get_entity", 12_000)
    rules = {"rules": ["confusable-names"], "as_of": as_of, "min_confidence": 0}
    yield _answer(session, "Names that the rules find too much alike", "check_continuity", rules)


def _line_of_names(entity: Mapping[str, Any]) -> str:
    forms = [
        f"{name['form']} ({name['mentions']})"
        for name in entity["names"]
        if name["form"] != entity["name"] and name["mentions"]
    ]
    also = f", also {', '.join(forms)}" if forms else ""
    mentions = counted(entity["mention_count"], "mention")
    return f"- {entity['name']} ({entity['type']}, {mentions}){also}"


# -- The prompts ---------------------------------------------------------------------------------

_AS_OF = PromptArgument(
    "as_of", "Only what a reader has met by this chapter: its name or number.", required=False
)
_SCENE = PromptArgument("scene", "A chapter or scene of the manuscript: its name or number.")

TEMPLATES: tuple[PromptTemplate, ...] = (
    PromptTemplate(
        "character_brief",
        "Brief me on a character, or anything else that has a name, as of a chapter.",
        "Write a brief of what is told of this character so far, for the writer of the novel: who "
        "they are, what they want, how they stand to others, what has changed, how they speak. "
        "Give the chapter of each statement.",
        (PromptArgument("entity", "The character's name or id."), _AS_OF),
        _quote_character,
    ),
    PromptTemplate(
        "scene_brief",
        "Brief me on a scene: who is there, and what each of them is by then.",
        "Prepare the writer of the novel to work on this scene: who is there and what each knows "
        "and wants by now, how they stand to each other, what is still open. Use nothing that "
        "comes later.",
        (_SCENE,),
        _quote_scene,
    ),
    PromptTemplate(
        "continuity_review",
        "Review a chapter for what contradicts anything told up to it.",
        "Look for contradictions between this chapter and what was told before it: who knows what, "
        "who is where, who is alive, ages, looks, names, relations, days and distances. For each, "
        "quote both passages with their chapters, and say how sure you are. List no matters of "
        "style.",
        (_SCENE,),
        _quote_chapter,
    ),
    PromptTemplate(
        "name_sheet",
        "Make a sheet of names and aliases, and say which are easily confused.",
        "Make a style sheet of names for the novel's editor: each name as it should be spelled, "
        "its aliases and who uses them. Then list names that a reader may confuse, and spellings "
        "that look like slips.",
        (
            PromptArgument(
                "types", "Only entities of these types, separated by commas.", required=False
            ),
            _AS_OF,
        ),
        _quote_names,
    ),
)
"""All built-in prompts."""
