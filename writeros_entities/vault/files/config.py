"""Read the settings of the vault's own programs, Obsidian and Templater, that concern files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from writeros_entities.values import JSON, Diagnostic

CONFIG_FOLDER = ".obsidian"
"""The folder with Obsidian's settings, which marks a vault."""


@dataclass(frozen=True)
class VaultConfig:
    """The settings of Obsidian and Templater that decide which files are prose."""

    ignore_filters: tuple[str, ...] = ()
    template_folders: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @cached_property
    def _ignore_patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(
            pattern for pattern in map(_ignore_pattern, self.ignore_filters) if pattern is not None
        )

    def is_excluded(self, path: str) -> bool:
        """Return whether Obsidian's "Excluded files" match the path. Links to it still resolve."""
        return any(pattern.search(path) for pattern in self._ignore_patterns)

    def is_template(self, path: str) -> bool:
        """Return whether the path is in a templates folder; template commands are not prose."""
        return any(path.startswith(folder + "/") for folder in self.template_folders)


def read_config(root: Path) -> VaultConfig:
    """Read the settings of the vault at `root`; missing or broken files count as not set."""
    diagnostics: list[Diagnostic] = []
    folder = root / CONFIG_FOLDER
    app = _read_json(folder / "app.json", diagnostics)
    core = _read_json(folder / "templates.json", diagnostics)
    templater = _read_json(folder / "plugins" / "templater-obsidian" / "data.json", diagnostics)
    filters = app.get("userIgnoreFilters")
    texts = [text for text in filters if isinstance(text, str)] if isinstance(filters, list) else []
    for text in texts:
        if _ignore_pattern(text) is None:
            message = f"The excluded-files filter {text!r} is no valid expression; it is ignored."
            diagnostics.append(Diagnostic("broken-filter", message))
    folders = [core.get("folder"), templater.get("templates_folder")]
    templates = [text.strip("/ ") for text in folders if isinstance(text, str)]
    return VaultConfig(
        ignore_filters=tuple(texts),
        template_folders=tuple(dict.fromkeys(text for text in templates if text)),
        diagnostics=tuple(diagnostics),
    )


def _ignore_pattern(text: str) -> re.Pattern[str] | None:
    """Compile an Obsidian filter: a path prefix, or a regular expression in slashes."""
    if not text:
        return None
    if len(text) > 2 and text.startswith("/") and text.endswith("/"):
        try:
            return re.compile(text[1:-1])
        except (re.error, RecursionError, OverflowError):
            return None
    return re.compile(r"\A" + re.escape(text))


def _read_json(file: Path, diagnostics: list[Diagnostic]) -> dict[str, JSON]:
    try:
        value = json.loads(file.read_text("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:
        message = f"{file.name} in {file.parent.name} cannot be read ({error}); it is ignored."
        diagnostics.append(Diagnostic("broken-config", message))
        return {}
    return value if isinstance(value, dict) else {}
