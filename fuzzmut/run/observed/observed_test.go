package observed_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const code = trialtest.Sign + `
var calls int

// Next returns another number each time.
func Next() int {
	calls++
	return calls
}
`

const fuzz = `func FuzzX(f *testing.F) {
	f.Add(0)
	f.Fuzz(func(t *testing.T, n int) {
		if Sign(n) == 2 {
			t.Fatal("one")
		}
		Next()
	})
}
`

func TestWhatDiffersFromRunToRunIsUnstable(t *testing.T) {
	x := trialtest.Open(t, trialtest.Module(t, code, fuzz, []any{int(1)}), trial.Hooks{})
	once, err := observed.Once(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	stable, err := observed.Stable(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	if len(once) != 2 || len(stable) != 2 {
		t.Fatalf("%d and %d observations of 2 entries", len(once), len(stable))
	}
	texts := func(o observed.Observation) map[string]string {
		m := make(map[string]string)
		for _, v := range o.Values {
			function, _, _ := strings.Cut(v.Name, " #")
			m[function[strings.LastIndexByte(function, '.')+1:]] = v.Text
		}
		return m
	}
	if got := texts(once[0]); got["Sign"] != "int 0" || got["Next"] == golden.Unstable {
		t.Errorf("once: %v", got)
	}
	if got := texts(stable[0]); got["Sign"] != "int 0" || got["Next"] != golden.Unstable {
		t.Errorf("often: %v", got)
	}
	if !strings.HasSuffix(stable[1].Failure, ": one") || len(stable[1].Values) != 0 {
		t.Errorf("an entry that fails: %+v", stable[1])
	}
}

const seen = trialtest.Sign + `
type Num struct{ n int }

func (x *Num) Add(n int)  { x.n += n }
func (x *Num) Times() int { return x.n * 2 }

//fuzzmut:observe string
type Text struct{ n int }

func (Text) String() string { return "text" }

func New(n int) *Num { return &Num{n} }

//fuzzmut:observe all
func Both(n int) (*Num, Text) { return New(n), Text{n} }

//fuzzmut:observe none
func Nothing(n int) int { return n }

func Put(n int, to *Num) (int, error) { to.n = n; return n, nil }
`

// What is observed is what a caller can see, but for what a directive asks for; the
// values of one call have one name.
func TestWhatIsObserved(t *testing.T) {
	x := trialtest.Open(t, trialtest.Module(t, seen, `func FuzzX(f *testing.F) {
	f.Add(0)
	f.Fuzz(func(t *testing.T, n int) {
		Put(n, New(n))
		num := New(n)
		num.Add(2)
		Both(n)
		Nothing(n)
		Put(n, &*num)
		var other Num
		Put(n, &other)
		other.Times()
	})
}
`, []any{int(5)}), trial.Hooks{})
	once, err := observed.Once(t.Context(), x, x.Given[1:])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range once[0].Values {
		got = append(got, v.Name+": "+v.Text)
	}
	want := []string{
		"p.New #1 result 0: *p.Num &{Times(): 10}",
		"p.Put #1 result 0: int 5", "p.Put #1 result 1: nil",
		"p.New #2 result 0: *p.Num &{Times(): 10}",
		"p.Both #1 result 0: *p.Num &{n: 5}", `p.Both #1 result 1: p.Text "text"`,
		"p.Put #2 result 0: int 5", "p.Put #2 result 1: nil",
		"p.Put #3 result 0: int 5", "p.Put #3 result 1: nil", "p.Put #3 argument other: *p.Num &{Times(): 10}",
		"p.Num.Times #1 result 0: int 10",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGoldenValuesAreKeptOnce(t *testing.T) {
	x := trialtest.Open(t, trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{int(5)}), trial.Hooks{})
	n, err := observed.Keep(t.Context(), x)
	if err != nil || n.Entries() != 2 || n.Values() != 2 {
		t.Fatalf("kept %+v, %v", n, err)
	}
	values, err := store.Read(x.GoldenFile())
	if err != nil || len(values.Entries) != 2 || len(values.Bad) != 0 {
		t.Fatalf("%+v, %v", values, err)
	}
	// What is there already stays as it is, also if it is not what is observed.
	changed := *values.Of(&x.Given[1])
	changed.Values = append([]golden.Value(nil), changed.Values...)
	changed.Values[0].Text = "77"
	if err := store.Apply(x.GoldenFile(), store.Change{Packages: values.Packages, Put: []golden.Entry{changed}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(x.GoldenFile())
	if err != nil {
		t.Fatal(err)
	}
	if n, err = observed.Keep(t.Context(), x); err != nil || n.Entries() != 0 {
		t.Errorf("kept again: %+v, %v", n, err)
	}
	if now, _ := os.ReadFile(x.GoldenFile()); string(now) != string(data) {
		t.Error("the file was written again")
	}
	if w := strings.Join(x.Warnings(), "\n"); !strings.Contains(w, "1 golden value of 1 entry differs from what is observed now") {
		t.Errorf("warnings: %s", w)
	}
}

// Files that would hold no value are not written, unless others do; why is said.
func TestGoldenFilesWithoutValuesAreNotWritten(t *testing.T) {
	for _, c := range []struct{ name, fuzz, want string }{
		{"no call", "n == 1", "the fuzz test calls no function of example.com/p that returns a value; call one in the fuzz test itself"},
		{"no entry gets there", "n == 100 && Sign(n) != 1", "none of 2 entries makes the fuzz test call a function of example.com/p that returns a value"},
	} {
		body := "func FuzzX(f *testing.F) {\n\tf.Add(0)\n\tf.Fuzz(func(t *testing.T, n int) {\n\t\tif " + c.fuzz + " {\n\t\t\tt.Skip()\n\t\t}\n\t})\n}\n"
		x := trialtest.Open(t, trialtest.Module(t, code, body, []any{int(5)}), trial.Hooks{})
		n, err := observed.Keep(t.Context(), x)
		if err != nil || n.Entries() != 0 {
			t.Errorf("%s: kept %+v, %v", c.name, n, err)
		}
		if _, err := os.Stat(x.GoldenFile()); !os.IsNotExist(err) {
			t.Errorf("%s: there are golden files", c.name)
		}
		if w := strings.Join(x.Warnings(), "\n"); !strings.Contains(w, "no golden values are written: "+c.want) {
			t.Errorf("%s: warnings %q", c.name, w)
		}
	}
}

func TestDistinctEntriesHaveOtherValues(t *testing.T) {
	a, b := corpus.Of(1).Found(), corpus.Of(2).Found()
	twin := a
	twin.Name = "other"
	if got := observed.Distinct([]corpus.Entry{a, b, twin}); len(got) != 2 || got[0].Name != a.Name || got[1].Name != b.Name {
		t.Errorf("%v", got)
	}
}
