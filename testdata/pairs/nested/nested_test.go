package nested

import "testing"

func FuzzTokens(f *testing.F) {
	f.Add("<p class=a>b<svg width=1><g/></svg></p>")
	f.Add("<math><mi>x</mi></math><!-- c -->")
	f.Fuzz(func(t *testing.T, text string) { Tokens(text) })
}
