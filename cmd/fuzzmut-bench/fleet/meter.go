package fleet

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// meter follows the processor time of a process on Linux, without that of the commands it runs.
type meter struct {
	first, last float64
	ended       chan struct{}
}

// newMeter follows a process until it or ctx ends.
func newMeter(ctx context.Context, pid int) *meter {
	m := &meter{ended: make(chan struct{})}
	m.first = max(0, processorTime(pid))
	m.last = m.first
	go func() {
		defer close(m.ended)
		for sleep(ctx, 100*time.Millisecond) {
			t := processorTime(pid)
			if t < 0 {
				return
			}
			m.last = t
		}
	}()
	return m
}

// used is the time since the beginning, in seconds. The process or the context has ended.
func (m *meter) used() float64 {
	<-m.ended
	return m.last - m.first
}

// ticks is how many units of /proc make a second.
const ticks = 100

// processorTime is the time of a process in seconds; below zero if that can't be told.
func processorTime(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return -1
	}
	return parseStat(string(text))
}

// parseStat reads the processor time of a file /proc/PID/stat. A name in it may have spaces.
func parseStat(text string) float64 {
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
	if len(fields) < 13 {
		return -1
	}
	sum := 0.0
	for _, f := range fields[11:13] {
		n, err := strconv.ParseUint(f, 10, 63)
		if err != nil {
			return -1
		}
		sum += float64(n) / ticks
	}
	return sum
}
