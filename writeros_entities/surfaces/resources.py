"""Notes and entities as MCP resources, which a client can attach to a conversation by address.

`vault://note/Characters/Elizabeth%20Bennet.md` is a note as indexed, `vault://entity/ID` what the
index has on an entity; `?as_of=7` limits either to what a reader knows by then. Notes are listed in
pages; entities are too many to list.

Completion of arguments of prompts and addresses: names, chapters, notes, types.

    suggest(session, "entity", "isol", {"as_of": "7"}).values    # ["Isolde Marrow"]

Clients ask while the user types. What an argument means depends on its name only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote, unquote

import mcp_types as types

from writeros_entities.errors import NotFoundError
from writeros_entities.names import fold_name, storable
from writeros_entities.surfaces.bounds import ANSWER_TOKENS, bounded_answer
from writeros_entities.values.notes import note_name

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.session import Session


NOTE = "vault://note/"
ENTITY = "vault://entity/"
MARKDOWN = "text/markdown"

_CURSOR = re.compile(r"\d{1,18}")
_OPEN = re.compile(r"\{[+?]?([a-z_,]+)\}")
_AS_OF = re.compile(r"\?as_of=([^?&#]*)\Z")


def resource_templates(
    capabilities: Mapping[str, Capability],
) -> list[types.ResourceTemplate]:
    """Return the templates of resource addresses."""
    templates = [
        types.ResourceTemplate(
            name="note",
            title="Note",
            uri_template=NOTE + "{+path}{?as_of}",
            description="A note of the vault as it was indexed, by its path; with as_of (a name or "
            "number of a chapter), as far as a reader has come by then. Quoted material.",
            mime_type=MARKDOWN,
        )
    ]
    if "get_entity" in capabilities:
        templates.append(
            types.ResourceTemplate(
                name="entity",
                title="Entity",
                uri_template=ENTITY + "{id}{?as_of}",
                description="What the index says of an entity, by its id or name; with as_of, as "
                "far as a reader has come by then.",
                mime_type=MARKDOWN,
            )
        )
    return templates


def arguments_of(template: str) -> set[str]:
    """Return the names of the variables in an address template."""
    return {name for names in _OPEN.findall(template) for name in names.split(",")}


def offset_of(cursor: str | None) -> int:
    """Return where the page at a cursor begins; raise NotFoundError for an invalid cursor."""
    if cursor is not None and not _CURSOR.fullmatch(cursor):
        raise NotFoundError("page at cursor", cursor)
    return int(cursor or 0)


def list_notes(workspace: Session, cursor: str | None, page: int) -> types.ListResourcesResult:
    """Return a page of the vault's notes; raise NotFoundError for an invalid cursor."""
    offset = offset_of(cursor)
    paths = workspace.list_notes(offset, page + 1)
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                name=path,
                title=note_name(path),
                uri=NOTE + quote(path),
                mime_type=MARKDOWN,
            )
            for path in paths[:page]
        ],
        next_cursor=str(offset + page) if len(paths) > page else None,
    )


def read_resource(
    workspace: Session, uri: str, answer_tokens: int = ANSWER_TOKENS
) -> types.ReadResourceResult:
    """Return the note or entity at an address; raise NotFoundError if there is none.

    A note is as indexed; what is said of an entity is an answer, of at most so many tokens.
    """
    text = _read(workspace, uri, answer_tokens)
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)]
    )


def _read(workspace: Session, uri: str, answer_tokens: int) -> str:
    address, as_of = _take_apart(uri)
    if address.startswith(NOTE):
        return workspace.read_note(storable(unquote(address.removeprefix(NOTE))), as_of)
    capability = workspace.capabilities.get("get_entity")
    if address.startswith(ENTITY) and capability is not None:
        fields = capability.request.model_fields.items()
        subject = next(name for name, field in fields if field.is_required())
        bound = {} if as_of is None else {"as_of": as_of}
        name = unquote(address.removeprefix(ENTITY))
        asked = {subject: name, **bound}
        call = partial(workspace.call, "get_entity")
        return bounded_answer(capability, call, asked, tokens=answer_tokens).text
    raise NotFoundError("resource", uri, [NOTE + "PATH", ENTITY + "ID"])


def _take_apart(uri: str) -> tuple[str, str | None]:
    """Split an address into the part before `?as_of=` and the reading position."""
    bound = _AS_OF.search(uri)
    return (uri, None) if bound is None else (uri[: bound.start()], unquote(bound[1]))


MOST = 100
"""Most suggestions that the protocol allows in an answer."""

Given: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The first values that match the typed text, and the number of all."""

    values: list[str]
    total: int


def suggest(session: Session, argument: str, typed: str, given: Given) -> Suggestions:
    """Return the values of an argument that contain the typed text; none for an unknown argument.

    `given` are arguments that are already set: with `as_of`, nothing later is suggested. Raises
    NotFoundError if its chapter is unknown.
    """
    known = _KINDS.get(argument)
    return Suggestions([], 0) if known is None else known(session, typed.strip(), given)


def _entities(session: Session, typed: str, given: Given) -> Suggestions:
    asked = {"containing": typed or None, "as_of": given.get("as_of"), "limit": MOST}
    listed = session.call("list_entities", asked).model_dump()
    return Suggestions([one["name"] for one in listed["entities"]], listed["total"])


def _chapters(session: Session, typed: str, given: Given) -> Suggestions:
    return _containing(typed, session.list_chapters())


def _notes(session: Session, typed: str, given: Given) -> Suggestions:
    return _containing(typed, session.list_notes(as_of=given.get("as_of")))


def _types(session: Session, typed: str, given: Given) -> Suggestions:
    before, comma, last = typed.rpartition(",")
    found = _containing(last.strip(), sorted(session.plugins.entity_types))
    return Suggestions([f"{before}{comma} {name}".strip() for name in found.values], found.total)


def _containing(typed: str, values: list[str]) -> Suggestions:
    wanted = fold_name(typed)
    fitting = [value for value in values if wanted in fold_name(value)]
    return Suggestions(fitting[:MOST], len(fitting))


_KINDS: Mapping[str, Callable[[Session, str, Given], Suggestions]] = {
    **dict.fromkeys(("entity", "id"), _entities),
    **dict.fromkeys(("as_of", "scene"), _chapters),
    "path": _notes,
    "types": _types,
}
