# Build, test and demonstration. Needs Go (the version in go.mod or newer), a C
# compiler and git; nothing else. "make help" lists the targets.

PM := bin/project-map

GOTESTFLAGS ?=
FUZZTIME    ?= 10s
DIST        ?= bin/release
E2E_TOOLS   ?= $(HOME)/.cache/project-map-e2e
QUERY       ?= where are writes through a symbolic link refused?

# The parsers are C: without cgo the build fails, and its message names no reason.
export CGO_ENABLED := 1

.DEFAULT_GOAL := build

.PHONY: help
help: ## List the targets.
	@awk -F ':|## ' '/^[a-z0-9-]+:.*## / { printf "%-12s %s\n", $$1, $$NF }' $(MAKEFILE_LIST)

# Without -trimpath, so that tests share what the C compiler made.
.PHONY: build
build: ## Build bin/project-map.
	go build -buildvcs=false -o $(PM) ./cmd/project-map

.PHONY: demo
demo: build ## Map this repository and print a context bundle; QUERY="..." asks something else.
	$(PM) index --worktree
	$(PM) context --excerpts "$(QUERY)"

.PHONY: test
test: build ## Build, vet and run all tests; GOTESTFLAGS=-race adds the race detector.
	go vet ./...
	go test $(GOTESTFLAGS) ./...

.PHONY: race
race: ## Run all tests with the race detector.
	$(MAKE) test GOTESTFLAGS=-race

.PHONY: cli
cli: ## Run the tests of the command line only.
	go test $(GOTESTFLAGS) ./cmd/...

# Needs npm, and root for the Debian packages. The clients of MCP take 1.1 GB;
# oh-my-pi is larger still:
# E2E_OMP=1 installs it, too. E2E_BUILD=1 has pre-commit build the program.
.PHONY: e2e
e2e: ## Run the tests with the real pre-commit, lefthook, husky, Pi, clients of MCP, a registry and browsers, installed in E2E_TOOLS.
	@echo 'Installed, or skipped and why (in $(E2E_TOOLS)):'
	@sh e2e/setup.sh "$(E2E_TOOLS)"
	@log=$$(mktemp) && E2E_TOOLS="$(E2E_TOOLS)" go test $(GOTESTFLAGS) -tags e2e -count=1 -timeout 45m -v ./e2e >"$$log" 2>&1; status=$$?; \
	cat "$$log"; \
	printf '\nSkipped tests: %s\n' "$$(grep -c -e '--- SKIP' "$$log")"; \
	grep -A1 -e '--- SKIP' -e '^ok ' -e '^FAIL' "$$log" | grep -v '^--$$'; \
	rm -f "$$log"; exit $$status

.PHONY: lint
lint: ## Check formatting, vet and staticcheck.
	@bad=$$(find . -name '*.go' -not -path '*/testdata/*' -exec gofmt -l {} +) || exit 1; \
	if [ -n "$$bad" ]; then printf 'not formatted, run gofmt -w on:\n%s\n' "$$bad" >&2; exit 1; fi
	go vet ./...
	go vet -tags e2e ./e2e
	go tool staticcheck ./...

.PHONY: workflows
workflows: ## Check the workflows, and the one that "init ci" writes, with actionlint.
	go tool actionlint -pyflakes= .github/workflows/*.yml templates/ci/github.yml

# For this platform; GOOS and GOARCH, with CC set to a cross compiler, name
# another one.
.PHONY: release
release: ## Build a release archive, bill of materials and checksums in DIST; VERSION=v0.1.0.
	@test -n "$(VERSION)" || { echo 'release: give VERSION=v0.1.0' >&2; exit 2; }
	GOOS= GOARCH= CGO_ENABLED=0 go run ./release build --version "$(VERSION)" --os "$(GOOS)" --arch "$(GOARCH)" --out "$(DIST)"
	GOOS= GOARCH= CGO_ENABLED=0 go run ./release sums --out "$(DIST)"

.PHONY: bench
bench: ## Run the benchmarks.
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: fuzz-short
fuzz-short: ## Run every fuzz target for FUZZTIME (default 10s).
	@set -e; for p in $$(go list ./...); do \
		targets=$$(go test -list '^Fuzz' $$p); \
		for f in $$(echo "$$targets" | grep '^Fuzz'); do \
			echo "== $$p $$f"; \
			go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p; \
		done; \
	done

.PHONY: maps
maps: build ## Write this repository's own maps, to be committed with the change.
	$(PM) index --worktree
	$(PM) validate --worktree

# Needs Node.js and npm. What is built is committed; CI builds it again and compares.
.PHONY: assets
assets: ## Build the front end of the site from site/web and its lock file into site/assets.
	cd site/web && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent check && npm run --silent build

.PHONY: clean
clean: ## Remove what was built and the store; committed maps stay.
	rm -rf bin .project-map
