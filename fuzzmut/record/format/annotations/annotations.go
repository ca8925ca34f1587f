// Package annotations writes results as workflow commands of GitHub Actions, which show them
// beside the lines of a pull request.
package annotations

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// most is how many annotations of a step are shown, and textMost how much of a notice is
// printed, in bytes: others can make it as long as they like, and the line of a log is short.
const (
	most     = 10
	textMost = 4 << 10
)

// Format writes the notices that matter most, ten at most and one for each line. Failing inputs
// are one bug each, and several of them may be at the line of a fuzz test.
type Format struct {
	Root string // as of sarif.Format
}

var commands = map[notice.Level]string{notice.Error: "error", notice.Warning: "warning", notice.Note: "notice"}

// Write writes a result.
func (f Format) Write(w io.Writer, r report.Result) error {
	written := 0
	lines := make(map[string]bool)
	list := notice.Of(r)
	slices.SortStableFunc(list, func(a, b notice.Notice) int { return again(&a) - again(&b) })
	for _, n := range list {
		if place := n.Place(); place != "" {
			if lines[place] && n.Level != notice.Error {
				continue
			}
			lines[place] = true
		}
		if written == most {
			break
		}
		written++
		if _, err := io.WriteString(w, f.command(&n)); err != nil {
			return fmt.Errorf("write annotations: %w", err)
		}
	}
	return nil
}

// again is 1 for what is left out where there is no room: it fails as something before it does.
func again(n *notice.Notice) int {
	if n.Again {
		return 1
	}
	return 0
}

// command is one workflow command.
func (f Format) command(n *notice.Notice) string {
	var b strings.Builder
	b.WriteString("::" + commands[n.Level] + " ")
	if n.File != "" {
		fmt.Fprintf(&b, "file=%s,line=%d,endLine=%d,", property.Replace(n.FileIn(f.Root)), n.Line, max(n.Line, n.EndLine))
	}
	fmt.Fprintf(&b, "title=%s::%s\n", property.Replace("fuzzmut: "+n.Rule.ID), message.Replace(short(n.Whole())))
	return b.String()
}

// short cuts a text that is too long.
func short(text string) string {
	if len(text) <= textMost {
		return text
	}
	end := textMost
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// A text that others have a part in can't end a command, nor begin another.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Quote has text written between two commands that keep the service from taking any of it for
// a command. The text may hold what others have put in: a panic's value, a name, source. The
// token ends the quotation, so nobody may know it before.
func Quote(w io.Writer, token string, write func(io.Writer) error) error {
	if _, err := fmt.Fprintf(w, "::stop-commands::%s\n", token); err != nil {
		return err
	}
	err := write(w)
	_, last := fmt.Fprintf(w, "::%s::\n", token)
	return errors.Join(err, last)
}
