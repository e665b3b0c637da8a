"""Load plugins, and call their hooks.

    plugins = load_plugins(settings)
    chunker = plugins.chunker("headings")
    mentions, failures = plugins.gather("detect_entities", note=note, lexicon=lexicon)

A broken plugin is reported and left out; the others are used. Names that are registered twice, and
unknown names in the settings, are errors. `register_*` hooks are called once, at loading, so that
the set of active plugins never depends on later calls.
"""

from __future__ import annotations

from writeros_entities.plugins.host import (
    PluginFailure,
    PluginInfo,
    Plugins,
    describe_failures,
)
from writeros_entities.plugins.loading import load_plugins

__all__ = ["PluginFailure", "PluginInfo", "Plugins", "describe_failures", "load_plugins"]
