package fleet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

// atOnce is how many processes use one directory while some are killed.
const atOnce = 8

// harmed is what became of a directory whose processes were killed.
type harmed struct {
	killed, ended int // processes
	seen          int // mutants that a reader saw killed at some time
	gone          int // of these, not in the logs at the end
	inputs        int // that a reader saw at some time
	lost          int // of these, not there at the end
	next          int // mutants that a run kills that begins with the directory, before its first input
}

// killedTable prints what is lost when processes are killed at random times.
func (b *bench) killedTable(ctx context.Context, names []string) error {
	fmt.Fprintf(b.out, "\n%d processes use one directory for %v, one is killed about each second\n\n", atOnce, b.killing)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "fuzz test\tkilled processes\tended\tmutants that were in logs\tgone\tinputs\tgone\tnext run: at 0 executions\t")
	for _, t := range chosen(names) {
		h, err := b.harm(ctx, t)
		if err != nil {
			return fmt.Errorf("%s %s: %w", t.name, t.fuzz, err)
		}
		fmt.Fprintf(tw, "%s %s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", t.name, t.fuzz, h.killed, h.ended, h.seen, h.gone, h.inputs, h.lost, h.next)
	}
	return tw.Flush()
}

// swarm are processes that use one directory.
type swarm struct {
	start   func(seed int) (*exec.Cmd, error)
	running []*exec.Cmd
	ends    chan int // places in running whose process has ended
	seed    int
	h       *harmed
}

// place starts a process in a place.
func (s *swarm) place(i int) error {
	s.seed++
	cmd, err := s.start(s.seed)
	if err != nil {
		return err
	}
	s.running[i] = cmd
	go func() {
		cmd.Wait() //nolint:errcheck // it may be killed
		s.ends <- i
	}()
	return nil
}

// live has processes run and be killed, until the time is over. look is called about each second.
func (s *swarm) live(ctx context.Context, rng *rand.Rand, look func() error) error {
	defer func() {
		for _, cmd := range s.running {
			if cmd != nil {
				cmd.Process.Kill() //nolint:errcheck // it may have ended
				<-s.ends
			}
		}
	}()
	for i := range s.running {
		if err := s.place(i); err != nil {
			return err
		}
	}
	victim := -1
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case i := <-s.ends:
			if i != victim {
				s.h.ended++
			} else {
				s.h.killed, victim = s.h.killed+1, -1
			}
			s.running[i] = nil
			if err := s.place(i); err != nil {
				return err
			}
		case <-tick.C:
			if err := look(); err != nil {
				return err
			}
			time.Sleep(time.Duration(rng.IntN(500)) * time.Millisecond)
			if victim < 0 {
				victim = rng.IntN(len(s.running))
				s.running[victim].Process.Kill() //nolint:errcheck // it may have ended
			}
		}
	}
}

// harm has processes use one directory and be killed, and looks at what is left.
func (b *bench) harm(ctx context.Context, t target) (*harmed, error) {
	tree := filepath.Join(b.work, t.name)
	if err := b.place(t, tree); err != nil {
		return nil, err
	}
	dir := filepath.Join(b.work, t.name+t.fuzz+"-killed")
	if _, err := b.run(ctx, t, tree, "", 1, dir); err != nil { // it builds, and says the name of the binary
		return nil, err
	}
	w, err := newWatch(dir)
	if err != nil {
		return nil, err
	}
	h := &harmed{}
	s := &swarm{running: make([]*exec.Cmd, atOnce), ends: make(chan int), seed: 100, h: h, start: func(seed int) (*exec.Cmd, error) {
		cmd := exec.Command(b.command, "-fuzz", "^"+t.fuzz+"$", "-fuzztime", "20000x", "-seed", strconv.Itoa(seed), "-parallel", "1",
			"-corpus", filepath.Join(b.work, "corpus-"+t.fuzz+strconv.Itoa(seed)), "-golden=false", "-q", "-share", dir, ".")
		cmd.Dir = tree
		return cmd, cmd.Start()
	}}
	until, cancel := context.WithTimeout(ctx, b.killing)
	defer cancel()
	if err := s.live(until, rand.New(rand.NewPCG(1, 1)), w.look); err != nil {
		return nil, err
	}
	if err := w.look(); err != nil {
		return nil, err
	}
	if err := w.compare(h); err != nil {
		return nil, err
	}
	log := filepath.Join(b.work, "log-killed")
	if _, err := b.run(ctx, t, tree, log, 99, dir); err != nil {
		return nil, err
	}
	series, err := arena.ReadLog(log)
	if err != nil {
		return nil, err
	}
	h.next = series[0].Points[0].Killed
	return h, nil
}

// watch follows what is in a directory.
type watch struct {
	path    string
	readers map[string]*share.Reader // by binary
	mutants map[string]bool          // binary and number
	inputs  map[string]bool          // paths below the directory
}

func newWatch(path string) (*watch, error) {
	w := &watch{path: path, readers: make(map[string]*share.Reader), mutants: make(map[string]bool), inputs: make(map[string]bool)}
	return w, w.look()
}

// look notes what is there. The error is one of a reader's: no file may be damaged.
func (w *watch) look() error {
	inputs, err := w.files()
	if err != nil {
		return err
	}
	for _, name := range inputs {
		w.inputs[name] = true
	}
	return w.read(w.readers, w.mutants)
}

// read follows the logs of all binaries.
func (w *watch) read(readers map[string]*share.Reader, mutants map[string]bool) error {
	d, err := share.Open(w.path, false)
	if err != nil {
		return err
	}
	logs, err := filepath.Glob(filepath.Join(w.path, "*", "*.log"))
	if err != nil {
		return err
	}
	for _, log := range logs {
		binary := filepath.Base(filepath.Dir(log))
		if readers[binary] == nil {
			readers[binary] = d.NewReader(binary, nil)
		}
	}
	for binary, r := range readers {
		records, err := r.Next()
		if err != nil {
			return err
		}
		for _, k := range records {
			if k.Kill != nil {
				mutants[binary+strconv.Itoa(int(k.Kill.Mutant))] = true
			}
		}
	}
	return nil
}

// files lists the inputs that are there. Those that are being written have other names.
func (w *watch) files() (list []string, err error) {
	err = filepath.WalkDir(filepath.Join(w.path, share.Entries), func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // what was being written has its name now
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir // what is being written
		case !e.IsDir():
			list = append(list, path)
		}
		return nil
	})
	return list, err
}

// compare counts what was there and is no longer.
func (w *watch) compare(h *harmed) error {
	mutants := make(map[string]bool)
	if err := w.read(make(map[string]*share.Reader), mutants); err != nil {
		return err
	}
	h.seen, h.inputs = len(w.mutants), len(w.inputs)
	for m := range w.mutants {
		if !mutants[m] {
			h.gone++
		}
	}
	for name := range w.inputs {
		if _, err := os.Stat(name); err != nil {
			h.lost++
		}
	}
	return nil
}
