// Package instrument turns Go packages into schemata mutants: it loads the
// package under test, enumerates mutants, and rewrites the source by byte edits
// so that one test binary holds every mutant behind a run-time switch.
//
// This file declares the data that the subpackages share; load, operator,
// schemata and overlay do the work.
package instrument

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A Program is everything known about one package under test and its mutants:
// the product of loading and rewriting, and the table by which numbers that
// cross the wire to the test binary are turned back into source positions.
type Program struct {
	Test      TestPackage
	GoVersion string // of the toolchain, as "go1.26.8"
	Packages  []Package
	Mutants   []Mutant               // Mutants[i].Index == i+1; index 0 is the original program
	Funcs     []Func                 // every rewritten function; indexed by Mutant.FuncIndex
	Blocks    []Block                // every coverage counter; Blocks[i] describes counter i
	Sites     []Site                 // every place where a value is observed
	Views     map[string]golden.View // how much golden values hold of the values of types: see golden.Renderer
	Skips     []Skip                 // code left unmutated, and suppressed mutants
	Census    Census                 // of the mutated packages
	Refused   []Refused              // what the compiler refused after rewriting, as it was found

	Comparisons int // number of comparisons whose operands are recorded

	// Code is a hash of what the test binary is made of, without paths: of equal ones, either
	// has the same code and mutants. "" if it was not asked for, or the source does not say it.
	Code string

	Warnings []string // what the user should know of the build, a line each
	// NoSeeds says why fuzz tests are not run with their seeds where the package's own
	// tests are; "" if they are.
	NoSeeds string
}

// TestPackage is the package whose fuzz tests are run.
type TestPackage struct {
	ImportPath string
	Name       string
	Dir        string // absolute
	ModulePath string // "" for the standard library
	ModuleDir  string
	Fuzz       []FuzzTest // in source order
	Untested   bool       // the package has no test files
}

// FuzzTest is one function of the form func FuzzX(f *testing.F).
type FuzzTest struct {
	Name string
	File string // absolute
	Line int
	// ArgTypes are the types of the fuzz target's arguments after *testing.T,
	// as Go source ("[]byte", "int"); nil when they can't be told statically.
	ArgTypes []string
	// Target is the function that the fuzz test was derived for, as "Parse" or
	// "(*Tree).Insert"; "" for one that a test file declares.
	Target string
}

// Package is one rewritten package.
type Package struct {
	ImportPath string
	Dir        string // absolute; of the user's source, never of a copy
	Mutated    bool   // false: coverage counters only
	Machinery  bool   // the test binary needs it to start, whatever it tests
}

// Func is one rewritten function or method declaration.
type Func struct {
	Package string // import path
	Name    string // "Get", "(*Parser).next", "Result.String"; "" for initializers
	File    string // absolute
	Line    int
	EndLine int
}

// Status of a mutant that is known before anything runs.
type Status string

const (
	StatusLive    Status = ""        // can be run
	StatusStatic  Status = "static"  // runs while packages are initialized: needs its own process
	StatusSkipped Status = "skipped" // ignored by directive, or can't be mutated safely
)

// A Mutant is one small change of the program.
type Mutant struct {
	Index     int    // dense, from 1; the number the runtime knows it by
	ID        string // stable across edits elsewhere in the file
	Operator  string // name of the operator, e.g. "conditional-boundary"
	Package   string // import path
	FuncIndex int    // into Program.Funcs; -1 in initializers
	Func      string // Func.Name, for reports
	File      string // absolute
	Line      int    // 1-based, of the mutated source
	Column    int    // 1-based, in bytes
	Offset    int    // byte range [Offset, End) of the file that a plain source edit replaces
	End       int

	Original    string // source[Offset:End]
	Replacement string // what the plain edit puts there; always compiles in place
	Description string // one phrase: "changed < to <="
	Doubt       string // why it is seldom worth a test; "" if nothing is known against it

	Status Status
	Reason string // why Status is not live
}

// Uninteresting begins the reason of a mutant that is left out since nobody would write a
// test for it: only logs, metrics and traces depend on the code.
const Uninteresting = "in uninteresting code"

// Uninteresting says whether the mutant is left out since its code is uninteresting.
func (m *Mutant) Uninteresting() bool {
	return m.Status == StatusSkipped && strings.HasPrefix(m.Reason, Uninteresting)
}

// Block is the source range one coverage counter stands for.
type Block struct {
	Package string
	File    string // absolute
	Line    int
	EndLine int
	Func    int // into Program.Funcs
	// Loop is the line of the loop whose body begins with the counter; 0: none does.
	Loop int
}

// Site is one place where values are observed for the differential oracle.
type Site struct {
	Name    string // "gjson.Get", the observed function as a user would write it
	File    string // absolute; of the call, or of the //fuzzmut:target function
	Line    int
	Package string // import path of the function
	// Values names each observed value: "result 0 (gjson.Result)", "argument v".
	Values []string
	// Target says that the site is a //fuzzmut:target function, wherever it is called.
	Target bool
	// Inner says that no caller need see the values: the site is a changed function. No
	// kill comes of them.
	Inner bool
	// In is the declaration of the test files that the call is in, unless a copy of
	// the fuzz test has the call, too: see package observe.
	In string
	// Called is Name in golden values: by the type that the call names, "" if it is Name.
	Called string
	// After says that the site shows more of a call. The site before it has shown the results.
	After bool
	// View says how much golden values hold of the values.
	View golden.View
	// Receiver says that golden values hold what a method was called on as well.
	Receiver bool
}

// CountFuncs counts the functions with a mutant for which is holds. A function literal in the value of a package
// variable is one; the rest of such a value is none.
func (p *Program) CountFuncs(is func(m *Mutant) bool) int {
	set := make(map[int]bool)
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.FuncIndex >= 0 && is(m) {
			set[m.FuncIndex] = true
		}
	}
	return len(set)
}

// Inner returns what the inner sites of changed functions are called, by function.
func (p *Program) Inner() map[int]string {
	type place struct {
		file string
		line int
	}
	sites := make(map[place]string)
	for i := range p.Sites {
		if s := &p.Sites[i]; s.Inner {
			sites[place{s.File, s.Line}] = s.Name
		}
	}
	names := make(map[int]string)
	for i := range p.Funcs {
		if name, ok := sites[place{p.Funcs[i].File, p.Funcs[i].Line}]; ok {
			names[i] = name
		}
	}
	return names
}

// Skip is a stretch of code that got no mutants, or a suppressed mutant.
type Skip struct {
	Package string
	File    string
	Line    int
	What    string // function name or operator
	Reason  string
}

// Refused is code that is left as the user wrote it, since the compiler refuses what
// it was rewritten to: a fault of fuzzmut.
type Refused struct {
	What string // RefusedFunction or one of the others
	Name string // of the function
	File string // absolute
	Line int
	Err  string // what the compiler says
}

// IssuePage is where faults of fuzzmut are reported.
const IssuePage = "https://github.com/fuzzmut/fuzzmut/issues"

// What is refused.
const (
	RefusedFunction    = "function"    // is not mutated
	RefusedInitialiser = "initializer" // is not mutated
	RefusedFile        = "file"        // is neither mutated nor covered
	RefusedTestFile    = "test file"   // its calls are not observed
)

// GoldenName is what golden values call the function that is called at the site.
func (s *Site) GoldenName() string {
	name := s.Name
	if s.Called != "" {
		name = s.Called
	}
	if s.In != "" {
		return name + " in " + s.In
	}
	return name
}

// GoldenValue is what golden values call one of the values: its name without the type,
// which may have another name tomorrow.
func (s *Site) GoldenValue(i int) string {
	name, _, _ := strings.Cut(s.Values[i], " (")
	return name
}

// receiver begins the name of a value that is what a method was called on.
const receiver = "receiver "

// GoldenView says how much golden values hold of one of the values. A receiver is no
// result, unless test cases are made of golden values: some methods have no other.
func (s *Site) GoldenView(i int) golden.View {
	if s.Target || !s.Receiver && strings.HasPrefix(s.Values[i], receiver) {
		return golden.ViewNone
	}
	return s.View
}
