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

What `--score` gives is written as JSON lines: the triple by its ids, its part, `score` (0 best;
above -0.5 valid, below -1.5 unlikely), `raw` (minus the distance), `probability`, `validation`,
`seen` (ends with a residual), and with `--ranks` the filtered ranks of tail and head.

The calibrator is fitted to the valid part and its false triples; without false ones, hard negatives
are made. Figures about it are cross-fitted. Filtered ranks leave out the train and valid triples
and those scored: where a graph's other parts are kept elsewhere, true answers among them count as
wrong and lower the MRR.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from writeros_plugins.transe import TransE
from writeros_plugins.transe.training import LARGE, SMALL

from writeros_entities import Endpoint, Facts, Settings
from writeros_entities.plugins import load_plugins
from writeros_entities.triples import assessment, calibration, evaluation, patterns, splitting

PARTS = ("train", "valid", "valid_neg", "test", "test_neg")
TEXT_FILES = ("entities.tsv", "entities.txt", "entity2text.txt", "entity2textlong.txt")
MANY = 5_000
"""Triples from which the larger recipe is used."""


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

    def numbers(self, part: str) -> Any:
        """Return the triples of a part by number, (n, 3)."""
        entities = {key: at for at, key in enumerate(self.entities)}
        relations = {key: at for at, key in enumerate(self.relations)}
        rows = [
            (entities[head], relations[relation], entities[tail])
            for head, relation, tail in self.parts.get(part, ())
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


def judge(args: argparse.Namespace, graph: Graph, scored: Graph) -> dict[str, Any]:
    """Train, calibrate, measure the valid part and write the scores; return the figures."""
    train, valid, false = (graph.numbers(part) for part in ("train", "valid", "valid_neg"))
    endpoints = tuple(graph.entities.values())
    began = time.process_time()
    if not args.without_text:
        endpoints = with_vectors(endpoints)
    embedded = time.process_time()
    names = tuple(graph.relations)
    facts = Facts(endpoints, names, train, patterns.find_symmetric(train, names))
    model = TransE(ships=False, recipe=replace(LARGE if len(train) >= MANY else SMALL, **args.set))
    weights = model.train(facts)
    trained = time.process_time()
    print(f"trained in {trained - embedded:.1f} s of processor time", file=sys.stderr)
    figures: dict[str, Any] = {
        "triples": len(train),
        "entities": len(endpoints),
        "embedding_cpu_seconds": round(embedded - began, 1),
        "training_cpu_seconds": round(trained - embedded, 1),
    }
    scorer = model.place(weights, endpoints)
    known = evaluation.Known.of(train, valid, *(graph.numbers(part) for part in PARTS[3:4]))
    if not len(false):
        false, _ = splitting.hard_negatives(
            valid, np.concatenate([train, valid]), [one.type for one in endpoints]
        )
    plain = np.concatenate([valid, false])
    is_trained = np.array(model.is_trained(weights, endpoints))
    examples = assessment.Examples(
        plain,
        calibration.triple_features(scorer, plain, len(endpoints)),
        2 - is_trained[plain[:, [0, 2]]].sum(1),
        [facts.relations[at] for at in plain[:, 1]],
        np.arange(len(plain)) < len(valid),
    )
    ranks = evaluation.filtered_ranks(scorer, valid, known, len(endpoints))
    figures |= rounded(asdict(evaluation.summarise_ranks(*ranks)))
    raw = evaluation.filtered_ranks(scorer, valid, evaluation.Known.of(train), len(endpoints))
    figures["mrr_unfiltered_valid"] = round(evaluation.summarise_ranks(*raw).mrr, 4)
    figures["mrr_tails"], figures["mrr_heads"] = (
        round(evaluation.summarise_ranks(part).mrr, 4) for part in ranks
    )
    probabilities = assessment.cross_fitted(
        examples, np.random.default_rng(0).permutation(len(plain))
    )
    labels = examples.labels
    figures["auc"] = round(evaluation.area_under_curve(probabilities, labels), 4)
    figures["auc_of_distance"] = round(
        evaluation.area_under_curve(examples.features[:, 0], labels), 4
    )
    figures |= assessment.describe_probabilities(probabilities, labels)
    calibrator = calibration.fit_calibrator(
        examples.features, examples.unseen, examples.relations, labels
    )
    if args.score:
        write_scores(args, scored, model, weights, scorer, calibrator, known, graph, is_trained)
    return figures


def write_scores(
    args: argparse.Namespace,
    scored: Graph,
    model: TransE,
    weights: bytes,
    scorer: Any,
    calibrator: calibration.Calibrator,
    known: evaluation.Known,
    graph: Graph,
    is_trained: Any,
) -> None:
    """Write a JSON line for every triple asked for."""
    wanted = [part for part in scored.parts if not args.part or part in args.part]
    if not args.part and any(part.startswith("test") for part in wanted):
        wanted = [part for part in wanted if part.startswith("test")]
    elif not args.part and len(wanted) > 1:
        wanted = [part for part in wanted if part != "train"]
    entities = {key: at for at, key in enumerate(graph.entities)}
    relations = {key: at for at, key in enumerate(graph.relations)}
    names = list(graph.relations)
    out = sys.stdout if args.out is None else args.out.open("w", encoding="utf-8")
    for part in wanted:
        ids = scored.parts[part]
        triples = np.array(
            [(entities[head], relations[name], entities[tail]) for head, name, tail in ids],
            np.int64,
        )
        features = calibration.triple_features(scorer, triples, len(entities))
        unseen = 2 - is_trained[triples[:, [0, 2]]].sum(1)
        p = calibrator.probabilities(features, unseen, [names[at] for at in triples[:, 1]])
        scores = calibration.scaled(p)
        ranked = args.ranks and not part.endswith("_neg")
        places = (
            evaluation.filtered_ranks(
                scorer,
                triples,
                evaluation.Known.of(*(graph.numbers(one) for one in PARTS[:2]), triples),
                len(entities),
            )
            if ranked
            else ((), ())
        )
        for row, (head, name, tail) in enumerate(ids):
            line: dict[str, Any] = {"head": head, "relation": name, "tail": tail, "part": part}
            line |= {
                "score": round(float(scores[row]), 6),
                "raw": round(float(features[row, 0]), 6),
            }
            line |= {
                "probability": round(float(p[row]), 6),
                "validation": calibration.verdict(p[row]),
            }
            line["seen"] = int(2 - unseen[row])
            if ranked:
                line |= {"rank_tail": float(places[0][row]), "rank_head": float(places[1][row])}
            print(json.dumps(line, ensure_ascii=False), file=out)
    if args.out is not None:
        out.close()


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
    parser.add_argument("--without-text", action="store_true", help="embed no texts")
    parser.add_argument(
        "--set", type=parse_setting, nargs="*", default=[], help="name=value of the recipe"
    )
    args = parser.parse_args()
    args.set = dict(args.set)
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
    figures = judge(args, graph, scored)
    shown = json.dumps(figures, indent=1)
    if args.report is not None:
        args.report.write_text(shown + "\n", encoding="utf-8")
    print(shown, file=sys.stderr)


if __name__ == "__main__":
    main()
