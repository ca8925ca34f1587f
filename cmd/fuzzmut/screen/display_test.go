package screen

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// at makes the status of FuzzX after some milliseconds.
func at(ms int) project.Event {
	return project.Event{Status: &project.Status{
		Package: "example.com/x", Fuzz: "FuzzX", Elapsed: time.Duration(ms) * time.Millisecond,
		Execs: int64(ms) * 25, ExecsPerSec: 25000, Corpus: 20, Added: 7,
		Killed: 30, Reached: 45, Mutants: 60, Covered: 88, Blocks: 90,
	}}
}

func phase(text string) project.Event {
	return project.Event{Phase: &project.Phase{Package: "example.com/x", Text: text}}
}

func crashed() project.Event {
	return project.Event{Crash: &project.Crash{Fuzz: "FuzzX", Crash: report.Crash{
		Kind: "panic", Message: "boom\nmore", Frames: []string{"x.F x.go:3"},
	}}}
}

var warned = project.Event{Warning: &project.Warning{Text: "the disk is full"}}

// elsewhere is a terminal that is none.
var elsewhere = Terminal{width: func() int { return 0 }}

func columnsOf(n int) Terminal {
	return Terminal{Live: true, width: func() int { return n }}
}

func TestPlainProgress(t *testing.T) {
	var out, errs bytes.Buffer
	d := New(&out, &errs, elsewhere, true)
	d.Event(phase("loading"))
	for ms := 250; ms <= 31_000; ms += 250 {
		d.Event(at(ms))
		if ms == 3000 {
			d.Event(crashed())
			d.Event(warned)
		}
	}
	d.Event(project.Event{Done: &report.FuzzTest{}})
	d.Event(phase("done"))
	d.Finish()
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line)[:2], " "))
	}
	want := []string{
		"example.com/x: loading",
		"FuzzX 0.2s", "FuzzX 2s", "FuzzX: failing", "FuzzX 5s", "FuzzX 10s", "FuzzX 20s", "FuzzX 30s",
		"FuzzX 31s", // what was last known
		"example.com/x: done",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got, want := errs.String(), "fuzzmut: warning: the disk is full\n"; got != want {
		t.Errorf("errors: got %q, want %q", got, want)
	}
	if strings.Contains(out.String(), "\x1b") || strings.Contains(out.String(), "\r") {
		t.Error("control sequences outside a terminal")
	}
}

func TestPlainProgressOfEachFuzzTestBeginsAnew(t *testing.T) {
	var out bytes.Buffer
	d := New(&out, &out, elsewhere, true)
	for _, name := range []string{"FuzzA", "FuzzB"} {
		for ms := 250; ms <= 1000; ms += 250 {
			ev := at(ms)
			ev.Status.Fuzz = name
			d.Event(ev)
		}
	}
	d.Finish()
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line)[:2], " "))
	}
	if diff := cmp.Diff([]string{"FuzzA 0.2s", "FuzzA 1s", "FuzzB 0.2s", "FuzzB 1s"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestShortStepsLeaveNoStatus(t *testing.T) {
	for _, term := range []Terminal{elsewhere, columnsOf(200)} {
		var out bytes.Buffer
		d := New(&out, &out, term, true)
		for _, ms := range []int{0, 120, 199} {
			d.Event(at(ms))
		}
		d.Event(phase("next"))
		d.Finish()
		want := []string{"example.com/x: next", ""}
		if term.Live {
			want = want[1:] // it was short as well
		}
		if diff := cmp.Diff(want, screen(out.String())); diff != "" {
			t.Errorf("screen (-want +got):\n%s", diff)
		}
	}
}

func TestTheLastPlainLineIsNotRepeated(t *testing.T) {
	var out bytes.Buffer
	d := New(&out, &out, elsewhere, true)
	d.Event(at(5000))
	end := at(5000)
	end.Status.Elapsed += 40 * time.Millisecond
	d.Event(end)
	d.Finish()
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines: %q", n, &out)
	}
}

// screen is what a terminal shows of output without wrapped lines.
func screen(out string) []string {
	var lines []string
	for line := range strings.SplitSeq(out, "\n") {
		if i := strings.LastIndex(line, "\r\x1b[K"); i >= 0 {
			line = line[i+len("\r\x1b[K"):]
		}
		lines = append(lines, line)
	}
	return lines
}

func TestLiveLineIsRewrittenInPlace(t *testing.T) {
	var out bytes.Buffer
	d := New(&out, &out, columnsOf(200), true) // both streams end on the same terminal
	d.Event(phase("loading"))
	d.Event(at(250))
	d.Event(at(500))
	d.Event(warned)
	d.Event(at(750))
	d.Event(crashed())
	fmt.Fprintln(d, "a line of the log")
	d.Event(at(1000))
	d.Event(project.Event{Done: &report.FuzzTest{}})
	d.Event(phase("writing"))
	d.Finish()
	want := []string{
		"fuzzmut: warning: the disk is full",
		"FuzzX: failing input: panic: boom at x.F x.go:3",
		"a line of the log",
		"FuzzX 1s  25.0k execs (25.0k/s)  corpus 20 (7 new)  mutants 30 killed / 45 reached / 60  blocks 88/90  no failing inputs",
		"",
	}
	if diff := cmp.Diff(want, screen(out.String())); diff != "" {
		t.Errorf("screen (-want +got):\n%s", diff)
	}
}

// timed is a display with a clock that stands still until it is moved.
func timed(out *bytes.Buffer, term Terminal) (d *Display, pass func(time.Duration)) {
	d = New(out, out, term, false)
	now := time.Unix(0, 0)
	d.now = func() time.Time { return now }
	return d, func(t time.Duration) {
		for end := now.Add(t); now.Before(end); {
			now = now.Add(tickInterval)
			d.tick()
		}
	}
}

func TestPhasesHaveAClockOnATerminal(t *testing.T) {
	var out bytes.Buffer
	d, pass := timed(&out, columnsOf(40))
	shows := func(want string) {
		t.Helper()
		lines := screen(out.String())
		if got := lines[len(lines)-1]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	d.Event(phase("loading"))
	shows("x 0.0s  loading")
	pass(500 * time.Millisecond)
	shows("x 0.5s  loading")
	d.Event(phase("building the test binary: 4,153 mutants in 98 functions"))
	pass(12 * time.Second)
	shows("x 12s  building the test binary; slow w")
	note := phase("a note")
	note.Phase.Note = true
	d.Event(note)
	pass(time.Second)
	shows("x 13s  building the test binary; slow w")
	d.Event(at(1000))
	d.Finish()
	got := screen(out.String())
	want := []string{"example.com/x: a note", "x 13s  building the test binary; slow w", "FuzzX 1s", ""}
	for i := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func TestPhasesHaveLinesInAPipe(t *testing.T) {
	var out bytes.Buffer
	d, pass := timed(&out, elsewhere)
	d.Event(phase("loading"))
	pass(25 * time.Second)
	for range 50 {
		d.Event(phase("running 2 inputs"))
		pass(time.Second)
	}
	d.Finish()
	want := "example.com/x: loading\nx 2s  loading\nx 5s  loading\nx 10s  loading; slow with an empty Go cache, fast after that\nx 20s  loading\nexample.com/x: running 2 inputs\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of many short phases a log has the first at once, and then what is on at growing intervals.
func TestBriefPhasesShareTheLinesOfAPipe(t *testing.T) {
	var out bytes.Buffer
	d, pass := timed(&out, elsewhere)
	d.Event(phase("building"))
	pass(time.Second)
	for i := range 90 { // each is a quarter of a second long
		search := phase(fmt.Sprintf("search %d", i))
		search.Phase.Brief = true
		d.Event(search)
		pass(250 * time.Millisecond)
		d.Event(project.Event{Status: &project.Status{Package: "example.com/x", Fuzz: fmt.Sprintf("FuzzX%d", i), Elapsed: 250 * time.Millisecond}})
	}
	d.Event(phase("judging"))
	pass(time.Second)
	d.Event(phase("choosing"))
	d.Finish()
	want := "example.com/x: building\nexample.com/x: search 0\nexample.com/x: search 8\nexample.com/x: search 20\nexample.com/x: search 40\nexample.com/x: search 80\nexample.com/x: judging\nexample.com/x: choosing\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// One of the short phases may take long all the same. It then has lines as others have.
func TestABriefPhaseThatTakesLongHasLinesInAPipe(t *testing.T) {
	var out bytes.Buffer
	d, pass := timed(&out, elsewhere)
	search := phase("search")
	search.Phase.Brief = true
	d.Event(search)
	pass(7 * time.Second)
	d.Event(project.Event{Status: &project.Status{Package: "example.com/x", Fuzz: "FuzzX", Elapsed: 7 * time.Second}})
	pass(4 * time.Second)
	d.Event(project.Event{Status: &project.Status{Package: "example.com/x", Fuzz: "FuzzX", Elapsed: 11 * time.Second}})
	d.Finish()
	if got := out.String(); !strings.HasPrefix(got, "example.com/x: search\nx 2s  search\nx 5s  search\nFuzzX 11s") || strings.Count(got, "\n") != 4 {
		t.Errorf("got %q", got)
	}
}

// While one long test runs, there is nothing to show but the time.
func TestLongTestsHaveLinesInAPipe(t *testing.T) {
	var out bytes.Buffer
	d, pass := timed(&out, elsewhere)
	d.Event(project.Event{Tests: &project.TestStatus{Package: "example.com/x", Elapsed: time.Second, Progress: unittest.Progress{Phase: "confirmation"}}})
	pass(25 * time.Second)
	d.Finish()
	want := "x 1s  confirmation\nx 2s  confirmation\nx 5s  confirmation\nx 10s  confirmation\nx 20s  confirmation\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheClockEndsWithTheDisplay(t *testing.T) {
	var out bytes.Buffer
	d := New(&out, &out, elsewhere, false)
	ended := make(chan error)
	go func() { ended <- d.KeepTime() }()
	d.Finish()
	d.Finish() // once more does nothing
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// stuck is a stream that takes nothing until it is let go.
type stuck struct{ writing, release chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	s.writing <- struct{}{}
	<-s.release
	return len(p), nil
}

func TestUrgentMessagesDoNotWaitForAStuckStream(t *testing.T) {
	out := stuck{make(chan struct{}), make(chan struct{})}
	var errs bytes.Buffer
	d := New(out, &errs, elsewhere, false)
	ended := make(chan struct{})
	go func() {
		d.Event(phase("loading"))
		close(ended)
	}()
	<-out.writing
	d.Urgent("stopping")
	if got := errs.String(); got != "stopping\n" {
		t.Errorf("got %q", got)
	}
	go func() {
		for range out.writing {
		}
	}()
	close(out.release)
	<-ended
	close(out.writing)
}

func TestQuietShowsWarningsOnly(t *testing.T) {
	var out, errs bytes.Buffer
	d := New(&out, &errs, columnsOf(80), true)
	d.Quiet = true
	for _, ev := range []project.Event{phase("loading"), at(1), crashed(), warned, {Done: &report.FuzzTest{}}} {
		d.Event(ev)
	}
	d.Finish()
	if out.Len() > 0 || errs.Len() == 0 {
		t.Errorf("output %q, errors %q", &out, &errs)
	}
}

func TestStatusLineFitsTheTerminal(t *testing.T) {
	s := at(61_000).Status
	s.Buckets = 2
	for width, want := range map[int]string{
		0:   "FuzzX 1m1s  1.5M execs (25.0k/s)  corpus 20 (7 new)  mutants 30 killed / 45 reached / 60  blocks 88/90  failing inputs in 2 buckets",
		100: "FuzzX 1m1s  1.5M execs (25.0k/s)  mutants 30 killed / 45 reached / 60  failing inputs in 2 buckets",
		80:  "FuzzX 1m1s  mutants 30 killed / 45 reached / 60  failing inputs in 2 buckets",
		20:  "FuzzX 1m1s",
		5:   "Fuzz",
	} {
		got := fuzzStatus{s}.line(width, false)
		if got != want {
			t.Errorf("width %d: got %q, want %q", width, got, want)
		}
	}
	s.NoMutants = true
	for width, want := range map[int]string{
		0:  "FuzzX 1m1s  1.5M execs (25.0k/s)  corpus 20 (7 new)  blocks 88/90  failing inputs in 2 buckets",
		90: "FuzzX 1m1s  1.5M execs (25.0k/s)  corpus 20 (7 new)  failing inputs in 2 buckets",
	} {
		if got := (fuzzStatus{s}).line(width, false); got != want {
			t.Errorf("width %d, nobody asks for mutants: got %q, want %q", width, got, want)
		}
	}
	for width := 1; width < 200; width++ {
		if n := utf8.RuneCountInString((fuzzStatus{s}).line(width, false)); n >= width {
			t.Errorf("width %d: %d columns", width, n)
		}
	}
}

func TestStatusLineSaysWhatIsDone(t *testing.T) {
	s := at(12_000).Status
	s.Budget.Duration = time.Minute
	if got := (fuzzStatus{s}).line(60, false); got != "FuzzX 12s/1m0s  mutants 30 killed / 45 reached / 60" {
		t.Errorf("got %q", got)
	}
	s.Budget = project.FuzzTime{Execs: 400_000}
	if got := (fuzzStatus{s}).line(0, false); !strings.HasPrefix(got, "FuzzX 12s  300k/400k execs (25.0k/s)  corpus") {
		t.Errorf("got %q", got)
	}
	s.Budget, s.Doing, s.Evaluated, s.Evaluating = project.FuzzTime{}, "minimizing 30 new inputs", 2, 30
	for width, want := range map[int]string{
		100: "FuzzX 12s  entry 3 of 30  minimizing 30 new inputs  mutants 30 killed / 45 reached / 60",
		80:  "FuzzX 12s  entry 3 of 30  minimizing 30 new inputs",
		40:  "FuzzX 12s  entry 3 of 30  minimizing 30",
		20:  "FuzzX 12s  entry 3 ",
	} {
		if got := (fuzzStatus{s}).line(width, false); got != want {
			t.Errorf("width %d: got %q, want %q", width, got, want)
		}
	}
	// An entry may take long with all its mutants: these go on.
	s.Runs = 1234
	if got := (fuzzStatus{s}).line(120, false); got != "FuzzX 12s  entry 3 of 30  minimizing 30 new inputs  1,234 mutant runs  mutants 30 killed / 45 reached / 60" {
		t.Errorf("got %q", got)
	}
	// The first one and the last are shown while they are in progress.
	for _, done := range []int{0, 30} {
		s.Evaluated = done
		want := fmt.Sprintf("FuzzX 12s  entry %d of 30  ", max(done, 1))
		if got := (fuzzStatus{s}).line(120, false); !strings.HasPrefix(got, want) {
			t.Errorf("%d done: %q, want %q", done, got, want)
		}
	}
	s.Evaluated, s.Evaluating, s.Unit = 1233, 2000, "mutant"
	if got := (fuzzStatus{s}).line(120, false); !strings.HasPrefix(got, "FuzzX 12s  mutant 1,234 of 2,000  ") {
		t.Errorf("got %q", got)
	}
	s.Runs = 1
	if got := (fuzzStatus{s}).line(120, false); !strings.Contains(got, "  1 mutant run  ") {
		t.Errorf("got %q", got)
	}
}

func TestColourOnlyMarksFailingInputs(t *testing.T) {
	s := at(1000).Status
	if line := (fuzzStatus{s}).line(0, true); strings.Contains(line, "\x1b") {
		t.Errorf("colour without failing inputs: %q", line)
	}
	s.Buckets = 1
	if line := (fuzzStatus{s}).line(0, true); !strings.HasSuffix(line, "\x1b[31mfailing inputs in 1 bucket\x1b[0m") {
		t.Errorf("no colour: %q", line)
	}
}

// A search that reports no failing inputs does not count them either.
func TestFailingInputsThatNobodyReportsAreNotShown(t *testing.T) {
	s := at(1000).Status
	s.Buckets = -1
	if line := (fuzzStatus{s}).line(0, false); strings.Contains(line, "failing") || !strings.Contains(line, "  blocks ") {
		t.Errorf("got %q", line)
	}
}

func TestNoRateWhileNothingIsFuzzed(t *testing.T) {
	s := at(1000).Status
	s.ExecsPerSec = 0.3
	if line := (fuzzStatus{s}).line(0, false); !strings.HasPrefix(line, "FuzzX 1s  25.0k execs  corpus") {
		t.Errorf("got %q", line)
	}
}

func TestCompact(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1.0k", 12_345: "12.3k", 99_949: "99.9k", 99_950: "100k", 123_456: "123k",
		1_234_567: "1.2M", 5e9: "5.0G", 7e12: "7.0T",
	} {
		if got := compact(n); got != want {
			t.Errorf("compact(%d) = %q, want %q", n, got, want)
		}
	}
}

// A phase that compiles explains itself once it takes long, and no other does.
func TestLongBuildsAreExplained(t *testing.T) {
	for _, c := range []struct {
		text    string
		seconds int
		want    string
	}{
		{"building the test binary: 544 mutants in 29 functions", 5, "x 5s  building the test binary: 544 mutants in 29 functions"},
		{"building the test binary: 544 mutants in 29 functions", 7, "x 7s  building the test binary; slow with an empty Go cache, fast after that"},
		{"loading .", 7, "x 7s  loading .; slow with an empty Go cache, fast after that"},
		{"fuzzing for 1m0s", 7, "x 7s  fuzzing for 1m0s"},
	} {
		begin := time.Now()
		s := &phaseStatus{phase: phase(c.text).Phase, begin: begin, now: begin.Add(time.Duration(c.seconds) * time.Second)}
		if got := s.line(80, false); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTestProgress(t *testing.T) {
	now := time.Now()
	s := testStatus{&project.TestStatus{
		Package: "example.com/x/yaml", Elapsed: 2500e6,
		Progress: unittest.Progress{Phase: "mutants", Done: 30, Total: 100, Killed: 20, Survived: 10},
	}, now}
	if got, want := s.line(0, true), "yaml 2s  mutants 30 / 100  20 killed  10 survived"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Phase = "confirmation"
	if got, want := s.line(40, true), "yaml 2s  confirmation  mutants 30 / 100"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Test = "TestLong"
	if got, want := s.line(0, true), "yaml 2s  confirmation  mutants 30 / 100  20 killed  10 survived  waits for TestLong"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Phase, s.Test, s.ToSee, s.Seen = "observation", "", 10, 4
	if got, want := s.line(0, true), "yaml 2s  observation  survivors 4 / 10  mutants 30 / 100  20 killed  10 survived"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if before := s.done(); before == (testStatus{&project.TestStatus{Progress: unittest.Progress{Done: 30, Killed: 20, ToSee: 10, Seen: 5}}, now}).done() {
		t.Error("one more survivor makes no difference")
	}
	s.TestStatus = &project.TestStatus{Package: "example.com/x/v3", Progress: unittest.Progress{Phase: "baseline"}}
	if got, want := s.line(0, true), "x 0.0s  baseline"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Test, s.Ran, s.Tests = "TestStop", 11, 47
	if got, want := s.at(now.Add(3*time.Second)).line(0, true), "x 3s  baseline  test 12 / 47  TestStop"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Running, s.Most = 9*time.Second, 10*time.Minute
	if got, want := s.at(now.Add(3*time.Second)).line(0, true), "x 3s  baseline  test 12 / 47  TestStop for 12s, 10m0s at most"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Most = 10 * time.Second
	if got, want := s.at(now.Add(3*time.Second)).line(0, true), "x 3s  baseline  test 12 / 47  TestStop for 12s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Running, s.Ran, s.Tests = 900*time.Millisecond, 0, 0
	if got, want := s.line(0, true), "x 0.0s  baseline"; got != want {
		t.Errorf("a short wait: got %q, want %q", got, want)
	}
	if got, want := s.at(now.Add(time.Second)).line(0, true), "x 1s  baseline  waits for TestStop for 1s, 10s at most"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
