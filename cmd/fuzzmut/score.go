package main

// score runs the corpus as it stands against all mutants.
func (t *tool) score(args []string) error {
	f := newFlags("score")
	f.addRun()
	return t.reportJob(f, args, t.jobs.score)
}
