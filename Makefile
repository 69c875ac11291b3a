# Everything here is a shorthand; nothing needs it.

.DEFAULT_GOAL := help
.PHONY: help check test race long fuzz bench gobench lint fmt build page startup cross man completions site demo tidy clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: ## everything that CI runs
	.ci/run

test: ## all tests, once
	go test ./...
	go -C server test ./...
	go -C proof test ./...

race: ## the tests where goroutines meet, with the race detector
	.ci/run race

long: ## what takes hours: .ci/long says how to make it shorter
	.ci/long

fuzz: ## each fuzz target, a minute unless FUZZ=10s says otherwise
	.ci/long fuzz

bench: ## whole commands against their limits, on boards of 1,000 to 100,000 tasks
	go -C proof run ./bench

gobench: ## the benchmarks of functions
	go test -run='^$$' -bench=. -benchmem ./...

lint: ## gofmt, go vet, staticcheck, go.mod
	.ci/run format static tidy

fmt: ## format the source
	gofmt -w $$(git ls-files '*.go')

build: ## the binaries, as they are released, into this folder
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w $(LDFLAGS)' -o pawl ./cmd/pawl
	CGO_ENABLED=0 go build -C server -trimpath -ldflags='-s -w $(LDFLAGS)' -o ../pawl-server ./cmd/pawl-server

page: ## the page of pawl serve, into the folder that the binary takes it from
	npm --prefix internal/ui/web/page ci
	npm --prefix internal/ui/web/page run build

startup: build ## what the binary does before main
	go run ./internal/dev/startup -all ./pawl

cross: ## the binary for each system, built and thrown away
	.ci/long cross

man: build ## the man pages, into dist/man
	mkdir -p dist/man
	./pawl help --format man > dist/man/pawl.1
	for verb in $$(./pawl help --json | grep -o '"name":"[a-z]*","usage"' | cut -d '"' -f 4); do \
		./pawl help $$verb --format man > dist/man/pawl-$$verb.1 || exit 1; done

completions: build ## the scripts that teach shells to complete, into dist/completions
	mkdir -p dist/completions
	./pawl completion bash > dist/completions/pawl.bash
	./pawl completion zsh > dist/completions/_pawl
	./pawl completion fish > dist/completions/pawl.fish
	./pawl completion powershell > dist/completions/pawl.ps1

site: ## the website, into dist/site
	rm -rf dist/site
	go -C tools run ./site -out ../dist/site

demo: ## a plan from first task to last, on a board in a temporary folder
	go run ./cmd/pawl demo

tidy: ## go.mod and go.sum of the product and of the tools
	for in in . tools server proof; do GOWORK=off go -C $$in mod tidy || exit 1; done

clean: ## remove what was built
	rm -rf pawl pawl-server dist
