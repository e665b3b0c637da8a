"""Blocks of bytes in files beside an index, which several processes map into memory.

A block has named sections. It is written once and never changed; its head shows whether it is
whole, and of which kind, by the eight bytes with which it begins.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import tempfile
from collections.abc import Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path
from zlib import crc32

from writeros_entities.settings import create_private_folder

_HEAD = struct.Struct("<8sIQQ")
"""Kind, checksum of what follows the head, its length, and the length of the table of contents."""

_ALIGNED = 8
"""The first section begins at a multiple of this, so that one of numbers can be read in place."""


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
