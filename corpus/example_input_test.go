package corpus_test

import (
	"fmt"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
)

func ExampleDecode() {
	in, err := corpus.Decode([]byte("go test fuzz v1\nstring(\"a\\nb\")\nint(-3)\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(in)
	fmt.Println(corpus.Line(in.Values()))
	_, err = corpus.Decode([]byte("go test fuzz v1\n"))
	fmt.Println(err)
	// Output:
	// string("a\nb")
	// int(-3)
	// "a\nb", -3
	// has no values
}

// Inputs with the same values are equal, wherever they come from.
func ExampleOf() {
	a := corpus.Of("text", 1)
	b, err := corpus.Decode(a.Encode())
	fmt.Println(a.Equal(b), err)
	fmt.Println(a.Equal(corpus.Of("text", int8(1))))
	// Output:
	// true <nil>
	// false
}

func ExampleManagedName() {
	data := corpus.Marshal([]any{"hello"})
	name := corpus.ManagedName(data)
	fmt.Println(corpus.IsManagedName(name), corpus.IsManagedName(corpus.FileName(data)))
	// Output:
	// true false
}

func ExampleTestdataDir() {
	fmt.Println(filepath.ToSlash(corpus.TestdataDir(filepath.Join("my", "pkg"), "FuzzParse")))
	// Output:
	// my/pkg/testdata/fuzz/FuzzParse
}

func ExampleSupported() {
	fmt.Println(corpus.Supported("[]byte"), corpus.Supported("rune"), corpus.Supported("[]string"))
	// Output:
	// true true false
}
