"""Names and the entities behind them, as detectors look them up.

A detector asks only for what its text contains:

    for start, end in pieces(text.folded):
        for length in lexicon.lengths(text.folded[start:end]):
            names = lexicon.named(text.folded[start : start + length])

so a page costs the same whether the vault has a hundred names or a million.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from writeros_entities.boundaries import first_piece
from writeros_entities.folding import fold_form, fold_forms
from writeros_entities.names import fold_name
from writeros_entities.values import HEADING_SEPARATOR

if TYPE_CHECKING:
    from writeros_entities.values import LexiconEntity, Name

GIVEN = frozenset({"name", "alias"})
"""The kinds of name that a note states of its entity."""


class Lexicon:
    """Every name that the vault knows, and the entities behind them.

    Texts are compared folded: see `fold_form`. `names` and `entities` can be iterated, but a vault
    may have millions of names, so a detector should look up those that it needs.

    Compared and hashed by identity, so that a plugin can cache what it learns from one in a
    `WeakKeyDictionary`.
    """

    def __init__(
        self,
        names: Iterable[Name] = (),
        entities: Mapping[str, LexiconEntity] | None = None,
    ) -> None:
        self._names = tuple(names)
        self._entities = entities or {}

    @property
    def names(self) -> Iterable[Name]:
        """All names, each time in the same order."""
        return self._names

    @property
    def entities(self) -> Mapping[str, LexiconEntity]:
        """All entities, by id."""
        return self._entities

    def named(self, folded: str) -> Sequence[Name]:
        """Return the names whose folded form is this text."""
        return self._by_form.get(folded, ())

    def keyed(self, key: str) -> Sequence[Name]:
        """Return the names of which `fold_name` makes this key, by which requests name entities."""
        return self._by_key.get(key, ())

    def lengths(self, piece: str) -> Sequence[int]:
        """Return the lengths of the folded forms that begin with a piece of text, ascending.

        A piece is what is between two boundaries: see `pieces`. A length that no form has may be
        among them.
        """
        return self._by_piece.get(piece, ())

    def given(self, entity: str) -> Sequence[Name]:
        """Return the names and aliases that notes give to an entity."""
        return self._by_entity.get(entity, ())

    def called(self, folded: str) -> Sequence[LexiconEntity]:
        """Return the entities whose own name, or whose note's file name, is this folded text."""
        return self._by_own_name.get(folded, ())

    @cached_property
    def _by_form(self) -> Mapping[str, list[Name]]:
        found: dict[str, list[Name]] = defaultdict(list)
        forms = fold_forms([name.form for name in self._names])
        for name, form in zip(self._names, forms, strict=True):
            if form:
                found[form].append(name)
        return dict(found)

    @cached_property
    def _by_key(self) -> Mapping[str, list[Name]]:
        found: dict[str, list[Name]] = defaultdict(list)
        for name in self._names:
            found[fold_name(name.form)].append(name)
        return dict(found)

    @cached_property
    def _by_piece(self) -> Mapping[str, list[int]]:
        found: dict[str, set[int]] = defaultdict(set)
        for form in self._by_form:
            found[first_piece(form)].add(len(form))
        return {piece: sorted(lengths) for piece, lengths in found.items()}

    @cached_property
    def _by_entity(self) -> Mapping[str, list[Name]]:
        found: dict[str, list[Name]] = defaultdict(list)
        for name in self._names:
            if name.kind in GIVEN:
                found[name.entity].append(name)
        return dict(found)

    @cached_property
    def _by_own_name(self) -> Mapping[str, list[LexiconEntity]]:
        found: dict[str, list[LexiconEntity]] = defaultdict(list)
        for entity in self._entities.values():
            for form in own_forms(entity):
                found[form].append(entity)
        return dict(found)


class JoinedLexicon(Lexicon):
    """Several lexicons that have no entity in common, as one."""

    def __init__(self, parts: Sequence[Lexicon]) -> None:
        super().__init__()
        self._parts = parts

    @property
    def names(self) -> Iterable[Name]:
        """All names, part by part."""
        return chain.from_iterable(part.names for part in self._parts)

    @cached_property
    def entities(self) -> Mapping[str, LexiconEntity]:
        """All entities, by id."""
        return JoinedEntities([(part, frozenset()) for part in self._parts])

    def named(self, folded: str) -> Sequence[Name]:
        """Return the names whose folded form is this text."""
        return [name for part in self._parts for name in part.named(folded)]

    def keyed(self, key: str) -> Sequence[Name]:
        """Return the names of which `fold_name` makes this key."""
        return [name for part in self._parts for name in part.keyed(key)]

    def lengths(self, piece: str) -> Sequence[int]:
        """Return the lengths of the folded forms that begin with a piece of text, ascending."""
        return sorted({length for part in self._parts for length in part.lengths(piece)})

    def given(self, entity: str) -> Sequence[Name]:
        """Return the names and aliases that notes give to an entity."""
        return [name for part in self._parts for name in part.given(entity)]

    def called(self, folded: str) -> Sequence[LexiconEntity]:
        """Return the entities whose own name, or whose note's file name, is this folded text."""
        return [entity for part in self._parts for entity in part.called(folded)]


class JoinedEntities(Mapping[str, "LexiconEntity"]):
    """The entities of parts, without those that are hidden in each."""

    def __init__(self, parts: Sequence[tuple[Lexicon, Set[str]]]) -> None:
        self._parts = parts

    def __getitem__(self, key: str) -> LexiconEntity:
        for part, hidden in self._parts:
            if key not in hidden:
                try:
                    return part.entities[key]
                except KeyError:
                    continue
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return (key for part, hidden in self._parts for key in part.entities if key not in hidden)

    def __len__(self) -> int:
        return sum(len(part.entities) - len(hidden) for part, hidden in self._parts)


def own_forms(entity: LexiconEntity) -> set[str]:
    """Return the folded forms of an entity's own name and of its note's file name.

    A section's is named as links to it do: `characters#ann`.
    """
    forms = {fold_form(entity.name)}
    if entity.note_path:
        file = fold_form(entity.note_path.removesuffix(".md")).rpartition("/")[2]
        section = (entity.heading or "").rpartition(HEADING_SEPARATOR)[2]
        forms.add(f"{file}#{fold_form(section)}" if section else file)
    return forms - {""}
