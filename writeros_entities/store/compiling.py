"""Compile the names of entities into a block: see `compiled`."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.boundaries import first_piece
from writeros_entities.folding import fold_forms
from writeros_entities.lexicon import GIVEN, own_forms
from writeros_entities.names import fold_name
from writeros_entities.store.compiled import MAGIC, NamedEntity, hash_of, join_block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.arrays import Integers

    Hashes = NDArray[np.uint32]

_PER_BUCKET = 4
"""Entries that share the leading bits of their hashes, on average."""

_TOGETHER = 50_000
"""Forms that are folded at once."""


class Compiler:
    """Collects entities, which need not be kept in memory, and compiles their names."""

    def __init__(self) -> None:
        self._ids = array("q")
        self._told: list[bytes] = []
        self._text = bytearray()
        self._text_ends = array("I")
        self._hashes = array("q")
        self._owners = array("I")
        self._classes = array("H")
        self._known: dict[tuple[object, ...], int] = {}
        self._called: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, named: NamedEntity) -> None:
        """Add an entity, in any order."""
        at = len(self._ids)
        entity = named.entity
        told = [entity.id, entity.name, entity.type, entity.status, entity.note_path]
        if entity.heading:
            told.append(entity.heading)
        self._ids.append(named.id)
        self._told.append(json.dumps(told, ensure_ascii=False).encode())
        self._called += [(hash_of(form), at) for form in own_forms(entity)]
        known = self._known
        for name in named.names:
            kind = (name.kind, name.weight, name.known_from, name.exact)
            self._text += name.form.encode()
            self._text_ends.append(len(self._text))
            self._hashes.append(hash(name.form))
            self._owners.append(at)
            self._classes.append(known.setdefault(kind, len(known)))

    def compile(self) -> bytes:
        """Return the block."""
        _, first, form_of = np.unique(
            np.frombuffer(self._hashes, np.int64), return_index=True, return_inverse=True
        )
        ends = self._text_ends
        texts = [bytes(self._text[ends[at - 1] if at else 0 : ends[at]]) for at in first.tolist()]
        folded = _FoldedForms(texts)
        order = folded.order()
        rank = np.empty(len(order), np.uint32)
        rank[order] = np.arange(len(order), dtype=np.uint32)
        of_form = rank[form_of]
        ids = np.frombuffer(self._ids, np.int64)
        by_id = np.argsort(ids, kind="stable")
        place = np.empty(len(ids), np.uint32)
        place[by_id] = np.arange(len(ids), dtype=np.uint32)
        told = [self._told[at] for at in by_id.tolist()]
        owners = place[np.frombuffer(self._owners, np.uint32)]
        by_form = np.lexsort((owners, of_form))
        texts = [texts[at] for at in order.tolist()]
        kinds = [kind in GIVEN for kind, *_ in self._known]
        classes = np.frombuffer(self._classes, np.uint16)[by_form]
        owners = owners[by_form]
        is_given = np.array([*kinds, False], bool)[classes]
        given = np.flatnonzero(is_given)
        given = given[np.argsort(owners[given], kind="stable")]
        called = np.array(self._called or np.empty((0, 2)), np.uint32).reshape(-1, 2)
        called[:, 1] = place[called[:, 1]]
        called = called[np.lexsort((called[:, 1], called[:, 0]))]
        keys = np.array([hash_of(json.loads(one)[0]) for one in told], np.uint32)
        by_key = np.argsort(keys, kind="stable")
        keyed = [(hash_, int(rank[at])) for hash_, at in folded.keyed]
        by_name = np.array(sorted(keyed) or np.empty((0, 2)), np.uint32).reshape(-1, 2)
        pieces = np.unique(np.frombuffer(folded.pieces, np.uint64))
        piece_hashes, piece_starts = np.unique(pieces >> np.uint64(16), return_index=True)
        sections = {
            "classes": json.dumps(list(self._known)).encode(),
            "ids": ids[by_id].tobytes(),
            "told": b"".join(told),
            "told_at": _offsets(map(len, told)),
            "forms": b"".join(texts),
            "forms_at": _offsets(map(len, texts)),
            **_hashed("form", np.frombuffer(folded.hashes, np.uint32)[order]),
            "names_at": _counted(of_form[by_form], len(texts)),
            "owner": owners.tobytes(),
            "class": classes.tobytes(),
            "given": given.astype(np.uint32).tobytes(),
            "given_at": _counted(owners[given], len(self._ids)),
            **_hashed("called", called[:, 0]),
            "called_entity": called[:, 1].tobytes(),
            **_hashed("key", keys[by_key]),
            "key_entity": by_key.astype(np.uint32).tobytes(),
            **_hashed("keyed", by_name[:, 0]),
            "keyed_form": by_name[:, 1].tobytes(),
            **_hashed("piece", piece_hashes.astype(np.uint32)),
            "lengths": (pieces & np.uint64(0xFFFF)).astype(np.uint16).tobytes(),
            "lengths_at": np.append(piece_starts, len(pieces)).astype(np.uint32).tobytes(),
        }
        return join_block(MAGIC, sections)


class _FoldedForms:
    """Distinct forms as they are folded: their hashes, and the pieces with which they begin."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.hashes = array("I")
        self.pieces = array("Q")
        self.keyed: list[tuple[int, int]] = []
        self._texts = texts
        for start in range(0, len(texts), _TOGETHER):
            forms = [text.decode() for text in texts[start : start + _TOGETHER]]
            for at, (form, folded) in enumerate(zip(forms, fold_forms(forms), strict=True), start):
                self.hashes.append(hash_of(folded))
                if folded:
                    self.pieces.append(hash_of(first_piece(folded)) << 16 | len(folded))
                key = fold_name(form)
                if key != folded:
                    self.keyed.append((hash_of(key), at))

    def order(self) -> Integers:
        """Return the order of the forms: by hash, and among equal ones by text."""
        hashes = np.frombuffer(self.hashes, np.uint32)
        order = np.argsort(hashes, kind="stable")
        ordered = hashes[order]
        same = np.flatnonzero(ordered[1:] == ordered[:-1])
        for start in same[np.append(True, np.diff(same) > 1)].tolist() if len(same) else ():
            end = int(np.searchsorted(ordered, ordered[start], "right"))
            order[start:end] = sorted(order[start:end].tolist(), key=self._texts.__getitem__)
        return order


def _offsets(lengths: Iterable[int]) -> bytes:
    return array("I", accumulate(lengths, initial=0)).tobytes()


def _counted(sorted_values: Hashes, number: int) -> bytes:
    """Return where each of the values from 0 up to a number begins among sorted ones."""
    return np.searchsorted(sorted_values, np.arange(number + 1)).astype(np.uint32).tobytes()


def _hashed(name: str, hashes: Hashes) -> dict[str, bytes]:
    """Return the sections of sorted hashes: these, and where those with equal bits begin."""
    bits = max(1, (len(hashes) // _PER_BUCKET).bit_length())
    edges = np.arange((1 << bits) + 1, dtype=np.uint64) << np.uint64(32 - bits)
    buckets = np.searchsorted(hashes.astype(np.uint64), edges).astype(np.uint32)
    return {f"{name}_hash": hashes.astype(np.uint32).tobytes(), f"{name}_bucket": buckets.tobytes()}
