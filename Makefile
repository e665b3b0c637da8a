# One command checks everything: `make check`, the same here and in CI. Quiet when all is well.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# setuptools warns of what an editable install is; all the rest it has to say is told.
PIP := PYTHONWARNINGS='ignore:Editable installation' $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
COG := $(BIN)/cog -U -n utf-8 --verbosity=0 -I docs
TYPED := writeros_entities plugins docs tests examples scripts
BENCHMARKS ?= run
DEMO := .demo
OLDEST := .oldest
CONSTRAINTS := constraints.txt

# Each process that a target starts would else compile the product anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv demo test engines leaks oldest lint house explore check bench docs library picture format clean

help: ## List the targets.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

venv: $(READY) ## Make .venv with the product and all that its tests need.

$(READY): pyproject.toml $(CONSTRAINTS)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade pip  # takes half the time of the one that came with Python
	@$(PIP) $(CONSTRAINTS:%=--constraint %) --editable '.[test]'
	@touch $@

demo: $(READY) ## Ask the fixture novel a few questions, with a throw-away index.
	@rm -rf $(DEMO) && mkdir $(DEMO)
	@$(BIN)/writeros-entities --vault vault_fixtures/novel \
		--database sqlite:///$(DEMO)/novel.sqlite3 demo

test: $(READY) ## Run the tests, on SQLite and on PostgreSQL.
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

engines: ## Run the tests, on PostgreSQL also those whose subject is above the store.
	@WRITEROS_TEST_EVERYWHERE=1 $(MAKE) --no-print-directory test

lint: $(READY) ## Check format, lint, types and generated documentation.
	@$(BIN)/ruff format --quiet --check
	@$(BIN)/ruff check --quiet
	@MYPYPATH=docs $(BIN)/mypy --no-error-summary $(TYPED)
	@MYPYPATH=benchmarks $(BIN)/mypy --no-error-summary benchmarks
	@$(COG) --check --check-fail-msg='Run `make docs`.' docs/*.md

leaks: $(READY) ## Ask 200 random vaults whether an earlier chapter tells of a later one.
	@LEAK_VAULTS=200 $(BIN)/python -m pytest -q --timeout=0 tests/principles/test_nothing_leaks.py

oldest: ## Run the tests with the oldest libraries that the product allows.
	@mkdir -p $(OLDEST) && $(PYTHON) scripts/oldest_versions.py >$(OLDEST)/versions.txt
	@$(MAKE) --no-print-directory test VENV=$(OLDEST)/venv CONSTRAINTS='constraints.txt $(OLDEST)/versions.txt'

explore: $(READY) ## Run the property tests on examples that have not been tried.
	@$(BIN)/python -m pytest -q -m hypothesis --hypothesis-profile=explore

house: $(READY) ## Print how large the house is.
	@$(BIN)/python scripts/house.py

check: lint test house ## Check everything: lint, then tests; then print how large the house is.

bench: $(READY) ## Run the benchmarks and write docs/benchmarks.md (BENCHMARKS="parse chunk" chooses).
	@for name in $(BENCHMARKS); do $(BIN)/python benchmarks/$$name.py || exit 1; done

docs: $(READY) ## Bring the generated pages and tables up to date.
	@$(COG) -r docs/*.md

library: $(READY) ## Fetch the library of the graph's page again, and check that it is the same.
	@$(BIN)/python scripts/refresh_library.py

picture: $(READY) ## Draw the graph's page again for the documents, in Chromium.
	@$(BIN)/python -m tests.graph.picture

format: $(READY) ## Format the code, and mend what the linter can mend.
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format --quiet

clean: ## Remove what the other targets have made.
	@rm -rf $(VENV) $(DEMO) $(OLDEST) .conformance build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
