"""The names of a vault in one compact block of bytes, which several processes map into memory.

Each section of such a block (see `blocks`) is an array of little-endian integers or a text:

    entities    row ids, ascending; and as JSON, key, name, type, status and path
    forms       distinct forms, by the hash of what they are folded to; for each, its names
    names       entity and class: each distinct (kind, weight, known from, exact) is a class
    pieces      for each piece of text with which a form begins, the lengths of these forms
    given       the names and aliases of each entity
    called      entities by their own name, and by that of their note's file
    keyed       forms whose `fold_name` differs from their folded form
    keys        entities by key

What is found by a hash of 32 bits is compared as text, except pieces: a false one costs a look-up.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import tempfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from writeros_entities.folding import fold_form
from writeros_entities.lexicon import JoinedEntities, Lexicon, own_forms
from writeros_entities.names import fold_name
from writeros_entities.settings import create_private_folder
from writeros_entities.values import LexiconEntity, Name

MAGIC = b"WRNAMES1"
"""What a block of names begins with."""

_MOST_KEPT = 20_000
"""Entities that are kept decoded."""


_HEAD = struct.Struct("<8sIQQ")
"""Kind, checksum of what follows the head, its length, and the length of the table of contents."""

_ALIGNED = 8
"""The first section begins at a multiple of this, so that one of numbers can be read in place."""


class NamedEntity(NamedTuple):
    """An entity with its row id and all of its names: what is compiled."""

    id: int
    entity: LexiconEntity
    names: Sequence[Name]


class CompiledLexicon(Lexicon):
    """The names of a block, or of the file that holds one.

    Raises ValueError if it is damaged, OSError if the file cannot be read.
    """

    def __init__(self, block: bytes | Path) -> None:
        super().__init__()
        self._source = block
        self.block, self._section = open_block(MAGIC, block)
        self._classes = [tuple(kind) for kind in json.loads(bytes(self._section["classes"]))]
        self.ids: Sequence[int] = self._section["ids"].cast("q")
        self._told = self._section["told"]
        self._told_at = self._section["told_at"].cast("I")
        self._form = self._section["forms"]
        self._forms_at = self._section["forms_at"].cast("I")
        self._names_at = self._section["names_at"].cast("I")
        self._owner = self._section["owner"].cast("I")
        self._class = self._section["class"].cast("H")
        self._given = self._section["given"].cast("I")
        self._given_at = self._section["given_at"].cast("I")
        self._called_entity = self._section["called_entity"].cast("I")
        self._key_entity = self._section["key_entity"].cast("I")
        self._keyed_form = self._section["keyed_form"].cast("I")
        self._lengths = self._section["lengths"].cast("H")
        self._lengths_at = self._section["lengths_at"].cast("I")
        self._by = {
            name: _Hashes(self._section, name)
            for name in ("form", "called", "key", "keyed", "piece")
        }
        self._kept: dict[int, LexiconEntity] = {}
        self.kept: dict[str, LexiconEntity] = {}

    def __reduce__(self) -> tuple[type[CompiledLexicon], tuple[bytes | Path]]:
        return CompiledLexicon, (self._source,)

    @property
    def names(self) -> Iterator[Name]:
        """All names, in the order of the block."""
        for form in range(len(self._forms_at) - 1):
            yield from self._names_of(form, self._text(form))

    @cached_property
    def entities(self) -> Mapping[str, LexiconEntity]:
        """All entities, by id, in the order of their rows."""
        return _Entities(self)

    def named(self, folded: str) -> Sequence[Name]:
        """Return the names whose folded form is this text."""
        found: list[Name] = []
        for at in self._by["form"].find(hash_of(folded)) if folded else ():
            form = self._text(at)
            if fold_form(form) == folded:
                found += self._names_of(at, form)
        return found

    def keyed(self, key: str) -> list[Name]:
        """Return the names of which `fold_name` makes this key."""
        forms = [*self._by["form"].find(hash_of(key))]
        forms += [self._keyed_form[at] for at in self._by["keyed"].find(hash_of(key))]
        found: list[Name] = []
        for at in dict.fromkeys(forms):
            form = self._text(at)
            if fold_name(form) == key:
                found += self._names_of(at, form)
        return found

    def lengths(self, piece: str) -> Sequence[int]:
        """Return the lengths of the folded forms that begin with a piece of text, ascending."""
        for at in self._by["piece"].find(hash_of(piece)):
            return self._lengths[self._lengths_at[at] : self._lengths_at[at + 1]].tolist()
        return ()

    def given(self, entity: str) -> Sequence[Name]:
        """Return the names and aliases that notes give to an entity."""
        at = self.place(entity)
        if at is None:
            return ()
        found = self._given[self._given_at[at] : self._given_at[at + 1]]
        return [self._name(self._form_of(name), name) for name in found]

    def called(self, folded: str) -> Sequence[LexiconEntity]:
        """Return the entities whose own name, or whose note's file name, is this folded text."""
        places = self._by["called"].find(hash_of(folded))
        found = map(self.entity, (self._called_entity[at] for at in places))
        return [entity for entity in found if folded in own_forms(entity)]

    def place(self, key: str) -> int | None:
        """Return the place of an entity among the ids, or None if it is not there."""
        for at in self._by["key"].find(hash_of(key)):
            place = self._key_entity[at]
            if self.entity(place).id == key:
                return place
        return None

    def place_of_row(self, row_id: int) -> int | None:
        """Return the place of a row's entity, or None if it is not there."""
        ids = self.ids
        if not ids or not ids[0] <= row_id <= ids[-1]:
            return None
        place = bisect_left(ids, row_id)
        return place if ids[place] == row_id else None

    def entity(self, place: int) -> LexiconEntity:
        """Return the entity at a place."""
        kept = self._kept.get(place)
        if kept is None:
            told = json.loads(bytes(self._told[self._told_at[place] : self._told_at[place + 1]]))
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
                self.kept.clear()
            kept = self._kept[place] = LexiconEntity(*told)
            self.kept[kept.id] = kept
        return kept

    def _text(self, form: int) -> str:
        return str(self._form[self._forms_at[form] : self._forms_at[form + 1]], "utf-8")

    def _names_of(self, form: int, text: str) -> list[Name]:
        places = range(self._names_at[form], self._names_at[form + 1])
        return [self._name(text, at) for at in places]

    def _name(self, form: str, at: int) -> Name:
        kind, weight, known_from, exact = self._classes[self._class[at]]
        return Name(form, self.entity(self._owner[at]).id, kind, weight, known_from, exact)

    def _form_of(self, name: int) -> str:
        return self._text(bisect_right(self._names_at, name) - 1)


class _Entities(Mapping[str, LexiconEntity]):
    """The entities of a compiled lexicon, decoded when they are asked for."""

    def __init__(self, compiled: CompiledLexicon) -> None:
        self._compiled = compiled

    def __getitem__(self, key: str) -> LexiconEntity:
        kept = self._compiled.kept.get(key)
        if kept is not None:
            return kept
        place = self._compiled.place(key)
        if place is None:
            raise KeyError(key)
        return self._compiled.entity(place)

    def __iter__(self) -> Iterator[str]:
        return (self._compiled.entity(place).id for place in range(len(self)))

    def __len__(self) -> int:
        return len(self._compiled.ids)


class VaultLexicon(Lexicon):
    """The names of a vault, whoever may see them: compiled blocks, and what has changed since.

    An entity is as the last block that has it says, unless it is among the `changed`, by row id;
    None stands for one that is gone. Values are not changed: `with_block` and `with_changed` return
    others.
    """

    def __init__(
        self,
        blocks: Sequence[CompiledLexicon] = (),
        changed: Mapping[int, NamedEntity | None] | None = None,
    ) -> None:
        super().__init__()
        self.blocks = tuple(blocks)
        self.changed = changed or {}
        standing = [one for one in self.changed.values() if one is not None]
        fresh = Lexicon(
            [name for one in standing for name in one.names],
            {one.entity.id: one.entity for one in standing},
        )
        self._fresh_ids = {one.entity.id: one.id for one in standing}
        self._parts: list[tuple[Lexicon, Set[str]]] = [(fresh, frozenset())]
        newer = sorted(self.changed)
        for block in reversed(self.blocks):
            places = (block.place_of_row(row_id) for row_id in newer)
            keys = {block.entity(place).id for place in places if place is not None}
            self._parts.insert(0, (block, keys))
            if block is not self.blocks[0]:
                newer = sorted({*newer, *block.ids})

    def __reduce__(self) -> tuple[type[VaultLexicon], tuple[object, ...]]:
        return VaultLexicon, (self.blocks, dict(self.changed))

    def __len__(self) -> int:
        return len(self._fresh_ids) + sum(
            len(part.entities) - len(hidden) for part, hidden in self._parts[:-1]
        )

    def with_block(self, block: CompiledLexicon) -> VaultLexicon:
        """Return the lexicon with a block whose entities replace those of the same row ids."""
        ids = set(block.ids)
        changed = {at: one for at, one in self.changed.items() if at not in ids}
        return VaultLexicon((*self.blocks, block), changed)

    def with_changed(self, changed: Mapping[int, NamedEntity | None]) -> VaultLexicon:
        """Return the lexicon with other entities, or None for those that are gone, by row id."""
        return VaultLexicon(self.blocks, {**self.changed, **changed}) if changed else self

    @property
    def names(self) -> Iterator[Name]:
        """All names, block by block."""
        for part, hidden in self._parts:
            yield from _standing(part.names, hidden)

    @cached_property
    def entities(self) -> Mapping[str, LexiconEntity]:
        """All entities, by id."""
        return JoinedEntities(self._parts)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The row ids of all entities, by key."""
        return _Ids(self)

    def row_id(self, key: str) -> int | None:
        """Return the row id of an entity, or None if there is none with this key."""
        found = self._fresh_ids.get(key)
        if found is not None:
            return found
        for block, (_, hidden) in zip(self.blocks, self._parts, strict=False):
            place = None if key in hidden else block.place(key)
            if place is not None:
                return block.ids[place]
        return None

    def by_row(self, row_id: int) -> LexiconEntity | None:
        """Return the entity of a row."""
        if row_id in self.changed:
            changed = self.changed[row_id]
            return None if changed is None else changed.entity
        for block in reversed(self.blocks):
            place = block.place_of_row(row_id)
            if place is not None:
                return block.entity(place)
        return None

    def named(self, folded: str) -> Sequence[Name]:
        """Return the names whose folded form is this text, in the order of their rows."""
        found = [list(_standing(part.named(folded), hidden)) for part, hidden in self._parts]
        return self._in_order([names for names in found if names])

    def keyed(self, key: str) -> Sequence[Name]:
        """Return the names of which `fold_name` makes this key."""
        return [name for part, hidden in self._parts for name in _standing(part.keyed(key), hidden)]

    def lengths(self, piece: str) -> Sequence[int]:
        """Return the lengths of the folded forms that begin with a piece of text, ascending."""
        found = [lengths for part, _ in self._parts if (lengths := part.lengths(piece))]
        return found[0] if len(found) == 1 else sorted({each for one in found for each in one})

    def given(self, entity: str) -> Sequence[Name]:
        """Return the names and aliases that notes give to an entity."""
        for part, hidden in self._parts:
            if entity not in hidden and (found := part.given(entity)):
                return found
        return ()

    def called(self, folded: str) -> Sequence[LexiconEntity]:
        """Return the entities whose own name, or whose note's file name, is this folded text."""
        found = [
            entity
            for part, hidden in self._parts
            for entity in part.called(folded)
            if entity.id not in hidden
        ]
        return sorted(found, key=lambda one: self.ids[one.id]) if len(found) > 1 else found

    def _in_order(self, found: Sequence[list[Name]]) -> Sequence[Name]:
        if len(found) < 2:
            return found[0] if found else ()
        return sorted(chain(*found), key=lambda name: (name.form, self.ids[name.entity]))


def _standing(names: Iterable[Name], hidden: Set[str]) -> Iterable[Name]:
    return (name for name in names if name.entity not in hidden) if hidden else names


class _Ids(Mapping[str, int]):
    """The row ids of a vault's entities, by key."""

    def __init__(self, lexicon: VaultLexicon) -> None:
        self._lexicon = lexicon

    def __getitem__(self, key: str) -> int:
        found = self._lexicon.row_id(key)
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._lexicon.entities)

    def __len__(self) -> int:
        return len(self._lexicon)


class _Hashes:
    """Sorted hashes, with a directory of their leading bits."""

    def __init__(self, section: Mapping[str, memoryview], name: str) -> None:
        self._hashes = section[f"{name}_hash"].cast("I")
        self._buckets = section[f"{name}_bucket"].cast("I")
        self._shift = 33 - (len(self._buckets) - 1).bit_length()

    def find(self, hash_: int) -> Iterator[int]:
        """Yield the places of a hash."""
        bucket = hash_ >> self._shift
        for at in range(self._buckets[bucket], self._buckets[bucket + 1]):
            if self._hashes[at] == hash_:
                yield at


def hash_of(text: str) -> int:
    """Return the hash by which a text is found: the same in every process."""
    return crc32(text.encode())


def join_block(kind: bytes, sections: Mapping[str, bytes | memoryview]) -> bytes:
    """Return a block of sections."""
    contents = json.dumps({name: len(data) for name, data in sections.items()}).encode()
    contents += b" " * (-(_HEAD.size + len(contents)) % _ALIGNED)
    parts = [contents, *sections.values()]
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    length = sum(map(len, parts))
    return b"".join([_HEAD.pack(kind, checksum, length, len(contents)), *parts])


def open_block(kind: bytes, source: bytes | Path) -> tuple[bytes | mmap, Mapping[str, memoryview]]:
    """Return a block, or what a file maps, with its sections by name.

    Raises ValueError if it is damaged or of another kind, OSError if the file cannot be read.
    """
    block = source if isinstance(source, bytes) else _mapped(source)
    whole = memoryview(block)
    if len(whole) < _HEAD.size:
        raise ValueError("the block is too short")
    magic, checksum, length, contents = _HEAD.unpack(whole[: _HEAD.size])
    body = whole[_HEAD.size :]
    if magic != kind or len(body) != length or crc32(body) != checksum:
        raise ValueError("the block is damaged")
    found = {}
    at = contents
    for name, size in json.loads(bytes(body[:contents])).items():
        found[name] = body[at : at + size]
        at += size
    return block, found


def _mapped(file: Path) -> mmap:
    with file.open("rb") as opened:
        return mmap(opened.fileno(), 0, access=ACCESS_READ)


def content_key(block: bytes | mmap) -> str:
    """Return the name of a block by its content: a hash of its head, and the sections' lengths."""
    *_, contents = _HEAD.unpack(block[: _HEAD.size])
    head = block[: _HEAD.size + contents]
    return hashlib.blake2b(head, digest_size=16).hexdigest()


def write_block(file: Path, block: bytes | mmap) -> None:
    """Write a block to a file, which has all of it or is not there; raise OSError if it cannot be.

    The folder and the file are private.
    """
    create_private_folder(file.parent)
    number, name = tempfile.mkstemp(prefix=f"{file.name}-", dir=file.parent)
    with os.fdopen(number, "wb") as opened:
        opened.write(block)
    Path(name).replace(file)
