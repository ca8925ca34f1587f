package cost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// An input that was found before a fix says most of it: it is run in both versions, without fuzzmut.

// replayMost is the time after which a run is ended, by the clock.
const replayMost = 20 * time.Second

// A replayed input is what was found in a version.
type replayed struct {
	place string
	text  string // Go expression
}

// findsOf lists the costly inputs of a result, each at the longest length that was measured, and the inputs that
// hang.
func findsOf(t *report.FuzzTest, dir string) (list []replayed, err error) {
	for i := range t.Costs {
		c := &t.Costs[i]
		last := c.Curve[len(c.Curve)-1]
		r := replayed{text: fmt.Sprintf("grown(%d, %d, func(n int, numbered func(before, after string, n int) string) string { return %s })", last.Times, last.Length, c.Pump)}
		if len(c.Frames) > 0 {
			r.place = place(c.Frames[0])
		}
		list = append(list, r)
	}
	for i := range t.Crashes {
		c := &t.Crashes[i]
		if c.Kind != "hang" || len(c.Entries) == 0 {
			continue
		}
		path := c.Entries[0]
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		text, err := textOf(path)
		if err != nil {
			return nil, err
		}
		r := replayed{text: strconv.Quote(text)}
		if len(c.Frames) > 0 {
			r.place = place(c.Frames[0])
		}
		list = append(list, r)
	}
	return list, nil
}

// textOf reads an entry of one text.
func textOf(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	vals, err := corpus.Unmarshal(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if len(vals) == 1 {
		if text, ok := vals[0].(string); ok {
			return text, nil
		}
	}
	return "", fmt.Errorf("%s: an entry of %d values, want one text", path, len(vals))
}

// replayFile is a test file that runs the inputs. Which numbers a pump has, in digits or in letters, is seen from the
// length.
func replayFile(list []replayed) string {
	var b strings.Builder
	b.WriteString(`package bench

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

var _ = strings.Repeat

func grown(times, length int, text func(n int, numbered func(before, after string, n int) string) string) string {
	var s string
	for _, base := range []int{10, 26} {
		s = text(times, func(before, after string, n int) string {
			var b strings.Builder
			for i := range n {
				number := strconv.Itoa(i)
				if base == 26 {
					number = ""
					for k := i; k > 0 || number == ""; k /= 26 {
						number = string(rune('a'+k%26)) + number
					}
				}
				b.WriteString(before + number + after)
			}
			return b.String()
		})
		if len(s) == length {
			break
		}
	}
	return s
}

func TestReplay(t *testing.T) {
	for i, s := range []string{
`)
	for _, r := range list {
		fmt.Fprintf(&b, "\t\t%s,\n", r.text)
	}
	b.WriteString(`	} {
		t.Run(strconv.Itoa(i), func(*testing.T) {
			best := time.Hour
			for range 3 {
				begin := time.Now()
				use(s)
				best = min(best, time.Since(begin))
			}
			fmt.Println("replayed", best.Seconds())
		})
	}
}
`)
	return b.String()
}

// replay runs inputs in the module that was written for a version, and says what each takes: seconds, or that it does
// not end.
func (b *bench) replay(ctx context.Context, k *known, version string, list []replayed) (took []string, err error) {
	dir := b.dir(k, version)
	if err := k.write(ctx, dir, b.module(), version); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "replay_test.go"), []byte(replayFile(list)), 0o666); err != nil {
		return nil, err
	}
	binary := filepath.Join(dir, "replay.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", binary)
	build.Dir, build.Env = dir, k.environ(version)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go test -c: %w\n%s", err, arena.Tail(out))
	}
	for i := range list {
		s, err := run(ctx, binary, dir, i)
		if err != nil {
			return nil, err
		}
		took = append(took, s)
	}
	return took, nil
}

// run runs one input in a separate process.
func run(ctx context.Context, binary, dir string, i int) (string, error) {
	within, cancel := context.WithTimeout(ctx, replayMost)
	defer cancel()
	cmd := exec.CommandContext(within, binary, "-test.run", fmt.Sprintf("^TestReplay$/^%d$", i))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case within.Err() != nil:
		return fmt.Sprintf("more than %.0f s", replayMost.Seconds()), nil
	case errors.As(err, &exit):
		return "fails", nil
	case err != nil:
		return "", err
	}
	return seconds(string(out))
}

// seconds reads what an input has taken.
func seconds(out string) (string, error) {
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "replayed "); ok {
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				return fmt.Sprintf("%.2g s", n), nil
			}
		}
	}
	return "", fmt.Errorf("a test that ran no input:\n%s", out)
}

// proof runs what was found before a fix before it and after it, and says what that took.
func (b *bench) proof(ctx context.Context, k *known, found []replayed) (string, error) {
	if len(found) == 0 {
		return "", nil
	}
	before, err := b.replay(ctx, k, k.Before, found)
	if err != nil {
		return "", err
	}
	after, err := b.replay(ctx, k, k.After, found)
	if err != nil {
		return "", err
	}
	var cells []string
	for i, r := range found {
		cells = append(cells, fmt.Sprintf("%s: %s, %s", r.place, before[i], after[i]))
	}
	return strings.Join(cells, "; "), nil
}
