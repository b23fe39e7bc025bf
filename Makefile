# Every target does its own set-up into .venv; nothing else on the machine is touched, but that
# `proofs`, `test-browser`, `engines` and `test`, run as root on Debian, install the packages of Coq,
# Chromium, Postgres and Java where they are missing.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.run
READY  := $(VENV)/.ready

# Hundreds of processes import the same files; each would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo fuzz fuzz-files fuzz-faults test test-long test-first test-browser test-oldest test-oldest-quick test-install engines lint bench bench-engines audit proofs proofs-quick proofs-mutations reproduce docs clean

setup: $(READY)

# What the package needs to run, and no more. Python compiles what it imports; all else of the libraries
# would take half a minute.
$(RUN): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable .
	touch $(RUN)

$(READY): $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	touch $(READY)

demo: $(RUN)
	$(BIN)/tacit demo

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Tests that compile nearly all loops: two workers that begin together would both do so.
FIRST := tests/golden tests/sources/test_diagnose.py

# The proofs need no environment and run while one is made. Then comes what keeps one core busy or waits,
# three at a time, each printing when it is done, the browser last: it has deadlines. All other tests take
# both cores.
test:
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target setup proofs-quick
	$(MAKE) --no-print-directory --jobs=3 --output-sync=target engines lint test-first test-oldest-quick test-browser
	$(BIN)/pytest --numprocesses=2 --dist=worksteal --doctest-modules $(FIRST:%=--ignore=%)

# Cases that take long; shorter ones of the same tests are in `make test`.
test-long: $(READY)
	$(BIN)/pytest --numprocesses=2 --dist=worksteal -m long

test-first: $(READY)
	$(BIN)/pytest --doctest-modules $(FIRST)

# The page in headless Chromium, about two minutes; says SKIPPED where that cannot be
# installed.
test-browser: $(READY)
	$(BIN)/python tests/browser/run.py

# Postgres, Java and Spark for the tests that need them; says SKIPPED where they cannot be installed.
engines: $(READY)
	$(BIN)/python tests/engines.py

# Reading with the oldest libraries that pyproject.toml allows, in an environment of its own; all of it,
# or in part (two minutes at the most). Says SKIPPED where they cannot be installed.
test-oldest:
	$(PYTHON) tests/oldest.py

test-oldest-quick:
	$(PYTHON) tests/oldest.py --quick

# The built wheel in an environment of its own, and all that the README tells a newcomer to type.
test-install: $(READY)
	$(BIN)/python -m tests.install.trial

# Every machine-checked theorem, its statement and its axioms. 77 means that Coq is missing and
# cannot be installed here.
proofs:
	$(PYTHON) proofs/check.py

# All of that and some of the next, in a minute and a half on two idle cores; says SKIPPED where Coq is missing.
proofs-quick:
	$(PYTHON) proofs/quick.py

# Every listed change of a theorem must break its proof.
proofs-mutations:
	$(PYTHON) proofs/mutations.py

# One changed record in 10^5 files, and 10^5 mutated schemas: about ten minutes.
fuzz: $(READY)
	$(BIN)/python -m benchmarks.fuzz_intake --files 100000 --schemas 100000

# 10^5 mutated release, schema and ledger files: a few minutes.
fuzz-files: $(READY)
	$(BIN)/python -m tests.fuzz.files

# 500 kills, full disks, sixteen processes; then every write of every paid command fails once; then what
# every algorithm loads, which must come before its charge; then executors of a Spark cluster are killed.
fuzz-faults: $(READY)
	$(BIN)/python -m tests.fuzz.kill
	$(BIN)/python -m tests.fuzz.faults
	$(BIN)/python -m tests.fuzz.before_charge
	$(BIN)/python -m tests.fuzz.executors

bench: $(READY)
	$(BIN)/python -m benchmarks

# Files and servers beside the engines' own counts; ROWS=100000000 for long files.
bench-engines: $(READY)
	$(BIN)/python -m benchmarks.engines

# Every mechanism and algorithm, exactly and by sampling; under ten minutes.
audit: $(READY)
	timeout 590 $(BIN)/python -m tacit.checks.audit --seconds 340

# The tables of the papers, made again with few simulations; the pages are copied into docs/.
reproduce: $(READY)
	rm -f docs/reproduced/*.jsonl
	$(BIN)/tacit reproduce all --quick --out docs/reproduced > docs/reproduced/tables.md
	cat docs/reproduced/intro.txt docs/reproduced/tables.md > docs/reproduced.md

# Pages in docs/_build: open index.html. The notebook is executed, and a dead link is an error.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python docs/generate_notebook.py
	$(BIN)/sphinx-build --fail-on-warning --keep-going -q docs docs/_build

clean:
	rm -rf $(VENV) .venv-oldest docs/_build
