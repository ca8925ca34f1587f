package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/plot"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// plot draws the curves of run logs.
func (t *tool) plot(args []string) error {
	f := &flags{set: flag.NewFlagSet("fuzzmut plot", flag.ContinueOnError)}
	f.set.SetOutput(io.Discard)
	out, over := f.addPlot()
	if err := f.parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return t.help([]string{"log"})
		}
		return err
	}
	files := f.opts.Packages // what stands there without a flag
	if len(files) == 0 {
		return usageError("fuzzmut plot needs logs that fuzzmut -log has written")
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
	err := plot.Draw(&picture, list, *over)
	if err == nil && *out == "" {
		_, err = t.stdout.Write(picture.Bytes())
	} else if err == nil {
		err = report.Save(*out, func(w io.Writer) error {
			_, err := w.Write(picture.Bytes())
			return err
		})
	}
	if err != nil {
		return usageError("the picture could not be written: %w", err)
	}
	return nil
}

// addPlot adds the flags of the subcommand that draws.
func (f *flags) addPlot() (out *string, over *plot.X) {
	over = new(plot.X)
	*over = plot.Time
	f.set.Func("x", "`quantity` of the horizontal axis: time or executions", func(s string) error {
		*over = plot.X(s)
		if *over != plot.Time && *over != plot.Executions {
			return fmt.Errorf("no such axis; there are %s and %s", plot.Time, plot.Executions)
		}
		return nil
	})
	return f.set.String("o", "", "`file` for the picture"), over
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
