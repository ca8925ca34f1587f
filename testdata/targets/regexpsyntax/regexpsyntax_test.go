package regexpsyntax

import (
	"regexp/syntax"
	"slices"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`abc`, `a|b|cd`, `(a*)(b+)?c??`, `[a-z0-9_]+`, `[^\n\t]`, `^\bfoo\B$`,
		`(?i)abc(?-i)D`, `(?P<name>x)(?<other>y)`, `a{2,5}b{3}c{4,}?`, `\pL\P{Greek}\p{^Lu}`,
		`[[:alpha:][:^digit:]]`, `\Q.*\E+`, `(?s).(?m)^.$`, `\x{10FFFF}\x41\101`,
		`abc|abd|ab[e-g]`, `(?:(?:a|b)*)*`, `\A\z\C?`, `[\d\D]`, `(?U)a+?`, `()|`,
		`(`, `a**`, `[z-a]`, `x{1001}`, `(?i)[k-s\x{17f}]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Skip(err)
		}
		printed := re.String()
		again, err := syntax.Parse(printed, syntax.Perl)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", pattern, printed, err)
		}
		if got, want := again.CapNames(), re.CapNames(); !slices.Equal(got, want) {
			t.Errorf("%q has the groups %q, %q has %q", pattern, want, printed, got)
		}
		prog, err := syntax.Compile(re.Simplify())
		if err != nil {
			t.Fatalf("Compile: %v", err)
		}
		if prog.NumCap < 2 || prog.Start >= len(prog.Inst) {
			t.Errorf("program of %d instructions starts at %d, with %d captures", len(prog.Inst), prog.Start, prog.NumCap)
		}
		_, _ = prog.Prefix()
		_ = prog.StartCond()
	})
}
