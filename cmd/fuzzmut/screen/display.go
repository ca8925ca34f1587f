// Package screen is what the command shows on a terminal, or in its place: progress, text
// with what could harm a terminal escaped, colors, and what happens when nobody reads on.
package screen

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// A Display shows the progress of a job: on a terminal as one line that is rewritten in
// place, elsewhere as plain lines at growing intervals. It is also an io.Writer for whole
// lines that are to stand above the live line.
type Display struct {
	out, err io.Writer // for text
	control  io.Writer // out for what is to move the terminal's cursor
	term     Terminal
	colour   bool
	Quiet    bool
	now      func() time.Time
	ended    chan struct{} // closed by Finish

	mu   sync.Mutex // events, log lines and interrupts come from several goroutines
	live string     // the line on the terminal that has no newline yet; "" if there is none
	next time.Duration
	last progress        // the status not yet shown as a plain line
	told progress        // the one shown last as a plain line, of this step
	said map[string]bool // lines about phases, outside a terminal: none is printed twice
	few  *pace           // while many short phases follow each other; else nil
}

// A pace is that of lines outside a terminal that many short phases share.
type pace struct {
	began time.Time
	next  time.Duration // when the next one is due
}

// due says whether there is a line at a time, and if so puts the next one off.
func (p *pace) due(now time.Time) bool {
	elapsed := now.Sub(p.began)
	if elapsed < p.next {
		return false
	}
	p.next = nextLine(elapsed)
	return true
}

// progress is the status of a step.
type progress interface {
	step() string           // which step it is
	elapsed() time.Duration // since it began
	done() [2]int64         // what makes two lines worth telling apart
	line(width int, colour bool) string
}

// New returns a display that writes to out, and what is wrong to err.
func New(out, err io.Writer, term Terminal, colour bool) *Display {
	return &Display{
		out: NewText(out), err: NewText(err), control: Underlying(out), term: term, colour: colour && term.Live,
		now: time.Now, ended: make(chan struct{}), said: make(map[string]bool),
	}
}

// Event shows ev.
func (d *Display) Event(ev project.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case ev.Warning != nil:
		d.clear()
		fmt.Fprintf(d.err, "fuzzmut: warning: %s\n", ev.Warning.Text)
		d.redraw()
	case d.Quiet:
	case ev.Phase != nil:
		d.phase(ev.Phase)
	case ev.Status != nil:
		d.status(fuzzStatus{ev.Status})
	case ev.Tests != nil:
		d.status(testStatus{ev.Tests, d.now()})
	case ev.Crash != nil:
		d.crash(ev.Crash)
	case ev.Done != nil:
		d.keepStatus()
	}
}

// phase shows what begins, or a note. On a terminal what begins is the live line.
func (d *Display) phase(p *project.Phase) {
	line := p.Text
	if p.Package != "" {
		line = p.Package + ": " + line
	}
	if p.Note {
		d.clear()
		fmt.Fprintln(d.out, line)
		d.redraw()
		return
	}
	d.keepStatus()
	if !p.Brief {
		d.few = nil
	} else if d.few == nil {
		d.few = &pace{began: d.now()}
	}
	if !d.term.Live && !d.said[line] && (d.few == nil || d.few.due(d.now())) {
		d.said[line] = true
		fmt.Fprintln(d.out, line)
	}
	d.status(&phaseStatus{phase: p, whole: line, begin: d.now(), now: d.now()})
}

// tickInterval is the time after which a phase shows that it goes on.
const tickInterval = 250 * time.Millisecond

// KeepTime shows how long phases take until the display is finished.
func (d *Display) KeepTime() error {
	tick := time.NewTicker(tickInterval)
	defer tick.Stop()
	for {
		select {
		case <-d.ended:
			return nil
		case <-tick.C:
			d.tick()
		}
	}
}

// tick brings the time of the phase, or of the tests, up to date.
func (d *Display) tick() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Quiet {
		return
	}
	last := d.last
	if last == nil {
		last = d.told // and nothing has come since: one test may take long
	}
	switch s := last.(type) {
	case *phaseStatus:
		s.now = d.now()
		d.status(s)
	case testStatus:
		d.status(s.at(d.now()))
	}
}

func (d *Display) crash(c *project.Crash) {
	message, _, _ := strings.Cut(c.Crash.Message, "\n")
	where := ""
	if len(c.Crash.Frames) > 0 {
		where = " at " + c.Crash.Frames[0]
	}
	known := ""
	if c.Crash.Known {
		known = "known "
	}
	d.clear()
	fmt.Fprintf(d.out, "%s: %sfailing input: %s: %s%s\n", c.Fuzz, known, c.Crash.Kind, message, where)
	d.redraw()
}

func (d *Display) status(s progress) {
	if d.last != nil && d.last.step() != s.step() {
		d.keepStatus()
	}
	d.last = s
	if d.term.Live {
		d.clear()
		d.live = s.line(d.term.width(), d.colour)
		d.redraw()
		return
	}
	if d.few != nil {
		if s.elapsed() >= steps[0] && d.few.due(d.now()) {
			fmt.Fprintln(d.out, s.line(0, false))
		}
		return
	}
	if s.elapsed() >= max(d.next, soon) {
		if phase, ok := s.(*phaseStatus); ok {
			d.plainPhase(phase)
			return
		}
		fmt.Fprintln(d.out, s.line(0, false))
		d.last, d.told = nil, s
		d.next = nextLine(s.elapsed())
	}
}

// soon is the age below which a step is over before anyone wonders: its status
// is not worth a line.
const soon = 200 * time.Millisecond

// keepStatus leaves the last status of a step on its own line.
func (d *Display) keepStatus() {
	switch {
	case d.last == nil:
	case isShort(d.last):
		d.clear()
	case d.live != "":
		fmt.Fprintln(d.out)
	case isPhase(d.last), d.few != nil:
		// It had its lines, if any.
	case d.told != nil && d.told.done() == d.last.done():
		// It would be the same line again.
	default:
		fmt.Fprintln(d.out, d.last.line(0, false))
	}
	d.live, d.last, d.told, d.next = "", nil, nil, 0
}

// plainPhase says that a phase goes on, whose own line has been printed.
func (d *Display) plainPhase(s *phaseStatus) {
	if s.elapsed() >= steps[0] {
		fmt.Fprintln(d.out, s.line(0, false))
		s.explained = s.explained || s.note() != ""
	}
	d.next = nextLine(s.elapsed())
}

func isPhase(s progress) bool {
	_, ok := s.(*phaseStatus)
	return ok
}

// isShort reports whether a step is over before it is worth a line on a terminal. Elsewhere
// a phase had its line when it began.
func isShort(s progress) bool {
	if isPhase(s) {
		return s.elapsed() < time.Second
	}
	return s.elapsed() < soon
}

// clear takes the live line off the terminal. Those that call it redraw it.
func (d *Display) clear() {
	if d.live != "" {
		fmt.Fprint(d.control, "\r\x1b[K")
	}
}

func (d *Display) redraw() {
	fmt.Fprint(d.control, d.live)
}

// Finish leaves the display in order. It may be used again, but no time is kept.
func (d *Display) Finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keepStatus()
	select {
	case <-d.ended:
	default:
		close(d.ended)
	}
}

// Write shows whole lines above the live line.
func (d *Display) Write(p []byte) (int, error) { return d.above(d.out, p) }

func (d *Display) above(w io.Writer, p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	n, err := w.Write(p)
	d.redraw()
	return n, err
}

// patience is how long an urgent message waits for a stream that takes nothing:
// a terminal that was stopped, a pager that was not read on.
const patience = 100 * time.Millisecond

// Urgent leaves the live line as it is and prints text, if it is not "", on
// its own line. It returns in any case, also while another goroutine is
// stuck writing: Ctrl-C must work then, too.
func (d *Display) Urgent(text string) {
	said := make(chan error, 1)
	go func() {
		said <- panics.Do(func() error {
			if d.mu.TryLock() {
				defer d.mu.Unlock()
				d.keepStatus()
			}
			if text != "" {
				fmt.Fprintln(d.err, text)
			}
			return nil
		})
	}()
	select {
	case err := <-said:
		if err != nil {
			panic(err)
		}
	case <-time.After(patience):
	}
}

// steps are the times of the first plain lines; later ones come every ten
// seconds. A user who waits wants to know soon, a log that is kept should
// stay short.
var steps = []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second}

// nextLine returns when, after one at elapsed, the next plain line is due.
func nextLine(elapsed time.Duration) time.Duration {
	for _, s := range steps {
		if elapsed < s {
			return s
		}
	}
	const every = 10 * time.Second
	return elapsed.Truncate(every) + every
}
