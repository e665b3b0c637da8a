"""Snapshots in files beside the index, from which the next process has them without its rows.

A file is of one state of the index, as of one position, and of what decides how its rows are read:
its name is made of these. So it never needs to be brought up to date; one of another state is
deleted when the next is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from writeros_entities.graph.network import Network
from writeros_entities.graph.snapshot import Edges, Nodes, Snapshot
from writeros_entities.store.compiled import join_block, open_block, write_block

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.view import View

KIND = b"WRGRAPH1"
"""What the files begin with; another number whenever other rows, or other sums, make a snapshot."""

_MOST = 3
"""Positions of one state that have a file."""


class SnapshotFile:
    """The file for the snapshot that a view shows; there may be none yet."""

    def __init__(self, view: View, ontology: Ontology) -> None:
        folder = view.engine.folder_beside(view.connection.engine.url)
        symmetric = sorted(kind.name for kind in ontology.kinds.values() if kind.symmetric)
        state = json.dumps([KIND.decode(), view.state, symmetric])
        self._own = f"graph-{view.vault_id}-"
        self._state = self._own + blake2b(state.encode(), digest_size=12).hexdigest()
        position = "whole" if view.as_of is None else str(view.as_of)
        self._file = None if folder is None else folder / f"{self._state}-{position}"

    def read(self) -> Snapshot | None:
        """Return the snapshot, or None if there is no file, or a damaged one."""
        if self._file is not None:
            with suppress(OSError, ValueError):
                return _unpacked(open_block(KIND, self._file)[1])
        return None

    def write(self, snapshot: Snapshot) -> None:
        """Write a snapshot, if that is possible, and delete files that nobody needs any more."""
        if self._file is not None:
            with suppress(OSError):
                write_block(self._file, join_block(KIND, _packed(snapshot)))
                self._clean(self._file.parent)

    def _clean(self, folder: Path) -> None:
        files = sorted(folder.glob(f"{self._own}*"), key=lambda file: -file.stat().st_mtime_ns)
        fresh = [file for file in files if file.name.startswith(self._state)][:_MOST]
        for file in files:
            if file not in fresh:
                file.unlink()


def _packed(snapshot: Snapshot) -> dict[str, bytes | memoryview]:
    """Return a snapshot as sections, with the network of all of its edges: a question's first."""
    parts: dict[str, Nodes | Edges | Network] = {
        "nodes": snapshot.nodes,
        "edges": snapshot.edges,
        "network": snapshot.network(),
    }
    arrays = {
        f"{part}.{one.name}": value
        for part, values in parts.items()
        for one in fields(values)
        if isinstance(value := getattr(values, one.name), np.ndarray)
    }
    told = {
        "arrays": {name: array.dtype.str for name, array in arrays.items()},
        "types": snapshot.nodes.types,
        "kinds": snapshot.edges.kinds,
        "over": list(snapshot.edges.over.items()),
    }
    in_place = sorted(arrays, key=lambda name: -arrays[name].dtype.itemsize)
    return {
        **{name: np.ascontiguousarray(arrays[name]).data.cast("B") for name in in_place},
        "told": json.dumps(told).encode(),
    }


def _unpacked(sections: Mapping[str, memoryview]) -> Snapshot:
    told = json.loads(bytes(sections["told"]))
    parts: dict[str, dict[str, Any]] = {"nodes": {}, "edges": {}, "network": {}}
    for name, kind in told["arrays"].items():
        part, _, field = name.partition(".")
        parts[part][field] = np.frombuffer(sections[name], kind)
    over = {edge: tuple(map(tuple, intervals)) for edge, intervals in told["over"]}
    nodes = Nodes(**parts["nodes"], types=tuple(told["types"]))
    edges = Edges(**parts["edges"], kinds=tuple(told["kinds"]), over=over)
    return Snapshot.with_network(nodes, edges, Network(**parts["network"]))
