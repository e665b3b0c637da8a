"""Serve what the official suite requires, with the product's own server.

The suite calls tools and prompts with fixed names. Here these are capabilities and prompt templates
like any other, so that the whole way from declaration to answer is tested.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from writeros_entities import Capability, Request, Response, VaultError
from writeros_entities.capability import capability
from writeros_entities.progress import Progress
from writeros_entities.surfaces.guard import Access
from writeros_entities.surfaces.http import address_of, listen, serve_http
from writeros_entities.surfaces.mcp import ServerOptions, build_server
from writeros_entities.surfaces.templates import PromptArgument, PromptTemplate, Quotation

from ..surfaces.toys import FakeWorkspace

if TYPE_CHECKING:
    from writeros_entities.session import Session
    from writeros_entities.workspace import Workspace


logger = logging.getLogger("writeros_entities.suite")


class Nothing(Request):
    """Nothing to choose."""


class Said(Response):
    """A text."""

    text: str

    def as_text(self) -> str:
        return self.text


@capability(family="suite")
def test_simple_text(session: Workspace, request: Nothing) -> Said:
    """Say the sentence that the suite expects."""
    return Said(text="This is a simple text response for testing.")


@capability(family="suite")
def test_error_handling(session: Workspace, request: Nothing) -> Said:
    """Refuse, as the suite expects."""
    raise VaultError("This tool intentionally returns an error for testing")


@capability(family="suite", slow=True)
def test_tool_with_progress(session: Workspace, request: Nothing) -> Said:
    """Report progress, as the suite expects."""
    for stage in ("opening", "reading", "closing"):
        session.progress.update(stage, 1, 1)
    return Said(text="Done.")


@capability(family="suite")
def test_tool_with_logging(session: Workspace, request: Nothing) -> Said:
    """Log, as the suite expects."""
    for step in ("started", "processing data", "completed"):
        logger.info("Tool %s", step)
    return Said(text="Done.")


SUITE: dict[str, Capability[Any, Any]] = {
    one.name: one
    for one in (
        test_simple_text,
        test_error_handling,
        test_tool_with_progress,
        test_tool_with_logging,
    )
}


def quote(session: Session, given: Mapping[str, str]) -> Iterator[Quotation]:
    for name, text in given.items():
        yield Quotation(name, text, "the suite")


ARGUMENTS = (PromptArgument("arg1", "The first."), PromptArgument("arg2", "The second."))
TEMPLATES = (
    PromptTemplate("test_simple_prompt", "A prompt.", "Do this.", "In a line.", (), quote),
    PromptTemplate(
        "test_prompt_with_arguments", "Another.", "Do that.", "In a line.", ARGUMENTS, quote
    ),
)


class SuiteWorkspace(FakeWorkspace):
    """A workspace with the capabilities that the suite calls."""

    def __init__(self, progress: Progress | None = None) -> None:
        super().__init__(progress=progress)
        self.capabilities = SUITE

    def reporting(self, progress: Progress) -> FakeWorkspace:
        return SuiteWorkspace(progress)


def main() -> None:
    """Serve on a free local port, without a token, and print the address."""
    workspace = SuiteWorkspace().as_workspace()
    server = build_server(workspace, options=ServerOptions(templates=TEMPLATES))
    with listen("127.0.0.1", 0) as listener:
        print(address_of(listener), file=sys.stderr, flush=True)
        serve_http(server, listener, Access())
