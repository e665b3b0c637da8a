"""TransE's geometry, on weights small enough to reckon with by hand."""

import numpy as np
import pytest
from writeros_plugins.transe.model import PlacedTriples, Weights

from writeros_entities import TranslationScorer

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
