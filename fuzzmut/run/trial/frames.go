package trial

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// FailureKind names the kind of a failing input in reports.
func FailureKind(o wire.Outcome) string {
	switch o.Kind {
	case wire.Panic:
		return "panic"
	case wire.Fail:
		return "failure"
	case wire.Fuel:
		return "hang"
	case wire.Exit:
		return "exit"
	case wire.Memory, wire.Leak, wire.Overflow, wire.Race:
		return o.Kind.String()
	}
	return "death"
}

// Frames shortens the names in frames: functions by their package's name,
// files relative to the module.
func Frames(moduleDir string, frames []string) []string {
	const most = 5
	list := []string{}
	for i, f := range frames {
		if i == most {
			break
		}
		_, pos, ok := strings.Cut(f, " ")
		if file, line, hasLine := cutLast(pos, ":"); ok && hasLine {
			f = FunctionOf(f) + " " + report.RelativeFile(moduleDir, file) + ":" + line
		}
		list = append(list, f)
	}
	return list
}

// Ends are what a loop calls last in its turns, for reports: "pkg.F file.go:12 > pkg.G file.go:40".
func Ends(moduleDir string, ends []string) (list []string) {
	for _, end := range ends {
		list = append(list, strings.Join(Frames(moduleDir, strings.Split(end, "\n")), " > "))
	}
	return list
}

// FunctionOf returns the function of a frame, by the end of its package's import path. A major version is
// no name: github.com/x/pongo2/v6.Parse is pongo2.Parse.
func FunctionOf(frame string) string {
	function, _, _ := strings.Cut(frame, " ")
	at := strings.LastIndexByte(function, '/')
	name := function[at+1:]
	if pkg, rest, ok := strings.Cut(name, "."); ok && at > 0 && majorVersion.MatchString(pkg) {
		name = path.Base(function[:at]) + "." + rest
	}
	return strings.ReplaceAll(name, "%2e", ".") // as the linker writes gopkg.in/yaml.v2
}

var majorVersion = regexp.MustCompile(`^v([2-9]|[1-9][0-9]+)$`)

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// PositionOf returns the file and the line of a frame.
func PositionOf(frame string) (file string, line int) {
	_, pos, _ := strings.Cut(frame, " ")
	file, number, _ := cutLast(pos, ":")
	fmt.Sscan(number, &line) //nolint:errcheck // 0 is no line
	return file, line
}

// DescribeFailure describes a failure on one line, without what differs from input to
// input or moves when code elsewhere changes: "panic: index out of range [#], in p.f".
func DescribeFailure(o wire.Outcome) string {
	kind, text := FailureKind(o), failure.Template(o.Message)
	if o.Kind == wire.Fuel {
		text = "it does not end"
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 120 {
		text = string(runes[:120]) + "…"
	}
	if len(o.Frames) > 0 {
		text += ", in " + FunctionOf(o.Frames[0])
	}
	return kind + ": " + text
}
