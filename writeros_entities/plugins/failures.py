"""Hook calls that raised an error, and their diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from writeros_entities.values import Diagnostic

PLUGIN_FAILED = "plugin-failed"


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A hook call that failed."""

    plugin: str
    hook: str
    error: str


def describe_failures(
    failures: Sequence[PluginFailure], code: str = PLUGIN_FAILED
) -> list[Diagnostic]:
    """Return a diagnostic for each failed hook call, without repeats."""
    messages = [f"Plugin {each.plugin!r}, {each.hook}: {each.error}" for each in failures]
    return [Diagnostic(code, message) for message in dict.fromkeys(messages)]
