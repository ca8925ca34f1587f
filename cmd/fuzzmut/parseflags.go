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
