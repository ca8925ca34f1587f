package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
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
	fuzz                         string
	job                          job
	replicas                     int
	lease                        time.Duration
	instead                      bool
	out                          io.Writer

	own    []nats.Option // for this process's connection
	key    ed25519.PrivateKey
	store  *store
	killed map[target]map[string]bool
	known  map[string]bool // slices that were taken in
	at     progress
	begin  time.Time
}

// progress is how far a job is.
type progress struct {
	Job     string  `json:"job"`
	Round   int     `json:"round"` // from 1
	Rounds  int     `json:"rounds"`
	Done    int     `json:"done"` // slices that count
	Slices  int     `json:"slices"`
	Failed  int     `json:"failed"` // of those done: that have no result
	Execs   int64   `json:"executions"`
	Killed  int     `json:"killed"`
	Mutants int     `json:"mutants"`
	Buckets int     `json:"buckets"` // most that one slice has seen, for each fuzz test
	Ended   bool    `json:"ended"`
	Points  []point `json:"points"`
}

// point is a point of the curve of kills.
type point struct {
	Seconds int `json:"seconds"`
	Done    int `json:"done"`
	Killed  int `json:"killed"`
}

// outcome says of a slice what counts.
type outcome struct {
	Object  string  `json:"object,omitempty"` // with the files
	Error   string  `json:"error,omitempty"`  // why there are none
	Worker  string  `json:"worker"`
	Seconds float64 `json:"seconds"`
}

const extraName = "result.json" // of a packed directory

// serve has a job done by the workers that join.
func serve(ctx context.Context, args []string, out io.Writer) error {
	s := &service{out: out, killed: make(map[target]map[string]bool), known: make(map[string]bool), begin: time.Now()}
	packages, err := s.parse(args)
	if err != nil {
		return err
	}
	return s.serve(ctx, packages)
}

func (s *service) parse(args []string) (packages []string, err error) {
	set := flag.NewFlagSet("fuzzmut fleet serve", flag.ContinueOnError)
	s.flags(set)
	set.StringVar(&s.share, "share", "", "`dir` for what workers find, and with what they begin")
	set.StringVar(&s.listen, "listen", "127.0.0.1:4233", "`address` for workers")
	set.StringVar(&s.url, "nats", "", "`URL` of a NATS server or cluster, in place of one of this process")
	set.StringVar(&s.config, "config", "", "`file` with NATS's configuration of this server: TLS, users")
	set.StringVar(&s.state, "state", "", "`dir` for the server's streams and key; default: below the user's cache")
	set.IntVar(&s.replicas, "replicas", 1, "copies of each stream in the cluster of -nats")
	set.StringVar(&s.fuzz, "fuzz", "", "fuzz tests that match a `regexp`; default: all")
	set.Int64Var(&s.job.Execs, "execs", 20_000, "`executions` of a slice")
	set.IntVar(&s.job.Slices, "slices", 8, "`slices` of each fuzz test in a round")
	set.IntVar(&s.job.Rounds, "rounds", 1, "`rounds`: each begins with what the ones before have found")
	set.Int64Var(&s.job.Seed, "seed", 1, "`seed` of the first slice of each fuzz test")
	set.DurationVar(&s.lease, "lease", 30*time.Second, "`time` after which the slice of a silent worker goes to another")
	set.BoolVar(&s.instead, "replace", false, "give up another job that is in progress")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case s.share == "":
		return nil, errors.New("fuzzmut fleet serve needs -share with a directory for what workers find")
	case s.url != "" && s.config != "":
		return nil, errors.New("-config is for a server of this process, and -nats names another; leave out one")
	case s.job.Execs < 1 || s.job.Slices < 1 || s.job.Rounds < 1 || s.replicas < 1 || s.lease < time.Second:
		return nil, errors.New("-execs, -slices, -rounds and -replicas are at least 1, and -lease is at least 1s")
	}
	if s.share, err = filepath.Abs(s.share); err == nil && s.state == "" {
		s.state, err = defaultState(s.share)
	}
	return set.Args(), err
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

func (s *service) serve(ctx context.Context, packages []string) error {
	var err error
	if s.key, err = readKey(filepath.Join(s.state, "key")); err != nil {
		return err
	}
	if err := s.plan(ctx, packages); err != nil {
		return err
	}
	end, err := s.start()
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
	fmt.Fprintf(s.out, "workers join with: fuzzmut fleet join -key %s %s\n", public(s.key), redacted(s.url))
	for round := range s.job.Rounds {
		if err := s.round(ctx, round); err != nil {
			return err
		}
	}
	return s.finish(ctx)
}

// plan finds the fuzz tests, and what their binaries are called.
func (s *service) plan(ctx context.Context, packages []string) error {
	path, err := findCommand()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "fuzzmut-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r := &runner{path: path, dir: dir, temp: temp}
	if s.job.Targets, err = r.targets(ctx, s.fuzz, packages); err != nil {
		return err
	}
	s.job.Toolchain, err = output(dir, "go", "version")
	for i := range s.job.Targets {
		s.killed[s.job.Targets[i]] = make(map[string]bool)
	}
	return err
}

// start starts a server in this process, unless there is another. end ends it.
func (s *service) start() (end func(), err error) {
	if s.url != "" {
		return func() {}, nil
	}
	opts := &server.Options{}
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
	if opts.Port == 0 {
		opts.Port = server.RANDOM_PORT
	}
	if err := checkOpen(host, opts); err != nil {
		return nil, err
	}
	opts.JetStream, opts.NoSigs = true, true
	if opts.StoreDir == "" {
		opts.StoreDir = filepath.Join(s.state, "jetstream")
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
	s.at = progress{Job: id, Rounds: s.job.Rounds, Slices: s.job.Rounds * s.job.Slices * len(s.job.Targets), Points: []point{}}
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
		func(ctx context.Context) error { return s.store.js.DeleteObjectStore(ctx, filesName) },
	} {
		if err := retry(ctx, remove); err != nil && !answers(err) {
			return err
		}
	}
	s.store, err = makeStore(ctx, nc, s.replicas)
	return err
}

// round has the slices of a round done, and takes in what they bring.
func (s *service) round(ctx context.Context, n int) error {
	s.at.Round = n + 1
	base, err := s.base(ctx, n)
	if err != nil {
		return err
	}
	list := s.job.round(n, base)
	if err := s.publish(ctx, n, list); err != nil {
		return err
	}
	return s.collect(ctx, list)
}

// base is the object with what the slices of a round begin with: it is made once.
func (s *service) base(ctx context.Context, n int) (string, error) {
	name := fmt.Sprintf("%s.base%d", s.job.id(), n)
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
	s.at.Done++
	if o.Error != "" {
		s.at.Failed++
		fmt.Fprintf(s.out, "slice %s of %s has no result: %s\n", p.ID, p.Target.Fuzz, o.Error)
	}
	s.at.Killed = 0
	for _, set := range s.killed {
		s.at.Killed += len(set)
	}
	s.at.Points = append(s.at.Points, point{int(time.Since(s.begin).Seconds()), s.at.Done, s.at.Killed})
	if n := len(s.at.Points); n > pointsMost {
		s.at.Points = slices.Delete(s.at.Points, n/2, n/2+1)
	}
	fmt.Fprintf(s.out, "%d of %d slices, %d mutants killed: %s %s by %s in %.1f s\n", s.at.Done, s.at.Slices, s.at.Killed, p.Target.Fuzz, p.ID, o.Worker, o.Seconds)
	return put(ctx, s.store.jobs, stateKey, &s.at)
}

const pointsMost = 200

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
	for _, id := range r.Killed {
		s.killed[p.Target][id] = true
	}
	s.at.Execs += r.Execs
	s.at.Buckets = max(s.at.Buckets, r.Buckets)
	s.at.Mutants = max(s.at.Mutants, r.Mutants)
	return "", nil
}

// farewell is how long a server waits for workers to hear that the job has ended.
const farewell = 10 * time.Second

// finish says that the job has ended.
func (s *service) finish(ctx context.Context) error {
	s.at.Ended = true
	if err := put(ctx, s.store.jobs, stateKey, &s.at); err != nil {
		return err
	}
	for _, t := range s.job.Targets {
		fmt.Fprintf(s.out, "%s %s: %d mutants killed\n", t.Package, t.Fuzz, len(s.killed[t]))
	}
	fmt.Fprintf(s.out, "%d slices, %d without a result; %d executions; fuzzmut corpus merge -share %s takes the inputs\n", s.at.Done, s.at.Failed, s.at.Execs, s.share)
	for end := time.Now().Add(farewell); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		if list, err := s.store.present(ctx); err != nil || len(list) == 0 {
			break
		}
	}
	if s.at.Failed > 0 {
		return fmt.Errorf("%d slices have no result", s.at.Failed)
	}
	return nil
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
