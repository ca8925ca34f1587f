package test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Options say what Run runs and how. Of the Options, those that are about
// fuzzing and the corpus mean nothing here; Packages are those whose tests are
// run, and Timeout bounds one test; 0 then means the default of package mutation.
type Options struct {
	project.Options

	// Run is a regular expression of the tests to run, as -run of go test takes
	// it; "" means all.
	Run string
	// Skip is one of those to leave out, as -skip; "" means none.
	Skip string
	// Short and Args are for the tests, as -short and -args of go test.
	Short bool
	Args  []string

	// CoverProfile and CPUProfile are files for profiles of the tests without mutants, as
	// go test writes them; "" writes none.
	CoverProfile, CPUProfile string

	// Isolate has each mutant run in a separate process, with all tests. No verdict of
	// another run is reused, but those of the same kind that Resume goes on with.
	Isolate bool
	// FailFast ends the run at the first survivor with which a test computes a different value.
	FailFast bool
	// Strict makes tests an error that do not pass without a mutant. Else they are set
	// aside.
	Strict bool

	// Diff restricts the mutants to code that has changed in the work tree of git
	// since this revision, or since the current branch left it ("main..."); "" does
	// not.
	Diff string
	// Patch restricts them likewise to code that a unified diff changes, which
	// has been applied; nil does not.
	Patch io.Reader
	// DiffBy says how much around a changed line counts as changed; "" means
	// change.ByLine.
	DiffBy change.Part
	// Shard restricts them to a part; the zero value is the whole.
	Shard Shard

	// Resume goes on with the last run of the same code and options: its verdicts
	// count as those of this run.
	Resume bool
	// Fresh runs every mutant again. Else verdicts of earlier runs are reused
	// where what they depend on is as it was.
	Fresh bool
}

// part names the mutants that a run judges, and how: only a run that judges the same goes on
// with it.
func (o *Options) part(r *report.TestReport) string {
	part := r.Shard + " " + r.Diff
	if r.DiffBy == string(change.ByFunction) {
		part += " by function"
	}
	if o.Isolate {
		part += " isolated"
	}
	return part
}

// Shard is one of several parts into which mutants are divided by their IDs: what
// becomes of the code elsewhere does not move a mutant to another shard.
type Shard struct {
	K, N int // the part, from 1, and the number of parts; 0 of 0 is the whole
}

// ParseShard reads "2/4".
func ParseShard(s string) (Shard, error) {
	first, second, _ := strings.Cut(s, "/")
	k, err1 := strconv.ParseUint(first, 10, 32)
	n, err2 := strconv.ParseUint(second, 10, 32)
	if err1 != nil || err2 != nil || k < 1 || k > n || n > report.MaxShards {
		return Shard{}, fmt.Errorf("%q is not a shard; write 1/4, 2/4, 3/4 or 4/4", s)
	}
	return Shard{K: int(k), N: int(n)}, nil
}

// String returns what ParseShard reads, "" for the whole.
func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.K, s.N)
}

// Has reports whether a mutant is part of the shard.
func (s Shard) Has(m *instrument.Mutant) bool {
	if s.N <= 1 {
		return true
	}
	sum := sha256.Sum256([]byte(m.Package + "\x00" + m.ID))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.N) == uint64(s.K-1)
}
