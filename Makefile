# Two commands do everything on a fresh machine with Python 3.11+ and make: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check lint types floors unit browser examples format bench mutants clean

demo: .venv/installed  ## ask shipped documents real questions, offline
	$(BIN)/python examples/demo.py

test: check  ## everything that has to pass

check: lint types floors unit browser examples

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/mypy

floors: .venv/installed-dev
	$(BIN)/lint-imports --no-cache

unit: .venv/installed-dev
	$(BIN)/pytest -q -n auto --ignore tests/browser

browser: .venv/installed-dev  ## the page in Debian's Chromium (`.ci/browser` installs it), alone: it looks at pictures
	$(BIN)/pytest -q tests/browser

examples: .venv/installed-dev
	$(BIN)/pytest -q examples

format: .venv/installed-dev  ## what `lint` would complain about, mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/installed-dev  ## the figures of benchmarks/RESULTS.md (needs the evaluation data, see SPANWISE_DATA)
	for script in benchmarks/[a-z]*.py; do $(BIN)/python $$script || exit 1; done

mutants: .venv/installed-dev  ## how many small faults planted in the guard and in validation the tests notice
	$(BIN)/python tests/mutants.py src/spanwise/contract/validation src/spanwise/guard --count 240 --least 85

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Spanwise needs Python 3.11 or newer: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

clean:
	rm -rf .venv demo-output .mypy_cache .ruff_cache .pytest_cache
