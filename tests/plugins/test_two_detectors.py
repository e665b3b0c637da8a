"""Two plugins that find the same span: what both say of it is weighed together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from writeros_entities import Candidate, Lexicon, Mention, Note, Settings, hookimpl
from writeros_entities.plugins import load_plugins

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Mara Vane.md": "---\ntype: person\naliases: [Vee]\n---\nA smith.",
    "Otto Reed.md": "---\ntype: person\n---\nA carter.",
    "01.md": "---\nchapter: 1\n---\nVee sang. The smith went home.",
}


class Teller:
    """Says whom some words name, and how sure that is."""

    def __init__(self, words: str, name: str, score: float) -> None:
        self.words, self.name, self.score = words, name, score

    @hookimpl
    def detect_entities(self, note: Note, lexicon: Lexicon) -> Iterable[Mention]:
        return list(self._find(note, lexicon))

    def _find(self, note: Note, lexicon: Lexicon) -> Iterator[Mention]:
        for known in lexicon.entities.values():
            for found in re.finditer(self.words, note.prose) if known.name == self.name else ():
                candidate = Candidate(known.id, self.score, "told", self.words)
                yield Mention(*found.span(), found[0], (candidate,))


@pytest.mark.parametrize(
    ("teller", "surface", "method", "others"),
    [
        # Of what both say of one entity, the surer counts.
        (Teller("Vee", "Mara Vane", 0.3), "Vee", "alias", []),
        (Teller("Vee", "Mara Vane", 1.5), "Vee", "told", []),
        # Of two entities, the other one is told if it is nearly as sure.
        (Teller("Vee", "Otto Reed", 0.4), "Vee", "alias", []),
        (Teller("Vee", "Otto Reed", 0.95), "Vee", "alias", ["Otto Reed"]),
        # What only one of them finds is found.
        (Teller("The smith", "Mara Vane", 0.98765), "The smith", "told", []),
    ],
)
def test_a_span_that_two_plugins_find_is_one_mention(
    write_vault: WriteVault,
    open_vault: OpenVault,
    teller: Teller,
    surface: str,
    method: str,
    others: list[str],
) -> None:
    plugins = load_plugins(Settings(), {"teller": teller})
    session = open_vault(write_vault(VAULT), plugins=plugins)
    session.call("sync", {})
    asked = {"entity": "Mara Vane", "below": "01.md"}
    found = session.call("find_mentions", asked).model_dump()["mentions"]
    (mention,) = (one for one in found if one["surface"] == surface)
    assert mention["method"] == method
    assert [one["entity"]["name"] for one in mention["alternatives"]] == others
    assert mention["confidence"] <= 1.0
