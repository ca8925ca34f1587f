package worker

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// resident returns the resident memory of a process in bytes, 0 if unknown.
func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// processActive returns how long the threads of a living process have run, or have
// waited for a processor. It is not known of every system.
func processActive(pid int) (sum time.Duration, ok bool) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) //nolint:errcheck // the pattern is well formed
	for _, f := range files {
		var run, wait int64
		data, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that has ended
		}
		if n, err := fmt.Sscan(string(data), &run, &wait); n != 2 || err != nil {
			return 0, false
		}
		sum += time.Duration(run + wait)
	}
	return sum, sum > 0
}

// clockTick is the unit of /proc/PID/stat on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// processCPU returns the processor time of a living process, 0 if unknown.
func processCPU(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The second field, in parentheses, may hold anything.
	i := bytes.LastIndexByte(data, ')')
	fields := bytes.Fields(data[i+1:])
	if len(fields) < 13 {
		return 0
	}
	var sum int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0
		}
		sum += n
	}
	return time.Duration(sum) * clockTick
}
