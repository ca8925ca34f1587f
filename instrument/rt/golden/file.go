package golden

import "strings"

// Marshal writes a file: of each value a line with its name, then its text, each
// line after a tab; and in the end the number of values.
func (f *File) Marshal() []byte {
	b := []byte(header + "\n" + observes + f.Packages + "\n")
	for _, v := range f.Values {
		b = append(append(append(b, '\n'), v.Name...), "\n\t"...)
		b = append(append(b, strings.ReplaceAll(v.Text, "\n", "\n\t")...), '\n')
	}
	return append(b, "\n"+ending(len(f.Values))+"\n"...)
}

// Merge joins what was observed in two executions on one input: values that are not
// the same in both become Unstable.
func Merge(a, b []Value) []Value {
	var merged []Value
	second := byName(b)
	for _, v := range a {
		if second[v.Name] != v {
			v.Text = Unstable
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
type Gatherer struct{ size int }

// Text returns the text of a value, or its hash, with folded set.
func (g *Gatherer) Text(v any) (text string, folded bool) {
	text = Render(v)
	if g.size += len(text); g.size > maxValues {
		return hash(text), true
	}
	return text, false
}

// AddFolded is Add for a value of which a Gatherer has passed on the hash.
func (l *Log) AddFolded(function, value, hashed string) string {
	name := l.name(function, value)
	l.folded = append(l.folded, name, hashed)
	return name
}
