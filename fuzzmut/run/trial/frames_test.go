package trial

import (
	"testing"
)

func TestRelFramesNamesFunctionsByPackage(t *testing.T) {
	got := Frames("/m", []string{"example.com/m/p.(*T).f /m/p/f.go:7", "odd"})
	if len(got) != 2 || got[0] != "p.(*T).f p/f.go:7" || got[1] != "odd" {
		t.Errorf("got %q", got)
	}
}
