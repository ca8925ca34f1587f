package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/annotations"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// stdout is what a flag of a format has in place of a file.
const stdout = "-"

// An output is a format, and the file that the result is written into.
type output struct {
	format.File
	path string // stdout, or "" if nothing asks for it
}

// addOutputs adds a flag for each format that results of a kind have.
func (f *flags) addOutputs(k format.Kind) {
	for _, file := range format.Of(k) {
		if f.set.Lookup(file.Flag) != nil {
			continue // every result has it
		}
		o := &output{File: file}
		f.set.StringVar(&o.path, file.Flag, "", file.Usage)
		f.outputs = append(f.outputs, o)
	}
}

// asked returns the outputs that flags ask for.
func (f *flags) asked() []*output {
	var asked []*output
	for _, o := range f.outputs {
		if o.path != "" {
			asked = append(asked, o)
		}
	}
	return asked
}

// textOutput returns where text for people goes, having made sure that the files of the
// other formats can be written. Text gives way to a format on stdout, and to lines for editors.
func (t *tool) textOutput(f *flags) (io.Writer, error) {
	out := t.text
	if f.lines && f.annotations == "" {
		out = t.stderr
	}
	var first *output // that goes to stdout
	for _, o := range f.asked() {
		if o.path == stdout && first != nil {
			return nil, usageError("-%s - and -%s - both write to the standard output: give one of them a file", first.Flag, o.Flag)
		} else if o.path == stdout {
			first = o
			out = t.stderr
		} else if err := report.CheckSave(o.path); err != nil {
			return nil, usageError("-%s: %w", o.Flag, err)
		}
	}
	for _, file := range [][2]string{{"coverprofile", f.opts.CoverProfile}, {"coverprofile", f.test.CoverProfile}, {"tyche", f.opts.Tyche}} {
		if file[1] == "" {
			continue
		}
		if err := report.CheckSave(file[1]); err != nil {
			return nil, usageError("-%s: %w", file[0], err)
		}
	}
	return out, nil
}

// addResult adds the flags of the formats of a kind of results, those that show what has a
// place in the code among them.
func (f *flags) addResult(k format.Kind) {
	f.addOutputs(k)
	names := slices.Sorted(maps.Keys(format.Annotations))
	f.set.Func("format", "print the result as `form`: text, or line for editors", func(s string) error {
		if s != "text" && s != "line" {
			return fmt.Errorf("%q is no form of results; write text or line", s)
		}
		f.lines = s == "line"
		return nil
	})
	f.set.Func("annotations", "print annotations for `service`: "+strings.Join(names, ", "), func(s string) error {
		if format.Annotations[s] == nil {
			return fmt.Errorf("there are none for %q; write %s", s, strings.Join(names, " or "))
		}
		f.annotations = s
		return nil
	})
}

// summaryVariable names the file that GitHub shows below a job. summaryMost is how long it may
// be, and summaryLeast what a result takes at most there, if it has a page.
const (
	summaryVariable = "GITHUB_STEP_SUMMARY"
	summaryMost     = 1 << 20
	summaryLeast    = 1 << 16
)

// deliver writes the result in the formats that flags ask for, and as text to out.
func (t *tool) deliver(f *flags, out io.Writer, r report.Result) error {
	var errs []error
	root := repositoryPath(f.opts.Dir)
	for _, o := range f.asked() {
		writer := o.Writer
		if o.In != nil {
			writer = o.In(root)
		}
		write := func(w io.Writer) error { return writer.Write(w, r) }
		if o.path == stdout {
			errs = append(errs, write(t.stdout))
		} else {
			errs = append(errs, report.Save(o.path, write))
		}
	}
	writeText := func(w io.Writer) error {
		if !f.lines {
			return text.Format{Verbose: f.verbose, Quiet: f.quiet, File: fileNames(f.opts.Dir)}.Write(w, r)
		}
		return errors.Join(format.Lines(modulePath(f.opts.Dir)).Write(t.linesOutput(f, w), r), text.Format{Quiet: true}.Write(w, r))
	}
	if f.annotations == "" {
		errs = append(errs, writeText(out))
	} else {
		errs = append(errs, annotations.Quote(out, rand.Text(), writeText), format.Annotations[f.annotations](root).Write(out, r),
			summarize(t.getenv(summaryVariable), r))
	}
	if err := errors.Join(errs...); err != nil {
		return usageError("the result could not be written: %w", err)
	}
	return nil
}

// linesOutput returns where lines for editors go, where other text goes to out: to stdout, on
// which nothing else is then, unless a format is written there.
func (t *tool) linesOutput(f *flags, out io.Writer) io.Writer {
	onStdout := func(o *output) bool { return o.path == stdout }
	if f.annotations != "" || slices.ContainsFunc(f.asked(), onStdout) {
		return out
	}
	return t.text
}

// summarize appends the result to the summary of a job, as far as there is room; path is ""
// where there is none.
func summarize(path string, r report.Result) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w", summaryVariable, err)
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", summaryVariable, err), file.Close())
	}
	var page bytes.Buffer
	// A step may run several commands. A larger summary is not shown at all.
	if room := summaryMost - info.Size(); room >= summaryLeast {
		err = format.Summary(&page, r, int(room))
	}
	if err == nil {
		_, err = file.Write(page.Bytes())
	}
	return errors.Join(err, file.Close())
}

// repositoryPath is the way from the root of the repository that dir is in to that of its
// module, with slashes; "" if they are the same, or either is not found.
func repositoryPath(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	module := above(dir, "go.mod")
	repository := above(dir, ".git")
	if module == "" || repository == "" {
		return ""
	}
	rel, err := filepath.Rel(repository, module)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// modulePath is the way from the working directory to the root of the module that dir is in.
func modulePath(dir string) string {
	full, here, err := wholePaths(dir)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(here, above(full, "go.mod"))
	if err != nil {
		return ""
	}
	return rel
}

// fileNames returns what a file of the module that dir is in is called in the working directory; nil: as in the
// module, where that is the working directory, or where several are, as in a workspace.
func fileNames(dir string) func(name string) string {
	full, here, err := wholePaths(dir)
	if err != nil {
		return nil
	}
	module := above(full, "go.mod")
	if module == "" || module == here || above(full, "go.work") != "" {
		return nil
	}
	return func(name string) string {
		if !filepath.IsLocal(name) {
			return name
		}
		rel, err := filepath.Rel(here, filepath.Join(module, name))
		if err != nil {
			return name
		}
		return filepath.ToSlash(rel)
	}
}

// wholePaths returns those of a directory and of the working directory.
func wholePaths(dir string) (full, here string, err error) {
	if here, err = filepath.Abs(""); err != nil {
		return "", "", err
	}
	full, err = filepath.Abs(dir)
	return full, here, err
}

// above returns the nearest directory from dir upwards that has a file or directory of a name;
// "" if there is none.
func above(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
