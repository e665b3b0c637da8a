"""Write a file whole: whoever reads it sees the old content or the new, never a part."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Write a file by replacing it, with the permissions that it had; raises OSError.

    A new one has those of its folder. A file behind a symbolic link is replaced where it is.
    """
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        like = path if path.exists() else path.parent
        Path(name).chmod(like.stat().st_mode & 0o666)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
