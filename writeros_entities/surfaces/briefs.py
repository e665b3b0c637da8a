"""The built-in prompts: what a writer asks a model about the novel.

Each calls capabilities, all as of one reading position, and quotes their answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from writeros_entities.capabilities.answers import counted
from writeros_entities.capabilities.context.brief_scene import BriefScene
from writeros_entities.capabilities.context.build_context import BuildContext
from writeros_entities.capabilities.context.context_for_text import ContextForText
from writeros_entities.capabilities.context.parts import MOST_TOKENS
from writeros_entities.capabilities.continuity.check_continuity import CheckContinuity
from writeros_entities.capabilities.entities.get_entity import GetEntity
from writeros_entities.capabilities.entities.list_entities import ListEntities
from writeros_entities.capabilities.time.get_entity_history import GetEntityHistory
from writeros_entities.capabilities.time.get_relationship_timeline import GetRelationshipTimeline
from writeros_entities.errors import NotFoundError
from writeros_entities.names import nearest_names
from writeros_entities.surfaces.templates import PromptArgument, PromptTemplate, Quotation

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.parts import ContextBuildResult
    from writeros_entities.capabilities.entities.get_entity import EntityDetail
    from writeros_entities.capability import Request, Response
    from writeros_entities.session import Session
    from writeros_entities.story.notes import Chapter

CONTEXT_TOKENS = 3_000
CHAPTER_ROOM = 20_000
SHEETS_ROOM = 12_000
NAMES = 60
MOST_LEFT_OUT = 20
"""How many of those that are left out are named."""

_SOURCE = "the vault's index"


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
    session: Session, heading: str, asked: Request, room: int = 8_000, left_out: Sequence[str] = ()
) -> Quotation:
    """Return a capability's answer as a quotation for a prompt."""
    return Quotation(heading, _without_paging(session.call(asked)), _SOURCE, room, left_out)


def _without_paging(answer: Response) -> str:
    """Return an answer's text; who reads a prompt cannot ask for a further page."""
    return answer.as_text().replace(" (limit, offset).", ".")


# -- What each prompt quotes ---------------------------------------------------------------------


def _quote_character(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    name, as_of = given["entity"], given.get("as_of")
    yield _answer(session, "The sheet", GetEntity(entity=name, as_of=as_of))
    history = GetEntityHistory(entity=name, as_of=as_of)
    yield _answer(session, "What a reader learns, in order", history)
    timeline = GetRelationshipTimeline(entity=name, as_of=as_of, limit=10)
    yield _answer(session, "Relationships, the strongest first", timeline, room=4_000)
    about = BuildContext(entities=(name,), as_of=as_of, max_tokens=CONTEXT_TOKENS)
    yield _context("In the text, in the story's order", session.call(about))


def _context(heading: str, built: ContextBuildResult) -> Quotation:
    """Quote the passages of a context in the story's order, those outside the manuscript last."""
    chunks = sorted(
        built.chunks,
        key=lambda one: (one.position is None, one.position or 0, one.path, one.start),
    )
    text = built.model_copy(update={"chunks": chunks}).as_text()
    more = sum(one.chunks for one in built.omitted)
    return Quotation(heading, text, _SOURCE, 16_000, [counted(more, "more passage")] * bool(more))


def _quote_scene(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    chapter = session.read_chapter(given["scene"])
    brief = session.call(BriefScene(scene=chapter.path, max_tokens=CONTEXT_TOKENS))
    whole = session.call(BriefScene(scene=chapter.path, max_tokens=MOST_TOKENS, max_cast=20))
    told_of = {member.entity.id for member in brief.cast}
    others = [one.entity.name for one in whole.cast if one.entity.id not in told_of]
    left_out = _named("others of the cast", others, brief.cast_total - len(whole.cast))
    left_out += [
        f"{one.number} more of {one.part}"
        for one in brief.omitted
        if one.number and one.part != "cast"
    ]
    yield Quotation("The scene", brief.as_text(), _SOURCE, 16_000, left_out)
    yield _chapter_text(chapter)


def _named(what: str, names: Sequence[str], more: int = 0) -> list[str]:
    """Return the phrase for names that are left out: the first of them, and how many more."""
    more += len(names) - len(names[:MOST_LEFT_OUT])
    said = [*names[:MOST_LEFT_OUT], *([f"{more} more"] if more else [])]
    return [f"{what}: {', '.join(said)}"] if said else []


def _quote_chapter(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    chapter = session.read_chapter(given["scene"])
    rules = CheckContinuity(as_of=chapter.position, min_confidence=0.5)
    yield _answer(session, "What the rules find so far", rules)
    if chapter.text:
        yield from _quote_cast(session, chapter)
    yield _chapter_text(chapter)


def _quote_cast(session: Session, chapter: Chapter) -> Iterator[Quotation]:
    """Quote who is in a chapter, and what the vault says about them as of that chapter."""
    answer = session.call(
        ContextForText(
            text=chapter.text,
            note=chapter.path,
            as_of=chapter.position,
            max_tokens=CONTEXT_TOKENS,
        )
    )
    sheets, others, room = [], [], SHEETS_ROOM
    for one in answer.found:
        if one.is_told_of:
            about = GetEntity(entity=one.entity.id, relations=10, as_of=chapter.position)
            sheet = _without_paging(session.call(about))
            if len(sheet) <= room:
                room -= len(sheet)
                sheets.append(sheet)
                continue
        others.append(one.entity.name)
    if sheets:
        left_out = _named(
            "others that the text names", others, answer.found_count - len(answer.found)
        )
        text = "\n\n".join(sheets)
        yield Quotation("Who is there", text, _SOURCE, len(text), left_out)
        yield _context("What is told of them, in the story's order", answer.context)


def _chapter_text(chapter: Chapter) -> Quotation:
    left_out = [] if chapter.text else ["the text, as none is written yet"]
    return Quotation("The text", chapter.text, chapter.path, CHAPTER_ROOM, left_out)


def _quote_names(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    types = tuple(name.strip() for name in given.get("types", "").split(",") if name.strip())
    as_of = given.get("as_of")
    listed = session.call(ListEntities(types=types, as_of=as_of, limit=2 * NAMES))
    met = sorted(
        listed.entities[:NAMES],
        key=lambda one: (one.first_position is None, one.first_position or 0),
    )
    sheets = [
        session.call(GetEntity(entity=one.id, relations=0, as_of=as_of)).entity for one in met
    ]
    lines = [_line_of_names(sheet) for sheet in sheets if sheet is not None]
    rest = [one.name for one in listed.entities[NAMES:]]
    left_out = _named("names that are used less", rest, listed.total - len(listed.entities))
    heading = "Names, in the order in which a reader meets them"
    yield Quotation(heading, "\n".join(lines), _SOURCE, 12_000, left_out)
    rules = CheckContinuity(rules=("confusable-names",), as_of=as_of, min_confidence=0)
    yield _answer(session, "Names that the rules find too much alike", rules)


def _line_of_names(entity: EntityDetail) -> str:
    forms = [
        f"{name.form} ({name.mentions})"
        for name in entity.names
        if name.form != entity.name and name.mentions
    ]
    also = f", also {', '.join(forms)}" if forms else ""
    return f"- {entity.name} ({entity.type}, {counted(entity.mention_count, 'mention')}){also}"


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
        "they are, what they want, how they stand to others, what has changed, how they speak.",
        "Answer in Markdown, at most 400 words: a sentence on who they are; then the sections "
        "Wants, Relations, Changes (in the story's order) and Voice (with two short quotes). Put "
        "the chapter in brackets after each statement, and end with what is not told.",
        (PromptArgument("entity", "The character's name or id."), _AS_OF),
        _quote_character,
    ),
    PromptTemplate(
        "scene_brief",
        "Brief me on a scene: who is there, and what each of them is by then.",
        "Prepare the writer of the novel to work on this scene: who is there and what each knows "
        "and wants by now, how they stand to each other, what is still open. Use nothing that "
        "comes later.",
        "Answer in Markdown, at most 500 words: the sections Where and when, Who (a line each: "
        "what they know, what they want), Between them, and Open (as a list). Put the chapter in "
        "brackets after what is from an earlier one.",
        (_SCENE,),
        _quote_scene,
    ),
    PromptTemplate(
        "continuity_review",
        "Review a chapter for what contradicts anything told up to it.",
        "Look for contradictions between this chapter and what was told before it: who knows what, "
        "who is where, who is alive, ages, looks, names, relations, days and distances. List no "
        "matters of style.",
        "Answer with a numbered list, in the order of the chapter's text: what contradicts what; "
        "both passages, quoted, each with its chapter; how sure you are (certain, likely, "
        "possible). If there is nothing, say only that.",
        (_SCENE,),
        _quote_chapter,
    ),
    PromptTemplate(
        "name_sheet",
        "Make a sheet of names and aliases, and say which are easily confused.",
        "Make a style sheet of names for the novel's editor: each name as it should be spelled, "
        "and its aliases. Then list names that a reader may confuse, and spellings that look like "
        "slips.",
        "Answer with three Markdown tables: Names (name, what it is, aliases), in the order given; "
        "Easily confused (name, name, why); Slips (spelling, probably meant, why). Leave out a "
        "table that would be empty.",
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
