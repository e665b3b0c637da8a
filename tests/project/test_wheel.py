"""The release: what is in the wheel, and the program as one installs it, by way of the sdist."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from writeros_entities import __version__

ROOT = Path(__file__).resolve().parents[2]

SHIPPED = {"writeros_entities": "writeros_entities", "plugins": "writeros_plugins"}
MIGRATIONS = "writeros_entities/migrations"
NOT_SHIPPED = ("__pycache__", ".pyc", ".md")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist from a copy of the tree, and the wheel from the sdist, as a release does."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("writeros_entities", "plugins", "alembic", "obsidian"):
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    built = tmp_path_factory.mktemp("release")
    command = ["-m", "build", "--no-isolation", "--outdir", str(built), str(source)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return built


@pytest.fixture(scope="module")
def wheel(release: Path) -> Path:
    [wheel] = release.glob("*.whl")
    return wheel


def test_an_index_of_packages_would_take_the_release(release: Path) -> None:
    pytest.importorskip("twine", reason="twine is installed with the extra `test`")
    files = sorted(str(file) for file in release.iterdir())
    names = [Path(file).name for file in files]
    assert names == [
        f"writeros_entities-{__version__}-py3-none-any.whl",
        f"writeros_entities-{__version__}.tar.gz",
    ]
    command = [sys.executable, "-m", "twine", "check", "--strict", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_below(folder: Path) -> set[str]:
    return {
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*")
        if file.is_file() and not any(mark in file.as_posix() for mark in NOT_SHIPPED)
    }


def test_every_file_of_the_packages_is_in_the_wheel_and_nothing_else(contents: set[str]) -> None:
    expected = {
        f"{package}/{file}"
        for folder, package in SHIPPED.items()
        for file in files_below(ROOT / folder)
    }
    expected |= {f"{MIGRATIONS}/{file}" for file in files_below(ROOT / "alembic")}
    expected |= {f"writeros_entities/obsidian/{file}" for file in files_below(ROOT / "obsidian")}
    assert {name for name in contents if ".dist-info/" not in name} == expected


def test_the_wheel_has_its_migrations_types_and_licence(contents: set[str]) -> None:
    info = f"writeros_entities-{__version__}.dist-info"
    assert {
        f"{MIGRATIONS}/env.py",
        f"{MIGRATIONS}/script.py.mako",
        "writeros_entities/py.typed",
        "writeros_plugins/technical_knowledge/entities.json",
        f"{info}/entry_points.txt",
        f"{info}/licenses/LICENSE",
    } <= contents
    assert any(name.startswith(f"{MIGRATIONS}/versions/0001") for name in contents)


def test_the_wheel_has_no_tests_and_no_vaults(contents: set[str]) -> None:
    tops = {name.partition("/")[0] for name in contents}
    assert tops == {
        "writeros_entities",
        "writeros_plugins",
        f"writeros_entities-{__version__}.dist-info",
    }


# -- Installed -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Environment:
    """A virtual environment with the wheel, in a folder far from the repository."""

    folder: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def run(self, *command: str | Path) -> str:
        variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "WRITEROS_", "VIRTUAL_ENV"))
        }
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"):
            variables[name] = str(self.home)
        done = subprocess.run(
            command, cwd=self.home, env=variables, capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def program(self, *arguments: str | Path) -> str:
        return self.run(self.python.with_name("writeros-entities"), *arguments)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the wheel; its dependencies are those of the environment that runs the tests."""
    made = Environment(tmp_path_factory.mktemp("outside") / "venv", tmp_path_factory.mktemp("home"))
    venv.create(made.folder, with_pip=False, symlinks=os.name != "nt")
    paths = {"base": str(made.folder), "platbase": str(made.folder)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    installed = [path for path in sys.path if Path(path).name == "site-packages"]
    (site / "dependencies.pth").write_text("\n".join(installed), "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(made.python)]
    options = ["--quiet", "--no-deps", "--no-index", "--no-compile", "--ignore-installed"]
    made.run(*pip, "install", *options, wheel)
    return made


def test_the_installed_program_comes_from_the_wheel(environment: Environment) -> None:
    program = (
        "import json, writeros_entities as a, writeros_plugins.gazetteer as b\n"
        "print(json.dumps([a.__file__, b.__file__]))"
    )
    for file in json.loads(environment.run(environment.python, "-c", program)):
        assert Path(file).is_relative_to(environment.folder)


def test_the_installed_program_says_its_version(environment: Environment) -> None:
    assert environment.program("--version") == f"writeros-entities {__version__}\n"


def test_the_installed_program_has_its_plugins(environment: Environment) -> None:
    listed = json.loads(environment.program("list-plugins", "--json"))["plugins"]
    own = {one["name"]: one["status"] for one in listed if "writeros" in one["distribution"]}
    modules = {file.stem for file in (ROOT / "plugins").iterdir() if not file.name.startswith("_")}
    assert {"chunker", "gazetteer", "technical_knowledge"} <= set(own) <= modules
    assert set(own.values()) == {"active"}


def test_the_installed_program_syncs_a_vault(
    environment: Environment, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    vault = write_vault(
        {"Cast/Isolde.md": "---\ntype: person\n---\n", "Chapter 1.md": "Isolde came home.\n"}
    )
    environment.program("--vault", vault, "sync")
    status = json.loads(environment.program("--vault", vault, "status", "--json"))
    assert status["notes"] == {"note": 2}
    assert status["entity_types"] == {"person": 1}
    assert status["mentions"] == 1
    assert Path(status["database"].removeprefix("sqlite:///")).is_relative_to(environment.home)
    found = json.loads(environment.program("--vault", vault, "find-mentions", "Isolde", "--json"))
    assert [(one["path"], one["line"]) for one in found["mentions"]] == [("Chapter 1.md", 1)]
