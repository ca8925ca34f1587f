package text

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// triedOn is how far mutants were tried on the inputs of a bucket.
type triedOn struct {
	whole  bool   // all of them, on some input
	runs   int64  // of mutants
	reason string // why not all of them were, on the first input; "": they were, or time was short
}

func triedIn(f *report.Triage, b *report.Bucket) (tried triedOn) {
	for i := range f.Inputs {
		in := &f.Inputs[i]
		if in.Bucket != b.Number {
			continue
		}
		tried.whole = tried.whole || in.Status == report.Unrepaired
		tried.runs += in.Runs
		if tried.reason == "" && in.Status == report.Unfinished && !strings.Contains(in.Reason, "out of time") {
			tried.reason = in.Reason
		}
	}
	return tried
}

// howTried says of a bucket without a repair how far mutants were tried on its inputs.
func howTried(f *report.Triage, b *report.Bucket) string {
	if !b.ByStack {
		return ""
	}
	switch tried := triedIn(f, b); {
	case tried.whole:
		return "; no repair found that breaks nothing else"
	case tried.runs > 0:
		return "; no repair found so far, and not all mutants tried"
	}
	return "; not tried with mutants"
}

// byOracle reports whether failures of a kind are those of an oracle that is asked for. Go test
// passes with such inputs.
func byOracle(kind string) bool { return kind == "leak" || kind == "overflow" || kind == "race" }

// wayOut says of a bucket without a repair what to do: what the program could not find out, and
// where to look instead. What an oracle has found that was asked for has its places, and no
// mutants are tried on it.
func (t *text) wayOut(f *report.Triage, b *report.Bucket) {
	if !b.ByStack || b.Cost != nil || byOracle(b.Kind) {
		return
	}
	tried, noisy := triedIn(f, b), b.Near()
	switch {
	case !tried.whole && tried.reason == "":
		t.linef("      next: raise -triagetime: there was no time for all mutants")
		return
	case tried.runs > 0 && !tried.whole:
		t.linef("      mutants were not tried to the end: %s", tried.reason)
	case !tried.whole:
		t.linef("      no mutant was tried: %s", tried.reason)
	case len(noisy) > 0:
		if test := f.Repairs[noisy[0].Repair].Test; test != "" {
			t.linef("      next: read %s; if it wants what is wrong, -tests=false leaves the tests out", test)
			return
		}
		if place := failsAt(b); place != "" {
			t.linef("      next: read %s, where it fails: %s", place, noFix(len(t.changes(b))))
			return
		}
	}
	t.linef("      next: %s", t.lookAt(b))
}

// failsAt is the place of a failure; "": it is not known.
func failsAt(b *report.Bucket) string {
	if len(b.Frames) == 0 {
		return ""
	}
	_, place, _ := strings.Cut(b.Frames[0], " ")
	return place
}

// noFix says what is known of n changes that break something: an input that is turned away, or leaves early, does not
// fail either.
func noFix(n int) string {
	if n == 1 {
		return "this change avoids the failure and breaks what passes, so it is no fix"
	}
	return "these changes avoid the failure and break what passes, so none is a fix"
}

// lookAt says where to look for a bug that no mutant tells anything of.
func (t *text) lookAt(b *report.Bucket) string {
	const since = "-since REVISION finds the commit with which it began"
	for _, p := range b.Places {
		if p.Localiser == "ochiai" {
			return fmt.Sprintf("read %s:%s, where inputs that fail go more than others; -v lists more, and %s", t.file(p.File), lineRange(p.Line, p.EndLine), since)
		}
	}
	return since
}
