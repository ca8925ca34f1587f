package golden

import (
	"strconv"
	"strings"
)

// Unstable stands for the text of a value that differs from run to run, or of a part of one.
const Unstable = "differs from run to run"

// A Value is an observed value, by a name that is unique within its execution.
type Value struct {
	Name string // "gjson.Get #2 result 0"
	Text string // in lines, without the last line end; see Render
}

// A Log gathers the values of one execution. The zero Log is empty.
type Log struct {
	Whole   bool // nothing is folded, however much it is
	Skipped bool // the fuzz target has skipped, which is a value too

	values []Value
	calls  map[string]int // of each function so far
	size   int
	folded []string // names and hashes of the texts beyond maxValues
}

// Begin begins a call of function. Calls are distinguished by their order.
func (l *Log) Begin(function string) {
	if l.calls == nil {
		l.calls = make(map[string]int)
	}
	l.calls[function]++
}

// Add adds a value that was observed at the last call of function; value says which of
// those that belong to the call it is. It returns the value's name.
func (l *Log) Add(function, value, text string) string {
	v := Value{Name: l.name(function, value), Text: text}
	if l.size += len(v.Name) + len(v.Text); l.size > maxValues && !l.Whole {
		l.folded = append(l.folded, v.Name, hash(text))
	} else {
		l.values = append(l.values, v)
	}
	return v.Name
}

func (l *Log) name(function, value string) string {
	return function + " #" + strconv.Itoa(l.calls[function]) + " " + value
}

// Values returns what was added, in order.
func (l *Log) Values() []Value {
	all := l.values[:len(l.values):len(l.values)]
	if len(l.folded) > 0 {
		all = append(all, Value{Name: "more values", Text: strconv.Itoa(len(l.folded)/2) + ", hash " + hash(strings.Join(l.folded, "\n"))})
	}
	if l.Skipped {
		all = append(all, Value{Name: "fuzz target #1 outcome", Text: "skip"})
	}
	return all
}

func byName(values []Value) map[string]Value {
	m := make(map[string]Value, len(values))
	for _, v := range values {
		m[v.Name] = v
	}
	return m
}

// A Change is a value that is not what it was.
type Change struct {
	Name      string
	Want, Got string // texts; "" for a value that is not observed
}

// Compare lists the values that are not as wanted, in order: those wanted first, then
// those that nobody has asked for. Unstable ones that are wanted do not count.
func Compare(want, got []Value) []Change {
	var changes []Change
	now := byName(got)
	for _, v := range want {
		if g := now[v.Name]; !Matches(v.Text, g.Text) {
			changes = append(changes, Change{Name: v.Name, Want: v.Text, Got: g.Text})
		}
	}
	before := byName(want)
	for _, v := range got {
		if before[v.Name].Name == "" {
			changes = append(changes, Change{Name: v.Name, Got: v.Text})
		}
	}
	return changes
}
