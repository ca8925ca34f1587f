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
	for name, c := range map[string]chances{"maps": mapOrder, "pools": pools} {
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
