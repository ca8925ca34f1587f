package golden

import "testing"

// A link is a part of a graph in which each part leads to all that are near it.
type link struct {
	Before, After, Above *link
	Below                []*link
	Kind                 kind
	Name                 string
	Marks                []mark
}

type mark struct{ Key, Value string }

type kind int

func (k kind) String() string { return [...]string{"root", "leaf"}[k] }

// linked makes a graph with n parts below its root.
func linked(n int) *link {
	root := &link{Name: "root"}
	for range n {
		l := &link{Above: root, Kind: 1, Name: "l", Marks: []mark{{"a", "b"}}}
		if last := len(root.Below) - 1; last >= 0 {
			l.Before = root.Below[last]
			l.Before.After = l
		}
		root.Below = append(root.Below, l)
	}
	return root
}

// BenchmarkGraph writes a value whose parts are written again on each way that leads to them.
func BenchmarkGraph(b *testing.B) {
	v := linked(14)
	b.ReportAllocs()
	for b.Loop() {
		Render(v)
	}
}
