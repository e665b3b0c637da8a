"""Make two lists of English words from the database of WordNet 3.0 or later.

    python scripts/make_word_lists.py FOLDER sorts > plugins/languages/english/sorts.toml
    python scripts/make_word_lists.py FOLDER words > plugins/discovery/words.txt

FOLDER holds the database's files. `sorts` is what sort of thing a noun names: that of its senses,
if those that texts use most agree on one; most nouns name no sort, and stay out. `words` are those
that are no names by themselves: texts use them, and nobody is called so.
"""

from __future__ import annotations

import sys
import textwrap
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

ROOTS = {
    "person": ("person", "deity"),
    "creature": ("animal", "imaginary_being", "monster", "spiritual_being"),
    "place": (
        *("location", "structure", "road", "geological_formation", "body_of_water", "building"),
        *("room", "island", "place_of_business", "workplace", "garden", "marketplace", "planet"),
        *("star", "forest"),
    ),
    "faction": ("social_group", "organization"),
    "item": ("artifact", "food", "plant", "substance", "document", "mineral"),
    "event": ("social_event", "war", "ceremony", "disaster", "fight", "celebration"),
    "": ("cognition", "communication", "attribute", "measure", "state", "process", "time_period"),
}
"""For each sort, the nouns above those that name it, in their first sense; "" is no sort."""

AGREED = 0.6
"""The share of a noun's uses that must agree on its sort."""

TAXONOMIES = frozenset({5, 8, 13, 20, 27})
"""Files of animals, groups, foods, plants and substances, most of whose nouns no story uses."""

Senses = dict[str, list[str]]


def print_words(folder: Path) -> None:
    """Print the words that are no names by themselves."""
    used: Counter[str] = Counter()
    for key, _, _, count in _lines(folder / "index.sense"):
        used[key.partition("%")[0]] += int(count)
    spelled = {
        line[4 + 2 * number].partition("(")[0]
        for file in folder.glob("data.*")
        for line in _lines(file)
        for number in range(int(line[3], 16))
    }
    names = {word.lower() for word in spelled if not word.islower()}
    known = (spelled - names) & {word for word, uses in used.items() if uses}
    print("\n".join(sorted(word for word in known if word.isalpha() and len(word) > 2)))


def print_sorts(folder: Path) -> None:
    """Print the table of the sorts that nouns name."""
    above, files, named = _read_synsets(folder / "data.noun")
    senses = {line[0]: line[4 + int(line[3]) + 2 :] for line in _lines(folder / "index.noun")}
    uses: Counter[tuple[str, str]] = Counter()
    for key, synset, _, count in _lines(folder / "index.sense"):
        uses[key.partition("%")[0], synset] += int(count)
    roots = {senses[word][0]: sort for sort, words in ROOTS.items() for word in words}

    @cache
    def sort_of(synset: str) -> str:
        level, seen = [synset], {synset}
        while level:
            found = [roots[one] for one in level if one in roots]
            if found:
                return found[0]
            level = [up for one in level for up in above[one] if up not in seen]
            seen.update(level)
        return ""

    table: dict[str, list[str]] = defaultdict(list)
    for noun, found in senses.items():
        if not (noun.isalpha() and noun.isascii() and len(noun) > 2) or found[0] in named:
            continue
        weights: defaultdict[str, float] = defaultdict(float)
        for rank, synset in enumerate(found, start=1):
            weights[sort_of(synset)] += uses[noun, synset] + 1 / rank
        sort, weight = max(weights.items(), key=lambda item: item[1])
        is_used = any(uses[noun, synset] for synset in found)
        is_rare = not is_used and (files[found[0]] in TAXONOMIES or sort in ("item", "event"))
        agrees = sort == sort_of(found[0]) and weight / sum(weights.values()) >= AGREED
        if sort and agrees and not is_rare:
            table[sort].append(noun)
    print(
        "# Made by scripts/make_word_lists.py from WordNet, whose licence is in WORDNET.\n\n[sorts]"
    )
    for sort, nouns in sorted(table.items()):
        print(f'{sort} = """{textwrap.fill(", ".join(sorted(nouns)), 99)}"""')


def _read_synsets(file: Path) -> tuple[Senses, dict[str, int], set[str]]:
    """Return what is above each set of synonyms, its file, and those that name an instance."""
    above, files, named = {}, {}, set()
    for line in _lines(file):
        synset, file_number = line[0], int(line[1])
        at = 4 + 2 * int(line[3], 16)
        pointers = [line[at + 1 + 4 * one : at + 3 + 4 * one] for one in range(int(line[at]))]
        above[synset] = [target for symbol, target in pointers if symbol in ("@", "@i")]
        files[synset] = file_number
        if any(symbol == "@i" for symbol, _ in pointers):
            named.add(synset)
    return above, files, named


def _lines(file: Path) -> list[list[str]]:
    text = file.read_text("latin-1").splitlines()
    return [line.partition(" | ")[0].split() for line in text if not line.startswith("  ")]


if __name__ == "__main__":
    {"sorts": print_sorts, "words": print_words}[sys.argv[2]](Path(sys.argv[1]))
