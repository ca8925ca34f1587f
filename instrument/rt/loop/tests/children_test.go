//go:build unix

package tests

import (
	"os"
	"os/exec"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestATestThatStartsAProcessIsSeen(t *testing.T) {
	f, ask := newTestSuite(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f.does = func() {
		if err := exec.Command(program, "-test.run=^$").Run(); err != nil {
			t.Error(err)
		}
	}
	list := ask(wire.Request{Tests: &wire.Tests{List: []int{1, 0}, Trace: true}})
	if len(list) != 3 || list[0].TestRan.Starts || !list[1].TestRan.Starts {
		t.Errorf("%+v", list)
	}
}
