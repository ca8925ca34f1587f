package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// A display shows the progress of a job: on a terminal as one line for each
// fuzz test that is rewritten in place, elsewhere as plain lines at growing
// intervals. It is also an io.Writer for whole lines that are to stand above
// the live line.
type display struct {
	out, err io.Writer // for text
	control  io.Writer // out for what is to move the terminal's cursor
	term     terminal
	colour   bool
	verbose  bool
	quiet    bool

	mu   sync.Mutex // events, log lines and interrupts come from several goroutines
	live string     // the line on the terminal that has no newline yet; "" if there is none
	next time.Duration
	last progress // the status not yet shown as a plain line
	told progress // the one shown last as a plain line, of this step
}

// progress is the status of a step.
type progress interface {
	step() string           // which step it is
	elapsed() time.Duration // since it began
	done() [2]int64         // what makes two lines worth telling apart
	line(width int, colour bool) string
}

// newDisplay returns a display that writes to out, and what is wrong to err.
func newDisplay(out, err io.Writer, term terminal, colour bool) *display {
	return &display{out: newShown(out), err: newShown(err), control: underlying(out), term: term, colour: colour && term.live}
}

// event shows ev.
func (d *display) event(ev project.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case ev.Warning != nil:
		d.clear()
		fmt.Fprintf(d.err, "fuzzmut: warning: %s\n", ev.Warning.Text)
		d.redraw()
	case d.quiet:
	case ev.Phase != nil:
		d.phase(ev.Phase)
	case ev.Status != nil:
		d.status(fuzzStatus{ev.Status})
	case ev.Tests != nil:
		d.status(testStatus{ev.Tests})
	case ev.Crash != nil:
		d.crash(ev.Crash)
	case ev.Done != nil:
		d.keepStatus()
	}
}

func (d *display) phase(p *project.Phase) {
	d.keepStatus()
	if p.Package != "" {
		fmt.Fprintf(d.out, "%s: ", p.Package)
	}
	fmt.Fprintln(d.out, p.Text)
}

func (d *display) crash(c *project.Crash) {
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

func (d *display) status(s progress) {
	if d.last != nil && d.last.step() != s.step() {
		d.keepStatus()
	}
	d.last = s
	if d.term.live {
		d.clear()
		d.live = s.line(d.term.width(), d.colour)
		d.redraw()
		return
	}
	if s.elapsed() >= max(d.next, soon) {
		fmt.Fprintln(d.out, s.line(0, false))
		d.last, d.told = nil, s
		d.next = nextLine(s.elapsed())
	}
}

// soon is the age below which a step is over before anyone wonders: its status
// is not worth a line.
const soon = 200 * time.Millisecond

// keepStatus leaves the last status of a step on a line of its own.
func (d *display) keepStatus() {
	switch {
	case d.last == nil:
	case d.last.elapsed() < soon:
		d.clear()
	case d.live != "":
		fmt.Fprintln(d.out)
	case d.told != nil && d.told.done() == d.last.done():
		// It would be the same line again.
	default:
		fmt.Fprintln(d.out, d.last.line(0, false))
	}
	d.live, d.last, d.told, d.next = "", nil, nil, 0
}

// clear takes the live line off the terminal. Those that call it redraw it.
func (d *display) clear() {
	if d.live != "" {
		fmt.Fprint(d.control, "\r\x1b[K")
	}
}

func (d *display) redraw() {
	fmt.Fprint(d.control, d.live)
}

// finish leaves the display in order. It may be used again.
func (d *display) finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keepStatus()
}

// Write shows whole lines above the live line.
func (d *display) Write(p []byte) (int, error) { return d.above(d.out, p) }

func (d *display) above(w io.Writer, p []byte) (int, error) {
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

// urgent leaves the live line as it is and prints text, if it is not "", on
// a line of its own. It returns in any case, also while another goroutine is
// stuck writing: Ctrl-C must work then, too.
func (d *display) urgent(text string) {
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
