package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/fuzzmut/fuzzmut/"

// rooms says what the packages of this module may import of it: those of a room
// whose path begins with the key may import those whose paths begin with one of
// the values, and each other. The longest key applies. Whatever stands here
// runs downwards: the command knows the jobs, a job what jobs share, that the engine, and
// nobody knows who calls. Jobs do not know each other.
var rooms = map[string][]string{
	"cmd": {"fuzzmut", "corpus", "instrument"}, // tools for those who work on this module
	"cmd/fuzzmut": {
		"cmd/fuzzmut/screen", "cmd/fuzzmut/settings", "fuzzmut/job", "fuzzmut/run/change", "fuzzmut/run/dictionary", "fuzzmut/run/exit", "fuzzmut/run/project", "fuzzmut/run/restriction", "fuzzmut/run/selection",
		"fuzzmut/run/shell", "fuzzmut/engine/unittest", "fuzzmut/panics", "fuzzmut/record", "fuzzmut/regular", "corpus/layout", "corpus/matrix", "instrument",
	},
	"cmd/fuzzmut/settings":     {"fuzzmut/regular"},
	"cmd/fuzzmut/screen":       {"fuzzmut/panics", "fuzzmut/record/report", "fuzzmut/run/project"},
	"fuzzmut":                  {"fuzzmut/derive", "fuzzmut/internal/linear", "fuzzmut/internal/literal", "fuzzmut/search", "fuzzmut/term"}, // what a user's test imports
	"fuzzmut/derive":           {"fuzzmut/term"},
	"fuzzmut/internal/linear":  nil,
	"fuzzmut/internal/literal": nil,
	"fuzzmut/search":           {"fuzzmut/term"},
	"fuzzmut/term":             nil,
	"fuzzmut/record/accepted":  {"fuzzmut/regular"},
	// Jobs: one package for each subcommand, in its own room.
	"fuzzmut/job/diff":     {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/panics", "fuzzmut/record/accepted", "fuzzmut/record/behavior", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/job/export":   {"fuzzmut/run", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/job/fuzz":     {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/job/hook":     {"fuzzmut/run", "fuzzmut/git", "fuzzmut/record", "corpus", "instrument"},
	"fuzzmut/job/merge":    {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/job/minimise": {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/job/mutants":  {"fuzzmut/run", "instrument"},
	"fuzzmut/job/regen":    {"fuzzmut/run", "fuzzmut/record/report", "instrument"},
	"fuzzmut/job/score":    {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record", "instrument"},
	"fuzzmut/job/show":     {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/job/suggest":  {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record/accepted", "fuzzmut/record/report", "fuzzmut/record/suggestion", "corpus", "instrument"},
	"fuzzmut/job/test":     {"fuzzmut/run", "fuzzmut/engine/unittest", "fuzzmut/panics", "fuzzmut/record", "instrument"},
	"fuzzmut/job/triage":   {"fuzzmut/run", "fuzzmut/triage", "fuzzmut/git", "fuzzmut/record/report", "fuzzmut/regular", "corpus", "instrument"},
	"fuzzmut/job/vet":      {"fuzzmut/run/exit", "fuzzmut/run/project", "fuzzmut/record/report", "instrument"},
	"fuzzmut/job/verify":   {"fuzzmut/run", "fuzzmut/engine", "fuzzmut/record/behavior", "fuzzmut/record/report", "corpus", "instrument"},

	// What jobs share, from top to bottom.
	"fuzzmut/run/races":            {"fuzzmut/run/trial", "fuzzmut/run/exit", "fuzzmut/engine", "corpus", "instrument"},
	"fuzzmut/run/campaign":         {"fuzzmut/run/races", "fuzzmut/run/bugs", "fuzzmut/run/costs", "fuzzmut/run/selection", "fuzzmut/run/shared", "fuzzmut/run/observed", "fuzzmut/run/trial", "fuzzmut/run/change", "fuzzmut/run/known", "fuzzmut/run/project", "fuzzmut/run/exit", "fuzzmut/engine", "fuzzmut/panics", "fuzzmut/record", "corpus", "instrument"},
	"fuzzmut/run/generation":       {"fuzzmut/engine/evaluate", "fuzzmut/run/change", "fuzzmut/run/digest", "fuzzmut/run/project", "fuzzmut/record/report", "fuzzmut/regular", "instrument"},
	"fuzzmut/run/costs":            {"fuzzmut/run/trial", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/costs/benchmarks": {"fuzzmut/run/costs", "fuzzmut/run/trial", "fuzzmut/run/project", "fuzzmut/run/exit", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/bugs":             {"fuzzmut/run/costs", "fuzzmut/run/races", "fuzzmut/run/trial", "fuzzmut/run/project", "fuzzmut/triage", "fuzzmut/engine", "fuzzmut/panics", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/selection":        {"fuzzmut/run/trial", "fuzzmut/run/change", "fuzzmut/run/exit", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/observed":         {"fuzzmut/run/trial", "fuzzmut/run/project", "fuzzmut/run/exit", "fuzzmut/engine", "fuzzmut/panics", "fuzzmut/record/behavior", "fuzzmut/record/filelock", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/shared":           {"fuzzmut/run/trial", "fuzzmut/engine", "fuzzmut/panics", "fuzzmut/record/report", "fuzzmut/record/share", "corpus", "instrument/rt"},
	"fuzzmut/run/trial":            {"fuzzmut/run/covered", "fuzzmut/record/accepted", "fuzzmut/run/samples", "fuzzmut/record/tyche", "fuzzmut/run/change", "fuzzmut/run/project", "fuzzmut/run/dictionary", "fuzzmut/run/exit", "fuzzmut/run/known", "fuzzmut/run/shell", "fuzzmut/engine", "fuzzmut/panics", "fuzzmut/record/report", "fuzzmut/git", "corpus", "instrument"},
	"fuzzmut/run/project":          {"fuzzmut/run/packed", "fuzzmut/run/samples", "fuzzmut/run/dictionary", "fuzzmut/run/turns", "fuzzmut/record/accepted", "fuzzmut/record/share", "fuzzmut/record/tyche", "fuzzmut/run/covered", "fuzzmut/run/exit", "fuzzmut/run/known", "fuzzmut/run/shell", "fuzzmut/engine/unittest", "fuzzmut/search", "fuzzmut/git", "fuzzmut/panics", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/lockstep":         {"fuzzmut/run/trial", "fuzzmut/run/project", "fuzzmut/run/dictionary", "fuzzmut/engine", "fuzzmut/panics", "corpus", "instrument"},
	"fuzzmut/run/callers":          {"instrument"},
	"fuzzmut/run/properties":       {"fuzzmut/run/callers", "fuzzmut/run/relations", "instrument"},
	"fuzzmut/run/refute":           {"corpus", "fuzzmut/run/relations", "instrument/rt/havoc"},
	"fuzzmut/run/relations":        nil,
	"fuzzmut/run/change":           {"fuzzmut/run/digest", "fuzzmut/run/exit", "fuzzmut/git", "instrument"},
	"fuzzmut/run/dictionary":       {"fuzzmut/regular", "corpus", "instrument/load"},
	"fuzzmut/run/covered":          {"fuzzmut/run/exit", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/digest":           nil,
	"fuzzmut/run/turns":            nil,
	"fuzzmut/run/packed":           {"fuzzmut/run/samples", "instrument"},
	"fuzzmut/run/samples":          {"corpus"},
	"fuzzmut/run/reach":            {"fuzzmut/run/trial", "fuzzmut/run/project", "fuzzmut/run/exit", "fuzzmut/engine", "fuzzmut/record/report", "corpus", "instrument"},
	"fuzzmut/run/known":            {"fuzzmut/run/exit", "fuzzmut/record/accepted", "fuzzmut/record/report", "instrument/rt"},
	"fuzzmut/run/memory":           {"fuzzmut/run/change", "fuzzmut/run/digest", "fuzzmut/run/project", "fuzzmut/engine/unittest", "fuzzmut/record", "instrument"},
	"fuzzmut/run/unnoticed":        {"fuzzmut/run/memory", "fuzzmut/run/change", "fuzzmut/run/project", "fuzzmut/run/exit", "fuzzmut/engine/unittest", "fuzzmut/panics", "fuzzmut/record/report", "instrument"},
	"fuzzmut/run/witness":          {"fuzzmut/run/trial", "fuzzmut/engine", "corpus", "instrument/rt"},
	"fuzzmut/run/exit":             {"fuzzmut/engine/worker", "fuzzmut/panics", "fuzzmut/record/report"},
	"fuzzmut/run/shell":            nil,
	"fuzzmut/run/restriction":      {"fuzzmut/run/change", "fuzzmut/run/project", "fuzzmut/record/report", "instrument"},
	"fuzzmut/run/revert":           {"fuzzmut/run/versions", "fuzzmut/run/hunk", "fuzzmut/run/project", "fuzzmut/panics", "fuzzmut/record/behavior", "instrument"},
	"fuzzmut/run/versions":         {"fuzzmut/run/hunk", "fuzzmut/run/exit", "fuzzmut/git", "instrument"},
	"fuzzmut/run/hunk":             {"fuzzmut/record/difference", "instrument/edit"},

	"fuzzmut/engine":              {"fuzzmut/panics", "fuzzmut/engine/pool", "fuzzmut/engine/kills", "fuzzmut/engine/failures", "fuzzmut/engine/growth", "fuzzmut/engine/processes", "fuzzmut/engine/alone", "fuzzmut/engine/evaluate", "fuzzmut/engine/worker", "corpus", "instrument"},
	"fuzzmut/engine/alone":        {"fuzzmut/engine/failures", "fuzzmut/engine/processes", "fuzzmut/engine/worker", "corpus", "instrument/rt"},
	"fuzzmut/engine/evaluate":     {"fuzzmut/panics", "fuzzmut/engine/alone", "fuzzmut/engine/failures", "fuzzmut/engine/kills", "fuzzmut/engine/processes", "fuzzmut/engine/worker", "corpus", "instrument"},
	"fuzzmut/engine/failures":     {"fuzzmut/engine/processes", "fuzzmut/engine/worker", "corpus", "instrument/rt"},
	"fuzzmut/engine/growth":       {"fuzzmut/engine/processes", "fuzzmut/engine/worker", "corpus", "instrument/rt"},
	"fuzzmut/engine/fake":         {"fuzzmut/engine/worker", "corpus", "instrument"}, // for tests alone
	"fuzzmut/engine/kills":        {"corpus", "instrument/rt"},
	"fuzzmut/engine/pool":         {"corpus", "instrument/rt"},
	"fuzzmut/engine/processes":    {"fuzzmut/engine/worker", "corpus", "instrument"},
	"fuzzmut/engine/repair":       {"fuzzmut/panics", "fuzzmut/engine/alone", "fuzzmut/engine/processes", "fuzzmut/engine/worker", "corpus", "instrument"},
	"fuzzmut/triage":              {"fuzzmut/engine/worker", "corpus", "instrument"},
	"fuzzmut/engine/unittest":     {"fuzzmut/panics", "fuzzmut/engine/processes", "fuzzmut/engine/worker", "corpus/bitset", "instrument"},
	"fuzzmut/record/difference":   nil,
	"fuzzmut/record/behavior":     {"fuzzmut/record/difference", "instrument/rt/failure"},
	"fuzzmut/record/suggestion":   nil,
	"fuzzmut/record/notice":       {"fuzzmut/record/behavior", "fuzzmut/record/report", "instrument/rt/oracle", "instrument/rt/sides"},
	"fuzzmut/record/format":       {"fuzzmut/record/notice", "fuzzmut/record/behavior", "fuzzmut/record/suggestion", "fuzzmut/record/difference", "fuzzmut/record/report", "fuzzmut/record/runlog", "fuzzmut/regular", "corpus", "instrument/gotool", "instrument/rt/golden", "instrument/rt/oracle", "instrument/rt/sides"},
	"fuzzmut/record/report":       {"fuzzmut/record/behavior", "fuzzmut/record/runlog", "corpus", "instrument"},
	"fuzzmut/git":                 nil,
	"fuzzmut/record/plot":         {"fuzzmut/record/runlog"},
	"fuzzmut/panics":              nil,
	"fuzzmut/regular":             nil,
	"fuzzmut/record/runlog":       nil,
	"fuzzmut/record/tyche":        nil,
	"fuzzmut/record/verdicts":     {"fuzzmut/record/filelock", "fuzzmut/record/report", "fuzzmut/regular", "instrument/rt/oracle"},
	"fuzzmut/record/filelock":     nil,
	"fuzzmut/record/share/bucket": {"fuzzmut/record/filelock", "corpus"},
	"fuzzmut/record/share":        {"fuzzmut/record/share/bucket", "fuzzmut/record/verdicts", "fuzzmut/regular", "corpus", "instrument/rt/oracle"},
	"fuzzmut/engine/worker":       {"fuzzmut/panics", "corpus", "instrument/rt", "instrument/system"},
	"corpus":                      {"instrument/rt"}, // the encoding of values on the wire, and the kinds of kill, at most
	"instrument":                  {"instrument/rt", "instrument/system"},
	"instrument/rt":               nil,

	"instrument/system": nil,
}

// imports lists the packages of this module with what each imports directly,
// tests left out.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		packages[fields[0]] = fields[1:]
	}
	return packages
}

// room returns the key of rooms that path belongs to, or "".
func room(path string) string {
	best := ""
	for key := range rooms {
		if len(key) > len(best) && within(path, key) {
			best = key
		}
	}
	return best
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+"/")
}

func TestImportsRunDownwards(t *testing.T) {
	packages := imports(t)
	if len(packages) < len(rooms)/2 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for path, imported := range packages {
		from := strings.TrimPrefix(path, module)
		for _, imp := range imported {
			if to, ok := strings.CutPrefix(imp, module); ok && !allowed(from, to) {
				t.Errorf("%s imports %s: not as the house is drawn (rooms in this file)", from, to)
			}
		}
	}
}

func allowed(from, to string) bool {
	home := room(from)
	if home == "" || room(to) == home {
		return home != ""
	}
	for _, dir := range rooms[home] {
		if within(to, dir) {
			return true
		}
	}
	return false
}

// TestRuntimeImportsTheStandardLibraryOnly: the runtime is copied into the
// user's build, where this module's dependencies are not to be found.
func TestRuntimeImportsTheStandardLibraryOnly(t *testing.T) {
	const rt = module + "instrument/rt"
	for path, imported := range imports(t) {
		if !within(path, rt) {
			continue
		}
		for _, imp := range imported {
			domain, _, _ := strings.Cut(imp, "/")
			if strings.Contains(domain, ".") && !within(imp, rt) {
				t.Errorf("%s imports %s", path, imp)
			}
		}
	}
}

// TestCoreOfTheRuntimeImportsNothing: what the core imports can't be mutated,
// since rewritten packages import the core. Its codes are constants, and import nothing
// either. embed_host.go is for this side of the wire and is not injected.
func TestCoreOfTheRuntimeImportsNothing(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "instrument", "rt", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	codes, err := filepath.Glob(filepath.Join("..", "..", "instrument", "rt", "codes", "*.go"))
	if err != nil || len(codes) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range append(files, codes...) {
		if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "embed_host.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			switch spec.Path.Value {
			case `"unsafe"`, `"runtime"`, `"` + module + `instrument/rt/codes"`:
			default:
				t.Errorf("%s imports %s", name, spec.Path.Value)
			}
		}
	}
}

func TestRooms(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"fuzzmut/engine", "fuzzmut/engine/worker", true},
		{"fuzzmut/engine/worker", "fuzzmut/engine", false},
		{"corpus", "instrument", false},
		{"corpus/matrix", "corpus", true},
		{"instrument/load", "corpus", false},
		{"instrument/rt/loop", "instrument/rt/wire", true},
		{"instrument/rt/loop", "instrument/load", false},
		{"instrument/load", "instrument/rt/wire", true},
		{"fuzzmut/record/report", "cmd/fuzzmut", false},
		{"fuzzmut/job/fuzz", "fuzzmut/run/campaign", true},
		{"fuzzmut/job/fuzz", "fuzzmut/job/regen", false},
		{"fuzzmut/run/trial", "fuzzmut/run/bugs", false},
		{"fuzzmut/run/bugs", "fuzzmut/engine/repair", true},
		{"elsewhere", "corpus", false},
	} {
		if got := allowed(c.from, c.to); got != c.want {
			t.Errorf("%s → %s: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// guarded lists the functions that start goroutines in which nothing calls panics.Do, or
// have a function called later, and says why a panic there does not end the process.
var guarded = map[string]string{
	"fuzzmut/panics/panics.go Go":                        "it calls Do",
	"fuzzmut/panics/panics.go Wait":                      "it waits",
	"fuzzmut/engine/worker/process.go Start":             "Process.do calls panics.Do",
	"fuzzmut/engine/worker/call.go call":                 "Process.do calls panics.Do",
	"fuzzmut/engine/unittest/launch.go abortLate":        "it waits; Process.Abort calls Process.do",
	"fuzzmut/engine/unittest/fit.go abortAfter":          "it waits; Process.Abort calls Process.do",
	"fuzzmut/run/exit/exit.go Graceful":                  "it cancels a context",
	"fuzzmut/run/unnoticed/ask.go run":                   "it cancels a context",
	"fuzzmut/job/suggest/judge.go judge":                 "it cancels a context",
	"fuzzmut/engine/processes/until.go Until":            "it cancels a context",
	"fuzzmut/run/bugs/intake.go Close":                   "it cancels a context",
	"fuzzmut/attempt.go start":                           "what panics is the user's function, and is recovered as a failure",
	"fuzzmut/attempt.go runEach":                         "what panics is the user's function, and is recovered as a failure",
	"fuzzmut/attempt.go finishAll":                       "what panics is the user's function, and is recovered as a failure",
	"fuzzmut/course.go stretch":                          "what panics is the user's function: course.ended recovers it as a failure",
	"fuzzmut/course.go ended":                            "what panics is the user's function: course.ended recovers it as a failure",
	"fuzzmut/concurrent.go callAtOnce":                   "what panics is the user's function: step.timed recovers it as a part of the history",
	"instrument/goldentest/replay/replay.go WriteWithin": "it runs in the user's tests, and panics to end their process",
}

// TestPanicsOfGoroutinesAreTakenIn: a panic that nobody recovers ends the process with
// Go's exit code, that of a usage error, and what was found is lost.
func TestPanicsOfGoroutinesAreTakenIn(t *testing.T) {
	used := make(map[string]bool)
	root := os.DirFS(filepath.Join("..", ".."))
	for _, dir := range []string{"cmd/fuzzmut", "fuzzmut", "corpus", "instrument"} {
		err := fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || name == "instrument/rt"):
				return fs.SkipDir
			case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			fset := token.NewFileSet()
			src, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				key := name + " " + f.Name.Name
				for _, pos := range bare(f) {
					if used[key] = true; guarded[key] == "" {
						t.Errorf("%s: a goroutine without panics.Do (see guarded in this file)", fset.Position(pos))
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range guarded {
		if !used[key] {
			t.Errorf("%s starts no goroutine of its own: strike it out", key)
		}
	}
}

// bare returns where a function starts goroutines in which nothing calls panics.Do.
func bare(f *ast.FuncDecl) []token.Pos {
	var found []token.Pos
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !calls(n, "panics", "Do") {
				found = append(found, n.Pos())
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			starts := sel.Sel.Name == "AfterFunc"
			if sel.Sel.Name == "Go" && len(n.Args) == 1 {
				// A function that returns nothing is for a sync.WaitGroup, not a panics.Group.
				lit, ok := n.Args[0].(*ast.FuncLit)
				starts = ok && lit.Type.Results == nil
			}
			if starts && !calls(n, "panics", "Do") {
				found = append(found, n.Pos())
			}
		}
		return true
	})
	return found
}

// calls says whether pkg.name is called within a node.
func calls(n ast.Node, pkg, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && id.Name == pkg
		}
		return !found
	})
	return found
}

func TestBareGoroutines(t *testing.T) {
	const head = "package p\nfunc f() { "
	for src, want := range map[string]int{
		"go g()":                                                  1,
		"go func() { _ = panics.Do(g) }()":                        0,
		"wg.Go(func() { g() })":                                   1,
		"wg.Go(func() { panics.Do(g) })":                          0,
		"group.Go(func() error { return g() })":                   0,
		"time.AfterFunc(1, g)":                                    1,
		"context.AfterFunc(ctx, func() { time.AfterFunc(1, g) })": 2,
		"func() { go g(panic.Do) }()":                             1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", head+src+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(bare(file.Decls[0].(*ast.FuncDecl))); got != want {
			t.Errorf("%s: %d found, want %d", src, got, want)
		}
	}
}

// TestMakeFuzzKnowsAllFuzzTests: go test -fuzz passes if there is no such fuzz test.
func TestMakeFuzzKnowsAllFuzzTests(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(makefile), "\ndefine FUZZ\n")
	list, _, ok := strings.Cut(list, "\nendef\n")
	if !ok {
		t.Fatal("no list of fuzz tests in the Makefile")
	}
	listed := make(map[string]bool)
	for line := range strings.Lines(list + "\n") {
		listed[strings.TrimSpace(line)] = true
	}
	root := os.DirFS(filepath.Join("..", ".."))
	for _, dir := range []string{"cmd", "fuzzmut", "corpus", "instrument"} {
		err := fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case !strings.HasSuffix(name, "_test.go") || path.Dir(name) == "fuzzmut": // those are to be run by fuzzmut
				return nil
			}
			src, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Fuzz") {
					continue
				}
				if line := "./" + path.Dir(name) + " " + f.Name.Name; !listed[line] {
					t.Errorf("%q is not in the Makefile's list FUZZ", line)
				} else {
					delete(listed, line)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for line := range listed {
		t.Errorf("%q is in the Makefile's list FUZZ, and there is none", line)
	}
}
