package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/screen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/diff"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/hook"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/regen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/verify"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
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

// addInstall adds the flags that tell what is installed, and what the hooks do.
func (f *flags) addInstall() {
	f.addHook()
	f.set.BoolVar(&f.message, "diff", false, "say in the commit message's template what the commit changes in behavior")
}

// addMessage adds the flags of the hook for commit messages.
func (f *flags) addMessage() {
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
	case !f.regen && !f.message && (f.budget > 0 || f.opts.FuzzTime != project.FuzzTime{}):
		return usageError("-budget and -fuzztime are for -regen and -diff: without these the hook only verifies golden values")
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
	of := map[*hook.Kind][]string{hook.Commit: {"diff"}, hook.Message: {"diff", "regen"}} // flags of others
	if !f.regen {
		of[hook.Commit] = append(of[hook.Commit], "budget", "fuzztime")
	}
	kinds := []*hook.Kind{hook.Commit}
	if f.message {
		kinds = append(kinds, hook.Message)
	} else if i, err := hook.Uninstall(ctx, f.opts.Dir, nil, hook.Message); err != nil {
		return err
	} else if i != nil {
		t.tellRemoved(i)
	}
	for _, kind := range kinds {
		i, err := hook.Install(ctx, f.opts.Dir, nil, kind, program, without(f.args, append(of[kind], "C")...))
		if err != nil {
			return err
		}
		t.tellInstalled(i, program, map[bool]string{true: "run", false: "message"}[kind == hook.Commit])
	}
	return nil
}

// hookMessage is what the hook for commit messages does.
func (t *tool) hookMessage(f *flags) error {
	args := f.opts.Packages
	if len(args) == 0 || len(args) > 3 {
		return usageError("hook message takes what git gives a prepare-commit-msg hook: the file of the message, and where it comes from")
	}
	if len(f.asked()) > 0 {
		return usageError("the hook writes no JSON; fuzzmut diff does")
	}
	f.opts.Packages = nil
	d := t.follow(f, t.stderr)
	ctx, stop := t.interruptible(d)
	defer stop()
	opts := hook.MessageOptions{
		Options: f.opts, Budget: cmp.Or(f.budget, hook.DefaultBudget), File: args[0], Out: t.stderr,
		Diff: func(ctx context.Context, opts project.Options, revision string, search time.Duration) (*behavior.Report, error) {
			if opts.FuzzTime.Execs > 0 {
				search = 0 // the budget still ends it
			}
			opts.Total.Duration = search
			return t.jobs.diff(ctx, diff.Options{Options: opts, Revision: revision, Grace: time.Second, Work: diff.WorkFactor})
		},
		Show: func(w io.Writer, r *behavior.Report) error {
			return text.Format{Short: true, File: fileNames(f.opts.Dir)}.Write(screen.NewText(w), r)
		},
	}
	if len(args) > 1 {
		opts.Source = args[1]
	}
	if !f.verbose {
		opts.Events = nil // a commit is no place for progress
	}
	return hook.WriteMessage(ctx, opts)
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
func (t *tool) tellInstalled(i *hook.Installation, program *hook.Program, runs string) {
	what := "installed"
	if i.Already {
		what = "reinstalled"
	}
	fmt.Fprintf(t.text, "%s: %s\n", i.Path, what)
	fmt.Fprintf(t.text, "it runs %s hook %s\n", strings.Join(program.Words, " "), runs)
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

// without leaves flags out: -C, since git runs hooks in the work tree that they are for, and
// those that are another hook's.
func without(args []string, flags ...string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, value := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(args[i], "-"), "-"), "=")
		switch {
		case !slices.Contains(flags, name):
			out = append(out, args[i])
		case !value && name != "diff" && name != "regen": // those stand alone
			i++
		}
	}
	return slices.Clip(out)
}

// tellRemoved says which hook is gone, and what is in its place.
func (t *tool) tellRemoved(i *hook.Installation) {
	restored := ""
	if i.Before != "" {
		restored = "; the previous hook is restored"
	}
	fmt.Fprintf(t.text, "%s: removed%s\n", i.Path, restored)
}

// hookUninstall removes the hooks.
func (t *tool) hookUninstall(f *flags) error {
	if err := f.checkHook(); err != nil {
		return err
	}
	ctx, stop := t.interruptible(t.follow(f, t.text))
	defer stop()
	removed := false
	for _, kind := range []*hook.Kind{hook.Commit, hook.Message} {
		i, err := hook.Uninstall(ctx, f.opts.Dir, nil, kind)
		switch {
		case err != nil:
			return err
		case i != nil:
			t.tellRemoved(i)
			removed = true
		}
	}
	if !removed {
		fmt.Fprintln(t.text, "fuzzmut has no hook here: nothing was removed")
	}
	return nil
}
