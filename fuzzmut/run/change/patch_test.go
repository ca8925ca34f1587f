package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// changes parses a patch and returns the changes by path.
func changes(t *testing.T, text string) map[string][]Change {
	t.Helper()
	files, err := Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]Change)
	for _, f := range files {
		for _, h := range f.Hunks {
			out[f.Path] = append(out[f.Path], h.Changes...)
		}
	}
	return out
}

func TestPatchesOfAllKinds(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string][]Change
	}{
		"nothing": {"", map[string][]Change{}},
		"git": {
			"diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n" +
				"@@ -3,4 +3,5 @@ func f() {\n one\n-two\n+2\n+2.5\n three\n four\n@@ -20 +21,0 @@ func g() {\n-gone\n",
			map[string][]Change{"b/x.go": {{4, 2}, {21, 0}}},
		},
		"two changes in a hunk": {
			"--- x.go\n+++ x.go\n@@ -1,5 +1,4 @@\n-a\n b\n+c\n d\n-e\n-f\n+F\n",
			map[string][]Change{"x.go": {{0, 0}, {2, 1}, {4, 1}}},
		},
		"added before taken out": {
			"--- x.go\n+++ x.go\n@@ -1,2 +1,2 @@\n a\n+c\n-b\n",
			map[string][]Change{"x.go": {{2, 1}}},
		},
		"diff -u with times, no newline at the end": {
			"--- x.go\t2026-01-01 00:00:00 +0000\n+++ y.go\t2026-01-01 00:00:00 +0000\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
			map[string][]Change{"y.go": {{1, 1}}},
		},
		"new, deleted, renamed, binary": {
			"diff --git a/new.go b/new.go\nnew file mode 100644\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1,2 @@\n+a\n+b\n" +
				"diff --git a/old.go b/old.go\ndeleted file mode 100644\n--- a/old.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n" +
				"diff --git a/p.go b/q.go\nsimilarity index 100%\nrename from p.go\nrename to q.go\n" +
				"diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n" +
				"diff --git a/r.go b/s.go\nsimilarity index 90%\nrename from r.go\nrename to s.go\n--- a/r.go\n+++ b/s.go\n@@ -7 +7 @@\n-a\n+b\n",
			map[string][]Change{"b/new.go": {{1, 2}}, "": {{0, 0}}, "b/s.go": {{7, 1}}},
		},
		"quoted path": {
			"--- \"a/\\303\\266 \\\"q\\\".go\"\n+++ \"b/\\303\\266 \\\"q\\\".go\"\n@@ -1 +1 @@\n-a\n+b\n",
			map[string][]Change{"b/ö \"q\".go": {{1, 1}}},
		},
		"a mail, lines that look like heads, lost spaces": {
			"From 1 Mon\nSubject: x\n\n--- \nwhat\n+++ this\n\n--- a/x.go\n+++ b/x.go\n@@ -1,4 +1,4 @@\n a\n\n--- c\n+++ d\n e\n-- \n2.39\n",
			map[string][]Change{"b/x.go": {{3, 1}}},
		},
		"a text after an empty line, and what svn says of properties": {
			"--- x.go\n+++ x.go\n@@ -1 +1 @@\n-a\n+b\n\n\nThis is a list:\n\n- one\n+ two\n---\n" +
				"--- y.go\n+++ y.go\n\nProperty changes on: y.go\n___\nAdded: p\n+ v\n--- z.go\n+++ z.go\n@@ -1 +1 @@\n-a\n+b\n\n---\n",
			map[string][]Change{"x.go": {{1, 1}}, "z.go": {{1, 1}}},
		},
		"line ends of Windows": {
			"--- a/x.go\r\n+++ b/x.go\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
			map[string][]Change{"b/x.go": {{1, 1}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, changes(t, c.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNoPatchIsRefused(t *testing.T) {
	const head = "--- a/x.go\n+++ b/x.go\n"
	for text, want := range map[string]string{
		"@@ -1 +1 @@\n-a\n+b\n":                                                   "line 1 of the patch: a hunk without the paths",
		"diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n":                               "line 2 of the patch: a hunk without the paths",
		head + "@@ -1 +1 @@\n-a\n":                                                "ends within a hunk",
		head + "@@ -1,2 +1 @@\n-a\n+b\n@@ -9 +9 @@\n":                             "has fewer lines than its header says",
		head + "@@ -1 +1 @@\n-a\n-b\n+c\n":                                        "has fewer lines than its header says",
		head + "@@ -1 +1 @@\n-a\n+b\n+c\n":                                        "line 5 of the patch: the hunk has more lines",
		head + "@@ -1 +1 @@\n-a\n+b\n+\n":                                         "line 5 of the patch: the hunk has more lines",
		head + "@@ -1 1 @@\n-a\n+b\n":                                             "malformed",
		head + "@@ -0x1 +0x1 @@\n-a\n+b\n":                                        "malformed",
		head + "@@ -1 +1,x @@\n-a\n":                                              "malformed",
		head + "@@ -1 +0 @@\n-a\n+b\n":                                            "malformed",
		head + "@@ -1 +99999999999 @@\n-a\n+b\n":                                  "malformed",
		head + "@@ -9 +9 @@\n-a\n+b\n@@ -9 +9 @@\n":                               "not in order",
		"--- a\n+++ \n":                                                           "a path is missing",
		"--- a\n+++ \"b\\xyz\"\n":                                                 "not quoted",
		"diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@A -9 +9 @@\n-a\n+b\n": "line 5 of the patch: a changed line outside any hunk",
		head + "@@ -9 +9 @@\n-a\n+b\n@@@-20 +20 @@\n-c\n+d\n":                     "a changed line outside any hunk",
		"diff --git a/x.go b/x.go\n--- a/x.go\n@@ -9 +9 @@\n-a\n+b\n":             "a changed line outside any hunk",
		head + "\n-a\n+b\n":                                                       "line 4 of the patch: a changed line outside any hunk",
		head + "\n c\n\nd\n-a\n+b\n":                                              "a changed line outside any hunk",
		head + "@@ -1 +1 @@\n-a\n+b\n\n-c\n+d\n":                                  "line 7 of the patch: a changed line outside any hunk",
		head + "@@ -1 +1 @@\r\n-a\r\n+b\r\n\r\n c\r\n+d\r\n":                      "line 8 of the patch: a changed line outside any hunk",
		head + "@@ -1 +1 @@\n-a\n+b\n\n\n c\n-d\n":                                "a changed line outside any hunk",
		"@A -9 +9 @@\n-a\n+b\n":                                                   "the patch contains no diff",
		"diff --cc x.go\n":                                                        "diff of a merge",
	} {
		if _, err := Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// FuzzParse: whatever is read, changes lie within their hunks and in order.
func FuzzParse(f *testing.F) {
	f.Add("diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -3,4 +3,5 @@ func\n one\n-two\n+2\n+2.5\n three\n four\n@@ -20 +21,0 @@\n-gone\n")
	f.Add("--- \"a/\\303\"\t1\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline\n")
	f.Add("From x\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n\n-a\n+b\n-- \n2")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, file := range files {
			end := 0
			for _, h := range file.Hunks {
				if h.Line < end {
					t.Errorf("%s: hunk at %d, behind %d", file.Path, h.Line, end)
				}
				end = h.Line + len(h.Lines)
				last := h.Line - 1
				for _, c := range h.Changes {
					if c.Line < last || c.Count < 0 || c.Line+c.Count > end {
						t.Errorf("%s: change %v of hunk %d to %d, behind %d", file.Path, c, h.Line, end, last)
					}
					last = c.Line + c.Count
				}
			}
		}
	})
}

// FuzzOwnDiffs: a diff that this module writes is read as the change that it is,
// and fits what it leads to.
func FuzzOwnDiffs(f *testing.F) {
	f.Add("a\nb\nc\nd\ne\nf\ng\nh\n", 4, 6, "x\ny\n")
	f.Add("a", 0, 1, "")
	f.Add("a\n", 0, 0, "+b\n-")
	f.Fuzz(func(t *testing.T, src string, start, end int, replacement string) {
		if start < 0 || start > end || end > len(src) || strings.Contains(src+replacement, "\r") {
			t.Skip()
		}
		text := report.UnifiedDiff("x.go", []byte(src), start, end, replacement)
		files, err := Parse(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if text == "" {
			return
		}
		if len(files) != 1 || files[0].Path != "b/x.go" || len(files[0].Hunks) != 1 {
			t.Fatalf("got %v of\n%s", files, text)
		}
		if line, ok := files[0].Fits([]byte(src[:start] + replacement + src[end:])); !ok {
			t.Errorf("does not fit at line %d:\n%s", line, text)
		}
		for _, c := range files[0].Hunks[0].Changes {
			first := 1 + strings.Count(src[:start], "\n")
			if c.Line < first-1 || c.Count > 1+strings.Count(replacement, "\n") {
				t.Errorf("change %v, begun at line %d:\n%s", c, first, text)
			}
		}
	})
}
