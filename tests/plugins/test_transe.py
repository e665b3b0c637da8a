"""TransE's geometry, on weights small enough to reckon with by hand."""

from io import BytesIO

import numpy as np
import pytest
from writeros_plugins.transe import TransE
from writeros_plugins.transe.model import PlacedTriples, Weights
from writeros_plugins.transe.training import Recipe

from writeros_entities import Endpoint, Facts, TranslationScorer

HEAD, TAIL, SERVES = 0, 1, 0


@pytest.fixture
def scorer() -> PlacedTriples:
    """Return two entities in the plane, and a relation that scales both ends differently."""
    weights = Weights(
        relations=("serves",),
        keys=(),
        projection=np.eye(2, dtype=np.float32),
        residuals=np.zeros((0, 2), np.float32),
        translations=np.array([[1, 1]], np.float32),
        head_maps=np.array([[2, 1]], np.float32),
        tail_maps=np.array([[1, 2]], np.float32),
    )
    return PlacedTriples(weights, np.array([[1, 3], [3, 5]], np.float32), ("head", "tail"))


def test_a_tail_is_predicted_where_its_score_would_be_best(scorer: PlacedTriples) -> None:
    predicted = scorer.predict_tail(HEAD, SERVES)
    # (2·1 + 1, 1·3 + 1) = (3, 4), and the tail's own scale takes it to (3/1, 4/2).
    assert predicted.tolist() == [3.0, 2.0]
    scorer.vectors = np.vstack([scorer.vectors, predicted])
    assert scorer.score(np.array([HEAD]), np.array([SERVES]), np.array([2])).tolist() == [0.0]


def test_a_score_is_the_distance_that_is_left(scorer: PlacedTriples) -> None:
    # (3, 4) − (1·3, 2·5) = (0, −6).
    assert scorer.score(np.array([HEAD]), np.array([SERVES]), np.array([TAIL])).tolist() == [-6.0]


def test_a_relation_is_predicted_as_the_way_from_head_to_tail(scorer: PlacedTriples) -> None:
    assert isinstance(scorer, TranslationScorer)
    assert scorer.predict_relation(HEAD, TAIL).tolist() == [2.0, 2.0]


def test_what_a_vault_teaches_is_learned_together_with_what_ships() -> None:
    ends = tuple(Endpoint(f"person/{name}", name, "person") for name in ("ann", "ben"))
    facts = Facts(ends, ("gossips_with",), np.array([[HEAD, SERVES, TAIL]], np.int64))
    recipe = Recipe(1, 4, 256, 0.01, 0.0, 0.0, 1, 1, 1e9)
    model = TransE(recipe=recipe)
    weights = model.train(facts)
    assert {"gossips_with", "implemented_in"} <= {*model.relations(weights)}
    shipped = next(one for one in model.shipped().endpoints if one.name == "Tokio")
    stranger = Endpoint("person/cid", "cid", "person")
    assert model.is_trained(weights, [*ends, shipped, stranger]) == [True, True, True, False]
    # Without what ships, it knows the vault alone.
    alone = TransE(ships=False, recipe=recipe)
    assert alone.relations(alone.train(facts)) == ("gossips_with",)


def test_weights_of_another_format_are_an_error() -> None:
    data = BytesIO()
    np.savez_compressed(data, format=np.array(999))
    with pytest.raises(ValueError, match="have format 999"):
        Weights.from_bytes(data.getvalue())
