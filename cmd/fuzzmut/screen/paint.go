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
// the display are shown.
func (d *Display) Differences(out io.Writer) io.Writer {
	if !d.colour {
		return out
	}
	return NewText(&painter{w: Underlying(out)})
}

// A painter colors the lines of a difference, as the text of verify has them: those that
// are gone, and those that are new. It is for a terminal.
type painter struct {
	w    io.Writer
	rest []byte // of a line that has not ended
}

// signs begin the lines of a difference.
var signs = []struct {
	prefix []byte
	colour string
}{{[]byte("      - "), red}, {[]byte("      + "), green}}

func (p *painter) Write(b []byte) (int, error) {
	p.rest = append(p.rest, b...)
	var out []byte
	for {
		line, rest, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole {
			break
		}
		out = append(append(out, paint(line)...), '\n')
		p.rest = rest
	}
	if _, err := p.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

func paint(line []byte) []byte {
	for _, s := range signs {
		if bytes.HasPrefix(line, s.prefix) {
			return []byte(s.colour + string(line) + plain)
		}
	}
	return line
}
