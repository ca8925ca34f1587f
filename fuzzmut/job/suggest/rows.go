package suggest

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// rowsFile is the file with the probes, which go test has and nobody else.
const rowsFile = "fuzzmut_rows_test.go"

// shownInput is an input of a probe.
type shownInput struct {
	probe *probe
	input *corpus.Input
}

// show has go test run the probes on inputs, and reads the rows that they show. Code of the package as it is
// runs there: what it returns is no work of the rewriter.
func (i *inference) show(ctx context.Context, inputs [][]*corpus.Input) error {
	var parts []target.Part
	var names []string
	shown := make(map[string]shownInput)
	for at, p := range i.probes {
		seeds := p.seeds(inputs[at], shown)
		if len(seeds) == 0 {
			continue
		}
		part, err := p.Source(p.Name, seeds)
		if err != nil {
			return exit.Errorf(exit.Internal, "%w", err)
		}
		parts, names = append(parts, part), append(names, p.Name)
	}
	if len(parts) == 0 {
		return nil
	}
	text, err := target.Join(i.loaded.Packages[0].Name, "", parts...)
	if err != nil {
		return exit.Errorf(exit.Internal, "%w", err)
	}
	i.project.Phase(i.pkg, "running %s", report.Plural(len(parts), "probe"))
	out, err := i.goTest(ctx, map[string][]byte{filepath.Join(i.loaded.Test.Dir, rowsFile): text}, names, 1, "-v", "-vet=off")
	if exit.CodeOf(err) == exit.Usage {
		return err
	}
	i.read(string(out), shown) // of a run that has failed, too: rows are those of calls that have ended
	return nil
}

// seeds writes inputs as lists of arguments, and notes each by the name of its run.
func (p *probe) seeds(inputs []*corpus.Input, shown map[string]shownInput) (seeds []string) {
	for _, in := range inputs {
		if seed, ok := target.Seed(in.Values()); ok {
			shown[p.Name+"/seed#"+strconv.Itoa(len(seeds))] = shownInput{p, in}
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// read reads rows from what go test -v writes. What else a test writes is not looked at.
func (i *inference) read(out string, shown map[string]shownInput) {
	var of shownInput
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if _, name, ok := strings.Cut(line, "=== RUN "); ok {
			of = shown[strings.TrimSpace(name)]
			continue
		}
		_, text, ok := strings.Cut(line, properties.Mark)
		if p := of.probe; ok && p != nil {
			if row := relations.ParseRow(text); len(row) == len(p.Columns) {
				p.rows, p.valid = append(p.rows, row), append(p.valid, of.input)
			}
		}
	}
}
