// Package study derives new fuzz inputs from what an input was compared with: where
// one operand of a comparison stands in the input, in whatever form, the other
// operand is put in its place (input-to-state correspondence: Aschermann et al.,
// REDQUEEN, NDSS 2019, §II). Operands that are computed are approached by their
// distance (distance.go).
//
// The package is pure: it runs nothing, draws no random numbers, and what it
// returns depends on its arguments alone.
package study

import (
	"slices"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// Bounds on what is kept of one execution.
const (
	maxComparisons = 4096
	maxPerSite     = 16
	maxText        = 256 // bytes of a text
)

// A Comparison is one evaluation of a comparison whose operands were recorded. Its
// texts are copies, the beginnings of those that were compared.
type Comparison struct {
	fuzzmutrt.Operands
	XLen, YLen int // of the whole texts
	Nth        int // how many of the same site came before it
}

// A Recorder keeps the comparisons of one execution: of each site the first few
// that differ from each other.
type Recorder struct {
	list   []Comparison
	bySite map[uint32][]int32 // indices into list
}

// Reset makes the recorder ready for another execution.
func (r *Recorder) Reset() {
	r.list = nil
	r.bySite = make(map[uint32][]int32)
}

// Comparisons returns what was recorded, in order.
func (r *Recorder) Comparisons() []Comparison { return r.list }

// Record keeps the operands of a comparison. It is called while the program under
// test runs, and so calls nothing that may be a part of it.
func (r *Recorder) Record(o *fuzzmutrt.Operands) {
	known := r.bySite[o.Site]
	if len(known) == maxPerSite || len(r.list) == maxComparisons {
		return
	}
	for _, i := range known {
		if r.list[i].same(o) {
			return
		}
	}
	c := Comparison{Operands: *o, XLen: len(o.XText), YLen: len(o.YText), Nth: len(known)}
	c.XText, c.YText = head(o.XText), head(o.YText)
	if o.Op == codes.HasSuffix {
		c.XText = copied(o.XText[max(0, len(o.XText)-maxText):])
	}
	r.bySite[o.Site] = append(known, int32(len(r.list)))
	r.list = append(r.list, c)
}

// Noisy lists the sites that both recorders have comparisons of, and not one in common: what
// is compared there differs from run to run, as times do. A site that goroutines reach in
// another order has some in common.
func (r *Recorder) Noisy(other *Recorder) (sites []uint32) {
	for i := range r.list {
		site := r.list[i].Site
		if r.list[i].Nth > 0 || len(other.bySite[site]) == 0 {
			continue
		}
		if !slices.ContainsFunc(r.bySite[site], func(a int32) bool {
			return slices.ContainsFunc(other.bySite[site], func(b int32) bool { return r.list[a].alike(&other.list[b]) })
		}) {
			sites = append(sites, site)
		}
	}
	return sites
}

// Forget leaves out the comparisons of a site.
func (r *Recorder) Forget(site uint32) {
	r.list = slices.DeleteFunc(r.list, func(c Comparison) bool { return c.Site == site })
	clear(r.bySite)
	for i := range r.list {
		r.bySite[r.list[i].Site] = append(r.bySite[r.list[i].Site], int32(i))
	}
}

func (c *Comparison) alike(o *Comparison) bool {
	return c.Held == o.Held && c.X == o.X && c.Y == o.Y && c.XLen == o.XLen && c.YLen == o.YLen && c.XText == o.XText && c.YText == o.YText
}

func (c *Comparison) same(o *fuzzmutrt.Operands) bool {
	return c.Held == o.Held && c.X == o.X && c.Y == o.Y && c.XLen == len(o.XText) && c.YLen == len(o.YText) &&
		(o.Op == codes.HasSuffix || c.XText == o.XText[:len(c.XText)]) && c.YText == o.YText[:len(c.YText)]
}

func head(s string) string { return copied(s[:min(len(s), maxText)]) }

// copied returns a copy of s that does not share its memory.
func copied(s string) string { return string([]byte(s)) }
