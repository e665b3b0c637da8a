"""No text makes the product slow: what a text costs grows with its length, and not faster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from writeros_entities.session import Session

from ..databases import Databases

PEOPLE = {
    "People/Hope Crane.md": "---\ntype: person\naliases: [Hope, Crane Hope]\n---\nShe sews.\n",
    "People/Hope Marrow.md": "---\ntype: person\naliases: [Hope]\n---\nShe sails.\n",
    "People/Ada Crane.md": "---\ntype: person\n---\nShe is the sister of [[Hope Crane]].\n",
}


def invent(number: int) -> str:
    return "".join("aeiou"[int(digit) // 2] + "bdfglmnprs"[int(digit)] for digit in f"{number:05}")


TEXTS: dict[str, Callable[[int], str]] = {
    "one name of two": lambda n: "The rain fell and Hope went home.\n" * n,
    "one name without a sentence": lambda n: "Hope " * n,
    "names that overlap": lambda n: "Hope Crane " * n,
    "titles": lambda n: "Mr. " * n,
    "initials": lambda n: "J. R. " * n,
    "strangers": lambda n: "".join(f"Then {invent(at).capitalize()} wept.\n" for at in range(n)),
    "links to one note": lambda n: "She met [[Hope Crane]] there. " * n,
    "speeches": lambda n: "“Come here,” said Ada. “No,” said Hope.\n\n" * n,
    "headings": lambda n: "## Hope\n\nAda came.\n\n" * n,
    "one word": lambda n: "hope" * n,
}


@pytest.fixture(scope="module")
def family(
    sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """Return a vault of three people, two of whom share a name; tests only read it."""
    root = tmp_path_factory.mktemp("family")
    for path, text in PEOPLE.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    database = sqlite_databases.create()
    with Session.open(root, database=database, embedding_model="") as found:
        found.call("sync", {})
        yield found


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions some work calls, which is the same on every machine."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("capability", ["extract_entities", "context_for_text"])
def test_a_text_four_times_as_long_takes_four_times_as_many_steps(
    family: Session, capability: str, text: Callable[[int], str]
) -> None:
    def read(length: int) -> int:
        return count_calls(lambda: family.call(capability, {"text": text(length)}))

    read(10)
    assert read(1600) < 5 * read(400)
