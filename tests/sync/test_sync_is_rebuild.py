"""Any sequence of edits and syncs leaves the rows that one rebuild from the files makes."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from writeros_entities.session import Session
from writeros_entities.sync.synchronizer import Synchronizer

from ..databases import Databases
from .snapshot import check_full_text, take_snapshot

FOLDERS = ("", "Characters/", "Places/", "Manuscript/", "Book 2/", "Notes/", "Notes/Old/")
NAMES = (
    "Mara Vane",
    "Tobias Wren",
    "Wren",
    "Hope",
    "Old Mill",
    "01 - Arrival",
    "02 - Flood",
    "Élan",
)
WHOLE = [folder + name for folder in FOLDERS for name in NAMES]

SENTENCES = (
    "Mara Vane crossed the Old Mill bridge.",
    "Hope was late, and Tobias knew it.",
    "Then [[Tobias Wren|the keeper]] lit the lamp for Mara.",
    "[[Wren]] met [[The Drowned Bell]] at noon; the Wrens sang.",
    "She saw Perrin Holt. Perrin Holt waved. So did Captain Vane.",
    "**M**ara said: *Tobias* Wren's lamp is out.",
    "Lady [[Characters/Mara Vane|Mara]] wrote to Ezra Pike.",
    "Mr. Vane bowed to Mrs. Wren.",
    "![[Old Mill]] and [a mill](Old%20Mill.md), says [[Vee]].",
    "ally:: [[Mara Vane]]",
    "enemies:: Tobias Wren, Vee",
    "(mother:: [[Tobias Wren]]) and so on.\n\nowns:: [[Old Mill]]",
    "Mara Vane, sister of Tobias Wren, was born in the Old Mill.",
    "Wren was killed by Hope. Mara Vane died.",
    "Sister of Tobias Wren. Born in the Old Mill.\n\nServants: Hope and Mara Vane",
    "court:: [[Élan]]\nstatus:: gone",
    "%% Mara Vane dies %% Elan and Élan and ELAN.",
    "> [!note] Hope\n> The keeper waits for Ezra Pike and Ezra Pike.",
    "林月 wrote 林月製圖 on the wall.",
    "Потом ждала Марта, и тогда Марта ушла.",
    "Тогда он ждал Марту, но не видел Марту и не писал Марте.",
    "## Secret\n\nvisible_from:: [[02 - Flood]]\n\nMara Vane and Hope are one.",
    "## Habits\n\nTobias sings. #song",
    "- [ ] Ask Mara Vane\n- [x] Ask Hope\n\nTODO: see [[Old Mill]] (age:: {{age}})",
    "question:: Is Mara Vane late?\n\n%% TODO Wren %%",
    "## Open\n\nvisible_from:: always\n\nThe lamp is in the Old Mill.",
    "The storm lamp was out. Mara lit the storm lamp; nobody else could light a storm lamp.",
)
PROPERTIES = (
    "",
    "type: person\naliases: [Vee, the keeper]",
    "type: person\nsiblings: ['[[Mara Vane]]', '[[Wren]]']\nenemy: '[[Vee]]'",
    "aliases:\n  - Hope\n  - 林月",
    "type: person\ngender: male",
    "type: person\npronouns: she/her",
    "type: place",
    "chapter: 3",
    "chapter: 1\ncharacters: ['[[Mara Vane]]']",
    "type: person\nvisible_from: always",
    "visible_from: '[[01 - Arrival]]'",
    "broken: [",
    "longform:\n  format: scenes\n  title: Book\n  scenes: ['02 - Flood', '01 - Arrival']",
    "tags: [character/main]\naliases: Mara",
    "type: person\nmother: Mara Vane\nallies: [Hope, Perrin Holt]\nhome: Old Mill",
    "type: person\neyes: green # as in the draft\naliases: [Vee]\nlikes:\n  - '[[Wren]]'\nfears:",
)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"never": ["Hope"]},
    {"exact_names": ["Mara Vane"], "common_words": ["Tobias"]},
    {"discovery_needed": 2},
    {"discovery": False},
    {"chunk_target": 20, "chunk_limit": 40},
    {"entity_folders": {"Notes": "item"}},
    {"visible_from": {"Characters": 2}},
    {"books": ["Notes", "Manuscript"]},
    {"knowledge_bases": ["technical"]},
    {"disabled_plugins": ["scene_linking"]},
)

DECISIONS = (
    "[[Notes/Old Mill]] is the manuscript",
    "Notes/ is a plan",
    "#song is a reference",
    "order: [[02 - Flood]], [[Hope]], [[01 - Arrival]]",
    "[[02 - Flood]] is before [[01 - Arrival]]",
    "Vee is [[Tobias Wren]]",
    "the lamp is [[The Drowned Bell]]",
    "Hope is [[Mara Vane]] from [[02 - Flood]] on",
    'In [[01 - Arrival]], "the keeper" is [[Mara Vane]]',
    'In [[Hope]], "Tobias" is [[The Drowned Bell]]',
    'In [[Wren]], "she" is "Perrin Holt"',
    "Perrin Holt is a place",
    "[[Wren]] is a ship",
    "Places/ are people",
    '"Mara" is not a name',
    '"Perrin Holt" is not a name',
    "leave out Notes/Old/",
    'leave out "chapter: 3"',
    "[[Mara Vane]] is always told",
    "[[Tobias Wren]] is never told",
    "nobody knows what this means",
)

notes = st.builds(
    lambda properties, sentences: (
        (f"---\n{properties}\n---\n" if properties else "") + "\n\n".join(sentences)
    ),
    st.sampled_from(PROPERTIES),
    st.lists(st.sampled_from(SENTENCES), max_size=4),
)


class VaultMachine(RuleBasedStateMachine):
    """A vault that is edited, synced now and then, and compared with a rebuild after each sync."""

    databases: Databases
    index: str
    fresh: str

    @initialize()
    def begin(self) -> None:
        self.databases.empty(self.index)
        self.folder = Path(tempfile.mkdtemp(prefix="vault-"))
        self.root = self.folder / "vault"
        (self.root / ".obsidian").mkdir(parents=True)
        self.settings: dict[str, Any] = {}
        self.session = self._open(self.index)
        self.watching = Synchronizer(self.session)
        self.pending: set[str] = set()
        self.is_synced = False

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.session.close()
            shutil.rmtree(self.folder)

    @rule(path=st.sampled_from(WHOLE), text=notes)
    def write(self, path: str, text: str) -> None:
        file = self.root / f"{path}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        self._touched(f"{path}.md")

    @rule(data=st.data(), sentence=st.sampled_from(SENTENCES))
    def append(self, data: st.DataObject, sentence: str) -> None:
        file = self._choose(data)
        if file is not None:
            file.write_text(file.read_text("utf-8") + "\n\n" + sentence, "utf-8")
            self._touched(file.relative_to(self.root).as_posix())

    @rule(data=st.data())
    def drop_a_paragraph(self, data: st.DataObject) -> None:
        file = self._choose(data)
        if file is not None:
            paragraphs = file.read_text("utf-8").split("\n\n")
            paragraphs.remove(data.draw(st.sampled_from(paragraphs)))
            file.write_text("\n\n".join(paragraphs), "utf-8")
            self._touched(file.relative_to(self.root).as_posix())

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        file = self._choose(data)
        if file is not None:
            file.unlink()
            self._touched(file.relative_to(self.root).as_posix())

    @rule(data=st.data(), path=st.sampled_from(WHOLE))
    def move(self, data: st.DataObject, path: str) -> None:
        file = self._choose(data)
        target = self.root / f"{path}.md"
        if file is not None and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            file.rename(target)
            self._touched(file.relative_to(self.root).as_posix())
            self._touched(f"{path}.md")

    @rule(old=st.sampled_from(["Characters", "Notes"]), new=st.sampled_from(["Cast", "Places"]))
    def move_folder(self, old: str, new: str) -> None:
        if (self.root / old).exists() and not (self.root / new).exists():
            (self.root / old).rename(self.root / new)
            self._touched(old)
            self._touched(new)

    @rule(folder=st.sampled_from(FOLDERS))
    def exclude(self, folder: str) -> None:
        filters = json.dumps({"userIgnoreFilters": [folder] if folder else []})
        (self.root / ".obsidian" / "app.json").write_text(filters, "utf-8")
        self.pending.add("*")
        self.is_synced = False

    @rule(chosen=st.sampled_from(SETTINGS))
    def choose_settings(self, chosen: dict[str, Any]) -> None:
        self.settings = chosen
        self.session.close()
        self.session = self._open(self.index)
        self.watching = Synchronizer(self.session)
        self.pending.add("*")
        self.is_synced = False

    @rule(lines=st.lists(st.sampled_from(DECISIONS), max_size=3))
    def decide(self, lines: list[str]) -> None:
        file = self.root / "Decisions.md"
        file.write_text("".join(f"- {line}\n" for line in lines), "utf-8")
        self._touched("Decisions.md")

    @precondition(lambda self: not self.is_synced)
    @rule()
    def sync(self) -> None:
        self.watching.sync(allow_empty=True)
        self.pending = set()
        self.is_synced = True

    @precondition(lambda self: self.pending and "*" not in self.pending)
    @rule()
    def sync_what_was_touched(self) -> None:
        self.watching.sync_paths(sorted(self.pending))
        self.pending = set()
        self.is_synced = True

    @invariant()
    def rows_are_those_of_a_rebuild(self) -> None:
        if not getattr(self, "is_synced", False):
            return
        self.databases.empty(self.fresh)
        with self._open(self.fresh) as fresh:
            fresh.call("sync", {"allow_empty": True})
            synced, rebuilt = take_snapshot(self.session), take_snapshot(fresh)
            for table in rebuilt:
                assert synced[table] == rebuilt[table], table
            check_full_text(self.session)

    def _open(self, url: str) -> Session:
        return Session.open(self.root, database=url, **self.settings)

    def _choose(self, data: st.DataObject) -> Path | None:
        files = sorted(self.root.rglob("*.md"))
        return data.draw(st.sampled_from(files)) if files else None

    def _touched(self, path: str) -> None:
        self.pending.add(path)
        self.is_synced = False


EXAMPLES = {"sqlite": 20, "postgresql": 6}
"""How many sequences are tried: what decides the rows is above the store."""


def test_every_sequence_of_edits_and_syncs_leaves_the_rows_of_a_rebuild(
    databases: Databases,
) -> None:
    given = {"databases": databases, "index": databases.create(), "fresh": databases.create()}
    run_state_machine_as_test(
        type("VaultMachine", (VaultMachine,), given),
        settings=settings(
            max_examples=EXAMPLES[databases.name],
            stateful_step_count=14,
            suppress_health_check=list(HealthCheck),
        ),
    )
