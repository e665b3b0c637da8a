"""Toy capabilities over a workspace without a vault: every shape that a real one can have."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from pydantic import AliasChoices, Field

from writeros_entities import AsOf, Capability, Limit, NotFoundError, Offset, Request, Response
from writeros_entities.capability import capability
from writeros_entities.progress import Progress, SilentProgress
from writeros_entities.settings import Settings
from writeros_entities.surfaces.catalogue import Catalogue

if TYPE_CHECKING:
    from writeros_entities.session import Session
    from writeros_entities.store.interruption import Interruption
    from writeros_entities.sync.freshness import Lag
    from writeros_entities.workspace import Workspace

CAST = ["Elizabeth Bennet", "Fitzwilliam Darcy", "Gánz Ágnes", "王熙鳳"]


class Person(Response):
    name: str
    chapter: int


class People(Response):
    limited: ClassVar[str | None] = "people"

    people: list[Person]
    total: int
    as_of: str | None = None

    def as_text(self) -> str:
        lines = [f"- {person.name}: chapter {person.chapter}" for person in self.people]
        return "\n".join([f"# {self.total} people", "", *lines])


class ListPeople(Request):
    match_mode: Literal["exact", "starts_with"] = Field(
        "exact", description="How names are compared."
    )
    names: list[str] = Field([], description="Only these names.")
    reverse: bool = Field(False, description="Last chapter first.")
    limit: Limit = 20
    offset: Offset = 0
    as_of: AsOf = None


@capability(family="entities")
def list_people(session: Workspace, request: ListPeople) -> People:
    """List the people of the novel, in order of appearance.

    The order is the order in which a reader meets them,
    whatever the folders say.
    """
    fake = cast(FakeWorkspace, session)
    people = [Person(name=name, chapter=number) for number, name in enumerate(fake.cast, 1)]
    if request.names and request.match_mode == "exact":
        people = [person for person in people if person.name in request.names]
    elif request.names:
        people = [person for person in people if person.name.startswith(tuple(request.names))]
    if request.reverse:
        people.reverse()
    shown = people[request.offset : request.offset + request.limit]
    return People(people=shown, total=len(people), as_of=request.as_of)


class GetEntity(Request):
    entity: str = Field(description="An entity's id or name.")


@capability(family="entities")
def get_entity(session: Workspace, request: GetEntity) -> Person:
    """Show what is known of an entity."""
    known = cast(FakeWorkspace, session).cast
    if request.entity not in known:
        raise NotFoundError("entity", request.entity, ["Elizabeth Bennet"])
    return NamedPerson(name=request.entity, chapter=known.index(request.entity) + 1)


class NamedPerson(Person):
    def as_text(self) -> str:
        return f"# {self.name}"


class Words(Response):
    words: list[str]
    ratio: float
    passage: str = ""

    def as_text(self) -> str:
        return self.passage or ", ".join(self.words)


class CountWords(Request):
    text: str = Field(description="A passage.")
    triples: list[list[str]] = Field([], description="Statements to test.")


@capability(family="search")
def count_words(session: Workspace, request: CountWords) -> Words:
    """Take a passage apart."""
    return Words(words=request.text.split(), ratio=float(len(request.triples)))


class FindCommon(Request):
    between: list[str] = Field(description="Two names or more.")
    ratio: float = Field(0.5, gt=0, le=1, description="How much they share at least.")
    count: int = Field(
        3, ge=1, validation_alias=AliasChoices("count", "topK"), description="How many."
    )


@capability(family="graph")
def find_common(session: Workspace, request: FindCommon) -> Words:
    """Find what several people have in common."""
    return Words(words=request.between[: request.count], ratio=request.ratio)


class Recite(Request):
    length: int = Field(100, ge=1, description="How many characters.")


class Recital(Response):
    length: int
    _text: str = ""

    def as_text(self) -> str:
        return "All this happened, more or less. \n" * (self.length // 34 + 1)


@capability(family="context")
def recite(session: Workspace, request: Recite) -> Recital:
    """Recite something long."""
    return Recital(length=request.length)


class ReadVault(Request):
    notes: int = Field(3, ge=0, description="How many notes there are.")


@capability(family="vault", writes=True, slow=True)
def read_vault(session: Workspace, request: ReadVault) -> Recital:
    """Read every note."""
    fake = cast(FakeWorkspace, session)
    for stage in ("reading", "embedding"):
        for done in range(request.notes + 1):
            fake.progress.update(stage, done, request.notes)
    return Recital(length=request.notes)


class CheckHealth(Request):
    broken: bool = Field(False, description="Pretend that something is broken.")


class Health(Response):
    broken: bool

    def as_text(self) -> str:
        return "Something is broken." if self.broken else "All is well."

    def is_failure(self) -> bool:
        return self.broken


@capability(family="vault")
def check_health(session: Workspace, request: CheckHealth) -> Health:
    """Say whether all is well."""
    return Health(broken=request.broken)


class Nothing(Request):
    pass


@capability(family="graph")
def meet(session: Workspace, request: Nothing) -> Health:
    """Wait for someone else who waits here."""
    fake = cast(FakeWorkspace, session)
    with fake.lock:
        fake.at_once += 1
        fake.most_at_once = max(fake.at_once, fake.most_at_once)
    fake.meeting.wait(timeout=240)
    with fake.lock:
        fake.at_once -= 1
    return Health(broken=False)


@capability(family="foreign")
def fall_over(session: Workspace, request: Nothing) -> Health:
    """Fail in a way that nobody foresaw."""
    print("a stray word")
    raise ZeroDivisionError("division by zero")


@capability(family="foreign")
def walk_out(session: Workspace, request: Nothing) -> Health:
    """End the program."""
    raise SystemExit(3)


class ReadPipe(Request):
    path: str = Field(description="A named pipe, which somebody else opens and closes.")


@capability(family="foreign")
def read_pipe(session: Workspace, request: ReadPipe) -> Words:
    """Read what somebody writes, until they stop."""
    return Words(words=Path(request.path).read_text().split(), ratio=1)


TOYS: dict[str, Capability[Any, Any]] = {
    one.name: one
    for one in (
        list_people,
        get_entity,
        count_words,
        find_common,
        recite,
        read_vault,
        check_health,
        meet,
        fall_over,
        walk_out,
        read_pipe,
    )
}


class FakeWorkspace:
    """Stands in for a workspace: a cast of people instead of an index."""

    def __init__(self, cast: list[str] = CAST, progress: Progress | None = None) -> None:
        self.cast = cast
        self.root = Path("/vault")
        self.settings = Settings()
        self.capabilities = TOYS
        self.progress = progress or SilentProgress()
        self.threads: set[str] = set()
        self.calls: list[Mapping[str, Any]] = []
        self.is_closed = False
        self.lock = threading.Lock()
        self.meeting = threading.Barrier(2)
        self.at_once = 0
        self.most_at_once = 0

    def __enter__(self) -> FakeWorkspace:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Response:
        self.threads.add(threading.current_thread().name)
        self.calls.append(arguments)
        if name not in self.capabilities:
            raise NotFoundError("capability", name)
        found = self.capabilities[name]
        response: Response = found.checked(
            found.function(session=self, request=found.parse(arguments))
        )
        return response

    def reporting(self, progress: Progress) -> FakeWorkspace:
        return FakeWorkspace(self.cast, progress)

    def served(self, interruption: Interruption) -> FakeWorkspace:
        return self

    def read_note(self, path: str, as_of: str | None = None) -> str:
        if path != "Cast/Mr. Darcy & co.md":
            raise NotFoundError("note", path)
        return "He is tall."

    def list_notes(self, offset: int, limit: int) -> list[str]:
        return [f"Chapters/Chapter {n:03}.md" for n in range(150)][offset : offset + limit]

    def measure_lag(self, pause: Callable[[], None]) -> Lag:
        from writeros_entities.sync.freshness import Lag

        return Lag(1, 0)

    def close(self) -> None:
        self.is_closed = True

    def as_workspace(self) -> Session:
        return cast("Session", self)


def read_toys(vault: Path | None, database: str | None) -> Catalogue:
    return Catalogue(TOYS)


def open_toys(vault: Path | None = None, **others: Any) -> Session:
    return FakeWorkspace(progress=others.get("progress")).as_workspace()
