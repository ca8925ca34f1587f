package worker

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
)

// Frames finds the user's frames in the traceback that a dying Go program
// prints, innermost first, as "pkg.Func file:line". A frame is the user's when
// its function lies below one of the import path prefixes. Of several goroutines
// the first with such frames counts, since the runtime prints the one at fault
// first; but not the one that waits in F.Fuzz for the loop, as long as there is
// another: it is the first when all are blocked. Of a goroutine that runs on another thread the
// runtime has no stack; if that may be the one, nobody knows.
func Frames(output string, prefixes []string) []string {
	var waiting []string
	for _, g := range strings.Split(output, "\ngoroutine ")[1:] {
		frames := goroutineFrames(g, prefixes)
		if len(frames) == 0 {
			continue
		}
		if !strings.Contains(g, "\ntesting.(*F).Fuzz(") {
			return frames
		}
		waiting = frames
	}
	if strings.Contains(output, stackUnavailable) {
		return nil
	}
	return waiting
}

// stackUnavailable is in place of the stack of a goroutine that runs on another thread.
const stackUnavailable = "goroutine running on other thread; stack unavailable"

// fileLine is the second line of a frame. Frames of a crash have more after the
// offset than those of SIGQUIT.
var fileLine = regexp.MustCompile(`^\t(.+:\d+)(?: \+0x[0-9a-f]+.*)?$`)

// callee returns the function of a frame's first line, or "".
func callee(line string) string {
	line = strings.TrimPrefix(line, "created by ")
	line, _, _ = strings.Cut(line, " in goroutine ")
	if strings.HasSuffix(line, ")") {
		// Receivers stand in parentheses too; arguments come last, and hold none.
		line = line[:strings.LastIndexByte(line, '(')]
	}
	return line
}

// runBegins ends the name of the function that each run of the fuzz target is called from.
const runBegins = "/loop/exec.(*runner).guarded"

func goroutineFrames(text string, prefixes []string) []string {
	var frames []string
	function := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := fileLine.FindStringSubmatch(line); m != nil {
			if function != "" && failure.InPackages(function, prefixes) {
				frames = append(frames, fmt.Sprintf("%s %s", function, m[1]))
			}
			function = ""
			continue
		}
		if line == "" {
			break // the end of this goroutine
		}
		if function = callee(line); strings.HasSuffix(function, runBegins) {
			break // below are runs before this one, which ended in runtime.Goexit
		}
	}
	return frames
}
