// Package roundtrip writes small records as JSON and reads them again.
package roundtrip

import (
	"strconv"
	"strings"
)

// Record is a name with numbers.
type Record struct {
	Name string
	N    []int
}

// Write writes a record.
func Write(r Record) string {
	var b strings.Builder
	b.WriteString(`{"name":"` + escape(r.Name) + `","n":[`)
	for i, n := range r.N {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n))
	}
	b.WriteString("]}")
	return b.String()
}

func escape(s string) string {
	s = strings.ReplaceAll(s, `"`, `\"`)
	return s // the backslash is forgotten
}

// Read reads what Write has written.
func Read(s string) (r Record, ok bool) {
	s, ok = strings.CutPrefix(s, `{"name":"`)
	if !ok {
		return r, false
	}
	var b strings.Builder
	i := 0
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	r.Name = b.String()
	if i >= len(s) {
		return r, false
	}
	list, ok := strings.CutPrefix(s[i:], `","n":[`)
	if !ok {
		return r, false
	}
	list = strings.TrimSuffix(list, "]}")
	for _, w := range strings.Split(list, ",") {
		n, err := strconv.Atoi(w)
		if err != nil {
			continue
		}
		if n > 99999 {
			n %= 100000 // only five digits are kept
		}
		r.N = append(r.N, n)
	}
	return r, true
}

// Lines counts lines and the longest of them.
func Lines(s string) (n, longest int) {
	at := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			n, longest, at = n+1, max(longest, i-at), i+1
		}
	}
	return n, longest // the last line is forgotten
}
