package report

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	const src = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"
	for _, test := range []struct {
		name, src, old, new, want string
	}{
		{
			"part of a line", src, "ve", "VE",
			"@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+fiVE\n six\n seven\n eight\n",
		},
		{
			"first line", src, "one", "1",
			"@@ -1,4 +1,4 @@\n-one\n+1\n two\n three\n four\n",
		},
		{
			"whole lines go", src, "four\nfive\n", "",
			"@@ -1,8 +1,6 @@\n one\n two\n three\n-four\n-five\n six\n seven\n eight\n",
		},
		{
			"lines in common at both ends of the range", src, "two\nthree\nfour", "two\n3\nfour",
			"@@ -1,6 +1,6 @@\n one\n two\n-three\n+3\n four\n five\n six\n",
		},
		{
			"more lines than before", src, "eight\n", "8\n9\n",
			"@@ -5,4 +5,5 @@\n five\n six\n seven\n-eight\n+8\n+9\n",
		},
		{
			"all goes", "one\n", "one\n", "",
			"@@ -1,1 +0,0 @@\n-one\n",
		},
		{
			"no newline at the end", "one\ntwo", "wo", "oo",
			"@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+too\n\\ No newline at end of file\n",
		},
		{"no change", src, "two", "two", ""},
	} {
		start := strings.Index(test.src, test.old)
		got := UnifiedDiff("f", []byte(test.src), start, start+len(test.old), test.new)
		want := test.want
		if want != "" {
			want = "--- a/f\n+++ b/f\n" + want
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, want)
		}
	}
}

// TestUnifiedDiffApplies applies diffs of random changes, as patch would without
// fuzz, and compares with the change made directly.
func TestUnifiedDiffApplies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		src := randomText(rng, 30)
		start := rng.IntN(len(src) + 1)
		end := start + rng.IntN(len(src)-start+1)
		replacement := randomText(rng, 8)
		want := src[:start] + replacement + src[end:]
		diff := UnifiedDiff("f", []byte(src), start, end, replacement)
		got, err := apply(src, diff)
		if err != nil || got != want {
			t.Fatalf("change %d: replace [%d:%d] of %q by %q: error %v, applied %q, want %q\n%s",
				i, start, end, src, replacement, err, got, want, diff)
		}
	}
}

// randomText makes text of few different bytes, so that lines repeat.
func randomText(rng *rand.Rand, most int) string {
	b := make([]byte, rng.IntN(most))
	for i := range b {
		b[i] = "a\n"[rng.IntN(2)]
	}
	return string(b)
}

// apply applies a unified diff of one hunk.
func apply(src, diff string) (string, error) {
	if diff == "" {
		return src, nil
	}
	lines := strings.SplitAfter(diff, "\n")
	var oldRange, newRange string
	if _, err := fmt.Sscanf(lines[2], "@@ -%s +%s @@", &oldRange, &newRange); err != nil {
		return "", err
	}
	first, count, err := parseRange(oldRange)
	if err != nil {
		return "", err
	}
	_, newCount, err := parseRange(newRange)
	if err != nil {
		return "", err
	}
	var before, after []string
	mark := byte(0) // of the line before
	for _, line := range lines[3:] {
		if line == "" {
			continue
		}
		if line[0] == '\\' {
			if mark != '+' {
				chomp(before)
			}
			if mark != '-' {
				chomp(after)
			}
			continue
		}
		mark = line[0]
		if mark == ' ' || mark == '-' {
			before = append(before, line[1:])
		}
		if mark == ' ' || mark == '+' {
			after = append(after, line[1:])
		}
	}
	if len(before) != count || len(after) != newCount {
		return "", fmt.Errorf("hunk has %d and %d lines, header says %d and %d", len(before), len(after), count, newCount)
	}
	all := splitLines(src)
	if count == 0 {
		first++
	}
	head, rest := all[:first-1], all[first-1:]
	if strings.Join(rest[:count], "") != strings.Join(before, "") {
		return "", fmt.Errorf("hunk does not match at line %d", first)
	}
	return strings.Join(head, "") + strings.Join(after, "") + strings.Join(rest[count:], ""), nil
}

// chomp takes the newline off the last line.
func chomp(lines []string) {
	last := len(lines) - 1
	lines[last] = strings.TrimSuffix(lines[last], "\n")
}

func parseRange(s string) (first, count int, err error) {
	a, b, _ := strings.Cut(strings.TrimLeft(s, "-+"), ",")
	if first, err = strconv.Atoi(a); err != nil {
		return 0, 0, err
	}
	count, err = strconv.Atoi(b)
	return first, count, err
}
