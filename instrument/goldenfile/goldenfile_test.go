package goldenfile

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// recorder is a test whose failure is looked at.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                        {}
func (r *recorder) Errorf(format string, a ...any) { r.said += fmt.Sprintf(format, a...) }
func (r *recorder) Fatal(a ...any)                 { r.said += fmt.Sprint(a...) }

func TestCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	compare := func(text string, rewrite bool) string {
		old := *update
		defer func() { *update = old }()
		*update = rewrite
		r := &recorder{TB: t}
		Compare(r, "a.golden", []byte(text))
		return r.said
	}
	if got := compare("one\n", false); !strings.Contains(got, "no such file") {
		t.Errorf("without a file: %q", got)
	}
	if got := compare("one\n", true); got != "" {
		t.Errorf("-update: %q", got)
	}
	if got := compare("one\n", false); got != "" {
		t.Errorf("the same: %q", got)
	}
	if got := compare("two\n", false); !strings.Contains(got, "-update rewrites it") || !strings.Contains(got, "two") {
		t.Errorf("another text: %q", got)
	}
}
