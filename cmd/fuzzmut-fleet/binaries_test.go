package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fetched lists what the cache of this machine has of binaries.
func fetched(t *testing.T) []string {
	t.Helper()
	dir, err := binariesDir()
	if err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// storeOf opens what a server has made.
func storeOf(t *testing.T, joins []string) *store {
	t.Helper()
	nc, err := (&access{url: joins[len(joins)-1]}).connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	st, err := openStore(t.Context(), nc)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// A worker without a checkout runs the server's binary, beside one that has built it. At the end
// nothing is left of it, with the server or the worker.
func TestAWorkerWithoutACheckoutRunsWhatTheServerSends(t *testing.T) {
	module(t, "sleep=20ms")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-send", "-slices", "3", "-execs", "10")
	a := begin(t, joins...)
	a.await(t, "in .* s\n")
	t.Chdir(t.TempDir())
	b := begin(t, append([]string{"join", "-fetch"}, joins[1:]...)...)
	s.ends(t, 0)
	a.ends(t, 0)
	b.ends(t, 0)
	if entries, logs := inputs(t, share); len(entries) != 6 || logs != 6 {
		t.Errorf("%d entries, %d logs", len(entries), logs)
	}
	if !strings.Contains(s.String(), "1 test binaries are sent") || strings.Contains(b.String(), "; 0 slices were done here") {
		t.Errorf("%s%s", s.String(), b.String())
	}
	if list := fetched(t); len(list) > 0 {
		t.Errorf("left: %q", list)
	}
}

// What was fetched before an interrupt is not fetched again, and what is not signed is not run.
func TestPartsAreFetchedOnce(t *testing.T) {
	module(t, "")
	_, joins := served(t, filepath.Join(t.TempDir(), "found"), "-send")
	st := storeOf(t, joins)
	key, err := parsePublic(joins[2])
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{store: st, key: key}
	var j job
	text, err := get(t.Context(), st.jobs, jobKey)
	if err == nil {
		err = verify(key, text, &j)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.job = j
	if list, err := w.offered(t.Context()); err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	b := w.sent[binaryOf(nil)]
	if len(b.Parts) != 3 {
		t.Fatalf("%d parts", len(b.Parts))
	}
	// The last part is another one: the first two are there then, and stay.
	ctx := t.Context()
	if err := st.putObject(ctx, b.object(2), []byte("another")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.fetchBinary(ctx, b); err == nil || !strings.Contains(err.Error(), "not what the server has signed") {
		t.Errorf("%v", err)
	}
	if list := fetched(t); len(list) != 2 {
		t.Errorf("%q", list)
	}
	if err := st.putObject(ctx, b.object(2), []byte(packedText()[2*partMost:])); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := st.files.Delete(ctx, b.object(i)); err != nil {
			t.Fatal(err)
		}
	}
	soon, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	file, err := w.fetchBinary(soon, b)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != packedText() {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	// One that was changed here is fetched again, and not run. The list of another key is none.
	write(file, "changed")
	if err := st.putObject(ctx, b.object(0), []byte("changed, too")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.fetchBinary(soon, b); err == nil || !strings.Contains(err.Error(), "not what the server has signed") {
		t.Errorf("%v", err)
	}
	other, err := newKey(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	forged, err := sign(other, &binaries{Job: j.id(), Platform: platform(), List: []sentBinary{*b}})
	if err == nil {
		err = put(ctx, st.jobs, binariesKey, forged)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.offered(ctx); err == nil || !strings.Contains(err.Error(), "not signed by the server's key") {
		t.Errorf("%v", err)
	}
	old := time.Now().Add(-2 * keptFor)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	if w.removeFetched(false); exists(file) {
		t.Error("an old binary is kept")
	}
}

// Which binaries there are is said before anything is fetched.
func TestWhyNothingCanBeFetched(t *testing.T) {
	module(t, "needs-tree")
	s, joins := served(t, filepath.Join(t.TempDir(), "found"), "-send")
	if !strings.Contains(s.String(), "the test binary of example.com/p is not sent: it does not run without the source: its baseline fails: a file of the tree is not there; its workers need a checkout") {
		t.Error(s.String())
	}
	fetch := append([]string{"join", "-fetch"}, joins[1:]...)
	for _, c := range []struct {
		args []string
		want string
	}{
		{fetch, "the server sends no test binaries: start it with -send"},
		{append(fetch, "./..."), "-fetch takes the packages of the server; leave out ./..."},
	} {
		w := begin(t, c.args...)
		w.ends(t, usage)
		if !strings.Contains(w.String(), c.want) {
			t.Error(w.String())
		}
	}
}
