package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// These tests hold the package against Go's own implementation: against its
// encoder and decoder, which are compiled from GOROOT for the occasion, and
// against the go command.

// goTool runs the go command in dir and returns its combined output.
func goTool(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// writeTree writes files, keyed by slash-separated path, below a new directory.
func writeTree(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := goTool(t, t.TempDir(), "env", name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// twin is a program around Go's encoder and decoder: it reads encoded entries
// from a JSON file and prints each decoded and encoded again, or null.
const twin = `package main

import (
	"encoding/json"
	"os"
)

func main() {
	in, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var files, out [][]byte
	if err := json.Unmarshal(in, &files); err != nil {
		panic(err)
	}
	for _, f := range files {
		vals, err := unmarshalCorpusFile(f)
		switch {
		case err != nil:
			out = append(out, nil)
		case len(vals) == 0:
			out = append(out, []byte("none"))
		default:
			out = append(out, marshalCorpusFile(vals...))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
`

// reencode is what the twin does, with our code.
func reencode(data []byte) []byte {
	vals, err := Unmarshal(data)
	switch {
	case err != nil:
		return nil
	case len(vals) == 0:
		return []byte("none")
	}
	return Marshal(vals)
}

func TestEncodingAgreesWithGo(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	source, err := os.ReadFile(filepath.Join(goEnv(t, "GOROOT"), "src", "internal", "fuzz", "encoding.go"))
	if err != nil {
		t.Skip(err)
	}
	files := encodingVectors()
	in, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	dir := writeTree(t, map[string]string{
		"go.mod":      "module twin\n\ngo 1.26.0\n",
		"encoding.go": strings.Replace(string(source), "\npackage fuzz\n", "\npackage main\n", 1),
		"main.go":     twin,
		"in.json":     string(in),
	})
	out, err := goTool(t, dir, "run", ".", "in.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want [][]byte
	if err := json.Unmarshal([]byte(out), &want); err != nil {
		t.Fatal(err)
	}
	valid := 0
	for i, f := range files {
		got := reencode(f)
		if !bytes.Equal(got, want[i]) || (got == nil) != (want[i] == nil) {
			t.Errorf("entry %q\nours %q\nGo's %q", f, got, want[i])
		}
		if got != nil {
			valid++
		}
	}
	// Neither side of the comparison may be the rare one.
	if t.Logf("%d entries, %d valid", len(files), valid); valid < len(files)/5 || valid > len(files)*4/5 {
		t.Errorf("%d of %d entries are valid; the vectors are one-sided", valid, len(files))
	}
}

// encodingVectors gives entries valid, invalid, and in between.
func encodingVectors() [][]byte {
	lines := slices.Concat(accepted(), rejected())
	for _, g := range golden {
		lines = append(lines, g.line)
	}
	lines = append(lines, crossedLines()...)
	rng := rand.New(rand.NewPCG(1, 2))
	lines = append(lines, brokenLines(rng, lines, 6000)...)
	var files [][]byte
	for _, line := range lines {
		files = append(files, []byte(header+"\n"+line+"\n"))
	}
	for range 3000 {
		files = append(files, Marshal(randomValues(rng)))
	}
	for _, head := range []string{"", "\n", "\r\n", header, header + "\n", header + "\r\n", header + "\r\r\n", header + " \n", " " + header + "\n", "\ufeff" + header + "\n"} {
		files = append(files, []byte(head), []byte(head+"int(1)"), []byte(head+"\n\n\tint(1)\r\n\x00"))
	}
	return files
}

// crossedLines writes every type with every argument.
func crossedLines() (lines []string) {
	types := []string{"error", "complex128", "[]uint8", "[]string", "math.Pi", "fuzz.byte", "*int", "[0]byte", "[...]byte", "func()"}
	for typ := range spelling {
		types = append(types, typ)
	}
	slices.Sort(types)
	args := []string{
		"", "1", "-1", "- 1", "+1", "^1", "!1", "127", "128", "-128", "-129", "255", "256", "65536", "4294967296",
		"0x7fffffff", "-0x80000000", "18446744073709551615", "18446744073709551616", "9223372036854775808", "0b101", "0o7", "08", "1_0", "0x_1",
		"1.5", "-1.5", ".5", "1e3", "1e400", "-1e-400", "0x1p4", "0x1.fp-1", "1i", "3.4e38", "3.5e38",
		"NaN", "-NaN", "+NaN", "Inf", "+Inf", "-Inf", "*Inf", "&Inf", "<-Inf", "nil", "true", "!true",
		`"x"`, "`x`", `"\xff"`, `"\u00e9\U0010ffff"`, `"\ud800"`, `"\q"`, "'x'", `'\xff'`, `'\377'`, `'\''`, `'\"'`, `'"'`, `'\ud800'`, `'\U0001f600'`, "'é'", "'Ā'", "''", "'ab'", "-'x'", `-"x"`,
		"(1)", "int(1)", "1,", "1, 2", "1...", `"x"...`, "1 /* one */", "[]byte{}", "x.y",
	}
	for _, typ := range types {
		for _, arg := range args {
			lines = append(lines, typ+"("+arg+")")
		}
	}
	return lines
}

// brokenLines derives n lines from lines by small edits.
func brokenLines(rng *rand.Rand, lines []string, n int) []string {
	bits := []string{"(", ")", "\"", "'", "`", "\\", "-", "+", ".", "0", "9", "x", "_", " ", "\t", "\r", "\n", "//", "/*", ";", "byte", "Inf", "\x00", "\xff", "é", "\u00a0", "\ufeff"}
	broken := make([]string, n)
	for i := range broken {
		s := lines[rng.IntN(len(lines))]
		for range 1 + rng.IntN(2) {
			at := rng.IntN(len(s) + 1)
			end := min(len(s), at+rng.IntN(2))
			s = s[:at] + bits[rng.IntN(len(bits))] + s[end:]
		}
		broken[i] = s
	}
	return broken
}

// randomValues gives a few values whose bits are random.
func randomValues(rng *rand.Rand) []any {
	text := make([]byte, rng.IntN(20))
	for i := range text {
		text[i] = byte(rng.Uint32())
	}
	u := rng.Uint64() >> rng.IntN(64)
	all := []any{
		text, string(text), u%2 == 0, int(u), int8(u), int16(u), int32(u), int64(u), uint(u), uint8(u), uint16(u), uint32(u), u,
		math.Float32frombits(uint32(u)), math.Float64frombits(u), -math.Float64frombits(u), rune(u % 0x110000), string(rune(u)),
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:1+rng.IntN(len(all))]
}

// replay is a module whose fuzz test writes what it gets to a file.
const replay = `package replay

import (
	"fmt"
	"math"
	"os"
	"testing"
)

func FuzzAll(f *testing.F) {
	f.Fuzz(func(t *testing.T, a []byte, b string, c bool, d int, e int8, g int16, h rune, i int64, j uint, k byte, l uint16, m uint32, n uint64, o float32, p float64) {
		out, err := os.OpenFile("out.txt", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		fmt.Fprintln(out, t.Name(), fmt.Sprintf("%q", []any{a, b, c, d, e, g, h, i, j, k, l, m, n}), math.Float32bits(o), math.Float64bits(p))
	})
}
`

func TestGoReadsWhatMarshalWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	dir := writeTree(t, map[string]string{"go.mod": "module replay\n\ngo 1.26.0\n", "replay_test.go": replay})
	data := TestdataDir(dir, "FuzzAll")
	var want []string
	for _, vals := range replayValues() {
		file := Marshal(vals)
		if _, err := WriteFile(data, ManagedName(file), file); err != nil {
			t.Fatal(err)
		}
		n := len(vals)
		o, p := math.Float32bits(vals[n-2].(float32)), math.Float64bits(vals[n-1].(float64))
		want = append(want, fmt.Sprintln("FuzzAll/"+ManagedName(file), fmt.Sprintf("%q", vals[:n-2]), o, p))
	}
	// What a crash half-way through a write leaves must not disturb go test.
	left := filepath.Join(data, tempPrefix+"1")
	if err := os.Mkdir(left, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "entry"), []byte("go test fuz"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := goTool(t, dir, "test", "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "out.txt"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want) // go test goes by file name
	if diff := cmp.Diff(strings.Join(want, ""), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// replayValues gives argument lists for FuzzAll that hold each golden value at
// least once.
func replayValues() (lists [][]any) {
	zero := []any{[]byte{}, "", false, 0, int8(0), int16(0), rune(0), int64(0), uint(0), byte(0), uint16(0), uint32(0), uint64(0), float32(0), 0.0}
	index := make(map[string]int)
	for i, typ := range Types(zero) {
		index[typ] = i
	}
	for _, v := range goldenValues() {
		list := slices.Clone(zero)
		list[index[Types([]any{v})[0]]] = v
		if b, ok := v.([]byte); ok && b == nil {
			continue // the same file as an empty slice, which zero has
		}
		lists = append(lists, list)
	}
	slices.SortFunc(lists, func(a, b []any) int { return bytes.Compare(Marshal(a), Marshal(b)) })
	return slices.CompactFunc(lists, func(a, b []any) bool { return bytes.Equal(Marshal(a), Marshal(b)) })
}

// found is a module with a fuzz test that stock fuzzing finds inputs for and
// one that it finds a failing input for.
const found = `package found

import "testing"

func FuzzGrow(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 2 {
			if b[0] > 'a' {
				t.Log("longer")
			}
		}
	})
}

func FuzzFail(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 2 {
			t.Fatal("found")
		}
	})
}
`

// TestGoFuzzNamesAndPlaces runs stock fuzzing and finds its files where
// CacheDir and TestdataDir say, under the names that FileName gives.
func TestGoFuzzNamesAndPlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test -fuzz")
	}
	module := fmt.Sprintf("fuzzmut.test/found%d", os.Getpid())
	dir := writeTree(t, map[string]string{"go.mod": "module " + module + "\n\ngo 1.26.0\n", "found_test.go": found})
	cache := inFuzzCache(t, CacheDir, module, "FuzzGrow")
	crashers := inFuzzCache(t, CrashersDir, module, "FuzzFail")

	// An input that makes the test fail, where stock fuzzing must not see it.
	bait := Marshal([]any{[]byte("bait")})
	if _, err := WriteFile(crashers, FileName(bait), bait); err != nil {
		t.Fatal(err)
	}
	if out, err := goTool(t, dir, "test", "-fuzz=FuzzFail", "-fuzztime=1x", "."); err != nil {
		t.Fatalf("stock fuzzing fails on its seed: %v\n%s", err, out)
	}
	if out, err := goTool(t, dir, "test", "-fuzz=FuzzFail", "-fuzztime=1000000x", "."); err == nil {
		t.Fatalf("stock fuzzing found nothing\n%s", out)
	}
	if out, err := goTool(t, dir, "test", "-fuzz=FuzzGrow", "-fuzztime=20000x", "-run=FuzzGrow", "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, dir := range []string{TestdataDir(dir, "FuzzFail"), cache} {
		entries, bad, err := ReadDir(dir, []string{"[]byte"}, 0)
		if len(entries) == 0 || len(bad) != 0 || err != nil {
			t.Errorf("%s: %d entries, bad %v, error %v", dir, len(entries), bad, err)
		}
		for _, e := range entries {
			if e.Name != e.Input.Hash() {
				t.Errorf("Go calls %s what would be %s here", e.Path, e.Input.Hash())
			}
		}
	}
}

// inFuzzCache gives the directory that place names in the real fuzz cache, for
// a module that exists only in this test, and removes it in the end.
func inFuzzCache(t *testing.T, place func(gocache, importPath, fuzzName string) (string, error), module, fuzzName string) string {
	t.Helper()
	dir, err := place(goEnv(t, "GOCACHE"), module, fuzzName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.RemoveAll(filepath.Dir(dir))
		os.Remove(filepath.Dir(filepath.Dir(dir))) // unless another test has something there
	})
	return dir
}
