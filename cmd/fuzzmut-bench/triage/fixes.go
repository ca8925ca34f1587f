package triage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// fix is where a bug was fixed: what lines of the version with the bug the commit
// changes. For mere insertions it is the lines that they stand between, or the one
// that they come before.
type fix struct {
	Commit string `json:"commit"`
	Source string `json:"source"` // how the lines are known: see the crashers' README
	Lines  []span `json:"lines"`
}

// span is some lines of a file of the module.
type span struct {
	File  string `json:"file"` // relative to the module's root
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// touches reports whether any of the lines first to last of a file is changed.
func (f *fix) touches(file string, first, last int) bool {
	return slices.ContainsFunc(f.Lines, func(l span) bool {
		return l.File == file && first <= l.Last && l.First <= last
	})
}

// readFixes reads where bugs of modules were fixed, by version and bug. For most
// modules this is known for some bugs only, for some for none.
func readFixes(path string) (map[string]map[string]fix, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var versions map[string]map[string]fix
	if err == nil {
		err = json.Unmarshal(data, &versions)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return versions, nil
}

// located is how soon the report on a bug names a line of its fix.
type located struct {
	Bug        string
	Source     string // of the fix
	Inputs     int    // of the bug, in the bucket that has most of them
	Repairable bool   // some mutant repairs one of them and breaks nothing
	At         string // what repairs there are at the fix: atClean, atNoisy or atNone
	// Places are, by localizer, the place of the first repair or line that touches
	// the fix in the list of that bucket; 0 where none does. After the repairs come the
	// mutants that break something, as in a report.
	Places map[string]int
}

// What repairs there are at a fix.
const (
	atClean = "clean" // that break nothing
	atNoisy = "noisy" // that break something only
	atNone  = "none"
)

// repairLocaliser is the ranking of the repairs themselves.
const repairLocaliser = "repair"

// localisers are those that are compared, as a report names them.
var localisers = []string{repairLocaliser, "coverage", "muse", "museum", "metallaxis", "ochiai"}

// locate finds the fix of each bug in what triage tells of its bucket.
func locate(r *report.Triage, fixes map[string]fix) []located {
	var list []located
	for _, bug := range slices.Sorted(maps.Keys(fixes)) {
		f := fixes[bug]
		l := located{Bug: bug, Source: f.Source, At: atNone, Places: make(map[string]int)}
		in := make(map[int]int)
		for i := range r.Inputs {
			input := &r.Inputs[i]
			if input.Label != bug || !input.Sorted() {
				continue
			}
			in[input.Bucket]++
			for _, k := range input.Repairs {
				repair := &r.Repairs[k]
				l.Repairable = l.Repairable || repair.Counts
				switch {
				case !f.touches(repair.File, repair.Line, repair.EndLine):
				case repair.Counts:
					l.At = atClean
				case l.At == atNone:
					l.At = atNoisy
				}
			}
		}
		bucket := 0
		for _, number := range slices.Sorted(maps.Keys(in)) {
			if in[number] > l.Inputs {
				bucket, l.Inputs = number, in[number]
			}
		}
		if bucket == 0 {
			continue // its inputs pass, or can't be sorted
		}
		b := &r.Buckets[bucket-1]
		i := slices.IndexFunc(b.Reading(), func(ranked report.RankedRepair) bool {
			repair := &r.Repairs[ranked.Repair]
			return f.touches(repair.File, repair.Line, repair.EndLine)
		})
		l.Places[repairLocaliser] = i + 1
		ranks := make(map[string]int)
		for _, p := range b.Places {
			ranks[p.Localiser]++
			if l.Places[p.Localiser] == 0 && f.touches(p.File, p.Line, p.EndLine) {
				l.Places[p.Localiser] = ranks[p.Localiser]
			}
		}
		list = append(list, l)
	}
	return list
}

// worthReading is how many repairs a report shows of a bucket (§6).
const worthReading = 5

// printLocated prints how soon each fix is found, and sums up.
func printLocated(w io.Writer, all []*triaged) {
	fmt.Fprint(w, "\nplace of the first that touches the fix\trepairable\trepairs at the fix\tlines from")
	for _, name := range localisers {
		fmt.Fprintf(w, "\t%s", name)
	}
	fmt.Fprintln(w)
	repairable, known, there := 0, 0, 0
	soon := make(map[string]int)
	for _, t := range all {
		for _, l := range t.Located {
			fmt.Fprintf(w, "%s %s\t%v\t%s\t%s", t.Module, l.Bug, l.Repairable, l.At, l.Source)
			known++
			if l.At == atClean {
				there++
			}
			if l.Repairable {
				repairable++
			}
			for _, name := range localisers {
				place := l.Places[name]
				if place == 0 {
					fmt.Fprint(w, "\t-")
					continue
				}
				fmt.Fprintf(w, "\t%d", place)
				if l.Repairable && place <= worthReading {
					soon[name]++
				}
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprintf(w, "in all\t%d of %d\t%d clean\n", repairable, known, there)
	fmt.Fprintf(w, "within %d, of the repairable\t\t\t", worthReading)
	for _, name := range localisers {
		fmt.Fprintf(w, "\t%d of %d", soon[name], repairable)
	}
	fmt.Fprintln(w)
}
