package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/plot"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// plot draws the curves of run logs.
func (t *tool) plot(f *flags) error {
	files := f.opts.Packages // what stands there without a flag
	if len(files) == 0 {
		return usageError("fuzzmut plot needs logs written by fuzzmut -log")
	}
	var list []runlog.Series
	for _, name := range files {
		runs, err := readLog(name)
		if err != nil {
			return usageError("%w", err)
		}
		list = append(list, runs...)
	}
	var picture bytes.Buffer
	err := plot.Draw(&picture, list, f.over)
	if err == nil && f.picture == "" {
		_, err = t.stdout.Write(picture.Bytes())
	} else if err == nil {
		err = report.Save(f.picture, func(w io.Writer) error {
			_, err := w.Write(picture.Bytes())
			return err
		})
	}
	if err != nil {
		return usageError("the picture could not be written: %w", err)
	}
	return nil
}

// newPlotFlags returns the flags of the subcommand that draws.
func newPlotFlags(command string) *flags {
	f := newArguments(command)
	f.over = plot.Time
	f.set.Func("x", "`quantity` of the horizontal axis: time or executions", func(s string) error {
		f.over = plot.X(s)
		if f.over != plot.Time && f.over != plot.Executions {
			return fmt.Errorf("no such axis; the axes are %s and %s", plot.Time, plot.Executions)
		}
		return nil
	})
	f.set.StringVar(&f.picture, "o", "", "`file` for the picture")
	return f
}

// maxLog bounds a log that is read, in bytes: a point takes about 150.
const maxLog = 64 << 20

// readLog reads the log of a run.
func readLog(name string) ([]runlog.Series, error) {
	data, err := regular.Read(name, maxLog)
	if err != nil {
		return nil, err
	}
	list, err := runlog.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}
