package screen

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A Terminal is what a stream is connected to.
type Terminal struct {
	Live  bool       // a terminal that can rewrite its last line
	width func() int // in columns, as of now; 0 if unknown
}

// TerminalOf returns what w is connected to.
func TerminalOf(w io.Writer, getenv func(string) string) Terminal {
	none := Terminal{width: func() int { return 0 }}
	w = Underlying(w)
	if p, ok := w.(*piped); ok {
		w = p.w
	}
	f, ok := w.(*os.File)
	if !ok {
		return none
	}
	// The null device is a character device, too, but has no width.
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || columns(f) == 0 {
		return none
	}
	if kind := getenv("TERM"); kind == "" || kind == "dumb" {
		return none
	}
	return Terminal{Live: true, width: func() int { return columns(f) }}
}

// columns returns the width of the terminal f, or 0 if it is none.
func columns(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	if width == 0 {
		return 80 // a terminal that does not tell, as some serial lines
	}
	return width
}
