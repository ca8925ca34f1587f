package revert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// sifted is a change of some hunks. A difference goes away where all hunks of its list are
// reverted together. Code without more hunks than fit does not compile; 0: all compiles.
type sifted struct {
	hunks       int
	differences [][]int
	fit         int
	parallel    int
}

func (c sifted) builder() *Builder {
	var was, is strings.Builder
	for i := range c.hunks {
		fmt.Fprintf(&was, "func f%d() int { return 1 }\n\n", i)
		fmt.Fprintf(&is, "func f%d() int { return 2 }\n\n", i)
	}
	old, now := []byte("package p\n\n"+was.String()), []byte("package p\n\n"+is.String())
	b := &Builder{
		Project: new(project.Project), Takes: func(*versions.File) bool { return true },
		Pair: &versions.Pair{Files: []versions.File{{Old: old, New: now, Hunks: hunk.Diff(old, now)}}},
	}
	b.Project.Options.Parallel = c.parallel
	b.Make = func(_ context.Context, p Part, _ string) (*project.Package, error) {
		if c.fit > 0 && len(p) > c.fit {
			return nil, new(problem.Error)
		}
		return new(project.Package), nil
	}
	return b
}

// repairs says which differences code without a part has not.
func (c sifted) repairs(p Part) (repaired []bool) {
	for _, needs := range c.differences {
		repaired = append(repaired, !slices.ContainsFunc(needs, func(h int) bool { return !p.Has(versions.Ref{Hunk: h}) }))
	}
	return repaired
}

func TestSift(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    sifted
		first []int // hunks of the parts that come first
		built int
	}{
		{"few parts", sifted{hunks: 12, differences: [][]int{{7}}}, []int{0, 1, 2}, 0},
		{"one cause", sifted{hunks: 40, differences: [][]int{{7}}}, []int{7}, 12},
		{"the cause of more comes first", sifted{hunks: 40, differences: [][]int{{7}, {31}, {31}}}, []int{31, 7}, 12},
		{"many builds at a time", sifted{hunks: 200, differences: [][]int{{150}, {199}, {0}}, parallel: 7}, []int{0, 150, 199}, 16},
		{"both of two hunks", sifted{hunks: 40, differences: [][]int{{7, 8}, {12}}}, []int{12}, 12},
		{"nothing repairs it", sifted{hunks: 40, differences: [][]int{{40}}}, []int{0, 1, 2}, 12},
		{"nothing compiles together", sifted{hunks: 40, differences: [][]int{{7}}, fit: 5}, []int{0, 1, 2}, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := c.of.builder()
			parts := b.Parts(nil)
			if len(parts) != c.of.hunks {
				t.Fatalf("%d parts", len(parts))
			}
			got, err := b.Sift(t.Context(), parts, nil, func(without *project.Package) ([]bool, error) { return c.of.repairs(b.parts[without]), nil })
			if err != nil {
				t.Fatal(err)
			}
			var first []int
			for _, p := range got[:len(c.first)] {
				first = append(first, p[0].Hunk)
			}
			if diff := cmp.Diff(c.first, first); diff != "" || b.made != c.built {
				t.Errorf("%d built, want %d; (-want +got):\n%s", b.made, c.built, diff)
			}
			if both := Join(got...); len(got) != len(parts) || len(both) != c.of.hunks {
				t.Errorf("%d parts of %d hunks are left", len(got), len(both))
			}
		})
	}
}

// Where functions return something else, the parts in these alone are sifted.
func TestSiftLooksIntoFunctions(t *testing.T) {
	c := sifted{hunks: 60, differences: [][]int{{44}}}
	b := c.builder()
	b.Functions = func(p Part) []string {
		if p[0].Hunk < 30 {
			return []string{"f"}
		}
		return []string{"g"}
	}
	got, err := b.Sift(t.Context(), b.Parts([]string{"g"}), []string{"g"}, func(without *project.Package) ([]bool, error) { return c.repairs(b.parts[without]), nil })
	if err != nil {
		t.Fatal(err)
	}
	if got[0][0].Hunk != 44 || b.made != 10 {
		t.Errorf("%v comes first, %d built", got[0], b.made)
	}
}

// Both hunks of a difference that needs two are among the next parts: what repairs it has
// both.
func TestSiftFindsWhatRepairsHaveInCommon(t *testing.T) {
	c := sifted{hunks: 64, differences: [][]int{{21, 23}}}
	b := c.builder()
	got, err := b.Sift(t.Context(), b.Parts(nil), nil, func(without *project.Package) ([]bool, error) { return c.repairs(b.parts[without]), nil })
	if err != nil {
		t.Fatal(err)
	}
	if first := Join(got[:2]...); !first.Has(versions.Ref{Hunk: 21}, versions.Ref{Hunk: 23}) {
		t.Errorf("%v come first", first)
	}
}

// Sets of parts that do not compile are cut up, at most twice.
func TestSiftCutsUnionsThatDoNotFit(t *testing.T) {
	c := sifted{hunks: 40}
	b := c.builder()
	parts := b.Parts(nil)
	b.Whole = &project.Package{Loaded: new(load.Result)} // what is not refused below fits
	b.fitting = map[string]bool{Join(parts...).key(): false, Join(parts[:20]...).key(): false, Join(parts[10:20]...).key(): false}
	var sizes []int
	for _, p := range b.pieces(parts, piecesMost) {
		sizes = append(sizes, len(p))
	}
	if diff := cmp.Diff([]int{10, 20}, sizes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSiftEnds(t *testing.T) {
	c := sifted{hunks: 40, differences: [][]int{{7}}}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	b := c.builder()
	parts := b.Parts(nil)
	got, err := b.Sift(over, parts, nil, nil)
	if diff := cmp.Diff(parts, got); diff != "" || err != nil {
		t.Errorf("the time is over: %v (-want +got):\n%s", err, diff)
	}
	want := errors.New("no process")
	if _, err := b.Sift(t.Context(), parts, nil, func(*project.Package) ([]bool, error) { return nil, want }); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}
