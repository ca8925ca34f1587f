package packed

import (
	"archive/zip"
	"bytes"
	"go/constant"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/samples"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const platform = "plan9/mips"

// module makes a module with a package p/q and returns its directory.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m", "testdata/a": "a", "testdata/deep/b": "b", "other.txt": "not for p/q", "p/p.go": "package p",
		"p/testdata/c": "c", "p/q/q.go": "package q", "p/q/q_test.go": "package q", "p/q/data.json": "{}", "p/q/testdata/fuzz/FuzzX/seed": "s", "p/q/r/r.go": "package r",
		"binary": "the test binary",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func put(t testing.TB, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// some are facts with a value in each field that differs from its zero value.
func some(module string) *Facts {
	dir := filepath.Join(module, "p", "q")
	return &Facts{
		Program: &instrument.Program{
			Test:      instrument.TestPackage{ImportPath: "m/p/q", Name: "q", Dir: dir, ModulePath: "m", ModuleDir: module, Fuzz: []instrument.FuzzTest{{Name: "FuzzX", File: "x", Line: 3, ArgTypes: []string{"[]byte"}}}},
			GoVersion: "go1.26.8", Packages: []instrument.Package{{ImportPath: "m/p/q", Dir: dir, Mutated: true}},
			Mutants: []instrument.Mutant{{Index: 1, ID: "i", Operator: "o", Package: "m/p/q", FuncIndex: -1, Original: "<\"\u2028", Replacement: "\x00", Status: instrument.StatusStatic}},
			Funcs:   []instrument.Func{{Name: "F", Line: 1, EndLine: 2}}, Blocks: []instrument.Block{{Line: 4, Func: 1}},
			Sites: []instrument.Site{{Name: "q.F", Values: []string{"result 0"}, View: golden.ViewNone}}, Views: map[string]golden.View{"T": golden.ViewAll},
			Census: instrument.Census{Sites: 7, Left: map[string]int{"why": 2}}, Comparisons: 5, Code: strings.Repeat("a", 64), Warnings: []string{"w"}, NoSeeds: "n",
		},
		UsesContext: true, Tokens: [][]byte{{0xff, 0}, []byte("null")}, Samples: []samples.Row{{constant.MakeString("\xff"), constant.MakeInt64(-3)}},
		Bounds: []load.CostBound{{File: "f", Line: 1, End: 2, Name: "F", Exponent: load.Any}}, Constants: []wire.Constants{{Type: "q.T", Numbers: []uint64{1 << 63}, Texts: []string{"t"}}},
		Places:   map[string]token.Position{"FuzzX": {Filename: "q.go", Line: 1}},
		Settings: Settings{Filter: "all", Dict: [][]byte{{1}}, Inputs: "bytes", Cost: 0.5, CostFails: true, Oracles: "leak", NoStudy: true, Timeout: time.Second, Timeouts: map[string]time.Duration{"FuzzX": 2}, MemLimit: 3, UntilTime: 4, UntilExecs: 5, UntilNews: 6},
	}
}

func write(t testing.TB, facts *Facts, module, to string) {
	t.Helper()
	if err := Write(to, facts, filepath.Join(module, "binary"), platform); err != nil {
		t.Fatal(err)
	}
}

// What is written is read as it was, and two files of the same are equal.
func TestAFileHasAllThatWasWritten(t *testing.T) {
	dir := module(t)
	facts := some(dir)
	for i := range reflect.TypeFor[Facts]().NumField() {
		if reflect.ValueOf(facts).Elem().Field(i).IsZero() {
			t.Errorf("%s is not tested", reflect.TypeFor[Facts]().Field(i).Name)
		}
	}
	for i := range reflect.TypeFor[Settings]().NumField() {
		if reflect.ValueOf(facts.Settings).Field(i).IsZero() {
			t.Errorf("%s is not tested", reflect.TypeFor[Settings]().Field(i).Name)
		}
	}
	a, b := filepath.Join(t.TempDir(), "new", "a.zip"), filepath.Join(t.TempDir(), "b.zip")
	write(t, facts, dir, a)
	write(t, facts, dir, b)
	one, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := os.ReadFile(b); err != nil || !bytes.Equal(one, two) {
		t.Errorf("the files differ, or %v", err)
	}
	to := filepath.Join(t.TempDir(), "to")
	got, binary, err := Open(a, to, platform)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(binary); err != nil || string(text) != "the test binary" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(binary); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if want := filepath.Join(to, "tree", "p", "q"); got.Program.Test.Dir != want {
		t.Errorf("the package is in %s, want %s", got.Program.Test.Dir, want)
	}
	got.Program.Test.Dir = facts.Program.Test.Dir
	if !reflect.DeepEqual(got, facts) {
		t.Errorf("got %+v, want %+v", got, facts)
	}
}

// The tree has the files of the package, and testdata there and above it.
func TestTheTreeHasWhatTestsMayRead(t *testing.T) {
	dir := module(t)
	list, err := tree(dir, filepath.Join("p", "q"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"p/q/data.json", "p/q/q.go", "p/q/q_test.go", "p/q/testdata/fuzz/FuzzX/seed", "p/testdata/c", "testdata/a", "testdata/deep/b"}
	for i := range list {
		list[i] = filepath.ToSlash(list[i])
	}
	if !slices.Equal(list, want) {
		t.Errorf("%q", list)
	}
	if err := os.Truncate(filepath.Join(dir, "testdata", "a"), treeMost); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "x.zip"), some(dir), filepath.Join(dir, "binary"), platform); err == nil || !strings.Contains(err.Error(), "more than 64 MiB") {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".fuzzmut-tmp-*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// change writes a file again with other content of one of its parts; nil leaves it out.
func change(t *testing.T, file, name string, text []byte) string {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range z.File {
		if f.Name != name {
			if err := w.Copy(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if text != nil {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "changed.zip")
	put(t, to, b.String())
	return to
}

func TestAFileThatIsNoneIsRefused(t *testing.T) {
	dir := module(t)
	file := filepath.Join(t.TempDir(), "a.zip")
	write(t, some(dir), dir, file)
	rt, err := runtime()
	if err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "go.mod")
	other := `{"Format":1,"Platform":"plan9/mips","Runtime":"x"}`
	out := `{"Format":1,"Platform":"plan9/mips","Runtime":"` + rt + `","Dir":"../x"}`
	for _, c := range []struct{ file, platform, want string }{
		{file, "linux/s390x", "it is for plan9/mips, and this is linux/s390x"},
		{filepath.Join(dir, "gone"), platform, "does not exist; -pack writes such files"},
		{text, platform, "can't be read"},
		{change(t, file, headName, nil), platform, "damaged"},
		{change(t, file, headName, []byte(other)), platform, "another version of fuzzmut"},
		{change(t, file, headName, []byte(out)), platform, "damaged"},
		{change(t, file, headName, make([]byte, headMost+1)), platform, "damaged"},
		{change(t, file, factsName, nil), platform, "damaged"},
		{change(t, file, factsName, []byte("{}")), platform, "damaged"},
		{change(t, file, factsName, []byte("{")), platform, "damaged"},
		{change(t, file, binaryName, nil), platform, "damaged"},
		{change(t, file, "other", []byte("x")), platform, "damaged"},
		{change(t, file, "tree/../../x", []byte("x")), platform, "damaged"},
		{change(t, file, "tree/a//b", []byte("x")), platform, "damaged"},
		{change(t, file, "tree/p", []byte("a file where a directory is")), platform, ""},
	} {
		to := filepath.Join(t.TempDir(), "to")
		_, _, err := Open(c.file, to, c.platform)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(to), "x")); err == nil {
			t.Error("a file is elsewhere")
		}
	}
}

// Whatever a file holds, nothing is written beside the directory.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	put(f, filepath.Join(dir, "p", "q", "q.go"), "package q")
	put(f, filepath.Join(dir, "binary"), "binary")
	file := filepath.Join(dir, "a.zip")
	write(f, some(dir), dir, file)
	text, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		file, to := filepath.Join(dir, "a.zip"), filepath.Join(dir, "to")
		put(t, file, string(text))
		facts, _, err := Open(file, to, platform)
		if (facts == nil) != (err != nil) {
			t.Errorf("%v, %v", facts, err)
		}
		list, err := os.ReadDir(dir)
		if err != nil || len(list) > 2 {
			t.Errorf("%v, %v", list, err)
		}
	})
}
