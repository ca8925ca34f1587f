package exec

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/profile"
)

// profiling are packages that take part while a profile is taken. Where they are rewritten, they would burn the
// fuel of the execution in another goroutine.
var profiling = []string{"bytes", "compress/flate", "compress/gzip", "errors", "fmt", "hash/crc32", "io", "os", "runtime/pprof", "slices", "sort", "strconv", "strings", "sync", "time"}

// slowLeast is how many samples say where the time goes.
const slowLeast = 3

// slowLine is a line of the user's code that processor time was seen at, or in what it calls.
type slowLine struct {
	count   int64
	frames  []string         // innermost first, of the first of the stacks in their order
	outside map[string]int64 // the function that it calls and that is not the user's, by samples
}

// Slow calls a function, which runs the original, until that returns false. It returns where most of the processor
// time went, as the frames of the user's code, innermost first, and the function of other packages that the
// innermost line was in for most of that; "" if there is none. The frames are nil if the time goes where none of the
// user's code is on the stack, or if that can't be seen.
func (x *Executor) Slow(run func() (goOn bool)) (frames []string, outside string) {
	for _, p := range fuzzmutrt.Packages {
		if slices.Contains(profiling, p.Path) {
			return nil, ""
		}
	}
	list, err := profile.Of(run)
	if err != nil {
		return nil, "" // there is none here, or the target takes one itself
	}
	return slowest(list, x.prefixes)
}

// slowest returns where most of the samples are.
func slowest(list []profile.Sample, prefixes []string) (frames []string, outside string) {
	lines := make(map[string]*slowLine)
	var all, known int64
	for _, s := range list {
		user, callee, counts := userFrames(s.Frames, prefixes)
		if !counts {
			continue
		}
		if all += s.Count; len(user) == 0 {
			continue
		}
		known += s.Count
		l := lines[user[0]]
		if l == nil {
			l = &slowLine{frames: user, outside: make(map[string]int64)}
			lines[user[0]] = l
		}
		if l.count += s.Count; slices.Compare(user, l.frames) < 0 {
			l.frames = user
		}
		l.outside[callee] += s.Count
	}
	if known < slowLeast || known <= all/2 {
		return nil, ""
	}
	best := mostOf(lines, func(l *slowLine) int64 { return l.count })
	return lines[best].frames, mostOf(lines[best].outside, func(n int64) int64 { return n })
}

// mostOf returns the key with the largest value; of equal ones the first by name.
func mostOf[T any](values map[string]T, size func(T) int64) (best string) {
	return slices.MaxFunc(slices.Sorted(maps.Keys(values)), func(a, b string) int { return cmp.Compare(size(values[a]), size(values[b])) })
}

// userFrames returns the user's frames of a stack of one execution, as lines, and the function of another package that the
// innermost of them calls. counts is false of stacks of other work: of the runtime, as collecting garbage, and of the worker.
func userFrames(stack []profile.Frame, prefixes []string) (user []string, callee string, counts bool) {
	end := slices.IndexFunc(stack, func(f profile.Frame) bool { return strings.HasSuffix(f.Function, "/exec.(*Executor).invoke") })
	if end >= 0 {
		stack = stack[:end]
	} else if slices.ContainsFunc(stack, isWorker) {
		return nil, "", false
	}
	for _, f := range stack {
		switch {
		case f.Function == "" || isMachinery(f.Function):
		case failure.InPackages(f.Function, prefixes):
			counts = true
			user = append(user, fmt.Sprintf("%s %s:%d", withoutTypes(f.Function), f.File, f.Line))
		default:
			if counts = true; len(user) == 0 {
				callee = withoutTypes(f.Function)
			}
		}
	}
	return user, callee, counts
}

// withoutTypes writes a function as the frames of a stack do, which leave out its type arguments.
func withoutTypes(function string) string {
	from, to := strings.IndexByte(function, '['), strings.LastIndexByte(function, ']')
	if from < 0 || to < from {
		return function
	}
	return function[:from] + "[...]" + function[to+1:]
}

// isWorker says whether a frame is of the worker, under the name that it has in a test binary or in this repository.
func isWorker(f profile.Frame) bool {
	return strings.HasPrefix(f.Function, "fuzzmutrt/loop/") || strings.Contains(f.Function, "/instrument/rt/loop/cost.(")
}
