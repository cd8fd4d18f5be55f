# `make` alone lists what there is. Everything here first makes the environment in .venv, or finds it ready.

PYTHON ?= python3
VENV_PYTHON := .venv/bin/python
# Extra arguments: `make lab ARGS="--port 9000"`, `make test ARGS="-k softmax"`.
ARGS ?=

EVERYDAY := not browser and not page and not grading and not execution and not more and not thorough
# Of the thousands of answers that the bank knows, `make test` judges a sample of each exercise.
SAMPLE := not thorough
# The tests start Python hundreds of times: compiled modules are kept, whatever the machine is used to.
unexport PYTHONDONTWRITEBYTECODE
# A worker on each processor; where some tests wait for classes and browsers, one more.
SIDE_BY_SIDE := -n auto --dist loadgroup
AND_ONE_MORE := -n $(shell expr $$(nproc 2>/dev/null || echo 2) + 1) --dist loadgroup

.DEFAULT_GOAL := help
.PHONY: help set-up lab teach book test quick thorough mutants demo release pictures bench scoreboard lint format lock

help: ## show this list
	@echo "make COMMAND, where COMMAND is one of:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

set-up: ## make .venv from requirements.lock, or find it ready
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found. The course needs Python 3.11 to 3.13: https://www.python.org/downloads/" >&2; exit 1; }
	@$(PYTHON) scripts/set_up.py

lab: set-up ## learn: open JupyterLab on your own copies in work/
	@$(VENV_PYTHON) -m grader lab $(ARGS)

teach: set-up ## instruct: open JupyterLab on the repository, with nbgrader's formgrader (DEMO=1: on a made class)
	@$(VENV_PYTHON) -m grader teach $(if $(DEMO),--demo) $(ARGS)

book: set-up ## build the course as a site that anyone can read, in build/book
	@$(VENV_PYTHON) scripts/make_book.py $(ARGS)

test: set-up ## run the tests, with a sample of the known answers (under 25 minutes; needs chromium and bubblewrap)
	@echo "Running the tests; 'make quick' runs the everyday ones, 'make thorough' every one."
	@$(VENV_PYTHON) -m pytest $(AND_ONE_MORE) -m "$(SAMPLE)" $(ARGS)

quick: set-up ## run the everyday tests (under 2 minutes)
	@echo "Running the everyday tests: no browser, no class, no whole notebooks."
	@$(VENV_PYTHON) -m pytest $(SIDE_BY_SIDE) -m "$(EVERYDAY)" $(ARGS)

thorough: set-up ## run every test there is, and compare marks over twenty draws (ARGS="-k ID": one exercise's)
	@$(VENV_PYTHON) -m pytest $(AND_ONE_MORE) --seeds 20 $(ARGS)

mutants: set-up ## put small faults into the code, and print those that no test notices (ARGS="--sample 100")
	@$(VENV_PYTHON) scripts/mutants.py $(ARGS)

demo: set-up ## grade a small made class: marks, report and feedback
	@$(VENV_PYTHON) -m grader demo $(ARGS)

release: set-up ## make notebooks/ anew from solutions/
	@$(VENV_PYTHON) -m grader release $(ARGS)

pictures: set-up ## make the pictures of README in docs/ from the running course
	@$(VENV_PYTHON) scripts/make_pictures.py $(ARGS)

bench: set-up ## measure imports, checks, redraws, and grading a class beside stock nbgrader
	@$(VENV_PYTHON) scripts/bench.py
	@$(VENV_PYTHON) scripts/bench_class.py $(ARGS)

scoreboard: set-up ## grade faulty and hostile submissions with stock nbgrader and with this course
	@$(VENV_PYTHON) scripts/scoreboard.py $(ARGS)

lint: set-up ## check style, format and types
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m mypy

format: set-up ## put code in the common format
	@$(VENV_PYTHON) -m ruff check --fix .
	@$(VENV_PYTHON) -m ruff format .

# One lock for every platform and Python; it names no index, so mirrors work. Needs uv: https://docs.astral.sh/uv/
lock: ## for maintainers: choose the newest allowed versions and write requirements.lock
	@command -v uv >/dev/null || { echo "make lock needs uv: https://docs.astral.sh/uv/getting-started/installation/" >&2; exit 1; }
	uv pip compile pyproject.toml --group build --extra cluster --universal --python-version 3.11 --generate-hashes --no-strip-extras --upgrade \
		--custom-compile-command "make lock" --quiet --output-file requirements.lock $(ARGS)
