"""What a sync has touched so far, and so what the later stages have to look at again."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Touched:
    """Sets that grow while notes are applied; `everything` stands for all of each.

    `targets` are notes that links began or ceased to point to, `unresolved` keys of links that
    began or ceased to point to nothing, `names` keys of proposed names, `files` keys of files
    that came, went or moved. `entities` are those whose counts have to be taken again.
    """

    everything: bool = False
    notes: set[int] = field(default_factory=set)
    targets: set[int] = field(default_factory=set)
    unresolved: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    order: bool = False
    visibility: set[int] = field(default_factory=set)
