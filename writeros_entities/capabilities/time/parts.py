"""What the capabilities about time share: an entity, and a stretch of the manuscript."""

from __future__ import annotations

from writeros_entities.capabilities.parts import TheEntity, WithinPositions
from writeros_entities.capability import AnswerT


class EntityInTime(WithinPositions[AnswerT]):
    """An entity, and a stretch of the manuscript."""

    entity: TheEntity

    def covers(self, position: int | None) -> bool:
        """Say whether a position is in the stretch; None comes before the first."""
        return self.is_begun(position) and (
            self.from_position is None or (position is not None and position >= self.from_position)
        )

    def is_begun(self, first: int | None) -> bool:
        """Say whether what begins at a position has begun by the end of the stretch."""
        return self.to_position is None or first is None or first <= self.to_position
