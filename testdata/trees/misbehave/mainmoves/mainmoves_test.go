package mainmoves

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	os.Chdir(os.TempDir())
	os.Stdout.Close()
	m.Run()
}

func FuzzDouble(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
}
