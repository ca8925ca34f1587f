/*
Fuzzmut is a fuzzer for Go fuzz tests that is guided by mutants.

It takes the fuzz tests that a package has, and makes many small changes
(mutants) to the code under test. An input is worth keeping if it covers new
code, as with go test -fuzz, or if it tells a mutant from the original: the
mutant is then killed. What remains is a small corpus in Go's own format that
plain go test replays, a list of failing inputs, and a list of surviving
mutants: changes to the code that neither the inputs nor the assertions notice.

	fuzzmut ./pkg

Nothing has to be added to go.mod or to the code.

# Usage

	fuzzmut [fuzz] [flags] [packages]      fuzz, guided by mutants: the main job
	fuzzmut test [flags] [packages]        run the packages' own tests against the mutants
	fuzzmut mutants [flags] [packages]     list the mutants, or show one
	fuzzmut score [flags] [packages]       run the corpus as it stands against all mutants
	fuzzmut corpus regen [flags] [packages]
	                                       bring corpora up to date with changed code
	fuzzmut corpus verify [flags] [packages]
	                                       compare what the corpus makes of the code
	                                       with its golden values
	fuzzmut corpus minimize [flags] [packages]
	                                       remove entries that the others make needless
	fuzzmut corpus merge [flags] [directories]
	                                       add inputs of other corpora
	fuzzmut corpus export [flags] directory
	                                       write corpora for libFuzzer and AFL
	fuzzmut triage [flags] [packages]      sort failing inputs by the bugs they show
	fuzzmut hook install [flags]           have git verify and regenerate before a commit
	fuzzmut hook uninstall                 remove that hook
	fuzzmut hook run [flags]               do what the hook does
	fuzzmut merge [flags] files            join results of fuzzmut test -json
	fuzzmut plot [flags] logs              draw what fuzzmut -log has written
	fuzzmut help [topic]                   print this manual, or one of its sections
	fuzzmut version                        print the version

Packages are named as for the go command; the default is the package in the
current directory. All their fuzz tests, or for test all their tests, are run, one
package after the other. Flags may stand before and behind the packages; "--"
ends them. A package whose path is the name of a command is written with ./
before it.

The topics of help are the headings of this manual, in lower case and with
hyphens: usage, flags, build-flags, versions-of-go, engines, dictionaries, study, filters,
oracles, accepted-mutants, tests, changed-code, shards, earlier-verdicts, operators, directives,
derived-fuzz-tests, structured-inputs, corpus,
regeneration, minimising, merging, golden-values, hook, failing-inputs, triage, output, json,
json-of-test, json-of-minimize, json-of-export,
json-of-write-test, json-of-verify, json-of-triage, log, exit-codes.

# Flags

For fuzz, score, triage, corpus minimize, corpus merge and corpus export:

	-fuzz regexp     the fuzz tests to run; default all
	-corpus dir      where the resulting entries go, and where score reads
	                 entries from besides testdata; see "fuzzmut help corpus"

For corpus regen, besides those of fuzz:

	-diff rev        work on functions that have changed since a revision; "-" reads
	                 a patch; see "fuzzmut help regeneration"

For hook install and hook run, besides build flags, -fuzztime, -C and those about
mutants:

	-budget t        time that a commit may take; default 20s. 0s only verifies
	                 golden values; see "fuzzmut help hook"

For score:

	-baseline file   mutants that may live, each with a reason; see
	                 "fuzzmut help accepted-mutants"
	-new-only        show only mutants that live and are not in that file; exit
	                 code 4 if there are any
	-write-baseline  bring the file up to date, or make it

For test:

	-run regexp      the tests to run, as -run of go test takes it; default all
	-diff rev        only mutants of functions that have changed since a revision;
	                 "-" reads a patch; see "fuzzmut help changed-code"
	-shard k/n       only the k-th of n parts of the mutants; see
	                 "fuzzmut help shards"
	-resume          go on with the last run of the same code, after Ctrl-C say
	-fresh           reuse no verdicts of earlier runs; see
	                 "fuzzmut help earlier-verdicts"

For corpus verify, which has -fuzz, too:

	-update          accept what is observed: write the golden values anew; see
	                 "fuzzmut help golden-values"
	-write-test      write a test file that compares them with go test alone, or
	                 bring it up to date

For fuzz, score, test, corpus merge, and but for -min-score triage and the other
commands of corpus:

	-parallel n      processes; default one for each processor
	-timeout t       longest time for one execution, by the clock; default 10s; a
	                 mutant has a quarter of it. It stands behind a bound on the
	                 work done that is the same on any machine. For test: of one
	                 test; default 10s, or a multiple of what it takes without a
	                 mutant if that is more
	-memlimit n      memory of each process: 512MiB, 2GiB; default 2GiB; "off" for
	                 no limit. The garbage collector runs before a process reaches it,
	                 and else when a small heap has grown by 32 MiB, a large one
	                 by half; GOGC and GOMEMLIMIT in the environment go before
	-min-score s     exit code 4 if the mutation score is below s: 0.8 or 80%, or
	                 would be if mutants that were not judged survived. With several fuzz tests, or the tests of several packages,
	                 what one of them kills is killed. merge has it, too

For fuzz alone:

	-fuzztime t      for each fuzz test: a duration, as 30s, or a number of
	                 executions, as 20000x; default 60s
	-seed n          determines the random choices; default: drawn, and reported.
	                 With a number of executions and -parallel 1, two runs with
	                 the same seed do the same
	-engine name     guided (default) or native; see "fuzzmut help engines"
	-filter name     which mutants an input is run with: adaptive (default), all,
	                 random:K, least-executed:K, split or none; see
	                 "fuzzmut help filters"
	-inputs name     how inputs that are values of a Go type are bred: default,
	                 derived, blind, fuzzchick, mutagen or bytes; see
	                 "fuzzmut help structured-inputs"
	-write-types     write to fuzzmut_types_test.go which types implement the
	                 interfaces in inputs, then fuzz; see
	                 "fuzzmut help structured-inputs"
	-dict file       tokens to make inputs of, in AFL's format; may be repeated; see
	                 "fuzzmut help dictionaries"
	-log file        write how coverage and kills grow; see "fuzzmut help log"
	-study           study the operands of comparisons (default); -study=false
	                 does without. See "fuzzmut help study"
	-golden          write golden values for seeds and entries (default);
	                 see "fuzzmut help golden-values"
	-write-test      write the derived fuzz tests into their packages, and do not
	                 fuzz; see "fuzzmut help derived-fuzz-tests"
	-n               write nothing: neither corpus entries nor Go's fuzz cache.
	                 Files named by -json and -log are written. corpus minimize
	                 has it, too, and says what it would remove; so has corpus
	                 merge

For fuzz, triage and the commands of corpus that write into testdata:

	-follow-links    write there although testdata, or a directory in it, leads out of
	                 the module by a symbolic link

For corpus minimize and corpus merge:

	-by features     what entries are kept for: kills,coverage (default), kills, or
	                 coverage, which builds no mutants

For corpus merge and corpus export:

	-package p       package of the fuzz tests; default the one in the current
	                 directory. May be repeated

For corpus minimize alone:

	-cache           minimise what lies in Go's fuzz cache, not the corpus
	-prune           remove entries that no fuzz test can read, of those that
	                 fuzzmut wrote; see "fuzzmut help minimising"

For fuzz, score, test, triage, mutants and the commands of corpus:

	-C dir           run as in that directory: packages, -mutate, -corpus and
	                 -crashers are relative to it. The files of -json, -log, -dict and -baseline
	                 are not
	-mutate p,q      patterns of the packages to mutate; default the package whose
	                 tests are run, and for triage all packages of its module that
	                 they need. May be repeated
	-generated       mutate generated files, too: those with a line "// Code
	                 generated ... DO NOT EDIT." before the package clause
	-operators a,b   names of mutation operators, or default, strong, all or guards;
	                 see "fuzzmut help operators". For triage the default is
	                 statement-deletion,condition-negation,guards

For these and merge:

	-json file       write the result as JSON; "-" is the standard output, and
	                 then the text goes to the standard error output
	-v               show everything: all surviving mutants, all reasons; mutants
	                 shows what was left out, too, and why
	-q               show errors, and the last line of the result

For triage alone:

	-crashers dir    failing inputs besides those that fuzzing has left: files in
	                 Go's format, or, for a fuzz test of a single string or
	                 []byte, any files. May be repeated
	-first name      the input to look at first, by its file's base name
	-triagetime t    for each fuzz test; default 60s. What has not been run with
	                 mutants by then is sorted by what is known
	-tests           repairs must not break the package's own tests either
	                 (default); -tests=false does without
	-write           write one input of each bucket to testdata/fuzz, where
	                 go test runs it
	-since rev       whether the representatives fail with the package as it was at
	                 a revision of git, too, and if not, the first commit after it
	                 with which they do, and how many of each bucket's inputs
	                 fail there; -triagetime bounds that once more
	-labels file     the bugs that the inputs show: a JSON object with a string, or
	                 an object with a member "bug", for each input's name. The
	                 result then says how soon each bug comes
	-curve file      draw that, as SVG

For merge alone:

	-allow-missing   let -min-score judge by the shards that were given, and by the
	                 mutants that were judged; without it exit code 4 if shards are
	                 missing or were interrupted

For mutants alone:

	-show id         print one mutant as a unified diff of the source, which
	                 git apply takes. The beginning of an ID will do, if it is
	                 the only one that begins so

For plot alone:

	-o file          where the picture goes; default the standard output
	-x quantity      of the horizontal axis: time (default) or executions

# Build flags

These flags of go build are passed to the go command:

	-a -asan -asmflags -buildvcs -gcflags -ldflags -mod -modcacherw -modfile
	-msan -p -pgo -race -tags -toolexec -trimpath -work -x

Others that "go help build" lists, of a later go command, are passed to it as well.
GOFLAGS and the other variables of "go help environment" apply as well. The
flags -n, -v and -json have meanings of their own here, and -run is one of test.
These flags are refused, with the reason:

	-buildmode -c -compiler -count -cover -covermode -coverpkg -coverprofile
	-exec -fuzzminimizetime -gccgoflags -installsuffix -linkshared -o -overlay
	-pkgdir -run -vet

# Versions of Go

Go 1.26 and 1.27 are supported, installed or downloaded by the go command: which one is
used is as for the go command, by PATH, go.mod and GOTOOLCHAIN. An older one is refused:
exit code 2. With a later one, what is added to package testing and does not fit is left
out, and a warning names the version and what is lost. Without the hooks of F.Fuzz
nothing can be fuzzed, and without those of M.Run and of what runs tests, test can't
work: exit code 2, and the message names the toolchain to use, as in
GOTOOLCHAIN=go1.27.3. Source that a later Go compiles than the one that built fuzzmut may
be beyond it; the message says so, and how to build fuzzmut.

# Engines

guided runs the fuzz target many times within one process, with coverage
counters in the source of the mutated packages and of the other packages of the
same module, and schedules inputs and mutants itself. A failing input does not
end the run.

native runs go test -fuzz on the same rewritten package. A kill counts as new
coverage, so that Go's own engine keeps the input. It is there for
compatibility, and for comparison.

# Dictionaries

New inputs are made of old ones, and of tokens: the string and character literals
of the rewritten packages, their numbers of more than one byte, the names in
struct tags, the constants that stand in comparisons, case labels and keys of
maps, wherever these are declared, and the words and quoted strings of seeds and
corpus entries that pass. -dict adds those of a file in AFL's format:

	# a comment
	tag_open="<a href="
	number@1="1e\x2b9"
	"\"quoted\" and a \\"

A name and a level may stand before the value; neither matters. In a value, a
backslash stands before a quote, a backslash, or x and two hexadecimal digits.

# Study

An input that is new to the corpus is studied, with a fifth of all executions at
most: it is run once more, and the operands of its comparisons are recorded. Where
one of them stands in the input, as a number of any width and byte order, in
decimal, hexadecimal or base64, in upper or lower case, the other one is put in
its place. That leads through magic numbers, keywords, lengths and checksums,
which random changes do not find. Only comparisons that have come out in one way
so far are worth it.

Mutants that move a limit, < to <= or < 100 to < 101, are told from the original
only by an input that reaches the limit exactly. If the operands are computed, as
sums and lengths are, the input that comes nearest is changed step by step, with a
tenth of all executions at most, and run with these mutants as soon as it is there.
With -study=false nothing of all this is done.

# Filters

An input that is worth it is run with some of the mutants that are still alive
and whose value it changes at least once (that it infects). The filter says with
which:

	adaptive           spends a share of the work on mutants that moves to where
	                   it brings more kills: to new coverage, or to mutants; lets
	                   inputs wait that are kept for their coverage anyway;
	                   prefers mutants not yet run on that path through the code;
	                   runs those seldom that were infected often and never killed
	all                all of them
	random:K           K of them, by lot
	least-executed:K   the K that were run least often
	split              none in the first half of the time, then all
	none               none: coverage only, the baseline

# Oracles

A mutant is killed by an input that passes on the original if, with the mutant,

	assertion    the fuzz test fails
	panic        the code under test panics
	fuel         it does many times the work of the original, or never ends; one
	             that does is ended, too, when it keeps 64 MiB of memory more than
	             twice what the original does
	exit         the process exits or dies
	difference   a value that is observed differs

The first that applies is the kind of the kill. Observed are the results that
the test files get from the mutated packages, and those of functions marked
//fuzzmut:target. A mutant that is killed by a difference alone is an oracle
gap: the assertions of the fuzz test would miss such a mistake. Values that
differ from run to run of the original are left out, and reported as unstable.

The order in which a map is ranged over is not left to chance: a mutant is run in the
order of the original, and the original in eight orders, which are all that a map of
up to eight entries has. Nor does a sync.Pool keep anything from one input to the
next. What the time, random numbers, goroutines, select or addresses of memory decide
differs from run to run as ever.

A mutant is one of

	killed         an entry of the resulting corpus kills it
	survived       entries reach it, and none kills it
	not-covered    no entry reaches it
	static         it acts while packages are initialised, and could not be run
	skipped        excluded by a directive, or it can't be changed safely

The mutation score is killed / (killed + survived + not-covered).

The summary tells of the sites, which are the places that the operators would change:
how many have mutants, how many are left out because none can be made there, and how many
because nobody would want one, with the reasons (-v: all of them). Each value in a
table is a site. If the compiler refuses rewritten code, which is a fault of fuzzmut,
what is left out for it is a warning, in the JSON too: please report it.

Mutants act before the fuzz target is first called if they are in the initialiser
of a package-level variable, in an init function, or in what these call. In the
end each of them is run in a process of its own, active from the start, on the
resulting corpus, and it is killed, too, if the process ends before the first entry.
The result tells of those that no input reaches apart from the others: what they do they
do once in a process. Packages of the standard library that
the test binary itself needs to start are left out: there they are skipped.

# Accepted mutants

Some mutants can't be killed, or need not be: they are equivalent to the original,
or change a log message. A file lists them, to be reviewed like code:

	fuzzmut score -baseline accepted.txt -write-baseline ./...
	fuzzmut score -baseline accepted.txt -new-only ./...

The first makes the file of all mutants that live: those that survived, and those
that are not covered. Each has a line with its package, its ID and its operator,
and under it room for a reason, indented; lines that begin with # are comments:

	example.com/calc 4jhgdbwre2ys conditional-boundary Eval: changed < to <=
		equivalent: at 0 both give 0

Later runs with -write-baseline keep reasons and comments, add the mutants that are
new, and take out those that are no longer needed: killed by now, or gone, since
their function has changed. Mutants of packages that are not mutated in a run, or
of operators that it does not use, stay as they are. Without -write-baseline what
is no longer needed is named, and that is no error.

With -new-only the result shows only mutants that live and are not in the file, and
the exit code is 4 if there are any: what to run before a change is merged. The
score counts all mutants, accepted or not, and so does -min-score.

# Tests

"fuzzmut test" judges mutants by the tests that a package has: test functions,
examples with output, and fuzz tests with their seeds. Nothing is fuzzed, and
nothing is written in the tree.

	fuzzmut test ./...
	fuzzmut test -mutate ./... ./...

The first mutates each package and runs its own tests. The second mutates all
packages and runs all tests, as -coverpkg does for coverage: a mutant is killed
if the tests of any package kill it.

The tests have to pass by themselves, each time: see exit code 3. Only tests in
which a mutant computes another value than the original are run with it, and only
until one fails. They share processes that switch from mutant to mutant in place.
What such a process says is checked in a new one where it may come from what was
left behind; mutants in package-level initialisers, and tests that pass only once
in a process, have processes of their own. TestMain runs as ever, once in each
process. A mutant is killed by a test that passes without it if, with it,

	assertion    the test fails
	panic        it panics
	fuel         it does many times the work of the original, or never ends
	exit         the process exits or dies
	timeout      it blocks: -timeout has passed
	memory       it uses more than -memlimit

Results are not compared: what no test asserts, no test kills. The other mutants

	survived       tests reach it, and none fails, or none sees another value
	not-covered    no test reaches it
	skipped        it is excluded by a directive, or can't be changed safely
	pending        the run was interrupted before its turn

The mutation score is killed / (killed + survived + not-covered).

# Changed code

-diff main restricts the mutants to functions and package-level variables of
which a line differs between the work tree of git and the revision main. Files
that git neither knows nor ignores count as new. "-diff main..." takes the
revision at which the current branch left main, which is what a pull request
shows. A function counts as changed if a line between its "func" and its closing
brace is; changes to constants and types, and in the tests, are no changes of
functions.

-diff - reads a unified diff from the standard input. It has to be applied: its
new side is what the files hold. Paths are relative to the root of the git
repository, or to the directory the command runs in.

# Shards

-shard 2/4 judges the second of four parts of the mutants. A mutant's ID decides
which part it is in, whatever becomes of the code elsewhere. To divide the work
among machines, give each one a shard of the same code, and join the results:

	fuzzmut test -shard 1/2 -json a.json ./...
	fuzzmut test -shard 2/2 -json b.json ./...
	fuzzmut merge -min-score 80% -json all.json a.json b.json

Results of different code can't be joined. A shard that is missing is named; with
-min-score the exit code is 4 then, unless -allow-missing is given: a score of some
shards is not that of the code.

# Earlier verdicts

Each verdict is kept as soon as it is final, in $GOCACHE/fuzz/fuzzmut-test, which
go clean -fuzzcache removes. Ctrl-C or a crash loses none.

-resume goes on with the last run of the same code, tests, packages and flags: its
verdicts count as those of this run. If there is none, the run begins anew and
says so.

In any case, unless -fresh is given, a mutant is not run again if the last verdict
on it was given under the same circumstances: its operator, the source of its
function, what the package declares besides functions, the tests that reach it,
all test files of the package and the names, sizes and times of the files in its
testdata directory, go.mod and go.sum, the build flags, the variables of the
environment that begin with GO or CGO_, -timeout and -memlimit, and the versions
of Go and fuzzmut. The result counts and marks such mutants as reused. A verdict is reused
although another function has changed that the tests call: what that can do to
a mutant, a run with -fresh tells.

Runs in one tree at the same time share what is kept.

# Operators

The groups are nested: default has the operators of PIT's default set and those
of Andrews, Briand and Labiche (statement deletion, negated conditions, operator
and constant replacement); strong has more of the same kinds and Go's own; all
has every operator that plants a fault. The group guards stands apart: its
mutants are repairs, checks before a statement that could panic. -operators takes
names and groups, separated by commas.
"fuzzmut mutants" shows what they make of a package, "fuzzmut help operators"
lists them.

# Directives

Comments in the code under test that begin with //fuzzmut: and stand alone, or
for ignore also at the end of a line:

	//fuzzmut:target
		on a function or method: its results are observed wherever it is
		called, not only where the fuzz test calls it. If none does, one is
		derived: see "fuzzmut help derived-fuzz-tests".
	//fuzzmut:target property
		its result, a bool or an error, says whether the input fails. Other
		words, nil and fuzz, are told there.
	//fuzzmut:ignore reason
		no mutants: on a line or before a statement, of that; in the comment
		of a function, of the function; before the package clause, of the
		file. The reason is shown with the mutants that are left out.
	//fuzzmut:compare
		on a function func(a, b T) bool: it decides whether two observed
		values of type T are equal.

# Derived fuzz tests

A function needs no fuzz test to be fuzzed, but the line

	//fuzzmut:target

in the comment above it. If no fuzz test of the package calls the function, itself or
by functions of the test files, and none is called FuzzName after it (for a method,
FuzzType_Name), fuzzmut derives one. Only the test binary has it: nothing is written, and
go.mod need not require anything. An exported function will do as it is; for one that is
not exported, the directive is "//fuzzmut:target fuzz".

Strings, []byte, numbers and bools become arguments of the fuzz test as they are. With
any others the arguments become the fields of a struct that package fuzzmut derives
values of (see "fuzzmut help structured-inputs"), and so does the receiver of a method.
None of them is a nil pointer, unless the directive is "//fuzzmut:target nil": few
functions are meant for that. Pointers within values may be nil. A context.Context or
testing.TB is that of the test, the readers of package io read an input, its writers
write to a buffer, an error is made of its text. Type parameters stand for the first
plain types that satisfy their constraints, and interfaces hold the implementations that
the module has. Arguments of which no values can be made, channels and functions among
them, are refused, with the reason; if the package has other fuzz tests that is only
told.

What the function returns is observed: mutants and golden values know its results. It is
taken for a property if its only result is a bool or an error, and its name begins with
Prop or Property, or the directive is "//fuzzmut:target property". Then false, or an
error, is a failure. Properties may stand in test files. With an argument t testing.TB,
fuzzmut.Assume(t, ...) or t.SkipNow() discards an input.

The corpus and the golden values of a derived fuzz test are kept in
$GOCACHE/fuzz/fuzzmut-derived, which go clean -fuzzcache empties, and all commands but
corpus regen and the hook work with them. To keep them, and for go test to run them:

	fuzzmut -write-test ./pkg

writes the fuzz tests, each to a file of its own, with their corpora and golden values,
and does not fuzz. They are yours to change. No file is overwritten.

# Structured inputs

A fuzz test takes values of any type, structs, trees and interfaces among them,
if it calls fuzzmut.Fuzz in place of f.Fuzz, of the package

	github.com/fuzzmut/fuzzmut/fuzzmut

Its inputs are of type []byte, and every one stands for a value; so go test and go
test -fuzz run it as they run others, and the corpus has their format. Seeds are
given as values, with fuzzmut.Add; inputs for which the test says nothing are
discarded with fuzzmut.Assume; inputs that fail are shown as Go source.
fuzzmut.Gen tests values in an ordinary test and makes those that fail smaller.
"go doc github.com/fuzzmut/fuzzmut/fuzzmut" tells the rest.

Under this command it is the values that are changed, not the bytes: parts of them
are drawn anew, left out, repeated, replaced by parts of the same type of other
inputs, or by numbers and texts that others were compared with. -inputs says how:

	default      by all of that, by the strategies' own choice of parents and by the
	             schedule of the corpus, and by changes of bytes; most often in the
	             way that has lately brought most for the work it takes
	derived      each value is drawn anew, whatever came of others
	blind        a few numbers of a value just drawn are drawn again
	fuzzchick    random changes of values that covered something new, those that
	             were not discarded first (FuzzChick, OOPSLA 2019)
	mutagen      every change of one step, at every place of such a value, those
	             first whose runs leave all others the soonest (MUTAGEN, 2023)
	             mutagen+inherit leaves out the places that the parent has been
	             through, mutagen+mixed one time in two; mutagen+fragments puts in
	             parts of others; +no-reset and +unordered leave out those ideas
	bytes        as inputs of other fuzz tests, without regard to the values

For all of them an input is worth keeping, and changing further, if it covers new
code or is the first to kill a mutant. All but default and bytes leave -study aside.
For default it looks for what was compared among the parts of the value, numbers,
texts and lengths of lists, in whatever way these are encoded.
For fuzzchick and mutagen an input's run is known by its blocks and how often they
ran, and the order in which blocks leave what was seen is that of comparisons.

Where a value has an interface, the test has to say which types implement it: what a
file of the corpus means must not depend on who reads it, this command or go test.
-write-types looks for them, among the types of the module that the tests can name and
that are not declared in test files, and writes calls of fuzzmut.Implementations to
fuzzmut_types_test.go, to be committed. Later runs with -write-types add new types
behind those that are there, so that inputs mean what they meant; one that is gone
changes that. Interfaces that other files say something about are left to these.
Without the file a run names the calls that are missing: exit code 3. The constants
that a type has names for need no file: this command draws them more often than other
values, and any other value remains possible. fuzzmut.Values leaves no others.

The result says how many inputs were discarded, and where. If all were, nothing was
tested, and a warning says so. Inputs are written as fuzzmut.Encode would. A file of
the corpus that has more bytes than its value needs, as when its type has lost a
field, is used as far as it fits; a warning names the first and counts them. A
function of fuzzmut.Generate or fuzzmut.Mutate that panics ends the run: exit code 3.

# Corpus

A run begins with the seeds of f.Add, the files in testdata/fuzz/FuzzX of the
package, and, if it is bounded by time, what go test -fuzz and earlier runs have
left in Go's fuzz cache. All but the last must pass: see exit code 3. The mutants
have a bounded part in that, lest the fuzzing begins after minutes.

While it runs, inputs worth keeping go to Go's fuzz cache, where go test -fuzz
and go clean -fuzzcache know them. At the end the mutants that still live are run on
them, within a bound, and the fewest and smallest of them that keep all kills and
all covered blocks are written to testdata/fuzz/FuzzX,
or to the directory named by -corpus (to its subdirectory FuzzX if there are
several fuzz tests). Their names begin with "fuzzmut-". They are ordinary
entries in Go's encoding: commit them, and go test replays them. Those that an
earlier run has written and that the others make needless now are removed; they go
to Go's fuzz cache. What is needed is told by the mutants of this run: a run with
fewer -operators than the last one may remove what only the others need. With
-filter none, with -n, and when it is interrupted, a run removes nothing.

Entries that can't be written, on a full disk say, do not count for the score. They
are kept in Go's fuzz cache, if that can be written to, and the error says so. Entries
of earlier runs are not removed then.

If git ignores testdata/fuzz or testdata/fuzz-golden, by a pattern as fuzz/, a warning says
so, once in a run, and which line of .gitignore helps.

Where testdata, testdata/fuzz, testdata/fuzz-golden or the directory of the fuzz test in
these leads out of the module by a symbolic link, nothing is written, and nothing run:
exit code 2, unless -follow-links is given.

Each file is written under a temporary name and renamed. Nothing else is
written in the tree, nor outside it but for Go's own caches, a temporary
directory that is removed, and the files that flags name.

# Regeneration

"fuzzmut corpus regen" brings a corpus up to date when code has changed, without
searching all of it again:

	fuzzmut corpus regen ./...
	fuzzmut corpus regen -diff main... ./...

It replays the entries that are there, fuzzes with the mutants of the changed
functions that survive, adds entries for what these and the coverage of these
functions need, and removes entries that fuzzmut wrote and that nothing needs any
more. A function counts as changed if it differs from what it was at the last
regeneration, or, if the file of the fuzz test has changed, in any case; with -diff,
as "fuzzmut help changed-code" says.
Fuzz tests for which nothing has changed are passed over, and their packages are not
built. The result tells how many mutants of the changed functions are killed that
were not before, and which mutants live that were killed after the last regeneration.

Unless -mutate is given, the packages are mutated that the golden values are of.

The defaults make it repeatable: -fuzztime 20000x, -seed 1, and one process if
-fuzztime is a number of executions. Then two machines with the same tree and -diff
write the same files, whatever their caches hold. Without -diff what counts as changed
is told by a file in $GOCACHE/fuzz/fuzzmut-regen, which go clean -fuzzcache removes;
then all counts as changed.

# Minimising

"fuzzmut corpus minimize" removes files from testdata/fuzz/FuzzX, or from the
directory named by -corpus, as long as no kill and no covered block is lost. It
takes the fewest entries that it can find, among these those that kill by
assertion, then the short ones, then the fast ones. Seeds and other files stay and
count. What is left is replayed before anything is removed.

	fuzzmut corpus minimize -n ./...             what would be removed
	fuzzmut corpus minimize -by coverage         without mutants: in a moment
	fuzzmut corpus minimize -by coverage -cache  go test -fuzz's own corpus

Only files that fuzzmut wrote are removed: a file whose name is "fuzzmut-" and the
hash of what it holds. One that was edited is the user's, as are links, files with
other names, and failing inputs. What is removed is kept in Go's fuzz cache. With
-cache that cache is what is minimised: there all entries are go test's and
fuzzmut's own.

Entries with other types than the fuzz test's are reported, since go test fails on
them, and so are those of fuzz tests that the package does not have any more: if
one was renamed, its directory is to be renamed, too. -prune removes such entries
if fuzzmut wrote them. As long as any is left the exit code is 3.

# Merging

"fuzzmut corpus merge" runs the inputs that lie elsewhere and adds those to the
corpus that cover or kill what no entry does, the fewest and smallest, as at the
end of a run. Without a directory it takes what go test -fuzz and fuzzmut have left in
Go's fuzz cache.

	fuzzmut corpus merge                            of Go's fuzz cache
	fuzzmut corpus merge -fuzz FuzzX other/ seed_corpus.zip
	fuzzmut corpus merge -package ./parser other/testdata/fuzz

A directory or zip archive holds the inputs of the fuzz test, if one is chosen, or
has directories with the names of fuzz tests. Each file tells by its content what it
is: one that begins with "go test fuzz v1" is an entry in Go's encoding, any other
the raw bytes of an input, as libFuzzer, AFL and OSS-Fuzz keep them, if the fuzz test
takes one []byte or string. What is no input is passed over, and said so, and so is
what comes after the first 256 MiB of a directory or archive. Other directories are
only read, and symbolic links that lead out of them are not followed. Failing inputs among them are reported as those of a run.

"fuzzmut corpus export dir" writes seeds and entries of each fuzz test that takes one
[]byte or string as raw files to dir/FuzzX, named as libFuzzer names them, and the
tokens of the code and the corpus as a dictionary to dir/FuzzX.dict.

# Golden values

A golden value is what was observed when an entry was run: the same results of the
same calls that tell mutants apart (see "fuzzmut help oracles"; those of
//fuzzmut:target functions are left out), and whether the target skips. With golden
values a corpus fails when behaviour changes, also where the fuzz test's own
assertions have nothing to say.

A run writes them for the seeds and entries that have none, those that it adds above
all, removes those of entries that it removes, and leaves the rest alone; -golden=false
does without.

They lie beside the corpus, in testdata/fuzz-golden/FuzzX, as text: one file for each
seed of f.Add and each entry, named by its content as the entries that fuzzmut writes. A
value is named by the function and by
how many calls of it came before, and written by its content: not by addresses, map
order, or the size of int. An error is its type and text; functions and channels are
nil or not; what is too long is cut, and a hash stands for the rest. Values that
differ between eight runs in two processes are marked as unstable and not compared.
Commit the directory. The go command does not look at it.

"fuzzmut corpus verify" runs the entries and compares. Each changed value is told with
the place of the call, the entry, and the difference, and the exit code is 1; so it is
for entries without golden values, golden values without an entry, and files that were
damaged, say by a merge. An entry on which the fuzz test fails is a difference, too.
If a fuzz test has no golden values at all, nothing is verified. "fuzzmut corpus verify
-update" accepts: it writes what is observed now, and removes what belongs to no entry.
Review the change as any other.

Calls into the packages of -mutate are observed; the files remember which, so that
verify needs the flag only to change them.

"fuzzmut corpus verify -write-test" writes fuzzmut_golden_test.go beside the fuzz tests,
for those who do not want fuzzmut in their CI: with it plain go test compares the golden
values, and needs nothing but the standard library and what the fuzz tests import. It holds copies of the fuzz tests
and of the functions of the test files that they call, so it has to be written anew when
these change, or fuzzmut itself; verify reports one that is out of date, and -update writes
it anew. Calls in methods and variables of the test files are not observed there. A fuzz test that
gives its *testing.F to another package can't be copied, unless that is package fuzzmut.

# Hook

"fuzzmut hook install" writes a pre-commit hook for git, where core.hooksPath says.
A hook that is there is kept: it runs first, and comes back with "fuzzmut hook
uninstall". The flags of install become those of hook run, which the hook calls.
With the pre-commit framework it is installed by these lines of
.pre-commit-config.yaml, rev being a version of fuzzmut:

	repos:
	  - repo: https://github.com/fuzzmut/fuzzmut
	    rev: v1.0.0
	    hooks: [{id: fuzzmut}]

The hook looks at what is staged. If that is Go code which a package is built of that
has a corpus of fuzzmut's in the index, or the corpus itself, then

	it verifies the golden values, as corpus verify does. A value that has changed
	is shown, and the commit is not made. If it is meant, accept it with
	fuzzmut corpus verify -update, and stage it. Values of seeds and entries that are
	new are added, and of those that are gone removed;

	it regenerates the corpus for the functions that are staged, as corpus regen
	does, and stages the entries and golden values that this adds or removes. It
	tells how many, and which kills are gained and lost. If -budget is not enough
	for all fuzz tests, those that are not done stay as they are, and a package for
	which it was not is passed over for an hour. -fuzztime
	replaces the part of the budget that is spent fuzzing each. An input on which the
	code fails stops the commit.

Else it ends at once. "git commit --no-verify" commits without it. While a rebase, merge,
cherry-pick or revert is under way, and for "git commit" with paths, it only verifies.

It works on a checkout of the index in $GOCACHE/fuzz/fuzzmut-hook, so that what is not
staged plays no part. In the work tree it touches only the files that it stages, and
only if they are there as they are in the index. Modules outside that go.mod and go.work
name, submodules, and what git ignores are those of the work tree.

On a server the same is done by two commands:

	fuzzmut corpus verify ./...
	fuzzmut -fuzztime 10m ./...

The first is for each push: it takes seconds, and its exit code is 1 if a value has
changed. The second is for the night; what it adds is to be committed: git apply takes the
patch. For GitHub:

	on: {push: {}, schedule: [{cron: "0 3 * * *"}]}
	jobs:
	  verify:
	    runs-on: ubuntu-latest
	    steps:
	      - uses: actions/checkout@v4
	      - uses: actions/setup-go@v5
	        with: {go-version-file: go.mod}
	      - run: go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest
	      - run: fuzzmut corpus verify ./...
	      - if: github.event_name == 'schedule'
	        run: fuzzmut -fuzztime 10m ./...
	      - if: always() && github.event_name == 'schedule'
	        run: git add --all && git diff --cached >corpus.patch
	      - if: always() && github.event_name == 'schedule'
	        uses: actions/upload-artifact@v4
	        with: {name: corpus, path: corpus.patch}

and for GitLab:

	verify:
	  image: golang:latest
	  script:
	    - go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest
	    - fuzzmut corpus verify ./...
	nightly:
	  image: golang:latest
	  rules: [{if: $CI_PIPELINE_SOURCE == "schedule"}]
	  script:
	    - go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest
	    - fuzzmut -fuzztime 10m ./...
	  after_script:
	    - git add --all && git diff --cached >corpus.patch
	  artifacts: {when: always, paths: [corpus.patch]}

# Failing inputs

Failing inputs do not end the run, and are put into buckets while it goes on. The
first is shown at once; with it a second test binary begins to be built, whose mutants
are those of "fuzzmut triage", in all packages of the module. One process of it takes
the failing inputs in the order in which they were found: what fails as one before it
is run with the few mutants that tell the buckets apart, and is counted in its bucket
if they do to it what they do there; else all mutants are tried, and what is in no
bucket opens one, is shown, and made smaller as long as it fails alike and the same
changes repair it. In the end the buckets are compared with each other, with what
their repairs break in the resulting corpus.

The search does not wait for this, which takes an eighth of its processor time at
most, and two seconds; if more comes in than that is enough for, it is done when the
search has ended, in a quarter of -fuzztime, 2 seconds at least and 20 at most, or,
where executions bound the run, to the end. After Ctrl-C nothing more is placed. What is
left then goes by the stack. Of inputs that block each mutant would have to be waited for, and of those that end the process by a fatal error
of the runtime, other than a stack overflow, each would cost a process and do nothing:
they are told apart by how and where they fail alone. Where another goroutine panics,
at most 64 mutants are tried, in the functions on the stack. Hangs go by the function
whose loop does not end. Should the second binary not build, a warning says so, every
new stack is shown, and the mutants of the run have to do in the end.

One representative of each bucket is written to testdata/fuzz/FuzzX, as go test -fuzz
does; others are kept beside Go's fuzz cache, in $GOCACHE/fuzz/<package>/FuzzX.crashers.
The result names them, a go test command that runs the representative, and changes
with which it does not fail. "fuzzmut triage" then knows more of them, and asks the
package's own tests, too.

An input may end the process: by a panic in another goroutine, a stack overflow, a
race on a map, a deadlock, more memory than -memlimit, or because it blocks longer
than -timeout. The worker is replaced, and its traceback tells where it was. Since
a goroutine may outlive the input that started it, an input that ended a process
is run again in one of its own, up to five times. It is a failing input if it ends
all of them, by SIGKILL too, as the system does when memory runs out. The same
holds for mutants: they are killed if they end the process again.

A failure that is not seen again on the same input comes and goes: it depends on
the time, on random numbers, on the order of maps, or on goroutines, as a race on a
map does. The input is run some thousand times more where no mutant has been run. If
it fails there, the failure counts as found: the result shows it with its stack, how
often it was seen, and a command that runs the input often enough for it to fail most
likely. Else it is a warning with the same counts, since a mutant may have left
something behind. Its input lies in $GOCACHE/fuzz/<package>/FuzzX.flaky, not in
testdata, where it would make go test fail now and then.

Workers that are killed from outside are replaced, and a warning counts them. What
they were running is run again, once more when all else is done. Mutants that could
not be run then either are not judged: they count neither as survivors nor for the
score.

# Triage

A night of fuzzing leaves many failing inputs for few bugs. fuzzmut triage asks of
each of them which small changes of the code make it pass: statements left out,
conditions negated, and guards, checks before a statement that would panic. Inputs
that the same changes repair are likely to show the same bug. The method is that of
Holmes and Groce, "Using mutants to help developers distinguish and debug
(compiler) faults" (2020).

It takes the seeds, the corpus directory of the fuzz test, what fuzzing has left
beside Go's fuzz cache, and the directories of -crashers. Inputs that pass are what
a repair must leave as it is: the values observed on them have to stay the same,
and so has the outcome of the package's own tests. Where -triagetime leaves no time
for these, a warning says so, and so does each repair. A change that makes another
failure of a failure does not repair it; failures are told apart by their kind, by
their message without numbers and quotations, and by the line they come from. All
packages of the module are changed that the fuzz test needs, unless -mutate names
others.

The result lists buckets, one for each bug as far as can be told, in an order that
shows another bug as soon as it can: first what fails in another place, or says
something else, then what other changes repair. Each comes with its smallest input,
made smaller still as long as it fails alike and the same changes repair it, and
with the repairs that tell most: the score of a repair is 1 if it repairs nothing
but inputs with the same repairs, and less the further what else it repairs is
away. A repair is not a fix. It says where the failure can be kept from happening;
a guard at the place of a panic is a good hint, and often hides a mistake made
earlier. -v shows what other methods suspect: coverage (changes of the path), MUSE,
MUSEUM, Metallaxis and Ochiai.

Trust it where a bucket has a guard in the function that panics, with a score near 1:
that is where and how such bugs are mended more often than not, as with an index that
is not compared with the length. It goes wrong in these ways; each has been seen with
failing inputs of old modules whose fixes are known (testdata/crashers in fuzzmut's
repository):

	no repair    No change at hand makes the inputs pass, or each breaks something.
	             A nil that comes straight from a call, as in p.current().Type, can't
	             be guarded (a directive in goccy/go-yaml 1.8.0), and leaving a
	             function early may only make its caller fail. The bucket says so:
	             stack and coverage have decided, and bugs that fail at one place
	             are one bucket. Then changes are shown that break something else,
	             if there are any in the functions on the stack.
	over-general repairs
	             A change far from the bug may keep it from being reached: with
	             yaml.v3 of March 2020 changes in how bytes are read make the inputs
	             of three bugs pass, and stand first for each. Their scores are low,
	             0.6 to 0.7, since they repair inputs with other repairs; and the
	             fewer inputs pass and the fewer tests there are, the more such
	             changes remain. Add passing inputs that are like the failing ones.
	bugs of data What was wrong has been done long before the failure, by code that
	             is right for other inputs. A guard at the failure then hides that a
	             scanner took "<<" for something else (the anchor without a name in
	             goccy/go-yaml 1.8.0), and three bugs of its parser, which fail at
	             one type assertion and have no repair, are one bucket. Look at the
	             places that coverage suspects (-v), and at who made the value.
	hangs        A hang goes by the function whose loop does not end, and that loop is
	             often right: it waits for another function to make progress. Two
	             bugs of gomarkdown of July 2024 are one bucket, by the loop over the
	             blocks that both keep busy. Its repairs often just end the input
	             elsewhere. An input that overflows the stack is looked at as one
	             that does not end.
	several places
	             A bug that shows in several places may get several buckets: places
	             are at least half the distance, so that a guard at one of them
	             does not speak for the other (an empty key in jsonparser 1.1.1).

An input that passes, that does not fail in the same way each time, that there was no
time to run, or that can't be read is listed with its status, and in no bucket. The exit
code is 1 also if failing inputs are left that could not be sorted.

# Output

Progress and the result go to the standard output: on a terminal as one line
for each fuzz test that is kept up to date, elsewhere as plain lines that come
less and less often. NO_COLOR turns colour off. Errors and warnings go to the
standard error output, each beginning with "fuzzmut:". Characters that a reader would
not see are shown escaped, as \x1b or \u202e: terminals obey some of those that panics,
source and names of files hold. JSON has them as they are.

The result shows, for each fuzz test, the score, the kills by kind, the corpus,
and the coverage; then the surviving mutants that matter most. Those with
another value than the original's come first, function by function; then those
that were reached and always had the same value. Among either, those in functions
of which a mutant was killed stand before the others: there the fuzz test looked
and did not see. Functions with survivors of which no mutant was killed are named:
it may be that the fuzz test does not look at what they compute at all. Mutants
that nothing reached are counted by function. Its last line sums up all fuzz
tests.

Ctrl-C ends the run, and the results so far are written; the second Ctrl-C ends
it at once, with all that it has started, and removes its temporary files. What could not be measured any more is not shown as a figure: if there is no
time to run the resulting corpus, it has neither a score nor a coverage.

# JSON

fuzz and score write an object with these members. Lists are never null. A
member marked "optional" is left out when it is empty, zero or false.

	version                       integer  of this format: 1
	tests                         list     one for each fuzz test that was run
	baseline.file                 string   of -baseline; the object is left out without it
	baseline.new_only             boolean  as -new-only
	baseline.accepted             integer  mutants that live and are on the list
	baseline.unexplained          integer  of those, without a reason
	baseline.new                  integer  mutants that live and are not on the list
	baseline.stale                list     mutants that are on the list without need
	baseline.stale[].package      string   import path
	baseline.stale[].id           string
	baseline.stale[].status       string   killed, static, skipped, or gone if there is no such mutant any more
	baseline.written              boolean  the list was brought up to date since
	tests[].package               string   import path
	tests[].name                  string   of the fuzz test
	tests[].engine                string   guided, native, or score or merge when nothing was fuzzed
	tests[].filter                string   as -filter takes it; empty for score and merge
	tests[].seed                  integer  as -seed takes it; 0 for score and merge
	tests[].executions            integer  inputs that the original was run on
	tests[].mutant_executions     integer  runs of a mutant on an input
	tests[].wall_seconds          number   from the first run of the test binary to the result
	tests[].cpu_seconds           number   of the workers and of fuzzmut, in that time
	tests[].fuzz_cpu_seconds      number   optional: of that, until fuzzing ended; then the corpus is chosen
	tests[].fuzz_seconds          number   optional: of wall_seconds, spent fuzzing
	tests[].execs_per_second      number   executions / fuzz_seconds
	tests[].target_share          number   of that time, the part in the fuzz target, by a sample
	tests[].corpus.before         integer  seeds and files at the start
	tests[].corpus.added          integer  files written
	tests[].corpus.after          integer  seeds and files at the end
	tests[].corpus.found          integer  inputs kept on the way, before minimisation
	tests[].corpus.dir            string   where the files were written
	tests[].corpus.files          list     of their names
	tests[].corpus.removed        list     names of files of earlier runs that were removed
	tests[].corpus.unwritten      integer  optional: new entries that could not be written, and do not count; they lie in Go's fuzz cache if it takes them
	tests[].corpus.golden         integer  entries whose golden values were written
	tests[].corpus.golden_values  integer  these values
	tests[].discards.inputs       integer  bred; the object is there only for a fuzz test of values that discards some
	tests[].discards.discarded    integer  of these
	tests[].discards.places       list     where most were discarded comes first
	tests[].discards.places[].place   string   of the call of fuzzmut.Assume: "file.go:12"; "" for t.Skip
	tests[].discards.places[].inputs  integer
	tests[].not_measured          string   optional: why it is not known what the resulting corpus covers and kills, as when the run was interrupted meanwhile; then tests[].coverage and tests[].score are left out, and mutants not known to be killed are pending
	tests[].coverage.blocks       integer  source blocks of the rewritten packages
	tests[].coverage.covered      integer  those that the resulting corpus covers
	tests[].score.mutants         integer  killed + survived + not_covered
	tests[].score.killed          integer
	tests[].score.survived        integer
	tests[].score.not_covered     integer
	tests[].score.static          integer  could not be run; not counted
	tests[].score.skipped         integer  not counted
	tests[].score.pending         integer  optional: not judged, not counted
	tests[].score.score           number   killed / mutants; 0 without mutants
	tests[].score.kill_kinds      object   kind of kill: number of mutants
	tests[].sites.sites           integer  places that the operators would change, each value in a table by itself; the object is left out if there are none
	tests[].sites.mutated         integer  those with mutants
	tests[].sites.left_out        object   reason: number of places where no mutant can be made
	tests[].sites.suppressed      object   reason: number of places where nobody would want one
	tests[].mutants               list     in the order of the source
	tests[].crashes               list     buckets of failing inputs
	tests[].flaky                 list     optional: failures that come and go
	tests[].regenerated.since     string   optional: as -diff of corpus regen takes it; the object is there only for that command
	tests[].regenerated.functions integer  that have changed and have mutants
	tests[].regenerated.mutants   integer  in them
	tests[].regenerated.gained    integer  of these, killed now and not by the corpus as it was
	tests[].regenerated.lost      list     optional: IDs of mutants that were killed after the last regeneration, and live now
	tests[].unstable              list     optional: observed values left out, and why
	tests[].warnings              list     optional: of strings
	tests[].interrupted           boolean  optional: the result is that of a part of the run

A mutant:

	mutants[].id                  string   stable when code elsewhere changes
	mutants[].operator            string   that made it
	mutants[].package             string   import path
	mutants[].function            string   as "Get" or "(*Parser).next"; empty for initialisers
	mutants[].file                string   relative to the module's root if below it
	mutants[].line                integer  from 1
	mutants[].column              integer  from 1, in bytes
	mutants[].original            string   source that is replaced
	mutants[].replacement         string   by this
	mutants[].description         string   in words
	mutants[].status              string   killed, survived, not-covered, static, skipped or pending
	mutants[].reason              string   optional: of static, skipped and pending, and of survivors that were not run
	mutants[].kill_kind           string   optional: of killed: assertion, panic, fuel, exit, timeout, memory or difference
	mutants[].killed_by           string   optional: first entry that kills it: "seed#3" or a file's name; or the test; left out if the process ends before the first
	mutants[].detail              string   optional: what was seen
	mutants[].class               string   optional: of survived and not-covered, how far inputs came with it: not-reached, not-infected (always the same value) or not-seen (another value)
	mutants[].observed            boolean  optional: of these: a mutant of the same function was killed
	mutants[].changed             boolean  optional: of corpus regen, its function has changed
	mutants[].baseline            string   optional: with -baseline, of mutants that no fuzz test kills: accepted or new
	mutants[].start.reached       boolean  before the first input, or test; the object is there only for mutants that act there
	mutants[].start.infected      boolean  its value differed there
	mutants[].start.processes     integer  of its own that it was run in, over the corpus; none if its value did not differ; not counted for tests
	mutants[].start.killed        integer  of these: in which it was killed
	mutants[].reached             integer  inputs that reached it before it was killed, among those traced; or tests
	mutants[].infected            integer  and for which its value differed
	mutants[].executed            integer  inputs that were run with it; 0 for test, which does not count them
	mutants[].tests               list     optional: of survivors: tests that reach it, 20 at the most; first those that mutants[].infected counts
	mutants[].reused              boolean  optional: the verdict is that of an earlier run
	mutants[].diff                string   optional: unified diff, of survivors

A bucket of failing inputs:

	crashes[].kind                string   panic, failure, hang, exit or death
	crashes[].message             string   of the first failing input
	crashes[].frames              list     top frames in the user's code: "pkg.Func file.go:12"
	crashes[].count               integer  failing executions
	crashes[].stacks              integer  different stacks, or places of assertions, that were joined
	crashes[].repairs             list     optional: as in the JSON of triage, at most 2
	crashes[].entries             list     paths of the inputs kept; the first is the representative
	crashes[].repro               string   command that runs the representative; empty if none was written

A failure that comes and goes:

	flaky[].kind                  string   as of a bucket
	flaky[].message               string   of the first failure
	flaky[].frames                list     likewise
	flaky[].sure                  boolean  seen at least twice, at least once without mutants: it counts as found
	flaky[].seen                  integer  failures where mutants were run, too, on any input
	flaky[].executions            integer  of the original there
	flaky[].passed                integer  runs of the input there that passed
	flaky[].runs                  integer  runs of the input there, those that passed included
	flaky[].failures              integer  without mutants
	flaky[].repeats               integer  runs of the input without mutants
	flaky[].entry                 string   path of the input; empty if it was not kept
	flaky[].repro                 string   command that runs it often; empty likewise

"fuzzmut mutants -json" writes an object with version, mutants and skips. There the
status is pending instead of killed, survived or not-covered. A skip is code left
without mutants, or an operator that did not apply: it has package, file, line, what
and reason, all as -v shows them.

# JSON of test

test and merge write an object with these members. Its mutants are as in the
section above. Two runs over the same code and tests differ in times, and in which
of several tests is first to kill a mutant, only where the tests themselves differ
from run to run; -parallel 1 keeps the order, too.

	version                       integer  of this format: 1
	diff                          string   optional: the revision of -diff, or "-" for a patch
	shard                         string   optional: as -shard takes it; of merge, several with commas if some are missing
	missing                       list     optional: of merge, the shards without a result
	packages                      list     whose tests were run
	packages[].package            string   import path
	packages[].source             string   hash of the code that is rewritten and of the tests
	packages[].tests              list     in the order of the source
	packages[].sites.sites        integer  as tests[].sites of fuzz, of the packages that are mutated, all shards together
	packages[].sites.mutated      integer
	packages[].sites.left_out     object
	packages[].sites.suppressed   object
	packages[].executions         integer  runs of a test without a mutant
	packages[].mutant_runs        integer  runs of a test with one
	packages[].processes          integer  started
	packages[].judged             integer  mutants with a verdict by these tests
	packages[].reused             integer  optional: of them, by verdicts of earlier runs
	packages[].resumed            integer  optional: of them, by verdicts of the run that -resume goes on with
	packages[].build_seconds      number   loading, rewriting and building
	packages[].wall_seconds       number   from then to the result
	packages[].cpu_seconds        number   of the tests' processes
	packages[].shared             boolean  tests share a process, which runs mutant after mutant
	packages[].reason             string   optional: which don't, and why
	packages[].interrupted        boolean  optional: the result is that of a part of the run
	score                         object   of all mutants, as tests[].score
	mutants                       list     in the order of the source
	warnings                      list     optional: of strings
	interrupted                   boolean  optional: the result is that of a part of the run

A test:

	packages[].tests[].name       string   as "TestParse"
	packages[].tests[].seconds    number   without a mutant
	packages[].tests[].kills      integer  mutants that it killed first

# JSON of minimize

corpus minimize writes an object with these members.

	version                       integer  of this format: 1
	by                            string   as -by takes it
	dry_run                       boolean  optional: nothing was removed
	tests                         list     one for each fuzz test
	tests[].package               string   import path
	tests[].name                  string   of the fuzz test
	tests[].dir                   string   of the files
	tests[].seeds                 integer  of f.Add; they count for kills and coverage
	tests[].before.files          integer
	tests[].before.bytes          integer  of the files
	tests[].before.killed         integer  mutants; 0 by coverage alone
	tests[].before.covered        integer  blocks
	tests[].after.files           integer  in a dry run: as it would be
	tests[].after.bytes           integer
	tests[].after.killed          integer
	tests[].after.covered         integer
	tests[].mutants               integer  that can be run
	tests[].blocks                integer  source blocks of the rewritten packages
	tests[].own                   integer  files that are the user's
	tests[].failing               list     optional: paths of files on which the fuzz test fails
	tests[].removed               list     names of files; in a dry run: to be removed
	tests[].wall_seconds          number   from the first run of the test binary on
	tests[].warnings              list     optional: of strings
	stale                         list     files that no fuzz test can read
	stale[].path                  string
	stale[].reason                string
	stale[].mend                  string   what to do
	stale[].managed               boolean  written by fuzzmut, and not changed since
	stale[].removed               boolean

# JSON of export

corpus export writes an object with these members. corpus merge writes what fuzz
writes, with the engine "merge".

	version                       integer  of this format: 1
	tests                         list     one for each fuzz test
	tests[].package               string   import path
	tests[].name                  string   of the fuzz test
	tests[].dir                   string   of the raw files
	tests[].files                 integer  in it that hold the corpus
	tests[].dictionary            string   its path
	tests[].tokens                integer  in the dictionary
	tests[].reason                string   optional: why nothing was written

# JSON of write-test

fuzz -write-test writes an object with these members.

	version                       integer  of this format: 1
	tests                         list     one for each fuzz test that was written
	tests[].package               string   import path
	tests[].name                  string   of the fuzz test
	tests[].function              string   that it is for
	tests[].path                  string   of its file, relative to the module
	tests[].entries               integer  of its corpus that were copied with it
	tests[].golden                integer  files of golden values, likewise
	tests[].go_get                string   optional: for go get -t, a module it needs

# JSON of verify

corpus verify writes an object with these members. Paths are relative to the module.

	version                       integer  of this format: 1
	tests                         list     one for each fuzz test
	generated                     list     test files that were written
	tests[].package               string   import path
	tests[].name                  string   of the fuzz test
	tests[].none                  boolean  optional: there are no golden values
	tests[].entries               integer  seeds included
	tests[].values                integer  of all entries, that are what they were
	tests[].unstable              integer  values that are not compared
	tests[].changed               integer  values that are not what they were, new ones and missing ones included
	tests[].failing               integer  entries on which the fuzz test fails; none of their values is counted
	tests[].changes               list     those of tests[].changed and tests[].failing
	tests[].files                 list     golden files that are not as they should be
	tests[].updated               boolean  optional: -update has accepted the changes
	tests[].written               list     names of golden files that were written
	tests[].removed               list     names of golden files that were removed

A changed value:

	changes[].entry               string   file of the entry, or "seed#0"
	changes[].value               string   its name, as "calc.Eval #2 result 0 (int64)"
	changes[].function            string   optional: as "calc.Eval"
	changes[].file                string   of the call
	changes[].line                integer  of the call
	changes[].want                string   the golden value; "" if there is none
	changes[].got                 string   the value now; "" if there is none
	changes[].failure             string   optional: why there is none: the fuzz test fails

A file:

	files[].path                  string   of the golden values
	files[].kind                  string   missing, orphaned, damaged or, of a generated test, stale
	files[].text                  string   what is wrong

# JSON of triage

triage writes an object with these members. The same code and inputs give the same
result but for times, if -triagetime is enough.

	version                       integer  of this format: 1
	tests                         list     one for each fuzz test
	interrupted                   boolean  optional: the result is that of a part of the work

A fuzz test:

	tests[].package               string   import path
	tests[].name                  string   as "FuzzParse"
	tests[].operators             string   whose mutants were tried
	tests[].mutants               integer  that can be run
	tests[].passing               integer  inputs that a repair must not break
	tests[].package_tests         integer  tests, likewise; 0 if none were run
	tests[].not_run               integer  optional: inputs that there was no time to run
	tests[].mutant_executions     integer  runs of a mutant on an input
	tests[].wall_seconds          number   for this fuzz test, without building
	tests[].cpu_seconds           number   likewise, of all processes
	tests[].matrix_cpu_seconds    number   of it: failing inputs with mutants
	tests[].buckets               list     in the order in which to look at them
	tests[].inputs                list     likewise; those in no bucket stand last
	tests[].repairs               list     mutants with which some failing input passes
	tests[].labels                integer  optional: different labels of -labels
	tests[].discovery             list     optional: labels seen by each rank
	tests[].apfd                  number   optional: average percentage of faults detected, of 1
	tests[].warnings              list     optional: of strings

A bucket:

	buckets[].number              integer  from 1
	buckets[].kind                string   panic, failure, hang, exit or death
	buckets[].message             string   of the representative
	buckets[].frames              list     of the user's code, innermost first: "pkg.Func file.go:12"
	buckets[].inputs              list     names, in the order in which to look at them
	buckets[].representative      string   a small failing input, as Go source
	buckets[].path                string   optional: where an input of the bucket is kept
	buckets[].repro               string   optional: a command that reproduces that
	buckets[].revision            string   optional: of -since
	buckets[].at_revision         string   optional: fails, passes, or "not run: " and why
	buckets[].first_failing       string   optional: the first commit with which it fails, if it passes there
	buckets[].inputs_run          integer  optional: inputs of a bucket of several that were run there
	buckets[].inputs_failing      integer  optional: those of them that fail there
	buckets[].by_stack            boolean  optional: no mutant repairs these
	buckets[].repairs             list     at most 5, the best first
	buckets[].guards              list     at most 1: the best that is a guard
	buckets[].noisy               list     optional: at most 2 that break something, where there are no repairs
	buckets[].places              list     suspected lines, at most 5 for each localiser
	buckets[].rings               list     other buckets that share repairs

An input:

	inputs[].name                 string   base name of its file, or "seed#3"
	inputs[].path                 string   "" for a seed
	inputs[].size                 integer  in bytes
	inputs[].status               string   repaired, unrepaired, unfinished, not-run, passes, flaky, undecodable or duplicate
	inputs[].reason               string   optional: why
	inputs[].kind                 string   optional: as of buckets
	inputs[].message              string   optional: likewise
	inputs[].frames               list     optional: likewise
	inputs[].rank                 integer  optional: from 1
	inputs[].bucket               integer  optional: its number
	inputs[].distance             number   optional: from the nearest input with a lower rank, 0 to 1
	inputs[].repairs              list     optional: the repair vector, as indices into tests[].repairs
	inputs[].changes              list     optional: likewise, mutants with which it fails in another way
	inputs[].label                string   optional: by -labels

A repair, and its places in the buckets:

	repairs[].id                  string   of the mutant, for fuzzmut mutants -show
	repairs[].operator            string   name of the operator
	repairs[].file                string   as of mutants
	repairs[].line                integer  first line that it changes
	repairs[].end_line            integer  and the last
	repairs[].function            string   that is changed
	repairs[].description         string   what is changed
	repairs[].inputs              integer  failing inputs that pass with it
	repairs[].breaks              integer  passing inputs that it breaks, as far as they were run
	repairs[].test                string   optional: of the package's own, that it breaks
	repairs[].untried             boolean  optional: there was no time to run the package's own tests with it
	repairs[].counts              boolean  it breaks nothing, and takes part in the repair vectors
	repairs[].reason              string   optional: why it does not
	repairs[].diff                string   optional: unified diff, of those shown for a bucket
	ranked[].repair               integer  index into tests[].repairs
	ranked[].score                number   mean r_f over the bucket, 0 to 1; of noisy, the share of the bucket that passes
	ranked[].here                 integer  inputs of the bucket that pass with it
	places[].localiser            string   coverage, muse, museum, metallaxis or ochiai
	places[].file                 string   as of mutants
	places[].line                 integer  suspected: of a statement, or the first of a block
	places[].end_line             integer  and the last of a block
	places[].score                number   by this localiser; the scales differ
	rings[].distance              number   0 to 1
	rings[].buckets               list     their numbers

# Log

-log writes lines of JSON while the run goes on. For each fuzz test there is one
that describes the run:

	log                 integer  version of this format: 1
	package             string   import path
	fuzz                string   name of the fuzz test
	filter              string   as -filter takes it
	seed                integer  as -seed takes it
	fuzztime            string   as -fuzztime takes it
	parallel            integer  workers
	mutants             integer  that can be run
	blocks              integer  source blocks of the rewritten packages

and behind it points: one when fuzzing begins, one when coverage, kills or buckets
have changed, but at most four a second, or with a number of executions a thousand
in all, and one when it ends:

	seconds             number   since fuzzing began
	executions          integer  inputs that the original was run on
	mutant_executions   integer  runs of a mutant on an input
	covered             integer  blocks
	killed              integer  mutants
	corpus              integer  inputs in use
	buckets             integer  of failing inputs

"fuzzmut plot -o curves.svg 1.log 2.log" draws logs as SVG, coverage above and
kills below. Runs of the same fuzz test with the same filter make one curve: their mean, with a
band from the least to the most.

# Exit codes

	0     clean
	1     failing inputs were found, or failures that come and go, or, by triage,
	      given and not seen to pass each time; or golden values differ
	2     wrong usage, or something can't be loaded, built, read or written
	3     the baseline fails: a seed or corpus entry fails, hangs or can't be used,
	      the fuzz target is unstable, or a test fails without any mutant, always
	      or now and then
	4     the mutation score is below -min-score, or would be with the mutants that
	      were not judged, or merge lacks shards, or -new-only found mutants
	70    internal error: a mistake in fuzzmut; what was found before it is written
	130   interrupted, by Ctrl-C, SIGTERM, SIGHUP, or the end of the program that reads
	      the output, as in fuzzmut | head; the results so far are written

If several apply, the one that comes first in this list is returned: 70, 2, 130,
3, 1, 4.
*/
package main
