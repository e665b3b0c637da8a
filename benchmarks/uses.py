"""Hold `find_uses` against a plain search of all files of real vaults.

    python benchmarks/uses.py ~/vaults/*

Each folder is synced into an index of its own elsewhere; the folder is only read. Every noted or
linked entity's names are searched for, whole words in their own case, in the notes, canvases,
bases and file names: each occurrence that `find_uses` does not tell of is missed.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click

from writeros_entities.capabilities.entities.find_uses import FindUses
from writeros_entities.capabilities.entities.list_entities import ListEntities
from writeros_entities.session import Session

READ = (".md", ".canvas", ".base")
PAGE = 500


def read_files(vault: Path) -> dict[str, str | None]:
    """Return the texts of a vault's visible files by path; None for what is no text."""
    found: dict[str, str | None] = {}
    for file in sorted(vault.rglob("*")):
        path = file.relative_to(vault)
        if file.is_file() and not any(part.startswith(".") for part in path.parts):
            is_read = file.suffix in READ
            text = file.read_bytes().decode("utf-8", "replace") if is_read else None
            found[path.as_posix()] = None if text is None else text.replace("\0", "\ufffd")
    return found


def occurrences(name: str, files: dict[str, str | None]) -> Iterator[tuple[str, int | None, int]]:
    """Yield where a name stands: path, start and end; no start for the name of the file."""
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for path, text in files.items():
        if pattern.search(Path(path).stem):
            yield path, None, 0
        for found in pattern.finditer(text or ""):
            yield path, *found.span()


def measure(session: Session, files: dict[str, str | None]) -> tuple[int, int, list[str]]:
    """Return the numbers of entities and occurrences, and the occurrences that are missed."""
    listed = session.call(ListEntities(statuses=["noted", "linked"], limit=PAGE))
    total, missed = 0, []
    for entity in listed.entities:
        spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        named: set[str] = set()
        offset, most = 0, 1
        names: list[str] = []
        while offset < most:
            answer = session.call(FindUses(entity=entity.id, limit=PAGE, offset=offset))
            offset, most, names = offset + PAGE, answer.total, answer.names
            for use in answer.uses:
                if use.start is None or use.end is None:
                    named.add(use.path)
                else:
                    spans[use.path].append((use.start, use.end))
        for name in names:
            for path, start, end in occurrences(name, files):
                total += 1
                is_told = (
                    path in named
                    if start is None
                    else any(one < end and start < other for one, other in spans[path])
                )
                if not is_told:
                    missed.append(f"{name}: {path}{'' if start is None else f':{start}'}")
    return len(listed.entities), total, missed


@click.command()
@click.argument("vaults", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(vaults: tuple[Path, ...]) -> None:
    """Print the occurrences of each vault and in sum, and those that are missed."""
    sums = [0, 0, 0]
    for vault in vaults:
        with tempfile.TemporaryDirectory() as folder:
            database = f"sqlite:///{folder}/index.sqlite3"
            with Session.open(
                vault, database=database, embedding_model="", close_reading=False
            ) as session:
                session.call("sync", {})
                entities, total, missed = measure(session, read_files(vault))
        print(f"{vault.name}: {entities} entities, {total:,} places, {len(missed):,} missed")
        print("".join(f"  {one}\n" for one in missed), end="")
        sums = [one + more for one, more in zip(sums, (entities, total, len(missed)), strict=True)]
    print(f"all: {sums[0]} entities, {sums[1]:,} places, {sums[2]:,} missed")


if __name__ == "__main__":
    main()
