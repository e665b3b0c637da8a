"""Decode files such that offsets into the text always hold."""

from __future__ import annotations

from writeros_entities.names import storable
from writeros_entities.values import Diagnostic

BYTE_ORDER_MARK = "\ufeff"


def decode(data: bytes) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return a file's text and what is wrong with its encoding.

    The text keeps a byte-order mark as its first character, and carriage returns. Bytes that are
    not UTF-8, and control characters, become U+FFFD; no other encoding is guessed.
    """
    diagnostics: list[Diagnostic] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            diagnostics.append(
                Diagnostic("utf-16", "The file is UTF-16; save it as UTF-8 to have it read.", 1)
            )
        else:
            diagnostics.append(
                Diagnostic(
                    "not-utf-8",
                    f"Line {line} holds bytes that are not UTF-8; they are read as U+FFFD.",
                    line,
                )
            )
        text = data.decode("utf-8", "replace")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        diagnostics.append(
            Diagnostic("nul", f"Line {line} holds a NUL character; it is read as U+FFFD.", line)
        )
    return storable(text), tuple(diagnostics)
