// Package gogen makes random Go programs, to test what reads or rewrites Go.
//
// A program is decoded from a string of bytes. Each byte makes one choice: a
// sixth of them about the program's types, half about its functions, the last
// third about what it does with them. Where they end, the simplest choice is
// made. Any string gives a program, and a program
//
//   - type-checks;
//   - ends soon: its loops and functions have one budget of steps between them;
//   - does the same whenever it runs. What the language leaves open makes no
//     difference in it: the order of a map, of operands beside calls, of ready
//     channels, the capacity that append chooses, where things are in memory.
//
// For the second last, the operands of an expression never panic and never change
// a variable, unless by way of a call, and what is called in an expression changes
// nothing that the expression reads. Operations that may panic and calls that
// change variables are separate statements.
package gogen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// File returns the source of a file of package pkg. All it declares at package
// level begins with prefix, but for
//
//	func Case<prefix>(in int) string
//
// which runs the program on a small number and returns what it did as text. Files
// with different prefixes can be put into one package.
func File(pkg, prefix string, choices []byte) []byte {
	g := &gen{prefix: prefix, imports: map[string]bool{"fmt": true}}
	types, entries := len(choices)/6, len(choices)/3
	g.choices = choices[:types]
	g.declareTypes()
	g.declareConsts()
	g.choices = choices[types : len(choices)-entries]
	g.declareFuncs()
	g.choices = choices[len(choices)-entries:]
	g.declareVars()
	g.declareEntries()

	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	for _, path := range slices.Sorted(keys(g.imports)) {
		fmt.Fprintf(&b, "%q\n", path)
	}
	b.WriteString(")\n" + g.support())
	for _, d := range g.decls {
		b.WriteString("\n" + d + "\n")
	}
	return []byte(b.String())
}

// gen is the state of one File.
type gen struct {
	prefix  string
	choices []byte
	imports map[string]bool
	decls   []string
	last    int // number used last in a name

	types      []*typ // to choose from
	interfaces []*typ
	generics   []*generic
	consts     []*variable
	funcs      []*fn
	entries    []string

	// Of the function under construction:
	scope    []*variable          // innermost last
	declared []string             // names of its variables
	checked  map[string]*variable // those that the compiler wants to be used
	fn       *fn
	outer    *fn // the function at package level that it is, or is in
	loops    []*loop
	nested   int  // statements around this one
	pure     bool // no calls now
}

// variable is a variable, parameter, result or constant.
type variable struct {
	name   string
	t      *typ
	used   bool
	fixed  bool // not to be assigned to
	global bool
	// untyped is set for constants without a type.
	untyped bool
}

// n chooses a number from 0 to k-1.
func (g *gen) n(k int) int {
	if len(g.choices) == 0 || k < 2 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % k
}

// once says yes one time in k.
func (g *gen) once(k int) bool { return g.n(k) == k-1 }

// pick chooses one of a list.
func pick[T any](g *gen, list ...T) T { return list[g.n(len(list))] }

// name returns a new name at package level.
func (g *gen) name(stem string) string {
	g.last++
	return fmt.Sprintf("%s%s%d", g.prefix, stem, g.last)
}

// local returns a new name for a variable.
func (g *gen) local() string {
	g.last++
	name := fmt.Sprintf("v%d", g.last)
	g.declared = append(g.declared, name)
	return name
}

// helper names a function of the support code.
func (g *gen) helper(name string) string { return g.prefix + "_" + name }

func (g *gen) declare(format string, args ...any) {
	g.decls = append(g.decls, fmt.Sprintf(format, args...))
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// hideable are names with a meaning everywhere that a function may give another.
var hideable = []string{
	"len", "int", "string", "bool", "true", "nil", "any", "new", "false", "error", "cap", "fmt",
	"append", "uint8", "byte", "panic", "float64", "uint", "min", "max", "copy", "int64", "rune", "iota",
}

var word = regexp.MustCompile(`\pL[\pL\d_]*`)

// finish gives a complete function its names, and uses for its variables.
func (g *gen) finish(text string) string {
	text = unused.ReplaceAllStringFunc(text, func(mark string) string {
		name := unused.FindStringSubmatch(mark)[1]
		if g.checked[name].used {
			return ""
		}
		return "\n_ = " + name
	})
	text = g.disguise(text)
	g.declared, g.checked = nil, nil
	return text
}

// unused is the mark after a declaration, where a use can be put.
var unused = regexp.MustCompile(`\x00(v\d+)\x00`)

// new declares a variable; mark goes after the statement that does.
func (g *gen) new(t *typ) (v *variable, mark string) {
	v = &variable{name: g.local(), t: t}
	if g.checked == nil {
		g.checked = map[string]*variable{}
	}
	g.checked[v.name] = v
	return v, "\x00" + v.name + "\x00"
}

// disguise gives some variables of a function names that mean something else
// outside, and that the function has no other use for.
func (g *gen) disguise(text string) string {
	used := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		used[w] = true
	}
	names := slices.Clone(hideable)
	for _, t := range g.types {
		if t.declared {
			names = append(names, t.text)
		}
	}
	renamed := map[string]string{}
	for _, v := range g.declared {
		if !g.once(6) {
			continue
		}
		name := pick(g, names...)
		if !used[name] {
			used[name] = true
			renamed[v] = name
		}
	}
	if len(renamed) == 0 {
		return text
	}
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if name, ok := renamed[w]; ok {
			return name
		}
		return w
	})
}
