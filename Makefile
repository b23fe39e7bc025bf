# Every target does its own set-up into .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: setup demo test lint bench audit docs clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/tacit demo

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest --numprocesses=2 --dist=worksteal --doctest-modules

bench: $(READY)
	$(BIN)/python -m benchmarks

# Every mechanism and algorithm, exactly and by sampling; under ten minutes.
audit: $(READY)
	timeout 590 $(BIN)/python -m tacit.checks.audit --seconds 340

docs: $(READY)
	$(BIN)/python docs/build.py

clean:
	rm -rf $(VENV) docs/_build
