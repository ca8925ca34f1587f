// Package edits counts how many edits make one string of another.
package edits

// Distance counts letters inserted, removed or replaced: the distance of Levenshtein.
// Letters are bytes.
func Distance(a, b string) int { return distance(a, b, false) }

// Slips is Distance where two neighbors that are exchanged are one edit, as they are in
// mistyped words. No letter is edited twice.
func Slips(a, b string) int { return distance(a, b, true) }

func distance(a, b string, exchange bool) int {
	var older []int // the row before the last
	last, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if exchange && i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		if older == nil {
			older = make([]int, len(b)+1)
		}
		older, last, row = last, row, older
	}
	return last[len(b)]
}
