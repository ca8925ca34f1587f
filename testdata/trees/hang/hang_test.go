package hang

import "testing"

func FuzzSizes(f *testing.F) {
	f.Add([]byte("\x02a\x03bc"))
	f.Add([]byte("\x01\x01\x01"))
	f.Add([]byte("Wabc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 0 && b[0] == 'W' {
			Work(b[1:])
			return
		}
		sizes, err := Sizes(b)
		sum := 0
		for _, n := range sizes {
			sum += n
		}
		if err == nil && sum != len(b) {
			t.Errorf("chunks of %d bytes in a stream of %d", sum, len(b))
		}
	})
}
