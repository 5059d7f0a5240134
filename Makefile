# Needs python3 (3.11 or later) with venv and pip, nothing else. `make help` lists the targets.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PACKAGES := agent tools graphs prompts evals

.PHONY: help demo test test-all docs faults floors audit lint types bench bench-cluster clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(BIN)/headcount: pyproject.toml
	@echo "Installing 1.4 GB into $(VENV): two to five minutes"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

$(VENV)/.cluster: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[dev,ray]'
	@touch $@

demo: $(BIN)/headcount ## set up, index real text and answer questions about it, offline
	$(BIN)/headcount demo

test: $(VENV)/.dev lint types ## set up, check style, types and layers, run the quick tests
	$(BIN)/python -m pytest -m "not slow and not cluster" --numprocesses auto --dist loadscope

test-all: $(VENV)/.dev lint types ## the same with all tests and more examples of each property
	$(BIN)/python -m pytest --hypothesis-profile full --durations=25 --numprocesses auto --dist loadscope

$(VENV)/.docs: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[dev,docs]'
	@touch $@

docs: $(VENV)/.docs ## build the pages under docs/ into site/; a broken link is an error
	$(BIN)/typer graphs.apps.cli utils docs --name headcount --output docs/reference/command-line.md
	$(BIN)/mkdocs build --strict --quiet

KILLS ?= 200
SEED ?= 0
MINUTES ?= 15

faults: $(VENV)/.dev ## end, starve and lie to every command at random moments; KILLS=200 SEED=0 MINUTES=15
	$(BIN)/python -m pytest -m "faults and not cluster" --hypothesis-profile faults --kills $(KILLS) \
		--seed $(SEED) --minutes $(MINUTES) --numprocesses auto --dist worksteal

$(VENV)-floors/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)-floors
	$(VENV)-floors/bin/python -m pip install --quiet uv
	$(VENV)-floors/bin/uv pip install --quiet --python $(VENV)-floors/bin/python \
		--resolution lowest-direct --editable '.[dev]'
	@touch $@

floors: $(VENV)-floors/.dev ## test with the oldest versions of dependencies that pyproject.toml allows
	$(VENV)-floors/bin/python -m pytest -m "not slow and not cluster" --numprocesses auto --dist loadscope \
		tests/house tests/graphs/nodes tests/tools/corpus/readers

audit: $(VENV)/.dev ## look up advisories on the installed versions, over the network
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/pip-audit --skip-editable

lint: $(VENV)/.dev ## ruff, format check, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev ## mypy --strict
	$(BIN)/mypy

CHUNKS ?= 20000
INTO ?=
TEXT ?=

bench: $(VENV)/.dev ## measure the promised speeds against named peers; CHUNKS=1000000 INTO=folder TEXT="folders of text"
	$(BIN)/python -m evals.benchmarks --chunks $(CHUNKS) $(addprefix --into ,$(INTO)) $(addprefix --text ,$(TEXT))

bench-cluster: $(VENV)/.cluster ## ask a Ray cluster of two nodes on this machine, and kill one
	$(BIN)/python -m pytest -m cluster -p no:cacheprovider tests/tools/engines/sharded/test_cluster.py

clean: ## remove the environment and caches
	rm -rf $(VENV) $(VENV)-floors site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
