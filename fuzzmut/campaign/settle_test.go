package campaign

import "testing"

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
		if got := ShellQuote(tt.word); got != tt.want {
			t.Errorf("ShellQuote(%q) = %s, want %s", tt.word, got, tt.want)
		}
	}
}

func TestRelFramesNamesFunctionsByPackage(t *testing.T) {
	s := &session{b: &built{program: testProgram("/m", "example.com/m/p")}}
	got := s.relFrames([]string{"example.com/m/p.(*T).f /m/p/f.go:7", "odd"})
	if len(got) != 2 || got[0] != "p.(*T).f p/f.go:7" || got[1] != "odd" {
		t.Errorf("got %q", got)
	}
}
