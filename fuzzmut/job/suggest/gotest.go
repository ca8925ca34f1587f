package suggest

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// oftenMost is how often written tests run at most before they are written, and oftenTime the time for it.
const oftenMost, oftenTime = 20, 500 * time.Millisecond

// often is how often tests run, if they are short: where the order of a map decides, seven of eight runs may be alike.
// took is the time of one run, 0 if it is not known; least is how often they run in any case.
func often(took time.Duration, least int) int {
	n := 0
	if took > 0 {
		n = int(min(oftenMost, oftenTime/took))
	}
	return max(n, least)
}

// passes makes sure that plain go test passes tests in files a number of times.
func (s *session) passes(ctx context.Context, files map[string][]byte, names []string, times int) error {
	out, err := s.goTest(ctx, files, names, times)
	if err != nil && exit.CodeOf(err) == exit.Usage {
		return err
	}
	if err != nil && ctx.Err() == nil && !mentions(files, out) {
		// go vet, which go test runs before, may refuse other files of the package.
		if _, without := s.goTest(ctx, files, names, times, "-vet=off"); without == nil {
			s.warn(fmt.Sprintf("%s: go test does not pass as it is, whatever the written tests do; with -vet=off it does: %s", s.pkg, problem.FirstLine(string(out))))
			return nil
		}
	}
	if err != nil && ctx.Err() == nil {
		return exit.Errorf(exit.Failing, "the tests do not pass with go test, so that nothing is written: is the code the same each time it runs? %s", problem.FirstLine(string(out)))
	}
	return exit.AsInterrupted(ctx, err)
}

// goTest runs tests in files a number of times, and returns what it writes.
func (s *session) goTest(ctx context.Context, files map[string][]byte, names []string, times int, flags ...string) ([]byte, error) {
	dir, remove, err := tempdir.Make("")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "can't create temporary files: %w; set TMPDIR to a writable directory", err)
	}
	defer remove()
	flag, err := gotool.OverlayFlag(dir, files)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "can't create temporary files: %w; set TMPDIR to a writable directory", err)
	}
	args := slices.Concat([]string{"test"}, s.project.Options.BuildFlags, []string{flag, "-count=" + strconv.Itoa(times), "-run=" + gotool.Exactly(names)}, flags, []string{s.pkg})
	cmd := gotool.GoCommand(ctx, s.loaded.Toolchain.Command, args...)
	cmd.Dir, cmd.Env = s.project.Options.Dir, s.project.Options.Env
	out, err := cmd.CombinedOutput()
	return gotool.InPlace(dir, out), err
}

// mentions says whether output names one of some files.
func mentions(files map[string][]byte, out []byte) bool {
	for path := range files {
		if bytes.Contains(out, []byte(filepath.Base(path))) {
			return true
		}
	}
	return false
}

// Why a test is left out.
const (
	failsAlone = "its test does not pass each time with go test"
	vetRefuses = "go vet, which go test runs before, refuses its test"
)

// failingAlone says which tests in files fail one for one with go test, and why: those that do not pass each
// time, and those that go vet refuses, with which go test runs none.
func (s *session) failingAlone(ctx context.Context, files map[string][]byte, names []string) map[string]string {
	failed := make(map[string]string)
	times := often(s.took, 5)
	out, _ := s.goTest(ctx, files, names, times)
	for path, text := range files {
		for _, name := range functionsAt(text, linesOf(path, out)) {
			failed[name] = vetRefuses
		}
	}
	if len(failed) > 0 {
		out, _ = s.goTest(ctx, files, names, times, "-vet=off")
	}
	for _, name := range names {
		if bytes.Contains(out, []byte("--- FAIL: "+name+" ")) {
			failed[name] = failsAlone
		}
	}
	return failed
}

// linesOf lists the lines of a file that output is about. What a test itself says is indented.
func linesOf(path string, out []byte) (lines []int) {
	place := regexp.MustCompile(`(?m)^(?:vet: )?\S*\b` + regexp.QuoteMeta(filepath.Base(path)) + `:(\d+):`)
	for _, m := range place.FindAllSubmatch(out, -1) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			lines = append(lines, n)
		}
	}
	return lines
}

// functionsAt lists the functions of a file that some of its lines are in.
func functionsAt(text []byte, lines []int) (names []string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range file.Decls {
		begin, end := fset.Position(d.Pos()).Line, fset.Position(d.End()).Line
		if f, ok := d.(*ast.FuncDecl); ok && slices.ContainsFunc(lines, func(n int) bool { return begin <= n && n <= end }) {
			names = append(names, f.Name.Name)
		}
	}
	return names
}
