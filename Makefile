# Everything runs in .venv, made from pyproject.toml; nothing is installed by hand.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test lint types bench clean

help:
	@echo "make demo   see a release and a block, on the example app (2 minutes the first time)"
	@echo "make test   all tests"
	@echo "make lint   ruff"
	@echo "make types  mypy"
	@echo "make bench  speed and memory, side by side with the floor"

# Made anew when the dependencies change. The stamp is written last: a broken install is tried again.
.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "raggate needs Python 3.11 or newer; $$($(PYTHON) --version) was found. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "raggate: preparing .venv (once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: .venv/installed
	@$(BIN)/python examples/demo.py

test: .venv/installed
	@$(BIN)/python -m pytest -q

lint: .venv/installed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/installed
	@$(BIN)/mypy

bench: .venv/installed
	@$(BIN)/python bench/measure.py

clean:
	rm -rf .venv demo bench/out
