package shell

import "testing"

func FuzzWords(f *testing.F) {
	f.Add(`go build -o 'a b' "c" d\ e $(f) # g`)
	f.Fuzz(func(t *testing.T, line string) {
		if _, err := Words(line); err != nil {
			t.Skip(err)
		}
	})
}
