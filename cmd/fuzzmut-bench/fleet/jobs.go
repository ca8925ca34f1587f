package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

const (
	jobWorkers = 4
	// cutFor is how long a worker has no network.
	cutFor = 20 * time.Second
	// A server is killed after a time, started again after stopFor, and the next is killed after
	// stopEvery: the servers that are left take up to 9 s to choose a leader.
	stopFor   = 5 * time.Second
	stopEvery = 20 * time.Second
	// jobMost bounds a job.
	jobMost = 20 * time.Minute
)

// fault is what is done to a fleet.
type fault struct {
	name    string
	workers int                                             // 0: jobWorkers
	cluster bool                                            // three servers of NATS, as processes
	fetch   bool                                            // workers have no checkout
	live    bool                                            // slices begin with all kills that are known then
	slices  int                                             // 0: those of the bench
	replay  string                                          // the command that stands for fuzzmut; "": it is fuzzmut
	space   bool                                            // the first worker has a separate network namespace
	harm    func(ctx context.Context, x *fleet, h *outcome) // until ctx ends
	work    func(x *fleet, worker int) (string, error)      // the directory for a worker's files
}

// faults are those of the table.
var faults = []fault{
	{name: "none"},
	{name: "workers without a checkout", fetch: true},
	{name: "workers without a checkout killed", fetch: true, harm: killWorkers},
	{name: "three servers, one killed", cluster: true, harm: killServers},
	{name: "the network of one worker cut for 20 s", cluster: true, space: true, harm: cutNetwork},
	{name: "the disk of one worker full", work: smallDisk, harm: fillDisk},
}

// outcome is what a job of a fleet has brought.
type outcome struct {
	harmed  int
	seconds float64
	counted string // what the server says at the end
	execs   int64
	joined  float64 // seconds from when workers can join to the end
	cpu     float64 // seconds of the server alone, in that time
	all     float64 // CPU seconds of all workers, with what they run
	killed  int     // mutants
	status  state
	slices  []float64 // seconds of each
	facts   map[string]bool
}

// fleet is one job with its processes.
type fleet struct {
	b       *bench
	t       target
	tree    string
	dir     string // for all that this job writes
	fuzzmut string // the command
	fetch   bool   // workers have no checkout
	natsURL string
	space   *space // of the first worker; nil: it has none

	mu      sync.Mutex
	workers []*exec.Cmd
	servers []*exec.Cmd
	joins   []string
	closing bool
}

// jobTable prints whether the results of fleets are those of the same slices alone, and how much
// longer a job takes for each fault than without any.
func (b *bench) jobTable(ctx context.Context, names []string) error {
	fmt.Fprintf(b.out, "\n%s; a job of %d slices of %d executions with %d workers, on this machine; a worker is killed each %v, a server after that time and each %v\n\n", arena.Machine(), b.slices, b.execs, jobWorkers, b.every, stopEvery)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer tw.Flush() //nolint:errcheck // what was measured is shown, whatever comes then
	fmt.Fprintln(tw, "fuzz test\tfault\tfaults\tcounted\texecutions\tentries, also minimized, kills and covers alone\tby the fleet\tlost\tadditional\tseconds\tlost by a fault, s\t")
	for _, t := range chosen(names) {
		alone, err := b.alone(ctx, t)
		if err != nil {
			return err
		}
		none := 0.0
		for _, f := range faults {
			o, err := b.job(ctx, t, &f)
			if err != nil {
				return fmt.Errorf("%s %s, %s: %w", t.name, t.fuzz, f.name, err)
			}
			lost, more := differ(alone, o.facts)
			each := "-"
			if f.name == "none" {
				none = o.joined
			} else if o.harmed > 0 {
				each = fmt.Sprintf("%.1f", (o.joined-none)/float64(o.harmed))
			}
			fmt.Fprintf(os.Stderr, "%s %s, %s: lost %d\n", t.name, t.fuzz, f.name, lost) // how far it is
			fmt.Fprintf(tw, "%s %s\t%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%.0f\t%s\t\n", t.name, t.fuzz, f.name, o.harmed, o.counted, o.execs, len(alone), len(o.facts), lost, more, o.joined, each)
		}
	}
	return nil
}

// sizes are the jobs of the table of workers.
var sizes = []struct {
	name string
	fault
}{
	{"1", fault{workers: 1}},
	{"2", fault{workers: 2}},
	{"4", fault{workers: 4}},
	{"1 without a checkout", fault{workers: 1, fetch: true}},
	{"1, live", fault{workers: 1, live: true}},
	{"4, live", fault{workers: 4, live: true}},
}

// workerTable prints what fleets of different sizes take for the same job, what a server takes for a
// slice when it has to do with nothing else, and by simulation what larger fleets would.
func (b *bench) workerTable(ctx context.Context, names []string) error {
	fmt.Fprintf(b.out, "\n%s; a job of %d slices of %d executions\n\n", arena.Machine(), b.slices, b.execs)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "fuzz test\tworkers\texecutions\tmutants killed\tseconds\tCPU s of workers\tCPU s of the server\tmessages per slice\tkB per slice\tof a worker's time not in slices, ms per slice\t")
	var costs []cost
	for _, t := range chosen(names) {
		if err := b.place(t, filepath.Join(b.work, t.name)); err != nil {
			return err
		}
		var alone cost
		for i := range sizes {
			f := &sizes[i]
			o, err := b.job(ctx, t, &f.fault)
			if err != nil {
				return fmt.Errorf("%s %s, %s workers: %w", t.name, t.fuzz, f.name, err)
			}
			each := float64(b.slices)
			c := cost{name: t.name + " " + t.fuzz, slices: o.slices, between: o.status.between / each}
			fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%.0f\t%.1f\t%.2f\t%.0f\t%.0f\t%.0f\t\n", c.name, f.name, o.execs, o.killed, o.joined, o.all, o.cpu,
				float64(o.status.Messages)/each, float64(o.status.MessageBytes)/1000/each, 1000*c.between)
			if i == 0 { // what a worker does beside slices is not made longer by others
				alone = c
			}
		}
		for _, live := range []bool{false, true} {
			c := alone
			if c.live = live; live {
				c.name += ", live"
			}
			costs = append(costs, c)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if err := b.serverTable(ctx, chosen(names), costs); err != nil {
		return err
	}
	return b.schedule(costs)
}

func differ(want, got map[string]bool) (lost, more int) {
	for f := range want {
		if !got[f] {
			lost++
		}
	}
	for f := range got {
		if !want[f] {
			more++
		}
	}
	return lost, more
}

// alone does the slices one after another without a fleet, and puts together what they leave.
func (b *bench) alone(ctx context.Context, t target) (map[string]bool, error) {
	tree := filepath.Join(b.work, t.name)
	if err := b.place(t, tree); err != nil {
		return nil, err
	}
	all := filepath.Join(b.work, t.name+t.fuzz+"-alone")
	for seed := 1; seed <= b.slices; seed++ {
		dir := all + strconv.Itoa(seed)
		if _, err := b.run(ctx, t, tree, "", seed, dir); err != nil {
			return nil, err
		}
		if err := copyNew(os.DirFS(dir), all); err != nil {
			return nil, err
		}
	}
	return b.factsOf(ctx, t, all)
}

// minimised lists the entries of the corpus that a tree without one has after its inputs were merged
// from a shared directory, and minimized.
func (b *bench) minimised(ctx context.Context, t target, path string) ([]string, error) {
	dir, err := os.MkdirTemp(b.work, "merge-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, t.name)
	if err := b.place(t, tree); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"corpus", "merge", "-share", path}, {"corpus", "minimize"}} {
		cmd := exec.CommandContext(ctx, b.command, append(args, "-q", "-fuzz", "^"+t.fuzz+"$", "-parallel", "1", ".")...)
		cmd.Dir = tree
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("fuzzmut %s: %w: %s", strings.Join(args[:2], " "), err, out)
		}
	}
	return filepath.Glob(filepath.Join(corpus.TestdataDir(tree, t.fuzz), "*"))
}

// factsOf lists what a shared directory has: its inputs, what its logs say, and the entries of the
// corpus that remains of it after minimizing.
func (b *bench) factsOf(ctx context.Context, t target, path string) (map[string]bool, error) {
	facts := make(map[string]bool)
	list, err := b.minimised(ctx, t, path)
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		facts["minimized/"+filepath.Base(entry)] = true
	}
	err = filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(path, at)
		if err == nil && !e.IsDir() && (strings.HasPrefix(rel, share.Entries) || strings.HasPrefix(rel, share.Failing)) {
			facts[rel] = true
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	d, err := share.Open(path, false)
	if err != nil {
		return nil, err
	}
	binaries, err := filepath.Glob(filepath.Join(path, strings.Repeat("[0-9a-f]", 64)))
	if err != nil {
		return nil, err
	}
	for _, dir := range binaries {
		records, err := d.NewReader(filepath.Base(dir), nil).Next()
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			text, err := json.Marshal(r)
			if err != nil {
				return nil, err
			}
			facts[filepath.Base(dir)+string(text)] = true
		}
	}
	return facts, nil
}

// job has a fleet do a job.
func (b *bench) job(ctx context.Context, t target, f *fault) (*outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, jobMost)
	defer cancel()
	x := &fleet{b: b, t: t, tree: filepath.Join(b.work, t.name), fuzzmut: cmp.Or(f.replay, b.command), fetch: f.fetch}
	var err error
	if x.dir, err = os.MkdirTemp(b.work, "fleet-"); err != nil {
		return nil, err
	}
	defer x.close()
	if f.space {
		if x.space, err = newSpace(); err != nil {
			return nil, err
		}
	}
	if f.cluster {
		if err := x.startCluster(ctx); err != nil {
			return nil, err
		}
	}
	return x.run(ctx, f)
}

var (
	joinLine   = regexp.MustCompile(`fuzzmut fleet (join -key \S+ \S+)`)
	sliceLine  = regexp.MustCompile(`(?m) in ([0-9.]+) s$`)
	killedLine = regexp.MustCompile(`(?m)^\S+ Fuzz\S+: (\d+) mutants killed$`)
	busyLine   = regexp.MustCompile(`(?m)^the job has ended; \d+ slices were done here, in ([0-9.]+) s of ([0-9.]+) s$`)
	endLine    = regexp.MustCompile(`(?m)^(\d+) slices, (\d+) without a result; (\d+) executions`)
)

// run starts the server and the workers, and waits for the end of the job.
func (x *fleet) run(ctx context.Context, f *fault) (*outcome, error) {
	begin, o := time.Now(), &outcome{}
	found := filepath.Join(x.dir, "found")
	args := []string{
		"serve", "-share", found, "-state", filepath.Join(x.dir, "state"), "-listen", "127.0.0.1:0", "-lease", "5s",
		"-fuzz", "^" + x.t.fuzz + "$", "-slices", strconv.Itoa(cmp.Or(f.slices, x.b.slices)), "-execs", strconv.FormatInt(x.b.execs, 10),
	}
	if f.fetch {
		args = append(args, "-send")
	}
	if f.live {
		args = append(args, "-live")
	}
	if f.cluster {
		args = append(args, "-nats", x.natsURL, "-replicas", "3", "-plain")
	}
	cmd := x.command(ctx, append(args, ".")...)
	said, err := os.Create(filepath.Join(x.dir, "serve.txt"))
	if err != nil {
		return nil, err
	}
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := x.awaitJoin(ctx, said.Name()); err != nil {
		cmd.Process.Kill() //nolint:errcheck // it may have ended
		<-ended
		return nil, err
	}
	harming, stop := context.WithCancel(ctx)
	joined := time.Now()
	meter := newMeter(harming, cmd.Process.Pid)
	var wg sync.WaitGroup
	for i := range cmp.Or(f.workers, jobWorkers) {
		if err := x.startWorker(f, i); err != nil {
			stop()
			return nil, err
		}
	}
	if f.harm != nil {
		wg.Go(func() { f.harm(harming, x, o) })
	}
	status := make(chan state, 1)
	go func() { status <- x.follow(harming, said.Name(), cmp.Or(f.slices, x.b.slices)) }()
	err = <-ended
	o.joined = time.Since(joined).Seconds()
	stop()
	wg.Wait()
	o.status = <-status
	text, rerr := os.ReadFile(said.Name())
	if err = errors.Join(err, rerr); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	m := endLine.FindStringSubmatch(string(text))
	if m == nil {
		return nil, fmt.Errorf("the server does not say how the job has ended: %s", text)
	}
	o.counted, o.seconds, o.cpu = m[1]+" - "+m[2], time.Since(begin).Seconds(), meter.used()
	if o.execs, err = strconv.ParseInt(m[3], 10, 64); err != nil {
		return nil, err
	}
	for _, m := range sliceLine.FindAllStringSubmatch(string(text), -1) {
		s, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil, err
		}
		o.slices = append(o.slices, s)
	}
	for _, m := range killedLine.FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, err
		}
		o.killed += n
	}
	if f.work != nil {
		o.harmed = x.gaveBack()
	}
	x.end()
	o.all, o.status.between = x.workersTook()
	if f.replay != "" {
		return o, nil
	}
	o.facts, err = x.b.factsOf(ctx, x.t, found)
	return o, err
}

// command is one of fuzzmut-fleet's.
func (x *fleet) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(x.b.work, "fuzzmut-fleet"), args...)
	cmd.Dir, cmd.Env = x.tree, append(os.Environ(), "FUZZMUT_COMMAND="+x.fuzzmut)
	return cmd
}

// awaitJoin waits for the line that says how workers join.
func (x *fleet) awaitJoin(ctx context.Context, file string) error {
	for {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if m := joinLine.FindSubmatch(text); m != nil {
			x.joins = strings.Fields(string(m[1]))
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not start: %s", text)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// startWorker starts a worker in a place, and another one there when it is killed.
func (x *fleet) startWorker(f *fault, i int) error {
	args := append([]string{}, x.joins...)
	work := x.dir
	var err error
	if f.work != nil {
		if work, err = f.work(x, i); err != nil {
			return err
		}
	}
	args = append(args[:len(args)-1:len(args)-1], "-fuzz", "^"+x.t.fuzz+"$", "-work", work, "-plain", args[len(args)-1])
	if f.fetch {
		args = slices.Insert(args, 1, "-fetch")
	} else {
		args = append(args, ".")
	}
	cmd := x.command(context.Background(), args...)
	if x.space != nil && i == 0 {
		cmd.Args = append([]string{"ip", "netns", "exec", x.space.name, cmd.Path}, cmd.Args[1:]...)
		if cmd.Path, err = exec.LookPath("ip"); err != nil {
			return err
		}
	}
	out, err := os.OpenFile(filepath.Join(x.dir, fmt.Sprintf("worker%d.txt", i)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closing {
		return nil
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if i == len(x.workers) {
		x.workers = append(x.workers, nil)
	}
	x.workers[i] = cmd
	return nil
}

// killWorkers kills one worker after another, and starts others in their places.
func killWorkers(ctx context.Context, x *fleet, o *outcome) {
	rng := rand.New(rand.NewPCG(1, 2))
	for sleep(ctx, x.b.every) {
		i := rng.IntN(jobWorkers)
		x.mu.Lock()
		cmd := x.workers[i]
		x.mu.Unlock()
		end(cmd)
		o.harmed++
		if x.startWorker(&fault{fetch: x.fetch}, i) != nil {
			return // the end of the job says what is missing
		}
	}
}

// killServers kills one server of the cluster after another, and starts it again.
func killServers(ctx context.Context, x *fleet, o *outcome) {
	wait := x.b.every
	for n := 0; ; n++ {
		if !sleep(ctx, wait) {
			return
		}
		i := n % len(x.servers)
		x.mu.Lock()
		cmd := x.servers[i]
		x.mu.Unlock()
		end(cmd)
		o.harmed++
		if !sleep(ctx, stopFor) || x.startServer(i) != nil {
			return
		}
		wait = stopEvery
	}
}

// sleep waits, and reports whether ctx lives.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// end kills a process, and waits for it.
func end(cmd *exec.Cmd) {
	if cmd == nil {
		return
	}
	cmd.Process.Kill() //nolint:errcheck // it may have ended
	cmd.Wait()         //nolint:errcheck // likewise
}

// smallDisk gives the first worker a disk with room for what it needs to begin.
func smallDisk(x *fleet, worker int) (string, error) {
	if worker > 0 {
		return x.dir, nil
	}
	dir := filepath.Join(x.dir, "small")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("a small disk needs the right to mount: %w: %s", err, out)
	}
	return dir, nil
}

// fillDisk fills that disk while the worker has its first slice.
func fillDisk(ctx context.Context, x *fleet, _ *outcome) {
	small := filepath.Join(x.dir, "small")
	for sleep(ctx, 50*time.Millisecond) {
		if list, err := filepath.Glob(filepath.Join(small, "*", "share")); err == nil && len(list) > 0 {
			break
		}
	}
	f, err := os.Create(filepath.Join(small, "filler"))
	if err != nil {
		return
	}
	defer f.Close()
	block := make([]byte, 1<<12)
	for {
		if _, err := f.Write(block); err != nil {
			return
		}
	}
}

// gaveBack counts the slices that workers have given back.
func (x *fleet) gaveBack() (n int) {
	for i := range jobWorkers {
		text, err := os.ReadFile(filepath.Join(x.dir, fmt.Sprintf("worker%d.txt", i)))
		if err == nil {
			n += strings.Count(string(text), "is given back")
		}
	}
	return n
}

// startCluster starts three servers of NATS.
func (x *fleet) startCluster(ctx context.Context) error {
	ports, err := freePorts(6)
	if err != nil {
		return err
	}
	var urls, routes []string
	host := "127.0.0.1"
	if x.space != nil {
		host = x.space.here
	}
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("nats://%s:%d", host, ports[i]))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[3+i]))
	}
	for i := range 3 {
		text := fmt.Sprintf("server_name: n%d\nlisten: \"%s:%d\"\njetstream { store_dir: %q }\ncluster { name: bench, listen: 127.0.0.1:%d, no_advertise: true, routes: [%s] }\n",
			i, host, ports[i], filepath.Join(x.dir, fmt.Sprint("nats", i)), ports[3+i], strings.Join(routes, ", "))
		if err := os.WriteFile(filepath.Join(x.dir, fmt.Sprintf("nats%d.conf", i)), []byte(text), 0o666); err != nil {
			return err
		}
		x.servers = append(x.servers, nil)
		if err := x.startServer(i); err != nil {
			return err
		}
	}
	x.natsURL = strings.Join(urls, ",")
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(3 * time.Second): // they choose one of them as the first
		return nil
	}
}

func (x *fleet) startServer(i int) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closing {
		return nil
	}
	cmd := exec.Command(filepath.Join(x.b.work, "nats-server"), "-c", filepath.Join(x.dir, fmt.Sprintf("nats%d.conf", i)))
	if err := cmd.Start(); err != nil {
		return err
	}
	x.servers[i] = cmd
	return nil
}

// freePorts finds ports that nobody listens on.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// close ends what is left of a job.
func (x *fleet) close() {
	x.end()
	if x.space != nil {
		x.space.remove()
	}
}

// workersTook adds up the processor time of the workers that have ended by themselves, with what they
// have run, and the time that they did no slices.
func (x *fleet) workersTook() (cpu, between float64) {
	for _, cmd := range x.workers {
		if cmd != nil && cmd.ProcessState != nil {
			cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		}
	}
	for i := range x.workers {
		text, err := os.ReadFile(filepath.Join(x.dir, fmt.Sprintf("worker%d.txt", i)))
		if m := busyLine.FindSubmatch(text); err == nil && m != nil {
			busy, err1 := strconv.ParseFloat(string(m[1]), 64)
			all, err2 := strconv.ParseFloat(string(m[2]), 64)
			if err1 == nil && err2 == nil {
				between += all - busy
			}
		}
	}
	return cpu, between
}

// state is what status says.
type state struct {
	Messages     int64 `json:"messages"`
	MessageBytes int64 `json:"message_bytes"`
	Ended        bool  `json:"ended"`
	between      float64
}

// follow asks for the state once the job has ended, as long as the server is there: to ask costs
// messages, too. said is the file with what the server says.
func (x *fleet) follow(ctx context.Context, said string, slices int) (last state) {
	all := fmt.Sprintf("\n%d of %d slices", slices, slices)
	for sleep(ctx, 50*time.Millisecond) {
		text, err := os.ReadFile(said)
		if err != nil || !strings.Contains(string(text), all) {
			continue
		}
		var s state
		out, err := x.command(ctx, "status", "-plain", "-json", x.joins[len(x.joins)-1]).Output()
		if err == nil && json.Unmarshal(out, &s) == nil {
			last = s
		}
		if last.Ended {
			return last
		}
	}
	return last
}

// end waits for workers, which have some seconds to hear of the end of the job, and ends the servers.
func (x *fleet) end() {
	x.mu.Lock()
	if x.closing {
		x.mu.Unlock()
		return
	}
	x.closing = true
	workers, servers := x.workers, x.servers
	x.mu.Unlock()
	var wg sync.WaitGroup
	for _, cmd := range workers {
		if cmd == nil {
			continue
		}
		wg.Go(func() {
			late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() }) //nolint:errcheck // it may have ended
			cmd.Wait()                                                            //nolint:errcheck // it may have been killed
			late.Stop()
		})
	}
	wg.Wait()
	for _, cmd := range servers {
		end(cmd)
	}
	if small := filepath.Join(x.dir, "small"); exec.Command("mountpoint", "-q", small).Run() == nil {
		exec.Command("umount", small).Run() //nolint:errcheck // what is left of it goes with the machine
	}
}

// buildFleet builds the program of fleets, and NATS's server, of their module.
func buildFleet(work string) error {
	cmd := exec.Command("go", "build", "-o", work+string(filepath.Separator), ".", "github.com/nats-io/nats-server/v2")
	cmd.Dir = filepath.Join("cmd", "fuzzmut-fleet")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return nil
}
