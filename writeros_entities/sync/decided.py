"""Read the writer's decisions from their note, in the words of the vault's languages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from writeros_entities.sync.drafting.files import read_file
from writeros_entities.sync.drafting.type_words import TypeWords
from writeros_entities.vault.decisions import (
    Decisions,
    DecisionWords,
    LeftOut,
    Target,
    is_for_decisions,
    read_lines,
    read_target,
)
from writeros_entities.vault.notes import parse_note

if TYPE_CHECKING:
    from pathlib import Path

    from writeros_entities.plugins import Plugins
    from writeros_entities.settings import Settings
    from writeros_entities.view import View


def decision_words(plugins: Plugins, settings: Settings) -> DecisionWords:
    """Return the words in which decisions are read and written: the vault's language first."""
    languages = sorted(plugins.languages.values(), key=lambda one: one.code != settings.language)
    words = [one.words for one in languages]
    return DecisionWords(words, TypeWords(plugins.entity_types.values(), words).by_noun)


def read_decisions(root: Path, plugins: Plugins, settings: Settings) -> Decisions:
    """Return what the writer has decided in the note that the settings name."""
    data = read_data(root, settings)
    if data is None:
        return Decisions(excluded=_excluded(settings))
    return read_content(data, plugins, settings)


def decisions_of(view: View) -> Decisions:
    """Return what the writer has decided, as her note says now, not as of the last sync."""
    return read_decisions(view.root, view.plugins, view.settings)


def read_data(root: Path, settings: Settings) -> bytes | None:
    """Return the content of the note that the settings name, None if it cannot be read."""
    return read_file(os.fsencode(root / settings.decisions_note), settings.max_note_bytes)


def read_content(data: bytes, plugins: Plugins, settings: Settings) -> Decisions:
    """Return the decisions in a note's content; without a path if it is not for decisions."""
    note = parse_note(settings.decisions_note, data)
    lines = read_lines(note, decision_words(plugins, settings))
    excluded = _excluded(settings)
    if not is_for_decisions(note, lines):
        return Decisions(excluded=excluded)
    return Decisions(tuple(lines), note.path, excluded)


def _excluded(settings: Settings) -> tuple[LeftOut, ...]:
    targets = (read_target(one) or Target("folder", one.strip("/")) for one in settings.exclude)
    return tuple(LeftOut(target) for target in targets)
