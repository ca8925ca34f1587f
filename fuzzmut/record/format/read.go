package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// ReadTests reads what JSON writes. The error says what is wrong, in which line as
// far as that can be told, and what to do: a result that was cut or changed is refused
// whole, since its score would be that of something else.
func ReadTests(data []byte) (*report.TestReport, error) {
	var out report.TestReport
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	err := in.Decode(&out)
	notText := err != nil && out.Version == 0 && out.Packages == nil
	switch {
	case notText:
		return nil, fmt.Errorf("not a result of fuzzmut test: line %d: %w", errorLine(data, err), err)
	case out.Packages == nil || out.Mutants == nil:
		return nil, errors.New("not a result of fuzzmut test: no packages or no mutants")
	case out.Version != report.FormatVersion:
		return nil, fmt.Errorf("the result is of version %d, and this fuzzmut reads version %d", out.Version, report.FormatVersion)
	case err != nil:
		return nil, fmt.Errorf("not a result of fuzzmut test: line %d: %w", errorLine(data, err), err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, fmt.Errorf("line %d: data after the result: write one result to each file", lineAt(data, in.InputOffset()))
	}
	return &out, check(&out, data)
}

// errorLine is the line of what could not be decoded.
func errorLine(data []byte, err error) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return lineAt(data, syntax.Offset)
	case errors.As(err, &kind):
		return lineAt(data, kind.Offset)
	}
	if _, name, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return lineAt(data, int64(max(0, bytes.Index(data, []byte(name)))))
	}
	return lineAt(data, int64(len(data))) // the text ends too soon
}

// lineAt is the number of the line in which an offset lies.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}

// check makes sure that a result that was read is one that could have been written.
func check(r *report.TestReport, data []byte) error {
	if err := report.CheckShards(r.Shard); err != nil {
		return err
	}
	for i := range r.Mutants {
		if what := unknown(&r.Mutants[i]); what != "" {
			return fmt.Errorf("line %d: mutant %q has the %s: the file was changed, or a newer fuzzmut wrote it; run the tests again",
				lineAt(data, offsetOfMutant(data, i)), r.Mutants[i].ID, what)
		}
	}
	for i := range r.Packages {
		if negative(&r.Packages[i]) {
			return fmt.Errorf("package %s has a negative count or time: the file was changed; run its tests again", r.Packages[i].Package)
		}
	}
	score := r.Score
	if score.KillKinds == nil {
		score.KillKinds = map[string]int{}
	}
	if !reflect.DeepEqual(report.Summarise(r.Mutants), score) {
		return errors.New("the score does not match the mutants: the file was truncated or changed, or another version of fuzzmut wrote it; run the tests again")
	}
	return nil
}

// unknown says what a mutant has that no run gives, "" if nothing.
func unknown(m *report.Mutant) string {
	_, isKind := oracle.Parse(m.KillKind)
	switch {
	case !report.IsStatus(m.Status):
		return fmt.Sprintf("unknown status %q", m.Status)
	case m.Status == report.Killed && !isKind:
		return fmt.Sprintf("unknown kind of kill %q", m.KillKind)
	case m.Line < 0 || m.Column < 0 || m.Reached < 0 || m.Infected < 0 || m.Executed < 0 || m.Start.Processes < 0 || m.Start.Killed < 0:
		return "negative line, column or count"
	}
	return ""
}

// negative reports whether something was counted or measured that is below 0.
func negative(t *report.TestRun) bool {
	for i := range t.Tests {
		if t.Tests[i].Kills < 0 || t.Tests[i].Left < 0 || t.Tests[i].Seconds < 0 {
			return true
		}
	}
	for _, a := range t.SetAside {
		if a.Passed < 0 || a.Failed < 0 {
			return true
		}
	}
	return min(t.Executions, t.MutantRuns) < 0 || min(t.Processes, t.Judged, t.Reused, t.Resumed, t.NotRunAgain, t.LongTestsLeftOut, t.Unobserved) < 0 ||
		min(t.BuildSeconds, t.WallSeconds, t.CPUSeconds) < 0
}

// offsetOfMutant finds the mutant of that index in a result that was read: its status
// if it has one.
func offsetOfMutant(data []byte, index int) int64 {
	in := json.NewDecoder(bytes.NewReader(data))
	in.Token() // of the object
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return 0
		}
		var skipped json.RawMessage
		if name != "mutants" {
			if in.Decode(&skipped) != nil {
				return 0
			}
			continue
		}
		in.Token() // of the list
		for range index + 1 {
			if in.Decode(&skipped) != nil {
				return 0
			}
		}
		at := in.InputOffset() - int64(len(skipped))
		return at + int64(max(0, bytes.Index(skipped, []byte(`"status"`))))
	}
	return 0
}
