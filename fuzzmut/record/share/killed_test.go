//go:build unix

package share

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// envChild has the test binary be a process that leaves kills in a directory, until it is
// killed. It says on its standard output what it has left.
const envChild = "SHARE_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(envChild); dir != "" {
		leaveUntilKilled(dir)
	}
	os.Exit(m.Run())
}

func leaveUntilKilled(path string) {
	d, err := Open(path, true)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	l := d.NewLog(binary64, "example.com/p")
	r := d.NewReader(binary64, l)
	id := os.Getpid()
	for n := 0; ; n++ {
		mutant := uint32(id%1000*10_000 + n + 1) // no other process has the same ones, but for a rare few
		in := corpus.Of(fmt.Sprint("input ", id, n))
		if _, err = d.Keep(Entries, "example.com/p", "FuzzX", in); err == nil {
			err = l.Add(killBy(in.Hash(), mutant))
		}
		if err == nil && n%50 == 0 {
			if err = l.Repair(); err == nil {
				_, err = r.Next()
			}
		}
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(mutant, in.Hash())
	}
}

// claims are what processes have said that they left.
type claims struct {
	mu    sync.Mutex
	list  map[string]bool // mutant and input
	wrong []string
}

// start starts a process, and collects what it says until it ends.
func (c *claims) start(t *testing.T, wg *sync.WaitGroup, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envChild+"="+dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	wg.Go(func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			c.mu.Lock()
			if _, err := strconv.Atoi(lines.Text()[:1]); err != nil {
				c.wrong = append(c.wrong, lines.Text())
			} else {
				c.list[lines.Text()] = true
			}
			c.mu.Unlock()
		}
	})
	return cmd
}

func (c *claims) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.list)
}

// leastLeft is how many kills processes leave at least.
const leastLeft = 100

// Eight processes use one directory, and are killed at any time: all that one has said to have
// left is there, and no reader is harmed. Meanwhile somebody prunes.
func TestTheUnionSurvivesWhoeverIsKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	c := &claims{list: make(map[string]bool)}
	var wg sync.WaitGroup
	running := make([]*exec.Cmd, 8)
	for i := range running {
		running[i] = c.start(t, &wg, dir)
	}
	d, err := Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	r := d.NewReader(binary64, nil)
	seen := make(map[string]bool)
	look := func() {
		list, err := r.Next()
		if err != nil {
			t.Error(err)
		}
		for _, k := range list {
			if k.Kill != nil {
				seen[fmt.Sprint(k.Kill.Mutant, " ", k.Kill.Input)] = true
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	// A busy machine starts a process in a second: then they live longer, and there are some that had the time to leave
	// something.
	enough := func() bool { return c.len() >= leastLeft && len(r.at) >= len(running) }
	begin := time.Now()
	for pause := 20 * time.Millisecond; time.Since(begin) < 2*time.Second || !enough() && time.Since(begin) < time.Minute; pause += time.Millisecond {
		time.Sleep(pause)
		i := rng.IntN(len(running))
		kill9(t, running[i])
		running[i] = c.start(t, &wg, dir)
		look()
		if _, err := d.Prune(time.Now(), Limits{}); err != nil {
			t.Error(err)
		}
	}
	for _, cmd := range running {
		kill9(t, cmd)
	}
	wg.Wait()
	look()
	if !enough() {
		t.Fatalf("only %d kills were left by %d logs", len(c.list), len(r.at))
	}
	checkUnion(t, d, c, seen)
	// Nor is anything lost once all have ended, and the logs are joined.
	age(t, d, 2*time.Hour)
	if done := prune(t, d, Limits{}); done.Written.Files != 1 || done.Joined.Files < len(running) {
		t.Errorf("%+v", done)
	}
	r, seen = d.NewReader(binary64, nil), make(map[string]bool)
	look()
	checkUnion(t, d, c.mutants(), mutantsIn(seen))
}

// mutants are claims without the inputs: where two inputs kill a mutant, one may have gone.
func (c *claims) mutants() *claims { return &claims{list: mutantsIn(c.list), wrong: c.wrong} }

func mutantsIn(list map[string]bool) map[string]bool {
	set := make(map[string]bool)
	for text := range list {
		mutant, _, _ := strings.Cut(text, " ")
		set[mutant] = true
	}
	return set
}

// checkUnion makes sure that what was left is there: the kills, and their inputs.
func checkUnion(t *testing.T, d *Dir, c *claims, seen map[string]bool) {
	t.Helper()
	for _, text := range c.wrong {
		t.Errorf("a process: %s", text)
	}
	lost := 0
	for text := range c.list {
		if !seen[text] {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d kills are lost", lost, len(c.list))
	}
	names, err := d.Names(Entries, "example.com/p", "FuzzX")
	if err != nil || len(names) < len(c.list)/2 {
		t.Errorf("%d inputs, %v", len(names), err)
	}
	for _, name := range names {
		if _, err := d.Read(Entries, "example.com/p", "FuzzX", name, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// kill9 ends a process at once.
func kill9(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	cmd.Wait() //nolint:errcheck // it was killed
}
