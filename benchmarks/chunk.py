"""Measure how fast the chunker splits notes, and how fast tokens are counted.

python benchmarks/chunk.py
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from writeros_plugins.chunker import HeadingChunker
from writeros_plugins.token_counters import CharacterCounter, WordCounter

from writeros_entities import Block, Heading, Note

NOTES = 500
WORDS = """
the lamps along the quay were lit before the rain came and nobody in the long street looked up when
the carts went by she counted them twice and thought of the letter in her sleeve, again. “No”
"""


def write_note(rng: random.Random) -> Note:
    words = WORDS.split()
    text, blocks, headings = "", [], []
    for section in range(rng.randint(3, 8)):
        line = f"## Section {section}"
        headings.append(Heading(2, line[3:], len(text), len(text) + len(line)))
        blocks.append(Block("heading", len(text), len(text) + len(line)))
        text += line + "\n\n"
        for _ in range(rng.randint(1, 8)):
            paragraph = " ".join(rng.choices(words, k=rng.randint(10, 150)))
            blocks.append(Block("paragraph", len(text), len(text) + len(paragraph)))
            text += paragraph + "\n\n"
    values = {"headings": tuple(headings), "blocks": tuple(blocks)}
    return Note("a.md", "a", text, text, "", {}, **values)  # type: ignore[arg-type]


def median_seconds(run: Callable[[], object], times: int = 7) -> float:
    taken = []
    for _ in range(times):
        before = time.perf_counter()
        run()
        taken.append(time.perf_counter() - before)
    return statistics.median(taken)


def main() -> None:
    rng = random.Random(7)
    notes = [write_note(rng) for _ in range(NOTES)]
    size = sum(len(note.text) for note in notes) / 1e6
    chunker = HeadingChunker(200, 400)
    print(f"{size:.1f} MB in {NOTES} notes")
    for counter in (WordCounter(), CharacterCounter()):
        texts = [note.text for note in notes]
        taken = median_seconds(lambda counter=counter, texts=texts: counter.count(texts))  # type: ignore[misc]
        print(f"count {counter.name:12} {size / taken:8.1f} MB/s")
        taken = median_seconds(
            lambda counter=counter: [chunker.chunk(note, counter) for note in notes]  # type: ignore[misc]
        )
        print(f"chunk by {counter.name:12} {size / taken:5.1f} MB/s")


if __name__ == "__main__":
    main()
