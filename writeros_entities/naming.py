"""The names of a vault, compiled: given ones from its rows, and those that follow from them.

    naming = Naming(plugins, settings, database.folder_beside)
    lexicon = naming.load(index)

Names that follow by rule (`derive_names`) have no rows. They are compiled with the others into
blocks, which lie in files beside the index. A file is named by its content and mapped into memory;
one that is missing or damaged is made anew. `vault.names` says which blocks are valid, and which
entities have changed since: their names are read from the rows.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from writeros_entities.names import MAX_NAME, fold_name
from writeros_entities.store import rows
from writeros_entities.store.compiled import (
    CompiledLexicon,
    NamedEntity,
    VaultLexicon,
    content_key,
    write_block,
)
from writeros_entities.store.rows import VaultRows
from writeros_entities.values import ALWAYS, LARGEST_POSITION, DerivedName, LexiconEntity, Name

if TYPE_CHECKING:
    from pathlib import Path

    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.settings import Settings
    from writeros_entities.store.rows import Row
    from writeros_entities.values import JSON, Gender

PERSON = "person"

IN_CASE = 0.8
"""The weight of a name in another case, for one in the nominative: it may be another nominative."""

FEW = 100
"""So many changed entities are not compiled, nor is a hundredth of all."""

MOST_BLOCKS = 6
"""With more blocks than this, all names are compiled into one."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What the further names of an entity follow from, besides its own name and type.

    `revealed` are names that sections of its note reveal, with the position from which they are
    known; `others` the keys of further names that are given, and so need not be derived; `never`
    those that the writer says are no names.
    """

    aliases: tuple[str, ...] = ()
    gender: Gender | None = None
    revealed: tuple[tuple[str, int | None], ...] = ()
    others: frozenset[str] = frozenset()
    never: tuple[str, ...] = ()

    def stored(self) -> dict[str, JSON] | None:
        """Return it as the column `entity.origin`, or None if there is nothing to store."""
        if not (self.aliases or self.gender or self.revealed or self.never):
            return None
        revealed: list[JSON] = [list(one) for one in self.revealed]
        stored: dict[str, JSON] = {
            "aliases": list(self.aliases),
            "gender": self.gender,
            "revealed": revealed,
        }
        return stored | ({"never": list(self.never)} if self.never else {})

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None, others: Iterable[str] = ()) -> Origin:
        """Return the origin that a column has."""
        keys = frozenset(map(fold_name, others))
        if not stored:
            return cls(others=keys)
        revealed = tuple((name, known_from) for name, known_from in stored["revealed"])
        never = tuple(stored.get("never", ()))
        return cls(tuple(stored["aliases"]), stored["gender"], revealed, keys, never)


_NAMES = select(rows.vault.c.names).where(rows.vault.c.id == bindparam("vault"))
_ENTITY_IDS = select(rows.entity.c.id).where(rows.in_vault(rows.entity)).order_by(rows.entity.c.id)
_ENTITIES = (
    select(rows.entity, rows.note.c.path)
    .outerjoin(rows.note, (rows.note.c.id == rows.entity.c.note_id) & rows.in_vault(rows.note))
    .where(rows.in_vault(rows.entity), rows.among(rows.entity.c.id))
    .order_by(rows.entity.c.id)
)
_ALIASES = (
    select(rows.alias)
    .where(rows.in_vault(rows.alias), rows.among(rows.alias.c.entity_id))
    .order_by(rows.alias.c.form)
)


class Naming:
    """Derives, compiles and keeps names; `folder` is for the files, and None for no files."""

    def __init__(self, plugins: Plugins, settings: Settings, folder: Path | None) -> None:
        self.failures: list[PluginFailure] = []
        self.plugins = plugins
        self._folder = folder
        self._never = {fold_name(name) for name in settings.never}
        self._exact = {fold_name(name) for name in settings.exact_names}
        self._opened: dict[str, CompiledLexicon] = {}

    def derive(
        self, name: str, aliases: tuple[str, ...], kind: str, gender: Gender | None
    ) -> Sequence[DerivedName]:
        """Return what plugins derive from a name, and add to `failures` those that fail."""
        derived: Sequence[DerivedName]
        derived, failures = self.plugins.gather(
            "derive_names", name=name, aliases=aliases, entity_type=kind, gender=gender
        )
        self.failures += failures
        return derived

    def follow(
        self, name: str, kind: str, status: str, known_from: int | None, origin: Origin
    ) -> dict[str, Name]:
        """Return the names that follow from those given to an entity, by form, without its id.

        Each is known from where the name is known that it follows from. Nothing follows from a
        suggestion, nor from a link unless it names a person, but for the cases of the name itself.
        """
        sources: list[tuple[str, tuple[str, ...], int | None]]
        if status == "noted":
            sources = [(name, origin.aliases, ALWAYS)]
            sources += [(one, (), position) for one, position in origin.revealed]
        else:
            sources = [(name, (), known_from)]
        is_derived = status == "noted" or (status == "linked" and kind == PERSON)
        taken = {fold_name(name), *map(fold_name, origin.aliases), *origin.others, *origin.never}
        found: dict[str, Name] = {}
        for source, aliases, position in sources:
            taken |= {fold_name(source), *map(fold_name, found)}
            derived = self.derive(source, aliases, kind, origin.gender) if is_derived else ()
            for one in (*derived, *self._in_cases((source, *aliases), derived)):
                key = fold_name(one.form) if len(one.form) <= MAX_NAME else ""
                if key in taken or not key or key in self._never:
                    continue
                fresh = Name(one.form, "", "derived", one.weight, position, key in self._exact)
                known = found.get(one.form)
                if known is None or _rank(fresh) < _rank(known):
                    found[one.form] = fresh
        return found

    def _in_cases(
        self, given: Iterable[str], derived: Iterable[DerivedName]
    ) -> Iterator[DerivedName]:
        """Yield names in the other cases that their language has, each a little less certain."""
        for one in (*(DerivedName(form, 1.0) for form in given), *derived):
            for case in self.cases(one.form):
                yield DerivedName(case, one.weight * IN_CASE)

    def cases(self, name: str) -> Iterator[str]:
        """Yield a name in the other cases that its language has."""
        for words in self.plugins.words:
            yield from words.cases(name)

    def inflected(self, name: str) -> Iterator[str]:
        """Yield a name in other cases, and behind words that are elided before it."""
        for words in self.plugins.words:
            yield from words.cases(name)
            yield from words.elisions(name)

    def bare(self, name: str) -> Iterator[str]:
        """Yield a name without a word that is elided before it."""
        shorter = (words.without_elision(name) for words in self.plugins.words)
        yield from (one for one in shorter if one != name)

    def is_exact(self, key: str) -> bool:
        """Say whether a name is to be matched only as written."""
        return key in self._exact

    def is_never(self, key: str) -> bool:
        """Say whether the writer says that this is no name."""
        return key in self._never

    def load(self, index: VaultRows) -> VaultLexicon:
        """Return the names at the state of the index that a connection sees."""
        state = index.execute(_NAMES).scalar()
        if state is None:
            return self._compile_all(index, None)
        blocks = [self._open(index.vault_id, key) for key in state["blocks"]]
        found = [block for block in blocks if block is not None]
        if len(found) < len(blocks):
            spare = content_key(json.dumps(state["blocks"]).encode())
            block = self._open(index.vault_id, spare, is_spare=True)
            if block is None:
                return self._compile_all(index, spare)
            found = [block]
        changed: dict[int, NamedEntity | None] = dict.fromkeys(state["changed"])
        changed |= {one.id: one for one in self.read(index, state["changed"])}
        return VaultLexicon(found, changed)

    def save(self, index: VaultRows, names: VaultLexicon) -> VaultLexicon:
        """Make names those of the vault, compiling what has changed if it is much."""
        most = max(FEW, len(names) // 100)
        if len(names.changed) > most or (names.changed and not names.blocks):
            from writeros_entities.store.compiling import Compiler

            compiler = Compiler()
            for one in names.changed.values():
                if one is not None:
                    compiler.add(one)
            gone = {at: one for at, one in names.changed.items() if one is None}
            names = VaultLexicon(names.blocks, gone)
            if len(compiler):
                names = names.with_block(CompiledLexicon(compiler.compile()))
        if len(names.blocks) > MOST_BLOCKS or len(names.changed) > most:
            names = self._compile_all(index, None)
        keys = [content_key(block.block) for block in names.blocks]
        for key, block in zip(keys, names.blocks, strict=True):
            self._write(index.vault_id, key, block)
        before = index.execute(_NAMES).scalar()
        state = {"blocks": keys, "changed": sorted(names.changed)}
        if state != before:
            change = update(rows.vault).where(rows.vault.c.id == index.vault_id)
            index.connection.execute(change.values(names=state))
        self._clean(index.vault_id, {*keys, *(before["blocks"] if before else ())})
        blocks = [self._open(index.vault_id, key) for key in keys]
        opened = [block or names.blocks[at] for at, block in enumerate(blocks)]
        return VaultLexicon(opened, names.changed)

    def read(self, index: VaultRows, ids: Iterable[int] | None) -> Iterator[NamedEntity]:
        """Yield entities with all their names, from their rows; None means all of the vault."""
        if ids is None:
            ids = index.scalars(_ENTITY_IDS)
        for some in rows.given(sorted(ids)):
            given: dict[int, list[Row]] = defaultdict(list)
            for row in index.execute(_ALIASES, some):
                given[row.entity_id].append(row)
            for row in index.execute(_ENTITIES, some):
                yield self._named(row, given[row.id])

    def _named(self, row: Row, given: Sequence[Row]) -> NamedEntity:
        entity = LexiconEntity(row.key, row.name, row.type, row.status, row.path, row.heading)
        names = {
            one.form: Name(one.form, row.key, one.kind, one.weight, one.known_from, bool(one.exact))
            for one in given
            if is_given(row.status, one.kind)
        }
        return named_entity(row.id, entity, names, self.follow_row(row, given))

    def follow_row(self, row: Any, given: Iterable[Any]) -> dict[str, Name]:
        """Return the names that follow from an entity's row, and from the rows of its names."""
        others = [one.form for one in given if one.kind == "surface_form"]
        origin = Origin.of(row.origin, others)
        found = self.follow(row.name, row.type, row.status, row.known_from, origin)
        return {form: not_before(row.known_from, name) for form, name in found.items()}

    def _compile_all(self, index: VaultRows, key: str | None) -> VaultLexicon:
        from writeros_entities.store.compiling import Compiler

        compiler = Compiler()
        for one in self.read(index, None):
            compiler.add(one)
        if not len(compiler):
            return VaultLexicon()
        block = CompiledLexicon(compiler.compile())
        if key is not None:
            self._write(index.vault_id, key, block)
        return VaultLexicon([block])

    # -- Files -----------------------------------------------------------------------------------

    def _open(self, vault_id: int, key: str, *, is_spare: bool = False) -> CompiledLexicon | None:
        """Return the block in a file, or None if there is none or it is damaged or another one.

        A spare block stands for those that a key is made of, whatever its own content.
        """
        if key not in self._opened and self._folder is not None:
            try:
                block = CompiledLexicon(_path(self._folder, vault_id, key))
                if is_spare or content_key(block.block) == key:
                    self._opened[key] = block
            except (OSError, ValueError):
                return None
        return self._opened.get(key)

    def _write(self, vault_id: int, key: str, block: CompiledLexicon) -> None:
        """Write a block that has no file yet; without a file, it is kept in memory."""
        if self._folder is not None and self._open(vault_id, key) is None:
            with suppress(OSError):
                write_block(_path(self._folder, vault_id, key), block.block)
        if self._open(vault_id, key) is None:
            self._opened[key] = block

    def _clean(self, vault_id: int, keys: Iterable[str]) -> None:
        """Remove the files of blocks that are not valid any more, nor were before this sync."""
        kept = {_name(vault_id, key) for key in keys}
        self._opened = {key: block for key, block in self._opened.items() if key in keys}
        with suppress(OSError):
            for file in self._folder.glob(f"{vault_id}-*") if self._folder else ():
                if file.name not in kept:
                    file.unlink()


def named_entity(
    row_id: int, entity: LexiconEntity, given: Mapping[str, Name], following: Mapping[str, Name]
) -> NamedEntity:
    """Return an entity with its names in order: given ones, and others that follow from them."""
    names = {**following, **given}
    ordered = [replace(names[form], entity=entity.id) for form in sorted(names)]
    return NamedEntity(row_id, entity, ordered)


def not_before(start: int | None, name: Name) -> Name:
    """Return a name that is known from a position on or later; one never known stays so."""
    if name.known_from is None or name.known_from >= _position(start):
        return name
    return replace(name, known_from=start)


def is_given(status: str, kind: str) -> bool:
    """Say whether a row of a name is what a note says: a derived one only is if it is suggested."""
    return kind != "derived" or status == "suggested"


def _rank(name: Name) -> tuple[int, float]:
    return _position(name.known_from), -name.weight


def _position(known_from: int | None) -> int:
    return LARGEST_POSITION if known_from is None else known_from


def _path(folder: Path, vault_id: int, key: str) -> Path:
    return folder / _name(vault_id, key)


def _name(vault_id: int, key: str) -> str:
    return f"{vault_id}-{key}.names"
