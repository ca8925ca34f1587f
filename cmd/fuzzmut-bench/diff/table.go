package diff

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// columns are the parts of a row. Figures stand at the right of their columns.
var columns = []struct {
	title string
	width int // negative: at the left
}{
	{"pair", -12},
	{"expected", -12},
	{"found", -6},
	{"inputs", 9},
	{"buckets", 8},
	{"false", 6},
	{"wall s", 8},
	{"CPU s", 8},
	// What the command is compared with:
	{"replay", 8},
	{"coverage alone", 15},
	{"without mutants", 16},
}

// plainColumns is the number of columns of what is compared with.
const plainColumns = 3

func writeHeader(w io.Writer, plain bool) {
	var titles []string
	for _, c := range columns {
		titles = append(titles, c.title)
	}
	writeCells(w, titles, plain)
}

func writeCells(w io.Writer, cells []string, plain bool) {
	if !plain {
		cells = cells[:len(cells)-plainColumns]
	}
	var line strings.Builder
	for i, cell := range cells {
		fmt.Fprintf(&line, "%*s ", columns[i].width, cell)
	}
	fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
}

// unknown stands where there is no figure.
const unknown = "-"

// writeRow writes one pair.
func writeRow(w io.Writer, r result, plain bool) {
	p, d := r.pair, r.diff
	cells := []string{p.Name, expected(p), yes(d), unknown, unknown, unknown, unknown, unknown, yes(r.replay), yes(r.coverage), yes(r.mutants)}
	if d.ran {
		cells[6], cells[7] = strconv.Itoa(int(d.wall.Seconds()+0.5)), strconv.Itoa(int(d.cpu.Seconds()+0.5))
		if d.inputs > 0 {
			cells[3] = strconv.FormatInt(d.inputs, 10)
		}
		cells[4] = strconv.Itoa(d.causes)
		if p.Causes > 0 {
			cells[4] += "/" + strconv.Itoa(p.Causes)
		}
		if p.Kind == refactoring {
			cells[5] = strconv.Itoa(d.causes)
		}
	}
	writeCells(w, cells, plain)
	for i, m := range r.all() {
		if m.err != nil {
			fmt.Fprintf(w, "  %s: %s\n", [...]string{"diff", "replay", "coverage alone", "without mutants"}[i], lastLine(m.err))
		}
	}
}

// lastLine is where a command says why it failed.
func lastLine(err error) string {
	text := strings.TrimSpace(err.Error())
	return text[strings.LastIndex(text, "\n")+1:]
}

// expected says what is known of a pair.
func expected(p pair) string {
	switch {
	case p.Kind == refactoring:
		return "nothing"
	case p.Causes == 1:
		return "1 cause"
	case p.Causes > 1:
		return strconv.Itoa(p.Causes) + " causes"
	}
	return "some"
}

func yes(m measurement) string {
	switch {
	case m.failed:
		return "error"
	case !m.ran:
		return unknown
	case m.found:
		return "yes"
	}
	return "no"
}

// writeSummaries writes what the rows say: those of the pairs that the command was tuned on,
// and apart from them the rest.
func writeSummaries(w io.Writer, results []result, plain bool) {
	var tuned, apart []result
	for _, r := range results {
		if r.pair.Apart {
			apart = append(apart, r)
		} else {
			tuned = append(tuned, r)
		}
	}
	if len(apart) == 0 || len(tuned) > 0 {
		writeSummary(w, tuned, plain)
	}
	if len(apart) > 0 {
		fmt.Fprintf(w, "\nOn %d of the pairs nothing was tuned:\n", len(apart))
		writeSummary(w, apart, plain)
	}
}

// writeSummary writes what all rows say. Where the command ended with an error, it has
// missed the change; what was not measured is in no share.
func writeSummary(w io.Writer, results []result, plain bool) {
	var found, derivable, replayed, covered, unmutated, buckets, untouched share
	var sooner race
	differences, failed := 0, 0
	for _, r := range results {
		p, d := r.pair, r.diff
		if d.failed {
			failed++
		}
		if p.Kind == refactoring {
			if d.ran {
				untouched.count(!d.found)
			}
			differences += d.causes
			continue
		}
		if d.ran || d.failed {
			found.count(d.found)
			if p.Derivable {
				derivable.count(d.found)
			}
		}
		if d.found && p.Causes > 0 {
			buckets.count(d.causes == p.Causes)
		}
		if r.replay.ran {
			replayed.count(r.replay.found)
		}
		if r.coverage.ran {
			sooner.count(d, r.coverage)
			covered.count(r.coverage.found)
		}
		if r.mutants.ran {
			unmutated.count(r.mutants.found)
		}
	}
	fmt.Fprintln(w)
	if failed > 0 {
		fmt.Fprintf(w, "the command ended with an error on %d of %d pairs\n", failed, len(results))
	}
	fmt.Fprintf(w, "changes found: %s; of those that derivable arguments reach: %s\n", found, derivable)
	if plain {
		fmt.Fprintf(w, "found by replaying a corpus: %s; by coverage alone: %s; without mutants: %s\n", replayed, covered, unmutated)
	}
	if covered.all > 0 {
		fmt.Fprintln(w, sooner)
	}
	fmt.Fprintf(w, "refactorings without a difference: %s; false differences: %d\n", untouched, differences)
	fmt.Fprintf(w, "as many buckets as causes, of the found ones whose causes are known: %s\n", buckets)
}

// A share is how many of all.
type share struct{ part, all int }

func (s *share) count(yes bool) {
	s.all++
	if yes {
		s.part++
	}
}

func (s share) String() string {
	if s.all == 0 {
		return "none measured"
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", s.part, s.all, 100*float64(s.part)/float64(s.all))
}

// A race is of the command and coverage alone, for the first difference, in inputs. Only changes
// count that both find.
type race struct{ sooner, later, same int }

func (r *race) count(diff, coverage measurement) {
	switch {
	case !diff.found || !coverage.found:
	case diff.inputs < coverage.inputs:
		r.sooner++
	case diff.inputs > coverage.inputs:
		r.later++
	default:
		r.same++
	}
}

func (r *race) add(o race) {
	r.sooner, r.later, r.same = r.sooner+o.sooner, r.later+o.later, r.same+o.same
}

func (r race) String() string {
	return fmt.Sprintf("the first difference, against coverage alone: after fewer inputs on %d, after as many on %d, after more on %d", r.sooner, r.same, r.later)
}
