package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// service is a server and its job.
type service struct {
	access
	listen, config, state, share string
	http                         string
	fuzz                         string
	crashers                     list
	saves                        map[string]string // formats of the result, and their files
	job                          job
	replicas                     int
	lease                        time.Duration
	instead                      bool
	sends                        bool // its test binaries
	out                          io.Writer

	nats     *server.Server // of this process; nil: it is another
	own      []nats.Option  // for this process's connection
	key      ed25519.PrivateKey
	packages []string
	runner   runner
	store    *store
	tests    []*testState // by target
	known    map[string]bool
	reports  []string // files with the results of unit tests
	at       progress
	told     time.Time // when at was put
	begin    time.Time
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}

// testState is what is known of a target.
type testState struct {
	targetState
	killed, reached, bugs map[string]bool
	failed                int // slices whose seeds fail
}

// targetState is the part of it that is shown.
type targetState struct {
	Package string `json:"package"`
	Fuzz    string `json:"fuzz,omitempty"`
	yield
	Done    int   `json:"done"` // slices that count
	Execs   int64 `json:"executions"`
	Killed  int   `json:"killed"`
	Reached int   `json:"reached"` // mutants, with those killed
	Mutants int   `json:"mutants"`
}

// progress is how far a job is.
type progress struct {
	Job     string        `json:"job"`
	Kind    string        `json:"kind"`
	Round   int           `json:"round"` // from 1
	Rounds  int           `json:"rounds"`
	Done    int           `json:"done"` // slices that count
	Slices  int           `json:"slices"`
	Failed  int           `json:"failed"` // of those done: that have no result
	Execs   int64         `json:"executions"`
	Killed  int           `json:"killed"`
	Mutants int           `json:"mutants"`
	Bugs    []bug         `json:"bugs"` // in the order in which they were seen
	Tests   []targetState `json:"tests"`
	Seconds float64       `json:"seconds"` // of workers, in slices that count
	Bytes   int64         `json:"bytes"`   // that slices have left

	// Of a server of this process, since it began: messages in and out, and their bytes.
	Messages     int64 `json:"messages,omitempty"`
	MessageBytes int64 `json:"message_bytes,omitempty"`

	Ended  bool    `json:"ended"`
	Points []point `json:"points"`
}

// point is a point of the curves.
type point struct {
	Seconds int   `json:"seconds"`
	Done    int   `json:"done"`
	Killed  int   `json:"killed"`
	Execs   int64 `json:"executions"`
	Bugs    int   `json:"bugs"`
}

// outcome says of a slice what counts.
type outcome struct {
	Object   string  `json:"object,omitempty"`   // with the files
	Error    string  `json:"error,omitempty"`    // why there are none
	Baseline bool    `json:"baseline,omitempty"` // it is that seeds or tests fail
	Worker   string  `json:"worker"`
	Seconds  float64 `json:"seconds"`
}

const extraName = "result.json" // of a packed directory

// serve has a job done by the workers that join.
func serve(ctx context.Context, args []string, out io.Writer) error {
	s := &service{out: out, saves: make(map[string]string), known: make(map[string]bool), begin: time.Now()}
	if err := s.parse(args); err != nil {
		return err
	}
	return s.serve(ctx)
}

func (s *service) parse(args []string) (err error) {
	set := flag.NewFlagSet("fuzzmut fleet serve", flag.ContinueOnError)
	s.flags(set)
	set.StringVar(&s.share, "share", "", "`dir` for what workers find, and with what they begin")
	set.StringVar(&s.listen, "listen", "127.0.0.1:4233", "`address` for workers")
	set.StringVar(&s.url, "nats", "", "`URL` of a NATS server or cluster, in place of one of this process")
	set.StringVar(&s.config, "config", "", "`file` with NATS's configuration of this server: TLS, users")
	set.StringVar(&s.state, "state", "", "`dir` for the server's streams and key; default: below the user's cache")
	set.IntVar(&s.replicas, "replicas", 1, "copies of each stream in the cluster of -nats")
	set.StringVar(&s.http, "http", "127.0.0.1:0", "`address` of the page that shows the state; off: there is none")
	set.StringVar(&s.job.Kind, "job", kindFuzz, "`kind` of work: fuzz, test or triage")
	set.StringVar(&s.fuzz, "fuzz", "", "fuzz tests that match a `regexp`; default: all")
	set.Int64Var(&s.job.Execs, "execs", 20_000, "`executions` of a slice")
	set.IntVar(&s.job.Slices, "slices", 8, "`slices` of each fuzz test in a round, on average; or parts of the mutants")
	set.IntVar(&s.job.Rounds, "rounds", 1, "`rounds`: each begins with what the ones before have found")
	set.IntVar(&s.job.Dry, "dry", 3, "`rounds` without a find after which a fuzz test gets no more slices; 0: it gets them all the same")
	set.Int64Var(&s.job.Seed, "seed", 1, "`seed` of the first slice of each fuzz test")
	triageTime := set.Duration("triagetime", time.Minute, "processor `time` of each part of triage")
	set.Var(&s.crashers, "crashers", "`dir` of failing inputs, for triage; may be repeated")
	for _, name := range []string{"json", "html"} {
		set.Func(name, "`file` for the result of a job of kind test or triage", func(file string) error {
			s.saves[name] = file
			return nil
		})
	}
	set.DurationVar(&s.lease, "lease", 30*time.Second, "`time` after which the slice of a silent worker goes to another")
	set.BoolVar(&s.job.Live, "live", false, "begin each slice with all kills that are known then, not with those of the rounds before alone")
	set.BoolVar(&s.sends, "send", false, "send the test binaries to workers that join with -fetch, without a checkout")
	set.BoolVar(&s.instead, "replace", false, "give up another job that is in progress")
	if err := parse(set, args); err != nil {
		return err
	}
	given := make(map[string]bool)
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	s.packages = set.Args()
	switch {
	case s.share == "":
		return errors.New("fuzzmut fleet serve needs -share with a directory for what workers find")
	case s.url != "" && s.config != "":
		return errors.New("-config is for a server of this process, and -nats names another; leave out one")
	case kinds[s.job.Kind] == nil:
		return fmt.Errorf("-job %s: there are fuzz, test and triage", s.job.Kind)
	case s.job.Execs < 1 || s.job.Slices < 1 || s.job.Rounds < 1 || s.replicas < 1 || s.lease < time.Second || s.job.Dry < 0 || *triageTime < time.Second:
		return errors.New("-execs, -slices, -rounds and -replicas are at least 1, -dry is at least 0, and -lease and -triagetime are at least 1s")
	case s.job.Slices > partsMost && s.job.Kind != kindFuzz:
		return fmt.Errorf("-slices %d: there are %d parts of the mutants at most", s.job.Slices, partsMost)
	}
	if err := s.fit(given); err != nil {
		return err
	}
	if s.job.Kind == kindTriage {
		s.job.Time = triageTime.String()
	}
	if s.share, err = filepath.Abs(s.share); err == nil && s.state == "" {
		s.state, err = defaultState(s.share)
	}
	return err
}

// partsMost bounds the parts of the mutants, as fuzzmut does.
const partsMost = 1000

// fit makes sure that the flags that are given are of the kind of job, and leaves out what it does
// not have.
func (s *service) fit(given map[string]bool) error {
	of := map[string][]string{
		"execs": {kindFuzz}, "live": {kindFuzz}, "send": {kindFuzz}, "rounds": {kindFuzz}, "dry": {kindFuzz}, "seed": {kindFuzz}, "fuzz": {kindFuzz, kindTriage},
		"triagetime": {kindTriage}, "crashers": {kindTriage}, "json": {kindTest, kindTriage}, "html": {kindTest, kindTriage},
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if given[name] && !slices.Contains(of[name], s.job.Kind) {
			return fmt.Errorf("-%s is for a job of kind %s; leave it out, or choose another by -job", name, strings.Join(of[name], " or "))
		}
	}
	if s.job.Kind != kindFuzz {
		s.job.Execs, s.job.Rounds, s.job.Dry, s.job.Seed = 0, 1, 0, 0
	}
	return nil
}

// defaultState is where a server keeps the job of a shared directory.
func defaultState(share string) (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "fuzzmut", "fleet", strings.Trim(strings.Map(plain, share), "-")), err
}

func plain(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

func (s *service) serve(ctx context.Context) error {
	var err error
	if s.key, err = readKey(filepath.Join(s.state, "key")); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "fuzzmut-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	// What is wrong with addresses is said before the packages are built, which takes long.
	opts, err := s.options()
	if err != nil {
		return err
	}
	if err := s.checkPage(); err != nil {
		return err
	}
	if err := s.plan(ctx, temp); err != nil {
		return err
	}
	end, err := s.start(opts)
	if err != nil {
		return err
	}
	defer end()
	at := s.access
	if s.own != nil {
		at.url = "nats://localhost" // within this process, without TLS
	}
	nc, err := at.connect(s.own...)
	if err != nil {
		return err
	}
	defer nc.Close()
	if err := s.open(ctx, nc); err != nil {
		return err
	}
	if err := s.sendBinaries(ctx); err != nil {
		return err
	}
	closePage, err := s.page(ctx)
	if err != nil {
		return err
	}
	defer closePage()
	fmt.Fprintf(s.out, "workers join with: fuzzmut fleet join -key %s %s\n", public(s.key), redacted(s.url))
	for round := range s.job.Rounds {
		if more, err := s.round(ctx, round); err != nil {
			return err
		} else if !more {
			break
		}
	}
	return s.finish(ctx)
}

// building is said before what takes long.
const building = "building the test binaries"

// plan finds what there is to do, and what the binaries are called.
func (s *service) plan(ctx context.Context, temp string) error {
	path, err := findCommand()
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, building)
	s.runner = runner{path: path, dir: dir, temp: temp, share: s.share, crashers: s.crashers}
	if s.sends {
		s.runner.packs = filepath.Join(temp, "packs")
	}
	if s.job.Targets, err = s.runner.targets(ctx, s.job.Kind, s.fuzz, s.packages); err != nil {
		return err
	}
	for _, t := range s.job.Targets {
		s.tests = append(s.tests, &testState{
			targetState: targetState{Package: t.Package, Fuzz: t.Fuzz},
			killed:      make(map[string]bool), reached: make(map[string]bool), bugs: make(map[string]bool),
		})
	}
	s.job.Toolchain, err = output(dir, "go", "version")
	return err
}

// options are those of the server of this process; nil: it is another one.
func (s *service) options() (opts *server.Options, err error) {
	if s.url != "" {
		nc, err := s.connect()
		if err == nil {
			nc.Close() // it only shows that it can be reached
		}
		return nil, err
	}
	opts = &server.Options{}
	if s.config != "" {
		if opts, err = server.ProcessConfigFile(s.config); err != nil {
			return nil, fmt.Errorf("%s: %w", s.config, err)
		}
	}
	host, port, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, fmt.Errorf("-listen %s: %w; write host:port", s.listen, err)
	}
	opts.Host = host
	if opts.Port, err = strconv.Atoi(port); err != nil {
		return nil, fmt.Errorf("-listen %s: the port is not a number", s.listen)
	}
	if err := checkOpen(host, opts); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		return nil, fmt.Errorf("-listen: %w; choose another address, or end the server that has it", err)
	}
	l.Close() //nolint:errcheck // it only shows whether the address is free
	if opts.Port == 0 {
		opts.Port = server.RANDOM_PORT
	}
	opts.JetStream, opts.NoSigs = true, true
	if opts.StoreDir == "" {
		opts.StoreDir = filepath.Join(s.state, "jetstream")
	}
	return opts, nil
}

// start starts a server in this process, unless there is another. end ends it.
func (s *service) start(opts *server.Options) (end func(), err error) {
	if opts == nil {
		return func() {}, nil
	}
	ns, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("NATS: %w", err)
	}
	ns.Start()
	if !ns.ReadyForConnections(20 * time.Second) {
		ns.Shutdown()
		return nil, fmt.Errorf("%s can't be used: NATS does not listen there; choose another address by -listen, or end the server that has it", s.listen)
	}
	s.nats = ns
	s.url, s.own = reachable(ns.ClientURL()), []nats.Option{nats.InProcessServer(ns)}
	switch {
	case opts.Username != "":
		s.own = append(s.own, nats.UserInfo(opts.Username, opts.Password))
	case opts.Authorization != "":
		s.own = append(s.own, nats.Token(opts.Authorization))
	case len(opts.Users) > 0:
		s.own = append(s.own, nats.UserInfo(opts.Users[0].Username, opts.Users[0].Password))
	}
	return func() { ns.Shutdown(); ns.WaitForShutdown() }, nil
}

// reachable is the URL of a server as others have it.
func reachable(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && !ip.IsUnspecified() || ip == nil && u.Hostname() != "" {
		return text
	}
	name, err := os.Hostname()
	if err != nil {
		return text
	}
	u.Host = net.JoinHostPort(name, u.Port())
	return u.String()
}

// checkOpen makes sure that a server which others can reach lets in only those it knows.
func checkOpen(host string, opts *server.Options) error {
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	known := opts.Username != "" || opts.Authorization != "" || len(opts.Users) > 0 || len(opts.Nkeys) > 0 || len(opts.TrustedOperators) > 0 || opts.TLSVerify
	if opts.TLSConfig == nil || !known {
		return fmt.Errorf("%s can be reached from other machines: name a NATS configuration with TLS and users by -config, or listen on 127.0.0.1", host)
	}
	return nil
}

// open makes the streams, and makes sure that no other job is in progress.
func (s *service) open(ctx context.Context, nc *nats.Conn) (err error) {
	if s.store, err = makeStore(ctx, nc, s.replicas); err != nil {
		return err
	}
	old, err := s.store.progress(ctx)
	if err != nil {
		return err
	}
	id := s.job.id()
	if old != nil && (old.Job != id || old.Ended) {
		if !old.Ended && !s.instead {
			return fmt.Errorf("another job is in progress: %d of %d slices are done; start it again to end it, or give it up with -replace", old.Done, old.Slices)
		}
		if err := s.clear(ctx, nc); err != nil {
			return err
		}
	}
	text, err := sign(s.key, &s.job)
	if err != nil {
		return err
	}
	s.at = progress{Job: id, Kind: s.job.Kind, Rounds: s.job.Rounds, Slices: s.job.Rounds * s.job.Slices * len(s.job.Targets), Points: []point{}, Bugs: []bug{}}
	if err := put(ctx, s.store.jobs, jobKey, text); err != nil {
		return err
	}
	return put(ctx, s.store.jobs, stateKey, &s.at)
}

// clear removes what another job has left.
func (s *service) clear(ctx context.Context, nc *nats.Conn) (err error) {
	for _, remove := range []func(context.Context) error{
		func(ctx context.Context) error { return s.store.js.DeleteStream(ctx, streamName) },
		func(ctx context.Context) error { return s.store.js.DeleteKeyValue(ctx, jobsName) },
		func(ctx context.Context) error { return s.store.js.DeleteKeyValue(ctx, doneName) },
		func(ctx context.Context) error { return s.store.js.DeleteKeyValue(ctx, killsName) },
		func(ctx context.Context) error { return s.store.js.DeleteObjectStore(ctx, filesName) },
	} {
		if err := retry(ctx, remove); err != nil && !answers(err) {
			return err
		}
	}
	s.store, err = makeStore(ctx, nc, s.replicas)
	return err
}

// round has the slices of a round done, and takes in what they bring. more is false if no target
// gets any.
func (s *service) round(ctx context.Context, n int) (more bool, err error) {
	yields := make([]yield, len(s.tests))
	had := make([]int, len(s.tests))
	for i, t := range s.tests {
		yields[i], had[i] = t.yield, t.Slices
	}
	shares := divide(yields, s.job.Slices, s.job.Dry)
	bases := make([]string, len(s.tests))
	sum := 0
	for i, share := range shares {
		sum += share
		if share > 0 {
			if bases[i], err = s.base(ctx, n, i); err != nil {
				return false, err
			}
		}
	}
	if sum == 0 {
		return false, nil
	}
	s.at.Round = n + 1
	if n > 0 {
		s.sayShares(shares)
	}
	before := make([]int, len(s.tests))
	for i, t := range s.tests {
		before[i] = t.found()
	}
	list := s.job.round(n, shares, had, bases)
	if err := errors.Join(s.publish(ctx, n, list), s.tell(ctx)); err != nil {
		return false, err
	}
	if err := s.collect(ctx, list); err != nil {
		return false, err
	}
	for i, t := range s.tests {
		full := t.Mutants > 0 && len(t.killed) == t.Mutants || shares[i] > 0 && t.failed == t.Done
		t.book(shares[i], t.found()-before[i], full)
	}
	return true, s.tell(ctx)
}

// found is what slices have found.
func (t *testState) found() int { return len(t.killed) + len(t.reached) + len(t.bugs) }

// sayShares says how the slices of a round are divided.
func (s *service) sayShares(shares []int) {
	var parts []string
	for i, t := range s.tests {
		text := fmt.Sprintf("%s %d", s.job.Targets[i].name(), shares[i])
		switch {
		case t.Full && t.failed > 0:
			text += " (its seeds fail)"
		case t.Full:
			text += " (all mutants are killed)"
		case t.done(s.job.Dry):
			text += fmt.Sprintf(" (nothing new in %d rounds)", t.Dry)
		default:
			text += fmt.Sprintf(" (%d new in the last %d)", t.Found, t.Given)
		}
		parts = append(parts, text)
	}
	fmt.Fprintf(s.out, "round %d: slices of %s\n", s.at.Round, strings.Join(parts, ", "))
}

// base is the object with what the slices of a target begin with in a round: it is made once.
func (s *service) base(ctx context.Context, n, t int) (string, error) {
	name := fmt.Sprintf("%s.base%d-%d", s.job.id(), n, t)
	text, err := get(ctx, s.store.jobs, name)
	if err != nil || text != nil {
		return string(text), err
	}
	list, err := files(s.share, nil)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(name string) bool { return !s.job.Targets[t].uses(name) })
	object := ""
	if len(list) > 0 {
		data, err := pack(s.share, list, "", nil)
		if err != nil {
			return "", err
		}
		object = name
		if err := s.store.putObject(ctx, object, data); err != nil {
			return "", err
		}
	}
	return object, put(ctx, s.store.jobs, name, []byte(object))
}

// uses reports whether slices of a target read a file of a shared directory.
func (t *target) uses(name string) bool {
	kind, rest, _ := strings.Cut(name, "/")
	if kind != "entries" && kind != "failing" {
		return kind == t.Binary || rest == ""
	}
	return t.Fuzz != "" && strings.HasPrefix(rest, t.Package+"/"+t.Fuzz+"/")
}

// publish makes the consumers, and puts the slices into the stream that do not count yet.
func (s *service) publish(ctx context.Context, n int, list []slice) error {
	for _, t := range s.job.Targets {
		err := retry(ctx, func(ctx context.Context) error {
			_, err := s.store.slices.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: consumerName(t.Binary), FilterSubject: subject + t.Binary, AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.lease, MaxAckPending: 10_000, Replicas: s.replicas,
			})
			return err
		})
		if err != nil {
			return err
		}
	}
	mark := fmt.Sprintf("%s.published%d", s.job.id(), n)
	text, err := get(ctx, s.store.jobs, mark)
	if err != nil || text != nil {
		return err
	}
	for i := range list {
		text, err := sign(s.key, &list[i])
		if err != nil {
			return err
		}
		err = retry(ctx, func(ctx context.Context) error {
			_, err := s.store.js.Publish(ctx, subject+list[i].Target.Binary, text, jetstream.WithMsgID(list[i].key()))
			return err
		})
		if err != nil {
			return err
		}
	}
	return put(ctx, s.store.jobs, mark, []byte("yes"))
}

// again is how long the server hears nothing before it looks at all slices once more.
const again = 20 * time.Second

// collect takes in slices until all of a list are.
func (s *service) collect(ctx context.Context, list []slice) error {
	missing := make(map[string]*slice)
	for i := range list {
		if !s.known[list[i].key()] {
			missing[list[i].key()] = &list[i]
		}
	}
	for len(missing) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.follow(ctx, missing); err != nil {
			return err
		}
	}
	return nil
}

// follow takes in slices as they come, until none is missing or nothing was heard for a while.
func (s *service) follow(ctx context.Context, missing map[string]*slice) error {
	var w jetstream.KeyWatcher
	err := retry(ctx, func(context.Context) (err error) {
		w, err = s.store.done.Watch(ctx, s.job.id()+".>")
		return err
	})
	if err != nil {
		return err
	}
	defer w.Stop() //nolint:errcheck // it is no longer asked
	for len(missing) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(again):
			return nil
		case e, ok := <-w.Updates():
			if !ok {
				return nil
			}
			if e == nil || missing[e.Key()] == nil {
				continue
			}
			if err := s.take(ctx, missing[e.Key()], e.Value()); err != nil {
				return err
			}
			delete(missing, e.Key())
		}
	}
	return nil
}

// take takes in what a slice has brought.
func (s *service) take(ctx context.Context, p *slice, text []byte) error {
	var o outcome
	if err := json.Unmarshal(text, &o); err != nil {
		o.Error = "its outcome can't be read"
	}
	if o.Error == "" {
		var err error
		if o.Error, err = s.unpack(ctx, p, &o); err != nil {
			return err
		}
	}
	s.known[p.key()] = true
	i := slices.Index(s.job.Targets, p.Target)
	t := s.tests[i]
	s.at.Done++
	t.Done++
	s.at.Seconds += o.Seconds
	if o.Error != "" {
		s.at.Failed++
		if o.Baseline {
			t.failed++
		}
		fmt.Fprintf(s.out, "slice %s of %s has no result: %s\n", p.ID, p.Target.name(), o.Error)
	}
	s.count()
	s.at.Points = append(s.at.Points, point{int(time.Since(s.begin).Seconds()), s.at.Done, s.at.Killed, s.at.Execs, len(s.at.Bugs)})
	if n := len(s.at.Points); n > pointsMost {
		s.at.Points = slices.Delete(s.at.Points, n/2, n/2+1)
	}
	fmt.Fprintf(s.out, "%d of %d slices, %s: %s %s by %s in %.1f s\n", s.at.Done, s.at.Slices, s.sum(), p.Target.name(), p.ID, o.Worker, o.Seconds)
	if time.Since(s.told) < tellEvery {
		return nil
	}
	return s.tell(ctx)
}

// sum is what a job has brought, for people.
func (s *service) sum() string {
	switch s.job.Kind {
	case kindTriage:
		return fmt.Sprintf("%d executions", s.at.Execs)
	default:
		return fmt.Sprintf("%d mutants killed", s.at.Killed)
	}
}

// count brings the numbers that are shown up to date.
func (s *service) count() {
	s.at.Killed, s.at.Mutants, s.at.Tests = 0, 0, s.at.Tests[:0:0]
	for _, t := range s.tests {
		t.Killed, t.Reached = len(t.killed), len(t.reached)
		s.at.Killed, s.at.Mutants = s.at.Killed+t.Killed, s.at.Mutants+t.Mutants
		s.at.Tests = append(s.at.Tests, t.targetState)
	}
}

// tellEvery is how often the state is put at most, for status and workers: it is longer than what
// a slice brings.
const tellEvery = time.Second

// tell puts the state.
func (s *service) tell(ctx context.Context) error {
	s.count()
	s.told = time.Now()
	if s.nats != nil {
		if v, err := s.nats.Varz(nil); err == nil {
			s.at.Messages, s.at.MessageBytes = v.InMsgs+v.OutMsgs, v.InBytes+v.OutBytes
		}
	}
	return put(ctx, s.store.jobs, stateKey, &s.at)
}

const (
	pointsMost = 200
	bugsMost   = 500
)

// unpack puts the files of a slice into the shared directory. It returns what is wrong with them;
// the error is one of this machine or of NATS.
func (s *service) unpack(ctx context.Context, p *slice, o *outcome) (wrong string, err error) {
	data, err := s.store.object(ctx, o.Object)
	if err != nil {
		return "", err
	}
	if data == nil {
		return "its files are gone", nil
	}
	s.at.Bytes += int64(len(data))
	_, text, err := unpack(data, s.share, extraName)
	if errors.Is(err, errDisk) {
		return "", fmt.Errorf("%w; the same command goes on once that is fixed", err)
	}
	if err != nil {
		return first(err), nil
	}
	var r result
	if err := json.Unmarshal(text, &r); err != nil {
		return "its result can't be read", nil
	}
	s.enter(p, &r)
	if s.job.Kind != kindTest {
		return "", nil
	}
	file := filepath.Join(s.runner.temp, fmt.Sprintf("shard-%s.json", p.ID))
	s.reports = append(s.reports, file)
	return "", replace(file, r.Report, 0o666)
}

// enter enters what a slice has brought.
func (s *service) enter(p *slice, r *result) {
	t := s.tests[slices.Index(s.job.Targets, p.Target)]
	for _, id := range r.Killed {
		t.killed[id], t.reached[id] = true, true
	}
	for _, id := range r.Reached {
		t.reached[id] = true
	}
	t.Execs += r.Execs
	s.at.Execs += r.Execs
	if s.job.Kind == kindTest {
		t.Mutants += r.Mutants // of a part
	} else {
		t.Mutants = max(t.Mutants, r.Mutants)
	}
	for i := range r.Bugs {
		b := &r.Bugs[i]
		if b.Fuzz = p.Target.Fuzz; !t.bugs[b.key()] && len(s.at.Bugs) < bugsMost {
			t.bugs[b.key()] = true
			s.at.Bugs = append(s.at.Bugs, *b)
		}
		if at := slices.IndexFunc(s.at.Bugs, func(have bug) bool { return have.key() == b.key() }); at >= 0 {
			s.at.Bugs[at].Slices++
		}
	}
}

// farewell is how long a server waits for workers to hear that the job has ended.
const farewell = 10 * time.Second

// finish says that the job has ended, and gives its result.
func (s *service) finish(ctx context.Context) error {
	s.at.Ended = true
	if err := s.tell(ctx); err != nil {
		return err
	}
	if s.job.Kind == kindFuzz {
		for i, t := range s.job.Targets {
			fmt.Fprintf(s.out, "%s %s: %d mutants killed\n", t.Package, t.Fuzz, len(s.tests[i].killed))
		}
	}
	fmt.Fprintf(s.out, "%d slices, %d without a result; %d executions", s.at.Done, s.at.Failed, s.at.Execs)
	if s.job.Kind == kindFuzz {
		if left := s.at.Slices - s.at.Done; left > 0 {
			fmt.Fprintf(s.out, "; %d slices were not needed", left)
		}
		fmt.Fprintf(s.out, "; fuzzmut corpus merge -share %s takes the inputs", s.share)
	}
	fmt.Fprintln(s.out)
	err := s.conclude(ctx)
	s.sayFarewell(ctx)
	if left := s.removeBinaries(ctx); left != nil {
		fmt.Fprintf(s.out, "the test binaries that were sent are still there: %v\n", left)
	}
	if s.at.Failed > 0 {
		return fmt.Errorf("%d slices have no result", s.at.Failed)
	}
	return err
}

// sayFarewell waits until no worker is there. One that finds no server waits for minutes, since it
// may come back: so one look that shows nobody, or has no answer, is not believed.
func (s *service) sayFarewell(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	for gone := 0; gone < 2 && pause(ctx); {
		list, err := s.store.present(ctx)
		if gone++; err != nil || len(list) > 0 {
			gone = 0
		}
	}
}

// exitError is an exit code of fuzzmut's, which has said why.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("fuzzmut has ended with exit code %d", int(e)) }

// conclude has fuzzmut put together what the slices have brought, and say what comes of it.
func (s *service) conclude(ctx context.Context) error {
	var args []string
	switch s.job.Kind {
	case kindFuzz:
		return nil
	case kindTest:
		slices.Sort(s.reports)
		if err := s.judgeUntested(ctx); err != nil {
			return err
		}
		args = append([]string{"merge"}, append(s.formats(), s.reports...)...)
	case kindTriage:
		args = append([]string{"triage", "-share", s.share, "-triagetime", s.job.Time}, s.formats()...)
		for _, dir := range s.crashers {
			args = append(args, "-crashers", dir)
		}
		if s.fuzz != "" {
			args = append(args, "-fuzz", s.fuzz)
		}
		args = append(args, s.packages...)
	}
	cmd := exec.CommandContext(ctx, s.runner.path, args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = s.out, s.out, 10*time.Second
	err := runAttached(cmd)
	if code := cmd.ProcessState.ExitCode(); err != nil && code > 0 {
		return exitError(code)
	}
	return err
}

// judgeUntested adds the result for packages without tests: it is there at once.
func (s *service) judgeUntested(ctx context.Context) error {
	if len(s.runner.untested) == 0 {
		return nil
	}
	var rep tested
	text, err := s.runner.fuzzmut(ctx, &rep, append([]string{"test"}, s.runner.untested...)...)
	if err != nil {
		return err
	}
	file := filepath.Join(s.runner.temp, "untested.json")
	s.reports = append(s.reports, file)
	return replace(file, text, 0o666)
}

// formats are the flags for the files of the result.
func (s *service) formats() (args []string) {
	for _, name := range slices.Sorted(maps.Keys(s.saves)) {
		args = append(args, "-"+name, s.saves[name])
	}
	return args
}

// progress reads how far the job is; nil: there is none.
func (s *store) progress(ctx context.Context) (*progress, error) {
	text, err := get(ctx, s.jobs, stateKey)
	if err != nil || text == nil {
		return nil, err
	}
	p := new(progress)
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("the state of the job can't be read: %w", err)
	}
	return p, nil
}
