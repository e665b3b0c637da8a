"""Keep answers small enough for a model's context.

Tokens are estimated at four characters each, over JSON and text together. While an answer is too
long, its list is halved, unless the caller chose the limit; if the answer cannot be shortened
itself, the capability is called again with the lower limit. If it is still too long, its text is
cut, but never its data. The text says what was done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from writeros_entities.surfaces.schema import CHARACTERS_PER_TOKEN

if TYPE_CHECKING:
    from writeros_entities.capability import Capability, Response

ANSWER_TOKENS = 10_000
"""Default limit of an answer, in tokens."""

SHORTEST_TEXT = 2_000
"""Least characters of text to keep, even if the data alone exceeds the limit."""

_NOTICES = 500

Arguments: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as data and as text; `data_size` is the length of the data as JSON."""

    data: dict[str, Any]
    text: str
    data_size: int

    @classmethod
    def of(cls, response: Response) -> Answer:
        """Convert a response to data that is valid JSON, and to text."""
        data = response.model_dump(mode="json")
        encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        text = response.as_text()
        if not (_is_encodable(encoded) and _is_encodable(text)):
            encoded = encoded.encode("utf-8", "replace").decode()
            data = json.loads(encoded)
            text = text.encode("utf-8", "replace").decode()
        return cls(data, text, len(encoded))

    @property
    def size(self) -> int:
        """Characters of data and text together."""
        return self.data_size + len(self.text)


def bounded_answer(
    capability: Capability[Any, Any],
    call: Callable[[Arguments], Response],
    arguments: Arguments,
    tokens: int = ANSWER_TOKENS,
) -> Answer:
    """Call a capability and return its answer, shortened to the limit as far as possible."""
    characters = tokens * CHARACTERS_PER_TOKEN
    response = call(arguments)
    answer = Answer.of(response)
    if answer.size <= characters:
        return answer
    asked = limit = _free_limit(capability, arguments)
    while answer.size > characters and limit > 1:
        limit //= 2
        response = response.shortened(limit) or call({**arguments, "limit": limit})
        answer = Answer.of(response)
    notices = []
    if limit < asked:
        notices.append(
            f"Shortened: the first {limit} instead of {asked}, to stay below {tokens:,} tokens. "
            "Pass `limit` (and `offset`, where there is one) for the rest."
        )
    if answer.size > characters:
        answer, notice = _cut_text(answer, characters)
        notices.append(notice)
    return Answer(answer.data, "\n\n".join([answer.text, *notices]), answer.data_size)


def _free_limit(capability: Capability[Any, Any], arguments: Arguments) -> int:
    """Return the default limit if the caller gave none; 0 if it may not be lowered."""
    field = capability.request.model_fields.get("limit")
    is_asked = arguments.get("limit") is not None
    if field is None or field.is_required() or is_asked or not capability.idempotent:
        return 0
    given = getattr(capability.parse(arguments), "limit", 0)
    default = field.get_default(call_default_factory=True)
    return given if isinstance(given, int) and given == default else 0


def _cut_text(answer: Answer, characters: int) -> tuple[Answer, str]:
    room = max(characters - answer.data_size - _NOTICES, SHORTEST_TEXT)
    if room >= len(answer.text):
        return answer, (
            f"This answer is about {answer.size // CHARACTERS_PER_TOKEN:,} tokens long. "
            "Ask for less, by a narrower request, to keep it short."
        )
    line_end = answer.text.rfind("\n", room // 2, room)
    kept = answer.text[: line_end if line_end > 0 else room]
    notice = (
        f"Cut: {len(kept):,} of {len(answer.text):,} characters of text are shown. "
        "The structured data is whole; a narrower request gives a shorter text."
    )
    return Answer(answer.data, kept.rstrip(), answer.data_size), notice


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
