package diff

import (
	"slices"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestBudgets(t *testing.T) {
	derived := instrument.FuzzTest{Name: "FuzzA", Target: "A"}
	program := &instrument.Program{Test: instrument.TestPackage{Fuzz: []instrument.FuzzTest{{Name: "FuzzX"}, derived, derived}}}
	for _, c := range []struct {
		name  string
		asked time.Duration // 0: nobody asked
		execs int64
		total time.Duration
		spent time.Duration
		after int
		test  instrument.FuzzTest
		want  project.FuzzTime
	}{
		{"by itself", 10 * time.Second, 0, 0, 0, 3, instrument.FuzzTest{}, project.FuzzTime{Duration: 10 * time.Second}},
		{"derived, and nobody asked", 0, 0, 0, 0, 1, derived, project.FuzzTime{Duration: 30 * time.Second}},
		{"derived", 10 * time.Second, 0, 0, 0, 1, derived, project.FuzzTime{Duration: 10 * time.Second}},
		{"its part of all", 60 * time.Second, 0, 48 * time.Second, 10 * time.Second, 3, instrument.FuzzTest{}, project.FuzzTime{Duration: 8 * time.Second}},
		{"the last", 20 * time.Second, 0, 50 * time.Second, 10 * time.Second, 0, instrument.FuzzTest{}, project.FuzzTime{Duration: 20 * time.Second}},
		{"some is left for others", 60 * time.Second, 0, 40 * time.Second, 0, 0, instrument.FuzzTest{}, project.FuzzTime{Duration: 35 * time.Second}},
		{"executions", 0, 500, 50 * time.Second, 0, 3, instrument.FuzzTest{}, project.FuzzTime{Execs: 500}},
	} {
		p := &project.Project{UntilKilled: c.asked == 0 && c.execs == 0}
		p.Options.FuzzTime = project.FuzzTime{Duration: c.asked, Execs: c.execs}
		if p.UntilKilled {
			p.Options.FuzzTime.Duration = project.DefaultFuzzTime
		}
		j := &job{project: p, spent: c.spent}
		j.opts.Total.Duration = c.total
		s := &sides{}
		s.pkgs[after] = &project.Package{Program: program}
		got := (&comparison{job: j, sides: s, test: c.test, follow: c.after}).budget()
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A function is left out since there are others, and then a fuzz test is derived for it alone.
func TestWhatIsComparedAfterAllIsNotLeftOut(t *testing.T) {
	j := &job{report: &behavior.Report{}}
	for _, what := range []string{"p.F", "p.T.F", "q.F", "p.G"} {
		j.leaveOut(what, "there are others")
	}
	j.takeBack("p", []instrument.FuzzTest{{Name: "FuzzF", Target: "F"}, {Name: "FuzzOwn"}})
	var left []string
	for _, n := range j.report.NotCompared {
		left = append(left, n.What)
	}
	if want := []string{"p.T.F", "q.F", "p.G"}; !slices.Equal(left, want) {
		t.Errorf("%q, want %q", left, want)
	}
}
