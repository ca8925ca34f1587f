package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// names of what a fleet has in NATS.
const (
	streamName  = "fuzzmut-slices"
	subject     = "fuzzmut.slice."
	jobsName    = "fuzzmut-jobs"    // key-value: the job, and how far it is
	doneName    = "fuzzmut-done"    // key-value: the slices that count
	workersName = "fuzzmut-workers" // key-value: what workers do
	killsName   = "fuzzmut-kills"   // key-value: of live jobs, kills by fuzz test and mutant
	filesName   = "fuzzmut-files"   // objects: packed shared directories

	jobKey   = "job"
	stateKey = "state"
)

// access is how a process gets at NATS.
type access struct {
	url, creds, ca, cert, certKey string
	plain                         bool
}

func (a *access) flags(set *flag.FlagSet) {
	set.StringVar(&a.creds, "creds", "", "`file` with credentials of NATS")
	set.StringVar(&a.ca, "ca", "", "`file` with the certificates that sign the server's, for TLS")
	set.StringVar(&a.cert, "cert", "", "`file` with a certificate of this process, for TLS that asks for one")
	set.StringVar(&a.certKey, "cert-key", "", "`file` with the key of -cert")
	set.BoolVar(&a.plain, "plain", false, "connect to another machine without TLS")
}

// connect connects to NATS. more are options.
func (a *access) connect(more ...nats.Option) (*nats.Conn, error) {
	if strings.HasPrefix(a.url, "http:") || strings.HasPrefix(a.url, "https:") {
		return nil, fmt.Errorf("%s is an address for browsers: the URL of a server begins with nats:// or tls://, and stands in the line for workers that fuzzmut fleet serve prints", redacted(a.url))
	}
	opts := append([]nats.Option{nats.Name("fuzzmut"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(10 * time.Second)}, more...)
	if a.creds != "" {
		opts = append(opts, nats.UserCredentials(a.creds))
	}
	if a.ca != "" {
		opts = append(opts, nats.RootCAs(a.ca))
	}
	if a.cert != "" || a.certKey != "" {
		opts = append(opts, nats.ClientCert(a.cert, a.certKey))
	}
	if a.elsewhere() && !a.plain {
		opts = append(opts, nats.Secure()) // before any password is sent
	}
	nc, err := nats.Connect(a.url, opts...)
	switch {
	case errors.Is(err, nats.ErrSecureConnWanted):
		return nil, fmt.Errorf("%s has no TLS: what is said and found could be read and changed on the way; give it TLS, or allow that by -plain", redacted(a.url))
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("%s can't be reached: no server answers there; check the address, and that fuzzmut fleet serve has printed its line for workers and is still there", redacted(a.url))
	case err != nil:
		return nil, fmt.Errorf("%s can't be reached: %w; check the address, the user in it, -creds and -ca", redacted(a.url), err)
	}
	return nc, nil
}

// elsewhere reports whether a server is on another machine.
func (a *access) elsewhere() bool {
	for _, one := range strings.Split(a.url, ",") {
		if !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		if u, err := url.Parse(strings.TrimSpace(one)); err != nil || !loopback(u.Hostname()) {
			return true
		}
	}
	return false
}

// store is what a fleet has in NATS.
type store struct {
	js                  jetstream.JetStream
	slices              jetstream.Stream
	jobs, done, workers jetstream.KeyValue
	kills               jetstream.KeyValue
	files               jetstream.ObjectStore
}

// makeStore makes what is not there, with a number of replicas.
func makeStore(ctx context.Context, nc *nats.Conn, replicas int) (*store, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	makes := []func(context.Context) error{func(ctx context.Context) error {
		_, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: streamName, Subjects: []string{subject + "*"}, Retention: jetstream.WorkQueuePolicy, Replicas: replicas})
		return err
	}}
	for name, ttl := range map[string]time.Duration{jobsName: 0, doneName: 0, killsName: 0, workersName: workerTTL} {
		makes = append(makes, func(ctx context.Context) error {
			_, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Replicas: replicas, TTL: ttl})
			return errors.Join(err, readLeader(ctx, js, "KV_"+name))
		})
	}
	makes = append(makes, func(ctx context.Context) error {
		_, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesName, Replicas: replicas})
		return errors.Join(err, readLeader(ctx, js, "OBJ_"+filesName))
	})
	for _, do := range makes {
		if err := retry(ctx, do); err != nil {
			return nil, fmt.Errorf("the streams of the fleet can't be made: %w; the server needs JetStream", err)
		}
	}
	return openStore(ctx, nc)
}

// readLeader has a stream read from its leader alone: another replica that was restarted answers
// as of then, and so may say that something is not there.
func readLeader(ctx context.Context, js jetstream.JetStream, name string) error {
	s, err := js.Stream(ctx, name)
	if err != nil {
		return err
	}
	cfg := s.CachedInfo().Config
	if !cfg.AllowDirect {
		return nil
	}
	cfg.AllowDirect = false
	_, err = js.UpdateStream(ctx, cfg)
	return err
}

// openStore opens what a server has made.
func openStore(ctx context.Context, nc *nats.Conn) (s *store, err error) {
	s = &store{}
	if s.js, err = jetstream.New(nc); err != nil {
		return nil, err
	}
	err = retry(ctx, func(ctx context.Context) (err error) {
		if s.slices, err = s.js.Stream(ctx, streamName); err != nil {
			return err
		}
		for name, kv := range map[string]*jetstream.KeyValue{jobsName: &s.jobs, doneName: &s.done, killsName: &s.kills, workersName: &s.workers} {
			if *kv, err = s.js.KeyValue(ctx, name); err != nil {
				return err
			}
		}
		s.files, err = s.js.ObjectStore(ctx, filesName)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("there is no fleet: %w; start fuzzmut fleet serve first", err)
	}
	return s, nil
}

const (
	attempt  = 10 * time.Second // of a call
	patience = 2 * time.Minute  // of a call and its repetitions
)

// retry calls a function until it succeeds: servers of a cluster may be restarted. What says that
// something is not there, or is there, is an answer.
func retry(ctx context.Context, do func(context.Context) error) error {
	end := time.Now().Add(patience)
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := once(ctx, do)
		if err == nil || answers(err) || ctx.Err() != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("the server has not answered for %v: %w", patience, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

func once(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	return do(ctx)
}

func answers(err error) bool {
	for _, e := range []error{
		jetstream.ErrKeyNotFound, jetstream.ErrKeyExists, jetstream.ErrObjectNotFound, jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound,
		jetstream.ErrConsumerNotFound, jetstream.ErrJetStreamNotEnabled, jetstream.ErrNoKeysFound, nats.ErrAuthorization, nats.ErrConnectionClosed,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// get reads a value; nil: there is none.
func get(ctx context.Context, kv jetstream.KeyValue, key string) (text []byte, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		e, err := kv.Get(ctx, key)
		if err == nil {
			text = e.Value()
		}
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	return text, err
}

func put(ctx context.Context, kv jetstream.KeyValue, key string, v any) error {
	text, ok := v.([]byte)
	if !ok {
		var err error
		if text, err = json.Marshal(v); err != nil {
			return err
		}
	}
	return retry(ctx, func(ctx context.Context) error {
		_, err := kv.Put(ctx, key, text)
		return err
	})
}

// missing is how long something is looked for that has to be there: a new leader may not know yet.
const missing = 20 * time.Second

// object reads an object that was put; nil: it is gone.
func (s *store) object(ctx context.Context, name string) (data []byte, err error) {
	for end := time.Now().Add(missing); ; {
		err = retry(ctx, func(ctx context.Context) (err error) {
			data, err = s.files.GetBytes(ctx, name)
			return err
		})
		if !errors.Is(err, jetstream.ErrObjectNotFound) {
			return data, err
		}
		if time.Now().After(end) || !pause(ctx) {
			return nil, ctx.Err()
		}
	}
}

// pause waits for a moment, and reports whether ctx lives.
func pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(idle):
		return true
	}
}

func (s *store) putObject(ctx context.Context, name string, data []byte) error {
	return retry(ctx, func(ctx context.Context) error {
		_, err := s.files.PutBytes(ctx, name, data)
		return err
	})
}

// consumerName is the name of the consumer of the slices of a test binary.
func consumerName(binary string) string { return "binary-" + binary[:32] }

// first is the first line of an error.
func first(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// redacted is a list of URLs without passwords.
func redacted(text string) string {
	list := strings.Split(text, ",")
	for i, one := range list {
		if u, err := url.Parse(one); err == nil {
			list[i] = u.Redacted()
		}
	}
	return strings.Join(list, ",")
}
