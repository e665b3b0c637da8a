"""Check the index for consistency, and compare it with the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.query.vault.status import Problem
from writeros_entities.vault.files.config import read_config
from writeros_entities.vault.files.walk import walk_vault

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace


def check_index(view: View) -> list[Problem]:
    """Return the faults that the database finds in itself."""
    faults = view.engine.find_faults(view.connection)
    return [Problem("error", "database", "", fault) for fault in faults]


def broken_plugins(workspace: Workspace) -> list[Problem]:
    """Return the plugins that could not be loaded; whatever they would contribute is missing."""
    return [
        Problem("warning", "broken-plugin", "", f"Plugin {info.name!r}: {info.error}")
        for info in workspace.plugins.describe()
        if info.status == "broken"
    ]


def unavailable_choices(workspace: Workspace) -> list[Problem]:
    """Return the settings that name what no plugin offers; what needs it fails."""
    return [
        Problem("warning", "unavailable", "", str(error))
        for error in workspace.plugins.unavailable()
    ]


def compare_with_files(workspace: Workspace, view: View) -> list[Problem]:
    """Return the files that differ from the index, so that a sync is needed."""
    note = view.note
    known = {
        row.path: (row.size, row.mtime_ns)
        for row in view.all(select(note.c.path, note.c.size, note.c.mtime_ns))
    }
    walk = walk_vault(
        workspace.root,
        read_config(workspace.root),
        follow_symlinks=workspace.settings.follow_symlinks,
    )
    problems = []
    for file in walk.files:
        indexed = known.pop(file.path, None)
        if indexed is None:
            problems.append(
                Problem("warning", "not-indexed", file.path, "New since the last sync.")
            )
        elif indexed[0] != file.size or abs(indexed[1]) != file.mtime_ns:
            problems.append(
                Problem("warning", "out-of-date", file.path, "Changed since the last sync.")
            )
    problems += [
        Problem("warning", "gone", path, "Gone since the last sync.")
        for path in known
        if not any(path.startswith(folder + "/") for folder in walk.unreadable_folders)
    ]
    return problems
