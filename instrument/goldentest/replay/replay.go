// Package replay is what a generated test file does with copies of fuzz tests: it
// calls their targets with the entries of the corpus, gathers what is observed, and
// compares it with the golden values.
//
// Like that of package golden, the text of this file goes into the generated file,
// with other names for what is declared at package level or imported, and is written
// in Go 1.18.
package replay

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A Call is a place where values are observed.
type Call struct {
	Function string   // "gjson.Get", as golden files name it
	Values   []string // their names
	Place    string   // "gjson_test.go:12"
}

// Observing says that the fuzz target is running.
var Observing bool

// ObserveHook receives observed values while Observing.
var ObserveHook func(site uint32, vals []any)

// A CopiedF stands for the *testing.F of a copied fuzz test.
type CopiedF struct {
	*testing.T
	fuzz     string // name of the fuzz test
	sites    []Call
	partial  bool   // some calls are observed by fuzzmut alone: they are in functions without a copy
	packages string // see golden.File
}

// Name returns the name of the fuzz test.
func (f *CopiedF) Name() string { return f.fuzz }

// Add does nothing: seeds have no golden values.
func (f *CopiedF) Add(...any) {}

// Fuzz runs the fuzz target with each entry of the corpus that has golden values, or
// should have.
func (f *CopiedF) Fuzz(target any) {
	entries := names(filepath.Join("testdata", "fuzz", f.fuzz))
	known := names(filepath.Join("testdata", "fuzz-golden", f.fuzz))
	if len(known) == 0 {
		f.Skip("no golden values; fuzzmut corpus verify -update records them")
	}
	for name := range known {
		if !entries[name] {
			f.Errorf("golden values without an entry: %s; fuzzmut corpus verify -update removes them", name)
		}
	}
	for name := range entries {
		if !known[name] {
			f.Errorf("no golden values for the entry %s; fuzzmut corpus verify -update records them", name)
			continue
		}
		f.Run(name, func(t *testing.T) { f.replay(t, name, reflect.ValueOf(target)) })
	}
}

// names lists the files in a directory that fuzzmut has written.
func names(dir string) map[string]bool {
	set := make(map[string]bool)
	files, err := os.ReadDir(dir)
	if err != nil {
		return set
	}
	for _, file := range files {
		digits, ok := strings.CutPrefix(file.Name(), "fuzzmut-")
		if ok && len(digits) == 16 && strings.Trim(digits, "0123456789abcdef") == "" {
			set[file.Name()] = true
		}
	}
	return set
}

// replay runs the fuzz target with one entry.
func (f *CopiedF) replay(t *testing.T, name string, target reflect.Value) {
	data, err := os.ReadFile(filepath.Join("testdata", "fuzz-golden", f.fuzz, name))
	if err != nil {
		t.Fatal(err)
	}
	want, err := golden.Unmarshal(data)
	if err != nil {
		t.Fatalf("golden values: %v; fuzzmut corpus verify -update writes them anew", err)
	}
	if want.Packages != f.packages {
		t.Fatalf("these golden values observe calls of %s, and this test of %s; fuzzmut corpus verify -write-test brings it up to date", want.Packages, f.packages)
	}
	args, err := arguments(filepath.Join("testdata", "fuzz", f.fuzz, name), target.Type())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex // the target may have goroutines
	log := golden.Log{Whole: f.partial}
	places := make(map[string]string)
	ObserveHook = func(site uint32, vals []any) {
		var texts []string
		for _, v := range vals {
			texts = append(texts, golden.Render(v))
		}
		mu.Lock()
		defer mu.Unlock()
		s := f.sites[site]
		for i, text := range texts {
			places[log.Add(s.Function, s.Values[i], text)] = s.Place
		}
	}
	ended := false
	defer func() { // also behind t.Skip
		Observing = false
		if t.Failed() || !ended && !t.Skipped() {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		log.Skipped = t.Skipped()
		f.compare(t, want.Values, log.Values(), places)
	}()
	Observing = true
	target.Call(append([]reflect.Value{reflect.ValueOf(t)}, args...))
	ended = true
}

// compare reports the values that are not what they were.
func (f *CopiedF) compare(t *testing.T, want, got []golden.Value, places map[string]string) {
	changed := false
	for _, c := range golden.Compare(want, got) {
		function, _, _ := strings.Cut(c.Name, " #")
		if f.partial && (c.Want == "" || strings.Contains(function, " in ") || c.Name == "more values") {
			continue // not observed here
		}
		changed = true
		place := places[c.Name]
		for _, s := range f.sites {
			if place == "" && s.Function == function {
				place = s.Place
			}
		}
		t.Errorf("%s: %s\n%s", place, c.Name, difference(c.Want, c.Got))
	}
	if changed {
		t.Log("- golden, + now: mend the code, or accept with: fuzzmut corpus verify -update")
	}
}

// difference shows two texts without the lines that both begin or end with.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	from, to := 0, 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for to < len(a)-from && to < len(b)-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	var lines []string
	if from > 0 {
		lines = append(lines, "  ... "+strconv.Itoa(from)+" lines")
	}
	for _, line := range a[from : len(a)-to] {
		lines = append(lines, "- "+line)
	}
	for _, line := range b[from : len(b)-to] {
		lines = append(lines, "+ "+line)
	}
	if to > 0 {
		lines = append(lines, "  ... "+strconv.Itoa(to)+" lines")
	}
	return strings.Join(lines, "\n")
}

// arguments reads an entry, as fuzzmut writes it: the arguments of a fuzz target
// behind its *testing.T.
func arguments(path string, target reflect.Type) ([]reflect.Value, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), "\n")[1:]
	if len(lines) != target.NumIn()-1 {
		return nil, fmt.Errorf("%s has %d values, the fuzz target takes %d", path, len(lines), target.NumIn()-1)
	}
	var args []reflect.Value
	for i, line := range lines {
		v := reflect.New(target.In(i + 1)).Elem()
		if err := setTo(v, line); err != nil {
			return nil, fmt.Errorf("%s: value %d is %s, the fuzz target takes a %v", path, i+1, line, v.Type())
		}
		args = append(args, v)
	}
	return args, nil
}

// setTo gives v the value of a conversion: int(-3), []byte("text").
func setTo(v reflect.Value, conversion string) error {
	typ, text, _ := strings.Cut(strings.TrimSuffix(conversion, ")"), "(")
	var err error
	var n int64
	var u uint64
	var x float64
	var s string
	switch typ {
	case "[]byte", "string":
		s, err = strconv.Unquote(text)
	case "byte", "rune":
		s, err = strconv.Unquote(text)
		for _, r := range s {
			n, u = int64(r), uint64(r)
		}
	case "bool":
	case "float32", "float64":
		x, err = strconv.ParseFloat(text, v.Type().Bits())
	case "math.Float32frombits", "math.Float64frombits":
		u, err = strconv.ParseUint(text, 0, 64)
		if x = math.Float64frombits(u); typ == "math.Float32frombits" {
			x = float64(math.Float32frombits(uint32(u)))
		}
	default:
		if n, err = strconv.ParseInt(text, 10, 64); err != nil {
			u, err = strconv.ParseUint(text, 10, 64)
		} else {
			u = uint64(n)
		}
	}
	if err != nil || !fits(v.Type(), typ) {
		return fmt.Errorf("not a %v: %s", v.Type(), conversion)
	}
	switch v.Kind() {
	case reflect.Slice:
		v.SetBytes([]byte(s))
	case reflect.String:
		v.SetString(s)
	case reflect.Bool:
		v.SetBool(text == "true")
	case reflect.Float32, reflect.Float64:
		v.SetFloat(x)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(n)
	default:
		v.SetUint(u)
	}
	return nil
}

// fits says whether a conversion of that name makes a value of the type.
func fits(t reflect.Type, conversion string) bool {
	switch conversion {
	case "[]byte":
		return t.Kind() == reflect.Slice
	case "byte":
		return t.Kind() == reflect.Uint8
	case "rune":
		return t.Kind() == reflect.Int32
	case "math.Float32frombits":
		return t.Kind() == reflect.Float32
	case "math.Float64frombits":
		return t.Kind() == reflect.Float64
	}
	return t.Kind().String() == conversion
}
