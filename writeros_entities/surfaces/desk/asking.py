"""What a screen gets: the address, how far the writer has read, and the capabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus, urlencode

from writeros_entities.errors import WriterosError

if TYPE_CHECKING:
    from writeros_entities.session import Session

PAGE, PART = 500, 50
"""Most items that a capability lists at a time, and that a page shows at a time."""


@dataclass(frozen=True)
class Asked:
    """One request of a page: its address's path and parameters, and whom to ask."""

    path: str
    query: Mapping[str, str]
    session: Session
    chapters: Sequence[Any]
    """The notes of the manuscript in reading order, all of them."""

    all_questions: Sequence[Any] = ()
    """What the writer could decide, of the whole vault."""

    words: Mapping[str, str] = field(default_factory=dict)
    """How lines of decisions say things, as `decide` tells it."""

    def __getattr__(self, capability: str) -> Any:
        """Return a function that calls a capability, as of what has been read.

        A field that the writer leaves empty is not asked for.
        """
        if capability.startswith("_"):
            raise AttributeError(capability)

        def call(**arguments: Any) -> Any:
            if "as_of" in self.session.capabilities[capability].request.model_fields:
                arguments.setdefault("as_of", self.as_of)
            given = {name: value for name, value in arguments.items() if value not in ("", [""])}
            return self.session.call(capability, given)

        return call

    def tried(self, capability: str, **arguments: Any) -> dict[str, Any]:
        """Return the answer of a capability as `found`, or why there is none as `trouble`."""
        try:
            return {"found": getattr(self, capability)(**arguments), "trouble": ""}
        except WriterosError as error:
            return {"found": None, "trouble": str(error).removeprefix(f"{capability}: ")}

    @cached_property
    def questions(self) -> Sequence[Any]:
        """What the writer could decide, as far as is read."""
        whole = self.as_of is None
        return self.all_questions if whole else self.every("list_questions", "questions")

    def get(self, name: str, default: str = "") -> str:
        """Return a parameter of the address."""
        return self.query.get(name, default).strip()

    def number(self, name: str, default: int = 0) -> int:
        """Return a parameter of the address that is a number, from 0 on."""
        given = self.get(name)
        return int(given) if given.isdecimal() and len(given) < 10 else default

    def every(self, capability: str, items: str, **arguments: Any) -> list[Any]:
        """Return all items of a paged answer."""
        found: list[Any] = []
        while True:
            answer = getattr(self, capability)(limit=PAGE, offset=len(found), **arguments)
            page = getattr(answer, items)
            found += page
            if not page or len(found) >= answer.total:
                return found

    @cached_property
    def as_of(self) -> int | None:
        """The place in reading order up to which is read; None for the whole vault."""
        return self.number("as_of", -1) if self.get("as_of") else None

    @cached_property
    def steps(self) -> list[int]:
        """The places in reading order, each once."""
        return sorted({one.position for one in self.chapters})

    @cached_property
    def step(self) -> int:
        """The number of steps read, from 0."""
        return len({one.position for one in self.read(self.as_of)})

    def read(self, as_of: int | None) -> list[Any]:
        """Return the chapters up to a place in reading order."""
        return [one for one in self.chapters if as_of is None or one.position <= as_of]

    @cached_property
    def read_up_to(self) -> Any:
        """The last chapter that is read, or None."""
        return next(reversed(self.read(self.as_of)), None)

    @property
    def part(self) -> dict[str, int]:
        """The part of its list that the page shows, as a capability asks for it."""
        return {"limit": PART, "offset": self.number("first")}

    def chapter_at(self, position: int | None) -> Any:
        """Return the first chapter at a place that is read, or None."""
        if position is None or (self.as_of is not None and position > self.as_of):
            return None
        return next((one for one in self.chapters if one.position == position), None)

    def link(self, path: str, **parameters: object) -> str:
        """Return the address of a page of the desk, with what is read."""
        given = {"as_of": self.as_of, **parameters}
        told = {name: value for name, value in given.items() if value not in (None, "")}
        return f"{path}?{_encoded(quote_plus, **told)}" if told else path

    def parted(self, first: int) -> str:
        """Return the address of this page with another part of its list."""
        return f"{self.path}?{urlencode({**self.query, 'first': first})}"

    def at(self, path: str, line: int | None = None) -> str:
        """Return the address of a note at the desk, at a line."""
        return self.link("/chapter", note=path) + (f"#line-{line}" if line else "")

    def whom(self, entity: str) -> str:
        """Return the address of the page of an entity, by its id."""
        return self.link("/entity", id=entity)

    def in_obsidian(self, path: str) -> str:
        """Return the address that opens a note in Obsidian."""
        return f"obsidian://open?{_encoded(quote, vault=self.session.root.name, file=path)}"

    @cached_property
    def here(self) -> str:
        """The address of this page, to come back to."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path


@lru_cache(4096)
def _encoded(how: Callable[..., str], /, **parameters: object) -> str:
    return urlencode(parameters, quote_via=how)
