package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyInterrupts returns the interrupts of this process from now on: Ctrl-C, the
// signal by which other programs ask it to end, and the end of the terminal, unless
// nohup has that ignored. release gives them back their usual meaning.
func notifyInterrupts() (signals <-chan os.Signal, release func()) {
	c := make(chan os.Signal, 2) // a second one must not be lost while the first is handled
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	return c, func() { signal.Stop(c) }
}
