package golden_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func Example() {
	pkg, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(pkg)

	seed := corpus.Of("2+2").Seed(0)
	path := store.Path(pkg, "FuzzEval")
	entry := store.Entry(&seed, []golden.Value{{Name: "calc.Eval #1 result 0", Text: golden.Render(4)}})
	fmt.Println(store.Apply(path, store.Change{Packages: "example.com/calc", Put: []golden.Entry{entry}}))

	values, err := store.Read(path)
	for _, v := range values.Of(&seed).Values {
		fmt.Println(v.Name, "is", v.Text)
	}
	fmt.Println(len(values.Bad), err)
	tests, err := store.Tests(pkg)
	fmt.Println(tests, err)

	// The file goes with the last of its entries.
	fmt.Println(store.Apply(path, store.Change{Packages: "example.com/calc", Drop: []string{seed.Input.Hash()}}))
	_, err = os.Stat(filepath.Join(pkg, "testdata", "fuzz-golden"))
	fmt.Println(os.IsNotExist(err))
	// Output:
	// <nil>
	// calc.Eval #1 result 0 is int 4
	// 0 <nil>
	// [FuzzEval] <nil>
	// <nil>
	// true
}
