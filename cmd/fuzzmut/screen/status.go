package screen

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// A segment is a part of a status line. Where room is short, those with the
// highest number go first; 0 stays.
type segment struct {
	text string
	drop int
	red  bool
}

// fuzzStatus is where a fuzz test stands.
type fuzzStatus struct{ *project.Status }

func (s fuzzStatus) step() string           { return s.Package + " " + s.Fuzz }
func (s fuzzStatus) elapsed() time.Duration { return s.Elapsed }
func (s fuzzStatus) done() [2]int64         { return [2]int64{s.Execs, int64(s.Killed)} }

func (s fuzzStatus) line(width int, colour bool) string {
	crashes := segment{text: "no failing inputs", drop: 4}
	if s.Buckets > 0 {
		crashes = segment{text: "failing inputs in " + report.Plural(s.Buckets, "bucket"), drop: 1, red: colour}
	}
	time := clock(s.Elapsed)
	if total := s.Budget.Duration; total > 0 {
		time += "/" + clock(total)
	}
	segments := []segment{{text: s.Fuzz + " " + time}}
	if s.Doing == "" {
		segments = append(segments, segment{text: executions(s.Status), drop: 3})
	} else {
		if s.Evaluating > 0 {
			// The one in progress: the first may take long.
			n := min(s.Evaluated+1, s.Evaluating)
			segments = append(segments, segment{text: fmt.Sprintf("%s %s of %s", cmp.Or(s.Unit, "entry"), report.Group(int64(n)), report.Group(int64(s.Evaluating)))})
		}
		segments = append(segments, segment{text: s.Doing})
		if s.Runs > 0 {
			segments = append(segments, segment{text: report.Plural(int(s.Runs), "mutant run"), drop: 3})
		}
	}
	segments = append(segments, segment{text: fmt.Sprintf("corpus %d (%d new)", s.Corpus, s.Added), drop: 5})
	if !s.NoMutants {
		segments = append(segments, segment{text: fmt.Sprintf("mutants %d killed / %d reached / %d", s.Killed, s.Reached, s.Mutants), drop: 2})
	}
	segments = append(segments, segment{text: fmt.Sprintf("blocks %d/%d", s.Covered, s.Blocks), drop: 6})
	if s.Buckets >= 0 {
		segments = append(segments, crashes)
	}
	return join(segments, width)
}

// phaseStatus is a phase, and how long it has taken so far.
type phaseStatus struct {
	phase      *project.Phase
	whole      string // the line that it began with outside a terminal
	begin, now time.Time
	// explained says that lines that stay have the note already.
	explained bool
}

func (s *phaseStatus) step() string           { return s.whole }
func (s *phaseStatus) elapsed() time.Duration { return s.now.Sub(s.begin) }
func (s *phaseStatus) done() [2]int64         { return [2]int64{} }

// line begins with the time, since the end of the text matters least.
func (s *phaseStatus) line(width int, _ bool) string {
	name := ""
	if s.phase.Package != "" {
		name = shortName(s.phase.Package) + " "
	}
	text, note := s.phase.Text, s.note()
	if note != "" {
		text, _, _ = strings.Cut(text, ": ")
		note = "; " + note
	}
	return join([]segment{{text: name + clock(s.elapsed())}, {text: text + note}}, width)
}

// explainAfter is after how long a phase that compiles is explained.
const explainAfter = 6 * time.Second

// note explains a phase that compiles and takes long, "" for others. Whether the go command
// finds what it needs in its cache can't be told.
func (s *phaseStatus) note() string {
	loads, builds := strings.HasPrefix(s.phase.Text, "loading"), strings.HasPrefix(s.phase.Text, "building")
	if !loads && !builds || s.elapsed() < explainAfter || s.explained {
		return ""
	}
	return "slow with an empty Go cache, fast after that"
}

// testStatus is how far the tests of a package have come.
type testStatus struct {
	*project.TestStatus
	told time.Time
}

// at is the status at a later time, if nothing else has changed: one test may take long.
func (s testStatus) at(now time.Time) testStatus {
	later := *s.TestStatus
	later.Elapsed += now.Sub(s.told)
	if later.Most > 0 {
		later.Running += now.Sub(s.told)
	}
	return testStatus{&later, now}
}

func (s testStatus) step() string           { return s.Package }
func (s testStatus) elapsed() time.Duration { return s.Elapsed }
func (s testStatus) done() [2]int64 {
	return [2]int64{int64(s.Done + s.Ran + s.Seen), int64(s.Killed)}
}

func (s testStatus) line(width int, _ bool) string {
	segments := []segment{{text: shortName(s.Package) + " " + clock(s.Elapsed)}}
	if s.Phase != "mutants" {
		segments = append(segments, segment{text: s.Phase, drop: 2})
	}
	if s.Test != "" && s.Tests > 0 {
		segments = append(segments, segment{text: fmt.Sprintf("test %d / %d", s.Ran+1, s.Tests)}, segment{text: s.Test + s.lasts(), drop: 1})
	}
	if s.ToSee > 0 {
		segments = append(segments, segment{text: fmt.Sprintf("survivors %d / %d", s.Seen, s.ToSee)})
	}
	if s.Total > 0 {
		segments = append(segments,
			segment{text: fmt.Sprintf("mutants %d / %d", s.Done, s.Total), drop: 1},
			segment{text: fmt.Sprintf("%d killed", s.Killed), drop: 3},
			segment{text: fmt.Sprintf("%d survived", s.Survived), drop: 4},
		)
	}
	if s.Test != "" && s.Tests == 0 && (s.Most == 0 || s.lasts() != "") {
		segments = append(segments, segment{text: "waits for " + s.Test + s.lasts(), drop: 2})
	}
	return join(segments, width)
}

// lasts says how long the test has run, and may, once a user may wonder.
func (s testStatus) lasts() string {
	if s.Most == 0 || s.Running < time.Second {
		return ""
	}
	text := " for " + clock(s.Running)
	if s.Running <= s.Most { // a process that waits for a processor has more
		text += ", " + s.Most.String() + " at most"
	}
	return text
}

// majorVersion is the end of the path of a module from its second version on.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// shortName is what a package is likely to be called.
func shortName(importPath string) string {
	name := path.Base(importPath)
	if dir := path.Dir(importPath); majorVersion.MatchString(name) && dir != "." {
		return path.Base(dir)
	}
	return name
}

// join makes a line of segments for a terminal of width columns; 0 is any number.
// A line that filled the last column would wrap on some terminals: it is left
// free.
func join(segments []segment, width int) string {
	segments = slices.Clone(segments)
	for i := range segments {
		segments[i].text = strings.ReplaceAll(visible(segments[i].text), "\n", " ")
	}
	if width > 0 {
		segments = fit(segments, width-1)
	}
	texts := make([]string, len(segments))
	for i, seg := range segments {
		texts[i] = seg.text
		if seg.red {
			texts[i] = "\x1b[31m" + seg.text + "\x1b[0m"
		}
	}
	return strings.Join(texts, separator)
}

// executions names the number of executions, and the rate if there is any.
func executions(s *project.Status) string {
	text := compact(s.Execs)
	if s.Budget.Execs > 0 {
		text += "/" + compact(s.Budget.Execs)
	}
	text += " execs"
	if s.ExecsPerSec >= 1 {
		text += " (" + compact(int64(s.ExecsPerSec)) + "/s)"
	}
	return text
}

const separator = "  "

// fit drops segments until the rest takes at most width columns, and cuts the end of
// what can't be dropped.
func fit(segments []segment, width int) []segment {
	for {
		total := -len(separator)
		next := 0
		for i, seg := range segments {
			total += len(separator) + utf8.RuneCountInString(seg.text)
			if seg.drop >= segments[next].drop {
				next = i
			}
		}
		if total <= width {
			return segments
		}
		if last := &segments[len(segments)-1]; segments[next].drop == 0 {
			runes := []rune(last.text)
			keep := width - total + len(runes)
			if keep > 0 || len(segments) == 1 {
				last.text = string(runes[:max(0, keep)])
				return segments
			}
			next = len(segments) - 1
		}
		segments = slices.Delete(segments, next, next+1)
	}
}

// clock formats a time in whole seconds, but for the first.
func clock(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Truncate(time.Second).String()
}

// compact formats n in at most five characters.
func compact(n int64) string {
	value, units := float64(n), ""
	for _, unit := range []string{"k", "M", "G", "T"} {
		if value < 1000 {
			break
		}
		value, units = value/1000, unit
	}
	if units == "" {
		return strconv.FormatInt(n, 10)
	}
	if value < 99.95 {
		return strconv.FormatFloat(value, 'f', 1, 64) + units
	}
	return strconv.FormatFloat(value, 'f', 0, 64) + units
}
