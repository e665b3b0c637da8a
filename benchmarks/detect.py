"""Measure the gazetteer: building it for 10,000 names, and detecting names in one page.

python benchmarks/detect.py
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from writeros_plugins.gazetteer.detection import detect
from writeros_plugins.gazetteer.matching import Gazetteer

from writeros_entities import Lexicon, LexiconEntity, Name, Note

NAMES = 10_000
PAGE = 2_000
PROSE = """
the lamps along the quay were lit before the rain came and nobody in the long street looked up when
the carts went by she counted them twice and thought of the letter in her sleeve
"""
SYLLABLES = "ka lo mir ven tar is ol del wren mar row ash tob ia gar eth und sel qui ra"


def invent_name(rng: random.Random) -> str:
    syllables = SYLLABLES.split()
    words = ["".join(rng.choices(syllables, k=rng.randint(2, 3))) for _ in range(2)]
    return " ".join(word.capitalize() for word in words[: rng.choice((1, 2, 2))])


def build_lexicon(rng: random.Random) -> Lexicon:
    forms = sorted({invent_name(rng) for _ in range(3 * NAMES)})
    rng.shuffle(forms)
    names = tuple(Name(form, f"e{at}", "name") for at, form in enumerate(forms[:NAMES]))
    entities = {
        name.entity: LexiconEntity(name.entity, name.form, "person", "noted", f"{name.form}.md")
        for name in names
    }
    return Lexicon(names, entities)


def write_page(rng: random.Random, lexicon: Lexicon, mark: str = "") -> Note:
    prose = PROSE.split()
    words: list[str] = []
    while sum(map(len, words)) + len(words) < PAGE:
        words += rng.sample(prose, k=rng.randint(8, 12))
        words += [mark + rng.choice(lexicon.names).form + mark + "’s", rng.choice(prose) + "."]
        if rng.random() < 0.2:
            words[-1] += "\n\n"
    text = " ".join(words).replace("\n ", "\n")
    return Note("page.md", "page", text.replace("\x01", "*"), text, "", {})


def median_ms(run: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        before = time.perf_counter()
        run()
        taken.append(time.perf_counter() - before)
    return statistics.median(taken) * 1000


def main() -> None:
    rng = random.Random(7)
    lexicon = build_lexicon(rng)
    print(f"names                      {len(lexicon.names)}")
    print(f"build the gazetteer        {median_ms(lambda: Gazetteer(lexicon), 7):8.2f} ms")
    for label, mark in (("plain page", ""), ("page with bold names", "\x01\x01")):
        pages = [write_page(rng, lexicon, mark) for _ in range(201)]
        hits = statistics.median(len(detect(page, lexicon)) for page in pages)
        unread = iter([replace(page) for page in pages])  # copies, so that no cache is used
        taken = median_ms(lambda unread=unread: detect(next(unread), lexicon), len(pages))  # type: ignore[misc]
        print(f"{label:26} {taken:8.3f} ms  ({PAGE} characters, {hits:.0f} mentions)")


if __name__ == "__main__":
    main()
