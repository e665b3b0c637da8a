"""Serves the toys over standard input and output: `python toy_server.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from surfaces.toys import (  # type: ignore[import-not-found]  # found by the line above
    TOYS,
    open_toys,
)

from writeros_entities.surfaces.mcp import serve_stdio

serve_stdio(open_toys, TOYS)
