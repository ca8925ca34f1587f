package ranking

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// First is how many survivors a developer looks at.
const First = 10

// Label says whether a test for a survivor is worth writing.
type Label struct {
	Module      string `json:"module"` // with its version
	Package     string `json:"package"`
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Operator    string `json:"operator"`
	Description string `json:"description"`
	Worth       bool   `json:"worth"`
	Reason      string `json:"reason"`
	Drawn       bool   `json:"drawn"`           // at random; else shown first
	Shown       string `json:"shown,omitempty"` // the commits at which it was shown first
}

// ReadLabels reads a file of labels. Each has to have a reason, and to be unique.
func ReadLabels(file string) ([]Label, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var labels []Label
	if err := json.Unmarshal(data, &labels); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	seen := make(map[string]bool)
	for _, l := range labels {
		key := l.Module + " " + l.ID
		switch {
		case l.Module == "" || l.ID == "":
			return nil, fmt.Errorf("%s: a label without module or id", file)
		case l.Reason == "":
			return nil, fmt.Errorf("%s: the label of %s has no reason", file, key)
		case !l.Drawn && l.Shown == "":
			return nil, fmt.Errorf("%s: the label of %s is neither drawn nor shown", file, key)
		case seen[key]:
			return nil, fmt.Errorf("%s: two labels of %s", file, key)
		}
		seen[key] = true
	}
	return labels, nil
}

// modules lists the modules of labels in their order.
func modules(labels []Label) (list []string) {
	for _, l := range labels {
		if !slices.Contains(list, l.Module) {
			list = append(list, l.Module)
		}
	}
	return list
}

// Draw chooses n survivors at random. They depend on the set of survivors and the seed only.
func Draw(mutants []report.Mutant, seed uint64, n int) []report.Mutant {
	list := survivors(mutants)
	slices.SortFunc(list, func(a, b report.Mutant) int { return strings.Compare(a.ID, b.ID) })
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list[:min(n, len(list))]
}

func survivors(mutants []report.Mutant) (list []report.Mutant) {
	for _, m := range mutants {
		if m.Status == report.Survived {
			list = append(list, m)
		}
	}
	return list
}

// Placed is a drawn survivor with its place among the survivors of its module.
type Placed struct {
	Worth bool
	Place float64 // rank divided by the number of ranked survivors; 2 if it has no rank
	ID    string
}

// last is the place of a survivor that is not shown.
const last = 2

// Module is what labels say of the order in which a module's survivors are shown.
type Module struct {
	Name      string
	Survivors int      // with a rank
	Drawn     []Placed // the labelled ones that were drawn
	Absent    []string // drawn, and no survivors now: IDs
	Top       int      // of the first ten shown: those there are
	Labelled  int      // ... with a label
	Worth     int      // ... that are worth a test
}

// Judge holds the survivors of a module against its labels.
func Judge(module string, labels []Label, mutants []report.Mutant) Module {
	r := Module{Name: module}
	rank := make(map[string]int)
	for _, m := range survivors(mutants) {
		rank[m.ID] = m.Rank
		if m.Rank > 0 {
			r.Survivors++
		}
	}
	worth := make(map[string]bool)
	for _, l := range labels {
		if l.Module != module {
			continue
		}
		worth[l.ID] = l.Worth
		if !l.Drawn {
			continue
		}
		place := float64(last)
		if at, ok := rank[l.ID]; !ok {
			r.Absent = append(r.Absent, l.ID)
		} else if at > 0 {
			place = float64(at) / float64(r.Survivors)
		}
		r.Drawn = append(r.Drawn, Placed{l.Worth, place, l.ID})
	}
	for id, at := range rank {
		if at == 0 || at > First {
			continue
		}
		r.Top++
		if w, ok := worth[id]; ok {
			r.Labelled++
			if w {
				r.Worth++
			}
		}
	}
	return r
}

// AUC is the probability that a survivor that is worth a test is placed before one that is
// not; equal places count half. It is defined only if there are both.
func AUC(list []Placed) (auc float64, ok bool) {
	var sum float64
	var pairs int
	for _, a := range list {
		for _, b := range list {
			if !a.Worth || b.Worth {
				continue
			}
			pairs++
			switch {
			case a.Place < b.Place:
				sum++
			case a.Place == b.Place:
				sum += 0.5
			}
		}
	}
	if pairs == 0 {
		return 0, false
	}
	return sum / float64(pairs), true
}

// Pooled counts, among the first n by place, those that are worth a test. Equal places are
// in the order of the IDs.
func Pooled(list []Placed, n int) (worth int) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Placed) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), strings.Compare(a.ID, b.ID))
	})
	return countWorth(list[:min(n, len(list))])
}

func countWorth(list []Placed) (n int) {
	for _, p := range list {
		if p.Worth {
			n++
		}
	}
	return n
}
