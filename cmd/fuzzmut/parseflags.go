package main

import (
	"errors"
	"flag"
	"slices"
	"strings"
)

// parse reads args: flags and packages, in any order. "--" ends the flags. The
// result is flag.ErrHelp, unwrapped, if help was asked for.
func (f *flags) parse(args []string) error {
	f.args = args
	if f.raw {
		if len(args) > 0 && isHelp(args[0]) {
			return flag.ErrHelp
		}
		return nil
	}
	if f.set.Lookup("args") != nil {
		args, f.test.Args = cutArgs(args)
	}
	pass := func(arg string) { f.opts.BuildFlags = append(f.opts.BuildFlags, arg) }
	if f.builds {
		addBuildFlags(f.set, buildFlags, pass)
	}
	for len(args) > 0 {
		if err := f.set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return err
			}
			if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
				if f.laterFlag(strings.TrimLeft(name, "-"), pass) {
					args = args[len(args)-len(f.set.Args())-1:]
					continue
				}
				return f.unknownFlag(name)
			}
			return usageError("%w", err)
		}
		rest := f.set.Args()
		n := len(args) - len(rest)
		if n > 0 && args[n-1] == "--" {
			f.given = append(f.given, args[:n-1]...)
			f.opts.Packages = append(f.opts.Packages, rest...)
			break
		}
		f.given = append(f.given, args[:n]...)
		if args = rest; len(rest) > 0 {
			f.opts.Packages = append(f.opts.Packages, rest[0])
			args = rest[1:]
		}
	}
	if err := f.missingValue(); err != nil {
		return err
	}
	if err := f.configure(); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return errors.Join(err, f.origins(err))
	}
	// The page alone shows what is covered.
	f.opts.Covered = slices.ContainsFunc(f.asked(), func(o *output) bool { return o.Flag == "html" })
	return nil
}

// missingValue is the error for a flag that has taken the flag after it for its value, as -json in "-json -v". The
// value of a build flag may be a flag of another tool.
func (f *flags) missingValue() error {
	for _, l := range f.lineFlags() {
		if !l.apart || l.Usage == passedUsage || !strings.HasPrefix(l.value, "-") {
			continue
		}
		next, _, _ := strings.Cut(strings.TrimLeft(l.value, "-"), "=")
		if f.set.Lookup(next) != nil {
			return usageError("%s needs a value, and -%s is a flag; if it is the value, write %s=%s", l.arg, next, l.arg, l.value)
		}
	}
	return nil
}

// A lineFlag is a flag as it is on the command line.
type lineFlag struct {
	*flag.Flag
	arg, value string // arg is without a value
	apart      bool   // the value is the next argument
}

// lineFlags lists the flags that are on the command line.
func (f *flags) lineFlags() (list []lineFlag) {
	for i := 0; i < len(f.given); i++ {
		arg, value, ok := strings.Cut(f.given[i], "=")
		fl := f.set.Lookup(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"))
		if fl == nil {
			continue // no flag, as "--"
		}
		l := lineFlag{Flag: fl, arg: arg, value: value}
		switch {
		case ok:
		case isBool(fl):
			l.value = "true"
		case i+1 < len(f.given):
			i++
			l.value, l.apart = f.given[i], true
		}
		list = append(list, l)
	}
	return list
}

// laterFlag adds the build flag of that name, which fuzzmut does not know, if the go
// command has it, as a later one may.
func (f *flags) laterFlag(name string, pass func(arg string)) bool {
	if !f.builds {
		return false
	}
	text, err := f.goHelp(f.opts.Dir)
	if err != nil {
		return false // the run itself reports it
	}
	for _, b := range helpFlags(text) {
		if b.name == name {
			return addBuildFlags(f.set, []buildFlag{b}, pass)
		}
	}
	return false
}
