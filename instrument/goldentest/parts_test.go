package goldentest

import (
	"bytes"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/google/go-cmp/cmp"
)

// woods is a module with the code of forest_test.go.
func woods(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("forest_test.go")
	if err != nil {
		t.Fatal(err)
	}
	return "-- go.mod --\nmodule example.com/goldentest\n\ngo 1.26\n-- p.go --\n" + string(data) +
		"-- p_test.go --\npackage goldentest\n\nimport \"testing\"\n\nfunc FuzzPlant(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { Plant(n) })\n}\n"
}

// What has no literal is compared by its parts: the tests pass, and see a change in each.
func TestPartsOfResults(t *testing.T) {
	r := loadText(t, woods(t))
	test := Test{Name: "FuzzPlant"}
	for n := range 4 {
		oak, next, err := Plant(n)
		k := Case{Name: "n", Args: []any{n}}
		for i, v := range []any{oak, next, err} {
			k.Values = append(k.Values, golden.Value{Name: "goldentest.Plant #1 result " + string(rune('0'+i)), Text: golden.Render(v)})
		}
		test.Cases = append(test.Cases, k)
	}
	for i, fit := range Fit(r, test) {
		if !fit.Plain || fit.Error != (i == 0) {
			t.Errorf("case %d: %+v", i, fit)
		}
	}
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, []Test{test})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Left) > 0 || len(got.Tests) != 1 {
		t.Fatalf("left %+v", got.Left)
	}
	if shown := got.Tests[0].Results[1]; shown != "{Any == nil: true, At.Equal(time.Time{}): true, Best: Weight(0.5), and 30 more}, {got == nil: true}, nil" {
		t.Errorf("shown: %s", shown)
	}
	if code := string(got.Files[filepath.Join(r.Test.Dir, "plain_test.go")]); !strings.Contains(code, "is %+v (%#v), want %+v (%#v)") {
		t.Errorf("what fmt shows by methods, as a weight, is not shown as a value:\n%s", code)
	}
	seesEach(t, r, got, [][2]string{
		{`"below"`, `"above"`},
		{"Needles: 7", "Needles: 8"},
		{`hidden: "ab"`, `hidden: "abc"`},
		{`Fir{2, "x"}`, `Fir{2, "xx"}`},
		{`&Oak{secret: 4}`, `&Oak{secret: 5}`},
		{`"none": nil`, `"none": Fir{}`},
		{"2020, 1, 2", "2020, 1, 3"},
		{`"a reason"`, `"another reason"`},
		{`Fir{3, "y"}`, `Fir{4, "y"}`},
		{"[]int8{1, -2}", "[]int8{1, -3}"},
		{`&Fir{4, "zz"}, nil`, `&Fir{4, "zz"}, Fir{}`},
		{"&Rot{5}", "&Rot{6}"},
		{`3: {1, "w"}`, `3: {1, "vw"}`},
		{"one := 1", "one := 2"},
		{"[]Tree{Fir{6", "[]Tree{nil, Fir{6"},
		{`&Fir{8, "v"}`, `&Fir{8, "u"}`},
		{"secret: n * 3", "secret: n * 2"},
		{"Weight(n) / 2", "Weight(n) / 4"},
	})
}

// Errors are compared by what they say, and by what callers see beside that.
func TestPartsBesideErrors(t *testing.T) {
	r := loadText(t, strings.ReplaceAll(woods(t), "Plant(n) }", "Inspect(n) }"))
	test := Test{Name: "FuzzPlant"}
	for n := range 3 {
		blight, err := Inspect(n)
		k := Case{Name: "n", Args: []any{n}, Beside: true}
		for i, v := range []any{blight, err} {
			k.Values = append(k.Values, golden.Value{Name: "goldentest.Inspect #1 result " + string(rune('0'+i)), Text: golden.Render(v)})
		}
		test.Cases = append(test.Cases, k)
	}
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, []Test{test})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Left) > 0 || len(got.Tests) != 1 {
		t.Fatalf("left %+v", got.Left)
	}
	if diff := cmp.Diff([]string{`"0 trees", nil`, `"2 trees", error "seen oak"`, `"0 trees", error "nobody looked"`}, got.Tests[0].Results); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	beside := []string{"", `{len(got): 2, [0].Error(): "rot 1", [0].Depth: 1, and 2 more}, {At: Spot{Row: 3, Col: 4}}`, ""}
	if diff := cmp.Diff(beside, got.Tests[0].Beside); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	if code := string(got.Files[filepath.Join(r.Test.Dir, "plain_test.go")]); !strings.Contains(code, ": part %d of error is %+v, want %+v") {
		t.Errorf("no part of an error is compared:\n%s", code)
	}
	for said, want := range map[string]bool{
		"Inspect(1) = 2 trees, seen oak, want 2 trees, seen fir":           false,
		"Inspect(1): part 0 of error is {Row:3 Col:5}, want {Row:3 Col:4}": true,
		"Inspect(1): part 0 of buf is 1, want 2":                           false,
	} {
		if IsBeside(said) != want {
			t.Errorf("%s: %t", said, !want)
		}
	}
	seesEach(t, r, got, [][2]string{
		{"{{1}, {2}}", "{{2}, {1}}"},
		{"{{1}, {2}}", "{{1}, {3}}"},
		{"Spot{3, 4}", "Spot{4, 4}"},
		{`Seen{"oak"`, `Seen{"fir"`},
		{"nobody looked", "somebody looked"},
		{`Seen{"oak", Spot{3, 4}, nil}`, "nil"},
	})
}

// Parts have names, but for those of several results, which have the same numbers.
func TestNamesOfParts(t *testing.T) {
	one := func(out string, gets ...string) column {
		var list []literals.Part
		for _, get := range gets {
			list = append(list, literals.Part{Get: get})
		}
		return column{kind: partsColumn, out: out, parts: [][]literals.Part{nil, list}}
	}
	for _, c := range []struct {
		columns []column
		want    map[string][]string
	}{
		{[]column{{kind: plainColumn}, one("", "got.A.B", "len(got.C)")}, map[string][]string{"": {"A.B", "len(got.C)"}}},
		{[]column{one("", "got.A"), one("buf", "got.Len()")}, map[string][]string{"": {"A"}, "buf": {"Len()"}}},
		{[]column{one("", "got.A"), one("", "got.B")}, map[string][]string{"": nil}},
	} {
		if diff := cmp.Diff(c.want, (&planned{columns: c.columns}).parts(1)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// seesEach writes tests, which pass, and fail with each change of a part of the code in p.go.
func seesEach(t *testing.T, r *load.Result, written *PlainTests, changes [][2]string) {
	t.Helper()
	write(t, written.Files)
	vet(t, r.Test.Dir)
	text := string(written.Files[filepath.Join(r.Test.Dir, "plain_test.go")])
	path := filepath.Join(r.Test.Dir, "p.go")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	passes := func() (bool, string) {
		cmd := exec.Command("go", "test", "-vet=off", "-run", "^("+strings.Join(written.Names(), "|")+")$", ".")
		cmd.Dir = r.Test.Dir
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), "[build failed]") {
			t.Fatalf("%s\n%s", out, text)
		}
		return err == nil, string(out)
	}
	if ok, out := passes(); !ok {
		t.Fatalf("%s\n%s", out, text)
	}
	for _, change := range changes {
		if n := bytes.Count(src, []byte(change[0])); n != 1 {
			t.Fatalf("%q stands %d times in the code", change[0], n)
		}
		write(t, map[string][]byte{path: bytes.Replace(src, []byte(change[0]), []byte(change[1]), 1)})
		if ok, out := passes(); ok || !strings.Contains(out, "--- FAIL") {
			t.Errorf("%s in place of %s is not seen by\n%s\n%s", change[1], change[0], text, out)
		}
	}
}

// A text that was cut has the parts that are whole.
func TestPartsOfACutText(t *testing.T) {
	r := loadText(t, woods(t))
	pkg := r.Tests[0].Types
	typ := pkg.Scope().Lookup("Oak").Type()
	list := literals.New(pkg, ownNames...).PartsOf(types.NewPointer(typ), "*goldentest.Oak &{\n\tBest: 3\n\tBranches: [\n\t\tgoldentest.Fir {Needles: 4, Height(): 2}\n\t\tgoldent\n... cut: 90 lines, 5000 bytes, hash 12", "got")
	want := [][2]string{{"got.Best", "Weight(3)"}, {"got.Branches[0].(Fir).Needles", "4"}, {"got.Branches[0].(Fir).Height()", "2"}}
	if len(list) != len(want) {
		t.Fatalf("%v, want %v", list, want)
	}
	for i := range want {
		if got := [2]string{list[i].Get, list[i].Want}; got != want[i] {
			t.Errorf("%v, want %v", got, want[i])
		}
	}
}
