package screen

import (
	"bytes"
	"io"
)

// Codes of a terminal for colors.
const (
	red   = "\x1b[31m"
	green = "\x1b[32m"
	plain = "\x1b[m"
)

// Differences returns a writer of the text of differences to out, in colors if those of
// the display are shown. The lines of a difference begin with one of some indents, and a
// sign.
func (d *Display) Differences(out io.Writer, indents ...string) io.Writer {
	if !d.colour {
		return out
	}
	return NewText(&painter{w: Underlying(out), indents: indents})
}

// A painter colors the lines of a difference: those that are gone, and those that are new.
// It is for a terminal.
type painter struct {
	w       io.Writer
	indents []string
	rest    []byte // of a line that has not ended
}

func (p *painter) Write(b []byte) (int, error) {
	p.rest = append(p.rest, b...)
	var out []byte
	for {
		line, rest, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole {
			break
		}
		out = append(append(out, p.paint(line)...), '\n')
		p.rest = rest
	}
	if _, err := p.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (p *painter) paint(line []byte) []byte {
	for _, indent := range p.indents {
		rest, ok := bytes.CutPrefix(line, []byte(indent))
		switch {
		case ok && bytes.HasPrefix(rest, []byte("- ")):
			return []byte(red + string(line) + plain)
		case ok && bytes.HasPrefix(rest, []byte("+ ")):
			return []byte(green + string(line) + plain)
		}
	}
	return line
}
