# Everything that is made goes below .cache/, which git ignores.
SHELL := /bin/sh
CACHE := $(CURDIR)/.cache
PY := $(CACHE)/venv/bin/python
REQUIREMENTS := harness/pytest/testdata/requirements.txt
LINT_VERSION := v2.15.0
LINT := $(CACHE)/bin/golangci-lint-$(LINT_VERSION)
ACTIONLINT_VERSION := v1.7.12
ACTIONLINT := $(CACHE)/bin/actionlint-$(ACTIONLINT_VERSION)
GREMLINS_VERSION := v0.6.0
GREMLINS := $(CACHE)/bin/gremlins-$(GREMLINS_VERSION)
# The Python that a new virtual environment is made with.
PYTHON3 ?= python3
FUZZTIME ?= 20s

.PHONY: demo test stories lint bench bench-go agree-go bench-python agree-python bench-plan cover accuracy fuzz clean venv bench-fork bench-collect bench-gate probe-real probe-bench

## demo: prove the embedded example change (Go and Python) end to end
demo: venv
	go run ./cmd/assay demo --python $(PY)

## test: every test; those of Python use the pinned environment below .cache/
test: venv
	ASSAY_TEST_PYTHON=$(PY) go test -timeout 30m ./...

## stories: the stories that take minutes, which make test leaves out
stories: venv
	ASSAY_TEST_PYTHON=$(PY) go test -timeout 60m -tags slow -run TestSlowStories ./cmd/assay

## lint: formatting, vet, a tidy go.mod, golangci-lint and actionlint at pinned versions
lint: $(LINT) $(ACTIONLINT)
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt these: $$out"; exit 1; fi
	go vet ./...
	go mod tidy -diff
	$(LINT) run ./...
	$(ACTIONLINT) docs/templates/proofs.yml
	.ci/workflow-of-action | $(ACTIONLINT) -stdin-filename action.yml -

## bench: assay against a naive loop on the same change
bench: venv
	ASSAY_TEST_PYTHON=$(PY) go test -run '^$$' -bench . -benchtime 1x ./bench/...

## bench-fork: random edits of a Python project both ways; REPO=dir FILES="a.py b.py" [N=50] [PYTHON=python]
bench-fork: venv
	go run ./bench/forked -repo $(REPO) -python $(or $(PYTHON),$(PY)) -n $(or $(N),50) $(FILES)

## bench-collect: what narrowing by file saves on 1,500 test files with 57,000 tests
bench-collect: venv
	go run ./bench/collect -python $(PY)

## bench-plan: what planning forty hunks costs on 50,000 lines, Go and Python
bench-plan: venv
	ASSAY_TEST_PYTHON=$(PY) go test -run '^$$' -bench Plan -benchtime 3x ./bench

## cover: statement coverage of all packages, cover.html
cover: venv
	ASSAY_TEST_PYTHON=$(PY) go test -timeout 60m -coverpkg=./... -coverprofile=cover.out ./...
	go tool cover -func=cover.out | tail -1
	go tool cover -html=cover.out -o cover.html

## bench-go: assay beside gremlins on one module, CPU a mutant and wall of a change
bench-go: $(GREMLINS)
	go build -o $(CACHE)/bin/assay ./cmd/assay
	mkdir -p $(CACHE)/bench-go
	go run ./bench/go -assay $(CACHE)/bin/assay -gremlins $(GREMLINS) -work $(CACHE)/bench-go

## agree-go: fates of N random mutants over four modules against plain go test
N ?= 200
agree-go:
	go build -o $(CACHE)/bin/assay ./cmd/assay
	mkdir -p $(CACHE)/agree-go
	go run ./bench/go -assay $(CACHE)/bin/assay -work $(CACHE)/agree-go -agree $(N)

## bench-python: assay beside mutmut and cosmic-ray, mutants a second on the same files
bench-python: $(CACHE)/venv-mutants/.done
	go build -o $(CACHE)/bin/assay ./cmd/assay
	mkdir -p $(CACHE)/bench-python
	go run ./bench/python -assay $(CACHE)/bin/assay -python $(CACHE)/venv-mutants/bin/python -work $(CACHE)/bench-python

## agree-python: fates of N random mutants over four projects against a plain pytest
agree-python: $(CACHE)/venv-mutants/.done
	go build -o $(CACHE)/bin/assay ./cmd/assay
	mkdir -p $(CACHE)/agree-python
	go run ./bench/python -assay $(CACHE)/bin/assay -python $(CACHE)/venv-mutants/bin/python -work $(CACHE)/agree-python -agree $(N)

$(CACHE)/venv-mutants/.done: bench/python/requirements.txt
	$(PYTHON3) -m venv --clear $(CACHE)/venv-mutants
	$(CACHE)/venv-mutants/bin/python -m pip install --quiet --disable-pip-version-check -r bench/python/requirements.txt
	touch $@

## bench-gate: the gate beside a build and a run of the tests it judges; REPOS=dir of clones [PYTHON=python]
bench-gate:
	@test -n "$(REPOS)" || { echo "usage: make bench-gate REPOS=DIR [PYTHON=PYTHON]"; exit 2; }
	go build -o $(CACHE)/bin/assay ./cmd/assay
	go run ./bench/gate -assay $(CACHE)/bin/assay -repos $(REPOS) $(if $(PYTHON),-python $(PYTHON))

## accuracy: verdicts against ground truth; CORPUS=file REPOS=dir [PYTHON=python]
accuracy:
	@test -n "$(CORPUS)" && test -n "$(REPOS)" || { echo "usage: make accuracy CORPUS=FILE.jsonl REPOS=DIR [PYTHON=PYTHON]"; exit 2; }
	go build -o $(CACHE)/bin/assay ./cmd/assay
	go run ./bench/accuracy -assay $(CACHE)/bin/assay -corpus $(CORPUS) -repos $(REPOS) $(if $(PYTHON),-python $(PYTHON))

## probe-real: assay probe on a suite that uses the real mcp SDK and fakeredis
probe-real: $(CACHE)/venv-inbox/.done
	go build -o $(CACHE)/bin/assay ./cmd/assay
	go run ./bench/inbox -assay $(CACHE)/bin/assay -python $(CACHE)/venv-inbox/bin/python

$(CACHE)/venv-inbox/.done: bench/inbox/requirements.txt
	$(PYTHON3) -m venv --clear $(CACHE)/venv-inbox
	$(CACHE)/venv-inbox/bin/python -m pip install --quiet --disable-pip-version-check -r bench/inbox/requirements.txt
	touch $@

## probe-bench: what probes call late against sys.modules, and their cost;
## TREE=dir PYTHON=python [SINGLE=node id]; PYTHON needs pytest-timeout
probe-bench:
	@test -n "$(TREE)" && test -n "$(PYTHON)" || { echo "usage: make probe-bench TREE=DIR PYTHON=PYTHON [SINGLE=NODE]"; exit 2; }
	go run ./bench/probes -dir $(TREE) -python $(PYTHON)
	go run ./bench/probes -dir $(TREE) -python $(PYTHON) -instructions
	$(if $(SINGLE),go run ./bench/probes -dir $(TREE) -python $(PYTHON) -single $(SINGLE) -runs 9)

## fuzz: each fuzz target for FUZZTIME
fuzz:
	@for pkg in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$target"; go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

## clean: remove what make built
clean:
	rm -rf .cache cover.out cover.html assay

venv: $(CACHE)/venv/.done

$(CACHE)/venv/.done: $(REQUIREMENTS)
	$(PYTHON3) -m venv --clear $(CACHE)/venv
	$(PY) -m pip install --quiet --disable-pip-version-check -r $(REQUIREMENTS)
	touch $@

$(GREMLINS):
	GOBIN=$(CACHE)/bin go install github.com/go-gremlins/gremlins/cmd/gremlins@$(GREMLINS_VERSION)
	mv $(CACHE)/bin/gremlins $@

$(ACTIONLINT):
	GOBIN=$(CACHE)/bin go install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)
	mv $(CACHE)/bin/actionlint $@

$(LINT):
	GOBIN=$(CACHE)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	mv $(CACHE)/bin/golangci-lint $@
