package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A terminal is what a stream is connected to.
type terminal struct {
	live  bool       // a terminal that can rewrite its last line
	width func() int // in columns, as of now; 0 if unknown
}

// terminalOf returns what w is connected to.
func terminalOf(w io.Writer, getenv func(string) string) terminal {
	none := terminal{width: func() int { return 0 }}
	w = underlying(w)
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
	return terminal{live: true, width: func() int { return columns(f) }}
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
