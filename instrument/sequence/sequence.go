// Package sequence writes fuzz tests whose inputs are sequences of calls: a value is made by
// a function of the package under test, methods are called on it in turn, and what they
// return is the one result that is observed. A sequence that was found becomes the
// statements of a plain test.
//
// An input is a list of records of the same width: which call, and a byte for each of its
// arguments. Texts are two further inputs. Values that calls make are kept, by type, and later calls take
// them as receivers and arguments. The function in the fuzz test and package sequence read
// a list in the same way: what a call returned says which values there are then.
package sequence

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// Bounds of one fuzz test.
const (
	stepsMost  = 12  // calls that an input makes
	callsMost  = 240 // a byte says which
	paramsMost = 5
	textsMost  = 48  // constants
	textMost   = 256 // bytes of one
)

// A Sequence is a fuzz test over calls.
type Sequence struct {
	Fuzz     string // "FuzzTree_sequence"
	Function string // that makes the calls: "sequenceTree"
	About    string // for people: "sequences of Tree"
	Text     []byte // of its file
	Line     int    // of the fuzz test in it
	Left     []Left // methods that it does not call, though it calls others of the same type

	pkg    *types.Package
	kinds  []*kind
	calls  []*call
	texts  []string // constants that stand for texts, in addition to the inputs
	first  []string // statements before the first call
	state  []Variable
	uses   func(*types.Func) []string
	unless func(*types.Func) []string
	begin  []seed // inputs that do what scripts do
	given  func(types.Type) []string
	passed func(*types.Func, int, types.Type) []string
	holds  bool            // what is in arguments is seen
	width  int             // of a record
	most   int             // calls that an input makes
	outer  map[string]bool // names of variables
	// outside are the names of packages of other modules that files may import, by path.
	outside map[string]string
}

// Left is a method that a sequence does not call, and why.
type Left struct {
	Method *types.Func
	Reason string
	kind   int
}

// Width is the number of bytes of a record: one call.
func (s *Sequence) Width() int { return s.width }

// Functions lists the functions and methods that are called.
func (s *Sequence) Functions() (list []*types.Func) {
	for _, c := range s.calls {
		if c.fn != nil {
			list = append(list, c.fn)
		}
	}
	return list
}

// kind is a type whose values are kept.
type kind struct {
	named  *types.Named
	iface  bool   // it is an interface: values are kept as they are, others by their address
	source string // "Tree", "Map[int, int]"
	name   string // of a variable: "tree"
	list   string // of a variable with all of them
}

// call is something that a step of a sequence does.
type call struct {
	function string // "NewTree", "Insert"; "" for the zero value
	field    bool   // it is a field
	setting  bool   // it is a variable, which is set, and set back in the end
	state    bool   // that is one of the state
	unless   []string
	fn       *types.Func
	receiver int // a kind; -1: none
	params   []param
	results  []result
	rank     int
}

// records says whether functions that are given note what they are called with.
func (c *call) records() bool {
	return slices.ContainsFunc(c.params, func(p param) bool { return p.records })
}

// Config says what a sequence may do.
type Config struct {
	Package *types.Package
	Types   []*types.Named // whose values are kept; the first gives the name
	// Functions are others to call, that neither take nor make such values. Without types the
	// first gives the name.
	Functions []*types.Func
	// Harmless says whether a function may be called with any arguments.
	Harmless func(*types.Func) bool
	// Rank says which functions come first if there are too many: those of a low rank.
	Rank  func(*types.Func) int
	Texts []string // constants to be given for texts
	// Scripts are what tests do with the values, and Literals is source of what they give for
	// arguments of a type; nil: none.
	Scripts  []Script
	Literals func(types.Type) []string
	// Passed is source of what tests give to a function for a parameter that has a type where it is called, but
	// for constants; nil: nothing is known.
	Passed func(fn *types.Func, param int, t types.Type) []string
	Begin  []string // statements before the first call
	// Outside are packages of other modules that files may import: see the function of that name.
	Outside []*types.Package
	// State are variables of the package that have the same value whenever an input begins. Uses says
	// which of them a function may read or change, by name, and Sets whether one is worth a call for what
	// it changes. A function is not called where one of the conditions of Unless holds. Without State
	// the others are not called.
	State  []Variable
	Uses   func(*types.Func) []string
	Unless func(*types.Func) []string
	Sets   func(*types.Func) bool
	Taken  map[string]bool // names of fuzz tests
}

// New writes the fuzz test; nil: there is nothing to call in turn.
func New(c Config) *Sequence {
	s := &Sequence{pkg: c.Package, outer: make(map[string]bool), given: c.Literals, passed: c.Passed, first: c.Begin, holds: slices.Contains(Optional(c.Package), "encoding/json")}
	for _, name := range importNames {
		if c.Package.Scope().Lookup(name) != nil {
			return nil // the imports would be in its way
		}
	}
	s.outside = make(map[string]string)
	for _, p := range c.Outside {
		s.outside[p.Path()] = p.Name()
	}
	for _, t := range c.Types {
		s.addKind(t)
	}
	if len(c.State) > 0 {
		s.uses, s.unless = c.Uses, c.Unless
	}
	s.addCalls(c)
	if !s.useful() {
		return nil
	}
	s.Left = slices.DeleteFunc(s.Left, func(l Left) bool {
		return !slices.ContainsFunc(s.calls, func(c *call) bool { return c.fn != nil && c.receiver == l.kind })
	})
	base := s.base()
	s.Fuzz = s.free("Fuzz"+base+"_sequence", c.Taken)
	s.Function = s.free("sequence"+base, nil)
	s.About = "sequences of " + base
	for _, text := range append(c.Texts, s.scriptTexts(c.Scripts)...) {
		if len(s.texts) < textsMost && len(text) <= textMost && utf8.ValidString(text) && !slices.Contains(s.texts, text) {
			s.texts = append(s.texts, text)
		}
	}
	s.width = 2
	for _, c := range s.calls {
		s.width = max(s.width, 2+len(c.params))
	}
	s.most = stepsMost
	if s.apart() {
		s.most = 1
	}
	s.begin = append(s.stateSeeds(), s.scriptSeeds(c.Scripts)...)
	s.write()
	return s
}

// base is what the fuzz test is named after: the first type, or else the first function.
func (s *Sequence) base() string {
	if len(s.kinds) > 0 {
		return s.kinds[0].named.Obj().Name()
	}
	return s.Functions()[0].Name()
}

// useful says whether a value can be made, and anything be called on it. Without types
// one call is enough.
func (s *Sequence) useful() bool {
	if len(s.kinds) == 0 {
		return slices.ContainsFunc(s.calls, func(c *call) bool { return c.fn != nil })
	}
	makers, methods := 0, 0
	for _, c := range s.calls {
		if c.receiver >= 0 && !c.field {
			methods++
		}
		if c.makes() {
			makers++
		}
	}
	return makers > 0 && methods > 1
}

// apart says whether no call has to do with another: none makes or sets anything, nor takes a text as it is, which another
// may return. What such calls do in turn, each does alone, and a case is easier to read.
func (s *Sequence) apart() bool {
	return len(s.kinds)+len(s.state)+len(s.first) == 0 && !slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.setting || slices.ContainsFunc(c.params, func(p param) bool {
			return p.form == textParam || p.form == bytesParam || p.form == readerParam
		})
	})
}

// makes says whether a call of nothing that is kept makes something to keep.
func (c *call) makes() bool {
	return c.receiver < 0 && slices.ContainsFunc(c.results, func(r result) bool { return r.form == kept && !r.several })
}

// free is a name that the package does not declare.
func (s *Sequence) free(name string, taken map[string]bool) string {
	base := name
	for i := 2; s.pkg.Scope().Lookup(name) != nil || taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// importNames are the packages that the file of a fuzz test or a test may import.
var importNames = []string{"bytes", "context", "errors", "fmt", "regexp", "runtime", "strconv", "strings", "testing", "time"}

// addKind adds a type whose values are kept.
func (s *Sequence) addKind(t *types.Named) {
	name := t.Obj().Name()
	r, _ := utf8.DecodeRuneInString(name)
	low := target.Variable(name)
	if letter := string(unicode.ToLower(r)); s.taken(low) && !s.taken(letter) {
		low = letter // a number follows where there are several
	}
	low = s.local(low)
	s.kinds = append(s.kinds, &kind{named: t, iface: types.IsInterface(t), source: s.source(t), name: low, list: s.local(low + "List")})
}

// local is a name for a variable that hides nothing and that no other variable has.
func (s *Sequence) local(name string) string {
	base := name
	for i := 2; s.taken(name); i++ {
		name = base + strconv.Itoa(i)
	}
	s.outer[name] = true
	return name
}

// taken says whether a variable of that name would hide something.
func (s *Sequence) taken(name string) bool {
	return s.outer[name] || s.pkg.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil || token.IsKeyword(name) ||
		slices.Contains(importNames, name) || slices.Contains(locals, name) || s.isOutside(name) || strings.HasPrefix(name, "got")
}

// locals are variables of fuzz tests and of cases.
var locals = []string{"t", "f", "got", "err", "ops", "op", "seen", "texts", "text", "text2", "made", "pick", "said", "calls", callsMark, "out", "v", "ok", "i", "n"}

// isOutside says whether a package of another module has that name.
func (s *Sequence) isOutside(name string) bool {
	for _, n := range s.outside {
		if n == name {
			return true
		}
	}
	return false
}

// source is a type as the package names it.
func (s *Sequence) source(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == s.pkg.Path() {
			return ""
		}
		return p.Name()
	})
}

// stored is the type of what is kept.
func (k *kind) stored() types.Type {
	if k.iface {
		return k.named
	}
	return types.NewPointer(k.named)
}

// element is that as source.
func (k *kind) element() string {
	if k.iface {
		return k.source
	}
	return "*" + k.source
}

// kindOf is the kind of a type; -1: its values are not kept.
func (s *Sequence) kindOf(t types.Type) int {
	return slices.IndexFunc(s.kinds, func(k *kind) bool { return types.Identical(k.named, t) })
}
