package fleet

import (
	"container/heap"
	"fmt"
	"text/tabwriter"
)

// cost is what a fuzz test's slices have cost in a job.
type cost struct {
	name    string
	server  float64   // CPU seconds of the server for each slice
	between float64   // seconds of a worker between two slices
	slices  []float64 // seconds of each at its worker
	live    bool      // they begin with all kills that are known then
}

// fleetSizes are those of the table.
var fleetSizes = []int{8, 32, 128, 512, 1000, 1024}

const (
	// slicesEach is how many slices a worker of the table does.
	slicesEach = 20
	// many is the fleet whose overhead is to be below manyMost.
	many     = 1000
	manyMost = 0.01
)

// lengths are the slices of the table, in seconds.
var lengths = []float64{5, 20, 60, 300}

// schedule prints, by simulation with the measured costs, what becomes of larger fleets: slices are
// as different as measured, and as long as the table says.
func (b *bench) schedule(costs []cost) error {
	fmt.Fprintf(b.out, "\nby simulation: the share of the workers' time that is not spent on slices while there are some, %d slices for each worker\n\n", slicesEach)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "fuzz test\tslice, s\t")
	for _, n := range fleetSizes {
		fmt.Fprintf(tw, "%d workers\t", n)
	}
	fmt.Fprintf(tw, "%d, with the end of the job\t\n", many)
	for _, c := range costs {
		for _, length := range lengths {
			fmt.Fprintf(tw, "%s\t%.0f\t", c.name, length)
			for _, n := range fleetSizes {
				during, _ := c.overhead(n, length)
				fmt.Fprintf(tw, "%.2f %%\t", 100*during)
			}
			_, all := c.overhead(many, length)
			fmt.Fprintf(tw, "%.2f %%\t\n", 100*all)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(b.out)
	for _, c := range costs {
		fmt.Fprintf(b.out, "%s: the server is busy with %d workers and slices of %.0f s; from %.0f s on, these spend less than %.0f %% of their time beside slices\n",
			c.name, many, many*c.server, c.least(), 100*manyMost)
	}
	return nil
}

// least is the shortest slice, in whole seconds, with which many workers spend little time on
// anything else; 3600 if it is longer.
func (c *cost) least() float64 {
	low, high := 0.0, 3600.0
	for high-low > 1 {
		mid := float64(int(low+high) / 2)
		if during, _ := c.overhead(many, mid); during < manyMost {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

func mean(list []float64) (sum float64) {
	for _, v := range list {
		sum += v / float64(len(list))
	}
	return sum
}

// event is when a worker has done a slice, or may take the next.
type event struct {
	at   float64
	done bool
}

// events are a heap.
type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// overhead simulates a job: workers take slices from one queue; the lengths of slices vary as those
// that were measured, around a mean. The server works on each slice for a time, one after another, and
// the worker waits for that, and for what it does itself between slices: a server that has too much
// to do holds all of them up. during is the share of the workers' time beside slices as long as there
// are slices to take, all is that up to the end of the job.
func (c *cost) overhead(workers int, length float64) (during, all float64) {
	if len(c.slices) == 0 || workers < 1 || length <= 0 {
		return 0, 0
	}
	scale := length / mean(c.slices)
	left, taken, free, busy, end, waited := workers*slicesEach, 0, 0.0, 0.0, 0.0, 0.0
	queue := make(events, workers)
	for queue.Len() > 0 {
		e := heap.Pop(&queue).(event)
		switch {
		case e.done:
			free = max(free, e.at) + c.server
			if left > 0 {
				waited += free + c.between - e.at
			}
			heap.Push(&queue, event{at: free + c.between})
			end = max(end, free)
		case left > 0:
			left--
			d := c.slices[taken%len(c.slices)] * scale
			taken, busy = taken+1, busy+d
			heap.Push(&queue, event{at: e.at + d, done: true})
		}
	}
	return waited / (waited + busy), 1 - busy/(end*float64(workers))
}
