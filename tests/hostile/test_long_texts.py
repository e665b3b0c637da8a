"""No text makes the product slow: what a text costs grows with its length, and not faster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from cProfile import Profile
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..databases import Databases

PEOPLE = {
    "People/Hope Crane.md": "---\ntype: person\naliases: [Hope, Crane Hope]\n---\nShe sews.\n",
    "People/Hope Marrow.md": "---\ntype: person\naliases: [Hope]\n---\nShe sails.\n",
    "People/Ada Crane.md": "---\ntype: person\n---\nShe is the sister of [[Hope Crane]].\n",
}
PLACES = {
    "Places/Marlow.md": "---\ntype: place\n---\nA town.\n",
    "Places/York.md": "---\ntype: place\n---\nA town.\n",
}


def invent(number: int) -> str:
    return "".join("aeiou"[int(digit) // 2] + "bdfglmnprs"[int(digit)] for digit in f"{number:05}")


TEXTS: dict[str, Callable[[int], str]] = {
    "one name of two": lambda n: "The rain fell and Hope went home.\n" * n,
    "one name without a sentence": lambda n: "Hope " * n,
    "names that overlap": lambda n: "Hope Crane " * n,
    "names between full stops": lambda n: "Hope Crane. " * n,
    "titles": lambda n: "Mr. " * n,
    "initials": lambda n: "J. R. " * n,
    "strangers": lambda n: "".join(f"Then {invent(at).capitalize()} wept.\n" for at in range(n)),
    "links to one note": lambda n: "She met [[Hope Crane]] there. " * n,
    "speeches": lambda n: "“Come here,” said Ada. “No,” said Hope.\n\n" * n,
    "headings": lambda n: "## Hope\n\nAda came.\n\n" * n,
    "one word": lambda n: "hope" * n,
}


CHAPTERS: dict[str, Callable[[int], str]] = {
    "one name of two": TEXTS["one name of two"],
    "speeches": TEXTS["speeches"],
    "stays": lambda n: "Ada Crane was in Marlow. Ada Crane was in York.\n\n" * n,
    "stays in one place": lambda n: "Ada Crane was in Marlow at noon. She slept.\n\n" * n,
    "names without a sentence": lambda n: "Hope Crane " * n,
    "capitals": lambda n: "A Crane " * n,
    "facts": lambda n: "Ada was the sister of Hope. Hope died. Ada was in Marlow.\n\n" * n,
}


RUNS = {
    "dots": "." * 100_000,
    "exclamation marks": "!" * 100_000,
    "spaces": " " * 100_000,
    "tabs in a table": "| " + "\t" * 100_000 + "x | y |",
    "spaces behind a hash": "# x" + " " * 100_000 + "x",
    "brackets": "[[" * 50_000,
    "openings of images": "![" * 50_000,
    "openings of comments": "<!--" * 25_000 + "-->",
    "underscores": "_" * 100_000 + "x",
    "pipes": "|" * 50_000,
    "adverbs": "“Come,” said Ada. Ada " + "only " * 20_000 + "went. “No.”",
    "capital letters": "“Come,” said Ada and " + "A" * 30_000 + "! x",
    "married to nobody": "Hope Crane married Ada Crane and " + "A" * 30_000 + '"',
}
"""Texts on which a pattern that is tried from each place, or in each way, does not end."""


@pytest.fixture(scope="module")
def family(
    sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """Return a vault of three people, two of whom share a name; tests only read it."""
    root = tmp_path_factory.mktemp("family")
    write(root, PEOPLE)
    database = sqlite_databases.create()
    with Session.open(root, database=database, embedding_model="") as found:
        found.call("sync", {})
        yield found


def write(root: Path, notes: dict[str, str]) -> None:
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions some work calls, which is the same on every machine."""
    with Profile() as profile:
        work()
    return sum(called.callcount for called in profile.getstats())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("capability", ["extract_entities", "context_for_text"])
def test_a_text_four_times_as_long_takes_four_times_as_many_steps(
    family: Session, capability: str, text: Callable[[int], str]
) -> None:
    def read(length: int) -> int:
        return count_calls(lambda: family.call(capability, {"text": text(length)}))

    read(10)
    short, long = read(100), read(400)
    assert long < 4.4 * short


@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=CHAPTERS)
def test_a_chapter_four_times_as_long_takes_four_times_as_many_steps(
    sqlite_databases: Databases, tmp_path: Path, chapter: Callable[[int], str]
) -> None:
    calls = [
        ("sync", {"vectors": False}),
        ("brief_scene", {"scene": "Long"}),
        ("check_continuity", {}),
        ("find_mentions", {"entity": "Ada Crane"}),
    ]

    def read(length: int) -> list[int]:
        root = tmp_path / f"{length}"
        long = {"Long.md": "---\nchapter: 1\n---\n" + chapter(length)}
        write(root, PEOPLE | PLACES | long)
        database = sqlite_databases.create()
        with Session.open(root, database=database, embedding_model="", workers=0) as session:
            return [
                count_calls(lambda call=call: session.call(*call))  # type: ignore[misc]
                for call in calls
            ]

    read(10)
    for call, short, long in zip(calls, read(150), read(600), strict=True):
        assert long < 5 * short, call


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_long_run_of_one_thing_is_read_to_its_end(
    sqlite_databases: Databases, tmp_path: Path, run: str
) -> None:
    note = f"---\nchapter: 1\n---\nAda came.\n\n{run}\n\nHope Marrow left.\n"
    write(tmp_path, PEOPLE | {"Long.md": note})
    with Session.open(
        tmp_path, database=sqlite_databases.create(), embedding_model="", workers=0
    ) as session:
        session.call("sync", {"vectors": False})
        session.call("brief_scene", {"scene": "Long"})
        session.call("check_continuity", {})
        found = session.call("find_mentions", {"entity": "Hope Marrow"}).model_dump()
    assert [one["surface"] for one in found["mentions"]] == ["Hope Marrow"]
