package suggest

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/tables"
)

// extension is cases as rows of tables that the package has, and the rest as new tests.
type extension struct {
	files map[string][]byte // the files with these tables, by path
	was   map[string][]byte // what they held
	own   *goldentest.PlainTests
	test  []string // by case: the test that has the table; "" for cases of own
}

// extensionTries bounds the attempts to extend tables: each leaves those out that failed before.
const extensionTries = 3

// extend puts cases into tables that call the same function, as far as the tests with them pass
// and kill what the cases kill. nil: there is none.
func (s *session) extend(ctx context.Context, list []kept, written *goldentest.PlainTests) (*extension, error) {
	bad := make(map[*tables.Table]bool)
	found := make(map[string][]*tables.Table)
	for range extensionTries {
		e, used, err := s.place(list, written, func(row *tables.Row, fuzz string) (*tables.Table, string) {
			if _, ok := found[fuzz]; !ok {
				found[fuzz] = tables.Find(s.searched.Loaded, fuzz, row.Line)
			}
			for _, t := range found[fuzz] {
				if text, ok := t.Add(*row); ok && !bad[t] {
					return t, text
				}
			}
			return nil, ""
		})
		if err != nil || e == nil {
			return nil, err
		}
		failed, err := s.failing(ctx, e, list)
		if err != nil {
			return nil, err
		}
		if len(failed) == 0 {
			return e, nil
		}
		before := len(bad)
		for _, t := range used {
			bad[t] = bad[t] || failed[t.Test]
		}
		if len(bad) == before {
			return nil, nil // other tests fail with them
		}
	}
	return nil, nil
}

// place makes an extension of the tables that choose finds for rows; nil: it finds none.
func (s *session) place(list []kept, written *goldentest.PlainTests, choose func(row *tables.Row, fuzz string) (*tables.Table, string)) (*extension, []*tables.Table, error) {
	e := &extension{files: make(map[string][]byte), was: make(map[string][]byte), test: make([]string, len(list))}
	rows := make(map[string]map[*tables.Table][]string) // by file
	var used []*tables.Table
	var rest []kept
	next := make(map[string]int)
	for i, k := range list {
		at := next[k.test]
		next[k.test]++
		row := rowOf(written, k.test, at)
		var t *tables.Table
		var text string
		if row != nil {
			t, text = choose(row, k.test)
		}
		if t == nil {
			rest = append(rest, k)
			continue
		}
		e.test[i] = t.Test
		if !slices.Contains(used, t) {
			used = append(used, t)
		}
		if rows[t.File.Path] == nil {
			rows[t.File.Path] = make(map[*tables.Table][]string)
		}
		rows[t.File.Path][t] = append(rows[t.File.Path][t], text)
		e.was[t.File.Path] = t.File.Src
	}
	if len(used) == 0 {
		return nil, nil, nil
	}
	for path, list := range rows {
		src, err := tables.Extend(e.was[path], list)
		if err != nil {
			return nil, nil, exit.Errorf(exit.Internal, "extending %s: %w", path, err)
		}
		e.files[path] = src
	}
	var err error
	e.own, err = s.join(rest)
	return e, used, err
}

// rowOf is a case of a fuzz test as a row; nil: it is none.
func rowOf(written *goldentest.PlainTests, fuzz string, at int) *tables.Row {
	for _, t := range written.Tests {
		if i := slices.Index(t.Cases, at); t.Fuzz == fuzz && i >= 0 && i < len(t.Rows) {
			return &t.Rows[i]
		}
	}
	return nil
}

// failing lists the tests of tables that do not pass with their new rows, or do not kill what the
// rows are to kill.
func (s *session) failing(ctx context.Context, e *extension, list []kept) (map[string]bool, error) {
	failed := make(map[string]bool)
	files := maps.Clone(e.files)
	maps.Copy(files, e.own.Files)
	names := e.names()
	s.project.Phase(s.pkg, "running %s of the package with more rows in the table", report.Plural(len(names)-len(e.own.Tests), "test"))
	out, err := s.goTest(ctx, files, names, 1)
	if err != nil && exit.CodeOf(err) == exit.Usage || ctx.Err() != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	if err != nil {
		if out, err = s.goTest(ctx, files, names, 1, "-vet=off"); err == nil {
			out = nil
		}
	}
	if err != nil {
		for _, name := range e.test {
			if name != "" && (bytes.Contains(out, []byte("--- FAIL: "+name+" ")) || !bytes.Contains(out, []byte("--- FAIL: "))) {
				failed[name] = true
			}
		}
		return failed, nil
	}
	wanted := make(map[key]bool)
	for i := range list {
		for _, c := range list[i].closes {
			wanted[c.key] = true
		}
	}
	killed, _, err := s.run(ctx, files, names, wanted, unittest.Use{})
	if err != nil {
		return nil, err
	}
	for i := range list {
		if e.test[i] != "" && slices.ContainsFunc(list[i].closes, func(c closed) bool { return killed[c.key] == nil }) {
			failed[e.test[i]] = true
		}
	}
	return failed, nil
}

// names lists the tests of an extension.
func (e *extension) names() []string {
	names := e.own.Names()
	for _, name := range e.test {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// write writes the files with tables. A file that has changed since it was read stays as it is,
// and so do the others.
func (e *extension) write(s *session) error {
	paths := slices.Sorted(maps.Keys(e.files))
	for _, path := range paths {
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, e.was[path]) {
			return exit.Errorf(exit.Usage, "-write-test: %s has changed since it was read, and nothing is written: run the command again", path)
		}
	}
	for _, path := range paths {
		if err := replace(path, e.files[path]); err != nil {
			return exit.Errorf(exit.Usage, "-write-test: %w", err)
		}
		s.report.Extended = append(s.report.Extended, report.RelativeFile(s.loaded.Test.ModuleDir, path))
	}
	return nil
}

// replace gives a file new contents, and leaves it its mode. What a link leads to is replaced.
func replace(path string, src []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := corpus.ReplaceFile(filepath.Dir(path), filepath.Base(path), src); err != nil {
		return err
	}
	return os.Chmod(path, info.Mode().Perm())
}
