package known

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func open(t *testing.T, path string) *List {
	t.Helper()
	l, err := Open(path, false, "example.com/p", "FuzzX")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func panicAt(message, frame string) wire.Outcome {
	return wire.Outcome{Kind: wire.Panic, Message: message, Frames: []string{frame}}
}

func TestAFailureStaysKnownWhenItsLinesMove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	l := open(t, path)
	was := panicAt("index out of range [5]", "p.f p.go:12")
	if l.Has(was) {
		t.Error("an empty list knows a failure")
	}
	if err := l.Write([]Found{{was, "a b", "panic: index"}}); err != nil {
		t.Fatal(err)
	}
	l = open(t, path)
	if got := l.Inputs(); len(got) != 1 || got[0] != "a b" {
		t.Errorf("inputs %q", got)
	}
	for o, want := range map[*wire.Outcome]bool{
		{Kind: wire.Panic, Message: "index out of range [7]", Frames: []string{"p.f p.go:20"}}: true,
		{Kind: wire.Panic, Message: "index out of range [7]", Frames: []string{"p.g p.go:20"}}: false,
		{Kind: wire.Exit, Message: "index out of range [5]", Frames: []string{"p.f p.go:12"}}:  false,
	} {
		if got := l.Has(*o); got != want {
			t.Errorf("%+v: known %v", *o, got)
		}
	}
}

// The message of an assertion may hold the input.
func TestWhatAKnownInputShowsIsKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	fail := func(message string) wire.Outcome { return wire.Outcome{Kind: wire.Fail, Message: message} }
	if err := open(t, path).Write([]Found{{fail("x_test.go:5: got abc"), "a", "failure: got abc"}}); err != nil {
		t.Fatal(err)
	}
	l := open(t, path)
	if l.Has(fail("x_test.go:6: got b")) {
		t.Error("another message is known before an input has shown it")
	}
	l.Saw("a", fail("x_test.go:6: got xyz"), "failure")
	if !l.Has(fail("x_test.go:6: got b")) {
		t.Error("what fails as the known input does is new")
	}
	if len(l.Fixed()) > 0 {
		t.Error("it is fixed:", l.Fixed())
	}
	l = open(t, path)
	l.Saw("a", panicAt("boom", "p.f p.go:1"), "panic")
	if l.Has(panicAt("boom", "p.f p.go:1")) {
		t.Error("the known input fails in another way, and that is known")
	}
}

func TestWhatIsFixedLeavesTheList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	boom, bang := panicAt("boom", "p.f p.go:1"), panicAt("bang", "p.f p.go:1")
	if err := open(t, path).Write([]Found{{boom, "a", "panic: boom"}, {bang, "b", "panic: bang"}}); err != nil {
		t.Fatal(err)
	}
	l := open(t, path)
	l.Saw("a", wire.Outcome{Kind: wire.Pass}, "")
	l.Saw("b", bang, "panic")
	if got := l.Fixed(); len(got) != 1 || got[0] != "FuzzX/a: panic: boom" {
		t.Errorf("fixed: %q", got)
	}
	if err := l.Write(nil); err != nil {
		t.Fatal(err)
	}
	if l = open(t, path); l.Has(boom) || !l.Has(bang) {
		t.Error("the list is not brought up to date")
	}
	other, err := Open(path, true, "example.com/other", "FuzzX")
	if err != nil || other.Has(bang) || len(other.Inputs()) > 0 {
		t.Errorf("what another package's list knows counts: %v", err)
	}
}

func TestNothingIsWrittenWithoutAChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	if err := open(t, path).Write(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("there is an empty list now")
	}
	_, err := Open(path, true, "p", "FuzzX")
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "-write-known makes it") {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("p\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, false, "p", "FuzzX"); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), path+":1: not a failure: ") {
		t.Error(err)
	}
	if (*List)(nil).Has(wire.Outcome{}) || (*List)(nil).Inputs() != nil || (*List)(nil).Fixed() != nil {
		t.Error("no list knows something")
	}
}
