package literals

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/named"
)

// IsTime says whether a type is time.Time.
func IsTime(t types.Type) bool { return named.IsOfTime(t, "Time") }

// calendar is the number of years after which leap years come again.
const calendar = 400

// Time is a call of time.Date for the instant of a golden file, which has no location.
// time.Time.Equal compares instants alone.
func Time(text string) (string, bool) {
	text = strings.TrimPrefix(text, "time.Time ")
	if text == (time.Time{}).Format(time.RFC3339Nano) {
		return Mark + "time.Time{}", true
	}
	digits, rest, _ := strings.Cut(text, "-")
	year, err := strconv.Atoi(digits)
	if err != nil { // a year before 0
		return "", false
	}
	// time.Parse reads years of four digits alone.
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprintf("%d-%s", 5*calendar+year%calendar, rest))
	if err != nil {
		return "", false
	}
	const time = Mark + "time."
	return fmt.Sprintf(time+"Date(%d, "+time+"%s, %d, %d, %d, %d, %d, "+time+"UTC)",
		year, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond()), true
}
