package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/settings"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A configuration is what holds for each setting of a command, and where it comes from. Names
// of members in JSON are a contract.
type configuration struct {
	Version  int       `json:"version"`
	Command  string    `json:"command"`
	File     string    `json:"file,omitempty"` // fuzzmut.toml, "" if there is none
	Settings []effects `json:"settings"`
}

// effects are what holds for one setting.
type effects struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"` // one of the sources
	Line   int    `json:"line,omitempty"`
	// Unused is the line of a value in the file that a flag contradicts.
	Unused int `json:"unused,omitempty"`
}

// Sources of settings.
const (
	fromDefault = "default"
	fromFile    = "file"
	fromFlag    = "flag"
)

// Canonical returns the configuration as programs read it.
func (c *configuration) Canonical() any { return c }

// newConfigFlags returns the flags of the subcommand that shows settings. Those of the command
// that it shows them for are not read with them.
func newConfigFlags(command string) *flags {
	f := newArguments(command)
	f.raw = true
	f.addOutputs(format.Other)
	f.addDirectory()
	return f
}

// config shows the settings of a command line, which is not run.
func (t *tool) config(f *flags) error {
	name, args := commandOf(f.args)
	c := findPath(strings.Fields(name))
	if c.run == nil || !configurable(name) {
		return usageError("fuzzmut %s has no settings; %s have", name, strings.Join(configurableBelow(nil), ", "))
	}
	of := c.flags(name)
	if err := of.parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			_, err = io.WriteString(t.stdout, c.help(name))
		}
		return err
	}
	var path string
	for _, o := range of.asked() {
		if o.Flag != format.JSON.Flag {
			continue
		}
		if path = o.path; path != stdout {
			if err := report.CheckSave(path); err != nil {
				return usageError("-%s: %w", o.Flag, err)
			}
		}
	}
	held := of.holds()
	var err error
	switch path {
	case "":
		_, err = io.WriteString(t.text, held.text())
	case stdout:
		err = format.JSON.Write(t.stdout, held)
	default:
		err = report.Save(path, func(w io.Writer) error { return format.JSON.Write(w, held) })
	}
	if err != nil {
		return usageError("the settings could not be written: %w", err)
	}
	return nil
}

// commandOf cuts the command that arguments begin with, which is the default one if they
// name none.
func commandOf(args []string) (name string, rest []string) {
	for n := min(2, len(args)); n > 0; n-- {
		if findPath(args[:n]) != nil {
			return strings.Join(args[:n], " "), args[n:]
		}
	}
	return commands()[0].name, args
}

// holds returns what holds for each setting.
func (f *flags) holds() *configuration {
	c := &configuration{Version: report.FormatVersion, Command: f.command(), Settings: []effects{}}
	if f.file != nil {
		c.File = f.file.Path
	}
	values := f.lineValues()
	for _, s := range settingList() {
		if !f.takes(s.name) {
			continue
		}
		e := effects{Name: s.name, Value: s.def(f.command()), Source: fromDefault}
		in := f.inFile(s.name)
		i := slices.IndexFunc(f.configured, func(c configured) bool { return c.name == s.name })
		switch {
		case f.wasGiven(s.name):
			e.Value, e.Source = strings.Join(values[s.name], ","), fromFlag
		case i >= 0:
			e.Value, e.Source, e.Line = strings.Join(in.Values, ","), fromFile, in.Line
		case in != nil:
			e.Unused = in.Line
		}
		c.Settings = append(c.Settings, e)
	}
	for _, set := range f.configured {
		if slices.Equal(set.Table, []string{timeoutTable}) {
			c.Settings = append(c.Settings, effects{Name: set.name, Value: set.Values[0], Source: fromFile, Line: set.Line})
		}
	}
	return c
}

// lineValues returns the values of flags as they are on the command line.
func (f *flags) lineValues() map[string][]string {
	values := make(map[string][]string)
	for _, l := range f.lineFlags() {
		values[l.Name] = append(values[l.Name], l.value)
	}
	return values
}

// text returns the configuration as a table.
func (c *configuration) text() string {
	var b strings.Builder
	file := c.File
	if file == "" {
		file = "there is no " + settings.Name + " beside go.mod"
	}
	fmt.Fprintf(&b, "fuzzmut %s: %s\n", c.Command, file)
	widths := [2]int{}
	for _, e := range c.Settings {
		widths[0], widths[1] = max(widths[0], len(e.Name)), max(widths[1], len(e.shown()))
	}
	for _, e := range c.Settings {
		source := e.Source
		if source == fromFile {
			source = fmt.Sprintf("%s:%d", c.File, e.Line)
		}
		if e.Unused > 0 {
			source += fmt.Sprintf("; %s:%d does not hold here", c.File, e.Unused)
		}
		fmt.Fprintf(&b, "  %-*s  %-*s  %s\n", widths[0], e.Name, widths[1], e.shown(), source)
	}
	return b.String()
}

// shown returns the value, and a sign for none.
func (e *effects) shown() string {
	if e.Value == "" {
		return "-"
	}
	return e.Value
}
