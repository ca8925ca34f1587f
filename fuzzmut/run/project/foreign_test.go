package project

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

func TestPackagesThatAreNotTheUsers(t *testing.T) {
	base := t.TempDir()
	root, cache, clone := filepath.Join(base, "go"), filepath.Join(base, "cache"), filepath.Join(base, "clone")
	mkdir(t, filepath.Join(clone, ".git"))
	toolchain := filepath.Join(cache, "golang.org", "toolchain@v0.0.1")
	for _, c := range []struct {
		name, root, dir string
		standard        bool
		want            string
	}{
		{"the user's", root, filepath.Join(base, "m"), false, ""},
		{"of no module", root, filepath.Join(base, "m"), true, ""},
		{"of the Go installation", root, filepath.Join(root, "src", "strings"), true, "a part of the Go installation"},
		{"of a Go installation in the module cache", toolchain, filepath.Join(toolchain, "src", "strings"), true, "a part of the Go installation"},
		{"of a clone of Go", clone, filepath.Join(clone, "src", "strings"), true, ""},
		{"of the module cache", root, filepath.Join(cache, "example.com", "m@v1.0.0"), false, "a part of the module cache"},
	} {
		l := loadedIn(c.dir, "FuzzX")
		l.Toolchain, l.Standard = &gotool.Toolchain{Root: c.root, ModCache: cache}, c.standard
		if got := Foreign(l); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for name, o := range map[string]Options{"": {}, "-follow-links": {FollowLinks: true}, "-n": {DryRun: true}, "-corpus": {CorpusDir: "c"}, "-corpus -write-known": {CorpusDir: "c", WriteKnown: true}} {
			err := CheckLinks(&Project{writes: true, Options: o}, l)
			refused := c.want != "" && name != "-n" && name != "-corpus"
			if (err != nil) != refused || err != nil && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "nothing is written")) {
				t.Errorf("%s with %q: %v", c.name, name, err)
			}
		}
		if err := CheckLinks(new(Project), l); err != nil {
			t.Errorf("%s: a job that writes nothing: %v", c.name, err)
		}
	}
}
