"""Train the shipped relation model on the facts beside it, and evaluate it.

    python benchmarks/train_relations.py           # writes plugins/transe/*.npz and report.json
    python benchmarks/train_relations.py --check   # trains again, fails unless each byte is equal

The report covers five trials, in which each fact is held out once. The same facts give the same
files on the same processor and library versions. Entities of the technical knowledge base are
embedded as `[TYPE] name: description`, all others as `[TYPE] name`.
"""

from __future__ import annotations

import argparse
import json
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
from writeros_plugins.transe import TransE, shipped
from writeros_plugins.transe.model import describe
from writeros_plugins.transe.training import SHIPPED, train_weights

from writeros_entities import Endpoint, Settings
from writeros_entities.embedding import entity_text
from writeros_entities.plugins import load_plugins
from writeros_entities.triples.assessment import FOLDS, assess

FOLDER = Path(__file__).parents[1] / "plugins" / "transe"


def read_endpoints() -> tuple[Endpoint, ...]:
    """Return every entity of the facts, with the vector of its text."""
    plugins = load_plugins(Settings())
    known = {
        entity.id: entity
        for base in plugins.named("register_knowledge_bases").values()
        for entity in base.entities()
    }
    keys = sorted({end for head, _, tail in shipped.read_facts() for end in (head, tail)})
    found = []
    texts = []
    for key in keys:
        if key in known:
            name, kind = known[key].name, known[key].type
            texts.append(f"{entity_text(kind, name)}: {known[key].description}")
        else:
            kind, _, name = key.partition("/")
            texts.append(entity_text(kind, name))
        found.append((key, name, kind))
    model = plugins.choose("register_embedding_models", "all-MiniLM-L6-v2")
    vectors = np.array([model.embed([text])[0] for text in texts], np.float16)
    return tuple(
        Endpoint(*one, tuple(vector.astype(np.float32).tolist()))
        for one, vector in zip(found, vectors, strict=True)
    )


def make_files() -> dict[str, bytes]:
    """Return the shipped files, by name."""
    endpoints = read_endpoints()
    facts = shipped.facts_of(endpoints)
    keys = [one.key for one in endpoints]
    weights = train_weights(describe(endpoints), keys, facts.relations, facts.mirrored(), SHIPPED)
    report = assess(TransE(ships=False, recipe=SHIPPED), facts, FOLDS)
    made = write_endpoints(endpoints), weights.to_bytes(), as_text(report)
    return dict(zip(shipped.FILES, made, strict=True))


def write_endpoints(endpoints: tuple[Endpoint, ...]) -> bytes:
    """Return entities as a file; vectors are kept in 16 bits."""
    buffer = BytesIO()
    np.savez_compressed(
        buffer,
        keys=np.array([one.key for one in endpoints]),
        names=np.array([one.name for one in endpoints]),
        types=np.array([one.type for one in endpoints]),
        vectors=np.array([one.vector for one in endpoints], np.float16),
    )
    return buffer.getvalue()


def as_text(report: object) -> bytes:
    """Return a report as the text of a file."""
    return (json.dumps(report, indent=1, ensure_ascii=False) + "\n").encode()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    args = parser.parse_args()
    made = make_files()
    if args.check:
        differing = [name for name, data in made.items() if (FOLDER / name).read_bytes() != data]
        sys.exit(f"Differ: {', '.join(differing)}." if differing else 0)
    for name, data in made.items():
        (FOLDER / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")
    print(
        json.dumps(
            {
                k: v
                for k, v in json.loads(made["report.json"]).items()
                if k not in ("calibrator", "evidence", "kinds", "types")
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
