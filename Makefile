# Two commands do everything on a fresh machine with Python 3.11+ and make: `make demo` and `make test`.
PYTHON ?= python3
# One worker more than there are cores: some tests wait for processes and servers.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The versions of constraints.txt; where an index has not got them, the newest that it has.
LOCKED := sh -c '$(PIP) --constraint constraints.txt "$$@" || { echo "not all versions of constraints.txt are to be had: the newest instead"; $(PIP) "$$@"; }' --

# Modules of tests are rewritten for their asserts: once, and not by each process anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check lint types floors unit frameworks browser examples format figures mutants campaign ours licences lock sbom release package image docs clean

demo: .venv/installed  ## ask the shipped documents questions, offline
	$(BIN)/python examples/demo.py

test: check  ## everything that has to pass

check: lint types floors unit frameworks browser examples docs

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/mypy

floors: .venv/installed-dev
	$(BIN)/lint-imports --no-cache

unit: .venv/installed-dev
	$(BIN)/pytest -q -n $(WORKERS) --ignore tests/browser

frameworks: .venv/installed-dev  ## the adapters inside LlamaIndex, LangChain, ...: newest and oldest versions, each in its own environment
	$(BIN)/python tests/integrations/environments.py

browser: .venv/installed-dev  ## the page in Debian's browsers (`.ci/browser` installs them): two at once, a file each with its server
	$(BIN)/pytest -q -n 2 --dist loadfile tests/browser

examples: .venv/installed-dev  ## the scripts and notebooks of examples/, each in a process of its own
	$(BIN)/pytest -q -n auto examples

format: .venv/installed-dev  ## what `lint` would complain about, mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

figures: .venv/installed-dev  ## benchmarks/RESULTS.md measured anew within two hours (needs SPANWISE_DATA); ONLY="nist import" some of it
	$(BIN)/python benchmarks/figures.py measure $(foreach one,$(ONLY),--only $(one))

campaign: .venv/installed-dev  ## hostile files, damaged corpora, races, a soak: for hours; real odd files come from SPANWISE_ODD_FILES
	$(BIN)/python tests/campaign/odd_files.py
	$(BIN)/python tests/campaign/doors.py
	$(BIN)/python tests/campaign/flips.py
	$(BIN)/python tests/campaign/race.py
	$(BIN)/python tests/campaign/soak.py

mutants: .venv/installed-dev  ## how many small faults planted in the guard and in validation the tests notice
	$(BIN)/python tests/mutants.py src/spanwise/contract/validation src/spanwise/guard --count 240 --least 85

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Spanwise needs Python 3.11 or newer: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv .venv
	$(PIP) --upgrade 'pip>=25.1'
	@$(LOCKED) --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/installed-dev: .venv/installed constraints.txt
	@$(LOCKED) --group dev
	@touch $@

docs: .venv/installed-docs  ## the site of the documentation, build/site: links checked, nothing in it loaded from elsewhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/python tests/site_loads.py build/site

.venv/installed-docs: .venv/installed-dev
	@$(LOCKED) --group docs
	@touch $@

.venv/installed-release: .venv/installed-dev
	$(PIP) --group release
	@touch $@

lock: .venv/installed-release  ## the versions of constraints.txt anew (uv reads UV_INDEX, not pip's settings)
	@grep '^#' constraints.txt > constraints.new
	$(BIN)/uv pip compile pyproject.toml --group dev --group fit --group docs --extra all --universal --python-version 3.11 --upgrade \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet >> constraints.new
	mv constraints.new constraints.txt

sbom: .venv/installed-release  ## dist/: what an installation with every extra holds, as CycloneDX
	rm -rf build/sbom && $(PYTHON) -m venv --without-pip build/sbom
	$(BIN)/python -m pip --python build/sbom install --quiet --disable-pip-version-check '.[all]'
	mkdir -p dist
	$(BIN)/cyclonedx-py environment build/sbom/bin/python --pyproject pyproject.toml --mc-type library \
	  --output-reproducible --output-file dist/spanwise.cdx.json
	$(BIN)/python tests/sbom.py dist/spanwise.cdx.json

release: sbom package  ## dist/: wheel and sdist, tried out, and the SBOM of an installation

package: .venv/installed-dev  ## dist/: wheel and sdist; each is installed in an empty environment and answers
	$(BIN)/python tests/packages.py dist

image:  ## the container image of the server, `spanwise`, from Dockerfile
	docker build --tag spanwise .

ours: .venv/installed-dev  ## twelve words in a row that the evaluation data have too (needs SPANWISE_DATA)
	$(BIN)/python tests/ours.py

licences: .venv/installed-dev  ## what is installed, and under which licences
	$(BIN)/python tests/licences.py

clean:
	rm -rf .venv build/site demo-output .mypy_cache .ruff_cache .pytest_cache
