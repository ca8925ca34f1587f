//go:build unix

package processes_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func newProcesses() *processes.Set {
	return processes.New(processes.Config{Program: fake.Program(), Worker: fake.Binary()})
}

func TestHelloIsRemembered(t *testing.T) {
	s := newProcesses()
	if s.Greeting() != nil {
		t.Error("a greeting before the first process")
	}
	hello, err := s.Hello(t.Context())
	if err != nil || len(hello.Types) != 1 || s.Greeting() != hello {
		t.Errorf("%+v (%v), remembered %+v", hello, err, s.Greeting())
	}
}

// The counts of a process stay when it has ended.
func TestCountsOutliveProcesses(t *testing.T) {
	s := newProcesses()
	run := func() *worker.Process {
		p, err := s.Start(t.Context(), false, processes.Nothing)
		if err != nil {
			t.Fatal(err)
		}
		req := &wire.Run{Items: []wire.Item{{Input: fake.Input("i1 i2").Wire(), Select: wire.SelectAlive}}}
		if _, err := p.Run(t.Context(), req, worker.RunEvents{}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, p := range []*worker.Process{run(), run()} {
		s.Retire(p)
		s.Retire(p) // again is no harm
		if c := s.Counts(); c.Execs != 2 || c.MutantExecs != 4 {
			t.Errorf("%d executions, %d with mutants", c.Execs, c.MutantExecs)
		}
	}
	if s.CPU() <= 0 {
		t.Error("no processor time")
	}
}

func TestAProcessRunsNoExcludedMutant(t *testing.T) {
	s := newProcesses()
	p, err := s.Start(t.Context(), false, func(m uint32) bool { return m == 1 })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Retire(p)
	var kills []uint32
	req := &wire.Run{Items: []wire.Item{{Input: fake.Input("k1 k2").Wire(), Select: wire.SelectAlive}}}
	if _, err := p.Run(t.Context(), req, worker.RunEvents{Kill: func(k *wire.Kill) { kills = append(kills, k.Mutant) }}); err != nil {
		t.Fatal(err)
	}
	if len(kills) != 1 || kills[0] != 2 {
		t.Errorf("kills %v", kills)
	}
}

func TestAnotherConfigurationIsForOneProcess(t *testing.T) {
	s := newProcesses()
	cfg := s.Worker()
	cfg.Binary, cfg.StartTimeout = "/nowhere/at/all", time.Second
	if _, _, err := s.Launch(t.Context(), cfg, processes.Everything, nil); err == nil {
		t.Error("a process of a binary that is not there")
	}
	if _, err := s.Hello(t.Context()); err != nil {
		t.Error(err)
	}
	var d *worker.Death
	p, err := s.Start(t.Context(), false, processes.Everything)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Retire(p)
	if _, err := p.Run(t.Context(), &wire.Run{Items: []wire.Item{{Input: fake.Input("end").Wire()}}}, worker.RunEvents{}); !errors.As(err, &d) || s.Outcome(d).Kind != wire.Death {
		t.Errorf("the process ends with %v", err)
	}
}

// A worker that is killed from outside while it starts is started again, a few times. One
// that ends by itself is not.
func TestWorkersThatAreKilledWhileTheyStart(t *testing.T) {
	for _, c := range []struct {
		shots int
		how   string // the command of the shell that ends the process
		tries int    // that are logged
		lives bool
	}{
		{0, "kill -9 $$", 0, true},
		{1, "kill -9 $$", 1, true},
		{processes.LaunchTries - 1, "kill -9 $$", processes.LaunchTries - 1, true},
		{processes.LaunchTries, "kill -9 $$", processes.LaunchTries - 1, false},
		{1, "exit 3", 0, false},
	} {
		dir := t.TempDir()
		for i := range c.shots {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("shot", i)), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cfg := fake.Binary()
		script := fmt.Sprintf("#!/bin/sh\nfor shot in '%s'/shot*; do\n\tif [ -f \"$shot\" ]; then\n\t\trm \"$shot\"\n\t\t%s\n\tfi\ndone\nexec '%s' \"$@\"\n", dir, c.how, cfg.Binary)
		cfg.Binary = filepath.Join(dir, "binary")
		if err := os.WriteFile(cfg.Binary, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		s := processes.New(processes.Config{Program: fake.Program(), Fuzz: instrument.FuzzTest{Name: "FuzzFake"}, Worker: cfg, Log: &log})
		p, err := s.Start(t.Context(), false, processes.Nothing)
		if (err == nil) != c.lives {
			t.Errorf("%d times %s: %v", c.shots, c.how, err)
		}
		if err == nil {
			s.Retire(p)
		}
		var d *worker.Death
		if !c.lives && (!errors.As(err, &d) || d.Killed != (c.how != "exit 3")) {
			t.Errorf("%d times %s: %+v", c.shots, c.how, d)
		}
		if n := strings.Count(log.String(), "worker of FuzzFake ended with the original: "); n != min(c.tries, 1) {
			t.Errorf("%d times %s: the log is %q", c.shots, c.how, log.String())
		}
		used := c.tries
		if !c.lives {
			used++
		}
		if left, err := filepath.Glob(filepath.Join(dir, "shot*")); err != nil || len(left) != c.shots-used {
			t.Errorf("%d times %s: %d are left", c.shots, c.how, len(left))
		}
	}
}
