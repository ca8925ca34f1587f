// Package sides shortens two texts that are compared, so that what differs is seen.
package sides

// Around shortens two texts to most characters each, where one has more. Both begin at the same place: with the text, or,
// if the first character that differs would be among the last ones or beyond them, before that. "…" stands for what is
// left out.
func Around(a, b string, most int) (x, y string) {
	was, is := []rune(a), []rune(b)
	at := 0
	for at < len(was) && at < len(is) && was[at] == is[at] {
		at++
	}
	from := 0
	if before := most / 4; max(len(was), len(is)) > most && at > most-before {
		from = at - before
	}
	return part(was, from, most), part(is, from, most)
}

func part(text []rune, from, most int) string {
	begin, end := "", ""
	if from > 0 {
		begin = "…"
	}
	if len(text) > from+most {
		text, end = text[:from+most], "…"
	}
	return begin + string(text[from:]) + end
}
