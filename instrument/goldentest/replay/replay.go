// Package replay is what a generated test file does with copies of fuzz tests: it
// calls their targets with the entries of the corpus, gathers what is observed, and
// compares it with the golden values.
//
// Like that of package golden, the text of this file goes into the generated file,
// with other names for what is declared at package level or imported, and is written
// in Go 1.18.
package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A Call is a place where values are observed.
type Call struct {
	Function string      // "gjson.Get", as golden files name it
	Values   []string    // their names; "" of what is no golden value
	Place    string      // "gjson_test.go:12"
	After    bool        // there is more of a call that was observed before
	Shown    golden.View // how much of the values
}

// Observing says that the fuzz target is running.
var Observing bool

// ObserveHook receives observed values while Observing.
var ObserveHook func(site uint32, vals []any)

// A CopiedF stands for the *testing.F of a copied fuzz test.
type CopiedF struct {
	*testing.T
	fuzz     string // name of the fuzz test
	calls    []Call
	partial  bool   // some calls are observed by fuzzmut alone: they are in functions without a copy
	packages string // see golden.File
	views    map[string]golden.View

	seeds  [][]any
	golden string                  // the golden file
	known  map[string]golden.Entry // golden values by their keys
}

// Name returns the name of the fuzz test.
func (f *CopiedF) Name() string { return f.fuzz }

// Add adds a seed.
func (f *CopiedF) Add(args ...any) { f.seeds = append(f.seeds, args) }

// Fuzz runs the fuzz target with each seed and each entry of the corpus.
func (f *CopiedF) Fuzz(target any) {
	f.golden = filepath.Join("testdata", "fuzz-golden", f.fuzz+".txt")
	f.read()
	unused := make(map[string]bool)
	for key := range f.known {
		unused[key] = true
	}
	run := func(name string, args []any, err error) {
		key := keyOf(args)
		delete(unused, key)
		f.Run(name, func(t *testing.T) {
			if err != nil {
				t.Fatal(err)
			}
			f.replay(t, key, reflect.ValueOf(target), args)
		})
	}
	for i, args := range f.seeds {
		run("seed#"+strconv.Itoa(i), args, nil)
	}
	dir := filepath.Join("testdata", "fuzz", f.fuzz)
	files, _ := os.ReadDir(dir) // there may be seeds only
	for _, entry := range files {
		if !entry.IsDir() {
			args, err := arguments(filepath.Join(dir, entry.Name()), reflect.TypeOf(target))
			run(entry.Name(), args, err)
		}
	}
	for key := range unused {
		e := f.known[key]
		f.Errorf("%s:%d: golden values without an entry: %s; fuzzmut corpus verify -update removes them", f.golden, e.Line, e.Name)
	}
}

// read reads the golden file.
func (f *CopiedF) read() {
	data, err := os.ReadFile(f.golden)
	if os.IsNotExist(err) {
		f.Skip("no golden values; fuzzmut corpus verify -update records them")
	}
	if err != nil {
		f.Fatal(err)
	}
	if golden.Later(data) {
		f.Fatalf("%s was written by a newer fuzzmut; fuzzmut corpus verify -write-test updates this test", f.golden)
	}
	file, damage := golden.Unmarshal(data)
	if len(damage) > 0 {
		f.Fatalf("%s: %v; fuzzmut corpus verify -update rewrites it", f.golden, damage[0])
	}
	if file.Packages != f.packages {
		f.Fatalf("%s has values of calls of %s, and this test observes %s; fuzzmut corpus verify -write-test updates it", f.golden, file.Packages, f.packages)
	}
	f.known = make(map[string]golden.Entry)
	for _, e := range file.Entries {
		f.known[golden.Key(e.Name)] = e
	}
}

// replay runs the fuzz target with one entry.
func (f *CopiedF) replay(t *testing.T, key string, target reflect.Value, args []any) {
	want, ok := f.known[key]
	if !ok {
		t.Fatalf("%s has no golden values of this entry; fuzzmut corpus verify -update records them", f.golden)
	}
	values := []reflect.Value{reflect.ValueOf(t)}
	for _, arg := range args {
		values = append(values, reflect.ValueOf(arg))
	}
	var mu sync.Mutex // the target may have goroutines
	log := golden.Log{Whole: f.partial}
	renderer := golden.Renderer{Views: f.views}
	places := make(map[string]string)
	ObserveHook = func(site uint32, vals []any) {
		mu.Lock()
		defer mu.Unlock()
		call := f.calls[site]
		if !call.After {
			log.Begin(call.Function)
		}
		Observing = false // a method of a value is not the target's doing
		for i, name := range call.Values {
			if name != "" {
				places[log.Add(call.Function, name, renderer.Write(vals[i], call.Shown))] = call.Place
			}
		}
		Observing = true
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
	target.Call(values)
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
		for _, s := range f.calls {
			if place == "" && s.Function == function {
				place = s.Place
			}
		}
		t.Errorf("%s: %s\n%s", place, c.Name, difference(c.Want, c.Got))
	}
	if changed {
		t.Log("- golden, + now: fix the code, or accept with: fuzzmut corpus verify -update")
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

// arguments reads an entry: the arguments of a fuzz target behind its *testing.T.
func arguments(path string, target reflect.Type) ([]any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var args []any
	for i, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		if line = strings.TrimSpace(line); i == 0 || line == "" {
			continue
		}
		if len(args) == target.NumIn()-1 {
			return nil, fmt.Errorf("%s has more values than the fuzz target takes", path)
		}
		v := reflect.New(target.In(len(args) + 1)).Elem()
		if err := setTo(v, line); err != nil {
			return nil, fmt.Errorf("%s: value %d is %s, the fuzz target takes a %v", path, len(args)+1, line, v.Type())
		}
		args = append(args, v.Interface())
	}
	if len(args) < target.NumIn()-1 {
		return nil, fmt.Errorf("%s has %d values, the fuzz target takes %d", path, len(args), target.NumIn()-1)
	}
	return args, nil
}

// setTo gives v the value of a conversion: int(-3), []byte("text").
func setTo(v reflect.Value, conversion string) error {
	typ, s, _ := strings.Cut(strings.TrimSuffix(conversion, ")"), "(")
	typ, s = strings.TrimSpace(typ), strings.TrimSpace(s)
	wrong := fmt.Errorf("not a %v: %s", v.Type(), conversion)
	if !fits(v.Type(), typ) {
		return wrong
	}
	var err error
	switch v.Kind() {
	case reflect.Slice, reflect.String:
		if s, err = strconv.Unquote(s); v.Kind() == reflect.String {
			v.SetString(s)
		} else {
			v.SetBytes([]byte(s))
		}
	case reflect.Bool:
		v.SetBool(s == "true")
	case reflect.Float32, reflect.Float64:
		err = setFloat(v, typ, s)
	default:
		err = setInteger(v, s)
	}
	if err != nil {
		return wrong
	}
	return nil
}

// setFloat gives v the value of a number, or of its bits.
func setFloat(v reflect.Value, typ, s string) error {
	if !strings.HasPrefix(typ, "math.") {
		x, err := strconv.ParseFloat(s, v.Type().Bits())
		v.SetFloat(x)
		return err
	}
	bits, err := strconv.ParseUint(s, 0, v.Type().Bits())
	if v.Kind() == reflect.Float32 {
		// Not by SetFloat, which would quiet a signalling NaN.
		v.Set(reflect.ValueOf(math.Float32frombits(uint32(bits))))
	} else {
		v.Set(reflect.ValueOf(math.Float64frombits(bits)))
	}
	return err
}

// setInteger gives v the value of a number or of a character.
func setInteger(v reflect.Value, s string) error {
	if strings.HasPrefix(s, "'") {
		r, _, _, err := strconv.UnquoteChar(strings.TrimSuffix(s[1:], "'"), '\'')
		s = strconv.Itoa(int(r))
		if err != nil {
			return err
		}
	}
	if v.CanInt() {
		n, err := strconv.ParseInt(s, 0, v.Type().Bits())
		v.SetInt(n)
		return err
	}
	u, err := strconv.ParseUint(s, 0, v.Type().Bits())
	v.SetUint(u)
	return err
}

// fits says whether a conversion of that name makes a value of the type.
func fits(t reflect.Type, conversion string) bool {
	switch conversion {
	case "[]byte", "[]uint8":
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

// keyOf is what an entry goes by: the hash that go test gives its encoding.
func keyOf(args []any) string {
	b := "go test fuzz v1\n"
	for _, arg := range args {
		b += encoded(arg) + "\n"
	}
	sum := sha256.Sum256([]byte(b))
	return hex.EncodeToString(sum[:8])
}

// encoded writes an argument as go test does.
func encoded(arg any) string {
	switch v := arg.(type) {
	case []byte:
		return "[]byte(" + strconv.Quote(string(v)) + ")"
	case string:
		return "string(" + strconv.Quote(v) + ")"
	case byte:
		return "byte(" + strconv.QuoteRune(rune(v)) + ")"
	case rune:
		if !utf8.ValidRune(v) {
			return fmt.Sprintf("int32(%d)", v)
		}
		return "rune(" + strconv.QuoteRune(v) + ")"
	case float32:
		if bits := math.Float32bits(v); v != v && bits != math.Float32bits(float32(math.NaN())) {
			return fmt.Sprintf("math.Float32frombits(0x%x)", bits)
		}
		return "float32(" + strconv.FormatFloat(float64(v), 'g', -1, 32) + ")"
	case float64:
		if bits := math.Float64bits(v); v != v && bits != math.Float64bits(math.NaN()) {
			return fmt.Sprintf("math.Float64frombits(0x%x)", bits)
		}
		return "float64(" + strconv.FormatFloat(v, 'g', -1, 64) + ")"
	}
	return fmt.Sprintf("%T(%v)", arg, arg)
}
