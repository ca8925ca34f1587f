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
	log    io.Writer
}

func newNotices(cfg *Config) *notices {
	n := &notices{onWarning: cfg.OnWarning, log: cfg.Log, warned: make(map[string]bool)}
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

// LogDeath writes to the log why a worker ended.
func (s *Set) LogDeath(d *worker.Death) {
	who := "the original"
	if m := d.State.Mutant; m > 0 && int(m) <= len(s.cfg.Program.Mutants) {
		mut := &s.cfg.Program.Mutants[m-1]
		who = fmt.Sprintf("mutant %s (%s:%d)", mut.ID, filepath.Base(mut.File), mut.Line)
	}
	s.notices.mu.Lock()
	defer s.notices.mu.Unlock()
	fmt.Fprintf(s.notices.log, "worker of %s ended with %s: %s\n", s.cfg.Fuzz.Name, who, d.Cause)
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
