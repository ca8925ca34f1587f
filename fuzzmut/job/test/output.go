package test

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// outputs are what the lanes show, in their order: what one shows is held back until all
// before it are done.
type outputs struct {
	mu   sync.Mutex
	list []*output // that are not done, or come after one that is not
}

// add adds the output of the next lane.
func (q *outputs) add(p *project.Project) *output {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := &output{project: p, first: len(q.list) == 0}
	q.list = append(q.list, o)
	return o
}

// done ends an output, and shows what has been held back by it.
func (q *outputs) done(o *output) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o.ended = true
	for len(q.list) > 0 && q.list[0].ended {
		if q.list = q.list[1:]; len(q.list) > 0 {
			q.list[0].release()
		}
	}
}

// output is what one lane shows. It is an io.Writer for the log.
type output struct {
	project *project.Project
	ended   bool // guarded by the lock of outputs

	mu    sync.Mutex
	first bool // all lanes before are done
	held  []func(p *project.Project)
}

// do shows something, now or later.
func (o *output) do(show func(p *project.Project)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first {
		show(o.project)
		return
	}
	o.held = append(o.held, show)
}

// release shows what was held back. From now on nothing is.
func (o *output) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, show := range o.held {
		show(o.project)
	}
	o.first, o.held = true, nil
}

func (o *output) phase(pkg, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	o.do(func(p *project.Project) { p.Phase(pkg, "%s", text) })
}

func (o *output) note(pkg, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	o.do(func(p *project.Project) { p.Note(pkg, "%s", text) })
}

func (o *output) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	o.do(func(p *project.Project) { p.Warn("%s", text) })
}

// status shows how far the tests have come, unless other lanes are before.
func (o *output) status(s *project.TestStatus) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first {
		o.project.Emit(project.Event{Tests: s})
	}
}

// Write writes to the log, if there is one. What is held back is written when its writer has
// gone on, so it can't hear of an error.
func (o *output) Write(text []byte) (int, error) {
	if o.project.Options.Log == nil {
		return len(text), nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first {
		return o.project.Options.Log.Write(text)
	}
	text = bytes.Clone(text)
	o.held = append(o.held, func(p *project.Project) { _, _ = p.Options.Log.Write(text) })
	return len(text), nil
}

var _ io.Writer = (*output)(nil)
