package mainexits

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(7) }

func FuzzDouble(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
}
