package chance_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/chance"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

const declarations = `import ("time"; "math/rand"; r "math/rand/v2")
var begun, later = time.Now(), 3
var most time.Duration
func own(time.Time) int { return 1 }
var gen = rand.New(rand.NewSource(1))
`

func TestDiffers(t *testing.T) {
	for _, c := range []struct {
		before, expr string
		want         bool
	}{
		{``, `time.Now()`, true},
		{``, `(time.Since(begun))`, true},
		{``, `time.Until(begun).Seconds()`, true},
		{``, `time.Unix(1, 0)`, false},
		{``, `begun`, true},
		{``, `later`, false},
		{``, `most`, false},
		{``, `int64(time.Since(begun)) / 2`, true},
		{``, `-time.Since(begun)`, true},
		{``, `most + time.Since(begun)`, true},
		{``, `time.Unix(1, 0).Sub(time.Now())`, true},
		{``, `time.Unix(1, 0).Sub(begun).Hours()`, true},
		{``, `most > time.Since(begun)`, false}, // it is the same as a rule
		{``, `own(time.Now())`, false},
		{``, `&begun`, false},
		{``, `rand.Intn(3)`, true},
		{``, `r.N(3)`, true},
		{``, `r.Float64()`, true},
		{``, `gen.Intn(3)`, false}, // it may have a seed
		{``, `rand.New(nil)`, false},
		{`start := time.Now(); took := time.Since(start); n := took.Nanoseconds()`, `n`, true},
		{`var n int64; for range 2 { if n > 0 { break }; m := n; n = m + time.Now().Unix() }`, `n`, true},
		{`var a, b = 1, time.Now().Year()`, `a`, false},
		{`var a, b = 1, time.Now().Year()`, `b`, true},
		{`n := own(time.Now())`, `n`, false},
	} {
		s := checked.Body(t, declarations, c.before+"\n_ = "+c.expr)
		v := chance.Find(s.Info, []*ast.File{s.Src.Syntax})
		if got := v.Differs(s.Expr(c.expr)); got != c.want {
			t.Errorf("%s %s: %t", c.before, c.expr, got)
		}
	}
}
