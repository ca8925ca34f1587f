package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"
)

// What a slice costs the server does not show where slices take long: then most of it is what a server
// does that waits. So some slices are recorded, and a job has workers that replay them.

const (
	recorded     = 4   // slices
	replayed     = 300 // slices of a job
	replayOnce   = 30  // likewise, of one that is taken off it: what a server takes to begin and to end
	replayAtOnce = 4   // workers
)

// serverTable prints what the server takes for a slice, and enters that into the costs, which are those
// of the targets in their order, each without and with live slices.
func (b *bench) serverTable(ctx context.Context, list []target, costs []cost) error {
	fmt.Fprintf(b.out, "\nwhat a slice costs the server: %d slices less %d, which %d workers replay\n\n", replayed, replayOnce, replayAtOnce)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "fuzz test\tCPU ms of the server per slice\tmessages per slice\tkB per slice\t")
	for i := range costs {
		c := &costs[i]
		var last [2]*outcome
		script, err := b.record(ctx, list[i/2])
		if err != nil {
			return err
		}
		for at, n := range []int{replayOnce, replayed} {
			f := &fault{workers: replayAtOnce, live: c.live, slices: n, replay: script}
			if last[at], err = b.job(ctx, list[i/2], f); err != nil {
				return fmt.Errorf("%s, replayed: %w", c.name, err)
			}
		}
		each := func(of func(o *outcome) float64) float64 {
			return (of(last[1]) - of(last[0])) / (replayed - replayOnce)
		}
		if c.server = each(func(o *outcome) float64 { return o.cpu }); c.server <= 0 {
			return errors.New("the processor time of the server is not known here")
		}
		fmt.Fprintf(tw, "%s\t%.1f\t%.0f\t%.0f\t\n", c.name, 1000*c.server,
			each(func(o *outcome) float64 { return float64(o.status.Messages) }), each(func(o *outcome) float64 { return float64(o.status.MessageBytes) / 1000 }))
	}
	return tw.Flush()
}

// replayer is a command that stands for fuzzmut: it leaves what the slice with that seed has left, or
// one of those that were recorded. A log has a name for each slice, as those of processes.
const replayer = `#!/bin/sh
seed=1 dry= share= json=
while [ $# -gt 0 ]; do
	case "$1" in
	-seed) seed=$2; shift;;
	-share) share=$2; shift;;
	-json) json=$2; shift;;
	-n) dry=yes;;
	esac
	shift
done
one=%q/$(( (seed - 1) %% %d + 1 ))
cp "$one.json" "$json" || exit 2
[ -n "$dry" ] && exit 0
mkdir -p "$share" && cp -R "$one/." "$share" || exit 2
for log in "$one"/*/*.log; do
	hash=$(basename "$(dirname "$log")")
	mv "$share/$hash/$(basename "$log")" "$share/$hash/replayed$seed.log" || exit 2
done
`

// record does some slices, and returns the command that replays them.
func (b *bench) record(ctx context.Context, t target) (string, error) {
	dir := filepath.Join(b.work, t.name+t.fuzz+"-recorded")
	script := filepath.Join(dir, "replay.sh")
	if _, err := os.Stat(script); err == nil {
		return script, nil
	}
	for seed := 1; seed <= recorded; seed++ {
		one := filepath.Join(dir, strconv.Itoa(seed))
		if _, err := b.run(ctx, t, filepath.Join(b.work, t.name), "", seed, one); err != nil {
			return "", err
		}
		text, err := os.ReadFile(filepath.Join(b.work, resultName))
		if err == nil {
			err = os.WriteFile(one+".json", text, 0o666)
		}
		if err != nil {
			return "", err
		}
	}
	return script, os.WriteFile(script, fmt.Appendf(nil, replayer, dir, recorded), 0o777)
}
