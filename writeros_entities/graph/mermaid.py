"""Export a drawing as a Mermaid flowchart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.vault.canvas import GENERATOR

if TYPE_CHECKING:
    from writeros_entities.graph.drawing import Drawing

_PLAIN = frozenset(" ,'’")


def as_mermaid(drawing: Drawing) -> str:
    """Return the flowchart; labels contain only plain characters and character references."""
    numbers = {node.id: f"n{at}" for at, node in enumerate(drawing.nodes)}
    types = {name: f"t{at}" for at, name in enumerate(sorted({n.type for n in drawing.nodes}))}
    lines = [f"%% {GENERATOR}", "flowchart LR"]
    for node in drawing.nodes:
        lines.append(f'    {numbers[node.id]}["{escape(node.name)}"]:::{types[node.type]}')
    for edge in drawing.edges:
        line = "-.->" if edge.has_ended else "-->" if edge.is_directed else "---"
        label = f"{escape(edge.label)} {edge.strength:.2f}"
        lines.append(f'    {numbers[edge.source]} {line}|"{label}"| {numbers[edge.target]}')
    for at, name in enumerate(types.values()):
        lines.append(f"    classDef {name} fill:#{_shade(at)},color:#111")
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return a text with all characters that Mermaid or HTML may interpret as references."""
    words = " ".join(text.split())
    return "".join(char if char.isalnum() or char in _PLAIN else f"#{ord(char)};" for char in words)


def _shade(number: int) -> str:
    from colorsys import hls_to_rgb

    red, green, blue = hls_to_rgb((number * 0.381966) % 1, 0.85, 0.6)
    return "".join(f"{round(part * 255):02x}" for part in (red, green, blue))
