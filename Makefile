# Everything runs in .venv, made from pyproject.toml; nothing is installed by hand.
PYTHON ?= python3
BIN := .venv/bin

IMAGE ?= raggate
BASE ?= python:3.13-slim
# Two for each processor: most tests wait for a process, a server or a clock.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))
# With 0 some of what is drawn is left out, with ALL=1 nothing: tests/thorough.py says what.
export THOROUGH ?= $(if $(ALL),1,0)
# Tests start many short programs: where bytecode is not kept each of them compiles the package anew.
export PYTHONDONTWRITEBYTECODE =

# What touches a library, of which the lowest version that is allowed may do otherwise: pydantic and yaml (suites,
# records), httpx, httpx-sse and jmespath (targets), openai (judges), PyGithub (GitHub), jinja2 (texts, prompts).
TOUCHING_LIBRARIES := $(addprefix tests/, \
	contract/test_dependencies.py contract/test_schemas.py golden/test_comment_golden.py \
	integration/test_github_baseline.py integration/test_github_download.py integration/test_judge_calls.py \
	integration/test_streamed_replies.py integration/test_targets_http.py unit/test_claims_prompt.py unit/test_mapping.py unit/test_undeclared_records.py \
	unit/test_render.py unit/test_suite_files_loading.py unit/test_suite_files_yaml.py)

.PHONY: help demo docs pictures reference test test-lowest test-container test-services test-foreign test-real-judge lint types size mutants bench lock

help:
	@echo "make demo   see a release and a block, on the example app (2 minutes the first time)"
	@echo "  DEMO=report   the same block as a page to open in a browser: report-demo/report.html"
	@echo "  DEMO=judge    three scripted judges on trial: armed, disarmed, lost, reused (no key)"
	@echo "  DEMO=panel    the example app without and with a tool, compared blind by four scripted judges (no key)"
	@echo "  DEMO=action   the action on a pull request: blocked, mended, one comment (needs Docker on Linux)"
	@echo "make test   all tests but those of the container; of kills and drawn examples a part; 4 minutes"
	@echo "  ALL=1      nothing left out, then once more with the lowest versions; before an issue is closed"
	@echo "  VERSIONS=\"lowest-direct highest\"   with these versions of every dependency"
	@echo "  CLOCK=+31d   at another time (needs faketime)      TESTS=FILES   these alone"
	@echo "make test-lowest  what touches libraries, with the lowest version of every dependency that is allowed"
	@echo "make test-container  the action's image, built from BASE ($(BASE)) and run as GitHub's runner runs it (needs Docker)"
	@echo "make test-services  the report page in a real browser: hostile words, no request, keyboard, axe, 10,000 cases; artifacts beside GitHub's own client and act (Chromium, npm, Go)"
	@echo "make test-foreign  every way in, with real packages: LangChain, LangGraph, LlamaIndex, Haystack, MCP and more (an environment of their own)"
	@echo "make test-real-judge  a real model as a judge: usable replies, accuracy, seconds (REAL_JUDGE_URL names it)"
	@echo "make lint   ruff; the action, workflows and forms against their schemas; zizmor; NOTICE against the lock"
	@echo "make types  mypy"
	@echo "make mutants  400 faults drawn into gates, decision, comparison and evidence checks; survivors listed (an hour)"
	@echo "make size   code lines, statements, modules and classes by area, beside what dev/size.toml allows (LOWER=1: lowers it)"
	@echo "make lock   requirements.lock anew from pyproject.toml, and NOTICE from it"
	@echo "make docs   the site of the documentation, in build/site"
	@echo "make pictures  the pictures of the comment in docs/pictures (Chromium, npm)"
	@echo "make reference  the pages of keys, commands and inputs (docs/reference), of what the program says itself"
	@echo "make bench  speed and memory, side by side with the floor (NAME=\"noise poorer\": others; bench/README.md lists them)"

# Made anew when the dependencies change. The stamps are written last: a broken install is tried again.
# The demos need nothing of what tests need, which is most of it.
.venv/runs: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "raggate needs Python 3.11 or newer; $$($(PYTHON) --version) was found. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "raggate: preparing .venv (once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/installed: .venv/runs
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# The demo of the action is a container's; the others need the package alone.
demo: $(if $(filter action,$(DEMO)),.venv/installed,.venv/runs)
ifeq ($(DEMO),action)
	@docker version >/dev/null 2>&1 || { \
		echo "raggate: no Docker engine answers, and the action is a container. Start Docker, or see the gates without it: make demo"; \
		exit 1; }
	@echo "raggate: building the action's image (a minute the first time)"
	@docker build --quiet --build-arg BASE=$(BASE) --tag $(IMAGE) . >/dev/null
endif
	@RAGGATE_IMAGE=$(IMAGE) $(BIN)/python -m examples.$(DEMO:%=%_)demo

# VERSIONS: both ends of every range in pyproject.toml, for a package's dependencies are whatever else its user has
# installed. CLOCK: nothing may be true on the day alone on which it was written. Try a month ahead, a leap day ("@2028-02-29
# 12:00:00") and a new year ("@2026-12-31 23:58:00"). Processes that a test starts with an environment of its own keep the
# real clock, and tests of interrupted threads are left out: under faketime a lock waits for ever.
PYTEST := -m pytest -q -n $(WORKERS) --dist worksteal --ignore=tests/container --ignore=tests/services
test: .venv/installed
ifndef VERSIONS
	@$(if $(CLOCK),faketime -f "$(CLOCK)") $(BIN)/python $(PYTEST) \
		$(if $(CLOCK),-k 'not outside_the_main_thread and not another_thread') $(TESTS)
endif
	@for which in $(VERSIONS); do \
		$(BIN)/uv venv --quiet --clear --no-python-downloads --python $(BIN)/python .venv/$$which && \
		$(BIN)/uv pip install --quiet --python .venv/$$which/bin/python --resolution $$which -e '.[dev]' && \
		echo "raggate: tests with $$which: $$($(BIN)/uv pip freeze --python .venv/$$which/bin/python --exclude-editable | tr '\n' ' ')" && \
		.venv/$$which/bin/python $(PYTEST) $(TESTS) || exit 1; \
	done
	@$(if $(ALL),$(MAKE) --no-print-directory test ALL= THOROUGH=1 VERSIONS=lowest-direct)

test-lowest: .venv/installed
	@$(MAKE) --no-print-directory test VERSIONS=lowest-direct TESTS="$(TOUCHING_LIBRARIES)"

# On a laptop without Docker this says so and goes on; with REQUIRE_DOCKER=1 it fails.
test-container: .venv/installed
	@if docker version >/dev/null 2>&1; then \
		docker build --build-arg BASE=$(BASE) --tag $(IMAGE) . && RAGGATE_IMAGE=$(IMAGE) RAGGATE_BASE=$(BASE) $(BIN)/python -m pytest -q tests/container; \
	else \
		echo "raggate: NO DOCKER ENGINE ANSWERS. THE CONTAINER TESTS DID NOT RUN."; test -z "$(REQUIRE_DOCKER)"; \
	fi

# Without Chromium or npm this says so and goes on; with REQUIRE_SERVICES=1 it fails. No other target needs either.
test-services: .venv/installed
	@if ! command -v "$${CHROMIUM:-chromium}" >/dev/null || ! command -v npm >/dev/null; then \
		echo "raggate: CHROMIUM OR NPM IS MISSING. THE TESTS IN A REAL BROWSER DID NOT RUN."; test -z "$(REQUIRE_SERVICES)"; \
	else \
		mkdir -p build/services && (cd build/services && npm install --silent --no-fund --no-audit --no-save \
			axe-core@4.14.1 puppeteer-core@25.16.0 xml2js@0.6.2 @actions/artifact@6.2.1) && \
		$(MAKE) --no-print-directory build/services/act/act-artifacts; \
		$(BIN)/python -m pytest -q tests/services; \
	fi

# act's server of artifacts, if Go is there; without it that one test says so and is skipped.
build/services/act/act-artifacts: tests/services/act_artifacts.go
	@command -v go >/dev/null || { echo "raggate: GO IS MISSING. ACT'S SERVER OF ARTIFACTS DID NOT RUN."; exit 0; }; \
		mkdir -p $(@D) && cp $< $(@D)/main.go && cd $(@D) && { test -f go.mod || go mod init act-artifacts; } && \
		go get github.com/nektos/act@v0.2.89 && go build -o act-artifacts .

# Real packages of other projects, in .venv/foreign; no part of the tests, the image or the package.
test-foreign: .venv/installed
	@$(BIN)/python dev/foreign/run.py

# A real model decides here, so this is no part of the tests; REAL_JUDGE_URL names it.
test-real-judge: .venv/installed
	@PYTHONPATH=. $(BIN)/python -u -m dev.real_judge.measure

# Whether tests notice a fault in the rules: MUTANTS="--seed 7 --number 40" for other ones or fewer.
mutants: .venv/installed
	@$(BIN)/python -u -m dev.mutants $(MUTANTS)

size: .venv/runs
	@$(BIN)/python -m dev.size $(if $(LOWER),--lower)

lint: .venv/installed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/failure-mode.yml
	@$(BIN)/zizmor --offline --quiet --no-progress .github action.yml
	@$(BIN)/python dev/notice.py --check
	@$(MAKE) --no-print-directory docs >/dev/null

types: .venv/installed
	@$(BIN)/mypy

# One lock for every Python we support; the hashes of all files of a release, so of both architectures.
lock: .venv/installed
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		pyproject.toml --output-file requirements.lock
	@$(BIN)/python dev/notice.py

# The reference pages of docs/reference, of what the program says itself.
reference: .venv/installed
	@$(BIN)/python -m dev.reference

# The pictures of the comment in docs/pictures (Chromium, npm).
pictures: .venv/installed
	@sh dev/pictures/shoot.sh

# The site of the documentation, in build/site; a link that leads nowhere fails.
docs: .venv/installed
	@$(BIN)/zensical build --strict

# Prints each table and writes it to bench/results; bench/README.md lists the names.
bench: .venv/installed
	@$(BIN)/python -m bench $(NAME)
