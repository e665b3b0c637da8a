"""What a sync has changed so far, and later stages therefore have to update."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from writeros_entities.sync.drafting.drafts import MentionRow


class Counted(NamedTuple):
    """What the counts of entities and aliases depend on in a mention."""

    entity_id: int
    form: str
    visible_from: int | None
    visible_until: int | None

    @classmethod
    def of(cls, mention: MentionRow) -> Self:
        """Return what counts of a mention."""
        return cls(mention.entity_id, mention.form, mention.visible_from, mention.visible_until)


@dataclass
class Touched:
    """Sets that grow during a sync; `everything` means all of each, except of `added`.

    Sets that a first sync would fill, and `everything` makes superfluous, are left empty then.

    - `notes`: notes written, moved or removed; `written`: those of them whose rows were made anew
      from their files, so that later stages find nothing of their own there; `added`: those of
      these that are new to the index;
    - `moved`: notes that are at another path; `linking`: notes whose links are to be resolved;
    - `targets`: notes that links started or stopped pointing to;
    - `unresolved`: keys of links that started or stopped being unresolved;
    - `names`: keys of proposed names; `files`: link keys of files added, removed or moved;
    - `entities`: entities whose counts must be recomputed;
    - `lost`: by note, the mentions that were deleted with chunks of changed
      notes, for comparison with what detection finds;
    - `order`, `visibility`: whether a claim to a position changed, or one to a visibility;
    - `shown`: by note that was placed, the position from which its own text may be seen;
    - `renewed`: subjects of entities that are new, gone or of another type;
    - `restated`: notes whose links or sections changed although the note did not;
    - `met`: entities whose `visible_from` changed;
    - `relations`: relations that gained or lost evidence;
    - `histories`: entities whose relations changed.
    """

    everything: bool = False
    notes: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)
    added: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    linking: set[int] = field(default_factory=set)
    targets: set[int] = field(default_factory=set)
    unresolved: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    lost: dict[int, Counter[Counted]] = field(default_factory=dict)
    order: bool = False
    visibility: bool = False
    shown: dict[int, int | None] = field(default_factory=dict)
    renewed: set[str] = field(default_factory=set)
    restated: set[int] = field(default_factory=set)
    met: set[int] = field(default_factory=set)
    relations: set[int] = field(default_factory=set)
    histories: set[int] = field(default_factory=set)

    def add_target(self, note_id: int | None, key: str) -> None:
        """Record that a link started or stopped leading to a note, or with None, to no file."""
        if note_id is None:
            self.unresolved.add(key)
        else:
            self.targets.add(note_id)
