"""What is known of who speaks in a paragraph: a speaker for each of its speeches."""

from __future__ import annotations

from dataclasses import dataclass

from writeros_entities.values import SpeakerRule

SOMEBODY = ""
"""A speaker of whom is only known that no name tells who it is: "said the clerk"."""

NARRATOR = "I"
"""A speaker of whom is only known that she or he tells the story."""

NAMELESS = frozenset({SOMEBODY, NARRATOR})


@dataclass(frozen=True, slots=True)
class Turn:
    """The speakers of one paragraph, one for each speech, and the rule that tells of them.

    SOMEBODY and NARRATOR are no names; None is for a speaker who is not known.
    """

    speakers: tuple[str | None, ...]
    rule: SpeakerRule | None = None

    @classmethod
    def unknown(cls, speeches: int) -> Turn:
        """Return a turn of so many speeches of which nothing is known."""
        return cls((None,) * speeches)

    @property
    def speaker(self) -> str | None:
        """The one who speaks throughout; None where nobody or more than one does."""
        return self.speakers[0] if self.speakers and len({*self.speakers}) == 1 else None
