// Values of package-level variables: constants in every form, which stay data in
// the original, and expressions, which never were.
package values

import "strconv"

type level int

const (
	low level = iota + 1
	high
)

var plain = 3

var (
	typed    int64   = 1 << 4
	float    float32 = 2.5
	boxed    any     = uint8(7)
	letter           = 'x'
	named            = high
	text             = "te" + "xt"
	yes              = true
	bytes            = []byte("raw")
	one, two         = 1, level(2)
	long             = "first" +
		"second"
	_ = 5
)

var sum, product = plain + 2, int(typed) * -plain

var shifted = uint16(1) << plain

var between, either = plain > 2 && plain < 9, !yes || text == ""

var _ = note("a", 1)

var notes string

func note(s string, n int) string {
	notes += s + strconv.Itoa(n)
	return notes
}

var noted = note("b", 2+plain)

var table = [...]int{1, 2, 3}

var picked = table[one] + len(table)

//fuzzmut:ignore shows the state
func Report() string {
	box, _ := boxed.(uint8)
	return strconv.Quote(strconv.Itoa(plain) + "," + strconv.FormatInt(typed, 10) + "," +
		strconv.FormatFloat(float64(float), 'g', -1, 32) + "," + strconv.Itoa(int(box)) + "," + string(letter) + "," +
		strconv.Itoa(int(named+low)) + "," + text + "," + strconv.FormatBool(yes) + "," + string(bytes) + "," +
		strconv.Itoa(one) + strconv.Itoa(int(two)) + "," + long + "," + strconv.Itoa(sum) + "," + strconv.Itoa(product) + "," +
		strconv.Itoa(int(shifted)) + "," + strconv.FormatBool(between) + strconv.FormatBool(either) + "," + notes + noted + "," + strconv.Itoa(picked))
}
