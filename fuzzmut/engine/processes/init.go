package processes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newInit describes the program to a worker that runs all mutants.
func newInit(cfg *Config) wire.Init {
	p := cfg.Program
	init := wire.Init{
		Counters: len(p.Blocks), Funcs: len(p.Funcs), Comparisons: p.Comparisons, RenewContext: cfg.RenewContext,
		Dict: cfg.Dict, MaxLen: cfg.MaxLen, HangFuel: cfg.HangFuel, TextTimes: cfg.TextTimes, UserPackages: UserPackages(p),
		Inputs: cmp.Or(cfg.Inputs, "default"), Constants: cfg.Constants, Record: cfg.Record, CostShare: cfg.CostShare, CostKills: cfg.CostKills, Leaks: cfg.Leaks, Overflows: cfg.Overflows, NoiseOfInputs: cfg.NoiseOfInputs,
	}
	for _, f := range p.Funcs {
		init.Places = append(init.Places, wire.Place{File: f.File, Line: f.Line, EndLine: f.EndLine})
	}
	for i, b := range p.Blocks {
		init.CounterFunc = append(init.CounterFunc, int32(b.Func))
		if b.Loop > 0 {
			init.Loops = append(init.Loops, wire.Loop{Counter: uint32(i), Line: b.Loop, Body: b.Line, EndLine: b.EndLine})
		}
	}
	for _, m := range p.Mutants {
		f := int32(m.FuncIndex)
		if m.Status != instrument.StatusLive {
			f = -1
		}
		init.MutantFunc = append(init.MutantFunc, f)
	}
	init.Views, init.SiteViews = p.Views, siteViews(p)
	init.Inner, init.Traced = inner(p)
	return init
}

// inner lists the sites of changed functions, and the counters in these functions.
func inner(p *instrument.Program) (sites, counters wire.IDs) {
	for i := range p.Sites {
		if p.Sites[i].Inner {
			sites = append(sites, uint32(i))
		}
	}
	changed := p.Inner()
	for i := range p.Blocks {
		if _, ok := changed[p.Blocks[i].Func]; ok {
			counters = append(counters, uint32(i))
		}
	}
	return sites, counters
}

// siteViews returns the views of the values of sites that have another than the usual.
func siteViews(p *instrument.Program) map[uint32][]golden.View {
	all := make(map[uint32][]golden.View)
	for i := range p.Sites {
		views := make([]golden.View, len(p.Sites[i].Values))
		other := false
		for k := range views {
			views[k] = p.Sites[i].GoldenView(k)
			other = other || views[k] != ""
		}
		if other {
			all[uint32(i)] = views
		}
	}
	return all
}

// UserPackages are the prefixes by which frames are known as the user's.
func UserPackages(p *instrument.Program) []string {
	list := []string{p.Test.ImportPath}
	if p.Test.ModulePath != "" {
		list = append(list, p.Test.ModulePath)
	}
	for _, pkg := range p.Packages {
		list = append(list, pkg.ImportPath)
	}
	for _, path := range list {
		list = append(list, symbolOf(path))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// symbolOf is an import path as the names of functions have it: the linker escapes dots of the last
// element, as in yaml.v3, and what is no plain character.
func symbolOf(path string) string {
	last := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == '.' && i > last || c == '%' || c == '"' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Init returns what a worker that is not to run some mutants has to know of the program.
func (s *Set) Init(exclude func(m uint32) bool) wire.Init {
	s.mu.Lock()
	init := s.init
	init.Noise = s.noise
	for _, u := range s.unstable {
		if !u.Outcome {
			init.Excluded = append(init.Excluded, u.Value)
		}
	}
	s.mu.Unlock()
	for m := range s.cfg.Program.Mutants {
		if id := uint32(m + 1); exclude(id) {
			init.Dead = append(init.Dead, id)
		}
	}
	return init
}

// AddTokens adds tokens to the dictionary of the workers started from now on.
func (s *Set) AddTokens(tokens [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init.Dict = slices.Concat(s.init.Dict, tokens)
}
