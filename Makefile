# Every chore has its name here. `make run` and `make test` need nothing but Python 3.11 or later.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2

.PHONY: help setup run test check format bench bench-vision clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Stationmaster needs Python 3.11 or later; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing: sudo apt install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[batch,dev]'
	@touch $@

setup: $(READY)  ## the virtual environment with everything in it

run: $(READY)  ## start the table with what this machine has
	$(BIN)/stationmaster serve --demo

test: check  ## set up and run every check and test

check: $(READY)  ## the gate: format, lint, types, import arrows, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest -q -n $(JOBS)

format: $(READY)  ## put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## how fast boards are scored, rules answer, rolls arrive, the map moves (short; each command can do more)
	$(BIN)/python -m lab.railroad_ink.rules_bench
	$(BIN)/python -m lab.derailed.rules_bench 20000
	$(BIN)/python -m lab.spike.rules_bench 20
	$(BIN)/python -m lab.empire_builder.rules_bench
	$(BIN)/python -m firmware_bridge.bench --rolls 100 --times 5 --lines 50000
	$(BIN)/python -m lab.box
	$(BIN)/python -m tests.web.browser.map_frames

bench-vision: $(READY)  ## how well and how quickly boards are read from photographs
	$(BIN)/python -m lab.railroad_ink.reading_bench

clean:  ## remove what the other chores made
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
