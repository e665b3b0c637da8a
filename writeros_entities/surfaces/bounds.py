"""Answers as a client gets them: as text or as data, and never longer than a limit.

    bounded_answer(capability, call, {"entity": "Isolde", "limit": 500})

Tokens are estimated at four bytes of UTF-8 each, over all that is sent. Of an answer that is too
long, the largest part that fits is sent: the most tokens of a context or brief, else the most items
of its list, or of each of its lists if it is not paged, and then of each in turn what still fits.
Thus whoever asks for more never gets less.
If not even one item fits, text is cut at the end of a line; data is cut in all lists and texts
alike. The answer ends with what was left out, and how to get it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel

from writeros_entities.capability import Response
from writeros_entities.surfaces.quoting import neutral, quoted

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.values import JSON

ModelT = TypeVar("ModelT", bound=BaseModel)
AnswerForm = Literal["text", "data"]

ANSWER_TOKENS = 10_000
"""Default limit of an answer, in tokens."""

FEWEST_TOKENS = 500
"""Least limit that may be set."""

BYTES_PER_TOKEN = 4

Arguments: TypeAlias = Mapping[str, object]

_RESERVED = 1_000
"""Bytes that a whole answer leaves free, since the same part of a longer one ends with a notice."""

_STEP = 50
"""Tokens by which a budget is lowered; less than what is reserved."""

_TEXT_PER_ITEM = 400
"""When all lists and texts of data are cut alike: characters of a text for each item of a list."""

_MOST_TOLD = 8
"""Most fields of data to count in its line of text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it is sent: its text and, in that form, its data; `size` is in bytes."""

    text: str
    data: dict[str, Any] | None = None

    @property
    def size(self) -> int:
        """The length of all that is sent."""
        encoded = "" if self.data is None else _as_json(self.data)
        return len(self.text.encode()) + len(encoded.encode())


def bounded_answer(
    capability: Capability,
    call: Callable[[Arguments], Response],
    arguments: Arguments,
    form: AnswerForm = "text",
    tokens: int = ANSWER_TOKENS,
) -> Answer:
    """Call a capability and return its answer, or the largest part of it that fits."""
    response = call(arguments)
    whole = _sent(response, form)
    if whole.size <= tokens * BYTES_PER_TOKEN - _RESERVED:
        return whole
    room = _Room(form, tokens, whole.size)
    request = capability.parse(arguments)
    return (
        _with_a_lower_budget(capability, call, arguments, room)
        or _with_fewer_items(response, request, room)
        or _cut(response, request, room)
    )


def bounded_message(text: str, tokens: int = ANSWER_TOKENS) -> str:
    """Return the message of an error as a client may see it."""
    message = neutral(text)
    size = tokens * BYTES_PER_TOKEN
    return message if len(message.encode()) <= size else f"{_cut_bytes(message, size - 3)}…"


@dataclass(frozen=True, slots=True)
class _Room:
    """How an answer is sent, the most tokens that it may have, and the bytes of the whole."""

    form: AnswerForm
    tokens: int
    whole: int

    @property
    def head(self) -> str:
        """The beginning of the notice about what was left out."""
        return f"Shortened to stay within {self.tokens:,} tokens:"

    def fill(self, make: Callable[[int], Answer], highest: int, lowest: int = 0) -> int:
        """Return the greatest number below `highest` for which the answer fits.

        It is at least `lowest`, for which it is known to fit, or 0. As sizes grow about evenly,
        every other number that is tried is interpolated; the whole is the answer for `highest`.
        """
        most = self.tokens * BYTES_PER_TOKEN
        small, large = 0, self.whole
        is_interpolated = True
        while lowest + 1 < highest:
            middle = (lowest + highest) // 2
            if is_interpolated:
                middle = lowest + (highest - lowest) * (most - small) // max(large - small, 1)
                middle = min(max(middle, lowest + 1), highest - 1)
            is_interpolated = not is_interpolated
            answer = make(middle)
            if answer.size <= most:
                lowest, small = middle, answer.size
            else:
                highest, large = middle, answer.size
        return lowest


def _with_a_lower_budget(
    capability: Capability,
    call: Callable[[Arguments], Response],
    arguments: Arguments,
    room: _Room,
) -> Answer | None:
    """Return the answer with the greatest `max_tokens` that fits; None if there is none."""
    if "max_tokens" not in capability.request.model_fields or capability.writes:
        return None
    asked = int(capability.parse(arguments).max_tokens)

    @cache
    def ask(steps: int) -> Answer:
        budget = steps * _STEP
        notice = (
            f"{room.head} `max_tokens` is {budget:,} instead of {asked:,}. Ask for a narrower part "
            "to see the rest."
        )
        return _sent(call({**arguments, "max_tokens": budget}), room.form, notice)

    steps = room.fill(ask, math.ceil(asked / _STEP))
    return ask(steps) if steps else None


def _with_fewer_items(response: Response, request: BaseModel, room: _Room) -> Answer | None:
    """Return the answer with the most items of its lists that fits; None if not even one does."""
    offset = getattr(request, "offset", None)

    def lost_by(shorter: Response) -> list[tuple[tuple[str, ...], int, int]]:
        left = {path: len(items) for path, items in _lists(shorter)}
        sizes = [(path, left.get(path, 0), len(items)) for path, items in _lists(response)]
        return [(path, kept, before) for path, kept, before in sizes if kept < before]

    def send(shorter: Response) -> Answer:
        lost = lost_by(shorter)
        told = ", ".join(f"{kept:,} of {before:,} {path[-1]}" for path, kept, before in lost)
        rest = "Ask for a narrower part to see the rest."
        if offset is not None and len(lost) == 1:
            rest = f"Pass `offset` {offset + lost[0][1]} for the next."
        return _sent(shorter, room.form, f"{room.head} {told}. {rest}")

    def lengthen(shorter: Response, path: tuple[str, ...], kept: int, before: int) -> Response:
        grow = partial(_with_items, shorter, response, path)
        return grow(room.fill(lambda number: send(grow(number)), before, kept))

    longest = max((before for _, _, before in lost_by(response.shortened(1))), default=0)
    number = room.fill(lambda number: send(response.shortened(number)), longest)
    if not number:
        return None
    shorter = response.shortened(number)
    if type(response).shortened is Response.shortened:  # else the lists hang together
        for path, kept, before in lost_by(shorter):
            shorter = lengthen(shorter, path, kept, before)
    return send(shorter)


def _with_items(shorter: ModelT, whole: BaseModel, path: tuple[str, ...], number: int) -> ModelT:
    """Return a shorter answer with the first items of the list at a path of the whole one."""
    name, *rest = path
    value = getattr(whole, name)
    if rest:
        value = _with_items(getattr(shorter, name), value, tuple(rest), number)
    elif isinstance(value, dict):
        value = dict(islice(value.items(), number))
    else:
        value = value[:number]
    return shorter.model_copy(update={name: value})


def _cut(response: Response, request: BaseModel, room: _Room) -> Answer:
    """Return the answer cut within its items; of a paged one, the first item."""
    rest = "Ask for a narrower part to see the rest."
    if (offset := getattr(request, "offset", None)) is not None:
        first = response.shortened(1)
        if first != response:
            response, rest = first, f"Pass `offset` {offset + 1} for the next."
    if room.form == "text":
        text = response.note_text[1] if response.note_text else response.as_text()

        def cut(number: int) -> Answer:
            shown = len(_beginning(text, number))
            notice = f"{room.head} {shown:,} of {len(text):,} characters. {rest}"
            return _sent(response, room.form, notice, characters=number)

        size = room.tokens * BYTES_PER_TOKEN
        most = room.fill(cut, len(text))
        return cut(most) if most else Answer(_cut_bytes(f"{room.head} {rest}", size))
    data = _data_of(response)
    notice = f"{room.head} {{}}. {rest}"
    largest = max(_sizes(data), default=0)
    most = room.fill(lambda number: _cut_data(data, number, notice), largest)
    return _cut_data(data, most, notice)


def _sent(
    response: Response, form: AnswerForm, notice: str = "", *, characters: int | None = None
) -> Answer:
    """Return a response as it is sent, with a notice at its end."""
    if form == "text":
        text = _text_of(response, characters)
        return Answer("\n\n".join(part for part in (text, notice) if part) or "Nothing found.")
    return _with_line(_data_of(response), notice)


def _text_of(response: Response, characters: int | None) -> str:
    """Return the text of a response, or its beginning; a note's own text is marked as quoted."""
    text = response.as_text()
    if response.note_text is None:
        return neutral(_beginning(text, characters))
    path, own = response.note_text
    before, gap, after = text.partition(f"\n\n{own}")
    if not gap:
        return neutral(_beginning(text, characters))
    return f"{neutral(before)}\n\n{quoted(_beginning(own, characters), path)}{neutral(after)}"


def _beginning(text: str, characters: int | None) -> str:
    if characters is None or characters >= len(text):
        return text
    end = text.rfind("\n", characters // 2, characters)
    return text[: end if end > 0 else characters].rstrip()


def _data_of(response: Response) -> dict[str, Any]:
    """Return a response as data that can be sent: what is no valid Unicode is replaced."""
    data = response.model_dump(mode="json")
    encoded = _as_json(data)
    try:
        encoded.encode()
    except UnicodeEncodeError:
        data = json.loads(encoded.encode("utf-8", "replace"))
    return data


def _with_line(data: dict[str, JSON], notice: str) -> Answer:
    """Return data with one line of text that says what is in it."""
    told = []
    for name, value in data.items():
        if isinstance(value, list):
            told.append(f"{len(value):,} {name}")
        elif isinstance(value, int) and not isinstance(value, bool):
            told.append(f"{name} {value:,}")
        elif isinstance(value, dict):
            told.append(name)
    line = f"Structured content: {', '.join(told[:_MOST_TOLD] or list(data)[:_MOST_TOLD])}."
    if notice:
        return Answer(f"{line} {notice}", {**data, "shortened": notice})
    return Answer(line, data)


def _cut_data(data: dict[str, JSON], number: int, notice: str) -> Answer:
    """Return data without lists of more items than `number`, and texts of a like length."""
    if number:
        kept = {name: _cut_value(value, number) for name, value in data.items()}
    else:
        kept = {
            name: type(value)() if isinstance(value, str | list | dict) else value
            for name, value in data.items()
        }
    lost = ", ".join(name for name, value in data.items() if kept[name] != value)
    return _with_line(kept, notice.format(lost))


def _cut_value(value: JSON, number: int) -> JSON:
    length = number * _TEXT_PER_ITEM
    if isinstance(value, str):
        return value if len(value) <= length else f"{value[:length]}…"
    if isinstance(value, list):
        return [_cut_value(one, number) for one in value[:number]]
    if isinstance(value, dict):
        short = [(name, one) for name, one in value.items() if len(name) <= length]
        return {name: _cut_value(one, number) for name, one in short[: number * _TEXT_PER_ITEM]}
    return value


def _sizes(value: JSON) -> Iterator[int]:
    """Yield for each list and text the number from which on it is whole."""
    if isinstance(value, str):
        yield len(value) // _TEXT_PER_ITEM + 1
    elif isinstance(value, list):
        yield len(value)
        for one in value:
            yield from _sizes(one)
    elif isinstance(value, dict):
        yield len(value) // _TEXT_PER_ITEM + 1
        for name, one in value.items():
            yield len(name) // _TEXT_PER_ITEM + 1
            yield from _sizes(one)


def _lists(
    part: BaseModel, *above: str
) -> Iterator[tuple[tuple[str, ...], list[JSON] | dict[str, JSON]]]:
    """Yield the lists of a response and of the objects in it, by the names that lead there."""
    for name, value in part:
        if isinstance(value, BaseModel):
            yield from _lists(value, *above, name)
        elif isinstance(value, list | dict):
            yield (*above, name), value


def _as_json(data: Mapping[str, JSON]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _cut_bytes(text: str, size: int) -> str:
    return text.encode()[: max(size, 0)].decode("utf-8", "ignore")
