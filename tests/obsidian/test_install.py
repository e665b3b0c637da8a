"""`obsidian install`: the plugin's three files, and nothing that somebody else has made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from writeros_entities.surfaces.cli import build_cli
from writeros_entities.testing import hash_vault

FILES = ["main.js", "manifest.json", "styles.css"]
SHIPPED = Path(__file__).resolve().parents[2] / "obsidian"


@pytest.fixture
def root(write_vault: Callable[[dict[str, str]], Path]) -> Path:
    return write_vault(
        {
            "Chapter 1.md": "Oda came home.\n",
            ".obsidian/app.json": "{}",
            ".obsidian/community-plugins.json": '["templater-obsidian"]',
            ".obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "T"}',
        }
    )


def install(root: Path, *options: str) -> Result:
    asked = ["--vault", str(root), "obsidian", "install", *options]
    return CliRunner().invoke(build_cli(), asked)


def folder_of(root: Path) -> Path:
    return root / ".obsidian" / "plugins" / "writeros-entities"


def test_the_plugin_is_put_into_its_folder_and_nothing_else_is_touched(root: Path) -> None:
    before = hash_vault(root)
    done = install(root)
    assert done.exit_code == 0, done.output
    assert "Community plugins" in done.output
    folder = folder_of(root)
    assert sorted(one.name for one in folder.iterdir()) == FILES
    for name in ("main.js", "styles.css"):
        assert (folder / name).read_bytes() == (SHIPPED / name).read_bytes()
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["id"] == folder.name
    for one in folder.iterdir():
        one.unlink()
    folder.rmdir()
    assert hash_vault(root) == before


def test_installing_again_changes_nothing(root: Path) -> None:
    install(root)
    before = hash_vault(root)
    assert install(root).exit_code == 0
    assert hash_vault(root) == before


def test_an_older_plugin_gives_place_and_its_settings_stay(root: Path) -> None:
    install(root)
    made = hash_vault(root)
    folder = folder_of(root)
    older = b"// as it was in an earlier version\n"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["made"]["main.js"] = hashlib.sha256(older).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "main.js").write_bytes(older)
    (folder / "data.json").write_text('{"port": 8800}', "utf-8")
    assert install(root).exit_code == 0
    assert (folder / "data.json").read_text("utf-8") == '{"port": 8800}'
    (folder / "data.json").unlink()
    assert hash_vault(root) == made


@pytest.mark.parametrize("name", FILES)
def test_what_somebody_has_changed_is_replaced_by_force_alone(root: Path, name: str) -> None:
    install(root)
    made = hash_vault(root)
    changed = folder_of(root) / name
    changed.write_bytes(changed.read_bytes().replace(b"{", b'{"a": 1,' * name.endswith("json"), 1))
    before = hash_vault(root)
    assert before != made
    refused = install(root)
    assert refused.exit_code == 1
    assert name in refused.output
    assert "--force" in refused.output
    assert hash_vault(root) == before
    assert install(root, "--force").exit_code == 0
    assert hash_vault(root) == made


@pytest.mark.parametrize(
    "manifest", ['{"id": "another"}', '{"id": "writeros-entities"}', "[]", "{broken"]
)
def test_a_plugin_of_somebody_else_is_left_alone(root: Path, manifest: str) -> None:
    folder_of(root).mkdir()
    (folder_of(root) / "manifest.json").write_text(manifest, "utf-8")
    (folder_of(root) / "main.js").write_text("// theirs", "utf-8")
    before = hash_vault(root)
    refused = install(root)
    assert refused.exit_code == 1
    assert "main.js, manifest.json" in refused.output or "manifest.json, main.js" in refused.output
    assert hash_vault(root) == before


@pytest.mark.parametrize("part", ["", "main.js"])
def test_nothing_is_written_where_a_link_leads(root: Path, tmp_path: Path, part: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder_of(root) if part else folder_of(root).parent).mkdir(exist_ok=True)
    (folder_of(root) / part if part else folder_of(root)).symlink_to(elsewhere)
    refused = install(root, "--force")
    assert refused.exit_code == 1
    assert "is a link" in refused.output
    assert list(elsewhere.iterdir()) == []


def test_a_folder_that_obsidian_does_not_know_gets_no_plugin(tmp_path: Path) -> None:
    refused = install(tmp_path)
    assert refused.exit_code == 1
    assert "open it in Obsidian" in refused.output
    assert list(tmp_path.iterdir()) == []
