package gotool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

func TestInterruptedGoCommandCleansUp(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	temp := filepath.Join(t.TempDir(), "go-build")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// As the go command does: what has begun ends, then temporary files go.
	cmd := GoCommand(ctx, "sh", "-c", `trap 'rm "$0"; exit 1' INT; : >"$0"; while :; do sleep 0.01; done`, temp)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !exists(temp) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("it has come to its end")
	}
	if exists(temp) {
		t.Error("its temporary file is left")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestHeapOfListing(t *testing.T) {
	for _, c := range []struct{ env, want []string }{
		{[]string{"A=b"}, []string{"A=b", "GOGC=300"}},
		{[]string{"GOGC="}, []string{"GOGC=", "GOGC=300"}},
		{[]string{"GOGC=50", "A=b"}, []string{"GOGC=50", "A=b"}},
		{[]string{"GOMEMLIMIT=1GiB"}, []string{"GOMEMLIMIT=1GiB"}},
	} {
		if got := Listing(c.env); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.env, got, c.want)
		}
	}
}

func TestUnsupportedNamesTheToolchain(t *testing.T) {
	tests := []struct {
		version, language string
		want              string
	}{
		{"go1.28.1", "go1.26", "go1.28.1 is not supported: it differs: run with GOTOOLCHAIN=" + tested},
		{"devel go1.29-abc", "", "devel go1.29-abc is not supported: it differs: run with GOTOOLCHAIN=" + tested},
		{"go1.28.1", "go1.28", "go1.28.1 is not supported: it differs; the module needs go1.28, and this fuzzmut is tested with Go 1.26 and 1.27: install a newer fuzzmut: go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest"},
		{"go1.26.8", "go1.26", "go1.26.8 in /goroot does not work: it differs: run with GOTOOLCHAIN=" + tested + ", and please report"},
		{tested, "go1.27", tested + " in /goroot does not work: it differs: check that the installation is unchanged; if so, please report"},
	}
	for _, test := range tests {
		tool := Toolchain{Version: test.version, Root: "/goroot"}
		if got := tool.Unsupported("it differs", test.language); got.Msg != test.want || got.Kind != problem.KindToolchain {
			t.Errorf("%s, language %q:\n%s\nwant\n%s", test.version, test.language, got.Msg, test.want)
		}
	}
}

// Any go command does the work of the one in a shadow, and takes that for GOROOT.
func TestShadowStandsForADownloadedToolchain(t *testing.T) {
	tool, err := NewToolchain(t.Context(), ".", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tool.ModCache, tool.Cache = filepath.Dir(tool.Root), t.TempDir() // as if it had been downloaded
	// What is not whole is made again: files in a cache are deleted by their age.
	for _, lost := range []string{"src", "pkg", "bin/go", "bin", "."} {
		s, err := tool.Overlayable()
		if err != nil {
			t.Fatal(err)
		}
		if !Within(tool.Cache, s.Root) || s.InModCache(s.Root) {
			t.Errorf("GOROOT is %s", s.Root)
		}
		byName := *s
		byName.Command = "go" // whichever is in PATH
		for _, p := range []*Toolchain{s, &byName} {
			out, err := p.Go(t.Context(), "list", "-f", "{{.Dir}}", "fmt")
			if got, want := strings.TrimSpace(string(out)), filepath.Join(s.Root, "src", "fmt"); err != nil || got != want {
				t.Errorf("%s: package fmt is in %q (%v), want %q", p.Command, got, err, want)
			}
		}
		if err := os.RemoveAll(filepath.Join(s.Root, lost)); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(tool.Cache, "fuzz", "fuzzmut-goroots"))
	if err != nil || len(entries) > 0 {
		t.Errorf("%d entries are left (%v), want none", len(entries), err)
	}
}
