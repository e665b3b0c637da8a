"""What the capabilities about time share: an entity, and a stretch of the manuscript."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from writeros_entities.capabilities.entities.parts import TheEntity
from writeros_entities.capability import AnswerT, Request


class EntityInTime(Request[AnswerT]):
    """An entity, and a stretch of the manuscript between two places in reading order."""

    entity: TheEntity
    from_position: Annotated[
        int | None, Field(description="Only from this place in reading order on.")
    ] = None
    to_position: Annotated[
        int | None, Field(description="Only up to this place in reading order.")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read_time_range(cls, data: Any) -> Any:
        """Take `timeRange: {start: 3, end: 7}` for the two positions."""
        if not isinstance(data, Mapping):
            return data
        read = dict(data)
        given = read.pop("timeRange", None) or read.pop("time_range", None)
        if given is None:
            return read
        if not isinstance(given, Mapping) or given.keys() - {"start", "end"}:
            raise ValueError("timeRange has a `start` and an `end`, places in reading order")
        return {"from_position": given.get("start"), "to_position": given.get("end"), **read}

    def covers(self, position: int | None) -> bool:
        """Say whether a position is in the stretch; None comes before the first."""
        return self.is_begun(position) and (
            self.from_position is None or (position is not None and position >= self.from_position)
        )

    def is_begun(self, first: int | None) -> bool:
        """Say whether what begins at a position has begun by the end of the stretch."""
        return self.to_position is None or first is None or first <= self.to_position
