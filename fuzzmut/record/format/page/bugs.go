package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A bug is what failing inputs show.
type bug struct {
	ID           string
	Kind, Title  string
	Quiet        bool // known, or not counted
	Facts        []string
	Frames       []string
	Inputs       []input
	Places       []string // that localizers suspect, a line for each of these
	RepairsTitle string
	Repairs      []repair
	Repro        string
}

// An input is shown as Go source, or as it is in a file.
type input struct{ Name, Text string }

// A repair is a mutant with which failing inputs pass.
type repair struct {
	Text, Place string
	Diff        []change
	Open        bool
}

// addBug numbers a bug.
func (v *view) addBug(b bug) {
	b.ID = "b" + strconv.Itoa(len(v.Bugs)+1)
	v.Bugs = append(v.Bugs, b)
}

// crashes enters the failing inputs of a fuzz test.
func (v *view) crashes(f *report.FuzzTest) {
	for i := range f.Crashes {
		c := &f.Crashes[i]
		b := bug{Kind: c.Kind, Title: f.Name + ": " + c.Message, Quiet: c.Known, Frames: c.Frames, Repro: c.Repro}
		b.fact("%s", report.Plural(int(c.Count), "failing execution"))
		if c.Stacks > 1 {
			b.fact("%d stacks, taken for one bug", c.Stacks)
		}
		if c.Known {
			b.fact("on the list of known failures")
		}
		if c.Before {
			b.fact("an entry of the corpus failed when the run began")
		}
		for k := range c.Repairs {
			b.repair(&c.Repairs[k])
		}
		if len(b.Repairs) > 0 {
			b.RepairsTitle = "It passes with"
		}
		b.entries(c.Entries)
		v.addBug(b)
	}
}

// flakes enters the failures of a fuzz test that are flaky.
func (v *view) flakes(f *report.FuzzTest) {
	for i := range f.Flaky {
		k := &f.Flaky[i]
		b := bug{Kind: "flaky", Title: f.Name + ": " + k.Kind + ": " + k.Message, Quiet: !k.Sure, Frames: k.Frames, Repro: k.Repro}
		b.fact("%s", k)
		if k.Entry != "" {
			b.entries([]string{k.Entry})
		}
		v.addBug(b)
	}
}

// costs enters the inputs of a fuzz test that cost too much.
func (v *view) costs(f *report.FuzzTest) {
	for i := range f.Costs {
		c := &f.Costs[i]
		b := bug{Kind: "costly", Title: f.Name + ": " + c.Growth(), Frames: c.Frames}
		b.costs(c)
		for j := range c.Repairs {
			b.repair(&c.Repairs[j])
		}
		v.addBug(b)
		v.costly++
	}
}

// costs says what an input costs.
func (b *bug) costs(c *report.Cost) {
	b.Inputs = []input{{Name: "The input, as a function of n", Text: cut(c.Pump)}}
	for _, line := range c.Lines()[1:] {
		b.fact("%s", line)
	}
}

func (b *bug) fact(format string, args ...any) {
	b.Facts = append(b.Facts, fmt.Sprintf(format, args...))
}

func (b *bug) repair(r *report.Repair) {
	text := r.Description
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	for _, remark := range r.Remarks() {
		text += "; " + remark
	}
	where := fmt.Sprintf("%s:%d", r.File, r.Line)
	if r.Function != "" {
		where = r.Function + " " + where
	}
	b.Repairs = append(b.Repairs, repair{Text: text, Place: where, Diff: unified(r.Diff), Open: len(b.Repairs) == 0})
}

// entriesShown bounds the inputs that are shown of a bug.
const entriesShown = 3

// entries shows failing inputs, the one that represents the others first.
func (b *bug) entries(paths []string) {
	for i, path := range paths {
		if i == entriesShown {
			b.fact("%s not shown", report.Plural(len(paths)-i, "more input"))
			break
		}
		b.Inputs = append(b.Inputs, input{Name: path, Text: strings.Join(argumentsOf(path), "\n")})
	}
}

// sorted enters failing inputs that were sorted by the bugs that they show.
func (v *view) sorted(r *report.TriageReport) {
	v.Title = packages(len(r.Tests), func(i int) string { return r.Tests[i].Package })
	v.Subtitle = "Failing inputs of " + report.Plural(len(r.Tests), "fuzz test")
	t := table{Caption: "Fuzz tests", Head: []string{"Fuzz test", "Failing inputs", "Buckets", "Not sorted", "Repairs", "Passing inputs", "Mutant executions", "Seconds", "Package"}}
	inputs, costly, loops := 0, 0, 0
	for i := range r.Tests {
		f := &r.Tests[i]
		repairs := 0
		in, buckets := f.Counted(false)
		more, also := f.Counted(true)
		costly, loops = costly+more, loops+also
		for k := range f.Repairs {
			if f.Repairs[k].Counts {
				repairs++
			}
		}
		inputs += in
		t.Rows = append(t.Rows, []string{
			f.Name, number(in), number(buckets), number(f.Unsorted()), number(repairs), number(f.Passing),
			report.Group(f.MutantExecutions), seconds(f.WallSeconds), f.Package,
		})
		for k := range f.Buckets {
			v.bucket(f, &f.Buckets[k])
		}
		v.unsorted(f)
		if f.Labels > 0 {
			v.Notes = append(v.Notes, fmt.Sprintf("%s: %d labels in %s; APFD %.4f", f.Name, f.Labels, report.Plural(len(f.Discovery), "input"), f.APFD))
		}
		for _, w := range f.Warnings {
			v.Notes = append(v.Notes, f.Name+": warning: "+w)
		}
	}
	if r.Interrupted {
		v.Notes = append(v.Notes, interrupted)
	}
	v.Verdict = []string{report.Plural(inputs, "failing input") + " in " + report.Plural(len(v.Bugs)-loops, "bucket") + "."}
	if costly > 0 {
		v.Verdict = append(v.Verdict, report.Plural(costly, "costly input")+" in "+report.Plural(loops, "bucket")+".")
	}
	v.costly = loops
	v.tile("x", len(v.Bugs), "bucket", "buckets", "failing")
	v.tile("i", inputs, "failing input", "failing inputs", "")
	v.tile("i", costly, "costly input", "costly inputs", "")
	v.Tables = append(v.Tables, t)
}

// unsorted notes the inputs that are in no bucket, with the reason.
func (v *view) unsorted(f *report.Triage) {
	for i := range f.Inputs {
		in := &f.Inputs[i]
		if in.Sorted() {
			continue
		}
		text := fmt.Sprintf("%s: input %s: %s", f.Name, in.Name, in.Status)
		if in.Reason != "" {
			text += ": " + in.Reason
		}
		v.Notes = append(v.Notes, text)
	}
}

const (
	namesOfBucket = 3 // inputs that are named for a bucket
	placesShown   = 3 // places that are shown of a localizer
)

// suspected has a line for each localizer. They come one after the other, each with what it
// suspects most first.
func suspected(places []report.Place) (lines []string) {
	for len(places) > 0 {
		n := 1
		for n < len(places) && places[n].Localiser == places[0].Localiser {
			n++
		}
		var list []string
		for _, p := range places[:min(n, placesShown)] {
			list = append(list, fmt.Sprintf("%s:%d (%.2f)", p.File, p.Line, p.Score))
		}
		lines = append(lines, places[0].Localiser+": "+strings.Join(list, ", "))
		places = places[n:]
	}
	return lines
}

// bucket enters a bucket of failing inputs.
func (v *view) bucket(f *report.Triage, b *report.Bucket) {
	shown := bug{Kind: b.Kind, Title: fmt.Sprintf("%s, bucket %d: %s", f.Name, b.Number, b.Message), Frames: b.Frames, Repro: b.Repro}
	names := strings.Join(b.Inputs[:min(namesOfBucket, len(b.Inputs))], ", ")
	if more := len(b.Inputs) - namesOfBucket; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	shown.fact("%s: %s", report.Plural(len(b.Inputs), "input"), names)
	if b.ByStack {
		shown.fact("no repair found that breaks nothing else: sorted by stack and coverage")
	}
	switch {
	case b.FirstFailing != "":
		shown.fact("passes at %s; fails since %s", b.Revision, b.FirstFailing)
	case b.AtRevision == report.FailsThere:
		shown.fact("fails at %s, too", b.Revision)
	case b.AtRevision != "":
		shown.fact("at %s: %s", b.Revision, b.AtRevision)
	}
	if b.InputsRun > 0 {
		shown.fact("%d of %s %s at %s", b.InputsFailing, report.Plural(b.InputsRun, "input"), report.Verb(b.InputsFailing, "fails", "fail"), b.Revision)
	}
	shown.Places = suspected(b.Places)
	for _, ring := range b.Rings {
		numbers := make([]string, len(ring.Buckets))
		for i, n := range ring.Buckets {
			numbers[i] = strconv.Itoa(n)
		}
		shown.fact("at distance %.2f: %s %s", ring.Distance, report.Verb(len(numbers), "bucket", "buckets"), strings.Join(numbers, ", "))
	}
	if b.Cost != nil {
		shown.costs(b.Cost)
	} else if b.Representative != "" {
		name := "Input"
		if b.Path != "" {
			name += " in " + b.Path
		}
		shown.Inputs = append(shown.Inputs, input{Name: name, Text: cut(b.Representative)})
	}
	shown.RepairsTitle = "It passes with"
	if b.Cost != nil {
		shown.RepairsTitle = "It is cheap with"
	}
	ranked := b.Repairs
	if len(ranked) == 0 {
		shown.RepairsTitle, ranked = shown.RepairsTitle+" what breaks something else", b.Near()
	}
	for _, r := range ranked {
		shown.repair(&f.Repairs[r.Repair])
	}
	v.addBug(shown)
}
