package main

import (
	"flag"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/search"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// sectionText returns the manual's section on a topic.
func sectionText(t *testing.T, topic string) string {
	t.Helper()
	for _, other := range topics() {
		if other.name == topic {
			return other.text()
		}
	}
	t.Fatalf("the manual has no section %q", topic)
	return ""
}

func TestPackageDocumentationBeginsAsTheManual(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if intro := helpFile("introduction"); !strings.HasPrefix(file.Doc.Text(), intro) || !strings.HasPrefix(manual(), intro) {
		t.Errorf("doc.go begins otherwise than help/introduction.txt:\n%s", file.Doc.Text())
	}
}

// headings returns the headings of a text, as names of topics.
func headings(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			names = append(names, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " ", "-"))
		}
	}
	return names
}

func TestTopicsAreTheFilesOfTheManual(t *testing.T) {
	files, err := helpFiles.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range files {
		have = append(have, strings.TrimSuffix(f.Name(), ".txt"))
	}
	want := []string{"introduction", "overview"}
	for _, topic := range topics() {
		want = append(want, topic.name)
		text := topic.text()
		if got := headings(text); !slices.Equal(got, []string{topic.name}) || !strings.HasPrefix(text, "# ") {
			t.Errorf("help/%s.txt has the headings %q", topic.name, got)
		}
		if strings.TrimSpace(text)+"\n" != text {
			t.Errorf("help/%s.txt does not end with one line feed", topic.name)
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("files (-topics +help):\n%s", diff)
	}
}

// allCommands returns the commands that can be run, by their names on the command line.
func allCommands() map[string]*command {
	all := make(map[string]*command)
	for _, name := range commandNames() {
		if c := findPath(strings.Fields(name)); c.run != nil {
			all[name] = c
		}
	}
	return all
}

func TestCommandsAreDescribed(t *testing.T) {
	if n := len(allCommands()); n < 15 {
		t.Errorf("there are %d commands", n)
	}
	for _, name := range commandNames() {
		c := findPath(strings.Fields(name))
		sectionText(t, c.topic)
		if (c.run == nil) != (len(c.commands) > 0) || (c.run == nil) != (c.flags == nil) {
			t.Errorf("%s must have either a function and flags, or commands", name)
		}
		if c.summary == "" || strings.HasSuffix(c.summary, ".") {
			t.Errorf("summary of %s: %q", name, c.summary)
		}
		if c.run == nil {
			continue
		}
		set := c.flags(name).set
		for _, flag := range c.common {
			if set.Lookup(flag) == nil {
				t.Errorf("%s has no flag -%s, which its help is to show first", name, flag)
			}
		}
		if len(c.examples) == 0 && len(c.common) > 0 {
			t.Errorf("%s has no example", name)
		}
	}
}

// TestExamplesAreValid parses the command lines of all examples.
func TestExamplesAreValid(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range allCommands() {
		for _, e := range c.examples {
			args, ok := strings.CutPrefix(e.line, "fuzzmut ")
			words := strings.Fields(args)
			if first := name == commands()[0].name; first && find(commands(), words) == nil {
				words = append([]string{name}, words...)
			}
			if found := strings.HasPrefix(strings.Join(words, " ")+" ", name+" "); !ok || !found {
				t.Errorf("example of %s: %s", name, e.line)
				continue
			}
			if err := c.flags(name).parse(words[len(strings.Fields(name)):]); err != nil {
				t.Errorf("example of %s: %s: %v", name, e.line, err)
			}
		}
	}
}

func TestManualDescribesEveryOperator(t *testing.T) {
	text := sectionText(t, "operators")
	for _, op := range operator.All() {
		if !strings.Contains(text, "\t"+op.Name+": "+op.Doc+"\n") {
			t.Errorf("no line on %s", op.Name)
		}
	}
}

func TestManualNamesEveryInputStrategy(t *testing.T) {
	for _, topic := range []string{"structured-inputs", "flags"} {
		words := strings.FieldsFunc(sectionText(t, topic), func(r rune) bool { return strings.ContainsRune(" \t\n,:;.", r) })
		for _, name := range search.Names() {
			if !slices.Contains(words, name) {
				t.Errorf("help %s does not name the strategy %s", topic, name)
			}
		}
	}
}

func TestManualNamesItsTopics(t *testing.T) {
	_, list, ok := strings.Cut(sectionText(t, "usage"), "\nThe topics, which ")
	if !ok {
		t.Fatal("the section usage does not list the topics")
	}
	_, list, _ = strings.Cut(list, ":\n")
	got := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \t\n", r) })
	var want []string
	for _, topic := range topics() {
		want = append(want, topic.name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("topics (-registered +listed):\n%s", diff)
	}
}

// TestManualRefersToWhatThereIs looks up each "fuzzmut help X" of the manual, and of the
// help on commands.
func TestManualRefersToWhatThereIs(t *testing.T) {
	text := manual() + helpFile("overview")
	for name, c := range allCommands() {
		text += c.help(name)
	}
	for _, m := range regexp.MustCompile(`fuzzmut\s+help\s+([a-z-]+(?: [a-z]+)?)"`).FindAllStringSubmatch(text, -1) {
		if words := strings.Fields(m[1]); m[1] != "all" && helpOn(words) == "" {
			t.Errorf("there is no help on %q", m[1])
		}
	}
}

// documented returns the flags that the indented lines of a section name at
// their beginning, or, if all is set, anywhere.
func documented(text string, all bool) []string {
	var names []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "\t-") {
			continue
		}
		if !all {
			fields = fields[:1]
		}
		for _, f := range fields {
			names = append(names, strings.TrimPrefix(f, "-"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestManualDocumentsEveryFlag(t *testing.T) {
	var passed, denied []string
	for _, b := range buildFlags {
		if b.deny == "" {
			passed = append(passed, b.name)
		} else {
			denied = append(denied, b.name)
		}
	}
	groups := flagGroups(helpFile("flags"))
	have := make(map[string]bool) // group and flag
	for name, c := range allCommands() {
		set := c.flags(name).set
		texts := flagTexts(groups, set, name)
		set.VisitAll(func(fl *flag.Flag) {
			if texts[fl.Name] == "" {
				t.Errorf("help/flags.txt does not tell what -%s of %s is", fl.Name, name)
			}
		})
		for _, g := range groups {
			for _, flag := range g.names() {
				switch defined := set.Lookup(flag) != nil; {
				case defined && g.isFor(name):
					have[g.title+" "+flag] = true
				case g.commands != nil && g.isFor(name):
					t.Errorf("help/flags.txt tells of -%s of %s, which it does not have", flag, name)
				}
			}
		}
	}
	for _, g := range groups {
		for _, flag := range g.names() {
			if !have[g.title+" "+flag] {
				t.Errorf("help/flags.txt, %q: no command has -%s", g.title, flag)
			}
		}
		for _, name := range g.commands {
			if allCommands()[name] == nil {
				t.Errorf("help/flags.txt, %q: there is no command %s", g.title, name)
			}
		}
	}
	before, after, _ := strings.Cut(sectionText(t, "build-flags"), "are refused")
	slices.Sort(passed)
	slices.Sort(denied)
	if diff := cmp.Diff(passed, documented(before, true)); diff != "" {
		t.Errorf("build flags passed on (-defined +documented):\n%s", diff)
	}
	if diff := cmp.Diff(denied, documented(after, true)); diff != "" {
		t.Errorf("build flags refused (-defined +documented):\n%s", diff)
	}
}

// members returns the JSON members of a struct type by path, with their types
// as the manual calls them. Lists of structs are not entered.
func members(typ reflect.Type, prefix string, out map[string]string) {
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		path := prefix + name
		kind := ""
		switch field.Type.Kind() {
		case reflect.Struct:
			members(field.Type, path+".", out)
			continue
		case reflect.Slice:
			kind = "list"
		case reflect.Map, reflect.Pointer:
			kind = "object"
		case reflect.Bool:
			kind = "boolean"
		case reflect.Float64:
			kind = "number"
		case reflect.Int, reflect.Int64, reflect.Uint64:
			kind = "integer"
		default:
			kind = field.Type.Kind().String()
		}
		if strings.Contains(options, "omitempty") {
			kind += " optional"
		}
		out[path] = kind
	}
}

// TestManualDocumentsTheJSON pins the names and types of the JSON's members: the
// manual is the contract with scripts that read it.
func TestManualDocumentsTheJSON(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.Report](), "", want)
	members(reflect.TypeFor[report.FuzzTest](), "tests[].", want)
	members(reflect.TypeFor[report.Mutant](), "mutants[].", want)
	members(reflect.TypeFor[report.Seen](), "mutants[].seen.", want)
	members(reflect.TypeFor[report.Crash](), "crashes[].", want)
	members(reflect.TypeFor[report.Flake](), "flaky[].", want)
	members(reflect.TypeFor[report.Cost](), "costs[].", want)
	members(reflect.TypeFor[report.CostPoint](), "costs[].curve[].", want)
	members(reflect.TypeFor[report.Stale](), "baseline.stale[].", want)
	members(reflect.TypeFor[report.Discard](), "tests[].discards.places[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
	listing := make(map[string]string)
	members(reflect.TypeFor[report.Listing](), "", listing)
	if diff := cmp.Diff(map[string]string{"version": "integer", "mutants": "list", "skips": "list", "untested": "list optional"}, listing); diff != "" {
		t.Errorf("listing (-manual +struct):\n%s", diff)
	}
}

// documentedMembers returns the members of JSON that a section lists, with their
// types.
func documentedMembers(t *testing.T, topic string) map[string]string {
	t.Helper()
	got := make(map[string]string)
	for line := range strings.Lines(sectionText(t, topic)) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "\t") || len(fields) < 2 {
			continue
		}
		got[fields[0]] = fields[1]
		if len(fields) > 2 && strings.TrimSuffix(fields[2], ":") == "optional" {
			got[fields[0]] += " optional"
		}
	}
	return got
}

func TestManualDocumentsTheJSONOfTest(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.TestReport](), "", want)
	members(reflect.TypeFor[report.TestRun](), "packages[].", want)
	members(reflect.TypeFor[report.TestResult](), "packages[].tests[].", want)
	members(reflect.TypeFor[report.SetAside](), "packages[].set_aside[].", want)
	for name := range want {
		if strings.HasPrefix(name, "score.") {
			delete(want, name) // as tests[].score
		}
	}
	want["score"] = "object"
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-test")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfVerify(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.Verification](), "", want)
	members(reflect.TypeFor[report.VerifiedTest](), "tests[].", want)
	members(reflect.TypeFor[report.ValueChange](), "changes[].", want)
	members(reflect.TypeFor[report.FileProblem](), "files[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-verify")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfDiff(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[behavior.Report](), "", want)
	members(reflect.TypeFor[behavior.File](), "changes[].", want)
	members(reflect.TypeFor[behavior.Hunk](), "hunks[].", want)
	members(reflect.TypeFor[behavior.Test](), "fuzz_tests[].", want)
	members(reflect.TypeFor[behavior.Reach](), "reach[].", want)
	members(reflect.TypeFor[behavior.Cause](), "causes[].", want)
	members(reflect.TypeFor[behavior.Note](), "not_compared[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-diff")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfSuggest(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[suggestion.Report](), "", want)
	members(reflect.TypeFor[suggestion.Package](), "packages[].", want)
	members(reflect.TypeFor[suggestion.Search](), "searches[].", want)
	members(reflect.TypeFor[suggestion.Open](), "open[].", want)
	members(reflect.TypeFor[suggestion.Assertion](), "assertions[].", want)
	members(reflect.TypeFor[suggestion.Case](), "cases[].", want)
	members(reflect.TypeFor[suggestion.Mutant](), "closes[].", want)
	members(reflect.TypeFor[suggestion.Note](), "left[].", want)
	members(reflect.TypeFor[suggestion.Oracles](), "oracles.", want)
	members(reflect.TypeFor[suggestion.Property](), "properties[].", want)
	members(reflect.TypeFor[suggestion.Failing](), "failing[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-suggest")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfShow(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.EntryList](), "", want)
	members(reflect.TypeFor[report.ListedTest](), "tests[].", want)
	members(reflect.TypeFor[report.ListedEntry](), "entries[].", want)
	members(reflect.TypeFor[report.ListedMutant](), "alone[].", want)
	members(reflect.TypeFor[report.ListedValue](), "values[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-show")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfMinimize(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.Minimization](), "", want)
	members(reflect.TypeFor[report.Shrunk](), "tests[].", want)
	members(reflect.TypeFor[report.StaleEntry](), "stale[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-minimize")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfExport(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.Export](), "", want)
	members(reflect.TypeFor[report.Exported](), "tests[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-export")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfWriteTest(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.Written](), "", want)
	members(reflect.TypeFor[report.WrittenTest](), "tests[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-write-test")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfTriage(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.TriageReport](), "", want)
	members(reflect.TypeFor[report.Triage](), "tests[].", want)
	members(reflect.TypeFor[report.Cells](), "cells.", want)
	members(reflect.TypeFor[report.Bucket](), "buckets[].", want)
	members(reflect.TypeFor[report.FailingInput](), "inputs[].", want)
	members(reflect.TypeFor[report.Repair](), "repairs[].", want)
	members(reflect.TypeFor[report.RankedRepair](), "ranked[].", want)
	members(reflect.TypeFor[report.Place](), "places[].", want)
	members(reflect.TypeFor[report.Ring](), "rings[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-triage")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheJSONOfVet(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[report.Vetting](), "", want)
	members(reflect.TypeFor[report.VetFinding](), "findings[].", want)
	if diff := cmp.Diff(want, documentedMembers(t, "json-of-vet")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheLog(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[runlog.Run](), "", want)
	members(reflect.TypeFor[runlog.Point](), "", want)
	if diff := cmp.Diff(want, documentedMembers(t, "log")); diff != "" {
		t.Errorf("members (-structs +manual):\n%s", diff)
	}
}

func TestManualDocumentsTheExitCodes(t *testing.T) {
	var got []string
	for line := range strings.Lines(sectionText(t, "exit-codes")) {
		if fields := strings.Fields(line); strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t ") {
			got = append(got, fields[0])
		}
	}
	var want []string
	for _, code := range []exit.Code{
		exit.OK, exit.Failing, exit.Usage, exit.Baseline,
		exit.Score, exit.Internal, exit.Interrupted,
	} {
		want = append(want, fmtCode(code))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exit codes (-defined +documented):\n%s", diff)
	}
}

// TestManualListsTheKindsOfKill holds the two lists of oracles against the table.
func TestManualListsTheKindsOfKill(t *testing.T) {
	inputs, tests := words(sectionText(t, "oracles")), words(sectionText(t, "tests"))
	for _, kind := range oracle.All() {
		if what := kind.ByInput(); what != "" && !strings.Contains(inputs, kind.String()+" "+what) {
			t.Errorf("help/oracles.txt: no %q", kind.String()+" "+what)
		}
		if what := kind.ByTest(); what != "" && !strings.Contains(tests, kind.String()+" "+what) {
			t.Errorf("help/tests.txt: no %q", kind.String()+" "+what)
		}
	}
}

// words puts the words of a text on one line.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
