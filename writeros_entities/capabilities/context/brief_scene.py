"""What to know before writing or judging a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.context.brief_parts import SceneBrief
from writeros_entities.capabilities.context.parts import MOST_TOKENS
from writeros_entities.capability import AsOf, NoteName, Request, capability

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace


class BriefScene(Request["SceneBrief"]):
    """Which scene, and how long its brief may be."""

    scene: Annotated[
        NoteName, Field(description="The scene's note, by path or title, or its chapter's number.")
    ]
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
def brief_scene(workspace: Workspace, request: BriefScene) -> SceneBrief:
    """Sum up what to know for a scene: cast, place, time, relations, open threads, voices.

    By default as of the scene itself: what comes before it and its own words, but nothing later.

    Last appearances and voices are taken from before the scene if possible. All of it fits the
    budget; `omitted` says what was left out.
    """
    from writeros_entities.capabilities.context.briefing import Briefing
    from writeros_entities.capabilities.context.budget import fit_brief
    from writeros_entities.story.scene_notes import find_scene

    as_of, scene = request.as_of, request.scene
    if as_of is None:
        with workspace.view() as view:
            found = find_scene(view, workspace.plugins, scene)
            as_of, scene = found.position, found.path
    with workspace.view(as_of) as view:
        note = find_scene(view, workspace.plugins, scene)
        briefing = Briefing(workspace, view, note, request.max_cast)
        whole = briefing.write(request.quiet_chapters, request.max_tokens)
    plugins, settings = workspace.plugins, workspace.settings
    counter = plugins.token_counter(request.token_counter or settings.token_counter)
    return fit_brief(whole, counter, request.max_tokens)
