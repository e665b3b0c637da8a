"""Count what is entered to answer a question or to sync a note, and what of it reads Markdown.

python scripts/count_entered.py                         # on the fixture novel
python scripts/count_entered.py Vault "Ann Marrow"      # another vault and entity
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

NOVEL = Path(__file__).resolve().parent.parent / "vault_fixtures" / "novel"
MARKDOWN = ("writeros_entities.vault.markdown.", "writeros_entities.vault.notes")
OURS = ("writeros_entities", "writeros_plugins")


def entered(work: Callable[[], Any]) -> Counter[tuple[str, str]]:
    """Return how often each function of the product is called, by module and name."""
    calls: Counter[tuple[str, str]] = Counter()

    def note_call(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith(OURS):
            calls[module, frame.f_code.co_qualname] += 1

    sys.setprofile(note_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def tell(what: str, calls: Counter[tuple[str, str]]) -> None:
    """Print one line about the calls."""
    modules = len({module for module, _ in calls})
    parsing = {one: number for one, number in calls.items() if one[0].startswith(MARKDOWN)}
    print(
        f"{what}: {modules} modules, {len(calls)} functions, {sum(parsing.values())} parse Markdown"
    )
    if "-v" in sys.argv:
        for (module, name), number in sorted(parsing.items()):
            print(f"    {number:6} {module}.{name}")


def asked_about(name: str) -> list[tuple[str, dict[str, Any]]]:
    """Return capabilities that show text, with what they are asked of an entity and a chapter."""
    return [
        ("find_mentions", {"entity": name}),
        ("get_entity", {"entity": name}),
        ("build_context", {"entities": [name]}),
        ("brief_scene", {"scene": "3"}),
        ("check_continuity", {}),
        ("find_speeches", {}),
        ("read_note", {"note": name}),
        ("search", {"query": f"the tide and {name}"}),
        ("reason_over_entities", {"query": f"What does {name} want?"}),
    ]


def main() -> None:
    """Sync a copy of the vault, ask, and sync one changed note."""
    from writeros_entities.session import Session

    given = [one for one in sys.argv[1:] if one != "-v"]
    vault = Path(given[0]) if given else NOVEL
    name = given[1] if given[1:] else "Isolde Marrow"
    os.environ.setdefault("WRITEROS_EMBEDDING_MODEL", "")
    os.environ.setdefault("WRITEROS_CLOSE_READING", "false")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "vault"
        shutil.copytree(vault, copy)
        os.environ["XDG_DATA_HOME"] = str(Path(folder) / "data")
        with Session.open(copy) as session:
            session.call("sync", {})
            for capability, asked in asked_about(name):
                calls = entered(lambda: session.call(capability, asked).as_text())  # noqa: B023
                tell(capability, calls)
            changed = max(copy.rglob("*.md"), key=lambda file: file.stat().st_size)
            changed.write_text(changed.read_text() + "\nShe walked home.\n")
            tell("sync of one changed note", entered(lambda: session.call("sync", {})))


if __name__ == "__main__":
    main()
