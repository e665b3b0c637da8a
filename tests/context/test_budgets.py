"""A context never exceeds its budget, whatever is asked, and uses it where there is more to say.

`python benchmarks/budgets.py` does the same ten thousand times.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from writeros_entities import Session

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "budgets.py"

BUILDS = 80


@pytest.fixture(scope="module")
def budgets() -> ModuleType:
    spec = importlib.util.spec_from_file_location("budgets", BENCHMARK)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


def test_a_budget_is_never_exceeded_and_well_used(novel: Session, budgets: ModuleType) -> None:
    builds = list(budgets.build_at_random(novel, BUILDS, seed=11))
    assert [one.arguments for one in builds if not one.is_within] == []
    used, full = budgets.well_used(builds, least=400)
    assert full > BUILDS // 10
    assert used == full
