package fleet

import (
	"fmt"
	"slices"
	"text/tabwriter"
)

// cost is what a fuzz test's slices have cost in a job.
type cost struct {
	name   string
	server float64   // CPU seconds of the server for each slice
	slices []float64 // seconds of each at its worker
}

// fleetSizes are those of the table.
var fleetSizes = []int{8, 32, 128, 512, 1024}

// slicesEach is how many slices a worker of the table does.
const slicesEach = 8

// schedule prints, by simulation with the measured costs, what becomes of larger fleets: slices
// are as long as measured, and ten and a hundred times as long.
func (b *bench) schedule(costs []cost) error {
	fmt.Fprintf(b.out, "\nby simulation: the share of the workers' time that is spent on slices, %d slices for each worker\n\n", slicesEach)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "fuzz test\tserver, CPU ms per slice\tslice, s\t")
	for _, n := range fleetSizes {
		fmt.Fprintf(tw, "%d workers\t", n)
	}
	fmt.Fprintln(tw)
	for _, c := range costs {
		for _, times := range []float64{1, 10, 100} {
			fmt.Fprintf(tw, "%s\t%.1f\t%.1f\t", c.name, c.server*1000, mean(c.slices)*times)
			for _, n := range fleetSizes {
				fmt.Fprintf(tw, "%.1f %%\t", 100*efficiency(n, slicesEach*n, c.server, times, c.slices))
			}
			fmt.Fprintln(tw)
		}
	}
	return tw.Flush()
}

func mean(list []float64) (sum float64) {
	for _, v := range list {
		sum += v / float64(len(list))
	}
	return sum
}

// efficiency simulates a job: workers take slices from one queue; each slice is as long as one
// that was measured, times a factor. The server works on what a slice has brought for a time, one
// slice after another. The result is the share of the workers' time, up to the end of the job, in
// which they do slices.
func efficiency(workers, jobs int, server, times float64, measured []float64) float64 {
	if len(measured) == 0 {
		return 0
	}
	free := make([]float64, workers) // when each worker is free, in order
	var arrivals []float64
	busy := 0.0
	for i := range jobs {
		d := measured[i%len(measured)] * times
		at := free[0] + d
		busy += d
		arrivals = append(arrivals, at)
		free = free[1:]
		place, _ := slices.BinarySearch(free, at)
		free = slices.Insert(free, place, at)
	}
	slices.Sort(arrivals)
	end := 0.0
	for _, at := range arrivals {
		end = max(end, at) + server
	}
	return busy / (end * float64(workers))
}
