"""A capability: one thing the product can do, declared once.

    @capability(family="entities")
    def list_entities(view: View, request: ListEntities) -> EntityList:
        '''List the entities of the vault, most mentioned first.'''

Name, help, parameters, defaults and limits follow from the function, its docstring and its request
model; the command line, the MCP server and agent prompts are derived from them. Declarations must
be light, as `--help` imports all of them: import heavy modules inside the function.

Besides its `request`, a function takes by name what it needs: `view`, the vault as of the request's
`as_of`, opened for the call; `session`, to write, or to call other capabilities.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import GenericAlias, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from typing_extensions import TypeVar

from writeros_entities.errors import PluginError, RequestError
from writeros_entities.names import storable

AnswerT = TypeVar("AnswerT", bound="Response", default="Response", covariant=True)

if TYPE_CHECKING:

    class _Answered(BaseModel, Generic[AnswerT]):
        """What a type checker sees of the answer to a request."""

else:

    class _Answered(BaseModel):
        def __class_getitem__(cls, answer: object) -> GenericAlias:
            return GenericAlias(cls, answer)  # a model of its own for each would cost start-up


class Request(_Answered[AnswerT]):
    """The base of every request: flat, with fields in snake_case or, as a courtesy, camelCase.

    `Request["PersonList"]` names the class of the answer, for type checkers: `Session.call` returns
    it.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _normalise_input(cls, data: object) -> object:
        """Normalise input as models send it: drop nulls, and read a text given for a list.

        Such a text is an array in JSON, or else the list's only element. Characters that no
        database can store become U+FFFD, as in notes.
        """
        if not isinstance(data, Mapping):
            return data
        read = {key: _storable(value) for key, value in data.items() if value is not None}
        for name, known in cls.model_fields.items():
            kind = _without_none(known.annotation)
            if get_origin(kind) in _LISTS:
                others = getattr(known.validation_alias, "choices", (known.validation_alias,))
                for key in {name, known.alias, *others} & read.keys():
                    read[key] = _as_list(read[key], kind)
        return read

    @field_validator("*", mode="before")
    @classmethod
    def _reject_booleans(cls, value: object, info: ValidationInfo) -> object:
        """Reject booleans for other fields: Python would accept them as 1 and 0."""
        if isinstance(value, bool):
            annotation = cls.model_fields[str(info.field_name)].annotation
            if bool not in (annotation, *get_args(annotation)):
                raise ValueError(f"{str(value).lower()} is not a valid value")
        return value


def also_called(name: str, *others: str) -> AliasChoices:
    """Return all spellings of a field called `name`: its own, other names for it, and camelCase.

    `also_called("max_hops", "max_entity_hops")` takes `maxHops` and `maxEntityHops` too. A schema
    has the first one alone.
    """
    return AliasChoices(*(spelt for one in (name, *others) for spelt in (one, to_camel(one))))


def _as_written(chapter: object) -> object:
    """Return the number of a chapter as a writer writes it: 7 for 7.0, and 2.5."""
    if isinstance(chapter, float) and chapter.is_integer():
        chapter = int(chapter)
    return str(chapter) if isinstance(chapter, int | float) else chapter


ChapterName = Annotated[str, BeforeValidator(_as_written)]
"""A chapter's name or number, which may also be given as a number."""

AsOf = Annotated[
    ChapterName | None,
    Field(
        description="Nothing beyond this chapter (number or name).",
        validation_alias=also_called("as_of", "max_sequence"),
    ),
]
"""The chapter up to which a reader has read; with None, the whole vault may be shown."""

NoteName = Annotated[
    ChapterName,
    Field(
        min_length=1,
        max_length=1_000,
        description="A note's path or title, a chapter's number, or a name of its entity.",
    ),
]
"""A note as a caller names it; `find_note` says which it means."""

Below = Annotated[
    NoteName, Field(description="Only in this folder, by its path, or in this note or chapter.")
]

Limit = Annotated[int, Field(ge=1, le=500, description="How many to return at most.")]
"""How many items of a list an answer has at most."""

Offset = Annotated[
    int,
    Field(ge=0, description="How many to skip, for the next page."),
    AfterValidator(lambda skipped: min(skipped, sys.maxsize)),  # what a database can count
]
"""How many items of a list are left out before the first one of an answer."""


BY_PLACE = "by place"
"""Marks, among a field's annotations, an optional one that a command also takes without its name:
`get-relationship-timeline Ann Ben` is `get-relationship-timeline Ann --other Ben`.
"""


class Response(BaseModel):
    """The base of every answer: data, and the same data as text for a person to read."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    limited: ClassVar[str | None] = None
    """The name of the list that `limit` cuts off, if `limit` changes nothing else."""

    @property
    def note_text(self) -> tuple[str, str] | None:
        """The path of a note, and text of it that is a paragraph of the answer's own text.

        A client gets that paragraph marked as quoted.
        """
        return None

    def as_text(self) -> str:
        """Return the answer as Markdown."""
        raise NotImplementedError

    def shortened(self, most: int) -> Self:
        """Return the answer with `most` items: of the list `limited`, or else of each list.

        What the items themselves contain stays whole.
        """
        if self.limited is not None:
            return self.model_copy(update={self.limited: getattr(self, self.limited)[:most]})
        return _with_short_lists(self, most)

    def is_failure(self) -> bool:
        """Say whether a script should take this answer as a failure (exit code 1)."""
        return False


RequestT = TypeVar("RequestT", bound=Request[Any], default=Any)
ResponseT = TypeVar("ResponseT", bound=Response, default=Any)


NEEDS = frozenset({"view", "session"})
"""What a capability's function may take besides its request, by the names of its parameters."""


@dataclass(frozen=True, slots=True)
class Capability(Generic[RequestT, ResponseT]):
    """One thing the product can do: a request, a response, and the function between them."""

    name: str
    family: str
    help: str
    request: type[RequestT]
    response: type[ResponseT]
    function: Callable[..., ResponseT]
    writes: bool = False
    idempotent: bool = True
    slow: bool = False
    job: str = ""
    offered: bool = True
    reads_unread: bool = False
    needs: frozenset[str] = field(init=False)

    FAMILIES: ClassVar[tuple[str, ...]] = (
        "vault",
        "entities",
        "relations",
        "graph",
        "time",
        "search",
        "context",
        "continuity",
    )

    def __post_init__(self) -> None:
        needs = frozenset(inspect.signature(self.function).parameters) - {"request"}
        if unknown := needs - NEEDS:
            what = ", ".join(sorted(unknown))
            raise PluginError(f"Capability {self.name!r} asks for what nothing gives: {what}.")
        object.__setattr__(self, "needs", needs)

    @property
    def summary(self) -> str:
        """The first paragraph of the help, on one line."""
        return self.help.split("\n\n")[0].replace("\n", " ")

    def parse(self, arguments: Mapping[str, object]) -> RequestT:
        """Return the request for these arguments; raises RequestError if they are invalid."""
        try:
            return self.request.model_validate(arguments)
        except ValidationError as error:
            raise RequestError(explain(self.name, self.request.model_fields, error)) from None

    def checked(self, answer: object) -> ResponseT:
        """Return the function's answer; raises PluginError if it is not of the declared class."""
        if not isinstance(answer, self.response):
            what, wanted = type(answer).__name__, self.response.__name__
            raise PluginError(f"Capability {self.name!r} returned {what}, expected {wanted}.")
        return answer


def capability(
    *,
    family: str,
    writes: bool = False,
    idempotent: bool = True,
    slow: bool = False,
    job: str = "",
    offered: bool = True,
    reads_unread: bool = False,
) -> Callable[[Callable[..., ResponseT]], Capability[Any, ResponseT]]:
    """Declare a function as a capability.

    `family` groups it in the help; `writes` means that it changes the index or a file, `idempotent`
    that calling it again changes nothing more, `slow` that it reports progress. `job` says in a few
    words what a model uses it for ("find out when the tide turns"), and `offered` whether a model
    is offered it without being told to. With `reads_unread` it answers about a vault that no sync
    has read, where others raise StoreError. Raises PluginError if the function takes what is not in
    `NEEDS`.
    """

    def declare(function: Callable[..., ResponseT]) -> Capability[Any, ResponseT]:
        hints = get_type_hints(function, localns={"View": object, "Workspace": object})
        return Capability(
            name=function.__name__,
            family=family,
            help=inspect.getdoc(function) or "",
            request=hints["request"],
            response=hints["return"],
            function=function,
            writes=writes,
            idempotent=idempotent,
            slow=slow,
            job=job,
            offered=offered,
            reads_unread=reads_unread,
        )

    return declare


ModelT = TypeVar("ModelT", bound=BaseModel)


def _with_short_lists(part: ModelT, most: int) -> ModelT:
    """Return a part of an answer with at most so many items in each list, also of its objects."""
    short: dict[str, object] = {}
    for name, value in part:
        if isinstance(value, BaseModel):
            short[name] = _with_short_lists(value, most)
        elif isinstance(value, list):
            short[name] = value[:most]
        elif isinstance(value, dict):
            short[name] = dict(islice(value.items(), most))
    return part.model_copy(update=short)


_LISTS = (tuple, list, set, frozenset)


def _without_none(annotation: object) -> object:
    """Return a type without its metadata and without None."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        others = [one for one in get_args(annotation) if one is not NoneType]
        return _without_none(others[0]) if len(others) == 1 else annotation
    return annotation


def _as_list(value: object, kind: object) -> object:
    """Return what was given for a list, with arrays in JSON text read, also of lists in it.

    A list of strings may have one that looks like an array but has no strings in it: a name.
    """
    item = _without_none(next(iter(get_args(kind)), Any))
    if isinstance(value, str):
        read = _read_array(value)
        is_name = read is None or (item is str and not all(isinstance(one, str) for one in read))
        value = [value] if is_name else read
    if isinstance(value, list | tuple) and get_origin(item) in _LISTS:
        return [_as_list(one, item) if isinstance(one, str | list) else one for one in value]
    return value


def _read_array(text: str) -> list[object] | None:
    if not text.lstrip().startswith("["):
        return None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return [_storable(one) for one in read] if isinstance(read, list) else None


def _storable(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [_storable(item) for item in value]
    return storable(value) if isinstance(value, str) else value


def explain(name: str, known_fields: Iterable[str], error: ValidationError) -> str:
    """Return what is wrong with a request, for the caller of what has that name."""
    problems = []
    for problem in error.errors():
        field = ".".join(str(part) for part in problem["loc"]) or "request"
        if problem["type"] == "extra_forbidden":
            known = ", ".join(known_fields)
            problems.append(f"{field} is not a parameter (known: {known})")
        elif problem["type"] == "missing":
            problems.append(f"{field} is required")
        else:
            said = problem["msg"].removeprefix("Value error, ")
            said = said.replace("Tuple", "List").replace("tuple", "list")
            problems.append(f"{field}: {said}")
    return f"{name}: {'; '.join(problems)}."
