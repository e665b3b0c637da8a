"""Validate what plugins return, before it is used.

A value of the right class can still have invalid fields: a string where a number belongs, or a
score of NaN. Found here, the fault is reported with its plugin and costs that plugin's answer only;
found later, it would abort a whole sync. As there is an answer for every name that is read, a fast
check is generated for each class, as `dataclass` generates methods; only if it fails are the fields
examined one by one for an error message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from math import inf, isfinite
from operator import index
from reprlib import repr as shorten
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from writeros_entities.values import ALWAYS, HIDDEN, MARK, ChunkSpan, Finding

if TYPE_CHECKING:
    from writeros_entities.values import KnownEntity, Note

SHARES = frozenset({"confidence", "weight"})
"""The fields that say how sure or likely something is, in 0-1."""

LEAST, GREATEST = ALWAYS, -ALWAYS - 1
"""The numbers that a database stores: integers of 32 bits."""


def check_answers(items: Sequence[object], wanted: type) -> None:
    """Check that items are instances of a class, and the fields of dataclasses have valid values.

    Raises TypeError or ValueError with a message that names the field.
    """
    if not is_dataclass(wanted) or not _usual(wanted)(items):
        for item in items:
            if not isinstance(item, wanted):
                what = type(item).__name__
                raise TypeError(f"expected {wanted.__name__!r}, got {what!r}")
            _check_value(item, wanted, wanted.__name__)


def check_chunks(note: Note, chunks: Sequence[ChunkSpan]) -> None:
    """Check that chunks are in order, disjoint, not empty, inside the note, and cover its prose.

    Raises TypeError or ValueError with a message that says where they are not.
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
    """Check that a span is inside the note and not empty; raises ValueError if not."""
    length = len(note.text)
    if not 0 <= start < end <= length:
        raise ValueError(f"{start}-{end} is not a span of the note ({length} characters)")


def check_known(entities: Sequence[KnownEntity]) -> None:
    """Check that the ids of a knowledge base's entities are unique; raises ValueError if not."""
    names: dict[str, str] = {}
    for entity in entities:
        if entity.id in names:
            raise ValueError(f"{names[entity.id]!r} and {entity.name!r} share the id {entity.id!r}")
        names[entity.id] = entity.name


def check_findings(findings: Sequence[Finding], paths: Collection[str]) -> None:
    """Check what a continuity rule returns: valid fields, and quotes of notes at these paths.

    Raises TypeError or ValueError with a message that names the field.
    """
    check_answers(findings, Finding)
    for finding in findings:
        if not finding.evidence:
            raise ValueError(f"the finding {shorten(finding.message)} has no evidence")
        for proof in finding.evidence:
            if proof.path not in paths:
                what = f"the finding {shorten(finding.message)} quotes {proof.path!r}"
                raise ValueError(f"{what}, which is no note of the story")


def check_counts(counts: Sequence[object], texts: Sequence[str]) -> list[int]:
    """Return the counts of a token counter as integers, one for each text.

    Raises TypeError or ValueError if there are more or fewer, or if one is no number of tokens.
    """
    found = [index(count) for count in counts]  # type: ignore[arg-type]
    if len(found) != len(texts):
        raise ValueError(f"{len(found)} counts for {len(texts)} texts")
    for count in found:
        if not 0 <= count <= GREATEST:
            raise ValueError(f"{count} is no number of tokens")
    return found


def _check_left_out(prose: str) -> None:
    if not prose.isspace() and prose.replace(HIDDEN, "").replace(MARK, "").strip():
        raise ValueError(f"{shorten(prose.strip())} is in no chunk")


def _check_value(value: object, hint: object, place: str) -> None:
    """Check a value against a type hint; `place` names it in error messages."""
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            known = " or ".join(repr(one) for one in get_args(hint))
            raise ValueError(f"{place} must be {known}, not {shorten(value)}")
        return
    if get_origin(hint) is tuple:
        taken: tuple[type, ...] = (tuple,)
    else:
        options = get_args(hint) or (hint,)
        taken = (*options, int) if float in options else options
    if not isinstance(value, taken) or (isinstance(value, bool) and bool not in taken):
        names = " or ".join(sorted(one.__name__ for one in taken if one is not NoneType))
        raise TypeError(f"{place} must be {names}, not {shorten(value)}")
    if isinstance(value, tuple):
        for item in value:
            _check_value(item, get_args(hint)[0], f"an item of {place}")
    elif isinstance(value, str) and not _is_whole(value):
        raise ValueError(f"{place} is {shorten(value)}, which has a lone surrogate")
    elif isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{place} must be finite, not {value}")
    elif isinstance(value, int) and not LEAST <= value <= GREATEST:
        raise ValueError(f"{place} must be a number of 32 bits, not {shorten(value)}")
    else:
        kind: Any = type(value)
        for name, inner in _hints(kind).items():
            held = getattr(value, name)
            _check_value(held, inner, f"{kind.__name__}.{name}")
            if name in SHARES and not 0 <= held <= 1:
                raise ValueError(f"{kind.__name__}.{name} must be in 0-1, not {held}")


@cache
def _usual(kind: type) -> Callable[[Iterable[object]], bool]:
    """Generate the function that checks quickly whether all items of a dataclass are valid.

    It may return False for unusual values that are valid.
    """
    names: dict[str, Any] = {"kind": kind, "inf": inf, "is_whole": _is_whole}
    lines = [
        "def usual(items):",
        " for item in items:",
        "  if type(item) is not kind: return False",
    ]
    for name, hint in _hints(kind).items():
        lines += [f"  value = item.{name}", f"  if {_unusual(hint, names)}: return False"]
        if name in SHARES:
            lines.append("  if not 0 <= value <= 1: return False")
    exec("\n".join([*lines, " return True"]), names)
    usual: Callable[[Iterable[object]], bool] = names["usual"]
    return usual


def _unusual(hint: object, names: dict[str, object]) -> str:
    """Return an expression that is true if `value` is unusual; add the names it uses to `names`."""
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        if is_dataclass(item):
            inside = f"not {_named_usual(item, names)}(value)"
        else:
            inside = f"any({_unusual(item, names)} for value in value)"
        return f"type(value) is not tuple or value and {inside}"
    if get_origin(hint) is Literal:
        return f"value not in {get_args(hint)!r}"
    options = get_args(hint) or (hint,)
    unusual = []
    for one in options:
        if one is str:
            unusual.append("(type(value) is not str or not (value.isascii() or is_whole(value)))")
        elif one is float:
            unusual.append("(type(value) is not float or not -inf < value < inf)")
        elif one is int:
            unusual.append(f"(type(value) is not int or not {LEAST} <= value <= {GREATEST})")
        elif one is NoneType:
            unusual.append("value is not None")
        elif is_dataclass(one):
            unusual.append(f"not {_named_usual(one, names)}((value,))")
        else:
            names[one.__name__] = one
            unusual.append(f"type(value) is not {one.__name__}")
    return " and ".join(unusual)


def _named_usual(kind: Any, names: dict[str, object]) -> str:
    name = f"usual_{kind.__name__}"
    names[name] = _usual(kind)
    return name


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the type hints of a dataclass, by field; {} for anything else."""
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def _is_whole(text: str) -> bool:
    """Say whether a text can be encoded, i.e. has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
