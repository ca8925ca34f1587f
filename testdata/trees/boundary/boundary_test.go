package boundary

import "testing"

func FuzzTotal(f *testing.F) {
	f.Add("1,20,3")
	f.Fuzz(func(t *testing.T, list string) { Total(list) })
}

func FuzzCrowded(f *testing.F) {
	f.Add("some words in a row")
	f.Fuzz(func(t *testing.T, text string) { Crowded(text) })
}

func FuzzFits(f *testing.F) {
	f.Add([]byte("subject:body"))
	f.Fuzz(func(t *testing.T, message []byte) { Fits(message) })
}

func FuzzDeep(f *testing.F) {
	f.Add("[[][]]")
	f.Fuzz(func(t *testing.T, s string) { Deep(s) })
}

func FuzzSmall(f *testing.F) {
	f.Add([]byte{0, 64, 0, 64})
	f.Fuzz(func(t *testing.T, header []byte) { Small(header) })
}
