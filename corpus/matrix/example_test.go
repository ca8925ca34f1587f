package matrix_test

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

func ExampleMinimise() {
	m := matrix.New(4, 2)
	m.Add(matrix.Entry{Name: "seed#0", Size: 30, Fixed: true},
		[]matrix.Kill{{Mutant: 0, Kind: oracle.Assertion}}, []matrix.Hit{{Block: 0, Bucket: 1}})
	m.Add(matrix.Entry{Name: "long", Size: 90},
		[]matrix.Kill{{Mutant: 1, Kind: oracle.Panic}, {Mutant: 2, Kind: oracle.Difference}}, []matrix.Hit{{Block: 1, Bucket: 1}})
	m.Add(matrix.Entry{Name: "short", Size: 20},
		[]matrix.Kill{{Mutant: 1, Kind: oracle.Panic}, {Mutant: 2, Kind: oracle.Difference}}, []matrix.Hit{{Block: 1, Bucket: 1}})
	m.Add(matrix.Entry{Name: "idle", Size: 1},
		[]matrix.Kill{{Mutant: 0, Kind: oracle.Difference}}, nil)

	kept := matrix.Minimise(m, matrix.Prefs{})
	for _, i := range kept {
		fmt.Println(m.Entry(i).Name)
	}
	fmt.Printf("%+v\n", m.Total(kept))
	fmt.Println(m.FirstKills(kept))
	// Output:
	// seed#0
	// short
	// {Killed:3 Assertions:1 Blocks:2 Features:2}
	// [0 2 2 -1]
}

func ExampleMatrix_Total() {
	m := matrix.New(3, 1)
	a := m.Add(matrix.Entry{Name: "a"}, []matrix.Kill{{Mutant: 0, Kind: oracle.Panic}}, []matrix.Hit{{Block: 0, Bucket: 1}})
	b := m.Add(matrix.Entry{Name: "b"}, []matrix.Kill{{Mutant: 0, Kind: oracle.Assertion}, {Mutant: 2, Kind: oracle.Fuel}}, nil)
	for _, entries := range [][]int{nil, {a}, {b}, {a, b}} {
		fmt.Printf("%+v\n", m.Total(entries))
	}
	kind, killed := m.Kind(b, 0)
	fmt.Println(kind, killed)
	// Output:
	// {Killed:0 Assertions:0 Blocks:0 Features:0}
	// {Killed:1 Assertions:0 Blocks:1 Features:1}
	// {Killed:2 Assertions:1 Blocks:0 Features:0}
	// {Killed:2 Assertions:1 Blocks:1 Features:1}
	// assertion true
}
