package overlay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// testingAsKnown is what the hooks need of package testing.
const testingAsKnown = `package testing

func (f *F) Fuzz(ff any) {
}

func (m *M) Run() (code int) {
}

func (c *common) Fail() {
}

func (c *common) log(s string) {
}

func (c *common) frameSkip(skip int) runtime.Frame {
}

func tRunner(t *T, fn func(t *T)) {
}
`

func TestHooksInLaterShapes(t *testing.T) {
	tests := []struct {
		name     string
		old, new string // pairs in testingAsKnown
		want     string // in the rewritten source
		lost     map[string]string
	}{
		{name: "as known", want: "func (f *F) Fuzz(ff any) { if fuzzmutHook != nil { if ff = fuzzmutHook(f, ff); ff == nil { return } };\n"},
		{name: "log of Go 1.27", old: "log(s string)", new: "log(s string, isErr bool)", want: "func (c *common) log(s string, isErr bool) { if fuzzmutMuted() { return };\n"},
		{name: "log of another receiver", old: "(c *common) log(s string)", new: "(common) log(string)", want: "func (common) log(string) { if fuzzmutMuted() { return };\n"},
		{name: "log is gone", old: "log(", new: "write(", lost: map[string]string{"logging": "its package testing has no (*common).log"}},
		{name: "a function log, not a method", old: "(c *common) log(", new: "log(", lost: map[string]string{"logging": "its package testing has no (*common).log"}},
		{name: "frameSkip is gone", old: "frameSkip(", new: "frame(", lost: map[string]string{"call sites": "its package testing has no (*common).frameSkip"}},
		{name: "F.Fuzz with options", old: "Fuzz(ff any)", new: "Fuzz(opts *options, ff interface{})", want: " if ff = fuzzmutHook(f, ff); ff == nil { return }"},
		{name: "F.Fuzz of functions", old: "Fuzz(ff any)", new: "Fuzz(ff func(*T))", lost: map[string]string{"fuzzing": "(*F).Fuzz of its package testing names no parameter of type any"}},
		{name: "F.Fuzz without names", old: "Fuzz(ff any)", new: "Fuzz(any)", lost: map[string]string{"fuzzing": "(*F).Fuzz of its package testing names no parameter of type any"}},
		{name: "F.Fuzz without a receiver's name", old: "(f *F) Fuzz", new: "(*F) Fuzz", lost: map[string]string{"fuzzing": "(*F).Fuzz of its package testing names no receiver that is a pointer"}},
		{name: "Fail by value", old: "(c *common) Fail", new: "(c common) Fail", lost: map[string]string{"failures": "(*common).Fail of its package testing names no receiver that is a pointer"}},
		{name: "tRunner with more", old: "tRunner(t *T, fn func(t *T))", new: "tRunner(ctx any, t *T, run func(*T), deadline int)", want: " if fuzzmutRunning { run = fuzzmutGuarded(run); defer fuzzmutBegin()() };\n"},
		{name: "tRunner with results", old: "fn func(t *T)", new: "fn func(t *T) error", lost: map[string]string{
			"tests":    "tRunner of its package testing names no parameter of type func(*T)",
			"seeds":    "tRunner of its package testing names no parameter of type func(*T)",
			"failures": "tRunner of its package testing names no parameter of type func(*T)",
		}},
		{name: "M.Run takes flags", old: "Run() (code int)", new: "Run(flags ...string) int", want: "func (m *M) Run(flags ...string) int { if fuzzmutTakeOver(m) { return m.exitCode };\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := testingAsKnown
			if test.old != "" {
				if src = strings.Replace(testingAsKnown, test.old, test.new, 1); src == testingAsKnown {
					t.Fatalf("%q does not occur", test.old)
				}
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "moved.go") // whatever file it is in
			if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
				t.Fatal(err)
			}
			h, err := hookTesting(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(h.files[path]); !strings.Contains(got, test.want) {
				t.Errorf("no %q in\n%s", test.want, got)
			}
			want := test.lost
			if want == nil {
				want = map[string]string{}
			}
			if diff := cmp.Diff(want, h.lost); diff != "" {
				t.Errorf("lost (-want +got):\n%s", diff)
			}
			heads := 0
			for _, p := range parts {
				if h.lost[p.name] == "" {
					heads += len(p.heads)
				}
			}
			if len(h.at) != heads || strings.Count(string(h.files[path]), "uzzmut")-strings.Count(src, "uzzmut") < heads {
				t.Errorf("%d lines with hooks, want %d:\n%s", len(h.at), heads, h.files[path])
			}
		})
	}
}

// Each part says what is lost, is of use to some build, and comes after the part that it belongs to.
func TestPartsAreComplete(t *testing.T) {
	seen := map[string]bool{"": true}
	for _, p := range parts {
		if p.lost == "" || p.fuzz == unused && p.test == unused || len(p.files)+len(p.heads) == 0 || !seen[p.of] || seen[p.name] {
			t.Errorf("part %q is not complete: %+v", p.name, p)
		}
		seen[p.name] = true
	}
}

const logging = `
-- go.mod --
module example.com/logging

go 1.26
-- p_test.go --
package logging

import "testing"

func help(t *testing.T) {
	t.Helper()
	t.Log("helped")
}

func deep(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	deep(n-1, f)
}

func TestLog(t *testing.T) {
	t.Log("plain")
	func() { t.Logf("in a %s", "literal") }()
	deep(60, func() { t.Log("deep") })
	defer func() {
		recover()
		t.Log("recovered")
	}()
	t.Cleanup(func() { t.Log("in a cleanup") })
	t.Run("sub", func(t *testing.T) {
		t.Error("before a helper")
		help(t)
		deep(60, func() { help(t) })
		t.Log("after a helper")
		t.Cleanup(func() { help(t) })
	})
	defer t.Log("deferred")
	panic("over")
}
`

// What is logged has the file and line that it has without hooks.
func TestCallSitesAreThoseWithoutHooks(t *testing.T) {
	dir := unpackText(t, logging).dir
	tool, err := gotool.NewToolchain(t.Context(), dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tool, err = tool.Overlayable(); err != nil {
		t.Fatal(err)
	}
	in, err := inject(tool.Root, false, 1, nil)
	if err != nil || len(in.lost) > 0 {
		t.Fatal(err, in.lost)
	}
	work := t.TempDir()
	replace := make(map[string]string)
	for path, text := range in.files {
		name := filepath.Join(work, strconv.Itoa(len(replace))+filepath.Ext(path))
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[path] = name
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		t.Fatal(err)
	}
	lines := func(args ...string) (logged []string) {
		cmd := gotool.GoCommand(t.Context(), tool.Command, append(append([]string{"test", "-vet=off", "-count=1", "-v"}, args...), ".")...)
		cmd.Dir, cmd.Env = tool.Dir, tool.Env
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Error("the test passes")
		}
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, "p_test.go:") && !strings.Contains(line, dir) {
				logged = append(logged, strings.TrimSpace(line))
			}
		}
		return logged
	}
	want := lines()
	if len(want) < 10 {
		t.Fatalf("without hooks: %q", want)
	}
	if diff := cmp.Diff(want, lines("-overlay="+overlay)); diff != "" {
		t.Errorf("(-without +with hooks):\n%s", diff)
	}
}
