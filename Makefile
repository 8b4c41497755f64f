# Sets up what is missing, then does what is asked: demo, test, check, snapshots, clean.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
INSTALLED := $(VENV)/.installed

.PHONY: demo test check format snapshots clean

demo: $(INSTALLED)
	$(BIN)/bucketplan-tui --demo

test: $(READY)
	$(BIN)/python -m pytest -n 2

check: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

snapshots: $(READY)
	$(BIN)/python -m pytest tests/tui/test_snapshots.py --snapshot-update

clean:
	rm -rf $(VENV) dist build

$(VENV):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $(INSTALLED)

# pip reads dependency groups from 25.1 on.
$(READY): pyproject.toml | $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[fast,yaml,zstd]' --group dev
	touch $(READY) $(INSTALLED)
