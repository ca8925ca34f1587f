package corpus_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
)

func ExampleMarshal() {
	fmt.Printf("%s", corpus.Marshal([]any{[]byte("{\x00}"), 42, 'x'}))
	// Output:
	// go test fuzz v1
	// []byte("{\x00}")
	// int(42)
	// rune('x')
}

func ExampleUnmarshal() {
	vals, err := corpus.Unmarshal([]byte("go test fuzz v1\nint(0x2a)\nbool(true)\n"))
	fmt.Println(vals, err)
	_, err = corpus.Unmarshal([]byte("go test fuzz v1\nint8(300)\n"))
	fmt.Println(err)
	// Output:
	// [42 true] <nil>
	// line 2: "int8(300)": value out of range; write int8(...) with an integer literal from -128 to 127
}

func ExampleCheckTypes() {
	vals := []any{"text", 1}
	fmt.Println(corpus.Types(vals))
	fmt.Println(corpus.CheckTypes(vals, []string{"[]byte"}))
	// Output:
	// [string int]
	// has 2 values of types (string, int); the fuzz target takes ([]byte)
}

func ExampleReadDir() {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)

	dir := corpus.TestdataDir(root, "FuzzParse")
	for _, vals := range [][]any{{"[1]"}, {7}} {
		data := corpus.Marshal(vals)
		if _, err := corpus.WriteFile(dir, corpus.ManagedName(data), data); err != nil {
			fmt.Println(err)
		}
	}

	entries, bad, err := corpus.ReadDir(dir, []string{"string"}, 0)
	if err != nil {
		fmt.Println(err)
	}
	for _, e := range entries {
		fmt.Println(e.Name, e.Input.Values(), e.Managed())
	}
	for _, b := range bad {
		fmt.Println(filepath.Base(b.Path), b.Err)
	}
	// Output:
	// fuzzmut-1-8b5a954b165c6cf3 [[1]] true
	// fuzzmut-7-d1a02666fbdc3a97 has 1 value of type (int); the fuzz target takes (string)
}

func ExampleCrashersDir() {
	dir, err := corpus.CrashersDir("/home/u/.cache/go-build", "example.com/json", "FuzzParse")
	fmt.Println(filepath.ToSlash(dir), err)
	// Output: /home/u/.cache/go-build/fuzz/example.com/json/FuzzParse.crashers <nil>
}

func ExampleFromRaw() {
	vals, err := corpus.FromRaw([]byte("{}"), []string{"string"})
	fmt.Println(vals, err)
	_, err = corpus.FromRaw([]byte("{}"), []string{"string", "int"})
	fmt.Println(err != nil)
	// Output:
	// [{}] <nil>
	// true
}

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	one, two := corpus.Marshal([]any{1}), corpus.Marshal([]any{2})
	for _, data := range [][]byte{one, one, two} {
		created, err := corpus.WriteFile(dir, "entry", data)
		fmt.Println(created, errors.Is(err, corpus.ErrConflict))
	}
	// Output:
	// true false
	// false false
	// false true
}
