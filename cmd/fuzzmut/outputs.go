package main

import (
	"errors"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
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

// addOutputs adds a flag for each of some formats.
func (f *flags) addOutputs(files []format.File) {
	for _, file := range files {
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
// other formats can be written. Text gives way to a format on stdout.
func (t *tool) textOutput(f *flags) (io.Writer, error) {
	out := t.text
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
	return out, nil
}

// deliver writes the result in the formats that flags ask for, and as text to out.
func (t *tool) deliver(f *flags, out io.Writer, r report.Result) error {
	var errs []error
	for _, o := range f.asked() {
		write := func(w io.Writer) error { return o.Write(w, r) }
		if o.path == stdout {
			errs = append(errs, write(t.stdout))
		} else {
			errs = append(errs, report.Save(o.path, write))
		}
	}
	errs = append(errs, text.Format{Verbose: f.verbose, Quiet: f.quiet}.Write(out, r))
	if err := errors.Join(errs...); err != nil {
		return usageError("the result could not be written: %w", err)
	}
	return nil
}
