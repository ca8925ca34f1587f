package callers

import (
	"slices"
	"strings"
	"testing"
)

// The state of a package is what its functions change and can be set to what it was, with the clock
// and random numbers that its tests may replace. Functions that ask the outside only where
// it says nothing are called; those that always do are not.
func TestState(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

import (
	"crypto/rand"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

const first = 4

var (
	now              = time.Now
	source io.Reader = rand.Reader
	id               []byte
	count            = 2 * first
	mu               sync.Mutex
	guarded          struct{ mu sync.Mutex; n int }
	fixed            = 7
	table            = [4]byte{1, 2}
	fromElsewhere    = os.Getpid()
	pointed          = new(int)
	large            [5000]int
	filled           []string
	long             = []string{"a text that is too long to stand in each test that begins with it, as eighty bytes are"}
)

func init() { fill() }

func fill() { filled = append(filled, "x") }

func Add(s string) int { // changed
	filled, long = append(filled, s), append(long, s)
	return len(filled)
}

func SetID(b []byte) { id = b }

func ID() []byte {
	if id == nil {
		id = hardware()
	}
	return id
}

func Reset() { id = hardware() }

func hardware() []byte { // changed
	list, _ := net.Interfaces()
	return list[0].HardwareAddr
}

func Next() int { // changed
	mu.Lock()
	defer mu.Unlock()
	count += fixed
	return count
}

func SetCount(n int) { count, guarded.n, fromElsewhere, *pointed, large[0] = n, n, n, n, n }

func Stamp() int64 { return now().Unix() } // changed

func Salt() byte { // changed
	var b [1]byte
	io.ReadFull(source, b[:])
	return b[0] + table[0]
}

func User() int { return os.Getgid() } // changed
-- m_test.go --
package m

import "testing"

func TestM(t *testing.T) {}
`)
	s := newStates(newGraph(r))
	var names []string
	for _, v := range s.list() {
		if v.Kept {
			names = append(names, v.Name+" is kept")
			continue
		}
		names = append(names, v.Name+" = "+v.Initial)
	}
	want := []string{
		"count = 2 * first", "filled is kept", "fromElsewhere is kept", "id = ", "long is kept", "now = func() time.Time { return time.Unix(1700000000, 123456789).UTC() }",
		`source = strings.NewReader(strings.Repeat("random\xff\x80\x00", 99))`,
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	for _, n := range s.graph.nodes {
		if n.fn == nil || !n.own {
			continue
		}
		got := strings.Join(s.uses(n), " ")
		if s.sets(n) {
			got += ", sets"
		}
		if a := s.ask(n); a.always {
			got += ", always asks"
		} else if len(a.unless) > 0 {
			got += ", unless " + strings.Join(a.unless, ", ")
		}
		want := map[string]string{
			"SetID": "id, sets", "ID": "id, unless id == nil", "Reset": "id, always asks", "hardware": ", always asks", "Next": "count",
			"SetCount": "count fromElsewhere, sets", "Add": "filled long", "fill": "filled", "init": "filled", "Stamp": "now", "Salt": "source", "User": ", always asks",
		}[n.fn.Name()]
		if got != want {
			t.Errorf("%s: %q, want %q", n.fn.Name(), got, want)
		}
	}
	all := Sequences(r, marked)
	if len(all.List) != 1 {
		t.Fatalf("%d fuzz tests", len(all.List))
	}
	var called []string
	for _, fn := range all.List[0].Functions() {
		called = append(called, fn.Name())
	}
	slices.Sort(called)
	if want := []string{"Add", "ID", "Next", "Salt", "SetCount", "SetID", "Stamp"}; !slices.Equal(called, want) {
		t.Errorf("%q, want %q", called, want)
	}
}

// A test of what a function says of the machine that it runs on would pass on that machine alone.
func TestNothingThatTheMachineDecides(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

import (
	"net"
	"os"
)

func Up(name string) bool { return has(name) }

func has(name string) bool {
	list, _ := net.Interfaces()
	return len(list) > 0 && list[0].Name == name
}

func Load(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
-- m_test.go --
package m

import "testing"

func TestM(t *testing.T) {}
`)
	found, err := Above(r, 8, func(string, int, int) bool { return true })
	if err != nil || len(found.Targets) != 1 || found.Targets[0].Function != "example.com/m.Load" {
		t.Fatalf("%+v, %v", found.Targets, err)
	}
	if want := "Up returns what differs from machine to machine: it calls net.Interfaces"; len(found.Left) == 0 || found.Left[0].Reason != want {
		t.Errorf("%+v, want %q", found.Left, want)
	}
}
