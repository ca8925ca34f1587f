package skips

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func seed(f *testing.F) {
	f.Add("a=1\nb=2\n")
	f.Add("# comment\n\nkey=-30")
	f.Add("no setting")
}

// mustParse fails t from a helper two calls below the fuzz target.
func mustParse(t *testing.T, text string) map[string]int {
	t.Helper()
	m, err := Parse(text)
	fatalIf(t, err)
	return m
}

func fatalIf(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzSkip discards inputs with all three ways to skip.
func FuzzSkip(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			t.Skip(err)
		}
		if len(m) == 0 {
			t.SkipNow()
		}
		if _, ok := m[""]; ok {
			t.Skipf("%d keys, one of them empty", len(m))
		}
		if len(m) > strings.Count(text, "=") {
			t.Errorf("%d settings in %q", len(m), text)
		}
	})
}

// FuzzFatal reports through a helper; it never fails on the original.
func FuzzFatal(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		want, err := Parse(text)
		if err != nil {
			return
		}
		t.Logf("%s: %d settings", t.Name(), len(want))
		if got := mustParse(t, text+"\n# end"); !maps.Equal(got, want) {
			t.Fatalf("with a comment %v, without %v", got, want)
		}
	})
}

// FuzzCleanup relies on Cleanup and Context being run down after each input.
func FuzzCleanup(f *testing.F) {
	seed(f)
	open := 0
	f.Fuzz(func(t *testing.T, text string) {
		if open != 0 {
			t.Fatalf("%d inputs were not cleaned up", open)
		}
		open++
		t.Cleanup(func() { open-- })
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text); err != nil {
			t.Skip("skipped after Cleanup was registered")
		}
	})
}

// FuzzTempDir writes a file for each input.
func FuzzTempDir(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Fatalf("TempDir is not fresh: %v, %v", list, err)
		}
		name := filepath.Join(dir, "settings")
		fatalIf(t, os.WriteFile(name, []byte(text), 0o600))
		_, want := Parse(text)
		if _, err := ReadFile(name); (err == nil) != (want == nil) {
			t.Errorf("file: %v, text: %v", err, want)
		}
	})
}

// FuzzSetenv passes the input through the environment.
func FuzzSetenv(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			t.Skip("no NUL in the environment")
		}
		if _, ok := os.LookupEnv("SKIPS_SETTINGS"); ok {
			t.Fatal("the last input's environment is still there")
		}
		t.Setenv("SKIPS_SETTINGS", text)
		_, want := Parse(text)
		if _, err := FromEnv("SKIPS_SETTINGS"); (err == nil) != (want == nil) {
			t.Errorf("environment: %v, text: %v", err, want)
		}
	})
}

// FuzzRun has subtests inside the fuzz target.
func FuzzRun(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		t.Run("twice", func(t *testing.T) {
			if err != nil {
				t.Skip(err)
			}
			again, err := Parse(text + "\n" + text)
			fatalIf(t, err)
			if len(again) != len(m) {
				t.Errorf("%d settings, twice: %d", len(m), len(again))
			}
		})
		t.Run("reversed", func(t *testing.T) {
			if err == nil && strings.Count(text, "=") < len(m) {
				t.Error("settings without '='")
			}
		})
	})
}
