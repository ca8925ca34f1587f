package shared

import (
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

// Found notes an input that the search has found. Round leaves it in the directory: the caller
// may hold the lock of the pool.
func (m *Member) Found(in *corpus.Input) {
	if m == nil || m.log == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	name := in.Hash()
	m.inputs[name] = in
	if !m.has[name] {
		m.queue = append(m.queue, in)
	}
}

// Failed leaves a failing input.
func (m *Member) Failed(f failures.Failure) {
	if m == nil || m.log == nil || f.Input == nil {
		return
	}
	name := f.Input.Hash()
	m.mu.Lock()
	known := m.fails[name]
	m.fails[name] = true
	m.mu.Unlock()
	if known {
		return
	}
	if !m.Fails(f.Input) {
		return
	}
	m.notLeft(m.log.Add(share.Record{Fuzz: m.fuzz, Fail: &share.Fail{Input: name, Key: m.rootless(f.Key)}}))
}

// Fails leaves an input that fails, or has failed, without saying how. It reports whether there
// was room for it.
func (m *Member) Fails(in *corpus.Input) bool {
	if m == nil || m.log == nil || !m.roomFor(share.Failing) {
		return false
	}
	m.enter(in.Hash(), in)
	m.keep(share.Failing, in) //nolint:errcheck // it was said
	return true
}

// keep writes an input of a kind. The error is one that may be none later.
func (m *Member) keep(kind string, in *corpus.Input) error {
	created, err := m.dir.Keep(kind, m.pkg, m.fuzz, in)
	if errors.Is(err, share.ErrTooLarge) {
		m.refuse(tooLarge, 1)
		return nil
	}
	m.notLeft(err)
	if created {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.account.leaves(kind, in)
	}
	return err
}

// Round leaves what was found since the last call: inputs, what they show, and which mutants
// they kill.
func (m *Member) Round() {
	if m == nil || m.log == nil {
		return
	}
	m.turn.Lock()
	defer m.turn.Unlock()
	fresh := m.trial.Engine.Pool.Since(m.entries)
	dead, deaths := m.trial.Engine.Kills.Since(m.deaths)
	m.entries, m.deaths = m.entries+len(fresh), deaths
	if len(fresh)+len(dead) == 0 {
		return
	}
	kills := m.kills(dead)
	m.leaveInputs()
	records := append(m.covers(fresh), kills...)
	switch {
	case len(records) == 0:
	case m.reader.Full():
		m.refuse(logsFull, len(kills))
	default:
		m.notLeft(m.log.Add(records...))
		m.mu.Lock()
		m.account.left.Kills += len(kills)
		m.mu.Unlock()
	}
}

// kills are the records of kills that no log has. Their inputs are left as well, but for the
// seeds, which whoever has the binary has.
func (m *Member) kills(dead []uint32) (list []share.Record) {
	seeds := make(map[string]bool)
	for _, e := range m.trial.Given {
		if e.Source == corpus.Seed {
			seeds[e.Input.Hash()] = true
		}
	}
	for _, mutant := range dead {
		k, ok := m.trial.Engine.Kills.First(mutant)
		if !ok || k.Input == nil {
			continue
		}
		name := k.Input.Hash()
		if m.tells(kill{mutant, name}) {
			continue
		}
		if !seeds[name] {
			m.need(k.Input)
		}
		list = append(list, share.Record{Fuzz: m.fuzz, Kill: &share.Kill{Mutant: mutant, Input: name, Kind: k.Kind.String()}})
	}
	return list
}

// need has an input written that a record names, also if it was there: prune may have removed
// it since.
func (m *Member) need(in *corpus.Input) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.has, in.Hash())
	m.inputs[in.Hash()] = in
	m.queue = append(m.queue, in)
}

// tells reports whether a log has a kill. From now on one has.
func (m *Member) tells(k kill) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := m.told[k]
	m.told[k] = true
	return told
}

// covers are the records of what entries show that are in the directory.
func (m *Member) covers(entries []pool.Entry) (list []share.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range entries {
		name := e.Input.Hash()
		if !m.has[name] || m.shown[name] || len(e.Features) == 0 {
			continue
		}
		m.shown[name] = true
		c := &share.Cover{Input: name, Size: e.Input.Size(), Cost: e.Cost}
		for _, f := range e.Features {
			c.Features = append(c.Features, uint32(f))
		}
		list = append(list, share.Record{Fuzz: m.fuzz, Cover: c})
	}
	return list
}

// leaveInputs writes the inputs that were found. Those for which there is no room are tried
// again later.
func (m *Member) leaveInputs() {
	m.mu.Lock()
	queue := m.queue
	m.queue = nil
	m.mu.Unlock()
	for i, in := range queue {
		if m.isThere(in) || !m.roomFor(share.Entries) {
			continue
		}
		if err := m.keep(share.Entries, in); err != nil {
			m.mu.Lock()
			m.queue = append(queue[i:len(queue):len(queue)], m.queue...)
			m.mu.Unlock()
			return
		}
		m.enter(in.Hash(), in)
	}
}

func (m *Member) isThere(in *corpus.Input) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.has[in.Hash()]
}

// notLeft says, once, that what is found can't be left.
func (m *Member) notLeft(err error) {
	if err == nil {
		return
	}
	m.mu.Lock()
	said := m.silent
	m.silent = true
	m.mu.Unlock()
	if said {
		return
	}
	text := m.dir.Problem(err)
	if errors.Is(err, share.ErrFull) {
		text = fmt.Sprintf("%s: %v", m.dir.Path(), share.ErrFull)
	}
	m.trial.Warn("-share: what is found can't be left for others, and the run goes on: " + text)
}

// Close leaves what is left to be left.
func (m *Member) Close() {
	if m == nil || m.log == nil {
		return
	}
	m.Round()
	m.leaveInputs()
	m.notLeft(m.log.Close())
	m.sync(m.dir.SyncNow)
}
