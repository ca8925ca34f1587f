package properties

import "testing"

// rightStates is code without a fault, with values that calls make.
const rightStates = `
// A Table has numbers by names, in the order in which they were put.
type Table struct {
	names   []string
	numbers map[string]int
}

func NewTable() *Table { return &Table{numbers: make(map[string]int)} }

func (t *Table) Put(name string, n int) {
	if !t.Has(name) {
		t.names = append(t.names, name)
	}
	t.numbers[name] = n
}

func (t *Table) Get(name string) (int, bool) { n, ok := t.numbers[name]; return n, ok }
func (t *Table) Has(name string) bool        { _, ok := t.numbers[name]; return ok }
func (t *Table) Len() int                    { return len(t.names) }
func (t *Table) Empty() bool                 { return len(t.names) == 0 }
func (t *Table) Keys() []string              { return append([]string(nil), t.names...) }

func (t *Table) Each(f func(name string, n int)) {
	for _, name := range t.names {
		f(name, t.numbers[name])
	}
}

func (t *Table) Remove(name string) {
	for i, other := range t.names {
		if other == name {
			t.names = append(append([]string(nil), t.names[:i]...), t.names[i+1:]...)
		}
	}
	delete(t.numbers, name)
}

func (t *Table) Clone() *Table {
	c := NewTable()
	for _, name := range t.names {
		c.Put(name, t.numbers[name])
	}
	return c
}

func (t *Table) Encode() []byte {
	var b []byte
	for _, name := range t.names {
		b = fmt.Appendf(b, "%q %d\n", name, t.numbers[name])
	}
	return b
}

func (t *Table) Decode(b []byte) error {
	for _, line := range strings.Split(string(b), "\n") {
		var name string
		var n int
		if line == "" {
			continue
		}
		if _, err := fmt.Sscanf(line, "%q %d", &name, &n); err != nil {
			return err
		}
		t.Put(name, n)
	}
	return nil
}

// A Bag is a set of small numbers.
type Bag struct{ has [8]bool }

func (b *Bag) Add(n byte) { b.has[n%8] = true }

func (b *Bag) List() (list []byte) {
	for i, has := range b.has {
		if has {
			list = append(list, byte(i))
		}
	}
	return list
}

func (b *Bag) Union(other *Bag) *Bag {
	sum := *b
	for _, n := range other.List() {
		sum.Add(n)
	}
	return &sum
}

func (b *Bag) InPlaceUnion(other *Bag) {
	for _, n := range other.List() {
		b.Add(n)
	}
}

// A Stack takes away what was added last.
type Stack struct{ list []int }

func (s *Stack) Push(n int) { s.list = append(s.list, n) }

func (s *Stack) Peek() (int, bool) {
	if len(s.list) == 0 {
		return 0, false
	}
	return s.list[len(s.list)-1], true
}

func (s *Stack) Pop() (int, bool) {
	n, ok := s.Peek()
	if ok {
		s.list = s.list[:len(s.list)-1]
	}
	return n, ok
}

// Words are read one after the other.
type Words struct{ left []string }

func (w *Words) Begin(text string) { w.left = append(strings.Split(text, ""), "x", "y", "z") }

func (w *Words) Word() (string, error) {
	if len(w.left) == 0 {
		return "", errors.New("no word")
	}
	word := w.left[0]
	w.left = w.left[1:]
	return word, nil
}

func (w *Words) AllWords() ([]string, error) {
	all := w.left
	w.left = nil
	return all, nil
}

// A Range is made of a text.
type Range struct{ name string }

func NewRange(name string) *Range { return &Range{name} }

func (r *Range) Check(n int) bool { return n == len(r.name) }

func (r *Range) Validate(n int) (bool, []error) { return n == len(r.name), nil }
`

var stateFaults = []fault{
	{"FuzzTableCloneEqual", "c.Put(name, t.numbers[name])\n\t}\n\treturn c", "c.Put(name, 7)\n\t}\n\treturn c", "", "calls on what Table.Clone returns"},
	{"FuzzTableCloneApart", "func (t *Table) Clone() *Table {", "func (t *Table) Clone() *Table {\n\tif len(t.names) > 0 {\n\t\treturn t\n\t}", "", "calls on what Table.Clone returns change the original"},
	{"FuzzTableEmptyAgreesWithLen", "return len(t.names) == 0", "return len(t.names) < 2", "", "Empty is "},
	{"FuzzTableLenAgreesWithKeys", "return append([]string(nil), t.names...)", `return append([]string{"k"}, t.names...)`, "", "Len is "},
	{"FuzzTableLenAgreesWithEach", "for _, name := range t.names {\n\t\tf(", "for _, name := range append(t.names, t.names...) {\n\t\tf(", "", "Len is "},
	{"FuzzTablePutPutsGet", "t.numbers[name] = n\n", "t.numbers[name] = n + 1\n", "", "Table.Get of "},
	{"FuzzTableRemoveForgetsHas", "delete(t.numbers, name)\n", "_ = name\n", "", "Table.Has of "},
	{"FuzzTableEncodeRestores", `fmt.Appendf(b, "%q %d\n", name, t.numbers[name])`, `fmt.Appendf(b, "%q %d\n", name, t.numbers[name]/2)`, "", "calls on what Decode sets"},
	{"FuzzBagInPlaceUnionAgreesWithUnion", "other.List() {\n\t\tb.Add(n)", "other.List() {\n\t\tb.Add(n+1)", "", "after InPlaceUnion"},
	{"FuzzStackPopAgreesWithPeek", "return s.list[len(s.list)-1], true", "hidden++; return s.list[len(s.list)-1] + hidden, true", "", "Stack.Pop = "},
	{"FuzzWordsAllWordsAgreesWithWord", "all := w.left\n", "all := append([]string(nil), w.left...)\n\tif len(all) > 2 {\n\t\tall[1] = \"\"\n\t}\n", "", "Words.AllWords = "},
	{"FuzzRangeCheckAgreesWithValidate", "return n == len(r.name) }", "return n >= len(r.name) }", `"a", 2`, "NewRange("},
}

func TestPropertiesOfStatesTellRightFromWrong(t *testing.T) {
	tellRightFromWrong(t, rightStates+"\nvar hidden int\n", stateFaults)
}
