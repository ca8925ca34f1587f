package trial

import (
	"testing"
)

func TestRelFramesNamesFunctionsByPackage(t *testing.T) {
	got := Frames("/m", []string{"example.com/m/p.(*T).f /m/p/f.go:7", "gopkg.in/yaml%2ev2.F /m/f.go:8", "odd"})
	if len(got) != 3 || got[0] != "p.(*T).f p/f.go:7" || got[1] != "yaml.v2.F f.go:8" || got[2] != "odd" {
		t.Errorf("got %q", got)
	}
}
