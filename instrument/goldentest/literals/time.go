package literals

import (
	"fmt"
	"go/types"
	"strings"
	"time"
)

// IsTime says whether a type is time.Time.
func IsTime(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Time"
}

// Time is a call of time.Date for the instant of a golden file, which has no location.
// time.Time.Equal compares instants alone.
func Time(text string) (string, bool) {
	at, err := time.Parse(time.RFC3339Nano, strings.TrimPrefix(text, "time.Time "))
	switch {
	case err != nil: // a year of more than four digits
		return "", false
	case at.IsZero():
		return Mark + "time.Time{}", true
	}
	const time = Mark + "time."
	return fmt.Sprintf(time+"Date(%d, "+time+"%s, %d, %d, %d, %d, %d, "+time+"UTC)",
		at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond()), true
}
