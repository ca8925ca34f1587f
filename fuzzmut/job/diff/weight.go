package diff

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
)

// Weights of what a cause does, the gravest first. Code that breaks on an error that is new
// notices nothing of another text of an old one.
const (
	weighsFailure = iota
	weighsToError
	weighsToSuccess
	weighsValue
	weighsText // the texts of errors differ, and nothing else
	weighsWork
)

// weight is that of a difference of a kind in some values.
func weight(kind string, values []behavior.Value) int {
	switch kind {
	case behavior.KindPanic:
		return weighsFailure
	case behavior.KindToError:
		return weighsToError
	case behavior.KindToSuccess, behavior.KindNoPanic:
		return weighsToSuccess
	case behavior.KindWork:
		return weighsWork
	}
	other := func(v behavior.Value) bool { return !errorText.MatchString(v.Old) || !errorText.MatchString(v.New) }
	if len(values) > 0 && !slices.ContainsFunc(values, other) {
		return weighsText
	}
	return weighsValue
}

// errorText is the golden text of an error, maybe with its type.
var errorText = regexp.MustCompile(`^([^ "{]+ )?error "`)

// weighs is the weight of a difference.
func (d *difference) weighs() int { return weight(kindOf(d), valuesOf(changes(d))) }

// weighsAs is the weight of a cause.
func weighsAs(c *behavior.Cause) int { return weight(c.Kind, c.Values) }

// byWeightAndSize sorts differences: of two that weigh the same, the one with the smaller
// input comes first.
func byWeightAndSize(list []*difference) {
	weights := make(map[*difference]int, len(list))
	for _, d := range list {
		weights[d] = d.weighs()
	}
	slices.SortStableFunc(list, func(x, y *difference) int {
		if n := weights[x] - weights[y]; n != 0 {
			return n
		}
		return x.Input.Compare(y.Input)
	})
}

// merge joins the causes that several fuzz tests have seen: those which the same hunks
// repair, if their kinds are alike. The gravest one's input stands for all, the first one's of
// those that weigh the same.
func merge(causes []behavior.Cause) (list []behavior.Cause) {
	at := make(map[string][]int) // by hunks
	for _, c := range causes {
		key := hunksKey(c.Hunks)
		same := slices.IndexFunc(at[key], func(i int) bool { return accepted.Alike(list[i].Kind, c.Kind) })
		if same < 0 || c.Attributed != behavior.ByRepair {
			at[key] = append(at[key], len(list))
			list = append(list, c)
			continue
		}
		list[at[key][same]] = merged(list[at[key][same]], c)
	}
	return list
}

// hunksKey is the same of causes with the same hunks.
func hunksKey(hunks []behavior.Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		fmt.Fprintf(&b, " %s:%d-%d#%d", h.File, h.Line, h.End, h.Number)
	}
	return b.String()
}

// merged is one cause that two fuzz tests have seen.
func merged(a, b behavior.Cause) behavior.Cause {
	if weighsAs(&b) < weighsAs(&a) {
		a, b = b, a
	}
	a.Inputs += b.Inputs
	for _, fuzz := range append([]string{b.Fuzz}, b.Also...) {
		if fuzz != a.Fuzz && !slices.Contains(a.Also, fuzz) {
			a.Also = append(slices.Clip(a.Also), fuzz)
		}
	}
	return a
}

// byWeight has the gravest come first, and before others what most inputs show.
func byWeight(a, b *behavior.Cause) int {
	return cmp.Or(weighsAs(a)-weighsAs(b), cmp.Compare(b.Inputs, a.Inputs), strings.Compare(a.Input, b.Input))
}
