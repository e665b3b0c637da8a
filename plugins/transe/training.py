"""Training: deterministic to the bit for equal facts, as each member runs on a single CPU thread.

It uses Adam with a learning rate that falls linearly to 0, and a number of steps that is fixed in
advance, so that the time is predictable: see `steps_for`. Members start from different points and
are trained in parallel.

The loss: cross-entropy over all entities, with a penalty on large coordinates.

    ℓ(q, z) = −log softmax_z(logits of question q)         for every answer z of q
    Ω       = λ · mean over the triples of ‖h‖₃³ + ‖t‖₃³

The first is the "1-vs-all" training of Lacroix et al. 2018 (https://arxiv.org/abs/1806.07297) and
Ruffinelli et al. 2020; the second is their nuclear 3-norm. The logits are negative squared
distances, so that a relation predicts its tails by a normal distribution around t̂.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from .model import Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Generator, Tensor

    from .model import Floats, Ints


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


@dataclass(frozen=True, slots=True)
class Recipe:
    """The hyperparameters of training.

    There are `members` models with so many `dimensions` each; `batch` is the number of questions
    per step; `rate` is Adam's initial learning rate; `penalty` applies to the cubes of coordinates;
    `dropout` is the share of coordinates dropped. A training on few triples takes `rounds` passes
    over all questions, a large one at most `most_steps` steps, and never more than `most_work`
    products of coordinates for each member, which bounds the time however many entities there are.
    """

    members: int
    dimensions: int
    batch: int
    rate: float
    penalty: float
    dropout: float
    rounds: int
    most_steps: int
    most_work: float
    seed: int = 0

    def steps_for(self, questions: int, entities: int) -> int:
        """Return the number of steps for so many questions about so many entities."""
        rounds = self.rounds * -(-questions // self.batch)
        affordable = int(self.most_work / (self.batch * self.dimensions * max(1, entities)))
        return max(1, min(self.most_steps, rounds, affordable))


SMALL = Recipe(
    members=1,
    dimensions=48,
    batch=256,
    rate=0.01,
    penalty=0.001,
    dropout=0.3,
    rounds=60,
    most_steps=1_500,
    most_work=6e10,
)
"""For a vault and the shipped facts: hundreds or thousands of triples, in seconds."""

SHIPPED = replace(SMALL, members=2)
"""For the shipped facts, which are trained once."""

DENSE = replace(SHIPPED, rate=0.05, dropout=0.4, rounds=120)
"""For small graphs with many triples for each entity, which count more than the texts."""

LARGE = Recipe(
    members=2,
    dimensions=256,
    batch=256,
    rate=0.03,
    penalty=0.0,
    dropout=0.25,
    rounds=60,
    most_steps=2_800,
    most_work=4e11,
)
"""For graphs of tens of thousands of triples; takes two minutes."""

MANY = 10_000
"""The number of triples from which a graph is large."""

MANY_OF_EACH = 10
"""The number of triples for each entity from which a graph is dense."""


def recipe_for(triples: int, entities: int) -> Recipe:
    """Return the recipe for a graph that is trained on its own, without the shipped facts."""
    if triples >= MANY:
        return LARGE
    return DENSE if triples >= MANY_OF_EACH * entities else SHIPPED


def train_weights(
    features: Floats,
    keys: Sequence[str],
    relations: Sequence[str],
    triples: Ints,
    recipe: Recipe,
) -> Weights:
    """Return weights trained on triples, (n, 3), of entities with these features, (E, F).

    Entities without a triple get no residual. Imports torch.
    """
    questions = _collect_questions(triples)

    def train(member: int) -> tuple[Floats, ...]:
        with _single_thread():
            return _train_member(features, questions, len(relations), recipe, member)

    with ThreadPoolExecutor(min(recipe.members, os.cpu_count() or 1)) as threads:
        found = list(threads.map(train, range(recipe.members)))
    projection, residuals, translations, heads, tails = (
        np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)
    )
    share = np.float32(recipe.members**-0.5)
    trained = np.unique(triples[:, [0, 2]])
    return Weights(
        tuple(relations),
        tuple(keys[at] for at in trained.tolist()),
        projection,
        residuals[trained],
        translations * share,
        heads * share,
        tails * share,
    )


def _train_member(
    features: Floats, questions: _Questions, relations: int, recipe: Recipe, member: int
) -> tuple[Floats, ...]:
    """Return projection, residuals, translations, head maps and tail maps of one member."""
    import torch

    random = np.random.default_rng((recipe.seed, member))
    parameters = _start(random, features.shape, relations, recipe.dimensions)
    optimizer = torch.optim.Adam(parameters.every(), lr=recipe.rate)
    steps = recipe.steps_for(len(questions), len(features))
    noise = torch.Generator().manual_seed(recipe.seed * 1_000 + member)
    inputs = torch.from_numpy(features)
    batches = islice(_shuffled_batches(questions, recipe.batch, random), steps)
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate * (1.0 - step / steps)
        owner, answers = (torch.from_numpy(part) for part in questions.answers_of(batch))
        known = torch.from_numpy(questions.known[batch])
        entities = inputs @ parameters.projection + parameters.residuals
        logits = parameters.logits(
            _dropped(entities, recipe.dropout, noise),
            known,
            torch.from_numpy(questions.relation[batch]),
            torch.from_numpy(questions.is_inverse[batch]),
        )
        loss = cross_entropy(logits, owner, answers)
        if recipe.penalty:
            loss = loss + recipe.penalty * cubic_penalty(entities[known], entities[answers])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parameters.finished()


@dataclass
class _Parameters:
    """The parameters of a member during training."""

    projection: Tensor
    residuals: Tensor
    translations: Tensor
    head_maps: Tensor
    tail_maps: Tensor
    sharpness: Tensor

    def every(self) -> list[Tensor]:
        return [
            *(self.projection, self.residuals, self.translations),
            *(self.head_maps, self.tail_maps, self.sharpness),
        ]

    def logits(
        self, entities: Tensor, known: Tensor, relation: Tensor, is_inverse: Tensor
    ) -> Tensor:
        """Return −s_r · d² of every entity as the answer to every question.

        The norms of b_r ∘ t are computed once for each relation and end among the questions.
        """
        import torch

        asked, place = torch.unique(2 * relation + is_inverse, return_inverse=True)
        turned = (asked % 2 == 1)[:, None]
        heads, tails = self.head_maps[asked // 2], self.tail_maps[asked // 2]
        own, other = tails.where(turned, heads), heads.where(turned, tails)
        sign = 1.0 - 2.0 * turned.to(entities.dtype)
        aim = own[place] * entities[known] + (sign * self.translations[asked // 2])[place]
        squares = (aim * aim).sum(1, keepdim=True) - 2.0 * (aim * other[place]) @ entities.T
        squares = squares + ((other * other) @ (entities * entities).T)[place]
        logits: Tensor = -self.sharpness[relation].exp()[:, None] * squares
        return logits

    def finished(self) -> tuple[Floats, ...]:
        """Return the weights, with the sharpness merged into maps and translations."""
        values = [one.detach().numpy().astype(np.float32) for one in self.every()]
        projection, residuals, translations, heads, tails, sharpness = values
        scale = np.exp(0.5 * sharpness)[:, None]
        return projection, residuals, translations * scale, heads * scale, tails * scale


def _start(
    random: np.random.Generator, shape: tuple[int, ...], relations: int, dimensions: int
) -> _Parameters:
    import torch

    entities, features = shape

    def normal(rows: int, spread: float) -> Tensor:
        values = random.standard_normal((rows, dimensions)) * spread / np.sqrt(dimensions)
        return torch.tensor(values, dtype=torch.float32, requires_grad=True)

    def constant(value: float, *size: int) -> Tensor:
        return torch.full(size, value, dtype=torch.float32, requires_grad=True)

    return _Parameters(
        projection=normal(features, 0.5),
        residuals=normal(entities, 0.3),
        translations=normal(relations, 0.1),
        head_maps=constant(1.0, relations, dimensions),
        tail_maps=constant(1.0, relations, dimensions),
        sharpness=constant(0.0, relations),
    )


def _dropped(entities: Tensor, share: float, noise: Generator) -> Tensor:
    import torch

    if not share:
        return entities
    kept = torch.rand(entities.shape, generator=noise) >= share
    noisy: Tensor = entities * kept / (1.0 - share)
    return noisy


@contextmanager
def _single_thread() -> Iterator[None]:
    """Have torch use one thread, as sums of several threads differ in their last bit.

    The setting belongs to the current thread.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@dataclass(frozen=True, eq=False)
class _Questions:
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


def _collect_questions(triples: Ints) -> _Questions:
    """Return the questions that triples, (n, 3), answer, in an order independent of theirs."""
    found: dict[tuple[bool, int, int], set[int]] = defaultdict(set)
    for head, relation, tail in triples.tolist():
        found[False, relation, head].add(tail)
        found[True, relation, tail].add(head)
    keys = sorted(found)
    answers = [sorted(found[key]) for key in keys]
    return _Questions(
        known=np.array([key[2] for key in keys], np.int64),
        relation=np.array([key[1] for key in keys], np.int64),
        is_inverse=np.array([key[0] for key in keys], np.bool_),
        starts=np.cumsum([0, *map(len, answers)]),
        answers=np.array([one for some in answers for one in some], np.int64),
    )


def _shuffled_batches(
    questions: _Questions, size: int, random: np.random.Generator
) -> Iterator[Ints]:
    """Yield batches of questions forever; each round contains every question once."""
    while True:
        order = random.permutation(len(questions))
        for begin in range(0, len(order), size):
            yield order[begin : begin + size]
