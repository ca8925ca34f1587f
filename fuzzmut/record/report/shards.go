package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxShards bounds the parts into which mutants can be divided.
const MaxShards = 1<<16 - 1

// part is a shard: the k-th of n.
type part struct{ k, n int }

// parseShards reads the shards of a result: "2/4", or several, as "1/4,2/4"; "" is none.
func parseShards(text string) ([]part, error) {
	if text == "" {
		return nil, nil
	}
	var parts []part
	for s := range strings.SplitSeq(text, ",") {
		first, second, _ := strings.Cut(s, "/")
		k, err1 := strconv.Atoi(first)
		n, err2 := strconv.Atoi(second)
		if err1 != nil || err2 != nil || k < 1 || k > n || n > MaxShards {
			return nil, fmt.Errorf("%.40q is not a shard that fuzzmut test -shard makes, 1/4 to 4/4, of %d at most: the file was changed; run the tests of the shard again", s, MaxShards)
		}
		parts = append(parts, part{k, n})
	}
	return parts, nil
}

// CheckShards returns an error if the shards of a result are none that fuzzmut test makes.
func CheckShards(text string) error {
	_, err := parseShards(text)
	return err
}

// missingShards lists what lacks for the shards, as "1/3", to be the whole.
func missingShards(parts []part) ([]string, error) {
	have := make(map[part]bool)
	var numbers []int
	for _, p := range parts {
		have[p] = true
		numbers = append(numbers, p.n)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	sum := 0
	for _, n := range numbers {
		if sum += n; sum > MaxShards {
			return nil, fmt.Errorf("the results use %d different shard counts: merge shards of one run", len(numbers))
		}
	}
	var missing []string
	for _, n := range numbers {
		for k := 1; k <= n; k++ {
			if !have[part{k, n}] {
				missing = append(missing, fmt.Sprintf("%d/%d", k, n))
			}
		}
	}
	return missing, nil
}
