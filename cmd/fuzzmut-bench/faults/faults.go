//go:build linux

// Package faults harms runs of the real command. It counts what is lost, what is not
// cleaned up, and what is reported wrongly. Workers and coordinators are killed and
// interrupted, files are damaged, fuzz targets misbehave, disks are full.
package faults

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"text/tabwriter"
	"time"
)

// Config says what to do.
type Config struct {
	Seed    uint64
	N       float64  // times the usual counts
	Rows    []string // prefixes of the rows and kinds to do; none: all
	Slots   int      // runs at a time
	Trees   string   // directory of the packages under test
	Keep    string   // directory for what went wrong
	Command string   // the built command; "": it is built
	Out     io.Writer
	Log     io.Writer // gets how far the rows are, and each problem as it is found
}

// A row of the table.
type row struct {
	name        string
	runs        int
	lost, left  []string
	misreported []string
	note        string // what was left out, and why
	since       time.Time
}

type bench struct {
	Config
	work  string
	slots chan *slot
	trial atomic.Int64

	mu   sync.Mutex // for rows, and what is written to Log
	rows []*row
}

// A slot has separate caches, so that runs at the same time do not share Go's.
type slot struct {
	cache string // GOCACHE
}

// warm gives a slot what Go has built on this machine before: links, since Go never
// changes what such a file says. What is missing is built by the first run.
func (s *slot) warm(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	from := strings.TrimSpace(string(out))
	dirs, err := filepath.Glob(filepath.Join(from, "[0-9a-f][0-9a-f]"))
	if err != nil {
		return err
	}
	for _, d := range dirs {
		to := filepath.Join(s.cache, filepath.Base(d))
		if err := os.MkdirAll(to, 0o777); err != nil {
			return err
		}
		files, err := os.ReadDir(d)
		if err != nil {
			return err
		}
		for _, f := range files {
			os.Link(filepath.Join(d, f.Name()), filepath.Join(to, f.Name())) //nolint:errcheck // perhaps another file system: then all is built
		}
	}
	return nil
}

// Run does what the configuration says, and prints the table. It returns an error if
// anything was lost, left behind or misreported, or could not be tried.
func Run(ctx context.Context, cfg Config) error {
	// The runs obey what the bench was started with, which nohup makes deaf to it.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	b := &bench{Config: cfg, slots: make(chan *slot, cfg.Slots)}
	var err error
	if b.work, err = os.MkdirTemp("", "fuzzmut-faults-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.Command == "" {
		b.Command = filepath.Join(b.work, "fuzzmut")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.Command, "./cmd/fuzzmut").CombinedOutput(); err != nil {
			return fmt.Errorf("building the command: %w\n%s", err, out)
		}
	}
	for n := range cfg.Slots {
		s := &slot{cache: filepath.Join(b.work, fmt.Sprintf("cache%d", n))}
		if err := s.warm(ctx); err != nil {
			return err
		}
		b.slots <- s
	}
	for _, part := range []func(context.Context) error{b.corruptFiles, b.misbehaving, b.fullDisks, b.killedWorkers, b.endedCoordinators} {
		if err := part(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			b.print()
			return err
		}
	}
	return b.print()
}

// wants reports whether a row, or a kind of it, is to be done.
func (b *bench) wants(name string) bool {
	return len(b.Rows) == 0 || slices.ContainsFunc(b.Rows, func(r string) bool { return strings.HasPrefix(name, r) })
}

func (b *bench) count(n int) int { return max(int(float64(n)*b.N+0.5), 1) }

func (b *bench) row(name string) *row {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &row{name: name}
	b.rows = append(b.rows, r)
	return r
}

// logf writes a line of the log, with the time.
func (b *bench) logf(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fmt.Fprintf(b.Log, "%s %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}

// begin logs that a row begins, with at most n of what noun says.
func (b *bench) begin(r *row, n int, noun string) {
	r.since = time.Now()
	b.logf("%s: begins, at most %d %s", r.name, n, noun)
}

// end logs what a row has shown, and the time that it took.
func (b *bench) end(r *row) {
	b.logf("%s: ends after %v: %d times, %d lost, %d left behind, %d misreported",
		r.name, r.took(), r.runs, len(r.lost), len(r.left), len(r.misreported))
}

// took returns how long a row has been going on.
func (r *row) took() time.Duration { return time.Since(r.since).Round(time.Second) }

// each calls do for 0 to n-1, in as many goroutines as there are slots. What do draws
// is a function of the seed, the row and the number. The log has a line for each tenth.
func (b *bench) each(ctx context.Context, r *row, n int, do func(t *trial, i int)) {
	b.begin(r, n, "trials")
	defer b.end(r)
	var done atomic.Int64
	var wait sync.WaitGroup
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		s := <-b.slots
		wait.Go(func() {
			defer func() { b.slots <- s }()
			t := b.newTrial(ctx, r, s, i)
			do(t, i)
			b.close(t)
			if d := int(done.Add(1)); d < n && d*10/n > (d-1)*10/n {
				b.logf("%s: %d of at most %d trials after %v", r.name, d, n, r.took())
			}
		})
	}
	wait.Wait()
}

func (b *bench) newTrial(ctx context.Context, r *row, s *slot, i int) *trial {
	id := fmt.Sprintf("fuzzmut-fault-%d-%d", os.Getpid(), b.trial.Add(1))
	h := uint64(14695981039346656037)
	for _, c := range []byte(r.name) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return &trial{
		b: b, ctx: ctx, slot: s, id: id, seed: uint64(i + 1), rnd: rand.New(rand.NewPCG(b.Seed^h, uint64(i))),
		name: fmt.Sprintf("%s, run %d of seed %d", r.name, i, b.Seed), runs: 1, dir: filepath.Join(b.work, id),
	}
}

// close books what a trial has shown, and keeps its directory if anything is wrong.
func (b *bench) close(t *trial) {
	all := slices.Concat(t.lost, t.left, t.misreported)
	if len(all) > 0 {
		keep := filepath.Join(b.Keep, t.id)
		err := os.MkdirAll(b.Keep, 0o777)
		if err == nil {
			os.WriteFile(filepath.Join(t.dir, "problems"), []byte(strings.Join(all, "\n")+"\n"), 0o666) //nolint:errcheck // it is printed, too
			err = os.CopyFS(keep, os.DirFS(t.dir))
		}
		for _, p := range all {
			b.logf("%s: %s; kept in %s (%v)", t.name, p, keep, err)
		}
	}
	os.RemoveAll(t.dir)
}

// book adds a trial to a row.
func (b *bench) book(r *row, t *trial) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.runs += t.runs
	r.lost, r.left, r.misreported = append(r.lost, t.lost...), append(r.left, t.left...), append(r.misreported, t.misreported...)
}

func (b *bench) print() error {
	fmt.Fprintf(b.Out, "seed %d, %d runs at a time, started %s\n\n", b.Seed, b.Slots, time.Now().Format(time.DateOnly))
	w := tabwriter.NewWriter(b.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "| fault\t| times\t| lost\t| left behind\t| misreported\t|")
	fmt.Fprintln(w, "|---\t|---:\t|---:\t|---:\t|---:\t|")
	wrong := 0
	for _, r := range b.rows {
		name := r.name
		if r.note != "" {
			name += " (" + r.note + ")"
		}
		fmt.Fprintf(w, "| %s\t| %d\t| %d\t| %d\t| %d\t|\n", name, r.runs, len(r.lost), len(r.left), len(r.misreported))
		wrong += len(r.lost) + len(r.left) + len(r.misreported)
	}
	w.Flush()
	if wrong > 0 {
		return fmt.Errorf("%d times something was lost, left behind or misreported: see above", wrong)
	}
	return nil
}
