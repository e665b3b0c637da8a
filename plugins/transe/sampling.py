"""The questions that triples answer, each with all of its answers.

A triple (h, r, t) answers two questions: (h, r, ?) and (?, r, t). Triples that share a question are
processed together, and all entities that are not a known answer are negatives, not just a sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions in a fixed order: the known entity, the relation, and the direction.

    `known`, `relation` and `is_inverse` have one item for each question; the answers to question q
    are `answers[starts[q]:starts[q + 1]]`.
    """

    known: Ints
    relation: Ints
    is_inverse: NDArray[np.bool_]
    starts: Ints
    answers: Ints

    def __len__(self) -> int:
        return len(self.known)

    def answers_of(self, questions: Ints) -> tuple[Ints, Ints]:
        """Return, for all answers to some questions, the index of the question there, and the
        answer.
        """
        counts = self.starts[questions + 1] - self.starts[questions]
        owner = np.repeat(np.arange(len(questions)), counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return owner, self.answers[self.starts[questions][owner] + offset]


def collect_questions(triples: Ints) -> Questions:
    """Return the questions that triples, (n, 3), answer, in an order independent of theirs."""
    found: dict[tuple[bool, int, int], set[int]] = defaultdict(set)
    for head, relation, tail in triples.tolist():
        found[False, relation, head].add(tail)
        found[True, relation, tail].add(head)
    keys = sorted(found)
    answers = [sorted(found[key]) for key in keys]
    return Questions(
        known=np.array([key[2] for key in keys], np.int64),
        relation=np.array([key[1] for key in keys], np.int64),
        is_inverse=np.array([key[0] for key in keys], np.bool_),
        starts=np.cumsum([0, *map(len, answers)]),
        answers=np.array([one for some in answers for one in some], np.int64),
    )


def shuffled_batches(
    questions: Questions, size: int, random: np.random.Generator
) -> Iterator[Ints]:
    """Yield batches of questions forever; each round contains every question once."""
    while True:
        order = random.permutation(len(questions))
        for begin in range(0, len(order), size):
            yield order[begin : begin + size]
