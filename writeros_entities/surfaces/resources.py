"""Notes and entities as MCP resources, which a client can attach to a conversation by address.

`vault://note/Characters/Elizabeth%20Bennet.md` is a note as indexed, `vault://entity/ID` what the
index has on an entity; `?as_of=7` limits either to what a reader knows by then. Notes are listed in
pages; entities are too many to list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import mcp_types as types

from writeros_entities.errors import NotFoundError
from writeros_entities.names import storable
from writeros_entities.surfaces.bounds import ANSWER_TOKENS, bounded_answer

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
    capabilities: Mapping[str, Capability[Any, Any]],
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
                title=path.rpartition("/")[2].removesuffix(".md"),
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
