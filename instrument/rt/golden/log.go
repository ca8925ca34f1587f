package golden

import (
	"errors"
	"strconv"
	"strings"
)

// Unstable stands for the text of a value that differs from run to run.
const Unstable = "differs from run to run"

// A Value is an observed value, by a name that is unique within its execution.
type Value struct {
	Name string // "gjson.Get #2 result 0 (gjson.Result)"
	Text string // in lines, without the last line end; see Render
}

// A Log gathers the values of one execution. The zero Log is empty.
type Log struct {
	Whole   bool // nothing is folded, however much it is
	Skipped bool // the fuzz target has skipped, which is a value too

	values []Value
	calls  map[string]int // of names so far
	size   int
	folded []string // names and hashes of the texts beyond maxValues
}

// Add adds a value that was observed at a call of function; value says which of
// those that belong to the call it is. Calls are told apart by their order. It returns
// the value's name.
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
	if l.calls == nil {
		l.calls = make(map[string]int)
	}
	l.calls[function+" "+value]++
	return function + " #" + strconv.Itoa(l.calls[function+" "+value]) + " " + value
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
		if g := now[v.Name]; v.Text != Unstable && g.Text != v.Text {
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

// header is the first line of a golden file. The second says which packages' calls
// are observed. The last one says how many values there are: a file that was cut off
// has none, and one that has lost lines has another number. Files that earlier
// versions wrote begin with oldHeader, and have no such line.
const (
	version   = 2
	family    = "fuzzmut golden v"
	header    = family + "2"
	oldHeader = family + "1"
	observes  = "observes "
)

// Later says whether a file was written by a later version of fuzzmut, in a format that
// is not known here.
func Later(data []byte) bool {
	line, _, _ := strings.Cut(string(data), "\n")
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSuffix(line, "\r"), family))
	return strings.HasPrefix(line, family) && err == nil && n > version
}

// ending is the last line of a file with n values.
func ending(n int) string { return "end, " + strconv.Itoa(n) + " values" }

// A File is what a golden file holds.
type File struct {
	Packages string // import paths of the packages whose calls are observed; "." is the one under test
	Values   []Value
}

// Unmarshal reads what Marshal has written, with line ends of either kind. The
// error names the line, from 1.
func Unmarshal(data []byte) (*File, error) {
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if err := checkLines(lines); err != nil {
		return nil, err
	}
	f := &File{Packages: strings.TrimPrefix(lines[1], observes)}
	last := len(lines) - 1 // behind it there is nothing
	if lines[0] == header {
		last--
	}
	text := false // the last value has some
	for i := 2; i < last; i++ {
		line, at := lines[i], len(f.Values)-1
		switch {
		case line == "":
		case line[0] != '\t':
			f.Values, text = append(f.Values, Value{Name: line}), false
		case at < 0:
			return nil, lineError(i, "a value without a name")
		case !text:
			f.Values[at].Text, text = line[1:], true
		default:
			f.Values[at].Text += "\n" + line[1:]
		}
	}
	if lines[0] == header && lines[last] != ending(len(f.Values)) {
		return nil, lineError(last, "not "+strconv.Quote(ending(len(f.Values)))+": lines are missing, or were added")
	}
	for _, v := range f.Values {
		if v.Text == "" {
			return nil, errors.New("the value " + strconv.Quote(v.Name) + " has no text")
		}
	}
	if len(byName(f.Values)) < len(f.Values) {
		return nil, errors.New("two values have one name")
	}
	return f, nil
}

// lineError is an error in the line of that index.
func lineError(i int, what string) error {
	return errors.New("line " + strconv.Itoa(i+1) + ": " + what)
}

// checkLines checks what all golden files have: the two lines at the beginning, whole
// lines up to the end, and no marks of a merge that failed.
func checkLines(lines []string) error {
	for i, line := range lines {
		for _, mark := range []string{"<<<<<<<", "=======", ">>>>>>>"} {
			if strings.HasPrefix(line, mark) {
				return lineError(i, "a conflict mark of git")
			}
		}
		if strings.Contains(line, "\r") {
			return lineError(i, "a carriage return within the line")
		}
	}
	n := len(lines)
	switch {
	case Later([]byte(lines[0])):
		return lineError(0, "a later version of fuzzmut has written it")
	case lines[0] != header && lines[0] != oldHeader:
		return lineError(0, "not "+strconv.Quote(header))
	case n < 2 || !strings.HasPrefix(lines[1], observes):
		return lineError(1, "does not begin with "+strconv.Quote(observes))
	case lines[1] == observes:
		return lineError(1, "names no package")
	case lines[n-1] != "":
		return lineError(n-1, "the file is cut off: the line has no end")
	case lines[0] == header && !strings.HasPrefix(lines[n-2], "end, "):
		return lineError(n-2, "the file is cut off: the last line does not say how many values there are")
	}
	return nil
}
