"""Links to headings and blocks that are not there, as `doctor` tells of them (rules 10, 11)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from writeros_entities.session import Session

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]

KEEP = """---
aliases: [The Keep]
---
# Early: life!

It was built in a winter. ^winter

| a |
|---|
| b |

^table

```text
a plan
```

^plan

## Doors

None. %% a remark %%
"""


def places_missing(session: Session, **request: object) -> list[tuple[str, str, str]]:
    answer = session.call("doctor", {"severity": "info", **request}).model_dump()
    return [
        (item["code"], item["path"], item["message"])
        for item in answer["problems"]
        if item["code"].startswith("missing-")
    ]


def test_a_link_to_a_heading_or_block_that_is_gone_is_told(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    links = "[[Keep#Gates]] [[Keep#Early life#Doors]] [[Keep#^summer]] [[#Nowhere]] [[Gone#Gates]]"
    session = open_vault(write_vault({"Keep.md": KEEP, "One.md": links}))
    session.call("sync", {})

    assert places_missing(session) == [
        (
            "missing-block",
            "One.md",
            "[[Keep#^summer]] leads to a block that Keep.md does not have.",
        ),
        (
            "missing-heading",
            "One.md",
            "[[Keep#Gates]] leads to a heading that Keep.md does not have.",
        ),
        ("missing-heading", "One.md", "[[#Nowhere]] leads to a heading that One.md does not have."),
    ]


def test_a_link_to_a_heading_or_block_that_is_there_is_no_problem(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    links = "[[Keep#early life]] [[Keep#Doors]] [[Keep#^winter]] [[Keep#^TABLE]] [[Keep#^plan]]"
    session = open_vault(write_vault({"Keep.md": KEEP, "One.md": links}))
    session.call("sync", {})

    assert places_missing(session) == []


def test_a_heading_that_is_seen_later_is_missing_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(
        write_vault(
            {
                "Book/01 - One.md": "---\nchapter: 1\n---\nSee [[Keep#Fall]].\n",
                "Book/02 - Two.md": "---\nchapter: 2\n---\nIt fell.\n",
                "Keep.md": (
                    "---\nvisible_from: always\n---\nA keep.\n\n"
                    "## Fall\nvisible_from:: 2\n\nIt fell in a night.\n"
                ),
            }
        )
    )
    session.call("sync", {})

    assert places_missing(session) == []
    assert [code for code, *_ in places_missing(session, as_of=1)] == ["missing-heading"]


def test_a_link_to_an_alias_that_two_have_may_mean_either(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    person = "---\ntype: person\naliases: [Toby]\n---\n"
    vault = {"Toby Wren.md": person, "Toby Ash.md": person, "One.md": "[[Toby]]"}
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    answer = session.call("doctor", {"severity": "info"}).model_dump()
    assert [item["message"] for item in answer["problems"] if item["path"] == "One.md"] == [
        "[[Toby]] leads to an alias of 'Toby Ash' and of 'Toby Wren'. Obsidian does not resolve "
        "it: write [[Toby Ash|Toby]] or [[Toby Wren|Toby]]."
    ]


def test_what_the_last_sync_has_not_seen_is_told(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Ann.md": "Ann.", "Ben.md": "Ben.", "Cid.md": "Cid."})
    session = open_vault(root)
    session.call("sync", {})
    write_vault({"Ben.md": "Ben, and more of him.", "Dov.md": "Dov."})
    (root / "Cid.md").unlink()
    found = session.call("doctor", {}).model_dump()["problems"]
    assert [(one["path"], one["code"], one["severity"]) for one in found] == [
        ("Ben.md", "out-of-date", "warning"),
        ("Cid.md", "gone", "warning"),
        ("Dov.md", "not-indexed", "warning"),
    ]


def test_what_is_too_slight_to_be_listed_is_counted_with_how_to_list_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"One.md": "[[Gone]] [[Lost]]"}))
    session.call("sync", {})

    assert session.call("doctor", {}).as_text() == (
        "0 errors, 0 warnings, 2 remarks; 2 not listed (severity info lists them)."
    )
