package difference

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       [][2]int
	}{
		{"nothing", "", "", nil},
		{"one side is empty", "abc", "", nil},
		{"the same", "abc", "abc", [][2]int{{0, 0}, {1, 1}, {2, 2}}},
		{"nothing in common", "abc", "xyz", nil},
		{"a beginning and an end", "abxcd", "abyzcd", [][2]int{{0, 0}, {1, 1}, {3, 4}, {4, 5}}},
		{"the beginning is not counted twice", "aa", "aaa", [][2]int{{0, 0}, {1, 1}}},
		// The longest common subsequence is "}}}": lines that occur once come first.
		{"a line that occurs once is an anchor", "1}}}x2", "3x}}}4", [][2]int{{4, 1}}},
		{"between anchors", "1a}b}c2", "3a}}b}d4", [][2]int{{1, 1}, {2, 2}, {3, 4}, {4, 5}}},
		{"anchors that are crossed: the longest run", "1abcd2", "3dabc4", [][2]int{{1, 2}, {2, 3}, {3, 4}}},
		{"no line occurs once", "xaabby", "zbbaaw", [][2]int{{1, 3}, {2, 4}}},
		{"a line that occurs twice, but once before an anchor", "1aba2", "3acb4", [][2]int{{1, 1}, {2, 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Align(strings.Split(c.a, ""), strings.Split(c.b, ""))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Without a line that occurs once, too many lines are replaced as a whole: but for what
// both texts begin and end with.
func TestAlignBoundsItsTable(t *testing.T) {
	repeated := func(first, middle string, n int, last string) []string {
		return slices.Concat([]string{first}, slices.Repeat([]string{middle, middle + "'"}, n), []string{last})
	}
	const n = 600
	small := Align(append(repeated("a", "x", 2, "b"), "1", "z"), append([]string{"a", "2"}, append(repeated("c", "x", 2, "d"), "z")...))
	if want := [][2]int{{0, 0}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {7, 8}}; !slices.Equal(small, want) {
		t.Errorf("few lines: %v, want %v", small, want)
	}
	a, b := repeated("a", "x", n, "z"), repeated("a", "x", n, "z")
	b[1], b[len(b)-2] = "y", "y"
	a[1], a[len(a)-2] = "w", "w" // twice each: no anchors, and no common beginning or end but a and z
	if got, want := Align(a, b), [][2]int{{0, 0}, {len(a) - 1, len(b) - 1}}; !slices.Equal(got, want) {
		t.Errorf("%d pairs, want those of the first and the last line", len(got))
	}
}

// Pairs are of equal lines, and in the order of both texts; what both begin and end with is
// paired; and without lines that occur once there is no longer list of pairs.
func TestAlignProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		letters := 1 + random.IntN(6)
		text := func() []string {
			list := make([]string, random.IntN(12))
			for i := range list {
				list[i] = strconv.Itoa(random.IntN(letters))
			}
			return list
		}
		a, b := text(), text()
		pairs := Align(a, b)
		i, j := -1, -1
		for _, at := range pairs {
			if at[0] <= i || at[1] <= j || at[0] >= len(a) || at[1] >= len(b) || a[at[0]] != b[at[1]] {
				t.Fatalf("%q and %q: %v", a, b, pairs)
			}
			i, j = at[0], at[1]
		}
		for k := 0; k < min(len(a), len(b)) && a[k] == b[k]; k++ {
			if k >= len(pairs) || pairs[k] != [2]int{k, k} {
				t.Fatalf("%q and %q begin alike: %v", a, b, pairs)
			}
		}
		if len(pairs) < len(lcs(a, b)) && len(anchors(a, b)) == 0 && !sharesAnchor(a, b) {
			t.Fatalf("%q and %q have %v in common, not only %v", a, b, lcs(a, b), pairs)
		}
	}
}

// sharesAnchor reports whether a part of two texts may have anchors that the whole does not
// have: when their common beginning and end are cut off.
func sharesAnchor(a, b []string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(anchors(a, b)) > 0
}

func TestIncreasing(t *testing.T) {
	for _, c := range []struct{ second, want []int }{
		{nil, nil},
		{[]int{5}, []int{5}},
		{[]int{1, 2, 3}, []int{1, 2, 3}},
		{[]int{3, 2, 1}, []int{1}},
		{[]int{4, 0, 1, 5, 2, 3}, []int{0, 1, 2, 3}},
		{[]int{0, 8, 4, 12, 2, 10, 6, 14, 1, 9}, []int{0, 2, 6, 9}},
	} {
		var list [][2]int
		for i, j := range c.second {
			list = append(list, [2]int{i, j})
		}
		var got []int
		first := -1
		for _, p := range increasing(list) {
			if p[0] <= first {
				t.Errorf("%v: the first members are not in order", c.second)
			}
			first = p[0]
			got = append(got, p[1])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.second, got, c.want)
		}
	}
}

func TestLongestCommonSubsequence(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"abc", "abc", "abc"},
		{"abcbdab", "bdcaba", "bcba"},
		{"ab", "ba", "a"}, // of several the one that begins first in a
	} {
		a, b := strings.Split(c.a, ""), strings.Split(c.b, "")
		if c.a == "" {
			a, b = nil, nil
		}
		var got strings.Builder
		for _, at := range lcs(a, b) {
			got.WriteString(a[at[0]])
		}
		if got.String() != c.want {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, got.String(), c.want)
		}
	}
}
