"""Create files that no repository can contain: too large, too deep, unreadable, or misnamed.

Each of them mentions Odile Farrow, of the fixture vault `hostile`, in a line of plain text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MEGABYTE = 1_000_000
LINE = "Odile Farrow was here.\n"

BOMB = "\n".join(
    ["a0: &a0 [fox, fox, fox]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
)

NOTES: dict[str, tuple[str, str | None]] = {
    "bomb.md": (f"---\n{BOMB}\n---\n{LINE}", "broken-frontmatter"),
    "keys.md": (
        "---\n" + "".join(f"key{n}: {n}\n" for n in range(5_001)) + f"---\n{LINE}",
        "broken-frontmatter",
    ),
    "deep yaml.md": (f"---\na: {'[' * 5_000}\n---\n{LINE}", "broken-frontmatter"),
    "large.md": (LINE * (50 * MEGABYTE // len(LINE)), "too-large"),
    "links.md": (LINE + "[[#fox]] " * 20_001, "too-many-links"),
    "line.md": (LINE + "the fox sleeps, " * (MEGABYTE // 64), None),
    "word.md": (LINE + "x" * (MEGABYTE // 4), None),
    "list.md": (
        LINE + "\n" + "".join(f"{chr(9) * depth}- fox\n" for depth in range(1_500)),
        None,
    ),
    "quotes.md": (LINE + "\n" + "> " * 1_500 + "fox\n", None),
    "quote levels.md": (
        LINE + "\n" + "".join(f"{'>' * depth} [!note] fox\n" for depth in range(1, 1_200)),
        None,
    ),
    "fences.md": (LINE + "\n" + "```\nfox\n~~~\n" * 5_000 + "```` \n", "unclosed-code"),
    "comments.md": (LINE + "\n" + "%% fox\n\n" * 5_001, "unclosed-comment"),
    "brackets.md": (LINE + "\n" + "[" * 20_000 + "\n" + "![" * 10_000, None),
    "backticks.md": (LINE + "\n" + "".join("`" * n + " " for n in range(750)), None),
    "stars.md": (LINE + "\n" + "*fox_" * 10_000, None),
    "dollars.md": (LINE + "\n" + "$fox $$ " * 5_000, None),
    "html.md": (LINE + "\n<div>\n" + "<a <!-- <% " * 5_000, None),
    "table.md": (
        LINE + "\n|" + "fox|" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + "|" * 10_000,
        None,
    ),
    "headings.md": (LINE + "\n" + "###### fox\n" * 5_000, None),
    "tags.md": (LINE + "\n" + "#fox/den " * 5_000, None),
    "fields.md": (LINE + "\n" + "fox:: den\n" * 5_000, None),
    "colons.md": (LINE + "\n" + "[fox:: " * 5_000, None),
    "words.md": (LINE + "\n" + " ".join(f"Fox{n}" for n in range(2_500)) + ".\n", None),
    "names.md": (LINE + "\n" + "Odile " * 10_000, None),
    "marks.md": (LINE + "\n" + "e" + "\u0301" * 10_000, None),
    "controls.md": (LINE + "\n" + "\x01\x0b\x0c\x1b\x85\u2028\u2029\u202e\ufdd0\U0010ffff\n", None),
}
"""What a note holds by its name, and the code of the diagnostic that it is to have."""


def write_notes(folder: Path) -> None:
    """Write every note of `NOTES` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (text, _) in NOTES.items():
        (folder / name).write_text(text, "utf-8", newline="")


def write_oddities(folder: Path) -> Iterator[tuple[str, str]]:
    """Create files of unusual kind or name; yield each path with the expected diagnostic code."""
    folder.mkdir(parents=True, exist_ok=True)
    root = folder.parent
    outside = root.with_name("outside")
    outside.mkdir()
    (outside / "secret.md").write_text("Odile Farrow keeps a secret.\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.md")
        yield f"{folder.name}/pipe.md", "not-a-file"
    (folder / "loop").symlink_to(root, target_is_directory=True)
    yield f"{folder.name}/loop", "symlink"
    (folder / "self.md").symlink_to("self.md")
    yield f"{folder.name}/self.md", "symlink"
    (folder / "leaving").symlink_to(outside, target_is_directory=True)
    yield f"{folder.name}/leaving", "symlink"
    (folder / "leaving.md").symlink_to(outside / "secret.md")
    yield f"{folder.name}/leaving.md", "symlink"
    (folder / "folder.md").mkdir()
    (folder / "folder.md" / "inner.md").write_text(LINE)
    deep = folder.joinpath(*["deep"] * 100)
    deep.mkdir(parents=True)
    (deep / "down here.md").write_text(LINE)
    if _can_make(folder / "\udcff\udcfe.md"):
        yield f"{folder.name}/\\xff\\xfe.md", "name-not-utf-8"
    if _can_make(folder / "CASE.md") and _can_make(folder / "case.md"):
        yield f"{folder.name}/case.md", "same-name"
    if _can_make(folder / "Re\u0301mi.md") and _can_make(folder / "R\u00e9mi.md"):
        yield f"{folder.name}/R\u00e9mi.md", "same-name"


def _can_make(file: Path) -> bool:
    """Write a note; return False if the file system rejects the name or already has it."""
    try:
        with file.open("x") as stream:
            stream.write(LINE)
    except OSError:
        return False
    return True
