package overlay

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// The runtime draws at random in which order a map is ranged over, and when it empties
// a sync.Pool depends on the garbage collector. A run can be repeated only if both are
// the same each time.

// order adds the files that make it so. Of what is not as fuzzmut knows it, or is
// rewritten itself, chance decides as ever.
func (b *builder) order(files map[string][]byte, rewritten map[string][]byte) {
	src := filepath.Join(b.tool.Root, "src")
	for _, c := range []struct {
		what string
		set  chances
	}{{"the order of maps", mapOrder}, {"what sync.Pool returns", pools}} {
		add, err := c.set.files(src, rewritten)
		if err != nil {
			b.warn("two runs with one seed may differ, since %s is left to chance: %v", c.what, err)
		}
		maps.Copy(files, add)
	}
}

// chances are changes of the standard library, all of which are made or none. Paths
// are below GOROOT/src.
type chances struct {
	hooks map[string]string    // files of rt/hook that are added, as in hooks
	heads map[string][]head    // by file
	texts map[string][2]string // by file: what stands there once, and what is to stand there
}

// files returns the files that are added or changed.
func (c *chances) files(src string, rewritten map[string][]byte) (map[string][]byte, error) {
	files := make(map[string][]byte)
	at := func(name string) string { return filepath.Join(src, filepath.FromSlash(name)) }
	var err error
	for name, heads := range c.heads {
		if files[at(name)], err = atHeads(at(name), heads); err != nil {
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
			return nil, fmt.Errorf("%s is not as fuzzmut knows it", at(name))
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
// counts once the map has more than eight entries, so it is drawn anew before the
// first of them.
var mapOrder = chances{
	hooks: map[string]string{
		"hook/runtime.go.txt": "runtime/fuzzmut_hook.go",
		"hook/order.go.txt":   "fuzzmutrt/fuzzmut_order.go",
	},
	heads: map[string][]head{
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
	heads: map[string][]head{"sync/pool.go": {
		{"Pool", "Put", 1, func(n []string) string { return " if " + n[0] + ".fuzzmutPut(" + n[1] + ") { return };" }},
		{"Pool", "Get", 0, func(n []string) string { return " if x, ok := " + n[0] + ".fuzzmutGet(); ok { return x };" }},
	}},
	texts: map[string][2]string{"sync/pool.go": {"type Pool struct {\n\tnoCopy noCopy\n", "type Pool struct {\n\tnoCopy noCopy; fuzzmut fuzzmutPool\n"}},
}

func say(stmt string) func([]string) string { return func([]string) string { return stmt } }

func assign(name string) head {
	return head{"", name, 3, func(n []string) string { return reseed(n[1]) }}
}

func reseed(m string) string {
	return " if " + m + " != nil && " + m + ".used == 0 && " + m + ".dirLen == 0 { " + m + ".seed = uintptr(rand()) };"
}
