package constants

import (
	"go/constant"
	"strings"
)

// Spread returns n different ones of a list at most, from all parts of it.
func Spread(list [][]constant.Value, n int) [][]constant.Value {
	list = Without(list, nil)
	if len(list) <= n {
		return list
	}
	few := make([][]constant.Value, n)
	for i := range few {
		few[i] = list[i*len(list)/n]
	}
	return few
}

// Without returns those of a list that another does not have, each once.
func Without(list, other [][]constant.Value) (kept [][]constant.Value) {
	seen := make(map[string]bool)
	for _, v := range other {
		seen[key(v)] = true
	}
	for _, v := range list {
		if k := key(v); !seen[k] {
			seen[k] = true
			kept = append(kept, v)
		}
	}
	return kept
}

func key(values []constant.Value) string {
	var b strings.Builder
	for _, v := range values {
		if v != nil {
			b.WriteString(v.ExactString())
		}
		b.WriteByte(0)
	}
	return b.String()
}
