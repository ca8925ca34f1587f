package properties

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// module unpacks a module, and loads the package in its root.
func module(t *testing.T, archive string) (string, *load.Result) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: ".", AnyTests: true})
	if err != nil {
		t.Fatal(err)
	}
	return dir, r
}

// TestEachShapeHasItsProperties compares all properties of a package with a golden file, and
// has go vet compile them.
func TestEachShapeHasItsProperties(t *testing.T) {
	dir, r := module(t, filepath.Join("testdata", "shapes.txtar"))
	var parts []target.Part
	var list bytes.Buffer
	for _, family := range Find(r) {
		for i, p := range family {
			part, err := p.Source(p.Name, p.Seeds)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
			fmt.Fprintf(&list, "%s %s", strings.Repeat("  ", min(i, 1)), p.Kind)
			if p.Guess {
				list.WriteString(" (a guess)")
			}
			fmt.Fprintf(&list, ": %s\n\n%s\n", strings.Join(p.Functions, ", "), part.Text)
		}
	}
	goldenfile.Compare(t, "shapes.golden", list.Bytes())
	vetted(t, dir, r, parts)
}

// vetted has go vet compile fuzz tests as a file of a package.
func vetted(t *testing.T, dir string, r *load.Result, parts []target.Part) {
	t.Helper()
	text, err := target.Join(r.Packages[0].Name, "", parts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "properties_test.go"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	vet := exec.Command("go", "vet", ".")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

func TestNamesOfInverses(t *testing.T) {
	for _, c := range []struct {
		out, back string
		want      bool
	}{
		{"Encode", "Decode", true},
		{"EncodeRune", "DecodeRune", true},
		{"Decode", "Encode", false},
		{"MarshalText", "UnmarshalText", true},
		{"WriteToString", "ReadFromString", true},
		{"HexToRGB", "RGBToHex", true},
		{"FormatInt", "ParseInt", true},
		{"FormatInt", "ParseUint", false},
		{"Value", "Scan", true},
	} {
		if got := inverse(c.out, c.back); got != c.want {
			t.Errorf("inverse(%s, %s) = %t", c.out, c.back, got)
		}
	}
}

func TestNamesOfTwins(t *testing.T) {
	for _, c := range []struct {
		name, other string
		want        bool
	}{
		{"Parse", "ParseBytes", true},
		{"ParseString", "ParseBytes", true},
		{"Match", "MatchReader", true},
		{"Parse", "Parse2", false},
		{"ParseBytes", "Parse", false},
	} {
		if got := twinNames(c.name, c.other); got != c.want {
			t.Errorf("twinNames(%s, %s) = %t", c.name, c.other, got)
		}
	}
}

func TestNamesOfWhatLeavesItsResultAlone(t *testing.T) {
	for name, want := range map[string]bool{"Clean": true, "CleanPath": true, "ToLower": true, "HTMLCompact": true, "Parse": false, "Escape": false} {
		if isStable(name) != want {
			t.Errorf("isStable(%s) = %t", name, !want)
		}
	}
}
