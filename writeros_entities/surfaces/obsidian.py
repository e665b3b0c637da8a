"""The `obsidian` command: puts the plugin that shows the desk beside a note into a vault.

It is the only thing that writes into `.obsidian`, and there into the plugin's folder alone. What
it has made carries digests, in the key `made` of its manifest: so it knows its own files again, of
any version, and replaces no others.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from writeros_entities.surfaces.invocation import PROGRAM_OPTIONS, mendable_errors

if TYPE_CHECKING:
    from writeros_entities.surfaces.invocation import Invocation

PLUGIN = "writeros-entities"
MANIFEST = "manifest.json"
OTHERS = ("main.js", "styles.css")


@click.group(epilog=PROGRAM_OPTIONS)
def obsidian() -> None:
    """Put the desk beside your notes in Obsidian."""


@obsidian.command(epilog=PROGRAM_OPTIONS)
@click.option("--force", is_flag=True, help="Replace files there that this command has not made.")
@click.pass_obj
def install(invocation: Invocation, force: bool) -> None:
    """Put the plugin into the vault's .obsidian folder, or a newer one in its place.

    Three files are written: manifest.json, main.js and styles.css in
    .obsidian/plugins/writeros-entities. What somebody else has put there, or changed, is
    replaced with --force only; the plugin's settings stay.
    """
    from writeros_entities.workspace import find_vault

    with mendable_errors():
        folder = install_plugin(find_vault(invocation.vault), force=force)
    click.echo(
        f"The plugin is in {folder}.\nIn Obsidian, open Settings → Community plugins, turn "
        "community plugins on, reload the list, and enable “Writeros Entities”. The command "
        "“Who is here” opens it; if it was enabled before, disable and enable it once."
    )


def install_plugin(root: Path, *, force: bool = False) -> Path:
    """Write the plugin's files into a vault, and return their folder.

    Raises VaultError if the root is no vault of Obsidian, if a link leads elsewhere from the
    plugin's folder, or if that has files which this did not make; nothing is written then.
    """
    from writeros_entities.errors import VaultError
    from writeros_entities.vault.files.config import CONFIG_FOLDER

    if not (root / CONFIG_FOLDER).is_dir():
        raise VaultError(
            f"{root} has no folder {CONFIG_FOLDER}: open it in Obsidian as a vault first, or name "
            "the vault with --vault."
        )
    folder = root / CONFIG_FOLDER / "plugins" / PLUGIN
    names = (MANIFEST, *OTHERS)
    places = [folder.parent, folder, *(folder / name for name in names)]
    linked = [place for place in places if place.is_symlink()]
    if linked:
        raise VaultError(
            f"{linked[0]} is a link: the plugin would be written where it leads. Remove the link."
        )
    foreign = [] if force else [name for name in names if not _is_own(folder, name)]
    if foreign:
        raise VaultError(
            f"{folder} has what this command did not make, or somebody has changed: "
            f"{', '.join(foreign)}. Move it away, or replace it with --force."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in _shipped().items():
            written = folder / f"{name}.new"
            written.write_bytes(content)
            written.replace(folder / name)
    except OSError as error:
        raise VaultError(f"{folder} cannot be written: {error.strerror}.") from error
    return folder


def _shipped() -> dict[str, bytes]:
    """Return the plugin's files by name, the manifest last: it vouches for the others."""
    from importlib import resources

    source = resources.files("writeros_entities.obsidian")
    files = {name: (source / name).read_bytes() for name in OTHERS}
    manifest = json.loads((source / MANIFEST).read_bytes())
    made = {name: _digest(content) for name, content in files.items()}
    manifest["made"] = {**made, MANIFEST: _digest_of_manifest(manifest)}
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    return {**files, MANIFEST: text.encode()}


def _is_own(folder: Path, name: str) -> bool:
    """Return whether a file is not there, is as this command has made it, or as it would."""
    file = folder / name
    if not file.exists():
        return True
    if not file.is_file():
        return False
    content = file.read_bytes()
    if content == _shipped()[name]:
        return True
    manifest = _read_manifest(folder)
    made = manifest.get("made")
    if manifest.get("id") != PLUGIN or not isinstance(made, dict):
        return False
    digest = _digest_of_manifest(manifest) if name == MANIFEST else _digest(content)
    return made.get(name) == digest


def _read_manifest(folder: Path) -> dict[str, object]:
    try:
        read = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_of_manifest(manifest: dict[str, object]) -> str:
    told = {key: value for key, value in manifest.items() if key != "made"}
    return _digest(json.dumps(told, sort_keys=True).encode())
