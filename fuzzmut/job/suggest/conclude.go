package suggest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/sides"
)

// conclude writes each case as a test, has these judge the mutants that they are to kill, and
// keeps the cases that kill any. Rest ends after ctx.
func (s *session) conclude(ctx, rest context.Context) error {
	list, final, err := s.tried(ctx)
	if ctx.Err() != nil && err != nil {
		return s.concludeSoon(rest)
	}
	if err != nil {
		return err
	}
	return s.finish(rest, list, final)
}

// tried are the cases that kill, and their tests.
func (s *session) tried(ctx context.Context) ([]kept, *goldentest.PlainTests, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	apart := plain
	apart.Apart = true
	written, err := apart.Write(s.searched.Loaded, s.tests)
	if err != nil {
		return nil, nil, exit.Errorf(exit.Internal, "%w", err)
	}
	if len(written.Files) == 0 {
		s.leaveUnwritten(written)
		return nil, written, nil
	}
	wanted := s.wanted(written)
	killed, fails, err := s.tryAll(ctx, written, wanted)
	if err != nil {
		return nil, nil, err
	}
	maps.DeleteFunc(wanted, func(k key, _ bool) bool { return killed[k] == nil })
	list := s.chosen(written, killed)
	final, err := s.join(list)
	if err != nil {
		return nil, nil, err
	}
	// A table may compare less than the test of one case: what it kills is what counts.
	if len(list) > 0 {
		if killed, _, err = s.tryAll(ctx, final, wanted); err != nil {
			return nil, nil, err
		}
	}
	s.leaveUnwritten(written)
	s.count(written, killed, fails)
	list = kills(list, killed)
	final, err = s.join(list)
	return list, final, err
}

// claimed are the mutants that a case is to kill.
func (s *session) claimed(fuzz string, at int) []key {
	for i := range s.tests {
		if s.tests[i].Name == fuzz {
			return s.claims[i][at]
		}
	}
	return nil
}

// leaveUnwritten notes cases that no test holds.
func (s *session) leaveUnwritten(written *goldentest.PlainTests) {
	for _, l := range written.Left {
		s.leave(s.functionOf(l.Test), l.Why, len(s.claimed(l.Test, l.Case)))
	}
}

// wanted are the mutants that written tests are to kill.
func (s *session) wanted(written *goldentest.PlainTests) map[key]bool {
	wanted := make(map[key]bool)
	for _, t := range written.Tests {
		for _, i := range t.Cases {
			for _, k := range s.claimed(t.Fuzz, i) {
				wanted[k] = true
			}
		}
	}
	return wanted
}

// tryAll is try, and fails where ctx ends.
func (s *session) tryAll(ctx context.Context, written *goldentest.PlainTests, wanted map[key]bool) (killed map[key]*unittest.Verdict, fails map[string]bool, err error) {
	killed, fails, err = s.try(ctx, written, wanted)
	return killed, fails, cmp.Or(err, ctx.Err())
}

// kills leaves out of cases the mutants that did not fall, and then the cases that kill none. It orders them.
func kills(list []kept, killed map[key]*unittest.Verdict) (left []kept) {
	for _, k := range list {
		k.closes = slices.DeleteFunc(slices.Clone(k.closes), func(c closed) bool { return killed[c.key] == nil })
		if len(k.closes) > 0 {
			left = append(left, k)
		}
	}
	order(left)
	return left
}

// order sorts cases: those first on which the code returns no error, and of these those that kill most.
func order(list []kept) {
	slices.SortStableFunc(list, func(a, b kept) int {
		if a.err != b.err {
			return map[bool]int{false: -1, true: 1}[a.err]
		}
		return len(b.closes) - len(a.closes)
	})
}

// functionOf is the function that a fuzz test is derived for.
func (s *session) functionOf(fuzz string) string {
	for _, t := range s.searched.Loaded.Test.Fuzz {
		if t.Name == fuzz {
			return t.Target
		}
	}
	return fuzz
}

// try runs the written tests with the mutants that they are to kill, and returns the verdicts
// on those that fall, and the tests that fail without a mutant.
func (s *session) try(ctx context.Context, written *goldentest.PlainTests, wanted map[key]bool) (killed map[key]*unittest.Verdict, fails map[string]bool, err error) {
	killed, fails, err = s.run(ctx, written.Files, written.Names(), wanted, unittest.Use{})
	if err == nil {
		err = s.confirmHangs(ctx, written, killed)
	}
	return killed, fails, err
}

// A mutant that goes on for this fuel in a written test, or allocates these bytes, is taken for one that never ends: go test
// would wait for minutes, or memory would end. It is some tenth of a second, and less than in a search, since there are many
// such mutants, and longer runs need a process for each. hangsTime bounds the time in which they are run.
const (
	writtenFuel  = 10 * hangFuel
	writtenBytes = 1 << 30
	hangsTime    = time.Minute
)

// confirmHangs drops the kills by fuel that go test does not see: a mutant that only takes longer than the original passes
// there, and where that does next to nothing a few milliseconds are many times as much. What goes on for long enough stays,
// and so does what fails once it ends.
func (s *session) confirmHangs(ctx context.Context, written *goldentest.PlainTests, killed map[key]*unittest.Verdict) error {
	slow := make(map[key]bool)
	for k, v := range killed {
		if v.Kind == oracle.Fuel && !s.hangs[k] {
			slow[k] = true
		}
	}
	if len(slow) == 0 {
		return nil
	}
	within, stop := context.WithTimeout(ctx, hangsTime)
	defer stop()
	sure, _, err := s.run(within, written.Files, written.Names(), slow, unittest.Use{Fuel: writtenFuel, Bytes: writtenBytes})
	why := onlySlow
	if within.Err() != nil {
		why, err = notWaited, ctx.Err()
	}
	for k := range slow {
		if killed[k] = sure[k]; killed[k] == nil {
			delete(killed, k)
			s.slow[k] = why
		} else if killed[k].Kind == oracle.Fuel {
			s.hangs[k] = true
		}
	}
	return err
}

// run runs tests in files, as try does. least is what a mutant may use in any case.
func (s *session) run(ctx context.Context, files map[string][]byte, names []string, wanted map[key]bool, least unittest.Use) (killed map[key]*unittest.Verdict, fails map[string]bool, err error) {
	s.project.Phase(s.pkg, "building %s, to see what %s", report.Plural(len(names), "written test"), report.Verb(len(names), "it kills", "they kill"))
	b, err := s.builder.BuildTests(ctx, s.pkg, "written", func(cfg *load.Config) { cfg.Overlay = files })
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil || b == nil {
		return nil, nil, exit.Errorf(exit.Internal, "the written tests do not compile, please report it: %w", err)
	}
	opts := s.unitOptions(b)
	opts.Run, opts.Least = gotool.Exactly(names), least
	fails = make(map[string]bool)
	opts.SetAside = func(list []unittest.SetAside) {
		for i := range list {
			fails[list[i].Test] = true
		}
	}
	opts.Mutants = []uint32{}
	for _, n := range candidates(b.Program) {
		if wanted[keyOf(&b.Program.Mutants[n-1])] {
			opts.Mutants = append(opts.Mutants, n)
		}
	}
	s.project.Phase(s.pkg, "running %s with %s", report.Plural(len(names), "written test"), report.Plural(len(opts.Mutants), "mutant"))
	killed = make(map[key]*unittest.Verdict)
	res, err := s.runTests(ctx, opts)
	var none *unittest.BaselineError
	switch {
	case errors.As(err, &none): // none passes without a mutant
		return killed, fails, nil
	case err != nil:
		return nil, nil, err
	}
	s.took = 0
	for i := range res.Tests {
		s.took += res.Tests[i].Time
	}
	for i := range res.Verdicts {
		if v := &res.Verdicts[i]; v.Status == unittest.StatusKilled {
			killed[keyOf(&b.Program.Mutants[v.Mutant-1])] = v
		}
	}
	return killed, fails, nil
}

// Why no test case closes a survivor for which an input was found.
const (
	onlySlow    = "the code only takes longer with them, and a test does not fail for that"
	notWaited   = "the code takes longer with them, and there was no time to see whether it ends"
	notCompared = "no result that a test compares without fuzzmut shows it"
)

// count counts the survivors that fall, and those for which an input was found that do not.
func (s *session) count(written *goldentest.PlainTests, killed map[key]*unittest.Verdict, fails map[string]bool) {
	for k, v := range s.survivors {
		if v.closed = killed[k] != nil; v.closed {
			s.report.Closed++
		}
	}
	for _, t := range written.Tests {
		n := make(map[string]int)
		for _, i := range t.Cases {
			for _, k := range s.claimed(t.Fuzz, i) {
				switch {
				case killed[k] != nil:
				case fails[t.Name]:
					n[failsAlone]++
				case s.slow[k] != "":
					n[s.slow[k]]++
				default:
					n[notCompared]++
				}
			}
		}
		for _, why := range slices.Sorted(maps.Keys(n)) {
			s.leave(s.functionOf(t.Fuzz), why, n[why])
		}
	}
}

// A kept case kills something.
type kept struct {
	test         string // the fuzz test
	place        int    // of the case in it
	call, result string
	err          bool // the call returns an error
	beside       bool // some mutant shows in an error beside its text
	closes       []closed
	without      string // why it is left out; "": it is not
}

// closed is a mutant that a case kills.
type closed struct {
	key   key
	shown suggestion.Mutant
}

// mutants lists what the case closes, as the report has it.
func (k *kept) mutants() (list []suggestion.Mutant) {
	for _, c := range k.closes {
		list = append(list, c.shown)
	}
	return list
}

// chosen lists the cases that kill something, in the order of kills.
func (s *session) chosen(written *goldentest.PlainTests, killed map[key]*unittest.Verdict) []kept {
	by := make(map[string][]closed)
	for k, v := range killed {
		by[v.Test] = append(by[v.Test], closed{k, s.describe(k, v)})
	}
	var list []kept
	for _, t := range written.Tests {
		closes, restated := by[t.Name], restating(t)
		beside := slices.ContainsFunc(closes, func(c closed) bool { return goldentest.IsBeside(c.shown.Seen) })
		for i := range closes {
			closes[i].shown.Seen = restated(closes[i].shown.Seen)
		}
		slices.SortFunc(closes, func(x, y closed) int { return compareMutants(x.shown, y.shown) })
		k := kept{test: t.Fuzz, place: t.Cases[0], call: t.Calls[0], result: t.Results[0], err: t.Errors[0], beside: beside, closes: closes}
		if beside && len(t.Beside) == 1 {
			k.result += " with " + t.Beside[0]
		}
		list = append(list, k)
	}
	return kills(list, killed)
}

// describe is a killed mutant as the report has it.
func (s *session) describe(k key, v *unittest.Verdict) suggestion.Mutant {
	m := s.mutant(s.survivors[k], seen(v))
	m.Kind = v.Kind.String()
	m.Got, m.Want = printed(v)
	return m
}

// mutant is a survivor as the report has it, with what is seen of it.
func (s *session) mutant(was *survivor, seen string) suggestion.Mutant {
	m := was.mutant
	return suggestion.Mutant{
		ID: m.ID, File: report.RelativeFile(s.loaded.Test.ModuleDir, m.File), Line: m.Line, Column: m.Column,
		Operator: m.Operator, Description: m.Description, Reached: was.reached, Seen: seen,
	}
}

// seen is what a test has said of a mutant: what the call returned, in one line, without the name of the
// file that is not there, and what was wanted.
func seen(v *unittest.Verdict) string {
	text := said(v)
	if i := strings.LastIndex(text, sides.WantSign); i >= 0 {
		text = text[:i]
	}
	return address.ReplaceAllString(withEmpty(text), "0x...")
}

// printed are the values in what a test has said of a mutant, as it prints both: what it got, and what it wanted; "": it
// does not say.
func printed(v *unittest.Verdict) (got, want string) {
	_, got, want, _ = sides.Of(said(v))
	return address.ReplaceAllString(got, "0x..."), address.ReplaceAllString(want, "0x...")
}

// said is what a test has said of a mutant, in one line and without the place.
func said(v *unittest.Verdict) string {
	first, more, _ := strings.Cut(strings.TrimLeft(v.Detail, " \t\n"), "\n")
	for !strings.Contains(first, sides.WantSign) && strings.Contains(more, sides.WantSign) { // a value of several lines
		line, rest, _ := strings.Cut(more, "\n")
		if withoutPlace(line) != line {
			break // of another comparison
		}
		first, more = first+" "+strings.TrimSpace(line), rest
	}
	text := withoutPlace(first)
	if strings.HasSuffix(text, strings.TrimRight(sides.WantSign, " ")) {
		text += " " // an error whose text is empty, at the end of what the test says
	}
	return text
}

// address matches one, which is another in each run.
var address = regexp.MustCompile(`\b0x[0-9a-f]{9,12}\b`)

// partNumber is how a test that fails tells a part of a result, or of an output.
var partNumber = regexp.MustCompile(`^: part (\d+)(?: of (\w+))? is `)

// named has the name of a part in place of its number, in what follows the call.
func named(parts map[string][]string, text string) string {
	at := partNumber.FindStringSubmatch(text)
	if at == nil {
		return text
	}
	n, err := strconv.Atoi(at[1])
	if list := parts[at[2]]; err == nil && n < len(list) {
		name := list[n]
		if at[2] != "" {
			name += " of " + at[2]
		}
		return ": " + name + " is " + text[len(at[0]):]
	}
	return text
}

// restating returns what a test of one case has said, with the call as people read it, and the names of parts.
func restating(t goldentest.Written) (restated func(seen string) string) {
	if len(t.Printed) != 1 {
		return func(seen string) string { return seen }
	}
	printed := regexp.MustCompile("(?s)" + t.Printed[0] + "( = |: )")
	return func(seen string) string {
		if at := printed.FindStringSubmatchIndex(seen); at != nil {
			rest := seen[at[2]:]
			if len(t.Parts) == 1 {
				rest = named(t.Parts[0], rest)
			}
			return t.Calls[0] + rest
		}
		return seen
	}
}

// withEmpty ends a message whose last value prints as nothing, as an error with an empty text does, with "".
func withEmpty(text string) string {
	for _, sign := range []string{" = ", ", ", ": ", " is "} {
		if strings.HasSuffix(text, sign) {
			return text + `""`
		}
	}
	return strings.TrimSpace(text)
}

// join makes one test of the cases of each function.
func (s *session) join(list []kept) (*goldentest.PlainTests, error) { return s.joinAs(list, false) }

// joinAs is join; apart makes one test of each case.
func (s *session) joinAs(list []kept, apart bool) (*goldentest.PlainTests, error) {
	var tests []goldentest.Test
	var all []suggestion.Mutant
	for _, k := range list {
		all = append(all, k.mutants()...)
	}
	for _, t := range s.tests {
		own := goldentest.Test{Name: t.Name}
		for _, k := range list {
			if k.test == t.Name {
				c := t.Cases[k.place]
				c.Comment, c.Beside = comment(k.mutants(), all), k.beside
				own.Cases = append(own.Cases, c)
			}
		}
		if len(own.Cases) > 0 {
			tests = append(tests, own)
		}
	}
	form := plain
	form.Apart = apart
	written, err := form.Write(s.searched.Loaded, tests)
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "%w", err)
	}
	return written, nil
}

// finish makes sure that go test passes the tests of the cases, and writes them if that is
// asked for.
func (s *session) finish(ctx context.Context, list []kept, written *goldentest.PlainTests) error {
	if len(list) == 0 {
		return nil
	}
	list, written, err := s.pass(ctx, list, written)
	if err != nil || len(list) == 0 {
		return err
	}
	var more *extension
	if s.opts.WriteTest {
		if more, err = s.extend(ctx, list, written); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return s.keep(list, written, more)
}

// pass makes sure that go test passes the tests of cases, and leaves those out that it does not.
func (s *session) pass(ctx context.Context, list []kept, written *goldentest.PlainTests) ([]kept, *goldentest.PlainTests, error) {
	s.project.Phase(s.pkg, "running the written tests with go test")
	err := s.passes(ctx, written.Files, written.Names(), often(s.took, 1))
	if exit.CodeOf(err) != exit.Failing {
		return list, written, err
	}
	left, err := s.passing(ctx, list, err)
	if err != nil {
		return nil, nil, err
	}
	if written, err = s.join(left); err != nil {
		return nil, nil, err
	}
	s.forget(list, left)
	if len(left) == 0 {
		return nil, nil, nil
	}
	return left, written, s.passes(ctx, written.Files, written.Names(), often(s.took, 1))
}

// keep enters cases into the report, and writes their tests if that is asked for.
func (s *session) keep(list []kept, written *goldentest.PlainTests, more *extension) error {
	if more == nil {
		more = &extension{own: written, test: make([]string, len(list))}
	}
	name := make(map[string]string)
	for _, t := range more.own.Tests {
		name[t.Fuzz] = t.Name
	}
	for i, k := range list {
		s.report.Cases = append(s.report.Cases, suggestion.Case{
			Test: cmp.Or(more.test[i], name[k.test]), Function: s.functionOf(k.test), Call: k.call, Result: k.result, Closes: k.mutants(),
		})
	}
	if err := more.write(s); err != nil {
		return err
	}
	return s.write(more.own.Files)
}

// passing leaves out the cases whose tests fail by themselves with go test. If none does, the
// tests fail together, as err says.
func (s *session) passing(ctx context.Context, list []kept, err error) ([]kept, error) {
	written, e := s.joinAs(list, true)
	if e != nil {
		return nil, e
	}
	alone := s.failingAlone(ctx, written.Files, written.Names())
	if ctx.Err() != nil {
		return nil, exit.AsInterrupted(ctx, ctx.Err())
	}
	failed := make(map[[2]any]string) // by fuzz test and place in what is left of it
	for _, t := range written.Tests {
		if why := alone[t.Name]; why != "" {
			failed[[2]any{t.Fuzz, t.Cases[0]}] = why
		}
	}
	var left []kept
	at := make(map[string]int)
	for i := range list {
		k := &list[i]
		if k.without = failed[[2]any{k.test, at[k.test]}]; k.without == "" {
			left = append(left, *k)
		}
		at[k.test]++
	}
	if len(left) == len(list) {
		return nil, err
	}
	return left, nil
}

// forget takes back what cases close that are left out, and notes the reason. After an interrupt their tests
// have not run with the mutants yet: nothing is closed.
func (s *session) forget(list, left []kept) {
	settled := make(map[key]bool) // mutants that other cases close, or that are noted
	for _, k := range left {
		for _, c := range k.closes {
			settled[c.key] = true
		}
	}
	for _, k := range list {
		n := 0
		for _, c := range k.closes {
			if settled[c.key] {
				continue
			}
			if v := s.survivors[c.key]; v.closed {
				v.closed = false
				s.report.Closed--
			}
			settled[c.key] = true
			n++
		}
		if n > 0 {
			s.leave(s.functionOf(k.test), cmp.Or(k.without, failsAlone), n)
		}
	}
}

// write writes the files of tests, if that is asked for.
func (s *session) write(files map[string][]byte) error {
	if !s.opts.WriteTest {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if _, err := corpus.WriteFile(filepath.Dir(path), filepath.Base(path), files[path]); err != nil {
			return exit.Errorf(exit.Usage, "-write-test: %w", err)
		}
		s.report.Written = append(s.report.Written, report.RelativeFile(s.loaded.Test.ModuleDir, path))
	}
	return nil
}

// commentMost is how many mutants the comment of a case names.
const commentMost = 4

// comment says what a case closes, of all that the cases of its file close.
func comment(closes, all []suggestion.Mutant) (lines []string) {
	at := report.LinesAmong(closes, all)
	for i, m := range closes {
		if i == commentMost && len(closes) > commentMost+1 {
			return append(lines, fmt.Sprintf("and %d more", len(closes)-i))
		}
		lines = append(lines, fmt.Sprintf("%s:%s: %s", filepath.Base(m.File), at[i], m.Description))
	}
	return lines
}
