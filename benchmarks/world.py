"""Generate a filled world: a vault with as many entities, relations and mentions as its size says.

    python benchmarks/world.py FOLDER --world 10000

A world of 100,000 entities has 500,000 stated relations and about 300,000 mentions, spread as in a
long serial: a thousand chapters of six scenes; leading characters with thousands of mentions and
relations, and a long tail that is named once or never. Seven entities in ten are people, the others
places, factions and things, each with a sheet. Relations are stated by properties and inline
fields, some by chapters too, and chapters tell the end of some. A third of the people have another
name, a third of the sheets a chapter from which they may be seen; given names and surnames are
shared, as in life. The same size and seed give the same bytes.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import click
from vaults import SYLLABLES, WORDS

RELATIONS_EACH = 5
"""Stated relations for each entity, in the mean."""

SCENES, CAST, TOLD = 6, 7, 23
"""Scenes of a chapter, entities of a scene, and how often a scene names one of them."""

ENTITIES_PER_CHAPTER = 100
SHARES = {"person": 0.7, "place": 0.2, "faction": 0.08, "item": 0.02}
FOLDERS = {"person": "Characters", "place": "Places", "faction": "Factions", "item": "Items"}

KINDS = {
    ("person", "person"): [
        "allies",
        "enemies",
        "friends",
        "rivals",
        "mentor",
        "siblings",
        "serves",
    ],
    ("person", "place"): ["lives in", "born in"],
    ("person", "faction"): ["member of", "enemies"],
    ("person", "item"): ["owns"],
    ("place", "place"): ["located in"],
    ("faction", "place"): ["based in"],
    ("faction", "faction"): ["allies", "enemies"],
}
"""The properties by which a sheet of one type states relations to sheets of another."""

ENDS = {
    "allies": "{} was no longer an ally of {}.",
    "friends": "{} was no longer a friend of {}.",
    "serves": "{} no longer served {}.",
    "member of": "{} was no longer a member of {}.",
}
"""How a chapter tells that such a relation is over."""

GOES_ON = {
    "enemies": "{} was an enemy of {}.",
    "friends": "{} was a friend of {}.",
    "member of": "{} was a member of {}.",
}
"""How a chapter states such a relation once more."""


@dataclass
class Sheet:
    """An entity to be: its sheet's names, and its relations by property."""

    name: str
    type: str
    alias: str | None = None
    relations: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def generate_world(folder: Path, entities: int, seed: int = 7) -> None:
    """Write a world of `entities` entities into an empty folder."""
    chance = random.Random(f"{seed}-{entities}")
    sheets = _invent(chance, entities)
    chapters = max(2, entities // ENTITIES_PER_CHAPTER)
    told = _relate(chance, sheets, RELATIONS_EACH * entities)
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian" / "app.json").write_text("{}", "utf-8")
    for ranked in sheets.values():
        for sheet in ranked:
            _write_sheet(chance, folder, sheet, chapters)
    told_in = defaultdict(list)
    for sentence in told:
        told_in[chance.randint(1, chapters)].append(sentence)
    for number in range(1, chapters + 1):
        text = _chapter(chance, sheets, number, told_in[number])
        path = folder / "Manuscript" / f"{number:04} Chapter.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")


def _invent(chance: random.Random, entities: int) -> dict[str, list[Sheet]]:
    """Return the sheets by type, those of the leading entities first."""
    words = ["".join(parts).capitalize() for parts in product(SYLLABLES, SYLLABLES)]
    words += ["".join(parts).capitalize() for parts in product(SYLLABLES, repeat=3)]
    chance.shuffle(words)
    numbers = {name: max(2, round(share * entities)) for name, share in SHARES.items()}
    numbers["person"] = entities - sum(numbers.values()) + numbers["person"]
    shared = max(20, round(numbers["person"] ** 0.7))
    given, surnames, others = words[:shared], words[shared : 3 * shared], words[3 * shared :]
    people = _distinct(
        chance, numbers["person"], lambda: f"{chance.choice(given)} {chance.choice(surnames)}"
    )
    sheets = {"person": [Sheet(name, "person") for name in people]}
    for sheet in sheets["person"]:
        if chance.random() < 0.3:
            sheet.alias = f"{chance.choice(others)} the {chance.choice(WORDS).capitalize()}"
    for type_name, ends in (
        ("place", ["Hall", "Bridge", "Tower", "Harbour", "Wood", "Mill", "Ford"]),
        ("faction", ["Guild", "House", "Order", "Company"]),
        ("item", ["Ring", "Sword", "Crown", "Lantern"]),
    ):

        def name(ends: list[str] = ends) -> str:
            return f"{chance.choice(others)} {chance.choice(ends)}"

        sheets[type_name] = [
            Sheet(one, type_name) for one in _distinct(chance, numbers[type_name], name)
        ]
    return sheets


def _distinct(chance: random.Random, count: int, make) -> list[str]:  # type: ignore[no-untyped-def]
    made: dict[str, None] = {}
    while len(made) < count:
        made[make()] = None
    return list(made)


def _relate(chance: random.Random, sheets: dict[str, list[Sheet]], number: int) -> list[str]:
    """Give sheets `number` relations; return what chapters tell of some of them."""
    everybody = [sheet for ranked in sheets.values() for sheet in ranked]
    pairs: set[tuple[str, str]] = set()
    told = []
    while len(pairs) < number:
        source = chance.choice(everybody)
        others = [other for one, other in KINDS if one == source.type]
        if not others:
            continue
        type_name = "person" if "person" in others and chance.random() < 0.6 else None
        target = _leading(chance, sheets[type_name or chance.choice(others)], 2)
        pair = min(source.name, target.name), max(source.name, target.name)
        if pair[0] == pair[1] or pair in pairs:
            continue
        pairs.add(pair)
        kind = chance.choice(KINDS[source.type, target.type])
        source.relations[kind].append(target.name)
        if kind in ENDS and chance.random() < 0.02:
            told.append(ENDS[kind].format(source.name, target.name))
        elif kind in GOES_ON and chance.random() < 0.02:
            told.append(GOES_ON[kind].format(source.name, target.name))
    return told


def _leading(chance: random.Random, ranked: list[Sheet], power: int) -> Sheet:
    return ranked[int(len(ranked) * chance.random() ** power)]


def _write_sheet(chance: random.Random, folder: Path, sheet: Sheet, chapters: int) -> None:
    lines = ["---", f"type: {sheet.type}"]
    if sheet.alias:
        lines.append(f"aliases: [{sheet.alias}]")
    if chance.random() < 0.33:
        lines.append(f"visible_from: {chance.randint(1, chapters)}")
    fields = []
    for kind, names in sheet.relations.items():
        if chance.random() < 0.12:
            fields += [f"{kind}:: [[{name}]]" for name in names]
        else:
            lines += [f"{kind}:", *(f'  - "[[{name}]]"' for name in names)]
    lines += ["---", f"# {sheet.name}", "", _sentence(chance), "", *fields]
    path = folder / FOLDERS[sheet.type] / sheet.name[:2] / f"{sheet.name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _chapter(
    chance: random.Random, sheets: dict[str, list[Sheet]], number: int, told: list[str]
) -> str:
    parts = [f"---\nchapter: {number}\n---\n# Chapter {number}"]
    for scene in range(SCENES):
        people = sheets["person"]
        hero = people[min(int(chance.expovariate(0.4)), len(people) - 1)]
        cast = [hero, _leading(chance, people, 3)]
        cast += [chance.choice(people) for _ in range(CAST - 4)]
        cast += [_leading(chance, sheets["place"], 2), _leading(chance, sheets["faction"], 2)]
        sentences = [_sentence(chance, _called(chance, chance.choice(cast))) for _ in range(TOLD)]
        sentences += told[scene::SCENES]
        chance.shuffle(sentences)
        parts += [" ".join(sentences[first : first + 5]) for first in range(0, len(sentences), 5)]
        if scene < SCENES - 1:
            parts.append("***")
    return "\n\n".join(parts) + "\n"


def _called(chance: random.Random, sheet: Sheet) -> str:
    kind = chance.random()
    if kind < 0.1:
        return f"[[{sheet.name}]]"
    if kind < 0.2:
        return f"[[{sheet.name}|{sheet.name.split()[0]}]]"
    if kind < 0.3 and sheet.alias:
        return sheet.alias
    return sheet.name


def _sentence(chance: random.Random, name: str | None = None) -> str:
    words = [chance.choice(WORDS) for _ in range(chance.randint(6, 14))]
    if name is not None:
        words.insert(chance.randrange(1, len(words)), name)
    text = " ".join(words)
    return text[0].upper() + text[1:] + "."


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--world", "entities", default=10_000, show_default=True, help="How many entities.")
@click.option("--seed", default=7, show_default=True, help="Another seed, another world.")
def main(folder: Path, entities: int, seed: int) -> None:
    """Write a generated world into FOLDER."""
    generate_world(folder, entities, seed)


if __name__ == "__main__":
    main()
