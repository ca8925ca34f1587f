package hour

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// A session is a txtar file. Its comment has a line "module PATH@VERSION", and then, in
// any order: lines that begin with "# " are written into the transcript; "$ COMMAND" runs
// a shell command, "$N COMMAND" one that has to end with exit code N; "~ REGEXP" has to
// match the output of the command before it, "!~ REGEXP" must not. The files of the
// archive are in $FILES.
type session struct {
	path, name, module string
	steps              []step
	files              map[string]string
}

// A step is a text for the transcript, or a command.
type step struct {
	line    int
	text    string
	command string
	code    int // expected
	expect  []expectation
}

type expectation struct {
	re  *regexp.Regexp
	not bool
}

// check returns an error unless the output and the exit code are as expected.
func (s *step) check(code int, out string) error {
	if code != s.code {
		return fmt.Errorf("exit code %d, expected %d", code, s.code)
	}
	for _, e := range s.expect {
		switch found := e.re.MatchString(out); {
		case found && e.not:
			return fmt.Errorf("the output matches %q", e.re)
		case !found && !e.not:
			return fmt.Errorf("the output does not match %q", e.re)
		}
	}
	return nil
}

func parse(path string, text []byte) (*session, error) {
	a := txtar.Parse(text)
	name := path[strings.LastIndexByte(path, '/')+1:]
	s := &session{path: path, name: strings.TrimSuffix(name, ".txtar"), files: make(map[string]string)}
	for _, f := range a.Files {
		s.files[f.Name] = string(f.Data)
	}
	for i, line := range strings.Split(string(a.Comment), "\n") {
		if err := s.add(i+1, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	if s.module == "" {
		return nil, fmt.Errorf(`%s: no line "module PATH@VERSION"`, path)
	}
	return s, nil
}

var commandLine = regexp.MustCompile(`^\$(\d*) (.+)$`)

// add takes in one line.
func (s *session) add(n int, line string) error {
	last := len(s.steps) - 1
	kind, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "":
	case kind == "module":
		s.module = rest
	case kind == "#" && last >= 0 && s.steps[last].text != "":
		s.steps[last].text += "\n" + rest
	case kind == "#":
		s.steps = append(s.steps, step{line: n, text: rest})
	case kind == "~" || kind == "!~":
		if last < 0 || s.steps[last].command == "" {
			return fmt.Errorf("%q stands after no command", line)
		}
		re, err := regexp.Compile("(?m)" + rest)
		if err != nil {
			return err
		}
		s.steps[last].expect = append(s.steps[last].expect, expectation{re, kind == "!~"})
	default:
		m := commandLine.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%q is no line of a session", line)
		}
		code, _ := strconv.Atoi(m[1]) // "": 0
		s.steps = append(s.steps, step{line: n, command: m[2], code: code})
	}
	return nil
}
