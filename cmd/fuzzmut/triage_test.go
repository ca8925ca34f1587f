package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

func TestTriageFlagsBecomeOptions(t *testing.T) {
	labels := filepath.Join(t.TempDir(), "labels.json")
	if err := os.WriteFile(labels, []byte(`{"a": "bug"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]triage.Options{
		"":                              {},
		"./a -crashers x -crashers y/z": {Options: project.Options{Packages: []string{"./a"}}, Crashers: []string{"x", "y/z"}},
		"-first in -triagetime 5s -write": {
			First: "in", Time: 5 * time.Second, Write: true,
		},
		"-tests=false -fuzz X -corpus c -tags t -operators guards": {
			Options: project.Options{Fuzz: "X", CorpusDir: "c", BuildFlags: []string{"-tags=t"}, Operators: "guards", OperatorsOnce: true}, NoTests: true,
		},
		"-oracle leak,race": {Options: project.Options{Oracles: project.Oracles{Leak: true, Race: true}}},
		"-labels " + labels: {Labels: map[string]string{"a": "bug"}},
	} {
		f := newFake(nil)
		f.jobs.triage = func(_ context.Context, got triage.Options) (*report.TriageReport, error) {
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(project.Options{}, "Events", "Log")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", line, diff)
			}
			return nil, nil
		}
		f.check(t, exit.OK, append([]string{"triage"}, strings.Fields(line)...)...)
	}
}

func TestWrongFlagsOfTriage(t *testing.T) {
	for line, want := range map[string]string{
		"triage -triagetime 5": "write 60s",
		"triage -labels none":  "no such file",
		"triage -fuzztime 5s":  "unknown flag -fuzztime",
		"triage -tests=maybe":  "invalid",
		"triage -oracle cost":  "choose of leak, overflow and race",
		"triage -oracle leaks": "no oracle \"leaks\"",
	} {
		f := newFake(nil)
		f.check(t, exit.Usage, strings.Fields(line)...)
		if got := f.errs.String(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
