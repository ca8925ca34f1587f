package triage

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// triageVerdict is the error that failing inputs amount to.
func triageVerdict(r *report.TriageReport) error {
	buckets, unsorted := 0, 0
	for i := range r.Tests {
		_, failing := r.Tests[i].Counted(false)
		buckets += failing
		unsorted += r.Tests[i].Unsorted()
	}
	switch {
	case buckets > 0 && unsorted > 0:
		return exit.Errorf(exit.Failing, "failing inputs, in %s, and %d not sorted: fix them, then run again", report.Plural(buckets, "bucket"), unsorted)
	case buckets > 0:
		return exit.Errorf(exit.Failing, "failing inputs, in %s: fix them, then run again", report.Plural(buckets, "bucket"))
	case unsorted > 0:
		return exit.Errorf(exit.Failing, "%s not sorted: raise -triagetime for those not run; flaky ones depend on more than the input",
			report.Plural(unsorted, "failing input"))
	}
	return nil
}
