"""What plugins answer, checked before anything rests on it.

A value of the right class can still hold what its fields are not for: a text where a number
belongs, a score that is no number. Found here, it is told with its plugin and costs that plugin's
answer; found later, it would break off a whole sync. There is an answer for every name that is
read, so each field is looked at for all answers together, and only where something is unusual are
they looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain
from math import isfinite
from operator import attrgetter
from reprlib import repr as shorten
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_origin, get_type_hints

from writeros_entities.values import HIDDEN, MARK, ChunkSpan

if TYPE_CHECKING:
    from writeros_entities.values import KnownEntity, Note

Test: TypeAlias = Callable[[Collection[Any]], bool]
"""Says of many values together whether all of them are as usual."""


def check_answers(items: Sequence[object], wanted: type) -> None:
    """Check that items are of a class, and that the fields of a dataclass hold what they are for.

    Raises TypeError or ValueError, in words.
    """
    if not _usual(wanted)(items):
        for item in items:
            if not isinstance(item, wanted):
                what = type(item).__name__
                raise TypeError(f"{what!r} returned where {wanted.__name__!r} belongs")
            _check_value(item, wanted, wanted.__name__)


def check_chunks(note: Note, chunks: Sequence[ChunkSpan]) -> None:
    """Check that chunks are in order, disjoint, not empty, in the note, and hold all its prose.

    Raises TypeError or ValueError, in words.
    """
    check_answers(chunks, ChunkSpan)
    covered = 0
    for chunk in chunks:
        if chunk.start < covered:
            raise ValueError(f"{chunk} begins before {covered}")
        check_span(chunk.start, chunk.end, note)
        _check_left_out(note.prose[covered : chunk.start])
        covered = chunk.end
    _check_left_out(note.prose[covered:])


def check_span(start: int, end: int, note: Note) -> None:
    """Check that a span is one of the note's, and not empty; raises ValueError, in words."""
    length = len(note.text)
    if not 0 <= start < end <= length:
        raise ValueError(f"{start}-{end} is no span of the note, which has {length} characters")


def check_known(entities: Sequence[KnownEntity]) -> None:
    """Check that no two entities of a knowledge base have one id; raises ValueError, in words."""
    names: dict[str, str] = {}
    for entity in entities:
        if entity.id in names:
            raise ValueError(f"{names[entity.id]!r} and {entity.name!r} have one id, {entity.id!r}")
        names[entity.id] = entity.name


def _check_left_out(prose: str) -> None:
    if not prose.isspace() and prose.replace(HIDDEN, "").replace(MARK, "").strip():
        raise ValueError(f"{shorten(prose.strip())} is in no chunk")


def _check_value(value: object, hint: Any, place: str) -> None:
    """Check what stands in one place against the type hint there."""
    if get_origin(hint) is tuple:
        taken: tuple[type, ...] = (tuple,)
    else:
        options = get_args(hint) or (hint,)
        taken = (*options, int) if float in options else options
    if not isinstance(value, taken) or (isinstance(value, bool) and bool not in taken):
        names = " or ".join(sorted(one.__name__ for one in taken if one is not NoneType))
        raise TypeError(f"{place} is {shorten(value)}, which is no {names}")
    if isinstance(value, tuple):
        for item in value:
            _check_value(item, get_args(hint)[0], f"an item of {place}")
    elif isinstance(value, str) and not _is_whole(value):
        raise ValueError(f"{place} is {shorten(value)}, which has half of a character")
    elif isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{place} is {value}, which is no finite number")
    else:
        kind: Any = type(value)
        for name, inner in _hints(kind).items():
            _check_value(getattr(value, name), inner, f"{kind.__name__}.{name}")


@cache
def _usual(hint: Any) -> Test:
    """Return the test of whether all of some values are as usual where a type hint stands."""
    if get_origin(hint) is tuple:
        tests: dict[type, Test | None] = {tuple: _usual_items(get_args(hint)[0])}
    else:
        tests = {kind: _usual_one(kind) for kind in get_args(hint) or (hint,)}

    def are_usual(values: Collection[Any]) -> bool:
        found = set(map(type, values))
        if not tests.keys() >= found:
            return False
        for kind in found:
            test = tests[kind]
            own = values if len(found) == 1 else [one for one in values if type(one) is kind]
            if test is not None and not test(own):
                return False
        return True

    return are_usual


def _usual_items(hint: Any) -> Test:
    are_usual = _usual(hint)
    return lambda values: are_usual(list(chain.from_iterable(values)))


def _usual_one(kind: type) -> Test | None:
    """Return the test of values of one class; None where the class says enough."""
    if kind is str:
        return lambda texts: "".join(texts).isascii() or _is_whole("".join(texts))
    if kind is float:
        return lambda numbers: all(map(isfinite, numbers))
    fields = [(attrgetter(name), _usual(hint)) for name, hint in _hints(kind).items()]
    if not fields:
        return None
    return lambda values: all(test(list(map(read, values))) for read, test in fields)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the type hints of a dataclass, by field; none of anything else."""
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def _is_whole(text: str) -> bool:
    """Say whether a text can be written: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
