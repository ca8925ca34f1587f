package sleeps

import (
	"strconv"
	"strings"
	"time"
)

// pause is what a call waits, whatever it is given.
const pause = 20 * time.Millisecond

// Days returns the days in a text of the form "2w 3d", and whether there are any.
func Days(text string) (days int, ok bool) {
	time.Sleep(pause)
	for field := range strings.FieldsSeq(text) {
		number, unit := field[:len(field)-1], field[len(field)-1]
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > 1000 {
			return 0, false
		}
		switch unit {
		case 'd':
			days += n
		case 'w':
			days += 7 * n
		default:
			return 0, false
		}
		ok = true
	}
	return days, ok
}
