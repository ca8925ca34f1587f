package main

import (
	"io"
	"os"
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
	if term := getenv("TERM"); term == "" || term == "dumb" {
		return none
	}
	return terminal{live: true, width: func() int { return columns(f) }}
}
