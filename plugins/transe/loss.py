"""The loss: cross-entropy over all entities, with a penalty on large coordinates.

    ℓ(q, z) = −log softmax_z(logits of question q)         for every answer z of q
    Ω       = λ · mean over the triples of ‖h‖₃³ + ‖t‖₃³

The first is the "1-vs-all" training of Lacroix et al. 2018 (https://arxiv.org/abs/1806.07297) and
Ruffinelli et al. 2020; the second is their nuclear 3-norm. The logits are negative squared
distances, so that a relation predicts its tails by a normal distribution around t̂.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def cross_entropy(logits: Tensor, owner: Tensor, answers: Tensor) -> Tensor:
    """Return the mean loss over all answers.

    `logits` are (questions, entities); answer i belongs to question `owner[i]` and is entity
    `answers[i]`.
    """
    return (logits.logsumexp(1)[owner] - logits[owner, answers]).mean()


def cubic_penalty(*vectors: Tensor) -> Tensor:
    """Return the mean over rows of ‖v‖₃³, summed over the tensors, each (n, D)."""
    parts = [(one.abs() ** 3).sum(1).mean() for one in vectors]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
