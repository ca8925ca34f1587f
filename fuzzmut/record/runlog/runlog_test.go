package runlog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	want := []Series{
		{
			Run:    Run{Log: Version, Package: "p", Fuzz: "FuzzA", Filter: "split", Seed: 1<<63 - 1, FuzzTime: "20000x", Parallel: 1, Mutants: 3, Blocks: 4},
			Points: []Point{{Covered: 1}, {Seconds: 1.5, Executions: 2, MutantExecutions: 3, Covered: 4, Killed: 5, Corpus: 6, Buckets: 7}},
		},
		{Run: Run{Log: Version, Package: "p", Fuzz: "FuzzNone"}},
		{Run: Run{Log: Version, Package: "p", Fuzz: "FuzzB"}, Points: []Point{{Killed: 9}}},
	}
	var lines lineWriter
	w := NewWriter(&lines)
	for _, s := range want {
		if err := w.Begin(s.Run); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Points {
			if err := w.Add(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, l := range lines {
		if strings.Count(l, "\n") != 1 || !strings.HasSuffix(l, "\n") {
			t.Errorf("written at once: %q", l)
		}
	}
	got, err := Read([]byte(strings.Join(lines, "")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// lineWriter keeps what is written, call by call.
type lineWriter []string

func (l *lineWriter) Write(p []byte) (int, error) {
	*l = append(*l, string(bytes.Clone(p)))
	return len(p), nil
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "the log is empty",
		"\n\n":                               "the log is empty",
		`{"log":1,"fuzz":"FuzzA"}`:           "the log is empty",
		`{"log":2}`:                          "line 1: the log is of version 2, and this fuzzmut reads version 1",
		`{"seconds":1}`:                      "line 1: not a log of fuzzmut: it does not begin with a run",
		"ok  \texample.com/p":                "line 1: not a log of fuzzmut",
		`{"version":1,"tests":[]}`:           "line 1: not a log of fuzzmut",
		"{\"log\":1}\n{\"seconds\":1}\n{\"s": "line 3: not a log of fuzzmut",
		"{\"log\":1}\n{\"covered\":9223372036854775807}": "line 2: a count of 9223372036854775807 is not possible",
		"{\"log\":1}\n{\"seconds\":1e308}":               "line 2: 1e+308 seconds is not possible",
		"{\"log\":1}\n{\"seconds\":-1}":                  "line 2: -1 seconds is not possible",
		"{\"log\":1,\"blocks\":-1}":                      "line 1: a count of -1 is not possible",
		"{\"log\":1,\"covered\":1}":                      "line 1: a run and a point in one line",
		"{\"log\":1}\n{\"fuzz\":\"FuzzA\"}":              "line 2: a run without a version",
		"{\"log\":1}\n{\"seconds\":1} {}":                "line 2: not a log of fuzzmut: data after",
		"{\"log\":1}\n{\"secunds\":1}":                   "line 2: not a log of fuzzmut",
		"{\"log\":1}\n[]":                                "line 2: not a log of fuzzmut",
	} {
		_, err := Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// FuzzRead checks that what is read can be written and read again.
func FuzzRead(f *testing.F) {
	var log bytes.Buffer
	w := NewWriter(&log)
	w.Begin(Run{Package: "example.com/p", Fuzz: "FuzzA", Filter: "adaptive", Seed: 1, FuzzTime: "20s", Parallel: 2, Mutants: 9, Blocks: 10})
	w.Add(Point{Seconds: 0.25, Executions: 100, MutantExecutions: 5, Covered: 3, Killed: 2, Corpus: 4, Buckets: 1})
	f.Add(log.Bytes())
	f.Add([]byte("{\"log\":1}\r\n\r\n{\"seconds\":1e9}\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Read(data)
		if err != nil {
			return
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		for _, s := range list {
			w.Begin(s.Run)
			for _, p := range s.Points {
				w.Add(p)
			}
		}
		again, err := Read(out.Bytes())
		if diff := cmp.Diff(list, again); diff != "" || err != nil {
			t.Errorf("%v (-read +again):\n%s", err, diff)
		}
	})
}
