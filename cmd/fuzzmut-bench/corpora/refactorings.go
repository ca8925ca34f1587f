package corpora

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// A refactored module is one of testdata/refactorings: a module of the proxy, files of ours
// that are added, and refactorings. Each is applied to the module alone.
type refactored struct {
	name   string // of the file, without its extension
	module string // "path@version"
	tests  string // the module's own tests that have to pass, as for go test -run
	files  []txtar.File
	edits  []refactoring
}

// A refactoring is a list of edits that change nothing that a caller can see.
type refactoring struct {
	name  string
	edits []edit
}

// An edit replaces text in the files that match a pattern.
type edit struct {
	files    string // as for filepath.Match, below the module's directory
	old, now string
	word     bool // old is an identifier, wherever it stands
}

// refactoringBench asks whether golden values survive refactorings.
type refactoringBench struct {
	execs   int64
	seed    uint64
	work    string
	command string
	table   *tabwriter.Writer
	values  int
	changed int
}

// RunRefactorings prints how many golden values refactorings change.
func RunRefactorings(args []string) error {
	fs := flag.NewFlagSet("refactorings", flag.ContinueOnError)
	b := &refactoringBench{}
	fs.Int64Var(&b.execs, "execs", 5_000, "executions of the run that makes the corpus")
	fs.Uint64Var(&b.seed, "seed", 1, "of the run")
	data := fs.String("data", filepath.Join("testdata", "refactorings"), "`directory` of the modules and refactorings")
	if err := fs.Parse(args); err != nil {
		return err
	}
	list, err := readRefactorings(*data, fs.Args())
	if err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.command, err = arena.BuildFuzzmut(b.work); err != nil {
		return err
	}
	b.table = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(b.table, "module\trefactoring\tvalues\tchanged\t")
	for _, m := range list {
		if err := b.module(context.Background(), m); err != nil {
			return errors.Join(b.table.Flush(), fmt.Errorf("%s: %w", m.name, err))
		}
	}
	fmt.Fprintf(b.table, "in all\t\t%d\t%d\t\n", b.values, b.changed)
	return b.table.Flush()
}

// module grows the corpus of one module and applies its refactorings.
func (b *refactoringBench) module(ctx context.Context, m refactored) error {
	dir := filepath.Join(b.work, m.name)
	if err := arena.CopyModule(b.work, m.module, dir); err != nil {
		return err
	}
	for _, f := range m.files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return err
		}
	}
	// A bug of the module is nothing that a refactoring changes: verify skips what is known.
	if _, err := arena.Run(ctx, arena.AnyCore, dir, b.command, "-q", "-write-known", "-fuzztime="+strconv.FormatInt(b.execs, 10)+"x",
		"-seed="+strconv.FormatUint(b.seed, 10), "-parallel=1", "."); err != nil {
		return err
	}
	for _, r := range m.edits {
		values, changed, err := b.refactor(ctx, dir, m.tests, r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		b.values, b.changed = b.values+values, b.changed+changed
		fmt.Fprintf(b.table, "%s\t%s\t%d\t%d\t\n", m.module, r.name, values, changed)
	}
	return nil
}

// refactor applies one refactoring, runs the module's own tests, verifies, and takes the
// refactoring back.
func (b *refactoringBench) refactor(ctx context.Context, dir, tests string, r refactoring) (values, changed int, err error) {
	before, err := r.apply(dir)
	defer func() {
		for path, data := range before {
			err = errors.Join(err, os.WriteFile(path, data, 0o666))
		}
	}()
	if err != nil {
		return 0, 0, err
	}
	if _, err := arena.Run(ctx, arena.AnyCore, dir, "go", "test", "-vet=off", "-short", "-run="+tests, "-skip=^Fuzz", "."); err != nil {
		return 0, 0, fmt.Errorf("the module's own tests: %w", err)
	}
	p, err := arena.Run(ctx, arena.AnyCore, dir, b.command, "corpus", "verify", "-q", "-json", "-", ".")
	var result struct {
		Tests []struct{ Values, Changed, Failing int }
	}
	if jerr := json.Unmarshal(p.Stdout, &result); jerr != nil {
		return 0, 0, errors.Join(err, jerr)
	}
	for _, t := range result.Tests {
		values += t.Values + t.Changed
		changed += t.Changed + t.Failing
	}
	if err != nil && changed == 0 { // a difference is an error of the command
		return 0, 0, err
	}
	if changed > 0 {
		fmt.Fprintf(os.Stderr, "%s\n", p.Stdout)
	}
	return values, changed, nil
}

// apply changes files, and returns what they held.
func (r refactoring) apply(dir string) (before map[string][]byte, err error) {
	before = make(map[string][]byte)
	for _, e := range r.edits {
		paths, err := filepath.Glob(filepath.Join(dir, e.files))
		if err != nil {
			return before, err
		}
		count := 0
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return before, err
			}
			text, n := e.replace(string(data))
			if count += n; n == 0 {
				continue
			}
			if before[path] == nil {
				before[path] = data
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return before, err
			}
		}
		if count == 0 {
			return before, fmt.Errorf("%s: no %q", e.files, e.old)
		}
	}
	return before, nil
}

// replace replaces all that the edit is about, and says how often.
func (e edit) replace(text string) (string, int) {
	if !e.word {
		return strings.ReplaceAll(text, e.old, e.now), strings.Count(text, e.old)
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(e.old) + `\b`)
	return word.ReplaceAllLiteralString(text, e.now), len(word.FindAllStringIndex(text, -1))
}

// readRefactorings reads the modules of a directory, those of the names or all.
func readRefactorings(dir string, names []string) ([]refactored, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var list []refactored
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		ar, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		m, err := parseRefactored(name, ar)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, m)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no module in %s: run from the repository's root", dir)
	}
	return list, nil
}

// parseRefactored reads one module. The first line names it; the next one, if there is one,
// its own tests that do not depend on the clock. Files below add/ are added, each one below refactor/ is
// a refactoring: lines "word FILES OLD NEW", and "text FILES" with the two texts after it,
// between lines of <<<, === and >>>.
func parseRefactored(name string, ar *txtar.Archive) (refactored, error) {
	m := refactored{name: name}
	m.module, m.tests, _ = strings.Cut(strings.TrimSpace(string(ar.Comment)), "\n")
	for _, f := range ar.Files {
		if added, ok := strings.CutPrefix(f.Name, "add/"); ok {
			m.files = append(m.files, txtar.File{Name: added, Data: f.Data})
			continue
		}
		edits, err := parseEdits(string(f.Data))
		if err != nil {
			return m, fmt.Errorf("%s: %w", f.Name, err)
		}
		m.edits = append(m.edits, refactoring{strings.TrimPrefix(f.Name, "refactor/"), edits})
	}
	return m, nil
}

func parseEdits(text string) ([]edit, error) {
	var list []edit
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		words := strings.Fields(line)
		text = rest
		switch {
		case len(words) == 0:
		case words[0] == "word" && len(words) == 4:
			list = append(list, edit{files: words[1], old: words[2], now: words[3], word: true})
		case words[0] == "text" && len(words) == 2:
			body, after, ok := strings.Cut(rest, "\n>>>\n")
			old, now, both := strings.Cut(strings.TrimPrefix(body, "<<<\n"), "\n===\n")
			if !ok || !both || !strings.HasPrefix(body, "<<<\n") {
				return nil, fmt.Errorf("%q wants two texts after it", line)
			}
			list, text = append(list, edit{files: words[1], old: old, now: now}), after
		default:
			return nil, fmt.Errorf("%q is no edit", line)
		}
	}
	return list, nil
}
