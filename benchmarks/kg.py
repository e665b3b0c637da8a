"""Train the relation model on a knowledge graph, and score triples with it.

    python benchmarks/kg.py --train graph.json.gz                # trains, judges its `valid` part
    python benchmarks/kg.py --train folder --valid folder --score test.tsv --out scores.jsonl

A graph is one of these, and may be given for each of the three options alike:

- a JSON file, gzipped or not: `entities` [{id, label, type, description}], `relations`
  [{id, label}], and parts (`train`, `valid`, `valid_neg`, `test`, `test_neg`) that are lists of
  [head, relation, tail], by number or by id; or such a list alone;
- a text file of triples, `head<TAB>relation<TAB>tail`, with an optional fourth column 1 or 0 for
  true or false, also gzipped;
- a folder with files such as `train.txt`, `valid.txt`, `test.txt`, `valid_neg.txt`, and texts of
  entities in `entities.tsv` (`id<TAB>label<TAB>type<TAB>description`, the last two optional) or
  `entity2text.txt`.

The output of `--score` is JSON lines: the ids of the triple, its part, `score` (0 best;
above -0.5 valid, below -1.5 unlikely), `raw` (minus the distance, and the evidence of rules),
`probability`, `validation`, `seen` (ends with a residual), and with `--ranks` the filtered ranks of
tail and head.

Rules are mined from the training part, and their weight is learned on a tenth of it that is held
out from mining; they take part in scores, ranks and probabilities. `--without-rules` disables them.

The calibrator is fitted to the valid part and its false triples; if there are none, hard negatives
are generated. Its figures are cross-fitted. Filtered ranks leave out the train and valid triples
and those being scored. If other parts of the graph are not available, true answers in them count as
wrong and lower the MRR: `--hidden 661` gives the number of such triples, and the highest possible
MRR is then estimated and printed. `--withhold 661` measures their cost: it removes that many
triples from the training part, and prints the MRR with a filter that does not know them (`mrr`),
and with one that does (`mrr_withheld_known`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray
from writeros_plugins.transe import TransE
from writeros_plugins.transe.training import recipe_for

from writeros_entities import Endpoint, Facts, Settings
from writeros_entities.plugins import load_plugins
from writeros_entities.triples import assessment, calibration, evaluation, splitting
from writeros_entities.triples.evidence import Evidence, Informed, learn_evidence

PARTS = ("train", "valid", "valid_neg", "test", "test_neg")
TEXT_FILES = ("entities.tsv", "entities.txt", "entity2text.txt", "entity2textlong.txt")
AT_ONCE = 200_000
"""Triples scored per batch of output lines."""

FEWEST_SYMMETRIC = 10
SHARE_SYMMETRIC = 0.7
"""Least triples, and least share of them that also occur reversed, of a symmetric relation."""

Figures = dict[str, Any]


def find_symmetric(triples: NDArray[np.int64], relations: Sequence[str]) -> frozenset[str]:
    """Return the relations that are symmetric by these triples, of shape (n, 3)."""
    known = {tuple(row) for row in triples.tolist()}
    counts = Counter(relation for _, relation, _ in known)
    turned = Counter(relation for head, relation, tail in known if (tail, relation, head) in known)
    return frozenset(
        relations[relation]
        for relation, count in counts.items()
        if count >= FEWEST_SYMMETRIC and turned[relation] >= SHARE_SYMMETRIC * count
    )


@dataclass
class Graph:
    """Entities and relations by id, in the order they were met, and triples by part."""

    entities: dict[str, Endpoint] = field(default_factory=dict)
    relations: dict[str, str] = field(default_factory=dict)
    parts: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)

    def add(self, part: str, head: str, relation: str, tail: str) -> None:
        for entity in (head, tail):
            self.entities.setdefault(entity, Endpoint(entity, entity.replace("_", " "), ""))
        self.relations.setdefault(relation, relation)
        self.parts.setdefault(part, []).append((head, relation, tail))

    def withhold(self, number: int) -> None:
        """Move random triples of the training part to a part of their own.

        Every entity and relation of the training part remains in it.
        """
        triples = self.parts["train"]
        uses = Counter(word for triple in triples for word in triple)
        withheld: set[tuple[str, str, str]] = set()
        for at in np.random.default_rng(0).permutation(len(triples)):
            triple = triples[at]
            if len(withheld) < number and all(uses[word] > 2 for word in triple):
                withheld.add(triple)
                uses.subtract(triple)
        self.parts["train"] = [triple for triple in triples if triple not in withheld]
        self.parts["withheld"] = [triple for triple in triples if triple in withheld]

    def numbers(self, part: str) -> Any:
        """Return the triples of a part as numbers, of shape (n, 3)."""
        return self.numbered(self.parts.get(part, ()))

    def numbered(self, triples: Iterable[tuple[str, str, str]]) -> Any:
        """Return triples as numbers, of shape (n, 3)."""
        entities = {key: at for at, key in enumerate(self.entities)}
        relations = {key: at for at, key in enumerate(self.relations)}
        rows = [
            (entities[head], relations[relation], entities[tail])
            for head, relation, tail in triples
        ]
        return np.array(rows, np.int64).reshape(-1, 3)


def read_graph(path: Path, graph: Graph, only: str, numbering: Graph | None = None) -> None:
    """Add a graph's entities, relations and parts to another; a bare list is the part `only`."""
    if path.is_dir():
        read_folder(path, graph)
    elif ".json" in path.suffixes:
        read_json(json.loads(read_text(path)), graph, only, numbering or graph)
    else:
        read_table(path, graph, only)


def read_text(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")


def read_folder(folder: Path, graph: Graph) -> None:
    for file in sorted(folder.iterdir()):
        if file.name in TEXT_FILES:
            for row in rows_of(file):
                kind, description = (*row[2:4], "", "")[:2]
                label = row[1] if len(row) > 1 else row[0]
                graph.entities[row[0]] = Endpoint(row[0], text(label, description), kind)
    for file in sorted(folder.iterdir()):
        part = file.name.partition(".")[0].replace("dev", "valid").replace("negatives", "neg")
        if part in PARTS and file.suffix in (".txt", ".tsv", ".gz"):
            read_table(file, graph, part)
        elif file.name.endswith((".json", ".json.gz")):
            read_graph(file, graph, part if part in PARTS else "train")


def read_table(path: Path, graph: Graph, part: str) -> None:
    for row in rows_of(path):
        if len(row) < 3:
            raise SystemExit(f"{path}: {row!r} is no triple of head, relation and tail.")
        is_false = len(row) > 3 and row[3].strip() in ("0", "-1", "false")
        graph.add(f"{part}_neg" if is_false else part, *row[:3])


def rows_of(path: Path) -> Iterator[list[str]]:
    for line in read_text(path).splitlines():
        if line.strip():
            yield line.split("\t") if "\t" in line else line.split()


def read_json(data: Any, graph: Graph, only: str, numbering: Graph) -> None:
    if isinstance(data, list):
        data = {only: data}
    for entity in data.get("entities", ()):
        label = entity.get("label") or entity["id"]
        name = text(label, entity.get("description") or "")
        graph.entities[entity["id"]] = Endpoint(entity["id"], name, entity.get("type") or "")
    for relation in data.get("relations", ()):
        graph.relations[relation["id"]] = relation.get("label") or relation["id"]
    own = graph if "entities" in data else numbering
    entities, relations = list(own.entities), list(own.relations)
    for part in PARTS:
        for head, relation, tail in data.get(part, ()):
            graph.add(
                part, named(head, entities), named(relation, relations), named(tail, entities)
            )


def named(value: int | str, ids: Sequence[str]) -> str:
    return ids[value] if isinstance(value, int) else value


def text(label: str, description: str) -> str:
    return f"{label}: {description}" if description else label


def with_vectors(endpoints: Iterable[Endpoint]) -> tuple[Endpoint, ...]:
    """Return the entities with the vectors of their texts, `[TYPE] label: description`."""
    every = tuple(endpoints)
    model = load_plugins(Settings()).choose("register_embedding_models", "all-MiniLM-L6-v2")
    texts = [f"[{one.type.upper()}] {one.name}" if one.type else one.name for one in every]
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    found: dict[int, tuple[float, ...]] = {}
    for begin in range(0, len(order), 32):
        some = order[begin : begin + 32]
        vectors = np.asarray(model.embed([texts[at] for at in some]))
        found |= {at: tuple(vector.tolist()) for at, vector in zip(some, vectors, strict=True)}
    mean = np.mean(list(found.values()), axis=0)
    centred = {at: np.array(vector) - mean for at, vector in found.items()}
    return tuple(
        replace(one, vector=tuple((centred[at] / np.linalg.norm(centred[at])).tolist()))
        for at, one in enumerate(every)
    )


@dataclass(frozen=True, eq=False)
class Trained:
    """A model trained on a graph's training part, with its entities and its calibrator."""

    graph: Graph
    scorer: Informed
    is_trained: Any
    calibrator: calibration.Calibrator | None = None

    def examples(self, true: Any, false: Any) -> assessment.Examples:
        """Return labelled triples as examples for a calibrator."""
        triples = np.concatenate([true, false])
        labels = np.arange(len(triples)) < len(true)
        return assessment.Examples(triples, *self.seen(triples), labels)

    def seen(self, triples: Any) -> tuple[Any, Any, list[str]]:
        """Return features of triples, how many of their ends are unknown, and their relations."""
        names = list(self.graph.relations)
        return (
            self.scorer.features(triples, len(self.graph.entities)),
            2 - self.is_trained[triples[:, [0, 2]]].sum(1),
            [names[at] for at in triples[:, 1]],
        )

    def ranks(self, triples: Any, *known: Any) -> tuple[Any, Any]:
        """Return the filtered ranks of tails and of heads among all entities."""
        every = evaluation.Known.of(*known)
        return evaluation.filtered_ranks(self.scorer, triples, every, len(self.graph.entities))


def train(
    graph: Graph, with_text: bool, with_rules: bool, changes: Mapping[str, Any]
) -> tuple[Trained, Figures]:
    """Embed the entities' texts, train and mine rules; return the result and the time it took."""
    triples, names = graph.numbers("train"), tuple(graph.relations)
    began = os.times(), time.perf_counter()
    endpoints = tuple(graph.entities.values())
    if with_text:
        endpoints = with_vectors(endpoints)
    embedded = os.times(), time.perf_counter()
    facts = Facts(endpoints, names, triples, find_symmetric(triples, names))
    recipe = recipe_for(len(triples), len(endpoints))
    model = TransE(ships=False, recipe=replace(recipe, **changes))
    weights = model.train(facts)
    trained = os.times(), time.perf_counter()
    evidence = learn_evidence(facts) if with_rules else Evidence.none()
    informed = Informed.of(model.place(weights, endpoints), evidence)
    mined = os.times(), time.perf_counter()
    figures: Figures = {"triples": len(triples), "entities": len(endpoints)}
    for name, (start, end) in {
        "embedding": (began, embedded),
        "training": (embedded, trained),
        "rules": (trained, mined),
    }.items():
        spent = end[0].user + end[0].system - start[0].user - start[0].system
        figures[f"{name}_cpu_seconds"] = round(spent, 1)
        figures[f"{name}_seconds"] = round(end[1] - start[1], 1)
    print(f"trained in {figures['training_cpu_seconds']} s of processor time", file=sys.stderr)
    is_trained = np.array(model.is_trained(weights, endpoints))
    return Trained(graph, informed, is_trained), figures


def judge(trained: Trained, hidden: int) -> tuple[Trained, Figures]:
    """Fit the calibrator to the valid part, and return the figures on that part.

    `hidden` is the number of true triples in parts of the graph that are not available.
    """
    graph = trained.graph
    learned, valid, false = (graph.numbers(part) for part in ("train", "valid", "valid_neg"))
    if not len(false):
        types = [one.type for one in graph.entities.values()]
        false, _ = splitting.hard_negatives(valid, np.concatenate([learned, valid]), types)
    examples = trained.examples(valid, false)
    labels = examples.labels
    tails, heads = trained.ranks(valid, learned, valid)
    figures: Figures = rounded(asdict(evaluation.summarise_ranks(tails, heads)))
    if hidden:
        every = evaluation.Known.of(learned, valid)
        figures["mrr_attainable"] = round(evaluation.attainable_mrr(valid, every, hidden), 4)
    figures["mrr_tails"] = round(evaluation.summarise_ranks(tails).mrr, 4)
    figures["mrr_heads"] = round(evaluation.summarise_ranks(heads).mrr, 4)
    if graph.parts.get("withheld"):
        known = trained.ranks(valid, learned, valid, graph.numbers("withheld"))
        figures["mrr_withheld_known"] = round(evaluation.summarise_ranks(*known).mrr, 4)
    by_training = evaluation.summarise_ranks(*trained.ranks(valid, learned))
    figures["mrr_filtered_by_training_alone"] = round(by_training.mrr, 4)
    groups = np.random.default_rng(0).permutation(len(labels))
    probabilities = assessment.cross_fitted(examples, groups)
    by_score = evaluation.area_under_curve(examples.features[:, 0], labels)
    figures["auc"] = round(evaluation.area_under_curve(probabilities, labels), 4)
    figures["auc_of_score"] = round(by_score, 4)
    figures |= assessment.describe_probabilities(probabilities, labels)
    calibrator = calibration.fit_calibrator(
        examples.features, examples.unseen, examples.relations, labels
    )
    return replace(trained, calibrator=calibrator), figures


def chosen_parts(scored: Graph, asked: Sequence[str]) -> list[str]:
    """Return the parts to score: those requested, else the test part, else all but training."""
    found = [part for part in scored.parts if not asked or part in asked]
    if asked:
        return found
    test = [part for part in found if part.startswith("test")]
    return test or [part for part in found if part != "train"] or found


def write_scores(
    trained: Trained, triples: Sequence[tuple[str, str, str]], part: str, ranks: bool, out: TextIO
) -> None:
    """Write a JSON line for every triple of a part."""
    graph, calibrator = trained.graph, trained.calibrator
    if calibrator is None:
        raise SystemExit("Nothing to calibrate on: give a valid part.")
    whole = graph.numbered(triples)
    known = [graph.numbers(one) for one in ("train", "valid")]
    for begin in range(0, len(whole), AT_ONCE):
        rows = whole[begin : begin + AT_ONCE]
        features, unseen, names = trained.seen(rows)
        logits = calibrator.logits(features, unseen, names)
        columns: dict[str, Any] = {
            "score": calibration.scaled(logits),
            "raw": features[:, 0],
            "probability": 1.0 / (1.0 + np.exp(-logits)),
        }
        if ranks and not part.endswith("_neg"):
            columns["rank_tail"], columns["rank_head"] = trained.ranks(rows, *known, whole)
        for row, (head, name, tail) in enumerate(triples[begin : begin + AT_ONCE]):
            line: dict[str, Any] = {"head": head, "relation": name, "tail": tail, "part": part}
            line |= {column: round(float(values[row]), 6) for column, values in columns.items()}
            line["validation"] = calibration.verdict(columns["probability"][row])
            line["seen"] = int(2 - unseen[row])
            print(json.dumps(line, ensure_ascii=False), file=out)


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


def parse_setting(item: str) -> tuple[str, float | int]:
    name, _, value = item.partition("=")
    return name, float(value) if "." in value else int(value)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--train", type=Path, nargs="+", required=True, help="graphs to learn")
    parser.add_argument("--valid", type=Path, nargs="*", default=[], help="graphs to calibrate on")
    parser.add_argument("--score", type=Path, nargs="*", default=[], help="graphs to score")
    parser.add_argument("--part", nargs="*", default=[], help="which parts of them to score")
    parser.add_argument("--out", type=Path, help="where scores go; by default to standard output")
    parser.add_argument("--report", type=Path, help="where the figures go, as JSON")
    parser.add_argument("--ranks", action="store_true", help="add filtered ranks to the scores")
    parser.add_argument("--hidden", type=int, default=0, help="triples in parts kept elsewhere")
    parser.add_argument("--withhold", type=int, default=0, help="triples to keep from training")
    parser.add_argument("--without-rules", action="store_true", help="let no rules count")
    parser.add_argument("--without-text", action="store_true", help="embed no texts")
    parser.add_argument(
        "--set", type=parse_setting, nargs="*", default=[], help="name=value of the recipe"
    )
    args = parser.parse_args()
    graph, scored = Graph(), Graph()
    for path in args.train:
        read_graph(path, graph, "train")
    for path in args.valid:
        read_graph(path, graph, "valid")
    for path in args.score:
        read_graph(path, scored, "test", graph)
    for key, endpoint in scored.entities.items():
        graph.entities.setdefault(key, endpoint)
    for key, label in scored.relations.items():
        graph.relations.setdefault(key, label)
    for part, triples in graph.parts.items():
        graph.parts[part] = list(dict.fromkeys(triples))
    graph.withhold(args.withhold)
    trained, figures = train(graph, not args.without_text, not args.without_rules, dict(args.set))
    if graph.parts.get("valid"):
        trained, judged = judge(trained, args.hidden)
        figures |= judged
    with args.out.open("w", encoding="utf-8") if args.out else nullcontext(sys.stdout) as out:
        for part in chosen_parts(scored, args.part):
            write_scores(trained, scored.parts[part], part, args.ranks, out)
    shown = json.dumps(figures, indent=1)
    if args.report is not None:
        args.report.write_text(shown + "\n", encoding="utf-8")
    print(shown, file=sys.stderr)


if __name__ == "__main__":
    main()
