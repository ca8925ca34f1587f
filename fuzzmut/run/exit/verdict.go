package exit

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// ScoreVerdict returns the error that a report amounts to by its score; nil if it
// is at least minScore, whatever becomes of mutants that were not judged.
func ScoreVerdict(r *report.TestReport, minScore float64) error {
	return enough(r.Score, minScore)
}

// MergeVerdict is ScoreVerdict for results that were joined: a score of a part of the
// mutants says nothing about the whole, so that shards without a result, and mutants
// that were not judged, are an error, too, if minScore is not 0. With allowMissing the
// mutants that were judged decide.
func MergeVerdict(r *report.TestReport, minScore float64, allowMissing bool) error {
	if minScore == 0 || allowMissing {
		return judgedEnough(r.Score, minScore)
	}
	if len(r.Missing) > 0 {
		return Errorf(Score, "-min-score can't be checked: no result of shard %s; add it, or use -allow-missing to judge by the other shards",
			strings.Join(r.Missing, ", "))
	}
	if n := r.Score.Pending; n > 0 {
		return Errorf(Score, "-min-score can't be checked: %s not judged; run the interrupted shards again, or use -allow-missing to judge by the other mutants",
			report.Plural(n, "mutant")+" "+report.Verb(n, "was", "were"))
	}
	return ScoreVerdict(r, minScore)
}

// Verdict returns the error that a report amounts to by itself: interrupted,
// failing inputs of failures that are not known, or a score of all fuzz tests together below minScore, the
// first that applies; nil for a clean result. It does not know of baselines that
// fail.
func Verdict(r *report.Report, minScore float64) error {
	buckets, foreign, flaky := 0, 0, 0
	for i := range r.Tests {
		if r.Tests[i].Interrupted {
			return Errorf(Interrupted, "interrupted; the results so far are written")
		}
		found := len(r.Tests[i].Crashes) - report.KnownCrashes(&r.Tests[i])
		buckets += found
		if r.Tests[i].Foreign {
			foreign += found
		}
		flaky += report.SureFlakes(&r.Tests[i])
	}
	if buckets > 0 && buckets == foreign {
		return Errorf(Failing, "failing inputs found, in %s, of code that is not in your module: report them where it is maintained",
			report.Plural(buckets, "bucket"))
	}
	if buckets > 0 {
		return Errorf(Failing, "failing inputs found, in %s: fix them, or list them with -write-known; then run again",
			report.Plural(buckets, "bucket"))
	}
	if flaky > 0 {
		return Errorf(Failing, "flaky failures in %s: the code depends on more than its input (time, random numbers, map order, goroutines, global state)",
			report.Plural(flaky, "bucket"))
	}
	if n := report.Costs(r.Tests); n > 0 && r.CostFails {
		return Errorf(Failing, "inputs cost too much in %s: bound or change the code, or say how it may grow with //fuzzmut:cost",
			report.Plural(n, "place"))
	}
	return enough(report.Total(r.Tests), minScore)
}

// enough returns an error if a score is below minScore, or if it would be with all
// mutants that were not judged among the survivors.
func enough(s report.Score, minScore float64) error {
	if err := judgedEnough(s, minScore); err != nil || s.Pending == 0 {
		return err
	}
	if worst := float64(s.Killed) / float64(s.Mutants+s.Pending); worst < minScore {
		return Errorf(Score, "-min-score can't be checked: %s not judged, and the mutation score may be %.4f without them; run again",
			report.Plural(s.Pending, "mutant")+" "+report.Verb(s.Pending, "was", "were"), worst)
	}
	return nil
}

// judgedEnough is enough for the mutants that were judged.
func judgedEnough(s report.Score, minScore float64) error {
	if s.Mutants > 0 && s.Score < minScore {
		return Errorf(Score, "the mutation score %.4f is below -min-score %.4f", s.Score, minScore)
	}
	return nil
}
