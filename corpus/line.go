package corpus

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxText bounds what Line shows of one text, in bytes.
const maxText = 80

// Line shows the values of an entry to people, in one line of printable ASCII: texts are
// quoted and cut, and the types are left out. It is the same on every system and with
// every version of Go.
func Line(vals []any) string {
	var b []byte
	for i, v := range vals {
		if i > 0 {
			b = append(b, ", "...)
		}
		switch v := v.(type) {
		case []byte:
			b = appendText(b, string(v))
		case string:
			b = appendText(b, v)
		case byte:
			b = strconv.AppendUint(b, uint64(v), 10)
		case rune:
			if utf8.ValidRune(v) && v >= ' ' {
				b = strconv.AppendQuoteRuneToASCII(b, v)
			} else {
				b = strconv.AppendInt(b, int64(v), 10)
			}
		default:
			// "int(-3)": what is within the conversion.
			_, s, _ := strings.Cut(string(appendValue(nil, v)), "(")
			b = append(b, strings.TrimSuffix(s, ")")...)
		}
	}
	return string(b)
}

func appendText(b []byte, s string) []byte {
	if len(s) <= maxText {
		return strconv.AppendQuoteToASCII(b, s)
	}
	cut := maxText
	for cut > maxText-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	b = strconv.AppendQuoteToASCII(b, s[:cut])
	return append(strconv.AppendInt(append(b, "... "...), int64(len(s)), 10), " bytes"...)
}
