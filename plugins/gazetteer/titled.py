"""Names after a title: "Captain Vane", "Miss Ida"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from writeros_entities import Candidate, Gender, Lexicon

from .doubtful import CAPITAL
from .evidence import UNLIVING, gender_of_titles
from .spellings import position

GIVEN = 0.6
"""The weight from which a part of a name is more than a bare surname."""

PART = 0.5
"""The weight of a bare surname."""

TITLED = 0.15
"""The bonus for a part of a name after a title."""


class Titled(NamedTuple):
    """A place where a title, which starts at `title`, stands before a name.

    `gender` is that which the title implies.
    """

    title: int
    start: int
    end: int
    candidates: tuple[Candidate, ...]
    gender: Gender | None

    def fitting(self, lexicon: Lexicon) -> Titled:
        """Return this without places, things and those of the other gender.

        "Lady Ash" is neither Lord Ash nor the town of Ash.
        """
        entities = [lexicon.entities[one.entity] for one in self.candidates]
        fit = (
            one.type not in UNLIVING
            and (not self.gender or gender_of_titles(one.name) in (None, self.gender))
            for one in entities
        )
        return self._replace(candidates=tuple(compress(self.candidates, fit)))

    def raised(self) -> tuple[Candidate, ...]:
        """Return the candidates with the bonus for the title, unless it may belong to somebody
        else.
        """
        return tuple(
            replace(each, score=max(each.score, min(CAPITAL, each.score + TITLED)))
            if each.score >= self._least
            else each
            for each in self.candidates
        )

    def is_nobody_else(self, rivals: Sequence[Candidate], lexicon: Lexicon) -> bool:
        """Say whether a title and name that are only suggested mean an entity with a note.

        After a title that implies a gender, a surname may be the wife's, the brother's or the
        aunt's.
        """
        one, *others = self.candidates
        return (
            not others
            and lexicon.entities[one.entity].status == "noted"
            and one.score >= self._least
            and all(
                lexicon.entities[rival.entity].status == "suggested"
                and position(one.known_from) <= position(rival.known_from)
                for rival in rivals
            )
        )

    @property
    def _least(self) -> float:
        """The weight from which a name after this title is assumed to be the bearer's."""
        return GIVEN if self.gender else PART
