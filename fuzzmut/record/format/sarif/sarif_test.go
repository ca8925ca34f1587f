package sarif_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/sarif"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func results() map[string]report.Result {
	return map[string]report.Result{
		"fuzz": reporttest.Fuzzed(), "test": reporttest.Tested(), "triage": reporttest.Triaged(), "verify": reporttest.Verified(),
		"minimize": reporttest.Minimized(),
	}
}

func TestSARIF(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range results() {
		var b bytes.Buffer
		if err := (sarif.Format{Root: "go/mod"}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name+".golden", b.Bytes())
		value, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// The schema needs none, but code scanning refuses a file with a result without.
		for _, run := range write(t, sarif.Format{}, r).Runs {
			for i, res := range run.Results {
				if len(res.Locations) != 1 || res.Locations[0].PhysicalLocation.ArtifactLocation.URI == "" {
					t.Errorf("%s: result %d has no place", name, i)
				}
			}
		}
	}
}

type file struct {
	Runs []struct {
		Results []struct {
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
				}
			}
		}
	}
}

func write(t *testing.T, f sarif.Format, r report.Result) file {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	var out file
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Code scanning of GitHub shows a rule by its descriptions and help, and wants all of them.
func TestRulesSayWhatToDo(t *testing.T) {
	var b bytes.Buffer
	if err := (sarif.Format{}).Write(&b, reporttest.Tested()); err != nil {
		t.Fatal(err)
	}
	type said struct{ Text, Markdown string }
	var out struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID, Name, HelpURI                       string
						ShortDescription, FullDescription, Help said
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	rules := out.Runs[0].Tool.Driver.Rules
	if len(rules) != len(notice.Rules) {
		t.Fatalf("%d rules", len(rules))
	}
	for _, r := range rules {
		name := ""
		for word := range strings.SplitSeq(r.ID, "-") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		if r.Name != name || !strings.HasPrefix(r.HelpURI, "https://") {
			t.Errorf("%s is named %q, with its page at %q", r.ID, r.Name, r.HelpURI)
		}
		for _, s := range []string{r.ShortDescription.Text, r.FullDescription.Text, r.Help.Text, r.Help.Markdown} {
			if !strings.HasSuffix(s, ".") || strings.Count(s, "`")%2 != 0 {
				t.Errorf("%s: %q is no sentence", r.ID, s)
			}
		}
		if strings.Contains(r.Help.Text, "`") || len(r.FullDescription.Text) > 1024 || len(r.ShortDescription.Text) > 1024 {
			t.Errorf("%s: the texts have marks of Markdown, or are cut where they are shown: %+v", r.ID, r)
		}
	}
}

func TestFilesAreURIs(t *testing.T) {
	for _, c := range []struct{ root, file, want string }{
		{"", "a.go", "a.go"},
		{"", "dir/a.go", "dir/a.go"},
		{"x/y", "a.go", "x/y/a.go"},
		{"", "two words.go", "two%20words.go"},
		{"", "50%.go", "50%25.go"},
		{"", "a:b.go", "./a:b.go"},
		{"x", "/usr/lib/go/a.go", "file:///usr/lib/go/a.go"},
	} {
		r := &behavior.Report{Causes: []behavior.Cause{{Hunks: []behavior.Hunk{{File: c.file, Line: 1, End: 1}}}}}
		got := write(t, sarif.Format{Root: c.root}, r).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
		if got != c.want {
			t.Errorf("%s below %q is %q, want %q", c.file, c.root, got, c.want)
		}
	}
}

// A file has no more results than services take of one run.
func TestResultsAreBounded(t *testing.T) {
	r := &report.TestReport{}
	for i := range 5001 {
		r.Mutants = append(r.Mutants, reporttest.Mutant(fmt.Sprint("s", i), fmt.Sprint("f", i), 1+i, report.Survived, 1, 1))
	}
	if n := len(write(t, sarif.Format{}, r).Runs[0].Results); n != 5000 {
		t.Errorf("%d results", n)
	}
}
