// Package stats has the statistics by which fuzzers are compared over repeated
// runs (Arcuri and Briand, ICSE 2011): a rank test and an effect size.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// Mean returns the arithmetic mean; 0 of no values.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Median returns the middle value, or the mean of the two in the middle; 0 of no
// values.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// MedianOf returns the member in the middle when they are sorted by a figure of theirs: of an
// even number the later one. There must be one.
func MedianOf[T any](all []T, get func(T) float64) T {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b T) int { return cmp.Compare(get(a), get(b)) })
	return sorted[len(sorted)/2]
}

// GeometricMean returns the n-th root of the product of n positive values; 0 of
// no values.
func GeometricMean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}

// A12 is the effect size of Vargha and Delaney: the probability that a value of x
// is greater than one of y, where equal values count half. It is NaN if there are
// no values on a side.
func A12(x, y []float64) float64 {
	return u(x, y) / float64(len(x)*len(y))
}

// u is the U statistic of Mann and Whitney: of all pairs, those in which the value
// of x is greater; equal ones count half.
func u(x, y []float64) float64 {
	sum := 0.0
	for _, a := range x {
		for _, b := range y {
			switch cmp.Compare(a, b) {
			case 1:
				sum++
			case 0:
				sum += 0.5
			}
		}
	}
	return sum
}

// exactUpTo is how many values there may be on both sides together for the exact
// distribution: the numbers of samples are exact in a float64.
const exactUpTo = 50

// MannWhitney returns the U statistic of x and the two-sided p-value of the
// hypothesis that x and y are drawn from the same distribution. For few values p
// is exact, also with ties: it is that of all ways in which the values could have
// been divided among the two sides. For many it is approximated by the normal
// distribution, corrected for ties and for continuity. Without values on a side p
// is 1.
//
// MannWhitneyUTest of github.com/aclements/go-moremath (2021-01-12) gives the same
// values for samples of equal sizes, and for any without ties. With ties and unequal
// sizes the distribution is not symmetric, and its p, twice that of the smaller tail,
// is another and may exceed 1: 4/3 for {2} and {0, 0}, where 1 of the 3 ways is as
// far from the mean.
func MannWhitney(x, y []float64) (uStatistic, p float64) {
	uStatistic = u(x, y)
	if len(x) == 0 || len(y) == 0 {
		return uStatistic, 1
	}
	ranks := doubleRanks(slices.Concat(x, y))
	if len(ranks) <= exactUpTo {
		return uStatistic, exact(ranks, len(x), uStatistic)
	}
	return uStatistic, approximate(ranks, len(x), uStatistic)
}

// doubleRanks returns twice the rank of each value, sorted, where equal values
// share the mean of their ranks: integers.
func doubleRanks(values []float64) []int {
	slices.Sort(values)
	ranks := make([]int, len(values))
	for i := 0; i < len(values); {
		j := i
		for j < len(values) && values[j] == values[i] {
			j++
		}
		for k := i; k < j; k++ {
			ranks[k] = i + 1 + j
		}
		i = j
	}
	return ranks
}

// exact counts the samples of n ranks by their sum, and returns the share of those
// whose U is as far from its mean as u is, or farther.
func exact(ranks []int, n int, u float64) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	ways := make([][]float64, n+1) // by size and sum
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := n; k > 0; k-- {
			for sum := total; sum >= r; sum-- {
				ways[k][sum] += ways[k-1][sum-r]
			}
		}
	}
	m := len(ranks) - n
	least := n * (n + 1) // twice the sum of ranks at which U is 0
	far := math.Abs(2*u - float64(n*m))
	all, extreme := 0.0, 0.0
	for sum, w := range ways[n] {
		all += w
		if math.Abs(float64(sum-least-n*m)) >= far {
			extreme += w
		}
	}
	return extreme / all
}

func approximate(ranks []int, n int, u float64) float64 {
	N, m := float64(len(ranks)), float64(len(ranks)-n)
	ties := 0.0
	for i := 0; i < len(ranks); {
		j := i
		for j < len(ranks) && ranks[j] == ranks[i] {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	nm := float64(n) * m
	deviation := math.Sqrt(nm / 12 * (N + 1 - ties/(N*(N-1))))
	far := math.Abs(u-nm/2) - 0.5
	if deviation == 0 || far <= 0 {
		return 1
	}
	return math.Erfc(far / deviation / math.Sqrt2)
}
