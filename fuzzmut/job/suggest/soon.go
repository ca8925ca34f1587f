package suggest

import (
	"context"
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
)

// concludeSoon is conclude after an interrupt. The cases are those that the searches have confirmed. First
// plain go test has to pass their tests, and then these run with the mutants for what is left of the time.
func (s *session) concludeSoon(ctx context.Context) error {
	list, written, err := s.believed()
	if err != nil || len(list) == 0 {
		return err
	}
	cases := len(list)
	list, written, err = s.pass(ctx, list, written)
	if ctx.Err() != nil && err != nil {
		s.warn(fmt.Sprintf("%s: the time after the interrupt was over before go test had run %s for %s: nothing is written",
			s.pkg, report.Plural(cases, "case"), report.Plural(len(s.wanted(written)), "survivor")))
		return nil
	}
	if err != nil || len(list) == 0 {
		return err
	}
	wanted := s.closesOf(list)
	killed, _, err := s.try(ctx, written, wanted)
	if err != nil && ctx.Err() == nil {
		return err
	}
	for k := range wanted {
		s.settle(k, killed[k], ctx.Err() != nil)
	}
	if ctx.Err() == nil {
		list = kills(list, killed)
		if written, err = s.join(list); err != nil || len(list) == 0 {
			return err
		}
	}
	s.tellUndone(wanted)
	return s.keep(list, written, nil) // no table is extended: that takes more runs of go test
}

// believed are all cases, with what the searches have seen them kill, and their tests.
func (s *session) believed() ([]kept, *goldentest.PlainTests, error) {
	written, err := plain.Write(s.searched.Loaded, s.tests)
	if err != nil {
		return nil, nil, exit.Errorf(exit.Internal, "%w", err)
	}
	s.leaveUnwritten(written)
	var list []kept
	for _, t := range written.Tests {
		for i, at := range t.Cases {
			k := kept{test: t.Fuzz, place: at, call: t.Calls[i], result: t.Results[i], err: t.Errors[i], beside: true}
			for _, c := range s.claimed(t.Fuzz, at) {
				k.closes = append(k.closes, closed{c, s.mutant(s.survivors[c], "")})
			}
			if len(k.closes) > 0 {
				list = append(list, k)
			}
		}
	}
	order(list)
	written, err = s.join(list)
	return list, written, err
}

// closesOf are the mutants that cases close.
func (s *session) closesOf(list []kept) map[key]bool {
	wanted := make(map[key]bool)
	for _, k := range list {
		for _, c := range k.closes {
			wanted[c.key] = true
		}
	}
	return wanted
}

// settle notes what became of a survivor with which the written tests were to run; cut: not with all of them.
func (s *session) settle(k key, killed *unittest.Verdict, cut bool) {
	v := s.survivors[k]
	switch {
	case killed != nil:
		v.closed = true
		s.report.Closed++
	case cut:
		v.why = suggestion.NotRun
	}
}

// tellUndone says what an interrupt has left undone.
func (s *session) tellUndone(wanted map[key]bool) {
	open := 0
	for k := range wanted {
		if s.survivors[k].why == suggestion.NotRun {
			open++
		}
	}
	var parts []string
	if s.hasty > 0 {
		parts = append(parts, fmt.Sprintf("the inputs of %s are not minimized", report.Plural(s.hasty, "case")))
	}
	if open > 0 {
		parts = append(parts, fmt.Sprintf("the written tests were not run with %s that they kill as the searches saw it", report.Plural(open, "survivor")))
	}
	if len(parts) > 0 {
		s.warn(s.pkg + ": interrupted: " + strings.Join(parts, "; "))
	}
}
