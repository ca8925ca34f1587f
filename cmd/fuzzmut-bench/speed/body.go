package speed

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// bodyExecs is the search whose entries the bodies are run on, and bodyRuns how often each of
// the two binaries is run for a sample, one after the other.
const (
	bodyExecs = "20000x"
	bodyRuns  = 5
)

// body returns how many times the processor time of the bare fuzz function the rewritten one
// takes, on the seeds and on what a short search keeps: the median of pairs. The bare one has
// neither mutants nor counters nor fuel, and package testing is that of the toolchain. Inputs
// that are skipped or fail are left out.
func (b *engineBench) body(t arena.Target) (float64, error) {
	ctx := context.Background()
	w, err := b.Workspace(t)
	if err != nil {
		return 0, err
	}
	defer b.Discard(w)
	if _, err := arena.RunFuzzmut(ctx, 0, b.Command, w, "fuzz", "-filter=none", "-fuzztime="+bodyExecs, "-seed=1"); err != nil {
		return 0, err
	}
	work := filepath.Join(filepath.Dir(w.Dir), "body")
	bare, rewritten, err := buildBodies(ctx, w, work)
	if err != nil {
		return 0, err
	}
	var ratios []float64
	for range bodyRuns {
		before, err := runBody(ctx, w, bare)
		if err != nil {
			return 0, err
		}
		after, err := runBody(ctx, w, rewritten)
		if err != nil {
			return 0, err
		}
		ratios = append(ratios, after/before)
	}
	return stats.MedianOf(ratios, func(r float64) float64 { return r }), nil
}

// buildBodies builds two binaries with BenchmarkBody, of the target as it is and rewritten.
func buildBodies(ctx context.Context, t arena.Target, work string) (bare, rewritten string, err error) {
	cfg, err := arena.OverlayOf(ctx, t, "default", work, nil)
	if err != nil {
		return "", "", err
	}
	if _, err := overlay.Build(ctx, cfg); err != nil {
		return "", "", err
	}
	argv, env, dir, err := overlay.TestArgs(ctx, cfg)
	if err != nil {
		return "", "", err
	}
	tests, err := filepath.Glob(filepath.Join(t.Dir, "*_test.go"))
	if err != nil {
		return "", "", err
	}
	data, err := os.ReadFile(filepath.Join(work, "overlay.json"))
	if err != nil {
		return "", "", err
	}
	var over struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &over); err != nil {
		return "", "", err
	}
	var bench string
	replaced := make(map[string]string)
	for i, path := range tests {
		src, err := os.ReadFile(path)
		if err != nil {
			return "", "", err
		}
		name, text := captured(string(src))
		bench = "package " + name + "\n" + strings.ReplaceAll(bodyBench, "FuzzX", t.Fuzz)
		replaced[path] = filepath.Join(work, fmt.Sprintf("captured%d_test.go", i))
		if err := os.WriteFile(replaced[path], []byte(text), 0o666); err != nil {
			return "", "", err
		}
	}
	build := func(name, imports, fuel string, overlaid map[string]string, args ...string) (string, error) {
		files := make(map[string]string)
		maps.Copy(files, overlaid)
		maps.Copy(files, replaced)
		added := filepath.Join(work, name+"_body_test.go")
		files[filepath.Join(t.Dir, "fuzzmut_body_test.go")] = added
		text := strings.Replace(strings.Replace(bench, "IMPORTS", imports, 1), "FUEL", fuel, 1)
		description, err := json.Marshal(map[string]any{"Replace": files})
		if err == nil {
			err = os.WriteFile(added, []byte(text), 0o666)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(work, "overlay.json"), description, 0o666)
		}
		if err != nil {
			return "", err
		}
		binary := filepath.Join(work, name+".test")
		cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"test", "-c", "-o", binary}, args)...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s, %s: %w\n%s", t.Name, name, err, out)
		}
		return binary, nil
	}
	if rewritten, err = build("rewritten", `import "fuzzmutrt"`, "fuzzmutrt.Fuel = 1 << 62", over.Replace, argv[1:]...); err != nil {
		return "", "", err
	}
	bare, err = build("bare", "", "", nil, "-vet=off", "-overlay="+filepath.Join(work, "overlay.json"), ".")
	return bare, rewritten, err
}

var (
	packageClause = regexp.MustCompile(`(?m)^package (\w+)`)
	testFuncs     = regexp.MustCompile(`(?m)^func (Fuzz|Test|Benchmark|Example)`)
	testingImport = regexp.MustCompile(`(?m)^(import )?\s*"testing"\n`)
)

// captured returns the package clause of a test file, and the file with fuzz tests that hand
// their fuzz function over to what bodyBench declares.
func captured(src string) (name, text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(src, "*testing.F", "*bodyF"), "*testing.T", "*bodyT")
	text = testFuncs.ReplaceAllString(text, "func body$1")
	return packageClause.FindStringSubmatch(src)[1], testingImport.ReplaceAllString(text, "")
}

var cpuMetric = regexp.MustCompile(`([0-9.e+]+) cpu-ns/op`)

// runBody returns the processor time of one turn of BenchmarkBody over its inputs, in
// nanoseconds.
func runBody(ctx context.Context, t arena.Target, binary string) (float64, error) {
	p, err := arena.Run(ctx, 0, t.Dir, binary, "-test.run=^$", "-test.bench=^BenchmarkBody$", "-test.benchtime=300ms")
	if err != nil {
		return 0, err
	}
	m := cpuMetric.FindSubmatch(p.Stdout)
	if m == nil {
		return 0, fmt.Errorf("%s: no result of BenchmarkBody in %q", t.Name, p.Stdout)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// bodyBench runs a fuzz function on inputs. What fails or skips panics, which costs
// nothing where it does not happen.
const bodyBench = `
import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

IMPORTS

type bodyT struct{}

func (*bodyT) Helper()               {}
func (*bodyT) Log(...any)            {}
func (*bodyT) Logf(string, ...any)   {}
func (*bodyT) Skip(...any)           { panic("skip") }
func (*bodyT) Skipf(string, ...any)  { panic("skip") }
func (*bodyT) SkipNow()              { panic("skip") }
func (*bodyT) Error(...any)          { panic("fail") }
func (*bodyT) Errorf(string, ...any) { panic("fail") }
func (*bodyT) Fatal(...any)          { panic("fail") }
func (*bodyT) Fatalf(string, ...any) { panic("fail") }

type bodyF struct {
	bodyT
	inputs [][]any
	body   func(input []any)
}

func (f *bodyF) Add(input ...any) { f.inputs = append(f.inputs, input) }

func (f *bodyF) Fuzz(fn any) {
	t := new(bodyT)
	switch fn := fn.(type) {
	case func(*bodyT, []byte):
		f.body = func(in []any) { fn(t, in[0].([]byte)) }
	case func(*bodyT, string):
		f.body = func(in []any) { fn(t, in[0].(string)) }
	case func(*bodyT, string, string):
		f.body = func(in []any) { fn(t, in[0].(string), in[1].(string)) }
	default:
		panic("no case for " + reflect.TypeOf(fn).String())
	}
}

func (f *bodyF) passes(input []any) (ok bool) {
	defer func() { ok = recover() == nil }()
	f.body(input)
	return true
}

func BenchmarkBody(b *testing.B) {
	FUEL
	f := new(bodyF)
	bodyFuzzX(f)
	entries, err := filepath.Glob(filepath.Join("testdata", "fuzz", "FuzzX", "*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range entries {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		var input []any
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
			typ, value, _ := strings.Cut(strings.TrimSuffix(line, ")"), "(")
			text, err := strconv.Unquote(value)
			if err != nil {
				b.Fatalf("%s: %s: %v", name, line, err)
			}
			if typ == "[]byte" {
				input = append(input, []byte(text))
			} else {
				input = append(input, text)
			}
		}
		f.Add(input...)
	}
	var inputs [][]any
	for _, in := range f.inputs {
		if f.passes(in) {
			inputs = append(inputs, in)
		}
	}
	if len(inputs) == 0 {
		b.Fatal("no input passes")
	}
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	for range b.N {
		for _, in := range inputs {
			f.body(in)
		}
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	cpu := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	b.ReportMetric(float64(cpu)/float64(b.N), "cpu-ns/op")
}
`
