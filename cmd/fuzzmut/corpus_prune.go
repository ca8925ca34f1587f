package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share/bucket"
)

// corpusPrune removes from a shared directory what nobody needs.
func (t *tool) corpusPrune(f *flags) error {
	if len(f.opts.Packages) > 0 {
		return usageError("fuzzmut corpus prune takes no packages: -share names the directory")
	}
	if f.opts.Share == "" {
		return usageError("fuzzmut corpus prune needs -share with the directory")
	}
	if _, err := os.Stat(f.opts.Share); err != nil && !bucket.IsURL(f.opts.Share) {
		return usageError("-share: %w; name a directory that fuzzmut -share has made", err)
	}
	f.limits.DryRun = f.opts.DryRun
	dir, err := share.OpenAny(f.opts.Share, !f.opts.DryRun)
	if err != nil {
		return usageError("-share: %w", err)
	}
	defer dir.Close()
	if _, err := dir.Sync(""); err != nil {
		return usageError("-share: %w", err)
	}
	done, err := dir.Prune(time.Now(), f.limits)
	describePruned(t.text, f.opts.Share, done, f.opts.DryRun)
	if err == nil && !f.opts.DryRun {
		err = dir.SyncPruned()
	}
	if err != nil {
		return usageError("-share: %w", err)
	}
	return nil
}

// describePruned says what was removed.
func describePruned(w io.Writer, dir string, p *share.Pruned, dry bool) {
	fmt.Fprintf(w, "%s: %s, %s failing, %s\n", dir, amount(p.Entries, "input"), amount(p.Failing, "input"), amount(p.Logs, "log"))
	gone := "removed"
	if dry {
		gone = "would be removed"
	}
	for _, line := range []struct {
		share.Amount
		noun, why string
	}{
		{p.Redundant, "input", "others cover and kill all that they do"},
		{p.Old, "input", "older than -max-age, and no log is about them"},
		{p.Cut, "input", "over -max-size, although they add something"},
		{p.Dropped, "log", "of test binaries that nobody has used for -max-age"},
	} {
		if line.Files > 0 {
			fmt.Fprintf(w, "  %s %s: %s\n", amount(line.Amount, line.noun), gone, line.why)
		}
	}
	if p.Joined.Files > 0 {
		fmt.Fprintf(w, "  %s %s: %s has what they say\n", amount(p.Joined, "log"), gone, amount(p.Written, "new log"))
	}
	for _, text := range p.Damaged {
		fmt.Fprintf(w, "  %s\n", text)
	}
}

// amount is a number of files and their size.
func amount(a share.Amount, noun string) string {
	return fmt.Sprintf("%s (%s)", report.Plural(a.Files, noun), kilobytes(a.Bytes))
}

func kilobytes(n int64) string {
	if n < 10_000_000 {
		return strconv.FormatInt((n+999)/1000, 10) + " kB"
	}
	return strconv.FormatInt(n/1_000_000, 10) + " MB"
}

// newPruneFlags returns the flags of the subcommand that prunes shared directories.
func newPruneFlags(command string) *flags {
	f := newArguments(command)
	f.addShare()
	f.addDryRun()
	f.set.Func("max-age", "how long what nobody needs is kept, as `90d`", func(s string) (err error) {
		f.limits.Age, err = parseAge(s)
		return err
	})
	f.set.Func("max-size", "most `bytes` of inputs", func(s string) error {
		n, err := parseBytes(s)
		if err != nil || n < 0 {
			return errors.New("not a number of bytes above zero; write 512MiB")
		}
		f.limits.Size = n
		return nil
	})
	return f
}

// parseAge reads a duration, as 12h, or a number of days, as 90d.
func parseAge(s string) (time.Duration, error) {
	const day = 24 * time.Hour
	if number, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(number, 10, 16); err == nil && n > 0 {
			return time.Duration(n) * day, nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d, nil
	}
	return 0, errors.New("not an age above zero; write 90d or 12h")
}
