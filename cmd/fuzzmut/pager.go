package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/screen"
)

// page shows a long text through a pager if the output is a terminal, and else as it is.
func (t *tool) page(text string) error {
	pager := t.pager()
	if !screen.TerminalOf(t.stdout, t.getenv).Live || len(pager) == 0 {
		_, err := io.WriteString(t.stdout, text)
		return err
	}
	// Ctrl-C is for the pager: the terminal must not have two readers.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, os.Interrupt)
	defer signal.Stop(ignored)
	cmd := exec.Command(pager[0], pager[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		return usageError("the pager can't be run: %w; PAGER=cat shows the text without one", err)
	}
	return nil
}

// pager returns the command that shows long texts: what PAGER says, or less, nil if there
// is none.
func (t *tool) pager() []string {
	if words := strings.Fields(t.getenv("PAGER")); len(words) > 0 {
		return words
	}
	if path, err := exec.LookPath("less"); err == nil {
		return []string{path, "-FRX"}
	}
	return nil
}
