package derive

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

func TestInNoModule(t *testing.T) {
	modules := []string{"", "plain", "archive/old", "example.com/m"}
	for path, want := range map[string]bool{
		"":                            false,
		"main":                        false,
		"command-line-arguments":      false,
		"command-line-arguments_test": false,
		"fuzzmutrt/fuzzmut":           false,
		"example.com/m/a":             false,
		"example.com/other":           false,
		"plain":                       false,
		"plain_test":                  false,
		"plain/a/b":                   false,
		"plain/a_test":                false,
		"plainer":                     true,
		"archive/old/tar":             false,
		"archive/tar":                 true,
		"embed":                       true,
		"internal/poll":               true,
		"tomorrow/new":                true,
	} {
		if got := inNoModule(path, modules); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}

// The packages that the toolchain has, and no others.
func TestIsStandard(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		if !isStandard(path) {
			t.Errorf("%s is not standard", path)
		}
	}
	if own := reflect.TypeFor[plan]().PkgPath(); isStandard(own) {
		t.Errorf("%s is standard", own)
	}
	if len(modules()) == 0 || !strings.HasPrefix(reflect.TypeFor[plan]().PkgPath(), modules()[0]+"/") {
		t.Errorf("modules: %q", modules())
	}
}
