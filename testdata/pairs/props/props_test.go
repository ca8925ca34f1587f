package props

import "testing"

func FuzzValue(f *testing.F) {
	f.Add("# x\na = 1\\\n  2\nb : ${a}\\u0041\nc", "b")
	f.Fuzz(func(t *testing.T, text, key string) {
		if _, err := Value(text, key); err != nil {
			t.Skip(err)
		}
	})
}
