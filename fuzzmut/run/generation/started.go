package generation

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Started is what became of the mutants that act before the first input. Each takes a process, and there may be
// thousands: one run after the other judges some.
type Started struct {
	// Binary is a hash of the test binary: the verdicts are of no other.
	Binary string `json:"binary"`
	// Verdicts are by the names of mutants.
	Verdicts map[string]StartVerdict `json:"verdicts"`
}

// StartVerdict is the verdict of one mutant.
type StartVerdict struct {
	Kind   string `json:"kind,omitempty"` // of the kill; "": it survived
	Detail string `json:"detail,omitempty"`
	By     string `json:"by,omitempty"` // the entry that kills it; "": nothing has to be run
}

// hashBinary is a hash of a test binary; "" if it can't be read.
func hashBinary(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // it was read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Verdicts returns, by number, what is known of the mutants of a program that act before the first
// input, if the last run was one of the same test binary.
func (s *Scope) Verdicts(p *instrument.Program) map[uint32]evaluate.StartVerdict {
	last := s.Last.Started
	if s.binary == nil || last == nil || last.Binary == "" || last.Binary != s.binary() {
		return nil
	}
	known := make(map[uint32]evaluate.StartVerdict)
	for i := range p.Mutants {
		m := &p.Mutants[i]
		v, ok := last.Verdicts[m.Package+" "+m.ID]
		if !ok {
			continue
		}
		kind, killed := oracle.Parse(v.Kind)
		if killed || v.Kind == "" {
			known[uint32(m.Index)] = evaluate.StartVerdict{Killed: killed, Kill: wire.Kill{Kind: kind, Detail: v.Detail}, By: v.By}
		}
	}
	return known
}

// started is what is known after a run.
func (s *Scope) started(ms []report.Mutant) *Started {
	n := &Started{Verdicts: make(map[string]StartVerdict)}
	for i := range ms {
		m := &ms[i]
		switch judged := m.Start.Processes > 0 || m.Reused; {
		case !m.Start.Infected || !judged:
		case m.Status == report.Survived:
			n.Verdicts[mutantName(m)] = StartVerdict{}
		case m.Status == report.Killed && (m.Start.Killed > 0 || m.Reused):
			n.Verdicts[mutantName(m)] = StartVerdict{Kind: m.KillKind, Detail: m.Detail, By: m.KilledBy}
		}
	}
	if s.binary == nil || len(n.Verdicts) == 0 {
		return nil
	}
	n.Binary = s.binary()
	return n
}
