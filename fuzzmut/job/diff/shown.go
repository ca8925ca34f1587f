package diff

import (
	"context"
	"go/ast"
	"go/parser"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// showTime bounds the run that shows an input: it is that of one small input.
const showTime = 10 * time.Second

// value is what the bytes of an input stand for, as Go source: of the smallest input of a cause
// people have to see the arguments. "": it stands for no other value, or that can't be shown, as
// where the test binary does nothing outside the directory of its package.
func (c *comparison) value(ctx context.Context, d *difference) string {
	if !c.trials[after].OfValues() || !shows(d.Runs[after].Kind) {
		return ""
	}
	in, p := d.Input, c.sides.pkgs[after]
	dir := filepath.Join(p.Overlay.WorkDir, "shown")
	if _, err := corpus.WriteFile(filepath.Join(dir, "testdata", "fuzz", c.test.Name), in.Hash(), in.Encode()); err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, showTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Binary, "-test.v", "-test.run=^"+regexp.QuoteMeta(c.test.Name)+"$/^"+in.Hash()+"$")
	cmd.Dir, cmd.Env = dir, append(slices.Clone(p.Loaded.Toolchain.Env), covered.ShowVariable+"=1")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return ""
	}
	return withoutType(covered.ValueIn(string(out)))
}

// shows says whether new code, run without fuel, gets so far that the value is logged. What does
// not end would take all of the time, and any amount of memory.
func shows(kind wire.OutcomeKind) bool {
	return kind != wire.Fuel && kind != wire.Exit && kind != wire.Memory && kind != wire.Death
}

// withoutType leaves out the type of a struct that has no name: the names of its fields, those
// of a function's parameters, say enough.
func withoutType(source string) string {
	e, err := parser.ParseExpr(source)
	lit, ok := e.(*ast.CompositeLit)
	if err != nil || !ok {
		return source
	}
	if _, ok := lit.Type.(*ast.StructType); !ok {
		return source
	}
	return source[lit.Lbrace-1:] // positions of an expression count from 1
}
