package shell

import (
	"testing"
)

func TestShellQuote(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"go", "go"},
		{"-tags=a,b", "-tags=a,b"},
		{"./dir with space", "'./dir with space'"},
		{"-run=^FuzzX$/^1234$", "-run='^FuzzX$/^1234$'"},
		{"-gcflags=all=-N -l", "-gcflags='all=-N -l'"},
		{"it's", `'it'\''s'`},
		{"", "''"},
	} {
		if got := Quote(tt.word); got != tt.want {
			t.Errorf("ShellQuote(%q) = %s, want %s", tt.word, got, tt.want)
		}
	}
}
