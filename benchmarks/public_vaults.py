"""Ask everything of real vaults, and report what breaks, hangs or is too long.

    python benchmarks/public_vaults.py ~/vaults/* --questions 12 --report faults.txt

Each folder is synced into an index of its own elsewhere, twice; the folder is only read. Every
capability that only reads is then asked of the whole vault and as of its first, middle and last
chapter. What is asked for is drawn from the vault: its entities, notes, chapters, folders and
texts, as they are, misspelt, in part, and mixed with input that no vault holds. An error that a
caller can mend is an answer. All else is reported with the call that reproduces it: a traceback,
a call longer than `--seconds`, and an answer that an MCP client receives beyond its limit.
"""

from __future__ import annotations

import json
import random
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, get_args

import anyio
import click
from mcp import Client, MCPError

from writeros_entities.errors import WriterosError
from writeros_entities.parameters import Schema, parameters_schema
from writeros_entities.session import Session
from writeros_entities.surfaces.bounds import ANSWER_TOKENS, BYTES_PER_TOKEN, AnswerForm
from writeros_entities.surfaces.mcp import ServerOptions, build_server

ODD = (
    *("", " ", ".", "'", '"', "%", "*", "\\", "[[", "#", "NULL", "-1", "0", "99999999999999999999"),
    *(
        "a" * 500,
        "..." * 100,
        "../../etc/passwd",
        "\x00",
        "\x02",
        "\u202e",
        "e\u0301",
        "中",
        "👩‍🚀",
    ),
    *("\ud800", "AND OR NOT", "NEAR(", "a*", '"a', "{{name}}", "</vault>", "the", "he", "I"),
)
"""What no vault holds, or what a careless program sends."""

LONG_TEXT = 20_000
FILES = frozenset({"output"})
"""Parameters that would write files."""


class TooLongError(BaseException):
    """A call took longer than allowed; no handler of errors takes it for one of its own."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, and the call that reproduces it."""

    vault: str
    capability: str
    arguments: Mapping[str, Any]
    what: str
    where: str = ""

    def __str__(self) -> str:
        """Describe it with its call."""
        asked = json.dumps(self.arguments, ensure_ascii=True)
        asked = asked if len(asked) < 600 else f"{asked[:600]}… ({len(asked)} characters)"
        return f"{self.vault}: {self.capability} {asked}\n    {self.what}\n{self.where}".rstrip()


@dataclass(slots=True)
class Findings:
    """The faults of one vault; one for each place in the program is kept, and how many there were.

    `long` holds the calls whose whole answer is longer than a client may receive.
    """

    vault: str
    calls: int = 0
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)
    times: Counter[tuple[str, str]] = field(default_factory=Counter)
    long: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)

    def add(self, capability: str, arguments: Mapping[str, Any], what: str, where: str) -> None:
        """Keep a fault."""
        key = (capability, where or what[:40])
        self.times[key] += 1
        self.faults.setdefault(key, Fault(self.vault, capability, arguments, what, where))


@dataclass(frozen=True, slots=True)
class Words:
    """What a vault holds, by what a parameter may ask for."""

    names: Sequence[str]
    notes: Sequence[str]
    chapters: Sequence[str]
    folders: Sequence[str]
    texts: Sequence[str]
    kinds: Sequence[str]
    types: Sequence[str]
    plugins: Mapping[str, Sequence[str]]

    def for_field(self, name: str) -> Sequence[str]:
        """Return values for a parameter by its name; names of entities if it is not known."""
        if name in ("query", "text", "question", "passage"):
            return self.texts
        if name in ("note", "scene", "chapter", "path"):
            return (*self.notes, *self.chapters)
        if name in ("below", "folder"):
            return self.folders
        if name in ("kinds", "relation", "predicate"):
            return self.kinds
        if name == "types" or name.endswith(("_type", "_types")):
            return self.types
        return self.plugins.get(name, self.names)


def read_words(session: Session, chance: random.Random) -> Words:
    """Return what there is to ask for in a synced vault."""
    listed = session.call("list_entities", {"limit": 500}).model_dump()["entities"]
    names = [one["name"] for one in listed]
    some = [*names[:6], *chance.sample(names, min(6, len(names))), *names[-2:]]
    notes = session.list_notes()
    sizes = sorted(notes, key=lambda path: _size(session.root / path))
    chosen = [*notes[:1], *chance.sample(notes, min(4, len(notes))), *notes[-1:], *sizes[-2:]]
    chapters = session.list_chapters()
    parts = [*chapters[:1], *chapters[len(chapters) // 2 :][:1], *chapters[-1:]]
    texts = []
    for path in chosen:
        try:
            texts.append(session.read_note(path)[:LONG_TEXT])
        except WriterosError:
            continue
    texts += [text[:300] for text in texts] + [f"What does {name} know?" for name in some[:3]]
    return Words(
        [*some, *(one["id"] for one in listed[:1]), *_misspelt(some, chance)],
        [*chosen, *(Path(path).stem for path in chosen)],
        [*parts, *map(str, range(3)), "chapter 2", *_misspelt(parts, chance)],
        sorted({str(Path(path).parent) for path in chosen}),
        texts or ["A text."],
        ["co_occurs_with", "knows", "located_in", "parent_of"],
        ["person", "place", "unknown"],
        {
            "strategy": ["usage", "recency", "narrative", "relevance"],
            "builder": ["tiers"],
            "token_counter": ["words", "characters"],
            "rules": ["confusable-names", "attribute-conflict"],
        },
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _misspelt(names: Sequence[str], chance: random.Random) -> Iterator[str]:
    for name in names:
        at = chance.randrange(len(name))
        yield chance.choice(
            [name.lower(), name.upper(), name[:3], name[:at] + name[at + 1 :], name.split()[-1]]
        )


def questions(
    schema: Schema, words: Words, number: int, chance: random.Random
) -> Iterator[dict[str, Any]]:
    """Yield arguments: what is required from the vault, then with one optional one more, then odd.

    A third of the questions has one value that no vault holds.
    """
    fields = {name: one for name, one in schema["properties"].items() if name not in FILES}
    fields.pop("as_of", None)
    needed = [name for name in schema.get("required", ()) if name in fields]
    optional = [name for name in fields if name not in needed]
    for at in range(number):
        asked = {name: _value(name, fields[name], words, chance) for name in needed}
        if at and optional:
            for name in chance.sample(optional, chance.choice([1, 1, min(3, len(optional))])):
                asked[name] = _value(name, fields[name], words, chance)
        if at % 3 == 2 and asked:
            name = chance.choice(list(asked))
            odd: Any = chance.choice([*ODD, -1, 10**20, 2.5, None, [], {}, True, "7"])
            asked[name] = [odd] if _is_list(fields[name]) and isinstance(odd, str) else odd
        yield asked
        if not asked and not optional:
            return


def _is_list(declared: Schema) -> bool:
    return bool(declared.get("type") == "array")


def _value(name: str, declared: Schema, words: Words, chance: random.Random) -> Any:
    if "enum" in declared:
        return chance.choice(declared["enum"])
    kind = declared.get("type")
    if kind == "boolean":
        return chance.random() < 0.5
    if kind in ("integer", "number"):
        limits = {"minimum": -2, "maximum": 100}
        limits |= {name.replace("exclusiveM", "m"): limit for name, limit in declared.items()}
        least, most = limits["minimum"], limits["maximum"]
        drawn = chance.choice([least, most, chance.uniform(least, most)])
        return int(drawn) if kind == "integer" else drawn
    if _is_list(declared):
        one = declared.get("items", {})
        return [_value(name, one, words, chance) for _ in range(chance.choice([1, 1, 2, 4]))]
    return chance.choice(words.for_field(name))


def ask_all(session: Session, findings: Findings, number: int, seconds: float, seed: int) -> None:
    """Ask a synced vault everything, whole and as of three positions."""
    chance = random.Random(seed)
    words = read_words(session, chance)
    told = session.list_chapters()
    positions: list[int | str | None] = [None]
    if told:
        positions += [told[0], told[len(told) // 2], told[-1]]
    for name, capability in session.capabilities.items():
        if capability.writes:
            continue
        schema = parameters_schema(capability.request)
        for as_of in positions:
            is_bounded = "as_of" in schema["properties"]
            if as_of is not None and not is_bounded:
                continue
            for asked in questions(schema, words, number, chance):
                arguments = asked | ({"as_of": as_of} if as_of is not None else {})
                _ask(session, findings, name, arguments, seconds)


def _ask(
    session: Session, findings: Findings, name: str, arguments: Mapping[str, Any], seconds: float
) -> None:
    findings.calls += 1

    def answer() -> None:
        response = session.call(name, arguments)
        size = max(len(response.as_text()), len(response.model_dump_json()))
        if size > ANSWER_TOKENS * BYTES_PER_TOKEN:
            findings.long.append((name, arguments))

    _guard(findings, name, arguments, seconds, answer)


def _guard(
    findings: Findings,
    name: str,
    arguments: Mapping[str, Any],
    seconds: float,
    work: Callable[[], None],
) -> None:
    """Run a call, and keep its traceback if it breaks or takes too long."""
    begun = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        work()
    except WriterosError:
        pass
    except TooLongError as error:
        findings.add(name, arguments, f"longer than {seconds:g} s", _frames(error))
    except Exception as error:  # whatever breaks is what is looked for
        findings.add(name, arguments, f"{type(error).__name__}: {error!s:.300}", _frames(error))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    taken = time.perf_counter() - begun
    findings.slowest[name] = max(taken, findings.slowest.get(name, 0.0))


def _frames(error: BaseException) -> str:
    ours = [one for one in traceback.extract_tb(error.__traceback__) if "writeros" in one.filename]
    return "\n".join(f"    {one.filename}:{one.lineno} {one.name}" for one in ours[-4:])


def _too_long(signal_number: int, frame: FrameType | None) -> None:
    raise TooLongError


async def check_lengths(session: Session, findings: Findings, most: int) -> None:
    """Send the long answers to an MCP client, and keep those beyond the limit."""
    sent = random.Random(7).sample(findings.long, min(most, len(findings.long)))
    for form in get_args(AnswerForm):
        options = ServerOptions(tools=["all"], answers=form)
        async with Client(build_server(session, options=options)) as client:
            for name, arguments in sent:
                try:
                    result = await client.call_tool(name, dict(arguments))
                except MCPError:
                    continue
                size = sum(len(getattr(one, "text", "").encode()) for one in result.content)
                if result.structured_content is not None:
                    data = json.dumps(
                        result.structured_content, ensure_ascii=False, separators=(",", ":")
                    )
                    size += len(data.encode())
                if size > ANSWER_TOKENS * BYTES_PER_TOKEN:
                    tokens = size // BYTES_PER_TOKEN
                    findings.add(name, arguments, f"an answer of {tokens:,} tokens as {form}", "")


def try_vault(
    root: Path, number: int, seconds: float, sync_seconds: float, seed: int, lengths: int
) -> Findings:
    """Sync a vault, ask it everything, and return what went wrong."""
    findings = Findings(root.name)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/index.sqlite3"
        with Session.open(root, database=database) as session:
            for _ in range(2):
                arguments = {"vectors": False}
                _guard(
                    findings,
                    "sync",
                    arguments,
                    sync_seconds,
                    lambda: print("   ", session.call("sync", {"vectors": False}).as_text()[:120]),
                )
            ask_all(session, findings, number, seconds, seed)
            anyio.run(check_lengths, session, findings, lengths)
    return findings


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--questions", "number", default=8, show_default=True, help="For each capability.")
@click.option("--seconds", default=20.0, show_default=True, help="Longest time of a call.")
@click.option("--sync-seconds", default=600.0, show_default=True, help="Longest time of a sync.")
@click.option("--lengths", default=40, show_default=True, help="Long answers sent to a client.")
@click.option("--seed", default=7, show_default=True, help="Draws the questions.")
@click.option("--report", type=click.Path(path_type=Path), help="A file for all faults.")
def main(
    folders: tuple[Path, ...],
    number: int,
    seconds: float,
    sync_seconds: float,
    lengths: int,
    seed: int,
    report: Path | None,
) -> None:
    """Ask everything of the vaults in FOLDERS, and print each fault with its call."""
    signal.signal(signal.SIGALRM, _too_long)
    found = 0
    for root in folders:
        notes = sum(1 for _ in root.rglob("*.md"))
        print(f"{root.name}: {notes:,} notes", flush=True)
        findings = try_vault(root, number, seconds, sync_seconds, seed, lengths)
        found += len(findings.faults)
        lines = [
            f"{fault}\n    {findings.times[key]} times" for key, fault in findings.faults.items()
        ]
        slow = sorted(findings.slowest.items(), key=lambda one: -one[1])[:4]
        lines.append(
            f"{root.name}: {findings.calls:,} calls, {len(findings.faults)} faults; slowest: "
            + ", ".join(f"{name} {taken:.1f} s" for name, taken in slow)
        )
        print("\n".join(lines), flush=True)
        if report is not None:
            with report.open("a", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
