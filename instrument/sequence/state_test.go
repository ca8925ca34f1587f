package sequence

import (
	"fmt"
	"go/format"
	"go/types"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// keptCode is a package whose functions return what others have set, the time, and random numbers.
const keptCode = `package p

import (
	"crypto/rand"
	"io"
	"os"
	"time"
)

var (
	now              = time.Now
	source io.Reader = rand.Reader
	id, none [2]byte
	count            = 3
	names            []string
	last             Stamp
)

type Stamp struct{ at int64 }

func SetID(text string) bool {
	if len(text) < 2 {
		return false
	}
	copy(id[:], text)
	return true
}

func ID() string {
	if id == none {
		id[1] = byte(os.Getpid())
	}
	return string(id[:])
}

func SetCount(n int) { count = n }

func Next() int { count++; return count }

func Name(s string) int { names = append(names, s); return len(names) }

func NewStamp() *Stamp {
	if s := (Stamp{now().UnixNano()}); s == last {
		last.at++
	} else {
		last = s
	}
	s := last
	return &s
}

func (s *Stamp) At() int64 { return s.at }

func (s *Stamp) Odd() bool { return s.at&1 == 1 }

func Random() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(source, b[:])
	return b[0], err
}

func SetSource(r io.Reader) { source = r }
`

func ofKept(t *testing.T) *Sequence {
	t.Helper()
	pkg := checked(t, keptCode)
	of := map[string][]string{
		"SetID": {"id"}, "ID": {"id"}, "SetCount": {"count"}, "Next": {"count"}, "Name": {"names"},
		"NewStamp": {"last", "now"}, "Random": {"source"}, "SetSource": {"source"},
	}
	var state []Variable
	for name, v := range map[string]Variable{
		"id": {}, "count": {Initial: "3"}, "names": {}, "last": {},
		"now":    {Initial: "func() time.Time { return time.Unix(5, 0) }", Choices: []string{"func() time.Time { return time.Unix(5, 0) }", "func() time.Time { return time.Unix(6, 1) }"}},
		"source": {Initial: `strings.NewReader("\xffrandom")`},
	} {
		v.Name, v.Type = name, pkg.Scope().Lookup(name).Type()
		state = append(state, v)
	}
	slices.SortFunc(state, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return New(Config{
		Package: pkg, Types: Values(pkg), Functions: functions(pkg, "SetID", "ID", "SetCount", "Next", "Name", "Random", "SetSource"),
		Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 }, Texts: []string{"ab", "c"},
		State: state, Uses: func(fn *types.Func) []string { return of[fn.Name()] },
		Unless: func(fn *types.Func) []string {
			if fn.Name() == "ID" {
				return []string{"id == none"}
			}
			return nil
		},
		Sets: func(fn *types.Func) bool { return strings.HasPrefix(fn.Name(), "Set") },
	})
}

// What calls return does not depend on inputs before, nor on the clock and on random numbers, and
// the tests pass whatever other tests have left.
func TestStateIsThatOfTheInput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two test binaries")
	}
	s := ofKept(t)
	checked(t, keptCode, string(s.Text))
	random := rand.New(rand.NewPCG(1, 2))
	var inputs [][]any
	for _, in := range s.seeds() {
		inputs = append(inputs, []any{[]byte(in.ops), in.texts[0], in.texts[1]})
	}
	for range 300 {
		inputs = append(inputs, []any{[]byte(s.walk(random)), []string{"", "\x00\x00", "cd"}[random.IntN(3)], "e\n"})
	}
	twice := slices.Clone(inputs)
	slices.Reverse(twice)
	twice = append(slices.Clone(inputs), twice...)
	dir := t.TempDir()
	seen := recordIn(t, dir, keptCode, s, twice)
	var b strings.Builder
	imports := map[string]bool{"testing": true}
	left := 0
	for i, in := range inputs {
		if again := seen[len(twice)-1-i]; !slices.Equal(seen[i], again) {
			t.Fatalf("%q: %q, again %q", in, seen[i], again)
		}
		if slices.Contains(seen[i], leftOut) {
			left++
		}
		steps, ok := s.Read(in, seen[i])
		if !ok {
			continue
		}
		c := steps.Case()
		for _, name := range c.Imports {
			imports[name] = true
		}
		fmt.Fprintf(&b, "func TestCase%d(t *testing.T) {\n", i)
		if c.Begins {
			b.WriteString("count, names, id = 99, names[:0], [2]byte{7}\nbegin(t)\n")
		}
		b.WriteString(c.Body + "}\n")
	}
	source, more := s.Begin("begin")
	b.WriteString(source)
	if left == 0 {
		t.Error("a call that asks the outside is never left out")
	}
	for _, want := range []string{
		"wasCount", "count = 3\n", "SetCount(0)\n\tif got := Next(); got != 1 {",
		"now = func() time.Time { return time.Unix(6, 1) }", "if got := ID(); got != ", "stamp.At(); got != 5000000000", "Random(); got != 255",
	} {
		if src, err := format.Source([]byte("package p\n" + b.String())); err != nil || !strings.Contains(string(src), want) {
			t.Errorf("no case has %q: %v", want, err)
		}
	}
	for _, name := range more {
		imports[name] = true
	}
	head := "package p\n\nimport (\n"
	for name := range imports {
		head += fmt.Sprintf("%q\n", name)
	}
	src, err := format.Source([]byte(head + ")\n\n" + b.String()))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cases_test.go"), string(src))
	if out, err := goTest(dir, "-run=TestCase").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out[:min(len(out), 4000)])
	}
}

// A variable whose first value has no source begins as it is, and other tests find it so.
func TestKeptVariablesAreSetBackAlone(t *testing.T) {
	s := ofKept(t)
	for i := range s.state {
		s.state[i].Kept = s.state[i].Name == "count"
	}
	source, _ := s.Begin("begin")
	if !strings.Contains(source, "wasCount") || strings.Contains(source, "count = 3") || !strings.Contains(source, "names = nil") {
		t.Error(source)
	}
	for i := range s.state {
		s.state[i].Kept = true
	}
	if source, _ = s.Begin("begin"); !strings.Contains(source, "// begin has a test leave") || strings.Contains(source, "names = nil") {
		t.Error(source)
	}
}
