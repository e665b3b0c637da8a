"""Write a call as a command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from writeros_entities import Capability


def command_line(capability: Capability[Any, Any], arguments: Mapping[str, Any]) -> list[str]:
    """Return a call's arguments as a command line: options, then `--`, then arguments."""
    options: list[str] = []
    positional: list[str] = []
    for name, value in arguments.items():
        field = capability.request.model_fields.get(name)
        values = value if isinstance(value, list) else [value]
        words = [
            one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values
        ]
        if field is not None and field.is_required():
            positional += words
        elif isinstance(value, bool):
            options.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
        else:
            for word in words:
                options += [f"--{name}", word]
    return [capability.name, "--json", *options, "--", *positional]
