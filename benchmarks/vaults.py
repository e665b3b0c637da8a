"""Generate vaults for benchmarks; the same seed and size give the same bytes.

A tenth of the notes are characters, a twentieth places, a hundredth chapters; the rest are working
notes. Prose consists of common English words, with names of the cast, links, tags and headings
about as often as in real notes; the median note has 300 words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import click

SYLLABLES = [
    *("ba", "bel", "cor", "da", "dor", "el", "en", "far", "gal", "har", "il", "jor", "ka", "lo"),
    *("mar", "mi", "nor", "ol", "per", "quin", "ra", "ser", "ta", "tho", "ul", "va", "wen", "zel"),
]
TEXT = """
the the the the and and of of to to in in that was was his her with had not they from were she
him said there one could when which their some would into them than then now only over time
after before down little upon might house night hand water light morning road window stone river
door voice garden letter winter table answer turned looked walked carried waited spoke slowly
quietly always never again toward beneath beside between through without because
"""
WORDS = TEXT.split()


@dataclass(frozen=True, slots=True)
class Cast:
    """The names used in a generated vault."""

    people: list[str]
    places: list[str]


def generate_vault(folder: Path, notes: int, seed: int = 7) -> Cast:
    """Write a vault of `notes` notes into an empty folder."""
    chance = random.Random(f"{seed}-{notes}")
    cast = Cast(
        _distinct(chance, max(2, notes // 10), _person),
        _distinct(chance, max(2, notes // 20), _place),
    )
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian" / "app.json").write_text("{}", "utf-8")
    chapters = max(2, notes // 100)
    for name in cast.people:
        given, _, surname = name.partition(" ")
        head = (
            f"---\ntype: character\naliases: [{given[:3]}{surname.lower()[:3]}]\n---\n# {name}\n\n"
        )
        _write(folder / "Characters" / surname[:2] / f"{name}.md", head + _prose(chance, cast))
    for name in cast.places:
        _write(folder / "Places" / f"{name}.md", f"# {name}\n\n" + _prose(chance, cast))
    for number in range(1, chapters + 1):
        head = f"---\nchapter: {number}\n---\n# Chapter {number}\n\n"
        _write(folder / "Manuscript" / f"{number:04} Chapter.md", head + _prose(chance, cast))
    for number in range(notes - len(cast.people) - len(cast.places) - chapters):
        text = f"# Note {number}\n\n" + _prose(chance, cast)
        _write(folder / "Notes" / f"{number // 200:03}" / f"Note {number}.md", text)
    return cast


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _prose(chance: random.Random, cast: Cast) -> str:
    length = max(60, int(chance.lognormvariate(5.7, 0.5)))
    paragraphs = []
    while length > 0:
        sentences = [_sentence(chance, cast) for _ in range(chance.randint(2, 7))]
        length -= sum(sentence.count(" ") + 1 for sentence in sentences)
        paragraphs.append(" ".join(sentences))
        if chance.random() < 0.15:
            paragraphs.append(f"## {chance.choice(WORDS).capitalize()} {chance.choice(WORDS)}")
    return "\n\n".join(paragraphs) + "\n\n#scene/draft\n"


def _sentence(chance: random.Random, cast: Cast) -> str:
    words = [chance.choice(WORDS) for _ in range(chance.randint(6, 18))]
    if chance.random() < 0.5:
        words.insert(chance.randrange(1, len(words)), _name(chance, cast))
    return " ".join(words)[0].upper() + " ".join(words)[1:] + "."


def _name(chance: random.Random, cast: Cast) -> str:
    name = cast.people[min(len(cast.people) - 1, int(chance.expovariate(20 / len(cast.people))))]
    kind = chance.random()
    if kind < 0.15:
        return f"[[{name}]]"
    if kind < 0.25:
        return f"[[{name}|{name.split()[0]}]]"
    if kind < 0.5:
        return name.split()[0]
    return chance.choice(cast.places) if kind < 0.65 else name


def _distinct(chance: random.Random, count: int, make) -> list[str]:  # type: ignore[no-untyped-def]
    made: dict[str, None] = {}
    while len(made) < count:
        made[make(chance)] = None
    return list(made)


def _word(chance: random.Random, least: int) -> str:
    return "".join(chance.choice(SYLLABLES) for _ in range(chance.randint(least, 3))).capitalize()


def _person(chance: random.Random) -> str:
    return f"{_word(chance, 2)} {_word(chance, 2)}"


def _place(chance: random.Random) -> str:
    return f"{_word(chance, 2)} {chance.choice(['Hall', 'Bridge', 'Tower', 'Harbour', 'Wood'])}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--notes", default=1_000, show_default=True, help="How many notes.")
@click.option("--seed", default=7, show_default=True, help="Another seed, another vault.")
def main(folder: Path, notes: int, seed: int) -> None:
    """Write a generated vault into FOLDER."""
    generate_vault(folder, notes, seed)


if __name__ == "__main__":
    main()
