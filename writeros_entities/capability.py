"""A capability: one thing the product can do, declared once.

    @capability(family="entities")
    def list_entities(workspace: Workspace, request: ListEntities) -> EntityList:
        '''List the entities of the vault, most mentioned first.'''

Name, help, parameters, defaults and limits follow from the function, its docstring and its request
model; the command line, the MCP server and agent prompts are derived from them. Declarations must
be light, as `--help` imports all of them: import heavy modules inside the function.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
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

from writeros_entities.errors import PluginError, RequestError
from writeros_entities.names import storable

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from writeros_entities.workspace import Workspace


class Request(BaseModel):
    """The base of every request: flat, with fields in snake_case or, as a courtesy, camelCase."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _normalise_input(cls, data: Any) -> Any:
        """Normalise input as models send it: drop nulls, and make a list of a single string.

        Characters that no database can store become U+FFFD, as in notes.
        """
        if not isinstance(data, Mapping):
            return data
        read = {key: _storable(value) for key, value in data.items() if value is not None}
        for name, field in cls.model_fields.items():
            if get_origin(field.annotation) is tuple:
                others = getattr(field.validation_alias, "choices", ())
                for key in {name, field.alias, *others} & read.keys():
                    read[key] = (read[key],) if isinstance(read[key], str) else read[key]
        return read

    @field_validator("*", mode="before")
    @classmethod
    def _reject_booleans(cls, value: Any, info: ValidationInfo) -> Any:
        """Reject booleans for other fields: Python would accept them as 1 and 0."""
        if isinstance(value, bool):
            annotation = cls.model_fields[str(info.field_name)].annotation
            if bool not in (annotation, *get_args(annotation)):
                raise ValueError(f"{str(value).lower()} is not a valid value")
        return value


def _between_chapters(as_of: object) -> object:
    """Return the number of a chapter between two others, such as 2.5, as text."""
    return str(as_of) if isinstance(as_of, float) and not as_of.is_integer() else as_of


AsOf = Annotated[
    int | str | None,
    BeforeValidator(_between_chapters),
    Field(
        description="Nothing beyond this chapter (number or name).",
        validation_alias=AliasChoices("as_of", "asOf", "max_sequence", "maxSequence"),
    ),
]

NoteName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1_000,
        description="A note's path or title, a chapter's number, or a name of its entity.",
    ),
]

Limit = Annotated[int, Field(ge=1, le=500, description="How many to return at most.")]
Offset = Annotated[
    int,
    Field(ge=0, description="How many to skip, for the next page."),
    AfterValidator(lambda skipped: min(skipped, sys.maxsize)),  # what a database can count
]


class Response(BaseModel):
    """The base of every answer: data, and the same data as text for a person to read."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    limited: ClassVar[str | None] = None
    """The name of the list that `limit` cuts off, if `limit` changes nothing else."""

    def as_text(self) -> str:
        """Return the answer as Markdown."""
        raise NotImplementedError

    def shortened(self, limit: int) -> Self | None:
        """Return the answer that a lower `limit` would give; None if that needs another call."""
        if self.limited is None:
            return None
        return self.model_copy(update={self.limited: getattr(self, self.limited)[:limit]})

    def is_failure(self) -> bool:
        """Say whether a script should take this answer as a failure (exit code 1)."""
        return False


RequestT = TypeVar("RequestT", bound=Request)
ResponseT = TypeVar("ResponseT", bound=Response)


@dataclass(frozen=True, slots=True)
class Capability(Generic[RequestT, ResponseT]):
    """One thing the product can do: a request, a response, and the function between them."""

    name: str
    family: str
    help: str
    request: type[RequestT]
    response: type[ResponseT]
    function: Callable[[Workspace, RequestT], ResponseT]
    writes: bool = False
    idempotent: bool = True
    slow: bool = False

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

    @property
    def summary(self) -> str:
        """The first paragraph of the help, on one line."""
        return self.help.split("\n\n")[0].replace("\n", " ")

    def parse(self, arguments: Mapping[str, Any]) -> RequestT:
        """Return the request for these arguments; raises RequestError if they are invalid."""
        try:
            return self.request.model_validate(arguments)
        except ValidationError as error:
            raise RequestError(_explain(self, error)) from None

    def call(self, workspace: Workspace, arguments: Mapping[str, Any]) -> ResponseT:
        """Run the capability on plain arguments; raises WriterosError if the caller can fix the
        cause.
        """
        answer = self.function(workspace, self.parse(arguments))
        if not isinstance(answer, self.response):
            what, wanted = type(answer).__name__, self.response.__name__
            raise PluginError(f"Capability {self.name!r} returned {what}, expected {wanted}.")
        return answer


def capability(
    *, family: str, writes: bool = False, idempotent: bool = True, slow: bool = False
) -> Callable[[Callable[[Any, RequestT], ResponseT]], Capability[RequestT, ResponseT]]:
    """Declare a function as a capability.

    `family` groups it in the help; `writes` means that it changes the index or a file, `idempotent`
    that calling it again changes nothing more, `slow` that it reports progress.
    """

    def declare(function: Callable[[Any, RequestT], ResponseT]) -> Capability[RequestT, ResponseT]:
        hints = get_type_hints(function, localns={"Workspace": object})
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
        )

    return declare


def _storable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_storable(item) for item in value]
    return storable(value) if isinstance(value, str) else value


def _explain(capability: Capability[Any, Any], error: ValidationError) -> str:
    problems = []
    for problem in _joined(error.errors()):
        field = ".".join(str(part) for part in problem["loc"]) or "request"
        if problem["type"] == "extra_forbidden":
            known = ", ".join(capability.request.model_fields)
            problems.append(f"{field} is not a parameter (known: {known})")
        elif problem["type"] == "missing":
            problems.append(f"{field} is required")
        else:
            said = problem["msg"].removeprefix("Value error, ")
            said = said.replace("Tuple", "List").replace("tuple", "list")
            problems.append(f"{field}: {said}")
    return f"{capability.name}: {'; '.join(problems)}."


def _joined(errors: Iterable[ErrorDetails]) -> list[ErrorDetails]:
    """Join what is wrong with one value by each of the types that it may have."""
    joined: list[ErrorDetails] = []
    for one in errors:
        if one["loc"][1:][-1:] in (("int",), ("str",)):
            one["loc"] = one["loc"][:-1]
            if joined and joined[-1]["loc"] == one["loc"]:
                joined[-1]["msg"] += " or " + one["msg"].removeprefix("Input should be ")
                continue
        joined.append(one)
    return joined
