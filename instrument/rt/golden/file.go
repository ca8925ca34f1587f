package golden

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
)

// Marshal writes a file. Entries are sorted by name.
func (f *File) Marshal() []byte {
	var b bytes.Buffer
	b.WriteString(family + strconv.Itoa(format) + "\n" + observes + f.Packages + "\n")
	entries := append([]Entry(nil), f.Entries...)
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name < entries[j].Name })
	for i := range entries {
		entries[i].marshal(&b)
	}
	b.WriteString("\n" + closing + "\n")
	return b.Bytes()
}

func (e *Entry) marshal(b *bytes.Buffer) {
	number := strconv.Itoa(len(e.Values)) + " values"
	if len(e.Values) == 1 {
		number = "1 value"
	}
	b.WriteString("\n-- " + e.Name + ", " + number + " --\n")
	if e.Input != "" {
		b.WriteString(comment + e.Input + "\n")
	}
	for _, v := range e.Values {
		b.WriteString(v.Name + "\n\t" + strings.ReplaceAll(v.Text, "\n", "\n\t") + "\n")
	}
}

// PackagesOf returns what a file of any version says of the packages whose calls are
// observed, "" if it says nothing.
func PackagesOf(data []byte) string {
	_, rest, _ := strings.Cut(string(data), "\n")
	line, _, _ := strings.Cut(rest, "\n")
	packages, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), observes)
	if !ok {
		return ""
	}
	return packages
}

// Recover reads a file as Unmarshal does. Of a merge that git has left to the user it
// reads both sides: a conflict is damage, but the entries that only one side has, or
// that both have with the same values, are there.
func Recover(data []byte) (*File, []Damage) {
	f, damage := Unmarshal(data)
	ours, theirs := sides(string(data))
	if ours == theirs {
		return f, damage
	}
	for _, d := range damage {
		if strings.HasSuffix(d.Text, conflictMarker) {
			damage = []Damage{d} // the first one
			break
		}
	}
	f, first := Unmarshal([]byte(ours))
	g, second := Unmarshal([]byte(theirs))
	damage = append(damage, first...)
	for _, d := range second {
		if !has(first, d) {
			damage = append(damage, d)
		}
	}
	if f.Packages != g.Packages {
		return &File{}, append(damage, Damage{Line: 2, Text: "the sides of the merge observe calls of other packages"})
	}
	return f, append(damage, f.join(g)...)
}

func has(list []Damage, d Damage) bool {
	for _, e := range list {
		if e == d {
			return true
		}
	}
	return false
}

// join adds the entries that only g has. What both have with other values neither has then.
func (f *File) join(g *File) (damage []Damage) {
	at := make(map[string]int)
	for i, e := range f.Entries {
		at[Key(e.Name)] = i
	}
	gone := make(map[string]bool)
	for _, e := range g.Entries {
		i, both := at[Key(e.Name)]
		switch {
		case !both:
			f.Entries = append(f.Entries, e)
		case len(Compare(f.Entries[i].Values, e.Values)) > 0 || len(Compare(e.Values, f.Entries[i].Values)) > 0:
			gone[e.Name] = true
			damage = append(damage, Damage{Line: e.Line, Name: e.Name, Text: "the sides of the merge have other values"})
		}
	}
	kept := f.Entries[:0]
	for _, e := range f.Entries {
		if !gone[e.Name] {
			kept = append(kept, e)
		}
	}
	f.Entries = kept
	return damage
}

// sides returns the two sides of a merge: the text with empty lines in place of the marks
// and of what belongs to the other side. Lines keep their numbers.
func sides(text string) (ours, theirs string) {
	a, b := strings.Split(text, "\n"), strings.Split(text, "\n")
	of := 3 // bits: of ours, of theirs
	for i, line := range a {
		mark := true
		switch {
		case strings.HasPrefix(line, "<<<<<<<"):
			of = 1
		case strings.HasPrefix(line, "|||||||"):
			of = 0 // what both began with
		case strings.HasPrefix(line, "=======") && of != 3:
			of = 2
		case strings.HasPrefix(line, ">>>>>>>"):
			of = 3
		default:
			mark = false
		}
		if mark || of&1 == 0 {
			a[i] = ""
		}
		if mark || of&2 == 0 {
			b[i] = ""
		}
	}
	return strings.Join(a, "\n"), strings.Join(b, "\n")
}

// Merge joins what was observed in two executions on one input: what is not the same in
// both becomes Unstable; see Join.
func Merge(a, b []Value) []Value {
	var merged []Value
	second := byName(b)
	for _, v := range a {
		switch w := second[v.Name]; {
		case w.Name == "":
			v.Text = Unstable
		case w != v:
			v.Text = Join(v.Text, w.Text)
		}
		merged = append(merged, v)
	}
	first := byName(a)
	for _, v := range b {
		if first[v.Name].Name == "" {
			merged = append(merged, Value{Name: v.Name, Text: Unstable})
		}
	}
	return merged
}

// A Gatherer writes down the values of one execution for a Log in another process.
// Of what the Log folds in any case it passes on no more than the hash.
type Gatherer struct {
	Renderer
	size int
}

// Text returns the text of a value, or its hash, with folded set.
func (g *Gatherer) Text(v any, view View) (text string, folded bool) {
	text = g.Write(v, view)
	if g.size += len(text); g.size > maxValues {
		return hash(text), true
	}
	return text, false
}

// AddFolded is Add for a value whose hash a Gatherer has passed on.
func (l *Log) AddFolded(function, value, hashed string) string {
	name := l.name(function, value)
	l.folded = append(l.folded, name, hashed)
	return name
}
