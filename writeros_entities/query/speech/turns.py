"""The speakers of a paragraph: one for each of its speeches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from writeros_entities.values import SpeakerRule

SOMEBODY = ""
"""A speaker who is described but not named: "said the clerk"."""

NARRATOR = "I"
"""The first-person narrator, if it is not known who that is."""

NAMELESS = frozenset({SOMEBODY, NARRATOR})


@dataclass(frozen=True, slots=True)
class Turn:
    """The speakers of one paragraph, one for each speech, and the rule that found them.

    SOMEBODY and NARRATOR are not ids; None is an unknown speaker.
    """

    speakers: tuple[str | None, ...]
    rule: SpeakerRule | None = None

    @classmethod
    def unknown(cls, speeches: int) -> Turn:
        """Return a turn of `speeches` speeches by unknown speakers."""
        return cls((None,) * speeches)

    @property
    def speaker(self) -> str | None:
        """The speaker of all the speeches; None if there is none, or more than one."""
        return self.speakers[0] if self.speakers and len({*self.speakers}) == 1 else None


def without_answers_to_oneself(
    speakers: Sequence[str | None], runs: Sequence[range], tagged: Collection[int] = ()
) -> tuple[str | None, ...]:
    """Return speakers, with None for those of `runs` that would follow each other and are the same.

    Speeches that are `tagged`, by their indexes, keep theirs.
    """
    kept = list(speakers)
    for run in runs[1:]:
        if speakers[run[0] - 1] == speakers[run[0]]:
            for number in {run[0] - 1, run[0]}.difference(tagged):
                kept[number] = None
    return tuple(kept)
