package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// survivors is a result with survivors in separate functions, with a diff each.
func survivors(n int, diff string) *report.TestReport {
	r := new(report.TestReport)
	for i := range n {
		m := reporttest.Mutant(fmt.Sprint("m", i), fmt.Sprint("f", i), 1+10*i, report.Survived, 1, 1)
		m.Diff = diff
		r.Mutants = append(r.Mutants, m)
	}
	return r
}

// described is a result with one survivor.
func described(mutant string) *report.TestReport {
	r := survivors(1, "")
	r.Mutants[0].Description = mutant
	return r
}

// failing is a result with one bucket that no mutant repairs.
func failing(message string) *report.TriageReport {
	r := reporttest.Triaged()
	t := &r.Tests[0]
	t.Buckets, t.Repairs = t.Buckets[:1], nil
	b := &t.Buckets[0]
	b.Message, b.Repairs, b.Guards, b.Places = message, nil, nil, nil
	return r
}

func TestSummary(t *testing.T) {
	long := strings.Repeat("a line\n", 10_000)
	for _, c := range []struct {
		name, text string
		r          report.Result
		most       int
		want       string // what it begins with
		end        string
	}{
		{"text in a fence", "one\n``` two\n\np: score 3 of 4\n", &report.TestReport{}, 1 << 20, "## p: score 3 of 4\n\n````text\none\n``` two\n\np: score 3 of 4\n````\n", "````\n\n"},
		{"a line alone", "p: `score`\n", &report.TestReport{}, 1 << 20, "## p: `` `score` ``\n\n", "\n\n"},
		{"what does not fit", long + "the end\n", &report.TestReport{}, 1 << 14, "## The end\n\n<details><summary>The whole result</summary>\n\n```text\na line\n", " more lines\nthe end\n```\n\n</details>\n\n"},
		{
			"warnings", "a\nwarning: 2 tests set aside: <b>\n  TestA fails: @x\nb\n", &report.TestReport{}, 1 << 14,
			"## B\n\n**Warning:** 2 tests set aside: `<b>`\n\n```text\nTestA fails: @x\n```\n\n```text\na\n", "\nb\n```\n\n",
		},
		{
			"notices", "a\np: score 3 of 4\n", survivors(1, reporttest.Diff), 1 << 14,
			"## p: score 3 of 4\n\n### 1. `eval.go:1`: No test notices this mutant: `changed > to >=`.\n\n```diff\n- if (sum > x) != (y > 0) {\n+ if (sum >= x) != (y > 0) {\n```\n\n```text\na\n", "```\n\n",
		},
		{"a mutant in words", "a\n", described("changed 10 to 0"), 1 << 14, "## A\n\n### 1. `eval.go:1`: No test notices this mutant: `changed 10 to 0`.\n\n", "\n\n"},
		{"names with signs", "(*T_x).Do_it of m/a_b is \"1 or 2\", a* and 3\n", &report.TestReport{}, 1 << 14, "## `(*T_x).Do_it` of `m/a_b` is `\"1 or 2\", a*` and 3\n\n", "\n\n"},
		{"a name among words", "result 0 (*T) of F_x: 1* vs 2.\n", &report.TestReport{}, 1 << 14, "## Result 0 `(*T)` of `F_x`: `1* vs 2`.\n\n", "\n\n"},
		{"many notices", "p: score 3 of 4\n", survivors(12, reporttest.Diff), 1 << 16, "## p: score 3 of 4\n\n### 1. ", "2 more findings below.\n\n"},
		{"long notices", long + "the end\n", survivors(12, "@@\n-"+strings.Repeat("<x>\x1b", 1<<20)+"\n"), 1 << 14, "## The end\n\n### 1. ", "</details>\n\n"},
		{
			"a failing input", "p: fails\n", failing("a ``` <b>\n\n# @you: #1"), 1 << 14,
			"## p: fails\n\n### 1. `x_test.go:5`: FuzzX fails (panic): ````a ``` <b>````\n\n```text\n\n# @you: #1\n  at x.Parse x.go:7\n```\n\n```sh\ngo test -run='^FuzzX$/^a$' .\n```\n\n", "\n\n",
		},
		{
			"nothing to verify", "FuzzX  no golden values\nno golden values; fuzzmut x -update ./... records them\n", &report.Verification{Tests: []report.VerifiedTest{{None: true}}, Next: "fuzzmut x -update ./..."}, 1 << 14,
			"No golden values; `fuzzmut x -update ./...` records them\n\n", "\n\n",
		},
		{
			"no entries", "no golden values: it has no entries\n", &report.Verification{Tests: []report.VerifiedTest{{None: true}}}, 1 << 14,
			"No golden values: it has no entries\n\n", "\n\n",
		},
		{"golden values", "a\n2 differences\n", &report.Verification{Tests: []report.VerifiedTest{{None: true}, {}}}, 1 << 14, "## 2 differences\n\n```text\na\n", "```\n\n"},
		{"a page of its own", "unused\n", &behavior.Report{Nothing: "tests only"}, 1 << 20, "## Nothing to compare\n", "tests only`\n"},
	} {
		var b bytes.Buffer
		if err := Summary(&b, c.r, c.text, c.most); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.HasPrefix(got, c.want) || !strings.HasSuffix(got, c.end) || len(got) > c.most {
			t.Errorf("%s: %d bytes: %.200q ... %q", c.name, len(got), got, got[max(0, len(got)-60):])
		}
	}
}

// ownOfSummary matches what a summary has outside fences, once code is taken out. What others have
// a part in may be there if it is nothing but words.
var ownOfSummary = regexp.MustCompile("^(?:" + strings.Join([]string{
	"", "## " + phrase, `### \d+\. ` + phrase, `\*\*Warning:\*\* ` + phrase, phrase, `[\d,]+ more findings? below\.`, "<details><summary>The whole result</summary>", "</details>",
}, "|") + ")$")

const phrase = `[A-Za-z0-9 ,.;:'%()]*`

func FuzzSummary(f *testing.F) {
	for _, foreign := range []string{"", "```\n</details>", "`a``b```\n~~~\n    x", "\r\n# x\r<b>\xff\u2028", "@someone #1 [x](y)", "a. b\nreproduce: `\nwarning: <i>\n  ``", "www.example.com: https://example.com"} {
		f.Add(foreign)
	}
	f.Fuzz(func(t *testing.T, foreign string) {
		tested := survivors(2, "@@\n-"+foreign+"\n+"+foreign)
		tested.Mutants[0].Description, tested.Mutants[1].File = foreign, foreign
		for _, r := range []report.Result{tested, failing(foreign)} {
			for _, text := range []string{foreign, "a\nwarning: " + foreign + "\n  " + foreign + "\n" + foreign} {
				var b bytes.Buffer
				if err := Summary(&b, r, text, most); err != nil {
					t.Fatal(err)
				}
				checkMarkdown(t, b.String(), ownOfSummary)
			}
		}
	})
}
