"""What a sync has touched so far, and so what the later stages have to look at again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

COUNTED = ("entity_id", "form", "visible_from", "visible_until")
"""The columns of mentions that the counts of entities and aliases are taken from."""


@dataclass
class Touched:
    """Sets that grow while notes are applied; `everything` stands for all of each but `added`.

    `added` are, of the `notes` written, those that the index did not have before this sync.
    `targets` are notes that links began or ceased to point to, `unresolved` keys of links that
    began or ceased to point to nothing, `names` keys of proposed names, `files` keys of files
    that came, went or moved. `entities` are those whose counts have to be taken again. `lost` are
    the mentions, `COUNTED` and by note, that went with the chunks of changed notes: detection sets
    them against what it finds there now.

    `renewed` are the subjects of entities that are new or of another type, `restated` notes whose
    links or sections changed although the note did not, `met` entities that are met at another
    position than before, `relations` those that gained or lost evidence, `histories` entities whose
    relations changed.
    """

    everything: bool = False
    notes: set[int] = field(default_factory=set)
    added: set[int] = field(default_factory=set)
    targets: set[int] = field(default_factory=set)
    unresolved: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    lost: dict[int, Counter[tuple[Any, ...]]] = field(default_factory=dict)
    order: bool = False
    visibility: set[int] = field(default_factory=set)
    renewed: set[str] = field(default_factory=set)
    restated: set[int] = field(default_factory=set)
    met: set[int] = field(default_factory=set)
    relations: set[int] = field(default_factory=set)
    histories: set[int] = field(default_factory=set)
