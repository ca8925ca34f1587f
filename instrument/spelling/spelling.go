// Package spelling counts how many edits make one string of another, and finds the word that a mistyped one was meant
// to be.
package spelling

// Nearest returns the name that a word was probably meant to be: the first of those that
// the fewest edits lead to. It is "" if that takes more than one edit for three letters.
func Nearest(word string, names []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, name := range names {
		if d := Slips(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

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
