package verdicts

import (
	"cmp"
	"os"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// remembered is the number of runs whose verdicts are kept when the journal is
// rewritten. What no run has needed for that long belongs to code that is gone,
// or is judged again.
const remembered = 50

// slack is how many times as long as what is worth keeping the journal may be
// before it is rewritten, and small the number of bytes that are never too many.
const (
	slack = 2
	small = 1 << 20
)

// compact rewrites the journal if most of it is not worth keeping. The caller has
// the store for itself.
func (s *Store) compact() error {
	if info, err := os.Stat(s.path()); err != nil || info.Size() <= small {
		return err
	}
	size, _, err := s.read()
	if err != nil {
		return err
	}
	var keep []line
	recent := make(map[string]bool)
	for _, run := range s.order[max(0, len(s.order)-remembered):] {
		recent[run] = true
		keep = append(keep, s.begun[run])
	}
	begun := len(keep)
	for _, l := range s.last {
		if recent[l.Run] {
			keep = append(keep, l)
		}
	}
	slices.SortFunc(keep[begun:], func(a, b line) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Mutant, b.Mutant))
	})
	text, err := encode(append([]line{{Format: format}}, keep...)...)
	if err != nil || size <= slack*len(text) {
		return err
	}
	return s.rewrite(text)
}

// repair takes damaged lines out of the journal, so that each is reported once. What the
// others say is kept. The caller has the store for itself.
func (s *Store) repair() error {
	data, err := regular.Read(s.path(), maxJournal)
	if err != nil {
		return err
	}
	lines, damaged, err := parse(data)
	if err != nil || len(damaged) == 0 {
		return err
	}
	text, err := encode(lines...)
	if err != nil {
		return err
	}
	return s.rewrite(text)
}

// rewrite puts text in place of the journal.
func (s *Store) rewrite(text []byte) error {
	tmp, err := os.CreateTemp(s.dir, journalName+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), s.path())
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
