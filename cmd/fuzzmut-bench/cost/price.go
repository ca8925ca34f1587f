package cost

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A pace is what one run had for its processor time.
type pace struct{ executions, kills, seconds, hunted float64 }

func paceOf(t *report.FuzzTest) pace {
	return pace{float64(t.Executions), float64(t.Score.Killed), t.FuzzCPUSeconds, t.CostSeconds}
}

// rate is executions in a second of processor time.
func (p pace) rate() float64 { return p.executions / p.seconds }

// priced is what the pairs of one package had: without the search, and with it.
type priced struct{ without, with []pace }

// ratios are the rates with the search, as parts of those without it.
func (p *priced) ratios() (list []float64) {
	for i := range p.with {
		list = append(list, p.with[i].rate()/p.without[i].rate())
	}
	return list
}

// price measures what the search costs the rest. The two runs of a pair have the same seed, one worker each, and go at
// the same time, so that what else the machine does takes from both. All packages have a pair before one has the next.
// equal has both runs without the search: then the ratios say how much equal runs differ.
func (b *bench) price(ctx context.Context, names []string, pairs int, equal bool) error {
	list, err := chosen(unreported, names)
	if err != nil {
		return err
	}
	shares := [2]string{"0", "2%"}
	if equal {
		shares[1] = "0"
	}
	fmt.Fprintf(b.out, "%s; %v for each run, %d pairs of seeds from %d on, one worker; -cost %s against -cost %s\n\n", arena.Machine(), b.budget, pairs, b.seed, shares[1], shares[0])
	all := make([]priced, len(list))
	for i := range pairs {
		for n, k := range list {
			var got [2]pace
			if got, err = b.pair(ctx, k, b.seed+i, shares); err != nil {
				return fmt.Errorf("%s: %w", k.Name, err)
			}
			all[n].without, all[n].with = append(all[n].without, got[0]), append(all[n].with, got[1])
		}
	}
	b.printPrices(list, all)
	return nil
}

// pair fuzzes a package twice at the same time.
func (b *bench) pair(ctx context.Context, k *known, seed int, shares [2]string) (got [2]pace, err error) {
	g, ctx := panics.NewGroup(ctx)
	for n, share := range shares {
		// Each has a separate module, since Go's fuzz cache goes by it.
		side := *b
		side.side = fmt.Sprint(n)
		g.Go(func() error {
			t, err := side.fuzz(ctx, k, k.Before, seed, share, "-parallel", "1")
			if err == nil {
				got[n] = paceOf(t)
			}
			return err
		})
	}
	return got, g.Wait()
}

// printPrices prints a row for each package, and what all say together.
func (b *bench) printPrices(list []*known, all []priced) {
	fmt.Fprintln(b.out, "| package | executions in a second of processor time, without | with | ratios of the pairs | geometric mean | kills, without | with | looking for costs, of the processor time |\n|---|---|---|---|---|---|---|---|")
	var ratios [][]float64
	var shares []float64
	for n, k := range list {
		p := &all[n]
		ratios = append(ratios, p.ratios())
		share := stats.Median(of(p.with, func(p pace) float64 { return p.hunted / p.seconds }))
		shares = append(shares, share)
		var texts []string
		for _, r := range p.ratios() {
			texts = append(texts, fmt.Sprintf("%.3f", r))
		}
		kills := func(p pace) float64 { return p.kills }
		fmt.Fprintf(b.out, "| %s | %.0f | %.0f | %s | %.3f | %.0f | %.0f | %.1f %% |\n", k.Package, stats.Median(of(p.without, pace.rate)), stats.Median(of(p.with, pace.rate)),
			strings.Join(texts, ", "), stats.GeometricMean(p.ratios()), stats.Median(of(p.without, kills)), stats.Median(of(p.with, kills)), 100*share)
	}
	mean, low, high := interval(ratios)
	fmt.Fprintf(b.out, "\ngeometric mean of all: %.3f, %s; of the processor time, looking for costs: %.1f %% in the median, %.1f %% at most\n", mean, between(low, high), 100*stats.Median(shares), 100*slices.Max(shares))
}

// between writes an interval.
func between(low, high float64) string {
	if math.IsNaN(low) {
		return "no interval of one pair each"
	}
	return fmt.Sprintf("twice its standard error reaches from %.3f to %.3f", low, high)
}

func of(list []pace, get func(pace) float64) (values []float64) {
	for _, p := range list {
		values = append(values, get(p))
	}
	return values
}

// interval returns the geometric mean of ratios, where each list counts as much as the others, and what lies twice its
// standard error below and above. The error is that of the pairs within their lists: it says how sure the mean of these
// packages is, and nothing of others. NaN: a list has but one.
func interval(lists [][]float64) (mean, low, high float64) {
	sum, variance := 0.0, 0.0
	for _, list := range lists {
		logs := make([]float64, len(list))
		for i, r := range list {
			logs[i] = math.Log(r)
		}
		middle, n := stats.Mean(logs), float64(len(logs))
		sum += middle
		squares := 0.0
		for _, x := range logs {
			squares += (x - middle) * (x - middle)
		}
		variance += squares / (n - 1) / n // NaN of one
	}
	n := float64(len(lists))
	middle, twice := sum/n, 2*math.Sqrt(variance)/n
	return math.Exp(middle), math.Exp(middle - twice), math.Exp(middle + twice)
}
