"""Draw a graph into a file, if that is allowed.

The file must have the extension of its format. An existing file is replaced only if this program
wrote it. Inside the vault, only the folder of the setting `output_folder` may be written to; a
server writes nowhere else, and takes paths as relative to the vault.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import EntityRef, counted, omitted
from writeros_entities.capabilities.graph.get_entity_graph import ChosenGraph, Form, choose_part
from writeros_entities.capability import Response, capability
from writeros_entities.errors import RequestError
from writeros_entities.vault.canvas import GENERATOR
from writeros_entities.vault.files.disk import replace_file

if TYPE_CHECKING:
    from writeros_entities.view import View
    from writeros_entities.workspace import Workspace

ENDINGS = {
    "json": (".json",),
    "mermaid": (".mmd", ".mermaid"),
    "canvas": (".canvas",),
    "graphml": (".graphml",),
    "html": (".html", ".htm"),
}
_FORBIDDEN = frozenset('\\/:*?"<>|#^[]')
_HEAD = 1_000
"""Number of characters at the start of a file that are searched for its generator."""

_LONGEST_TITLE = 50
"""Most characters of a title in the name of a file: of four bytes each, they fit every disk."""


class DrawEntityGraph(ChosenGraph["DrawnGraph"]):
    """Which part of the graph, and into which file."""

    format: Annotated[Literal[Form, "json"], Field(description="Of the file.")] = "html"
    output: Annotated[
        str | None,
        Field(
            description="The file; else one named for what it shows, in the vault's folder for "
            "graphs."
        ),
    ] = None


class DrawnGraph(Response):
    """The file that was written, and what it shows."""

    written: str
    center_entity: EntityRef | None
    node_count: int = Field(description="Entities in the file.")
    edge_count: int = Field(description="Relations in the file.")
    total_nodes: int = Field(description="Entities that the request would show without a limit.")

    def as_text(self) -> str:
        """Return where the file is, how much it shows, and how much it leaves out."""
        size = f"{counted(self.node_count, 'entity')}, {counted(self.edge_count, 'relation')}"
        left_out = omitted(self.node_count, self.total_nodes, "entity", "max_nodes")
        return f"Written: {self.written} ({size})." + left_out


@capability(family="graph", writes=True, offered=False)
def draw_entity_graph(view: View, session: Workspace, request: DrawEntityGraph) -> DrawnGraph:
    """Draw into a file what `get_entity_graph` shows: a web page, a canvas, Mermaid, GraphML, data.

    The page works offline. A file that is there already is replaced only if this program wrote it.
    """
    path = None if request.output is None else _checked(session, request.output, request.format)
    part = choose_part(view, request)
    if path is None:
        name = _as_file_name(part.title, view.as_of) + ENDINGS[request.format][0]
        own = session.root / session.settings.output_folder / name
        path = _checked(session, str(own), request.format)
    if request.format == "json":
        answer = part.answer(view, request)
        data = answer.model_dump(mode="json", exclude={"content"})
        told = {"generator": GENERATOR} | data
        content = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    else:
        content = part.drawn(view, request.format)
    _write(session, path, content)
    return DrawnGraph(
        written=str(path),
        center_entity=part.center,
        node_count=len(part.nodes),
        edge_count=len(part.edges),
        total_nodes=part.total,
    )


def _as_file_name(title: str, as_of: int | None) -> str:
    """Return a title as the name of a file, without what a system or Obsidian does not allow."""
    kept = "".join(char if char.isprintable() and char not in _FORBIDDEN else " " for char in title)
    name = " ".join(kept.split())[:_LONGEST_TITLE].rstrip()
    return name if as_of is None else f"{name} as of {as_of}"


def _checked(session: Workspace, output: str, format: str) -> Path:
    """Return the path of the file; raises RequestError if it may not be written."""
    path = _resolved(session, output)
    root = session.root.resolve()
    folder = root / session.settings.output_folder
    is_allowed = path.is_relative_to(folder) and folder != root
    if session.is_served and not is_allowed:
        raise RequestError(
            f"{output!r}: a server writes only into the vault's folder "
            f"{session.settings.output_folder!r} (setting output_folder), for example "
            f"'{session.settings.output_folder}/{path.name}'."
        )
    endings = ENDINGS[format]
    if path.suffix.lower() not in endings:
        raise RequestError(f"{output!r}: a file in the format {format} ends in {endings[0]}.")
    if path.is_relative_to(root) and not is_allowed:
        raise RequestError(
            f"{output!r} lies in the vault, of which only the folder "
            f"{session.settings.output_folder!r} is written into (setting output_folder)."
        )
    try:
        has_folder, is_there = path.parent.is_dir(), path.exists()
    except OSError as error:  # a name that no folder can hold
        raise _not_written(output, error) from None
    if not path.is_relative_to(root) and not has_folder:
        raise RequestError(f"{output!r}: there is no folder {path.parent}.")
    if is_there and not _is_ours(path):
        raise RequestError(f"{output!r} exists and was not written by this program: left as it is.")
    return path


def _write(session: Workspace, path: Path, content: str) -> None:
    """Write the file atomically."""
    try:
        if path.is_relative_to(session.root.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content.encode("utf-8", "replace"))
    except OSError as error:
        raise _not_written(str(path), error) from None


def _not_written(output: str, error: OSError) -> RequestError:
    return RequestError(f"{output!r} cannot be written: {error.strerror}.")


def _resolved(session: Workspace, output: str) -> Path:
    if session.is_served:
        return (session.root / output).resolve()
    return Path(output).expanduser().resolve()


def _is_ours(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return GENERATOR in file.read(_HEAD)
    except OSError:
        return False
