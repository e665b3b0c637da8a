"""The relation model that a view may use: trained on the vault, or as shipped.

A model trained on the vault has seen all of it, so under `as_of` only the shipped model is used:
nothing of a later chapter can be in it.

    learned = find_learned(view)
    judged = learned.judge([(head, "ally_of", tail)])[0]
    judged.probability, judged.why
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sqlalchemy import select

from writeros_entities.learning.endpoints import KnownFacts, vault_endpoints
from writeros_entities.ontology import UNTYPED
from writeros_entities.protocols import TranslationScorer
from writeros_entities.store.rows import Query
from writeros_entities.story.asserted import load_relations
from writeros_entities.story.listing import entities_by_id
from writeros_entities.triples.assessment import FEWEST_OF_A_KIND, calibrator_of
from writeros_entities.triples.evidence import Evidence, Informed
from writeros_entities.values import Endpoint, Facts, TrainedModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from writeros_entities.protocols import RelationModel
    from writeros_entities.triples.calibration import Calibrator
    from writeros_entities.values import JSON
    from writeros_entities.view import View

Triple = tuple[Endpoint, str, Endpoint]


@dataclass(frozen=True, slots=True)
class Judged:
    """A model's judgement of a triple: a probability and the raw score, or why it abstains."""

    probability: float | None
    raw: float | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Learned:
    """A trained model, and whether it was trained on the vault or shipped."""

    model: RelationModel
    trained: TrainedModel
    source: Literal["vault", "shipped"]

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The entities with which the ends of a triple are compared."""
        return self.trained.endpoints

    @cached_property
    def relations(self) -> Mapping[str, int]:
        """The kinds that the model has learned, with their numbers."""
        weights = self.trained.weights
        return {name: at for at, name in enumerate(self.model.relations(weights))}

    @cached_property
    def known(self) -> KnownFacts:
        """What is known independently of the vault."""
        shipped = self.model.shipped()
        return KnownFacts(None if shipped is None else shipped.facts)

    @cached_property
    def calibrator(self) -> Calibrator | None:
        """The calibrator from scores to probabilities; None if there were too few facts."""
        return calibrator_of(self.trained.report)

    @cached_property
    def evidence(self) -> Evidence:
        """The evidence of rules on the facts; empty if it did not improve the model."""
        facts: Facts | None = self.trained.facts
        weights: Any = self.trained.report.get("evidence")
        return Evidence.of(facts, weights) if facts is not None and weights else Evidence.none()

    @cached_property
    def _scale(self) -> float:
        """What one unit of evidence adds to a score."""
        scorer = self.model.place(self.trained.weights, self.endpoints)
        return Informed.of(scorer, self.evidence).scale

    @cached_property
    def needs_vectors(self) -> bool:
        """Whether it needs a text vector to place an entity that it has not seen."""
        return any(one.vector is not None for one in self.endpoints)

    @property
    def silence(self) -> str:
        """Why the model abstains altogether; "" if it does not."""
        if self.calibrator is None or not self.trained.report["gain"]:
            return f"The model abstains: {self.trained.report['why']}."
        return ""

    def silence_on(self, kind: str) -> str:
        """Return why the model abstains on a kind; "" if it does not."""
        if self.silence:
            return self.silence
        kinds: Any = self.trained.report["kinds"]
        count = kinds.get(kind, 0)
        if kind not in self.relations or count < FEWEST_OF_A_KIND:
            return (
                f"The model abstains: it has learned from {count} relations of the kind "
                f"{kind}; it needs {FEWEST_OF_A_KIND}."
            )
        return ""

    def silence_about(self, end: Endpoint) -> str:
        """Return why the model may find nothing about an entity; "" if it was trained on it."""
        if self._trained_among([end]):
            return ""
        return f"The model has learned nothing about {end.name}."

    def judge(self, triples: Sequence[Triple]) -> list[Judged]:
        """Return the model's judgement of each triple."""
        about = {kind: self.silence_on(kind) for _, kind, _ in triples}
        trained = self._trained_among([end for head, _, tail in triples for end in (head, tail)])
        silent = [about[triple[1]] or self._silence_between(*triple, trained) for triple in triples]
        spoken = [triple for triple, why in zip(triples, silent, strict=True) if not why]
        found = iter(self._probabilities(spoken, trained))
        return [Judged(None, why=why) if why else next(found) for why in silent]

    def _trained_among(self, ends: Iterable[Endpoint]) -> Set[str]:
        """Return the keys of the entities that occur in a triple of the training."""
        every = list({end.key: end for end in ends}.values())
        flags = self.model.is_trained(self.trained.weights, every)
        return {end.key for end, is_trained in zip(every, flags, strict=True) if is_trained}

    def _silence_between(self, head: Endpoint, kind: str, tail: Endpoint, trained: Set[str]) -> str:
        """Return why the model abstains on two entities; "" if it does not.

        It can place an entity of which it has learned nothing by its name, but two such names say
        nothing about each other.
        """
        types: Any = self.trained.report["types"]
        for end, known in zip((head, tail), types[kind], strict=True):
            if end.type not in known and end.type not in UNTYPED:
                return (
                    f"The model abstains: it has learned of {kind} between "
                    f"{' or '.join(types[kind][0])} and {' or '.join(types[kind][1])}; "
                    f"{end.name} is a {end.type}."
                )
            if end.vector is None and self.needs_vectors and end.key not in self._numbers:
                return f"The model abstains: it was not trained on {end.name}, which has no vector."
        if trained.isdisjoint((head.key, tail.key)):
            return f"The model abstains: it has learned nothing about {head.name} or {tail.name}."
        return ""

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {one.key: at for at, one in enumerate(self.endpoints)}

    def _probabilities(self, triples: Sequence[Triple], trained: Set[str]) -> list[Judged]:
        calibrator = self.calibrator
        if not triples or calibrator is None:
            return []
        placed, numbered = self._numbered(triples)
        scorer = self.model.place(self.trained.weights, placed)
        informed = Informed(scorer, self.evidence, self._scale)
        features = informed.features(numbered, len(self.endpoints))
        unseen = np.array(
            [(head.key not in trained) + (tail.key not in trained) for head, _, tail in triples]
        )
        kinds = [kind for _, kind, _ in triples]
        probabilities = calibrator.probabilities(features, unseen, kinds)
        return [
            Judged(float(p), float(raw))
            for p, raw in zip(probabilities, features[:, 0], strict=True)
        ]

    def _numbered(self, triples: Sequence[Triple]) -> tuple[list[Endpoint], Any]:
        """Return the known entities followed by those only in the triples, and the triples as
        numbers.
        """
        placed = list(self.endpoints)
        number = dict(self._numbers)
        rows = []
        for head, kind, tail in triples:
            for end in (head, tail):
                if end.key not in number:
                    number[end.key] = len(placed)
                    placed.append(end)
            rows.append((number[head.key], self.relations[kind], number[tail.key]))
        return placed, np.array(rows, np.int64)

    def _evidence_for(
        self, known: Endpoint, kind: str, others: Sequence[Endpoint], *, is_tail: bool
    ) -> Any:
        """Return the evidence of rules for each of some entities at the open end: (others,)."""
        number, found = self._numbers, np.zeros(len(others))
        own, rules = number.get(known.key), self.evidence.rules
        if own is None or own >= rules.entities:
            return found
        relation = self.relations[kind]
        row = self.evidence.heads(relation, own) if is_tail else self.evidence.tails(own, relation)
        for at, one in enumerate(others):
            if one.key in number:
                found[at] = row[number[one.key]]
        return found

    def leading(self, head: Endpoint, tail: Endpoint) -> list[float] | None:
        """Return the translation from head to tail in the model's space, if it has translations."""
        scorer = self.model.place(self.trained.weights, [head, tail])
        if not isinstance(scorer, TranslationScorer):
            return None
        return [round(float(x), 6) for x in scorer.predict_relation(0, 1)]

    def nearest(
        self, known: Endpoint, kind: str, others: Sequence[Endpoint], *, is_tail: bool, limit: int
    ) -> list[Endpoint]:
        """Return the entities that best complete a triple with one open end, best first."""
        scorer = self.model.place(self.trained.weights, [known, *others])
        every = np.arange(1, len(others) + 1)[None, :]
        own, relation = np.array([[0]]), np.array([[self.relations[kind]]])
        ends = (every, own) if is_tail else (own, every)
        scores = np.asarray(scorer.score(ends[0], relation, ends[1]))[0]
        scores = scores + self._scale * self._evidence_for(known, kind, others, is_tail=is_tail)
        return [others[int(at)] for at in np.argsort(-scores, kind="stable")[:limit]]


def chosen_model(view: View) -> RelationModel | None:
    """Return the relation model that the settings name, or None if they name none."""
    name = view.settings.relation_model
    model: RelationModel | None = (
        view.plugins.choose("register_relation_models", name) if name else None
    )
    return model


def model_identity(view: View, model: RelationModel) -> str:
    """Return the identity of weights trained here: the model's and its text vectors'."""
    embedder = view.embedder()
    return f"{model.identity} | {embedder.identity if embedder else 'no vectors'}"


def find_learned(view: View) -> Learned | None:
    """Return the model to use, trained on the vault or as shipped; None if there is none."""
    model = chosen_model(view)
    if model is None:
        return None
    trained_at = view.scalar(_stored(view, model, "trained_at"))
    name = ("relation model", model.identity, trained_at)
    return view.kept(name, lambda: _find(view, model))


def silence_without(view: View) -> str:
    """Return why there is no model to use, where `find_learned` finds none."""
    model = chosen_model(view)
    if model is None:
        return "There is no relation model."
    if view.as_of is not None:
        return (
            f"The relation model {model.name!r} ships with no facts; what it learned of the whole "
            "vault is not used as of a chapter."
        )
    return (
        f"The relation model {model.name!r} has learned nothing that it could use: "
        "evaluate_relations says why."
    )


def _stored(view: View, model: RelationModel, *columns: str) -> Query:
    """Return the statement for columns of the row of the last training, or attempt at one."""
    stored = view.relation_model
    identity = model_identity(view, model)
    return select(*(stored.c[name] for name in columns)).where(stored.c.identity == identity)


def _find(view: View, model: RelationModel) -> Learned | None:
    stored = read_trained(view, model)
    if stored is not None and stored.weights:
        return Learned(model, stored, "vault")
    shipped = model.shipped()
    return None if shipped is None else Learned(model, shipped, "shipped")


def stored_report(view: View, model: RelationModel) -> Mapping[str, JSON] | None:
    """Return the report on the last training or the last attempt at one, or None."""
    report: Mapping[str, JSON] | None = view.scalar(_stored(view, model, "report"))
    return report


def read_trained(view: View, model: RelationModel) -> TrainedModel | None:
    """Return what was trained on the vault's current assertions, even if it has no weights.

    None if nothing was trained, or if the assertions have changed since: answers depend on the
    vault alone, not on the time of the last training.
    """
    row = view.one(_stored(view, model, "weights", "report"))
    if row is None:
        return None
    facts = vault_facts(view)
    if row.report["facts"] != digest(facts):
        return None
    return TrainedModel(bytes(row.weights), row.report, facts.endpoints, facts)


def vault_facts(view: View) -> Facts:
    """Return the view's assertions as facts for a model, in an order that depends on names only."""
    return vault_statements(view).facts


@dataclass(frozen=True, eq=False)
class Statements:
    """The facts that a view asserts, and the ids of the relations that assert each triple."""

    facts: Facts
    relation_ids: Mapping[tuple[int, int, int], tuple[int, ...]]

    def ids_of(self, head: int, kind: int, tail: int) -> tuple[int, ...]:
        """Return the relations that assert a triple; a symmetric one in either direction."""
        found = self.relation_ids.get((head, kind, tail), ())
        if self.facts.relations[kind] in self.facts.symmetric:
            found += self.relation_ids.get((tail, kind, head), ())
        return found


def vault_statements(view: View) -> Statements:
    """Return what the view asserts, in an order that depends on names only."""
    relations = [row for row in load_relations(view) if row.source_id != row.target_id]
    ids = {end for row in relations for end in (row.source_id, row.target_id)}
    entities = sorted(
        entities_by_id(view, ids).values(), key=lambda row: (row.type, row.name, row.subject)
    )
    endpoints = tuple(vault_endpoints(view, entities))
    place = {row.id: at for at, row in enumerate(entities)}
    kinds = tuple(sorted({row.kind for row in relations}))
    number = {kind: at for at, kind in enumerate(kinds)}
    symmetric = frozenset(kind for kind in kinds if view.plugins.ontology.kind(kind).symmetric)
    stated = []
    for row in relations:
        if row.source_id in place and row.target_id in place:
            head, tail = place[row.source_id], place[row.target_id]
            if row.kind in symmetric:  # once, with the lower number first
                head, tail = min(head, tail), max(head, tail)
            stated.append((head, number[row.kind], tail, row.id))
    stated.sort()
    relation_ids: dict[tuple[int, int, int], tuple[int, ...]] = {}
    for head, kind, tail, relation in stated:
        relation_ids[head, kind, tail] = (*relation_ids.get((head, kind, tail), ()), relation)
    embedder = view.embedder()
    facts = Facts(
        endpoints,
        kinds,
        np.array([row[:3] for row in stated], np.int64).reshape(-1, 3),
        symmetric,
        embedder.identity if embedder else None,
    )
    return Statements(facts, relation_ids)


def digest(facts: Facts) -> str:
    """Return a hash of facts: if it is unchanged, no training is needed."""
    found = hashlib.blake2b(digest_size=12)
    for one in facts.endpoints:
        found.update(f"{one.key}\0{one.name}\0{one.type}\0{one.vector is not None}\n".encode())
    found.update("\0".join(facts.relations).encode())
    found.update(facts.triples.tobytes())
    return found.hexdigest()
