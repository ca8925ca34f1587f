package processes

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
)

// notices passes on what is said about processes.
type notices struct {
	onWarning func(text string)

	mu     sync.Mutex // guards what follows
	warned map[string]bool
	deaths map[string]int // by what is written of them
	log    io.Writer
}

func newNotices(cfg *Config) *notices {
	n := &notices{onWarning: cfg.OnWarning, log: cfg.Log, warned: make(map[string]bool), deaths: make(map[string]int)}
	if n.onWarning == nil {
		n.onWarning = func(string) {}
	}
	if n.log == nil {
		n.log = io.Discard
	}
	return n
}

// Warn tells the user something, once.
func (s *Set) Warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	n := s.notices
	n.mu.Lock()
	seen := n.warned[text]
	n.warned[text] = true
	n.mu.Unlock()
	if !seen {
		n.onWarning(text)
	}
}

// LogDeath writes to the log why a worker ended: once, and again when it was ten times as often.
func (s *Set) LogDeath(d *worker.Death) { s.LogDeathOf(d, d.State.Mutant) }

// LogDeathOf is LogDeath where a mutant was active from the start: the worker does not know of it.
func (s *Set) LogDeathOf(d *worker.Death, mutant uint32) {
	who := "the original"
	if mutant > 0 && int(mutant) <= len(s.cfg.Program.Mutants) {
		mut := &s.cfg.Program.Mutants[mutant-1]
		who = fmt.Sprintf("mutant %s (%s:%d)", mut.ID, filepath.Base(mut.File), mut.Line)
	}
	text := fmt.Sprintf("worker of %s ended with %s: %s", s.cfg.Fuzz.Name, who, d.Cause)
	n := s.notices
	n.mu.Lock()
	defer n.mu.Unlock()
	n.deaths[text]++
	switch times := n.deaths[text]; times {
	case 1:
		fmt.Fprintln(n.log, text)
	case 10, 100, 1000, 10_000:
		fmt.Fprintf(n.log, "%s (%d times)\n", text, times)
	}
}

// Describe prints an input for a message, shortened.
func Describe(input *corpus.Input) string {
	const most = 120
	var parts []string
	for _, v := range input.Values() {
		s := fmt.Sprintf("%#v", v)
		if b, ok := v.([]byte); ok {
			s = fmt.Sprintf("[]byte(%q)", b)
		}
		if len(s) > most {
			s = strings.ToValidUTF8(s[:most], "") + "…" // of a letter that is cut, nothing stays
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
