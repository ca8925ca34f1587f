package page

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const (
	entryMost  = 1 << 20 // bytes that are read of an entry
	valueMost  = 4 << 10 // bytes that are shown of a value
	killsShown = 12      // mutants that are named for an entry
	namesShown = 50      // golden values that are shown of an entry
)

// A listed is the corpus of one fuzz test.
type listed struct {
	Name    string
	Text    string
	Entries []entry
}

// An entry is one input of a corpus.
type entry struct {
	ID, Name string
	Origin   string
	Input    string // in one line
	Text     string // as Go source, one argument on each line
	Blocks   string
	Kills    string
	First    []link
	Rest     int
	Golden   []value
	More     int
}

// A value is one that was observed.
type value struct{ Name, Text string }

// corpora enters the corpora of fuzz tests, with what their entries are kept for.
func (v *view) corpora(r *report.Report, list []verdict) error {
	first := make(map[string][]*verdict)
	for i := range list {
		for _, by := range list[i].by {
			first[by] = append(first[by], &list[i])
		}
	}
	v.shown = make(map[string]entry)
	for i := range r.Tests {
		f := &r.Tests[i]
		if len(f.Entries) == 0 {
			continue
		}
		values := &store.Values{}
		if f.Golden != "" {
			var err error
			if values, err = store.Read(f.Golden); err != nil {
				return fmt.Errorf("the golden values of %s can't be read: %w; change the permissions of the directory", f.Name, err)
			}
		}
		observed := make(map[string][]golden.Value)
		for _, e := range values.Entries {
			observed[golden.Key(e.Name)] = e.Values
		}
		c := listed{Name: f.Name, Text: report.Plural(len(f.Entries), "entry") + ", " + report.Plural(f.Corpus.Added, "new one")}
		for k := range f.Entries {
			v.entries++
			e := entryOf(&f.Entries[k], "e"+strconv.Itoa(v.entries))
			e.kept(first[f.Name+"/"+e.Name])
			e.observed(observed[golden.Key(corpus.ManagedName([]byte(f.Entries[k].Data)))])
			v.shown[f.Name+"/"+e.Name] = e
			c.Entries = append(c.Entries, e)
		}
		v.Corpora = append(v.Corpora, c)
	}
	return nil
}

// entryOf says what an entry holds.
func entryOf(e *report.Entry, id string) entry {
	shown := entry{ID: id, Name: e.Name, Origin: "file", Text: strings.Join(arguments(e.Data), "\n")}
	switch {
	case e.Path == "" && strings.HasPrefix(e.Name, "seed#"):
		shown.Origin = "seed"
	case corpus.IsManagedName(e.Name):
		shown.Origin = "fuzzmut"
	}
	if vals, err := corpus.Unmarshal([]byte(e.Data)); err == nil {
		shown.Input = corpus.Line(vals)
	}
	if e.Blocks > 0 {
		shown.Blocks = "covers " + report.Plural(e.Blocks, "block")
	}
	return shown
}

// kept names the mutants that an entry kills first.
func (e *entry) kept(kills []*verdict) {
	if len(kills) == 0 {
		return
	}
	e.Kills = "first to kill " + report.Plural(len(kills), "mutant")
	for _, m := range kills[:min(killsShown, len(kills))] {
		e.First = append(e.First, link{ID: m.id, Place: place(m.Mutant) + " " + described(m.Mutant)})
	}
	e.Rest = len(kills) - len(e.First)
}

// observed enters golden values.
func (e *entry) observed(values []golden.Value) {
	for _, one := range values[:min(namesShown, len(values))] {
		e.Golden = append(e.Golden, value{Name: one.Name, Text: cut(one.Text)})
	}
	e.More = len(values) - len(e.Golden)
}

// argumentsOf returns the arguments of an entry's file as Go source, one on each line, or says
// why they can't be shown: the file may have been removed meanwhile.
func argumentsOf(path string) []string {
	data, err := regular.Read(path, entryMost)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []string{"there is no such file now"}
	case err != nil:
		return []string{err.Error()}
	}
	return arguments(string(data))
}

// arguments are those of an input in the format of Go's corpus files.
func arguments(data string) []string {
	_, args, _ := strings.Cut(data, "\n")
	list := strings.Split(strings.TrimRight(args, "\n"), "\n")
	for i := range list {
		list[i] = cut(list[i])
	}
	return slices.Clip(list)
}

// cut shortens a text to what a page shows of a value.
func cut(s string) string { return shorten(s, valueMost) }

// shorten shortens a text to a number of bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) && end > most-utf8.UTFMax {
		end--
	}
	return s[:end] + "... " + report.Plural(len(s)-end, "byte") + " more"
}
