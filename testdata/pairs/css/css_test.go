package css

import "testing"

func FuzzTokens(f *testing.F) {
	f.Add("a:hover { color: #fff; /* x */ width: 10.5em !important }\n@media \"print\" {}")
	f.Fuzz(func(t *testing.T, text string) { Tokens(text) })
}
