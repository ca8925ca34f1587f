package trial

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// CheckInputs says where -inputs is useless.
func CheckInputs(t *Trial) {
	switch {
	case t.hello.NoBreeder:
		t.Warn("its inputs are values but are fuzzed as bytes: the version of github.com/fuzzmut/fuzzmut in its go.mod does not match this command; " +
			"update one of them")
	case t.hello.Values == "" && t.Project.Options.Inputs != "":
		t.Warn(fmt.Sprintf("-inputs %s does not apply: its inputs are not values of a Go type; write it with fuzzmut.Fuzz", t.Project.Options.Inputs))
	}
}

// ReportVersions says which entries have bytes that say nothing about their values, as
// those have that were made for another version of the type.
func ReportVersions(t *Trial, entries []corpus.Entry, ev *evaluate.Evaluation) {
	n, first := 0, ""
	for i, e := range entries {
		if ev.Results[i].Rest > 0 {
			if n++; first == "" {
				first = e.Name
				if e.Path != "" {
					first = e.Path
				}
			}
		}
	}
	if n > 0 {
		which := ""
		if n > 1 {
			which = ", the first"
		}
		t.Warn(fmt.Sprintf("trailing bytes are ignored in %s, perhaps written for another version of %s%s: %s",
			report.Plural(n, "corpus entry"), t.hello.Values, which, first))
	}
}

// discards says how many inputs the fuzz test discarded. When it has discarded all, it
// has tested nothing.
func discards(t *Trial) report.Discards {
	found := t.Engine.Discards()
	d := report.Discards{Inputs: found.Bred, Discarded: found.Discarded(), Places: []report.Discard{}}
	for _, p := range found.Places {
		d.Places = append(d.Places, report.Discard{Place: written(t, p.Place), Inputs: p.Inputs})
	}
	if d.Discarded == 0 {
		return report.Discards{}
	}
	return d
}

// written is what discards inputs, as the user has written it: a derived fuzz test may have a function that calls a
// constructor, and nobody sees it.
func written(t *Trial, place string) string {
	for _, d := range t.Package.Loaded.Derived {
		if c := d.Wrapped[place]; c != "" && d.Name == t.Test.Name {
			return c
		}
	}
	return place
}

// WarnDiscards warns of a fuzz test that says nothing about any input.
func WarnDiscards(t *Trial) {
	if d := discards(t); d.Discarded > 0 && d.Discarded == d.Inputs {
		t.Warn(fmt.Sprintf("nothing was tested: %s. To fix this, add seeds that pass with fuzzmut.Add, or generate better inputs with fuzzmut.Generate or fuzzmut.Represent", &d))
	}
}

// OfValues says whether inputs stand for values, as far as the worker has said so by now.
func (t *Trial) OfValues() bool { return t.hello != nil && t.hello.Values != "" }

// InTurn reports whether the inputs are calls in turn, by a Machine of package fuzzmut.
func (t *Trial) InTurn() bool { return strings.HasPrefix(t.hello.Values, "Machine[") }
