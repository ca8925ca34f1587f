package suggest

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
)

const oraclesFormat = "%-52s %9v %8v %6v %7v %10v %6v %8v %6v %12v %8v\n"

// writeOracles writes a row of properties. Gaps are survivors that fuzz tests without an
// assertion tell from the original in the same time; asserted are those that properties kill.
func (r *row) writeOracles(w io.Writer, name string) {
	o := r.Oracles
	if o == nil {
		o = &suggestion.Oracles{}
	}
	share := "-"
	if r.gaps > 0 {
		share = fmt.Sprintf("%.0f %%", 100*float64(o.Asserted)/float64(r.gaps))
	}
	fmt.Fprintf(w, oraclesFormat, name, r.Survivors, o.Proposed, o.Held, len(o.Failing), len(o.Properties), r.gaps, o.Asserted, share,
		fmt.Sprintf("%d of %d", r.killed, r.checked), fmt.Sprintf("%.0f", r.Seconds))
}

// headOracles writes the head of the table of properties.
func headOracles(w io.Writer) {
	fmt.Fprintf(w, oraclesFormat, "package", "survivors", "proposed", "held", "failing", "properties", "gaps", "asserted", "share", "plain edits", "seconds")
}

// oneOracles measures the properties of one package, and then the gaps.
func (b *bench) oneOracles(ctx context.Context, name, root string) (row, error) {
	module, dir, _ := strings.Cut(name, " ")
	if err := arena.CopyModule(b.work, module, root); err != nil {
		return row{}, err
	}
	dir = filepath.Join(root, dir)
	plain, err := b.suggest(ctx, dir)
	if err != nil {
		return row{}, err
	}
	p, err := b.suggest(ctx, dir, "-oracles", "-write-test")
	if err != nil {
		return row{}, err
	}
	r := row{Package: p}
	for _, search := range plain.Searches {
		r.gaps += search.Found
	}
	if r.Oracles == nil {
		return r, nil
	}
	for _, property := range r.Oracles.Properties {
		r.Cases = append(r.Cases, suggestion.Case{Test: property.Test, Closes: property.Kills})
	}
	return r, b.checkEdits(ctx, dir, &r)
}

// suggest runs the command on a package.
func (b *bench) suggest(ctx context.Context, dir string, flags ...string) (suggestion.Package, error) {
	result := filepath.Join(b.work, "result.json")
	args := append([]string{"suggest", "-q", "-fuzztime", b.time, "-seed", fmt.Sprint(b.seed), "-json", result}, flags...)
	if err := b.fuzzmut(ctx, dir, append(args, ".")...); err != nil {
		return suggestion.Package{}, err
	}
	var rep suggestion.Report
	if err := readJSON(result, &rep); err != nil {
		return suggestion.Package{}, err
	}
	if len(rep.Packages) != 1 {
		return suggestion.Package{}, fmt.Errorf("the result has %d packages", len(rep.Packages))
	}
	return rep.Packages[0], nil
}
