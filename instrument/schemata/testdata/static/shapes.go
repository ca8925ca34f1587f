// Initialisers with more than one value, and with what is not arithmetic: comma-ok,
// slices, calls with errors, conversions, method values, receives.
package shapes

import (
	"errors"
	"strconv"
	"strings"
)

var numbers = map[string]int{"one": 1, "two": 2}

var one, found = numbers["one"]

var box any = "boxed"

var inside, isText = box.(string)

var digits = strings.Split("3,1,4,1,5", ",")

var middle = digits[1:4]

var last = digits[len(digits)-1] + digits[0]

var parsed, parseErr = strconv.Atoi(last)

var more = append(middle[:1:1], last, strconv.Itoa(parsed))

var narrow = int8(parsed + len(digits))

var repeat = strings.Repeat

var line = repeat(last, min(len(middle), 2))

var pipe = make(chan int, 2)

var sent = send(pipe, 7)

var received, open = <-pipe

func send(c chan int, n int) bool {
	c <- n
	return len(c) == 1
}

var errLast = wrap(parseErr)

func wrap(err error) error {
	if err != nil {
		return err
	}
	return errors.New("fine")
}

type pair struct{ a, b int }

func (p pair) sum() int { return p.a + 10*p.b }

var pairSum = pair{parsed, -one}.sum()

var sub = func(p *pair) int { return p.a - p.b }(&pair{a: parsed, b: one})

var nested = max(sub, pairSum, strings.Index("needle in haystack", "hay"))

//fuzzmut:ignore shows the state
func Report() string {
	return strings.Join([]string{
		strconv.Itoa(one), strconv.FormatBool(found), inside, strconv.FormatBool(isText), strings.Join(middle, "-"),
		last, strconv.Itoa(parsed), strings.Join(more, "+"), strconv.Itoa(int(narrow)), line, strconv.FormatBool(sent),
		strconv.Itoa(received), strconv.FormatBool(open), errLast.Error(), strconv.Itoa(pairSum), strconv.Itoa(sub), strconv.Itoa(nested),
		strconv.FormatBool(parseErr == nil),
	}, " ")
}
