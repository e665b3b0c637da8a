"""Hook calls that a plugin broke off, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from writeros_entities.values import Diagnostic

PLUGIN_FAILED = "plugin-failed"


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A hook call that a plugin broke off."""

    plugin: str
    hook: str
    error: str


def describe_failures(
    failures: Sequence[PluginFailure], code: str = PLUGIN_FAILED
) -> list[Diagnostic]:
    """Return a diagnostic for each hook call that a plugin broke off, once for each reason."""
    messages = [f"Plugin {each.plugin!r}, {each.hook}: {each.error}" for each in failures]
    return [Diagnostic(code, message) for message in dict.fromkeys(messages)]
