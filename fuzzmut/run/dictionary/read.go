package dictionary

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// Read reads a file of tokens in AFL's format: lines name="value" or
// "value", a name perhaps with @ and a level after it, which does not matter
// here; and comments, which begin with #. In a value a backslash stands before a
// quote, a backslash, or x and two hexadecimal digits.
func Read(path string) ([][]byte, error) {
	data, err := regular.Read(path, maxSize)
	if err != nil {
		return nil, err
	}
	list, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return list, nil
}

// maxSize bounds a dictionary that is read, in bytes.
const maxSize = 16 << 20

// parse reads tokens. The error begins with the number of the line.
func parse(data []byte) ([][]byte, error) {
	var list [][]byte
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		token, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
		list = append(list, token)
	}
	return list, nil
}

// entryLine is a line with a token. AFL allows no more in a name, which
// tells a value without quotes from a name.
var entryLine = regexp.MustCompile(`^(?:[A-Za-z0-9_]+(?:@[0-9]+)?[ \t]*=[ \t]*)?"(.*)"$`)

func parseLine(line string) ([]byte, error) {
	m := entryLine.FindStringSubmatch(line)
	if m == nil {
		return nil, errors.New(`neither name="value" nor "value" nor a comment`)
	}
	token, err := unescape(m[1])
	if err != nil {
		return nil, err
	}
	if len(token) == 0 {
		return nil, errors.New("an empty value")
	}
	return token, nil
}

func unescape(s string) ([]byte, error) {
	var out []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ':
			return nil, fmt.Errorf(`a control character in the value; write \x%02x`, c)
		case c == '"':
			return nil, errors.New(`a quote within the value; write \"`)
		case c != '\\':
			out = append(out, c)
		case strings.HasPrefix(s[i+1:], `\`), strings.HasPrefix(s[i+1:], `"`):
			i++
			out = append(out, s[i])
		default:
			b, err := hexEscape(s[i+1:])
			if err != nil {
				return nil, err
			}
			out = append(out, b)
			i += len("x00")
		}
	}
	return out, nil
}

// hexEscape reads what stands after a backslash: xNN.
func hexEscape(s string) (byte, error) {
	if len(s) >= len("x00") && s[0] == 'x' {
		if b, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return byte(b), nil
		}
	}
	return 0, errors.New(`a backslash in the value must precede a quote, a backslash or xNN; write \\`)
}
