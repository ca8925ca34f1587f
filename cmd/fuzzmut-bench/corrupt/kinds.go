package corrupt

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// A Kind is a kind of file that fuzzmut reads.
type Kind struct {
	Name   string
	Sample func() ([]byte, error) // a valid file
	// Read reads a file as the command does. If there is no error, lost says what
	// the file holds that was not taken in, "" if nothing.
	Read func(dir string, data []byte) (lost string, err error)
}

// Kinds lists the kinds of files.
func Kinds() []Kind {
	return []Kind{
		{"golden values", goldenSample, readGolden},
		{"corpus entry", entrySample, readEntry},
		{"archive of inputs", archiveSample, readArchive},
		{"accepted mutants", acceptedSample, readAccepted},
		{"run log", logSample, readLog},
		{"result of test", resultSample, readResult},
		{"journal of verdicts", journalSample, readJournal},
		{"dictionary", dictionarySample, readDictionary},
		{"labels", labelsSample, readLabels},
		{"patch", patchSample, readPatch},
	}
}

// put writes a file for a reader that wants a path.
func put(dir, name string, data []byte) (path string, err error) {
	path = filepath.Join(dir, name)
	return path, os.WriteFile(path, data, 0o666)
}

// missing says which of the words are not among those that were taken in.
func missing(words, taken []string) string {
	have := make(map[string]int)
	for _, w := range taken {
		have[w]++
	}
	for _, w := range words {
		if have[w]--; have[w] < 0 {
			return fmt.Sprintf("%.80q was not taken in", w)
		}
	}
	return ""
}

func goldenSample() ([]byte, error) {
	f := golden.File{Packages: "example.com/p example.com/q", Entries: []golden.Entry{{Name: "fuzzmut-0123456789abcdef", Input: `"text"`, Values: []golden.Value{
		{Name: "p.F #1 result 0", Text: "int 17"},
		{Name: "p.F #1 result 1", Text: "nil"},
		{Name: "p.G #1 result 0", Text: golden.Render(map[string][]int{"a": {1, 2, 3}, "long": make([]int, 50)})},
		{Name: "p.F #2 result 0", Text: golden.Render(strings.Repeat("several\nlines\n", 10))},
	}}, {Name: "fuzzmut-fedcba9876543210", Input: `"another"`, Values: []golden.Value{{Name: "p.F #1 result 0", Text: "int 18"}}}}}
	return f.Marshal(), nil
}

func readGolden(dir string, data []byte) (string, error) {
	path, err := put(dir, "FuzzX.txt", data)
	if err != nil {
		return "", err
	}
	values, err := store.Read(path)
	switch {
	case err != nil:
		return "", err
	case len(values.Bad) > 0:
		return "", &values.Bad[0]
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	read := golden.File{Packages: values.Packages, Entries: values.Entries}
	return missing(notBlank(text), strings.Split(string(read.Marshal()), "\n")), nil
}

// notBlank lists the lines that are not empty.
func notBlank(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
}

func entrySample() ([]byte, error) {
	return corpus.Marshal([]any{[]byte("a\x00\xff\"b\\"), "text\nof lines", -17, uint8(200), 1.5, math.Inf(1), true, 'x'}), nil
}

func readEntry(dir string, data []byte) (string, error) {
	sub := filepath.Join(dir, "entries")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		return "", err
	}
	if _, err := put(sub, "entry", data); err != nil {
		return "", err
	}
	entries, bad, err := corpus.ReadDir(sub, nil, 0)
	switch {
	case err != nil:
		return "", err
	case len(bad) > 0:
		return "", bad[0]
	}
	vals := entries[0].Input.Values()
	again, err := corpus.Unmarshal(corpus.Marshal(vals))
	if err != nil || len(again) != len(vals) {
		return fmt.Sprintf("%d values come back as %d, %v", len(vals), len(again), err), nil
	}
	if n := len(notBlank(strings.ReplaceAll(string(data), "\r\n", "\n"))) - 1; n != len(vals) {
		return fmt.Sprintf("%d lines gave %d values", n, len(vals)), nil
	}
	return "", nil
}

func archiveSample() ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := range 4 {
		f, err := w.Create(fmt.Sprint("input", i))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(f, "input %d %s", i, strings.Repeat("raw ", 20*i))
	}
	err := w.Close()
	return out.Bytes(), err
}

// readArchive checks that whatever an archive lists is an entry, or bad.
func readArchive(dir string, data []byte) (string, error) {
	path, err := put(dir, "a.zip", data)
	if err != nil {
		return "", err
	}
	entries, bad, err := corpus.ReadForeign(path, []string{"[]byte"}, nil, 0)
	if err != nil {
		return "", err
	}
	list, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Sprintf("read, although it is no archive: %v", err), nil
	}
	n := 0
	for _, f := range list.File {
		if !f.FileInfo().IsDir() {
			n++
		}
	}
	if n != len(entries)+len(bad) {
		return fmt.Sprintf("%d files gave %d entries and %d bad ones", n, len(entries), len(bad)), nil
	}
	if len(bad) > 0 {
		return "", bad[0]
	}
	return "", nil
}

func acceptedSample() ([]byte, error) {
	return []byte("# Our list.\n\n# Looked at in spring.\nexample.com/a 4jhgdbwre2ys conditional-boundary Eval: changed < to <=\n" +
		"\tequivalent: both give 0\n\t# see the paper\n\tthere\nexample.com/b cxsxhvac7ah5 math\n# the end\n"), nil
}

func readAccepted(dir string, data []byte) (string, error) {
	path, err := put(dir, "accepted.txt", data)
	if err != nil {
		return "", err
	}
	list, err := accepted.Mutants.Read(path)
	if err != nil {
		return "", err
	}
	var again bytes.Buffer
	if err := list.Write(&again); err != nil {
		return err.Error(), nil
	}
	return missing(strings.Fields(string(data)), strings.Fields(again.String())), nil
}

func logSample() ([]byte, error) {
	var out bytes.Buffer
	w := runlog.NewWriter(&out)
	for _, fuzz := range []string{"FuzzA", "FuzzB"} {
		if err := w.Begin(runlog.Run{Package: "example.com/p", Fuzz: fuzz, Filter: "adaptive", Seed: 7, FuzzTime: "20s", Parallel: 2, Mutants: 90, Blocks: 40}); err != nil {
			return nil, err
		}
		for i := range 5 {
			if err := w.Add(runlog.Point{Seconds: 0.25 * float64(i), Executions: int64(100 * i), Covered: 3 * i, Killed: 2 * i, Corpus: i, Buckets: i / 2}); err != nil {
				return nil, err
			}
		}
	}
	return out.Bytes(), nil
}

func readLog(_ string, data []byte) (string, error) {
	list, err := runlog.Read(data)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	w := runlog.NewWriter(&out)
	for _, s := range list {
		w.Begin(s.Run)
		for _, p := range s.Points {
			w.Add(p)
		}
	}
	return missing(scalars(data), scalars(out.Bytes())), nil
}

// scalars lists the numbers, texts and truth values in JSON, one document or several,
// but for those that need not be written.
func scalars(data []byte) []string {
	var list []string
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				add(v[name])
			}
		case []any:
			for _, e := range v {
				add(e)
			}
		case nil:
		default:
			if !reflect.ValueOf(v).IsZero() {
				list = append(list, fmt.Sprintf("%#v", v))
			}
		}
	}
	in := json.NewDecoder(bytes.NewReader(data))
	for {
		var v any
		if in.Decode(&v) != nil {
			return list
		}
		add(v)
	}
}

func resultSample() ([]byte, error) {
	mutant := func(id, status, kind string) report.Mutant {
		return report.Mutant{
			ID: id, Operator: "math", Package: "example.com/p", Function: "F", File: "p.go", Line: 7, Column: 3,
			Original: "a + b", Replacement: "a - b", Description: "changed + to -", Status: status, KillKind: kind, Reached: 2, Infected: 1,
		}
	}
	r := report.TestReport{
		Shard: "2/4", Packages: []report.TestRun{{
			Package: "example.com/p", Source: "abc", Executions: 20, MutantRuns: 1234, Processes: 3, Judged: 4,
			Tests: []report.TestResult{{Name: "TestA", Seconds: 0.5, Kills: 1}, {Name: "TestB"}}, BuildSeconds: 1.25, WallSeconds: 2.5, CPUSeconds: 4, Shared: true,
		}},
		Mutants:  []report.Mutant{mutant("a", report.Killed, oracle.Panic.String()), mutant("b", report.Survived, ""), mutant("c", report.NotCovered, ""), mutant("d", report.Skipped, "")},
		Warnings: []string{"the result is partial: no result of shard 1/4, 3/4, 4/4"},
	}
	r.Score = report.Summarise(r.Mutants)
	var out bytes.Buffer
	err := format.JSON.Write(&out, &r)
	return out.Bytes(), err
}

func readResult(_ string, data []byte) (string, error) {
	r, err := format.ReadTests(data)
	if err != nil {
		return "", err
	}
	if _, err := report.MergeTests([]*report.TestReport{r, r}); err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := format.JSON.Write(&out, r); err != nil {
		return err.Error(), nil
	}
	return missing(scalars(data), scalars(out.Bytes())), nil
}

// judged is what the journal of verdicts says of one mutant.
type judged struct {
	Package, Mutant, Key string
	Verdict              *verdicts.Verdict
}

func journalSample() ([]byte, error) {
	dir, err := os.MkdirTemp("", "corrupt-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := verdicts.Open(dir)
	if err != nil {
		return nil, err
	}
	if _, _, err = s.Begin("program", false); err != nil {
		return nil, err
	}
	for i, v := range []verdicts.Verdict{
		{Status: "killed", Kind: "panic", Test: "TestA", Detail: "index out of range"},
		{Status: "survived", Reached: 2, Infected: 1, Tests: []string{"TestA", "TestB"}},
		{Status: "not-covered"},
		{Status: "killed", Kind: "fuel", Fresh: true},
	} {
		if err := s.Add(verdicts.ID{Package: "example.com/p", Mutant: fmt.Sprint("m", i)}, "key", v); err != nil {
			return nil, err
		}
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, journalName))
}

// journalName is the name of the journal in its directory.
const journalName = "verdicts-2.jsonl"

// readJournal checks that each line which is whole is known. A line that is no JSON was
// torn: its verdict is given again.
func readJournal(dir string, data []byte) (string, error) {
	if _, err := put(dir, journalName, data); err != nil {
		return "", err
	}
	s, err := verdicts.Open(dir)
	if err != nil {
		return "", err
	}
	defer s.Close()
	last := make(map[verdicts.ID]judged)
	for line := range bytes.Lines(data) {
		var j judged
		if json.Unmarshal(line, &j) == nil && j.Verdict != nil {
			last[verdicts.ID{Package: j.Package, Mutant: j.Mutant}] = j
		}
	}
	for id, j := range last {
		if v, ok := s.Known(id, j.Key); !ok || !reflect.DeepEqual(v, *j.Verdict) {
			return fmt.Sprintf("the verdict on %v is %v and should be %v", id, v, *j.Verdict), nil
		}
	}
	return "", nil
}

func dictionarySample() ([]byte, error) {
	return []byte("# JSON\n\nplain=\"null\"\n  level@2 = \"tr\\x75e\"  \n\"\\\"\\\\\\x00\\xff\"\n\"a=\\\"b\\\" # no comment\"\n\"123\"\n"), nil
}

// readDictionary checks that each line that is no comment gives a token.
func readDictionary(dir string, data []byte) (string, error) {
	path, err := put(dir, "a.dict", data)
	if err != nil {
		return "", err
	}
	tokens, err := dictionary.Read(path)
	if err != nil {
		return "", err
	}
	lines := slices.DeleteFunc(notBlank(string(data)), func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") })
	if len(lines) != len(tokens) {
		return fmt.Sprintf("%d lines gave %d tokens", len(lines), len(tokens)), nil
	}
	return "", nil
}

func labelsSample() ([]byte, error) {
	return []byte("{\n  \"a\": \"overflow 17\",\n  \"b\": {\"bug\": \"nil\"},\n  \"c\": \"overflow 17\"\n}\n"), nil
}

func readLabels(dir string, data []byte) (string, error) {
	path, err := put(dir, "labels.json", data)
	if err != nil {
		return "", err
	}
	labels, err := triage.ReadLabels(path)
	if err != nil {
		return "", err
	}
	again, err := json.Marshal(labels)
	if err != nil {
		return err.Error(), nil
	}
	return missing(scalars(data), scalars(again)), nil
}

func patchSample() ([]byte, error) {
	return []byte("From 1234\nSubject: a patch\n\ndiff --git a/x.go b/x.go\nindex 12..34 100644\n--- a/x.go\n+++ b/x.go\n@@ -3,4 +3,5 @@ func\n one\n-two\n+2\n+2.5\n three\n four\n@@ -20 +21,0 @@\n-gone\n" +
		"diff --git a/y.go b/y.go\n--- a/y.go\n+++ b/y.go\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n-- \n2.40\n"), nil
}

// readPatch checks that what looks like a part of a change is one, from where the first
// diff begins.
func readPatch(_ string, data []byte) (string, error) {
	files, err := change.Parse(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	var taken, words []string
	for _, f := range files {
		for _, h := range f.Hunks {
			for _, c := range h.Changes {
				if c.Count > 0 {
					taken = append(taken, h.Lines[c.Line-h.Line:][:c.Count]...)
				}
			}
		}
	}
	inside := false
	for line := range strings.Lines(string(data)) {
		inside = inside || strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "--- ")
		if added, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "+"); ok && inside && !strings.HasPrefix(added, "++ ") {
			words = append(words, added)
		}
	}
	return missing(words, taken), nil
}
