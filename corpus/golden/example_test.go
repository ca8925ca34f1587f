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

	entry := corpus.NewSeed(0, []any{"2+2"})
	dir := store.Dir(pkg, "FuzzEval")
	err = store.Write(dir, store.Name(&entry), &golden.File{
		Packages: "example.com/calc",
		Values:   []golden.Value{{Name: "calc.Eval #1 result 0 (int)", Text: golden.Render(4)}},
	})
	if err != nil {
		fmt.Println(err)
	}

	files, bad, err := store.Read(dir)
	for _, v := range files[store.Name(&entry)].Values {
		fmt.Println(v.Name, "is", v.Text)
	}
	fmt.Println(len(bad), err)
	tests, err := store.Tests(pkg)
	fmt.Println(tests, err)

	// The directories go with the last of their files.
	fmt.Println(store.Remove(dir, store.Name(&entry)))
	_, err = os.Stat(filepath.Join(pkg, "testdata", "fuzz-golden"))
	fmt.Println(os.IsNotExist(err))
	// Output:
	// calc.Eval #1 result 0 (int) is int 4
	// 0 <nil>
	// [FuzzEval] <nil>
	// <nil>
	// true
}
