// Package triage measures how well failing inputs are sorted whose bugs are known,
// against other methods, and computes published figures again.
package triage

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashers"
	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// triageBench measures how well failing inputs are sorted whose bugs are known.
type triageBench struct {
	crashers.Collection
	operators string
	kept      string // directory of what was found out; "" keeps nothing
	print     bool   // what is kept, without running anything
	tests     bool   // the modules' own tests have a say in what a repair breaks
}

// RunTriage prints how well failing inputs are sorted whose bugs are known.
func RunTriage(args []string) error {
	set := flag.NewFlagSet("triage", flag.ContinueOnError)
	b := &triageBench{}
	set.StringVar(&b.Data, "data", filepath.Join("testdata", "crashers"), "directory of the modules' descriptions")
	set.StringVar(&b.operators, "operators", "", "mutation operators; default those of fuzzmut triage")
	set.DurationVar(&b.Time, "time", 5*time.Minute, "for each module at most")
	set.StringVar(&b.kept, "o", "", "keep what is found out in this directory")
	set.BoolVar(&b.tests, "tests", true, "repairs must not break the modules' own tests")
	set.BoolVar(&b.print, "print", false, "print what is kept there")
	if err := set.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	var err error
	if b.Data, err = filepath.Abs(b.Data); err != nil {
		return err
	}
	if b.Work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	if b.GoCache, err = arena.GoCache(); err != nil {
		return err
	}
	names, err := b.Names(set.Args())
	if err != nil {
		return err
	}
	b.KeepTests = b.tests
	var all []*triaged
	err = crashers.Each(names, func(_ int, name string) error {
		var t *triaged
		var err error
		if b.print {
			t, err = loadTriaged(b.kept, name)
		} else if t, err = b.triage(ctx, name); err == nil {
			err = t.save(b.kept)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d inputs\n", name, len(t.Inputs))
		all = append(all, t)
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(all) == 0:
		return fmt.Errorf("none of the modules %w", arena.ErrNotServed)
	}
	return printTriaged(os.Stdout, all)
}

// sorter is one way to sort failing inputs.
type sorter struct {
	name    string
	metrics func(t *triaged) []triage.Metric // the first decides, then the next
	buckets func(t *triaged, m triage.Metric) []int
}

func everyOperator(string) bool { return true }

func notGuards(operator string) bool { return !strings.HasSuffix(operator, "-guard") }

func repairMetric(want func(string) bool) func(t *triaged) []triage.Metric {
	return func(t *triaged) []triage.Metric {
		var vectors []bitset.Set
		for _, c := range t.cases(want) {
			vectors = append(vectors, c.Repaired)
		}
		return []triage.Metric{triage.Among(vectors)}
	}
}

func coverageMetric(t *triaged) []triage.Metric {
	var vectors []bitset.Set
	for _, c := range t.cases(everyOperator) {
		vectors = append(vectors, c.Covered)
	}
	return []triage.Metric{triage.Among(vectors)}
}

func topFrameMetric(t *triaged) []triage.Metric {
	var tops []string
	for _, s := range stacks(t) {
		tops = append(tops, topFrame(s))
	}
	return []triage.Metric{triage.Differing(tops)}
}

// ours sorts as fuzzmut triage does.
func ours(t *triaged) triage.Sorted {
	return triage.Sort(t.cases(everyOperator), triage.Options{})
}

func ourBuckets(t *triaged, _ triage.Metric) []int {
	s := ours(t)
	return t.clustersOf(&s)
}

// clustersOf returns the number of each input's bucket.
func (t *triaged) clustersOf(s *triage.Sorted) []int {
	clusters := make([]int, len(t.Inputs))
	for i, items := range s.Buckets {
		for _, item := range items {
			clusters[item] = i
		}
	}
	return clusters
}

func stacks(t *triaged) []triage.Stack {
	var list []triage.Stack
	for _, c := range t.cases(everyOperator) {
		list = append(list, c.Stack)
	}
	return list
}

func clusters(linkage triage.Linkage, threshold float64) func(t *triaged, m triage.Metric) []int {
	return func(t *triaged, m triage.Metric) []int {
		ones := make([]int, len(t.Inputs))
		for i := range ones {
			ones[i] = 1
		}
		return triage.Cluster(ones, m, linkage, threshold)
	}
}

// sorters are the ways that are compared.
func sorters() []sorter {
	average := clusters(triage.Average, triage.DefaultMerge)
	return []sorter{
		{"repair", repairMetric(notGuards), average},
		{"repair + guards", repairMetric(everyOperator), average},
		{"hybrid: fuzzmut triage", func(t *triaged) []triage.Metric { return ours(t).Ranking }, ourBuckets},
		{"statement coverage", coverageMetric, average},
		{"top frame", topFrameMetric, clusters(triage.Single, 0)},
		{"ClusterFuzz's rule", func(t *triaged) []triage.Metric { return []triage.Metric{clusterFuzzMetric(stacks(t))} }, clusters(triage.Single, 0)},
		{"CASR", func(t *triaged) []triage.Metric { return []triage.Metric{casrMetric(stacks(t))} }, clusters(triage.Complete, casrThreshold)},
		{"random", nil, nil},
	}
}

// rankFigures say how a way of ranking does, over all inputs as starts.
type rankFigures struct {
	within3, within5, within10 float64 // bugs seen, mean
	perfect                    float64 // share of the starts that show all n bugs in n places
	all                        float64 // rank at which the last bug appears, mean
}

func (t *triaged) rankings(metrics []triage.Metric) rankFigures {
	labels, _, bugs := t.labels()
	var f rankFigures
	n := len(t.Inputs)
	for start := range n {
		curve := triage.Discovery(itemsOf(triage.FurthestFirst(n, start, 0, metrics...)), labels)
		f.add(curve, bugs)
	}
	f.scale(float64(n))
	return f
}

func (f *rankFigures) add(curve []int, bugs int) {
	at := func(k int) float64 { return float64(curve[min(k, len(curve))-1]) }
	f.within3 += at(3)
	f.within5 += at(5)
	f.within10 += at(10)
	if curve[min(bugs, len(curve))-1] == bugs {
		f.perfect++
	}
	ranks := triage.FirstSeen(curve)
	f.all += float64(ranks[len(ranks)-1])
}

func (f *rankFigures) scale(n float64) {
	for _, v := range []*float64{&f.within3, &f.within5, &f.within10, &f.perfect, &f.all} {
		*v /= n
	}
}

// random is the mean over random orders.
func (t *triaged) random() rankFigures {
	labels, _, bugs := t.labels()
	var f rankFigures
	const orders = 1000
	r := rand.New(rand.NewPCG(1, 0))
	for range orders {
		f.add(triage.Discovery(r.Perm(len(t.Inputs)), labels), bugs)
	}
	f.scale(orders)
	return f
}

func printTriaged(out io.Writer, all []*triaged) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "module\tbugs\tinputs\tmutants\trepairs of an input\tthat break nothing\tinputs without\town tests\tmatrix, CPU s\tall, s\tin buckets\tk-th bug at rank")
	for _, t := range all {
		_, _, bugs := t.labels()
		without := 0
		buckets := 0
		for i := range t.Inputs {
			if len(t.Inputs[i].Repaired) == 0 {
				without++
			}
			buckets = max(buckets, t.Inputs[i].Bucket)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%d\t%v\n", t.Module, bugs, len(t.Inputs), t.Mutants, t.Repairing, len(t.Operators),
			without, t.Tests, t.CPU, t.Wall, buckets, t.ranks())
	}
	for _, t := range all {
		_, labels, bugs := t.labels()
		fmt.Fprintf(w, "\n%s, %d bugs\tin 3\tin 5\tin 10\tperfect at %d\tlast bug at\tclusters\tpurity\tcompleteness\tARI\n", t.Module, bugs, bugs)
		for _, s := range sorters() {
			if s.metrics == nil {
				f := t.random()
				fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.0f %%\t%.1f\n", s.name, f.within3, f.within5, f.within10, 100*f.perfect, f.all)
				continue
			}
			metrics := s.metrics(t)
			f := t.rankings(metrics)
			a := compare(s.buckets(t, metrics[0]), labels)
			fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.0f %%\t%.1f\t%d\t%.2f\t%.2f\t%.2f\n", s.name, f.within3, f.within5, f.within10, 100*f.perfect, f.all,
				a.Clusters, a.Purity, a.Completeness, a.ARI)
		}
	}
	printHeldOut(w, all)
	printLearned(w, all)
	printLocated(w, all)
	return w.Flush()
}

// ranks are the ranks at which bugs appear in the order that fuzzmut triage gives.
func (t *triaged) ranks() []int {
	order := make([]int, len(t.Inputs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return t.Inputs[a].Rank - t.Inputs[b].Rank })
	labels, _, _ := t.labels()
	return triage.FirstSeen(triage.Discovery(order, labels))
}
