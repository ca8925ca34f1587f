package observed

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// Compare lists how what was observed differs from what was wanted, but for what is
// unstable.
func Compare(want, got *Observation) []golden.Change {
	if want.Failure != "" || got.Failure != "" {
		if want.Failure == "" || got.Failure == "" {
			return []golden.Change{{Name: behavior.Outcome, Want: cmp.Or(want.Failure, behavior.Passes), Got: cmp.Or(got.Failure, behavior.Passes)}}
		}
		return nil
	}
	list := golden.Compare(want.Values, got.Values)
	return slices.DeleteFunc(list, func(ch golden.Change) bool { return golden.Alike(ch.Want, ch.Got) })
}

// Kind classes a difference: see the kinds of package behavior. It is "" if there is none.
func Kind(want, got *Observation) string {
	switch {
	case want.Failure == "" && got.Failure != "":
		return behavior.KindPanic
	case want.Failure != "" && got.Failure == "":
		return behavior.KindNoPanic
	}
	kind := ""
	for _, ch := range Compare(want, got) {
		k := kindOf(want, got, ch)
		if k == behavior.KindToError || k == behavior.KindToSuccess {
			return k
		}
		if kind == "" {
			kind = k
		} else if kind != k {
			kind = behavior.KindValue
		}
	}
	return kind
}

// Key is the same of differences that are of one kind, and of the same values, whichever
// call they are of; and of failures that say the same, but for numbers and quotations. Where a call fails on one side alone, its other results only follow
// from that, and the key is of the call.
func Key(want, got *Observation) string {
	kind := Kind(want, got)
	var names []string
	for _, ch := range Compare(want, got) {
		if (kind == behavior.KindToError || kind == behavior.KindToSuccess) && kindOf(want, got, ch) == kind {
			function, _, _ := strings.Cut(ch.Name, " #")
			return kind + " " + function
		}
		v := behavior.Value{Name: ch.Name, Old: ch.Want, New: ch.Got}
		names = append(names, v.Known())
	}
	slices.Sort(names)
	return kind + " " + strings.Join(slices.Compact(names), ",")
}

func kindOf(want, got *Observation, ch golden.Change) string {
	site := got.Sites[ch.Name]
	if site == nil {
		site = want.Sites[ch.Name]
	}
	switch {
	case strings.HasPrefix(ch.Name, behavior.Outcome):
		return behavior.KindOutcome
	case isError(site, ch.Name) && ch.Want == "nil" && ch.Got != "":
		return behavior.KindToError
	case isError(site, ch.Name) && ch.Got == "nil" && ch.Want != "":
		return behavior.KindToSuccess
	case ch.Want != "" && ch.Got != "" && sameWords(ch.Want, ch.Got):
		return behavior.KindOrder
	}
	return behavior.KindValue
}

// isError says whether a value is a result of type error.
func isError(site *instrument.Site, name string) bool {
	if site == nil {
		return false
	}
	for i, v := range site.Values {
		if strings.HasSuffix(v, "(error)") && strings.HasSuffix(name, " "+site.GoldenValue(i)) {
			return true
		}
	}
	return false
}

// sameWords says whether two texts have the same words in another order.
func sameWords(a, b string) bool {
	x, y := strings.FieldsFunc(a, apart), strings.FieldsFunc(b, apart)
	if slices.Equal(x, y) {
		return false // what is between them differs
	}
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func apart(r rune) bool { return strings.ContainsRune(" ,\n\t[]{}\"", r) }
