package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// byteUnits are the suffixes of a number of bytes.
var byteUnits = []struct {
	suffix string
	factor int64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"B", 1},
}

// parseBytes reads a number of bytes, as 512MiB, or "off", which is -1.
func parseBytes(s string) (int64, error) {
	if s == "off" {
		return -1, nil
	}
	number, factor := s, int64(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(s, u.suffix); ok {
			number, factor = rest, u.factor
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/factor {
		return 0, errors.New("not a number of bytes above zero; write 512MiB, or off")
	}
	return n * factor, nil
}

// parseScore reads a fraction from 0 to 1, or a percentage as 80%.
func parseScore(s string) (float64, error) {
	number, isPercent := strings.CutSuffix(s, "%")
	score, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		score /= 100
	}
	if err != nil || !(score >= 0 && score <= 1) {
		return 0, errors.New("not a score from 0 to 1; write 0.8 or 80%")
	}
	return score, nil
}
