//go:build unix

package unittest

import "testing"

const shotTree = `
-- p.go --
package p

import (
	"os"
	"syscall"
)

// Spare ends the process, as the system does when memory runs out, unless n is 1.
func Spare(n int) int {
	if n != 1 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return n
}

// Double returns 2 * n.
func Double(n int) int { return 2 * n }
-- p_test.go --
package p

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMain stands for somebody who kills the processes that have a mutant of Double.
func TestMain(m *testing.M) {
	_, mutant, _ := strings.Cut(os.Getenv("FUZZMUT_STATIC"), ",")
	mutant, _, _ = strings.Cut(mutant, ",")
	if n, err := strconv.Atoi(mutant); err == nil && n >= 2 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	os.Exit(m.Run())
}

func TestSpare(t *testing.T) { Spare(1) }

func TestDouble(t *testing.T) { Double(3) }
`

// A mutant with which each process is killed while it runs a test is killed. Of one
// whose processes are killed before that nothing is known.
func TestKilledFromOutsideIsNotSurvived(t *testing.T) {
	b := build(t, unpack(t, shotTree), "negate-conditionals,math")
	res := b.run(t)
	if got, want := b.verdict(t, res, "Spare", "negate-conditionals", "").show(), "killed exit TestSpare"; got != want {
		t.Errorf("of Spare: %s, want %s", got, want)
	}
	if got, want := b.verdict(t, res, "Double", "math", "").show(), "not-run processes were killed from outside"; got != want {
		t.Errorf("of Double: %s, want %s", got, want)
	}
}
