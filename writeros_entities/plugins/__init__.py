"""Loading plugins and asking them.

    plugins = load_plugins(settings)
    chunker = plugins.chunker("headings")
    mentions, failures = plugins.gather("detect_entities", note=note, lexicon=lexicon)

A broken plugin is reported and left out; the others go on. A name taken twice, and a name in the
settings that nothing has, are errors. What plugins register is asked for once, at loading, so that
which plugins are active never depends on what was called since.
"""

from __future__ import annotations

from writeros_entities.plugins.failures import PluginFailure, describe_failures
from writeros_entities.plugins.host import PluginInfo, Plugins
from writeros_entities.plugins.loading import load_plugins

__all__ = ["PluginFailure", "PluginInfo", "Plugins", "describe_failures", "load_plugins"]
