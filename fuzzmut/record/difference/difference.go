// Package difference shows how two golden texts differ: by the paths of the values in them
// that have changed, or else as a unified diff. See package golden for such texts.
package difference

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Bounds on what is shown by paths; a unified diff is easier to read beyond them.
const (
	maxPaths = 6  // values
	maxValue = 60 // bytes of each of them
)

// context is how many lines around a change a unified diff shows.
const context = 2

// Lines shows the difference in lines. Those that begin with "-" are of want, and with
// "+" of got; a line with a path shows both: `.Form[2].Attr[0].Key: "b" -> "a"`.
func Lines(want, got string) []string {
	if lines := byPath(want, got); lines != nil {
		return lines
	}
	return unified(strings.Split(want, "\n"), strings.Split(got, "\n"))
}

// All is a text in lines, each with a sign before it.
func All(sign, text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = sign + " " + line
	}
	return lines
}

// Signed is Lines with a sign before every line, " ", "-" or "+": a value that has a path
// and is another one has two lines.
func Signed(want, got string) []string {
	changes, ok := paths(want, got)
	if !ok {
		return unified(strings.Split(want, "\n"), strings.Split(got, "\n"))
	}
	var lines []string
	for _, c := range changes {
		if c.want != "" {
			lines = append(lines, "- "+c.path+": "+c.want)
		}
		if c.got != "" {
			lines = append(lines, "+ "+c.path+": "+c.got)
		}
	}
	return lines
}

// byPath returns nil if there are no paths.
func byPath(want, got string) []string {
	changes, _ := paths(want, got)
	var lines []string
	for _, c := range changes {
		switch {
		case c.want != "" && c.got != "":
			lines = append(lines, c.path+": "+c.want+" -> "+c.got)
		case c.want == "":
			lines = append(lines, "+ "+c.path+": "+c.got)
		default:
			lines = append(lines, "- "+c.path+": "+c.want)
		}
	}
	return lines
}

// paths lists what differs. It is not ok if the texts differ by too much, or as a whole, or
// if lists in them have other lengths.
func paths(want, got string) (changes []change, ok bool) {
	r := new(reporter)
	cmp.Equal(parse(want), parse(got), cmp.Reporter(r))
	if len(r.changes) == 0 || len(r.changes) > maxPaths {
		return nil, false
	}
	for _, c := range r.changes {
		if c.path == "" || len(c.want) > maxValue || len(c.got) > maxValue ||
			(c.want == "" || c.got == "") && strings.HasSuffix(c.path, "]") {
			return nil, false
		}
	}
	return r.changes, true
}

// change is a value that is not the same; want or got is "" where there is none.
type change struct{ path, want, got string }

// A reporter gathers what cmp finds to differ.
type reporter struct {
	path    cmp.Path
	changes []change
}

func (r *reporter) PushStep(s cmp.PathStep) { r.path = append(r.path, s) }
func (r *reporter) PopStep()                { r.path = r.path[:len(r.path)-1] }

func (r *reporter) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	var path strings.Builder
	for _, step := range r.path {
		if at, ok := step.(cmp.MapIndex); ok {
			path.WriteString(at.Key().String())
		}
	}
	vx, vy := r.path.Last().Values()
	c := change{path: path.String()}
	if vx.IsValid() {
		c.want = show(vx.Interface())
	}
	if vy.IsValid() {
		c.got = show(vy.Interface())
	}
	r.changes = append(r.changes, c)
}

// show is a tree in one line.
func show(v any) string {
	if b, ok := v.(block); ok {
		return b.Head + "..."
	}
	return fmt.Sprint(v)
}

// A block is a value that has others. Those are text, or blocks; their keys are steps of
// a path, ".Name" or "[3]".
type block struct {
	Head    string // what is before them
	Members map[string]any
}

// add adds a member, "Name: value", or the next one of a list.
func (b *block) add(text string, value func(text string) any) {
	key, rest := fmt.Sprintf("[%d]", len(b.Members)), text
	if m := named.FindStringSubmatch(text); m != nil {
		rest = text[len(m[0]):]
		if key = "." + m[1]; m[1] == "" {
			key = "[" + m[2] + "]"
		}
		for b.Members[key] != nil {
			key += "'"
		}
	}
	b.Members[key] = value(rest)
}

// named is the beginning of a member that has a name: a field, a method, or a key of a map.
var named = regexp.MustCompile(`^(?:([\pL_][\pL\pN_]*(?:\(\))?)|("(?:[^"\\]|\\.)*"|-?[0-9][0-9.e+-]*)): ?`)

// parse reads a text as a tree, by its indentation and its brackets. It does not need to
// understand all: what it does not is text.
func parse(text string) any {
	lines := strings.Split(text, "\n")
	v, _ := parseLines(lines[0], lines[1:], 1)
	return v
}

// parseLines reads a value: its first line without what names it, and those of the lines
// after that are deeper. It returns how many it has read.
func parseLines(first string, lines []string, depth int) (v any, n int) {
	indent := strings.Repeat("\t", depth)
	if len(lines) == 0 || !strings.HasPrefix(lines[0], indent) {
		return inline(first), 0
	}
	b := block{Head: first, Members: make(map[string]any)}
	for n < len(lines) && strings.HasPrefix(lines[n], indent) {
		line := lines[n][len(indent):]
		n++
		b.add(line, func(rest string) any {
			child, read := parseLines(rest, lines[n:], depth+1)
			n += read
			return child
		})
	}
	if n < len(lines) && lines[n] != "" && strings.Trim(lines[n], "\t]}") == "" {
		n++ // the bracket that closes it
	}
	return b, n
}

// inline reads a value in one line.
func inline(s string) any {
	open := opening(s)
	if open < 0 {
		return s
	}
	b := block{Head: s[:open+1], Members: make(map[string]any)}
	for _, member := range split(s[open+1 : len(s)-1]) {
		b.add(member, inline)
	}
	return b
}

// opening returns the index of the bracket that encloses the members of a value, up to the
// end of s; -1 if there is none. Brackets within the name of a type are none.
func opening(s string) int {
	if s == "" || !strings.HasSuffix(s, "}") && !strings.HasSuffix(s, "]") {
		return -1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return -1
		case c == '{' || c == '[':
			end := match(s, i)
			if end == len(s)-1 {
				return i
			}
			if end < 0 {
				return -1
			}
			i = end
		}
	}
	return -1
}

// match returns the index of the bracket that closes the one at i, -1 if there is none.
func match(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '"':
			if i = closing(s, i); i < 0 {
				return -1
			}
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// closing returns the index of the quote that ends the text which begins at i.
func closing(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// split cuts members at the commas between them.
func split(s string) (members []string) {
	begin := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			if end := closing(s, i); end > 0 {
				i = end
			}
		case '{', '[', '(':
			if end := match(s, i); end > 0 {
				i = end
			}
		case ',':
			members = append(members, s[begin:i])
			begin = i + 1
			if begin < len(s) && s[begin] == ' ' {
				begin++
			}
		}
	}
	if begin < len(s) {
		members = append(members, s[begin:])
	}
	return members
}
