"""Measure the speed of `parse_note` in megabytes per second: `python benchmarks/parse.py`."""

from __future__ import annotations

import random
import time

from writeros_entities.vault.notes import parse_note

TEXT = """the a of and to in she he was that with his her on for at by had not from lantern harbour
winter letter garden silence window captain river morning answer village shadow corner"""
WORDS = TEXT.split()
NAMES = ("Isolde Marrow", "Rook", "Ashgate", "Lady Venn", "the Salt Road", "Captain Hale")


def sentence(random_: random.Random) -> str:
    words = random_.choices(WORDS, k=random_.randint(6, 22))
    roll = random_.random()
    name = random_.choice(NAMES)
    if roll < 0.12:
        words.insert(3, f"[[{name}]]")
    elif roll < 0.16:
        words.insert(3, f"[[Places/{name}|the place]]")
    elif roll < 0.22:
        words.insert(3, f"*{random_.choice(WORDS)}*")
    elif roll < 0.5:
        words.insert(3, name)
    return " ".join(words).capitalize() + random_.choice((".", ".", "?", '."'))


def paragraph(random_: random.Random) -> str:
    return " ".join(sentence(random_) for _ in range(random_.randint(1, 7)))


def chapter(random_: random.Random) -> str:
    parts = ['---\ntags: [draft]\nchapter: 7\npov: "[[Rook]]"\n---\n# Chapter\n']
    parts += [paragraph(random_) for _ in range(25)]
    parts += ["%% check the date %%", "***"]
    parts += [paragraph(random_) for _ in range(15)]
    return "\n\n".join(parts)


def sheet(random_: random.Random) -> str:
    parts = ["---\naliases:\n  - The Rook\ntype: character\n---\n## Facts\n"]
    parts.append("\n".join(f"- {sentence(random_)} #trait" for _ in range(8)))
    parts.append("ally:: [[Isolde Marrow]]\nhome:: [[Ashgate]]")
    parts.append("> [!note] Remember\n> " + sentence(random_) + "\n> " + sentence(random_))
    parts.append("| When | What |\n|---|---|\n" + "| 1 | born |\n" * 5)
    parts += [paragraph(random_) for _ in range(4)]
    return "\n\n".join(parts)


def main() -> None:
    random_ = random.Random(7)
    for name, make, count in (("chapters", chapter, 400), ("sheets", sheet, 1500)):
        notes = [make(random_).encode() for _ in range(count)]
        size = sum(map(len, notes))
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            for data in notes:
                parse_note("A/B.md", data)
            best = min(best, time.perf_counter() - start)
        print(
            f"{name:10} {count:5} notes of {size / count / 1e3:5.1f} kB:"
            f" {size / best / 1e6:5.1f} MB/s, {count / best:6.0f} notes/s"
        )


if __name__ == "__main__":
    main()
