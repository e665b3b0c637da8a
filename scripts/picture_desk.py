"""Take the pictures of the desk in `docs/pictures`, of the novel in `vault_fixtures`, in Chromium.

    python scripts/picture_desk.py

They show what the desk shows: run it again when that changes. Each is to stay below 120 kB.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.graph.browser import Page, find_browser, open_page  # noqa: E402
from writeros_entities import Session  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
WIDTH, HEIGHT, SCALE = 1280, 700, 0.75

CHOSEN = """(async () => {
  [...document.querySelectorAll("a.m")].find((one) => one.textContent === "Toby").click();
  while (!document.getElementById("card")) await new Promise((done) => setTimeout(done, 50));
  document.querySelector("#card details").open = true;
  document.activeElement.blur();
})()"""

PICTURES = {
    "chapter": ("/chapter?note=3&as_of=3", CHOSEN),
    "timeline": ("/timeline?who=Toby&as_of=9", "0"),
    "knows": ("/knows?about=Drowned+Bell&as_of=9", "0"),
    "inbox": ("/inbox", "0"),
}


def main() -> None:
    """Read a copy of the novel, open the desk on it, and take each picture."""
    browser = find_browser()
    if browser is None:
        sys.exit("Chromium is not installed.")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "The Drowned Bell"
        shutil.copytree(ROOT / "vault_fixtures" / "novel", vault)
        database = f"sqlite:///{folder}/index.sqlite3"
        with Session.open(vault, database=database) as session:
            session.call("sync", {})
        program = [sys.executable, "-m", "writeros_entities", "--vault", str(vault)]
        asked = ["--database", database, "desk", "--port", "0", "--no-browser", "--no-watch"]
        with subprocess.Popen([*program, *asked], stderr=subprocess.PIPE, text=True) as desk:
            assert desk.stderr is not None
            link = re.search(r"(http://[\d.:]+)\S+", desk.stderr.readline())
            assert link is not None
            try:
                with open_page(browser, Path(folder) / "profile") as page:
                    page.open_address(link[0])
                    for name, (address, script) in PICTURES.items():
                        take(page, link[1] + address, script, FOLDER / f"desk-{name}.png")
            finally:
                desk.terminate()


def take(page: Page, address: str, script: str, file: Path) -> None:
    """Take the picture of a page, after a script."""
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": SCALE, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", **size)
    page.open_address(address)
    settled = "await new Promise((done) => setTimeout(done, 500))"
    page.run(f"(async () => {{ await {script}; {settled}; return 0; }})()")
    file.write_bytes(page.picture())
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
