// Package badcorpus repeats strings.
package badcorpus

// Repeat returns n copies of s, at most 100 of them.
func Repeat(s string, n int) string {
	out := ""
	for i := 0; i < n && i < 100; i++ {
		out += s
	}
	return out
}
