package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

func TestServersOfOtherMachinesNeedTLS(t *testing.T) {
	for text, want := range map[string]bool{
		"nats://127.0.0.1:1": false, "127.0.0.1:1": false, "nats://localhost": false, "nats://[::1]:3": false, "tls://u:p@127.0.0.1:1": false,
		"nats://example.com": true, "nats://127.0.0.1:1,nats://10.0.0.1:2": true, "nats://10.0.0.1:1": true, "%": true,
	} {
		if got := (&access{url: text}).elsewhere(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// otherAddress is an address of this machine that is not a loopback one.
func otherAddress(t *testing.T) string {
	t.Helper()
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no other address")
	return ""
}

func startNATS(t *testing.T, opts *server.Options) *server.Server {
	t.Helper()
	opts.Port, opts.NoSigs, opts.StoreDir = server.RANDOM_PORT, true, t.TempDir()
	ns, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() { ns.Shutdown(); ns.WaitForShutdown() })
	if !ns.ReadyForConnections(20 * time.Second) {
		t.Fatal("NATS does not start")
	}
	return ns
}

// Without TLS nothing is said to a server of another machine, no password either.
func TestNoPasswordIsSentWithoutTLS(t *testing.T) {
	module(t, "")
	ns := startNATS(t, &server.Options{Host: otherAddress(t), JetStream: true, Username: "ann", Password: "secret"})
	url := strings.Replace(ns.ClientURL(), "://", "://ann:secret@", 1)
	p := begin(t, "status", url)
	p.ends(t, usage)
	if !strings.Contains(p.String(), "has no TLS") || strings.Contains(p.String(), "secret") {
		t.Error(p.String())
	}
	p = begin(t, "status", "-plain", url)
	p.ends(t, usage)
	if !strings.Contains(p.String(), "there is no fleet") {
		t.Error(p.String())
	}
}

// A server that knows its clients by their certificates lets in who has one.
func TestClientsMayHaveCertificates(t *testing.T) {
	module(t, "")
	cert, key := certificate(t)
	config := filepath.Join(t.TempDir(), "nats.conf")
	write(config, fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %[1]q, verify: true }\n", cert, key))
	s, joins := served(t, filepath.Join(t.TempDir(), "found"), "-slices", "1", "-config", config)
	url := joins[len(joins)-1]
	p := begin(t, "join", "-ca", cert, "-key", joins[2], url)
	p.ends(t, usage)
	if !strings.Contains(p.String(), "can't be reached") {
		t.Error(p.String())
	}
	begin(t, "join", "-ca", cert, "-cert", cert, "-cert-key", key, "-key", joins[2], url).ends(t, 0)
	s.ends(t, 0)
}

// credentials makes an operator with one account, and the file of a user of it.
func credentials(t *testing.T) (opts *server.Options, file string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	operator, err := nkeys.CreateOperator()
	must(err)
	resolver := &server.MemAccResolver{}
	sign := func(limits bool) (nkeys.KeyPair, string) {
		account, err := nkeys.CreateAccount()
		must(err)
		name, err := account.PublicKey()
		must(err)
		claims := jwt.NewAccountClaims(name)
		if limits {
			claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
		}
		text, err := claims.Encode(operator)
		must(err)
		must(resolver.Store(name, text))
		return account, name
	}
	_, system := sign(false)
	account, _ := sign(true)
	user, err := nkeys.CreateUser()
	must(err)
	userName, err := user.PublicKey()
	must(err)
	text, err := jwt.NewUserClaims(userName).Encode(account)
	must(err)
	seed, err := user.Seed()
	must(err)
	creds, err := jwt.FormatUserConfig(text, seed)
	must(err)
	file = filepath.Join(t.TempDir(), "user.creds")
	must(os.WriteFile(file, creds, 0o600))
	operatorName, err := operator.PublicKey()
	must(err)
	claims := jwt.NewOperatorClaims(operatorName)
	claims.SystemAccount = system
	signed, err := claims.Encode(operator)
	must(err)
	trusted, err := jwt.DecodeOperatorClaims(signed)
	must(err)
	return &server.Options{Host: "127.0.0.1", JetStream: true, TrustedOperators: []*jwt.OperatorClaims{trusted}, SystemAccount: system, AccountResolver: resolver}, file
}

// Files of credentials, as NATS makes them, are enough for all three commands.
func TestCredentialsAreThoseOfNATS(t *testing.T) {
	module(t, "")
	opts, file := credentials(t)
	ns := startNATS(t, opts)
	if nc, err := nats.Connect(ns.ClientURL()); err == nil {
		nc.Close()
		t.Fatal("the server lets in anybody")
	}
	p := begin(t, "status", ns.ClientURL())
	p.ends(t, usage)
	if !strings.Contains(p.String(), "Authorization Violation") {
		t.Error(p.String())
	}
	s, joins := served(t, filepath.Join(t.TempDir(), "found"), "-nats", ns.ClientURL(), "-creds", file, "-slices", "1")
	s.awaitState(t, "slices: 0 of 2 done", "status", "-creds", file, ns.ClientURL())
	begin(t, append([]string{joins[0], "-creds", file}, joins[1:]...)...).ends(t, 0)
	s.ends(t, 0)
}
