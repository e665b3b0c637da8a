"""Download Cytoscape.js from npm for the graph's page, if its checksum is the expected one.

    python scripts/refresh_library.py           # download the version that `LIBRARY_SHA256` names
    python scripts/refresh_library.py 3.35.0    # print the checksum of another version

To change the version, read its changes first, then set its number and checksum in
`writeros_entities/graph/page`.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from writeros_entities.graph.page import LIBRARY_SHA256, LIBRARY_VERSION

PAGE = Path(__file__).resolve().parent.parent / "writeros_entities" / "graph" / "page"
FILES = {
    "package/dist/cytoscape.min.js": "cytoscape.min.js",
    "package/LICENSE": "cytoscape.LICENSE.txt",
}


def main() -> None:
    """Fetch, check, and write the library and its licence."""
    version = sys.argv[1] if len(sys.argv) > 1 else LIBRARY_VERSION
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["npm", "pack", "--silent", f"cytoscape@{version}"],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        [archive] = Path(folder).glob("*.tgz")
        found: dict[str, bytes] = {}
        with tarfile.open(archive) as package:
            for name, own in FILES.items():
                member = package.extractfile(name)
                if member is None:
                    raise SystemExit(f"cytoscape@{version} has no {name}.")
                found[own] = member.read()
    checksum = hashlib.sha256(found["cytoscape.min.js"]).hexdigest()
    if checksum != LIBRARY_SHA256:
        raise SystemExit(f"cytoscape@{version} is {checksum}, not {LIBRARY_SHA256}: left as it is.")
    for name, content in found.items():
        (PAGE / name).write_bytes(content)


if __name__ == "__main__":
    main()
