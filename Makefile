# Tightrope: everything a newcomer or a machine runs. Needs make and Python 3.11 or newer.
# The environment .venv is made on first use and again when its lock file changes.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test check truth bench mutants papers wheel reference docs format lock clean

# The first Python on the path that is new enough; `make PYTHON=/path/to/python …` overrides it.
NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
CANDIDATES := python3 python3.13 python3.12 python3.11 python
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p $(NEW_ENOUGH) 2>/dev/null && echo $$p && break; done)
# The lock is made with the oldest supported Python, so that its versions exist for all of them.
LOCK_PYTHON ?= python3.11

VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.installed
# One worker more than there are processors: some tests wait for browsers, databases and clusters.
WORKERS ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) + 1 )))

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of tests start programs of their own, which would compile everything each time.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv and install everything, at locked versions

demo: $(READY) ## run the main job end to end on real survey data
	@$(RUN) demo/run.py

test: $(READY) ## run everything: ruff, mypy, all tests, all examples in code and docs
	$(RUN) -m ruff check .
	$(RUN) -m mypy & types=$$!; $(RUN) -m pytest -n $(WORKERS) --dist worksteal && wait $$types

check: $(READY) ## run the inner loop: ruff, mypy, and the quick tests of what changed since origin/main
	$(RUN) -m ruff check .
	$(RUN) -m mypy & types=$$!; tests=$$($(RUN) -m tests.changed) && \
	  $(RUN) -m pytest -q -n $(WORKERS) --dist worksteal -m "not slow" $$tests && wait $$types

truth: $(READY) ## hold what is stated of answers against known truths, 10,000 repetitions a row
	$(RUN) -m tests.truth.run

bench: $(READY) ## race the samplers against other libraries, each in its own environment
	$(RUN) benchmarks/run.py

mutants: $(READY) ## plant small faults in FILES=… and say which of them TESTS=… do not notice
	PYTHONPATH=. FILES="$(FILES)" TESTS="$(TESTS)" $(RUN) tests/mutation/run.py

papers: $(READY) ## reproduce the published figures and tables
	$(RUN) -m tightrope reproduce

reference: $(READY) ## write generated pages anew: help, docstrings, the table of papers, the notebook
	$(RUN) docs/reference/generate_cli.py
	$(RUN) docs/reference/generate_api.py
	$(RUN) docs/reference/generate_papers.py
	$(RUN) docs/start/generate_notebook.py

docs: $(VENV)/.docs ## build the site into build/docs; a broken link or any other warning is an error
	$(RUN) -m sphinx -q -j auto -W --keep-going -c docs -d build/doctrees . build/docs
	@echo "Open build/docs/index.html"

wheel: $(READY) ## build wheel and source distribution, and use the wheel in a clean environment
	$(RUN) -m tests.systems.wheel $(PYTHONS)

format: $(READY) ## mend what ruff can mend by itself: order of imports, outdated forms
	$(RUN) -m ruff check --fix .

lock: ## choose the versions in requirements anew
	@command -v $(LOCK_PYTHON) >/dev/null || { \
	  echo "make lock needs $(LOCK_PYTHON), the oldest Python that Tightrope supports." >&2; exit 1; }
	rm -rf build/lock
	$(LOCK_PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet hatchling ".[test]"
	{ echo "# The development environment, exactly; written by \`make lock\` from pyproject.toml."; \
	  build/lock/bin/python -m pip freeze --exclude tightrope; } > build/dev.txt
	mv build/dev.txt requirements/dev.txt
	rm -rf build/lock && $(LOCK_PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --constraint requirements/dev.txt furo myst-parser sphinx
	{ echo "# What builds the site, exactly; written by \`make lock\`; fits requirements/dev.txt."; \
	  build/lock/bin/python -m pip freeze; } > build/docs.txt
	mv build/docs.txt requirements/docs.txt
	rm -rf build/lock

clean: ## remove caches and build products (.venv stays)
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests demo benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN):
	@$(or $(PYTHON),false) $(NEW_ENOUGH) || { \
	  echo "Tightrope needs Python 3.11 or newer; found $(or $(PYTHON),none on the path)." >&2; \
	  echo "Install one, or name it: make PYTHON=/path/to/python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments: its ensurepip or venv module is missing." >&2; \
	  echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(READY): requirements/dev.txt pyproject.toml | $(RUN)
	@echo "Installing the locked packages into $(VENV); the first time takes about a minute"
	@$(RUN) -m pip install --quiet --requirement requirements/dev.txt
	@$(RUN) -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.docs: requirements/docs.txt $(READY)
	@$(RUN) -m pip install --quiet --requirement requirements/docs.txt
	@touch $@
