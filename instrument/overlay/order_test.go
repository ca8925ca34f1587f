package overlay

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// The toolchain that the tests are run with is one whose runtime is known.
func TestChancesOfThisToolchain(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	for name, c := range map[string]chances{"maps": mapOrder, "pools": pools, "goexits": goexits} {
		files, err := c.files(src, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := len(c.heads) + len(c.hooks)
		for text := range c.texts {
			if c.heads[text] == nil {
				want++
			}
		}
		if len(files) != want {
			t.Errorf("%s: %d files, want %d", name, len(files), want)
		}
	}
}

// What is not known is left as it is, all of it.
func TestChancesUnknown(t *testing.T) {
	src := t.TempDir()
	at := filepath.Join(src, "sync", "pool.go")
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		t.Fatal(err)
	}
	const known = "package sync\n\ntype Pool struct {\n\tnoCopy noCopy\n}\n\nfunc (p *Pool) Put(x any) {}\n\nfunc (p *Pool) Get() any { return nil }\n"
	for _, test := range []struct{ name, text, err string }{
		{"known", known, ""},
		{"no such function", strings.Replace(known, "Get", "Take", 1), "no function Get"},
		{"another function", strings.Replace(known, "x any", "x, y any", 1), "no function Put"},
		{"another struct", strings.Replace(known, "noCopy noCopy", "_ noCopy", 1), "differs from the version that fuzzmut knows"},
	} {
		if err := os.WriteFile(at, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		files, err := pools.files(src, nil)
		switch {
		case test.err == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err) || files != nil):
			t.Errorf("%s: %d files, %v; want an error that says %q", test.name, len(files), err, test.err)
		}
	}
	if err := os.WriteFile(at, []byte(known), 0o666); err != nil {
		t.Fatal(err)
	}
	if files, err := pools.files(src, map[string][]byte{at: nil}); err == nil {
		t.Error("a file that has mutants is changed twice", len(files))
	}
}

// What does not compile is left to chance with a warning, and the rest is not. With a
// toolchain that the go command has downloaded, the files are those of its shadow.
func TestHooksLeftToChance(t *testing.T) {
	spoiled := pools
	spoiled.heads = maps.Clone(pools.heads)
	spoiled.heads["sync/pool.go"] = append(spoiled.heads["sync/pool.go"][:1:1], opening{"Pool", "Get", 0, say(" fuzzmutGone();")})
	m := unpackText(t, small)
	cfg := m.config(t, m.load(t))
	cfg.Compiling = func(*instrument.Program) {}
	b := &builder{cfg: cfg, drops: newDrops(), rewrite: rewriteAll}
	b.chance.parts = []chancePart{{name: "what pools return", set: spoiled, prefix: "sync.fuzzmut"}}
	p, err := b.build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	warnings := strings.Join(p.Warnings, "\n")
	const want = `^two runs with the same seed may differ in what pools return: ` +
		`the code added to the standard library does not compile: sync/pool\.go:\d+: undefined: fuzzmutGone$`
	if !regexp.MustCompile(want).MatchString(warnings) {
		t.Errorf("warnings: %s\nwant %s", warnings, want)
	}
	if len(p.Refused) > 0 {
		t.Errorf("refused: %v", p.Refused)
	}
	if out, err := exec.CommandContext(t.Context(), cfg.Output).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// What the compiler and the linker say is of the part that it concerns.
func TestLeaveChance(t *testing.T) {
	const mapsName, poolsName, heapName = "the order of maps", "the results of sync.Pool", "when a mutant that accumulates memory is stopped"
	for _, test := range []struct {
		name, text string
		want       map[string]string
	}{
		{"a file of maps", "# runtime\n/work/1_map.go:12:5: undefined: x\n", map[string]string{mapsName: "/work/1_map.go:12: undefined: x"}},
		{"both", "../work/1_map.go:12: a\n/work/2_pool.go:1:1: b\n/work/2_pool.go:2:1: c\n", map[string]string{mapsName: "/work/1_map.go:12: a", poolsName: "/work/2_pool.go:1: b"}},
		{"the linker", "# m.test\nlink: internal/sync: invalid reference to runtime.fuzzmutMapRand\n", map[string]string{mapsName: "link: internal/sync: invalid reference to runtime.fuzzmutMapRand"}},
		{"the linker on pools", "fuzzmutrt.newPools: relocation target sync.fuzzmutNewPools not defined\n", map[string]string{poolsName: "fuzzmutrt.newPools: relocation target sync.fuzzmutNewPools not defined"}},
		{"the linker on the heap", "link: fuzzmutrt: invalid reference to runtime.heapOfFuzzmut\n", map[string]string{heapName: "link: fuzzmutrt: invalid reference to runtime.heapOfFuzzmut"}},
		{"another file", "/work/3_a.go:1:1: runtime.fuzzmutMapRand\n# runtime.fuzzmut\n", nil},
	} {
		b := &builder{tool: &gotool.Toolchain{Dir: "/here"}, cfg: Config{Loaded: &load.Result{Toolchain: &gotool.Toolchain{Root: "/go"}}}}
		b.chance.files = map[string]string{"/go/src/internal/runtime/maps/map.go": mapsName, "/go/src/sync/pool.go": poolsName}
		b.chance.add("/go/src/internal/runtime/maps/map.go", "/work/1_map.go")
		b.chance.add("/go/src/sync/pool.go", "/work/2_pool.go")
		b.chance.add("/go/src/a.go", "/work/3_a.go")
		if got := b.leaveChance(test.text); got != (test.want != nil) {
			t.Errorf("%s: progress: %v", test.name, got)
		}
		if diff := cmp.Diff(test.want, b.chance.left); diff != "" {
			t.Errorf("%s: left (-want +got):\n%s", test.name, diff)
		}
		if b.leaveChance(test.text) {
			t.Errorf("%s: progress a second time", test.name)
		}
	}
}

// A Goexit ends where the deferred function that asks for it was deferred, with all that
// began since then, and nothing else changes: deferred functions run, and recover nothing.
func TestGoexitsEnd(t *testing.T) {
	m := unpackText(t, ends)
	cfg := m.config(t, m.load(t))
	p, err := Build(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) > 0 {
		t.Errorf("warnings: %q", p.Warnings)
	}
	for _, debug := range []string{"", "panicnil=1"} { // as modules whose go line is below 1.21 ask for
		cmd := exec.CommandContext(t.Context(), cfg.Output, "-test.run=^TestEnds$", "-test.v")
		cmd.Env = append(os.Environ(), "GODEBUG="+debug)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestEnds ") {
			t.Errorf("%s: %v: %s", debug, err, out)
		}
	}
}

// ends has a runner like that of package exec, which calls the function that is added to the
// runtime.
const ends = small + `-- none.s --
-- ends_test.go --
package small

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	_ "unsafe"
)

//go:linkname endGoexit runtime.endGoexitOfFuzzmut
func endGoexit() bool

// end calls fn and says how it ended.
func end(fn func()) (how string) {
	how = "goexit"
	defer func() {
		if v := recover(); v != nil {
			how = fmt.Sprint("panic ", v)
			if _, ok := v.(*runtime.PanicNilError); ok {
				how = "panic nil"
			}
		}
		how += fmt.Sprint(" ", endGoexit())
	}()
	fn()
	how = "return"
	return how
}

var said []string

func say(s string) { said = append(said, s) }

func skip(n int) {
	defer say("skip")
	if n == 0 {
		runtime.Goexit()
	}
	skip(n - 1)
}

func loud() {
	defer func() { say(fmt.Sprint(recover())) }()
	panic("loud")
}

func TestEnds(t *testing.T) {
	nilText := "panic nil "
	if strings.Contains(os.Getenv("GODEBUG"), "panicnil=1") {
		nilText = "goexit "
	}
	for _, test := range []struct {
		name string
		fn   func()
		want string
	}{
		{"nil panic", func() { panic(nil) }, nilText + "false"},
		{"nil panic in a goexit", func() { defer func() { panic(nil) }(); skip(0) }, "skip " + nilText + "true"},
		{"return", func() {}, "return false"},
		{"panic", func() { panic(1) }, "panic 1 false"},
		{"goexit", runtime.Goexit, "goexit true"},
		{"deep", func() { skip(3) }, "skip skip skip skip goexit true"},
		{"recover", func() { defer func() { say(fmt.Sprint(recover())) }(); runtime.Goexit() }, "<nil> goexit true"},
		{"goexit in a goexit", func() { defer skip(1); runtime.Goexit() }, "skip skip goexit true"},
		{"goexit in a panic", func() { defer skip(0); panic(1) }, "skip goexit true"},
		{"panic in a goexit", func() { defer func() { panic(2) }(); skip(0) }, "skip panic 2 true"},
		{"a recovered panic in a goexit", func() { defer loud(); skip(0) }, "skip loud goexit true"},
		{"several defers", func() { defer say("a"); defer say("b"); defer skip(0) }, "skip b a goexit true"},
		{"defers in a loop", func() { for i := range 3 { defer say(fmt.Sprint(i)) }; runtime.Goexit() }, "2 1 0 goexit true"},
		{"a goexit that ends in a goexit", func() { defer func() { say(end(func() { skip(0) })) }(); runtime.Goexit() }, "skip goexit true goexit true"},
		{"a goexit that ends in a panic", func() { defer func() { say(end(func() { skip(0) })); recover() }(); panic(1) }, "skip goexit true return false"},
		{"an end in no goexit", func() { say(fmt.Sprint(endGoexit())) }, "false return false"},
		{"a thread that is locked", func() { runtime.LockOSThread(); defer runtime.UnlockOSThread(); runtime.Goexit() }, "goexit true"},
	} {
		for range 3 {
			said = nil
			how := end(test.fn)
			if got := strings.Join(append(said, how), " "); got != test.want {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		}
	}
	// Many, with stacks that grow and are collected in between, on one goroutine.
	for i := range 10_000 {
		if i%100 == 0 {
			runtime.GC()
		}
		if how := end(func() { skip(i % 300) }); how != "goexit true" {
			t.Fatal(how)
		}
		said = said[:0]
	}
	// A Goexit that nobody ends is one.
	done := make(chan string)
	go func() {
		defer func() { done <- strings.Join(said, " ") }()
		said = nil
		defer func() { say(end(func() { skip(0) })) }()
		runtime.Goexit()
		say("on")
	}()
	if got := <-done; got != "skip goexit true" {
		t.Error(got)
	}
}
`
