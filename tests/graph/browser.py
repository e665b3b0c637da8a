"""Drive a headless browser through pipes, without a library or network."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser() -> str | None:
    """Return the program of an installed Chromium, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab, which runs JavaScript and records every request and error."""

    def __init__(self, to_browser: IO[bytes], from_browser: IO[bytes]) -> None:
        self._out = to_browser
        self._in = from_browser
        self._received = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command and return its result; other messages are appended to `events`."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def open(self, file: Path) -> None:
        """Open a file and wait until it is loaded; earlier events are dropped."""
        self.open_address(file.as_uri())

    def open_address(self, address: str) -> None:
        """Open an address and wait until it is loaded; earlier events are dropped."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        while not self.happened("Page.loadEventFired"):
            self.events.append(self._read())

    def resize(self, width: int, height: int) -> None:
        """Set the window's size in pixels, and wait until the page is redrawn."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        twice = "requestAnimationFrame(() => requestAnimationFrame(done))"
        self.run(f"new Promise((done) => {twice}).then(() => 0)")

    def picture(self) -> bytes:
        """Return a screenshot as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def run(self, script: str) -> Any:
        """Return the awaited value of a JavaScript expression."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def happened(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of all events of a kind."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def _read(self) -> dict[str, Any]:
        while not (read := self._received.partition(b"\0"))[1]:
            arrived = self._in.read(1 << 16)
            assert arrived, "the browser went away"
            self._received += arrived
        message: dict[str, Any] = json.loads(read[0])
        self._received = read[2]
        return message


@contextmanager
def open_page(program: str, profile: Path) -> Iterator[Page]:
    """Start a browser with its own profile and one tab; stop it at the end."""
    read_commands, write_commands = os.pipe()
    read_answers, write_answers = os.pipe()
    options = [
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"),
        *("--disable-dev-shm-usage", "--disable-background-networking", "--window-size=1300,850"),
        *(f"--user-data-dir={profile}", "--remote-debugging-pipe"),
    ]
    shell = f'exec "$0" "$@" 3<&{read_commands} 4>&{write_answers}'
    process = subprocess.Popen(
        ["bash", "-c", shell, program, *options],
        pass_fds=(read_commands, write_answers),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_commands)
    os.close(write_answers)
    try:
        with os.fdopen(write_commands, "wb") as out, os.fdopen(read_answers, "rb", 0) as back:
            yield Page(out, back)
    finally:
        process.terminate()
        process.wait(240)
