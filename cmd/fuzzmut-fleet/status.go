package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go/jetstream"
)

// status prints how far the job of a server is.
func status(ctx context.Context, args []string, out io.Writer) error {
	set := flag.NewFlagSet("fuzzmut fleet status", flag.ContinueOnError)
	var a access
	a.flags(set)
	asJSON := set.Bool("json", false, "print JSON")
	if err := parse(set, args); err != nil {
		return err
	}
	if set.NArg() != 1 {
		return errors.New("fuzzmut fleet status needs the URL of a server")
	}
	a.url = set.Arg(0)
	nc, err := a.connect()
	if err != nil {
		return err
	}
	defer nc.Close()
	s, err := openStore(ctx, nc)
	if err != nil {
		return err
	}
	v, err := s.view(ctx)
	if err != nil {
		return err
	}
	if *asJSON {
		text, err := json.MarshalIndent(v, "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\n", text)
		}
		return err
	}
	v.write(out, time.Now())
	return nil
}

// view is what status shows.
type view struct {
	progress
	Waiting int                 `json:"waiting"` // slices that no worker has
	Leased  int                 `json:"leased"`
	Workers map[string]presence `json:"workers"`
}

// view reads the state of a fleet.
func (s *store) view(ctx context.Context) (*view, error) {
	p, err := s.progress(ctx)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, errors.New("the server has no job")
	}
	v := &view{progress: *p}
	if v.Workers, err = s.present(ctx); err != nil {
		return nil, err
	}
	list := s.slices.ListConsumers(ctx)
	for c := range list.Info() {
		v.Leased += c.NumAckPending
		v.Waiting += int(c.NumPending)
	}
	return v, list.Err()
}

// present lists the workers that are there.
func (s *store) present(ctx context.Context) (map[string]presence, error) {
	all := make(map[string]presence)
	var names []string
	err := retry(ctx, func(ctx context.Context) (err error) {
		names, err = s.workers.Keys(ctx)
		return err
	})
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := get(ctx, s.workers, name)
		if err != nil {
			return nil, err
		}
		var p presence
		if text != nil && json.Unmarshal(text, &p) == nil {
			all[name] = p
		}
	}
	return all, nil
}

// names lists the workers.
func (v *view) names() []string { return slices.Sorted(maps.Keys(v.Workers)) }

// doing says what a worker does.
func (v *view) doing(name string, now time.Time) string {
	p := v.Workers[name]
	if p.Slice == "" {
		return "waits"
	}
	return p.Slice + " for " + now.Sub(p.Since).Round(time.Second).String()
}

// bugsShown bounds the bugs that status shows; the page and -json show all.
const bugsShown = 10

// write writes a view as text.
func (v *view) write(out io.Writer, now time.Time) {
	state := "in progress"
	if v.Ended {
		state = "ended"
	}
	fmt.Fprintf(out, "job %s, %s: %s, round %d of %d\n", v.Job, v.Kind, state, v.Round, v.Rounds)
	fmt.Fprintf(out, "slices: %d of %d done, %d without a result; %d leased, %d waiting\n", v.Done, v.Slices, v.Failed, v.Leased, v.Waiting)
	fmt.Fprintf(out, "executions: %d\n", v.Execs)
	if v.Kind != kindTriage {
		fmt.Fprintf(out, "killed mutants: %d of %d%s\n", v.Killed, v.Mutants, v.curve())
	}
	for _, t := range v.Tests {
		name := t.Fuzz
		if name == "" {
			name = t.Package
		}
		fmt.Fprintf(out, "  %s: %s, %d executions", name, plural(t.Done, "slice"), t.Execs)
		if v.Kind != kindTriage {
			fmt.Fprintf(out, ", %d killed of %d", t.Killed, t.Mutants)
		}
		if v.Kind == kindFuzz && t.Given > 0 {
			fmt.Fprintf(out, ", %d new in the last %d", t.Found, t.Given)
		}
		fmt.Fprintln(out)
	}
	if v.Kind == kindFuzz {
		fmt.Fprintf(out, "failing inputs: %s, by kind and place\n", plural(len(v.Bugs), "bug"))
		for i, b := range v.Bugs {
			if i == bugsShown {
				fmt.Fprintf(out, "  and %d more: fuzzmut triage -share sorts the inputs\n", len(v.Bugs)-i)
				break
			}
			fmt.Fprintf(out, "  %s: %s: %s", b.Fuzz, b.Kind, visible(b.Message))
			if b.Frame != "" {
				fmt.Fprintf(out, " (%s)", visible(b.Frame))
			}
			fmt.Fprintf(out, ", in %s\n", plural(b.Slices, "slice"))
		}
	}
	if v.Messages > 0 {
		fmt.Fprintf(out, "messages: %d, %d kB\n", v.Messages, v.MessageBytes/1000)
	}
	names := v.names()
	fmt.Fprintf(out, "workers: %d\n", len(names))
	for _, name := range names {
		fmt.Fprintf(out, "  %s: %s, %s\n", name, plural(v.Workers[name].Done, "slice"), v.doing(name, now))
	}
}

// plural is a number with a word for what is counted.
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// visible is a text of somebody else's without what a terminal would obey.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// bars are the heights of a curve on a terminal.
var bars = []rune("▁▂▃▄▅▆▇█")

const width = 40

// curve is how the kills grow, slice by slice.
func (v *view) curve() string {
	if len(v.Points) < 2 || v.Killed == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  ")
	n := min(width, len(v.Points))
	for i := range n {
		p := v.Points[i*(len(v.Points)-1)/max(1, n-1)]
		b.WriteRune(bars[min(len(bars)-1, p.Killed*len(bars)/(v.Killed+1))])
	}
	return b.String()
}
