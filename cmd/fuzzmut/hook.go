package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/hook"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/regen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/verify"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// addHook adds the flags that tell the hook what to do.
func (f *flags) addHook() {
	f.set.BoolVar(&f.regen, "regen", false, "regenerate corpora, too")
	f.addBudget()
	f.addFuzzTime()
}

// addBudget adds the flag that bounds what the hook takes.
func (f *flags) addBudget() {
	f.set.Func("budget", "`time` that a commit may take", func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return errors.New("not a duration above zero; write 20s")
		}
		f.budget = d
		return nil
	})
}

// checkHook finds what a command of hook does not take: it has flags alone.
func (f *flags) checkHook() error {
	switch {
	case len(f.opts.Packages) > 0:
		return usageError("the hook takes no packages: it works on those that the staged changes affect")
	case !f.regen && (f.budget > 0 || f.opts.FuzzTime != project.FuzzTime{}):
		return usageError("-budget and -fuzztime are for -regen: without it the hook only verifies golden values")
	case len(f.asked()) > 0:
		return usageError("the hook writes no JSON; fuzzmut corpus verify and fuzzmut corpus regen do")
	}
	return nil
}

// hookRun is what the hook does.
func (t *tool) hookRun(f *flags) error {
	if err := f.checkHook(); err != nil {
		return err
	}
	if f.regen && f.budget == 0 {
		f.budget = hook.DefaultBudget
	}
	d := t.follow(f, t.text)
	ctx, stop := t.interruptible(d)
	defer stop()
	opts := hook.Options{
		Options: f.opts, Budget: f.budget, Out: t.text, Verbose: f.verbose, Quiet: f.quiet,
		Verify: func(ctx context.Context, opts project.Options, update bool) (*report.Verification, error) {
			return t.jobs.verify(ctx, verify.Options{Options: opts, Update: update})
		},
		Regen: func(ctx context.Context, opts project.Options, changed *change.Set) (*report.Report, error) {
			return t.jobs.regen(ctx, regen.Options{Options: opts, Changed: changed, Abandon: true})
		},
	}
	if !f.verbose {
		opts.Events = nil // a commit is no place for progress
	}
	return hook.Run(ctx, opts)
}

// hookInstall installs the hook.
func (t *tool) hookInstall(f *flags) error {
	if err := f.checkHook(); err != nil {
		return err
	}
	self, err := self()
	if err != nil {
		return err
	}
	ctx, stop := t.interruptible(t.follow(f, t.text))
	defer stop()
	program, err := hook.FindProgram(ctx, f.opts.Dir, nil, self)
	if err != nil {
		return err
	}
	i, err := hook.Install(ctx, f.opts.Dir, nil, program, withoutDir(f.args))
	if err != nil {
		return err
	}
	t.tellInstalled(i, program)
	return nil
}

// self returns what is known of this program.
func self() (hook.Self, error) {
	path, err := os.Executable()
	if err != nil {
		return hook.Self{}, usageError("the path of this program can't be determined: %w", err)
	}
	self := hook.Self{Path: path, Package: home + "/cmd/fuzzmut"}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == home {
		self.Version = info.Main.Version
	}
	return self, nil
}

// tellInstalled says where the hook is, and what else is worth knowing about it.
func (t *tool) tellInstalled(i *hook.Installation, program *hook.Program) {
	what := "installed"
	if i.Already {
		what = "reinstalled"
	}
	fmt.Fprintf(t.text, "%s: %s\n", i.Path, what)
	fmt.Fprintf(t.text, "it runs %s hook run\n", strings.Join(program.Words, " "))
	if i.Before != "" {
		fmt.Fprintf(t.text, "the previous hook runs first; it is now %s\n", i.Before)
	}
	if i.Everywhere {
		fmt.Fprintln(t.text, "core.hooksPath is set for all your repositories: the hook runs in each that has a corpus of fuzzmut")
	}
	if i.Tracked && program.Local {
		fmt.Fprintln(t.text, "the repository holds this directory, and the hook names the path of fuzzmut on this machine: elsewhere it takes the fuzzmut in PATH")
	}
}

// withoutDir leaves out -C: git runs hooks in the work tree that they are for.
func withoutDir(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name := strings.TrimPrefix(strings.TrimPrefix(args[i], "-"), "-")
		switch {
		case name == "C":
			i++
		case !strings.HasPrefix(name, "C="):
			out = append(out, args[i])
		}
	}
	return slices.Clip(out)
}

// hookUninstall removes the hook.
func (t *tool) hookUninstall(f *flags) error {
	if err := f.checkHook(); err != nil {
		return err
	}
	ctx, stop := t.interruptible(t.follow(f, t.text))
	defer stop()
	switch i, err := hook.Uninstall(ctx, f.opts.Dir, nil); {
	case err != nil:
		return err
	case i == nil:
		fmt.Fprintln(t.text, "fuzzmut has no hook here: nothing was removed")
	case i.Before != "":
		fmt.Fprintf(t.text, "%s: removed; the previous hook is restored\n", i.Path)
	default:
		fmt.Fprintf(t.text, "%s: removed\n", i.Path)
	}
	return nil
}
