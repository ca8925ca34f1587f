# Tools come from the tool directives in go.mod: nothing else is installed.

GO ?= go

# All packages of the module: ./... leaves out what is below testdata.
PACKAGES = ./... ./testdata/hunt/... ./testdata/ifc/... ./testdata/properties/... ./testdata/wasm ./testdata/wasm/fault

# Packages that start goroutines, or whose code runs beside others'.
RACE = ./cmd/fuzzmut ./cmd/fuzzmut/screen ./fuzzmut/job/regen ./fuzzmut/job/test ./fuzzmut/run/bugs ./fuzzmut/run/campaign ./fuzzmut/run/lockstep ./fuzzmut/run/project ./fuzzmut/run/shared ./fuzzmut/run/trial ./fuzzmut/run/unnoticed ./fuzzmut/record/filelock ./fuzzmut/record/share ./fuzzmut/engine ./fuzzmut/engine/evaluate ./fuzzmut/engine/failures ./fuzzmut/engine/kills ./fuzzmut/engine/pool ./fuzzmut/engine/processes ./fuzzmut/engine/worker

# Tests of cmd/fuzzmut that read documents, or run shells and programs: nothing in them runs
# beside other code, and under the race detector they take up to 17 times as long.
UNRACED = English|^TestShells|^TestTheAction|^TestTheJob|FromAProxy

# The race detector needs a C compiler on most systems.
CGO := $(shell $(GO) env CGO_ENABLED)

.PHONY: check check-browser build compiled fmt vet lint systems test race e2e later toolchains cloud

# What only compiles lets the compiler's heap grow by more: that takes a fifth less processor
# time with nothing cached.
COMPILE = GOGC=400 $(GO)

# The gate: what .ci/run runs. Scripts, fleets, and tests of what runs side by side wait for a
# large part of their time: two targets at once use that, and three take no less. e2e takes about as
# long as the four others one after another. What reads the source alone comes before, two targets at once, since each
# does a part of its work on one processor.
check: build
	$(MAKE) -j2 lint vet fmt systems compiled
	$(MAKE) -j2 e2e cloud test race later

# Pages in headless Chromium. The tests skip where there is none; here they fail.
check-browser:
	FUZZMUT_BROWSER=required $(GO) test -v -run '^TestBrowser' ./fuzzmut/record/format/page

build:
	$(COMPILE) build ./...

# What race and later compile.
compiled:
ifeq ($(CGO),1)
	@$(COMPILE) list -race -export -deps -test $(RACE) >/dev/null
endif
	@GOTOOLCHAIN=$(LATER) $(COMPILE) list -export -deps -test $(LATERS) ./cmd/fuzzmut >/dev/null

fmt:
	@out=$$($(GO) tool gofumpt -l cmd corpus fuzzmut instrument testdata/hunt testdata/ifc testdata/properties testdata/wasm) || exit 1; \
	if [ -n "$$out" ]; then echo "not formatted as gofumpt does:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet $(PACKAGES)

# A heap that may grow by more takes a third less processor time here, too.
lint:
	$(COMPILE) tool staticcheck $(PACKAGES)

# Everything type-checks for the other systems, unit tests included, and has what go vet can
# say without facts of dependencies. go vet itself compiles the standard library and all
# packages for each system, which took 100 s with nothing cached. All syntax is in memory: a
# heap that may grow by more takes a third less processor time.
SYSTEMS = darwin,freebsd,windows

systems:
	$(COMPILE) run ./cmd/fuzzmut-systems -systems $(SYSTEMS) ./...

# All tests but the scripts, which are e2e's. Where there is a race detector, the packages of
# RACE have theirs under it, and only there, but for those that UNRACED names.
ifeq ($(CGO),1)
test:
	@all=$$($(GO) list $(PACKAGES)) && raced=$$($(GO) list $(RACE)) || exit 1; \
	echo "go test: all packages but those of race"; \
	$(GO) test -vet=off -timeout 30m $$(echo "$$all" | grep -vxF "$$raced") && \
	$(GO) test -vet=off -timeout 30m -run '$(UNRACED)' ./cmd/fuzzmut

race:
	$(GO) test -vet=off -race -timeout 30m -skip '^TestScripts$$|$(UNRACED)' $(RACE)
else
test:
	$(GO) test -vet=off -skip '^TestScripts$$' $(PACKAGES)

race:
	@echo "race: left out, since cgo is off (no C compiler?)"
endif

# The program for buckets, a separate module, and the tests that need it: in memory, in
# a directory, and with a server of S3's protocol. And the program for fleets, another module.
cloud:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	(cd cmd/fuzzmut-cloud && $(GO) vet ./... && $(GO) build -ldflags='-s -w' -o "$$dir/" . ./fakes3) && \
	FUZZMUT_CLOUD="$$dir" $(GO) test -vet=off -timeout 30m ./fuzzmut/record/share/bucket && \
	$(GO) build -o "$$dir/" ./cmd/fuzzmut && cd cmd/fuzzmut-fleet && $(GO) vet ./... && FLEET_TEST_FUZZMUT="$$dir/fuzzmut" $(GO) test -vet=off -timeout 30m ./...

# The real command, over the packages in testdata/trees. A script waits for time-outs and
# processes for a half of its time: twice as many of them as processors use that. The time-out is
# for what hangs: a machine on which processes start slowly takes three times as long as others.
e2e:
	$(GO) test -vet=off -v -timeout 60m -parallel 4 -run '^TestScripts$$' ./cmd/fuzzmut

# The other Go that is supported: $(GO) is the local one, this one comes from the
# module proxy and lies in the module cache. The gate runs the core of the tests on it:
# the hooks, what the language brings, the main job, test, and derived fuzz tests.
# toolchains runs everything on both. vet has looked at these packages: go test does not, since
# it would look at the standard library of the other Go before.
LATER = go1.27.3
LATERS = ./instrument/overlay ./instrument/load ./instrument/schemata

later:
	GOTOOLCHAIN=$(LATER) $(GO) test -vet=off -run '^(TestHooks|TestShadow|TestUnsupported|TestOperators)' $(LATERS)
	GOTOOLCHAIN=$(LATER) $(GO) test -vet=off -v -timeout 30m -run '^TestScripts$$/^(calc|derived|go127|test|toolchains)$$' ./cmd/fuzzmut

toolchains:
	@for tc in local $(LATER); do \
		echo "== GOTOOLCHAIN=$$tc"; \
		GOTOOLCHAIN=$$tc $(GO) test -timeout 40m $(PACKAGES) || exit 1; \
	done

# The fuzz tests of this module, of all that reads a file or a message and others, one
# after another, for FUZZTIME each: about half an hour at the default. Each line is a package and a fuzz test. It is
# not part of the gate, which runs their seeds. A failing input lies in testdata/fuzz of
# its package, and the rest is left out.
.PHONY: fuzz
FUZZTIME ?= 60s

define FUZZ
./corpus FuzzMarshal
./corpus FuzzUnmarshal
./corpus FuzzSeedCorpus
./corpus/layout FuzzDecode
./corpus/matrix FuzzMinimise
./cmd/fuzzmut FuzzHelpFlags
./cmd/fuzzmut FuzzSettings
./cmd/fuzzmut/settings FuzzParse
./fuzzmut/record/format/annotations FuzzCommands
./fuzzmut/run/races FuzzRead
./cmd/fuzzmut/screen FuzzStatusLine
./cmd/fuzzmut/screen FuzzVisible
./fuzzmut/record/accepted FuzzParse
./fuzzmut/record/share FuzzParse
./fuzzmut/record/accepted FuzzParseDifferences
./fuzzmut/derive FuzzCodec
./fuzzmut/derive FuzzDraw
./fuzzmut/git FuzzRaw
./fuzzmut/job/triage FuzzParseLabels
./fuzzmut/run/change FuzzOwnDiffs
./fuzzmut/run/change FuzzParse
./fuzzmut/run/dictionary FuzzParse
./fuzzmut/run/hunk FuzzLines
./fuzzmut/run/hunk FuzzRevert
./fuzzmut/run/hunk FuzzPrograms
./fuzzmut/run/packed FuzzOpen
./fuzzmut/run/samples FuzzOfFile
./fuzzmut/record/difference FuzzLines
./fuzzmut/record/format FuzzReadTests
./fuzzmut/record/format/junit FuzzEscaping
./fuzzmut/record/format/markdown FuzzPage
./fuzzmut/record/format/markdown FuzzSummary
./fuzzmut/record/format/page FuzzPage
./fuzzmut/record/format/stryker FuzzReport
./fuzzmut/record/runlog FuzzRead
./fuzzmut/term FuzzCodec
./fuzzmut/term FuzzDraw
./fuzzmut/record/verdicts FuzzJournal
./instrument/gotool FuzzNormalize
./instrument/rt/golden FuzzJoin
./instrument/rt/golden FuzzUnmarshal
./instrument/rt/havoc FuzzMutate
./instrument/rt/observe FuzzSnapshots
./instrument/rt/pump FuzzDraw
./instrument/rt/pump FuzzRepeated
./instrument/rt/wire FuzzDecode
./instrument/rt/wire FuzzReceive
./instrument/rt/wire FuzzLists
./instrument/rt/wire FuzzShared
./instrument/schemata FuzzRewrite
endef
export FUZZ

fuzz:
	@echo "$$FUZZ" | while read -r package test; do \
		echo "== $$package $$test"; \
		$(GO) test -run '^$$' -fuzz "^$$test\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s -parallel 1 "$$package" </dev/null || exit 1; \
	done

# Programs for all systems in dist, and their checksums. The same commit and the same Go
# make the same files, wherever the tree is: no paths, no build of C, no time.
.PHONY: release
RELEASE ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 windows/amd64 windows/arm64
DIST ?= dist

release:
	@rm -rf "$(DIST)" && mkdir -p "$(DIST)"
	@for s in $(RELEASE); do \
		os=$${s%/*} arch=$${s#*/}; suffix=; [ $$os = windows ] && suffix=.exe; \
		echo "$$s"; \
		GOOS=$$os GOARCH=$$arch CGO_ENABLED=0 GOFLAGS= GOAMD64=v1 GOARM64=v8.0 \
			$(GO) build -trimpath -o "$(DIST)/fuzzmut_$${os}_$$arch$$suffix" ./cmd/fuzzmut || exit 1; \
	done
	@$(GO) run ./cmd/fuzzmut help -man >"$(DIST)/fuzzmut.1"
	@cd "$(DIST)" && { sha256sum fuzzmut* || shasum -a 256 fuzzmut*; } >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS && cat SHA256SUMS

# Measurements against the stock tools, on the packages of testdata/targets. They
# print tables and are not part of the gate: TIME is that of one run, REPS the
# repetitions, TARGETS names some of the targets. Nothing else should run on the
# machine.
.PHONY: bench-corpus bench-crashes bench-engine bench-fuzz bench-fuzz-long bench-magic bench-met bench-mutation bench-pruning bench-scaling bench-taming bench-triage
TIME ?= 5s
REPS ?= 3
TARGETS ?=

bench-engine:
	$(GO) run ./cmd/fuzzmut-bench engine -time $(TIME) -reps $(REPS) $(TARGETS)

# The memory of all processes of a run, on Linux: its peak, and at evenly spaced times.
.PHONY: bench-memory
bench-memory:
	$(GO) run ./cmd/fuzzmut-bench memory $(TARGETS)

# What processes have from each other's finds by -share: the kills of runs alone, of the
# directory that they leave, and of a run that begins with it; what is lost when processes
# are killed; jobs of fleets with faults, what fleets of one to four workers take, what a slice
# costs the server, and by simulation what up to 1,024 workers would take. Some
# of it wants the right to mount, and to make network namespaces. An hour.
.PHONY: bench-fleet
bench-fleet:
	$(GO) run ./cmd/fuzzmut-bench fleet $(TARGETS)

# What a user waits for before and after fuzzing, on the fuzz tests of testdata/latency, and
# which kills a run loses since what follows fuzzing has a bound: TARGETS names some of them.
# A quarter of an hour, on two processors.
.PHONY: bench-latency
bench-latency:
	$(GO) run ./cmd/fuzzmut-bench latency -reps $(REPS) $(TARGETS)

# How many of the mutants that unit tests of public packages miss "fuzzmut suggest" closes in
# a minute each, in how many cases, and whether plain go test agrees: TARGETS names some of
# them. About twenty minutes. The modules come from the module proxy.
# FLAGS=-oracles measures properties in place of cases.
.PHONY: bench-suggest
bench-suggest:
	$(GO) run ./cmd/fuzzmut-bench suggest $(FLAGS) $(TARGETS)

# Whether the survivors that "fuzzmut test" shows first are worth a test, by the labels of
# testdata/ranking: TARGETS names sets of them. Four minutes. The modules come from the
# module proxy.
.PHONY: bench-ranking
bench-ranking:
	$(GO) run ./cmd/fuzzmut-bench ranking $(TARGETS)

# What studying the operands of comparisons brings, on trees made for it, with SEEDS
# runs of each.
SEEDS ?= 20

bench-magic:
	$(GO) run ./cmd/fuzzmut-bench magic -seeds $(SEEDS)

# What fuzzers leave behind after the same time: stock go test -fuzz and fuzzmut with
# several filters, one target on each processor. RUNS is the file in which runs are
# kept: started again with the same RUNS, it makes only those that are missing.
# "fuzzmut-bench fuzz -print -o FILE" prints its tables again. At the defaults it
# takes about an hour and a half on two processors, and more where much is found:
# scoring comes on top of TIME.
FILTERS ?= none,split,least-executed:10,all,adaptive
RUNS ?=

bench-fuzz bench-fuzz-long: TIME = 20s
bench-fuzz bench-fuzz-long: REPS = 5

bench-fuzz:
	$(GO) run ./cmd/fuzzmut-bench fuzz -time $(TIME) -reps $(REPS) -filters $(FILTERS) -o "$(RUNS)" -resume $(TARGETS)

# The default filter against ten times as much time for stock; two to three hours.
STOCKTIME ?= 200s

bench-fuzz-long:
	$(GO) run ./cmd/fuzzmut-bench fuzz -time $(TIME) -stock-time $(STOCKTIME) -reps $(REPS) -filters adaptive -o "$(RUNS)" -resume $(TARGETS)

# What each step of pruning saves, on the same inputs: INPUTS of those that TIME of
# fuzzing leaves. The longest step runs every mutant on every input: minutes for
# each target, an hour for all.
INPUTS ?= 20

bench-pruning:
	$(GO) run ./cmd/fuzzmut-bench pruning -time $(TIME) -inputs $(INPUTS) $(TARGETS)

# What minimising corpora of runs of TIME loses and gains, and how many of MUTANTS
# killed mutants plain go test catches when they are applied to the source; about two
# hours at the defaults, of which building the mutants takes most.
MUTANTS ?= 200

bench-corpus: TIME = 60s

bench-corpus:
	$(GO) run ./cmd/fuzzmut-bench corpus -time $(TIME) -n $(MUTANTS) $(TARGETS)

# Whether plain go test with the generated golden test fails on every mutant that only
# a difference killed, each applied as a plain edit. About a second for each mutant.
.PHONY: bench-golden
bench-golden:
	$(GO) run ./cmd/fuzzmut-bench golden $(TARGETS)

# How many golden values twenty refactorings of eight modules change, which
# testdata/refactorings describes: none should. The modules come from the module proxy.
.PHONY: bench-refactorings
bench-refactorings:
	$(GO) run ./cmd/fuzzmut-bench refactorings $(TARGETS)

# How soon known bugs are found in old versions of modules, which DATA describes:
# TARGETS names some of them. The modules come from the module proxy. Two runs of
# TIME for each module and repetition: about an hour for nine modules.
DATA ?= testdata/crashers

bench-crashes: TIME = 60s

bench-crashes:
	$(GO) run ./cmd/fuzzmut-bench crashes -time $(TIME) -reps $(REPS) -data $(DATA) $(TARGETS)

# Does a run report each bug that it meets as one bucket? A minute for each module.
bench-met: TIME = 60s

bench-met:
	$(GO) run ./cmd/fuzzmut-bench met -v -time $(TIME) -data $(DATA) $(TARGETS)

# The cost of an execution by workers, mutants and bytes, on generated packages; ten
# minutes.
bench-scaling:
	$(GO) run ./cmd/fuzzmut-bench scaling -time $(TIME) -reps $(REPS)

# The figures of Holmes and Groce, computed anew from the data that were published,
# which DATA names; a minute.
bench-taming: DATA = ../shared/triage-data

bench-taming:
	$(GO) run ./cmd/fuzzmut-bench taming -data $(DATA)

# How well failing inputs are sorted whose bugs are known, against other methods, and
# how soon the repairs come to the line of the true fix: TARGETS names some of the
# modules, as jsonparser@v1.1.1 another version, OPERATORS other operators than usual.
# What the proxy does not serve is left out. Ten minutes for nine modules.
OPERATORS ?=

bench-triage:
	$(GO) run ./cmd/fuzzmut-bench triage -operators "$(OPERATORS)" -data $(DATA) $(TARGETS)

# Mutation testing by modules' own tests, against gremlins if the module proxy
# serves it: PEERS=false leaves that out, which takes minutes.
PEERS ?= true

bench-mutation:
	$(GO) run ./cmd/fuzzmut-bench mutation -reps $(REPS) -peers=$(PEERS)

# How soon the faults of the machines in testdata/ifc are found: MACHINE is stack or
# register. A strategy that misses a fault makes TESTS tests, or runs for a minute:
# an hour and more for all strategies at REPS=30.
.PHONY: bench-ifc
MACHINE ?= stack
TESTS ?= 3000000
STRATEGIES ?= derived,blind,bytes,fuzzchick,mutagen,default,by-hand

bench-ifc: REPS = 30

bench-ifc:
	$(GO) run ./cmd/fuzzmut-bench ifc -machine $(MACHINE) -reps $(REPS) -tests $(TESTS) -strategies $(STRATEGIES)

# How soon faults are found that are put into wazero's WebAssembly validator and
# interpreter, which the module proxy serves: FAULTS selects some of them, by number.
# A strategy that misses a fault makes TESTS tests, or runs for a minute: about two
# hours for all strategies.
.PHONY: bench-wasm
FAULTS ?=

bench-wasm: REPS = 10
bench-wasm: TESTS = 1000000
bench-wasm: STRATEGIES = derived,bytes,fuzzchick,mutagen,default

bench-wasm:
	$(GO) run ./cmd/fuzzmut-bench wasm -reps $(REPS) -tests $(TESTS) -strategies $(STRATEGIES) -faults "$(FAULTS)" -o "$(RUNS)"

# How soon the faults of the workloads in testdata/properties are found by derived
# generators: ours, and those of pgregory.net/rapid, by themselves and below go test
# -fuzz. A run that misses a fault makes 100,000 tests, or takes ten seconds of
# processor time: an hour at REPS=3.
.PHONY: bench-properties
WORKLOADS ?= bst,bst-ops,rbt,rbt-ops,stlc

bench-properties:
	$(GO) run ./cmd/fuzzmut-bench properties -workloads $(WORKLOADS) -reps $(REPS)

# How many runs find a fault in which nothing is set: fuzzmut.Gen, fuzzmut.Machine,
# rapid's derived generators and its state machine. A run takes up to a second, all of
# them about 15 minutes at REPS=20.
.PHONY: bench-defaults
bench-defaults:
	$(GO) run ./cmd/fuzzmut-bench defaults -reps $(REPS)

# How many times the processor time of a loop that is written by hand fuzzmut.Gen takes for a value
# that it draws and tests: ROUNDS rounds of 10,000 values on either side. A minute.
.PHONY: bench-throughput
ROUNDS ?= 15

bench-throughput:
	$(GO) test -count=1 -v -run '^TestThroughput$$' ./testdata/properties/throughput -rounds $(ROUNDS)

# What fuzzmut diff finds between releases of modules, which testdata/pairs describes, and
# beside it a replay of a corpus, a search that coverage alone leads and one without mutants,
# for TIME each: PAIRS names some of them. The modules come from the module proxy. Some six
# hours for all.
.PHONY: bench-diff
PAIRS ?=

bench-diff: TIME = 60s

bench-diff:
	$(GO) run ./cmd/fuzzmut-bench diff -time $(TIME) $(PAIRS)

# Whether the inputs of known reports that cost too much are found, and the versions after the
# fix are not complained of: TIME for each version, REPORTS names some. What was found before the
# fix is run in both versions. Modules and toolchains come from the module proxy. Some twenty
# minutes for all.
.PHONY: bench-cost
REPORTS ?=

bench-cost: TIME = 60s

bench-cost:
	$(GO) run ./cmd/fuzzmut-bench cost -time $(TIME) $(REPORTS)

# The same of what an oracle that is asked for finds: known reports, and twenty packages without
# one. Some ten minutes, and two.
.PHONY: bench-cost-overflow bench-cost-race
bench-cost-race:
	$(GO) run ./cmd/fuzzmut-bench cost -oracle race -time 5s

bench-cost-overflow:
	$(GO) run ./cmd/fuzzmut-bench cost -oracle overflow -time 10s
	$(GO) run ./cmd/fuzzmut-bench cost -oracle overflow -targets -time 10s

# Twenty packages without a report, which are silent or have findings to look at by hand, and
# what the search takes from the executions of some: half an hour, and a quarter. With -equal the
# latter says how much equal runs differ.
.PHONY: bench-cost-targets bench-cost-price
bench-cost-targets:
	$(GO) run ./cmd/fuzzmut-bench cost -targets -time 60s

bench-cost-price:
	$(GO) run ./cmd/fuzzmut-bench cost -price 3 -time 15s semver toml cron etree csv dns jsonparser shellwords glob

# How many mutants that the unit tests of four modules do not kill fuzzmut diff finds, each
# taken for the change: 50 of each module, with TIME to search. One and a half hours.
.PHONY: bench-diff-mutants
bench-diff-mutants: TIME = 20s

bench-diff-mutants:
	$(GO) run ./cmd/fuzzmut-bench diff-mutants -time $(TIME)

# The first hour of a user, played command by command on modules of the module proxy, with
# this commit installed from a proxy of its own: SESSIONS names files of testdata/hour.
# Each takes some minutes, since its build cache is empty.
.PHONY: bench-hour
SESSIONS ?=

bench-hour:
	$(GO) run ./cmd/fuzzmut-bench hour $(SESSIONS)

# Runs of the real command that are harmed: what is lost, left behind, or said that is
# not so. Workers and coordinators are killed, files damaged, disks full, and fuzz tests
# misbehave. TIMES multiplies the counts, ROWS selects rows or kinds by how their names
# begin. Forty minutes on two processors; full disks want the right to mount. Stderr
# shows how far it is.
.PHONY: bench-faults
TIMES ?= 1
FAULT_SEED ?= 1
ROWS ?=

bench-faults:
	$(GO) run ./cmd/fuzzmut-bench faults -n $(TIMES) -seed $(FAULT_SEED) $(ROWS)

# Proofs of the rewriter on the modules of testdata/targets/prove.txt, which take
# minutes to an hour: NAMES selects packages, N is the number of mutants compiled
# alone for each module, SEED draws them.
.PHONY: prove-dormant prove-schemata prove-verdicts
NAMES ?=
N ?= 200
SEED ?= 1

# Every mutant of the rewriter's own programs against its plain edit, of which the
# tests compare a part: ten minutes.
.PHONY: prove-programs
prove-programs:
	$(GO) test -timeout 60m -run DoAsThePlainEdits ./instrument/schemata -every=1

# goldmark has a test that allows itself five seconds, and this setting for slow machines:
# a traced run is slower by more than ten times.
prove-dormant: export GOLDMARK_TEST_TIMEOUT_MULTIPLIER ?= 50
prove-dormant:
	$(GO) run ./cmd/fuzzmut-prove dormant $(NAMES)

prove-schemata:
	$(GO) run ./cmd/fuzzmut-prove schemata -n $(N) -seed $(SEED) $(NAMES)

# What fuzzmut test says against a process for each mutant: about ALONE mutants of each
# package, 0 for all. WORK is a directory that keeps what is done when it is interrupted.
ALONE ?= 0
WORK ?=

prove-verdicts:
	$(GO) run ./cmd/fuzzmut-prove verdicts -n $(ALONE) -seed $(SEED) -work=$(WORK) $(NAMES)
