package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

// changed is a report in which all text of the program under test is foreign.
func changed(foreign string) *behavior.Report {
	hunk := behavior.Hunk{File: "price.go" + foreign, Line: 20, End: 20, Was: "\tif n > 100 {" + foreign, Is: "\tif n >= 100 {" + foreign}
	return &behavior.Report{
		Old: "main (1a2b3c4)" + foreign, New: "the work tree", Command: "fuzzmut diff -seed 7 main ./..." + foreign,
		Tests: []behavior.Test{
			{Package: "example.com/price" + foreign, Name: "FuzzPrice" + foreign, Execs: 6120, Seconds: 4.2, Lost: 2, Ended: "nothing new" + foreign, Unstable: []string{"price.Now result 0" + foreign}, Dropped: 1},
			{Package: "example.com/price", Name: "FuzzOf", Derived: "Of" + foreign, Execs: 1, Seconds: 60},
		},
		Reach: []behavior.Reach{{
			Package: "example.com/price" + foreign, Blocks: behavior.Share{Some: 4, All: 5}, Mutants: behavior.Share{Some: 53, All: 60},
			NotReach: []behavior.Place{{File: "price.go" + foreign, Line: 34}}, NotSeen: []behavior.Place{{File: "price.go", Line: 20, Text: "changed 100 to 99" + foreign}},
		}},
		Causes: []behavior.Cause{
			{
				Kind: behavior.KindPanic, Fuzz: "FuzzOf", Call: "Of" + foreign, Value: "{\n\tN: -1,\n}" + foreign, Input: "int(-1)\nstring(\"a longer text, with which the call does not fit into one line of the page that is written\")" + foreign, Inputs: 1,
				Values:     []behavior.Value{{Name: "fuzz target", Old: "passes", New: "index out of range" + foreign}},
				Attributed: behavior.ByValue, Dependency: "example.com/dep v1.1.0 in place of v1.0.0" + foreign, Reproduce: "fuzzmut diff main ." + foreign,
			},
			{
				Kind: behavior.KindValue, Hunks: []behavior.Hunk{hunk}, Fuzz: "FuzzPrice" + foreign, Call: "FuzzPrice" + foreign, Input: "int(100)\nstring(\"\")" + foreign, Inputs: 806,
				Also: []string{"FuzzOf"},
				Values: []behavior.Value{
					{Name: "price.Of #1 result 0" + foreign, Old: "*price.Price &{Cents: 300}" + foreign, New: "*price.Price &{Cents: 200}" + foreign},
					{Name: "price.Of #1 result 1", New: "nil" + foreign},
				},
				Attributed: behavior.ByRepair, Reproduce: "fuzzmut diff main .",
			},
		},
		NotCompared: []behavior.Note{{What: "price.Serve" + foreign, Reason: "it listens" + foreign}},
		Warnings:    []string{"the old tests are used" + foreign},
	}
}

func TestPage(t *testing.T) {
	none := changed("")
	none.Causes = nil
	work := changed("")
	work.Causes = work.Causes[1:]
	work.Causes[0].Kind, work.Causes[0].Values, work.Causes[0].Work = behavior.KindWork, nil, behavior.Work{Old: 300, New: 45150}
	accepted := changed("")
	accepted.Causes[1].Accepted = true
	long := changed("")
	long.Causes[1].Hunks[0].Is = strings.Repeat("\tline\n", 200)
	for name, r := range map[string]*behavior.Report{
		"page.md": changed(""), "none.md": none, "long.md": long, "accepted.md": accepted, "work.md": work, "hostile.md": changed("\n```\n</details><script>@someone\x00\u202e#1 [x](y)`"),
		"nothing.md": {Nothing: "main and the work tree have the same Go code"},
	} {
		got := page(r)
		checkPage(t, got)
		goldenfile.Compare(t, name, []byte(got))
	}
}

// own matches the lines outside fences, once code is taken out: what this package says.
var own = regexp.MustCompile(`^(?:` + strings.Join([]string{
	``, `## [\w ,()]+`, `## [\w ,]+(; [\w ,]+){1,2}`, `### What was compared`, `### \d+\. C: [\w ,]*`, `C( against C)?`, `and [\d,]+ more (place|value)s?`, `[\d,]+ → [\d,]+ units? of work \([\d.,]+ times\)`,
	`[\d,]+ inputs? of C( and \d+ other fuzz tests?)? shows? it\. The smallest:`, `To see it on both sides:`,
	`Caused by C`, `[\d,]+ more differences? did not fit on this page\. To see all:`,
	"The command is too long for this page; the result of C has it\\.",
	`Its lines in the change are not known: [\w ,]+\.`,
	`- warning: C`, `- C(, derived for C)?, in C: [\d,]+ inputs? compared in \d+ s(; ended early: C)?(; [\d,]+ inputs? too large to be compared)?(; \d+ differences? not confirmed, and not shown)?`,
	`- C: \d+ of [\d,]+ changed blocks? reached`,
	`- C: a change of one operator in the changed functions would have been seen in \d+ of [\d,]+ cases?`,
	`- [\d,]+ more lines?`,
	`<details><summary>H \([\d,]+ lines?\)</summary>`, `<details><summary>[\d,]+ places? accepted, not looked at, or not seen</summary>`, `</details>`,
}, "|") + `)$`)

var (
	inElement = regexp.MustCompile(`<code>[^<>]*</code>`)
	runs      = regexp.MustCompile("`+")
	languages = regexp.MustCompile("^(diff|go|sh|text)$")
)

// withoutCode puts a C for each code span of a line, as CommonMark finds them, and an H for
// each element.
func withoutCode(line string) string {
	line = inElement.ReplaceAllString(line, "H")
	var b strings.Builder
	for {
		at := runs.FindStringIndex(line)
		if at == nil {
			return b.String() + line
		}
		marks, rest := line[at[0]:at[1]], line[at[1]:]
		end := -1
		for _, m := range runs.FindAllStringIndex(rest, -1) {
			if rest[m[0]:m[1]] == marks {
				end = m[1]
				break
			}
		}
		if end < 0 {
			return b.String() + line
		}
		b.WriteString(line[:at[0]] + "C")
		line = rest[end:]
	}
}

// checkPage reads a page as CommonMark does: nothing of what is in fences and code gets out.
func checkPage(t *testing.T, page string) {
	t.Helper()
	checkMarkdown(t, page, own)
}

// checkMarkdown is that for a page whose own lines match own.
func checkMarkdown(t *testing.T, page string, own *regexp.Regexp) {
	t.Helper()
	if len(page) > most {
		t.Errorf("%d bytes", len(page))
	}
	if strings.ContainsAny(page, "\r\x00\u202e") {
		t.Error("there are characters that nobody sees")
	}
	fence, details := "", 0
	for line := range strings.SplitSeq(page, "\n") {
		marks := runs.FindString(line)
		switch {
		case fence != "":
			if len(marks) >= len(fence) && strings.Trim(line, " ") == marks {
				fence = ""
			}
			continue
		case len(marks) >= 3 && strings.HasPrefix(line, marks) && languages.MatchString(line[len(marks):]):
			fence = marks
			continue
		}
		if line = withoutCode(line); !own.MatchString(line) {
			t.Errorf("a line that is not of this package: %q", line)
		}
		details += strings.Count(line, "<details>") - strings.Count(line, "</details>")
		if details < 0 || details > 1 {
			t.Errorf("%q: %d open", line, details)
		}
	}
	if fence != "" || details != 0 {
		t.Errorf("at the end fence %q, %d details", fence, details)
	}
}

func TestPagesAreBounded(t *testing.T) {
	for _, foreign := range []string{strings.Repeat("long", 40_000), strings.Repeat("`\n", 40_000), strings.Repeat("<", 70_000), strings.Repeat("\x00", 20_000)} {
		r := changed(foreign)
		for len(r.Causes) < 60 {
			r.Causes = append(r.Causes, r.Causes[:2]...)
			r.Tests, r.Reach, r.NotCompared = append(r.Tests, r.Tests[:2]...), append(r.Reach, r.Reach[0]), append(r.NotCompared, r.NotCompared[0])
		}
		for i := range r.Causes {
			c := &r.Causes[i]
			for len(c.Hunks) > 0 && len(c.Hunks) < 6 {
				c.Hunks, c.Values = append(c.Hunks, c.Hunks[0]), append(c.Values, c.Values[0])
			}
		}
		got := page(r)
		checkPage(t, got)
		shown := strings.Count(got, "\n### ") - 1
		if left := fmt.Sprintf("\n%d more differences did not fit on this page.", len(r.Causes)-shown); shown < 1 || !strings.Contains(got, left) {
			t.Errorf("%d causes shown, and not %q", shown, left)
		}
	}
}

func TestOnlyResultsOfDiffAreWritten(t *testing.T) {
	var b bytes.Buffer
	if err := (Format{}).Write(&b, &report.Report{}); err == nil {
		t.Error("no error")
	}
	if err := (Format{}).Write(&b, changed("")); err != nil || b.String() != page(changed("")) {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

func FuzzPage(f *testing.F) {
	f.Add("", 1)
	f.Add("```\n</details>", 3)
	f.Add("`a``b```\n~~~\n    x", 30)
	f.Add("\r\n# x\r<b>\xff\u2028", 200)
	f.Fuzz(func(t *testing.T, foreign string, n int) {
		r := changed(foreign)
		for range min(max(n, 0), 200) {
			r.Causes = append(r.Causes, r.Causes[n%2&1])
		}
		checkPage(t, page(r))
	})
}
