package shared

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

// Binary is the name by which the directory knows the test binary; "" without one.
func (m *Member) Binary() string {
	if m == nil {
		return ""
	}
	return m.binary
}

// Cells returns a function that leaves what a part of the mutants makes of a failing input.
func (m *Member) Cells(part, parts int) func(in *corpus.Input, fuel int64, r *repair.Result) {
	return func(in *corpus.Input, fuel int64, r *repair.Result) {
		if m == nil || m.log == nil {
			return
		}
		m.notLeft(m.log.Add(share.Record{Fuzz: m.fuzz, Cells: &share.Cells{
			Input: in.Hash(), Part: part, Parts: parts, Fuel: fuel, Identity: m.rootless(r.Identity),
			Counters: r.Counters, Tried: r.Tried, Repaired: r.Repaired, Changed: r.Changed, Moved: r.Moved, Runs: r.Runs,
		}}))
	}
}

// anyRoot stands for the directory of the module in what says where something fails: it is elsewhere
// on other machines.
const anyRoot = "\x00module\x00"

// root is the directory of the module, as frames begin with it.
func (m *Member) root() string {
	return m.trial.Package.Program.Test.ModuleDir + string(filepath.Separator)
}

// rootless is a text with frames as all trees of the module have it.
func (m *Member) rootless(text string) string { return strings.ReplaceAll(text, m.root(), anyRoot) }

// Matrix reads what processes with the same test binary have found out about failing inputs with
// mutants. The function returns what all mutants make of an input, if all parts are there, and a
// run with a mutant could burn that much fuel.
func (m *Member) Matrix() func(in *corpus.Input, fuel int64) (repair.Result, bool) {
	if m == nil || m.binary == "" {
		return nil
	}
	records, err := m.dir.NewReader(m.binary, m.log).Next()
	if err != nil && !m.deaf {
		m.deaf = true
		m.trial.Warn("-share: " + first(err))
	}
	most := uint32(len(m.trial.Package.Program.Mutants))
	byInput := make(map[string][]*share.Cells)
	for i := range records {
		if c := records[i].Cells; c != nil && records[i].Fuzz == m.fuzz && !slices.ContainsFunc(slices.Concat(c.Tried, c.Repaired, c.Changed), func(id uint32) bool { return id > most }) {
			byInput[c.Input] = append(byInput[c.Input], c)
		}
	}
	return func(in *corpus.Input, fuel int64) (repair.Result, bool) {
		r, ok := join(byInput[in.Hash()], fuel)
		r.Identity = strings.ReplaceAll(r.Identity, anyRoot, m.root())
		return r, ok
	}
}

// join puts the parts of the mutants together. Processes that disagree on a part, or on the
// failure, are not believed.
func join(list []*share.Cells, fuel int64) (repair.Result, bool) {
	byParts := make(map[int]map[int]*share.Cells)
	for _, c := range list {
		if c.Fuel != fuel {
			continue
		}
		if byParts[c.Parts] == nil {
			byParts[c.Parts] = make(map[int]*share.Cells)
		}
		if have := byParts[c.Parts][c.Part]; have != nil && !same(have, c) {
			return repair.Result{}, false
		}
		byParts[c.Parts][c.Part] = c
	}
	for _, parts := range slices.Sorted(maps.Keys(byParts)) {
		if r, ok := whole(byParts[parts], parts); ok {
			return r, true
		}
	}
	return repair.Result{}, false
}

func same(a, b *share.Cells) bool {
	return a.Identity == b.Identity && slices.Equal(a.Repaired, b.Repaired) && slices.Equal(a.Changed, b.Changed)
}

// whole is the union of all parts; false: one is missing, or saw another failure.
func whole(by map[int]*share.Cells, parts int) (repair.Result, bool) {
	if len(by) != parts {
		return repair.Result{}, false
	}
	r := repair.Result{Done: true, Identity: by[1].Identity, Counters: by[1].Counters, Moved: make(map[uint32][]uint32)}
	for part := 1; part <= parts; part++ {
		c := by[part]
		if c.Identity != r.Identity {
			return repair.Result{}, false
		}
		r.Runs += c.Runs
		r.Tried = append(r.Tried, c.Tried...)
		r.Repaired = append(r.Repaired, c.Repaired...)
		r.Changed = append(r.Changed, c.Changed...)
		maps.Copy(r.Moved, c.Moved)
	}
	for _, ids := range []*[]uint32{&r.Tried, &r.Repaired, &r.Changed} {
		slices.Sort(*ids)
	}
	return r, true
}
