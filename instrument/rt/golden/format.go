package golden

import (
	"strconv"
	"strings"
)

// conflictMarker is the fault of a line that git leaves in a merge.
const conflictMarker = "a git conflict marker"

// A golden file is text. Its first line says the version of the format, the second one
// which packages' calls are observed. Then each entry has a section: a line with its name
// and the number of its values, a comment that shows the input, and of each value a line
// with its name and its text, each line after a tab. Empty lines mean nothing.
//
// The file is made for git. Sections are in the order of their names, and no line is about
// more than one of them, so that two branches that add entries change different places.
// What a merge may lose shows nevertheless: a file that is cut has no closing line, a
// section that has lost or doubled values has another number of them, and a lost section
// leaves an entry without golden values. A lost line within the text of a value is a
// difference from what is observed.
const (
	format   = 3
	family   = "fuzzmut golden v"
	observes = "observes "
	comment  = "# "
	closing  = "-- end --"
)

// A File holds the golden values of one fuzz test.
type File struct {
	Packages string  // import paths of the packages whose calls are observed; "." is the one under test
	Entries  []Entry // in the order of their names
}

// An Entry is what was observed on a seed or an entry of the corpus.
type Entry struct {
	Name   string // that of a managed entry of the same content; see Key
	Input  string // its arguments in one line, for readers; it may be cut
	Values []Value
	Line   int // where it begins in the file that it was read from, from 1
}

// Damage is what can't be used of a file.
type Damage struct {
	Line int    // from 1
	Name string // of the entry that it is about, "" if it is the file
	Text string
}

func (d Damage) Error() string {
	s := "line " + strconv.Itoa(d.Line) + ": "
	if d.Name != "" {
		s += d.Name + ": "
	}
	return s + d.Text
}

// Key is the end of an entry's name: the hash of its content. Entries are distinguished by it.
func Key(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }

// Version returns the version of the format that a file says it has, 0 if it says none. Those
// before the one that Unmarshal reads held the values of one entry, in other words.
func Version(data []byte) int {
	line, _, _ := strings.Cut(string(data), "\n")
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSuffix(line, "\r"), family))
	if err != nil || !strings.HasPrefix(line, family) {
		return 0
	}
	return n
}

// Earlier and Later say that another version of fuzzmut has written a file.
func Earlier(data []byte) bool { v := Version(data); return 0 < v && v < format }
func Later(data []byte) bool   { return Version(data) > format }

// Unmarshal reads what Marshal has written, with line ends of either kind. What is damaged
// is left out, and listed in the order of the lines.
func Unmarshal(data []byte) (*File, []Damage) {
	r := reader{file: new(File), keys: make(map[string]int)}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for i, line := range lines {
		if r.at = i + 1; line != "" && !r.line(line) {
			return r.file, r.damage
		}
	}
	r.end()
	if lines[len(lines)-1] != "" {
		r.fault("the file is truncated: the line has no end")
	} else if !r.closed {
		r.fault("the file is cut off: there is no line " + strconv.Quote(closing))
	}
	return r.file, r.damage
}

// A reader reads a file line by line.
type reader struct {
	file   *File
	damage []Damage
	keys   map[string]int // lines of entries
	at     int            // number of the line
	begun  int            // lines of the head
	closed bool

	open  bool  // a section is
	entry Entry // that of the section
	count int   // of values that it should have
	bad   bool  // it is useless
	text  bool  // its last value has some
}

func (r *reader) fault(text string) {
	r.damage = append(r.damage, Damage{Line: r.at, Name: r.entry.Name, Text: text})
	r.bad = true
}

// line reads a line that is not empty. It returns false if what follows can't be read.
func (r *reader) line(line string) bool {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if strings.HasPrefix(line, mark) {
			r.fault(conflictMarker)
			return true
		}
	}
	name, count, opens := opening(line)
	switch {
	case r.begun < 2:
		r.begun++
		return r.head(line)
	case r.closed:
		r.fault("a line after the end")
	case line == closing:
		r.end()
		r.closed = true
	case opens:
		r.end()
		r.open, r.entry, r.count, r.bad, r.text = true, Entry{Name: name, Line: r.at}, count, false, false
	case !r.open:
		r.fault("a line that belongs to no entry")
		return false
	case strings.Contains(line, "\r"):
		r.fault("a carriage return within the line")
	default:
		r.value(line)
	}
	return true
}

// head reads one of the two lines that begin a file.
func (r *reader) head(line string) bool {
	switch {
	case r.begun == 2 && strings.HasPrefix(line, observes) && line != observes:
		r.file.Packages = line[len(observes):]
		return true
	case r.begun == 2:
		r.fault("does not name packages after " + strconv.Quote(observes))
	case Later([]byte(line)):
		r.fault("a newer version of fuzzmut wrote it")
	case line != family+strconv.Itoa(format):
		r.fault("not " + strconv.Quote(family+strconv.Itoa(format)))
	default:
		return true
	}
	return false
}

// opening reads the line that opens a section.
func opening(line string) (name string, n int, ok bool) {
	if !strings.HasPrefix(line, "-- ") || !strings.HasSuffix(line, " --") || len(line) < 6 {
		return "", 0, false
	}
	name, number, ok := strings.Cut(line[3:len(line)-3], ", ")
	if !ok || name == "" {
		return "", 0, false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSuffix(number, "s"), " value"))
	return name, n, err == nil
}

// value reads a line of a section.
func (r *reader) value(line string) {
	last := len(r.entry.Values) - 1
	switch {
	case line[0] != '\t' && last < 0 && r.entry.Input == "" && strings.HasPrefix(line, comment):
		r.entry.Input = line[len(comment):]
	case line[0] != '\t':
		r.hasText()
		r.entry.Values, r.text = append(r.entry.Values, Value{Name: line}), false
	case last < 0:
		r.fault("a value without a name")
	case !r.text:
		r.entry.Values[last].Text, r.text = line[1:], true
	default:
		r.entry.Values[last].Text += "\n" + line[1:]
	}
}

// hasText checks the last value.
func (r *reader) hasText() {
	if last := len(r.entry.Values) - 1; last >= 0 && r.entry.Values[last].Text == "" {
		r.fault("the value " + strconv.Quote(r.entry.Values[last].Name) + " has no text")
	}
}

// end checks a section, and takes it in.
func (r *reader) end() {
	if !r.open {
		return
	}
	r.hasText()
	if n := len(r.entry.Values); n != r.count && !r.bad {
		r.fault(strconv.Itoa(n) + " values, not " + strconv.Itoa(r.count) + ": lines are missing or were added")
	}
	if len(byName(r.entry.Values)) < len(r.entry.Values) && !r.bad {
		r.fault("two values have the same name")
	}
	if line := r.keys[Key(r.entry.Name)]; line > 0 && !r.bad {
		r.fault("is there twice: line " + strconv.Itoa(line) + " has it, too")
	}
	if !r.bad {
		r.keys[Key(r.entry.Name)] = r.entry.Line
		r.file.Entries = append(r.file.Entries, r.entry)
	}
	r.open, r.entry, r.bad = false, Entry{}, false
}
