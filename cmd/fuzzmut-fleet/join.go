package main

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// worker is a process that does slices.
type worker struct {
	access
	keyText, fuzz, work string
	out                 io.Writer

	key        ed25519.PublicKey
	name       string // of this worker
	runner     runner
	tree       *tree
	targets    map[target]bool // that are built here
	store      *store
	job        job
	bases      map[string][]byte
	consumers  map[string]jetstream.Consumer // by binary
	heard      map[string]heard              // of live jobs, by the prefix of the keys
	remembered string                        // the file that the names of the binaries come from; "": they were built
	said       string                        // what this worker does
	since      time.Time                     // it does so
	saidAt     time.Time
	fetches    bool                   // test binaries of the server, in place of building them
	sent       map[string]*sentBinary // of these, those that the server sends
	joined     time.Time
	busy       time.Duration // since then, with slices that count
	did        int           // slices that count by this worker
	failed     int           // slices in a row that were given back
}

// workerTTL is how long the server believes a worker to be there that it does not hear from.
const workerTTL = time.Minute

// presence is what a worker says of itself.
type presence struct {
	Slice string    `json:"slice"` // "": it waits
	Since time.Time `json:"since"`
	Done  int       `json:"done"`
}

// join does slices until the job ends.
func join(ctx context.Context, args []string, out io.Writer) error {
	w := &worker{out: out, targets: make(map[target]bool), bases: make(map[string][]byte), consumers: make(map[string]jetstream.Consumer)}
	packages, err := w.parse(args)
	if err != nil {
		return err
	}
	nc, err := w.connect(w.lost()...)
	if err != nil {
		return err
	}
	defer nc.Close()
	if w.store, err = openStore(ctx, nc); err != nil {
		return err
	}
	if err := w.accept(ctx); err != nil {
		return err
	}
	defer w.remove()
	defer w.say(context.WithoutCancel(ctx), gone) //nolint:errcheck // it is only shown
	if err := w.prepare(ctx, packages); err != nil {
		return err
	}
	if len(w.binaries()) == 0 {
		return w.stranger()
	}
	return w.live(ctx)
}

// lost are options that say when the server has gone, and when it is there again.
func (w *worker) lost() []nats.Option {
	return []nats.Option{
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // else this side has ended it
				fmt.Fprintf(w.out, "the connection to the server is lost: %v; what is in progress goes on, and the server is waited for, %v at most\n", err, patience)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { fmt.Fprintln(w.out, "the server is there again") }),
	}
}

func (w *worker) parse(args []string) (packages []string, err error) {
	set := flag.NewFlagSet("fuzzmut fleet join", flag.ContinueOnError)
	w.flags(set)
	set.StringVar(&w.keyText, "key", "", "`key` that signs the slices, as the server has printed it")
	set.StringVar(&w.fuzz, "fuzz", "", "fuzz tests that match a `regexp`; default: all")
	set.StringVar(&w.work, "work", os.TempDir(), "`dir` for a copy of the tree and temporary files")
	set.BoolVar(&w.fetches, "fetch", false, "run the test binaries that the server sends: there is no need of a checkout")
	if err := parse(set, args); err != nil {
		return nil, err
	}
	if w.fetches && set.NArg() > 1 {
		return nil, fmt.Errorf("-fetch takes the packages of the server; leave out %s", set.Arg(1))
	}
	if set.NArg() == 0 || !strings.Contains(set.Arg(0), "://") {
		return nil, errors.New("fuzzmut fleet join needs the URL of a server: copy the line of fuzzmut fleet serve")
	}
	if w.keyText == "" {
		return nil, errors.New("fuzzmut fleet join needs -key: copy the line of fuzzmut fleet serve")
	}
	if w.key, err = parsePublic(w.keyText); err != nil {
		return nil, err
	}
	w.url = set.Arg(0)
	return set.Args()[1:], nil
}

// prepare makes what slices are run in, and lists the binaries for them.
func (w *worker) prepare(ctx context.Context, packages []string) (err error) {
	if w.runner.path, err = findCommand(); err != nil {
		return err
	}
	removeDead(w.work)
	dir, err := os.MkdirTemp(w.work, fmt.Sprintf("%s%d-", workPrefix, os.Getpid()))
	if err != nil {
		return err
	}
	w.work = dir
	w.name = strings.TrimPrefix(filepath.Base(dir), workPrefix)
	if host, err := os.Hostname(); err == nil {
		w.name = strings.Trim(strings.Map(plain, host), "-") + "-" + w.name
	}
	w.runner.temp = filepath.Join(dir, "temp")
	if err := os.Mkdir(w.runner.temp, 0o777); err != nil {
		return err
	}
	var list []target
	if w.fetches {
		list, err = w.prepareFetched(ctx)
	} else {
		quiet := w.sayWhile(ctx, "builds its test binaries")
		list, err = w.prepareTree(ctx, packages)
		quiet()
	}
	for _, t := range list {
		w.targets[t] = true
	}
	return err
}

// sayWhile says what this worker does until the returned function is called.
func (w *worker) sayWhile(ctx context.Context, what string) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			w.say(ctx, what) //nolint:errcheck // it is only shown
			select {
			case <-ctx.Done():
			case <-time.After(workerTTL / 3):
			}
		}
	}()
	return func() {
		stop()
		<-ended
	}
}

// prepareFetched makes a directory to run in, and lists what the server sends.
func (w *worker) prepareFetched(ctx context.Context) ([]target, error) {
	w.removeFetched(false)
	w.runner.dir = filepath.Join(w.work, "empty")
	if err := os.Mkdir(w.runner.dir, 0o777); err != nil {
		return nil, err
	}
	return w.offered(ctx)
}

// prepareTree copies the tree, and lists what is built there.
func (w *worker) prepareTree(ctx context.Context, packages []string) ([]target, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if w.tree, w.runner.dir, err = copyTree(here, filepath.Join(w.work, "tree")); err != nil {
		return nil, err
	}
	w.runner.copied, w.runner.from = w.tree.to, w.tree.from
	return w.known(ctx, packages)
}

// known lists what the packages have here. It is built for that, unless a worker of this machine has
// done so with the same tree: a slice whose binary is another one has no result in any case.
func (w *worker) known(ctx context.Context, packages []string) (list []target, err error) {
	file, err := w.knownFile(packages)
	if err == nil {
		if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &list) == nil && !slices.ContainsFunc(list, func(t target) bool { return t.check() != nil }) && len(list) > 0 {
			w.remembered = file
			return list, nil
		}
	}
	fmt.Fprintln(w.out, building)
	list, builtErr := w.runner.targets(ctx, w.job.Kind, w.fuzz, packages)
	if builtErr != nil || err != nil {
		return list, builtErr
	}
	text, err := json.Marshal(list)
	if err == nil {
		err = replace(file, text, 0o666)
	}
	if err != nil {
		fmt.Fprintf(w.out, "the names of the binaries can't be kept for the next worker: %v\n", err)
	}
	return list, nil
}

// knownFile names the file for the binaries of a tree, as fuzzmut, Go and the arguments have them.
func (w *worker) knownFile(packages []string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	self, err := hashFile(w.runner.path)
	if err != nil {
		return "", err
	}
	env, err := output(w.runner.dir, "go", "env")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, text := range append([]string{self, unplaced(env), w.tree.hash(), strings.TrimPrefix(w.runner.dir, w.tree.to), w.job.Kind, w.fuzz}, packages...) {
		fmt.Fprintf(h, "%d %s\n", len(text), text)
	}
	return filepath.Join(cache, "fuzzmut", "fleet", "known", hex.EncodeToString(h.Sum(nil)[:16])+".json"), nil
}

// unplaced leaves out what go env says of places in the copy of a tree.
func unplaced(env string) string {
	var lines []string
	for line := range strings.Lines(env) {
		switch name, _, _ := strings.Cut(line, "="); name {
		case "GOMOD", "GOWORK", "GOGCCFLAGS":
		default:
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

func (w *worker) remove() {
	if strings.HasPrefix(filepath.Base(w.work), workPrefix) {
		os.RemoveAll(w.work) //nolint:errcheck // the next worker removes it
	}
}

// workPrefix begins the names of workers' directories; the number of the process follows.
const workPrefix = "fuzzmut-fleet-"

// removeDead removes what workers have left that were killed.
func removeDead(work string) {
	dirs, err := filepath.Glob(filepath.Join(work, workPrefix+"*-*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		var pid int
		if _, err := fmt.Sscanf(strings.TrimPrefix(filepath.Base(dir), workPrefix), "%d-", &pid); err == nil && ended(pid) {
			os.RemoveAll(dir) //nolint:errcheck // the next worker tries again
		}
	}
}

// accept reads the job, and makes sure that this worker can do some of it.
func (w *worker) accept(ctx context.Context) error {
	text, err := get(ctx, w.store.jobs, jobKey)
	if err != nil {
		return err
	}
	if text == nil {
		return errors.New("the server has no job; start fuzzmut fleet serve first")
	}
	if err := verify(w.key, text, &w.job); err != nil {
		return fmt.Errorf("the job is refused: %w; copy the line that fuzzmut fleet serve prints", err)
	}
	if err := w.job.check(); err != nil {
		return fmt.Errorf("the job is refused: %w", err)
	}
	return nil
}

// binaries lists those of the job that are built here.
func (w *worker) binaries() (list []string) {
	for _, t := range w.job.Targets {
		if w.targets[t] && !slices.Contains(list, t.Binary) {
			list = append(list, t.Binary)
		}
	}
	return list
}

// stranger says what differs between the job and what is built here.
func (w *worker) stranger() error {
	have := make(map[string]string)
	for t := range w.targets {
		have[t.Package+" "+t.Fuzz] = t.Binary
	}
	version, err := output(w.runner.dir, "go", "version")
	if err != nil {
		return err
	}
	for _, t := range w.job.Targets {
		if b := have[t.Package+" "+t.Fuzz]; b != "" {
			return fmt.Errorf("no lease: the test binary of %s is %.12s here and %.12s in the job; check out the same revision, with the same fuzzmut, build flags and Go (here %s, there %s)",
				t.Package, b, t.Binary, version, w.job.Toolchain)
		}
	}
	what := "fuzz tests is here, as " + w.job.Targets[0].Fuzz + " in " + w.job.Targets[0].Package
	if w.job.Targets[0].Fuzz == "" {
		what = "packages is here, as " + w.job.Targets[0].Package
	}
	return fmt.Errorf("no lease: none of the job's %s; join from the same module, and name the same packages", what)
}

const (
	// idle is how long a worker waits at first that has found no slice, and idleMost at most: a
	// thousand workers that wait must not keep the server busy.
	idle     = 250 * time.Millisecond
	idleMost = 4 * time.Second
)

// live does slices until the job has ended.
func (w *worker) live(ctx context.Context) error {
	w.joined = time.Now()
	for wait := idle; ; {
		found, err := w.once(ctx)
		if err != nil {
			return err
		}
		if found {
			wait = idle
			continue
		}
		if w.said != "" || time.Since(w.saidAt) > workerTTL/3 {
			if err := w.say(ctx, ""); err != nil {
				return err
			}
		}
		p, err := w.store.progress(ctx)
		switch {
		case err != nil:
			return err
		case p == nil || p.Job != w.job.id():
			return errors.New("the server has another job; join again")
		case p.Ended:
			w.removeFetched(true)
			fmt.Fprintf(w.out, "the job has ended; %d slices were done here, in %.1f s of %.1f s\n", w.did, w.busy.Seconds(), time.Since(w.joined).Seconds())
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait = min(2*wait, idleMost)
	}
}

// gone is what a worker says that has ended.
const gone = "gone"

// say says what this worker does.
func (w *worker) say(ctx context.Context, what string) error {
	if w.name == "" {
		return nil // nobody knows it yet
	}
	if what == gone {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		return w.store.workers.Delete(ctx, w.name)
	}
	now := time.Now()
	if what != w.said || w.since.IsZero() {
		w.since = now
	}
	w.said, w.saidAt = what, now
	return put(ctx, w.store.workers, w.name, presence{what, w.since, w.did})
}

// once takes a slice of one of the binaries, if there is one, and does it.
func (w *worker) once(ctx context.Context) (found bool, err error) {
	for _, b := range w.binaries() {
		m, err := w.fetch(ctx, b)
		if err != nil {
			return false, err
		}
		if m != nil {
			return true, w.do(ctx, m)
		}
	}
	return false, nil
}

// fetch asks for one slice of a binary; nil: there is none for now.
func (w *worker) fetch(ctx context.Context, binary string) (m jetstream.Msg, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		c := w.consumers[binary]
		if c == nil {
			if c, err = w.store.slices.Consumer(ctx, consumerName(binary)); errors.Is(err, jetstream.ErrConsumerNotFound) {
				return nil // the server is about to make it
			}
			if err != nil {
				return err
			}
			w.consumers[binary] = c
		}
		batch, err := c.FetchNoWait(1)
		if err != nil {
			return err
		}
		for got := range batch.Messages() {
			m = got
		}
		if m != nil {
			return nil
		}
		return batch.Error()
	})
	return m, err
}

const (
	// givenMost is how often a slice is given to workers: one that kills all of them has no result.
	givenMost = 50
	// failedMost is how many slices in a row a worker gives back before it ends.
	failedMost = 3
	// later is when a slice that was given back is given to the next.
	later = time.Second
)

// do does a slice. The error ends the worker.
func (w *worker) do(ctx context.Context, m jetstream.Msg) error {
	var s slice
	err := verify(w.key, m.Data(), &s)
	if err == nil {
		err = s.check()
	}
	if err == nil && (s.Job != w.job.id() || !w.targets[s.Target] || !slices.Contains(w.job.Targets, s.Target)) {
		err = errors.New("it is of another job")
	}
	if err != nil {
		fmt.Fprintf(w.out, "a slice is refused: %v\n", err)
		return w.drop(ctx, m)
	}
	done, err := get(ctx, w.store.done, s.key())
	if err != nil {
		return err
	}
	if done != nil {
		return w.ack(ctx, m)
	}
	return w.run(ctx, m, &s)
}

// run runs a slice while its lease is kept.
func (w *worker) run(ctx context.Context, m jetstream.Msg, s *slice) error {
	if err := w.say(ctx, s.Target.name()+" "+s.ID); err != nil {
		return err
	}
	kept, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.beat(kept, m, s)
	}()
	begin := time.Now()
	o, err := w.outcome(ctx, m, s)
	stop()
	<-ended
	if err != nil {
		return w.giveBack(ctx, m, s, err)
	}
	o.Worker, o.Seconds = w.name, time.Since(begin).Seconds()
	if err := w.count(ctx, s, o); err != nil {
		return err
	}
	w.failed = 0
	w.busy += time.Since(begin)
	fmt.Fprintf(w.out, "%s %s in %.1f s\n", s.Target.name(), s.ID, o.Seconds)
	return w.ack(ctx, m)
}

// beat keeps the lease of a slice, and has the worker be known.
func (w *worker) beat(ctx context.Context, m jetstream.Msg, s *slice) {
	every := 5 * time.Second
	if c := w.consumers[s.Target.Binary]; c != nil {
		every = c.CachedInfo().Config.AckWait / 4
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for told := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			m.InProgress() //nolint:errcheck // the next one may arrive
			if time.Since(told) > workerTTL/3 {
				told = time.Now()
				w.say(ctx, s.Target.name()+" "+s.ID) //nolint:errcheck // it is only shown
			}
		}
	}
}

// outcome runs a slice, and leaves its files in the object store. The error says why this worker
// can't.
func (w *worker) outcome(ctx context.Context, m jetstream.Msg, s *slice) (*outcome, error) {
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > givenMost {
		return &outcome{Error: fmt.Sprintf("%d workers have taken it, and none has finished it", givenMost)}, nil
	}
	dir := filepath.Join(w.work, "share")
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(w.runner.temp), os.Mkdir(w.runner.temp, 0o777), w.restore()); err != nil {
		return nil, err
	}
	if b := w.sent[s.Target.Binary]; b != nil {
		var err error
		if w.runner.packed, err = w.fetchBinary(ctx, b); err != nil {
			return nil, err
		}
	}
	base, err := w.base(ctx, s, dir)
	if err != nil {
		return nil, err
	}
	had, err := w.takeKills(ctx, s, dir, base)
	if err != nil {
		return nil, err
	}
	r, err := kinds[w.job.Kind].slice(ctx, &w.runner, &w.job, s, dir)
	if errors.Is(err, errBaseline) {
		return &outcome{Error: first(err), Baseline: true}, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	list, err := files(dir, base)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // it may have had nothing to leave
		return nil, err
	}
	if err := w.putKills(ctx, s, dir, list, had); err != nil {
		return nil, err
	}
	data, err := pack(dir, list, extraName, text)
	if err != nil {
		return nil, err
	}
	o := &outcome{Object: fmt.Sprintf("%s.%s.%s.%d", s.Job, s.ID, w.name, time.Now().UnixNano())}
	return o, w.store.putObject(ctx, o.Object, data)
}

// restore has the directory of the runs be what it was.
func (w *worker) restore() error {
	if w.fetches {
		return errors.Join(os.RemoveAll(w.runner.dir), os.Mkdir(w.runner.dir, 0o777))
	}
	return w.tree.restore()
}

// base unpacks what a slice begins with, and returns the names of these files.
func (w *worker) base(ctx context.Context, s *slice, dir string) (map[string]bool, error) {
	except := make(map[string]bool)
	if s.Base == "" {
		return except, nil
	}
	data := w.bases[s.Base]
	if data == nil {
		var err error
		if data, err = w.store.object(ctx, s.Base); err != nil {
			return nil, err
		}
		if data == nil {
			return nil, errors.New("what the slice begins with is gone")
		}
		clear(w.bases) // those of earlier rounds
		w.bases[s.Base] = data
	}
	list, _, err := unpack(data, dir, "")
	for _, name := range list {
		except[name] = true
	}
	return except, err
}

// count has a slice count, unless it does.
func (w *worker) count(ctx context.Context, s *slice, o *outcome) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	err = retry(ctx, func(ctx context.Context) error {
		_, err := w.store.done.Create(ctx, s.key(), text)
		return err
	})
	if err == nil {
		w.did++
		return nil
	}
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	// It was another worker, or this one whose first call was answered too late.
	var have []byte
	for end := time.Now().Add(missing); have == nil; {
		if have, err = get(ctx, w.store.done, s.key()); err != nil {
			return err
		}
		if have == nil && (time.Now().After(end) || !pause(ctx)) {
			return ctx.Err() // whose it is can't be told: the files stay
		}
	}
	if string(have) == string(text) {
		w.did++
		return nil
	}
	if o.Object != "" {
		return once(ctx, func(ctx context.Context) error { return ignoreGone(w.store.files.Delete(ctx, o.Object)) })
	}
	return nil
}

func ignoreGone(err error) error {
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	return err
}

// giveBack has another worker do a slice. The error ends this one.
func (w *worker) giveBack(ctx context.Context, m jetstream.Msg, s *slice, why error) error {
	m.NakWithDelay(later) //nolint:errcheck // otherwise the lease ends
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintf(w.out, "%s %s is given back: %s\n", s.Target.name(), s.ID, first(why))
	if errors.Is(why, errTree) {
		if w.remembered != "" {
			os.Remove(w.remembered)
		}
		return why
	}
	if w.failed++; w.failed >= failedMost {
		return fmt.Errorf("%d slices in a row could not be done here, the last: %w", w.failed, why)
	}
	select { // another takes it
	case <-ctx.Done():
	case <-time.After(2 * later):
	}
	return nil
}

// ack says that a slice is done. If that does not arrive, another worker sees that it counts.
func (w *worker) ack(ctx context.Context, m jetstream.Msg) error {
	once(ctx, m.DoubleAck) //nolint:errcheck // see above
	return ctx.Err()
}

// drop removes a slice from the queue.
func (w *worker) drop(ctx context.Context, m jetstream.Msg) error {
	m.Term() //nolint:errcheck // it comes again, and is refused again
	return ctx.Err()
}
