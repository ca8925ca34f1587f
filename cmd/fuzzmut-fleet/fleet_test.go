package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// voice is what a command says, which may be read meanwhile.
type voice struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (v *voice) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.b.Write(p)
}

func (v *voice) String() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.b.String()
}

// await waits until it has said what matches.
func (v *voice) await(t *testing.T, pattern string) []string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if m := re.FindStringSubmatch(v.String()); m != nil {
			return m
		}
	}
	t.Fatalf("no %q in %s", pattern, v.String())
	return nil
}

// module makes a tree, and has this process and the commands that it starts run there with the
// fake of fuzzmut.
func module(t *testing.T, fake string) {
	t.Helper()
	dir := t.TempDir()
	write(filepath.Join(dir, "go.mod"), "module example.com/p\n\ngo 1.26\n")
	write(filepath.Join(dir, "testdata", "fuzz", "FuzzA", "seed"), "1")
	t.Chdir(dir)
	t.Setenv(envCommand, os.Args[0])
	t.Setenv(envFake, "plays "+fake)
	t.Setenv("XDG_CACHE_HOME", stateDir(t))
	t.Setenv("HOME", t.TempDir())
}

// stateDir is a directory for what servers keep. NATS may write there for a moment after it has ended,
// so that it can't be removed as those of the test are.
func stateDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fuzzmut-fleet-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for end := time.Now().Add(10 * time.Second); os.RemoveAll(dir) != nil && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	})
	return dir
}

// process is a command of the program that runs in this process.
type process struct {
	voice
	stop  context.CancelFunc
	ended chan struct{}
	code  int
}

func begin(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := &process{stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.code = run(ctx, args, &p.voice, &p.voice)
	}()
	t.Cleanup(func() {
		stop()
		<-p.ended
	})
	return p
}

// ends waits for the end, and checks the exit code.
func (p *process) ends(t *testing.T, code int) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(2 * time.Minute):
		t.Fatalf("no end: %s", p.String())
	}
	if p.code != code {
		t.Fatalf("exit code %d, want %d: %s", p.code, code, p.String())
	}
}

// served starts a server and returns how workers join.
func served(t *testing.T, share string, args ...string) (p *process, joins []string) {
	t.Helper()
	p = begin(t, append([]string{"serve", "-share", share, "-listen", "127.0.0.1:0"}, args...)...)
	t.Cleanup(func() {
		if t.Failed() { // why a worker waits is known there
			t.Logf("the server said:\n%s", p.String())
		}
	})
	m := p.await(t, `fuzzmut fleet (join -key \S+ (?:nats|tls)://\S+)`)
	return p, strings.Fields(m[1])
}

// inputs lists the entries of a shared directory, and counts the logs.
func inputs(t *testing.T, share string) (entries []string, logs int) {
	t.Helper()
	list, err := files(share, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		if strings.HasPrefix(name, "entries/") {
			entries = append(entries, name)
		} else if strings.HasSuffix(name, ".log") {
			logs++
		}
	}
	return entries, logs
}

func TestSlicesAreDoneOnceByAnyWorker(t *testing.T) {
	module(t, "sleep=20ms")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-slices", "3", "-execs", "10")
	a, b := begin(t, joins...), begin(t, joins...)
	s.ends(t, 0)
	a.ends(t, 0)
	b.ends(t, 0)
	if entries, logs := inputs(t, share); len(entries) != 6 || logs != 6 {
		t.Errorf("%d entries, %d logs", len(entries), logs)
	}
	// FuzzA1, FuzzA2 and FuzzA3, and what was found without a base.
	if text := s.String(); !strings.Contains(text, "example.com/p FuzzA: 4 mutants killed") || !strings.Contains(text, "6 slices, 0 without a result; 60 executions") {
		t.Error(text)
	}
}

func TestARoundBeginsWithWhatTheOnesBeforeHaveFound(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	leave(share, "FuzzA", "earlier", binaryOf(nil))
	s, joins := served(t, share, "-slices", "2", "-rounds", "2", "-fuzz", "^FuzzA$")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	// Four seeds; with one input in the first round, with three in the second.
	if text := s.String(); !strings.Contains(text, "FuzzA: 6 mutants killed") {
		t.Error(text)
	}
	if entries, logs := inputs(t, share); len(entries) != 5 || logs != 5 {
		t.Errorf("%d entries, %d logs", len(entries), logs)
	}
}

// steadyPort is one that the system does not give to a connection meanwhile.
func steadyPort(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20_000 + mathrand.IntN(10_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			l.Close() //nolint:errcheck // nobody has connected
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// beginAgain starts a server on a port that one in this process had until now. The system may take it for used a little
// longer: a process that the worker is about to start has the sockets of this one until it runs its program.
func beginAgain(t *testing.T, args ...string) *process {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		p := begin(t, args...)
		if m := p.await(t, `workers join with|address already in use`); m[0] != "address already in use" || time.Now().After(deadline) {
			return p
		}
		p.ends(t, 2)
	}
}

// A server goes on where it was, and no slice counts twice.
func TestAServerGoesOnWhereItWas(t *testing.T) {
	module(t, "sleep=100ms")
	share := filepath.Join(t.TempDir(), "found")
	port := steadyPort(t)
	s, joins := served(t, share, "-listen", "127.0.0.1:"+port, "-slices", "4")
	w := begin(t, joins...)
	s.await(t, "2 of 8 slices")
	s.stop()
	s.ends(t, interrupted)
	again := beginAgain(t, "serve", "-share", share, "-listen", "127.0.0.1:"+port, "-slices", "4")
	again.ends(t, 0)
	w.ends(t, 0)
	if entries, logs := inputs(t, share); len(entries) != 8 || logs != 8 {
		t.Errorf("%d entries, %d logs", len(entries), logs)
	}
	if text := again.String(); !strings.Contains(text, "\n8 slices, 0 without a result; 160000 executions") {
		t.Error(text)
	}
	if text := w.String(); !strings.Contains(text, "the connection to the server is lost") || !strings.Contains(text, "the server is there again") {
		t.Errorf("the worker says nothing of a server that went away: %s", text)
	}
}

// The same command after the end is another job, which begins with what the first has found.
func TestAJobThatHasEndedBeginsAgain(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	for range 2 {
		s, joins := served(t, share, "-slices", "1")
		begin(t, joins...).ends(t, 0)
		s.ends(t, 0)
		if !strings.Contains(s.String(), "FuzzA: 2 mutants killed") {
			t.Error(s.String())
		}
	}
	if entries, logs := inputs(t, share); len(entries) != 2 || logs != 4 {
		t.Errorf("%d entries, %d logs", len(entries), logs)
	}
}

func TestOnlyOneJobAtATime(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	s, _ := served(t, share)
	s.stop()
	s.ends(t, interrupted)
	other := begin(t, "serve", "-share", share, "-listen", "127.0.0.1:0", "-slices", "1")
	other.ends(t, usage)
	if !strings.Contains(other.String(), "another job is in progress: 0 of 16 slices are done") {
		t.Error(other.String())
	}
	s, joins := served(t, share, "-slices", "1", "-replace")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
}

func TestAWorkerOfAnotherTreeHasNoLease(t *testing.T) {
	module(t, "")
	s, joins := served(t, filepath.Join(t.TempDir(), "found"))
	t.Setenv(envFake, "plays other")
	w := begin(t, joins...)
	w.ends(t, usage)
	here, there := binaryOf([]string{"other"})[:12], binaryOf(nil)[:12]
	if !strings.Contains(w.String(), "no lease: the test binary of example.com/p is "+here+" here and "+there+" in the job") {
		t.Error(w.String())
	}
	if strings.Contains(s.String(), "slices,") {
		t.Error(s.String())
	}
}

func TestAWorkerTakesNothingThatTheServerHasNotSigned(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-slices", "1", "-rounds", "2")
	other, err := newKey(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	url := joins[len(joins)-1]
	w := begin(t, "join", "-key", public(other), url)
	w.ends(t, usage)
	if !strings.Contains(w.String(), "the job is refused: it is not signed by the server's key") {
		t.Error(w.String())
	}
	// A slice of somebody else's in the stream is dropped; the others are done. It is there before
	// those of the second round, which the worker takes after it.
	nc, err := (&access{url: url}).connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	st, err := openStore(t.Context(), nc)
	if err != nil {
		t.Fatal(err)
	}
	forged := slice{Job: "x", ID: "y", Target: target{"example.com/p", "FuzzA", binaryOf(nil)}, Execs: 1}
	text, err := sign(other, &forged)
	if err == nil {
		_, err = st.js.Publish(t.Context(), subject+binaryOf(nil), text)
	}
	if err != nil {
		t.Fatal(err)
	}
	w = begin(t, joins...)
	w.ends(t, 0)
	s.ends(t, 0)
	if strings.Count(w.String(), "a slice is refused: it is not signed by the server's key") != 1 {
		t.Error(w.String())
	}
	if entries, _ := inputs(t, share); len(entries) != 4 {
		t.Errorf("%d entries", len(entries))
	}
}

// What a worker can't do is given back, and another does it; the one that can't ends.
func TestAWorkerThatCantGivesSlicesBack(t *testing.T) {
	for name, fake := range map[string]string{"it fails": "exit=2", "its disk is full": "warn"} {
		t.Run(name, func(t *testing.T) {
			module(t, fake)
			share := filepath.Join(t.TempDir(), "found")
			s, joins := served(t, share, "-slices", "1")
			w := begin(t, joins...)
			w.ends(t, usage)
			if n := strings.Count(w.String(), "is given back:"); n != failedMost || !strings.Contains(w.String(), "3 slices in a row could not be done here") {
				t.Errorf("%d: %s", n, w.String())
			}
			if exists(share) {
				t.Error("something counts")
			}
			t.Setenv(envFake, "plays")
			begin(t, joins...).ends(t, 0)
			s.ends(t, 0)
			if entries, _ := inputs(t, share); len(entries) != 2 {
				t.Errorf("%d entries", len(entries))
			}
		})
	}
}

// Which of two outcomes counts is decided once, and the files of that one stay.
func TestASliceCountsOnce(t *testing.T) {
	module(t, "")
	_, joins := served(t, filepath.Join(t.TempDir(), "found"))
	nc, err := (&access{url: joins[len(joins)-1]}).connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	st, err := openStore(t.Context(), nc)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"KV_" + jobsName, "KV_" + doneName, "KV_" + killsName, "KV_" + workersName, "OBJ_" + filesName} {
		if s, err := st.js.Stream(t.Context(), name); err != nil || s.CachedInfo().Config.AllowDirect {
			t.Errorf("%s is read from any replica, or %v", name, err)
		}
	}
	w := &worker{store: st}
	s := &slice{Job: "j", ID: "s"}
	for _, name := range []string{"first", "first", "second"} { // the first call's answer may be lost
		if err := st.putObject(t.Context(), name, []byte(name)); err != nil {
			t.Fatal(err)
		}
		if err := w.count(t.Context(), s, &outcome{Object: name}); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := st.files.GetBytes(t.Context(), "first"); err != nil || string(data) != "first" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := st.files.GetBytes(t.Context(), "second"); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Error(err)
	}
}

func TestASliceWhoseSeedsFailHasNoResult(t *testing.T) {
	module(t, "exit=3")
	s, joins := served(t, filepath.Join(t.TempDir(), "found"), "-slices", "1")
	begin(t, joins...).ends(t, 0)
	s.ends(t, usage)
	if text := s.String(); !strings.Contains(text, "has no result: its baseline fails: as it was told") || !strings.Contains(text, "2 slices have no result") {
		t.Error(text)
	}
}

// A lease ends with its worker, and others get the slice.
func TestTheSliceOfAWorkerThatIsGoneIsDoneByAnother(t *testing.T) {
	module(t, "sleep=1h")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-slices", "1", "-lease", "1s", "-fuzz", "^FuzzA$")
	url := joins[len(joins)-1]
	w := begin(t, joins...)
	s.awaitStatus(t, url, `FuzzA r0-t0-s0 for`)
	w.stop()
	w.ends(t, interrupted)
	t.Setenv(envFake, "plays")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
}

// awaitStatus waits until status says what matches.
func (p *process) awaitStatus(t *testing.T, url, pattern string) string {
	t.Helper()
	return p.awaitState(t, pattern, "status", url)
}

// awaitState is awaitStatus with the arguments.
func (p *process) awaitState(t *testing.T, pattern string, args ...string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var v voice
		if code := run(t.Context(), args, &v, &v); code != 0 {
			t.Fatal(v.String())
		}
		if regexp.MustCompile(pattern).MatchString(v.String()) {
			return v.String()
		}
	}
	t.Fatalf("no %q", pattern)
	return ""
}

// What a run leaves in the tree is gone before the next, and the user's tree has none of it.
func TestRunsLeaveTheTreeAsItIs(t *testing.T) {
	module(t, "dirty")
	s, joins := served(t, filepath.Join(t.TempDir(), "found"), "-slices", "2")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	if exists("left") || exists("testdata/fuzz/FuzzA/left") {
		t.Error("the tree was changed")
	}
}

// certificate makes one for this machine, which signs itself, and returns its files.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	write(cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})))
	return cert, key
}

// Before the first slice is done, the state has the fuzz tests, and a worker that builds.
func TestTheStateIsThereFromTheBeginning(t *testing.T) {
	module(t, "")
	_, joins := served(t, filepath.Join(t.TempDir(), "found"))
	st := storeOf(t, joins)
	var v *view
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var err error
		if v, err = st.view(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v.Round > 0 {
			break
		}
	}
	if v.Round != 1 || len(v.Tests) != 2 || v.Tests[1].Fuzz != "FuzzB" || v.Done != 0 {
		t.Errorf("%+v", v)
	}
	w := &worker{store: st, name: "one"}
	end := w.sayWhile(t.Context(), "builds its test binaries")
	defer end()
	for {
		if all, err := st.present(t.Context()); err != nil || all["one"].Slice == "builds its test binaries" {
			break
		}
	}
	end()
	since := w.since
	if err := w.say(t.Context(), "builds its test binaries"); err != nil || w.since != since {
		t.Errorf("it begins to build again, or %v", err)
	}
	if err := w.say(t.Context(), gone); err != nil {
		t.Error(err)
	}
	if all, err := st.present(t.Context()); err != nil || len(all) > 0 {
		t.Error(all, err)
	}
}

// Messages of runs name the tree of the user, and not its copy.
func TestMessagesNameTheTree(t *testing.T) {
	r := &runner{copied: "/tmp/fuzzmut-fleet-1-2/tree", from: "/home/ann/p"}
	if got := r.reason("x\nfuzzmut: package ./q can't be found: stat /tmp/fuzzmut-fleet-1-2/tree/q: directory not found\n"); got != "package ./q can't be found: stat /home/ann/p/q: directory not found" {
		t.Error(got)
	}
}

// Other machines need TLS and a user: a configuration with both, and workers that have both.
func TestOtherMachinesNeedTLSAndAUser(t *testing.T) {
	module(t, "")
	cert, key := certificate(t)
	config := filepath.Join(t.TempDir(), "nats.conf")
	tls := fmt.Sprintf("tls { cert_file: %q, key_file: %q }\n", cert, key)
	users := "authorization { user: ann, password: secret }\n"
	share := filepath.Join(t.TempDir(), "found")
	for _, text := range []string{tls, users} {
		write(config, text)
		p := begin(t, "serve", "-share", share, "-listen", "0.0.0.0:0", "-config", config)
		p.ends(t, usage)
		if !strings.Contains(p.String(), "can be reached from other machines") {
			t.Error(p.String())
		}
	}
	write(config, tls+users)
	s, joins := served(t, share, "-slices", "1", "-listen", "0.0.0.0:0", "-config", config)
	at := "127.0.0.1" + joins[len(joins)-1][strings.LastIndex(joins[len(joins)-1], ":"):]
	for _, url := range []string{"nats://" + at, "nats://ann:wrong@" + at} {
		p := begin(t, "join", "-ca", cert, "-key", joins[2], url)
		p.ends(t, usage)
		if !strings.Contains(p.String(), "Authorization Violation") || strings.Contains(p.String(), "wrong") {
			t.Error(p.String())
		}
	}
	begin(t, "join", "-ca", cert, "-key", joins[2], "nats://ann:secret@"+at).ends(t, 0)
	s.ends(t, 0)
}

// What is wrong is said before anything is built.
func TestWrongUsageIsOneLine(t *testing.T) {
	module(t, "")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().String()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "takes a command: serve, join or status"},
		{[]string{"x"}, `has no command "x"`},
		{[]string{"serve"}, "needs -share"},
		{[]string{"serve", "-nosuch"}, "-nosuch; fuzzmut help fleet lists the flags of serve\n"},
		{[]string{"serve", "-share", "x", "-slices", "0"}, "at least 1"},
		{[]string{"serve", "-share", "x", "-listen", "0.0.0.0:0"}, "can be reached from other machines"},
		{[]string{"serve", "-share", "x", "-listen", ":0"}, "can be reached from other machines"},
		{[]string{"serve", "-share", "x", "-listen", "nothing"}, "write host:port"},
		{[]string{"serve", "-share", "x", "-config", "nothing"}, "nothing"},
		{[]string{"serve", "-share", "x", "-job", "sleep"}, "there are fuzz, test and triage"},
		{[]string{"serve", "-share", "x", "-job", "test", "-rounds", "2"}, "-rounds is for a job of kind fuzz"},
		{[]string{"serve", "-share", "x", "-job", "test", "-slices", "1001"}, "1000 parts of the mutants at most"},
		{[]string{"serve", "-share", "x", "-json", "y"}, "-json is for a job of kind test or triage"},
		{[]string{"serve", "-share", "x", "-http", "0.0.0.0:0", "-listen", "127.0.0.1:0"}, "it is shown on this machine alone"},
		{[]string{"serve", "-share", "x", "-http", "x", "-listen", "127.0.0.1:0"}, "write host:port, or off"},
		{[]string{"serve", "-share", "x", "-nats", "nats://127.0.0.1:1"}, "can't be reached"},
		{[]string{"join", "nats://127.0.0.1:1"}, "needs -key"},
		{[]string{"join", "-key", "x", "nats://127.0.0.1:1"}, "-key is not what the server has printed"},
		{[]string{"serve", "-share", "x", "-listen", taken}, "address already in use; choose another address"},
		{[]string{"status", "http://127.0.0.1:1/"}, "is an address for browsers"},
		{[]string{"join"}, "needs the URL"},
		{[]string{"join", "-key", strings.Repeat("A", 43), "nats://127.0.0.1:1"}, "can't be reached"},
		{[]string{"status"}, "needs the URL"},
		{[]string{"status", "nats://127.0.0.1:1"}, "can't be reached"},
	} {
		var v voice
		if code := run(t.Context(), c.args, &v, &v); code != usage || !strings.Contains(v.String(), c.want) || strings.Count(v.String(), "\n") != 1 || !strings.HasPrefix(v.String(), "fuzzmut: ") {
			t.Errorf("%q: exit code %d, %s", c.args, code, v.String())
		}
	}
}

// The help of fuzzmut names all flags.
func TestFlagsAreInTheHelp(t *testing.T) {
	help, err := os.ReadFile(filepath.Join("..", "fuzzmut", "help", "fleet.txt"))
	if err != nil {
		t.Fatal(err)
	}
	source := ""
	for _, name := range []string{"serve.go", "join.go", "status.go", "store.go", "page.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source += string(text)
	}
	list := regexp.MustCompile(`set\.\w+\((?:&[\w.]+, )?"([a-z]+)"`).FindAllStringSubmatch(source, -1)
	if len(list) < 18 {
		t.Errorf("%d flags", len(list))
	}
	for _, m := range list {
		if !regexp.MustCompile(`(^|[\s(])-` + m[1] + `\b`).Match(help) {
			t.Errorf("the help does not name -%s", m[1])
		}
	}
}

func TestStatusShowsTheState(t *testing.T) {
	v := someView()
	var b bytes.Buffer
	v.write(&b, time.Unix(5, 0))
	want := `job j, fuzz: in progress, round 1 of 1
slices: 3 of 4 done, 0 without a result; 1 leased, 0 waiting
executions: 30
killed mutants: 8 of 9  ▂▄█
  FuzzA: 3 slices, 30 executions, 8 killed of 9, 4 new in the last 2
failing inputs: 1 bug, by kind and place
  FuzzA: panic: a <b>\ufffd (p.F p.go:3), in 2 slices
workers: 2
  a: 2 slices, waits
  b: 1 slice, FuzzA r0-t0-s3 for 5s
`
	if b.String() != strings.ReplaceAll(want, `\ufffd`, "\ufffd") {
		t.Errorf("%s", fmt.Sprintf("got %s, want %s", b.String(), want))
	}
}

func someView() *view {
	return &view{progress: progress{
		Job: "j", Kind: kindFuzz, Round: 1, Rounds: 1, Done: 3, Slices: 4, Killed: 8, Mutants: 9, Execs: 30,
		Points: []point{{1, 1, 2, 10, 0}, {2, 2, 4, 20, 1}, {3, 3, 8, 30, 1}},
		Tests:  []targetState{{Package: "example.com/p", Fuzz: "FuzzA", yield: yield{Given: 2, Found: 4}, Done: 3, Execs: 30, Killed: 8, Reached: 9, Mutants: 9}},
		Bugs:   []bug{{Fuzz: "FuzzA", Kind: "panic", Message: "a <b>\x1b", Frame: "p.F p.go:3", Slices: 2}},
	}, Leased: 1, Workers: map[string]presence{
		"b": {Slice: "FuzzA r0-t0-s3", Since: time.Unix(0, 0), Done: 1}, "a": {Done: 2},
	}}
}
