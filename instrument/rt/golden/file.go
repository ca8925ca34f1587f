package golden

import "strings"

// Marshal writes a file: of each value a line with its name, then its text, each
// line behind a tab.
func (f *File) Marshal() []byte {
	b := []byte(header + "\n" + observes + f.Packages + "\n")
	for _, v := range f.Values {
		b = append(append(append(b, '\n'), v.Name...), "\n\t"...)
		b = append(append(b, strings.ReplaceAll(v.Text, "\n", "\n\t")...), '\n')
	}
	return b
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
