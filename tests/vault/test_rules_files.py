"""Rules 20, 23-28, 31-34 and 37: which files are notes, and which are something else."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from writeros_entities.errors import VaultError
from writeros_entities.vault.files import walk as walking
from writeros_entities.vault.files.config import VaultConfig, read_config
from writeros_entities.vault.files.disk import file_kind
from writeros_entities.vault.files.walk import VaultFile, Walk, find_below, inspect_path, walk_vault

MakeVault = Callable[[Mapping[str, str]], Path]


def walk(root: Path, *, follow_symlinks: bool = False) -> Walk:
    return walk_vault(root, read_config(root), follow_symlinks=follow_symlinks)


def kinds(root: Path) -> dict[str, str]:
    return {file.path: file.kind for file in walk(root).files}


def reports(found: Walk) -> list[tuple[str, str]]:
    return [(path, diagnostic.code) for path, diagnostic in found.diagnostics]


def only(found: Walk) -> VaultFile:
    (file,) = found.files
    return file


def test_rule_20_template_folders_hold_templates(make_vault: MakeVault) -> None:
    root = make_vault(
        {
            ".obsidian/templates.json": '{"folder": "Templates/"}',
            ".obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "Meta/Tp"}',
            "Templates/Scene.md": "{{title}}",
            "Templates 2/Scene.md": "x",
            "Meta/Tp/Deep/a.md": "<% %>",
            "Meta/b.md": "x",
        }
    )
    assert kinds(root) == {
        "Meta/Tp/Deep/a.md": "template",
        "Meta/b.md": "note",
        "Templates 2/Scene.md": "note",
        "Templates/Scene.md": "template",
    }


def test_rule_23_only_md_files_are_notes(make_vault: MakeVault) -> None:
    root = make_vault(
        {"a.md": "", "B.MD": "", "c.canvas": "{}", "d.png": "", "e.txt": "", "f": "", "g.base": ""}
    )
    assert kinds(root) == {
        "B.MD": "note",
        "a.md": "note",
        "c.canvas": "canvas",
        "d.png": "attachment",
        "e.txt": "attachment",
        "f": "attachment",
        "g.base": "attachment",
    }


def test_rule_24_dot_folders_and_vaults_inside_are_not_ours(make_vault: MakeVault) -> None:
    root = make_vault(
        {
            "a.md": "",
            ".trash/b.md": "",
            "Cast/.git/c.md": "",
            "Cast/d.md": "",
            "Cast/.e.md": "",
            "Other/.obsidian/app.json": "{}",
            "Other/f.md": "",
            "Other/Deep/g.md": "",
        }
    )
    assert [file.path for file in walk(root).files] == ["Cast/d.md", "a.md"]
    assert reports(walk(root)) == [("Other", "nested-vault")]
    config = read_config(root)
    for path in (".trash/b.md", "Cast/.e.md", "Other/f.md", "Other/Deep/g.md", "../vault/a.md"):
        assert inspect_path(root, config, path) is None


def test_rule_25_excluded_files_are_targets_not_prose(make_vault: MakeVault) -> None:
    filters = r'["Archive/", "Dra", "/\\d{4}-\\d{2}/", "/(/", "*.png", 7, ""]'
    settings = f'{{"userIgnoreFilters": {filters}}}'
    root = make_vault(
        {
            ".obsidian/app.json": settings,
            "Archive/a.md": "",
            "Cast/Archive/b.md": "",
            "Draft.md": "",
            "Log/2024-01 c.md": "",
            "Map.canvas": "{}",
            "archive/d.md": "",
        }
    )
    config = read_config(root)
    assert [diagnostic.code for diagnostic in config.diagnostics] == ["broken-filter"] * 2
    assert kinds(root) == {
        "Archive/a.md": "excluded",
        "Cast/Archive/b.md": "note",
        "Draft.md": "excluded",
        "Log/2024-01 c.md": "excluded",
        "Map.canvas": "canvas",
        "archive/d.md": "note",
    }


def test_rule_25_broken_settings_are_a_diagnostic(make_vault: MakeVault) -> None:
    root = make_vault({".obsidian/app.json": "{", ".obsidian/templates.json": "[1]", "a.md": ""})
    config = read_config(root)
    assert [diagnostic.code for diagnostic in config.diagnostics] == ["broken-config"]
    assert config.ignore_filters == ()
    assert read_config(root / "a.md") == VaultConfig()


def test_rule_27_paths_are_nfc_and_open_by_their_bytes(vault: Path) -> None:
    nfd = os.fsencode(vault) + "/A\u030angstro\u0308m.md".encode()
    Path(os.fsdecode(nfd)).write_bytes(b"x")
    found = only(walk(vault))
    assert found.path == "\u00c5ngstr\u00f6m.md"
    assert found.disk_path == os.path.realpath(os.fsencode(vault)) + nfd[len(os.fsencode(vault)) :]
    assert inspect_path(vault, VaultConfig(), "\u00c5ngstr\u00f6m.md") == found


def test_rule_27_one_name_in_two_unicode_forms_is_one_note(make_vault: MakeVault) -> None:
    root = make_vault({"\u00c5.md": "composed", "A\u030a.md": "decomposed"})
    found = only(walk(root))
    assert found.path == "\u00c5.md"
    assert found.disk_path.endswith("\u00c5.md".encode())
    assert found.diagnostic is not None
    assert found.diagnostic.code == "same-name"


def test_rule_28_names_that_differ_only_in_case_are_two_notes(make_vault: MakeVault) -> None:
    root = make_vault({"Rook.md": "", "rook.md": ""})
    assert [file.path for file in walk(root).files] == ["Rook.md", "rook.md"]
    assert reports(walk(root)) == [("rook.md", "same-name")]


def test_a_name_that_is_not_utf_8_is_shown_escaped(vault: Path) -> None:
    (vault / os.fsdecode(b"Caf\xe9.md")).write_bytes(b"text")
    found = only(walk(vault))
    assert found.path == "Caf\\xe9.md"
    assert found.path.encode()
    assert found.diagnostic is not None
    assert found.diagnostic.code == "name-not-utf-8"
    assert Path(os.fsdecode(found.disk_path)).read_bytes() == b"text"
    assert inspect_path(vault, VaultConfig(), found.path) == found


def test_a_name_that_only_looks_escaped_is_a_name(vault: Path) -> None:
    (vault / "Caf\\xe9.md").write_text("text")
    found = only(walk(vault))
    assert (found.path, found.diagnostic) == ("Caf\\xe9.md", None)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Rook (Conflicted copy MacBook 202411201930).md", "conflict"),
        ("Rook.sync-conflict-20241120-193000-ABCDEFG.md", "conflict"),
        ("Rook (Ann's conflicted copy 2024-11-20).md", "conflict"),
        ("Rook (Ann’s conflicted copy 2024-11-20 (1)).md", "conflict"),
        ("Rook (in Konflikt stehende Kopie von Ann 2024-11-20).md", "conflict"),
        ("Map (Conflicted copy MacBook 202411201930).canvas", "conflict"),
        ("Rook 2.md", "note"),
        ("The (conflicted copy).md", "note"),
        ("Sync-conflict.md", "note"),
        ("Map (Conflicted copy MacBook 202411201930).png", "attachment"),
    ],
)
def test_rules_31_and_32_conflict_copies_are_set_apart(name: str, kind: str) -> None:
    assert file_kind(f"Cast/{name}", VaultConfig()) == kind


def test_rule_33_temporary_files_are_nothing(make_vault: MakeVault) -> None:
    root = make_vault(
        dict.fromkeys(
            (
                ".syncthing.a.md.tmp",
                "~syncthing~a.md.tmp",
                "a.md~",
                ".a.md.swp",
                "a.md.swp",
                ".#a.md",
                "4913",
                "a.md.sb-1a2b3c4d-XyZ123",
                "a.md.tmp",
            ),
            "",
        )
    )
    assert walk(root).files == ()
    assert inspect_path(root, VaultConfig(), "a.md~") is None


def test_rule_34_an_evicted_file_is_there_but_unavailable(make_vault: MakeVault) -> None:
    root = make_vault({"Cast/.Rook.md.icloud": "stub", "Keep.md": "", ".Keep.md.icloud": ""})
    keep, rook = sorted(walk(root).files, key=lambda file: file.path, reverse=True)
    assert (keep.path, keep.unavailable) == ("Keep.md", False)
    assert (rook.path, rook.kind, rook.unavailable) == ("Cast/Rook.md", "note", True)
    assert rook.diagnostic is not None
    assert rook.diagnostic.code == "not-downloaded"
    assert inspect_path(root, VaultConfig(), "Cast/Rook.md") == rook


@pytest.mark.parametrize(
    "evicted",
    [{"st_flags": 0x40000000}, {"st_file_attributes": 0x00400000}],
    ids=["by iCloud from macOS", "by OneDrive from Windows"],
)
def test_rule_34_a_file_whose_data_is_in_the_cloud_is_unavailable(evicted: dict[str, int]) -> None:
    walker = walking._Walker(b"/", VaultConfig())
    status = SimpleNamespace(st_mode=0o100644, st_size=9, st_mtime_ns=7, **evicted)
    walker.add_file(b"/Rook.md", "Rook.md", status)  # type: ignore[arg-type]  # what they give
    (found,) = walker.result().files
    assert (found.size, found.unavailable) == (9, True)


@pytest.fixture
def linked(vault: Path, tmp_path: Path) -> Path:
    (vault / "Cast").mkdir()
    (vault / ".store").mkdir()
    (vault / "Cast" / "Rook.md").write_text("x")
    (vault / ".store" / "Hidden.md").write_text("x")
    (tmp_path / "Outside.md").write_text("x")
    (vault / "Again.md").symlink_to("Cast/Rook.md")
    (vault / "Loop").symlink_to(".")
    (vault / "Cast" / "Up").symlink_to("..")
    (vault / "Out.md").symlink_to(tmp_path / "Outside.md")
    (vault / "OutFolder").symlink_to(tmp_path)
    (vault / "Nowhere.md").symlink_to("missing.md")
    (vault / "Store").symlink_to(".store")
    (vault / "Store2").symlink_to(".store")
    return vault


def test_rule_37_symlinks_are_left_alone_unless_asked_for(linked: Path) -> None:
    found = walk(linked)
    assert [file.path for file in found.files] == ["Cast/Rook.md"]
    assert ("Again.md", "symlink") in reports(found)


def test_rule_37_symlinks_never_leave_the_vault_or_loop(linked: Path) -> None:
    found = walk(linked, follow_symlinks=True)
    assert [file.path for file in found.files] == ["Cast/Rook.md", "Store/Hidden.md"]
    assert reports(found) == [
        ("Nowhere.md", "symlink"),
        ("Out.md", "symlink"),
        ("OutFolder", "symlink"),
    ]


def test_rule_37_what_several_links_lead_to_is_read_once(vault: Path) -> None:
    (vault / ".store").mkdir()
    for name in ("Hidden.md", "Other.md"):
        (vault / ".store" / name).write_text("x")
    for link in ("First.md", "Second.md"):
        (vault / link).symlink_to(".store/Hidden.md")
    (vault / "Store").symlink_to(".store")
    found = walk(vault, follow_symlinks=True)
    assert [file.path for file in found.files] == ["First.md", "Store/Other.md"]
    assert reports(found) == []


def test_a_pipe_called_like_a_note_is_never_opened(vault: Path) -> None:
    os.mkfifo(vault / "Pipe.md")
    assert walk(vault).files == ()
    os.mkfifo(vault / "Pipe.png")
    assert walk(vault).files == ()
    assert reports(walk(vault)) == [("Pipe.md", "not-a-file")]
    assert inspect_path(vault, VaultConfig(), "Pipe.md") is None


def test_what_may_not_be_read_is_reported_never_lost(
    make_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_vault({"Cast/Rook.md": "x", "Locked/a.md": "x"})
    scan = os.scandir

    def deny(folder: bytes) -> object:
        if folder.endswith(b"Locked"):
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    with monkeypatch.context() as denied:
        denied.setattr(os, "scandir", deny)
        denied.setattr(os, "access", lambda path, mode: False)
        found = walk(root)
    assert found.unreadable_folders == ("Locked",)
    assert reports(found) == [("Locked", "unreadable-folder")]
    (rook,) = found.files
    assert (rook.path, rook.unavailable) == ("Cast/Rook.md", True)
    assert rook.diagnostic is not None
    assert rook.diagnostic.code == "unreadable"


def test_a_path_in_an_unreadable_folder_is_unavailable_not_gone(
    make_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_vault({"Locked/a.md": "x"})
    look = os.lstat

    def deny(path: bytes) -> os.stat_result:
        if path.endswith(b"a.md"):
            raise PermissionError(13, "Permission denied")
        return look(path)

    monkeypatch.setattr(os, "lstat", deny)
    found = inspect_path(root, VaultConfig(), "Locked/a.md")
    assert found is not None
    assert (found.path, found.kind, found.unavailable) == ("Locked/a.md", "note", True)
    below = find_below(root, VaultConfig(), "Locked/a.md")
    assert (below.files, below.unreadable_folders) == ((), ("Locked/a.md",))


def test_what_goes_while_its_folder_is_listed_is_gone(
    make_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_vault({"Cast/Rook.md": "x"})
    (root / "Cast" / "Venn.md").write_text("x")
    scan = os.scandir

    def list_late(folder: bytes) -> object:
        with scan(folder) as listing:
            entries = list(listing)
        (root / "Cast" / "Venn.md").unlink(missing_ok=True)
        return nullcontext(entries)

    with monkeypatch.context() as listing:  # pathlib lists by it too, in some versions of Python
        listing.setattr(os, "scandir", list_late)
        found = find_below(root, read_config(root), "Cast")
    assert [file.path for file in found.files] == ["Cast/Rook.md"]
    assert (found.unreadable_folders, found.diagnostics) == ((), ())


def test_a_root_that_goes_while_it_is_read_is_an_error(
    make_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_vault({"a.md": "x"})
    scan = os.scandir
    calls = []

    def fail_later(folder: bytes) -> object:
        calls.append(folder)
        if len(calls) > 1:
            raise OSError(5, "Input/output error")
        return scan(folder)

    with monkeypatch.context() as failing:
        failing.setattr(os, "scandir", fail_later)
        with pytest.raises(VaultError, match="cannot be read to its end"):
            walk_vault(root, VaultConfig())


def test_a_root_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="No such file or directory"):
        walk_vault(tmp_path / "missing", VaultConfig())
    (tmp_path / "file").write_text("x")
    with pytest.raises(VaultError, match="No such file or directory"):
        inspect_path(tmp_path / "missing", VaultConfig(), "a.md")
    with pytest.raises(VaultError, match="No such file or directory"):
        find_below(tmp_path / "missing", VaultConfig(), "Cast")
    with pytest.raises(VaultError, match="Not a directory"):
        walk_vault(tmp_path / "file", VaultConfig())


def test_one_path_is_seen_as_the_walk_sees_it(make_vault: MakeVault) -> None:
    root = make_vault({"Cast/Rook.md": "x", "Cast/Deep/Venn.md": "x", "Map.png": "x"})
    config = read_config(root)
    found = walk(root).files
    assert tuple(inspect_path(root, config, file.path) for file in found) == found
    assert inspect_path(root, config, "Cast") is None
    assert inspect_path(root, config, "Cast/Missing.md") is None
    assert inspect_path(root, config, "Cast\0") is None
    assert inspect_path(root, config, "Cast/\ud800.md") is None
    assert inspect_path(root, config, "Map.png/Rook.md") is None
    assert [file.path for file in find_below(root, config, "Cast").files] == [
        "Cast/Deep/Venn.md",
        "Cast/Rook.md",
    ]
    assert find_below(root, config, "Missing").files == ()
    assert find_below(root, config, "Map.png").files == ()
    assert find_below(root, config, ".obsidian").files == ()
