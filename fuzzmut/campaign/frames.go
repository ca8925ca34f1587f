package campaign

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// crashKind names the kind of a failing input in reports.
func crashKind(o wire.Outcome) string {
	switch o.Kind {
	case wire.Panic:
		return "panic"
	case wire.Fail:
		return "failure"
	case wire.Fuel:
		return "hang"
	case wire.Exit:
		return "exit"
	}
	return "death"
}

// relFrames shortens the names in frames: functions by their package's name,
// files relative to the module.
func relFrames(moduleDir string, frames []string) []string {
	const most = 5
	list := []string{}
	for i, f := range frames {
		if i == most {
			break
		}
		_, pos, ok := strings.Cut(f, " ")
		function := functionOf(f)
		if file, line, hasLine := cutLast(pos, ":"); ok && hasLine {
			f = function + " " + report.RelativeFile(moduleDir, file) + ":" + line
		}
		list = append(list, f)
	}
	return list
}

// functionOf returns the function of a frame, by its package's name.
func functionOf(frame string) string {
	function, _, _ := strings.Cut(frame, " ")
	return function[strings.LastIndexByte(function, '/')+1:]
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
