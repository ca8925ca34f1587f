package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

func TestAcceptedMutantsAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accepted.txt")
	if _, err := readAccepted(path); exit.CodeOf(err) != exit.Usage || !strings.HasSuffix(err.Error(), "fuzzmut score -baseline "+path+" -write-baseline makes it") {
		t.Errorf("a list that is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte("p m1 loops F: a\n\tequivalent\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if set, err := readAccepted(path); err != nil || len(set) != 1 || !set[accepted.ID{Package: "p", Mutant: "m1"}] {
		t.Errorf("%v, %v", set, err)
	}
	if err := os.WriteFile(path, []byte("p m1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readAccepted(path); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), path+":1: ") {
		t.Errorf("a damaged list: %v", err)
	}
}
