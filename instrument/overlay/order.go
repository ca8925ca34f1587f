package overlay

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// The runtime draws at random in which order a map is ranged over, and when it empties
// a sync.Pool, or knows what lives, depends on the garbage collector. A run can be
// repeated only if they are the same each time. What else the runtime is asked for is left out
// in the same way where it is not as fuzzmut knows it.

// chanceState is what a build knows of it.
type chanceState struct {
	parts    []chancePart      // what is made so; nil means chanceParts
	left     map[string]string // the names of those that do not compile, and why
	files    map[string]string // what each file is changed or added for, by its path
	warnings []string          // what is left to chance
}

// A chancePart is one of the things that are made so. The standard library changes with
// Go: what does not fit is left to chance.
type chancePart struct {
	name   string
	set    chances
	prefix string // of the functions that it adds, as the linker names them
	lost   string // what it means that it is left out; "": two runs may differ in what it is
}

var chanceParts = []chancePart{
	{"the order of maps", mapOrder, "runtime.fuzzmut", ""},
	{"the results of sync.Pool", pools, "sync.fuzzmut", ""},
	{"when a mutant that accumulates memory is stopped", heapSize, "runtime.heapOfFuzzmut", ""},
	{"the end of a skipped input", goexits, "runtime.endGoexitOfFuzzmut", "inputs that are skipped, or fail, take longer"},
}

func (c *chanceState) list() []chancePart {
	if c.parts == nil {
		return chanceParts
	}
	return c.parts
}

// order adds the files that make it so. Of what is not as fuzzmut knows it, or is
// rewritten itself, chance decides as always.
func (b *builder) order(files map[string][]byte, rewritten map[string][]byte) {
	src := filepath.Join(b.tool.Root, "src")
	c := &b.chance
	c.files, c.warnings = make(map[string]string), nil
	for _, p := range c.list() {
		add, err := p.set.files(src, rewritten)
		if why := c.left[p.name]; err == nil && why != "" {
			add, err = nil, fmt.Errorf("the code added to the standard library does not compile: %s", why)
		}
		if err != nil {
			lost := cmp.Or(p.lost, "two runs with the same seed may differ in "+p.name)
			c.warnings = append(c.warnings, fmt.Sprintf("%s: %v", lost, err))
		}
		maps.Copy(files, add)
		for path := range add {
			c.files[path] = p.name
		}
	}
}

// add notes that the overlay puts the file to in for path.
func (c *chanceState) add(path, to string) {
	if name, ok := c.files[path]; ok {
		c.files[to] = name
	}
}

// leaveChance leaves to chance what is, if the go command says that a file that was
// changed for it does not compile, or the linker that a function is not there. It reports
// whether that is new.
func (b *builder) leaveChance(text string) bool {
	progress := false
	leave := func(name, why string) {
		if name == "" || b.chance.left[name] != "" {
			return
		}
		if b.chance.left == nil {
			b.chance.left = make(map[string]string)
		}
		b.chance.left[name], progress = why, true
	}
	for _, e := range errorLines(b.tool.Dir, text) {
		leave(b.chance.files[e.file], fmt.Sprintf("%s:%d: %s", b.inRoot(e.file), e.line, e.msg))
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' || errorPattern.MatchString(line) {
			continue
		}
		for _, p := range b.chance.list() {
			if strings.Contains(line, p.prefix) {
				leave(p.name, line)
			}
		}
	}
	return progress
}

// chances are changes of the standard library: all of them are made, or none. Paths
// are below GOROOT/src.
type chances struct {
	hooks map[string]string    // files of rt/hook that are added, as in hooks
	heads map[string][]opening // by file
	texts map[string][2]string // by file: what stands there once, and what is to stand there
}

// files returns the files that are added or changed.
func (c *chances) files(src string, rewritten map[string][]byte) (map[string][]byte, error) {
	files := make(map[string][]byte)
	at := func(name string) string { return filepath.Join(src, filepath.FromSlash(name)) }
	var err error
	for name, heads := range c.heads {
		if files[at(name)], err = opened(at(name), heads); err != nil {
			return nil, err
		}
	}
	for name, text := range c.texts {
		have := files[at(name)]
		if have == nil {
			if have, err = os.ReadFile(at(name)); err != nil {
				return nil, err
			}
		}
		if bytes.Count(have, []byte(text[0])) != 1 {
			return nil, fmt.Errorf("%s differs from the version that fuzzmut knows", at(name))
		}
		files[at(name)] = bytes.Replace(have, []byte(text[0]), []byte(text[1]), 1)
	}
	for name := range files {
		if _, ok := rewritten[name]; ok {
			return nil, fmt.Errorf("%s has mutants", name)
		}
	}
	for from, to := range c.hooks {
		if files[at(to)], err = fs.ReadFile(fuzzmutrt.Source, from); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// mapsDir is the package of the runtime that maps are made of.
const mapsDir = "internal/runtime/maps"

// mapOrder sets the order of maps: what maps draw, and the keys of hash
// functions, which are drawn before the first thread is set up, are drawn by the
// functions of rt/hook/runtime.go.txt.
//
// The compiler draws the seed of a map on the stack without asking package maps. It
// counts once the map has more than eight entries, so it is drawn again before the
// first of them.
var mapOrder = chances{
	hooks: map[string]string{
		"hook/runtime.go.txt": "runtime/fuzzmut_hook.go",
		"hook/order.go.txt":   "fuzzmutrt/fuzzmut_order.go",
	},
	heads: map[string][]opening{
		"runtime/rand.go": {
			{"", "maps_rand", 0, say(" return fuzzmutMapRand();")},
			{"", "bootstrapRand", 0, say(" if !fuzzmutUp { return fuzzmutKey() };")},
			{"", "mrandinit", 1, say(" fuzzmutUp = true;")},
		},
		mapsDir + "/map.go":             {{"Map", "PutSlot", 2, func(n []string) string { return reseed(n[0]) }}},
		mapsDir + "/runtime.go":         {assign("runtime_mapassign")},
		mapsDir + "/runtime_fast32.go":  {assign("runtime_mapassign_fast32"), assign("runtime_mapassign_fast32ptr")},
		mapsDir + "/runtime_fast64.go":  {assign("runtime_mapassign_fast64"), assign("runtime_mapassign_fast64ptr")},
		mapsDir + "/runtime_faststr.go": {assign("runtime_mapassign_faststr")},
	},
	// The hash tries that sync.Map is made of draw their seed, too.
	texts: map[string][2]string{"internal/sync/hashtriemap.go": {
		"//go:linkname runtime_rand runtime.rand\n", "//go:linkname runtime_rand runtime.fuzzmutMapRand\n",
	}},
}

// pools has every sync.Pool return what was put last in the same execution.
var pools = chances{
	hooks: map[string]string{
		"hook/pool.go.txt":  "sync/fuzzmut_hook.go",
		"hook/pools.go.txt": "fuzzmutrt/fuzzmut_pools.go",
	},
	heads: map[string][]opening{"sync/pool.go": {
		{"Pool", "Put", 1, func(n []string) string { return " if " + n[0] + ".fuzzmutPut(" + n[1] + ") { return };" }},
		{"Pool", "Get", 0, func(n []string) string { return " if x, ok := " + n[0] + ".fuzzmutGet(); ok { return x };" }},
	}},
	texts: map[string][2]string{"sync/pool.go": {"type Pool struct {\n\tnoCopy noCopy\n", "type Pool struct {\n\tnoCopy noCopy; fuzzmut fuzzmutPool\n"}},
}

// heapSize lets the loop look at the size of the heap at points that fuel decides.
var heapSize = chances{hooks: map[string]string{
	"hook/heap.go.txt":     "runtime/fuzzmut_heap.go",
	"hook/heapsize.go.txt": "fuzzmutrt/fuzzmut_heapsize.go",
}}

// goexits lets an input that is skipped, or fails, cost no more than one that passes: the goroutine
// that runs inputs goes on.
var goexits = chances{hooks: map[string]string{
	"hook/goexit.go.txt": "runtime/fuzzmut_goexit.go",
	"hook/ends.go.txt":   "fuzzmutrt/fuzzmut_ends.go",
}}

func say(stmt string) func([]string) string { return func([]string) string { return stmt } }

func assign(name string) opening {
	return opening{"", name, 3, func(n []string) string { return reseed(n[1]) }}
}

func reseed(m string) string {
	return " if " + m + " != nil && " + m + ".used == 0 && " + m + ".dirLen == 0 { " + m + ".seed = uintptr(rand()) };"
}

// An opening is a statement that is put at the head of a function, on the line where
// its body begins. The function is known by its exact shape.
type opening struct {
	recv, name string // of the function; recv is the type pointed to, "" for none
	params     int
	// stmt is given the names of the receiver, if there is one, and of the
	// parameters.
	stmt func(names []string) string
}

// opened returns the text of file with statements at the heads of functions.
func opened(file string, openings []opening) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var edits edit.List
	for _, o := range openings {
		fd, names := o.find(f)
		if fd == nil {
			return nil, fmt.Errorf("%s has no function %s that fuzzmut knows", file, o.name)
		}
		edits.Insert(fset.Position(fd.Body.Lbrace).Offset+1, o.stmt(names))
	}
	return edits.Render(text, 0, len(text)), nil
}

// find returns the function that o is for, with the names of its receiver and
// parameters, nil if there is none of that shape.
func (o *opening) find(f *ast.File) (*ast.FuncDecl, []string) {
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Name.Name != o.name || fd.Body == nil || (fd.Recv == nil) != (o.recv == "") {
			continue
		}
		var names []string
		if fd.Recv != nil {
			if !namedPointerTo(fd.Recv, o.recv) {
				continue
			}
			names = append(names, fd.Recv.List[0].Names[0].Name)
		}
		for _, p := range fd.Type.Params.List {
			for _, n := range p.Names {
				names = append(names, n.Name)
			}
		}
		fields := fd.Recv.NumFields() + fd.Type.Params.NumFields()
		if fd.Type.Params.NumFields() == o.params && len(names) == fields {
			return fd, names
		}
	}
	return nil, nil
}

// namedPointerTo says whether a method's receiver is named and a pointer to a type of
// that name.
func namedPointerTo(recv *ast.FieldList, name string) bool {
	if recv == nil || len(recv.List[0].Names) != 1 {
		return false
	}
	star, ok := recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == name
}
