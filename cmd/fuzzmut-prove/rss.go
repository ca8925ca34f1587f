package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// A process counts the memory of the one that started it as its own, until it
// executes its program. So a large process can't learn what its children need,
// but a small one between them can: this command once more, as "measure".

// measured returns a command, to be completed with arguments, that runs a program
// and writes the size of the largest process of those it waited for to a file.
func measured(ctx context.Context, file, program string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.CommandContext(ctx, self, "measure", file, program), nil
}

// measure is the process between.
func measure(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("measure needs a file and a program")
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	peak, ok := system.PeakMemory(cmd.ProcessState)
	if !ok {
		return fmt.Errorf("this system does not tell how much memory a process has used")
	}
	return os.WriteFile(args[0], []byte(strconv.FormatInt(peak, 10)), 0o666)
}

func readRSS(file string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}
