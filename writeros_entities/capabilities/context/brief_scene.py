"""What to know before writing or judging a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.context.brief_parts import SceneBrief
from writeros_entities.capabilities.context.parts import MOST_TOKENS
from writeros_entities.capabilities.entities.moments import At
from writeros_entities.capability import (
    BY_PLACE,
    AsOf,
    ChapterName,
    NoteName,
    Request,
    capability,
)
from writeros_entities.errors import RequestError

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.setting import Setting
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


class BriefScene(Request["SceneBrief"]):
    """Which scene, or who is to meet in one that is not written, and how long its brief may be."""

    scene: Annotated[
        NoteName | None,
        Field(description="The scene's note, by path or title, or its chapter's number."),
        BY_PLACE,
    ] = None
    cast: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=300)], ...],
        Field(max_length=20, description="Who is in it, if it is not written."),
    ] = ()
    place: Annotated[str | None, Field(max_length=300, description="Where it is to be.")] = None
    after: Annotated[
        ChapterName | None, Field(max_length=300, description="The chapter before it.")
    ] = None
    at: At = None
    max_tokens: Annotated[
        int, Field(ge=1, le=MOST_TOKENS, description="Tokens that the text never exceeds.")
    ] = 2000
    max_cast: Annotated[int, Field(ge=1, le=20, description="Most people to include.")] = 8
    quiet_chapters: Annotated[
        int,
        Field(ge=1, le=500, description="Chapters without a mention for an open thread."),
    ] = 3
    token_counter: Annotated[
        str | None, Field(description="Token counter; default from the settings.")
    ] = None
    as_of: AsOf = None


@capability(family="context", job="prepare to work on a scene")
def brief_scene(view: View, request: BriefScene) -> SceneBrief:
    """Sum up what to know for a scene: cast, place, time, relations, open threads, voices.

    By default as of the scene itself: what comes before it and its own words, but nothing later.
    For one that is not written, give `cast`, `place`, and `after` (default the last chapter).

    Last appearances and voices are taken from before the scene if possible. All of it fits the
    budget; `omitted` says what was left out.
    """
    from writeros_entities.capabilities.context.briefing import Briefing
    from writeros_entities.capabilities.context.budget import fit_brief

    foreseen = (request.cast, request.place, request.after, request.at)
    if request.scene is None and not request.cast:
        raise RequestError("Give the scene, or, for one that is not written, its cast.")
    if request.scene is not None and any(foreseen):
        raise RequestError(
            "A scene that is written has its own cast and place: give either the scene, or cast, "
            "place, after and at."
        )
    chapter = _chapter(view, request.scene or request.after)
    if view.as_of is None and chapter is not None:
        view = view.at(chapter.position)
        chapter = _chapter(view, chapter.path)
    briefing = Briefing(view, _setting(view, request, chapter), request.max_cast)
    whole = briefing.write(request.quiet_chapters, request.max_tokens)
    counter = view.plugins.token_counter(request.token_counter or view.settings.token_counter)
    return fit_brief(whole, counter, request.max_tokens)


def _chapter(view: View, name: str | None) -> Row | None:
    """Return the note that a name means, without one the last chapter, or None in an empty book."""
    from writeros_entities.story.notes import list_chapters
    from writeros_entities.story.scene_notes import find_scene

    if name is None:
        told = list_chapters(view)
        if not told:
            return None
        name = told[-1]
    return find_scene(view, name)


def _setting(view: View, request: BriefScene, chapter: Row | None) -> Setting:
    """Return what a brief is for; `chapter` is the scene, or comes before it."""
    from writeros_entities.capabilities.context.setting import Setting
    from writeros_entities.capabilities.entities.moments import find_moment
    from writeros_entities.story.finding import find_entity

    if request.scene is not None:
        return Setting(scene=chapter)
    if chapter is not None and chapter.position is None:
        raise RequestError(f"{chapter.path} is no chapter, so that no scene comes after it.")
    cast = [find_entity(view, one) for one in request.cast]
    return Setting(
        after=chapter,
        cast=list({row.key: row for row in cast}.values()),
        place=None if request.place is None else find_entity(view, request.place),
        moment=None if request.at is None else find_moment(view, request.at),
    )
