package latency

import (
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
)

// cacheDir is where Go's fuzz cache has what was found in a workspace.
func (b *bench) cacheDir(place arena.Target) (string, error) {
	path := "example.com/" + filepath.Base(filepath.Dir(place.Dir)) + "/" + place.Name
	return corpus.CacheDir(b.GoCache, path, place.Fuzz)
}

// inputs are those of one fuzz test.
type inputs []*corpus.Input

// readInputs reads the inputs in a directory.
func readInputs(dir string) (list inputs, err error) {
	entries, bad, err := corpus.ReadDir(dir, nil, 0)
	if err != nil {
		return nil, err
	}
	if len(bad) > 0 {
		return nil, bad[0]
	}
	for _, e := range entries {
		list = append(list, e.Input)
	}
	return list, nil
}

// write writes the inputs to a directory of Go's fuzz cache.
func (list inputs) write(dir string) error {
	for _, in := range list {
		if _, err := corpus.WriteFile(dir, in.Hash(), in.Encode()); err != nil {
			return err
		}
	}
	return nil
}

// growTries bounds how often it is tried to make one more input.
const growTries = 100

// grown returns n inputs: the first of the list, and where there are not enough, others made
// of two of them. There are fewer if no more can be made.
func (list inputs) grown(n int, seed uint64) inputs {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := append(inputs{}, list[:min(n, len(list))]...)
	have := make(map[string]bool)
	for _, in := range out {
		have[in.Key()] = true
	}
	for tries := 0; len(out) < n && len(list) > 0 && tries < growTries; tries++ {
		a, b := list[rng.IntN(len(list))].Values(), list[rng.IntN(len(list))].Values()
		for i := range a {
			a[i] = spliced(rng, a[i], b[i])
		}
		if in := corpus.Of(a...); !have[in.Key()] {
			have[in.Key()] = true
			out, tries = append(out, in), 0
		}
	}
	return out
}

// spliced returns the beginning of one text and the end of another; of other values the
// first.
func spliced(rng *rand.Rand, a, b any) any {
	switch a := a.(type) {
	case []byte:
		b := b.([]byte)
		return slices.Concat(a[:rng.IntN(len(a)+1)], b[rng.IntN(len(b)+1):])
	case string:
		b := b.(string)
		return a[:rng.IntN(len(a)+1)] + b[rng.IntN(len(b)+1):]
	}
	return a
}
