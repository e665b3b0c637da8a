"""Score what is read of small texts written by hand; see tests/statements/README.md.

python benchmarks/statements.py plain sheets
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import yaml

from writeros_entities import Session

SETS = Path(__file__).resolve().parent.parent / "tests" / "statements"

SAME = [
    ("parent_of", "~child_of", "guardian_of", "~ward_of"),
    ("sibling_of", "~sibling_of"),
    ("spouse_of", "~spouse_of"),
    ("betrothed_to", "~betrothed_to"),
    ("lover_of", "~lover_of", "loves", "~loves"),
    ("friend_of", "~friend_of"),
    ("ally_of", "~ally_of"),
    ("enemy_of", "~enemy_of", "hates", "~hates"),
    ("rival_of", "~rival_of"),
    ("mentor_of", "~student_of"),
    ("employs", "~works_for", "~works_at", "~serves", "served_by"),
    ("leads", "~led_by", "rules", "~ruled_by", "captain_of", "~captained_by"),
    ("member_of", "~has_member", "part_of", "crew_of", "works_at", "serves"),
    ("works_for", "works_at", "serves", "~employs", "member_of", "crew_of"),
    ("serves", "~served_by", "works_at", "works_for"),
    ("owns", "~owned_by", "wields", "carries", "~wielded_by", "~carried_by"),
    ("created_by", "~creator_of", "founded_by", "~founder_of"),
    ("located_in", "~location_of", "based_in", "part_of", "~contains", "found_at", "lives_in"),
    ("lives_in", "~home_of", "located_in", "found_at", "based_in", "comes_from"),
    ("born_in", "~birthplace_of", "comes_from"),
    ("part_of", "~contains", "member_of", "~has_member", "located_in"),
    ("worships", "~worshipped_by", "serves"),
    ("killed_by", "~killed"),
    (
        *("relative_of", "~relative_of", "cousin_of", "~cousin_of", "aunt_or_uncle_of"),
        *("~aunt_or_uncle_of", "~niece_or_nephew_of", "niece_or_nephew_of", "grandparent_of"),
        *("~grandparent_of", "grandchild_of", "ancestor_of", "descendant_of"),
        *("sibling_in_law_of", "~sibling_in_law_of", "parent_in_law_of", "child_in_law_of"),
        *("guardian_of", "ward_of"),
    ),
    ("knows", "~knows", "friend_of", "~friend_of"),
    ("depends_on", "~dependency_of", "uses"),
    ("runs_on", "located_in", "depends_on"),
    ("replaces", "~replaced_by"),
]


def flip(kind: str) -> str:
    """Return a kind as read from the other end."""
    return kind[1:] if kind.startswith("~") else "~" + kind


def kinds_of(said: Any) -> set[str]:
    """Return the kinds that say what an item wants, `~` before those read from the other end."""
    wanted: set[str] = set()
    for one in said if isinstance(said, list) else [said]:
        name = str(one).replace(" ", "_")
        wanted |= {name}
        for same in SAME:
            if name == same[0]:
                wanted |= set(same)
            elif flip(name) == same[0] or "~" + name in same[:2]:
                wanted |= {flip(kind) for kind in same}
    return wanted


def write_vault(folder: Path, item: Mapping[str, Any]) -> None:
    (folder / ".obsidian").mkdir()
    title = item.get("title")
    aliases = item.get("aliases", {})
    for name, kind in item["names"].items():
        others = aliases.get(name, []) if isinstance(aliases, dict) else []
        others = others if isinstance(others, list) else [others]
        head = f"---\ntype: {kind}\n" + (
            f"aliases: {yaml.safe_dump(others, default_flow_style=True).strip()}\n"
            if others
            else ""
        )
        if name == title:
            text = item["text"]
            text = head + text[4:] if text.startswith("---\n") else head + "---\n" + text
            if text.count("\ntype:") > 1:
                text = item["text"]
        else:
            text = head + "---\n"
        (folder / f"{name.replace('/', '-')}.md").write_text(text, "utf-8")
    if title not in item["names"]:
        (folder / f"{title or 'A page'}.md").write_text(item["text"], "utf-8")


def stated(
    session: Session, names: Mapping[str, str]
) -> tuple[set[tuple[str, str, str]], set[str]]:
    found: set[tuple[str, str, str]] = set()
    dead: set[str] = set()
    for name in names:
        answer = session.call("get_entity", {"entity": name, "relations": 100}).model_dump(
            mode="json"
        )
        entity = answer.get("entity") or {}
        for one in entity.get("relations", []):
            if one["other"]["name"] in names:
                found.add((entity["name"], one["kind"], one["other"]["name"]))
        told = session.call("analyze_entity_evolution", {"entity": name}).model_dump(mode="json")
        if "dead" in (told.get("status") or ""):
            dead.add(name)
    return found, dead


def score(item: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "vault")
        folder.mkdir()
        write_vault(folder, item)
        with Session.open(
            folder, database=f"sqlite:///{scratch}/index.sqlite3", embedding_model=""
        ) as session:
            session.call("sync", {"relations": False})
            found, dead = stated(session, item["names"])

    def holds(subject: str, said: Any, other: str) -> bool:
        wanted = kinds_of(said)
        return any(
            (one == subject and to == other and kind in wanted)
            or (one == other and to == subject and flip(kind) in wanted)
            for one, kind, to in found
        )

    rights = [holds(*relation) for relation in item.get("relations", [])]
    for right in rights:
        yield "relations found", right
    allowed = [*item.get("relations", []), *item.get("also", [])]
    for one, kind, to in found:
        if one < to or not any(other == (to, kind, one) for other in found):
            right = any(
                (a == one and b == to and kind in kinds_of(said))
                or (a == to and b == one and flip(kind) in kinds_of(said))
                for a, said, b in allowed
            )
            if kind != "knows":
                yield "relations read are right", right
    if item.get("relations"):
        yield "items whole", all(rights)
    else:
        yield (
            "items that state nothing, nothing read",
            not [one for one in found if one[1] not in ("knows", "known_by")],
        )
    if "dead" in item:
        persons = {name for name, kind in item["names"].items() if kind == "person"}
        for name in item["dead"]:
            yield "dead known", name in dead
        for name in persons - set(item["dead"]):
            yield "living not dead", name not in dead


@click.command()
@click.argument("names", nargs=-1)
def main(names: tuple[str, ...]) -> None:
    """Score sets by name; all by default."""
    for file in sorted(SETS.glob("*.yaml")):
        if file.stem == "dialogues" or (names and file.stem not in names):
            continue
        right: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for item in yaml.safe_load(file.read_text("utf-8")):
            for row, is_right in score(item):
                right[row] += is_right
                total[row] += 1
        print(file.stem, "; ".join(f"{row} {right[row]}/{total[row]}" for row in total))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
