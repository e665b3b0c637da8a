"""Entities as a relation model sees them: a stable key, a name, a type, and a vector."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from writeros_entities.embedding import entity_text
from writeros_entities.errors import NotFoundError
from writeros_entities.names import fold_name, nearest_names
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.entity_vectors import entity_vectors
from writeros_entities.story.finding import find_candidates, find_matches, known_forms, shared_name
from writeros_entities.values import Endpoint

if TYPE_CHECKING:
    from writeros_entities.embedding import Embedder
    from writeros_entities.ontology import Reading
    from writeros_entities.store.rows import Row
    from writeros_entities.values import Facts, KnownEntity
    from writeros_entities.view import View

CONFIDENCE = 0.95
"""The confidence of a fact: that of a property in a note."""

MOST_UNSTATED = 0.5
"""The most that a relation which the facts do not state can be given."""

_ONE_TARGET = 1.1
"""The most targets per entity, on average, of a kind that usually has one."""


@dataclass(frozen=True, slots=True)
class ResolvedEndpoint:
    """An entity named in a request: its surface form, and its representation for the model.

    `row` is its row in the index; None if only a knowledge base or nobody knows it.
    """

    surface: str
    endpoint: Endpoint
    status: str
    row: Any = None

    @property
    def id(self) -> str:
        """The id by which further calls can refer to the entity."""
        return str(self.row.key) if self.row is not None else self.endpoint.key


class Claim(NamedTuple):
    """A relation that is asked about, as it is read from one entity to another."""

    head: ResolvedEndpoint
    reading: Reading
    tail: ResolvedEndpoint

    @property
    def source(self) -> ResolvedEndpoint:
        """The source of the relation's kind: the tail, if the inverse is asked about."""
        return self.tail if self.reading.is_inverse else self.head

    @property
    def target(self) -> ResolvedEndpoint:
        """The target of the relation's kind."""
        return self.head if self.reading.is_inverse else self.tail

    @property
    def keys(self) -> tuple[str, str, str]:
        """The key of the source, the kind, and the key of the target."""
        return self.source.endpoint.key, self.reading.kind, self.target.endpoint.key


class EndpointRow(NamedTuple):
    """What of an entity's row its endpoint needs: all of it, with properties, takes ten times."""

    id: int
    key: str
    canonical_id: str | None
    type: str
    status: str


def read_endpoints(view: View, entity_ids: Iterable[int]) -> list[EndpointRow]:
    """Return the rows of entities, by ascending id."""
    return view.fetch(EndpointRow, _rows(view), entity_ids=sorted(entity_ids))


@prepared
def _rows(scope: Scope) -> Query:
    entity = scope.entity
    columns = (entity.c[name] for name in EndpointRow._fields)
    return select(*columns).where(is_one_of(entity.c.id, "entity_ids")).order_by(entity.c.id)


def endpoint_key(canonical_id: str | None, entity_type: str, name: str) -> str:
    """Return the key by which a model knows an entity: its canonical id, or its type and name."""
    return canonical_id or f"{entity_type}/{name}"


def vault_endpoints(view: View, entities: Sequence[Row | EndpointRow]) -> list[Endpoint]:
    """Return entities of the vault as endpoints, with the names that the view's reader has met.

    Of namesakes, all but the first have a number in their key.
    """
    embedder = _known_embedder(view)
    vectors = entity_vectors(view, embedder.identity if embedder else None)
    names = display_names(view, [row.id for row in entities])
    namesakes = view.kept("namesakes", lambda: _number_namesakes(view))
    found: list[Endpoint] = []
    for row in entities:
        name = names.get(row.id, "")
        key = endpoint_key(row.canonical_id, row.type, name) + namesakes.get(row.id, "")
        at = vectors.rows.get(row.id)
        vector = None if at is None else tuple(vectors.vectors[at].tolist())
        found.append(Endpoint(key, name, row.type, vector))
    return found


def _known_embedder(view: View) -> Embedder | None:
    """Return the embedder, unless the relation model ships with the vectors of another."""
    models = view.plugins.named("register_relation_models")
    known = getattr(models.get(view.settings.relation_model), "text_model", None)
    embedder = view.embedder()
    return embedder if embedder is not None and known in (None, embedder.name) else None


def _number_namesakes(view: View) -> dict[int, str]:
    """Return what to add to the keys of entities that share one, by id, for all but the first.

    The paths of their notes decide which is the first.
    """
    entity, note = view.entity, view.note
    statement = select(entity.c.id, entity.c.canonical_id, entity.c.type)
    statement = statement.outerjoin(note, note.c.id == entity.c.note_id)
    ordered = view.all(statement.order_by(note.c.path.is_(None), note.c.path, entity.c.key))
    names = display_names(view, [row.id for row in ordered])
    numbers: dict[str, int] = {}
    found: dict[int, str] = {}
    for row in ordered:
        key = endpoint_key(row.canonical_id, row.type, names.get(row.id, ""))
        numbers[key] = numbers.get(key, 0) + 1
        if numbers[key] > 1:
            found[row.id] = f"#{numbers[key]}"
    return found


def resolve_endpoint(
    view: View,
    name: str,
    entity_type: str | None,
    known: Iterable[Endpoint] = (),
) -> ResolvedEndpoint:
    """Return the entity that a name means: one of the vault's, else one of a knowledge base.

    `known` has the entities that a model has seen. With `entity_type`, an unknown name means a new
    entity of that type; without it, NotFoundError is raised with the nearest names. Raises
    AmbiguousNameError if several of the vault's entities have the name.
    """
    candidates = find_candidates(view, name)
    fitting = [row for row in candidates if entity_type in (None, row.type)]
    if len(fitting) > 1:
        raise shared_name(view, name, fitting)
    if fitting:
        row = fitting[0]
        return ResolvedEndpoint(name, vault_endpoints(view, [row])[0], row.status, row)
    seen = {one.key: one for one in known}
    for entity in view.plugins.known_entities():
        if _is_called(entity, name) and entity_type in (None, entity.type):
            own = Endpoint(entity.id, entity.name, entity.type)
            return ResolvedEndpoint(name, seen.get(entity.id) or _with_vector(view, own), "known")
    for one in known:
        if fold_name(one.name) == fold_name(name) and entity_type in (None, one.type):
            return ResolvedEndpoint(name, one, "known")
    if entity_type is None:
        parts = find_matches(view, name)
        if len(parts) > 1:
            raise shared_name(view, name, parts)
        if parts:
            own = vault_endpoints(view, parts)[0]
            return ResolvedEndpoint(name, own, parts[0].status, parts[0])
        forms = [
            *known_forms(view),
            *(entity.name for entity in view.plugins.known_entities()),
        ]
        raise NotFoundError("entity", name, nearest_names(name, forms))
    new = Endpoint(endpoint_key(None, entity_type, name), name, entity_type)
    return ResolvedEndpoint(name, _with_vector(view, new), "unknown")


def _is_called(entity: KnownEntity, name: str) -> bool:
    if name in (entity.id, entity.name) or name in entity.exact_forms:
        return True
    return fold_name(name) in {fold_name(form) for form in (entity.name, *entity.forms)}


def _with_vector(view: View, endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that is not in the vault, with the vector of its text if possible."""
    embedder = _known_embedder(view)
    if embedder is None:
        return endpoint
    vector = embedder.embed([entity_text(endpoint.type, endpoint.name)])[0]
    return Endpoint(endpoint.key, endpoint.name, endpoint.type, tuple(vector.tolist()))


class Fact(NamedTuple):
    """A fact between two entities, by their keys."""

    source_id: str
    kind: str
    target_id: str


@dataclass(frozen=True, eq=False)
class KnownFacts:
    """The facts that a model ships with; none for a model that ships with none."""

    facts: Facts | None

    def of(self, head: ResolvedEndpoint, tail: ResolvedEndpoint) -> list[Fact]:
        """Return the facts between two entities, in either direction."""
        if not self._are_known(head, tail):
            return []
        ends = {head.endpoint.key, tail.endpoint.key}
        return [one for one in self._by_source[head.endpoint.key] if one.target_id in ends] + [
            one for one in self._by_source[tail.endpoint.key] if one.target_id in ends
        ]

    def states(self, claim: Claim) -> bool:
        """Say whether the facts state a relation."""
        return Fact(*claim.keys) in self.of(claim.head, claim.tail)

    def leaves_open(self, claim: Claim) -> bool:
        """Say whether the model may hold a relation to be valid, as the facts say nothing of it."""
        if not self._are_known(claim.head, claim.tail):
            return True
        asked = Fact(*claim.keys)
        turned = Fact(asked.target_id, asked.kind, asked.source_id)
        others = [one for one in self._by_source[asked.source_id] if one.kind == asked.kind]
        if asked in others:
            return True
        is_told = others or turned in self._by_source[asked.target_id]
        return asked.kind in self._one_target and not is_told

    def _are_known(self, *ends: ResolvedEndpoint) -> bool:
        """Say whether the facts know entities; a person of the story only has a known name."""
        return all(
            one.endpoint.key in self._by_source
            and (one.row is None or one.row.canonical_id is not None)
            for one in ends
        )

    @cached_property
    def _by_source(self) -> dict[str, list[Fact]]:
        """The facts of each entity that they name, symmetric ones at both of its ends."""
        if self.facts is None:
            return {}
        keys = [one.key for one in self.facts.endpoints]
        found: dict[str, list[Fact]] = {key: [] for key in keys}
        for head, kind, tail in self.facts.mirrored().tolist():
            found[keys[head]].append(Fact(keys[head], self.facts.relations[kind], keys[tail]))
        return found

    @cached_property
    def _one_target(self) -> set[str]:
        """The kinds that usually have one target."""
        targets: dict[str, list[int]] = defaultdict(list)
        for facts in self._by_source.values():
            for kind in {one.kind for one in facts}:
                targets[kind].append(sum(one.kind == kind for one in facts))
        return {kind for kind, each in targets.items() if sum(each) <= _ONE_TARGET * len(each)}
