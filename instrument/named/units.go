package named

import (
	"go/types"
	"math"
	"strconv"
	"strings"
	"time"
)

// A unit is one of a time.Duration. Up to most, a number of it is easier to read than a sum with larger ones.
type unit struct {
	name       string
	size, most time.Duration
}

// units are the largest first.
var units = []unit{
	{"Hour", time.Hour, math.MaxInt64},
	{"Minute", time.Minute, 100},
	{"Second", time.Second, 100},
	{"Millisecond", time.Millisecond, 10_000},
	{"Microsecond", time.Microsecond, 10_000},
}

const (
	// termsMost is how many units are easier to read than one number.
	termsMost = 2
	// countMost bounds the number of one unit that stands for more of them.
	countMost = 1_000_000
)

// Duration writes a time.Duration in units, as 90*time.Second, or 36*time.Hour + 30*time.Minute; pkg is what package
// time is called there. false: it is of another type, or no units make it easier to read.
func Duration(t types.Type, n int64, pkg string) (string, bool) {
	d := time.Duration(n)
	if !IsOfTime(t, "Duration") || d%time.Microsecond != 0 || d == 0 {
		return "", false
	}
	u := units[0]
	for _, next := range units[1:] {
		if d%u.size != 0 {
			u = next
		}
	}
	one := max(d/u.size, -d/u.size)
	var terms []string
	for rest, list := d, units; rest != 0; list = list[1:] {
		if count := rest / list[0].size; count != 0 {
			terms = append(terms, strconv.FormatInt(int64(count), 10)+"*"+pkg+"."+list[0].name)
			rest %= list[0].size
		}
	}
	switch {
	case one >= u.most && len(terms) <= termsMost:
		return strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- "), true
	case one < max(u.most, countMost):
		return strconv.FormatInt(int64(d/u.size), 10) + "*" + pkg + "." + u.name, true
	}
	return "", false
}

// IsOfTime says whether a type is the one of package time with a name.
func IsOfTime(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == name
}
