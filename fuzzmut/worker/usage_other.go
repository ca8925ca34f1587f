//go:build !linux

package worker

import "time"

// resident is not known here: -memlimit has no effect.
func resident(int) int64 { return 0 }

// processCPU of a living process is not known here.
func processCPU(int) time.Duration { return 0 }

// processActive is not known here.
func processActive(int) (time.Duration, bool) { return 0, false }
